"""Edits of a graph: create, rename, fix."""
