"""The patterns of a .gitignore file, matched as git matches them.

Backtracking, as in regular expressions, can take hours for a pattern with a dozen stars. Here the
patterns of a file with wildcards form one nondeterministic automaton whose set of active states is
an integer: each byte of a path takes a few operations, for any patterns. The semantics are those of
git's dir.c and wildmatch.c, on bytes, and are tested against git.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

_BOM = b"\xef\xbb\xbf"
_SLASH, _STAR, _QUESTION, _OPEN, _CLOSE, _ESCAPE, _RANGE, _COLON = b"/*?[]\\-:"
_SPECIAL = frozenset(b"*?[\\")
# A set of bytes is an integer with a bit for each; as a frozenset, one would take 8 kB.
_BYTES = (1 << 256) - 2  # no path contains the byte 0
_NO_SLASH = _BYTES & ~(1 << _SLASH)
_CLASSES = {  # as in git, independent of the locale
    b"alnum": b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    b"alpha": b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    b"blank": b" \t",
    b"cntrl": bytes((*range(1, 32), 127)),
    b"digit": b"0123456789",
    b"graph": bytes(range(33, 127)),
    b"lower": b"abcdefghijklmnopqrstuvwxyz",
    b"print": bytes(range(32, 127)),
    b"punct": b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    b"space": b" \t\n\r",
    b"upper": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    b"xdigit": b"0123456789ABCDEFabcdef",
}

# A part of a pattern: a set of bytes that matches one byte, or one of these wildcards.
_ANYTHING, _ANY_NAME, _ANY_DIRECTORIES = "**", "*", "**/"
_Part: TypeAlias = "int | str"


class Pattern(Struct, frozen=True):
    """One line of a .gitignore file."""

    text: bytes  # without the markers that the other fields represent
    is_negative: bool  # it starts with '!': matching paths are not ignored
    for_directories: bool  # it matches only directories
    is_name: bool  # it is matched against the last part of a path


class Patterns:
    """The compiled patterns of one file."""

    def __init__(self, content: bytes) -> None:
        self._excluded: dict[str, bool] = {paths.ROOT: False}  # by directory
        self._patterns = parse(content)
        self._names, self._paths = _Matcher(), _Matcher()
        for number, pattern in enumerate(self._patterns):
            (self._names if pattern.is_name else self._paths).add(number, pattern)

    @classmethod
    def from_lines(cls, lines: Iterable[str]) -> Patterns:
        """Compile patterns that are written elsewhere, one by one."""
        return cls("\n".join(lines).encode())

    def verdict(self, path: bytes, *, is_directory: bool) -> bool | None:
        """Return whether a path, relative to the file, is ignored; None if no pattern matches."""
        name = path.rpartition(b"/")[2]
        last = max(
            self._names.last_match(name, is_directory=is_directory),
            self._paths.last_match(path, is_directory=is_directory),
        )
        return None if last < 0 else not self._patterns[last].is_negative

    def excludes(self, file: str) -> bool:
        """Return whether a file, or a directory that contains it, is ignored."""
        above = paths.lineage(file)
        for directory in above[1:]:
            if directory not in self._excluded:
                is_outside = self._excluded[paths.parent(directory)]
                self._excluded[directory] = is_outside or self._matches(
                    directory, is_directory=True
                )
        return self._excluded[above[-1]] or self._matches(file, is_directory=False)

    def _matches(self, path: str, *, is_directory: bool) -> bool:
        return (
            self.verdict(path.encode("utf-8", "surrogateescape"), is_directory=is_directory) is True
        )


def parse(content: bytes) -> tuple[Pattern, ...]:
    """Parse a .gitignore file; of duplicate lines, keep the last."""
    lines = [line.removesuffix(b"\r") for line in content.removeprefix(_BOM).split(b"\n")]
    kept = [_trimmed(line.partition(b"\0")[0]) for line in lines if not line.startswith(b"#")]
    unique = dict.fromkeys(reversed([line for line in kept if line]))
    return tuple([_pattern_of(line) for line in reversed(unique)])


def _trimmed(line: bytes) -> bytes:
    """Strip trailing spaces, except an escaped one."""
    bare = line.rstrip(b" ")
    backslashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + backslashes % 2]


def _pattern_of(line: bytes) -> Pattern:
    """Parse one line, which is neither empty nor a comment."""
    text = line.removeprefix(b"!")
    for_directories = text.endswith(b"/")
    if for_directories:
        text = text[:-1]
    is_name = b"/" not in text
    return Pattern(text.removeprefix(b"/"), line.startswith(b"!"), for_directories, is_name)


class _Matcher:
    """Many patterns: those without wildcards by their text, the others in an automaton."""

    def __init__(self) -> None:
        self._automaton = _Automaton()
        self._last: tuple[dict[bytes, int], dict[bytes, int]] = {}, {}  # of files, of directories

    def add(self, number: int, pattern: Pattern) -> None:
        """Add a pattern, unless it can never match."""
        if not _SPECIAL.isdisjoint(pattern.text):
            self._automaton.add(number, pattern)
            return
        for last in self._last[pattern.for_directories :]:
            last[pattern.text] = number

    def last_match(self, text: bytes, *, is_directory: bool) -> int:
        """Return the number of the last pattern that matches the whole text; -1 for none."""
        plain = self._last[is_directory].get(text, -1)
        return max(plain, self._automaton.last_match(text, is_directory=is_directory))


class _Automaton:
    """A nondeterministic automaton for many patterns; each state is a bit.

    A pattern has a state for its start and one after each part. A part that matches one byte moves
    from a bit to the next; a wildcard keeps its bit active.
    """

    def __init__(self) -> None:
        self._size = 0  # states so far
        self._entered: dict[int, list[int]] = {}  # states entered by a set of bytes
        self._staying: dict[str, list[int]] = {_ANYTHING: [], _ANY_NAME: []}
        self._skipping: list[int] = []  # states that also activate the next two states
        self._starts: list[int] = []
        self._numbers: dict[int, int] = {}  # final state to number of the pattern
        self._for_directories: list[int] = []  # final states that match only directories
        self._masks: _Masks | None = None

    def add(self, number: int, pattern: Pattern) -> None:
        """Add a pattern, unless it can never match."""
        parts = _parts(pattern)
        if parts is None:
            return
        self._starts.append(self._size)
        for part in parts:
            if part == _ANY_DIRECTORIES:  # nothing, or anything and a slash
                self._skipping.append(self._size)
                self._staying[_ANYTHING].append(self._size + 1)
                self._enter(1 << _SLASH, self._size + 2)
            elif isinstance(part, str):
                self._staying[part].append(self._size)
            else:
                self._enter(part, self._size + 1)
        self._numbers[self._size] = number
        if pattern.for_directories:
            self._for_directories.append(self._size)
        self._size += 1

    def _enter(self, accepted: int, state: int) -> None:
        self._entered.setdefault(accepted, []).append(state)
        self._size = state

    def last_match(self, text: bytes, *, is_directory: bool) -> int:
        """Return the number of the last pattern that matches the whole text; -1 for none."""
        if not self._numbers:
            return -1
        masks = self._masks = self._masks or self._compiled()
        active = masks.start
        for byte in text:
            if not active:
                return -1
            entered, staying = masks.of.get(byte) or self._step(masks, byte)
            active = (active << 1 & entered) | (active & staying)
            if skipping := active & masks.skipping:
                active |= skipping << 1 | skipping << 2
        matched = active & (masks.ends if is_directory else masks.ends_of_files)
        return self._numbers[matched.bit_length() - 1] if matched else -1

    def _compiled(self) -> _Masks:
        start, skipping = self._mask(self._starts), self._mask(self._skipping)
        ends, for_directories = self._mask(self._numbers), self._mask(self._for_directories)
        skipped = start & skipping
        return _Masks(
            start=start | skipped << 1 | skipped << 2,
            skipping=skipping,
            ends=ends,
            ends_of_files=ends & ~for_directories,
            staying_in_names=self._mask(
                (*self._staying[_ANYTHING], *self._staying[_ANY_NAME]),
            ),
            staying=self._mask(self._staying[_ANYTHING]),
            of={},
        )

    def _step(self, masks: _Masks, byte: int) -> tuple[int, int]:
        """Compute and cache the states that a byte enters and those that it keeps."""
        states = [
            state
            for accepted, entered in self._entered.items()
            if accepted >> byte & 1
            for state in entered
        ]
        staying = masks.staying if byte == _SLASH else masks.staying_in_names
        masks.of[byte] = self._mask(states), staying
        return masks.of[byte]

    def _mask(self, states: Iterable[int]) -> int:
        """Return a set of states as an integer."""
        bits = bytearray(self._size // 8 + 1)
        for state in states:
            bits[state >> 3] |= 1 << (state & 7)
        return int.from_bytes(bits, "little")


class _Masks(Struct, frozen=True, kw_only=True):
    """Sets of states of an automaton, as integers."""

    start: int
    skipping: int
    ends: int
    ends_of_files: int
    staying: int  # states that a slash keeps
    staying_in_names: int  # states that any other byte keeps
    of: dict[int, tuple[int, int]]  # by byte: the states it enters and those it keeps


def _parts(pattern: Pattern) -> list[_Part] | None:
    """Split a pattern into parts; return None if it can never match."""
    text = pattern.text + b"\0"  # a sentinel, for looking ahead
    # git strips the literal prefix, so stars right after it count as the start.
    literal = next((at for at, byte in enumerate(text) if byte in _SPECIAL), len(text))
    found: list[_Part] = []
    at = 0
    while text[at]:
        read = _part(pattern, text, at, literal)
        if read is None:
            return None
        part, at = read
        if part != _ANY_DIRECTORIES or found[-1:] != [part]:  # twice is the same as once
            found.append(part)
    return found


def _part(pattern: Pattern, text: bytes, at: int, literal: int) -> tuple[_Part, int] | None:
    """Parse one part of a pattern; return it and its end, or None if it is malformed."""
    any_byte = _BYTES if pattern.is_name else _NO_SLASH
    byte, ahead = text[at], text[at + 1]
    if byte == _STAR:
        return _stars(pattern, text, at, literal)
    if byte == _QUESTION:
        return any_byte, at + 1
    if byte == _OPEN:
        bracket = _bracket(text, at + 1)
        return (bracket[0] & any_byte, bracket[1]) if bracket else None
    if byte == _ESCAPE:
        return (1 << ahead, at + 2) if ahead else None
    return 1 << byte, at + 1


def _stars(pattern: Pattern, text: bytes, start: int, literal: int) -> tuple[_Part, int]:
    """Parse one or more stars; two of them between slashes match directories."""
    end = start
    while text[end] == _STAR:
        end += 1
    if pattern.is_name:
        return _ANYTHING, end
    begins = start == literal or text[start - 1] == _SLASH
    if end - start > 1 and begins:
        if text[end] == _SLASH:
            return _ANY_DIRECTORIES, end + 1
        if not text[end] or text[end : end + 2] == b"\\/":
            return _ANYTHING, end
    return _ANY_NAME, end


def _bracket(text: bytes, at: int) -> tuple[int, int] | None:
    """Parse a bracket expression; return its bytes and its end, or None if malformed."""
    is_negated = text[at] in b"!^"
    at += is_negated
    found = 0
    before = 0  # the byte that may start a range
    close = 0  # the next closing bracket, as far as it was looked for
    while text[at]:  # a closing bracket right at the start is literal
        if text[at] == _OPEN and text[at + 1] == _COLON:
            close = close if close >= at + 2 else text.find(b"]", at + 2)
            item = _class(text, at, close)
        else:
            item = _item(text, at, before)
        if item is None:
            return None
        members, at, before = item
        found |= members
        if text[at] == _CLOSE:
            return _BYTES & ~found if is_negated else found, at + 1
    return None


def _item(text: bytes, at: int, before: int) -> tuple[int, int, int] | None:
    """Parse one item of a set; return its bytes, its end and the byte that may start a range."""
    byte, ahead = text[at], text[at + 1]
    if byte == _ESCAPE:
        return (1 << ahead, at + 2, ahead) if ahead else None
    if byte == _RANGE and before and ahead not in (0, _CLOSE):
        at += 2 if ahead == _ESCAPE else 1
        return (_between(before, text[at]), at + 1, 0) if text[at] else None
    return 1 << byte, at + 1, byte


def _class(text: bytes, at: int, close: int) -> tuple[int, int, int] | None:
    """Parse a class, such as `[:alpha:]`, up to a closing bracket; without a colon, a bracket."""
    if close < 0:
        return None
    if close == at + 2 or text[close - 1] != _COLON:
        return 1 << _OPEN, at + 1, _OPEN
    members = _CLASSES.get(text[at + 2 : close - 1])
    return None if members is None else (_set(members), close + 1, 0)


def _set(members: bytes) -> int:
    return sum(1 << byte for byte in members)


def _between(first: int, last: int) -> int:
    """Return the bytes from one to another; none if the first is larger."""
    return (1 << last + 1) - (1 << first) if first <= last else 0
