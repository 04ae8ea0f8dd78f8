"""The forms of `yg review`: text, GitHub workflow commands and SARIF."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import replace

from yg_old.code.change_class import NameChangeKind
from yg_old.code.parts import FILE
from yg_old.commands.drift.steps import COMPLETE, REASON, RESTORE, left_over, sync_command
from yg_old.commands.drift.text import change_text
from yg_old.commands.validate.ci import workflow_command
from yg_old.commands.validate.sarif import sarif_location, sarif_log
from yg_old.kernel.document import json_text
from yg_old.kernel.palette import visible
from yg_old.text.escapes import escape_controls
from yg_old.text.plural import counted, listed
from yg_old.yggdrasil.drift.states import State
from yg_old.yggdrasil.review.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.commands.review.documents import (
        MentionedPart,
        NodeReview,
        PartDifference,
        Review,
        SentenceToCheck,
    )
    from yg_old.kernel.palette import Palette

NOTHING = "Nothing to check.\n"
TITLES = {
    Evidence.VALUE: "A value is no longer in the code",
    Evidence.GONE: "A name is in no code any more",
    Evidence.SIGNATURE: "A signature changed",
    Evidence.BODY: "A body changed",
}


def review_text(review: Review, palette: Palette) -> str:
    """Write what to check of each node, and how to go on: below one node, or once for several."""
    nodes = [list(_node(node, palette)) for node in review.nodes]
    steps = list(_steps(review))
    if len(nodes) == 1:
        nodes[0] += [f"  {line}" for line in steps]
        steps = []
    blocks = [*nodes, steps, list(_unrecorded(review))]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block) or NOTHING


def _node(node: NodeReview, palette: Palette) -> Iterator[str]:
    yield palette.bold(visible(node.node))
    for file in node.files:
        yield f"  {change_text(replace(file.change, mentions=UNSET))}"
    if node.sentences:
        yield "  Check:"
    for sentence in node.sentences:
        yield from sentence_lines(sentence, palette)
    if node.unmentioned:
        names = [f"{_name(part)} ({part.kind})" for part in node.unmentioned]
        yield f"  Changed, but in no sentence: {listed(names)}"
    for difference in node.differences or ():
        yield from _difference(difference, palette)


def _difference(difference: PartDifference, palette: Palette) -> Iterator[str]:
    yield f"  {visible(difference.path)}: {visible(difference.name)}"
    paints = {"+": palette.added, "-": palette.removed}
    for line in difference.diff.split("\n"):
        paint = paints.get(line[:1])
        shown = escape_controls(line)
        yield f"    {paint(shown) if paint else shown}"


def _steps(review: Review) -> Iterator[str]:
    """Yield the next steps: one command for all nodes about which the same is to be done."""
    if review.since is not None:  # there may be no baseline to record
        if any(node.sentences for node in review.nodes):
            yield "Next: correct the sentences that are no longer true"
        return
    missing = [node for node in review.nodes if node.state is State.MISSING]
    present = [node for node in review.nodes if node.state is not State.MISSING]
    if missing:
        yield f"Next: {RESTORE}"
    yield from _completed([node for node in present if node.completion])
    complete = [node for node in present if not node.completion]
    yield from _corrected([node.node for node in complete if node.sentences])
    rest = [node for node in complete if not node.sentences]
    yield from _recorded([node.node for node in rest if not node.needs_reason])
    yield from _recorded([node.node for node in rest if node.needs_reason], REASON)


def _completed(nodes: Sequence[NodeReview]) -> Iterator[str]:
    """Yield what to do about nodes of which some mapped files are missing."""
    if nodes:
        several = len(nodes) > 1
        text = f"correct the {'texts' if several else 'text'}; "
        first = text if any(node.sentences for node in nodes) else ""
        what = COMPLETE if several else nodes[0].completion
        yield from _recorded([node.node for node in nodes], what=f"{first}{what}; then ")


def _corrected(nodes: Sequence[str]) -> Iterator[str]:
    """Yield what to do about nodes with sentences to check."""
    if nodes:
        several = len(nodes) > 1
        text, sentence = ("texts", "sentence about them") if several else ("text", "sentence")
        yield f"Next: correct the {text}, then run: {sync_command(nodes)}"
        yield f"      or, if every {sentence} is still true: {sync_command(nodes, REASON)}"
        yield from (f"Next: {step}" for step in left_over(nodes))


def _recorded(nodes: Sequence[str], *options: str, what: str = "") -> Iterator[str]:
    """Yield the command that records nodes, after what is to be done first."""
    if nodes:
        yield f"Next: {what}run: {sync_command(nodes, *options)}"
        yield from (f"Next: {step}" for step in left_over(nodes))


def _unrecorded(review: Review) -> Iterator[str]:
    """Yield what to do about nodes without a baseline."""
    names = review.unrecorded
    if not names:
        return
    if len(names) == 1:
        yield f"{visible(names[0])}: no baseline"
    else:
        yield f"{counted(len(names), 'node')}: no baseline"
    yield "  Next: compare with a commit: yg review --since REV"
    yield f"        or, if code and graph match: {sync_command(names)}"
    yield from (f"  Next: {step}" for step in left_over(names))


def sentence_lines(sentence: SentenceToCheck, palette: Palette) -> Iterator[str]:
    """Yield a sentence with its place, and why it is to be checked."""
    place = palette.place(f"{visible(sentence.document)}:{sentence.line}")
    yield f"    {place}  {visible(sentence.text)}"
    yield f"      {reasons(sentence)}"


def reasons(sentence: SentenceToCheck, *, places: bool = True) -> str:
    """Write why a sentence is to be checked: changed parts it is about, values that are gone."""
    parts = [_part(part, sentence.gone, places=places) for part in sentence.parts]
    texts = [listed(parts)]
    if sentence.values:
        verb = "is" if len(sentence.values) == 1 else "are"
        texts.append(f"{listed([visible(value) for value in sentence.values])} {verb} gone")
    return "; ".join(texts)


def _part(part: MentionedPart, gone: frozenset[str], *, places: bool) -> str:
    is_gone = part.change is NameChangeKind.REMOVED and part.name in gone
    what = f"{_name(part)} {'is gone' if is_gone else part.change}"
    if not places or part.name == FILE:
        return what
    line = f":{part.first}" if part.first is not UNSET else ""
    return f"{what} ({visible(part.path)}{line})"


def _name(part: MentionedPart) -> str:
    """Write the name of a part; that of the file for what is outside of all declarations."""
    return visible(part.path if part.name == FILE else part.name)


def review_github(review: Review, _palette: Palette) -> str:
    """Write a workflow command for each sentence, which GitHub shows next to the line."""
    return "".join(
        workflow_command(
            "warning" if sentence.evidence.is_strong else "notice",
            review.git_prefix,
            sentence.file,
            sentence.line,
            title=f"yg review {node.node}",
            text=_message(node, sentence),
        )
        for node, sentence in _sentences(review)
    )


def _sentences(review: Review) -> Iterator[tuple[NodeReview, SentenceToCheck]]:
    return ((node, sentence) for node in review.nodes for sentence in node.sentences)


def _message(node: NodeReview, sentence: SentenceToCheck) -> str:
    return f"{sentence.text}\n{reasons(sentence)}. Is the sentence still true of {node.node}?"


def review_sarif(review: Review, _palette: Palette) -> str:
    """Write the sentences as one SARIF run, with a rule for each kind of evidence."""
    order: Sequence[Evidence] = tuple(Evidence)
    results = [
        {
            "ruleId": f"review/{sentence.evidence}",
            "ruleIndex": order.index(sentence.evidence),
            "level": "warning" if sentence.evidence.is_strong else "note",
            "message": {"text": _message(node, sentence)},
            "locations": [
                {
                    "physicalLocation": sarif_location(
                        sentence.file, sentence.line, review.git_prefix
                    )
                }
            ],
            "partialFingerprints": {"yg/v1": _fingerprint(node, sentence)},
        }
        for node, sentence in _sentences(review)
    ]
    return json_text(sarif_log([_rule(evidence) for evidence in order], results))


def _rule(evidence: Evidence) -> dict[str, Any]:
    level = "warning" if evidence.is_strong else "note"
    return {
        "id": f"review/{evidence}",
        "shortDescription": {"text": TITLES[evidence]},
        "help": {"text": "Correct the sentence if it is no longer true, then run yg drift-sync."},
        "defaultConfiguration": {"level": level},
    }


def _fingerprint(node: NodeReview, sentence: SentenceToCheck) -> str:
    names = (part.name for part in sentence.parts)
    parts = (node.node, sentence.file, sentence.text, sentence.evidence, *names)
    return sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
