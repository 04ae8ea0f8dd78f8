"""`yg new`: the files of a new node, aspect or flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.kernel.document import Document, Text, about, one_of
from yg_old.kernel.edit import Edits, WasDryRun, Write
from yg_old.kernel.errors import RefusedError, UsageError, YgError
from yg_old.text import paths
from yg_old.text.escapes import shell_word
from yg_old.text.suggest import did_you_mean, listing, nearest
from yg_old.text.yaml_edit import yaml_scalar
from yg_old.yggdrasil.edit.ids import new_id, parent_notes
from yg_old.yggdrasil.edit.placeholders import draft_text
from yg_old.yggdrasil.model import DESCRIPTION_FILE, Condition
from yg_old.yggdrasil.names import path_named
from yg_old.yggdrasil.owners import excluded_files, has_shared_file, is_overlap, mapping_fault
from yg_old.yggdrasil.parts import PartKind, collection_of
from yg_old.yggdrasil.places import mapped_path
from yg_old.yggdrasil.resolve import expanded, named_aspects
from yg_old.yggdrasil.rules.flows import REQUIRED_SECTIONS
from yg_old.yggdrasil.templates import template_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import ArtifactType

CONTENT_FILE = "content.md"


class New(Document, frozen=True, kw_only=True, tag="yg-new/1"):
    """What `yg new --json` prints: the files of a new node, aspect, flow or decision."""

    HIDING = ("edits",)

    kind: Annotated[str, one_of(*PartKind, "decision"), about("What it is.")]
    id: Annotated[
        Text,
        about("The path of the node, the id of the aspect or flow, or the number of the decision."),
    ]
    blackbox: Annotated[bool, about("Whether it is a blackbox node.")] = False
    dry_run: WasDryRun = False
    edits: Edits  # all of them are written
    notes: Annotated[tuple[Text, ...], about("What is left for you to do.")] = ()


def new_node(  # noqa: PLR0913
    graph: Graph,
    sources: Sources,
    name: str,
    *,
    type_name: str = "",
    mapping: Sequence[str] = (),
    is_blackbox: bool = False,
) -> New:
    """Return the files of a new node: its declaration and the texts that it must have.

    A template of its type adds texts, and says which headings they have. A blackbox node need not
    have any, nor the aspects of its type.
    """
    path = _free_id(graph, PartKind.NODE, name)
    kind = _type(graph, type_name)
    mapped = _mapping(graph, sources, path, mapping)
    if is_blackbox:
        _refuse_missing(sources, mapped)
    aspects = () if is_blackbox else _required_aspects(graph, path, kind)
    lines = [f"name: {yaml_scalar(paths.name_of(path))}", f"type: {yaml_scalar(kind)}"]
    lines += ["blackbox: true"] * is_blackbox
    lines += ["aspects:"] * bool(aspects)
    lines += [f"  - aspect: {yaml_scalar(aspect)}" for aspect in aspects]
    lines += ["mapping:", "  paths:"] * bool(mapped)
    lines += [f"    - {yaml_scalar(source)}" for source in mapped]
    texts = {} if is_blackbox else _texts(graph, path, kind, aspects)
    notes = [f"'{source}' does not exist yet" for source in mapped if sources.kind(source) is None]
    return New(
        kind=PartKind.NODE,
        id=path,
        blackbox=is_blackbox,
        edits=tuple(_files(graph, PartKind.NODE, path, lines, texts)),
        notes=(*notes, *parent_notes(graph, path)),
    )


def _refuse_missing(sources: Sources, mapping: Sequence[str]) -> None:
    """Raise an error if a mapped path has no files: a blackbox node stands for existing code."""
    for path in mapping:
        if not sources.files(path):
            raise YgError(
                f"cannot map '{path}' in a blackbox node: there are no files",
                hint="A blackbox node is for existing code. Describe new code without --blackbox.",
            )


def _texts(graph: Graph, path: str, kind: str, aspects: Sequence[str]) -> dict[str, str]:
    """Return the texts that a new node must have, or that the template of its type names."""
    effective = expanded(graph, (*named_aspects(graph, path), *aspects))
    template = template_of(graph.config, kind)
    return {
        artifact.name: _draft(artifact, template.get(artifact.name, ()))
        for artifact in graph.config.artifacts.values()
        if artifact.name in template or _is_required(graph, path, artifact, effective)
    }


def new_aspect(graph: Graph, name: str) -> New:
    """Return the files of a new aspect."""
    aspect = _free_id(graph, PartKind.ASPECT, name)
    title = paths.name_of(aspect)
    texts = {CONTENT_FILE: draft_text([f"# {title}"], "What the nodes with this aspect must meet")}
    lines = [f"name: {yaml_scalar(title)}"]
    edits = tuple(_files(graph, PartKind.ASPECT, aspect, lines, texts))
    return New(kind=PartKind.ASPECT, id=aspect, edits=edits)


def new_flow(graph: Graph, name: str, nodes: Sequence[str]) -> New:
    """Return the files of a new flow with its participants."""
    flow = _free_id(graph, PartKind.FLOW, name)
    if not nodes:
        hint = f"Name the nodes that take part: yg new flow {shell_word(flow)} NODE .."
        raise UsageError("a flow needs at least one node", hint=hint)
    participants = dict.fromkeys(path_named(graph, node) for node in nodes)
    lines = [f"name: {yaml_scalar(paths.name_of(flow))}", "nodes:"]
    lines += [f"  - {yaml_scalar(node)}" for node in participants]
    texts = {DESCRIPTION_FILE: draft_text(REQUIRED_SECTIONS)}
    edits = tuple(_files(graph, PartKind.FLOW, flow, lines, texts))
    return New(kind=PartKind.FLOW, id=flow, edits=edits)


def _free_id(graph: Graph, kind: PartKind, name: str) -> str:
    """Return the id of a name; raise an error if it exists."""
    found = new_id(graph, kind, name)
    file = collection_of(graph, kind).spec.file_of(found)
    if graph.snapshot.kind(file) is not None:
        raise YgError(f"{kind} '{found}' exists", hint=f"Edit {file}, or choose another name.")
    return found


def _files(
    graph: Graph, kind: PartKind, name: str, lines: Sequence[str], texts: dict[str, str]
) -> Iterator[Write]:
    """Yield the declaration, and the texts that do not exist yet."""
    file = collection_of(graph, kind).spec.file_of(name)
    directory = paths.parent(file)
    for text, content in texts.items():
        if graph.snapshot.kind(f"{directory}/{text}") is None:
            yield Write(f"{directory}/{text}", content.encode())
    # Last, so that an interrupted run leaves nothing that counts as existing.
    yield Write(file, "".join(f"{line}\n" for line in lines).encode())


def _type(graph: Graph, name: str) -> str:
    """Return the type of a new node: the given one, or the first of the configuration."""
    known = graph.config.node_types
    if not known:
        file = graph.config.file
        raise RefusedError(f"there are no node types in {file}", hint="Run 'yg validate'.")
    if name and name not in known:
        near = did_you_mean(nearest(name, known)[:1])
        hint = near or f"The types are: {listing(known)}."
        raise UsageError(f"there is no node type '{name}'", hint=hint)
    return name or next(iter(known))


def _mapping(graph: Graph, sources: Sources, path: str, mapping: Sequence[str]) -> tuple[str, ...]:
    """Return the mapped paths, normalised; raise an error for one that cannot be mapped."""
    found: dict[str, None] = {}
    for source in mapping:
        if fault := mapping_fault(sources, source):
            raise YgError(f"cannot map '{source}': it {fault}")
        found[mapped_path(source) or paths.ROOT] = None
    for node in graph.nodes if found else ():
        excluded = (excluded_files(node),)
        for entry in node.mapping:
            other = mapped_path(entry.text)
            for source in found:
                if (
                    other is not None
                    and is_overlap((path, source), (node.path, other))
                    and has_shared_file(sources, max(source, other, key=len), excluded)
                ):
                    message = f"cannot map '{source}': node '{node.path}' maps '{other}'"
                    raise YgError(message, hint="Map it in only one of the two nodes.")
    return tuple(found)


def _required_aspects(graph: Graph, path: str, kind: str) -> tuple[str, ...]:
    """Return the aspects that a type requires and that the node does not inherit."""
    inherited = frozenset(named_aspects(graph, path))
    required = dict.fromkeys(
        aspect.text for aspect in graph.config.node_types[kind].required_aspects
    )
    return tuple(
        aspect
        for aspect in required
        if aspect not in inherited and graph.aspects.get(aspect) is not None
    )


def _is_required(
    graph: Graph, path: str, artifact: ArtifactType, effective: Collection[str]
) -> bool:
    match artifact.condition:
        case Condition.ALWAYS:
            return True
        case Condition.INCOMING:
            targets = (relation.target.text for node in graph.nodes for relation in node.relations)
            return path in targets
        case Condition.ASPECT:
            return artifact.aspect is not None and artifact.aspect.text in effective
    return False  # it has no relations of its own


def _draft(artifact: ArtifactType, headings: Sequence[str]) -> str:
    """Return a draft of an artifact with the headings of a template, or with a title."""
    if headings:
        return draft_text(headings)
    return draft_text([f"# {_title(artifact.name)}"], artifact.description)


def _title(file: str) -> str:
    name = file.removesuffix(".md").replace("-", " ").replace("_", " ")
    return name[:1].upper() + name[1:]
