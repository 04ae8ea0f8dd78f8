"""`yg draft`: the files of the nodes that are proposed for code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.kernel.edit import Write
from yg.kernel.errors import RefusedError
from yg.text import paths
from yg.text.escapes import visible
from yg.text.plural import counted
from yg.text.yaml_edit import YamlText, yaml_scalar
from yg.yggdrasil.code.interface import below, interface_lines, shared_directory
from yg.yggdrasil.model import DRAFT_MARK, INTERFACE_FILE, NODE_FILE, RESPONSIBILITY_FILE
from yg.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.code.draft.propose import Import, Proposal, ProposedNode
    from yg.yggdrasil.graph import Graph

MODEL = f"{FOLDER}/model"
TYPE = "module"
ARTIFACTS = (RESPONSIBILITY_FILE, INTERFACE_FILE)
MOST_LISTED = 12  # files or nodes in a text
MOST_PLACES = 5  # of imports that a comment lists
_NAME = re.compile(r"[^\W\d]\w*")
BESIDE = {  # what the nodes beside the code hold
    "tests": "Tests",
    "docs": "Documentation",
    "examples": "Examples",
    "vendored": "Copies of code of other projects",
    "generated": "Generated code",
    "tools": "Scripts and other files to build and maintain the project",
}


def node_type(graph: Graph) -> str:
    """Return the type of drafted nodes; raise an error if the graph has no types."""
    types = graph.config.node_types
    if not types:
        file = graph.config.file
        raise RefusedError(f"there are no node types in {file}", hint="Run 'yg validate'.")
    return TYPE if TYPE in types else next(iter(types))


def draft_config(text: str, test_files: Sequence[str]) -> str:
    """Return the configuration of a new graph, with settings for code that is read by program."""
    code = ["code:", "  imports: warning"]
    if test_files:
        listed = ", ".join(f'"{pattern}"' for pattern in test_files)
        code.append(f"  ignore: [{listed}]    # tests beside the code may import anything")
    drift = ["drift:", "  tolerate: docs    # changes of comments and documentation are no drift"]
    config = YamlText(text)
    for key, lines in (("drift", drift), ("code", code)):
        gap = "" if config.has(key) else "\n"
        config = config.replaced(key, gap + "".join(f"{line}\n" for line in lines))
    return config.text


def draft_files(proposal: Proposal, kind: str, artifacts: Sequence[str]) -> Iterator[Write]:
    """Yield the files of all nodes; the texts are those of the artifacts of the graph."""
    children: dict[str, list[str]] = {}
    for node in proposal.nodes:
        children.setdefault(paths.parent(node.path), []).append(node.path)
    for node in proposal.nodes:
        directory = f"{MODEL}/{node.path}"
        texts = {RESPONSIBILITY_FILE: _responsibility(node, children.get(node.path, ()))}
        if not node.is_blackbox:
            texts[INTERFACE_FILE] = _interface(node, children.get(node.path, ()))
        yield Write(f"{directory}/{NODE_FILE}", _text(_declaration(node, kind)))
        for name, lines in texts.items():
            if name in artifacts:
                yield Write(f"{directory}/{name}", _text(lines))


def _text(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _declaration(node: ProposedNode, kind: str) -> Iterator[str]:
    yield f"name: {yaml_scalar(paths.name_of(node.path))}"
    yield f"type: {yaml_scalar(kind)}"
    if node.is_blackbox:
        yield "blackbox: true"
    if node.relations:
        yield "relations:"
        for relation in node.relations:
            yield from _relation(relation)
    if node.left_out:
        yield "# Left out, because each would close a cycle:"
        for relation in node.left_out:
            yield from (f"# {line}" for line in _relation(relation))
            yield f"#     # imported at {_places(relation)}"
    if node.mapping:
        yield "mapping:"
        yield "  paths:"
        yield from (f"    - {yaml_scalar(path)}" for path in node.mapping)


def _relation(relation: Import) -> Iterator[str]:
    yield f"  - target: {yaml_scalar(relation.target)}"
    yield "    type: uses"
    if not relation.names:
        return
    if all(map(_NAME.fullmatch, relation.names)):
        yield f"    consumes: [{', '.join(map(yaml_scalar, relation.names))}]"
        return
    yield "    consumes:"
    yield from (f"      - {yaml_scalar(name)}" for name in relation.names)


def _places(relation: Import) -> str:
    shown = [f"{edge.file}:{edge.line}" for edge in relation.places[:MOST_PLACES]]
    rest = len(relation.places) - MOST_PLACES
    return visible(", ".join(shown)) + (f" and {rest} more" if rest > 0 else "")


def _responsibility(node: ProposedNode, children: Sequence[str]) -> Iterator[str]:
    if node.is_blackbox:
        yield f"{BESIDE[node.role]}: {counted(len(node.files), 'file')} in {_listed(node.mapping)}."
        return
    yield DRAFT_MARK
    if node.summary:
        yield ""
        yield f"> {node.summary}"
    if node.files:
        yield ""
        yield from _files(node)
    if children:
        yield ""
        yield f"Divided into {_listed(children)}."
    yield ""
    yield _users(node)


def _users(node: ProposedNode) -> str:
    below = "nodes below it" if node.is_used_below else ""
    users = " and ".join(filter(None, (_listed(node.users), below)))
    return f"Used by {users}." if users else "No other node imports it."


def _files(node: ProposedNode) -> Iterator[str]:
    """Yield the list of a node's files, without the directory that they share."""
    top = shared_directory(node.files)
    where = "" if top == paths.ROOT else f" in `{visible(top)}/`"
    yield f"{counted(len(node.files), 'source file')}{where}:"
    yield f"{_listed([below(file, top) for file in node.files])}."


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{visible(name)}`" for name in names[:MOST_LISTED])
    rest = len(names) - MOST_LISTED
    return f"{shown} and {rest} more" if rest > 0 else shown


def _interface(node: ProposedNode, children: Sequence[str]) -> Iterator[str]:
    if not node.files:
        yield f"It has no files of its own; see {_listed(children)}."
        return
    yield from interface_lines(node.offers, is_imported=node.is_imported)
