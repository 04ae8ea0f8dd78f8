"""The forms of `yg review`: text, GitHub workflow commands and SARIF."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import replace

from yg.code.change_class import NameChangeKind
from yg.code.parts import FILE
from yg.commands.drift.steps import RESTORE
from yg.commands.drift.text import change_text
from yg.commands.validate.ci import workflow_command
from yg.commands.validate.sarif import sarif_location, sarif_log
from yg.kernel.document import json_text
from yg.kernel.palette import visible
from yg.text.escapes import escape_controls, shell_word
from yg.text.plural import counted, listed
from yg.yggdrasil.drift.states import State
from yg.yggdrasil.review.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.commands.review.documents import (
        MentionedPart,
        NodeReview,
        PartDifference,
        Review,
        SentenceToCheck,
    )
    from yg.kernel.palette import Palette

NOTHING = "Nothing to check.\n"
TITLES = {
    Evidence.VALUE: "A value is no longer in the code",
    Evidence.GONE: "A name is in no code any more",
    Evidence.SIGNATURE: "A signature changed",
    Evidence.BODY: "A body changed",
}


def review_text(review: Review, palette: Palette) -> str:
    """Write what to check of each node, and how to go on."""
    nodes = ["".join(f"{line}\n" for line in _node(review, node, palette)) for node in review.nodes]
    rest = "".join(f"{line}\n" for line in _unrecorded(review))
    return "\n".join([*nodes, *([rest] if rest else [])]) or NOTHING


def _node(review: Review, node: NodeReview, palette: Palette) -> Iterator[str]:
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
    yield from _next(review, node)


def _difference(difference: PartDifference, palette: Palette) -> Iterator[str]:
    yield f"  {visible(difference.path)}: {visible(difference.name)}"
    paints = {"+": palette.added, "-": palette.removed}
    for line in difference.diff.split("\n"):
        paint = paints.get(line[:1])
        shown = escape_controls(line)
        yield f"    {paint(shown) if paint else shown}"


def _next(review: Review, node: NodeReview) -> Iterator[str]:
    """Yield the next steps; without a baseline to record, only the first."""
    sync = f"yg drift-sync {shell_word(node.node)}"
    if review.since is not None:
        if node.sentences:
            yield "  Next: correct the sentences that are no longer true"
    elif node.state is State.MISSING:
        yield f"  Next: {RESTORE}"
    elif node.completion:
        first = "correct the text; " if node.sentences else ""
        yield f"  Next: {first}{node.completion}; then run: {sync}"
    elif node.sentences:
        yield f"  Next: correct the text, then run: {sync}"
        yield f"        or, if every sentence is still true: {sync} --reason TEXT"
    else:
        yield f"  Next: run: {sync}{' --reason TEXT' if node.needs_reason else ''}"


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
    all_or_one = shell_word(names[0]) if len(names) == 1 else "NODE"
    yield f"        or, if code and graph match: yg drift-sync {all_or_one}"


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
