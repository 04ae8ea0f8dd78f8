"""The values of a Yggdrasil graph: nodes, aspects, flows and configuration, as declared.

The index stores these values. msgspec reads their annotations to decode them, so this module does
not postpone annotations.
"""

from enum import StrEnum
from functools import cached_property
from typing import Generic, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from yg_old.code.change_class import ChangeClass
from yg_old.kernel.issue import Finding, Level, Located, Place, UnknownKey
from yg_old.kernel.package import STANDARD_BUDGET, Budget

T_co = TypeVar("T_co", covariant=True)

NODE_FILE = "yg-node.yaml"
ASPECT_FILE = "yg-aspect.yaml"
FLOW_FILE = "yg-flow.yaml"
CONFIG_FILE = "yg-config.yaml"
DESCRIPTION_FILE = "description.md"
INTERFACE_FILE = "interface.md"
RESPONSIBILITY_FILE = "responsibility.md"
INTERNALS_FILE = "internals.md"
ARCHITECTURE_FILE = "yg-architecture.yaml"  # of format 4 and later ones


class RelationKind(StrEnum):
    """The kind of a relation between two nodes."""

    USES = "uses"
    CALLS = "calls"
    EXTENDS = "extends"
    IMPLEMENTS = "implements"
    EMITS = "emits"
    LISTENS = "listens"

    @property
    def is_structural(self) -> bool:
        """Whether the node cannot be built without its target."""
        return self not in (RelationKind.EMITS, RelationKind.LISTENS)


class FreeKind(Struct, frozen=True, array_like=True, gc=False):
    """A relation kind of the 0.x edition: any name, always structural."""

    value: str

    @property
    def is_structural(self) -> bool:
        """Whether the node cannot be built without its target."""
        return True

    def __str__(self) -> str:
        return self.value


class Stability(StrEnum):
    """The stability tier of an aspect."""

    SCHEMA = "schema"
    PROTOCOL = "protocol"
    IMPLEMENTATION = "implementation"


