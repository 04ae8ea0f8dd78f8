"""Parts of an edited file, compared with those at the start of the session."""

from __future__ import annotations

import os

from yg_old.code.read import read_facts

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST = 200_000  # bytes; longer files are reviewed


def same_parts(root: str, file: str, digests: Mapping[str, str]) -> bool:
    """Return whether a file has parts with these digests."""
    try:
        with open(os.path.join(root, file), "rb") as source:
            content = source.read(LONGEST + 1)
    except OSError:
        return False
    facts = read_facts(file, content) if len(content) <= LONGEST else None
    if facts is None or not facts.parts:
        return False
    found = facts.parts
    return all(name in found and found[name].digest == value for name, value in digests.items())
