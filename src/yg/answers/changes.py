"""The `impact` command for aspects, flows and changes since a commit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from yg.answers.answer import HEAD, warnings, with_skipped
from yg.answers.forms import forms_of
from yg.answers.impact import Impact, impact_answer
from yg.disk.changes import changed_files
from yg.disk.git import commit_of
from yg.kernel.errors import NotFoundError
from yg.kernel.paths import ROOT
from yg.kernel.suggest import did_you_mean, nearest
from yg.render.compare import diff_data, diff_markdown, diff_text
from yg.render.impact import (
    aspect_impact_data,
    aspect_impact_text,
    flow_impact_data,
    flow_impact_text,
)
from yg.yggdrasil.impact import aspect_impact, flow_impact

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.answers.impact import Simulation
    from yg.kernel.compare import DiffImpact
    from yg.kernel.queries import Queries
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.collection import Collection
    from yg.yggdrasil.model import Aspect, Flow


def impact_of_aspect(
    workspace: OpenWorkspace, aspect: str, *, simulation: Simulation | None = None
) -> Answer:
    """Find the nodes affected by a change to an aspect."""
    workspace.require(workspace.format.has_aspects, "an aspect (--aspect)")
    found = aspect_impact(workspace.graph, _aspect(workspace, aspect))
    impact = Impact(
        affected=found.affected,
        text=lambda: aspect_impact_text(found),
        data=partial(aspect_impact_data, found),
    )
    return impact_answer(workspace, impact, simulation)


def impact_of_flow(
    workspace: OpenWorkspace, flow: str, *, simulation: Simulation | None = None
) -> Answer:
    """Find the nodes affected by a change to a flow."""
    workspace.require(workspace.format.has_aspects, "a flow (--flow)")
    found = flow_impact(workspace.graph, _flow(workspace, flow))
    impact = Impact(
        affected=found.affected,
        text=lambda: flow_impact_text(found),
        data=partial(flow_impact_data, found),
    )
    return impact_answer(workspace, impact, simulation)


def impact_of_diff(
    workspace: OpenWorkspace, *, since: str = HEAD, staged: bool = False, show: bool = False
) -> Answer:
    """Find the nodes affected by all changes since a commit, or only by the staged ones."""
    queries = workspace.staged_queries() if staged else workspace.queries
    found, notes = changes_since(workspace, queries, since, staged=staged)
    write = forms_of(workspace.format.schema).text if show else None
    return with_skipped(
        queries.skipped(ROOT),
        data=lambda skipped: diff_data(found, skipped, write, tokenizer=queries.tokenizer),
        forms={
            "text": lambda _palette: diff_text(found, write),
            "markdown": lambda _palette: diff_markdown(found, write),
        },
        remarks=warnings(notes),
    )


def changes_since(
    workspace: OpenWorkspace, queries: Queries, since: str, *, staged: bool = False
) -> tuple[DiffImpact, tuple[str, ...]]:
    """Compare a graph and the source files with a commit; return the impact and the notes."""
    commit = commit_of(workspace.root, since)
    changes = changed_files(workspace.root, commit, staged=staged)
    then, note = workspace.past_graph(commit, queries.tokenizer)
    notes = (*changes.notes, note) if note else changes.notes
    return queries.diff(then, workspace.sources, changes.files, since=since), notes


def nodes_changed_since(
    workspace: OpenWorkspace, since: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the nodes with changed files, their own or source files, by path; and the notes."""
    commit = commit_of(workspace.root, since)
    changes = changed_files(workspace.root, commit, staged=False)
    queries = workspace.queries
    found = queries.changed(
        lambda: workspace.past_graph(commit, queries.tokenizer)[0],
        workspace.sources,
        changes.files,
    )
    return found, changes.notes


def _aspect(workspace: OpenWorkspace, name: str) -> Aspect:
    aspects = workspace.graph.aspects
    found = aspects.get(name.removeprefix("aspects/").rstrip("/"))
    if found is None:
        raise _unknown("aspect", name, aspects)
    return found


def _flow(workspace: OpenWorkspace, name: str) -> Flow:
    flows = workspace.graph.flows
    found = flows.get(name.removeprefix("flows/").rstrip("/"))
    named = [flow for flow in flows if flow.name == name]
    if found is None and len(named) == 1:
        found = named[0]
    if len(named) > 1 and found is None:
        ids = ", ".join(flow.id for flow in named)
        raise NotFoundError(f"several flows are named '{name}'", hint=f"Use one of the ids: {ids}.")
    if found is None:
        raise _unknown("flow", name, flows)
    return found


def _unknown(what: str, name: str, collection: Collection[Any]) -> NotFoundError:
    """Return the error for an id that does not exist or could not be read."""
    if collection.reading(name) is not None:
        hint = "Run 'yg validate' to see what is wrong with it."
        return NotFoundError(f"{what} '{name}' could not be read", hint=hint)
    hint = did_you_mean(nearest(name, collection.all)) or f"'yg {what}s' lists them."
    return NotFoundError(f"no {what} '{name}'", hint=hint)
