"""Implementations of the tools: pass the arguments of a call to `yg.answers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.build_context import build_context, build_context_for_file
from yg.answers.changes import impact_of_aspect, impact_of_diff, impact_of_flow
from yg.answers.deps import EVERY, deps
from yg.answers.drift import EVERYTHING, drift
from yg.answers.drift_sync import Choice, drift_sync
from yg.answers.explain import explain
from yg.answers.find import find
from yg.answers.impact import impact_of_node
from yg.answers.owner import owner
from yg.answers.plan import plan
from yg.answers.tree import tree
from yg.answers.validate import validate
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.mcp.asked import Asked


def ask_context(asked: Asked) -> Answer:
    """Assemble the package of a node, or of the node that owns a file."""
    node, file, depth = asked.get("node"), asked.get("file"), asked.get("depth")
    lenient = bool(asked.get("lenient"))
    if node is not None and file is None:
        return build_context(asked.open(), node, depth=depth, lenient=lenient)
    if file is not None and node is None and depth is None:
        return build_context_for_file(asked.open(), file, lenient=lenient)
    hint = "'find' finds nodes by words. 'depth' requires a node."
    raise UsageError("expected either a node or a file", hint=hint)


def ask_find(asked: Asked) -> Answer:
    """Find nodes by words."""
    return find(asked.open(), asked.get("words"))


def ask_tree(asked: Asked) -> Answer:
    """List all nodes, or those below one."""
    return tree(asked.open(), root=asked.get("node"), depth=asked.get("depth"))


def ask_owner(asked: Asked) -> Answer:
    """Return the owners of files."""
    return owner(asked.open(), asked.get("files"))


def ask_deps(asked: Asked) -> Answer:
    """Return the dependencies of a node."""
    only = asked.get("type") or EVERY
    return deps(asked.open(), asked.get("node"), depth=asked.get("depth"), only=only)


def ask_impact(asked: Asked) -> Answer:
    """Return what a change to a node, aspect, flow or commit range affects."""
    given = [name for name in ("node", "aspect", "flow", "diff") if asked.get(name) is not None]
    if len(given) != 1:
        raise UsageError("expected exactly one of: node, aspect, flow, diff")
    if asked.get("method") is not None and given != ["node"]:
        raise UsageError("'method' requires a node")
    value, workspace = asked.get(given[0]), asked.open()
    match given[0]:
        case "node":
            return impact_of_node(workspace, value, method=asked.get("method") or "")
        case "aspect":
            return impact_of_aspect(workspace, value)
        case "flow":
            return impact_of_flow(workspace, value)
        case _:
            return impact_of_diff(workspace, since=value)


def ask_validate(asked: Asked) -> Answer:
    """Check the graph."""
    return validate(asked.open(), scope=asked.get("scope") or EVERYTHING)


def ask_drift(asked: Asked) -> Answer:
    """Compare nodes with their baselines; a read-only server does not migrate baselines."""
    return drift(
        asked.open(),
        scope=asked.get("scope") or EVERYTHING,
        drifted_only=bool(asked.get("drifted_only")),
        may_migrate=asked.service.may_sync,
    )


def ask_plan(asked: Asked) -> Answer:
    """Return the order in which nodes can be built."""
    return plan(
        asked.open(),
        node=asked.get("node"),
        changed=bool(asked.get("changed")),
        may_migrate=asked.service.may_sync,
    )


def ask_explain(asked: Asked) -> Answer:
    """Return the manual page of a rule, or the list of rules."""
    return explain(asked.get("code"))


def ask_drift_sync(asked: Asked) -> Answer:
    """Record new baselines."""
    recursive, every = bool(asked.get("recursive")), bool(asked.get("all"))
    choice = Choice(node=asked.get("node"), recursive=recursive, every=every)
    return drift_sync(asked.open, choice)
