"""Nodes of other repositories, and what this one publishes."""
