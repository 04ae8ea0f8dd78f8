"""Aspects and flows as lists: YAML for people and agents, plain data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.yaml_edit import yaml_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.yggdrasil.model import Aspect, Flow


def aspects_data(aspects: Iterable[Aspect]) -> list[dict[str, Any]]:
    """Return aspects in the order of ids, what they leave out left out."""
    return [
        _filled(
            id=aspect.id,
            name=aspect.name,
            description=aspect.description,
            implies=[word.text for word in aspect.implies],
            stability=aspect.stability.value if aspect.stability else "",
        )
        for aspect in aspects
    ]


def flows_data(flows: Iterable[Flow]) -> list[dict[str, Any]]:
    """Return flows in the order of names."""
    return [
        _filled(
            id=flow.id,
            name=flow.name,
            nodes=[word.text for word in flow.nodes],
            aspects=list(flow.aspect_ids),
        )
        for flow in sorted(flows, key=lambda flow: (flow.name, flow.id))
    ]


def yaml_list(entries: Iterable[dict[str, Any]]) -> str:
    """Write a list of flat mappings as YAML; `[]` when there are none."""
    return "".join(_yaml_entry(entry) for entry in entries) or "[]\n"


def _yaml_entry(entry: dict[str, Any]) -> str:
    lines = []
    for key, value in entry.items():
        if isinstance(value, list):
            lines.append(f"{key}:")
            lines.extend(f"  - {yaml_scalar(each)}" for each in value)
        else:
            lines.append(f"{key}: {yaml_scalar(value)}")
    return "".join(f"{'- ' if at == 0 else '  '}{line}\n" for at, line in enumerate(lines))


def _filled(**fields: Any) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value}
