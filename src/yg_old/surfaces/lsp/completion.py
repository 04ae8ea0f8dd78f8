"""Completion of the values that name something; keys are left to the schema of the files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from yg_old.kernel.errors import UnreadableError
from yg_old.surfaces.lsp import external, specs
from yg_old.surfaces.lsp.diagnostics import span
from yg_old.text.paths import ROOT, is_inside, lineage, name_of, parent
from yg_old.text.yaml_edit import quoted_scalar, yaml_scalar
from yg_old.yggdrasil.code.quoted_names import text_of
from yg_old.yggdrasil.edit.roles import written_at
from yg_old.yggdrasil.model import INTERFACE_FILE, RelationKind
from yg_old.yggdrasil.read.keys import ValueRole
from yg_old.yggdrasil.resolve import artifact, present_names
from yg_old.yggdrasil.templates import template_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from yg_old.surfaces.lsp.session import EditorView
    from yg_old.yggdrasil.edit.roles import NamedValue
    from yg_old.yggdrasil.model import Node

    Candidate = tuple[str, str]  # name and description

MOST = 2_000  # items of one answer
_FLOW_INDICATORS = frozenset(",[]{}")
_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*")
_QUOTED = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_HEADING = re.compile(r"(?m)^#{2,6}[^\S\n]++(.+)$")
_KINDS = {
    ValueRole.NODE: types.CompletionItemKind.Class,
    ValueRole.EXTERNAL: types.CompletionItemKind.Class,
    ValueRole.ASPECT: types.CompletionItemKind.Interface,
    ValueRole.TAG: types.CompletionItemKind.Interface,
    ValueRole.TYPE: types.CompletionItemKind.TypeParameter,
    ValueRole.KIND: types.CompletionItemKind.EnumMember,
    ValueRole.EVENT: types.CompletionItemKind.Event,
    ValueRole.CONSUMED: types.CompletionItemKind.Function,
    ValueRole.PATH: types.CompletionItemKind.File,
    ValueRole.NAME: types.CompletionItemKind.Reference,
    ValueRole.DOCUMENT: types.CompletionItemKind.File,
    ValueRole.DECISION: types.CompletionItemKind.Reference,
}


def completion(view: EditorView, file: str, offset: int) -> types.CompletionList:
    """Return what can be written at an offset; each item replaces the whole value."""
    nothing = types.CompletionList(is_incomplete=False, items=[])
    if not view.is_yggdrasil:
        return specs.completion(view, file, offset)
    if not is_inside(file, view.workspace.format.folder):
        return nothing
    if headings := list(_headings(view, file, offset)):
        return types.CompletionList(is_incomplete=False, items=headings)
    value = written_at(file, view.lines(file).text, offset)
    if value is None:
        return nothing
    typed = view.lines(file).text[value.start : offset].strip("\"'")
    found = list(_candidates(view, file, value))
    is_incomplete = len(found) > MOST
    if is_incomplete:
        found = [name for name in found if typed.casefold() in name[0].casefold()][:MOST]
    items = list(_items(view, file, value, found))
    return types.CompletionList(is_incomplete=is_incomplete, items=items)


def _headings(view: EditorView, file: str, offset: int) -> Iterator[types.CompletionItem]:
    """Yield the headings of a template that an artifact lacks, on an empty line or in a heading."""
    nodes, directory = view.graph.nodes, parent(file)
    tree = nodes.spec.tree
    node = nodes.get(ROOT if directory == tree else directory.removeprefix(f"{tree}/"))
    if node is None or directory != node.directory:
        return
    headings = template_of(view.graph.config, node.type.text).get(name_of(file), ())
    text = view.lines(file).text if headings else ""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end]
    if line.strip() and not line.startswith("#"):
        return
    written = {other.rstrip() for other in text.split("\n")}
    for heading in headings:
        if heading not in written:
            place = span(view, file, start, start + len(line))
            yield types.CompletionItem(
                label=heading,
                kind=types.CompletionItemKind.Snippet,
                detail=f"template of {node.type}",
                filter_text=heading,
                text_edit=types.TextEdit(place, heading),
            )


def _items(
    view: EditorView, file: str, value: NamedValue, found: Iterable[Candidate]
) -> Iterator[types.CompletionItem]:
    text, place = view.lines(file).text, span(view, file, value.start, value.end)
    is_quoted = text[value.start : value.start + 1] in ('"', "'")
    for name, detail in found:
        written = _written(f"{value.prefix}{name}", text, value)
        yield types.CompletionItem(
            label=name,
            kind=_KINDS[value.role],
            detail=detail or None,
            filter_text=written.strip() if is_quoted else f"{value.prefix}{name}",
            text_edit=types.TextEdit(place, written),
        )


def _written(name: str, text: str, value: NamedValue) -> str:
    """Write a name as YAML: in the quotes that are there, or in quotes if it needs some."""
    quote = text[value.start : value.start + 1]
    if quote == "'" and name.isprintable():
        return "'" + name.replace("'", "''") + "'"
    is_quoted = quote == '"' or not _FLOW_INDICATORS.isdisjoint(name)
    gap = " " if text[value.start - 1 : value.start] in (":", "-") else ""
    return gap + (quoted_scalar(name) if is_quoted else yaml_scalar(name))


def _candidates(view: EditorView, file: str, value: NamedValue) -> Iterable[Candidate]:
    return _SOURCES[value.role](view, file, value)


def _nodes(view: EditorView, file: str, _value: NamedValue) -> Iterable[Candidate]:
    nodes, own = view.graph.nodes, parent(file)
    # Only their paths: reading all nodes would take longer than a keystroke.
    return ((path, "") for path in nodes.ids() if parent(nodes.spec.file_of(path)) != own)


def _external(view: EditorView, _file: str, _value: NamedValue) -> Iterable[Candidate]:
    return external.targets(view)


def _aspects(view: EditorView, file: str, _value: NamedValue) -> Iterable[Candidate]:
    return ((aspect.id, aspect.name) for aspect in view.graph.aspects if aspect.file != file)


def _tags(view: EditorView, _file: str, _value: NamedValue) -> Iterable[Candidate]:
    return ((aspect.tag, aspect.name) for aspect in view.graph.aspects)


def _types(view: EditorView, _file: str, _value: NamedValue) -> Iterable[Candidate]:
    found = view.graph.config.node_types.values()
    return ((node_type.name, node_type.description) for node_type in found)


def _kinds(view: EditorView, _file: str, _value: NamedValue) -> Iterator[Candidate]:
    if view.workspace.format.has_drift:
        yield from ((str(kind), "") for kind in RelationKind)
        return
    used = {str(relation.kind) for node in view.graph.nodes for relation in node.relations}
    yield from ((kind, "") for kind in sorted(used))


def _flow_names(view: EditorView, file: str, _value: NamedValue) -> Iterator[Candidate]:
    """Yield the id of a flow, and the names of others to spell its own like."""
    tree = view.graph.flows.spec.tree
    if is_inside(file, tree):
        yield parent(file).removeprefix(f"{tree}/"), "the id of this flow"
        yield from ((flow.name, flow.id) for flow in view.graph.flows if flow.file != file)


def _events(view: EditorView, _file: str, _value: NamedValue) -> Iterable[Candidate]:
    relations = (relation for node in view.graph.nodes for relation in node.relations)
    names = {relation.event_name for relation in relations if relation.event_name}
    return ((name, "") for name in sorted(names))


def _consumable(view: EditorView, _file: str, value: NamedValue) -> Iterator[Candidate]:
    """Yield the names that the target offers: in its interface, and public ones of its code."""
    node = view.graph.nodes.get(value.target)
    if node is None:
        yield from sorted(_names_in(external.interface_of(view, value.target)).items())
        return
    described: dict[str, str] = {}
    if INTERFACE_FILE in present_names(node):
        described = _names_in(text_of(artifact(view.graph, node, INTERFACE_FILE)))
    code = _public_names(view, node) if view.graph.config.code is not None else {}
    yield from sorted({**code, **described}.items())


def _names_in(interface: str) -> dict[str, str]:
    """Return the names that an interface describes, with the name of the file."""
    words = (*_QUOTED.findall(interface), *_HEADING.findall(interface))
    return dict.fromkeys(filter(None, map(_name, words)), INTERFACE_FILE)


def _name(text: str) -> str:
    """Return the identifier that a text in back quotes or a heading begins with."""
    found = _NAME.match(text.strip("`"))
    return found[0] if found else ""


def _public_names(view: EditorView, node: Node) -> dict[str, str]:
    from yg_old.code.read import FACTS
    from yg_old.yggdrasil.owners import Ownership, own_files

    sources = view.workspace.sources
    found: dict[str, str] = {}
    for file in own_files(sources, Ownership(view.graph, sources), node):
        try:
            facts = sources.computed(file, FACTS)
        except UnreadableError:
            continue
        for name, signature in facts.signatures.items() if facts else ():
            found.setdefault(name, signature.header)
    return found


def _paths(view: EditorView, _file: str, _value: NamedValue) -> Iterable[Candidate]:
    """Return the source files and their directories, sorted."""
    files = view.workspace.sources.files(ROOT)
    directories = {place for file in files for place in lineage(file)[1:]}
    return ((path, "") for path in sorted({*files, *directories}))


def _documents(view: EditorView, _file: str, value: NamedValue) -> Iterator[Candidate]:
    """Yield the texts outside the graph; after `FILE#`, the headings of that file."""
    documents = view.graph.documents
    path, separator, _ = value.text.partition("#")
    if separator:
        text = documents.text(documents.reference(path))
        found = () if text.fault else documents.headings(text)
        yield from ((f"{path}#{heading.title}", "") for heading in found if heading.title)
        return
    files = view.workspace.sources.files(ROOT)
    yield from ((file, "") for file in files if file.endswith(_TEXTS))


def _decisions(view: EditorView, _file: str, _value: NamedValue) -> Iterator[Candidate]:
    for decision in view.graph.decisions:
        yield str(decision.number), f"{decision.title} ({decision.status})"


_TEXTS = (".md", ".markdown", ".txt", ".rst", ".adoc")
_SOURCES: dict[ValueRole, Callable[[EditorView, str, NamedValue], Iterable[Candidate]]] = {
    ValueRole.NODE: _nodes,
    ValueRole.EXTERNAL: _external,
    ValueRole.ASPECT: _aspects,
    ValueRole.TAG: _tags,
    ValueRole.TYPE: _types,
    ValueRole.KIND: _kinds,
    ValueRole.EVENT: _events,
    ValueRole.CONSUMED: _consumable,
    ValueRole.PATH: _paths,
    ValueRole.NAME: _flow_names,
    ValueRole.DOCUMENT: _documents,
    ValueRole.DECISION: _decisions,
}
