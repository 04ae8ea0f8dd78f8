"""Definitions, references, document links and symbols."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind
from yg_old.surfaces.lsp import external, specs
from yg_old.surfaces.lsp.diagnostics import span
from yg_old.text.paths import is_inside
from yg_old.yggdrasil.edit.roles import mentions
from yg_old.yggdrasil.model import INTERFACE_FILE
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.parts import GraphPart, PartKind, collection_of, part_of
from yg_old.yggdrasil.places import mapped_path
from yg_old.yggdrasil.read.keys import DIGITS, ValueRole
from yg_old.yggdrasil.resolve import artifact, present_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.surfaces.lsp.session import EditorView
    from yg_old.yggdrasil.edit.roles import NamedValue
    from yg_old.yggdrasil.graph import Graph

_FILES = (ValueRole.PATH, ValueRole.DOCUMENT, ValueRole.DECISION)  # values that name files
_START = types.Range(types.Position(0, 0), types.Position(0, 0))
_QUOTED = re.compile(r"`[^`\n]++`")
_DECLARING = "class|const|def|enum|fn|func|function|interface|let|record|struct|trait|type|var|void"
_PARTS = {ValueRole.NODE: PartKind.NODE, ValueRole.ASPECT: PartKind.ASPECT}
_SYMBOLS = {
    PartKind.NODE: types.SymbolKind.Class,
    PartKind.ASPECT: types.SymbolKind.Interface,
    PartKind.FLOW: types.SymbolKind.Event,
}


def value_at(view: EditorView, file: str, offset: int) -> NamedValue | None:
    """Return the value with a meaning at an offset of a declaration."""
    if not is_inside(file, view.workspace.format.folder) or not view.is_yggdrasil:
        return None
    found = mentions(file, view.lines(file).text)
    return next((value for value in found if value.start <= offset <= value.end), None)


def part_at(view: EditorView, file: str, offset: int) -> GraphPart | None:
    """Return the node, aspect or flow that a value names: also the `name` of its declaration."""
    value = value_at(view, file, offset)
    return part_named(view, file, value) if value else None


def part_named(view: EditorView, file: str, value: NamedValue) -> GraphPart | None:
    """Return the part that a value of a file names."""
    if value.role is ValueRole.NAME:
        return part_of(view.graph, file)
    if value.role is ValueRole.TAG:
        tagged = (aspect.id for aspect in view.graph.aspects if aspect.tag == value.text)
        return next((GraphPart(PartKind.ASPECT, found) for found in tagged), None)
    kind = _PARTS.get(value.role)
    if kind is None or collection_of(view.graph, kind).reading(value.text) is None:
        return None
    return GraphPart(kind, value.text)


def file_of(graph: Graph, part: GraphPart) -> str:
    """Return the file that declares a part."""
    collection = collection_of(graph, part.kind)
    found = collection.get(part.id)
    if found is not None:
        file: str = found.file
        return file
    return collection.spec.file_of(part.id)


def declaration(view: EditorView, part: GraphPart) -> types.Location:
    """Return where a part is declared: at its name, or at the start of its file."""
    file = file_of(view.graph, part)
    found = mentions(file, view.lines(file).text)
    name = next((value for value in found if value.role is ValueRole.NAME), None)
    place = span(view, file, name.start, name.end) if name else _START
    return types.Location(view.uri(file), place)


def definition(view: EditorView, file: str, offset: int) -> list[types.Location]:
    """Return where the name or path at an offset leads; from a source file's start, to its node."""
    if not view.is_yggdrasil:
        return specs.definition(view, file, offset)
    value = value_at(view, file, offset)
    if value is None:
        owner = owner_of(view, file) if offset == 0 else None
        return [declaration(view, GraphPart(PartKind.NODE, owner))] if owner else []
    if value.role in (ValueRole.CONSUMED, ValueRole.EXTERNAL):
        target = value.target if value.role is ValueRole.CONSUMED else value.text
        return [*_consumed(view, value), *external.location(view, target)]
    if value.role is ValueRole.TYPE:
        return list(_type(view, value.text))
    if value.role in _FILES:
        path = _target(view, file, value)
        return [types.Location(view.uri(path), _line(view, value))] if path else []
    part = part_named(view, file, value)
    return [declaration(view, part)] if part else []


