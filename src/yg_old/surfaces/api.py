"""The Python API: open a repository with a graph and query it.

`import yg` exports these names; docs/api.md lists the attributes that are stable.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from yg_old.disk.git import timeouts
from yg_old.kernel.errors import UsageError
from yg_old.kernel.tokens import CHARACTERS, TOKENIZERS, named
from yg_old.text.paths import ROOT
from yg_old.workspace import results
from yg_old.workspace.opening import open_workspace as _open
from yg_old.workspace.searching import search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.commands.advise import AdviceItem
    from yg_old.commands.command import Command
    from yg_old.commands.review.documents import NodeReview
    from yg_old.commands.show import Shown
    from yg_old.commands.uses import FoundUses
    from yg_old.kernel.compare import DiffImpact
    from yg_old.kernel.dependencies import Dependency
    from yg_old.kernel.find import Found
    from yg_old.kernel.impact import NodeImpact
    from yg_old.kernel.issue import Issue
    from yg_old.kernel.plan import Plan
    from yg_old.kernel.queries import Depth
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import NodeDrift

    Path = str | os.PathLike[str]


class Package(Struct, frozen=True, kw_only=True):
    """A context package, as printed by `yg build-context`, and its size."""

    node: str  # the first
    nodes: tuple[str, ...]
    digest: str  # of the package of one node without options, for `have`; else empty
    tokens: int
    tokenizer: str  # characters: an estimate from their number
    status: str  # ok, warning or error, depending on the size
    files: tuple[str, ...]  # graph files that the text depends on
    text: str


class Workspace:
    """A repository with a graph; each file is read once, on first use."""

    def __init__(self, opened: OpenWorkspace) -> None:
        self._opened = opened

    @property
    def root(self) -> str:
        """The directory that holds the graph, as an absolute path."""
        return self._opened.root

    @property
    def kind(self) -> str:
        """The kind of graph, as in `--kind`."""
        return self._opened.format.name

    @property
    def commit(self) -> str:
        """The commit that the graph is read from; empty for the work tree."""
        return self._opened.commit

    def nodes(self) -> tuple[str, ...]:
        """Return the readable nodes, sorted."""
        with self._saved() as opened:
            outline = opened.queries.outline(ROOT, None)
        return tuple(sorted({entry.path for entry in outline.entries if entry.node}))

    def skipped(self) -> tuple[str, ...]:
        """Return the nodes that cannot be read and are missing from all answers, sorted."""
        with self._saved() as opened:
            return tuple(sorted({finding.subject for finding in opened.queries.skipped(ROOT)}))

    def package(  # noqa: PLR0913
        self,
        *nodes: str,
        files: Iterable[Path] = (),
        have: Iterable[str] = (),
        only: Iterable[str] = (),
        without: Iterable[str] = (),
        code: Literal["consumed", "all", "off"] | None = None,
        fit: int | None = None,
        depth: Depth | None = None,
        lenient: bool = False,
    ) -> Package:
        """Assemble the context package of some nodes and of the owners of some files.

        Fail if the graph has errors. The other arguments are the options of `yg build-context`.
        """
        from yg_old.commands.build_context import COMMAND, ask
        from yg_old.commands.build_context.request import ContextRequest, Wanted
        from yg_old.commands.command import Run

        owned = (Wanted(os.fspath(file), is_file=True) for file in files)
        request = ContextRequest(
            wanted=(*map(Wanted, nodes), *owned),
            have=tuple(have),
            only=tuple(only),
            without=tuple(without),
            code=code,
            fit=fit,
            depth=depth,
            lenient=lenient,
        )
        request.check()
        with self._saved() as opened:
            document = ask(Run(lambda _kind: opened), request)
            found = document.whole
            return Package(
                node=found.node_ids[0],
                nodes=found.node_ids,
                digest=document.find_digest() if document.find_digest else "",
                tokens=found.tokens,
                tokenizer=found.budget.tokenizer or CHARACTERS,
                status=found.status,
                files=found.source_files,
                text=COMMAND.written(document),
            )

    def issues(self, scope: str | None = None) -> tuple[Issue, ...]:
        """Check the graph, or one node and the nodes below it; errors come first."""
        with self._saved() as opened:
            within = "" if scope is None else opened.directory(scope)
            return results.verdict(opened, within).issues

    def drift(
        self, scope: str | None = None, *, files: Iterable[Path] | None = None
    ) -> tuple[NodeDrift, ...]:
        """Compare mapped nodes with their baselines: all, or those of a scope or of files."""
        from yg_old.commands.command import Run
        from yg_old.commands.drift.find import EVERYTHING, drift_in_scope, known_here

        self._require_work_tree("drift")
        with self._saved() as opened:
            names = None
            if files is not None:
                names = known_here(opened, [os.fspath(file) for file in files])
            run = Run(lambda _kind: opened)
            return drift_in_scope(run, EVERYTHING if scope is None else scope, names).drifts

    def review(self, *nodes: str, since: str | None = None) -> tuple[NodeReview, ...]:
        """Find the sentences that changed code may have made untrue: all, or those of some nodes.

        The code is compared with the baselines, or with a commit.
        """
        from yg_old.commands.command import Run
        from yg_old.commands.review import ReviewRequest, ask

        self._require_work_tree("review")
        request = ReviewRequest(nodes=nodes, since=since)
        request.check()
        with self._saved() as opened:
            return ask(Run(lambda _kind: opened), request).nodes

    def advise(self, *, limit: int = 5) -> tuple[AdviceItem, ...]:
        """Return what is most worth doing next, the most urgent first, as `yg advise` does."""
        from yg_old.commands.advise import AdviseRequest, ask
        from yg_old.commands.command import Run

        self._require_work_tree("advice")
        with self._saved() as opened:
            return ask(Run(lambda _kind: opened), AdviseRequest(limit=limit)).advice

    def brief(self, *targets: Path, limit: int = 2_000) -> str:
        """Return what to know before changing nodes or files, in at most so many tokens."""
        from yg_old.commands.brief import BriefRequest, ask, text
        from yg_old.commands.command import Run

        self._require_work_tree("brief")
        request = BriefRequest(targets=tuple(os.fspath(target) for target in targets), limit=limit)
        with self._saved() as opened:
            return text(ask(Run(lambda _kind: opened), request))

    def overview(self) -> str:
        """Return the graph on one page."""
        from yg_old.commands.command import Run
        from yg_old.commands.overview import OverviewRequest, ask, text

        self._require_work_tree("overview")
        with self._saved() as opened:
            return text(ask(Run(lambda _kind: opened), OverviewRequest()))

    def owner(self, file: Path) -> str | None:
        """Return the node that owns a file, or None."""
        from yg_old.commands.owner import look_up
        from yg_old.yggdrasil.owners import Ownership

        with self._saved() as opened:
            opened.require_yggdrasil("the owner of a file")
            ownership = Ownership(opened.graph, opened.sources)
            return look_up(opened, ownership, os.fspath(file)).node

    def show(self, *names: str, outline: bool = False) -> Shown:
        """Return the source of parts of the code, or their headers, as `yg show` does."""
        from yg_old.commands.command import Run
        from yg_old.commands.show import ShowRequest, ask

        with self._saved() as opened:
            return ask(Run(lambda _kind: opened), ShowRequest(names=names, outline=outline))

    def uses(self, name: str, *, limit: int = sys.maxsize) -> FoundUses:
        """Return the lines of the code that name a part, as `yg uses` does; all of them."""
        from yg_old.commands.command import Run
        from yg_old.commands.uses import UsesRequest, ask

        with self._saved() as opened:
            return ask(Run(lambda _kind: opened), UsesRequest(name=name, limit=limit))

    def deps(self, node: str, *, depth: int | None = None) -> tuple[Dependency, ...]:
        """Return the dependency tree of a node down to a depth, in display order."""
        with self._saved() as opened:
            return opened.queries.dependencies(opened.find(node), depth).lines

    def impact(self, node: str) -> NodeImpact:
        """Return what a change to a node affects."""
        with self._saved() as opened:
            return opened.queries.impact(opened.find(node))

    def find(self, words: str, *, kind: str | None = None, limit: int = 20) -> tuple[Found, ...]:
        """Search all texts as `yg find` does, the best first; kind is node, aspect or flow."""
        from yg_old.kernel.find import Scope, parse_query

        with self._saved() as opened:
            return search(opened, parse_query(words), limit, Scope(kind=kind or "")).found

    def changes(self, since: str = "HEAD") -> DiffImpact:
        """Return what all changes since a commit affect."""
        from yg_old.commands.since import changes_since

        self._require_work_tree("changes")
        with self._saved() as opened:
            return changes_since(opened, opened.queries, since)[0]

    def plan(
        self, node: str | None = None, *, unmapped: bool = False, lenient: bool = False
    ) -> Plan:
        """Order all nodes, or a node and its dependencies, so that dependencies come first.

        Fail if the graph has errors or, with `lenient`, leave out nodes that cannot be ordered.
        """
        from yg_old.commands.plan import needed, refuse_plan

        with self._saved() as opened:
            only = needed(opened, node)
            if not lenient:
                refuse_plan(opened)
            return opened.queries.plan(only, unmapped=unmapped, lenient=lenient)

    def ask(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a reading tool of `yg mcp` with its arguments; return what `--json` prints.

        The graph, its commit and its tokenizer are those of the workspace.
        """
        from yg_old.commands.arguments import arguments_of, checked, request_of
        from yg_old.commands.command import Run
        from yg_old.kernel.document import plain

        command = _reading_tool(tool)
        known = [known for known in arguments_of(command) if known.name != "tokenizer"]
        request = request_of(command, checked(known, arguments))
        if "at" in request.__struct_fields__:
            request = replace(request, at=self.commit or None)
            request.check()
        else:
            self._require_work_tree(tool)
        with self._saved() as opened:
            run = Run(lambda _kind: opened, directory=opened.start)
            return plain(command.ask(run, request))

    @contextmanager
    def _saved(self) -> Iterator[OpenWorkspace]:
        """Save the index after a query, even if it fails."""
        timeouts.forget()
        try:
            yield self._opened
        finally:
            self._opened.save()

    def _require_work_tree(self, query: str) -> None:
        if self.commit:
            raise UsageError(f"'{query}' requires the work tree, not a commit")


def _reading_tool(name: str) -> Command[Any, Any]:
    """Return the command of a tool; UsageError if there is none, or if it writes."""
    from yg_old.commands.table import tools
    from yg_old.text.suggest import did_you_mean, listing, nearest

    every = tools().items()
    known = {name: command for name, command in every if command.tool and not command.tool.writes}
    if name not in known:
        hint = did_you_mean(nearest(name, known)) or f"Known tools: {listing(known, len(known))}."
        raise UsageError(f"unknown tool '{name}'", hint=hint)
    return known[name]


def open_workspace(
    directory: Path = ".",
    *,
    at: str | None = None,
    kind: str | None = None,
    tokenizer: str | None = None,
) -> Workspace:
    """Open the graph of a directory, from the work tree or from a commit.

    `tokenizer` counts tokens instead of the configured one.
    """
    if tokenizer not in (None, *TOKENIZERS):
        hint = f"Use one of: {', '.join(TOKENIZERS)}."
        raise UsageError(f"unknown tokenizer '{tokenizer}'", hint=hint)
    timeouts.forget()
    counting = None if tokenizer is None else named(tokenizer)
    return Workspace(_open(os.fspath(directory), at, kind, tokenizer=counting))
