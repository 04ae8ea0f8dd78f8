"""The explorer: one page that shows a graph, as a file or from a server."""
