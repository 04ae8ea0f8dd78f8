"""Rules about the artifacts of nodes and the size of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.text.escapes import shell_word
from yg.text.plural import counted
from yg.text.suggest import listing
from yg.yggdrasil.config import Condition
from yg.yggdrasil.model import ASPECT_FILE, FLOW_FILE, NODE_FILE
from yg.yggdrasil.read import UNUSED
from yg.yggdrasil.resolve import artifact_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.config import ArtifactType
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.survey import Survey

INTERFACE_FILE = "interface.md"


@rule("W001", "missing-artifact", Severity.WARNING)
def missing_artifact(survey: Survey) -> Iterator[Finding]:
    """Every node has the artifacts that the configuration requires.

    Blackbox nodes are not checked, because a rough description is enough for them.

    Why: readers of a package rely on these texts; if one is missing, they have to guess.
    Fix: write the artifact, or relax its `required` condition in `yg-config.yaml`.
    Example:
        model/payments/payment-service/    # W001: others call it, but it has no interface.md
    """
    required = [
        (name, artifact)
        for name, artifact in survey.graph.config.artifacts.items()
        if artifact.required.condition is not Condition.NEVER
    ]
    for node in survey.graph.nodes.values():
        files = frozenset(node.files)
        for name, artifact in () if node.blackbox else required:
            need = "" if name in files else _need(survey, node, artifact)
            if need:
                message = f"missing artifact '{name.removesuffix('.md')}'"
                advice = (f"{need} {_instruction(name, artifact)}",)
                yield Finding(node.path, message, Place(node.file), advice)


def _need(survey: Survey, node: Node, artifact: ArtifactType) -> str:
    """Return the reason why a node needs an artifact; empty if it does not."""
    match artifact.required.condition:
        case Condition.ALWAYS:
            return "Every node needs it."
        case Condition.INCOMING if incoming := survey.graph.incoming.get(node.path):
            relations = counted(len(incoming), "incoming relation")
            return f"Node has {relations}: {listing(incoming)}."
        case Condition.OUTGOING:
            outgoing = sum(relation.target.text != node.path for relation in node.relations)
            return f"Node has {counted(outgoing, 'outgoing relation')}." if outgoing else ""
        case Condition.ASPECT:
            aspect = artifact.required.aspect
            if aspect is not None and aspect.text in survey.effective[node.path]:
                return f"Node has the aspect '{aspect}'."
    return ""


def _instruction(name: str, artifact: ArtifactType) -> str:
    if name == INTERFACE_FILE:
        return f"Define the public API in {INTERFACE_FILE}."
    description = f": {artifact.description.rstrip('.')}" if artifact.description else ""
    return f"Write {name}{description}."


@rule("W002", "shallow-artifact", Severity.WARNING)
def shallow_artifact(survey: Survey) -> Iterator[Finding]:
    """No artifact is shorter than `quality.min_artifact_length` characters.

    White space at the beginning and the end does not count. Blackbox nodes are not checked.

    Why: a text this short is usually a placeholder and tells the reader nothing.
    Fix: write what a newcomer needs to know, or remove the file.
    Example:
        model/orders/responsibility.md contains "TODO"    # W002: 4 characters, minimum 50
    """
    graph, least = survey.graph, survey.graph.config.quality.min_artifact_length
    for node in graph.nodes.values():
        for name in () if node.blackbox else artifact_names(graph, node):
            path = f"{node.directory}/{name}"
            facts = survey.facts(path)
            if facts.written < least and not facts.fault:  # E021 reports the fault
                size = counted(facts.written, "character")
                message = f"artifact '{name}' has {size} (minimum: {least})"
                advice = ("Write what a newcomer needs to know.",)
                yield Finding(node.path, message, Place(path), advice)


_SPLIT = "Consider splitting the node or reducing dependencies."


@rule("W005", "budget-warning", Severity.WARNING, title="Large context package")
def budget_warning(survey: Survey) -> Iterator[Finding]:
    """No context package is larger than `quality.context_budget.warning` tokens.

    Above the error threshold, W006 is reported instead.

    Why: a growing package is often the first sign of a node with too many responsibilities.
    Fix: split the node, remove relations it does not need, or move what holds for many nodes into
    an aspect. Delete nothing to get below the budget: a package above it is still complete.
    Example:
        orders/order-service    # W005: context package of ~11800 tokens, threshold 10000
    """
    budget = survey.graph.config.quality.context_budget
    for node, tokens in survey.package_sizes:
        if budget.status(tokens) == "warning":
            message = f"context package: ~{tokens} tokens (threshold: {budget.warning})"
            yield Finding(node.path, message, Place(node.file), (_SPLIT,))


@rule("W006", "budget-error", Severity.WARNING, title="Context package too large")
def budget_error(survey: Survey) -> Iterator[Finding]:
    """No context package is larger than `quality.context_budget.error` tokens.

    Why: in a package this large, readers miss important details.
    Fix: split the node, or move what holds for many nodes into an aspect; `yg build-context NODE
    --why` shows which blocks are large. Delete nothing to get below the budget: a package above it
    is still complete.
    Example:
        orders/order-service    # W006: context package of ~25000 tokens, limit 20000
    """
    budget = survey.graph.config.quality.context_budget
    for node, tokens in survey.package_sizes:
        if budget.status(tokens) == "error":
            message = f"context package: ~{tokens} tokens (limit: {budget.error})"
            command = f"yg build-context {shell_word(node.path)} --why"
            advice = (_SPLIT, f"To see what is large: {command}", *_SMALLER)
            yield Finding(node.path, message, Place(node.file), advice)


_SMALLER = (
    "What holds for many nodes belongs in an aspect.",
    "Delete nothing to get below the budget: a package above it is still complete.",
)


@rule("W010", "missing-schema", Severity.WARNING)
def missing_schema(survey: Survey) -> Iterator[Finding]:
    """`schemas/` contains the schemas of node, aspect and flow files.

    Why: agents read the schema before they write such a file.
    Fix: run `yg init --upgrade` to write the missing schemas.
    Example:
        .yggdrasil/schemas/yg-node.yaml    # W010 if it is missing
    """
    for name in (NODE_FILE, ASPECT_FILE, FLOW_FILE):
        if name not in survey.graph.schemas:
            place = Place(f"{survey.graph.folder}/schemas/{name}")
            yield Finding("schemas", f"schemas/{name} is missing", place)


@rule(UNUSED, "artifact-not-configured", Severity.WARNING)
def artifact_not_configured(survey: Survey) -> Iterator[Finding]:
    """Every file of the graph reaches a package.

    A file next to a `yg-node.yaml` must be a configured artifact. A file in `model/`, `aspects/` or
    `flows/` needs a declaration in the same directory; so does one in a directory inside an aspect
    or a flow, or above one.

    Why: no package includes the file, so nobody reads it.
    Fix: add it to `artifacts` in `yg-config.yaml`, move its text to a file that packages include,
    or remove it.
    Example:
        model/orders/notes.md       # W018: 'notes.md' is not under 'artifacts'
        aspects/audit/img/README    # W018: no package includes it
    """
    graph, known = survey.graph, survey.graph.config.artifacts
    yield from (problem.finding for problem in graph.problems if problem.code == UNUSED)
    advice = (f"Configured artifacts: {listing(known)}", _NOT_CONFIGURED)
    for node in graph.nodes.values() if known else ():
        for name in node.files:
            if name not in known:
                message = f"'{name}' is not a configured artifact, so no package includes it"
                yield Finding(node.path, message, Place(f"{node.directory}/{name}"), advice)


_NOT_CONFIGURED = "Rename it to one of these, or add it to 'artifacts' in yg-config.yaml."
