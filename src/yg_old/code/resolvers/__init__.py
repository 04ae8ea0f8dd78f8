"""Resolvers of imports, one module per language."""
