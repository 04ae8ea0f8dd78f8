"""The prompt for working on one node: the steps and the context package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.answers.build_context import build_context
from yg.kernel.escapes import one_line
from yg.mcp.arguments import TEXT, Argument
from yg.mcp.tools import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.mcp.asked import Asked

_STEPS = """\
Work on the node {node}. Its context package is below: it is the specification of this node.

Copy this checklist and complete it before you report that the work is done:

1. Read the whole package. If something is missing, look it up in the code or ask; never guess.
2. Change the code. Follow the contracts of the dependencies and every aspect in the package.
3. If you change an interface that others use, call `impact` for {node} and check every node listed.
4. Update the artifacts of the node to match the code. Record each decision you made in them, with
   the rejected alternative.
5. Call `validate`: it must report no errors. `explain` explains a code.
6. Call `drift` for {node} and show the user what changed. Only when the user agrees that the code
   and the graph match, {sync}.

{package}"""


class Prompt(Struct, frozen=True, kw_only=True):
    """A prompt that a client can offer to its user."""

    name: str
    title: str
    about: str
    arguments: tuple[Argument, ...]
    write: Callable[[Asked], str]


def _work_on_node(asked: Asked) -> str:
    """Return the steps, followed by the package."""
    workspace = asked.open()
    path = one_line(workspace.find(asked.get("node")))
    answer = build_context(workspace, path)
    by_tool, by_command = f"call `drift-sync` for `{path}`", f"run `yg drift-sync --node {path}`"
    return _STEPS.format(
        node=f"`{path}`",
        sync=by_tool if asked.service.may_sync else by_command,
        package=answer.written(answer.form),
    )


WORK_ON_NODE = Prompt(
    name="work-on-node",
    title="Work on a node",
    about="Steps for changing the code of a node, with its context package.",
    arguments=(
        Argument("node", TEXT, "Path of the node.", "orders/order-service", required=True),
        ROOT,
    ),
    write=_work_on_node,
)
