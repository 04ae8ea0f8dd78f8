"""What a Spec Graph is made of, as its authors declared it.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from yg.kernel.issue import Finding


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
    """What a node says is kept under the key that its shape is named after here."""

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
    """What a decision is about."""

    ARCHITECTURE = "architecture"
    STACK = "stack"
    PATTERN = "pattern"
    INTERFACE = "interface"


class Strictness(StrEnum):
    """The severity of a policy: whether it may be bent."""

    HARD = "hard"
    SOFT = "soft"


CATEGORY_SECTIONS = {
    Category.ARCHITECTURE: Section.ARCHITECTURE,
    Category.STACK: Section.STACK,
    Category.PATTERN: Section.PATTERN,
    Category.INTERFACE: Section.INTERFACE,
}


class NodeType(Struct, frozen=True):
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
    each.name: each
    for each in (
        NodeType("feature", "Feature", Section.NAMESPACE, Shape.GROUPING),
        NodeType("layer", "Layer", Section.NAMESPACE, Shape.GROUPING),
        NodeType("behavior", "Behavior", Section.BEHAVIORS, Shape.BEHAVIOR),
        NodeType("foundation", "Foundation", Section.FOUNDATIONS),
        NodeType("decision", "Decision", Section.OTHER_DECISIONS),
        NodeType("domain", "Domain Concept", Section.DOMAIN),
        NodeType("policy", "Policy", Section.POLICIES),
        NodeType("design_token", "Design Token", Section.DESIGN_TOKENS),
        NodeType("ui_contract", "UI Contract", Section.UI_CONTRACTS),
        NodeType("api_contract", "API Contract", Section.API_CONTRACTS),
        NodeType("data_model", "Data Model", Section.DATA_MODELS),
        NodeType("artifact", "Artifact", Section.ARTIFACTS),
        NodeType("equivalence_contract", "Equivalence Contract", Section.EQUIVALENCE),
        NodeType("pipeline", "Pipeline", Section.PIPELINES),
    )
}
UNKNOWN_TYPE = NodeType("", "Node", Section.OTHER_NODES)
LAYER, FEATURE, FOUNDATION = "layer", "feature", "foundation"
DECISION, POLICY, DOMAIN, ARTIFACT = "decision", "policy", "domain", "artifact"


class VerificationKind(StrEnum):
    """How a verification is carried out; plain text is a command or an instruction."""

    TEXT = ""
    COMMAND = "command"
    HTTP = "http"
    MANUAL = "manual"
    OBSERVATION = "observation"
    POLICY = "policy"


class Verification(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One way of telling that a node holds."""

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
    """An alternative that a decision turned down, and why."""

    title: str
    reason: str


class Artifact(Struct, frozen=True, array_like=True, gc=False):
    """A file outside the graph that a node stands for."""

    sha256: str
    source: str = ""
    format: str = ""


class Pin(Struct, frozen=True, array_like=True, gc=False):
    """The state of a source that a node was derived from."""

    id: str
    sha256: str


class Node(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One node, as far as it could be read; what is missing or has a wrong shape is empty."""

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
    rationale: str = ""
    rejected: tuple[Rejected, ...] = ()
    links: Mapping[LinkKind, tuple[str, ...]] = field(default_factory=dict)  # as written

    @property
    def kind(self) -> NodeType:
        """What is true of all nodes of its type."""
        return TYPES.get(self.type, UNKNOWN_TYPE)

    @property
    def is_group(self) -> bool:
        """Whether it is a feature or a layer."""
        return self.kind.is_group

    @property
    def section(self) -> Section:
        """The section of a context that it is listed in."""
        if self.type == DECISION and self.category in list(Category):
            return CATEGORY_SECTIONS[Category(self.category)]
        return self.kind.section

    def targets(self, kind: LinkKind) -> tuple[str, ...]:
        """Return the ids that its links of one kind name, each once, in the author's order."""
        return tuple(dict.fromkeys(self.links.get(kind, ())))


class Reference(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An entry of graph.json: which file holds which node."""

    id: str
    path: str  # as written
    file: str  # the same from the root of the repository; empty when it cannot be read there
    position: int  # in the list of nodes, from 0
    sha256: str = ""
    expected_type: str = ""


class Trouble(StrEnum):
    """What a reader can have to tell; each is told by the rule of the same name."""

    INDEX = "invalid-graph-index"
    FILE = "invalid-node-file"
    SCHEMA = "schema-violation"
    DUPLICATE = "duplicate-id"
    ID = "id-mismatch"
    TYPE = "type-mismatch"
    RATIONALE = "missing-rationale"
    ESCAPE = "path-escape"


class Note(Struct, frozen=True, array_like=True, gc=False):
    """A finding made while reading."""

    trouble: Trouble
    finding: Finding


class Index(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """What graph.json says, as far as it could be read."""

    file: str
    version: str = ""
    root: str = ""
    references: tuple[Reference, ...] = ()  # in the author's order, each id once
    files: frozenset[str] = frozenset()  # every file that is listed
    notes: tuple[Note, ...] = ()


class Reading(Struct, frozen=True, array_like=True, gc=False):
    """What reading one node gave: the node, unless its file is bad, and what is to be said."""

    node: Node | None
    notes: tuple[Note, ...] = ()
    own_id: str = ""  # the id in the file, if it is a valid one
