"""Rules about files: the readers have noted what they found."""

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
    """`graph.json` is there, is valid JSON and has the shape of an index.

    Why: it says which nodes there are and where; a node that it does not name is in nobody's
    context.
    Fix: correct the value at the place named; `specgraphVersion` and `nodes` are needed.
    Example:
        {"specgraphVersion": "1.0", "nodes": []}    # E101 twice: no version, no nodes
    """
    return _noted(graph, Trouble.INDEX)


@rule("E102", Trouble.FILE, Severity.ERROR)
def invalid_node_file(graph: Graph) -> Iterator[Finding]:
    """Every file that `graph.json` names can be read and holds one JSON object, in UTF-8.

    It has at most 16 MB (16,000,000 bytes); a larger file is not read. A node whose file cannot be
    understood counts as missing; all others still answer.

    Why: what depends on the node works blind.
    Fix: correct the file at the place named, or the path in `graph.json`.
    Example:
        {"id": "AUTH-01", "type": "behavior",}    # E102: a comma too many
    """
    return _noted(graph, Trouble.FILE)


@rule("E103", Trouble.SCHEMA, Severity.ERROR)
def schema_violation(graph: Graph) -> Iterator[Finding]:
    """Every node has the keys of its type, and each key a value of the right shape.

    The type alone chooses what is looked at, so one mistake is told once. The node stays in the
    graph without what is wrong.

    Why: what is missing or misplaced in a node is missing from every context that shows it.
    Fix: correct the value at the place named.
    Example:
        {"id": "POL-1", "type": "policy", "severity": "medium"}    # E103: hard or soft
    """
    return _noted(graph, Trouble.SCHEMA)


@rule("E104", Trouble.DUPLICATE, Severity.ERROR)
def duplicate_id(graph: Graph) -> Iterator[Finding]:
    """Every id stands in `graph.json` once.

    Why: a link names an id; with two nodes of that name nobody knows which one is meant.
    Fix: remove one of the entries, or give one of the nodes another id.
    Example:
        {"id": "AUTH-01", "path": "nodes/a.json"}, {"id": "AUTH-01", "path": "nodes/b.json"}
    """
    return _noted(graph, Trouble.DUPLICATE)


@rule("E105", Trouble.ID, Severity.ERROR)
def id_mismatch(graph: Graph) -> Iterator[Finding]:
    """Every node calls itself what `graph.json` calls it.

    Links mean the id in `graph.json`.

    Why: whoever reads the file links to a name that leads elsewhere, or nowhere.
    Fix: write the same id in both places, or correct the path.
    Example:
        {"id": "AUTH-01", "path": "nodes/behaviors/AUTH-02.json"}    # E105: that file says AUTH-02
    """
    return _noted(graph, Trouble.ID)


@rule("E106", Trouble.TYPE, Severity.ERROR)
def type_mismatch(graph: Graph) -> Iterator[Finding]:
    """Every node has the type that `graph.json` expects of it.

    Why: tools that look only at the index treat the node as something it is not.
    Fix: correct `expectedType`, or the type in the file.
    Example:
        {"id": "AUTH", "path": "nodes/features/AUTH.json", "expectedType": "layer"}    # E106
    """
    return _noted(graph, Trouble.TYPE)


@rule("E112", Trouble.RATIONALE, Severity.ERROR)
def missing_rationale(graph: Graph) -> Iterator[Finding]:
    """Every decision says in `metadata.rationale` why it was taken.

    Why: without the reason nobody can tell whether the decision still holds.
    Fix: add a sentence, and the alternatives that were rejected if there were any.
    Example:
        "type": "decision", "metadata": {"owner": "platform"}    # E112: no rationale
    """
    return _noted(graph, Trouble.RATIONALE)


@rule("E113", Trouble.ESCAPE, Severity.ERROR)
def path_escape(graph: Graph) -> Iterator[Finding]:
    """Every path of `graph.json` stays inside the folder, and passes through no link.

    Why: a graph describes its own repository; what lies outside is neither versioned with it nor
    meant to be read.
    Fix: move the file into the folder and correct the path.
    Example:
        {"id": "AUTH-01", "path": "../secrets/AUTH-01.json"}    # E113
    """
    return _noted(graph, Trouble.ESCAPE)


@rule("W104", "unindexed-node-file", Severity.WARNING)
def unindexed_node_file(graph: Graph) -> Iterator[Finding]:
    """Every JSON file in the folder is a node that `graph.json` names.

    Schemas (`*.schema.json`) and names that begin with a dot are left alone.

    Why: somebody wrote a node, and nobody sees it.
    Fix: add the file to `nodes` in `graph.json`, or remove it.
    Example:
        specgraph/nodes/behaviors/AUTH-02.json    # W104 unless graph.json names that path
    """
    if not graph.references and graph.index.notes:
        return  # the index is broken, of which E101 tells
    for file, reason in unindexed(graph):
        message = f"cannot be looked into: {reason}" if reason else "is not listed in graph.json"
        yield Finding(file.removeprefix(f"{graph.folder}/"), message, Place(file))


def _noted(graph: Graph, trouble: Trouble) -> Iterator[Finding]:
    return (note.finding for note in graph.notes if note.trouble is trouble)
