"""What the code says about nodes: imports, names, proposals."""
