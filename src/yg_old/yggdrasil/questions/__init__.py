"""Questions about a whole graph: dependencies, impact, search, export."""
