"""Propose a first graph for code."""
