"""The shape of the data that a page of `yg explore` shows."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from yg_old.commands.budget import BudgetStatus
from yg_old.commands.coverage import CoverageReport
from yg_old.commands.drift.documents import Drift
from yg_old.commands.issues import IssueRecord, SkippedEntries
from yg_old.commands.review.documents import NodeReview
from yg_old.commands.validate import Validation
from yg_old.kernel.compare import Alteration
from yg_old.kernel.document import Count, Document, Record, Text, Texts, about, one_of
from yg_old.kernel.export import Backing, EdgeKind, Presence, VertexKind

Number = Annotated[Count, about("The place of an entry in a list, from 0.")]
Numbers = list[Number]
PACKAGES = ("text", "markdown", "sections")


class RepositoryRecord(Record, frozen=True, kw_only=True):
    """The state that the page shows."""

    name: Annotated[Text, about("The name of the repository.")]
    commit: Annotated[
        Text | None, about("The commit; null outside git and before the first commit.")
    ]
    dirty: Annotated[bool | None, about("Whether files differ from the commit; null outside git.")]


class Offers(Record, frozen=True, kw_only=True):
    """What this kind of graph has."""

    aspects: Annotated[bool, about("Whether there are aspects and flows.")]
    owners: Annotated[bool, about("Whether nodes own source files.")]
    drift: Annotated[bool, about("Whether sources were compared with baselines.")]
    refuses: Annotated[bool, about("Whether errors prevent packages.")]


class ShownNode(Record, frozen=True, kw_only=True):
    """One node, aspect or flow, as `yg export --json` has it; empty fields are left out."""

    kind: Annotated[VertexKind, about("The kind of vertex.")]
    path: Annotated[Text, about("Its path or id inside the graph.")]
    name: Annotated[str, about("Its display name.")]
    repository: Annotated[
        Text | UnsetType, about("Of a node of another repository: its repository.")
    ] = UNSET
    presence: Annotated[
        Presence, about("Whether it exists, could not be read, or is only referenced.")
    ]
    type: Annotated[Text | UnsetType, about("The type of a node.")] = UNSET
    description: Annotated[Text | UnsetType, about("Its description.")] = UNSET
    category: Annotated[Text | UnsetType, about("The subject of a decision.")] = UNSET
    severity: Annotated[Text | UnsetType, about("How strict a policy is.")] = UNSET
    stability: Annotated[Text | UnsetType, about("How firmly an aspect holds.")] = UNSET
    blackbox: Annotated[bool | UnsetType, about("Whether it is a blackbox.")] = UNSET
    drift: Annotated[
        Literal["off"] | UnsetType, about("Present if its sources have no baseline by intention.")
    ] = UNSET
    mapping: Annotated[Texts | UnsetType, about("The files and directories it describes.")] = UNSET
    lines: Annotated[
        Count | UnsetType, about("The lines of its code; left out if code is not read, or 0.")
    ] = UNSET
    owners: Annotated[Texts | UnsetType, about("Whom CODEOWNERS names for its files, sorted.")] = (
        UNSET
    )
    guides: Annotated[
        Number | UnsetType, about("The nodes that guide it, as a place in `guidance`.")
    ] = UNSET


class ShownEdge(Record, frozen=True, kw_only=True):
    """One connection, as `yg export --json` has it; empty fields are left out."""

    source: Annotated[Number, about("Where it leads from, as a place in `nodes`.")]
    target: Annotated[Number, about("Where it leads to, as a place in `nodes`.")]
    kind: Annotated[EdgeKind, about("The kind of connection.")]
    type: Annotated[Text | UnsetType, about("Its type; left out if it is the kind.")] = UNSET
    consumes: Annotated[Texts | UnsetType, about("The methods that the source uses.")] = UNSET
    failure: Annotated[Text | UnsetType, about("What the source does if the target fails.")] = UNSET
    event: Annotated[Text | UnsetType, about("The name of the event.")] = UNSET
    exceptions: Annotated[Texts | UnsetType, about("Deviations from an aspect.")] = UNSET
    code: Annotated[
        Backing | UnsetType,
        about(
            "If the configuration has a `code` section: whether the code imports the target of a "
            "relation, or imports it without a relation."
        ),
    ] = UNSET


class ShownGraph(Record, frozen=True, kw_only=True):
    """A graph as nodes and edges."""

    kind: Annotated[Text, about("The kind of graph.")]
    nodes: Annotated[
        list[ShownNode], about("Nodes, then aspects, then flows, each in the order of paths.")
    ]
    edges: Annotated[list[ShownEdge], about("Every connection between them.")]
    guidance: Annotated[
        list[Numbers] | UnsetType,
        about("Of a Spec Graph: sets of nodes that guide others, as places in `nodes`."),
    ] = UNSET
    skipped: SkippedEntries


class StoredText(Record, frozen=True, kw_only=True):
    """A text of the graph, stored once."""

    name: Annotated[Text, about("The name of the file.")]
    path: Annotated[Text, about("The file, relative to the root of the repository.")]
    heading: Annotated[str, about("The line that opens it in a package, with its line break.")]
    body: Annotated[str, about("The text without its final line breaks.")]
    ending: Annotated[str, about("The line break that ends it in a package; empty without text.")]
    characters: Annotated[Count, about("Its length in a package, heading included.")]
    fault: Annotated[str, about("Why it has no text; empty if it has.")]


class StoredBlock(Record, frozen=True, kw_only=True):
    """A part of one or more packages."""

    kind: Annotated[Text, about("The kind of block, or the heading of its section.")]
    subject: Annotated[str, about("The node, aspect or flow it comes from; empty for neither.")]
    heading: Annotated[str, about("Its heading in a Markdown package; empty in other packages.")]
    attributes: Annotated[
        list[Annotated[list[str], about("A name and a value.")]],
        about("The attributes of its tag."),
    ]
    opening: Annotated[list[str], about("The lines before the texts.")]
    texts: Annotated[Numbers, about("The texts it quotes, as places in `texts`.")]
    closing: Annotated[list[str], about("The lines after the texts.")]
    reasons: Annotated[Texts, about("The declarations that include it.")]
    characters: Annotated[Count, about("The size of its content.")]
    tokens: Annotated[
        Count | UnsetType, about("Its size in tokens; left out if it is a quarter of characters.")
    ] = UNSET
    steps: Annotated[
        list[Count] | UnsetType,
        about(
            "In which step `--fit` cuts each text, 0 for never; left out if it cuts none. Of a "
            "block of code: in which step it cuts the whole."
        ),
    ] = UNSET
    turn: Annotated[
        Count | UnsetType,
        about("When its turn comes within a step; left out if it is among the first."),
    ] = UNSET


class StoredPackage(Record, frozen=True, kw_only=True):
    """The context package of one node."""

    node: Annotated[Text, about("The path or id of the node.")]
    title: Annotated[str, about("The lines that open a package without tags.")]
    blocks: Annotated[Numbers, about("Its parts in order, as places in `blocks`.")]
    tokens: Annotated[Count | None, about("Its size; null if a text cannot be read.")]
    status: Annotated[BudgetStatus, about("Its size compared with the budget.")]
    steps: Annotated[
        list[Count] | UnsetType,
        about("Of a Spec Graph: in which step `--fit` cuts each part, 0 for never."),
    ] = UNSET


class StoredThing(Record, frozen=True, kw_only=True):
    """The texts of a node, an aspect or a flow."""

    kind: Annotated[VertexKind, about("Whether it is a node, an aspect or a flow.")]
    path: Annotated[Text, about("Its path or id.")]
    texts: Annotated[Numbers, about("Its texts, as places in `texts`.")]


class StoredBudget(Record, frozen=True, kw_only=True):
    """The sizes in tokens above which a package is too large."""

    tokenizer: Annotated[str, about("What counts tokens; empty if they are estimated.")]
    warning: Annotated[Count, about("The size above which there is a warning.")]
    error: Annotated[Count, about("The size above which there is an error.")]


class ShownFile(Record, frozen=True, kw_only=True):
    """A source file and its owner."""

    path: Annotated[Text, about("The file, relative to the root of the repository.")]
    node: Annotated[str, about("The node that owns it; empty if there is none.")]


Altered = Annotated[Alteration, about("What happened to it.")]


class ChangedThing(Record, frozen=True, kw_only=True):
    """A node, an aspect or a flow that differs."""

    kind: Annotated[VertexKind, about("Whether it is a node, an aspect or a flow.")]
    path: Annotated[Text, about("Its path or id; that of the commit if it was removed.")]
    was: Annotated[str, about("Its path or id before, if it was moved; otherwise empty.")]
    change: Altered
    fields: Annotated[Texts, about("The declared fields and the texts that differ.")]


class ChangedEdge(Record, frozen=True, kw_only=True):
    """A connection that differs."""

    source: Annotated[Text, about("The path of where it leads from.")]
    target: Annotated[Text, about("The path of where it leads to.")]
    kind: Annotated[EdgeKind, about("The kind of connection.")]
    type: Annotated[Text, about("Its type.")]
    change: Altered


class PackageChange(Record, frozen=True, kw_only=True):
    """A package that differs; its parts are places in `blocks`."""

    node: Annotated[Text, about("The node.")]
    was: Annotated[str, about("Its path before, if it was moved; otherwise empty.")]
    before: Annotated[Numbers | None, about("The parts before; null if there was no package.")]
    after: Annotated[Numbers | None, about("The parts now; null if there is no package.")]


class RevisionComparison(Record, frozen=True, kw_only=True):
    """What differs from a commit."""

    since: Annotated[Text, about("The revision as given.")]
    commit: Annotated[Text, about("Its commit.")]
    graph: Annotated[ShownGraph, about("The graph of that commit.")]
    things: Annotated[list[ChangedThing], about("The nodes, aspects and flows that differ.")]
    edges: Annotated[list[ChangedEdge], about("The connections that differ.")]
    packages: Annotated[list[PackageChange], about("The packages that differ, by node.")]
    appeared: Annotated[list[IssueRecord], about("The issues that the commit does not have.")]
    gone: Annotated[list[IssueRecord], about("The issues that only the commit has.")]
    notes: Annotated[Texts, about("Warnings about the comparison.")]


class ExplorerDocument(Document, frozen=True, kw_only=True, tag="yg-explorer/1"):
    """What a page of `yg explore` or `yg export --format html` shows."""

    HIDING = ("issues", "drift", "review", "coverage")

    version: Annotated[Text, about("The version of yg.")]
    repository: Annotated[RepositoryRecord, about("The state of the repository.")]
    offers: Annotated[Offers, about("What this kind of graph has.")]
    graph: Annotated[ShownGraph, about("The graph.")]
    layers: Annotated[
        Texts,
        about("The types of nodes from the top down, if `may_use` of all types orders them."),
    ]
    plan: Annotated[Texts, about("The nodes in the order of `yg plan --all`.")]
    issues: Annotated[Validation, about("What `yg validate --json` prints.")]
    drift: Annotated[
        Drift | UnsetType,
        about(
            "What `yg drift --json` prints; left out without baselines, and if the configuration "
            "cannot be read."
        ),
    ] = UNSET
    review: Annotated[
        list[NodeReview], about("The nodes that `yg review --json` prints; none without drift.")
    ]
    coverage: Annotated[
        CoverageReport | UnsetType,
        about(
            "What `yg coverage --json` prints; left out if nodes own no files, and if the "
            "configuration cannot be read."
        ),
    ] = UNSET
    files: Annotated[list[ShownFile], about("The source files that count, by path.")]
    package: Annotated[str, one_of(*PACKAGES), about("How the parts of a package are joined.")]
    options: Annotated[Texts, about("What makes a command read the commit that the page shows.")]
    budget: Annotated[StoredBudget, about("The budget of packages.")]
    texts: Annotated[list[StoredText], about("All texts, each once.")]
    blocks: Annotated[list[StoredBlock], about("All parts of packages, each once.")]
    packages: Annotated[list[StoredPackage], about("The package of each readable node.")]
    things: Annotated[list[StoredThing], about("The texts of each node, aspect and flow.")]
    changes: Annotated[
        RevisionComparison | UnsetType,
        about("The comparison with a commit; left out without --diff."),
    ] = UNSET
    notes: Annotated[Texts, about("Warnings for the reader.")]
