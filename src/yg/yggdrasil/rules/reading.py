"""Rules about files that cannot be read or understood; the readers have noted what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.kernel.suggest import did_you_mean, listing, nearest
from yg.yggdrasil.collection import unreadable
from yg.yggdrasil.model import ReadIssue
from yg.yggdrasil.nearby import Adviser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.survey import Survey


@rule("E001", ReadIssue.NODE, Severity.ERROR)
def invalid_node_yaml(survey: Survey) -> Iterator[Finding]:
    """Every `yg-node.yaml` is valid YAML and has the shape of a node.

    Why: a node that cannot be understood is in nobody's context, and whatever depends on it
    works blind.
    Fix: correct the value at the place named; a node needs at least `name` and `type`.
    Example:
        name: OrderService
        type: service
        relations: payments/payment-service    # E001: must be a list
    """
    return _noted(survey, ReadIssue.NODE)


@rule("E012", ReadIssue.CONFIG, Severity.ERROR)
def invalid_config(survey: Survey) -> Iterator[Finding]:
    """`yg-config.yaml` is there, valid and complete, and the aspects it requires exist.

    Why: the configuration says which node types and artifacts exist; without it nothing else
    can be judged.
    Fix: correct the value at the place named; `name`, `node_types` and `artifacts` are needed.
    Example:
        name: shop
        node_types: [service]    # E012: must be a mapping
    """
    yield from _noted(survey, ReadIssue.CONFIG)
    config, advise = survey.graph.config, Adviser(survey.graph)
    for node_type in config.node_types.values():
        unique = {word.text: word for word in reversed(node_type.required_aspects)}
        for word in reversed(unique.values()):
            if survey.graph.aspects.get(word.text) is None:
                message = (
                    f"type '{node_type.name}' requires aspect '{word}', which does not resolve"
                )
                place = Place(config.file, word.line, word.column)
                yield Finding("yg-config.yaml", message, place, advise.aspect(word.text))


@rule("E015", ReadIssue.NO_NODE, Severity.ERROR)
def missing_node_yaml(survey: Survey) -> Iterator[Finding]:
    """Every directory of `model/` that has files declares a node.

    Why: without `yg-node.yaml` the files in the directory belong to nothing and reach nobody.
    Fix: add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
    Example:
        model/orders/responsibility.md    # E015: there is no model/orders/yg-node.yaml
    """
    return _noted(survey, ReadIssue.NO_NODE)


@rule("E018", ReadIssue.ASPECT, Severity.ERROR)
def invalid_aspect_yaml(survey: Survey) -> Iterator[Finding]:
    """Every aspect directory has a valid `yg-aspect.yaml`.

    Why: a requirement that cannot be read stops applying to every node that carries it.
    Fix: correct the value at the place named, or add the missing file; an aspect needs a `name`.
    Example:
        name: Audit trail
        stability: firm    # E018: must be schema, protocol or implementation
    """
    return _noted(survey, ReadIssue.ASPECT)


@rule("E019", ReadIssue.FLOW, Severity.ERROR)
def invalid_flow_yaml(survey: Survey) -> Iterator[Finding]:
    """Every flow directory has a valid `yg-flow.yaml`.

    Why: participants of a flow that cannot be read lose the description of the whole process.
    Fix: correct the value at the place named, or add the missing file; a flow needs `name` and
    `nodes`.
    Example:
        name: Checkout
        nodes: []    # E019: must not be empty
    """
    return _noted(survey, ReadIssue.FLOW)


@rule("E021", ReadIssue.UNREADABLE, Severity.ERROR)
def unreadable_file(survey: Survey) -> Iterator[Finding]:
    """Every file of the graph can be opened and is UTF-8 text of at most 16 MB.

    That is 16,000,000 bytes. A larger file is not read. Source files can have any size.

    Why: a package quotes these files; one that cannot be read would leave a hole in it.
    Fix: save the file as UTF-8, split it, or fix its permissions; replace what is not a regular
    file.
    Example:
        model/orders/interface.md    # E021: saved as Latin-1, not UTF-8 at byte 120
    """
    yield from _noted(survey, ReadIssue.UNREADABLE)
    for subject, text in survey.texts:
        if text.fault:
            yield unreadable(subject, text.path, text.fault).finding


@rule("W013", ReadIssue.BARE_DIRECTORY, Severity.WARNING)
def directory_without_node(survey: Survey) -> Iterator[Finding]:
    """Every directory of `model/` on the way to a node is a node itself.

    Why: a child learns its domain from its ancestors; a bare directory has nothing to tell.
    Fix: describe the directory in a `yg-node.yaml`, or move its nodes one level up.
    Example:
        model/platform/billing/yg-node.yaml    # W013: model/platform/ has none
    """
    return _noted(survey, ReadIssue.BARE_DIRECTORY)


@rule("W016", "unknown-key", Severity.WARNING)
def unknown_key(survey: Survey) -> Iterator[Finding]:
    """Every key in the graph's YAML files means something.

    Why: a misspelt key is a declaration that its author believes in and nobody reads.
    Fix: correct the spelling, or remove the key.
    Example:
        name: OrderService
        type: service
        relation: []    # W016: did you mean 'relations'?
    """
    for use in survey.unknown_keys:
        word, known = use.key.word, use.key.known
        near = did_you_mean(nearest(word.text, known)[:1])
        advice = near or f"Known here: {listing(known)}"
        place = Place(use.file, word.line, word.column)
        yield Finding(use.subject, f"unknown key '{word}'", place, (advice,))


@rule("W019", ReadIssue.LINK, Severity.WARNING)
def ignored_link(survey: Survey) -> Iterator[Finding]:
    """Nothing inside the graph is a symbolic link.

    Why: a link may lead out of the repository or in circles, so none is followed: what it points
    at is missing from every package.
    Fix: put the content itself into the graph.
    Example:
        model/orders/interface.md -> ../../../docs/orders.md    # W019
    """
    return _noted(survey, ReadIssue.LINK)


def _noted(survey: Survey, issue: ReadIssue) -> Iterator[Finding]:
    return (note.finding for note in survey.notes if note.issue is issue)
