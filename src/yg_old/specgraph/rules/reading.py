"""Rules about files; the readers record the findings and these rules report them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.kernel.snapshot import Kind
from yg_old.specgraph.lock_file import LOCK
from yg_old.specgraph.model import NoteKind
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.graph import SpecGraph

NO_NODES = (LOCK, "graph.index.json")  # other files of such a folder


@rule("E101", NoteKind.INDEX, Severity.ERROR)
def invalid_graph_index(graph: SpecGraph) -> Iterator[Finding]:
    """`graph.json` exists, is valid JSON and has the fields of an index.

    Why: the index lists all nodes and their files; a node that is not listed is in no context.
    Fix: correct the value at the given position; `specgraphVersion` and `nodes` are required.
    Example:
        {"specgraphVersion": "1.0", "nodes": []}    # E101: not a version; 'nodes' is empty
    """
    return _noted(graph, NoteKind.INDEX)


@rule("E102", NoteKind.FILE, Severity.ERROR)
def invalid_node_file(graph: SpecGraph) -> Iterator[Finding]:
    """Every file listed in `graph.json` is readable and contains one JSON object in UTF-8.

    Files larger than 16 MB (16,000,000 bytes) are not read. A node whose file cannot be parsed
    counts as missing; other nodes are not affected.

    Why: the node is missing from every context that should include it.
    Fix: correct the file at the given position, or correct its path in `graph.json`.
    Example:
        {"id": "AUTH-01", "type": "behavior",}    # E102: trailing comma
    """
    return _noted(graph, NoteKind.FILE)


@rule("E103", NoteKind.SCHEMA, Severity.ERROR)
def schema_violation(graph: SpecGraph) -> Iterator[Finding]:
    """Every node has the keys required for its type, with valid values.

    A node is checked only against its own type, so each mistake is reported once. The node stays in
    the graph without the invalid values.

    Why: invalid or misplaced values are missing from every context that includes the node.
    Fix: correct the value at the given position.
    Example:
        {"id": "POL-1", "type": "policy", "severity": "medium"}    # E103: must be hard or soft
    """
    return _noted(graph, NoteKind.SCHEMA)


@rule("E104", NoteKind.DUPLICATE, Severity.ERROR)
def duplicate_id(graph: SpecGraph) -> Iterator[Finding]:
    """Every id is listed in `graph.json` only once.

    Why: links refer to ids; if two nodes share an id, it is not clear which one is meant.
    Fix: remove one of the entries, or change one of the ids.
    Example:
        {"id": "AUTH-01", "path": "nodes/a.json"}, {"id": "AUTH-01", "path": "nodes/b.json"}
    """
    return _noted(graph, NoteKind.DUPLICATE)


@rule("E105", NoteKind.ID, Severity.ERROR)
def id_mismatch(graph: SpecGraph) -> Iterator[Finding]:
    """Every node file has the id that `graph.json` lists for it.

    Links refer to the id in `graph.json`.

    Why: anyone who copies the id from the file links to another node, or to none.
    Fix: use the same id in both places, or correct the path.
    Example:
        {"id": "AUTH-01", "path": "nodes/behaviors/AUTH-02.json"}    # E105: that file says AUTH-02
    """
    return _noted(graph, NoteKind.ID)


@rule("E106", NoteKind.TYPE, Severity.ERROR)
def type_mismatch(graph: SpecGraph) -> Iterator[Finding]:
    """Every node has the type given by `expectedType` in `graph.json`.

    Why: tools that read only the index treat the node as the wrong type.
    Fix: correct `expectedType`, or the type in the file.
    Example:
        {"id": "AUTH", "path": "nodes/features/AUTH.json", "expectedType": "layer"}    # E106
    """
    return _noted(graph, NoteKind.TYPE)


@rule("E112", NoteKind.RATIONALE, Severity.ERROR)
def missing_rationale(graph: SpecGraph) -> Iterator[Finding]:
    """Every decision gives its reason in `metadata.rationale`.

    Why: without the reason, you cannot tell whether the decision still applies.
    Fix: add the reason, and the rejected alternatives if there were any.
    Example:
        "type": "decision", "metadata": {"owner": "platform"}    # E112: no rationale
    """
    return _noted(graph, NoteKind.RATIONALE)


@rule("E113", NoteKind.ESCAPE, Severity.ERROR)
def path_escape(graph: SpecGraph) -> Iterator[Finding]:
    """Every path in `graph.json` stays inside the graph folder and does not go through a link.

    Why: a graph describes its own repository; files elsewhere are not versioned with it and must
    not be read.
    Fix: move the file into the folder and correct the path.
    Example:
        {"id": "AUTH-01", "path": "../secrets/AUTH-01.json"}    # E113
    """
    return _noted(graph, NoteKind.ESCAPE)


@rule("W104", "unindexed-node-file", Severity.WARNING)
def unindexed_node_file(graph: SpecGraph) -> Iterator[Finding]:
    """Every JSON file in the graph folder is listed in `graph.json`.

    Schemas (`*.schema.json`), `manifest.lock.json`, `graph.index.json` and names that begin with a
    dot are not checked.

    Why: a node file that is not listed is in no context.
    Fix: add the file to `nodes` in `graph.json`, or remove it.
    Example:
        specgraph/nodes/behaviors/AUTH-02.json    # W104 unless graph.json lists that path
    """
    if not graph.references and graph.index.notes:
        return  # E101 reports the broken index
    for file, reason in _unindexed(graph):
        message = f"cannot be read: {reason}" if reason else "is not listed in graph.json"
        yield Finding(file.removeprefix(f"{graph.folder}/"), message, Place(file))


def _noted(graph: SpecGraph, kind: NoteKind) -> Iterator[Finding]:
    return (note.finding for note in graph.notes if note.kind is kind)


def _unindexed(graph: SpecGraph) -> Iterator[tuple[str, str]]:
    """Yield JSON files that are not listed, and directories that cannot be read with the reason."""
    listed = {graph.file, *graph.index.files}
    waiting = [graph.folder]
    while waiting:
        directory = waiting.pop()
        try:
            entries = graph.snapshot.entries(directory)
        except UnreadableError as error:
            yield directory, error.reason
            continue
        for name, kind in entries.items():
            path = paths.join(directory, name)
            if kind is Kind.DIRECTORY and not name.startswith("."):
                waiting.append(path)
            elif _looks_like_a_node(name) and path not in listed:
                yield path, ""


def _looks_like_a_node(name: str) -> bool:
    is_other = name.startswith(".") or name.endswith(".schema.json") or name in NO_NODES
    return name.endswith(".json") and not is_other
