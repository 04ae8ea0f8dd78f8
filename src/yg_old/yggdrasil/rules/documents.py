"""Rules about documents outside the graph, and about decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from yg_old.kernel.errors import BinaryFileError, UnreadableError
from yg_old.kernel.issue import Finding, Place, Severity, correction
from yg_old.kernel.rule import rule
from yg_old.kernel.sections import NoHeadingError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.suggest import Suggester, did_you_mean, listing
from yg_old.yggdrasil.model import CONFIG_FILE
from yg_old.yggdrasil.owners import wrong_kind
from yg_old.yggdrasil.places import DECISIONS, mapped_path, spelling_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.decisions import Decision
    from yg_old.yggdrasil.documents import Reference
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.rules.survey import Survey

_INSIDE = "Write the path of a text in this repository, relative to its root."


@rule("E026", "broken-document", Severity.ERROR)
def broken_document(survey: Survey) -> Iterator[Finding]:
    """Every document that a node or an aspect lists is a text of this repository.

    `FILE` is a file of text, relative to the directory that contains `.yggdrasil/`. It is not a
    link, not inside `.yggdrasil/` or `.git/`, and git does not ignore it. `FILE#HEADING` is the
    section below a heading of that file, by its text in any case, or by its anchor on GitHub.
    An artifact is either a file of the node or a document, not both. The folders under
    `decisions.paths` in `yg-config.yaml` exist.

    Why: a package quotes the document; without it, that part is missing.
    Fix: correct the path or the heading, or remove the entry.
    Example:
        documents:
          - docs/pricing.md           # E026 if there is no such file
          - README.md#Calculation     # E026 if README.md has no such heading
    """
    faults = _Faults(survey)
    for subject, part, written in survey.references:
        reference = survey.graph.documents.reference(written.text)
        if fault := faults.of(reference):
            place = part.place(written)
            fixes = correction(place, fault.near)
            yield Finding(subject, fault.message, place, fault.advice, fixes=fixes)
    for node in survey.nodes:
        for source in node.artifact_sources:
            if source.artifact.text in node.files:
                message = f"'{source.artifact}' is a file of the node, and a document stands for it"
                advice = ("Remove the file, or the entry under 'artifacts'.",)
                yield Finding(node.path, message, node.place(source.artifact), advice)
    yield from _lost_folders(survey.graph)


class _Fault(NamedTuple):
    """What is wrong with a reference."""

    message: str
    advice: tuple[str, ...] = ()
    near: tuple[str, ...] = ()  # references that may be meant


class _Faults:
    """Finds out what is wrong with references; each document is looked at once."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._files: frozenset[str] | None = None
        self._suggest: Suggester | None = None
        self._known: dict[str, _Fault | None] = {}

    def of(self, reference: Reference) -> _Fault | None:
        """Return what is wrong with a document; None if nothing is."""
        if reference.name not in self._known:
            self._known[reference.name] = self._of_path(reference) or self._of_text(reference)
        return self._known[reference.name]

    def _of_path(self, reference: Reference) -> _Fault | None:
        path, sources = reference.path, self._survey.sources
        if fault := spelling_fault(path) or wrong_kind(sources, path):
            return _Fault(f"document '{path}' {fault}", (_INSIDE,))
        kind = sources.kind(path)
        if kind is Kind.DIRECTORY:
            return _Fault(f"document '{path}' is a directory", ("List the files that matter.",))
        if kind is None:
            end = f"#{reference.heading}" if reference.heading else ""
            near = tuple(f"{file}{end}" for file in self._nearest(path))
            advice = did_you_mean(near[:1]) or _INSIDE
            return _Fault(f"document '{path}' does not exist", (advice,), near)
        if path not in self._visible:
            return _Fault(f"document '{path}' is ignored by git", ("Let git track it.",))
        return None

    def _of_text(self, reference: Reference) -> _Fault | None:
        documents = self._survey.graph.documents
        try:
            documents.text(reference).extent  # noqa: B018
        except NoHeadingError as error:
            near = tuple(f"{reference.path}#{title}" for title in error.near)
            message = f"'{reference.path}' has no heading '{reference.heading}'"
            return _Fault(message, (error.hint or "Name one of its headings.",), near)
        except BinaryFileError:
            return _Fault(f"document '{reference.path}' is binary", ("List files of text.",))
        except UnreadableError as error:
            return _Fault(f"document '{reference.path}' cannot be read: {error.reason}")
        return None

    @property
    def _visible(self) -> frozenset[str]:
        if self._files is None:
            self._files = frozenset(self._survey.sources.files(paths.ROOT))
        return self._files

    def _nearest(self, path: str) -> tuple[str, ...]:
        if self._suggest is None:
            self._suggest = Suggester(self._visible)
        return self._suggest(path)


def _lost_folders(graph: Graph) -> Iterator[Finding]:
    for entry in graph.config.decisions:
        path = mapped_path(entry.text) or entry.text
        fault = spelling_fault(entry.text)
        if not fault and graph.snapshot.kind(path) is not Kind.DIRECTORY:
            fault = "is not a folder of this repository"
        if fault:
            place = Place(graph.config.file, entry.line, entry.column)
            advice = ("Name the folder of the decision records, relative to the repository.",)
            yield Finding(CONFIG_FILE, f"'{entry}' {fault}", place, advice)


@rule("W031", "decision-not-in-force", Severity.WARNING)
def decision_not_in_force(survey: Survey) -> Iterator[Finding]:
    """Every decision that a node or an aspect lists exists and is in force.

    It is not in force if its status is superseded, deprecated or rejected. The status is read from
    front matter, a section `Status` or a line `Status: ..`; a decision without one is accepted.

    Why: whoever reads the package follows a decision that was taken back.
    Fix: list the decision that replaced it, and check that the code and the texts follow that one.
    Example:
        decisions: [7]    # W031 if decision 7 is superseded by 12
    """
    for subject, part in survey.described:
        for number in part.decisions:
            fault = _decision_fault(survey.graph, int(number.text))
            if fault:
                yield Finding(subject, fault.message, part.place(number), fault.advice)


def _decision_fault(graph: Graph, number: int) -> _Fault | None:
    decisions = graph.decisions
    decision = decisions.get(number)
    if decision is None and number in decisions.files:
        return _Fault(f"decision {number} cannot be read: {decisions.files[number][0]}")
    if decision is None:
        places = listing(decisions.folders or DECISIONS)
        advice = f"Looked for in {places}; 'decisions.paths' in {CONFIG_FILE} names other folders."
        return _Fault(f"decision {number} does not exist", (advice,))
    if decision.is_in_force:
        return None
    message = f"decision {number} ({decision.title}) is {decision.status}"
    return _Fault(message, _advice(graph, decision))


def _advice(graph: Graph, decision: Decision) -> tuple[str, ...]:
    """Return which decision replaced another in the end."""
    if not decision.successors:
        return ("Remove it from the list, or list what replaced it.",)
    end = graph.decisions.last_successor(decision.number)
    following = decision.successors[0]
    if end is None:
        return (f"Its successors, from decision {following} on, form a circle: correct one.",)
    last = graph.decisions.get(end)
    if last is None:
        return (f"Its successor, decision {end}, does not exist.",)
    way = "" if following == end else f" (by way of {following})"
    return (f"Replaced by decision {last.number}{way}: {last.title} ({last.status}), {last.file}",)
