"""The deterministic memory of a repository for AI coding agents."""
