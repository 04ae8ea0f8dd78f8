"""Ids of nodes, aspects and flows as users type them, and ids for new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import NotFoundError, UnreadableError, UsageError, YgError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.escapes import shell_word
from yg_old.text.suggest import did_you_mean, nearest
from yg_old.yggdrasil.parts import GraphPart, PartKind, collection_of
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Collection as Names
    from collections.abc import Iterator

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.yggdrasil.graph import Graph

LONGEST_ID = 1_000  # characters, so that paths stay below the limits of all systems
LONGEST_NAME = 200  # bytes of a part; leaves room for the suffixes of baselines and temporary names
NO_NAME = "NODE"  # stands for a name that the reader chooses
_MARK = f"{FOLDER}/"


def find_id(graph: Graph, name: str, only: PartKind | None = None) -> GraphPart:
    """Return the only thing of a name, of any kind or of one; a directory of some counts as well.

    The name may start with the directory of its kind, as in `aspects/audit`.
    """
    kinds = tuple(PartKind) if only is None else (only,)
    ids = {kind: collection_of(graph, kind).ids() for kind in kinds}
    found = [found for kind in kinds for found in _matches(graph, kind, ids[kind], name)]
    if len(found) == 1:
        return found[0]
    if found:
        *others, last = [f"{match.kind.article} '{match.id}'" for match in found]
        paths_of = [f"{collection_of(graph, match.kind).spec.tree}/{match.id}" for match in found]
        raise UsageError(
            f"'{name}' may be {', '.join(others)} or {last}",
            hint=f"Write {' or '.join(paths_of)}.",
        )
    near = did_you_mean(nearest(name, {known for known_ids in ids.values() for known in known_ids}))
    hint = near or "'yg tree', 'yg aspects' and 'yg flows' list them."
    what = "node, aspect or flow" if only is None else only
    raise NotFoundError(f"no {what} '{name}'", hint=hint)


def _matches(graph: Graph, kind: PartKind, ids: Names[str], name: str) -> Iterator[GraphPart]:
    tree = collection_of(graph, kind).spec.tree
    path = paths.normalise(name)
    if path is None:
        return
    spellings = [path, path.removeprefix(f"{paths.name_of(tree)}/")]
    if path.startswith(_MARK):
        spellings = [path.removeprefix(f"{tree}/")]
    for text in dict.fromkeys(spellings):
        if text == paths.ROOT:
            if text in ids:
                yield GraphPart(kind, text)
        elif any(paths.is_inside(known, text) for known in ids):
            yield GraphPart(kind, text)


def new_id(graph: Graph, kind: PartKind, name: str, moved: str = "") -> str:
    """Return the id that a name stands for; raise an error if it cannot be used as a new one.

    `moved` is the present id of what gets the new one, if that exists already.
    """
    tree = collection_of(graph, kind).spec.tree
    text = without_tree(tree, name)
    if text.startswith(_MARK):
        raise UsageError(f"'{name}' is not inside {tree}/")
    if fault := id_fault(text):
        raise UsageError(f"'{name}' cannot be the name of {kind.article}: {fault}")
    _refuse_taken(graph.snapshot, tree, text, moved)
    return text


def without_tree(tree: str, name: str) -> str:
    """Return a name without the directory of its kind, which users may write."""
    text = name.removesuffix("/")
    if text.startswith(_MARK):
        return text.removeprefix(f"{tree}/")
    return text.removeprefix(f"{paths.name_of(tree)}/")


def id_fault(text: str) -> str:
    """Return why a text cannot be an id; empty if it can."""
    parts = text.split("/")
    faults = {
        "it is an absolute path": text.startswith("/"),
        "a part of it is empty": "" in parts,
        "it has a character that cannot be shown": not text.isprintable(),
        "it has a backslash; use '/'": "\\" in text,
        "a part of it starts with a dot": any(part.startswith(".") for part in parts),
        "a part of it starts or ends with a blank": any(part != part.strip() for part in parts),
        "it is too long": len(text) > LONGEST_ID
        or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in parts),
    }
    return next((fault for fault, is_found in faults.items() if is_found), "")


def proposed_id(graph: Graph, path: str, *, is_file: bool) -> str:
    """Return a free name for a node of a file or directory; NO_NAME if its path gives none."""
    last = paths.name_of(path).lstrip(".")
    if is_file and "." in last:
        last = last.rpartition(".")[0]
    tree = graph.nodes.spec.tree
    taken = {paths.folded(name) for name in _entries(graph.snapshot, tree)}
    for name in (last, path.replace("/", "-").lstrip(".")):
        if not id_fault(name) and paths.folded(name) not in taken:
            return name
    return NO_NAME


def _refuse_taken(snapshot: Snapshot, tree: str, text: str, moved: str) -> None:
    """Raise an error if a directory of a new id is blocked, or differs only in case from another.

    Systems that ignore case would take both for one directory.
    """
    directory = tree
    for part in text.split("/"):
        path = f"{directory}/{part}"
        names = _entries(snapshot, directory)
        if part in names:
            if names[part] is not Kind.DIRECTORY:
                raise YgError(f"'{path}' is not a directory", hint="Move it away first.")
        else:
            same = (name for name in sorted(names) if paths.folded(name) == paths.folded(part))
            for name in same:
                if f"{directory}/{name}" != f"{tree}/{moved}" or path != f"{tree}/{text}":
                    raise YgError(
                        f"'{part}' differs from '{name}' in {directory}/ only in case or form",
                        hint="Many systems cannot tell the two apart; use the same spelling.",
                    )
            return
        directory = path


def _entries(snapshot: Snapshot, directory: str) -> dict[str, Kind]:
    """Return the names in a directory; none if it is missing."""
    if snapshot.kind(directory) is None:
        return {}
    try:
        return dict(snapshot.entries(directory))
    except UnreadableError as error:
        raise YgError(error.message, hint="Nothing was written.") from error


def parent_notes(graph: Graph, path: str) -> Iterator[str]:
    """Yield a note if the parent of a new node is not a node, but a directory to be created."""
    above = paths.parent(path)
    directory = f"{graph.nodes.spec.tree}/{above}"
    if above != paths.ROOT and graph.snapshot.kind(directory) is None:
        command = f"yg new node {shell_word(above)}"
        yield f"'{above}' is only a directory: '{command}' makes it a node"
