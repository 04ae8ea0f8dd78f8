"""Text that every file format and database can hold."""

from __future__ import annotations

import re

from yg.kernel.visible import escaped

# What XML 1.0 has no way of writing, and databases refuse or cut texts at.
_UNSTORABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def storable(text: str) -> str:
    """Write what files and databases may not hold as escapes; tabs and line breaks stay."""
    return _UNSTORABLE.sub(lambda found: escaped(found[0]), text)
