"""Rules about unreadable or invalid files; the readers find most of the problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.text.paths import name_of
from yg.text.suggest import Suggester, did_you_mean, listing
from yg.yggdrasil.declaration import (
    ASPECT,
    CONFIG,
    CONFLICT,
    DUPLICATE,
    FLOW,
    NODE,
    UNREADABLE,
    conflict,
    unreadable,
)
from yg.yggdrasil.model import CONFIG_FILE
from yg.yggdrasil.read import BARE_DIRECTORY, LINK, NO_NODE
from yg.yggdrasil.rules.levels import config_place, gone_settings, setting_faults
from yg.yggdrasil.rules.nearby import Adviser
from yg.yggdrasil.rules.old_keys import where_it_went

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import UnknownKey
    from yg.yggdrasil.survey import Survey


@rule(NODE, "invalid-node-yaml", Severity.ERROR)
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
    return _noted(survey, NODE)


@rule(CONFIG, "invalid-config", Severity.ERROR)
def invalid_config(survey: Survey) -> Iterator[Finding]:
    """`yg-config.yaml` exists, is valid and complete, and what it refers to exists.

    It refers to aspects (`required_aspects`), to types (`may_use`) and to rules (`rules`). Of the
    rules that report errors, only E010 can be lowered.

    Why: the configuration defines the node types and artifacts; without it, nothing else can be
    checked.
    Fix: correct the value at the given position; `name` and `node_types` are required.
    Example:
        name: shop
        node_types: [service]    # E012: must be a mapping
    """
    from yg.yggdrasil.rules import RULES  # which contains this rule

    graph, advise = survey.graph, Adviser(survey.graph)
    yield from _noted(survey, CONFIG)
    yield from setting_faults(RULES, graph)
    for kind in graph.config.node_types.values():
        unique = {aspect.text: aspect for aspect in reversed(kind.required_aspects)}
        for aspect in reversed(unique.values()):
            if aspect.text not in graph.aspects:
                message = f"type '{kind.name}' requires aspect '{aspect}', which does not resolve"
                place = config_place(graph, aspect)
                yield advise.no_aspect(CONFIG_FILE, message, place, aspect.text)
    yield from _unknown_types(graph)


def _unknown_types(graph: Graph) -> Iterator[Finding]:
    """Yield a finding for each type under `may_use` that does not exist, once for each list."""
    types = graph.config.node_types
    types_like = Suggester(types)
    for kind in types.values():
        unique = {word.text: word for word in reversed(kind.may_use or ())}
        for word in reversed(unique.values()):
            if word.text not in types:
                message = f"type '{kind.name}' may use '{word}', which is not in node_types"
                place = config_place(graph, word)
                advice = did_you_mean(types_like(word.text)[:1]) or f"Types: {listing(types)}."
                yield Finding(CONFIG_FILE, message, place, (advice,))


@rule(NO_NODE, "missing-node-yaml", Severity.ERROR)
def missing_node_yaml(survey: Survey) -> Iterator[Finding]:
    """Every directory under `model/` that contains files has a `yg-node.yaml`.

    Why: without `yg-node.yaml`, the files belong to no node and no package includes them.
    Fix: add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
    Example:
        model/orders/responsibility.md    # E015: model/orders/yg-node.yaml is missing
    """
    return _noted(survey, NO_NODE)


@rule(ASPECT, "invalid-aspect-yaml", Severity.ERROR)
def invalid_aspect_yaml(survey: Survey) -> Iterator[Finding]:
    """Every aspect directory has a valid `yg-aspect.yaml`.

    Why: if an aspect cannot be read, its requirements are missing from every package.
    Fix: correct the value at the given position, or add the missing file; an aspect needs a `name`.
    Example:
        name: Audit trail
        stability: firm    # E018: must be schema, protocol or implementation
    """
    return _noted(survey, ASPECT)


@rule(FLOW, "invalid-flow-yaml", Severity.ERROR)
def invalid_flow_yaml(survey: Survey) -> Iterator[Finding]:
    """Every flow directory has a valid `yg-flow.yaml`.

    Why: if a flow cannot be read, its description is missing from the packages of all participants.
    Fix: correct the value at the given position, or add the missing file; a flow needs `name` and
    `nodes`.
    Example:
        name: Checkout
        nodes: []    # E019: must not be empty
    """
    return _noted(survey, FLOW)


@rule(UNREADABLE, "unreadable-file", Severity.ERROR)
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
    yield from _noted(survey, UNREADABLE)
    for text in survey.unsound_texts:
        if text.facts.fault and not text.is_left_out:
            yield unreadable(text.subject, text.path, text.facts.fault).finding


@rule(CONFLICT, "conflict-marker", Severity.ERROR)
def conflict_marker(survey: Survey) -> Iterator[Finding]:
    """No file of the graph has an unresolved merge conflict.

    A conflict is a line that starts with `<<<<<<< `. Declarations, configured artifacts, the
    contents of aspects and flows, and the configuration are checked.

    Why: git left both versions in the file, and only one of them can be true.
    Fix: keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
    Example:
        <<<<<<< HEAD    # E025: unresolved merge conflict
        name: OrderService
        =======
        name: Orders
        >>>>>>> feature
    """
    yield from _noted(survey, CONFLICT)
    for text in survey.unsound_texts:
        if text.facts.conflict:
            yield conflict(text.subject, text.path, text.facts.conflict).finding


@rule("W027", "binary-file", Severity.WARNING)
def binary_file(survey: Survey) -> Iterator[Finding]:
    """Every file of an aspect or a flow is text.

    A file with a NUL among its first 8,000 bytes is binary.

    Why: a package is text, so it names the file and leaves its content out.
    Fix: describe in a text what the file shows, and keep the file outside the graph.
    Example:
        aspects/audit/diagram.png    # W027: packages have only its name and its size
    """
    for text in survey.unsound_texts:
        if text.is_left_out:
            message = f"'{name_of(text.path)}' is binary, so packages leave it out"
            yield Finding(text.subject, message, Place(text.path))


@rule(DUPLICATE, "duplicate-entry", Severity.WARNING)
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
    return _noted(survey, DUPLICATE)


@rule(BARE_DIRECTORY, "directory-without-node", Severity.WARNING)
def directory_without_node(survey: Survey) -> Iterator[Finding]:
    """Every directory between `model/` and a node is a node itself.

    Why: a node inherits context from its ancestors; a directory without `yg-node.yaml` provides
    none.
    Fix: add a `yg-node.yaml` to the directory, or move its nodes up one level.
    Example:
        model/platform/billing/yg-node.yaml    # W013: model/platform/yg-node.yaml is missing
    """
    return _noted(survey, BARE_DIRECTORY)


@rule("W016", "unknown-key", Severity.WARNING)
def unknown_key(survey: Survey) -> Iterator[Finding]:
    """Every key in the YAML files of the graph is known.

    A key is reported once, with the number of files that have it. So are keys of earlier versions,
    and settings of their rules, which have no effect any more.

    Why: a misspelled key is ignored, although its author expects it to have an effect.
    Fix: correct the spelling, or remove the key.
    Example:
        name: OrderService
        type: service
        relation: []    # W016: did you mean 'relations'?
    """
    uses: dict[tuple[str, tuple[str, ...]], list[UnknownKey]] = {}
    for key in survey.graph.unknown_keys:
        uses.setdefault((key.name.text, key.known), []).append(key)
    suggesters: dict[tuple[str, ...], Suggester] = {}
    for (name, known), keys in uses.items():
        files = {key.file for key in keys}
        first = min(keys, key=lambda key: (key.file, key.name.line, key.name.column))
        advice = where_it_went(known, name)
        if not advice:
            near = suggesters.setdefault(known, Suggester(known))(name)
            advice = did_you_mean(near[:1]) or f"Known keys: {listing(known)}"
        message = f"unknown key '{name}'" + (f" in {len(files)} files" if len(files) > 1 else "")
        place = Place(first.file, first.name.line, first.name.column)
        others = {key.subject for key in keys} - {first.subject}
        yield Finding(first.subject, message, place, (advice,), tuple(sorted(others)))
    yield from gone_settings(survey.graph)


@rule(LINK, "ignored-link", Severity.WARNING)
def ignored_link(survey: Survey) -> Iterator[Finding]:
    """No file or directory in the graph is a symbolic link.

    Why: a link can point outside the repository or form a loop, so links are not followed and
    packages do not include their targets.
    Fix: replace the link with the content of its target.
    Example:
        model/orders/interface.md -> ../../../docs/orders.md    # W019
    """
    return _noted(survey, LINK)


def _noted(survey: Survey, code: str) -> Iterator[Finding]:
    """Yield what the readers found for a rule."""
    return (problem.finding for problem in survey.graph.problems if problem.code == code)
