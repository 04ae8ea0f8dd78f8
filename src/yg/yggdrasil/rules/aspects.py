"""Rules about aspects: their ids, and the nodes that must carry them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.kernel.suggest import Suggester, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.survey import Survey


@rule("E014", "duplicate-aspect-binding", Severity.ERROR)
def duplicate_aspect_binding(survey: Survey) -> Iterator[Finding]:
    """No two aspect ids differ only in case or in their Unicode form.

    Why: on file systems that do not see the difference both become one directory, and one of the
    two requirements is lost.
    Fix: rename one of the directories and every reference to it.
    Example:
        aspects/Audit/yg-aspect.yaml
        aspects/audit/yg-aspect.yaml    # E014: one directory on many machines
    """
    first: dict[str, str] = {}
    for aspect_id in survey.aspect_readings:
        other = first.setdefault(_folded(aspect_id), aspect_id)
        if other != aspect_id:
            message = f"its id is the same as '{other}' where case or Unicode form do not count"
            spec = survey.graph.aspects.spec
            place = Place(f"{spec.tree}/{aspect_id}/{spec.file}")
            yield Finding(f"aspects/{aspect_id}", message, place)


def _folded(aspect_id: str) -> str:
    if aspect_id.isascii():
        return aspect_id.casefold()
    from unicodedata import normalize

    return normalize("NFC", aspect_id).casefold()


@rule("W020", "tag-without-aspect", Severity.WARNING)
def tag_without_aspect(survey: Survey) -> Iterator[Finding]:
    """Every tag of a node belongs to an aspect (0.x graphs only).

    Why: a tag that no aspect answers to brings nothing into the package.
    Fix: correct the tag, or describe the aspect in a file under `aspects/`.
    Example:
        tags: [requires-audits]    # W020: the aspect's tag is requires-audit
    """
    known = {aspect.tag for aspect in survey.graph.aspects}
    tags_like = Suggester(known)
    for node in survey.nodes:
        for use in node.aspects:
            if use.aspect.text not in known:
                near = did_you_mean(tags_like(use.aspect.text))
                message = f"tag '{use.aspect}' belongs to no aspect"
                advice = (near,) if near else ()
                yield Finding(node.path, message, node.place(use.aspect), advice)


@rule("W011", "missing-required-aspect-coverage", Severity.WARNING)
def missing_required_aspect_coverage(survey: Survey) -> Iterator[Finding]:
    """Every node has the aspects that its type requires.

    They may be its own, an ancestor's, a flow's, or implied by any of these. Blackbox nodes are
    left alone.

    Why: the type promises that all its nodes meet these requirements.
    Fix: declare the aspect on the node or an ancestor, or take it out of the type's
    `required_aspects`.
    Example:
        node_types:
          service:
            description: "A component"
            required_aspects: [requires-audit]    # W011 on every service without it
    """
    types = survey.graph.config.node_types
    for node in survey.nodes:
        required = types[node.type.text].required_aspects if node.type.text in types else ()
        unique = {word.text: word for word in reversed(required)}
        for word in () if node.is_blackbox else reversed(unique.values()):
            if survey.graph.aspects.get(word.text) is None:
                continue  # E012 tells of it
            if word.text not in survey.effective[node.path]:
                message = f"type '{node.type}' requires aspect '{word}', and nothing brings it here"
                advice = (f"Add '- aspect: {word}' under 'aspects', here or on an ancestor.",)
                yield Finding(node.path, message, node.place(node.type), advice)
