"""Reader of the 2.x edition: `.yggdrasil/` with nodes, aspects and flows in folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from yg_old.kernel.inventory_names import NAME_HINT, SEPARATOR, is_import_name
from yg_old.kernel.issue import Finding, Located, Place
from yg_old.text import paths
from yg_old.yggdrasil import codecs
from yg_old.yggdrasil.collection import Collection, CollectionSpec
from yg_old.yggdrasil.editions import V2
from yg_old.yggdrasil.graph import Graph
from yg_old.yggdrasil.inventory_copies import InventoryCopies
from yg_old.yggdrasil.model import (
    ASPECT_FILE,
    CONFIG_FILE,
    FLOW_FILE,
    NODE_FILE,
    ArtifactSource,
    Aspect,
    AspectUse,
    Flow,
    Node,
    Note,
    ReadIssue,
    Relation,
)
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.read.config import read_config
from yg_old.yggdrasil.read.duplicates import merged_aspects, merged_relations, unique_texts
from yg_old.yggdrasil.read.keys import shown
from yg_old.yggdrasil.read.shapes import (
    AspectKeys,
    AspectUseKeys,
    FlowKeys,
    MappingKeys,
    NodeKeys,
    RelationKeys,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yg_old.kernel.fields import Fields
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.decode import Datum
    from yg_old.yggdrasil.folders import Folder
    from yg_old.yggdrasil.read.keys import Key

T = TypeVar("T")

_MOST_QUOTED = 3  # paths in a hint
_RELATION = "- {target: .., type: uses}"
_EXTERNAL_HINT = (
    f"Write IMPORT{SEPARATOR}NODE; 'yg import list' shows the imports. "
    "Nodes of this repository stand under 'relations'."
)


def read(snapshot: Snapshot, tokenizer: str | None = None) -> Graph:
    """Open the graph in a snapshot; its files are read on demand."""
    return Graph(
        snapshot=snapshot,
        read_config=lambda: read_config(snapshot, f"{FOLDER}/{CONFIG_FILE}"),
        nodes=Collection(snapshot, NODES),
        aspects=Collection(snapshot, ASPECTS),
        flows=Collection(snapshot, FLOWS),
        inventories=InventoryCopies(snapshot),
        edition=V2,
        tokenizer=tokenizer,
    )


def node_from(folder: Folder, fields: Fields) -> Node | None:
    """Build a node from the fields of `yg-node.yaml`."""
    name, kind = NodeKeys.name.of(fields), NodeKeys.type.of(fields)
    description = NodeKeys.description.of(fields)
    aspects = _build_items(fields, NodeKeys.aspects, "- aspect: ..", _aspect_use)
    is_blackbox = NodeKeys.blackbox.of(fields)
    has_drift = NodeKeys.drift.of(fields) != "off"
    relations = _build_items(fields, NodeKeys.relations, _RELATION, _relation)
    external = _build_items(fields, NodeKeys.external, _RELATION, _external)
    mapping, excluded = _mapping(fields)
    documents = unique_texts(fields.report, "document", NodeKeys.documents.of(fields))
    artifact_sources = tuple(_artifact_sources(fields))
    decisions = unique_texts(fields.report, "decision", NodeKeys.decisions.of(fields))
    if name is None or kind is None or fields.report.problems:
        return None
    return Node(
        path=folder.id,
        directory=folder.directory,
        name=name.text,
        type=kind,
        aspects=merged_aspects(fields.report, aspects),
        relations=merged_relations(fields.report, relations),
        external=merged_relations(fields.report, external),
        mapping=mapping,
        excluded=excluded,
        is_blackbox=is_blackbox,
        has_drift=has_drift,
        documents=documents,
        artifact_sources=artifact_sources,
        decisions=decisions,
        description=description,
    )


def _artifact_sources(fields: Fields) -> Iterator[ArtifactSource]:
    """Read `artifacts`: a mapping from names of artifacts to documents."""
    entries = NodeKeys.artifacts.of(fields)
    for name, datum in entries.named() if entries else ():
        if isinstance(datum.value, str) and datum.value.strip():
            yield ArtifactSource(name, Located(datum.value, datum.line, datum.column))
        else:
            hint = f"Write '{name}: FILE#HEADING'."
            message = f"the document of '{name}' cannot be {shown(datum)}"
            fields.report.add_problem(message, datum, hint)


def _build_items(
    fields: Fields, key: Key[list[Datum]], form: str, build: Callable[[Fields], T | None]
) -> tuple[T, ...]:
    """Build the items of a list; `form` is how to write one, with its name at '..'."""
    found = []
    for datum in key.of(fields):
        name = datum.value if isinstance(datum.value, str) else ".."
        hint = f"Write '{form.replace('..', name)}'."
        inner = fields.inside(datum, f"each item of '{key.name}'", hint)
        value = build(inner)
        inner.close()
        if value is not None:
            found.append(value)
    return tuple(found)


def _aspect_use(fields: Fields) -> AspectUse | None:
    aspect = AspectUseKeys.aspect.of(fields)
    exceptions = AspectUseKeys.exceptions.of(fields)
    anchors = AspectUseKeys.anchors.of(fields)
    if aspect is None:
        return None
    return AspectUse(aspect=aspect, exceptions=exceptions, anchors=anchors)


def _relation(fields: Fields) -> Relation | None:
    target, kind = RelationKeys.target.of(fields), RelationKeys.kind.of(fields)
    consumed = RelationKeys.consumes.of(fields)
    failure, event_name = RelationKeys.failure.of(fields), RelationKeys.event_name.of(fields)
    if target is None or kind is None:
        return None
    return Relation(
        target=target,
        kind=kind,
        consumed=consumed,
        failures=(failure,) if failure else (),
        event_name=event_name,
    )


def _external(fields: Fields) -> Relation | None:
    """Build a relation to a node of another repository; its target has two parts."""
    relation = _relation(fields)
    if relation is None:
        return None
    name, separator, path = relation.target.text.partition(SEPARATOR)
    problem, hint = "", _EXTERNAL_HINT
    if not separator or not path:
        problem = f"'{relation.target}' is not a node of another repository"
    elif not is_import_name(name):
        problem, hint = f"'{name}' cannot be the name of an import", NAME_HINT
    if problem:
        fields.report.add_problem(problem, relation.target, hint)
    return relation


def _mapping(fields: Fields) -> tuple[tuple[Located, ...], tuple[Located, ...]]:
    """Return the mapped paths, and the patterns of files that are left out."""
    datum = NodeKeys.mapping.of(fields)
    if datum is None:
        return (), ()
    mapping = fields.inside(datum, "'mapping'", _paths_hint(datum))
    if not isinstance(datum.value, dict):
        return (), ()
    found = MappingKeys.paths.of(mapping), MappingKeys.exclude.of(mapping)
    mapping.close()
    return found


def _paths_hint(datum: Datum) -> str:
    """Return how to write paths that stand directly under `mapping`."""
    items = datum.value if isinstance(datum.value, list) else [datum]
    texts = [item.value for item in items[:_MOST_QUOTED] if isinstance(item.value, str)]
    if len(texts) < min(len(items), _MOST_QUOTED):
        return "List the files or directories under 'paths'."
    if len(items) > _MOST_QUOTED:
        texts.append("..")
    return f"Write 'mapping: {{paths: [{', '.join(texts)}]}}'."


def aspect_from(folder: Folder, fields: Fields) -> Aspect | None:
    """Build an aspect from the fields of `yg-aspect.yaml`."""
    name, description = AspectKeys.name.of(fields), AspectKeys.description.of(fields)
    implies = unique_texts(fields.report, "implied aspect", AspectKeys.implies.of(fields))
    stability = AspectKeys.stability.of(fields)
    documents = unique_texts(fields.report, "document", AspectKeys.documents.of(fields))
    decisions = unique_texts(fields.report, "decision", AspectKeys.decisions.of(fields))
    if name is None or fields.report.problems:
        return None
    return Aspect(
        id=folder.id,
        directory=folder.directory,
        name=name.text,
        description=description,
        implies=implies,
        stability=stability,
        documents=documents,
        decisions=decisions,
    )


def flow_from(folder: Folder, fields: Fields) -> Flow | None:
    """Build a flow from the fields of `yg-flow.yaml`."""
    name, description = FlowKeys.name.of(fields), FlowKeys.description.of(fields)
    nodes = _participants(fields)
    aspects = unique_texts(fields.report, "aspect", FlowKeys.aspects.of(fields))
    if name is None or fields.report.problems:
        return None
    return Flow(
        id=folder.id,
        directory=folder.directory,
        name=name.text,
        nodes=unique_texts(fields.report, "participant", nodes),
        aspects=aspects,
        description=description,
    )


def _participants(fields: Fields) -> tuple[Located, ...]:
    """Read `nodes` or, if there are none, the other name of that key."""
    nodes, others = fields.get(FlowKeys.nodes.name), fields.get(FlowKeys.participants.name)
    is_other = nodes is None and others is not None
    return (FlowKeys.participants if is_other else FlowKeys.nodes).of(fields)


def _directory_without_node(folder: Folder, _is_related: bool) -> Iterator[Note]:  # noqa: FBT001
    if folder.id == paths.ROOT:
        yield from _unused_files(folder, "model", NODE_FILE)
        return
    place = Place(folder.directory)
    if folder.files:
        message = f"has files but no {NODE_FILE}"
        yield Note(ReadIssue.NO_NODE, Finding(folder.id, message, place))
    elif folder.folders:
        message = f"is only a directory: it has no {NODE_FILE}"
        yield Note(ReadIssue.BARE_DIRECTORY, Finding(folder.id, message, place))


def _undeclared(
    declaration_file: str, subject: str, issue: ReadIssue, needed: str
) -> Callable[..., Iterator[Note]]:
    """Return a function that reports folders with files that no declaration covers."""

    def notes(folder: Folder, is_related: bool) -> Iterator[Note]:  # noqa: FBT001
        if folder.id == paths.ROOT:
            if declaration_file in folder.files:
                place = Place(f"{folder.directory}/{declaration_file}")
                message = f"{declaration_file} stands outside a directory of its own"
                yield Note(issue, Finding(subject.rstrip("/"), message, place))
            yield from _unused_files(folder, subject.rstrip("/"), declaration_file)
        elif is_related:
            yield from _unused_files(folder, f"{subject}{folder.id}", declaration_file)
        elif folder.files:
            message = f"has files but no {declaration_file}"
            advice = (f"Add a {declaration_file} with {needed}, or move the files elsewhere.",)
            finding = Finding(f"{subject}{folder.id}", message, Place(folder.directory), advice)
            yield Note(issue, finding)

    return notes


def _unused_files(folder: Folder, subject: str, declaration_file: str) -> Iterator[Note]:
    """Yield a note for each file of a directory that declares nothing."""
    for name in folder.files_except(declaration_file):
        message = f"no package includes '{name}': its directory has no {declaration_file}"
        advice = ("Move it next to a declaration, or remove it.",)
        finding = Finding(subject, message, Place(f"{folder.directory}/{name}"), advice)
        yield Note(ReadIssue.UNUSED, finding)


NODES = CollectionSpec(
    tree=f"{FOLDER}/model",
    file=NODE_FILE,
    subject="",
    has_root=True,
    issue=ReadIssue.NODE,
    codec=codecs.NODE,
    build=node_from,
    undeclared=_directory_without_node,
)
ASPECTS = CollectionSpec(
    tree=f"{FOLDER}/aspects",
    file=ASPECT_FILE,
    subject="aspects/",
    issue=ReadIssue.ASPECT,
    codec=codecs.ASPECT,
    build=aspect_from,
    undeclared=_undeclared(ASPECT_FILE, "aspects/", ReadIssue.ASPECT, "a 'name'"),
)
FLOWS = CollectionSpec(
    tree=f"{FOLDER}/flows",
    file=FLOW_FILE,
    subject="flows/",
    issue=ReadIssue.FLOW,
    codec=codecs.FLOW,
    build=flow_from,
    undeclared=_undeclared(FLOW_FILE, "flows/", ReadIssue.FLOW, "'name' and 'nodes'"),
)
