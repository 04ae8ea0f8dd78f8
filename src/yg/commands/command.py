"""Commands: a request in, a document out, and its text; the same for every surface.

Each field of a request or a document is described once, in its annotation. Command lines, JSON,
JSON Schemas, tools and the Python API follow from these classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import UNSET, Meta, Struct, UnsetType, field, json, to_builtins

from yg.kernel.issue import Issue, Place
from yg.text.escapes import escape_controls_in_json
from yg.text.paths import is_inside

if TYPE_CHECKING:
    from msgspec.structs import FieldInfo

    from yg.commands.workspace import Workspace
    from yg.kernel.errors import YgError
    from yg.kernel.issue import Finding
    from yg.kernel.palette import Palette
    from yg.yggdrasil.graph import Graph

R = TypeVar("R", bound="Request")
D = TypeVar("D", bound="Document")

TEXT, JSON = "text", "json"
NODE_HINT = "Give its path; 'yg tree' lists all nodes."  # for a node that is missing


class Request(Struct, frozen=True, kw_only=True):
    """What can be asked of a command; a field without a default is required.

    Fields are of type `str`, `int`, `bool`, a StrEnum or a tuple of such values, maybe `| None`,
    annotated with `operand()` or `option()`. What single fields cannot express is checked by `ask`,
    which raises UsageError.
    """


def operand(
    metavar: str,
    description: str,
    *,
    flag: str | None = None,
    hint: str = "",
    reads_input: bool = False,
) -> Meta:
    """Describe a field that is given by its position, or with a flag: `--node` for NODE.

    With an empty flag it is given by its position alone. The hint says what to give if it is
    missing. With `reads_input`, the operand `-` stands for the lines of standard input.
    """
    flag = f"--{metavar.lower()}" if flag is None else flag
    flags = (flag,) if flag else ()
    extra = {"operand": metavar, "flags": flags, "hint": hint, "reads_input": reads_input}
    return Meta(description=description, extra=extra)


def option(
    description: str,
    metavar: str = "",
    *,
    flags: tuple[str, ...] = (),
    const: str | None = None,
) -> Meta:
    """Describe a field that is given with a flag: `--name`, unless other flags are given.

    `const` is the value of the flag without an argument, if it may stand alone.
    """
    extra = {"metavar": metavar, "flags": flags, "const": const}
    return Meta(description=description, extra=extra)


class Parameter(Struct, frozen=True):
    """A field of a request, as its annotation describes it."""

    name: str
    type: type  # of a single value
    repeats: bool  # whether it is a tuple of such values
    least: int  # if it is a number
    default: Any
    is_required: bool
    description: str
    extra: dict[str, Any]  # what `operand()` or `option()` says besides

    @property
    def choices(self) -> tuple[str, ...]:
        """Its values, if the type lists them."""
        return tuple(map(str, self.type)) if issubclass(self.type, StrEnum) else ()


def parameters(request: type[Request]) -> tuple[Parameter, ...]:
    """Return the parameters of a request, in order."""
    from msgspec.structs import fields

    hints = get_type_hints(request, include_extras=True)
    return tuple(_parameter(field, hints[field.name]) for field in fields(request))


def _parameter(field: FieldInfo, hint: Any) -> Parameter:
    described, least, repeats = Meta(), 0, False
    while origin := get_origin(hint):
        kinds = [part for part in get_args(hint) if part is not NoneType]
        for meta in kinds[1:] if origin is Annotated else ():
            described = meta if meta.description else described
            least = meta.ge or least
        repeats = repeats or origin is tuple
        hint = kinds[0]
    return Parameter(
        name=field.name,
        type=hint,
        repeats=repeats,
        least=least,
        default=field.default,
        is_required=field.required,
        description=described.description or "",
        extra=described.extra or {},
    )


Level = Annotated[int, Meta(ge=0)]  # of a tree
Revision = Annotated[str | None, option("read the graph from this commit", "REV")]


class Record(Struct, frozen=True, kw_only=True):
    """An object in a document; a field that may be absent has the default UNSET."""


class Document(Record, frozen=True, kw_only=True, tag_field="schema"):
    """The result of a command; its tag is the name of its schema, its docstring the title."""

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if there are findings."""
        return 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines for standard error beside the text, such as `warning: ..`."""
        return ()


class ErrorDocument(Document, frozen=True, kw_only=True, tag="yg-error/1"):
    """What a command prints on stderr with `--json` when it could not be done."""

    code: Annotated[str, Meta(description="The kind of error.")]
    message: Annotated[str, Meta(description="The error message.")]
    hint: Annotated[str, Meta(description="The suggested next step; may be empty.")]
    issues: Annotated[
        tuple[Issue, ...] | UnsetType,
        Meta(description="The errors of the graph that caused it; absent when there are none."),
    ] = UNSET

    @classmethod
    def of(cls, error: YgError) -> ErrorDocument:
        """Return an error as a document."""
        return cls(
            code=error.code, message=error.message, hint=error.hint, issues=error.issues or UNSET
        )


Position = Annotated[int, Meta(ge=1)]
Line = Annotated[Position | None, Meta(description="The line, from 1; null for the whole file.")]
Column = Annotated[
    Position | None, Meta(description="The column, from 1; null for the whole file.")
]
File = Annotated[str, Meta(description="The file, relative to the root of the repository.")]


class Skipped(Record, frozen=True, kw_only=True):
    """An entry left out because its file could not be read."""

    subject: Annotated[str, Meta(description="The node, aspect or flow.")]
    message: Annotated[str, Meta(description="The problem.")]
    file: File
    line: Line
    column: Column

    @classmethod
    def of(cls, finding: Finding) -> Skipped:
        """Return what was skipped as a record."""
        place = finding.place
        return cls(
            subject=finding.subject,
            message=finding.message,
            file=place.file,
            line=place.line or None,
            column=place.column or None,
        )

    @property
    def note(self) -> str:
        """The line about it on standard error."""
        place = Place(self.file, self.line or 0, self.column or 0)
        return f"skipped {self.subject}: {self.message} ({place})"


SkippedEntries = Annotated[
    tuple[Skipped, ...], Meta(description="Entries left out because they could not be read.")
]


def skipped_notes(entries: Iterable[Skipped]) -> tuple[str, ...]:
    """Return the lines about skipped entries on standard error."""
    return tuple(entry.note for entry in entries)


def skipped_below(graph: Graph, directory: str) -> tuple[Skipped, ...]:
    """Return the first problem of each file below a directory that could not be read."""
    from yg.yggdrasil.read import NO_NODE

    found: dict[str, Finding] = {}
    for problem in graph.problems:
        file = problem.finding.place.file
        is_error = problem.code.startswith("E") and problem.code != NO_NODE
        if is_error and is_inside(file, directory):
            found.setdefault(file, problem.finding)
    order = sorted(found.values(), key=lambda finding: (finding.subject, finding.place.line))
    return tuple(map(Skipped.of, order))


class Command(Struct, Generic[R, D], frozen=True):
    """A command: how it is asked, how it answers, and how the answer is written.

    Its summary and its group in the help are in the table of commands.
    """

    name: str
    request: type[R]
    documents: tuple[type[Document], ...]  # with which it can answer
    ask: Callable[[Workspace, R], D]
    text: Callable[[D, Palette], str]
    formats: Mapping[str, Callable[[D], str]] = field(default_factory=dict)  # others, by name

    @property
    def format_names(self) -> tuple[str, ...]:
        """The names of all formats, the default first."""
        return (TEXT, JSON, *self.formats)

    def write(self, document: D, form: str, palette: Palette) -> str:
        """Write a document in a format."""
        if form == TEXT:
            return self.text(document, palette)
        return json_text(document) if form == JSON else self.formats[form](document)


def json_text(content: Struct | Mapping[str, Any]) -> str:
    """Write a document as indented JSON, with control characters escaped."""
    try:
        text = json.format(json.encode(content), indent=2).decode()
    except UnicodeEncodeError:  # a file name that is not UTF-8
        from json import dumps

        plain = dumps(to_builtins(content), ensure_ascii=False, indent=2)
        text = plain.encode("utf-8", "backslashreplace").decode()
    return escape_controls_in_json(text) + "\n"
