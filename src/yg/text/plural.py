"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural if needed."""
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
