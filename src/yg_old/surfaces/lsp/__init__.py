"""The language server: diagnostics, completion, navigation and fixes in an editor."""
