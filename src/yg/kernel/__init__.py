"""Values and descriptions that all kinds of graphs share."""
