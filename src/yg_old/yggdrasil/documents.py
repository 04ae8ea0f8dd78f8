"""Documents outside the graph that nodes and aspects refer to: FILE, or FILE#HEADING."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from yg_old.kernel.digest import file_digest
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.package import Document
from yg_old.kernel.sections import SectionText
from yg_old.kernel.snapshot import Kind, Text
from yg_old.text.headings import headings
from yg_old.yggdrasil.places import mapped_path, spelling_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.headings import Heading


class Reference(NamedTuple):
    """A file and, if only a section of it is meant, a heading."""

    path: str  # as written, but normalised if it is inside the repository
    heading: str = ""

    @property
    def whole(self) -> Reference:
        """The whole file."""
        return Reference(self.path)

    @property
    def name(self) -> str:
        """The reference as packages and baselines show it."""
        return f"{self.path}#{self.heading}" if self.heading else self.path


class Documents:
    """The documents of a repository, read on demand; each file is read and split once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._references: dict[str, Reference] = {}
        self._texts: dict[Reference, Text] = {}
        self._headings: dict[str, tuple[Heading, ...]] = {}
        self._digests: dict[Reference, str] = {}

    def reference(self, written: str) -> Reference:
        """Split what a user has written; the names of files and headings may contain `#`."""
        if written not in self._references:
            splits = list(_splits(written))
            found = (split for split in splits if self._is_file(split.path))
            self._references[written] = next(found, splits[0])
        return self._references[written]

    def _is_file(self, path: str) -> bool:
        return not spelling_fault(path) and self._snapshot.kind(path) is Kind.FILE

    def text(self, reference: Reference) -> Text:
        """Return the text of a document, which is read on first access."""
        if reference not in self._texts:
            self._texts[reference] = self._text(reference)
        return self._texts[reference]

    def _text(self, reference: Reference) -> Text:
        if fault := spelling_fault(reference.path):
            return Text(reference.path, _refusal(f"the path {fault}"))
        text = self._snapshot.text(reference.path)
        return SectionText(text, reference.heading, self.headings) if reference.heading else text

    def headings(self, text: Text) -> tuple[Heading, ...]:
        """Return the headings of a file; raises UnreadableError."""
        if text.path not in self._headings:
            self._headings[text.path] = headings(text.value)
        return self._headings[text.path]

    def quoted(self, written: str, name: str = "") -> Document:
        """Return a document as packages quote it: under its own name or that of an artifact."""
        reference = self.reference(written)
        return Document(name or reference.name, self.text(reference), reference=reference.name)

    def digest(self, written: str) -> str:
        """Return the digest of a document; raises UnreadableError."""
        reference = self.reference(written)
        if reference not in self._digests:
            self._digests[reference] = digest_of(self.text(reference).value)
        return self._digests[reference]


def digest_of(text: str) -> str:
    """Return the digest of the text of a document, in which CRLF counts as LF."""
    return file_digest((text.encode(),))


def _splits(written: str) -> Iterator[Reference]:
    """Yield the ways to read a reference; the first is the usual one."""
    first, separator, heading = written.partition("#")
    yield Reference(_normalised(first), heading.strip())
    at = len(first)
    while separator and at != -1:
        at = written.find("#", at + 1)
        if at == -1:
            yield Reference(_normalised(written))
        else:
            yield Reference(_normalised(written[:at]), written[at + 1 :].strip())


def _normalised(path: str) -> str:
    return path if spelling_fault(path) else mapped_path(path) or path


def _refusal(reason: str) -> Callable[[str], bytes]:
    """Return a reader for a path that must not be read."""

    def refuse(path: str) -> bytes:
        raise UnreadableError(path, reason)

    return refuse
