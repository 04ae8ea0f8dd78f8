"""What is there to know before working on a node? Its context, as its kind of graph puts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.answers.answer import Answer
from yg.kernel.errors import NotFoundError, RefusedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.kernel.issue import Issue
    from yg.kernel.package import Measured
    from yg.kernel.queries import Depth
    from yg.render.package import ContextForms
    from yg.render.plain import Palette
    from yg.workspace import Workspace


WHY = "why"  # the form that tells what brought each part in


def build_context(
    workspace: Workspace,
    node: str,
    *,
    depth: Depth | None = None,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> Answer:
    """Assemble the context of a node, unless errors make it unreliable.

    Only Spec Graphs have depths; they are never refused, but tell of what is missing. `now` tells
    the time that packages of the 0.x edition are stamped with; without it, none is.
    """
    return assembled(workspace, node, depth=depth, lenient=lenient, now=now)[0]


def assembled(
    workspace: Workspace,
    node: str,
    *,
    depth: Depth | None = None,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> tuple[Answer, Measured]:
    """Assemble the context of a node; return it beside the answer that shows it."""
    if depth is not None and not workspace.format.has_depths:
        raise UsageError(f"a depth (--depth) belongs to Spec Graphs, and {workspace.describe()}")
    name = workspace.find(node)
    if workspace.format.refuses_errors:
        _refuse_errors(workspace, name, is_lenient=lenient)
    context = workspace.queries.package(name, depth)
    stamp = now() if now and workspace.format.has_stamps else ""
    forms, style = _forms(workspace.format.schema), workspace.format.style
    return Answer(
        schema=workspace.format.schema,
        data=lambda: forms.data(context),
        forms={
            "text": lambda _palette: forms.text(context),
            "markdown": lambda _palette: forms.markdown(context, stamp),
            WHY: lambda _palette: forms.reasons(context),
        },
        form=style,
        remarks=lambda _palette: _budget_note(context, name),
    ), context


def _forms(schema: str) -> ContextForms:
    if schema == "spec-context":
        from yg.render.specgraph_context import FORMS as SPEC_FORMS

        return SPEC_FORMS
    from yg.render.package import FORMS

    return FORMS


def build_context_for_file(
    workspace: Workspace,
    file: str,
    *,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> Answer:
    """Assemble the package of the node that owns a file."""
    answer = build_context(workspace, _owner(workspace, file), lenient=lenient, now=now)

    def remarks(palette: Palette) -> str:
        from yg.render.issues import skipped_text

        # A node that cannot be read might own the file as well.
        return answer.remarks(palette) + skipped_text(workspace.skipped(), palette)

    return replace(answer, remarks=remarks)


def _owner(workspace: Workspace, file: str) -> str:
    workspace.require(workspace.format.has_owners, "a file (--file)", UsageError)
    from yg.yggdrasil.mapping import Ownership

    path = workspace.relative(file)
    owner = Ownership(workspace.graph).get(path) if path is not None else None
    if owner is None:
        hint = "Map the file in a node's yg-node.yaml, or name the node yourself."
        raise NotFoundError(f"no node owns '{file}'", hint=hint)
    return owner.node


def _budget_note(found: Measured, name: str) -> str:
    if found.status != "error":
        return ""
    size = f"{found.tokens} tokens, more than {found.budget.error}"
    return f"warning: the package is too large ({size}); split the node '{name}'.\n"


def _refuse_errors(workspace: Workspace, path: str, *, is_lenient: bool) -> None:
    """Refuse to answer from a graph with errors; those that touch the package come first."""
    from yg.yggdrasil.rules.errors import errors_around, errors_in

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
