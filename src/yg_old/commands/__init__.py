"""The commands: one module or folder each, the same for every surface."""
