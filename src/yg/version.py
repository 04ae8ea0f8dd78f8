"""The two versions of this product, each stated once."""

__version__ = "0.1.0"
GRAPH_FORMAT = "2.2.0"
