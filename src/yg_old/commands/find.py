"""`yg find`: search the texts of the graph, and the names of its code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from yg_old.commands.command import Command, Tool, standard_notes
from yg_old.commands.issues import SkippedEntries, skipped_data
from yg_old.commands.request import Argument, Operand, Option, Request, Revision
from yg_old.kernel.document import Count, Document, File, Positive, Record, Text, about
from yg_old.kernel.errors import UsageError
from yg_old.kernel.find import Found, Query, Scope, Unknown, parse_query
from yg_old.kernel.find_lines import excerpt, marks
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted
from yg_old.workspace.searching import code_names, search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.code.name_search import FoundName

FEW = 20  # results, unless another number is asked for
FEW_NAMES = 10  # of code
CODE = "code"
PLACES = {"aspects": "aspect", "flows": "flow", CODE: ""}  # to search in, with the kinds of texts


def joined(words: Sequence[str]) -> str:
    """Return the words of a command line as one query."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """Put an argument with blanks in quotes: the shell has removed them."""
    if '"' in word or len(word.split()) == 1:
        return word
    minus = "-" if word.startswith("-") else ""
    return f'{minus}"{word.removeprefix("-")}"'


class FindRequest(Request["Search"], frozen=True, kw_only=True):
    """What to search for, and where."""

    words: Annotated[
        str,
        Operand(
            "WORD",
            'word, "a phrase", prefix* or -word to leave out',
            join=joined,
            may_exclude=True,
        ),
        Argument(
            'Words, "a phrase", prefix*, or -word to leave out.',
            "payment refund*",
            example_in_specs="sign in*",
        ),
    ]
    kind_of: Annotated[
        Literal["node", "aspect", "flow", "decision"] | None,
        Option(metavar="KIND", help="only in one of: node, aspect, flow, decision"),
        Argument("Only in nodes, aspects, flows or decisions.", "aspect", in_specs=None),
    ] = None
    inside: Annotated[
        str | None,
        Option(
            names=("--in",),
            metavar="PLACE",
            help="only in this node and those inside it, or in one of: aspects, flows, code",
        ),
        Argument(
            "Only in this node and those inside it, or in aspects, flows or code.",
            "orders",
            "in",
            in_specs=None,
        ),
    ] = None
    limit: Annotated[
        Positive,
        Option(metavar="N", help=f"maximum number of documents (default {FEW})"),
        Argument(f"Maximum documents (default {FEW}).", 5, most=1_000),
    ] = FEW
    all: Annotated[
        bool,
        Option(help="show all documents, lines and names"),
        Argument("All documents, lines and names."),
    ] = False
    at: Revision = None

    def check(self) -> None:
        """Raise UsageError for two places."""
        if self.inside is not None and self.kind_of is not None:
            raise UsageError("--in cannot be combined with --kind-of")


class FoundPart(Record, frozen=True, kw_only=True):
    """A part of the source code whose name matches."""

    path: File
    line: Annotated[Positive, about("Its first line, from 1.")]
    name: Annotated[Text, about("Its qualified name.")]
    header: Annotated[Text, about("Its header on one line; its name if it is not public.")]
    node: Annotated[Text, about("The node that owns the file.")]


class Search(Document, frozen=True, kw_only=True, tag="yg-find/1"):
    """What `yg find --json` prints: the documents that match a query, the best first."""

    HIDDEN = ("query",)

    words: Annotated[
        tuple[Text, ...],
        Meta(min_length=1),
        about("The words and phrases of the query, in lower case."),
    ]
    excluded: Annotated[tuple[Text, ...], about("The words and phrases that must not occur.")]
    complete: Annotated[
        bool, about("Whether all words occur in each document; if not, as many as in any document.")
    ]
    total: Annotated[Count, about("The number of documents that match.")]
    results: Annotated[tuple[Found, ...], about("The best of them, in order.")]
    names_total: Annotated[Count, about("The number of parts of the code whose names match.")]
    names: Annotated[tuple[FoundPart, ...], about("The best of them, in order.")]
    unknown: Annotated[
        tuple[Unknown, ...],
        about("If no document has all words: the words that occur in none."),
    ]
    skipped: SkippedEntries
    query: Query

    @property
    def exit_code(self) -> int:
        """Whether nothing was found."""
        return 0 if self.results or self.names else 1


def ask(run: Run, request: FindRequest) -> Search:
    """Search the names, paths and texts of the graph, or of a part of it, and names of the code."""
    query = parse_query(request.words)
    workspace = run.workspace
    if request.kind_of not in (None, "node"):
        workspace.require_yggdrasil(f"a search in {request.kind_of}s")
    scope = _scope(workspace, request)
    limit = None if request.all else request.limit
    found = None
    if request.inside != CODE:
        found = search(workspace, query, limit, scope, shows_all=request.all)
    names = _names(workspace, query, scope) if _has_names(workspace, request) else []
    most = None if request.all or request.inside == CODE else FEW_NAMES
    return Search(
        words=tuple(term.text for term in query.wanted),
        excluded=tuple(term.text for term in query.excluded),
        complete=found is None or not found.is_partial,
        total=found.total if found else 0,
        results=found.found if found else (),
        names_total=len(names),
        names=tuple(_parts(workspace, names[:most])),
        unknown=found.unknown if found else (),
        skipped=skipped_data(found.unread if found else ()),
        query=query,
    )


def _scope(workspace: OpenWorkspace, request: FindRequest) -> Scope:
    """Return the texts to search."""
    place = request.inside
    if place is None:
        return Scope(kind=request.kind_of or "")
    workspace.require_yggdrasil("a search in one place (--in)")
    if place in PLACES:
        return Scope(kind=PLACES[place])
    node = workspace.find(place.rstrip("/") or place)
    return Scope(kind="node") if node == "." else Scope(kind="node", node=node)


def _has_names(workspace: OpenWorkspace, request: FindRequest) -> bool:
    """Tell whether names of code are wanted: those of a commit only if asked for."""
    if request.kind_of is not None or not workspace.format.is_yggdrasil:
        return False
    if request.inside in PLACES:
        return request.inside == CODE
    return workspace.is_written


def _names(workspace: OpenWorkspace, query: Query, scope: Scope) -> list[FoundName]:
    from yg_old.yggdrasil.code.name_search import find_names

    return find_names(code_names(workspace), query, scope.node)


def _parts(workspace: OpenWorkspace, names: Sequence[FoundName]) -> Iterator[FoundPart]:
    """Yield parts with their headers; each file is read once."""
    from yg_old.code.read import facts_of

    read = {path: facts_of(workspace.sources, path) for path in {name.path for name in names}}
    for found in names:
        facts = read[found.path]
        signature = facts.signatures.get(found.name) if facts else None
        yield FoundPart(
            path=found.path,
            line=found.line,
            name=found.name,
            header=signature.header if signature else found.name,
            node=found.node,
        )


def text(search: Search, palette: Palette) -> str:
    """Write the lines of each document that was found, then the names, the best first."""
    return "".join(_lines(search, palette))


def _lines(search: Search, palette: Palette) -> Iterator[str]:
    if not search.complete:
        yield f"No text has all of: {', '.join(map(visible, search.words))}\n"
    for found in search.results:
        yield from _entry(search.query, found, palette)
    yield from _rest(search.total - len(search.results), "document", palette)
    for part in search.names:
        place = f"{visible(part.path)}:{part.line}"
        header = _marked(search.query, excerpt(part.header, search.query), palette)
        yield f"{palette.dim(place)}  {header}  ({visible(part.node)})\n"
    yield from _rest(search.names_total - len(search.names), "name", palette)


def _rest(number: int, noun: str, palette: Palette) -> Iterator[str]:
    if number:
        yield palette.dim(f".. and {counted(number, f'more {noun}')} (--all)") + "\n"


def _entry(query: Query, found: Found, palette: Palette) -> Iterator[str]:
    place = f"{visible(found.document)}:{found.line}"
    line = _marked(query, found.text, palette)
    yield f"{palette.bold(visible(found.path))}  {palette.dim(place)}  {line}\n"
    for other in found.others:
        line = _marked(query, other.text, palette)
        yield f"  {palette.dim(f':{other.line}')}  {line}\n"
    if found.hidden:
        yield "  " + palette.dim(f".. and {counted(found.hidden, 'more line')}") + "\n"


def _marked(query: Query, line: str, palette: Palette) -> str:
    """Write a line with the words that the query asks for in colour."""
    if not palette.is_on:
        return visible(line)
    pieces, done = [], 0
    for start, end in marks(line, query):
        pieces += [visible(line[done:start]), palette.red(visible(line[start:end]))]
        done = end
    return "".join((*pieces, visible(line[done:])))


def _notes(search: Search, palette: Palette) -> str:
    """Write that nothing was found, and why, and what could not be searched."""
    return _nothing_found(search) + standard_notes(search, palette)


def _nothing_found(search: Search) -> str:
    unknown = "".join(map(_unknown_text, search.unknown))
    if search.results or search.names:
        return "" if search.complete else unknown
    if unknown:
        return f"Nothing found.\n{unknown}"
    if len(search.query.wanted) == 1 and len(search.query.wanted[0].words) > 1:
        return f"Nothing found: no text has the phrase '{visible(search.words[0])}'.\n"
    return "Nothing found: every word occurs, but no document matches the whole query.\n"


def _unknown_text(unknown: Unknown) -> str:
    near = ", ".join(map(visible, unknown.near))
    return f"  '{visible(unknown.word)}' does not occur{f'; nearest: {near}' if near else ''}\n"


COMMAND = Command(
    request=FindRequest,
    documents=(Search,),
    ask=ask,
    text=text,
    notes=_notes,
    tool=Tool(
        title="Search all texts",
        when="Use when you know a topic or an identifier but not the path. Searches all names, "
        "paths and texts of the graph, and names in the code; best match first.",
        when_in_specs="Use when you know the topic but not the id. Best match first.",
    ),
)
