"""The public names that a node offers to others: those that others import, or all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.code.names import is_index
from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yg.code.facts import FileFacts
    from yg.code.resolve import ImportEdge

EVERYTHING = "*"
MOST_NAMES = 20  # of a node
MOST_MEMBERS = 8  # of a class
LONGEST = 160  # characters of a header line


class Name(Struct, frozen=True):
    """A public name."""

    header: str  # its declaration, or only the name if that is not public
    members: tuple[str, ...] = ()  # names only; the last may say how many more there are


class Offer(Struct, frozen=True):
    """The names that one file offers."""

    file: str
    names: tuple[Name, ...]
    others: tuple[str, ...] = ()  # imported names without a declaration that did not fit
    more: int = 0  # public names that are not listed


def imported_names(edge: ImportEdge) -> tuple[str, ...]:
    """Return the names that an import takes from its target; the module itself has its own name."""
    if edge.names:
        return edge.names
    is_directory = edge.is_folder or is_index(edge.target)
    place = paths.parent(edge.target) if is_index(edge.target) else edge.target
    name = paths.name_of(place)
    module = name if is_directory else name.partition(".")[0]
    return (EVERYTHING,) if module in ("", paths.ROOT) else (module,)


def offers_of(
    files: Sequence[str], facts: Mapping[str, FileFacts], imported: Mapping[str, set[str]]
) -> tuple[Offer, ...]:
    """Return what files offer: the imported names, by file, or all public ones if there are none.

    The number of declarations is limited; names that are imported come first. What is imported
    but not public is always named, because the code does not tell that others rely on it.
    """
    wanted = {file: imported[file] for file in files if file in imported} or {
        file: {EVERYTHING} for file in files
    }
    room = MOST_NAMES
    chosen: dict[str, list[str]] = {}
    left: dict[str, list[str]] = {}
    for is_explicit in (True, False):
        for file, names in wanted.items():
            found = _explicit(names) if is_explicit else _implicit(facts.get(file), names)
            found = [name for name in found if name not in chosen.get(file, ())]
            chosen.setdefault(file, []).extend(found[:room])
            left.setdefault(file, []).extend(found[room:])
            room -= len(found[:room])
    return tuple(
        _offer(file, facts.get(file), names, left[file])
        for file, names in sorted(chosen.items())
        if names or left[file]
    )


def _offer(file: str, facts: FileFacts | None, names: list[str], left: list[str]) -> Offer:
    others = [name for name in left if facts is None or name not in facts.signatures]
    return Offer(
        file,
        tuple(_name(facts, name) for name in sorted(names)),
        tuple(others),
        len(left) - len(others),
    )


def _explicit(names: set[str]) -> list[str]:
    return sorted(names - {EVERYTHING})


def _implicit(facts: FileFacts | None, names: set[str]) -> list[str]:
    """Return the public names at the top of a file, if all are wanted."""
    if facts is None or EVERYTHING not in names:
        return []
    return [name for name in facts.signatures if "." not in name and " " not in name]


def _name(facts: FileFacts | None, name: str) -> Name:
    signature = facts.signatures.get(name) if facts else None
    if facts is None or signature is None:
        return Name(name)
    header = signature.header
    if len(header) > LONGEST:
        header = header[: LONGEST - 3].rstrip() + "..."
    start = f"{name}."
    inner = (each.removeprefix(start) for each in facts.signatures if each.startswith(start))
    members = [member for member in inner if "." not in member and not member.startswith("__")]
    rest = len(members) - MOST_MEMBERS
    shown = members[:MOST_MEMBERS] + ([f"and {rest} more"] if rest > 0 else [])
    return Name(header, tuple(shown))
