"""Source texts: their tokens, their facts, and the class of a change."""
