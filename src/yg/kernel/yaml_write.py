"""Text written as YAML so that YAML reads the same text back."""

from __future__ import annotations

import json

from yg.kernel.decode_yaml import plain_scalar

# A plain scalar must not begin with any of these, nor hold the others.
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_UNSAFE_INSIDE = (": ", " #", "\t")


def yaml_scalar(text: str) -> str:
    """Write text so that YAML reads the same text back; in double quotes only where needed."""
    is_plain = (
        text.isprintable()
        and text == text.strip()
        and text[:1] not in _INDICATORS
        and not text.endswith(":")
        and not any(each in text for each in _UNSAFE_INSIDE)
        and _reads_as_text(text)
    )
    return text if is_plain else json.dumps(text, ensure_ascii=not text.isprintable())


def _reads_as_text(text: str) -> bool:
    try:
        return plain_scalar(text) == text
    except ValueError:  # so many digits that it reads as no number either
        return False