def owner_of(view: EditorView, file: str) -> str | None:
    """Return the node that owns a source file."""
    if not view.workspace.format.is_yggdrasil or is_inside(file, view.workspace.format.folder):
        return None
    found = Ownership(view.graph, view.workspace.sources).get(file)
    return found.node if found else None


def _consumed(view: EditorView, value: NamedValue) -> Iterator[types.Location]:
    """Yield where a consumed name is described, and where the code declares it."""
    from yg_old.yggdrasil.code.quoted_names import last_part

    node, name = view.graph.nodes.get(value.target), last_part(value.text) or value.text
    if node is None or not name:
        return
    if INTERFACE_FILE in present_names(node):
        interface = artifact(view.graph, node, INTERFACE_FILE)
        yield from _word(view, interface.source.path, name)
    yield from _in_code(view, node, name)


def _word(view: EditorView, file: str, name: str) -> Iterator[types.Location]:
    """Yield the place of the first use of a name in a text, if any; in back quotes first."""
    text, word = view.lines(file).text, re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    quoted = (word.search(text, *place.span()) for place in _QUOTED.finditer(text))
    found = next(filter(None, quoted), None) or word.search(text)
    if found:
        yield types.Location(view.uri(file), span(view, file, *found.span()))


def _in_code(view: EditorView, node: Any, name: str) -> Iterator[types.Location]:
    """Yield where the code of a node declares a public name."""
    from yg_old.code.read import FACTS
    from yg_old.yggdrasil.owners import own_files

    sources = view.workspace.sources
    for file in own_files(sources, Ownership(view.graph, sources), node):
        try:
            facts = sources.computed(file, FACTS)
        except UnreadableError:
            continue
        names = facts.signatures if facts else ()
        if any(re.split(r"\W+", full)[-1] == name for full in names):
            yield from _declared(view, file, name)
            return


def _declared(view: EditorView, file: str, name: str) -> Iterator[types.Location]:
    """Yield the place of a public name in a source file: after a keyword that declares names."""
    declared = re.compile(
        rf"(?m)^(?>[^\n#]*?\b(?:{_DECLARING})\b)[^\n]*?(?<!\w)({re.escape(name)})(?!\w)"
    )
    found = declared.search(view.lines(file).text)
    if found is None:
        yield from _word(view, file, name)
    else:
        yield types.Location(view.uri(file), span(view, file, *found.span(1)))


def _type(view: EditorView, name: str) -> Iterator[types.Location]:
    """Yield where the configuration describes a node type."""
    file = view.config_file
    if name in view.graph.config.node_types:
        text = view.lines(file).text
        found = re.search(rf"""(?m)^[^\S\n]*+(["']?{re.escape(name)}["']?)\s*+:""", text)
        place = span(view, file, *found.span(1)) if found else _START
        yield types.Location(view.uri(file), place)


def references(
    view: EditorView, file: str, offset: int, *, with_declaration: bool
) -> list[types.Location]:
    """Return every place that names the node, aspect or flow at an offset."""
    if not view.is_yggdrasil:
        return specs.references(view, file, offset, with_declaration=with_declaration)
    value = value_at(view, file, offset)
    part = part_at(view, file, offset)
    found = [declaration(view, part)] if part and with_declaration else []
    if part is not None:
        found += [_location(view, *use) for use in uses_of(view, part)]
    elif value is not None and value.role in (ValueRole.TYPE, ValueRole.EXTERNAL):
        found += [_location(view, *use) for use in _same(view, value.role, value.text)]
    elif value is None and not is_inside(file, view.workspace.format.folder):
        owner = owner_of(view, file)
        if owner is not None:
            found += _paths_to(view, owner, file)
    return found


def _location(view: EditorView, file: str, value: NamedValue) -> types.Location:
    return types.Location(view.uri(file), span(view, file, value.start, value.end))


