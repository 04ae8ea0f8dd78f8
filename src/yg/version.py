"""The versions of the package and of the graph format."""

__version__ = "0.1.0"
GRAPH_FORMAT = "2.2.0"
