"""Small graphs as dicts of texts, and what is known of an example of the specification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

Files = dict[str, str]

PROJECT = """\
version: "2.2.0"
name: my-project
node_types:
  module: {description: "A domain"}
  service: {description: "A component that others use"}
  library: {description: "Code without a domain"}
artifacts:
  responsibility.md: {required: always, description: "What it does", included_in_relations: true}
  interface.md:
    required: {when: has_incoming_relations}
    description: "What it offers"
    included_in_relations: true
  internals.md: {required: never, description: "How it works"}
"""
SCHEMAS = {f"schemas/yg-{kind}.yaml": "" for kind in ("node", "aspect", "flow")}
SOURCE = "export const answer = 42;\n"
TEXT = "A sentence of our own, long enough to count as a description.\n"


class Example(NamedTuple):
    """One example of a document, and the golden that shows it or the reason why there is none."""

    section: str
    shows: str
    golden: str = ""  # a transcript: golden/NAME.txt
    differs: str = ""  # what the golden shows in another way than the document
    reason: str = ""  # why there is no golden


class Place(NamedTuple):
    """Where the commands of a golden are typed: a repository, and what was done there before."""

    files: Mapping[str, str] = MappingProxyType({})
    before: str = ""


def graph(files: Mapping[str, str], config: str = PROJECT, sources: Iterable[str] = ()) -> Files:
    """Return a repository: graph files relative to .yggdrasil/, and sources of one line."""
    below = {"yg-config.yaml": config, **SCHEMAS, **files}
    written = {f".yggdrasil/{path}": text for path, text in below.items()}
    return {**written, **dict.fromkeys(sources, SOURCE)}


def node(path: str, text: str, **artifacts: str) -> Files:
    """Return the files of a node: its declaration, a responsibility and an interface."""
    texts = {"responsibility": TEXT, "interface": TEXT, **artifacts}
    folder = f"model/{path}"
    contents = {f"{folder}/{name}.md": content for name, content in texts.items() if content}
    return {f"{folder}/yg-node.yaml": text, **contents}


def plain(path: str, *more: str, kind: str = "service") -> Files:
    """Return the files of a node whose name does not matter."""
    lines = [f"name: {path.rpartition('/')[2]}", f"type: {kind}", *more]
    return node(path, "\n".join(lines) + "\n")


def calls(*targets: str) -> str:
    """Return relations to some nodes."""
    listed = ", ".join(f"{{target: {target}, type: calls}}" for target in targets)
    return f"relations: [{listed}]"


def maps(*paths: str) -> str:
    """Return a mapping."""
    return "\n".join(["mapping:", "  paths:", *(f"    - {path}" for path in paths)])


def aspect(name: str, **more: str) -> Files:
    """Return the files of an aspect."""
    lines = [f"name: {name}", *(f"{key}: {value}" for key, value in more.items())]
    return {
        f"aspects/{name}/yg-aspect.yaml": "\n".join(lines) + "\n",
        f"aspects/{name}/content.md": TEXT,
    }


def sections(*participants: str) -> str:
    """Return the description of a flow with all its sections."""
    listed = "".join(f"- {path}\n" for path in participants)
    return (
        "## Business context\n\n## Trigger\n\n## Goal\n\n"
        f"## Participants\n\n{listed}\n## Paths\n\n### Happy path\n\n"
        "## Invariants across all paths\n"
    )


def flow(name: str, *nodes: str, aspects: Iterable[str] = (), **files: str) -> Files:
    """Return the files of a flow; its folder is the first word of its name."""
    lines = [f"name: {name}", "nodes:", *(f"  - {path}" for path in nodes)]
    lines += ["aspects:", *(f"  - {each}" for each in aspects)] if aspects else []
    folder = f"flows/{name.split(maxsplit=1)[0].lower()}"
    contents = {"description": sections(*nodes), **files}
    return {
        f"{folder}/yg-flow.yaml": "\n".join(lines) + "\n",
        **{f"{folder}/{file}.md": content for file, content in contents.items()},
    }
