"""Yggdrasil graphs: nodes, aspects and flows, and the questions that can be asked of them."""
