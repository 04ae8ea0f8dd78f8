"""Results about a whole graph, which the index keeps while nothing they depend on changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import DecodeError

from yg_old.disk.index.changes import ALL_RULES, CODE, DECLARATIONS, PLACES, QUOTED, TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.kernel.issue import Finding, Issue, Verdict
    from yg_old.kernel.plan import Plan
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.code.uses import CodeTable
    from yg_old.yggdrasil.questions.overview import PackageSizes


def verdict(workspace: OpenWorkspace, scope: str = "") -> Verdict:
    """Validate the graph; with a scope, keep its issues and those of the whole graph."""
    from yg_old.kernel.issue import VERDICT

    def check() -> Verdict:
        return workspace.queries.validate(workspace.sources)

    found = workspace.result(_counted(workspace, "verdict"), ALL_RULES, VERDICT, check)
    return workspace.queries.restrict(found, scope) if scope else found


def verdict_at(workspace: OpenWorkspace, commit: str, read: Callable[[], Verdict]) -> Verdict:
    """Return the issues at a commit, of which the index keeps those that were asked for last."""
    from yg_old.kernel.issue import VERDICT

    index = workspace.tree.index if workspace.is_written else None
    name = _counted(workspace, "verdict at a commit")
    known = None if index is None else index.facts.get(name, commit)
    if known is not None:
        try:
            return VERDICT.decode(known)
        except DecodeError:
            pass  # written by other code: read it again
    found = read()
    value = VERDICT.encode(found)
    if index is not None and value is not None:
        index.facts.keep(name, commit, value)
    return found


def errors(workspace: OpenWorkspace) -> tuple[Issue, ...]:
    """Return the errors of a Yggdrasil graph that prevent packages."""
    from yg_old.kernel.issue import ISSUES

    def check() -> tuple[Issue, ...]:
        from yg_old.yggdrasil.rules.blocking import errors_of

        return errors_of(workspace.graph, workspace.sources)

    return workspace.result("errors", PLACES, ISSUES, check)


def is_unnamed(workspace: OpenWorkspace) -> bool:
    """Return whether the configuration can be read, but gives the project no name."""
    from yg_old.kernel.codec import NUMBER

    def check() -> int:
        graph = workspace.graph
        return int(graph.config_reading.value is not None and not graph.config.name)

    return bool(workspace.result("unnamed", DECLARATIONS, NUMBER, check))


def later_format(workspace: OpenWorkspace) -> str:
    """Return the format of a Yggdrasil graph, if it is later than that of new graphs."""
    from yg_old.kernel.codec import TEXT

    def name() -> str:
        from yg_old.yggdrasil.later_formats import later_format

        return later_format(workspace.graph)

    return workspace.result("format", DECLARATIONS, TEXT, name)


def package_sizes(workspace: OpenWorkspace) -> PackageSizes:
    """Measure the packages of a Yggdrasil graph."""
    from yg_old.yggdrasil.questions.overview import PACKAGE_SIZES, package_sizes_of

    name = _counted(workspace, "packages")
    return workspace.result(name, QUOTED, PACKAGE_SIZES, lambda: package_sizes_of(workspace.graph))


def draft_files(workspace: OpenWorkspace) -> tuple[str, ...]:
    """Return the texts of a Yggdrasil graph that nobody has written yet, by path."""
    from yg_old.kernel.codec import TEXTS as PATHS

    def find() -> tuple[str, ...]:
        from yg_old.yggdrasil.rules.check import survey_of

        survey = survey_of(workspace.graph, workspace.sources)
        return tuple(sorted(text.path for _, text, _ in survey.texts if text.is_draft))

    return workspace.result("draft files", TEXTS, PATHS, find)


def drafts(workspace: OpenWorkspace) -> int:
    """Count the artifacts of nodes that nobody has written yet, blackbox nodes left out."""
    from yg_old.kernel.codec import NUMBER
    from yg_old.yggdrasil.questions.overview import count_drafts

    return workspace.result("drafts", TEXTS, NUMBER, lambda: count_drafts(workspace.graph))


def code_table(workspace: OpenWorkspace) -> CodeTable:
    """Return what the code of the repository consists of, for questions about its parts."""
    from yg_old.yggdrasil.code.evidence import read_imports
    from yg_old.yggdrasil.code.uses import CODE_TABLE, code_table

    return workspace.result(
        "code table",
        CODE,
        CODE_TABLE,
        lambda: code_table(read_imports(workspace.graph, workspace.sources)),
    )


def plan(workspace: OpenWorkspace) -> tuple[Plan, tuple[Finding, ...]]:
    """Return the build order of all nodes, and findings about nodes that are not in it."""
    from yg_old.kernel.plan import PLANNED

    # Nodes of a Spec Graph may be in hidden directories, which do not count as the graph's.
    depends = DECLARATIONS if workspace.format.is_yggdrasil else ALL_RULES
    return workspace.result(
        "plan", depends, PLANNED, lambda: (workspace.queries.plan(None), tuple(workspace.skipped()))
    )


def _counted(workspace: OpenWorkspace, name: str) -> str:
    """Return the name of a result with sizes; each release of a tokenizer has its own."""
    if not workspace.tokenizer:
        return name
    from yg_old.kernel.tokens import release_of

    return f"{name} {workspace.tokenizer} {release_of(workspace.tokenizer)}"
