"""Reading and writing text: YAML with positions, paths, escapes, suggestions."""
