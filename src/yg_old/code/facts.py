"""Facts about one source file, small enough to keep and to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.header import header_line
from yg_old.code.parts import FILE, SEPARATOR, SHORT, LineNumbers, Part, Spans, digest_of, parts_of
from yg_old.code.scan import ScanError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ALGORITHM = "lex-2"
# A text can say more than it is long, as in `A, B, C struct { .. }`. These are the most facts, and
# characters in them, of one text: for each of its characters, and of any text. Ordinary code has
# four characters.
MOST_FACTS, FEW_FACTS = 1 / 16, 10_000
MOST_CHARACTERS, FEW_CHARACTERS = 32, 2_000
CHARACTERS_OF_TOKEN = 8  # that take as long
LONGEST_NAME = 2_000
TOO_MANY = "too many facts for its length"


class Signature(Struct, frozen=True):
    """What the users of a public name rely on."""

    digest: str
    header: str  # on one line, spaced in one way; overloads are joined by "; "


class ImportFact(Struct, frozen=True):
    """One import of a module, as it is written."""

    module: str  # without the dots of a relative Python import; a quoted path without its quotes
    line: int
    names: tuple[str, ...] = ()  # as the module calls them; empty: the module itself; "*": all
    level: int = 0  # the dots of a relative Python import
    # Or "export": also for others; "mod": `mod x;` in Rust, "path": one with a path; "package" in
    # Java; "call": `require`.
    form: str = "import"
    type_only: bool = False  # not at run time
    # What the names, or the module, are called here; empty: the same. One more than there are names
    # is the module. `{a,b:c}` are names of the module that a call returns.
    aliases: tuple[str, ...] = ()


class FileFacts(Struct, frozen=True):
    """Digests of the parts of a file, its public names and its imports."""

    tokens: str  # all that is neither documentation nor an import
    docs: str = ""
    imports: str = ""
    signatures: dict[str, Signature] = {}
    imported: tuple[ImportFact, ...] = ()
    parts: dict[str, Part] = {}  # empty: they are not known; otherwise with `(file)`

    @property
    def lines(self) -> int:
        """The number of lines; 0 if it is not known."""
        return self.parts[FILE].last if FILE in self.parts else 0


class SourceReading:
    """The parts of one file, collected by the reader of its language.

    Imports and documentation are kept apart from the other tokens, each with its place among
    them: to move one is a change, though not of the tokens.
    """

    def __init__(self, size: int, *, tight: bool = False) -> None:
        """Take the length of the text."""
        self.tight = tight  # see header_line
        self._facts = FEW_FACTS + size * MOST_FACTS  # that may still be added
        self._characters = self._in_parts = FEW_CHARACTERS + size * MOST_CHARACTERS
        self.tokens: list[str] = []
        self.docs: list[str] = []
        self.imports: list[str] = []
        self.imported: list[ImportFact] = []
        self.headers: dict[str, list[tuple[str, ...]]] = {}
        self.spans = Spans()
        self.parts: dict[str, Part] = {}

    def add_doc(self, text: str) -> None:
        """Add documentation that stands here."""
        self.docs += (str(len(self.tokens)), text)

    def add_imports(self, statements: Iterable[str]) -> None:
        """Add the imports of one block, in an order that does not matter."""
        self.imports += (str(len(self.tokens)), *statements)

    def add_header(self, name: str, tokens: Iterable[str]) -> None:
        """Add the header of a public name; overloads share one name."""
        header = tuple(tokens)
        self.spend(len(name) + sum(map(len, header)), tokens=len(header))
        self.headers.setdefault(name, []).append(header)

    def add_span(
        self, names: tuple[str, ...], start: int, end: int, first: int = 0, last: int = 0
    ) -> int:
        """Add the tokens of a declaration, and return its number; see Spans."""
        self._in_parts -= sum(map(len, names)) + CHARACTERS_OF_TOKEN
        if self._in_parts < 0:
            raise ScanError(TOO_MANY, 0)
        return self.spans.add(names, start, end, first, last)

    def divide(self, texts: Sequence[str], text: str) -> None:
        """Divide the file into parts, by the spans of its declarations among its tokens."""
        self.parts = parts_of(texts, self.spans, LineNumbers(text))
        self.spans = Spans()

    def spend(self, characters: int = 0, *, tokens: int = 0, facts: int = 1) -> None:
        """Count facts about to be added, or tokens to be read again; raise ScanError at the end."""
        self._characters -= characters + CHARACTERS_OF_TOKEN * tokens
        self._facts -= facts
        if self._characters < 0 or self._facts < 0:
            raise ScanError(TOO_MANY, 0)

    def facts(self) -> FileFacts:
        """Return the facts of the file."""
        return FileFacts(
            tokens=digest_of(self.tokens),
            docs=digest_of(self.docs),
            imports=digest_of(self.imports),
            signatures={
                name: Signature(
                    digest=digest_of(SEPARATOR.join(header) for header in headers)[:SHORT],
                    header="; ".join(header_line(header, tight=self.tight) for header in headers),
                )
                for name, headers in sorted(self.headers.items())
            },
            imported=tuple(self.imported),
            parts=self.parts,
        )


def nested(prefix: str, name: str, separator: str = ".") -> str:
    """Return the prefix of the names inside of a name."""
    if len(prefix) + len(name) > LONGEST_NAME:
        raise ScanError("nested too deeply", 0)
    return f"{prefix}{name}{separator}"
