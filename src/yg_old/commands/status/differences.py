"""The differences between the status of a graph and that at an earlier commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.commands.status.graph import Difference, Since, checked
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted
from yg_old.workspace import results
from yg_old.workspace.past import workspace_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from yg_old.workspace.opened import OpenWorkspace


def since_of(workspace: OpenWorkspace, revision: str) -> Since:
    """Compare the numbers and nodes of a graph with those at a commit."""
    past = workspace_at(workspace, revision)
    then, now = _numbers(past), _numbers(workspace)
    before, after = {*past.queries.all_ids()}, {*workspace.queries.all_ids()}
    names = dict.fromkeys((*now, *then))
    return Since(
        revision=revision,
        commit=past.commit,
        added=tuple(sorted(after - before)),
        removed=tuple(sorted(before - after)),
        differences=tuple(
            Difference(name=name, then=then.get(name, 0), now=now.get(name, 0))
            for name in names
            if then.get(name, 0) != now.get(name, 0)
        ),
    )


def _numbers(workspace: OpenWorkspace) -> dict[str, int]:
    """Return the numbers of a graph that can be compared, by their keys in the document."""
    status: Any
    if workspace.format.is_yggdrasil:
        from yg_old.commands.status.yggdrasil import numbers

        status = numbers(workspace)
    else:
        status = workspace.queries.status()
    found = dict(_flat(checked(status, results.verdict(workspace))))
    found |= {f"quality.{share.what}": share.have for share in getattr(status, "shares", ())}
    if workspace.format.is_yggdrasil:
        sizes = results.package_sizes(workspace)
        found["packages.largest_tokens"] = sizes.largest_tokens
        found["packages.average_tokens"] = sizes.average_tokens
        found["packages.near"] = sizes.near
    return found


def _flat(values: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the numbers of a document, those of its maps with a dot."""
    for name, value in values.items():
        if isinstance(value, int):
            yield name, value
        elif isinstance(value, dict):
            yield from ((f"{name}.{key}", number) for key, number in value.items())


def since_text(since: Since) -> str:
    """Write the nodes and numbers that differ."""
    lines = [
        *_nodes_lines("Added", since.added),
        *_nodes_lines("Removed", since.removed),
        *(
            f"{_words(found.name)}: {found.then} -> {found.now} ({found.now - found.then:+})"
            for found in since.differences
        ),
    ]
    listed = "".join(f"\n  {line}" for line in lines) or " no difference"
    return f"Since {visible(since.revision)}:{listed}\n"


def _nodes_lines(title: str, nodes: Sequence[str]) -> list[str]:
    if not nodes:
        return []
    return [f"{title} {counted(len(nodes), 'node')}: {', '.join(map(visible, nodes))}"]


def _words(name: str) -> str:
    return visible(name.replace(".", " ").replace("_", " "))
