"""Views: which parts of some packages to show, for all kinds of graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.cuts import fit_package
from yg_old.kernel.parts import Omission, Package, Part
from yg_old.kernel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from yg_old.kernel.cuts import Cuttable

P = TypeVar("P", bound=Package)
Q = TypeVar("Q", bound=Part)


class PackageView(Struct, frozen=True, kw_only=True):
    """What to leave out of a package."""

    known: tuple[Any, ...] = ()  # packages that the reader has, in the order of preference
    selection: Selection = Selection()
    fit: int | None = None  # the largest size in tokens; None: any
    options: tuple[str, ...] = ()  # more words for the commands that show what was cut
    mark: Any = None  # a function that adds parts to the package before any are left out


def show(package: P, view: PackageView, cuttable: Callable[[P], Iterable[Cuttable]]) -> P:
    """Leave out what is not to be shown; `cuttable` finds what can be cut from the rest."""
    marked: P = view.mark(package) if view.mark else package
    shown = leave_out_known(select(marked, view.selection), view.known)
    if view.fit is None:
        return shown
    return fit_package(shown, view.fit, cuttable(shown), view.options)


def merged(
    parts: Mapping[str, Iterable[Q]],
    key: Callable[[Q], Hashable],
    merge: Callable[[Sequence[Q]], Q | None],
) -> Iterator[Q]:
    """Merge the parts that the packages of several nodes share, and yield all of them.

    `parts` are those of each node. Parts with the same key are merged, unless the key is None; each
    of them has its node. `merge` returns None for what is not repeated.
    """
    found: dict[Hashable, list[Q]] = {}
    for node, own in parts.items():
        for part in own:
            shared = key(part)
            place = object() if shared is None else shared
            found.setdefault(place, []).append(replace(part, nodes=(node,)))
    for same in found.values():
        one = merge(same)
        if one is not None:
            yield one


def nodes_of(same: Iterable[Part]) -> tuple[str, ...]:
    """Return the nodes of parts."""
    return tuple(node for part in same for node in part.nodes)


def named_reasons(same: Iterable[Part]) -> tuple[str, ...]:
    """Return the reasons for parts of one node each, with the nodes."""
    return tuple(f"{part.nodes[0]}: {reason}" for part in same for reason in part.reasons)


def select(package: P, selection: Selection) -> P:
    """Leave out what is not selected; only whole parts count as omissions."""
    shown, hidden = selection.apply(package.parts)
    reason = "--only" if selection.only else "--without"
    omissions = (Omission(part=part, reason=reason) for part in hidden)
    return replace(package, parts=shown, omissions=(*package.omissions, *omissions))


def leave_out_known(package: P, known: Sequence[Package]) -> P:
    """Leave out what the packages that the reader has contain; the first that has it is named.

    All packages come from one snapshot, so the same file has the same text.
    """
    parts: dict[Hashable, str] = {}
    files: dict[str, str] = {}
    for other in known:
        [node] = other.node_ids
        for part in other.parts:
            parts.setdefault(part.identity, node)
            for document in part.documents:
                files.setdefault(document.source.path, node)
    parts.pop(None, None)
    shown = tuple(_shortened(part, parts, files) for part in package.parts)
    omissions = (
        omission
        for full, short in zip(package.parts, shown, strict=True)
        for omission in _known(full, short)
    )
    return replace(package, parts=shown, omissions=(*package.omissions, *omissions))


def _shortened(part: Part, parts: Mapping[Hashable, str], files: Mapping[str, str]) -> Part:
    """Return a part without what the reader has."""
    if part.is_always_shown:
        return part
    if node := parts.get(part.identity):
        return part.in_short(node)
    documents = tuple(
        replace(document, as_in=files.get(document.source.path, "")) for document in part.documents
    )
    return replace(part, documents=documents)


def _known(full: Part, short: Part) -> Iterator[Omission]:
    """Yield what a shortened part does not show."""
    if short.same_as:
        yield Omission(part=full, reason=f"{full.SAME} {short.same_as}")
        return
    for document, shown in zip(full.documents, short.documents, strict=True):
        if shown.as_in:
            yield Omission(part=full, document=document, reason=f"as in {shown.as_in}")
