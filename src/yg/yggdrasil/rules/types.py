"""The rule about which types of nodes may use which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.config import NodeType
    from yg.yggdrasil.survey import Survey


@rule("W033", "forbidden-relation", Severity.WARNING)
def forbidden_relation(survey: Survey) -> Iterator[Finding]:
    """No node uses a node of a type that `may_use` of its own type leaves out.

    A type may always use itself; with an empty list it may use nothing else, and without `may_use`
    everything. Relations of every type count.

    Why: the types are the layers of the code; one exception is soon followed by others.
    Fix: use a node of a type that is listed, or add the type to `may_use`.
    Example:
        node_types:
          ui: {description: "Pages", may_use: [service]}
          service: {description: "A component"}
          storage: {description: "Tables"}    # W033 for a relation of a ui to a storage
    """
    graph, types = survey.graph, survey.graph.config.node_types
    allowed = {name: _allowed(kind) for name, kind in types.items() if kind.may_use is not None}
    lines = {name: _line(others) for name, others in allowed.items()}
    for node in graph.nodes.values() if allowed else ():
        name = node.type.text
        unique = {relation.target.text: relation.target for relation in reversed(node.relations)}
        for path, word in reversed(unique.items()) if name in allowed else ():
            other = graph.nodes[path].type.text if path in graph.nodes else name
            if other in types and other != name and other not in allowed[name]:
                message = (
                    f"has a relation to '{path}', but type '{name}' may not use type '{other}'"
                )
                use = f"Use a node that it may use, or add '{other}' to 'may_use' of '{name}'."
                yield Finding(node.path, message, node.place(word), (lines[name], use), (path,))


def _allowed(kind: NodeType) -> dict[str, None]:
    return dict.fromkeys(word.text for word in kind.may_use or () if word.text != kind.name)


def _line(allowed: dict[str, None]) -> str:
    return f"It may use {', '.join(allowed)} and itself." if allowed else "It may only use itself."
