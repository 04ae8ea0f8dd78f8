"""Yggdrasil graphs: nodes, aspects and flows, and the queries on them."""
