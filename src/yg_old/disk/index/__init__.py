"""The index of a graph, in the user's cache directory."""
