"""Contexts of nodes: layers, guidance, conflicts, and views of them."""
