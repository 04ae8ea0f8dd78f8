"""The first files of a graph, what agents are told, and upgrades of older graphs."""
