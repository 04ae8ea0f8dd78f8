"""The kinds of changes, and the sets of them that results depend on."""

from __future__ import annotations

from enum import IntFlag


class ChangeKind(IntFlag):
    """Kinds of changes; a result depends on some of them."""

    STRUCTURE = 1  # of the graph: a declaration, or the set of files
    TEXT = 2  # of the graph: a readable text
    PLACES = 4  # outside: the set of files
    HIDDEN = 8  # in hidden directories of the graph, such as baselines
    CONTENTS = 16  # outside: the content of files that rules read
    SOURCES = 32  # outside: the content of files that drift covers
    DOCUMENTS = 64  # outside: the content of texts that the graph refers to


NO_CHANGE = ChangeKind(0)
DECLARATIONS = ChangeKind.STRUCTURE
TEXTS = ChangeKind.STRUCTURE | ChangeKind.TEXT | ChangeKind.DOCUMENTS
PLACES = ChangeKind.STRUCTURE | ChangeKind.PLACES | ChangeKind.DOCUMENTS
QUOTED = TEXTS | PLACES  # also which decision records there are
ALL_RULES = TEXTS | PLACES | ChangeKind.HIDDEN | ChangeKind.CONTENTS
CODE = PLACES | ChangeKind.SOURCES
DRIFT = TEXTS | PLACES | ChangeKind.HIDDEN | ChangeKind.SOURCES
