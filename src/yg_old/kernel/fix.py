"""Apply the fixes of issues to the text of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from yg_old.kernel.issue import AddItem, AddLine, SetBlock, SetNeighbour, SetValue
from yg_old.text.decode import leaves, plain
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.yaml_edit import YamlText, quoted_scalar, yaml_scalar
from yg_old.text.yaml_scalars import with_scalars

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.kernel.issue import Change
    from yg_old.text.decode import Datum, Entry

    Position = tuple[int, int]
    Item = tuple[tuple[str, str | tuple[str, ...]], ...]
    ValueChange = SetValue | SetNeighbour

MOST_TRIED = 50  # changes of one file that are tried one by one
_FLOW_INDICATORS = frozenset(",[]{}")
_BULLET = "- "


def all_changed(text: str, changes: Iterable[Change]) -> tuple[str, tuple[Change, ...]]:
    """Apply changes to a text; return also those that it has a place for.

    A YAML text keeps its comments, its layout and all other values.
    """
    values: list[ValueChange] = []
    items: dict[str, list[AddItem]] = {}  # by key
    lines: list[AddLine] = []
    blocks: list[SetBlock] = []
    for change in dict.fromkeys(changes):
        match change:
            case AddItem():
                items.setdefault(change.key, []).append(change)
            case AddLine():
                lines.append(change)
            case SetBlock():
                blocks.append(change)
            case _:
                values.append(change)
    text, replaced = _replaced(text, values)
    done: list[Change] = [*replaced]
    for additions in items.values():  # they do not move the places of the values
        text, added = _extended(text, additions)
        done += added
    for line in lines:
        text = _with_line(text, line.line)
    for block in blocks:
        text = _with_block(text, block)
    return text, (*done, *lines, *blocks)


def _extended(text: str, additions: Sequence[AddItem]) -> tuple[str, Sequence[AddItem]]:
    """Add items to one list, all at once if possible, and return those that were."""
    result = _with_items(text, additions)
    if result is not None:
        return result, additions
    added = []
    for addition in additions if 1 < len(additions) <= MOST_TRIED else ():
        result = _with_items(text, [addition])
        if result is not None:
            text = result
            added.append(addition)
    return text, added


def _replaced(text: str, changes: Sequence[ValueChange]) -> tuple[str, Sequence[ValueChange]]:
    """Replace values, all at once if possible, and return the changes that were."""
    result = _with_values(text, changes)
    if result is None and 1 < len(changes) <= MOST_TRIED:
        changes = [change for change in changes if _with_values(text, [change]) is not None]
        result = _with_values(text, changes)
    return (text, ()) if result is None else (result, changes)


def _with_values(text: str, changes: Sequence[ValueChange]) -> str | None:
    """Replace some scalars; None if that is impossible, or would change anything else."""
    before = decode_yaml(text)
    values = dict(_values(before.datum, changes))
    if not values.keys() <= _scalars(before.datum):
        return None
    try:
        result = with_scalars(text, values)
    except yaml.YAMLError:
        return None
    after = decode_yaml(result)
    expected = [
        repr(values.get((datum.line, datum.column), datum.value))
        for _, datum in leaves(before.datum)
    ]
    found = [repr(datum.value) for _, datum in leaves(after.datum)]
    is_sound = found == expected and len(after.problems) <= len(before.problems)
    return result if is_sound and len(values) >= len(changes) and result != text else None


def _values(root: Datum | None, changes: Iterable[ValueChange]) -> Iterator[tuple[Position, str]]:
    """Yield the positions of the scalars to replace, with their new values."""
    neighbours = {}
    for change in changes:
        place = change.place.line, change.place.column
        if isinstance(change, SetValue):
            yield place, change.value
        else:
            neighbours[place, change.key, change.old] = change.value
    wanted_places = {place for place, _, _ in neighbours}
    for mapping in _mappings(root) if neighbours else ():
        every = ((entry.datum.line, entry.datum.column) for entry in mapping.values())
        places = [place for place in every if place in wanted_places]
        for key, entry in mapping.items():
            for item in _items(entry.datum):
                wanted = (neighbours.get((place, key, str(item.value))) for place in places)
                new = next((value for value in wanted if value is not None), None)
                if new is not None:
                    yield (item.line, item.column), new


def _scalars(root: Datum | None) -> set[Position]:
    """Return the positions of all scalars, keys included."""
    keys = (entry for mapping in _mappings(root) for entry in mapping.values())
    values = (datum for _, datum in leaves(root))
    return {(found.line, found.column) for group in (keys, values) for found in group}


def _mappings(root: Datum | None) -> Iterator[dict[str, Entry]]:
    waiting = [] if root is None else [root]
    while waiting:
        value = waiting.pop().value
        if isinstance(value, dict):
            yield value
            waiting += [entry.datum for entry in value.values()]
        elif isinstance(value, list):
            waiting += value


def _items(datum: Datum) -> list[Datum]:
    return datum.value if isinstance(datum.value, list) else []


def _with_items(text: str, additions: Sequence[AddItem]) -> str | None:
    """Add mappings to the end of a list, in the style of the list; None if that is impossible."""
    key = additions[0].key
    try:
        yaml_text = YamlText(text)
    except yaml.YAMLError:
        return None
    before = plain(decode_yaml(text).datum)
    if not yaml_text.is_editable or not isinstance(before or {}, dict):
        return None
    before = before or {}
    listed = before.get(key) or []
    if not isinstance(listed, list):
        return None
    items = [addition.item for addition in additions]
    lines = [[f"{name}: {_value(value)}" for name, value in item] for item in items]
    result = yaml_text.with_mappings(key, lines, [_flow(item) for item in items]).text
    new = [{name: _data(value) for name, value in item} for item in items]
    expected = ({**before, key: found} for found in ([*listed, *new], [*reversed(new), *listed]))
    decoded = decode_yaml(result)
    return result if not decoded.problems and plain(decoded.datum) in expected else None


def _data(value: str | tuple[str, ...]) -> str | list[str]:
    return value if isinstance(value, str) else list(value)


def _flow(item: Item) -> str:
    inside = ", ".join(f"{name}: {_value(value, is_flow=True)}" for name, value in item)
    return f"{{{inside}}}"


def _value(value: str | tuple[str, ...], *, is_flow: bool = False) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_value(part, is_flow=True) for part in value)}]"
    has_indicator = is_flow and not _FLOW_INDICATORS.isdisjoint(value)
    return quoted_scalar(value) if has_indicator else yaml_scalar(value)


def _with_line(text: str, line: str) -> str:
    """Add a line to the end of a text, below a blank line unless it continues a list."""
    line_break = "\r\n" if "\r\n" in text else "\n"
    above = text.rstrip()
    if not above:
        return f"{line}{line_break}"
    last = above.rpartition("\n")[2].lstrip()
    is_list = last.startswith(_BULLET) and line.startswith(_BULLET)
    gap = line_break if is_list else line_break * 2
    return f"{above}{gap}{line}{line_break}"


def _with_block(text: str, block: SetBlock) -> str:
    """Replace the lines between two others; a text without these stays as it is."""
    line_break = "\r\n" if "\r\n" in text else "\n"
    before, begin, rest = text.partition(f"{block.begin}{line_break}")
    _, end, after = rest.partition(block.end)
    inside = block.text.replace("\n", line_break)
    return f"{before}{begin}{inside}{end}{after}" if begin and end else text
