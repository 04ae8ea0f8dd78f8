"""The lines of a document: a node as the target, and as an entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.specgraph.model import DECISION, DOMAIN, POLICY, LinkKind, VerificationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.specgraph.model import SpecNode, Verification

INDENT = "  "
_SCRIPT_INDENT = INDENT + "    "  # at which Markdown has no headings, in a list item either
SHOWN_DIGITS = 12  # of a digest
_BREAK = re.compile(r"\r\n|\r|\n")
# Of a block of code; after INDENT, Markdown allows one more blank.
_FENCE = re.compile(r" ?(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<rest>.*)$")
_HEADING = re.compile(r"\s*(?=#|=+\s*$|-+\s*$)")  # the second and third follow its text


def title_line(node: SpecNode) -> str:
    """Return the line that opens the document of a target."""
    return f"# Context for {node.id}: {collapsed(node.title)}"


def collapsed(text: str) -> str:
    """Put text on one line, with single spaces."""
    return " ".join(text.split())


def sentence(text: str) -> str:
    """Put text on one line and end it as a sentence; the specification calls this `sent`."""
    line = collapsed(text)
    return line if not line or line[-1] in ".!?" else f"{line}."


def text_lines(text: str, before: str = "") -> list[str]:
    """Return a text of one line as a sentence, a longer one line by line as it is written.

    `before` is put before the first line. Blank lines at both ends are removed.
    """
    lines = ["" if line.isspace() else line for line in _BREAK.split(text)]
    filled = [at for at, line in enumerate(lines) if line]
    if not filled or filled[0] == filled[-1]:
        return [before + sentence(text)]
    first, *rest = lines[filled[0] : filled[-1] + 1]
    return [before + first, *map(escaped, rest)]


def listed(names: Iterable[str]) -> str:
    """Join names by commas."""
    return ", ".join(map(collapsed, names))


def target_lines(node: SpecNode, superseding: Iterable[SpecNode] = ()) -> Iterator[str]:
    """Yield the lines of the target, which are not indented; at the end those of other nodes."""
    if node.text:
        first, *rest = text_lines(node.text)
        yield escaped(first)
        yield from rest
    if node.type == POLICY and node.severity:
        yield f"Severity: {collapsed(node.severity)}"
    for lines in (*_details(node), *_target_details(node), *map(_superseding, superseding)):
        yield from lines


def bullet(node: SpecNode, note: str = "", superseding: Iterable[SpecNode] = ()) -> Iterator[str]:
    """Yield the lines of an entry: its text with a note, its details and those of other nodes."""
    lines = _entry_text(node, f"- {node.id}: ")
    lines[-1] += note
    yield from _indented(lines, "", INDENT)
    for detail in _details(node):
        yield from _indented(detail, INDENT, INDENT * 2)
    for other in superseding:
        yield from superseding_lines(other)


def superseding_lines(node: SpecNode) -> Iterator[str]:
    """Yield the lines below an entry about a node that supersedes it."""
    return _indented(_superseding(node), INDENT, INDENT * 2)


def _indented(lines: list[str], first: str, others: str) -> Iterator[str]:
    """Yield lines with one indentation for the first and another for the rest but blank lines."""
    yield f"{first}{lines[0]}"
    for line in lines[1:]:
        yield f"{others}{line}" if line else ""


def _entry_text(node: SpecNode, before: str) -> list[str]:
    """Return the text of a node as an entry has it."""
    if node.type == DOMAIN:
        before += f"{collapsed(node.title)} — "
    elif node.is_group:
        before += f"{collapsed(node.title)} ({node.type}) — "
    return text_lines(node.text, before)


def _superseding(node: SpecNode) -> list[str]:
    """Return the text of a node that supersedes another and is not in the document itself."""
    return _entry_text(node, f"Superseded by {node.id}: ")


def _target_details(node: SpecNode) -> Iterator[list[str]]:
    """Yield the details that only a target has; a decision has its rationale anyway."""
    if node.is_group and (inside := node.targets(LinkKind.CONTAINS)):
        yield [f"Contains: {listed(inside)}"]
    if node.rationale and node.type != DECISION:
        yield text_lines(node.rationale, "Rationale: ")
    if node.notes:
        yield text_lines(node.notes, "Notes: ")


def _details(node: SpecNode) -> Iterator[list[str]]:
    """Yield the lines of each detail of a node: constraints, artifact, pins, rationale."""
    if len(node.constraints) == 1:
        yield text_lines(node.constraints[0], "Constraints: ")
    elif node.constraints:
        yield ["Constraints:"]
        yield from (text_lines(constraint, "- ") for constraint in node.constraints)
    if node.artifact:
        pairs = (("source", node.artifact.source), ("format", node.artifact.format))
        rest = "".join(f"; {name}: {collapsed(value)}" for name, value in pairs if value)
        yield [f"Artifact: {_digest(node.artifact.sha256)}{rest}"]
    for pin in node.pins:
        yield [f"Pin: {collapsed(pin.id)} {_digest(pin.sha256)}"]
    if node.type == DECISION:
        why = node.rationale
        yield text_lines(why, "Rationale: ") if why else ["Rationale: (missing)"]
        if rejected := node.rejected:
            yield ["Rejected alternatives:"]
        for other in rejected:
            yield text_lines(other.reason, f"- {collapsed(other.title)}: ")


def _digest(sha256: str) -> str:
    """Write the first digits of a digest."""
    digits = collapsed(sha256)
    return f"sha256:{digits[:SHOWN_DIGITS]}{'..' if len(digits) > SHOWN_DIGITS else ''}"


def check_lines(node: SpecNode) -> Iterator[str]:
    """Yield the checks of a node other than the target."""
    for entry in node.verification:
        first, *rest = entry_lines(entry)
        if rest and _FENCE.match(first):
            yield from (f"- {node.id}:", f"{INDENT}{first}")
        else:
            yield f"- {node.id}: {first}"
        yield from rest


def entry_lines(entry: Verification) -> list[str]:
    """Return the lines of a check; all but the first are indented."""
    lines = _BREAK.split(check_text(entry).strip("\r\n"))
    if is_script(entry):
        # As it is: an escaped comment would be a command.
        return [lines[0], *(f"{_SCRIPT_INDENT}{line}" for line in lines[1:])]
    _, *rest = _escaped_outside_fences(lines)
    return [lines[0], *(f"{INDENT}{line}" for line in rest)]


def first_line(entry: Verification, line: str) -> str:
    """Return the first line of a check without anything before it, so that it is no heading."""
    return f"{_SCRIPT_INDENT}{line}" if is_script(entry) and _HEADING.match(line) else escaped(line)


def is_script(entry: Verification) -> bool:
    """Return whether a check is a command with comments, or other lines that look like headings."""
    if entry.kind not in (VerificationKind.TEXT, VerificationKind.COMMAND):
        return False
    lines = _BREAK.split(entry.text.strip("\r\n"))
    is_fenced = any(map(_FENCE.match, lines))
    return len(lines) > 1 and not is_fenced and any(map(_HEADING.match, lines))


def _escaped_outside_fences(lines: Sequence[str]) -> list[str]:
    """Escape lines that would be headings, but not in fenced blocks, up to one that stays open."""
    found: list[str] = []
    block: list[str] = []  # an open one
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            block.append(line)
            if mark and mark["fence"].startswith(fence) and not mark["rest"].strip():
                found += block
                block, fence = [], ""
        elif mark:
            block, fence = [line], mark["fence"]
        else:
            found.append(escaped(line))
    return [*found, *map(escaped, block)]


def check_text(entry: Verification) -> str:
    """Return the text of a check: what to do, its options, description and expected result."""
    env = ", ".join(f"{name}={value}" for name, value in entry.env)
    timeout = f"{entry.timeout}s" if entry.timeout else ""
    pairs = (("cwd", entry.cwd), ("env", env), ("timeout", timeout))
    options = "; ".join(f"{name}: {value}" for name, value in pairs if value)
    is_said = entry.kind in (VerificationKind.OBSERVATION, VerificationKind.POLICY)
    return "".join(
        (
            _main_text(entry),
            f" ({options})" if options else "",
            f" — {entry.description}" if entry.description and not is_said else "",
            f" => {entry.expected}" if entry.expected else "",
        )
    )


def _main_text(entry: Verification) -> str:
    match entry.kind:
        case VerificationKind.HTTP:
            return f"{entry.method} {entry.url} -> {entry.status}"
        case VerificationKind.MANUAL:
            return f"Manual: {'; '.join(entry.steps)}"
        case VerificationKind.OBSERVATION:
            return f"Observe: {entry.description}"
        case VerificationKind.POLICY:
            return f"Rule {entry.text}" + (f": {entry.description}" if entry.description else "")
        case _:
            return entry.text


def escaped(line: str) -> str:
    """Escape a line that would be a heading, or make one of the line above."""
    found = _HEADING.match(line)
    return f"{line[: found.end()]}\\{line[found.end() :]}" if found else line
