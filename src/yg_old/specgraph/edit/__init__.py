"""Edits of a Spec Graph, and what they would do to its errors."""
