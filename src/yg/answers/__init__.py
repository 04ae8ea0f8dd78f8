"""The questions a graph can be asked: arguments in, an Answer out, for every surface the same."""
