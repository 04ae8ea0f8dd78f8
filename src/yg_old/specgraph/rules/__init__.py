"""The rules for Spec Graphs, one module for each subject."""
