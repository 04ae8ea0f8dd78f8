"""An Answer: what was found, ready to be shown in any form, whoever asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.render.data import document
from yg.render.issues import skipped_data, skipped_text
from yg.render.plain import PLAIN, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from yg.render.plain import Palette

    Written = Callable[[Palette], str]
    from collections.abc import Callable

    from yg.kernel.issue import Finding


TEXT, JSON = "text", "json"


def nothing(_palette: Palette) -> str:
    """Say nothing beside an answer."""
    return ""


def warnings(notes: Sequence[str]) -> Written:
    """Write what is to be said beside an answer."""
    return lambda palette: "".join(
        f"{palette.yellow('warning:')} {visible(note)}\n" for note in notes
    )


class Answer(Struct, frozen=True, kw_only=True):
    """The answer to one question; its forms are made when they are asked for."""

    schema: str  # the name of its JSON document: "tree" for yg-tree/1
    data: Callable[[], dict[str, Any]]  # the fields of that document
    forms: Mapping[str, Written]  # every other form, by name
    form: str = TEXT  # the one to show when none is asked for
    notes: Written = nothing  # said beside every form but JSON, whose fields hold it already
    remarks: Written = nothing  # said beside every form
    code: int = 0  # 1: there are findings

    def text(self, palette: Palette = PLAIN) -> str:
        """Write the answer for people."""
        return self.forms[TEXT](palette)

    def written(self, form: str, palette: Palette = PLAIN) -> str:
        """Write the answer in one of its forms."""
        if form == JSON:
            return document(self.schema, self.data())
        return self.forms[form](palette)

    def beside(self, form: str, palette: Palette = PLAIN) -> str:
        """Write what is said beside the answer in one of its forms."""
        return ("" if form == JSON else self.notes(palette)) + self.remarks(palette)


def with_skipped(  # noqa: PLR0913
    schema: str,
    missing: Sequence[Finding],
    *,
    data: Callable[[], dict[str, Any]],
    forms: Mapping[str, Written],
    remarks: Written = nothing,
    code: int = 0,
) -> Answer:
    """Answer with what is missing from the answer."""
    return Answer(
        schema=schema,
        data=lambda: {**data(), "skipped": skipped_data(missing)},
        forms=forms,
        notes=lambda palette: skipped_text(missing, palette),
        remarks=remarks,
        code=code,
    )


def _nobody(_done: int, _total: int) -> None:
    """Tell nobody how far the work has come."""


class Hashing(Struct, frozen=True, kw_only=True):
    """How files are hashed: who is told of each."""

    on_file: Callable[[int, int], None] = _nobody  # the files hashed so far, and all of them


STANDARD = Hashing()
