"""The Answer type: the result of a command, which can be rendered in several forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.render.issues import skipped_data, skipped_text
from yg.render.plain import PLAIN, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from yg.kernel.issue import Finding
    from yg.render.plain import Palette
    from yg.render.shapes.base import JsonDocument
    from yg.render.shapes.issues import Skipped

    Writer = Callable[[Palette], str]


TEXT, JSON = "text", "json"
HEAD = "HEAD"  # the commit that changes are compared with


def nothing(_palette: Palette) -> str:
    """Return an empty text, for an answer without notes."""
    return ""


def warnings(notes: Sequence[str]) -> Writer:
    """Return a writer that prints each note as a warning."""
    return lambda palette: "".join(
        f"{palette.yellow('warning:')} {visible(note)}\n" for note in notes
    )


class Answer(Struct, frozen=True, kw_only=True):
    """The result of a command; each form is rendered on demand."""

    data: Callable[[], JsonDocument]  # its JSON document
    forms: Mapping[str, Writer]  # all forms except JSON, by name
    form: str = TEXT  # the default form
    files: Mapping[str, Callable[[], bytes]] = {}  # forms that are not text, by name
    notes: Writer = nothing  # printed to stderr, except with JSON, which includes them
    remarks: Writer = nothing  # printed to stderr with every form
    code: int = 0  # exit code; 1 if there are findings

    def text(self, palette: Palette = PLAIN) -> str:
        """Render the answer as text."""
        return self.forms[TEXT](palette)

    def written(self, form: str, palette: Palette = PLAIN) -> str:
        """Render the answer in the given form."""
        if form == JSON:
            from yg.render.data import document_text

            return document_text(self.data())
        return self.forms[form](palette)

    def beside(self, form: str, palette: Palette = PLAIN) -> str:
        """Render the notes that go to stderr with the given form."""
        return ("" if form == JSON else self.notes(palette)) + self.remarks(palette)


def with_skipped(
    missing: Sequence[Finding],
    *,
    data: Callable[[list[Skipped]], JsonDocument],
    forms: Mapping[str, Writer],
    remarks: Writer = nothing,
    code: int = 0,
) -> Answer:
    """Return an Answer that lists the files skipped because they could not be read."""
    return Answer(
        data=lambda: data(skipped_data(missing)),
        forms=forms,
        notes=lambda palette: skipped_text(missing, palette),
        remarks=remarks,
        code=code,
    )


def _no_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


class Hashing(Struct, frozen=True, kw_only=True):
    """Options for hashing files."""

    on_file: Callable[[int, int], None] = _no_progress  # called with files hashed, total


STANDARD = Hashing()
