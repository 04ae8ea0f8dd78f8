"""What a change would do to the errors of a Spec Graph, found before it is written."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.issue import Issue, Severity
from yg_old.kernel.overlay import OverlaySnapshot
from yg_old.kernel.rule import check
from yg_old.specgraph.read.reader import read
from yg_old.specgraph.rules.check import RULES
from yg_old.specgraph.rules.digests import digest_mismatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.specgraph.edit.pending import SpecChange
    from yg_old.specgraph.graph import SpecGraph

_LINE = re.compile(r"\bline \d+")  # edits move lines


class Consequences(Struct, frozen=True):
    """The errors that a change adds."""

    errors: tuple[Issue, ...]
    stale_pins: tuple[Issue, ...]  # pins of other nodes on what is written


def errors_of(graph: SpecGraph) -> tuple[Issue, ...]:
    """Return the errors of a graph, without warnings."""
    return check([rule for rule in RULES if rule.severity is Severity.ERROR], graph)


def consequences(graph: SpecGraph, before: Iterable[Issue], change: SpecChange) -> Consequences:
    """Compare the errors of a graph with those it would have after a change."""
    after = errors_of(read(OverlaySnapshot(graph.snapshot, change.contents)))
    written = set(change.nodes)
    new = tuple(_new(before, after))
    stale = tuple(issue for issue in new if _is_stale_pin(issue, written))
    return Consequences(tuple(issue for issue in new if issue not in stale), stale)


def _is_stale_pin(issue: Issue, written: set[str]) -> bool:
    """Return whether an error is a pin that another node has on one that is written."""
    is_pin = issue.code == digest_mismatch.code and bool(issue.also)
    return is_pin and issue.subject not in written and not written.isdisjoint(issue.also)


def _new(before: Iterable[Issue], after: Iterable[Issue]) -> Iterator[Issue]:
    """Yield the issues that were not there before."""
    known = Counter(map(_identity, before))
    for issue in after:
        known[_identity(issue)] -= 1
        if known[_identity(issue)] < 0:
            yield issue


def _identity(issue: Issue) -> tuple[str, str, str]:
    return issue.code, issue.subject, _LINE.sub("line", issue.message)
