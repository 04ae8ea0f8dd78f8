"""Text as people write it: YAML and JSON with places, patterns, words, paths."""
