"""Review: which sentences of the graph a change of the code may have made untrue."""
