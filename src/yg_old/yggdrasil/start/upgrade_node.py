"""Conversion of 1.x nodes and aspects to 2.x; comments and unknown keys are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct

from yg_old.kernel.digraph import gathered
from yg_old.text.decode import plain
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.escapes import one_line
from yg_old.text.paths import lineage
from yg_old.text.yaml_edit import YamlText, yaml_scalar

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable


CANNOT = "cannot be rewritten: fix it by hand, see 'yg validate'"


class Rewrite:
    """The new text of a file, and the warnings for its author."""

    def __init__(
        self, text: str, warnings: Iterable[str] = (), *, is_readable: bool = True
    ) -> None:
        self.text = text
        self.warnings = list(warnings)
        self.is_readable = is_readable  # the old text is a YAML mapping


def inline(value: Any) -> str:
    """Return plain data as one line of text."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {inline(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(inline(item) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else one_line(str(value))


def opened(text: str) -> tuple[YamlText, dict[str, Any]] | None:
    """Parse a text for editing, and return it with its content; None if it cannot be edited."""
    decoded = decode_yaml(text)
    content = plain(decoded.datum)
    if decoded.problems or not isinstance(content, dict):
        return None
    try:
        editable = YamlText(text)
    except yaml.YAMLError:
        return None
    return (editable, content) if editable.is_editable else None


def _unchanged(text: str) -> Rewrite:
    """Return a text that cannot be edited as it is."""
    return Rewrite(text, [CANNOT], is_readable=_is_mapping(text))


def _is_mapping(text: str) -> bool:
    decoded = decode_yaml(text)
    return not decoded.problems and isinstance(plain(decoded.datum), dict)


def rewritten_node(text: str, aspects: Collection[str], arriving: Container[str] = ()) -> Rewrite:
    """Rewrite `node.yaml`: aspects become entries, a mapping becomes a list of paths.

    `arriving` are the aspects that apply to the node without an entry of its own. If it has
    exceptions or anchors for one of them, it gets an entry.
    """
    found = opened(text)
    if found is None:
        return _unchanged(text)
    editable, content = found
    result = Rewrite(text)
    entries = _aspect_entries(content, aspects, arriving, result.warnings)
    is_old = any(key in content for key in ("tags", "aspect_exceptions", "anchors"))
    if is_old or any(isinstance(item, str) for item in _listed(content.get("aspects"))):
        for key in ("tags", "aspect_exceptions", "anchors"):
            editable = editable.replaced(key, "") if editable.has(key) else editable
        editable = _put(editable, "aspects", _aspects_block(entries))
    if "knowledge" in content:
        if content["knowledge"]:
            names = inline(content["knowledge"])
            result.warnings.append(f"'knowledge' has no counterpart and was dropped: {names}")
        editable = editable.replaced("knowledge", "")
    mapping: Any = content.get("mapping")
    paths = _mapped_paths(mapping)
    if paths is not None:
        unknown = (
            sorted(set(mapping) - {"type", "path", "paths"}) if isinstance(mapping, dict) else []
        )
        result.warnings += [
            f"'mapping.{key}' was dropped: {inline(mapping[key])}" for key in unknown
        ]
        editable = editable.replaced("mapping", _mapping_block(paths))
    return checked(result, editable)


def checked(result: Rewrite, editable: YamlText) -> Rewrite:
    """Set the new text if it is valid YAML; it is not if, say, an aliased value was removed."""
    if decode_yaml(editable.text).problems:
        return Rewrite(result.text, [CANNOT])
    result.text = editable.text
    return result


def _put(editable: YamlText, key: str, block: str) -> YamlText:
    return editable.replaced(key, block) if block or editable.has(key) else editable


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def declared_ids(content: dict[str, Any]) -> list[str]:
    """Return the aspects and tags that a node or flow of either layout declares."""
    listed = (*_listed(content.get("aspects")), *_listed(content.get("tags")))
    ids = (item.get("aspect") if isinstance(item, dict) else item for item in listed)
    return [aspect_id for aspect_id in ids if isinstance(aspect_id, str)]


def _aspect_entries(
    content: dict[str, Any],
    aspects: Collection[str],
    arriving: Container[str],
    warnings: list[str],
) -> dict[str, dict[str, list[str]]]:
    """Collect a node's aspects with their exceptions and anchors from all 1.x keys."""
    entries: dict[str, dict[str, list[str]]] = {}
    for entry in _listed(content.get("aspects")):
        if isinstance(entry, dict) and isinstance(entry.get("aspect"), str):
            unknown = sorted(set(entry) - {"aspect", "exceptions", "anchors"})
            warnings += [
                f"'{key}' of aspect '{entry['aspect']}' was dropped: {inline(entry[key])}"
                for key in unknown
            ]
            entries[entry["aspect"]] = {
                key: [str(item) for item in _listed(entry.get(key))]
                for key in ("exceptions", "anchors")
            }
        elif entry is not None:
            entries.setdefault(str(entry), {})
    for tag in map(str, _listed(content.get("tags"))):
        if tag in aspects:
            entries.setdefault(tag, {})
        elif tag not in entries:
            warnings.append(f"tag '{tag}' was dropped: there is no aspect of that id")
    for old, new in (("aspect_exceptions", "exceptions"), ("anchors", "anchors")):
        found = _by_aspect(content.get(old), old, warnings)
        for aspect, texts in found.items():
            if aspect in entries or aspect in arriving:
                entries.setdefault(aspect, {}).setdefault(new, []).extend(texts)
            else:
                dropped = "; ".join(texts)
                warnings.append(f"'{old}' of '{aspect}' was dropped: the node lacks it: {dropped}")
    return entries


