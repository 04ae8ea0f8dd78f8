"""Rules: small functions that look at a graph and yield findings, each with a manual page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from yg.kernel.issue import Finding, Issue, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

S = TypeVar("S")

LABELS = ("Why", "Fix", "Example")  # the parts of a page, after its opening sentence
# What two files multiply must not fill the memory: a rule may find something for every node and
# every entry of the configuration, and quote the entry each time.
MOST_FINDINGS = 200_000  # of one rule
LONGEST_LINE = 2_000  # characters of a message, or of one piece of advice


class Rule(Struct, Generic[S], frozen=True):
    """One rule: its code, name and severity, its page, and the check itself."""

    code: str
    name: str
    severity: Severity
    text: str  # its page as it stands in the code
    check: Callable[[S], Iterable[Finding]]

    @property
    def page(self) -> str:
        """The manual page, without the indentation that the code gives it."""
        first, *rest = self.text.rstrip().split("\n")
        margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
        return "\n".join([first.strip(), *(line[margin:].rstrip() for line in rest)])

    @property
    def fix(self) -> str:
        """The part of the page that tells how to mend what the rule finds."""
        return self.part("Fix")

    @property
    def why(self) -> str:
        """The part of the page that tells why it matters."""
        return self.part("Why")

    @property
    def summary(self) -> str:
        """What the rule demands, in one sentence."""
        return self.page.split("\n", 1)[0]

    @property
    def details(self) -> str:
        """What is said between the opening sentence and the reason, as running text."""
        return " ".join(" ".join(self._lines("")[1:]).split())

    @property
    def example(self) -> tuple[str, ...]:
        """The lines of the example."""
        return tuple(line.removeprefix("    ") for line in self._lines("Example")[1:])

    def part(self, label: str) -> str:
        """Return one labelled part of the page as running text; empty when there is none."""
        text = " ".join(" ".join(self._lines(label)).split())
        return text[:1].upper() + text[1:]

    def _lines(self, label: str) -> list[str]:
        """Return the lines of one part; those before the first label have the empty label."""
        found: list[str] = []
        current = ""
        for line in self.page.split("\n"):
            start = next((each for each in LABELS if line.startswith(f"{each}:")), None)
            current = start or current
            if current == label:
                found.append(line.removeprefix(f"{label}:") if start else line)
        return found


def rule(
    code: str, name: str, severity: Severity
) -> Callable[[Callable[[S], Iterator[Finding]]], Rule[S]]:
    """Make a rule of a function; its docstring becomes the rule's manual page."""

    def register(check: Callable[[S], Iterator[Finding]]) -> Rule[S]:
        # A name may come as a member of an enum, and leaves as plain text.
        return Rule(code, str(name), severity, check.__doc__ or "", check)

    return register


def check(rules: Iterable[Rule[S]], survey: S) -> tuple[Issue, ...]:
    """Run rules over a survey and return all their issues, sorted."""
    issues = [issue for each in rules for issue in _issues(each, survey)]
    return tuple(sorted(issues, key=lambda issue: issue.order))


def _issues(each: Rule[S], survey: S) -> Iterator[Issue]:
    fix = ""
    for finding in _limited(each.check(survey)):
        fix = fix or each.fix
        yield Issue(
            code=each.code,
            name=each.name,
            severity=each.severity,
            subject=finding.subject,
            message=_shortened(finding.message),
            place=finding.place,
            advice=tuple([_shortened(line) for line in finding.advice]),
            also=finding.also,
            fix=fix,
        )


def _limited(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield so many findings as anybody can use, and one that tells of the others."""
    for number, finding in enumerate(findings):
        if number == MOST_FINDINGS:
            message = (
                f"there are more than {MOST_FINDINGS} findings like these; the rest is left out"
            )
            yield Finding(finding.subject, message, finding.place)
            return
        yield finding


def _shortened(line: str) -> str:
    """Cut the middle out of a line that quotes something very long."""
    if len(line) <= LONGEST_LINE:
        return line
    half = LONGEST_LINE // 2
    return f"{line[:half]} .. {line[-half:]}"
