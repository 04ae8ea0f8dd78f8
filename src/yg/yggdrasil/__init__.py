"""Yggdrasil graphs: nodes, aspects and flows, their packages and their rules."""
