"""Rules: functions that check a graph and yield findings, each with a manual page."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from yg.kernel.issue import Finding, Issue, Level, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

S = TypeVar("S")

LABELS = ("Why", "Fix", "Example")  # the parts of a page, after its opening sentence
# Limits on memory: a rule may yield a finding for every pair of a node and an entry of the
# configuration, and quote the entry each time.
MOST_FINDINGS = 20_000  # of one rule
LONGEST_LINE = 2_000  # characters of a message, or of one piece of advice


class Rule(Struct, Generic[S], frozen=True):
    """A rule: its code, name, severity, manual page and check function."""

    code: str
    name: str
    severity: Severity  # unless the configuration of a graph sets another level
    text: str  # the docstring of the check
    check: Callable[[S], Iterable[Finding]]
    title: str  # the problem in a few words

    @property
    def page(self) -> str:
        """The manual page, without the indentation of the docstring."""
        first, *rest = self.text.rstrip().split("\n")
        margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
        return "\n".join([first.strip(), *(line[margin:].rstrip() for line in rest)])

    @property
    def summary(self) -> str:
        """The requirement, in one sentence."""
        return self.page.split("\n", 1)[0]

    @property
    def details(self) -> str:
        """The text between the first sentence and the reason, as one paragraph."""
        return " ".join(" ".join(self._lines("")[1:]).split())

    @property
    def fix(self) -> str:
        """The part of the page about the fix."""
        return self.part("Fix")

    @property
    def why(self) -> str:
        """The part of the page about the reason."""
        return self.part("Why")

    @property
    def example(self) -> tuple[str, ...]:
        """The lines of the example."""
        return tuple(line.removeprefix("    ") for line in self._lines("Example")[1:])

    def part(self, label: str) -> str:
        """Return a labelled part of the page as one paragraph; empty if it is missing."""
        text = " ".join(" ".join(self._lines(label)).split())
        return text[:1].upper() + text[1:]

    def _lines(self, label: str) -> list[str]:
        """Return the lines of one part; lines before the first label have the label ''."""
        found: list[str] = []
        current = ""
        for line in self.page.split("\n"):
            start = next((part for part in LABELS if line.startswith(f"{part}:")), None)
            current = start or current
            if current == label:
                found.append(line.removeprefix(f"{label}:") if start else line)
        return found


def rule(
    code: str, name: str, severity: Severity, *, title: str = ""
) -> Callable[[Callable[[S], Iterator[Finding]]], Rule[S]]:
    """Turn a function into a rule; its docstring becomes the manual page.

    Without a title, the name is the title.
    """

    def register(check: Callable[[S], Iterator[Finding]]) -> Rule[S]:
        words = title or name.replace("-", " ").capitalize().replace("yaml", "YAML")
        return Rule(code, name, severity, check.__doc__ or "", check, words)

    return register


def check(
    rules: Iterable[Rule[S]], survey: S, level_of: Callable[[Rule[S]], Level]
) -> Iterator[Issue]:
    """Run rules over a survey, each at its level, and yield the issues."""
    for applied in rules:
        level = level_of(applied)
        if level is Level.OFF:
            continue
        severity, fix = Severity(level.value), applied.fix
        for finding in _limited(applied.check(survey)):
            yield Issue(
                code=applied.code,
                rule=applied.name,
                severity=severity,
                subject=finding.subject,
                message=_shortened(finding.message),
                file=finding.place.file,
                line=finding.place.line or None,
                column=finding.place.column or None,
                advice=tuple([_shortened(line) for line in finding.advice]),
                also=finding.also,
                fix=fix,
                follows=finding.follows,
            )


def _limited(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield up to MOST_FINDINGS findings, and one that reports the omission."""
    remaining = iter(findings)
    yield from islice(remaining, MOST_FINDINGS)
    for finding in islice(remaining, 1):
        message = f"there are more than {MOST_FINDINGS} findings of this rule; the rest are omitted"
        yield Finding(finding.subject, message, finding.place)


def _shortened(line: str) -> str:
    """Omit the middle of a very long line."""
    if len(line) <= LONGEST_LINE:
        return line
    half = LONGEST_LINE // 2
    return f"{line[:half]} .. {line[-half:]}"
