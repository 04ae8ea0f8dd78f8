"""Which requirements cut across nodes? The aspects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.skipped import with_skipped
from yg.render.catalog import aspects_data, yaml_list
from yg.yggdrasil.skipped import skipped

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.workspace import Workspace


def aspects(workspace: Workspace) -> Answer:
    """List the aspects."""
    workspace.require(workspace.format.has_aspects, "the list of aspects")
    shelf = workspace.graph.aspects
    entries = aspects_data(shelf)
    return with_skipped(
        "aspects",
        skipped(shelf),
        data=lambda: {"aspects": entries},
        forms={"text": lambda _palette: yaml_list(entries)},
    )
