"""Who owns files, a line each, and as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.yggdrasil.owner import Owner


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is known of one file: where it is, whether it exists, who owns it."""

    file: str
    is_inside: bool = True
    exists: bool = True
    owner: Owner | None = None


def owners_text(answers: Iterable[Answer]) -> str:
    """Write a line for each file, with a second one where a directory's mapping decides."""
    return "".join(_lines(answer) for answer in answers)


def _lines(answer: Answer) -> str:
    file = visible(answer.file)
    if not answer.is_inside:
        return f"{file} -> outside the repository\n"
    missing = "" if answer.exists else " (file not found)"
    owner = answer.owner
    if owner is None:
        return f"{file} -> no graph coverage{missing}\n"
    line = f"{file} -> {visible(owner.node)}{missing}\n"
    if owner.mapping == answer.file:
        return line
    source = f"the context comes from {visible(owner.mapping)}"
    use = f"Use: yg build-context --node {visible(owner.node)}"
    return f"{line}  No mapping of its own; {source}. {use}\n"


def owners_data(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """Return the answers as plain data."""
    return [
        {
            "file": answer.file,
            "status": _status(answer),
            "exists": answer.exists,
            "node": answer.owner.node if answer.owner else None,
            "mapping": answer.owner.mapping if answer.owner else None,
        }
        for answer in answers
    ]


def _status(answer: Answer) -> str:
    if not answer.is_inside:
        return "outside"
    return "owned" if answer.owner else "uncovered"
