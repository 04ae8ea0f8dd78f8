"""Render lists of aspects and flows as YAML and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.yaml_edit import yaml_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.render.shapes.catalog import AspectsDocument, FlowsDocument
    from yg.render.shapes.issues import Skipped
    from yg.yggdrasil.model import Aspect, Flow


def aspect_fields(aspects: Iterable[Aspect]) -> list[dict[str, Any]]:
    """Return the fields of aspects, sorted by id; empty fields are omitted."""
    return [
        _without_empty(
            id=aspect.id,
            tag=aspect.tag,
            name=aspect.name,
            description=aspect.description,
            implies=[word.text for word in aspect.implies],
            stability=aspect.stability.value if aspect.stability else "",
        )
        for aspect in aspects
    ]


def flow_fields(flows: Iterable[Flow]) -> list[dict[str, Any]]:
    """Return the fields of flows, sorted by name; empty fields are omitted."""
    return [
        _without_empty(
            id=flow.id,
            name=flow.name,
            nodes=[word.text for word in flow.nodes],
            aspects=list(flow.aspect_ids),
        )
        for flow in sorted(flows, key=lambda flow: (flow.name, flow.id))
    ]


def aspects_data(entries: Iterable[dict[str, Any]], skipped: list[Skipped]) -> AspectsDocument:
    """Return a list of aspects as data."""
    from yg.render.shapes.catalog import AspectsDocument, ListedAspect

    aspects = [ListedAspect(**entry) for entry in entries]
    return AspectsDocument(aspects=aspects, skipped=skipped)


def flows_data(entries: Iterable[dict[str, Any]], skipped: list[Skipped]) -> FlowsDocument:
    """Return a list of flows as data."""
    from yg.render.shapes.catalog import FlowsDocument, ListedFlow

    return FlowsDocument(flows=[ListedFlow(**entry) for entry in entries], skipped=skipped)


def yaml_list(entries: Iterable[dict[str, Any]]) -> str:
    """Write a list of flat mappings as YAML; `[]` if it is empty."""
    return "".join(_yaml_entry(entry) for entry in entries) or "[]\n"


def _yaml_entry(entry: dict[str, Any]) -> str:
    lines = []
    for key, value in entry.items():
        if isinstance(value, list):
            lines.append(f"{key}:")
            lines.extend(f"  - {yaml_scalar(item)}" for item in value)
        else:
            lines.append(f"{key}: {yaml_scalar(value)}")
    return "".join(f"{'- ' if index == 0 else '  '}{line}\n" for index, line in enumerate(lines))


def _without_empty(**fields: Any) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value}
