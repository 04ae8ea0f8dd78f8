"""Spec Graphs: typed JSON nodes, seven kinds of links, and context to a chosen depth."""
