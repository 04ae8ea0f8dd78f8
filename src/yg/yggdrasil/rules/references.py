"""Rules about references between the files of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule
from yg.text.escapes import one_line
from yg.text.suggest import Suggester, did_you_mean, listing
from yg.yggdrasil.model import CONFIG_FILE
from yg.yggdrasil.rules.levels import config_place
from yg.yggdrasil.rules.nearby import Adviser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.config import NodeType
    from yg.yggdrasil.survey import Survey

LONGEST_DESCRIPTION = 100  # characters of a type's description in advice


@rule("E002", "unknown-node-type", Severity.ERROR)
def unknown_node_type(survey: Survey) -> Iterator[Finding]:
    """Every node has a type that is defined in `yg-config.yaml`.

    Why: the type defines the role of the node and the aspects it must have.
    Fix: use one of the types under `node_types`, or add the new type there.
    Example:
        name: OrderService
        type: servce    # E002: did you mean 'service'?
    """
    known = survey.graph.config.node_types
    types_like = Suggester(known)
    described = listing([_described(kind) for kind in known.values()])
    for node in survey.graph.nodes.values():
        if known and node.type.text not in known:
            lines = (f"Existing types: {described}", did_you_mean(types_like(node.type.text)[:1]))
            advice = tuple(line for line in lines if line)
            message = f"type '{node.type}' is not in node_types"
            yield Finding(node.path, message, node.place(node.type), advice)


def _described(kind: NodeType) -> str:
    if not kind.description:
        return kind.name
    description = one_line(kind.description)
    if len(description) > LONGEST_DESCRIPTION:
        description = f"{description[:LONGEST_DESCRIPTION]}.."
    return f"{kind.name} ({description})"


@rule("E003", "unknown-aspect", Severity.ERROR)
def unknown_aspect(survey: Survey) -> Iterator[Finding]:
    """Every aspect declared by a node exists.

    Why: a package cannot include a requirement that is not defined.
    Fix: correct the id, or create the aspect in a directory of that name under `aspects/`.
    Example:
        aspects:
          - aspect: requires-audits    # E003: the directory is aspects/requires-audit/
    """
    aspects, advise = survey.graph.aspects, Adviser(survey.graph)
    for node in survey.graph.nodes.values():
        for use in node.aspects:
            if use.aspect.text not in aspects:
                message = f"aspect '{use.aspect}' does not resolve"
                place = node.place(use.aspect)
                yield advise.no_aspect(node.path, message, place, use.aspect.text)


@rule("E004", "broken-relation", Severity.ERROR)
def broken_relation(survey: Survey) -> Iterator[Finding]:
    """Every relation points at a node of this graph.

    Why: a package includes the contract of each target; without the target, that part is missing.
    Fix: correct the path, or add the missing node.
    Example:
        relations:
          - target: payment/svc    # E004: the node is payments/payment-service
            type: calls
    """
    nodes, advise = survey.graph.nodes, Adviser(survey.graph)
    for node in nodes.values():
        for relation in node.relations:
            target = relation.target.text
            if target not in nodes:
                message = f"relation to '{target}' does not resolve"
                place = node.place(relation.target)
                yield advise.no_node(node.path, message, place, target, asking=node.path)


@rule("E006", "broken-flow-ref", Severity.ERROR, title="Unknown participant of a flow")
def broken_flow_ref(survey: Survey) -> Iterator[Finding]:
    """Every participant of a flow is a node of this graph.

    Why: a flow is added to the packages of its participants; a path without a node adds it to none.
    Fix: correct the path, or remove it from `nodes`.
    Example:
        name: Checkout
        nodes:
          - orders/service    # E006: the node is orders/order-service
    """
    nodes, advise = survey.graph.nodes, Adviser(survey.graph)
    for flow in survey.graph.flows.values():
        for participant in flow.nodes:
            if participant.text not in nodes:
                message = f"participant '{participant}' does not resolve"
                subject, place = f"flows/{flow.id}", flow.place(participant)
                yield advise.no_node(subject, message, place, participant.text)


@rule("E007", "broken-aspect-ref", Severity.ERROR, title="Unknown aspect of a flow")
def broken_aspect_ref(survey: Survey) -> Iterator[Finding]:
    """Every aspect declared by a flow exists.

    Why: the aspects of a flow apply to all its participants, and this one is not defined.
    Fix: correct the id, or create the aspect in a directory of that name under `aspects/`.
    Example:
        name: Checkout
        nodes: [orders/order-service]
        aspects: [requires-saga]    # E007: there is no aspects/requires-saga/
    """
    aspects, advise = survey.graph.aspects, Adviser(survey.graph)
    for flow in survey.graph.flows.values():
        for aspect in flow.aspects:
            if aspect.text not in aspects:
                message = f"aspect '{aspect}' does not resolve"
                subject, place = f"flows/{flow.id}", flow.place(aspect)
                yield advise.no_aspect(subject, message, place, aspect.text)


@rule("E013", "invalid-artifact-condition", Severity.ERROR)
def invalid_artifact_condition(survey: Survey) -> Iterator[Finding]:
    """Every `has_aspect:` condition names an existing aspect.

    Why: a condition on a missing aspect is never true, so the artifact is never required.
    Fix: correct the id after `has_aspect:`, or create the aspect.
    Example:
        artifacts:
          compliance.md:
            required:
              when: has_aspect:regulatd    # E013: the aspect is 'regulated'
    """
    graph, advise = survey.graph, Adviser(survey.graph)
    for name, artifact in graph.config.artifacts.items():
        aspect = artifact.required.aspect
        if aspect is not None and aspect.text not in graph.aspects:
            message = f"'{name}' depends on aspect '{aspect}', which does not resolve"
            yield advise.no_aspect(CONFIG_FILE, message, config_place(graph, aspect), aspect.text)


@rule("E016", "implied-aspect-missing", Severity.ERROR)
def implied_aspect_missing(survey: Survey) -> Iterator[Finding]:
    """Every aspect listed under `implies` exists.

    Why: a node with the first aspect must also meet the implied one, which is not defined.
    Fix: correct the id under `implies`, or create the missing aspect.
    Example:
        name: Audit trail
        implies: [logging]    # E016: the aspect is observability/logging
    """
    aspects, advise = survey.graph.aspects, Adviser(survey.graph)
    for aspect in aspects.values():
        for implied in aspect.implies:
            if implied.text not in aspects:
                message = f"implied aspect '{implied}' does not resolve"
                subject, place = f"aspects/{aspect.id}", aspect.place(implied)
                yield advise.no_aspect(subject, message, place, implied.text)
