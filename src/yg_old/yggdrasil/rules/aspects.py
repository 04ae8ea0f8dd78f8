"""Rules about aspect ids and the aspects that nodes must have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Finding, Place, Severity, correction
from yg_old.kernel.rule import rule
from yg_old.text import paths
from yg_old.text.suggest import Suggester, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.rules.survey import Survey


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
    first: dict[str, str] = {}
    for aspect_id in survey.aspect_readings:
        other = first.setdefault(paths.folded(aspect_id), aspect_id)
        if other != aspect_id:
            message = f"id differs from '{other}' only in case or Unicode form"
            spec = survey.graph.aspects.spec
            place = Place(f"{spec.tree}/{aspect_id}/{spec.file}")
            yield Finding(f"aspects/{aspect_id}", message, place)


@rule("W020", "tag-without-aspect", Severity.WARNING)
def tag_without_aspect(survey: Survey) -> Iterator[Finding]:
    """Every tag of a node is the tag of an aspect (0.x graphs only).

    Why: a tag without an aspect adds nothing to the package.
    Fix: correct the tag, or add the aspect in a file under `aspects/`.
    Example:
        tags: [requires-audits]    # W020: the aspect's tag is requires-audit
    """
    known = {aspect.tag for aspect in survey.graph.aspects}
    tags_like = Suggester(known)
    for node in survey.nodes:
        for use in node.aspects:
            if use.aspect.text not in known:
                near = tags_like(use.aspect.text)
                message = f"no aspect has the tag '{use.aspect}'"
                advice, place = tuple(filter(None, [did_you_mean(near)])), node.place(use.aspect)
                fixes = correction(place, near)
                yield Finding(node.path, message, place, advice, fixes=fixes)


@rule("W011", "missing-required-aspect-coverage", Severity.WARNING)
def missing_required_aspect_coverage(survey: Survey) -> Iterator[Finding]:
    """Every node has the aspects that its type requires.

    An aspect can come from the node, an ancestor or a flow, or be implied by one of theirs.
    Blackbox nodes are not checked.

    Why: the type states that all its nodes meet these requirements.
    Fix: declare the aspect on the node or an ancestor, or remove it from `required_aspects` of the
    type.
    Example:
        node_types:
          service:
            description: "A component"
            required_aspects: [requires-audit]    # W011 on every service without it
    """
    types = survey.graph.config.node_types
    for node in survey.nodes:
        required = types[node.type.text].required_aspects if node.type.text in types else ()
        unique = {aspect.text: aspect for aspect in reversed(required)}
        for aspect in () if node.is_blackbox else reversed(unique.values()):
            if survey.graph.aspects.get(aspect.text) is None:
                continue  # reported by E012
            if aspect.text not in survey.effective[node.path]:
                message = f"type '{node.type}' requires aspect '{aspect}', which this node lacks"
                advice = (f"Add '- aspect: {aspect}' under 'aspects', here or on an ancestor.",)
                yield Finding(node.path, message, node.place(node.type), advice)
