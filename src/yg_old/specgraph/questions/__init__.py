"""Questions about a whole Spec Graph: dependencies, impact, export."""
