"""Sync: recording the current files of nodes as their new baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.edit import Delete, Edit, Write
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.yggdrasil.drift.baseline import Baseline, baseline_of, node_of, state_file
from yg_old.yggdrasil.drift.baseline_parts import (
    contracts_data,
    facts_data,
    recorded_contracts,
    recorded_facts,
    recorded_reviews,
    reviews_data,
    same_facts,
)
from yg_old.yggdrasil.drift.keys import CODE, EXTERNAL, REVIEWS
from yg_old.yggdrasil.drift.layout import baseline_text, is_recordable
from yg_old.yggdrasil.drift.tracking import is_confirmed
from yg_old.yggdrasil.inventories.relations import find
from yg_old.yggdrasil.model import ReadIssue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg_old.code.facts import FileFacts
    from yg_old.kernel.digest import FileDigest
    from yg_old.yggdrasil.drift.baseline_parts import Review
    from yg_old.yggdrasil.drift.baselines import Baselines
    from yg_old.yggdrasil.drift.classify import FactsReader
    from yg_old.yggdrasil.drift.tracking import Hashes, Tracked
    from yg_old.yggdrasil.graph import Graph


class Synced(Struct, frozen=True):
    """The result of syncing one node: the old and new baseline, or the reason for failure."""

    node: str
    before: Baseline | None
    after: Baseline | None
    failure: str = ""
    needs_reason: bool = False  # the failure: its code changed, but none of its texts
    has_errors: bool = False  # the failure: errors of the graph that `yg validate` shows
    is_old: bool = False  # the file of the old baseline has another layout, or a merge conflict

    @property
    def is_changed(self) -> bool:
        """Whether the new baseline differs from the old one."""
        if self.after is None:
            return False
        return self.before is None or (self.before.files, self.before.rest) != (
            self.after.files,
            self.after.rest,
        )

    @property
    def is_rewritten(self) -> bool:
        """Whether only the layout of the file changes."""
        return self.after is not None and self.is_old and not self.is_changed

    @property
    def has_same_files(self) -> bool:
        """Whether both baselines list the same files and contracts, with the same digests."""
        if self.before is None or self.after is None:
            return False
        is_same = recorded_contracts(self.before) == recorded_contracts(self.after)
        return is_same and self.before.files == self.after.files

    @property
    def edit(self) -> Write | None:
        """The edit that writes the new baseline, if its file differs from the old one."""
        if self.after is None or not (self.is_changed or self.is_old):
            return None
        return Write(state_file(self.node), baseline_text(self.after).encode())


class Recording(Struct, frozen=True, kw_only=True):
    """How a baseline is recorded."""

    review: Review | None = None
    stores_hash: bool = True
    has_facts: bool = True  # whether facts about the code are recorded
    stored: bytes | None = None  # the file of the old baseline


PLAIN = Recording()


def synced(  # noqa: PLR0913, PLR0917
    node: str,
    tracked: Tracked,
    before: Baseline | None,
    hashes: Hashes,
    facts: FactsReader,
    how: Recording = PLAIN,
) -> Synced:
    """Compute the new baseline of a node from its current files."""
    if failure := _missing(tracked):
        return Synced(node, before, None, failure)
    if faults := (*tracked.faults, *tracked.reasons(before)):
        return Synced(node, before, None, "; ".join(faults), has_errors=True)
    if tracked.is_gone:
        return Synced(node, before, None, "all mapped paths are missing")
    try:
        digests = {path: hashes.of(path) for path in tracked.files}
    except UnreadableError as error:
        return Synced(node, before, None, error.message)
    files = {path: digest.lf for path, digest in digests.items()}
    if before is not None and _is_same(before, digests):
        before = replace(before, files=files)  # share the map to save memory
    sources = tracked.source if how.has_facts else ()
    found = {path: known for path in sources if (known := facts.of(path)) is not None}
    before = _in_our_form(before, tracked, found, how)
    after = baseline_of(
        files, _other_parts(before, tracked, found, how.review), stores_hash=how.stores_hash
    )
    if not is_recordable(after):
        # Facts only tell more about later changes.
        rest = _other_parts(before, tracked, {}, how.review)
        after = baseline_of(files, rest, stores_hash=how.stores_hash)
    if not is_recordable(after):
        failure = f"it has {len(files)} files, more than one baseline can list; split the node"
        return Synced(node, before, None, failure)
    is_old = how.stored is not None and how.stored != baseline_text(after).encode()
    return Synced(node, before, after, is_old=is_old)


def _in_our_form(
    before: Baseline | None, tracked: Tracked, facts: Mapping[str, FileFacts], how: Recording
) -> Baseline | None:
    """Return an old baseline whose other parts have the form that they would have now.

    What only has another form has not changed.
    """
    if before is None:
        return None
    rest = dict(before.rest)
    if CODE in rest and not how.has_facts:
        del rest[CODE]
    elif CODE in rest and same_facts(facts, recorded_facts(before)[0]):
        rest[CODE] = facts_data(facts)
    if EXTERNAL in rest and _has_same_contracts(before, tracked):
        rest[EXTERNAL] = contracts_data(tracked.contracts)
    return replace(before, rest=rest)


def _has_same_contracts(before: Baseline, tracked: Tracked) -> bool:
    then = recorded_contracts(before)
    others = before.merged.contracts if before.merged else {}
    return all(
        tracked.contracts.get(target, "") in others.get(target, (then.get(target, ""),))
        for target in then.keys() | tracked.contracts.keys()
    )


def _other_parts(
    before: Baseline | None,
    tracked: Tracked,
    facts: Mapping[str, FileFacts],
    review: Review | None,
) -> Mapping[str, bytes]:
    """Return the other parts of a new baseline, also those that other tools have written."""
    rest = dict(before.rest) if before else {}
    if not tracked.contracts:
        rest.pop(EXTERNAL, None)
    elif tracked.contracts != recorded_contracts(before):
        rest[EXTERNAL] = contracts_data(tracked.contracts)
    if facts:
        rest[CODE] = facts_data(facts)
    else:
        rest.pop(CODE, None)
    if review is not None:
        reviews = recorded_reviews(before)[0] if before else ()
        rest[REVIEWS] = reviews_data((*reviews, review))
    return rest


def _missing(tracked: Tracked) -> str:
    """Return which mapped paths have no files; empty if all have some."""
    if tracked.gone:
        return f"mapped paths do not exist: {', '.join(tracked.gone)}"
    if tracked.empty:
        return f"mapped directories have no files: {', '.join(tracked.empty)}"
    return ""


def _is_same(before: Baseline, digests: Mapping[str, FileDigest]) -> bool:
    """Tell whether a baseline, perhaps of another tool or merged, describes the present files."""
    others = before.merged.files if before.merged else {}
    return all(
        is_confirmed(digests.get(path), others.get(path, (before.files.get(path, ""),)))
        for path in before.files.keys() | digests.keys()
    )


def unresolved(graph: Graph, path: str) -> Iterator[str]:
    """Yield the targets of a node's structural relations that do not exist.

    Its baseline has no contract of such a target; when the target appears, the node has drifted.
    """
    node = graph.nodes.get(path)
    if node is None:
        return
    missing = (
        *(
            relation
            for relation in node.relations
            if graph.nodes.reading(relation.target.text) is None
        ),
        *(item for item in node.external if find(graph, item.target.text) is None),
    )
    yield from (link.target.text for link in missing if link.kind.is_structural)


def garbage(graph: Graph, baselines: Baselines) -> Iterator[Edit]:
    """Yield edits that delete the baselines of nodes that are gone or no longer mapped.

    Invalid nodes keep their baselines, and files of other names are left alone. The file of a
    deleted node may be empty or damaged, but must be readable.
    """
    unreadable = tuple(_unreadable_directories(graph))
    for file in baselines.files():
        node = node_of(file)
        if node is None or any(paths.is_inside(node, directory) for directory in unreadable):
            continue
        reading = graph.nodes.reading(node)
        is_orphan = reading is None or (reading.value is not None and not reading.value.is_tracked)
        if is_orphan and baselines.is_readable(file):
            yield Delete(file)


def _unreadable_directories(graph: Graph) -> Iterator[str]:
    """Yield the directories of the model that could not be read."""
    tree = graph.nodes.spec.tree
    notes = (note for reading in graph.nodes.all.values() for note in reading.notes)
    for note in (*graph.nodes.notes, *notes):
        file = note.finding.place.file
        if file == tree:
            yield paths.ROOT
        elif note.issue in (ReadIssue.UNREADABLE, ReadIssue.LINK):
            yield file.removeprefix(f"{tree}/")


def edits_of(results: Iterable[Synced]) -> Iterator[Edit]:
    """Yield the edits that write new baselines, one at a time to save memory."""
    return (edit for result in results if (edit := result.edit) is not None)
