"""The document of `yg review`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType, field

from yg_old.code.change_class import ChangeClass, NameChangeKind, PartChange
from yg_old.commands.issues import Notes
from yg_old.kernel.document import Document, File, Positive, Record, Text, about
from yg_old.yggdrasil.drift.states import NodePath, SourceChange, State
from yg_old.yggdrasil.review.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.yggdrasil.review.evidence import ChangedPart, FoundSentence

PartName = Annotated[
    Text, about("The name of the part; `(file)` for what is outside of all declarations.")
]
PartFirst = Annotated[
    Positive | UnsetType, about("Its first line now; left out if it is gone or not known.")
]
PartKind = Annotated[NameChangeKind, about("What happened to it.")]


class MentionedPart(Record, frozen=True, kw_only=True):
    """One changed part that a sentence is about."""

    name: PartName
    change: PartKind
    path: File
    first: PartFirst = UNSET


class UnmentionedPart(MentionedPart, frozen=True, kw_only=True):
    """One changed part that no sentence is about."""

    kind: Annotated[ChangeClass, about("How much the change matters.")] = field(name="class")


class SentenceToCheck(Record, frozen=True, kw_only=True):
    """One sentence that may no longer be true."""

    HIDDEN = ("gone",)

    document: Annotated[
        Text, about("The text it stands in: a file of the node, or a path with its owner.")
    ]
    file: File
    line: Annotated[Positive, about("The line where it begins.")]
    text: Annotated[Text, about("The sentence, at most 200 characters of it.")]
    evidence: Annotated[
        Evidence,
        about(
            "Why: a value in it is no longer in the code, a name in it is in no code any more, or "
            "it mentions code whose signature or body changed."
        ),
    ]
    parts: Annotated[
        tuple[MentionedPart, ...], about("The changed parts it is about, the strongest first.")
    ]
    values: Annotated[
        tuple[Text, ...], about("The values in it that are gone, as the old code wrote them.")
    ]
    gone: frozenset[str] = frozenset()  # names of parts that are in no code any more


class ReviewedFile(Record, frozen=True, kw_only=True):
    """One source file that changed."""

    HIDDEN = ("change",)

    path: File
    kind: Annotated[ChangeClass, about("How much the change matters.")] = field(name="class")
    parts: Annotated[tuple[PartChange, ...], about("The parts that changed.")]
    change: SourceChange


class PartDifference(Record, frozen=True, kw_only=True):
    """How one part changed."""

    name: PartName
    path: File
    diff: Annotated[Text, about("The hunks of a unified diff, with the lines of the files.")]


class NodeReview(Record, frozen=True, kw_only=True):
    """One node whose code changed."""

    HIDDEN = ("needs_reason", "is_unrecorded", "completion")
    HIDING = ("files", "sentences")

    node: NodePath
    state: Annotated[State, about("Its state compared with its baseline, or with the commit.")]
    files: Annotated[tuple[ReviewedFile, ...], about("The source files that changed, by path.")]
    sentences: Annotated[
        tuple[SentenceToCheck, ...],
        about(
            "The sentences to check: by evidence, then in the order of the package, then by line."
        ),
    ]
    unmentioned: Annotated[
        tuple[UnmentionedPart, ...], about("The changed parts that no sentence is about.")
    ]
    differences: Annotated[
        tuple[PartDifference, ...] | UnsetType,
        about("How the parts changed; left out without --diff."),
    ] = UNSET
    needs_reason: bool = False  # drift-sync would ask for one
    is_unrecorded: bool = False  # it has no baseline
    completion: str = ""  # what to do first, if mapped files are missing

    @property
    def strong(self) -> tuple[SentenceToCheck, ...]:
        """The sentences that are most likely untrue."""
        return tuple(sentence for sentence in self.sentences if sentence.evidence.is_strong)


class Review(Document, frozen=True, kw_only=True, tag="yg-review/1"):
    """What `yg review --json` prints: the sentences that may no longer be true."""

    HIDDEN = ("unrecorded", "git_prefix")
    HIDING = ("nodes",)

    since: Annotated[
        Text | None, about("The commit that the code is compared with; null for the baselines.")
    ]
    nodes: Annotated[tuple[NodeReview, ...], about("The nodes whose code changed, by path.")]
    notes: Notes
    unrecorded: tuple[str, ...] = ()  # nodes without a baseline
    git_prefix: str = ""  # of the graph in its git repository

    @property
    def exit_code(self) -> int:
        """1 if a sentence is most likely untrue."""
        return 1 if any(node.strong for node in self.nodes) else 0


def sentence_to_check(found: FoundSentence) -> SentenceToCheck:
    """Return a sentence as a record."""
    return SentenceToCheck(
        document=found.text.name,
        file=found.text.file,
        line=found.sentence.line,
        text=found.sentence.shown,
        evidence=found.evidence,
        parts=tuple(map(_mentioned, found.parts)),
        values=tuple(value.text for value in found.values),
        gone=found.gone,
    )


def _mentioned(part: ChangedPart) -> MentionedPart:
    return MentionedPart(
        name=part.name, change=part.change, path=part.path, first=part.first or UNSET
    )


def unmentioned_parts(parts: Sequence[ChangedPart]) -> tuple[UnmentionedPart, ...]:
    """Return changed parts as records."""
    return tuple(
        UnmentionedPart(
            name=part.name,
            change=part.change,
            path=part.path,
            first=part.first or UNSET,
            kind=part.kind,
        )
        for part in parts
    )
