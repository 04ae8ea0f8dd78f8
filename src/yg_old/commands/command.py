"""Commands: a request in, a document out, and its text; the same for every surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from yg_old.commands.issues import Compared, skipped_lines
from yg_old.kernel.document import Document, document_text
from yg_old.kernel.palette import PLAIN, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from yg_old.commands.request import Request
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace

R = TypeVar("R", bound="Request[Any]")
D = TypeVar("D", bound=Document)

TEXT, JSON = "text", "json"
PAGE = 100  # entries of a list in the answer of a tool


def no_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


class Run:
    """One run of a command: the directory it works in, and the graphs that it opens."""

    def __init__(  # noqa: PLR0913
        self,
        open_graph: Callable[[str | None], OpenWorkspace],
        *,
        directory: str = ".",
        kind: str | None = None,
        on_file: Callable[[int, int], None] = no_progress,
        on_step: Callable[[str], None] | None = None,
        may_migrate: bool = True,
        now: Callable[[], str] | None = None,
    ) -> None:
        """Take a function that opens the graph; its argument is the kind to prefer, if any."""
        self._open_graph = open_graph
        self.directory = directory
        self.kind = kind  # of graph that the user asks for; None for any
        self.on_file = on_file  # called with the number of files hashed and their total
        self.on_step = on_step  # called with a line that describes a long step
        self.may_migrate = may_migrate  # whether a reading command may migrate baselines
        self.now = now  # returns the time, for texts with a time stamp; None: they have none
        self.opened: list[OpenWorkspace] = []

    @property
    def workspace(self) -> OpenWorkspace:
        """The graph, opened on first use."""
        return self.opened[-1] if self.opened else self.reopen()

    def reopen(self, kind: str | None = None) -> OpenWorkspace:
        """Open the graph in its current state; `kind` counts if the user asks for none."""
        workspace = self._open_graph(kind)
        self.opened.append(workspace)
        return workspace


class Tool(Struct, frozen=True, kw_only=True):
    """The tool with which agents run a command."""

    title: str
    name: str = ""  # if not that of the command, with `-ACTION` for an action
    when: str  # when to use it, and what it returns
    when_in_specs: str | None = ""  # the same for a Spec Graph, if it differs; None: not there
    only_in_specs: bool = False
    limit: int | None = None  # entries of a list, unless asked otherwise; None: all
    levels: int = 1  # of its output schema: the document; 2: with the entries of its lists
    levels_in_specs: int | None = None
    documents: tuple[type[Document], ...] = ()  # if it cannot return all of the command's
    formats: tuple[str, ...] = ()  # forms of the text to choose from
    formats_about: str = ""
    formats_about_in_specs: str = ""
    writes: bool = False


def nothing(_document: Document, _palette: Palette) -> str:
    """Return an empty text, for an answer without notes."""
    return ""


def warnings(notes: Iterable[str], palette: Palette) -> str:
    """Write notes as warnings."""
    return "".join(f"{palette.yellow('warning:')} {visible(note)}\n" for note in notes)


def standard_notes(document: Document, palette: Palette) -> str:
    """Write the notes of a document, and the entries that were skipped."""
    notes: Sequence[str] = getattr(document, "notes", ())
    since = getattr(document, "since", None)
    compared = since.notes if isinstance(since, Compared) else ()
    skipped = skipped_lines(getattr(document, "skipped", ()), palette)
    return warnings((*notes, *compared), palette) + skipped


class Command(Struct, Generic[R, D], frozen=True, kw_only=True):
    """A command: how it is asked, how it answers, and how the answer is written."""

    request: type[R]
    # With which it can answer; a function if not every answer needs to import them.
    documents: tuple[type[Document], ...] | Callable[[], tuple[type[Document], ...]]
    ask: Callable[[Run, R], D]
    text: Callable[[D, Palette], str] | None = None  # None: there is no such form
    forms: Mapping[str, Callable[[Any, Palette], str]] = {}  # other than text and JSON, by name
    formats: tuple[str, ...] = (TEXT, JSON)  # to choose from with --format, the default first
    files: Mapping[str, Callable[[Any], bytes]] = {}  # forms that are not text, by name
    notes: Callable[[D, Palette], str] = standard_notes  # on stderr, except with JSON
    remarks: Callable[[D, Palette], str] = nothing  # on stderr with every form
    title: str = ""  # of its schema, if several documents share it
    epilog: str | Callable[[], str] = ""  # of its help
    tool: Tool | None = None

    @property
    def all_documents(self) -> tuple[type[Document], ...]:
        """All documents with which it can answer."""
        return self.documents if isinstance(self.documents, tuple) else self.documents()

    def written(self, document: D, form: str = "", palette: Palette = PLAIN) -> str:
        """Write a document in a form, or in its usual one."""
        form = form or document.form
        if form == JSON:
            return document_text(document)
        write = self.text if form == TEXT and self.text else self.forms[form]
        return write(document, palette)

    def content(self, document: D, form: str) -> bytes:
        """Return a form as the content of a file."""
        if form in self.files:
            return self.files[form](document)
        return self.written(document, form).encode("utf-8", "backslashreplace")

    def beside(self, document: D, form: str = "", palette: Palette = PLAIN) -> str:
        """Write what goes to stderr beside a form."""
        notes = "" if form == JSON else self.notes(document, palette)
        return notes + self.remarks(document, palette)


class Place(Struct, frozen=True, kw_only=True):
    """Where a server works: a directory, the kind of graph asked for, and its index or none."""

    directory: str
    kind: str | None
    uses_index: bool


class Server(Struct, Generic[R], frozen=True, kw_only=True):
    """A command that serves clients until they are gone, and returns its exit code."""

    request: type[R]
    serve: Callable[[Place, R], int]
    all_documents: tuple[type[Document], ...] = ()  # which it serves
    formats: tuple[str, ...] = ()  # there is no answer to print
    epilog: str = ""


class Actions(Struct, frozen=True, kw_only=True):
    """A command that does one of several things, each a command of its own: `yg NAME ACTION`.

    The operands of an action are single words. Options with the same name are the same option.
    """

    actions: Mapping[str, Command[Any, Any]]
    formats: tuple[str, ...] = (TEXT, JSON)
    epilog: str = ""  # of its help

    @property
    def all_documents(self) -> tuple[type[Document], ...]:
        """The documents with which its actions can answer."""
        found = (kind for command in self.actions.values() for kind in command.all_documents)
        return tuple(dict.fromkeys(found))
