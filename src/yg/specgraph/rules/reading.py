"""Rules about files; the readers record the findings and these rules report them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.specgraph.model import Trouble
from yg.specgraph.unindexed import unindexed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.specgraph.graph import Graph


@rule("E101", Trouble.INDEX, Severity.ERROR)
def invalid_graph_index(graph: Graph) -> Iterator[Finding]:
    """`graph.json` exists, is valid JSON and has the fields of an index.

    Why: the index lists all nodes and their files; a node that is not listed is in no context.
    Fix: correct the value at the given position; `specgraphVersion` and `nodes` are required.
    Example:
        {"specgraphVersion": "1.0", "nodes": []}    # E101: not a version; 'nodes' is empty
    """
    return _noted(graph, Trouble.INDEX)


@rule("E102", Trouble.FILE, Severity.ERROR)
def invalid_node_file(graph: Graph) -> Iterator[Finding]:
    """Every file listed in `graph.json` is readable and contains one JSON object in UTF-8.

    Files larger than 16 MB (16,000,000 bytes) are not read. A node whose file cannot be parsed
    counts as missing; other nodes are not affected.

    Why: the node is missing from every context that should include it.
    Fix: correct the file at the given position, or correct its path in `graph.json`.
    Example:
        {"id": "AUTH-01", "type": "behavior",}    # E102: trailing comma
    """
    return _noted(graph, Trouble.FILE)


@rule("E103", Trouble.SCHEMA, Severity.ERROR)
def schema_violation(graph: Graph) -> Iterator[Finding]:
    """Every node has the keys required for its type, with valid values.

    A node is checked only against its own type, so each mistake is reported once. The node stays in
    the graph without the invalid values.

    Why: invalid or misplaced values are missing from every context that includes the node.
    Fix: correct the value at the given position.
    Example:
        {"id": "POL-1", "type": "policy", "severity": "medium"}    # E103: must be hard or soft
    """
    return _noted(graph, Trouble.SCHEMA)


@rule("E104", Trouble.DUPLICATE, Severity.ERROR)
def duplicate_id(graph: Graph) -> Iterator[Finding]:
    """Every id is listed in `graph.json` only once.

    Why: links refer to ids; if two nodes share an id, it is not clear which one is meant.
    Fix: remove one of the entries, or change one of the ids.
    Example:
        {"id": "AUTH-01", "path": "nodes/a.json"}, {"id": "AUTH-01", "path": "nodes/b.json"}
    """
    return _noted(graph, Trouble.DUPLICATE)


@rule("E105", Trouble.ID, Severity.ERROR)
def id_mismatch(graph: Graph) -> Iterator[Finding]:
    """Every node file has the id that `graph.json` lists for it.

    Links refer to the id in `graph.json`.

    Why: anyone who copies the id from the file links to another node, or to none.
    Fix: use the same id in both places, or correct the path.
    Example:
        {"id": "AUTH-01", "path": "nodes/behaviors/AUTH-02.json"}    # E105: that file says AUTH-02
    """
    return _noted(graph, Trouble.ID)


@rule("E106", Trouble.TYPE, Severity.ERROR)
def type_mismatch(graph: Graph) -> Iterator[Finding]:
    """Every node has the type given by `expectedType` in `graph.json`.

    Why: tools that read only the index treat the node as the wrong type.
    Fix: correct `expectedType`, or the type in the file.
    Example:
        {"id": "AUTH", "path": "nodes/features/AUTH.json", "expectedType": "layer"}    # E106
    """
    return _noted(graph, Trouble.TYPE)


@rule("E112", Trouble.RATIONALE, Severity.ERROR)
def missing_rationale(graph: Graph) -> Iterator[Finding]:
    """Every decision gives its reason in `metadata.rationale`.

    Why: without the reason, you cannot tell whether the decision still applies.
    Fix: add the reason, and the rejected alternatives if there were any.
    Example:
        "type": "decision", "metadata": {"owner": "platform"}    # E112: no rationale
    """
    return _noted(graph, Trouble.RATIONALE)


@rule("E113", Trouble.ESCAPE, Severity.ERROR)
def path_escape(graph: Graph) -> Iterator[Finding]:
    """Every path in `graph.json` stays inside the graph folder and does not go through a link.

    Why: a graph describes its own repository; files elsewhere are not versioned with it and must
    not be read.
    Fix: move the file into the folder and correct the path.
    Example:
        {"id": "AUTH-01", "path": "../secrets/AUTH-01.json"}    # E113
    """
    return _noted(graph, Trouble.ESCAPE)


@rule("W104", "unindexed-node-file", Severity.WARNING)
def unindexed_node_file(graph: Graph) -> Iterator[Finding]:
    """Every JSON file in the graph folder is listed in `graph.json`.

    Schemas (`*.schema.json`) and names that begin with a dot are not checked.

    Why: a node file that is not listed is in no context.
    Fix: add the file to `nodes` in `graph.json`, or remove it.
    Example:
        specgraph/nodes/behaviors/AUTH-02.json    # W104 unless graph.json lists that path
    """
    if not graph.references and graph.index.notes:
        return  # E101 reports the broken index
    for file, reason in unindexed(graph):
        message = f"cannot be read: {reason}" if reason else "is not listed in graph.json"
        yield Finding(file.removeprefix(f"{graph.folder}/"), message, Place(file))


def _noted(graph: Graph, trouble: Trouble) -> Iterator[Finding]:
    return (note.finding for note in graph.notes if note.trouble is trouble)