def _by_aspect(value: Any, key: str, warnings: list[str]) -> dict[str, list[str]]:
    """Return the values of a 1.x key by aspect: a map, or a list of `{aspect, note}`."""
    if isinstance(value, dict):
        return {aspect: [str(item) for item in _listed(items)] for aspect, items in value.items()}
    found: dict[str, list[str]] = {}
    lost = []
    for item in _listed(value):
        if isinstance(item, dict) and item.keys() == {"aspect", "note"}:
            found.setdefault(str(item["aspect"]), []).append(str(item["note"]))
        else:
            lost.append(item)
    if lost:
        warnings.append(f"'{key}' was dropped: it names no aspect: {inline(lost)}")
    return found


def _aspects_block(entries: dict[str, dict[str, list[str]]]) -> str:
    lines = []
    for aspect, details in entries.items():
        lines.append(f"  - aspect: {yaml_scalar(aspect)}")
        for key in ("exceptions", "anchors"):
            if details.get(key):
                lines.append(f"    {key}:")
                lines += [f"      - {yaml_scalar(text)}" for text in details[key]]
    return "aspects:\n" + "".join(f"{line}\n" for line in lines) if lines else ""


def _mapped_paths(mapping: Any) -> list[str] | None:
    """Return the paths of a 1.x mapping; None if it needs no rewrite."""
    if isinstance(mapping, (str, list)):
        return [str(path) for path in _listed(mapping)]
    if not isinstance(mapping, dict) or not ({"type", "path"} & mapping.keys()):
        return None
    return [str(path) for path in (*_listed(mapping.get("path")), *_listed(mapping.get("paths")))]


def _mapping_block(paths: Iterable[str]) -> str:
    lines = [f"    - {yaml_scalar(path)}\n" for path in paths]
    return "mapping:\n  paths:\n" + "".join(lines) if lines else ""


def rewritten_flow(text: str) -> Rewrite:
    """Return `flow.yaml` as it is, which is valid in 2.x, if it can be parsed."""
    return Rewrite(text) if _is_mapping(text) else _unchanged(text)


class Arrivals:
    """The aspects that apply to nodes, from declarations of either layout.

    Sets of aspects are integers, as in `gathered`: every node of a large graph may have them all.
    """

    def __init__(
        self,
        nodes: dict[str, dict[str, Any]],
        flows: Iterable[dict[str, Any]],
        aspects: dict[str, dict[str, Any]],
    ) -> None:
        self._bits: dict[str, int] = {}
        implied: dict[str, list[str]] = {}
        for aspect, content in aspects.items():
            ids = [item for item in _listed(content.get("implies")) if isinstance(item, str)]
            names = [aspect, content["tag"]] if isinstance(content.get("tag"), str) else [aspect]
            implied.update(dict.fromkeys(names, ids))
        named: dict[str, list[str]] = {aspect: [] for ids in implied.values() for aspect in ids}
        every = {**named, **implied}
        self._implied = gathered(every, {aspect: self._bit(aspect) for aspect in every})
        self._own = {node: self._set(content) for node, content in nodes.items()}
        for content in flows:
            arriving = self._set(content)
            for node in map(str, _listed(content.get("nodes"))):
                self._own[node] = self._own.get(node, 0) | arriving

    def _bit(self, aspect: str) -> int:
        return 1 << self._bits.setdefault(aspect, len(self._bits))

    def _set(self, content: dict[str, Any]) -> int:
        """Return the aspects that a node or flow declares, with those that they imply."""
        found = 0
        for aspect in declared_ids(content):
            found |= self._implied.get(aspect, 0) | self._bit(aspect)
        return found

    def get(self, node: str) -> Arriving:
        """Return the aspects that apply to a node, its own included."""
        found = 0
        for path in (*lineage(node), node):
            found |= self._own.get(path, 0)
        return Arriving(self._bits, found)


class Arriving(Struct, frozen=True):
    """The aspects that apply to a node."""

    bits: dict[str, int]  # positions in the set
    aspects: int  # a set

    def __contains__(self, aspect: object) -> bool:
        """Return whether an aspect applies."""
        at = self.bits.get(aspect) if isinstance(aspect, str) else None
        return at is not None and bool(self.aspects >> at & 1)


def rewritten_aspect(text: str) -> Rewrite:
    """Rewrite `aspect.yaml` without its tag, now the directory name, and its anchors."""
    found = opened(text)
    if found is None:
        return _unchanged(text)
    editable, content = found
    result = Rewrite(text)
    if "anchors" in content:
        anchors = inline(content["anchors"])
        result.warnings.append(f"'anchors' belong to nodes and were dropped: {anchors}")
    if "tag" in content and not isinstance(content["tag"], str):
        result.warnings.append(f"its tag is no text and was dropped: {inline(content['tag'])}")
    for key in ("tag", "anchors"):
        editable = editable.replaced(key, "") if editable.has(key) else editable
    return checked(result, editable)


def tag_of(text: str) -> str | None:
    """Return the tag of a 1.x aspect; None if it has none."""
    found = opened(text)
    tag = found[1].get("tag") if found else None
    return tag if isinstance(tag, str) else None
