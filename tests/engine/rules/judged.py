"""Small graphs with all their issues, written as text.

A case belongs to the rule with its code. It expects every issue of the graph, so a graph that
passes has none, and a graph that fails shows that its fault is reported once, by one rule, at the
right place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphs import NODE, SCHEMAS, Content, snapshot_from
from yg.kernel.issue import Issue
from yg.kernel.snapshot import Kind, Snapshot
from yg.text import paths
from yg.yggdrasil.check import issues_of
from yg.yggdrasil.read import read_graph
from yg.yggdrasil.survey import Survey

CONFIG = """\
name: test
node_types:
  service: {description: A component}
artifacts:
  responsibility.md: {description: What it does}
"""
ASPECT = "name: A\n"
LISTENS = "relations: [{target: a, type: listens}]\n"
FLOW = "name: F\nnodes: [a]\n"
FIFTY = "Fifty characters: the least that an artifact says.\n"  # without the line break


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A repository, and its expected issues."""

    code: str
    name: str
    files: Mapping[str, Content] = field(default_factory=dict)
    sources: Mapping[str, Content] = field(default_factory=dict)
    issues: str = ""

    @property
    def everything(self) -> dict[str, Content]:
        """The graph and the other files of the repository."""
        return {**self.files, **self.sources}

    def __str__(self) -> str:
        return f"{self.code}: {self.name}"


def issues_in(files: Mapping[str, Content]) -> tuple[Issue, ...]:
    """Return the issues of a graph that has a configuration and schemas."""
    return issues_of(survey_of(files))


def survey_of(files: Mapping[str, Content]) -> Survey:
    """Return a graph with a configuration and schemas as rules see it."""
    snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **files})
    return Survey(read_graph(snapshot), snapshot, lambda path: files_below(snapshot, path))


def files_below(snapshot: Snapshot, path: str) -> tuple[str, ...]:
    """Return the file at a path, or all files below it; none is ignored."""
    match snapshot.kind(path):
        case Kind.FILE:
            return (path,)
        case Kind.DIRECTORY:
            names = [paths.join(path, name) for name in snapshot.entries(path)]
            return tuple(file for name in names for file in files_below(snapshot, name))
    return ()


def written(issues: tuple[Issue, ...]) -> str:
    """Write issues: message, advice and place; those that follow from others are marked."""
    return "".join(
        "\n  ".join((_headline(issue), *issue.guidance, str(issue.place))) + "\n"
        for issue in issues
    )


def _headline(issue: Issue) -> str:
    mark = "(follows) " if issue.follows else ""
    return f"{mark}{issue.code} {issue.subject} -> {issue.message}."


def boxed(text: str) -> str:
    """Turn the text of a node into that of a blackbox."""
    return text.replace("type: service\n", "type: service\nblackbox: true\n")


def carries(*aspects: str) -> str:
    """Write a node that declares aspects."""
    return NODE + "aspects:\n" + "".join(f"  - aspect: {aspect}\n" for aspect in aspects)


def calls(*targets: str) -> str:
    """Write a node that calls others."""
    return NODE + "relations:\n" + "".join(f"  - {{target: {to}, type: calls}}\n" for to in targets)


def maps(*texts: str) -> str:
    """Write a node that maps paths, given as YAML."""
    return NODE + "mapping:\n  paths:\n" + "".join(f"    - {text}\n" for text in texts)


def layered(may_use: str = "[page]") -> str:
    """Write a configuration in which pages, listed first, may use what is given."""
    types = f"node_types:\n  page: {{description: A page, may_use: {may_use}}}\n"
    return CONFIG.replace("node_types:\n", types)


def page(node: str) -> str:
    """Return a declaration with the type page."""
    return node.replace("type: service", "type: page")
