"""The prompt that lays out how to work on one node, with everything to know about it."""

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
Work on the node {node}. Its context package stands below: it is the specification of this node.

Write this list out and go through it before saying that the work is done:

1. Read the whole package. What it does not say, look up in the code or ask; never guess a reason.
2. Change the code. Keep the contracts of the dependencies and every aspect in the package.
3. If what others rely on changes, call `impact` for {node} and look at every node it names.
4. Bring the artifacts of the node in line with what the code now does. A decision made on the way
   goes into them too, with the alternative that was rejected.
5. Call `validate`: no errors. `explain` tells what a code means.
6. Call `drift` for {node} and show the user what changed. Only once the user agrees that code and
   graph say the same, {sync}.

{package}"""


class Prompt(Struct, frozen=True, kw_only=True):
    """A text that an agent can be started with."""

    name: str
    title: str
    about: str
    arguments: tuple[Argument, ...]
    write: Callable[[Asked], str]


def _work_on_node(asked: Asked) -> str:
    """Write the steps of changing code first, and the package."""
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
    title="Work on this node",
    about="The steps of changing code first, and the context package of the node to change.",
    arguments=(
        Argument("node", TEXT, "Path of the node.", "orders/order-service", required=True),
        ROOT,
    ),
    write=_work_on_node,
)
