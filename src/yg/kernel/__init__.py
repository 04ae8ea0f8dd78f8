"""Values and functions that are true of any graph."""
