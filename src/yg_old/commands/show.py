"""`yg show`: print parts of the source code, found by name or by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Struct, UnsetType

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.outline import SourceOutline, outline
from yg_old.commands.command import Command, Tool
from yg_old.commands.named_code import like_names, meant_parts, node_path, source_file
from yg_old.commands.request import Argument, Operand, Option, Request, Revision
from yg_old.kernel.document import Document, File, Positive, Record, Text, about
from yg_old.kernel.errors import NotFoundError
from yg_old.kernel.palette import visible
from yg_old.text.escapes import shell_word
from yg_old.text.paths import is_inside
from yg_old.text.plural import and_more, counted
from yg_old.yggdrasil.code.imports import NodeImports
from yg_old.yggdrasil.code.named_parts import NamedPart
from yg_old.yggdrasil.owners import Ownership

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.code.facts import FileFacts
    from yg_old.code.outline import OutlineEntry
    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace

LONGEST = 400  # lines of a part that is shown whole
FIRST = 50  # lines of a longer one
MOST_PLACES = 50  # of a name that are listed
LINES = re.compile(r"(.+):(\d{1,9})(?:-(\d{1,9}))?")

Node = Annotated[Text | None, about("The node that owns the file; null if none does.")]
First = Annotated[Positive, about("Its first line, with decorators and doc comment, from 1.")]
Last = Annotated[Positive, about("Its last line.")]
Name = Annotated[Text, about("Its qualified name.")]


class ShowRequest(Request["Shown"], frozen=True, kw_only=True):
    """The parts to show."""

    names: Annotated[
        tuple[str, ...],
        Operand(
            "NAME",
            "function, class or other part: quote, Cart.total, FILE::NAME, NODE::NAME, FILE:LINE",
            missing=("no name given", "Give the name of a function or class, or FILE:LINE."),
        ),
        Argument(
            "Names such as quote, Cart.total, FILE::NAME, NODE::NAME or FILE:LINE.",
            ["Cart.total", "src/shop/pricing.py:40"],
        ),
    ]
    outline: Annotated[
        bool,
        Option(help="show the headers of the parts of a file, a node or a part"),
        Argument("Only the headers of the parts of each file, node or part."),
    ] = False
    at: Revision = None


class OutlinedPart(Record, frozen=True, kw_only=True):
    """A part in an outline."""

    first: First
    last: Last
    name: Name
    header: Annotated[Text, about("Its header on one line; its name if it has none of its own.")]
    level: Annotated[int, about("How many parts of the outline it is inside of.")]


class OutlinedFile(Record, frozen=True, kw_only=True):
    """The parts of a file."""

    path: File
    node: Node
    parts: Annotated[tuple[OutlinedPart, ...], about("Its parts in the order of their lines.")]
    note: Annotated[Text | UnsetType, about("Why no parts are known.")] = UNSET


class ShownPart(Record, frozen=True, kw_only=True):
    """The source of a part; one that is declared in several places has as many."""

    path: File
    first: First
    last: Last
    name: Name
    node: Node
    header: Annotated[Text, about("Its header on one line; its name if it has none of its own.")]
    text: Annotated[
        str, about(f"Its lines as they are; the first {FIRST} if it has more than {LONGEST}.")
    ]
    outline: Annotated[
        tuple[OutlinedPart, ...] | UnsetType,
        about(f"The parts inside it, if it has more than {LONGEST} lines."),
    ] = UNSET


class PartPlace(Record, frozen=True, kw_only=True):
    """One of several parts of a name."""

    path: File
    first: First
    last: Last
    name: Name
    node: Node


class UnclearName(Record, frozen=True, kw_only=True):
    """A name that several parts have."""

    name: Annotated[Text, about("The name as given.")]
    places: Annotated[
        tuple[PartPlace, ...], about(f"The first {MOST_PLACES} parts of that name, by path.")
    ]
    total: Annotated[Positive, about("How many parts have it.")]


class MissingName(Record, frozen=True, kw_only=True):
    """A name that no part has."""

    name: Annotated[Text, about("The name as given.")]
    message: Annotated[Text, about("What was not found.")]
    hint: Annotated[str, about("What to do about it, or nothing.")]


class Shown(Document, frozen=True, kw_only=True, tag="yg-show/1"):
    """What `yg show --json` prints: parts of the source code."""

    parts: Annotated[tuple[ShownPart, ...], about("The parts, in the order of the names.")]
    files: Annotated[
        tuple[OutlinedFile, ...], about("With --outline: the outlines of files; otherwise none.")
    ]
    unclear: Annotated[tuple[UnclearName, ...], about("The names that several parts have.")]
    missing: Annotated[
        tuple[MissingName, ...],
        about("The names that no part has; if there is only one name, that is an error."),
    ]

    @property
    def exit_code(self) -> int:
        """Whether a name is not that of one part."""
        return 1 if self.unclear or self.missing else 0


def ask(run: Run, request: ShowRequest) -> Shown:
    """Find the parts of each name and read their lines."""
    run.workspace.require_yggdrasil("code of nodes")
    answer = _Answer(_Code(run.workspace), is_outline=request.outline)
    names = tuple(dict.fromkeys(request.names))
    for name in names:
        try:
            answer.add(name)
        except NotFoundError as error:
            if len(names) == 1:
                raise
            missing = MissingName(name=name, message=error.message, hint=error.hint)
            answer.missing.append(missing)
    return answer.document()


class _Answer:
    """What was found so far."""

    def __init__(self, code: _Code, *, is_outline: bool) -> None:
        self._code = code
        self._is_outline = is_outline
        self._parts: list[ShownPart] = []
        self._files: list[OutlinedFile] = []
        self._unclear: list[UnclearName] = []
        self.missing: list[MissingName] = []

    def add(self, name: str) -> None:
        """Add what a name stands for; raise NotFoundError if that is nothing."""
        if self._is_outline and (files := self._code.files(name)):
            outlined = map(self._code.outlined, files)
            is_alone = len(files) == 1
            self._files += (file for file in outlined if is_alone or file.parts or file.note)
            return
        found = self._code.parts(name)
        if len(found) > 1:
            self._unclear.append(_unclear(name, found))
        elif self._is_outline:
            self._files.append(self._code.outlined(found[0].path, found[0].name))
        else:
            self._parts += self._code.shown(found[0])

    def document(self) -> Shown:
        """Return all of it."""
        return Shown(
            parts=tuple(self._parts),
            files=tuple(self._files),
            unclear=tuple(self._unclear),
            missing=tuple(self.missing),
        )


class _Source(Struct, frozen=True):
    """A file with its facts, and the outline of its text."""

    facts: FileFacts
    outline: SourceOutline
    entries: tuple[OutlineEntry, ...]


class _Code:
    """The source files of a workspace, each read once."""

    def __init__(self, workspace: OpenWorkspace) -> None:
        self._workspace = workspace
        self._sources = workspace.sources
        self._read: dict[str, _Source] = {}
        self._ownership = Ownership(workspace.graph, workspace.sources)
        self._imports = NodeImports(workspace.graph, workspace.sources, self._ownership)

    def files(self, given: str) -> tuple[str, ...]:
        """Return the file of a path, or the files of a node; nothing if it is neither."""
        file = source_file(self._workspace, given)
        if file:
            return (file,)
        node = node_path(self._workspace, given)
        if not node:
            return ()
        owners = self._imports.owners.items()
        own = tuple(file for file, owner in owners if owner == node)
        files = own or tuple(file for file, owner in owners if is_inside(owner, node))
        if not files:
            raise NotFoundError(
                f"node '{node}' has no source file that can be read",
                hint="Only files in languages that yg reads count.",
            )
        return files

    def parts(self, given: str) -> tuple[NamedPart, ...]:
        """Return the parts that a user may mean; raise NotFoundError if there are none."""
        lines = LINES.fullmatch(given)
        if lines and (file := source_file(self._workspace, lines[1])):
            return (self._around(file, int(lines[2]), int(lines[3] or lines[2])),)
        found = meant_parts(self._workspace, self._imports, given)
        if not found:
            raise NotFoundError(f"no part of the code is named '{given}'", hint=self._hint(given))
        return found

    def _hint(self, given: str) -> str:
        if source_file(self._workspace, given) or node_path(self._workspace, given):
            return f"To see what is in it: yg show --outline {shell_word(given)}"
        return like_names(self._workspace, given) or (
            "'yg show --outline NODE' lists the parts of a node, 'yg find' searches all texts."
        )

    def _around(self, path: str, first: int, last: int) -> NamedPart:
        """Return the innermost part around some lines."""
        entries = self._source(path).entries
        inside = [entry for entry in entries if entry.first <= first and last <= entry.last]
        if inside:
            found = max(inside, key=lambda entry: entry.level)
            return NamedPart(path, found.first, found.last, found.name, self._owner(path) or "")
        before = max((entry for entry in entries if entry.last < first), key=_end, default=None)
        after = next((entry for entry in entries if entry.first > last), None)
        near = [f"{entry.name} ({entry.first}-{entry.last})" for entry in (before, after) if entry]
        where = f"line {first}" if first == last else f"lines {first}-{last}"
        raise NotFoundError(
            f"no part of {path} is at {where}",
            hint=f"Next to it: {', '.join(near)}." if near else "The file has no parts.",
        )

    def _owner(self, path: str) -> str | None:
        found = self._ownership.get(path)
        return found.node if found is not None else None

    def _source(self, path: str) -> _Source:
        """Read a file; raise NotFoundError if its parts are not known."""
        if path not in self._read:
            facts = self._imports.facts_of(path)
            if facts is None or not facts.parts:
                raise NotFoundError(f"the parts of {path} are not known: {_reason(path, facts)}")
            text = self._sources.read(path).decode("utf-8-sig")
            read = SourceOutline(path, text, facts)
            self._read[path] = _Source(facts, read, outline(facts.parts))
        return self._read[path]

    def outlined(self, path: str, within: str = "") -> OutlinedFile:
        """Return the outline of a file, or of one of its parts."""
        node = self._owner(path)
        facts = self._imports.facts_of(path)
        if facts is None or not facts.parts:
            return OutlinedFile(path=path, node=node, parts=(), note=_reason(path, facts))
        source = self._source(path)
        places = facts.parts[within].places if within else ()
        inside = [
            entry
            for entry in source.entries
            if not within
            or any(first <= entry.first and entry.last <= last for first, last in places)
        ]
        return OutlinedFile(path=path, node=node, parts=tuple(_lines(source, inside)))

    def shown(self, found: NamedPart) -> Iterator[ShownPart]:
        """Yield a part, once for each place where it is declared."""
        source = self._source(found.path)
        for entry in source.entries:
            if entry.name != found.name:
                continue
            is_long = entry.last - entry.first >= LONGEST
            last = entry.first + FIRST - 1 if is_long else entry.last
            inside = (
                inner
                for inner in source.entries
                if entry.first <= inner.first and inner.last <= entry.last and inner != entry
            )
            yield ShownPart(
                path=found.path,
                first=entry.first,
                last=entry.last,
                name=entry.name,
                node=self._owner(found.path),
                header=source.outline.header(entry),
                text=source.outline.text(entry.first, last),
                outline=tuple(_lines(source, inside)) if is_long else UNSET,
            )


def _unclear(given: str, found: Sequence[NamedPart]) -> UnclearName:
    """Return the places of a name that several parts have."""
    places = (
        PartPlace(path=p.path, first=p.first, last=p.last, name=p.name, node=p.node or None)
        for p in found[:MOST_PLACES]
    )
    return UnclearName(name=given, places=tuple(places), total=len(found))


def _end(entry: OutlineEntry) -> int:
    return entry.last


def _reason(path: str, facts: FileFacts | None) -> str:
    """Return why the parts of a file are not known."""
    language = ENDINGS.get(ending(path))
    if language is None:
        return "its language is not one that yg reads"
    return f"of {language}, yg reads only tokens" if facts else f"it cannot be read as {language}"


def _lines(source: _Source, entries: Iterable[OutlineEntry]) -> Iterator[OutlinedPart]:
    least = None
    for entry in entries:
        least = entry.level if least is None else least
        yield OutlinedPart(
            first=entry.first,
            last=entry.last,
            name=entry.name,
            header=source.outline.header(entry),
            level=entry.level - least,
        )


def text(shown: Shown, palette: Palette) -> str:
    """Write each part below a heading with its place; then the names that are not clear."""
    parts = (_part_text(part, palette) for part in shown.parts)
    files = (_file_text(file, palette) for file in shown.files)
    return "\n".join((*parts, *files, *map(_unclear_text, shown.unclear)))


def _part_text(part: ShownPart, palette: Palette) -> str:
    place = f"{visible(part.path)}:{part.first}-{part.last}"
    heading = f"### {place} {visible(part.header)}{_of(part.node)}"
    lines = part.text if part.text.endswith("\n") else f"{part.text}\n"
    if part.outline is UNSET:
        return f"{palette.bold(heading)}\n{lines}"
    rest = f"... {counted(part.last - part.first + 1 - FIRST, 'more line')}\n"
    return f"{palette.bold(heading)}\n{_outline_text(part.outline)}\n{lines}{rest}"


def _of(node: str | None) -> str:
    return f" ({visible(node)})" if node else ""


def _file_text(file: OutlinedFile, palette: Palette) -> str:
    heading = f"### {visible(file.path)}{_of(file.node)}"
    note = f"No parts: {file.note}.\n" if file.note else ""
    return f"{palette.bold(heading)}\n{_outline_text(file.parts)}{note}"


def _outline_text(parts: Iterable[OutlinedPart]) -> str:
    return "".join(
        f"{part.first}-{part.last} {'  ' * part.level}{visible(part.header)}\n" for part in parts
    )


def _unclear_text(unclear: UnclearName) -> str:
    places = "".join(
        f"  {visible(place.path)}:{place.first} {visible(place.name)}{_of(place.node)}\n"
        for place in unclear.places
    )
    rest = unclear.total - len(unclear.places)
    more = f"  {and_more(rest)}\n" if rest else ""
    head = f"'{visible(unclear.name)}' is the name of {unclear.total} parts; give FILE::NAME:\n"
    return f"{head}{places}{more}"


def _notes(shown: Shown, palette: Palette) -> str:
    """Write which names were not found."""
    return "".join(
        f"{palette.red('error:')} {visible(missing.message)}\n"
        + (f"  {visible(missing.hint)}\n" if missing.hint else "")
        for missing in shown.missing
    )


COMMAND = Command(
    request=ShowRequest,
    documents=(Shown,),
    ask=ask,
    text=text,
    notes=_notes,
    tool=Tool(
        title="Show parts of the code",
        when="Use to read a function, class or method instead of its whole file: returns exactly "
        "its lines, and the node that owns it.",
        when_in_specs=None,
    ),
)
