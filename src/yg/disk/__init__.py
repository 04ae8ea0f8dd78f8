"""The machine: work trees, git, the cache and writing."""
