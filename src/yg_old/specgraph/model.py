"""The declarations of a Spec Graph.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from yg_old.kernel.issue import Finding
from yg_old.specgraph import lenient


class LinkKind(StrEnum):
    """The seven kinds of links, stored on their source; the inverse is always computed."""

    CONTAINS = "contains"
    DEPENDS_ON = "depends_on"
    CONSTRAINS = "constrains"
    IMPLEMENTS = "implements"
    DERIVED_FROM = "derived_from"
    VERIFIED_BY = "verified_by"
    SUPERSEDES = "supersedes"


# What a node needs to be understood: the links that a walk follows.
UPSTREAM = (
    LinkKind.DEPENDS_ON,
    LinkKind.IMPLEMENTS,
    LinkKind.DERIVED_FROM,
    LinkKind.VERIFIED_BY,
)
DOWNSTREAM = tuple(kind for kind in LinkKind if kind not in UPSTREAM)


class Shape(StrEnum):
    """The shapes of nodes; the value is the key of their text."""

    GROUPING = "description"
    BEHAVIOR = "expectation"
    CONTRACT = "statement"


class Section(StrEnum):
    """The sections of a context that list nodes, in their order."""

    NAMESPACE = "Namespace"
    FOUNDATIONS = "Foundations"
    ARCHITECTURE = "Architectural Decisions"
    STACK = "Technology Decisions"
    PATTERN = "Pattern Decisions"
    INTERFACE = "Interface Decisions"
    OTHER_DECISIONS = "Other Decisions"
    DOMAIN = "Domain Concepts"
    DESIGN_TOKENS = "Design Tokens"
    UI_CONTRACTS = "UI Contracts"
    API_CONTRACTS = "API Contracts"
    DATA_MODELS = "Data Models"
    ARTIFACTS = "Artifacts"
    EQUIVALENCE = "Equivalence Contracts"
    PIPELINES = "Pipelines"
    OTHER_NODES = "Other Nodes"
    BEHAVIORS = "Related Behaviors"
    POLICIES = "Policies"


class Category(StrEnum):
    """The category of a decision."""

    ARCHITECTURE = "architecture"
    STACK = "stack"
    PATTERN = "pattern"
    INTERFACE = "interface"


class Strictness(StrEnum):
    """The severity of a policy."""

    HARD = "hard"
    SOFT = "soft"


CATEGORY_SECTIONS: Mapping[str, Section] = {
    Category.ARCHITECTURE: Section.ARCHITECTURE,
    Category.STACK: Section.STACK,
    Category.PATTERN: Section.PATTERN,
    Category.INTERFACE: Section.INTERFACE,
}


class SpecNodeType(Struct, frozen=True):
    """A type of nodes: its shape, the heading of such a target, the section it is listed in."""

    name: str
    heading: str
    section: Section
    shape: Shape = Shape.CONTRACT

    @property
    def is_group(self) -> bool:
        """Whether nodes of this type are a namespace for others."""
        return self.shape is Shape.GROUPING


TYPES = {
    kind.name: kind
    for kind in (
        SpecNodeType("feature", "Feature", Section.NAMESPACE, Shape.GROUPING),
        SpecNodeType("layer", "Layer", Section.NAMESPACE, Shape.GROUPING),
        SpecNodeType("behavior", "Behavior", Section.BEHAVIORS, Shape.BEHAVIOR),
        SpecNodeType("foundation", "Foundation", Section.FOUNDATIONS),
        SpecNodeType("decision", "Decision", Section.OTHER_DECISIONS),
        SpecNodeType("domain", "Domain Concept", Section.DOMAIN),
        SpecNodeType("policy", "Policy", Section.POLICIES),
        SpecNodeType("design_token", "Design Token", Section.DESIGN_TOKENS),
        SpecNodeType("ui_contract", "UI Contract", Section.UI_CONTRACTS),
        SpecNodeType("api_contract", "API Contract", Section.API_CONTRACTS),
        SpecNodeType("data_model", "Data Model", Section.DATA_MODELS),
        SpecNodeType("artifact", "Artifact", Section.ARTIFACTS),
        SpecNodeType("equivalence_contract", "Equivalence Contract", Section.EQUIVALENCE),
        SpecNodeType("pipeline", "Pipeline", Section.PIPELINES),
    )
}
GROUPS = frozenset(kind.name for kind in TYPES.values() if kind.is_group)
UNKNOWN_TYPE = SpecNodeType("", "Node", Section.OTHER_NODES)
LAYER, FEATURE, FOUNDATION = "layer", "feature", "foundation"
DECISION, POLICY, DOMAIN, ARTIFACT = "decision", "policy", "domain", "artifact"


class VerificationKind(StrEnum):
    """The kind of a check; a plain text is a command or an instruction."""

    TEXT = ""
    COMMAND = "command"
    HTTP = "http"
    MANUAL = "manual"
    OBSERVATION = "observation"
    POLICY = "policy"


class Verification(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A check that shows whether a node is fulfilled."""

    kind: VerificationKind
    text: str = ""  # the text itself, the command, or the id of the rule
    method: str = ""
    url: str = ""
    status: str = ""
    steps: tuple[str, ...] = ()
    description: str = ""
    cwd: str = ""
    env: tuple[tuple[str, str], ...] = ()  # sorted by name
    timeout: str = ""  # in seconds
    expected: str = ""


