"""Refusals: an answer that depends on packages is not given while the graph has errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.commands.issues import errors_text
from yg_old.kernel.errors import RefusedError
from yg_old.kernel.issue import Issue, Severity, arranged
from yg_old.workspace import results

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from yg_old.workspace.opened import OpenWorkspace

FIX = "Fix the errors first."


def bad_configuration(workspace: OpenWorkspace, what: str) -> RefusedError:
    """Return the error for an answer that the configuration prevents, with its issues."""
    file = workspace.graph.config.file
    issues = [
        issue
        for issue in results.verdict(workspace).issues
        if issue.place.file == file and issue.severity is Severity.ERROR
    ]
    return RefusedError(what, hint="Fix its errors first.", issues=issues)


def refuse_unnamed(workspace: OpenWorkspace, what: str) -> None:
    """Raise RefusedError if the configuration can be read, but gives the project no name."""
    if results.is_unnamed(workspace):
        raise bad_configuration(workspace, f"no {what}: the configuration has no name")


def refuse_errors(
    workspace: OpenWorkspace,
    what: str,
    nodes: Collection[str],
    *,
    is_lenient: bool,
    names_nodes: bool = False,
) -> None:
    """Raise RefusedError if the graph has errors; list those that affect the packages first.

    With `is_lenient`, only errors that affect the packages of the given nodes count. `what` is the
    start of the message, such as "no package for 'orders'". With `names_nodes`, the message names
    the nodes whose packages are affected.
    """
    graph, sources = workspace.graph, workspace.sources
    if not graph.edition.refuses_on_any_error:
        from yg_old.yggdrasil.rules.blocking import errors_in

        own = [issue for path in nodes for issue in errors_in(graph, sources, path)]
        if own:
            hint = "Fix these errors; the rest of the graph is not checked."
            raise RefusedError(what, hint=hint, issues=own)
        return
    rest = () if is_lenient else results.errors(workspace)
    if not is_lenient and not rest:
        return
    from yg_old.yggdrasil.rules.blocking import errors_around

    affecting = errors_around(graph, sources, nodes)
    close, others = _groups(affecting, rest)
    if close or others:
        packages = "this package" if len(nodes) == 1 else "these packages"
        affected = "it"
        if names_nodes:
            every = dict.fromkeys(nodes)
            found = [node for node in every if errors_around(graph, sources, (node,))]
            affected = ", ".join(f"'{node}'" for node in found) or "them"
        raise _refused(what, close, others, (packages, affected), is_lenient=is_lenient)


Group = tuple[Issue, ...]  # an issue that stands on its own, and those that follow from it


def _groups(
    affecting: Sequence[Issue], every: Sequence[Issue]
) -> tuple[Sequence[Group], Sequence[Group]]:
    """Return the groups with an issue that affects the packages, and the other groups."""
    affected, more = _affected(affecting, every)
    # The cause of an issue that affects a package may be elsewhere, so `every` has precedence.
    issues = arranged((*every, *more))
    groups: list[list[Issue]] = []
    for issue in issues:
        if issue.follows is None:
            groups.append([])
        groups[-1].append(issue)
    close: list[Group] = []
    others: list[Group] = []
    for group in groups:
        is_close = any(issue.order in affected for issue in group)
        (close if is_close else others).append(tuple(group))
    return close, others


def _affected(
    affecting: Sequence[Issue], every: Sequence[Issue]
) -> tuple[set[tuple[object, ...]], list[Issue]]:
    """Return the order of each issue that affects the packages, and those not among `every`.

    Around a package, only a part of the graph is read, so the same cycle can look different: it is
    the one among `every` with the same code that shares a subject.
    """
    known = {issue.order for issue in every}
    by_subject: dict[tuple[str, str], set[tuple[object, ...]]] = {}
    for issue in every:
        for subject in (issue.subject, *issue.also):
            by_subject.setdefault((issue.code, subject), set()).add(issue.order)
    affected: set[tuple[object, ...]] = set()
    more: list[Issue] = []
    for issue in affecting:
        if issue.order in known:
            affected.add(issue.order)
            continue
        subjects = (issue.subject, *issue.also)
        same = set().union(*(by_subject.get((issue.code, subject), ()) for subject in subjects))
        affected |= same or {issue.order}
        if not same:
            more.append(issue)
    return affected, more


def _refused(
    what: str,
    close: Sequence[Group],
    others: Sequence[Group],
    packages: tuple[str, str],
    *,
    is_lenient: bool,
) -> RefusedError:
    """Return the error; `packages` are words for all packages and for those that are affected."""
    every, affected = packages
    issues = tuple(issue for group in (*close, *others) for issue in group)
    own = len(close) + len(others)
    errors = errors_text(own, len(issues) - own)
    message = f"{what}: the graph has {errors}, {len(close)} affecting {affected}"
    if is_lenient:
        message = f"{what}: {errors} {'affects' if len(issues) == 1 else 'affect'} {affected}"
    hint = FIX if close else f"{FIX} Or use --lenient: none of them affects {every}."
    return RefusedError(message, hint=hint, issues=issues)
