"""What is there to know before working on a node? Its context package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, nothing
from yg.answers.refusal import refuse_errors
from yg.answers.skipped import skipped
from yg.kernel.errors import NotFoundError
from yg.render.issues import skipped_text
from yg.render.package import package_data, package_reasons, package_text
from yg.render.package_markdown import package_markdown
from yg.yggdrasil.assemble import assemble
from yg.yggdrasil.owner import Ownership

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.answers.answer import Written
    from yg.kernel.package import Package
    from yg.render.plain import Palette
    from yg.workspace import Workspace

WHY = "why"  # the form that tells what brought each block in


def build_context(
    workspace: Workspace,
    node: str,
    *,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> Answer:
    """Assemble the package of a node, unless errors make it unreliable.

    `now` tells the time that packages of the 0.x edition are stamped with; without it, none is.
    """
    return _answer(workspace, node, lenient=lenient, now=now, unsure=nothing)


def build_context_for_file(
    workspace: Workspace,
    file: str,
    *,
    lenient: bool = False,
    now: Callable[[], str] | None = None,
) -> Answer:
    """Assemble the package of the node that owns a file."""
    node = _owner(workspace, file)

    def unsure(palette: Palette) -> str:
        # A node that cannot be read might own the file as well.
        return skipped_text(skipped(workspace.graph.nodes), palette)

    return _answer(workspace, node, lenient=lenient, now=now, unsure=unsure)


def _owner(workspace: Workspace, file: str) -> str:
    path = workspace.relative(file)
    owner = Ownership(workspace.graph).of(path) if path is not None else None
    if owner is None:
        hint = "Map the file in a node's yg-node.yaml, or name the node yourself."
        raise NotFoundError(f"no node owns '{file}'", hint=hint)
    return owner.node


def _answer(
    workspace: Workspace,
    name: str,
    *,
    lenient: bool,
    now: Callable[[], str] | None,
    unsure: Written,
) -> Answer:
    node = workspace.node(name)
    refuse_errors(workspace, node.path, is_lenient=lenient)
    package = assemble(workspace.graph, node)
    is_stamped = not workspace.graph.edition.refuses_on_any_error
    stamp = now() if now and is_stamped else ""
    return Answer(
        schema="build-context",
        data=lambda: package_data(package),
        forms={
            "text": lambda _palette: package_text(package),
            "markdown": lambda _palette: package_markdown(package, stamp),
            WHY: lambda _palette: package_reasons(package),
        },
        form=workspace.format.style,
        remarks=lambda palette: _budget_note(package) + unsure(palette),
    )


def _budget_note(package: Package) -> str:
    if package.status != "error":
        return ""
    size = f"{package.tokens} tokens, more than {package.budget.error}"
    return f"warning: the package is too large ({size}); split the node '{package.path}'.\n"