class Rejected(Struct, frozen=True, array_like=True, gc=False):
    """A rejected alternative of a decision, and the reason."""

    title: str
    reason: str


class Artifact(Struct, frozen=True, array_like=True, gc=False):
    """A file outside the graph that a node describes."""

    sha256: str
    source: str = ""
    format: str = ""


class Pin(Struct, frozen=True, array_like=True, gc=False):
    """The state of a source that a node was derived from."""

    id: str
    sha256: str


class SpecNode(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A node; missing and invalid values are empty."""

    id: str
    file: str
    type: str = ""
    title: str = ""
    text: str = ""  # the expectation, the statement or the description
    category: str = ""
    severity: str = ""
    constraints: tuple[str, ...] = ()
    verification: tuple[Verification, ...] = ()
    artifact: Artifact | None = None
    pins: tuple[Pin, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)  # as written
    links: Mapping[LinkKind, tuple[str, ...]] = field(default_factory=dict)  # each once

    @property
    def kind(self) -> SpecNodeType:
        """The properties of its type."""
        return TYPES.get(self.type, UNKNOWN_TYPE)

    @property
    def is_group(self) -> bool:
        """Whether it is a feature or a layer."""
        return self.type in GROUPS

    @property
    def section(self) -> Section:
        """The section of a context that it is listed in."""
        section = self.kind.section
        return CATEGORY_SECTIONS.get(self.category, section) if self.type == DECISION else section

    @property
    def rationale(self) -> str:
        """The reason for it; empty when missing."""
        return lenient.text(self.metadata, "rationale")

    @property
    def notes(self) -> str:
        """The notes in its metadata; empty when missing."""
        return lenient.text(self.metadata, "notes")

    @property
    def rejected(self) -> tuple[Rejected, ...]:
        """The rejected alternatives that have a title."""
        items = map(lenient.as_object, lenient.items(self.metadata, "rejected_alternatives"))
        return tuple(
            Rejected(title, lenient.text(item, "reason"))
            for item in items
            if (title := lenient.text(item, "title"))
        )

    def targets(self, kind: LinkKind) -> tuple[str, ...]:
        """Return the targets of its links of one kind, each once, in the order of its file."""
        return self.links.get(kind, ())


class Reference(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An entry of graph.json: which file holds which node."""

    id: str
    path: str  # as written
    file: str  # the same from the root of the repository; empty when it cannot be read there
    position: int  # in the list of nodes, from 0
    sha256: str = ""
    expected_type: str = ""


class NoteKind(StrEnum):
    """The kinds of notes; each is reported by the rule of the same name."""

    INDEX = "invalid-graph-index"
    FILE = "invalid-node-file"
    SCHEMA = "schema-violation"
    DUPLICATE = "duplicate-id"
    ID = "id-mismatch"
    TYPE = "type-mismatch"
    RATIONALE = "missing-rationale"
    ESCAPE = "path-escape"


class SpecNote(Struct, frozen=True, array_like=True, gc=False):
    """A finding made while reading."""

    kind: NoteKind
    finding: Finding


class GraphFile(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The content of graph.json; unreadable parts are empty."""

    file: str
    version: str = ""
    root: str = ""
    references: tuple[Reference, ...] = ()  # in the author's order, each id once
    files: frozenset[str] = frozenset()  # every file that is listed
    notes: tuple[SpecNote, ...] = ()


class NodeReading(Struct, frozen=True, array_like=True, gc=False):
    """The result of reading one node: the node, unless its file is unreadable, and notes."""

    node: SpecNode | None
    notes: tuple[SpecNote, ...] = ()
    own_id: str = ""  # the id in the file, if it is a valid one
