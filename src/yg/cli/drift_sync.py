"""`yg drift-sync`: record the files of nodes as they are now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from yg.answers.answer import warnings
from yg.answers.drifting import Watch, left_out, nodes_in_scope
from yg.cli.arguments import add_node, chosen_node, command_parser, workspace_of
from yg.cli.outcome import Outcome
from yg.cli.progress import hashing
from yg.disk.apply import Applier, ApplyError
from yg.disk.lock import writing
from yg.kernel.errors import UsageError, YgError
from yg.render.data import document
from yg.render.sync import sync_data, sync_text
from yg.yggdrasil.baseline import FOLDER
from yg.yggdrasil.drift import mapped_nodes
from yg.yggdrasil.sync import edits_of, garbage, synced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.kernel.edit import Edit
    from yg.workspace import Workspace
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.sync import Synced


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_node(result, "the node whose drift was resolved")
    result.add_argument("--recursive", action="store_true", help="and all nodes below it")
    result.add_argument("--all", action="store_true", help="all mapped nodes; tidies up as well")
    return result


def run(call: Call) -> Outcome:
    """Record new baselines; a single node that cannot be recorded changes nothing."""
    _check_usage(call)
    first = workspace_of(call.args)
    first.require_baselines()
    notes = list(first.migrate_baselines())
    with writing(first.root):
        # Read only now: while this process waited, another may have changed what is there.
        workspace = workspace_of(call.args)
        results, removed = _synchronized(call, workspace)
        notes += [f"{file}: {why}" for file, why in workspace.baselines.problems.items()]
    missing = left_out(workspace) if call.args.all else []
    notes += missing
    code = 1 if missing or any(each.failure for each in results) else 0
    if call.wants_json:
        fields = {**sync_data(results, removed), "notes": notes}
        return Outcome(document("drift-sync", fields), code)
    said = warnings(notes)(call.terminal.err)
    return Outcome(sync_text(results, removed, call.terminal.out), code, said)


def _synchronized(call: Call, workspace: Workspace) -> tuple[list[Synced], list[Edit]]:
    """Work out new baselines and write them; return what became of each node."""
    baselines = workspace.baselines
    with hashing(call) as how:
        watch = Watch(workspace, _chosen(call, workspace), how)
        results = [
            synced(path, tracked, baselines.of(path), watch.hashes)
            for path, tracked in watch.tracked.items()
        ]
        watch.hashes.save()
    failed = [each for each in results if each.failure]
    if failed and not call.args.all:
        raise _not_synced(failed)
    applier = Applier(workspace.root, FOLDER)
    if not call.args.all:
        applier.apply(edits_of(results))
        return results, []
    removed = list(garbage(workspace.graph, baselines))
    results = _written(applier, results)
    applier.apply(removed)
    return results, removed


def _written(applier: Applier, results: list[Synced]) -> list[Synced]:
    """Write all baselines together or, when the place of one is taken, each by itself."""
    try:
        applier.apply(edits_of(results))
    except ApplyError as error:
        if not error.is_local:
            raise
        return [_written_alone(applier, each) for each in results]
    return results


def _written_alone(applier: Applier, result: Synced) -> Synced:
    try:
        applier.apply(edits_of([result]))
    except ApplyError as error:
        if not error.is_local:
            raise
        return replace(result, after=None, failure=error.message)
    return result


def _check_usage(call: Call) -> None:
    if (chosen_node(call.args) is None) != bool(call.args.all):
        raise UsageError("name one node, or use --all", hint="'yg drift' shows what has drifted.")


def _not_synced(failed: Sequence[Synced]) -> YgError:
    reasons = "; ".join(f"{each.node}: {each.failure}" for each in failed)
    hint = "Nothing was written. Restore the files, or correct the mapping."
    return YgError(f"cannot synchronize {reasons}", hint=hint)


def _chosen(call: Call, workspace: Workspace) -> tuple[Node, ...]:
    named = chosen_node(call.args)
    if named is None:
        return mapped_nodes(workspace.graph)
    if call.args.recursive:
        return nodes_in_scope(workspace, named)
    node = workspace.node(named)
    if not node.mapping:
        raise YgError(
            f"node '{node.path}' has no mapping, so there is nothing to synchronize",
            hint="Use --recursive for the mapped nodes below it.",
        )
    return (node,)
