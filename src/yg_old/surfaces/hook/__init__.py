"""Hooks of agent harnesses: events in, notes for the model out."""
