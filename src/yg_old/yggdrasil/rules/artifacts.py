"""Rules about the artifacts of nodes and the size of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.code.parts import FILE
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.kernel.snapshot import Kind, content_length
from yg_old.text import paths
from yg_old.text.escapes import shell_quoted
from yg_old.text.plural import counted
from yg_old.text.suggest import listing
from yg_old.yggdrasil.folders import folder_at, walk
from yg_old.yggdrasil.model import (
    ASPECT_FILE,
    FLOW_FILE,
    INTERFACE_FILE,
    NODE_FILE,
    CodeInPackages,
    Condition,
    ReadIssue,
)
from yg_old.yggdrasil.package.split import split_of
from yg_old.yggdrasil.resolve import artifact_names, artifacts, is_drafted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.package import Budget
    from yg_old.kernel.snapshot import Text
    from yg_old.yggdrasil.model import ArtifactType, Node
    from yg_old.yggdrasil.rules.survey import Survey


@rule("W001", "missing-artifact", Severity.WARNING)
def missing_artifact(survey: Survey) -> Iterator[Finding]:
    """Every node has the artifacts that the configuration requires.

    Blackbox nodes are not checked, because a rough description is enough for them, and neither are
    nodes whose texts are all drafts (W025). If `code.packages` is on, a node needs no interface.md
    if its code, or that of a node inside it, has parts that packages can show.

    Why: readers of a package rely on these texts; if one is missing, they have to guess.
    Fix: write the artifact, or relax its `required` condition in `yg-config.yaml`.
    Example:
        model/payments/payment-service/    # W001: others call it, but it has no interface.md
    """
    for node in survey.nodes:
        if node.is_blackbox or is_drafted(survey.graph, node):
            continue
        present = set(artifact_names(survey.graph, node))
        for artifact in survey.graph.config.artifacts.values():
            is_there = artifact.name in present or _is_in_code(survey, node, artifact)
            reason = None if is_there else _need(survey, node, artifact)
            if reason is not None:
                message = f"missing artifact '{artifact.name.removesuffix('.md')}'"
                place = Place(node.file)
                yield Finding(node.path, message, place, (reason, _instruction(artifact)))


def _is_in_code(survey: Survey, node: Node, artifact: ArtifactType) -> bool:
    """Return whether packages show the interface of a node as its code has it."""
    if artifact.name != INTERFACE_FILE:
        return False
    if survey.graph.config.code_in_packages is CodeInPackages.OFF:
        return False
    files = survey.imports.files_inside.get(node.path, ())
    return any(survey.imports.facts[file].parts.keys() - {FILE} for file in files)


def _need(survey: Survey, node: Node, artifact: ArtifactType) -> str | None:
    """Return the reason why a node needs an artifact, or None if it does not."""
    match artifact.condition:
        case Condition.ALWAYS:
            return "Every node needs it."
        case Condition.INCOMING if incoming := survey.incoming.get(node.path):
            relations = counted(len(incoming), "incoming relation")
            return f"Node has {relations}: {listing(incoming)}."
        case Condition.OUTGOING if outgoing := _outgoing_count(node):
            return f"Node has {counted(outgoing, 'outgoing relation')}."
        case Condition.ASPECT if (
            artifact.aspect and artifact.aspect.text in survey.effective[node.path]
        ):
            return f"Node has the aspect '{artifact.aspect}'."
    return None


def _outgoing_count(node: Node) -> int:
    own = sum(relation.target.text != node.path for relation in node.relations)
    return own + len(node.external)


def _instruction(artifact: ArtifactType) -> str:
    if artifact.name == INTERFACE_FILE:
        return f"Define the public API in {INTERFACE_FILE}."
    description = f": {artifact.description.rstrip('.')}" if artifact.description else ""
    return f"Write {artifact.name}{description}."


@rule("W002", "shallow-artifact", Severity.WARNING)
def shallow_artifact(survey: Survey) -> Iterator[Finding]:
    """No artifact is shorter than `quality.min_artifact_length` characters.

    White space at the beginning and the end does not count, and any other counts as one character.
    Blackbox nodes and drafts (W025) are not checked.

    Why: a text this short is usually a placeholder and tells the reader nothing.
    Fix: write what a newcomer needs to know, or remove the file.
    Example:
        model/orders/responsibility.md contains "TODO"    # W002: 4 characters, minimum 50
    """
    config = survey.graph.config
    least = config.quality.min_artifact_length
    for node in survey.nodes:
        for document in () if node.is_blackbox else artifacts(survey.graph, node):
            name, text = document.name, document.source
            try:
                length = least if text.extent.is_draft else _content_length(text, least)
            except UnreadableError:
                continue  # reported by E021 or E026
            if length < least:
                size = counted(length, "character")
                message = f"artifact '{name}' has {size} (minimum: {least})"
                advice = ("Write what a newcomer needs to know.",)
                yield Finding(node.path, message, Place(text.path), advice)


def _content_length(text: Text, least: int) -> int:
    """Return the length of a text, without extra white space if it may be below the least.

    Raises UnreadableError.
    """
    extent = text.extent
    if extent.body >= 2 * least and not extent.is_sparse:
        return extent.body  # enough, without reading it
    return content_length(text.value)


_SPLIT = "Consider splitting the node or reducing dependencies."
_BUDGET_ADVICE = (
    "What holds for many nodes belongs in an aspect.",
    "Delete nothing to get below the budget: a package above it is still complete.",
)


@rule("W005", "budget-warning", Severity.WARNING, title="Large context package")
def budget_warning(survey: Survey) -> Iterator[Finding]:
    """No context package is larger than `quality.context_budget.warning` tokens.

    Above the error threshold, W006 is reported instead. The message names up to three parts that
    could belong to nodes of their own.

    Why: a growing package is often the first sign of a node with too many responsibilities.
    Fix: split the node, remove relations it does not need, or move what holds for many nodes into
    an aspect. Delete nothing to get below the budget: a package above it is still complete.
    Example:
        orders/order-service    # W005: context package of ~11800 tokens, threshold 10000
    """
    budget = survey.graph.budget
    for node, tokens in survey.package_sizes:
        if budget.status(tokens) == "warning":
            message = f"context package: {_size(tokens, budget)} (threshold: {budget.warning})"
            advice = (_SPLIT, *_BUDGET_ADVICE, *_split(survey, node))
            yield Finding(node.path, message, Place(node.file), advice)


def _size(tokens: int, budget: Budget) -> str:
    return f"{'' if budget.tokenizer else '~'}{tokens} {budget.unit}"


def _split(survey: Survey, node: Node) -> tuple[str, ...]:
    """Return a sentence that names the parts which could belong to other nodes, if any."""
    found = split_of(survey.assembler.package(node))
    return (found.text,) if found else ()


@rule("W006", "budget-error", Severity.WARNING, title="Context package too large")
def budget_error(survey: Survey) -> Iterator[Finding]:
    """No context package is larger than `quality.context_budget.error` tokens.

    The message names up to three parts that could belong to nodes of their own.

    Why: in a package this large, readers miss important details.
    Fix: split the node, or move what holds for many nodes into an aspect; `yg build-context NODE
    --why` shows which blocks are large. Delete nothing to get below the budget: a package above it
    is still complete.
    Example:
        orders/order-service    # W006: context package of ~25000 tokens, limit 20000
    """
    budget = survey.graph.budget
    for node, tokens in survey.package_sizes:
        if budget.status(tokens) == "error":
            message = f"context package: {_size(tokens, budget)} (limit: {budget.error})"
            command = f"yg build-context {shell_quoted(node.path)} --why"
            advice = (_SPLIT, f"To see what is large: {command}", *_BUDGET_ADVICE)
            yield Finding(node.path, message, Place(node.file), (*advice, *_split(survey, node)))


@rule("W034", "own-budget", Severity.WARNING, title="Large texts of a node")
def own_budget(survey: Survey) -> Iterator[Finding]:
    """No node has texts of its own with `quality.context_budget.own_warning` tokens or more.

    Checked if `yg-config.yaml` has that key. The project line, the `yg-node.yaml` and the artifacts
    of the node count. Blackbox nodes are not checked.

    Why: of all that is in a package, these are the texts that the author of the node can shorten.
    Fix: split the node, or move rules that others share into an aspect.
    Example:
        orders/order-service    # W034: texts of ~5200 tokens, threshold 5000
    """
    most, budget = survey.graph.config.quality.own_warning, survey.graph.budget
    if most is None:
        return
    for node in survey.nodes:
        if node.is_blackbox:
            continue
        try:
            tokens = survey.assembler.own_package(node).tokens
        except UnreadableError:
            continue  # reported by E021
        if tokens >= most:
            message = f"its own texts: {_size(tokens, budget)} (threshold: {most:g})"
            advice = ("Split the node, or move shared rules into an aspect.",)
            yield Finding(node.path, message, Place(node.file), advice)


@rule("W010", "missing-schema", Severity.WARNING)
def missing_schema(survey: Survey) -> Iterator[Finding]:
    """`schemas/` contains the schemas of node, aspect and flow files.

    Why: agents read the schema before they write such a file.
    Fix: run `yg init --upgrade` to write the missing schemas.
    Example:
        .yggdrasil/schemas/yg-node.yaml    # W010 if it is missing
    """
    tree = survey.graph.config.file.rpartition("/")[0]
    for name in (NODE_FILE, ASPECT_FILE, FLOW_FILE):
        file = f"{tree}/schemas/{name}"
        if survey.graph.snapshot.kind(file) is not Kind.FILE:
            yield Finding("schemas", f"schemas/{name} is missing", Place(file))


@rule("W018", ReadIssue.UNUSED, Severity.WARNING)
def artifact_not_configured(survey: Survey) -> Iterator[Finding]:
    """Every file of the graph reaches a package.

    A file next to a `yg-node.yaml` must be a configured artifact. A file in `model/`, `aspects/` or
    `flows/` needs a declaration in the same directory; so does one in a directory inside an aspect
    or a flow, or above one. A `yg-node.yaml` elsewhere in the graph declares no node.

    Why: no package includes the file, so nobody reads it.
    Fix: add it to `artifacts` in `yg-config.yaml`, move its text to a file that packages include,
    or remove it.
    Example:
        model/orders/notes.md       # W018: 'notes.md' is not under 'artifacts'
        aspects/audit/img/README    # W018: no package includes it
    """
    yield from (note.finding for note in survey.notes if note.issue is ReadIssue.UNUSED)
    yield from _nodes_elsewhere(survey)
    known = survey.graph.config.artifacts
    for node in survey.nodes:
        for name in node.files:
            if known and name not in known:
                message = f"'{name}' is not a configured artifact, so no package includes it"
                advice = (f"Configured artifacts: {listing(known)}", _NOT_CONFIGURED)
                yield Finding(node.path, message, Place(f"{node.directory}/{name}"), advice)
        for source in node.artifact_sources:
            if known and source.artifact.text not in known:
                message = f"'{source.artifact}' is not a configured artifact, so it is not quoted"
                place = node.place(source.artifact)
                yield Finding(node.path, message, place, (f"Configured: {listing(known)}",))


def _nodes_elsewhere(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each directory beside `model/` that has files called like nodes."""
    snapshot, tree = survey.graph.snapshot, survey.graph.config.file.rpartition("/")[0]
    top = folder_at(snapshot, tree, paths.ROOT)
    if NODE_FILE in top.files:
        yield _elsewhere(tree, f"{tree}/{NODE_FILE}", 1)
    for name in top.folders:
        if name not in _DIRECTORIES:
            below = walk(snapshot, f"{tree}/{name}")
            found = sorted(folder.directory for folder in below if NODE_FILE in folder.files)
            if found:
                yield _elsewhere(f"{tree}/{name}", f"{found[0]}/{NODE_FILE}", len(found))


def _elsewhere(directory: str, first: str, count: int) -> Finding:
    declare = "declares no node" if count == 1 else "declare no nodes"
    message = f"{counted(count, 'file')} '{NODE_FILE}' {declare}: nodes are below model/"
    return Finding(directory, message, Place(first), ("Move the directory of each into model/.",))


_DIRECTORIES = ("model", "aspects", "flows", "schemas", "imports")
_NOT_CONFIGURED = "Rename it to one of these, or add it to 'artifacts' in yg-config.yaml."
