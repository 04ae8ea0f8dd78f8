"""`yg new decision`: the file of a new decision, and what it changes in others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yaml import YAMLError

from yg_old.kernel.edit import Write
from yg_old.kernel.errors import NotFoundError, RefusedError, UnreadableError, UsageError
from yg_old.text import paths
from yg_old.text.headings import headings, prose_lines
from yg_old.text.yaml_edit import YamlText
from yg_old.yggdrasil.decisions import FRONT_MATTER, STATUS_LINE, decision_number, read_decision
from yg_old.yggdrasil.edit.create import New
from yg_old.yggdrasil.names import path_named
from yg_old.yggdrasil.places import mapped_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.yggdrasil.decisions import Decision
    from yg_old.yggdrasil.graph import Graph

KIND = "decision"
DEFAULT_FOLDER = "docs/decisions"
DIGITS = 4  # of the number in the name of a file, unless other files have fewer or more
LONGEST_NAME = 60  # characters of the title in the name of a file
SECTIONS = ("Context", "Decision", "Alternatives", "Consequences")
_NAME = re.compile(r"(\D*)(\d+)")
_FRONT_STATUS = re.compile(r"^status[ \t]*:.*$", re.IGNORECASE | re.MULTILINE)


def new_decision(graph: Graph, title: str, supersedes: int | None, nodes: Sequence[str]) -> New:
    """Return the file of a new decision, the one that it supersedes, and the nodes that list it."""
    title = " ".join(title.split())
    if not title:
        raise UsageError("a decision needs a title", hint='Write yg new decision "TITLE".')
    old = _superseded(graph, supersedes)
    number = max(graph.decisions.files, default=0) + 1
    file = _file(graph, number, title)
    edits = [Write(file, _text(number, title, old, file).encode())]
    if old is not None:
        edits.append(_marked(graph, old, f"{number}. {title}", file))
    listing = dict.fromkeys(path_named(graph, node) for node in nodes)
    edits += [_listing(graph, node, number) for node in listing]
    notes = () if listing else ("no node lists it yet under 'decisions'",)
    return New(kind=KIND, id=str(number), edits=tuple(edits), notes=notes)


def _superseded(graph: Graph, number: int | None) -> Decision | None:
    if number is None:
        return None
    old = graph.decisions.get(number)
    if old is None:
        raise NotFoundError(f"there is no decision {number}", hint="'yg decisions' lists all.")
    if not old.is_in_force:
        hint = "Name the decision that is in force."
        raise RefusedError(f"decision {number} is {old.status} already", hint=hint)
    return old


def _file(graph: Graph, number: int, title: str) -> str:
    """Return the path of a new decision, with a name like those of the others."""
    known = graph.decisions
    configured = [mapped_path(entry.text) for entry in graph.config.decisions]
    folder = next((path for path in (*known.folders, *configured) if path), DEFAULT_FOLDER)
    last = [files[-1] for files in known.files.values() if paths.parent(files[-1]) == folder][-1:]
    match = _NAME.match(paths.name_of(last[0])) if last else None
    prefix, digits = (match[1], len(match[2])) if match else ("", DIGITS)
    words = re.sub(r"[\W_]+", "-", title.lower()).strip("-")[:LONGEST_NAME].rstrip("-")
    name = f"{prefix}{number:0{digits}}-{words or KIND}.md"
    if decision_number(name) != number:
        name = f"{number:0{DIGITS}}-{words or KIND}.md"
    return paths.join(folder, name)


def _text(number: int, title: str, old: Decision | None, file: str) -> str:
    lines = [f"# {number}. {title}", "## Status", "Accepted"]
    if old is not None:
        lines.append(f"Supersedes [{old.number}. {old.title}]({_link(file, old.file)})")
    lines += [f"## {section}" for section in SECTIONS]
    return "\n\n".join(lines) + "\n"


def _link(start: str, file: str) -> str:
    """Return the path of a decision from another one, which may be in another folder."""
    here, there = paths.parent(start), paths.parent(file)
    if here == there:
        return paths.name_of(file)
    up = 0 if here == paths.ROOT else here.count("/") + 1
    return "../" * up + file


def _marked(graph: Graph, old: Decision, title: str, file: str) -> Write:
    """Return the old decision with the status that it is superseded."""
    try:
        text = graph.snapshot.text(old.file).value
    except UnreadableError as error:
        raise RefusedError(error.message) from error
    marked = _with_status(text, f"uperseded by [{title}]({_link(old.file, file)})")
    if not read_decision(marked).successors:
        hint = f"Write 'Superseded by {title}' there, and leave out --supersedes."
        raise RefusedError(f"cannot find the status in {old.file}", hint=hint)
    return Write(old.file, marked.encode())


def _with_status(text: str, status: str) -> str:
    """Return a text with another status where it has one, or below its title."""
    line_break = "\r\n" if "\r\n" in text else "\n"
    front = FRONT_MATTER.match(text)
    if front and (match := _FRONT_STATUS.search(text, 0, front.end())):
        end = match.end() - text[match.start() : match.end()].endswith("\r")
        return f'{text[: match.start()]}status: "s{status}"{text[end:]}'
    every = headings(text)
    for heading in every:
        if heading.title.strip().lower() == "status":
            first = re.compile(r"^[ \t]*\S.*?(?=\r?$)", re.MULTILINE)
            start = text.find("\n", heading.start) + 1 or len(text)
            if match := first.search(text, start, heading.end):
                return f"{text[: match.start()]}S{status}{text[match.end() :]}"
            return f"{text[:start]}{line_break}S{status}{line_break}{text[start:]}"
    top = every[1].start if len(every) > 1 else len(text)
    for _, at, line in prose_lines(text):
        if at < top and (match := STATUS_LINE.fullmatch(line.rstrip())):
            return f"{text[: at + match.start(1)]}s{status}{text[at + match.end(1) :]}"
    start = text.find("\n", every[0].start) + 1 if every else 0
    start = start or len(text)
    return f"{text[:start]}{line_break}Status: s{status}{line_break}{text[start:]}"


def _listing(graph: Graph, node: str, number: int) -> Write:
    """Return the declaration of a node with one more decision."""
    file = graph.nodes.spec.file_of(node)
    try:
        text = YamlText(graph.snapshot.text(file).value)
        edited = text.with_values("decisions", [str(number)]) if text.is_editable else None
        items = list(_numbers(edited)) if edited else []
    except (YAMLError, UnreadableError) as error:
        raise RefusedError(f"cannot edit {file}", hint="Run 'yg validate'.") from error
    if edited is None or str(number) not in items:
        raise RefusedError(f"cannot add the decision to {file}", hint="Write the list by hand.")
    return Write(file, edited.text.encode())


def _numbers(text: YamlText) -> Iterator[str]:
    entry = (text.root.entries or {}).get("decisions")
    yield from (str(item.value) for item in (entry.datum.items if entry else None) or ())
