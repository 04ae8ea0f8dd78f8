"""The `build-context` command: assemble the context package of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.answers.answer import Answer, warnings
from yg.answers.refusal import refuse_errors
from yg.kernel.errors import NotFoundError, UsageError
from yg.kernel.escapes import shell_quoted
from yg.kernel.snapshot import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.package import Measured
    from yg.kernel.queries import Depth
    from yg.render.package import ContextForms
    from yg.render.plain import Palette
    from yg.workspace import OpenWorkspace


WHY = "why"  # the form that lists why each part is included


def build_context(
    workspace: OpenWorkspace,
    node: str,
    *,
    depth: Depth | None = None,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> Answer:
    """Assemble the context of a node; raise RefusedError if graph errors make it unreliable.

    `depth` is for Spec Graphs only. Their contexts are never refused but list what is missing.
    `now` returns the time stamp for packages of 0.x graphs; without it there is no time stamp.
    """
    return assembled(workspace, node, depth=depth, lenient=lenient, now=now)[0]


def assembled(
    workspace: OpenWorkspace,
    node: str,
    *,
    depth: Depth | None = None,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> tuple[Answer, Measured]:
    """Assemble the context of a node; return the Answer and the context itself."""
    if depth is not None and not workspace.format.has_depths:
        raise UsageError(f"a depth (--depth) belongs to Spec Graphs, and {workspace.describe()}")
    name = _find(workspace, node)
    if workspace.format.refuses_errors:
        refuse_errors(workspace, f"no package for '{name}'", (name,), is_lenient=lenient)
    context = workspace.queries.package(name, depth)
    stamp = now() if now and workspace.format.has_stamps else ""
    forms, style = _forms(workspace.format.schema), workspace.format.style
    return Answer(
        data=lambda: forms.data(context),
        forms={
            "text": lambda _palette: forms.text(context),
            "markdown": lambda _palette: forms.markdown(context, stamp),
            WHY: lambda _palette: forms.reasons(context),
        },
        form=style,
        remarks=lambda palette: (
            warnings(forms.left_out(context))(palette) + _budget_note(context, name)
        ),
    ), context


def _forms(schema: str) -> ContextForms:
    if schema == "spec-context":
        from yg.render.specgraph_context import FORMS as SPEC_FORMS

        return SPEC_FORMS
    from yg.render.package import FORMS

    return FORMS


def build_context_for_file(
    workspace: OpenWorkspace,
    file: str,
    *,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> Answer:
    """Assemble the package of the node that owns a file."""
    answer = build_context(workspace, _owner(workspace, file), lenient=lenient, now=now)

    def remarks(palette: Palette) -> str:
        from yg.render.issues import skipped_text

        # An unreadable node might also own the file.
        return answer.remarks(palette) + skipped_text(workspace.skipped(), palette)

    return replace(answer, remarks=remarks)


def _owner(workspace: OpenWorkspace, file: str) -> str:
    workspace.require(workspace.format.has_owners, "a file (--file)", UsageError)
    from yg.answers.owner import look_up
    from yg.yggdrasil.mapping import Ownership

    graph = workspace.graph
    known = look_up(workspace, Ownership(graph, workspace.sources), file)
    node, part = known.node, known.part
    if not known.exists and not known.is_expected:
        hint = "Give its path from the current directory or from the root of the repository."
        if node is not None:
            option = f"--node {shell_quoted(node)}"
            hint = f"A file there would belong to '{node}': use {option}."
        raise NotFoundError(f"there is no file '{file}'", hint=hint)
    if node is None and part is not None:
        command = f"yg impact --{part.kind} {shell_quoted(part.id)}"
        raise NotFoundError(
            f"'{file}' belongs to the {part.kind} '{part.id}', not to a node",
            hint=f"For the nodes it applies to: {command}",
        )
    if node is None and known.is_graph:
        raise NotFoundError(
            f"'{file}' is a file of the graph, but of no node", hint="Name the node with --node."
        )
    if node is None:
        mapping = f"a node's mapping in {graph.nodes.spec.file}"
        hint = f"Add the file to {mapping}, or name the node with --node."
        raise NotFoundError(f"no node owns '{file}'", hint=hint)
    return node


def _find(workspace: OpenWorkspace, name: str) -> str:
    """Find a node; if the name is that of a file, suggest to ask for its owner."""
    try:
        return workspace.find(name)
    except NotFoundError as error:
        found = (workspace.relative(name), workspace.from_root(name))
        is_file = any(path and workspace.snapshot.kind(path) is Kind.FILE for path in found)
        if not is_file or not workspace.format.has_owners:
            raise
        command = f"yg build-context --file {shell_quoted(name)}"
        hint = f"It is a file. For the node that owns it: {command}"
        raise NotFoundError(error.message, hint=hint) from error


def _budget_note(context: Measured, name: str) -> str:
    if context.status != "error":
        return ""
    size = f"{context.tokens} {context.budget.unit}, more than {context.budget.error}"
    return f"warning: the package is too large ({size}); split the node '{name}'.\n"
