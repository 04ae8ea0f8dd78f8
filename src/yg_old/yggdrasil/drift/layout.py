"""The text of a baseline, laid out so that git can merge it.

What two people change is never in neighbouring lines: each entry has a line of its own, and so has
the comma between two of them, because otherwise a new last entry would change the one before it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from msgspec import DecodeError, Struct
from msgspec.json import Decoder
from msgspec.json import format as json_format

from yg_old.kernel.snapshot import MAX_TEXT
from yg_old.yggdrasil.drift.keys import CODE, EXTERNAL, REVIEWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SEPARATOR = "\n,\n\n"
_FIRST = (EXTERNAL, REVIEWS)  # before the keys of other tools; facts come last


class Written(Protocol):
    """What is written of a baseline."""

    @property
    def hash(self) -> str:
        """The digest of all files; empty if it is not stored."""

    @property
    def files(self) -> Mapping[str, str]:
        """The digest of each file."""

    @property
    def rest(self) -> Mapping[str, bytes]:
        """The JSON texts of all other keys."""


class FileLines(Struct, frozen=True):
    """The facts of one file as a baseline has them."""

    digests: str
    parts: dict[str, str] = {}


class _Code(Struct):
    algo: str
    files: dict[str, FileLines]


_CODE = Decoder(_Code)
_REVIEWS = Decoder(list[dict[str, object]])
_CONTRACTS = Decoder(dict[str, str])


def baseline_text(baseline: Written) -> str:
    """Return a baseline as JSON, the same bytes for the same files."""
    members = [_entries("files", baseline.files)]
    rest = baseline.rest
    keys = dict.fromkeys((*_FIRST, *(key for key in rest if key != CODE), CODE))
    members += [_member(key, rest[key]) for key in keys if key in rest]
    stored = f'  "hash": {_quoted(baseline.hash)},\n' if baseline.hash else ""
    return f"{{\n{stored}{SEPARATOR.join(members)}\n}}\n"


def is_recordable(baseline: Written) -> bool:
    """Tell whether the file of a baseline would be small enough to read."""
    # A character takes at most six bytes, and an entry at most 20 more than its path and digest.
    upper_bound = sum(6 * len(path) + len(digest) + 20 for path, digest in baseline.files.items())
    upper_bound += sum(8 * len(value) for value in baseline.rest.values())
    return upper_bound < MAX_TEXT or len(baseline_text(baseline).encode()) <= MAX_TEXT


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _entries(key: str, digests: Mapping[str, str]) -> str:
    lines = (f"    {_quoted(path)}: {_quoted(digests[path])}" for path in sorted(digests))
    return _block(key, "{}", lines)


def _block(key: str, brackets: str, entries: Iterable[str]) -> str:
    inside = SEPARATOR.join(entries)
    opened = f"  {_quoted(key)}: {brackets[0]}"
    return f"{opened}\n{inside}\n  {brackets[1]}" if inside else f"{opened}{brackets[1]}"


def _member(key: str, value: bytes) -> str:
    """Return a key of a baseline with its value; a form that we do not know is only indented."""
    try:
        if key == EXTERNAL:
            return _entries(key, _CONTRACTS.decode(value))
        if key == REVIEWS:
            reviews = _REVIEWS.decode(value)
            return _block(key, "[]", (f"    {_on_one_line(review)}" for review in reviews))
        if key == CODE:
            return _code(_CODE.decode(value))
    except DecodeError:
        pass  # written by another tool, or by an earlier version
    # A string in JSON contains no line break.
    shown = json_format(value.decode(), indent=2).replace("\n", "\n  ")
    return f"  {_quoted(key)}: {shown}"


def _on_one_line(review: Mapping[str, object]) -> str:
    return json.dumps(review, ensure_ascii=False)


def _code(code: _Code) -> str:
    files = SEPARATOR.join(
        "\n".join(_file_lines(path, code.files[path])) for path in sorted(code.files)
    )
    return f'  "{CODE}": {{\n   "algo": {_quoted(code.algo)},\n   "files": {{\n{files}\n   }}\n  }}'


def _file_lines(path: str, lines: FileLines) -> Iterator[str]:
    """Yield the lines about one file; names are sorted.

    They are most of a baseline, so that their indentation would be a tenth of it.
    """
    yield f'{_quoted(path)}: {{"digests": {_quoted(lines.digests)}, "parts": {{'
    last = len(lines.parts) - 1
    for number, name in enumerate(sorted(lines.parts)):
        comma = "" if number == last else ","
        yield f" {_quoted(name)}: {_quoted(lines.parts[name])}{comma}"
    yield "}}"
