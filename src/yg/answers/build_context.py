"""What is there to know before working on a node? Its context, as its kind of graph puts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from yg.answers.answer import Answer
from yg.kernel.errors import NotFoundError, UsageError
from yg.kernel.package import Package

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.face import Depth
    from yg.kernel.package import Measured
    from yg.render.plain import Palette
    from yg.specgraph.context import Context
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
    if depth is not None and not workspace.format.has_depths:
        raise UsageError(f"a depth (--depth) belongs to Spec Graphs, and {workspace.which}")
    name, stamp = workspace.find(node), ""
    if workspace.is_yggdrasil:
        from yg.answers.refusal import refuse_errors

        refuse_errors(workspace, name, is_lenient=lenient)
        is_stamped = not workspace.graph.edition.refuses_on_any_error
        stamp = now() if now and is_stamped else ""
    found = workspace.face.package(workspace.any_graph, name, depth)
    if isinstance(found, Package):
        return _of_package(found, stamp, workspace.format.style)
    # The only other way to put a context together.
    return _of_context(cast("Context", found), workspace.format.style)


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
    workspace.require_yggdrasil("a file (--file)", UsageError)
    from yg.yggdrasil.mapping import Ownership

    path = workspace.relative(file)
    owner = Ownership(workspace.graph).of(path) if path is not None else None
    if owner is None:
        hint = "Map the file in a node's yg-node.yaml, or name the node yourself."
        raise NotFoundError(f"no node owns '{file}'", hint=hint)
    return owner.node


def _of_package(package: Package, stamp: str, style: str) -> Answer:
    from yg.render.package import package_data, package_reasons, package_text

    def markdown(_palette: Palette) -> str:
        from yg.render.package_markdown import package_markdown

        return package_markdown(package, stamp)

    return Answer(
        schema="build-context",
        data=lambda: package_data(package),
        forms={
            "text": lambda _palette: package_text(package),
            "markdown": markdown,
            WHY: lambda _palette: package_reasons(package),
        },
        form=style,
        remarks=lambda _palette: _budget_note(package, package.path),
    )


def _of_context(context: Context, style: str) -> Answer:
    from yg.render.specgraph_context import (
        context_document,
        context_reasons,
        context_text,
    )

    return Answer(
        schema="spec-context",
        data=lambda: context_document(context),
        forms={
            "text": lambda _palette: context_text(context),
            "markdown": lambda _palette: context.markdown,
            WHY: lambda _palette: context_reasons(context),
        },
        form=style,
        remarks=lambda _palette: _budget_note(context, context.target.id),
    )


def _budget_note(found: Measured, name: str) -> str:
    if found.status != "error":
        return ""
    size = f"{found.tokens} tokens, more than {found.budget.error}"
    return f"warning: the package is too large ({size}); split the node '{name}'.\n"
