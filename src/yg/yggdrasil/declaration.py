"""Reading one declaration: the text of a YAML file becomes a value and its problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Place
from yg.kernel.snapshot import decode_utf8
from yg.text import paths
from yg.yggdrasil.model import Problem, UnknownKey
from yg.yggdrasil.texts import conflict_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.fields import Report
    from yg.text.decode import Datum
    from yg.text.decode import Problem as TextProblem

T = TypeVar("T")

# Codes of the rules that report what a reader finds.
NODE, ASPECT, FLOW, CONFIG = "E001", "E018", "E019", "E012"
UNREADABLE, CONFLICT, DUPLICATE = "E021", "E025", "W028"


class Reading(Struct, Generic[T], frozen=True, array_like=True, gc=False):
    """What one declaration says, and what is wrong with it; the value is None if it is invalid."""

    value: T | None
    problems: tuple[Problem, ...] = ()
    unknown_keys: tuple[UnknownKey, ...] = ()


def read_declaration(  # noqa: PLR0913
    part: Any,
    code: str,
    subject: str,
    file: str,
    data: bytes,
    *,
    finish: Callable[[dict[str, Any], Datum, Report], None],
    keeps_valid_keys: bool = False,
    **more: Any,
) -> Reading[Any]:
    """Read the text of a declaration into a Struct; every problem has its place.

    `code` is the rule that reports the problems, `finish` completes or checks the values of the
    keys, and `more` are attributes that are not in the file. With `keeps_valid_keys`, a value with
    problems has the keys that are valid.
    """
    # Imported here because a run that finds all readings in the cache does not need them.
    from yg.kernel.fields import Report, read_keys
    from yg.text.decode_yaml import decode_yaml

    try:
        text = decode_utf8(file, data)
    except UnreadableError as error:
        return Reading(None, (unreadable(subject, file, error.reason),))
    if line := conflict_line(text):
        return Reading(None, (conflict(subject, file, line),))
    decoded, report = decode_yaml(text), Report()
    report.problems.extend(decoded.problems)
    values = None
    if decoded.datum is not None:
        values = read_keys(part, decoded.datum, paths.name_of(file), report)
    if values is not None and decoded.datum is not None:
        finish(values, decoded.datum, report)
    is_valid = values is not None and (keeps_valid_keys or not report.problems)
    found = [(code, problem) for problem in report.problems]
    found += [(DUPLICATE, warning) for warning in report.warnings]
    return Reading(
        part(**values, **more) if is_valid and values is not None else None,
        tuple(
            _problem(rule, subject, Place(file, problem.line, problem.column), problem)
            for rule, problem in found
        ),
        tuple(UnknownKey(subject, file, key.name, key.known) for key in report.unknown_keys),
    )


def _problem(code: str, subject: str, place: Place, problem: TextProblem) -> Problem:
    advice = (problem.hint,) if problem.hint else ()
    return Problem(code, Finding(subject, problem.message, place, advice))


def unreadable(subject: str, path: str, reason: str) -> Problem:
    """Return the problem of a file or directory that cannot be read."""
    message = f"'{paths.name_of(path)}' cannot be read: {reason}"
    return Problem(UNREADABLE, Finding(subject, message, Place(path)))


def conflict(subject: str, file: str, line: int) -> Problem:
    """Return the problem of a file with an unresolved merge conflict."""
    return Problem(CONFLICT, Finding(subject, "unresolved merge conflict", Place(file, line, 1)))
