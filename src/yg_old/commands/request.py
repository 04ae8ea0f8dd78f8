"""Requests: what can be asked of a command, with each parameter described once.

A field of a request has its type and limits, its place on a command line (Operand or Option) and
its description for tools (Argument) in one annotation. Parsers of command lines, input schemas of
tools and the keywords of the API follow from it. Annotations are evaluated when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import NODEFAULT, Meta, Struct

from yg_old.kernel.document import Document
from yg_old.kernel.errors import UsageError
from yg_old.kernel.tokens import TOKENIZERS

if TYPE_CHECKING:
    from collections.abc import Iterable

D = TypeVar("D", bound=Document)

LARGEST = 10**9  # larger than the depth or size of any graph
HEAD = "HEAD"  # the commit that changes are compared with
NO_NODE = ("no node given", "Give its path; 'yg tree' lists all nodes.")


class Operand(Struct, frozen=True):
    """A parameter that is given by its position, and maybe also by an option."""

    metavar: str
    help: str
    option: str = ""  # an option that means the same
    option_help: str = ""  # empty: "same as METAVAR"
    missing: tuple[str, str] = NO_NODE  # message and hint if it is required and not given
    reads_input: bool = False  # whether `-` stands for the lines of standard input
    join: Callable[[Sequence[str]], str] | None = None  # makes one text of several words
    may_exclude: bool = False  # whether a word may begin with a minus sign
    choices: Sequence[str] = ()  # if the type does not list them
    reads: Callable[[str], Any] = str  # makes a value of a word


class Option(Struct, frozen=True, kw_only=True):
    """A parameter that is given by an option; a boolean one is a flag.

    One that repeats may have an operand as well: then both make one list, in the order given.
    """

    help: str
    metavar: str | None = None
    names: tuple[str, ...] = ()  # if not the name of the field
    choices: Sequence[str] = ()  # if the type does not list them
    const: str | None = None  # the value without an argument, which is optional then
    takes_many: bool = False  # whether one option may have several values
    short_for: tuple[str, str, str] | None = None  # an option for one value: name, value, help
    can_negate: bool = False  # whether there is a `--no-` form
    reads_input: bool = False  # whether `-` stands for the lines of standard input
    reads_file: bool = False  # whether the value is the content of the named file, `-` for input
    reads: Callable[[str], Any] = str  # makes a value of a word


class Argument(Struct, frozen=True):
    """A parameter of a tool; one that repeats may have several, whose values are joined."""

    about: str | Callable[[], str]
    example: Any = True  # a flag needs no other one
    name: str = ""  # if not the name of the field
    most: int | None = None  # of a number
    is_single: bool = False  # whether it takes one value of a parameter that repeats
    reads: Callable[[str], Any] = str  # makes a value of each text, if the parameter repeats
    in_specs: str | None = ""  # the description in Spec Graphs; None: not offered there
    example_in_specs: Any = None


class Request(Struct, Generic[D], frozen=True, kw_only=True):
    """What can be asked of a command that answers with a document D."""

    @property
    def form(self) -> str:
        """The form of the text that the parameters ask for; empty for the usual one."""
        return ""

    def check(self) -> None:
        """Raise UsageError if the parameters exclude each other."""

    def check_format(self, name: str) -> None:
        """Raise UsageError if the parameters exclude an output format."""


Depth = Annotated[int, Meta(ge=0)]
Revision = Annotated[str | None, Option(metavar="REV", help="read the graph from this commit")]
SinceRevision = Annotated[
    str | None,
    Option(metavar="REV", help="only what is new since the last common commit of REV and HEAD"),
    Argument("Only what is new since the last common commit of this revision and HEAD.", "main"),
]
Tokenizer = Annotated[
    str | None,
    Option(
        metavar="NAME",
        choices=TOKENIZERS,
        help="count tokens with NAME; needs the extra 'tokens'",
    ),
]
Output = Annotated[
    str | None, Option(names=("-o", "--output"), metavar="FILE", help="write to this file")
]
DryRun = Annotated[
    bool,
    Option(help="show the edits without writing them"),
    Argument("Check and show the edits; write nothing."),
]
LongText = Annotated[str, Meta(max_length=1_000_000)]  # as it is written to a file


def check_since(since: str | None, at: str | None = None) -> None:
    """Raise UsageError for an empty revision, or one to compare another commit with."""
    if since == "":
        raise UsageError("empty commit name")
    if since is not None and at is not None:
        raise UsageError(
            "--since cannot be combined with --at", hint="--since is about the work tree."
        )


class Parameter(Struct, frozen=True, kw_only=True):
    """A field of a request, with what its annotation says."""

    name: str
    type: type  # str, int, float, bool or dict
    repeats: bool  # whether it is a tuple of such values
    default: Any
    is_required: bool
    choices: tuple[str, ...] = ()
    enum: Callable[[str], Enum] | None = None  # the class of its values, if they have names
    least: float | None = None
    most: float | None = None
    longest: int | None = None  # characters, if more than a name may have
    operand: Operand | None = None
    option: Option | None = None
    arguments: tuple[Argument, ...] = ()

    @property
    def is_flag(self) -> bool:
        """Whether it is on or off."""
        return self.type is bool

    def value(self, given: Any) -> Any:
        """Return what is given as a value of the field; None if nothing is."""
        if given is None:
            return None
        if self.repeats:
            return tuple(given if self.enum is None else map(self.enum, given))
        return given if self.enum is None else self.enum(given)


def parameters(request: type[Request[Any]]) -> tuple[Parameter, ...]:
    """Return the parameters of a request in the order of its fields."""
    return _parameters(request)


@cache
def _parameters(request: Any) -> tuple[Parameter, ...]:
    hints = get_type_hints(request, include_extras=True)
    names = request.__struct_fields__
    defaults = request.__struct_defaults__
    values = (*[NODEFAULT] * (len(names) - len(defaults)), *defaults)
    return tuple(
        _parameter(name, hints[name], default) for name, default in zip(names, values, strict=True)
    )


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    kind, metas, repeats = _unwrapped(hint)
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    is_enum = isinstance(kind, type) and issubclass(kind, Enum)
    if is_enum:
        choices = tuple(member.value for member in kind)
    limits = [meta for meta in metas if isinstance(meta, Meta)]
    operand, option = _first(metas, Operand), _first(metas, Option)
    for place in (operand, option):
        if place is not None and place.choices:
            choices = tuple(place.choices)
    return Parameter(
        name=name,
        type=kind if kind in (int, float, bool, dict) else str,
        repeats=repeats,
        default=None if default is NODEFAULT else default,
        is_required=default is NODEFAULT,
        choices=choices,
        enum=kind if is_enum else None,
        least=next((meta.ge for meta in limits if meta.ge is not None), None),
        most=next((meta.le for meta in limits if meta.le is not None), None),
        longest=next((meta.max_length for meta in limits if meta.max_length is not None), None),
        operand=operand,
        option=option,
        arguments=tuple(meta for meta in metas if isinstance(meta, Argument)),
    )


def _unwrapped(hint: Any) -> tuple[Any, list[Any], bool]:
    """Return the innermost type of a field, what is said about it, and whether it repeats."""
    metas: list[Any] = []
    repeats = False
    while True:
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            metas.extend(arguments[1:])
            hint = arguments[0]
        elif origin is tuple:
            repeats = True
            hint = arguments[0]
        elif origin is dict:
            return dict, metas, repeats
        elif origin is not None and origin is not Literal:  # `X | None`
            hint = next(part for part in arguments if part is not NoneType)
        else:
            return hint, metas, repeats


M = TypeVar("M")


def _first(metas: Iterable[Any], kind: type[M]) -> M | None:
    return next((meta for meta in metas if isinstance(meta, kind)), None)
