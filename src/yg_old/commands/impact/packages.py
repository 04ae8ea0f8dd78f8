"""The old and the new packages of nodes, and how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType

from yg_old.commands.budget import BudgetStatus
from yg_old.kernel.document import Count, Record, Text, about
from yg_old.kernel.impact import NodePath
from yg_old.kernel.palette import visible
from yg_old.text.escapes import escape_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from yg_old.kernel.compare import Shift
    from yg_old.yggdrasil.drift.states import NodeDrift

    PackageWriter = Callable[[Any], str]

SIZE_AND_STATUS = {
    "if": {"properties": {"tokens_now": {"type": "null"}}},
    "then": {"properties": {"status": {"type": "null"}}},
    "else": {"properties": {"status": {"type": "string"}}},
}
TokensThen = Annotated[Count | None, about("The old size of its package; null when it had none.")]
TokensNow = Annotated[Count | None, about("The new size of its package; null when it has none.")]
StatusNow = Annotated[
    BudgetStatus | None,
    about("The new size compared with the budget; null when it has no package."),
]
PackageDiff = Annotated[
    str | None, about("With --show: a unified diff of the two packages; null otherwise.")
]


class ChangedPackage(Record, frozen=True, kw_only=True):
    """A package that differs."""

    CONDITIONS: ClassVar[dict[str, Any]] = SIZE_AND_STATUS
    HIDDEN = ("was", "sizes")

    node: NodePath
    tokens_then: TokensThen
    tokens_now: TokensNow
    status: StatusNow
    diff: PackageDiff
    was: str  # its path before, if it was moved
    sizes: str  # the old and the new size, in words


class SimulatedPackage(Record, frozen=True, kw_only=True):
    """The old and the new package of an affected node."""

    CONDITIONS: ClassVar[dict[str, Any]] = SIZE_AND_STATUS
    HIDDEN = ("sizes", "has_contracts")

    node: NodePath
    changed: Annotated[bool, about("Whether the text of the package differs.")]
    interface_changed: Annotated[
        bool, about("Whether the parts quoted from the changed node differ.")
    ]
    tokens_then: TokensThen
    tokens_now: TokensNow
    status: StatusNow
    mapped_files: Annotated[
        Text | UnsetType,
        about(
            "The state of its mapped files on disk compared with the baseline; absent in Spec "
            "Graphs and with --at."
        ),
    ] = UNSET
    diff: PackageDiff
    sizes: str  # the old and the new size, in words
    has_contracts: bool = True  # packages quote the contracts of others, not their whole texts


SimulatedPackages = Annotated[
    tuple[SimulatedPackage, ...] | UnsetType,
    about("With --simulate: the old and the new package of each affected node."),
]
NoBaseline = Annotated[
    Text | UnsetType,
    about("With --simulate: why there is no baseline."),
]
SimulationNotes = Annotated[
    tuple[Text, ...] | UnsetType,
    about("With --simulate: warnings about baselines and files."),
]
BOTH_OR_NONE = {"packages": ["notes"], "notes": ["packages"]}


def changed_package(shift: Shift, write: PackageWriter | None) -> ChangedPackage:
    """Return the change of a package; with `write`, also the difference."""
    return ChangedPackage(
        node=shift.node,
        tokens_then=shift.then.tokens if shift.then else None,
        tokens_now=shift.now.tokens if shift.now else None,
        status=shift.now.status if shift.now else None,
        diff=package_diff(shift, write) if write else None,
        was=shift.was,
        sizes=sizes(shift),
    )


def simulated_package(
    shift: Shift,
    target: str,
    drifts: Mapping[str, NodeDrift] | None,
    write: PackageWriter | None,
    *,
    has_contracts: bool = True,
) -> SimulatedPackage:
    """Return the change of the package of an affected node.

    `target` is the node that changes, if it is one. `drifts` is None if nodes own no files, or if
    the files are not those on disk. With `write`, the difference is included.
    """
    return SimulatedPackage(
        node=shift.node,
        changed=shift.is_changed,
        interface_changed=bool(target) and shift.sees_change_of(target),
        tokens_then=shift.then.tokens if shift.then else None,
        tokens_now=shift.now.tokens if shift.now else None,
        status=shift.now.status if shift.now else None,
        mapped_files=UNSET if drifts is None else _mapped(drifts.get(shift.node)),
        diff=package_diff(shift, write) if write else None,
        sizes=sizes(shift),
        has_contracts=has_contracts,
    )


def sizes(shift: Shift) -> str:
    """Write the old and the new size of a package."""
    then = str(shift.then.tokens) if shift.then else "none"
    if shift.now is None:
        return f"{then} -> none"
    if not shift.is_changed:
        then = str(shift.now.tokens)  # sizes may differ by line endings, which do not count
    return f"{then} -> {shift.now.tokens} {shift.now.budget.unit} ({shift.now.status})"


def _mapped(drift: NodeDrift | None) -> str:
    if drift is None:
        return "no mapping"
    if drift.reason:
        return f"unknown ({visible(drift.reason)})"
    if drift.is_not_recorded:
        return "ok (not recorded)"
    if not drift.has_baseline:
        return f"{drift.state} (no baseline)"
    if drift.source and drift.state not in ("missing", "ok"):
        files = ", ".join(visible(change.path) for change in drift.source)
        return f"drift (Changed files: {files})"
    return "missing" if drift.state == "missing" else "ok"


def package_diff(shift: Shift, write: PackageWriter) -> str:
    """Write a unified diff of the old and the new package."""
    from difflib import unified_diff

    then, now = (
        write(package).removesuffix("\n").split("\n") if package else []
        for package in (shift.then, shift.now)
    )
    was, node = visible(shift.was or shift.node), visible(shift.node)
    lines = unified_diff(then, now, f"then/{was}", f"now/{node}", lineterm="")
    return "".join(f"{line}\n" for line in lines)


def shown_diff(package: ChangedPackage | SimulatedPackage) -> str:
    """Write the difference with control characters escaped, for terminals."""
    return escape_controls(package.diff or "")


def simulated(
    packages: Iterable[SimulatedPackage] | UnsetType,
    target: str = "",
    *,
    no_baseline: str | UnsetType = UNSET,
) -> str:
    """Write how the packages of affected nodes differ from those of a commit, if it is known."""
    if packages is UNSET:
        return ""
    parts = [f"  no baseline: {visible(no_baseline)}\n"] if no_baseline else []
    for package in packages:
        lines = [f"  {visible(package.node)}:"]
        if package.interface_changed:
            what = "Changed dependency interface" if package.has_contracts else "Changed text"
            lines.append(f"    + {what}: {visible(target)}")
        lines.append(f"    Budget: {package.sizes}")
        if package.mapped_files is not UNSET:
            lines.append(f"    Mapped files (on-disk): {package.mapped_files}")
        parts.append("".join(f"{line}\n" for line in lines) + shown_diff(package))
    return "\nChanges in context packages:\n" + ("".join(parts) or "  (none)\n")