class AspectUse(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An aspect declared by a node, with the node's exceptions and anchors."""

    aspect: Located
    exceptions: tuple[str, ...] = ()
    anchors: tuple[Located, ...] = ()


class Relation(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One outgoing edge, as the node's author declared it."""

    target: Located
    kind: RelationKind | FreeKind
    consumed: tuple[Located, ...] = ()  # empty: everything the target offers
    failures: tuple[str, ...] = ()  # several if the relation is declared more than once
    event_name: str = ""

    @property
    def consumes(self) -> tuple[str, ...]:
        """The names of the target that the node uses; empty: everything it offers."""
        return tuple([name.text for name in self.consumed])

    @property
    def failure(self) -> str:
        """What happens if the target fails, as one text."""
        return "; ".join(self.failures)


class ArtifactSource(Struct, frozen=True, array_like=True, gc=False):
    """A document, or a section of one, that stands for an artifact of a node."""

    artifact: Located  # its file name
    document: Located


class Node(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One component of the system."""

    path: str
    directory: str
    name: str
    type: Located
    aspects: tuple[AspectUse, ...] = ()
    relations: tuple[Relation, ...] = ()
    mapping: tuple[Located, ...] = ()
    is_blackbox: bool = False
    files: tuple[str, ...] = ()  # names of the other files in its directory, sorted
    declared_in: str = NODE_FILE
    external: tuple[Relation, ...] = ()  # to nodes of other repositories: IMPORT::NODE
    has_drift: bool = True  # False: `drift: off`
    documents: tuple[Located, ...] = ()  # FILE or FILE#HEADING, outside the graph
    artifact_sources: tuple[ArtifactSource, ...] = ()
    decisions: tuple[Located, ...] = ()  # their numbers, as digits without zeros in front
    description: str = ""
    excluded: tuple[Located, ...] = ()  # patterns of files that the mapping leaves out

    def placed(self, path: str, directory: str, files: tuple[str, ...]) -> Self:
        """Return a copy of the declaration for another folder."""
        return replace(self, path=path, directory=directory, files=files)

    @property
    def file(self) -> str:
        """The file that declares the node."""
        return f"{self.directory}/{self.declared_in}"

    @property
    def references(self) -> tuple[Located, ...]:
        """Its documents, and those that stand for artifacts."""
        return (*(source.document for source in self.artifact_sources), *self.documents)

    @property
    def is_tracked(self) -> bool:
        """Whether its mapped files are compared with a baseline."""
        return bool(self.mapping) and self.has_drift

    @property
    def structural_targets(self) -> tuple[str, ...]:
        """The targets of structural relations, without duplicates."""
        structural = (relation for relation in self.relations if relation.kind.is_structural)
        return tuple(dict.fromkeys(relation.target.text for relation in structural))

    @property
    def aspect_ids(self) -> tuple[str, ...]:
        """The aspects the node declares for itself."""
        return tuple(use.aspect.text for use in self.aspects)

    def place(self, located: Located) -> Place:
        """Return the position of a text in the node's file."""
        return Place(self.file, located.line, located.column)


class Aspect(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A requirement that cuts across nodes."""

    id: str
    directory: str
    name: str
    description: str = ""
    implies: tuple[Located, ...] = ()
    stability: Stability | None = None
    files: tuple[str, ...] = ()
    declared_in: str = ASPECT_FILE
    tag: str = ""  # 0.x: the tag that applies the aspect to a node
    propagates: bool = True  # 0.x: whether descendants of a tagged node get the aspect
    documents: tuple[Located, ...] = ()  # as those of a node
    decisions: tuple[Located, ...] = ()

    def placed(self, folder_id: str, directory: str, files: tuple[str, ...]) -> Self:
        """Return a copy of the declaration for another folder."""
        return replace(self, id=folder_id, directory=directory, files=files)

    @property
    def references(self) -> tuple[Located, ...]:
        """Its documents."""
        return self.documents

    @property
    def file(self) -> str:
        """The file that declares the aspect."""
        return f"{self.directory}/{self.declared_in}"

    def place(self, located: Located) -> Place:
        """Return the position of a text in the aspect's file."""
        return Place(self.file, located.line, located.column)


class Flow(Struct, frozen=True, kw_only=True, dict=True, array_like=True):
    """A process that spans several nodes."""

    id: str
    directory: str
    name: str
    nodes: tuple[Located, ...]
    aspects: tuple[Located, ...] = ()
    files: tuple[str, ...] = ()
    declared_in: str = FLOW_FILE
    description: str = ""

    def placed(self, folder_id: str, directory: str, files: tuple[str, ...]) -> Self:
        """Return a copy of the declaration for another folder."""
        return replace(self, id=folder_id, directory=directory, files=files)

    @property
    def file(self) -> str:
        """The file that declares the flow."""
        return f"{self.directory}/{self.declared_in}"

    @cached_property
    def participants(self) -> frozenset[str]:
        """The paths of the participating nodes."""
        return frozenset(node.text for node in self.nodes)

    @property
    def aspect_ids(self) -> tuple[str, ...]:
        """The aspects that the flow applies to its participants."""
        return tuple(aspect.text for aspect in self.aspects)

    def place(self, located: Located) -> Place:
        """Return the position of a text in the flow's file."""
        return Place(self.file, located.line, located.column)


class ArtifactTemplate(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The headings with which an artifact of a new node begins."""

    artifact: Located  # its file name
    headings: tuple[str, ...]


class NodeType(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A node type from the configuration."""

    name: str
    description: str = ""
    required_aspects: tuple[Located, ...] = ()
    template: tuple[ArtifactTemplate, ...] = ()
    may_use: tuple[Located, ...] | None = None  # other types; None: all


class Condition(StrEnum):
    """The condition under which a node must have an artifact."""

    ALWAYS = "always"
    NEVER = "never"
    INCOMING = "has_incoming_relations"
    OUTGOING = "has_outgoing_relations"
    ASPECT = "has_aspect"


class ArtifactType(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An artifact type from the configuration: a content file of nodes."""

    name: str
    condition: Condition = Condition.NEVER
    aspect: Located | None = None  # for Condition.ASPECT
    description: str = ""
    in_relations: bool = False


# What a configuration without `artifacts` means, as in format 3.0.
STANDARD_ARTIFACTS = {
    kind.name: kind
    for kind in (
        ArtifactType(
            name=RESPONSIBILITY_FILE,
            condition=Condition.ALWAYS,
            description="What this node is responsible for, and what it is not",
            in_relations=True,
        ),
        ArtifactType(
            name=INTERFACE_FILE,
            condition=Condition.INCOMING,
            description="What other nodes may use, and how it fails",
            in_relations=True,
        ),
        ArtifactType(name=INTERNALS_FILE, description="How the node works and why"),
    )
}


class CutPattern(Struct, frozen=True, array_like=True, gc=False):
    """Documents that may be cut from a package that is too large."""

    kind: str  # of the blocks that have them, as users type it
    document: str  # a file name, in which `*` stands for any text


class Gate(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The numbers that `preflight` checks; None is not checked."""

    coverage: float | None = None  # the least percentage of files with an owner
    packages_over: int | None = None  # the most packages above the error threshold
    drafts: int | None = None  # the most texts with the mark of a draft


NO_GATE = Gate()


class Quality(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The limits of the `quality` section."""

    min_artifact_length: int = 50
    max_direct_relations: int = 10
    budget: Budget = STANDARD_BUDGET
    cut_first: tuple[CutPattern, ...] | None = None  # None: the standard order
    stale: int = 1_500  # tokens of changed code in a package
    gate: Gate = NO_GATE
    own_warning: float | None = None  # tokens of a node's own texts; None: not checked
    max_mapping_source_files: int | None = None  # None: not checked


STANDARD_QUALITY = Quality()


class RuleSetting(Struct, frozen=True, array_like=True, gc=False):
    """The level of a rule, from the `rules` section."""

    code: Located
    level: Level


class DriftGate(StrEnum):
    """The least change of a source that needs a changed text or a reason to be recorded."""

    VALUE = "value"  # a sentence has a value or a name that is gone
    SIGNATURE = "signature"
    BODY = "body"

    @property
    def change_class(self) -> ChangeClass | None:
        """The lowest class of changes that need one; None: the class does not matter."""
        return None if self is DriftGate.VALUE else ChangeClass(self.value)


class Agreement(StrEnum):
    """Who agrees to new baselines, in the rules for agents."""

    PERSON = "person"
    AGENT = "agent"


class DriftSettings(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """Which changes of sources count as drift, and which need a reason when they are recorded."""

    tolerate: ChangeClass | None = None  # the highest class that is no drift; None: every change is
    gate: DriftGate | None = None  # None: no change needs a reason
    stores_hash: bool = True  # whether baselines have the digest of all files
    agreement: Agreement = Agreement.PERSON


TOLERABLE = (ChangeClass.COSMETIC, ChangeClass.DOCS, ChangeClass.IMPORTS)
STANDARD_DRIFT = DriftSettings()


class HookSettings(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """What hooks tell agents unasked."""

    briefs: int = 10  # the most in one session
    asks_at_stop: bool = True  # about texts that are left to change
    overview: bool = True  # at the start of a session


STANDARD_HOOKS = HookSettings()


class AcceptedImport(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """Imports that the graph leaves undeclared on purpose, also those of nodes below the two."""

    source: Located
    target: Located
    reason: str

    @property
    def pair(self) -> tuple[str, str]:
        """The two nodes."""
        return self.source.text, self.target.text


class CodeInPackages(StrEnum):
    """Which names of the code of a node its own package shows."""

    OFF = "off"
    CONSUMED = "consumed"  # those that other nodes use
    ALL = "all"  # that are public


class CodeSettings(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """How the graph is compared with the imports of the code."""

    imports: Level = Level.WARNING  # of undeclared ones
    counts_types: bool = False  # imports that are only for type checkers
    exempt_types: tuple[str, ...] = ()  # types of nodes that may import anything
    roots: tuple[str, ...] = ()  # folders from which modules are imported; empty: guessed
    ignore: tuple[str, ...] = ()  # patterns of files that may import anything
    accepted: tuple[AcceptedImport, ...] = ()
    packages: CodeInPackages = CodeInPackages.OFF


STANDARD_CODE = CodeSettings()


class Config(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The configuration; unreadable parts are empty."""

    file: str
    name: str = ""
    briefing: tuple[str, ...] = ()  # 0.x: lines about the whole project, for every package
    version: str = ""
    node_types: dict[str, NodeType]
    artifacts: dict[str, ArtifactType]
    quality: Quality = STANDARD_QUALITY
    rules: tuple[RuleSetting, ...] = ()
    uncounted: tuple[str, ...] = ()  # patterns of files that coverage leaves out
    drift: DriftSettings = STANDARD_DRIFT
    code: CodeSettings | None = None  # None: the graph is not compared with the code
    decisions: tuple[Located, ...] = ()  # folders; empty: the usual ones
    hooks: HookSettings = STANDARD_HOOKS
    has_another_model: bool = False  # it is one of format 4 or later, which is not read

    @property
    def code_in_packages(self) -> CodeInPackages:
        """Which names of the code packages show."""
        return CodeInPackages.OFF if self.code is None else self.code.packages


class ReadIssue(StrEnum):
    """The kind of an issue found while reading; a rule of the same name reports it."""

    CONFIG = "invalid-config"
    NODE = "invalid-node-yaml"
    ASPECT = "invalid-aspect-yaml"
    FLOW = "invalid-flow-yaml"
    UNREADABLE = "unreadable-file"
    NO_NODE = "missing-node-yaml"
    BARE_DIRECTORY = "directory-without-node"
    LINK = "ignored-link"
    CONFLICT = "conflict-marker"
    DUPLICATE = "duplicate-entry"
    UNUSED = "artifact-not-configured"
    IMPORT = "damaged-import"


class Note(Struct, frozen=True, array_like=True, gc=False):
    """An issue found while reading a file."""

    issue: ReadIssue
    finding: Finding


class UnknownKeyUse(Struct, frozen=True, array_like=True, gc=False):
    """An unknown key, with the file it is in and the subject of that file."""

    subject: str
    file: str
    key: UnknownKey


D = TypeVar("D", Node, Aspect, Flow)  # declared by a file in a folder of its own


class Reading(Struct, Generic[T_co], frozen=True, array_like=True, gc=False):
    """The result of reading one file: the value, None if the file is invalid, and the issues."""

    value: T_co | None
    notes: tuple[Note, ...] = ()
    unknown_keys: tuple[UnknownKeyUse, ...] = ()
