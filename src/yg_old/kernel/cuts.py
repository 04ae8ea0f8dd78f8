"""Cuts: documents and parts that are taken out of a package so that it fits.

A kind of graph says what can be cut, and in which order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.fit import Piece, fit
from yg_old.kernel.parts import Cut, Fit, Omission, Package, Part
from yg_old.text.escapes import shell_quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

P = TypeVar("P", bound=Package)
LIST_OF_CUTS = "list of cuts"


class Cuttable(Struct, frozen=True, kw_only=True):
    """A document of a part, or whole parts, that a package can do without."""

    places: tuple[int, ...]  # of the parts in the package
    document: int | None = None  # its place in the only part; None: whole parts
    subject: str  # of the part; empty: all parts of a kind
    name: str  # in the list of cuts
    step: int  # of the order in which a package is cut, from 1
    turn: int = 0  # within the step: what has a lower one is cut first


class _Place(Struct, frozen=True):
    """Something that can be cut, and its entry in the list of cuts."""

    what: Cuttable
    cut: Cut


def fit_package(
    package: P, limit: int, cuttable: Iterable[Cuttable], options: Sequence[str] = ()
) -> P:
    """Cut what can be cut until a package fits; raise NoRoomError if that is impossible.

    `cuttable` comes in the order of the package. `options` are added to the commands that show what
    was cut.
    """
    pieces = [_piece(package, position, what, options) for position, what in enumerate(cuttable)]
    fitting = fit(package, pieces, limit, without=_without, sizes=lambda it: it.named_sizes())
    cuts = tuple(place.cut for place in fitting.cuts)
    omissions = (
        Omission(part=part, document=cut.document, reason=f"--fit: step {cut.step}")
        for cut in cuts
        for part in cut.parts
    )
    return replace(
        fitting.package,
        omissions=(*package.omissions, *omissions),
        fit=Fit(budget=limit, before=package.tokens, floor=fitting.floor, cuts=cuts),
    )


def _piece(
    package: Package, position: int, what: Cuttable, options: Sequence[str]
) -> Piece[_Place]:
    parts = tuple(package.parts[place] for place in what.places)
    document = None if what.document is None else parts[0].documents[what.document]
    start = len(document.heading) if document else 0
    shown = (document,) if document else parts
    cut = Cut(
        parts=parts,
        document=document,
        subject=what.subject,
        name=what.name,
        tokens=package.budget.measure(
            sum(piece.characters for piece in shown) - start,
            lambda: "".join(piece.text for piece in shown)[start:],
        ),
        step=what.step,
        command=_command(package, parts[0], what.subject, options),
    )
    return Piece(
        value=_Place(what, cut),
        step=what.step,
        turn=what.turn,
        position=position,
        cost=package.cut_cost(cut),
        line=package.line_cost(cut.line),
    )


def _command(package: Package, part: Part, subject: str, options: Sequence[str]) -> str:
    """Return a command that shows a part, from the first package that has it, or a whole kind."""
    word, _ = part.address
    if subject:
        nodes, selector = (part.nodes or package.node_ids)[:1], f"{word}:{subject}"
    else:
        nodes, selector = package.node_ids, word
    words = (*nodes, "--only", selector, *options)
    return " ".join(["yg build-context", *map(shell_quoted, words)])


def _without(package: P, places: Sequence[_Place]) -> P:
    """Cut documents and parts from a package, and list them in its last part."""
    if not places:
        return package
    gone: dict[int, set[int | None]] = {}
    for place in places:
        for at in place.what.places:
            gone.setdefault(at, set()).add(place.what.document)
    listing = package.listing([place.cut for place in places])
    return replace(package, parts=(*_kept(package.parts, gone), listing))


def _kept(parts: Sequence[Part], gone: dict[int, set[int | None]]) -> Iterator[Part]:
    """Yield what is left of the parts; `gone` has documents by the place of their part."""
    for at, part in enumerate(parts):
        if at not in gone:
            yield part
        elif None not in gone[at]:
            yield part.without({place for place in gone[at] if place is not None})
