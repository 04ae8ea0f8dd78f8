"""The rule about the participants that the description of a flow names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.codec import Codec, Recipe
from yg_old.kernel.inventory_names import SEPARATOR
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.kernel.sources import words_lacking
from yg_old.text import paths
from yg_old.text.suggest import did_you_mean
from yg_old.text.words import words_of
from yg_old.yggdrasil.model import DESCRIPTION_FILE
from yg_old.yggdrasil.nearby import NodeSuggester

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.issue import Located
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Flow
    from yg_old.yggdrasil.rules.survey import Survey

LONGEST = 1_000  # characters of a name
HEADING = "## participants"
_HEADING = re.compile(r"(#{1,6})\s")
_FENCE = re.compile(r"\s*(```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+")
_CODE = re.compile(r"`([^`]+)`")
_ENDS = re.compile(r":|,|;|\(|\s-|\s\u2013|\s\u2014")  # after the name with which an item begins
_COMMENT, _COMMENT_END = "<!--", "-->"


class NamedParticipant(Struct, frozen=True, array_like=True, gc=False):
    """A name in the section about participants."""

    name: str
    line: int
    column: int
    is_code: bool  # in backticks
    leads: bool  # it is the beginning of a list item


class ParticipantsSection(Struct, frozen=True, array_like=True, gc=False):
    """The section about participants: the names in it, and its words in lower case."""

    line: int = 0  # of its heading; 0: there is none
    names: tuple[NamedParticipant, ...] = ()
    words: str = ""


@rule("W038", "participants-differ", Severity.WARNING, title="Participants of a flow differ")
def participants_differ(survey: Survey) -> Iterator[Finding]:
    """Every flow names its nodes, and no others, in its section Participants.

    A node is named by its path, the last part of its path, or its `name`. Names are what list items
    begin with, and paths in backticks. A descendant of a node of the flow may be named too. A
    section without text is not compared.

    Why: a reader of the package follows the text, while yg follows `nodes`; where the two differ,
    one of them is out of date.
    Fix: name the node in the section, or change `nodes` in `yg-flow.yaml`.
    Example:
        nodes: [orders, payments]    # in yg-flow.yaml
        ## Participants
        - `orders`: takes the order
        - `stock`: counts it         # W038 twice: stock is no node of the flow, payments is missing
    """
    nodes_like = NodeSuggester(survey.graph)
    for flow in survey.flows:
        file = f"{flow.directory}/{DESCRIPTION_FILE}"
        description = survey.graph.snapshot.text(file)
        if DESCRIPTION_FILE not in flow.files or description.binary_size or description.fault:
            continue  # reported by W015, W027 or E021
        section = description.made(PARTICIPANTS)
        if not section.words:
            continue
        for named in _strangers(survey.graph, flow, section):
            yield _stranger(
                survey.graph, flow, Place(file, named.line, named.column), named, nodes_like
            )
        for entry in _unnamed(survey.graph, flow, section):
            message = f"node '{entry}' is not named under '## Participants'"
            advice = (f"Say there what it does, or remove it from 'nodes' in {flow.declared_in}.",)
            yield Finding(f"flows/{flow.id}", message, flow.place(entry), advice)


def _stranger(
    graph: Graph, flow: Flow, place: Place, named: NamedParticipant, nodes_like: NodeSuggester
) -> Finding:
    subject, name = f"flows/{flow.id}", named.name
    if name in graph.nodes.all:
        message = f"'## Participants' names '{name}', which is not among the nodes of this flow"
        advice = (f"Add it to 'nodes' in {flow.declared_in}, or remove it from the text.",)
        return Finding(subject, message, place, advice)
    message = f"'## Participants' names '{name}', which is not a node"
    near = did_you_mean(nodes_like(name))
    return Finding(
        subject, message, place, (near or "Write what is not a node without backticks.",)
    )


def _strangers(
    graph: Graph, flow: Flow, section: ParticipantsSection
) -> Iterator[NamedParticipant]:
    """Yield the names that are not of this flow, each once."""
    spellings = {words for entry in flow.nodes for words in _spellings(graph, entry.text)}
    around = {above for entry in flow.nodes for above in (*paths.lineage(entry.text), entry.text)}
    seen: set[str] = set()
    for named in section.names:
        name = named.name
        is_known = name in around or _phrase(name) in spellings or SEPARATOR in name
        within = any(place in flow.participants for place in paths.lineage(name))
        if is_known or within or name in seen:
            continue
        # A path in backticks that does not exist is W030.
        if name in graph.nodes.all or (named.is_code and named.leads and "/" not in name):
            seen.add(name)
            yield named


def _unnamed(graph: Graph, flow: Flow, section: ParticipantsSection) -> Iterator[Located]:
    """Yield the nodes of a flow that the section does not name; unknown nodes are E006."""
    nodes = {entry.text: entry for entry in reversed(flow.nodes)}
    known = {node: _spellings(graph, node) for node in nodes if graph.nodes.get(node) is not None}
    wanted = frozenset(words for spellings in known.values() for words in spellings)
    lacking = words_lacking([section.words.encode("utf-8", "surrogateescape")], wanted)
    for node in reversed(known):
        if known[node] and lacking.issuperset(known[node]):
            yield nodes[node]


def _spellings(graph: Graph, path: str) -> tuple[str, ...]:
    """Return the words of a path, of its last part and of the declared name."""
    node = graph.nodes.get(path)
    texts = (path, paths.name_of(path), node.name if node else "")
    return tuple(filter(None, map(_phrase, texts)))


def _phrase(text: str) -> str:
    """Return the words of a text in lower case, each between blanks; empty if there are none."""
    parts = [part for word in words_of(text) for part in word.parts]
    return f" {' '.join(parts)} " if parts else ""


def _section(text: str) -> ParticipantsSection:
    """Read the section about participants of a description."""
    found = list(_lines(text))
    names = tuple(name for line, content in found for name in _names(line, content))
    words = _phrase("\n".join(content for _, content in found))
    return ParticipantsSection(found[0][0] if found else 0, names, words)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines below the heading, without comments and blocks of code."""
    is_inside = is_fenced = is_comment = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif not is_fenced and not is_comment and (heading := _HEADING.match(line)):
            plain = " ".join(line.strip().rstrip("#").split()).casefold()
            if plain == HEADING:
                is_inside = True
            elif len(heading[1]) <= 2:  # noqa: PLR2004
                is_inside = False
        elif not is_fenced:
            content, is_comment = _without_comments(line, is_comment=is_comment)
            if is_inside:
                yield number, content


