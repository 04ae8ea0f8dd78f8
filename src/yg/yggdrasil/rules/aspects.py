"""Rules about aspect ids and the aspects that nodes must have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.text import paths
from yg.yggdrasil.resolve import expanded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.issue import Located
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.survey import Survey


@rule("E014", "duplicate-aspect-binding", Severity.ERROR)
def duplicate_aspect_binding(survey: Survey) -> Iterator[Finding]:
    """No two aspect ids differ only in case or Unicode form.

    Why: on file systems that ignore the difference, both ids are one directory and one aspect is
    lost.
    Fix: rename one of the directories and update all references to it.
    Example:
        aspects/Audit/yg-aspect.yaml
        aspects/audit/yg-aspect.yaml    # E014: the same directory on many systems
    """
    graph, top = survey.graph, f"{survey.graph.folder}/aspects/"
    files = {aspect_id: aspect.file for aspect_id, aspect in graph.aspects.items()}
    for directory, place in graph.unread.items():
        if directory.startswith(top):
            files[directory.removeprefix(top)] = place.file
    first: dict[str, str] = {}
    for aspect_id, file in sorted(files.items()):
        other = first.setdefault(paths.folded(aspect_id), aspect_id)
        if other != aspect_id:
            message = f"id differs from '{other}' only in case or Unicode form"
            yield Finding(f"aspects/{aspect_id}", message, Place(file))


@rule("W011", "missing-required-aspect-coverage", Severity.WARNING)
def missing_required_aspect_coverage(survey: Survey) -> Iterator[Finding]:
    """Every node has the aspects that its type requires.

    The node declares the aspect itself, or one that implies it. Blackbox nodes are not checked.

    Why: the type states that all its nodes meet these requirements.
    Fix: declare the aspect on the node, or remove it from `required_aspects` of the type.
    Example:
        node_types:
          service:
            description: "A component"
            required_aspects: [requires-audit]    # W011 on every service without it
    """
    types = survey.graph.config.node_types
    missing: dict[tuple[str, tuple[str, ...]], list[Located]] = {}
    for node in survey.graph.nodes.values():
        kind = types.get(node.type.text)
        if kind is None or node.blackbox or not kind.required_aspects:
            continue
        key = kind.name, node.aspect_ids
        if key not in missing:
            missing[key] = _missing(survey.graph, kind.required_aspects, node.aspect_ids)
        for aspect in missing[key]:
            message = f"type '{node.type}' requires aspect '{aspect}', which this node lacks"
            advice = (f"Add '- aspect: {aspect}' under 'aspects'.",)
            yield Finding(node.path, message, node.place(node.type), advice)


def _missing(graph: Graph, required: tuple[Located, ...], ids: tuple[str, ...]) -> list[Located]:
    """Return the required aspects that some aspects neither are nor imply, each once."""
    covered = set(expanded(graph, ids))
    unique = {aspect.text: aspect for aspect in reversed(required)}
    # Rule E012 reports those that do not exist.
    return [
        aspect
        for aspect in reversed(unique.values())
        if aspect.text in graph.aspects and aspect.text not in covered
    ]
