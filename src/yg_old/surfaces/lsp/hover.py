"""Hovers: what a node or an aspect is, and what an issue means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from yg_old.commands.drift.find import find_drift
from yg_old.commands.review.find import DRIFTED
from yg_old.commands.stale import own_stale_block
from yg_old.kernel.errors import UnreadableError, YgError
from yg_old.surfaces.lsp import external, specs
from yg_old.surfaces.lsp.diagnostics import range_of, shown_on, span
from yg_old.surfaces.lsp.navigation import part_named, value_at
from yg_old.surfaces.lsp.pages import rules
from yg_old.text.plural import counted
from yg_old.yggdrasil.model import DESCRIPTION_FILE, RESPONSIBILITY_FILE
from yg_old.yggdrasil.package.markdown import stale_markdown
from yg_old.yggdrasil.parts import PartKind
from yg_old.yggdrasil.read.keys import ValueRole
from yg_old.yggdrasil.resolve import artifact, effective_ids, present_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.issue import Issue
    from yg_old.kernel.snapshot import Text
    from yg_old.surfaces.lsp.session import EditorView, Session
    from yg_old.yggdrasil.drift.states import NodeDrift
    from yg_old.yggdrasil.model import Aspect, Node

LONGEST = 1_500  # characters of a text


def hover(
    session: Session, issues: Iterable[Issue], view: EditorView, file: str, offset: int
) -> types.Hover | None:
    """Return what the value at an offset is, and the explanation of issues there."""
    position = types.Position(*view.lines(file).position_of(offset, view.encoding))
    here = [issue for issue in issues if _is_at(view, issue, file, position)]
    parts, place = _named(session, view, file, offset)
    parts += [explanation(issue) for issue in here]
    if not parts:
        return None
    text = "\n\n---\n\n".join(parts)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


def _named(
    session: Session, view: EditorView, file: str, offset: int
) -> tuple[list[str], types.Range | None]:
    """Return what the name at an offset stands for, and the range of the name."""
    if not view.is_yggdrasil:
        mention = specs.mention_at(view, file, offset)
        if mention is None:
            return [], None
        node, start, end = mention
        return list(specs.described(view, node)), span(view, file, start, end)
    value = value_at(view, file, offset)
    if value is None:
        return [], None
    found = list(_described(session, view, file, value))
    return found, span(view, file, value.start, value.end)


def _is_at(view: EditorView, issue: Issue, file: str, position: types.Position) -> bool:
    if shown_on(view, issue.place) != file:
        return False
    place = range_of(view, issue.place)
    return place.start <= position <= place.end


def explanation(issue: Issue) -> str:
    """Write an issue with its advice and the page of its rule."""
    rule = rules().get(issue.code)
    lines = [f"**{issue.code} {issue.name}**: {issue.message}."]
    lines += [f"{line}  " for line in issue.advice]
    if rule is not None:
        lines += ["", rule.summary, "", f"**Why:** {rule.why}", "", f"**Fix:** {rule.fix}"]
    return "\n".join(lines)


def _described(session: Session, view: EditorView, file: str, value: Any) -> Iterator[str]:
    if value.role is ValueRole.TYPE:
        found = view.graph.config.node_types.get(value.text)
        if found is not None:
            yield f"**{found.name}** (node type)\n\n{found.description}"
        return
    if value.role is ValueRole.EXTERNAL:
        yield from external.described(view, value.text)
        return
    part = part_named(view, file, value)
    if part is None:
        return
    if part.kind is PartKind.NODE and (node := view.graph.nodes.get(part.id)):
        yield _node(session, view, node)
    elif part.kind is PartKind.ASPECT and (aspect := view.graph.aspects.get(part.id)):
        yield _aspect(view, aspect)
    elif part.kind is PartKind.FLOW and (flow := view.graph.flows.get(part.id)):
        text = _text(view, flow, DESCRIPTION_FILE)
        yield f"**{flow.id}** (flow of {counted(len(flow.nodes), 'node')})\n\n{text}"


def _node(session: Session, view: EditorView, node: Node) -> str:
    """Write the responsibility of a node and its state; first, what is stale in its texts."""
    drift = drift_of_node(session, node.path)
    state = f", {state_text(drift)}" if drift else ""
    names = present_names(node)
    name = RESPONSIBILITY_FILE if RESPONSIBILITY_FILE in names else DESCRIPTION_FILE
    source = artifact(view.graph, node, name).source if name in names else None
    text = (_shortened(source) if source else "") or "There is no responsibility.md yet."
    stale = _stale(session, drift) if drift else ""
    parts = (f"**{node.path}** ({node.type}{state})", stale, text)
    return "\n\n".join(filter(None, parts))


def _stale(session: Session, drift: NodeDrift) -> str:
    """Write the stale block of a node, as its package has it; empty if its texts are not stale."""
    saved = session.saved()
    if saved is None or drift.state not in DRIFTED or not drift.has_baseline:
        return ""
    try:
        node = saved.graph.nodes.get(drift.node)
        block = own_stale_block(saved, node) if node else None
    except YgError:
        return ""  # a rule reports what prevents it
    return f"{stale_markdown(block)}\n\n---" if block else ""


def _aspect(view: EditorView, aspect: Aspect) -> str:
    """Write the description of an aspect and how many nodes it reaches."""
    graph = view.graph
    reached = sum(aspect.id in effective_ids(graph, node) for node in graph.nodes)
    text = aspect.description or aspect.name
    return f"**{aspect.id}** (aspect of {counted(reached, 'node')})\n\n{text}"


def _text(view: EditorView, part: Any, name: str) -> str:
    if name not in part.files:
        return ""
    return _shortened(view.workspace.snapshot.text(f"{part.directory}/{name}"))


def _shortened(source: Text) -> str:
    try:
        text = source.value.strip()
    except UnreadableError:
        return ""
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} .."


def drift_of_node(session: Session, path: str) -> NodeDrift | None:
    """Compare the saved files of a node with its baseline; None if it has no files to compare."""
    saved = session.saved()
    if saved is None or not saved.format.has_drift:
        return None
    try:
        node = saved.graph.nodes.get(path)
        if node is None or not node.mapping:
            return None
        drifts = find_drift(saved, (node,)).drifts
    except YgError:
        return None  # a rule reports what prevents it
    return drifts[0] if drifts else None


def state_text(drift: NodeDrift) -> str:
    """Write a drift state, with the class of the change."""
    if drift.is_unrecorded:
        return "no baseline"
    if drift.is_not_recorded:
        return "ok (not recorded)"
    worst = drift.worst
    return f"{drift.state} ({worst})" if worst else str(drift.state)
