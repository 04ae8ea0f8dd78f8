"""Conversion of the 0.x configuration: a 2.x one, and the texts that go to the root node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg_old.kernel.package import STANDARD_BUDGET
from yg_old.text.yaml_edit import yaml_scalar
from yg_old.version import GRAPH_FORMAT
from yg_old.yggdrasil.model import CONFIG_FILE, INTERNALS_FILE
from yg_old.yggdrasil.start.templates import template
from yg_old.yggdrasil.start.upgrade_config import TODO, standard_descriptions
from yg_old.yggdrasil.start.upgrade_node import inline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

SECTIONS = {"stack": "Technology Stack", "standards": "Standards", "testing": "Testing"}


def sections_of(content: Mapping[str, Any]) -> str:
    """Return stack, standards and testing of a configuration as Markdown; empty without any."""
    found = ((title, _lines(content.get(key))) for key, title in SECTIONS.items())
    return "\n".join(f"## {title}\n\n{text}\n" for title, text in found if text)


def _lines(value: Any) -> str:
    """Write plain data as a text or a list; a mapping has its keys in bold."""
    if isinstance(value, dict):
        return "\n".join(f"- **{key}:** {inline(item)}" for key, item in value.items())
    if isinstance(value, list):
        return "\n".join(f"- {inline(item)}" for item in value)
    return value.strip() if isinstance(value, str) else inline(value)


def config_text(  # noqa: PLR0913
    name: str,
    types: Iterable[str],
    artifacts: Mapping[str, bool],
    *,
    warning: int,
    is_cyclic: bool,
    lost: list[str],
) -> str:
    """Write a configuration; `artifacts` says of each whether dependents see it."""
    lines = [
        template(CONFIG_FILE).splitlines()[0],  # the modeline for editors
        f'version: "{GRAPH_FORMAT}"',
        f"name: {yaml_scalar(name)}",
        "",
        "node_types:",
        *_types(sorted(types), lost),
        "",
        "artifacts:",
        *_artifacts(artifacts),
        "",
        "quality:",
        "  context_budget:",
        f"    warning: {warning}",
        f"    error: {max(warning, STANDARD_BUDGET.error)}",
    ]
    if is_cyclic:
        lines += ["", "rules:", "  E010: warning    # relations of the 0.x graph form a cycle"]
        lost.append(f"{CONFIG_FILE}: relations form a cycle, so E010 is a warning here")
    return "".join(f"{line}\n" for line in lines)


def _types(names: Collection[str], lost: list[str]) -> Iterator[str]:
    """Yield the lines of the node types; without any, those of a new graph."""
    standard = standard_descriptions()
    for name in names or standard:
        description = standard.get(name, TODO)
        if description == TODO:
            lost.append(f"{CONFIG_FILE}: node type '{name}' has no description: '{TODO}'")
        yield f"  {yaml_scalar(name)}:"
        yield f"    description: {yaml_scalar(description)}"


def _artifacts(names: Mapping[str, bool]) -> Iterator[str]:
    """Yield the lines of the artifacts; a graph without any gets one."""
    for name, is_shared in (names or {INTERNALS_FILE: False}).items():
        yield f"  {yaml_scalar(name)}:"
        yield "    required: never"
        if is_shared:
            yield "    included_in_relations: true"
