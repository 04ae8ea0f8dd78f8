"""Read the files of a graph, by edition."""
