"""Give files that no node owns to the nodes around them, or find the place for a new node."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.draft.roles import Role, is_source
from yg_old.text import paths
from yg_old.text.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Extension(Struct, frozen=True):
    """Paths that a node which exists maps from now on, and the files that it gets."""

    node: str
    paths: tuple[str, ...]
    files: tuple[str, ...]


class Around:
    """The nodes that own the source files around other files."""

    def __init__(
        self,
        owners: Mapping[str, str],
        described: Iterable[str],
        excluded: Mapping[str, Sequence[str]],
    ) -> None:
        """Take nodes by file, those that are no blackboxes, and patterns that nodes exclude."""
        self._owners = owners
        self._described = frozenset(described)
        self._patterns = cache(lambda node: Patterns.from_lines(excluded.get(node, ())))
        self._in: dict[str, Counter[str]] = {}  # owners of source files directly in a directory
        for file, node in owners.items():
            if is_source(file):
                self._in.setdefault(paths.parent(file), Counter())[node] += 1

    def owner(self, file: str, role: Role) -> str:
        """Return the node that owns most of a file's directory; empty if there is none.

        A node that excludes the file does not get it, and a node that is described gets only code.
        A blackbox gets no code at the top of the repository: files of many kinds are there.
        """
        directory = paths.parent(file)
        counts = self._in.get(directory, Counter())
        found = (
            (-number, node)
            for node, number in counts.items()
            if self._takes(node, role, directory)
            if not self._patterns(node).excludes(file)
        )
        return min(found, default=(0, ""))[1]

    def _takes(self, node: str, role: Role, directory: str) -> bool:
        if node in self._described:
            return role is Role.CODE
        return role is not Role.CODE or directory != paths.ROOT

    def blackbox(self, name: str) -> str:
        """Return a blackbox at the top with a name; empty if there is none."""
        is_known = name in self._owners.values() and name not in self._described
        return name if is_known else ""

    def parent(self, file: str) -> tuple[str, str]:
        """Return the node for a new one to be below, and the top of the tree that it owns.

        The node is empty if no node owns the tree around a file. The
        tree begins at the nearest directory where nodes own source files. The top of the
        repository is not one.
        """
        for directory in reversed(paths.lineage(file)[1:]):
            if counts := self._in.get(directory):
                shared = _common(list(counts))
                node = shared or min(counts, key=lambda node: (-counts[node], node))
                return node, directory
        return "", paths.ROOT

    def extensions(
        self, given: Mapping[str, tuple[str, str]], others: Iterable[str]
    ) -> tuple[Extension, ...]:
        """Return what the nodes map more, given the new owner of each file, and a directory.

        The directory, or one in it, is mapped if all source files below it belong to one node.
        """
        owners: dict[str, set[str]] = {}
        known = ((file, node) for file, node in self._owners.items() if is_source(file))
        new = ((file, node) for file, (node, _) in given.items())
        for file, node in (*known, *new, *((file, "") for file in others)):
            for directory in paths.lineage(file)[1:]:
                owners.setdefault(directory, set()).add(node)
        by_node: dict[str, list[str]] = {}
        for file, (node, _) in sorted(given.items()):
            by_node.setdefault(node, []).append(file)
        found = []
        for node, files in sorted(by_node.items()):
            added: dict[str, None] = {}
            for file in files:
                inside = (
                    place
                    for place in paths.lineage(file)[1:]
                    if paths.is_inside(place, given[file][1])
                )
                whole = (place for place in inside if owners[place] == {node})
                added[next(whole, file)] = None
            found.append(Extension(node, tuple(sorted(added)), tuple(files)))
        return tuple(found)


def _common(nodes: Sequence[str]) -> str:
    """Return the innermost node that is above others, or one of them; empty if there is none."""
    first, *rest = ((*paths.lineage(node)[1:], node) for node in nodes)
    shared = ""
    for place in first:
        if all(place in other for other in rest):
            shared = place
    return shared
