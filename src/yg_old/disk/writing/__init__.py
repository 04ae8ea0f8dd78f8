"""Writes that are complete or undone: lock, journal, generation."""
