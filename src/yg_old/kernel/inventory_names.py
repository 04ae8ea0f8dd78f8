"""Names of imports, and of nodes in other repositories: `NAME::path/of/node`."""

from __future__ import annotations

import re

SEPARATOR = "::"  # between the name of an import and a node of it
LONGEST_NAME = 100  # characters of the name of an import
NAME_HINT = "Use letters, digits, '-', '_' and '.', and start with a letter, a digit or '_'."
_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]*"


def is_import_name(name: str) -> bool:
    """Return whether a name can be that of an import."""
    return len(name) <= LONGEST_NAME and re.fullmatch(_NAME, name) is not None
