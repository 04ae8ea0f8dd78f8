"""The brief of a node: what somebody who is about to change its code must know."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from yg_old.kernel.document import Record, Text, about
from yg_old.text.escapes import one_line, visible
from yg_old.text.excerpt import gist
from yg_old.text.plural import counted
from yg_old.yggdrasil.package.assemble import exceptions_from
from yg_old.yggdrasil.package.front_page import DESCRIBING, responsibility_of, written_text
from yg_old.yggdrasil.package.markdown import stale_markdown
from yg_old.yggdrasil.resolve import (
    ancestors,
    artifact_names,
    aspect_texts,
    decisions,
    effective_aspects,
    flows_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.yggdrasil.decisions import Decision
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Aspect, Node
    from yg_old.yggdrasil.package.blocks import Block

LONGEST_RULE = 600  # characters
MOST_RELYING = 20  # nodes that are named
Relying = tuple[str, str, tuple[str, ...]]  # a node, its kind of relation, and what it consumes


class BriefKind(StrEnum):
    """What a block of a brief is about, in the order in which they are read."""

    STALE = "stale"
    RULE = "rule"
    EXCEPTION = "exception"
    DECISION = "decision"
    RESPONSIBILITY = "responsibility"
    DEPENDENTS = "dependents"
    FLOWS = "flows"


HEADINGS = {
    BriefKind.STALE: "Stale",
    BriefKind.RULE: "Rules",
    BriefKind.EXCEPTION: "Exceptions from rules",
    BriefKind.DECISION: "Decisions",
    BriefKind.RESPONSIBILITY: "Responsibility",
    BriefKind.DEPENDENTS: "Who relies on it",
    BriefKind.FLOWS: "Flows",
}
_WORDS = {  # what a node is worth mentioning for
    *(BriefKind.STALE, BriefKind.RULE, BriefKind.EXCEPTION),
    *(BriefKind.DECISION, BriefKind.RESPONSIBILITY),
}


class BriefBlock(Record, frozen=True, kw_only=True):
    """One block of a brief."""

    kind: Annotated[BriefKind, about("What it is about.")]
    node: Annotated[
        Text | None, about("The node; null for a rule, which may hold for several nodes.")
    ]
    subject: Annotated[Text, about("The aspect, the document or the node that it comes from.")]
    text: Annotated[Text, about("What it says, as Markdown.")]

    @property
    def key(self) -> str:
        """What identifies it among the blocks of all briefs."""
        return f"{self.kind} {self.node or ''} {self.subject}"


def node_blocks(
    graph: Graph, node: Node, stale: Block | None, relying: Sequence[Relying]
) -> tuple[BriefBlock, ...]:
    """Return the blocks of a node's brief, in order; none if nobody has written about it."""
    blocks = tuple(_blocks(graph, node, stale, relying))
    return blocks if any(block.kind in _WORDS for block in blocks) else ()


def _blocks(
    graph: Graph, node: Node, stale: Block | None, relying: Sequence[Relying]
) -> Iterator[BriefBlock]:
    if stale is not None:
        yield _block(BriefKind.STALE, node, node.path, stale_markdown(stale))
    aspects = [effective.aspect for effective in effective_aspects(graph, node)]
    for aspect in aspects:
        if rule := rule_of(graph, aspect):
            yield BriefBlock(kind=BriefKind.RULE, node=None, subject=aspect.id, text=rule)
    carriers = (*ancestors(graph, node.path), node)
    for aspect in aspects:
        lines = [
            f"- {visible(aspect.id)}, {found.whose}: {one_line(found.text)}"
            for found in exceptions_from(carriers, aspect.id)
        ]
        if lines:
            yield _block(BriefKind.EXCEPTION, node, aspect.id, "\n".join(lines))
    for decision in _decisions(graph, carriers):
        line = f"- {visible(one_line(decision.line))}"
        yield _block(BriefKind.DECISION, node, str(decision.number), line)
    if text := responsibility_of(graph, node):
        yield _block(BriefKind.RESPONSIBILITY, node, node.path, text)
    if relying:
        yield _block(BriefKind.DEPENDENTS, node, node.path, "\n".join(_relying(relying)))
    if flows := [f"- {visible(one_line(flow.name))}" for flow in flows_of(graph, node.path)]:
        yield _block(BriefKind.FLOWS, node, node.path, "\n".join(flows))


def _decisions(graph: Graph, carriers: Sequence[Node]) -> Iterator[Decision]:
    """Yield the decisions in force that a node and its ancestors list, those of the node first."""
    listed = (found for carrier in reversed(carriers) for found in decisions(graph, carrier))
    return (decision for decision in dict.fromkeys(listed) if decision.is_in_force)


def _block(kind: BriefKind, node: Node, subject: str, text: str) -> BriefBlock:
    return BriefBlock(kind=kind, node=node.path, subject=subject, text=text)


def rule_of(graph: Graph, aspect: Aspect) -> str:
    """Return what an aspect demands, as an item of a list; empty if nobody has written it."""
    first = next(iter(aspect_texts(graph, aspect)), None)
    text = gist(written_text(first), LONGEST_RULE) if first else ""
    text = text or one_line(aspect.description.strip())[:LONGEST_RULE]
    if not text:
        return ""
    head = f"- **{visible(one_line(aspect.name))}** ({visible(aspect.id)}):"
    if not text.lstrip().startswith("- "):
        return f"{head} {text}"
    return "\n".join([head, *(f"  {line}" for line in text.split("\n"))])


def _relying(relying: Sequence[Relying]) -> Iterator[str]:
    for node, kind, consumes in relying[:MOST_RELYING]:
        what = f"consumes {', '.join(map(visible, consumes))}" if consumes else visible(kind)
        yield f"- {visible(node)} {what}"
    if len(relying) > MOST_RELYING:
        yield f"- and {counted(len(relying) - MOST_RELYING, 'other node')}"


def all_relying(graph: Graph) -> dict[str, list[Relying]]:
    """Return who relies on each node, by path."""
    found: dict[str, list[Relying]] = {}
    for node in graph.nodes:
        for relation in node.relations:
            entry = (node.path, str(relation.kind), relation.consumes)
            found.setdefault(relation.target.text, []).append(entry)
    return found


def left_out(graph: Graph, node: Node) -> list[str]:
    """Return what a package has besides the blocks of a brief."""
    names = [name for name in artifact_names(graph, node) if name not in DESCRIBING]
    targets = len(node.structural_targets)
    needed = f"the contracts of {counted(targets, 'node')} that it depends on"
    return [*map(visible, names), *([needed] if targets else [])]
