"""Search the texts of a graph and the names of its code, in an index brought up to date first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.disk.index.changes import ALL_RULES, PLACES, QUOTED, ChangeKind

if TYPE_CHECKING:
    from yg_old.disk.index.fulltext import FullText
    from yg_old.kernel.find import Query, Scope, Search, Vocabulary
    from yg_old.kernel.issue import Finding
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.code.name_search import FileNames


def search(
    workspace: OpenWorkspace,
    query: Query,
    limit: int | None,
    scope: Scope,
    *,
    shows_all: bool = False,
) -> Search:
    """Search the texts of the graph, the best first; without a limit, return all that match."""
    from yg_old.disk.index.fulltext import FullTextFile
    from yg_old.kernel.find import Search, unknown_words
    from yg_old.kernel.find_lines import found_in

    def ask(texts: FullText) -> Search:
        unread = _updated(workspace, texts)
        best, total, is_partial = texts.search(query, limit, scope)
        has_all = total and not is_partial
        return Search(
            found=tuple(
                found_in(
                    match,
                    workspace.queries.searched_text(match.entry).value,
                    query,
                    shows_all=shows_all,
                )
                for match in best
            ),
            total=total,
            is_partial=is_partial,
            unknown=() if has_all else unknown_words(query, _vocabulary_of(workspace, texts)),
            unread=unread,
        )

    index = workspace.tree.index if workspace.is_written else None
    return FullTextFile(index).ask(ask)


def code_names(workspace: OpenWorkspace) -> tuple[FileNames, ...]:
    """Return the names of the parts of all mapped source files."""
    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.code.name_search import FILE_NAMES, all_names, read_again
    from yg_old.yggdrasil.owners import Ownership

    sources = workspace.sources

    def compute() -> tuple[FileNames, ...]:
        ownership = Ownership(workspace.graph, sources)
        return all_names(NodeImports(workspace.graph, sources, ownership))

    def amend(known: tuple[FileNames, ...], changed: tuple[str, ...]) -> tuple[FileNames, ...]:
        others = frozenset(changed)
        return tuple(read_again(sources, file) if file.path in others else file for file in known)

    return workspace.result(
        "code names", PLACES | ChangeKind.SOURCES, FILE_NAMES, compute, amend=amend
    )


def _vocabulary_of(workspace: OpenWorkspace, texts: FullText) -> Vocabulary:
    """Return the words of a full-text index, read once as long as it does not change."""
    from yg_old.kernel.find import Vocabulary

    known, generation = workspace.vocabulary, texts.generation
    if known is None or known.generation != generation:
        workspace.vocabulary = known = Vocabulary(texts.vocabulary(), generation)
    return known


def _updated(workspace: OpenWorkspace, texts: FullText) -> tuple[Finding, ...]:
    """Bring a full-text index up to date; return findings about what is not in it."""
    from yg_old.kernel.find import SYNCED, SyncedTexts

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
