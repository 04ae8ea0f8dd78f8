"""Rules about references between the files of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Finding, Place, Severity, correction
from yg_old.kernel.rule import rule
from yg_old.text.escapes import one_line
from yg_old.text.suggest import Suggester, did_you_mean, listing
from yg_old.yggdrasil.inventories.relations import is_external
from yg_old.yggdrasil.model import Condition
from yg_old.yggdrasil.nearby import Adviser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.model import NodeType
    from yg_old.yggdrasil.rules.survey import Survey

LONGEST_DESCRIPTION = 100  # characters of a type's description in advice
_MOVE = "Move it to 'external', which has the relations to nodes of other repositories."


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
    described = listing([_described(node_type) for node_type in known.values()])
    for node in survey.nodes:
        if known and node.type.text not in known:
            near = types_like(node.type.text)
            lines = (f"Existing types: {described}", did_you_mean(near[:1]))
            advice = tuple(line for line in lines if line)
            message = f"type '{node.type}' is not in node_types"
            place = node.place(node.type)
            yield Finding(node.path, message, place, advice, fixes=correction(place, near))


def _described(node_type: NodeType) -> str:
    if not node_type.description:
        return node_type.name
    description = one_line(node_type.description)
    if len(description) > LONGEST_DESCRIPTION:
        description = f"{description[:LONGEST_DESCRIPTION]}.."
    return f"{node_type.name} ({description})"


@rule("E003", "unknown-aspect", Severity.ERROR)
def unknown_aspect(survey: Survey) -> Iterator[Finding]:
    """Every aspect declared by a node exists.

    Why: a package cannot include a requirement that is not defined.
    Fix: correct the id, or create the aspect in a directory of that name under `aspects/`.
    Example:
        aspects:
          - aspect: requires-audits    # E003: the directory is aspects/requires-audit/
    """
    advise = Adviser(survey.graph)
    for node in survey.nodes:
        for use in node.aspects:
            if survey.graph.aspects.get(use.aspect.text) is None:
                message = f"aspect '{use.aspect}' does not resolve"
                advice, cause = advise.aspect(use.aspect.text), advise.aspect_fault(use.aspect.text)
                place = node.place(use.aspect)
                fixes = advise.aspect_fixes(place, use.aspect.text)
                yield Finding(node.path, message, place, advice, follows=cause, fixes=fixes)


@rule("E004", "broken-relation", Severity.ERROR)
def broken_relation(survey: Survey) -> Iterator[Finding]:
    """Every relation points at a node of this graph.

    Relations to nodes of other repositories stand under `external`.

    Why: a package includes the contract of each target; without the target, that part is missing.
    Fix: correct the path, or add the missing node.
    Example:
        relations:
          - target: payment/svc    # E004: the node is payments/payment-service
            type: calls
    """
    advise = Adviser(survey.graph)
    for node in survey.nodes:
        for relation in node.relations:
            if survey.graph.nodes.get(relation.target.text) is None:
                message = f"relation to '{relation.target}' does not resolve"
                target, place = relation.target.text, node.place(relation.target)
                if survey.graph.inventories.is_supported and is_external(target):
                    yield Finding(node.path, message, place, (_MOVE,))
                    continue
                advice, cause = advise.node(target, node.path), advise.node_fault(target)
                fixes = advise.node_fixes(place, target, node.path)
                yield Finding(node.path, message, place, advice, follows=cause, fixes=fixes)


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
    advise = Adviser(survey.graph)
    for flow in survey.flows:
        for participant in flow.nodes:
            if survey.graph.nodes.get(participant.text) is None:
                message = f"participant '{participant}' does not resolve"
                advice, cause = advise.node(participant.text), advise.node_fault(participant.text)
                subject, place = f"flows/{flow.id}", flow.place(participant)
                fixes = advise.node_fixes(place, participant.text)
                yield Finding(subject, message, place, advice, follows=cause, fixes=fixes)


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
    advise = Adviser(survey.graph)
    for flow in survey.flows:
        for aspect in flow.aspects:
            if survey.graph.aspects.get(aspect.text) is None:
                message = f"aspect '{aspect}' does not resolve"
                advice, cause = advise.aspect(aspect.text), advise.aspect_fault(aspect.text)
                subject, place = f"flows/{flow.id}", flow.place(aspect)
                fixes = advise.aspect_fixes(place, aspect.text)
                yield Finding(subject, message, place, advice, follows=cause, fixes=fixes)


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
    advise = Adviser(survey.graph)
    config = survey.graph.config
    for artifact in config.artifacts.values():
        aspect = artifact.aspect
        if aspect is not None and survey.graph.aspects.get(aspect.text) is None:
            message = f"'{artifact.name}' depends on aspect '{aspect}', which does not resolve"
            place = Place(config.file, aspect.line, aspect.column)
            advice, cause = advise.aspect(aspect.text), advise.aspect_fault(aspect.text)
            fixes = advise.aspect_fixes(place, aspect.text, f"{Condition.ASPECT}:")
            yield Finding("yg-config.yaml", message, place, advice, follows=cause, fixes=fixes)


@rule("E016", "implied-aspect-missing", Severity.ERROR)
def implied_aspect_missing(survey: Survey) -> Iterator[Finding]:
    """Every aspect listed under `implies` exists.

    Why: a node with the first aspect must also meet the implied one, which is not defined.
    Fix: correct the id under `implies`, or create the missing aspect.
    Example:
        name: Audit trail
        implies: [logging]    # E016: the aspect is observability/logging
    """
    advise = Adviser(survey.graph)
    for aspect in survey.aspects:
        for implied in aspect.implies:
            if survey.graph.aspects.get(implied.text) is None:
                message = f"implied aspect '{implied}' does not resolve"
                advice, cause = advise.aspect(implied.text), advise.aspect_fault(implied.text)
                subject, place = f"aspects/{aspect.id}", aspect.place(implied)
                fixes = advise.aspect_fixes(place, implied.text)
                yield Finding(subject, message, place, advice, follows=cause, fixes=fixes)
