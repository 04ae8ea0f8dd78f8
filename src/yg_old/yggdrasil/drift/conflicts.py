"""Texts of baselines as a merge in git leaves them: both sides of a conflict, or lines of both."""

from __future__ import annotations

import re
from enum import Enum, auto
from json import JSONDecodeError, loads
from json.decoder import scanstring  # type: ignore[attr-defined]  # typeshed does not know it
from typing import Any

from yg_old.text.decode import real_number, whole_number

SIZE = 7  # characters of a marker
_MARKER = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)
_BETWEEN = re.compile(r"[\s,]*")  # a comma may be missing, or be there twice
_SPACE = re.compile(r"\s*")
_COLON = re.compile(r"\s*:")
_WORD = re.compile(r"[-+.\w]+")
# A second value for a key of these is that of the other side; elsewhere the first one counts.
_KEYS_OF_BOTH = ("files", "external")


class _Part(Enum):
    BOTH = auto()
    OURS = auto()
    BASE = auto()
    THEIRS = auto()


# Which marker may follow which, and what comes after it.
_NEXT = {
    (_Part.BOTH, "<"): _Part.OURS,
    (_Part.OURS, "|"): _Part.BASE,
    (_Part.OURS, "="): _Part.THEIRS,
    (_Part.BASE, "="): _Part.THEIRS,
    (_Part.THEIRS, ">"): _Part.BOTH,
}


def has_markers(text: str) -> bool:
    """Tell whether some line of a text is a conflict marker."""
    return _MARKER.search(text) is not None


def sides_of(text: str) -> tuple[str, str] | None:
    """Return a text as ours and as theirs; None if its conflict markers do not fit together.

    The common ancestor, which git writes with `diff3` and `zdiff3`, is in neither.
    """
    ours: list[str] = []
    theirs: list[str] = []
    part = _Part.BOTH
    for line in text.split("\n"):
        if _MARKER.match(line):
            after = _NEXT.get((part, line[0]))
            if after is None:
                return None
            part = after
            continue
        if part in (_Part.BOTH, _Part.OURS):
            ours.append(line)
        if part in (_Part.BOTH, _Part.THEIRS):
            theirs.append(line)
    return ("\n".join(ours), "\n".join(theirs)) if part is _Part.BOTH else None


class Pairs(list[tuple[str, Any]]):
    """The keys and values of a JSON object; a key may be there more than once."""


def merged_pairs(text: str) -> Pairs | None:
    """Parse a JSON object that may lack commas, as a union merge leaves it; None if it is invalid.

    The object itself, and those in it that list files or contracts, keep all values of a key.
    """
    try:
        return _Parser(text).parsed()
    except ValueError:  # also of texts and numbers
        return None


class _Parser:
    """Parses with a stack of its own: a text may be nested to any depth."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._opened: list[Pairs | dict[str, Any] | list[Any]] = []
        self._keys: list[str | None] = []  # of each object, the key whose value comes next
        self._members: dict[type | None, Pairs | dict[str, Any] | list[Any]] = {}  # last of a type

    def parsed(self) -> Pairs:
        """Return the only value of the text; raise ValueError if it is not an object."""
        self._skip(_SPACE)
        if not self._text.startswith("{", self._at):
            raise ValueError(self._at)
        root = Pairs()
        self._open(root)
        while self._opened:
            self._step()
        self._skip(_SPACE)
        if self._at != len(self._text):
            raise ValueError(self._at)
        return root

    def _skip(self, what: re.Pattern[str]) -> None:
        found = what.match(self._text, self._at)
        if found is None:
            raise ValueError(self._at)
        self._at = found.end()

    def _open(self, container: Pairs | dict[str, Any] | list[Any]) -> None:
        self._opened.append(container)
        self._keys.append(None)
        self._at += 1

    def _step(self) -> None:
        here, key = self._opened[-1], self._keys[-1]
        is_object = isinstance(here, Pairs | dict)
        self._skip(_SPACE if key is not None else _BETWEEN)
        character = self._text[self._at : self._at + 1]
        if key is None and self._is_misplaced(character):
            return
        if key is None and character == ("}" if is_object else "]"):
            self._opened.pop()
            self._keys.pop()
            self._at += 1
        elif is_object and key is None:
            self._keys[-1] = self._string()
            self._skip(_COLON)
        elif character == "{":
            self._nest(Pairs() if self._is_of_both(key) else {})
        elif character == "[":
            self._nest([])
        else:
            self._add(self._string() if character == '"' else self._word())

    def _is_misplaced(self, character: str) -> bool:
        """Close what a merge left open, skip the end of what it closed twice, or open it again.

        In the layout of a baseline, a member of the object itself and the end of one stand behind
        two spaces; an entry of a member has four.
        """
        if self._text[max(0, self._at - 5) : self._at] == "\n    " and len(self._opened) == 1:
            return self._reopened(character)
        if self._text[max(0, self._at - 3) : self._at] != "\n  ":
            return False
        if character == '"' and len(self._opened) > 1:
            del self._opened[1:], self._keys[1:]
            return True
        if character in ("}", "]") and len(self._opened) == 1:
            self._at += 1
            return True
        return False

    def _reopened(self, character: str) -> bool:
        """Open the last list of files or of reviews again, for an entry that begins so."""
        kind = {'"': Pairs, "{": list}.get(character)
        if kind not in self._members:
            return False
        self._opened.append(self._members[kind])
        self._keys.append(None)
        return True

    def _is_of_both(self, key: str | None) -> bool:
        return len(self._opened) == 1 and key in _KEYS_OF_BOTH

    def _nest(self, container: Pairs | dict[str, Any] | list[Any]) -> None:
        if len(self._opened) == 1:
            self._members[type(container)] = container
        self._add(container)
        self._open(container)

    def _add(self, value: Any) -> None:
        here, key = self._opened[-1], self._keys[-1]
        self._keys[-1] = None
        if isinstance(here, Pairs):
            here.append((str(key), value))
        elif isinstance(here, dict):
            here.setdefault(str(key), value)
        else:
            here.append(value)

    def _string(self) -> str:
        if not self._text.startswith('"', self._at):
            raise JSONDecodeError("no text", self._text, self._at)
        value: str
        value, self._at = scanstring(self._text, self._at + 1)
        return value

    def _word(self) -> Any:
        start = self._at
        self._skip(_WORD)
        word = self._text[start : self._at]
        return loads(word, parse_int=whole_number, parse_float=real_number)
