"""The `find` command: search all texts of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.kernel.find import parse_query
from yg.render.find import found_text, nothing_found_text, search_data
from yg.render.issues import skipped_data, skipped_text

if TYPE_CHECKING:
    from yg.workspace import OpenWorkspace

KINDS = ("node", "aspect", "flow")
FEW = 20  # results, unless another number is asked for


def find(workspace: OpenWorkspace, words: str, *, kind: str = "", limit: int = FEW) -> Answer:
    """Search the names, paths and texts of the graph, or of one kind of its parts."""
    query = parse_query(words)
    if kind in KINDS[1:]:
        workspace.require(workspace.format.has_aspects, f"a search in {kind}s")
    search = workspace.search(query, kind, limit)
    return Answer(
        data=lambda: search_data(query, search, skipped_data(search.unread)),
        forms={"text": lambda palette: found_text(query, search, palette)},
        notes=lambda palette: nothing_found_text(search) + skipped_text(search.unread, palette),
        code=0 if search.found else 1,
    )