def _without_comments(line: str, *, is_comment: bool) -> tuple[str, bool]:
    """Return a line with blanks for comments, and whether one goes on after it."""
    kept, at = [], 0
    while at < len(line):
        mark = _COMMENT_END if is_comment else _COMMENT
        end = line.find(mark, at)
        after = len(line) if end == -1 else end + len(mark)
        text = line[at : len(line) if end == -1 else end]
        kept.append((" " * len(text) if is_comment else text).ljust(after - at))
        is_comment, at = is_comment == (end == -1), after
    return "".join(kept), is_comment


def _names(number: int, line: str) -> Iterator[NamedParticipant]:
    """Yield the names in a line: what a list item begins with, and what is in backticks."""
    item = _ITEM.match(line)
    start = item.end() if item else -1
    if item and not line.startswith("`", start):
        end = _ENDS.search(line, start)
        name = line[start : end.start() if end else len(line)].strip().strip("*_")
        if name and "`" not in name and len(name) <= LONGEST:
            yield NamedParticipant(_path(name), number, start + 1, is_code=False, leads=True)
    first = len(line) - len(line[start:].lstrip("*_")) if item else -1
    for code in _CODE.finditer(line):
        if len(code[1]) > LONGEST:
            continue
        leads = start <= code.start() <= first
        yield NamedParticipant(_path(code[1]), number, code.start(1) + 1, is_code=True, leads=leads)


def _path(name: str) -> str:
    """Return a name as the path of a node, without the folder that people may write."""
    return name.strip().strip("/").removeprefix(".yggdrasil/").removeprefix("model/")


PARTICIPANTS: Recipe[ParticipantsSection] = Recipe(
    "participants", _section, Codec(ParticipantsSection)
)
