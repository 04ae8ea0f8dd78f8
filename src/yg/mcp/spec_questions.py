"""Implementations of the tools for Spec Graphs: pass the arguments of a call to `yg.answers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers import edit_specs
from yg.answers.node import node_in_full
from yg.formats import SPECGRAPH
from yg.specgraph.model import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.answers.answer import Answer
    from yg.mcp.service import Request
    from yg.workspace import OpenWorkspace

FIELDS = ("title", "statement", "verification")


def ask_node(request: Request) -> Answer:
    """Return one node in full."""
    return node_in_full(_reopen(request)(), request.get("node"))


def ask_node_add(request: Request) -> Answer:
    """Add a node."""
    given = {name: text for name in FIELDS if (text := request.get(name)) is not None}
    fields = {**(request.get("fields") or {}), **given}
    kind, node_id = request.get("type"), request.get("id")
    return edit_specs.add_node(_reopen(request), kind, node_id, fields, dry_run=_is_dry(request))


def ask_node_set(request: Request) -> Answer:
    """Set a field of a node."""
    node, field, value = (request.get(name) for name in ("node", "field", "value"))
    return edit_specs.set_field(_reopen(request), node, field, value, dry_run=_is_dry(request))


def ask_node_remove(request: Request) -> Answer:
    """Remove a node."""
    force = bool(request.get("force"))
    node = request.get("node")
    return edit_specs.remove_node(_reopen(request), node, force=force, dry_run=_is_dry(request))


def ask_link(request: Request) -> Answer:
    """Add a link."""
    return edit_specs.link(_reopen(request), *_ends(request), dry_run=_is_dry(request))


def ask_unlink(request: Request) -> Answer:
    """Remove a link."""
    return edit_specs.unlink(_reopen(request), *_ends(request), dry_run=_is_dry(request))


def ask_pin(request: Request) -> Answer:
    """Refresh the pins of a node."""
    return edit_specs.pin(_reopen(request), request.get("node"), dry_run=_is_dry(request))


def ask_lock(request: Request) -> Answer:
    """Write the lock file."""
    return edit_specs.lock(_reopen(request), dry_run=_is_dry(request))


def _ends(request: Request) -> tuple[str, LinkKind, str]:
    return request.get("source"), LinkKind(request.get("edge")), request.get("target")


def _reopen(request: Request) -> Callable[[], OpenWorkspace]:
    return lambda: request.open(SPECGRAPH.name)


def _is_dry(request: Request) -> bool:
    return bool(request.get("dry_run"))
