"""The rule about which types of nodes may use which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.yggdrasil.rules.code import imported_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node, NodeType
    from yg_old.yggdrasil.rules.survey import Survey


@rule("W033", "forbidden-relation", Severity.WARNING)
def forbidden_relation(survey: Survey) -> Iterator[Finding]:
    """No node uses a node of a type that `may_use` of its own type leaves out.

    A type may always use itself; with an empty list it may use nothing else, and without `may_use`
    everything. Relations of every type count. With a `code` section in `yg-config.yaml`, imports
    without a relation of the node itself count too, whatever the level of `code.imports`; which
    imports is as for W021. Relations to other repositories are not checked.

    Why: the types are the layers of the code; one exception is soon followed by others.
    Fix: use a node of a type that is listed, or add the type to `may_use`.
    Example:
        node_types:
          ui: {description: "Pages", may_use: [service]}
          service: {description: "A component"}
          storage: {description: "Tables"}    # W033 for a relation of a ui to a storage
    """
    graph = survey.graph
    if all(kind.may_use is None for kind in graph.config.node_types.values()):
        return
    related = set()
    for node in survey.nodes:
        for relation in node.relations:
            target = relation.target.text
            if (node.path, target) not in related:
                related.add((node.path, target))
                place = node.place(relation.target)
                yield from _forbidden(graph, node, "has a relation to", target, place)
    if graph.config.code is None:
        return
    for pair, places in survey.imports.unaccepted.items():
        importer = graph.nodes.get(pair.source)
        if importer is not None and (pair.source, pair.target) not in related:
            place, where = Place(places[0].file, places[0].line, 1), imported_at(places)
            yield from _forbidden(graph, importer, "imports", pair.target, place, where)


def _forbidden(
    graph: Graph, node: Node, verb: str, path: str, place: Place, *where: str
) -> Iterator[Finding]:
    """Yield a finding if the type of a node may not use that of another one."""
    types, target = graph.config.node_types, graph.nodes.get(path)
    kind = types.get(node.type.text)
    other = types.get(target.type.text) if target else None
    if kind is None or kind.may_use is None or other is None or other is kind:
        return
    if other.name not in {allowed.text for allowed in kind.may_use}:
        message = f"{verb} '{path}', but type '{kind.name}' may not use type '{other.name}'"
        advice = (*where, *_advice(kind, other))
        yield Finding(node.path, message, place, advice, (path,))


def _advice(kind: NodeType, other: NodeType) -> Iterator[str]:
    allowed = dict.fromkeys(word.text for word in kind.may_use or () if word.text != kind.name)
    yield f"It may use {', '.join(allowed)} and itself." if allowed else "It may only use itself."
    yield f"Use a node that it may use, or add '{other.name}' to 'may_use' of '{kind.name}'."
