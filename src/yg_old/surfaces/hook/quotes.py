"""The parts of a file that texts quote: an edit of other parts makes no sentence doubtful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind
from yg_old.surfaces.hook.edited import LONGEST
from yg_old.surfaces.hook.memory import stamps
from yg_old.text.paths import parent
from yg_old.workspace.brief_facts import relying_on
from yg_old.yggdrasil.model import RelationKind
from yg_old.yggdrasil.review.texts import GraphTexts
from yg_old.yggdrasil.review.watch import QUOTABLE, quotable_parts, quoted_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.surfaces.hook.at_start import OldSources
    from yg_old.surfaces.hook.memory import Memory
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.model import Node
    from yg_old.yggdrasil.review.watch import QuotablePart

MOST_TEXTS = 100  # about a node that are watched


class QuotedParts:
    """Finds the parts of files that texts quote, for the memory of a session."""

    def __init__(self, workspace: OpenWorkspace, old: OldSources) -> None:
        self._workspace = workspace
        self._old = old
        self._texts = GraphTexts(workspace.graph, dependents=self._dependents)

    def note(
        self, memory: Memory, node: Node, files: Sequence[str], watched: Sequence[str]
    ) -> None:
        """Remember which parts of some files the texts about their node quote.

        `watched` are the files that the node's brief is from.
        """
        texts = self._texts.about(node)
        if len(texts.files) > MOST_TEXTS:
            return
        folders = (parent(text) for text in texts.files)
        stamped = stamps(self._workspace.root, [*dict.fromkeys((*watched, *texts.files, *folders))])
        for file in files:
            # A file that was not there is compared with nothing, so that texts quote nothing of it.
            then = self._old.read(file) or b""
            if len(then) <= LONGEST:
                parts = quoted_parts(file, self._quotable(file, then), texts)
                memory.note_quoted(node.path, stamped, file, parts)

    def _quotable(self, file: str, then: bytes) -> dict[str, QuotablePart]:
        """Return the parts of the old content of a file; the index has those of the present one."""
        sources = self._workspace.sources
        try:
            if sources.kind(file) is Kind.FILE and sources.read(file) == then:
                return sources.computed(file, QUOTABLE)
        except UnreadableError:
            pass  # it changes at this moment
        return quotable_parts(file, then)

    def _dependents(self, path: str) -> list[str]:
        """Return the nodes with structural relations to a node, by path."""
        relying = relying_on(self._workspace, path)
        structural = (node for node, kind, _ in relying if RelationKind(kind).is_structural)
        return [*dict.fromkeys(structural)]
