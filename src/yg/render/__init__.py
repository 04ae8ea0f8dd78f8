"""Renderers: convert values to text and plain data, one module per command."""
