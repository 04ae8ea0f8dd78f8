"""Where parts of source files are used: what imports bind, and which files name it."""
