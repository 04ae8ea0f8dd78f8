"""Rules about unreadable or invalid files; the readers record the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.codec import Codec, Recipe
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Place, Severity, correction
from yg_old.kernel.rule import rule
from yg_old.kernel.snapshot import conflict_line
from yg_old.text.escapes import shell_quoted
from yg_old.text.paths import name_of
from yg_old.text.suggest import Suggester, did_you_mean, listing, nearest
from yg_old.yggdrasil.collection import conflict, unreadable
from yg_old.yggdrasil.levels import setting_faults
from yg_old.yggdrasil.model import ReadIssue
from yg_old.yggdrasil.nearby import Adviser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.snapshot import Text
    from yg_old.yggdrasil.model import Config
    from yg_old.yggdrasil.rules.survey import Survey

CONFLICT: Recipe[int] = Recipe("conflict", conflict_line, Codec(int))  # of a baseline


@rule("E001", ReadIssue.NODE, Severity.ERROR)
def invalid_node_yaml(survey: Survey) -> Iterator[Finding]:
    """Every `yg-node.yaml` is valid YAML and has the fields of a node.

    Why: a node that cannot be parsed is missing from every package, including those of the nodes
    that depend on it.
    Fix: correct the value at the given position; a node needs at least `name` and `type`.
    Example:
        name: OrderService
        type: service
        relations: payments/payment-service    # E001: must be a list
    """
    return _noted(survey, ReadIssue.NODE)


@rule("E012", ReadIssue.CONFIG, Severity.ERROR)
def invalid_config(survey: Survey) -> Iterator[Finding]:
    """`yg-config.yaml` exists, is valid and complete, and what it refers to exists.

    It refers to aspects (`required_aspects`), to types (`may_use`), to nodes (`code.accepted`) and
    to rules (`rules`). Of the rules that report errors, only E010 can be lowered.

    Why: the configuration defines the node types and artifacts; without it, nothing else can be
    checked.
    Fix: correct the value at the given position; `name` and `node_types` are required.
    Example:
        name: shop
        node_types: [service]    # E012: must be a mapping
    """
    yield from _noted(survey, ReadIssue.CONFIG)
    config, advise = survey.graph.config, Adviser(survey.graph)
    if config.rules:
        yield from setting_faults(survey.rules(), config)
    for node_type in config.node_types.values():
        unique = {aspect.text: aspect for aspect in reversed(node_type.required_aspects)}
        for aspect in reversed(unique.values()):
            if survey.graph.aspects.get(aspect.text) is None:
                message = (
                    f"type '{node_type.name}' requires aspect '{aspect}', which does not resolve"
                )
                place = Place(config.file, aspect.line, aspect.column)
                advice, cause = advise.aspect(aspect.text), advise.aspect_fault(aspect.text)
                fixes = advise.aspect_fixes(place, aspect.text)
                yield Finding("yg-config.yaml", message, place, advice, follows=cause, fixes=fixes)
    yield from _unknown_types(config)
    for entry in config.code.accepted if config.code else ():
        for node in (entry.source, entry.target):
            if survey.graph.nodes.get(node.text) is None:
                message = f"'code.accepted' names '{node}', which does not resolve"
                place = Place(config.file, node.line, node.column)
                advice, cause = advise.node(node.text), advise.node_fault(node.text)
                fixes = advise.node_fixes(place, node.text)
                yield Finding("yg-config.yaml", message, place, advice, follows=cause, fixes=fixes)


def _unknown_types(config: Config) -> Iterator[Finding]:
    """Yield a finding for each type under `may_use` that does not exist, once for each list."""
    types_like = Suggester(config.node_types)
    for kind in config.node_types.values():
        unique = {word.text: word for word in reversed(kind.may_use or ())}
        for word in reversed(unique.values()):
            if word.text not in config.node_types:
                near = types_like(word.text)
                message = f"type '{kind.name}' may use '{word}', which is not in node_types"
                place = Place(config.file, word.line, word.column)
                advice = did_you_mean(near[:1]) or f"Types: {listing(config.node_types)}."
                fixes = correction(place, near)
                yield Finding("yg-config.yaml", message, place, (advice,), fixes=fixes)


@rule("E015", ReadIssue.NO_NODE, Severity.ERROR)
def missing_node_yaml(survey: Survey) -> Iterator[Finding]:
    """Every directory under `model/` that contains files has a `yg-node.yaml`.

    Why: without `yg-node.yaml`, the files belong to no node and no package includes them.
    Fix: add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
    Example:
        model/orders/responsibility.md    # E015: model/orders/yg-node.yaml is missing
    """
    return _noted(survey, ReadIssue.NO_NODE)


@rule("E018", ReadIssue.ASPECT, Severity.ERROR)
def invalid_aspect_yaml(survey: Survey) -> Iterator[Finding]:
    """Every aspect directory has a valid `yg-aspect.yaml`.

    Why: if an aspect cannot be read, its requirements are missing from every package.
    Fix: correct the value at the given position, or add the missing file; an aspect needs a `name`.
    Example:
        name: Audit trail
        stability: firm    # E018: must be schema, protocol or implementation
    """
    return _noted(survey, ReadIssue.ASPECT)


@rule("E019", ReadIssue.FLOW, Severity.ERROR)
def invalid_flow_yaml(survey: Survey) -> Iterator[Finding]:
    """Every flow directory has a valid `yg-flow.yaml`.

    Why: if a flow cannot be read, its description is missing from the packages of all participants.
    Fix: correct the value at the given position, or add the missing file; a flow needs `name` and
    `nodes`.
    Example:
        name: Checkout
        nodes: []    # E019: must not be empty
    """
    return _noted(survey, ReadIssue.FLOW)


@rule("E021", ReadIssue.UNREADABLE, Severity.ERROR)
def unreadable_file(survey: Survey) -> Iterator[Finding]:
    """Every file of the graph is readable UTF-8 text of at most 16 MB.

    The limit is 16,000,000 bytes; larger files are not read. Source files can have any size.

    Binary files are not text; the files of an aspect or a flow may be binary (see W027).

    Why: packages include these files; an unreadable file is missing from them.
    Fix: save the file as UTF-8, split it, or fix its permissions; replace it if it is
    not a regular file.
    Example:
        model/orders/interface.md    # E021: saved as Latin-1, not UTF-8 at byte 120
    """
    yield from _noted(survey, ReadIssue.UNREADABLE)
    for surveyed in survey.doubtful_texts:
        text = surveyed.text
        if not surveyed.is_left_out and text.fault:
            yield unreadable(surveyed.subject, text.path, text.fault).finding


@rule("E025", ReadIssue.CONFLICT, Severity.ERROR)
def conflict_marker(survey: Survey) -> Iterator[Finding]:
    """No file of the graph has an unresolved merge conflict.

    A conflict is a line that starts with `<<<<<<< `. Declarations, configured artifacts, the
    contents of aspects and flows, the configuration and baselines are checked.

    Why: git left both versions in the file, and only one of them can be true.
    Fix: keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
    Example:
        <<<<<<< HEAD    # E025: unresolved merge conflict
        name: OrderService
        =======
        name: Orders
        >>>>>>> feature
    """
    yield from _noted(survey, ReadIssue.CONFLICT)
    for surveyed in survey.doubtful_texts:
        line = 0 if surveyed.is_left_out else surveyed.text.conflict
        if line:
            yield conflict(surveyed.subject, surveyed.text.path, line).finding
    if survey.baselines is not None:
        for node, file in survey.baselines.all():
            line = _conflict_in(survey.graph.snapshot.text(file))
            if line:
                yield conflict(node, file, line, _sync_advice(survey, node)).finding


def _conflict_in(baseline: Text) -> int:
    try:
        return baseline.made(CONFLICT)
    except UnreadableError:
        return 0  # drift reports it


def _sync_advice(survey: Survey, node: str) -> tuple[str, ...]:
    if survey.graph.nodes.get(node) is None:
        return ()
    return (f"Check the node, then write it again: yg drift-sync --node {shell_quoted(node)}",)


@rule("W027", "binary-file", Severity.WARNING)
def binary_file(survey: Survey) -> Iterator[Finding]:
    """Every file of an aspect or a flow is text.

    A file with a NUL among its first 8,000 bytes is binary. In 0.x graphs the files of nodes are
    checked too.

    Why: a package is text, so it names the file and leaves its content out.
    Fix: describe in a text what the file shows, and keep the file outside the graph.
    Example:
        aspects/audit/diagram.png    # W027: packages have only its name and its size
    """
    for surveyed in survey.doubtful_texts:
        if surveyed.is_left_out:
            file = surveyed.text.path
            message = f"'{name_of(file)}' is binary, so packages leave it out"
            yield Finding(surveyed.subject, message, Place(file))


@rule("W028", ReadIssue.DUPLICATE, Severity.WARNING)
def duplicate_entry(survey: Survey) -> Iterator[Finding]:
    """No relation, aspect or participant is listed twice.

    Relations are the same if their target, their type and their event name are. Repeated entries
    are read as one: what they consume, their failures, exceptions and anchors are merged. If one
    of them has no `consumes`, the node consumes everything.

    Why: the next change is made in one of the entries only, and then they contradict each other.
    Fix: merge the entries into one.
    Example:
        relations:
          - {target: payments, type: calls, consumes: [charge]}
          - {target: payments, type: calls, consumes: [refund]}    # W028
    """
    return _noted(survey, ReadIssue.DUPLICATE)


@rule("W013", ReadIssue.BARE_DIRECTORY, Severity.WARNING)
def directory_without_node(survey: Survey) -> Iterator[Finding]:
    """Every directory between `model/` and a node is a node itself.

    Why: a node inherits context from its ancestors; a directory without `yg-node.yaml` provides
    none.
    Fix: add a `yg-node.yaml` to the directory, or move its nodes up one level.
    Example:
        model/platform/billing/yg-node.yaml    # W013: model/platform/yg-node.yaml is missing
    """
    return _noted(survey, ReadIssue.BARE_DIRECTORY)


@rule("W016", "unknown-key", Severity.WARNING)
def unknown_key(survey: Survey) -> Iterator[Finding]:
    """Every key in the YAML files of the graph is known.

    Why: a misspelled key is ignored, although its author expects it to have an effect.
    Fix: correct the spelling, or remove the key.
    Example:
        name: OrderService
        type: service
        relation: []    # W016: did you mean 'relations'?
    """
    for use in survey.unknown_keys:
        name, known = use.key.name, use.key.known
        near = nearest(name.text, known)
        advice = did_you_mean(near[:1]) or f"Known keys: {listing(known)}"
        place = Place(use.file, name.line, name.column)
        message, fixes = f"unknown key '{name}'", correction(place, near)
        yield Finding(use.subject, message, place, (advice,), fixes=fixes)


@rule("W019", ReadIssue.LINK, Severity.WARNING)
def ignored_link(survey: Survey) -> Iterator[Finding]:
    """No file or directory in the graph is a symbolic link.

    Why: a link can point outside the repository or form a loop, so links are not followed and
    packages do not include their targets.
    Fix: replace the link with the content of its target.
    Example:
        model/orders/interface.md -> ../../../docs/orders.md    # W019
    """
    return _noted(survey, ReadIssue.LINK)


def _noted(survey: Survey, issue: ReadIssue) -> Iterator[Finding]:
    return (note.finding for note in survey.notes if note.issue is issue)
