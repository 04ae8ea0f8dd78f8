"""Search the texts of a graph, in a full-text index that is brought up to date first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.disk.index.changes import ALL_RULES, QUOTED

if TYPE_CHECKING:
    from yg.disk.index.fulltext import FullText
    from yg.kernel.find import Query, Search, Vocabulary
    from yg.kernel.issue import Finding
    from yg.workspace.opened import OpenWorkspace


def search(workspace: OpenWorkspace, query: Query, kind: str, limit: int) -> Search:
    """Search all texts of the graph, or those of one kind of parts, the best first."""
    from yg.disk.index.fulltext import FullTextFile

    index = workspace.tree.index if workspace.is_written else None
    return FullTextFile(index).ask(lambda opened: _search(workspace, opened, query, kind, limit))


def _search(
    workspace: OpenWorkspace, texts: FullText, query: Query, kind: str, limit: int
) -> Search:
    from yg.kernel.find import Search, found_in, unknown_words

    unread = _updated(workspace, texts)
    best, total = texts.search(query, kind, limit)
    return Search(
        found=tuple(
            found_in(match, workspace.queries.searched_text(match.entry).value, query)
            for match in best
        ),
        total=total,
        unknown=() if total else unknown_words(query, _vocabulary_of(workspace, texts)),
        unread=unread,
    )


def _vocabulary_of(workspace: OpenWorkspace, texts: FullText) -> Vocabulary:
    """Return the words of a full-text index, read once as long as it does not change."""
    from yg.kernel.find import Vocabulary

    known, generation = workspace.vocabulary, texts.generation
    if known is None or known.generation != generation:
        workspace.vocabulary = known = Vocabulary(texts.vocabulary(), generation)
    return known


def _updated(workspace: OpenWorkspace, texts: FullText) -> tuple[Finding, ...]:
    """Bring a full-text index up to date; return findings about what is not in it."""
    from yg.kernel.find import SYNCED, SyncedTexts

    def update() -> SyncedTexts:
        found = workspace.queries.texts()
        index = workspace.tree.index if workspace.is_written else None
        stamp_of = index.stamps.settled if index is not None else _no_stamp
        unread = texts.update(found.entries, stamp_of, workspace.queries.searched_text)
        return SyncedTexts(texts.generation, (*found.unread, *unread))

    # Nodes of a Spec Graph may be in hidden directories, which do not count as the graph's.
    depends = QUOTED if workspace.format.is_yggdrasil else ALL_RULES
    return workspace.result(
        "texts",
        depends,
        SYNCED,
        update,
        holds=lambda known: known.generation == texts.generation,
    ).unread


def _no_stamp(_path: str) -> bytes:
    return b""
