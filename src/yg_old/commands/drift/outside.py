"""Documents outside the graph: at a baseline, found in git, and now."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.commands.drift.comparison import Comparison
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import decode_text
from yg_old.text.headings import section
from yg_old.yggdrasil.documents import digest_of
from yg_old.yggdrasil.drift.states import How

if TYPE_CHECKING:
    from yg_old.disk.git.history import History
    from yg_old.yggdrasil.documents import Reference
    from yg_old.yggdrasil.drift.states import Change
    from yg_old.yggdrasil.graph import Graph

MOST_VERSIONS = 50  # of a document, the newest ones
NOT_LISTED = "the package does not quote it any more"
NOT_IN_GIT = "the old text is not known: git does not have it"


def compared(graph: Graph, history: History, change: Change, digest: str) -> Comparison:
    """Compare a document or a section with that at its baseline, which has the digest."""
    facts = Comparison(path=change.path, is_new=change.how is How.ADDED)
    if change.how is How.DELETED:
        return replace(facts, note=NOT_LISTED)
    reference = graph.documents.reference(change.path)
    try:
        now = replace(facts, new=_lf(graph.documents.text(reference).value))
    except UnreadableError as error:
        return replace(facts, note=error.reason)
    old = "" if facts.is_new else _old(history, reference, digest)
    return replace(facts, note=NOT_IN_GIT) if old is None else replace(now, old=old)


def _old(history: History, reference: Reference, digest: str) -> str | None:
    """Search the versions of a file for a text with a digest."""
    for content in islice(history.versions(reference.path), MOST_VERSIONS):
        try:
            text = decode_text(reference.path, content)
        except UnreadableError:
            continue
        found = section(text, reference.heading) if reference.heading else None
        if reference.heading and found is None:
            continue
        part = text[found.start : found.end] if found else text
        if digest_of(part) == digest:
            return _lf(part)
    return None


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")
