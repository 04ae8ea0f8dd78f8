"""Commands that query a graph: each takes arguments and returns an Answer, on every surface."""
