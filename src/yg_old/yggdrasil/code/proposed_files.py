"""`yg draft`: the files of the nodes that are proposed for code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.kernel.edit import Write
from yg_old.kernel.errors import RefusedError
from yg_old.kernel.snapshot import DRAFT_MARK
from yg_old.text import paths
from yg_old.text.escapes import visible
from yg_old.text.yaml_edit import YamlText, yaml_scalar
from yg_old.yggdrasil.model import NODE_FILE, RESPONSIBILITY_FILE
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.code.draft.propose import Import, Proposal, ProposedNode
    from yg_old.yggdrasil.graph import Graph

MODEL = f"{FOLDER}/model"
TYPE = "module"
MOST_PLACES = 5  # of imports that a comment lists
_DRIFT = "\ndrift:\n"
_TOLERATE = "  tolerate: imports    # changes of comments, documentation and imports are no drift\n"
_NAME = re.compile(r"[^\W\d]\w*")


def node_type(graph: Graph) -> str:
    """Return the type of drafted nodes; raise an error if the graph has no types."""
    types = graph.config.node_types
    if not types:
        file = graph.config.file
        raise RefusedError(f"there are no node types in {file}", hint="Run 'yg validate'.")
    return TYPE if TYPE in types else next(iter(types))


def draft_config(text: str, test_files: Sequence[str]) -> str:
    """Return the configuration of a new graph, with settings for code that is read by program.

    Rules compare the imports with the relations, so drift need not report them again.
    """
    code = ["code:", "  imports: warning", "  packages: consumed"]
    if test_files:
        listed = ", ".join(f'"{pattern}"' for pattern in test_files)
        code.append(f"  ignore: [{listed}]    # tests beside the code may import anything")
    config = YamlText(text.replace(_DRIFT, _DRIFT + _TOLERATE))
    return config.replaced("code", "".join(f"{line}\n" for line in code)).text


def draft_files(proposal: Proposal, kind: str, *, has_texts: bool) -> Iterator[Write]:
    """Yield the files of all nodes; `has_texts`: their responsibility is an artifact of the graph.

    What is beside the code needs no text: its name and its mapping say it.
    """
    for node in proposal.nodes:
        directory = f"{MODEL}/{node.path}"
        yield Write(f"{directory}/{NODE_FILE}", _text(_declaration(node, kind)))
        if has_texts and not node.is_blackbox:
            yield Write(f"{directory}/{RESPONSIBILITY_FILE}", f"{DRAFT_MARK}\n".encode())


def _text(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _declaration(node: ProposedNode, kind: str) -> Iterator[str]:
    yield f"name: {yaml_scalar(paths.name_of(node.path))}"
    yield f"type: {yaml_scalar(kind)}"
    if node.is_blackbox:
        yield "blackbox: true"
        if node.mapping:
            yield "drift: off    # no text describes it that a change could make untrue"
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
    if node.excluded:
        yield "  exclude:"
        yield from (f"    - {yaml_scalar(pattern)}" for pattern in node.excluded)


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
