"""What git knows: commits, changed files, ignored paths."""
