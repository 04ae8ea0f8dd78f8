"""Accept the undeclared imports of a draft in the configuration, where they would be errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yaml import YAMLError

from yg_old.kernel.errors import RefusedError
from yg_old.kernel.snapshot import DictSnapshot
from yg_old.text.yaml_edit import YamlText, flow_scalar
from yg_old.yggdrasil.levels import AGAINST, UNDECLARED, import_errors
from yg_old.yggdrasil.read.config import read_config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.code.draft.propose import Proposal, Undeclared
    from yg_old.yggdrasil.graph import Graph

CYCLE = "left out by yg draft, because it would close a cycle"
NOT_DECLARED = "not declared when yg draft added the other node"


def to_accept(graph: Graph, proposal: Proposal, kind: str) -> tuple[Undeclared, ...]:
    """Return the imports of a draft that would be errors; its nodes have the given type."""
    settings, errors = graph.config.code, import_errors(graph.config)
    if settings is None or not errors:
        return ()
    return tuple(
        pair
        for pair in proposal.undeclared
        if (AGAINST if pair.closes_cycle else UNDECLARED) in errors
        and _type_of(graph, pair.source, kind) not in settings.exempt_types
    )


def _type_of(graph: Graph, path: str, new: str) -> str:
    node = graph.nodes.get(path)
    return new if node is None else node.type.text


def accepting_config(graph: Graph, pairs: Sequence[Undeclared]) -> str:
    """Return the configuration with entries for imports; raise an error if that is impossible."""
    file = graph.config.file
    text = graph.snapshot.text(file).value
    try:
        edited = YamlText(text).with_items("code", "accepted", list(map(_entry, pairs))).text
    except YAMLError:
        edited = text
    found, _ = read_config(DictSnapshot({file: edited}), file)
    old, new = (config.code.accepted if config.code else () for config in (graph.config, found))
    expected = [*((pair.source, pair.target) for pair in pairs), *(entry.pair for entry in old)]
    if sorted(entry.pair for entry in new) != sorted(expected):
        message = f"the draft has undeclared imports, and {file} cannot be edited to accept them"
        raise RefusedError(message, hint="Write 'code' as a plain mapping, or set its level lower.")
    return edited


def _entry(pair: Undeclared) -> str:
    source, target = flow_scalar(pair.source), flow_scalar(pair.target)
    reason = flow_scalar(CYCLE if pair.closes_cycle else NOT_DECLARED)
    return f"{{from: {source}, to: {target}, reason: {reason}}}"
