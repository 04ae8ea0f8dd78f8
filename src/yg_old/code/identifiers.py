"""Identifiers that the code of a source file names, with their lines.

An identifier is a chain of names, with dots between them in every language:

    util.clean      a name and its members, as far as they are written in a row
    .total          members of anything else, as in `carts[0].total`
    import clean    in a list of names that are imported, or exported from another module
    def clean       after a keyword that declares it, a parameter, or assigned to

The line is that of the last name.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from yg_old.code.languages import ENDINGS, ending, language_of
from yg_old.code.read import normalised
from yg_old.code.scan import Breaks, ScanError, scan, without_breaks
from yg_old.kernel.codec import Codec, FileRecipe
from yg_old.kernel.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.code.scan import Token
    from yg_old.kernel.sources import Sources

Identifiers: TypeAlias = dict[str, tuple[int, ...]]  # lines; one for each time it is named

LONGEST_CHAIN = 8
IMPORTED, DECLARED = "import ", "def "
ACCESS = frozenset((".", "?.", "::"))
PATH = frozenset(("::",))  # what joins names in Rust; members of values are not parts of a path
DECLARING = frozenset(
    "class const def enum fn func function interface let mod namespace record struct trait type"
    " union var".split()
)
NOT_CODE = frozenset(("doc", "directive"))
INTERPOLATED = {"fstring": re.compile(r"\{([^{}]*)\}"), "template": re.compile(r"\$\{([^{}]*)\}")}
NAME = r"(?:[^\W\d]|\$)[\w$]*"
CHAIN = re.compile(rf"(?<![\w$.'\"]){NAME}(?:\s*\??\.\s*{NAME})*")
WORD = re.compile(NAME)
BEFORE_PARAMETER = frozenset(("(", ",", "*", "**", "\n"))
CLAUSE = frozenset("{},*")  # tokens of an import besides names
BEFORE_USE = frozenset(("", "\n", ";", "{", "}", "pub", ")", "]"))
# Types of TypeScript, which may also be the names of functions.
TYPES = frozenset("any bigint boolean never null number object string symbol unknown void".split())
SCRIPTS = ("javascript", "typescript")


def read_identifiers(path: str, data: bytes) -> Identifiers | None:
    """Return the identifiers of a source file; None if its language or its text cannot be read."""
    language = language_of(path)
    if language is None:
        return None
    try:
        text = normalised(data.decode("utf-8-sig"))
        scanned = scan("\n" + text, language.lexicon)
    except (ScanError, UnicodeDecodeError):
        return None
    found: dict[str, list[int]] = {}
    line, at = 0, 0
    source = "\n" + text
    tokens = [token for token in scanned if token[0] not in NOT_CODE]
    tokens = without_breaks(tokens, Breaks(after=ACCESS, before=ACCESS))
    for name, start in _Identifiers(tokens, ENDINGS[ending(path)]).read():
        line += source.count("\n", at, start)
        at = start
        found.setdefault(name, []).append(line)
    return {name: tuple(lines) for name, lines in sorted(found.items())}


IDENTIFIERS: FileRecipe[Identifiers | None] = FileRecipe(
    "identifiers-1", read_identifiers, Codec(Identifiers | None)
)


def identifiers_of(sources: Sources, path: str) -> Identifiers | None:
    """Return the identifiers of a source file; None if it cannot be read."""
    try:
        return sources.computed(path, IDENTIFIERS)
    except UnreadableError:
        return None


class _Identifiers:
    """One walk over the tokens of a file."""

    def __init__(self, tokens: list[Token], language: str) -> None:
        self._tokens = tokens
        self._texts = [text for _, text, _ in tokens]
        self._language = language
        self._no_module = 0  # before which token no import has a module

    def read(self) -> Iterator[tuple[str, int]]:
        """Yield every identifier and where it starts."""
        at, depth = 0, 0
        while at < len(self._tokens):
            kind, text, start = self._tokens[at]
            depth += (kind == "open") - (kind == "close")
            end = self._import_end(at) if kind == "name" else at
            if end > at:
                yield from self._imported(at, end)
                at = end
            elif kind == "name":
                count = self._chain(at)
                last = at + 2 * count - 1
                if count > 1 or not self._is_key(at, depth):
                    yield self._identifier(at, count), self._tokens[last - 1][2]
                at = last
            else:
                if kind in INTERPOLATED:
                    yield from _interpolated(kind, text, start)
                at += 1

    def _text(self, at: int) -> str:
        return self._texts[at] if 0 <= at < len(self._texts) else ""

    def _kind(self, at: int) -> str:
        return self._tokens[at][0] if 0 <= at < len(self._tokens) else "line"

    def _chain(self, at: int) -> int:
        """Return how many names are in a row here."""
        count = 1
        joining = PATH if self._language == "rust" and self._texts[at] != "self" else ACCESS
        while (
            count < LONGEST_CHAIN and self._text(at + 1) in joining and self._kind(at + 2) == "name"
        ):
            at += 2
            count += 1
        return count

    def _identifier(self, at: int, count: int) -> str:
        name = ".".join(self._texts[at : at + 2 * count : 2])
        before = self._text(at - 1)
        if before in ACCESS:
            return f".{name}"
        if count > 1 and self._language == "rust" and self._texts[at : at + 2] == ["self", "::"]:
            return name.removeprefix("self.")
        if count == 1 and self._is_declared(at, before):
            return f"{DECLARED}{name}"
        return name

    def _is_key(self, at: int, depth: int) -> bool:
        """Tell whether a name is the key of a value, or a type of the language."""
        before, after = self._text(at - 1), self._text(at + 1)
        if self._language == "python":
            is_given = after == "=" and depth > 0 and before in BEFORE_PARAMETER
            return is_given and at not in self._parameters
        if self._language in SCRIPTS:
            is_first = before in ("{", ",") and after == ":"
            return is_first or (self._texts[at] in TYPES and after != "(")
        return False

    def _is_declared(self, at: int, before: str) -> bool:
        """Tell whether a name is declared here, as a variable too, or assigned to."""
        after = self._text(at + 1)
        if before in DECLARING:
            return not (before == "type" and self._text(at - 2) in ("{", ","))
        if after == ":=" or at in self._parameters:
            return True
        if self._language == "python":
            return after == "=" and self._kind(at - 1) == "line"
        following = self._text(at + 2) if after == "?" else after
        return self._language in SCRIPTS and before in ("(", ",") and following == ":"

    @cached_property
    def _parameters(self) -> frozenset[int]:
        """The tokens that are names of parameters of Python functions."""
        if self._language != "python":
            return frozenset()
        found = set()
        depth, ends_at = 0, 0  # the depth of the brackets around the parameters; 0: none
        for at, (kind, _, _) in enumerate(self._tokens):
            depth += (kind == "open") - (kind == "close")
            if kind == "open" and self._text(at - 2) == "def":
                ends_at = depth
            elif kind == "close" and depth < ends_at:
                ends_at = 0
            is_name = kind == "name" and 0 < depth == ends_at
            if is_name and self._text(at - 1) in BEFORE_PARAMETER:
                found.add(at)
        return frozenset(found)

    # Imports

    def _import_end(self, at: int) -> int:  # noqa: PLR0911 - one per language
        """Return the end of the import, or export from a module, that starts here; or the start."""
        word = self._texts[at]
        if self._text(at - 1) in ACCESS:
            return at
        match self._language:
            case "python" if word in ("import", "from") and self._kind(at - 1) in ("line", "end"):
                return self._line_end(at)
            case "javascript" | "typescript" if word in ("import", "export"):
                return self._module_end(at, is_export=word == "export")
            case "go" if word == "import" and self._kind(at - 1) in ("line", "end"):
                return self._close(at + 1) if self._text(at + 1) == "(" else self._find(at, "end")
            case "java" if word in ("import", "package"):
                return self._semicolon(at)
            case "rust" if word == "use" and self._text(at - 1) in BEFORE_USE:
                return self._semicolon(at)
        return at

    def _line_end(self, at: int) -> int:
        depth = 0
        while at < len(self._tokens) and (depth or self._kind(at) not in ("line", "end")):
            depth += (self._kind(at) == "open") - (self._kind(at) == "close")
            at += 1
        return at

    def _find(self, at: int, kind: str) -> int:
        while at < len(self._tokens) and self._kind(at) not in (kind, "line"):
            at += 1
        return at

    def _semicolon(self, at: int) -> int:
        while at < len(self._tokens) and self._texts[at] != ";":
            at += 1
        return at

    def _close(self, at: int) -> int:
        while at < len(self._tokens) and self._kind(at) != "close":
            at += 1
        return at

    def _module_end(self, at: int, *, is_export: bool) -> int:
        """Return where the module of an import stands; the start if this is something else."""
        following = at + 1 + (self._text(at + 1) == "type")
        if at < self._no_module or (is_export and self._text(following) not in ("{", "*")):
            return at
        end = at + 1
        while end < len(self._tokens) and (
            self._texts[end] in CLAUSE or self._kind(end) in ("name", "line")
        ):
            end += 1
        if self._kind(end) == "string":
            return end + 1
        self._no_module = end
        return at

    def _imported(self, at: int, end: int) -> Iterator[tuple[str, int]]:
        for kind, text, start in self._tokens[at:end]:
            if kind == "name":
                yield f"{IMPORTED}{text}", start


def _interpolated(kind: str, text: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the identifiers in the expressions of a string."""
    for hole in INTERPOLATED[kind].finditer(text):
        for match in CHAIN.finditer(hole[1]):
            yield ".".join(WORD.findall(match[0])), start + hole.start(1) + match.start()