def uses_of(view: EditorView, part: GraphPart) -> Iterator[tuple[str, NamedValue]]:
    """Yield the values that name a part, with their files."""
    if part.kind is PartKind.NODE:
        yield from _same(view, ValueRole.NODE, part.id)
    elif part.kind is PartKind.ASPECT:
        yield from _same(view, ValueRole.ASPECT, part.id)
        aspect = view.graph.aspects.get(part.id)
        if aspect is not None and aspect.tag:
            yield from _same(view, ValueRole.TAG, aspect.tag)


def _same(view: EditorView, role: ValueRole, text: str) -> Iterator[tuple[str, NamedValue]]:
    for file in _declarations(view):
        content = view.lines(file).text
        if text in content or "\\" in content:
            for value in mentions(file, content):
                if value.role is role and value.text == text:
                    yield file, value


def _declarations(view: EditorView) -> list[str]:
    """Return the files that declare something, the configuration first."""
    graph = view.graph
    found = [view.config_file]
    for kind in PartKind:
        found += [
            file_of(graph, GraphPart(kind, name)) for name in collection_of(graph, kind).ids()
        ]
    return found


def _paths_to(view: EditorView, owner: str, file: str) -> list[types.Location]:
    """Return the mapped paths of a node that cover a source file."""
    declared = file_of(view.graph, GraphPart(PartKind.NODE, owner))
    return [
        _location(view, declared, value)
        for value in mentions(declared, view.lines(declared).text)
        if value.role is ValueRole.PATH and is_inside(file, mapped_path(value.text) or "\0")
    ]


def links(view: EditorView, file: str) -> list[types.DocumentLink]:
    """Return the links of a declaration: to nodes, aspects and mapped files."""
    if not is_inside(file, view.workspace.format.folder):
        return []
    if not view.is_yggdrasil:
        return specs.links(view, file)
    found = []
    for value in mentions(file, view.lines(file).text):
        target = _target(view, file, value)
        if target:
            place = span(view, file, value.start, value.end)
            found.append(types.DocumentLink(place, view.uri(target), tooltip=target))
    return found


def _file(view: EditorView, value: NamedValue) -> str | None:
    """Return the path outside the graph that a value names."""
    match value.role:
        case ValueRole.DOCUMENT:
            return view.graph.documents.reference(value.text).path
        case ValueRole.DECISION if DIGITS.fullmatch(value.text):
            return next(iter(view.graph.decisions.files.get(int(value.text), ())), None)
        case ValueRole.PATH:
            return mapped_path(value.text)
    return None


def _line(view: EditorView, value: NamedValue) -> types.Range:
    """Return the start of the file that a value names, or of the section."""
    if value.role is not ValueRole.DOCUMENT:
        return _START
    documents = view.graph.documents
    line = documents.text(documents.reference(value.text)).first_line - 1
    return types.Range(types.Position(line, 0), types.Position(line, 0))


def _target(view: EditorView, file: str, value: NamedValue) -> str | None:
    if value.role in _FILES:
        path = _file(view, value)
        is_file = path is not None and view.workspace.sources.kind(path) is Kind.FILE
        return path if is_file else None
    if value.role is ValueRole.EXTERNAL:
        return external.file_of(view, value.text)
    if value.role not in (ValueRole.NODE, ValueRole.ASPECT, ValueRole.TAG):
        return None
    part = part_named(view, file, value)
    return file_of(view.graph, part) if part else None


def symbols(view: EditorView, query: str) -> list[types.WorkspaceSymbol]:
    """Return the nodes, aspects and flows whose ids have the letters of a query in order."""
    wanted = query.casefold()
    if not view.is_yggdrasil:
        found = [
            ("node", name, specs.file_of(view, name)) for name in view.workspace.queries.all_ids()
        ]
    else:
        found = [
            (str(kind), name, file_of(view.graph, GraphPart(kind, name)))
            for kind in PartKind
            for name in collection_of(view.graph, kind).ids()
        ]
    return [
        types.WorkspaceSymbol(
            name=name,
            kind=_SYMBOLS[PartKind(kind)],
            location=types.Location(view.uri(file), _START),
            container_name=kind,
        )
        for kind, name, file in found
        if file and _has_letters(name.casefold(), wanted)
    ]


def _has_letters(name: str, wanted: str) -> bool:
    """Return whether a name has some letters in their order."""
    rest = iter(name)
    return all(letter in rest for letter in wanted)
