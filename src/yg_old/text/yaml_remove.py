"""Removal of items from the lists of a YAML text; every other line stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from yg_old.text.decode import plain
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.yaml_edit import YamlText, last_end

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from yg_old.text.decode import Datum, Entry, Keys

    Places = dict[Keys, set[int]]  # positions in a list, by the keys of the list
    Span = tuple[int, int, str]  # where a text begins and ends, and what replaces it


def without_items(text: str, items: Collection[Keys]) -> str | None:
    """Return a text without some items of lists; None if that would change anything else.

    An item is named by the keys around it and its position, from 0. A list of the document that
    becomes empty is removed with its key; one further inside becomes `[]`.
    """
    lists: Places = {}
    for *keys, at in items:
        if not isinstance(at, int):
            return None
        lists.setdefault(tuple(keys), set()).add(at)
    try:
        document = YamlText(text)
        removed = {keys for keys, found in lists.items() if _is_key_removed(document, keys, found)}
        spans = [
            span
            for keys, found in lists.items()
            if keys not in removed
            for span in _spans(text, _entry(document.root, keys), found)
        ]
        result = YamlText(_spliced(text, spans))
        for (key,) in sorted(removed):
            result = result.replaced(str(key), "")
    except (yaml.YAMLError, LookupError, ValueError):
        return None
    after = decode_yaml(result.text)
    expected = _expected(plain(document.root), lists, removed)
    is_same = not after.problems and (plain(after.datum) or {}) == expected
    return result.text if is_same else None


def _is_key_removed(document: YamlText, keys: Keys, found: set[int]) -> bool:
    is_top = len(keys) == 1 and document.is_editable
    return is_top and len(_entry(document.root, keys).datum.items or ()) == len(found)


def _entry(root: Datum, keys: Keys) -> Entry:
    """Return the entry of a list; raises LookupError if no list is written there."""
    found: Entry | None = None
    datum = root
    for key in keys:
        found = (datum.entries or {})[str(key)]
        datum = found.datum
    if found is None or datum.items is None:
        raise LookupError(keys)
    return found


def _spans(text: str, entry: Entry, found: set[int]) -> list[Span]:
    """Return the parts of a text with some items of a list."""
    datum = entry.datum
    items = datum.items or []
    if len(items) == len(found):
        if datum.is_flow:
            return [(datum.start, datum.end, "[]")]
        return [(text.index(":", entry.end) + 1, last_end(datum), " []")]
    if not datum.is_flow:
        return [_lines(text, datum, items[at]) for at in sorted(found)]
    kept = next(at for at in range(len(items)) if at not in found)
    return [
        (items[at].start, items[at + 1].start, "")
        if at < kept
        else (items[at - 1].end, items[at].end, "")
        for at in sorted(found)
    ]


def _lines(text: str, datum: Datum, item: Datum) -> Span:
    """Return the lines of an item: from its hyphen, which is below that of the first item."""
    column = datum.start - (text.rfind("\n", 0, datum.start) + 1)
    start = text.rfind("\n", 0, item.start) + 1
    while not _has_hyphen(text, start, column):
        start = text.rindex("\n", 0, start - 1) + 1
    end = text.find("\n", max(last_end(item) - 1, start))
    return start, len(text) if end == -1 else end + 1, ""


def _has_hyphen(text: str, start: int, column: int) -> bool:
    return not text[start : start + column].strip() and text[start + column] == "-"


def _spliced(text: str, spans: Collection[Span]) -> str:
    pieces, at = [], 0
    for start, end, new in sorted(spans):
        pieces += [text[at:start], new]
        at = end
    return "".join((*pieces, text[at:]))


def _expected(value: Any, lists: Mapping[Keys, set[int]], removed: Collection[Keys]) -> Any:
    """Return the data of a document without some items."""
    for keys, found in lists.items():
        holder = value
        for key in keys[:-1]:
            holder = holder[key]
        if keys in removed:
            del holder[keys[-1]]
        else:
            items = holder[keys[-1]]
            holder[keys[-1]] = [item for at, item in enumerate(items) if at not in found]
    return value
