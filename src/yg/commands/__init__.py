"""Commands: one module each, with its request, its document and its text."""
