"""Spec Graphs in an editor: a string of a JSON file that is the id of a node refers to it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from lsprotocol import types

from yg_old.specgraph.model import LinkKind
from yg_old.surfaces.lsp.diagnostics import span
from yg_old.text.paths import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.surfaces.lsp.session import EditorView

    Mention = tuple[str, int, int]  # an id, and where its string begins and ends

_START = types.Range(types.Position(0, 0), types.Position(0, 0))
_STRING = re.compile(r'"((?:[^"\\\n]|\\.){0,500})"')  # no id is longer
# The text up to the cursor, if that is in a list of links or in the value of `root`.
_LINKS = re.compile(rf'"(?:{"|".join(LinkKind)})"\s*:\s*\[([^\[\]{{}}]*)\Z')
_ROOT = re.compile(r'"root"\s*+:\s*+("?[^"\[\]{},]*+)\Z')
_REST = re.compile(r'[^"\n,\]}]*"?')


def file_of(view: EditorView, node: str) -> str | None:
    """Return the file of a node."""
    reference = view.workspace.specs.references.get(node)
    return reference.file or None if reference else None


def _mentions(view: EditorView, file: str) -> Iterator[Mention]:
    """Yield the ids in a file of the graph."""
    for found in _STRING.finditer(view.lines(file).text):
        if found[1] in view.workspace.specs.references:
            yield found[1], *found.span()


def mention_at(view: EditorView, file: str, offset: int) -> Mention | None:
    """Return the id at an offset of a file of the graph."""
    if not is_inside(file, view.workspace.format.folder):
        return None
    return next((found for found in _mentions(view, file) if found[1] <= offset <= found[2]), None)


def definition(view: EditorView, file: str, offset: int) -> list[types.Location]:
    """Return the file of the node whose id is at an offset."""
    found = mention_at(view, file, offset)
    target = file_of(view, found[0]) if found else None
    return [types.Location(view.uri(target), _START)] if target else []


def references(
    view: EditorView, file: str, offset: int, *, with_declaration: bool
) -> list[types.Location]:
    """Return every place that names the node whose id is at an offset."""
    wanted = mention_at(view, file, offset)
    if wanted is None:
        return []
    own = file_of(view, wanted[0])
    files = (view.config_file, *(found.file for found in view.workspace.specs.references.values()))
    return [
        types.Location(view.uri(name), span(view, name, start, end))
        for name in dict.fromkeys(filter(None, files))
        if with_declaration or name != own
        for node, start, end in _mentions(view, name)
        if node == wanted[0]
    ]


def links(view: EditorView, file: str) -> list[types.DocumentLink]:
    """Return the links from ids in a file to the files of their nodes."""
    targets = ((found, file_of(view, found[0])) for found in _mentions(view, file))
    return [
        types.DocumentLink(span(view, file, start, end), view.uri(target), tooltip=target)
        for (_, start, end), target in targets
        if target and target != file
    ]


def described(view: EditorView, node: str) -> Iterator[str]:
    """Yield what a node is: its type, its title and its text."""
    found = view.workspace.specs.get(node)
    if found is not None:
        texts = (f"**{found.id}** ({found.kind.heading})", found.title, found.text)
        yield "\n\n".join(filter(None, texts))


def completion(view: EditorView, file: str, offset: int) -> types.CompletionList:
    """Return the ids that can be linked at an offset; each replaces the whole string."""
    items: list[types.CompletionItem] = []
    place = _string_at(view.lines(file).text, offset)
    if place is not None and is_inside(file, view.workspace.format.folder):
        replaced = span(view, file, *place)
        for reference in view.workspace.specs.references.values():
            if reference.file != file:
                written = json.dumps(reference.id, ensure_ascii=False)
                items.append(_item(view, reference.id, types.TextEdit(replaced, written)))
    return types.CompletionList(is_incomplete=False, items=items)


def _item(view: EditorView, node: str, edit: types.TextEdit) -> types.CompletionItem:
    found = view.workspace.specs.get(node)
    return types.CompletionItem(
        label=node,
        kind=types.CompletionItemKind.Class,
        detail=found.title or None if found else None,
        filter_text=edit.new_text,
        text_edit=edit,
    )


def _string_at(text: str, offset: int) -> tuple[int, int] | None:
    """Return where the id at an offset begins and ends, even if it is not complete."""
    found = _LINKS.search(text, 0, offset) or _ROOT.search(text, 0, offset)
    if found is None:
        return None
    if found[1].count('"') % 2:
        start = text.rindex('"', 0, offset)
        rest = _REST.match(text, offset)
        return start, rest.end() if rest else offset
    is_between = found[1].rstrip()[-1:] in ("", ",")
    return (offset, offset) if is_between else None
