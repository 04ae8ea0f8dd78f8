"""The lines of a document: a node as the target, and as an entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.specgraph.model import DECISION, DOMAIN, POLICY, LinkKind, VerificationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.specgraph.model import SpecNode, Verification

INDENT = "  "
SEVERITY, INHERITED, BY_LAYER, REQUIRED = (
    "severity: ",
    "inherited via ",
    "via layer ",
    "required by ",
)


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


def target_lines(node: SpecNode) -> Iterator[str]:
    """Yield the lines of the target."""
    if node.text:
        yield escaped(sentence(node.text))
    if node.type == POLICY and node.severity:
        yield f"Severity: {collapsed(node.severity)}"
    yield from detail_lines(node)
    if node.is_group and (inside := node.targets(LinkKind.CONTAINS)):
        yield f"Contains: {listed(inside)}"


def bullet(node: SpecNode, note: str = "") -> Iterator[str]:
    """Yield the lines of an entry: its text, and its details."""
    said = sentence(node.text)
    if node.type == DOMAIN:
        said = f"{collapsed(node.title)} — {said}"
    elif node.is_group:
        said = f"{collapsed(node.title)} ({node.type}) — {said}"
    yield f"- {node.id}: {said}{note}"
    for line in detail_lines(node):
        yield f"{INDENT}{line}"


def listed(names: Iterable[str]) -> str:
    """Join names by commas."""
    return ", ".join(map(collapsed, names))


def detail_lines(node: SpecNode) -> Iterator[str]:
    """Yield the details of a node: constraints, artifact, pins, rationale."""
    yield from _constraint_lines([sentence(constraint) for constraint in node.constraints])
    if node.artifact:
        pairs = (("source", node.artifact.source), ("format", node.artifact.format))
        rest = "".join(f"; {name}: {collapsed(value)}" for name, value in pairs if value)
        yield f"Artifact: sha256:{collapsed(node.artifact.sha256)}{rest}"
    for pin in node.pins:
        yield f"Pin: {collapsed(pin.id)} sha256:{collapsed(pin.sha256)}"
    if node.type == DECISION:
        yield f"Rationale: {sentence(node.rationale) or '(missing)'}"
        if node.rejected:
            yield "Rejected alternatives:"
        for rejected in node.rejected:
            yield f"- {collapsed(rejected.title)}: {sentence(rejected.reason)}"


def _constraint_lines(constraints: list[str]) -> Iterator[str]:
    if len(constraints) == 1:
        yield f"Constraints: {constraints[0]}"
    elif constraints:
        yield "Constraints:"
        yield from (f"- {constraint}" for constraint in constraints)


def check_lines(node: SpecNode) -> Iterator[str]:
    """Yield the checks of a node other than the target."""
    for entry in node.verification:
        first, *rest = entry_lines(entry)
        yield f"- {node.id}: {first}"
        yield from rest


def entry_lines(entry: Verification) -> list[str]:
    """Return the lines of a check; all but the first are indented."""
    first, *rest = re.split(r"\r\n|\r|\n", check_text(entry).strip("\r\n"))
    return [first, *(f"{INDENT}{line}" for line in rest)]


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
    """Escape a line that would be a heading."""
    return f"\\{line}" if line.startswith("#") else line
