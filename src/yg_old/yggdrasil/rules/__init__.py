"""The rules of Yggdrasil graphs."""
