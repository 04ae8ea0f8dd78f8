"""The front page of a graph, as text: the project, its top nodes and its aspects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.kernel.document import Record, Text, about
from yg_old.text.escapes import one_line, visible
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 2_400  # characters: 600 tokens
COMMANDS = (
    "`yg brief FILE` says what to know before changing a file; `yg find WORD` searches the graph."
)


class TopNode(Record, frozen=True, kw_only=True):
    """One node at the top of the graph."""

    path: Annotated[Text, about("Its path.")]
    summary: Annotated[
        str, about("The first sentence of its responsibility; empty if nobody has written it.")
    ]
    children: Annotated[tuple[Text, ...], about("The names of the nodes below it, sorted.")]


class AspectName(Record, frozen=True, kw_only=True):
    """One aspect."""

    id: Annotated[Text, about("Its id.")]
    name: Annotated[str, about("Its name.")]


def page_text(
    project: str,
    summary: str,
    nodes: Sequence[TopNode],
    aspects: Sequence[AspectName],
    *,
    stale: int = 0,
) -> str:
    """Write the page; what does not fit is shortened, then counted."""
    opening = "\n\n".join(filter(None, [f"# {visible(one_line(project))}", summary]))
    closing = [line for line in (_aspects(aspects), _stale(stale), COMMANDS) if line]
    room = LONGEST - len(opening) - sum(len(line) + 2 for line in closing) - 2
    lines = "\n".join(_fitting(nodes, room))
    return "\n\n".join([*filter(None, [opening, lines]), *closing]) + "\n"


def _fitting(nodes: Sequence[TopNode], room: int) -> list[str]:
    """Return a line for each node: with children while they fit, else shorter ones."""
    for write in (_whole, _without_children, _path):
        lines = [*map(write, nodes)]
        if sum(len(line) + 1 for line in lines) <= room:
            return lines
    shown = [*_while(map(_path, nodes), room - len("- and 1000000 others\n"))]
    return [*shown, f"- and {counted(len(nodes) - len(shown), 'other')}"]


def _while(lines: Iterator[str], room: int) -> Iterator[str]:
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return
        yield line


def _whole(node: TopNode) -> str:
    names = ", ".join(map(visible, node.children))
    return f"{_without_children(node)}{f' ({names})' if names else ''}"


def _without_children(node: TopNode) -> str:
    return f"{_path(node)}{f': {node.summary}' if node.summary else ''}"


def _path(node: TopNode) -> str:
    return f"- {visible(node.path)}"


def _aspects(aspects: Sequence[AspectName]) -> str:
    """Write the names of the aspects, at most a quarter of the page."""
    names = [visible(one_line(aspect.name or aspect.id)) for aspect in aspects]
    shown = [*_while(iter(names), LONGEST // 4)]
    rest = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    return f"Aspects: {', '.join(shown)}{rest}." if names else ""


def _stale(stale: int) -> str:
    are = "is" if stale == 1 else "are"
    told = f"{counted(stale, 'node')} {are} stale: the code changed after the texts."
    return told if stale else ""
