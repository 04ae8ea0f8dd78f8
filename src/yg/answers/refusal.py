"""When no package is given: errors in the graph would make it unreliable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import RefusedError
from yg.yggdrasil.rules.errors import errors_around, errors_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.issue import Issue
    from yg.workspace import Workspace


def refuse_errors(workspace: Workspace, path: str, *, is_lenient: bool) -> None:
    """Refuse to answer from a graph with errors; those that touch the package come first."""
    graph, sources = workspace.graph, workspace.sources
    if not graph.edition.refuses_on_any_error:
        _refuse_own_errors(errors_in(graph, sources, path), path)
        return
    touching = errors_around(graph, sources, path)
    rest = () if is_lenient else workspace.errors()
    listed = {issue.order for issue in touching}
    others = tuple(issue for issue in rest if issue.order not in listed)
    if touching or others:
        raise _refused(path, touching, others, is_lenient=is_lenient)


def _refuse_own_errors(issues: Sequence[Issue], path: str) -> None:
    if issues:
        hint = "Mend what is listed; the rest of the graph is not looked at."
        raise RefusedError(f"no package for '{path}'", hint=hint, issues=issues)


def _refused(
    path: str, touching: Sequence[Issue], others: Sequence[Issue], *, is_lenient: bool
) -> RefusedError:
    total = len(touching) + len(others)
    what = "1 error" if total == 1 else f"{total} errors"
    message = f"no package for '{path}': the graph has {what}, {len(touching)} in what it needs"
    if is_lenient:
        verb = "is" if total == 1 else "are"
        message = f"no package for '{path}': there {verb} {what} in what it needs"
    hint = "Mend the errors first."
    if not touching:
        hint += " Or use --lenient: none of them is in what this node needs."
    return RefusedError(message, hint=hint, issues=(*touching, *others))
