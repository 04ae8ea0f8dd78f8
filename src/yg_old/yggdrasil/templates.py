"""Templates of node types: the headings with which the artifacts of a new node begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yg_old.yggdrasil.model import Config


def template_of(config: Config, type_name: str) -> dict[str, tuple[str, ...]]:
    """Return the headings for each artifact in the template of a type, as Markdown.

    Artifacts are in the order of the configuration. An unknown type has no template.
    """
    kind = config.node_types.get(type_name)
    found = {entry.artifact.text: entry.headings for entry in kind.template} if kind else {}
    return {name: found[name] for name in config.artifacts if found.get(name)}
