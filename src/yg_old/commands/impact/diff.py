"""The impact of all changes since a commit: its document, its text and its Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, UnsetType

from yg_old.commands.budget import Tokenizer
from yg_old.commands.impact.packages import ChangedPackage, changed_package, shown_diff
from yg_old.commands.impact.sections import section
from yg_old.commands.issues import Skipped, SkippedEntries
from yg_old.kernel.compare import ChangedNode, ChangedSource, Renamed
from yg_old.kernel.document import Document, Record, Text, about, known
from yg_old.kernel.impact import Names, Reached
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yg_old.commands.impact.packages import PackageWriter
    from yg_old.kernel.compare import DiffImpact

UNCOVERED = "no graph coverage"


class AskedOwner(Record, frozen=True, kw_only=True):
    """Somebody whom CODEOWNERS names for files of affected nodes."""

    owner: Annotated[Text, about("A user, a team or an address.")]
    nodes: Annotated[Names, about("The affected nodes that own such files, sorted.")]


def asked_owners(owners: Mapping[str, Sequence[str]]) -> tuple[AskedOwner, ...]:
    """Return whom to ask about nodes, given with the owners of their files."""
    found: dict[str, list[str]] = {}
    for node, names in sorted(owners.items()):
        for name in names:
            found.setdefault(name, []).append(node)
    return tuple(
        AskedOwner(owner=name, nodes=tuple(nodes)) for name, nodes in sorted(found.items())
    )


class ImpactOfChanges(Document, frozen=True, kw_only=True, tag="yg-impact/1"):
    """The impact of the changes since a commit."""

    HIDDEN = ("remarks",)
    HIDING = ("packages", "reached")

    mode: Annotated[Literal["diff"], about("The kind of query.")] = "diff"
    since: Annotated[Text, about("The commit to compare with, as given.")]
    sources: Annotated[tuple[ChangedSource, ...], about("The source files that differ, by path.")]
    graph_files: Annotated[Names, about("The files of the graph that differ, sorted.")]
    nodes: Annotated[
        tuple[ChangedNode, ...] | UnsetType,
        about("The nodes that differ, by id; only in Spec Graphs."),
    ] = UNSET
    moved: Annotated[tuple[Renamed, ...], about("What has another name now, by kind and old name.")]
    packages: Annotated[
        tuple[ChangedPackage, ...],
        about(
            "The packages that differ because of those, by node; in Spec Graphs, of changed nodes."
        ),
    ]
    tokenizer: Tokenizer = UNSET
    reached: Annotated[
        tuple[Reached, ...], about("The nodes that depend on changed ones, by path.")
    ]
    changed: Annotated[
        Names, about("The nodes that changed themselves, in sources or package, sorted.")
    ]
    affected: Annotated[Names, about("All nodes that changed or are affected, sorted.")]
    owners: Annotated[
        tuple[AskedOwner, ...] | UnsetType,
        about("Whom to ask, by name; absent if the repository has no CODEOWNERS."),
    ] = UNSET
    skipped: SkippedEntries
    remarks: tuple[str, ...] = ()  # warnings beside every form


def impact_of_changes(
    found: DiffImpact,
    write: PackageWriter | None = None,
    skipped: Sequence[Skipped] = (),
    *,
    tokenizer: str = "",
) -> ImpactOfChanges:
    """Return the document of an impact; with `write`, it includes how packages differ."""
    return ImpactOfChanges(
        since=found.since,
        sources=found.sources,
        graph_files=found.graph_files,
        nodes=known(found.nodes),
        moved=found.moved,
        packages=tuple(changed_package(shift, write) for shift in found.shifts),
        tokenizer=tokenizer or UNSET,
        reached=found.reached,
        changed=found.changed,
        affected=found.affected,
        skipped=list(skipped),
    )


def diff_text(impact: ImpactOfChanges) -> str:
    """Write the impact of all changes since a commit."""
    count = len(impact.sources) + len(impact.graph_files)
    graph_files = section("Changed graph files", map(visible, impact.graph_files))
    reached = (f"{visible(node.node)} <- {visible(node.by)}" for node in impact.reached)
    if impact.nodes is not UNSET:
        packages = {package.node: f": {package.sizes}" for package in impact.packages}
        sections = [
            graph_files,
            section("Changed nodes", (_node(node, packages) for node in impact.nodes)),
            section("Reached through links", reached),
        ]
    else:
        sections = [
            section("Changed sources", map(_source, impact.sources)),
            graph_files,
            section("Moved", map(_moved, impact.moved)) if impact.moved else "",
            section("Changed packages", map(_package, impact.packages)),
            section("Reached through relations", reached),
        ]
    differences = "".join(map(shown_diff, impact.packages))
    head = f"Impact of {counted(count, 'changed file')} since {visible(impact.since)}:\n"
    return (
        f"{head}\n{''.join(sections)}{differences}\nTotal scope: {_scope(impact)}\n{_ask(impact)}"
    )


def _ask(impact: ImpactOfChanges) -> str:
    """Write whom to ask, if the repository says so."""
    asked = [
        f"{visible(one.owner)} ({visible(', '.join(one.nodes))})" for one in impact.owners or ()
    ]
    return f"Ask: {', '.join(asked)}\n" if asked else ""


def _node(changed: ChangedNode, packages: Mapping[str, str]) -> str:
    return f"{visible(changed.node)} ({changed.how}){packages.get(changed.node, '')}"


def _source(file: ChangedSource) -> str:
    owner = ", now ".join(map(visible, file.owners)) or UNCOVERED
    moved = f" (moved to {visible(file.to)})" if file.to else ""
    return f"{visible(file.path)}{moved} -> {owner}"


def _moved(pair: Renamed) -> str:
    return f"{pair.kind} {visible(pair.old)} -> {visible(pair.new)}"


def _package(package: ChangedPackage) -> str:
    was = f" (was {visible(package.was)})" if package.was else ""
    return f"{visible(package.node)}{was}: {package.sizes}"


def _scope(impact: ImpactOfChanges) -> str:
    nodes, changed = len(impact.affected), len(impact.changed)
    return f"{counted(nodes, 'node')} ({changed} changed, {nodes - changed} reached)"


def diff_markdown(impact: ImpactOfChanges) -> str:
    """Write the impact of all changes as Markdown, for a pull request comment."""
    count = len(impact.sources) + len(impact.graph_files)
    parts = [
        "## What this change reaches",
        f"{counted(count, 'changed file')} since {_cell(impact.since)}, {_scope(impact)}.",
        _table(("Source", "Owner"), ((_path(file), _owner(file)) for file in impact.sources)),
        _listing("Graph files", impact.graph_files),
        _table(("Node", "Change"), ((_cell(node.node), node.how) for node in impact.nodes or ())),
        _table(("Moved", "To"), ((_cell(pair.old), _cell(pair.new)) for pair in impact.moved)),
        _table(
            ("Package", "Tokens"),
            ((_cell(package.node), package.sizes) for package in impact.packages),
        ),
        _table(
            ("Reached", "Through"), ((_cell(node.node), _cell(node.by)) for node in impact.reached)
        ),
    ]
    parts += [
        _table(
            ("Ask", "About"),
            ((_cell(one.owner), _cell(", ".join(one.nodes))) for one in impact.owners or ()),
        )
    ]
    parts += [
        _fenced(shown_diff(package)) for package in impact.packages if package.diff is not None
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(titles: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {left} | {right} |" for left, right in rows]
    if not lines:
        return ""
    return "\n".join([f"| {titles[0]} | {titles[1]} |", "| --- | --- |", *lines])


def _path(file: ChangedSource) -> str:
    return f"{_cell(file.path)}, moved to {_cell(file.to)}" if file.to else _cell(file.path)


def _owner(file: ChangedSource) -> str:
    return ", now ".join(map(_cell, file.owners)) or UNCOVERED


def _listing(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"{title}:", "", *(f"- {_cell(item)}" for item in items)]) if items else ""


def _cell(text: str) -> str:
    """Write text as a Markdown code span that fits in a table cell."""
    shown = visible(text).replace("|", "\\|")
    ticks = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _fenced(text: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}diff\n{text}{fence}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    longest = 0
    while "`" * (longest + 1) in text:
        longest += 1
    return longest
