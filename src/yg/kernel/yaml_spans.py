"""Where the values of a YAML text begin and end, for edits that leave the rest as it is."""

from __future__ import annotations

from typing import Any

import yaml

from yg.kernel.decode_yaml import disguise, make_parser


class Span:
    """A value: the offsets of its first character and of the one behind its last."""

    def __init__(  # noqa: PLR0913
        self,
        start: int,
        end: int = -1,
        text: str = "",
        *,
        is_flow: bool = False,
        items: list[Span] | None = None,
        entries: dict[str, tuple[Span, Span]] | None = None,
    ) -> None:
        self.start = start
        self.end = end
        self.text = text  # of a scalar
        self.is_flow = is_flow  # written with brackets or braces
        self.items = items  # of a list
        self.entries = entries  # of a mapping: key and value
        self.waiting: list[Span] = []  # a key whose value has not come yet


def spans_of(text: str) -> Span | None:
    """Return the span of a text's document; None for an empty one. Raises yaml.YAMLError."""
    mark = text.startswith("\ufeff")
    root: Span | None = None
    stack: list[Span] = []
    disguised, undisguise = disguise(text.removeprefix("\ufeff"))
    parser: Any = make_parser(disguised)
    while True:
        event: Any = parser.get_event()
        if event is None:
            return root
        span = _opened(event, mark)
        if span is not None and undisguise:
            span.text = span.text.translate(undisguise)
        if span is not None and span.end == -1:
            stack.append(span)
            continue
        if span is None and isinstance(event, yaml.CollectionEndEvent):
            span = stack.pop()
            span.end = _index(event.end_mark if span.is_flow else event.start_mark) + mark
        if span is not None:
            root = _placed(stack, span, root)


def _opened(event: Any, mark: bool) -> Span | None:  # noqa: FBT001
    """Return the span that an event opens; a scalar's is complete."""
    if isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent)):
        text = event.value if isinstance(event, yaml.ScalarEvent) else ""
        begin, end = event.start_mark, event.end_mark
        return Span(_index(begin) + mark, _index(end) + mark, text)
    if isinstance(event, yaml.SequenceStartEvent):
        return Span(_index(event.start_mark) + mark, is_flow=bool(event.flow_style), items=[])
    if isinstance(event, yaml.MappingStartEvent):
        return Span(_index(event.start_mark) + mark, is_flow=bool(event.flow_style), entries={})
    return None


def _index(mark: Any) -> int:
    index: int = mark.index
    return index


def _placed(stack: list[Span], span: Span, root: Span | None) -> Span | None:
    if not stack:
        return span
    holder = stack[-1]
    if holder.items is not None:
        holder.items.append(span)
    elif holder.waiting and holder.entries is not None:
        key = holder.waiting.pop()
        holder.entries[key.text] = (key, span)
    else:
        holder.waiting.append(span)
    return root
