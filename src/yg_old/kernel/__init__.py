"""Values and functions shared by all kinds of graphs."""
