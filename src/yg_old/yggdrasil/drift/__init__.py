"""Drift: recorded baselines, and what differs from them."""
