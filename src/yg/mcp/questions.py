"""Implementations of the tools: pass the arguments of a call to `yg.answers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.build_context import ContextRequest, Wanted, build_context
from yg.answers.changes import impact_of_aspect, impact_of_diff, impact_of_flow
from yg.answers.deps import EVERY, deps
from yg.answers.drift import EVERYTHING, drift
from yg.answers.drift_sync import Choice, drift_sync
from yg.answers.explain import explain
from yg.answers.find import FEW, find
from yg.answers.impact import impact_of_node
from yg.answers.owner import owner
from yg.answers.plan import plan
from yg.answers.tree import tree
from yg.answers.validate import validate
from yg.formats import YGGDRASIL
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.mcp.service import Request


def ask_context(request: Request) -> Answer:
    """Assemble the package of nodes, of the owners of files, or of all changes since a commit."""
    files, diff, depth = _names(request, "file"), request.get("diff"), request.get("depth")
    nodes = tuple(map(Wanted, _names(request, "node")))
    wanted = (*nodes, *(Wanted(file, is_file=True) for file in files))
    if bool(wanted) == (diff is not None) or (depth is not None and (files or diff)):
        hint = "'find' finds nodes by words. 'depth' requires nodes."
        raise UsageError("expected either nodes and files, or diff", hint=hint)
    asked = ContextRequest(
        wanted=wanted,
        diff=diff,
        have=tuple(request.get("have") or ()),
        only=tuple(request.get("only") or ()),
        without=tuple(request.get("without") or ()),
        fit=request.get("fit"),
        depth=depth,
        lenient=bool(request.get("lenient")),
    )
    return build_context(request.open(), asked)


def _names(request: Request, name: str) -> tuple[str, ...]:
    """Return the values of an argument for one and of that for several, such as node and nodes."""
    one = request.get(name)
    return (*(() if one is None else (one,)), *(request.get(f"{name}s") or ()))


def ask_find(request: Request) -> Answer:
    """Search all texts."""
    return find(
        request.open(),
        request.get("words"),
        kind=request.get("kind_of") or "",
        limit=request.get("limit") or FEW,
    )


def ask_tree(request: Request) -> Answer:
    """List all nodes, or those below one."""
    return tree(request.open(), root=request.get("node"), depth=request.get("depth"))


def ask_owner(request: Request) -> Answer:
    """Return the owners of files."""
    return owner(request.open(), request.get("files"))


def ask_deps(request: Request) -> Answer:
    """Return the dependencies of a node."""
    only = request.get("type") or EVERY
    return deps(
        request.open(),
        request.get("node"),
        depth=request.get("depth"),
        only=only,
        code=bool(request.get("code")),
    )


def ask_impact(request: Request) -> Answer:
    """Return what a change to a node, aspect, flow or commit range affects."""
    given = [name for name in ("node", "aspect", "flow", "diff") if request.get(name) is not None]
    if len(given) != 1:
        raise UsageError("expected exactly one of: node, aspect, flow, diff")
    if request.get("method") is not None and given != ["node"]:
        raise UsageError("'method' requires a node")
    for flag in ("code", "all"):
        if request.get(flag) and given != ["node"]:
            raise UsageError(f"'{flag}' requires a node")
    value, workspace = request.get(given[0]), request.open()
    match given[0]:
        case "node":
            return impact_of_node(
                workspace,
                value,
                method=request.get("method") or "",
                code=bool(request.get("code")),
                every=bool(request.get("all")),
            )
        case "aspect":
            return impact_of_aspect(workspace, value)
        case "flow":
            return impact_of_flow(workspace, value)
        case _:
            return impact_of_diff(workspace, since=value)


def ask_validate(request: Request) -> Answer:
    """Check the graph."""
    return validate(request.open(), scope=request.get("scope") or EVERYTHING)


def ask_drift(request: Request) -> Answer:
    """Compare nodes with their baselines; a read-only server does not migrate baselines."""
    return drift(
        request.open(),
        scope=request.get("scope") or EVERYTHING,
        drifted_only=bool(request.get("drifted_only")),
        may_migrate=request.service.may_sync,
    )


def ask_plan(request: Request) -> Answer:
    """Return the order in which nodes can be built."""
    return plan(
        request.open(),
        node=request.get("node"),
        changed=bool(request.get("changed")),
        unmapped=bool(request.get("all")),
        lenient=bool(request.get("lenient")),
        may_migrate=request.service.may_sync,
    )


def ask_explain(request: Request) -> Answer:
    """Return the manual page of a rule, or the list of rules, with the levels of the graph."""
    return explain(request.get("code"), lambda: request.open(YGGDRASIL.name))


def ask_drift_sync(request: Request) -> Answer:
    """Record new baselines."""
    recursive, every = bool(request.get("recursive")), bool(request.get("all"))
    choice = Choice(
        node=request.get("node"), recursive=recursive, every=every, reason=request.get("reason")
    )
    return drift_sync(request.open, choice)
