"""The quality gate: numbers of the graph, compared with those in the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.coverage import coverage_here
from yg_old.kernel.document import Record, Text, about, one_of
from yg_old.kernel.palette import visible
from yg_old.text.suggest import listing
from yg_old.workspace import results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.workspace.opened import OpenWorkspace

COVERAGE, PACKAGES_OVER, DRAFTS = "coverage", "packages_over", "drafts"


class GateCheck(Record, frozen=True, kw_only=True):
    """A number of the gate, and whether it is good enough."""

    name: Annotated[
        str, one_of(COVERAGE, PACKAGES_OVER, DRAFTS), about("The key under `quality.gate`.")
    ]
    limit: Annotated[float, about("The least percentage of `coverage`; else the largest number.")]
    value: Annotated[float, about("The number of today.")]
    passed: Annotated[bool, about("Whether it is good enough.")]
    found: Annotated[
        tuple[Text, ...], about("The nodes or files that are counted; not those of `coverage`.")
    ] = ()

    @property
    def text(self) -> str:
        """One line with the number, the limit and what to do."""
        if self.name == COVERAGE:
            numbers = f"{self.value:g}%, at least {self.limit:g}%"
            where = "'yg coverage --uncovered' lists the files"
        else:
            numbers = f"{self.value}, at most {self.limit}"
            where = visible(listing(self.found))
        return f"{self.name}: {numbers}: " + ("ok" if self.passed else f"failed ({where})")


def gate_checks(workspace: OpenWorkspace) -> tuple[GateCheck, ...]:
    """Check the numbers that the configuration limits."""
    return tuple(_checks(workspace))


def _checks(workspace: OpenWorkspace) -> Iterator[GateCheck]:
    gate = workspace.graph.config.quality.gate
    if gate.coverage is not None:
        total = coverage_here(workspace).total
        is_enough = total.share >= gate.coverage
        yield GateCheck(name=COVERAGE, limit=gate.coverage, value=total.percent, passed=is_enough)
    if gate.packages_over is not None:
        over = tuple(results.package_sizes(workspace).oversized)
        yield _at_most(PACKAGES_OVER, gate.packages_over, over)
    if gate.drafts is not None:
        yield _at_most(DRAFTS, gate.drafts, results.draft_files(workspace))


def _at_most(name: str, limit: int, found: tuple[str, ...]) -> GateCheck:
    count = len(found)
    return GateCheck(name=name, limit=limit, value=count, passed=count <= limit, found=found)


def gate_text(checks: Sequence[GateCheck]) -> str:
    """Write a line for each number; nothing if there is no gate."""
    lines = "".join(f"  {check.text}\n" for check in checks)
    return f"Gate:\n{lines}" if lines else ""
