"""Documents: values that are also the JSON which a command prints, and its schema.

A field has its type, its limits and its description in one annotation. Annotations are evaluated
only to generate schemas, so a document costs a command no more than its class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, to_builtins

from yg_old.text.escapes import escape_controls_in_json

if TYPE_CHECKING:
    from typing import Self, TypeVar

    from msgspec import UnsetType

    T = TypeVar("T")

_PLAIN_TYPES = frozenset((str, int, bool, float, type(None)))
UNIQUE = {"uniqueItems": True}

Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Texts = list[Text]


def about(description: str) -> Meta:
    """Describe a field."""
    return Meta(description=description)


def one_of(*values: str) -> Meta:
    """Limit a text to some values."""
    return Meta(extra_json_schema={"enum": [*values]})


File = Annotated[Text, about("The file, relative to the root of the repository.")]
Line = Annotated[Positive | None, about("The line, from 1; null for the whole file.")]
Column = Annotated[Positive | None, about("The column, from 1; null for the whole file.")]


class Record(Struct, frozen=True, kw_only=True):
    """An object in a document.

    A field that may be absent has the default UNSET; all others are required. Fields in HIDDEN are
    for the text alone: they are no part of the JSON, nor of its schema. HIDING names the fields
    that hold a record, or several, with hidden fields.
    """

    CONDITIONS: ClassVar[dict[str, Any]] = {}  # JSON Schema keywords that concern several fields
    HIDDEN: ClassVar[tuple[str, ...]] = ()
    HIDING: ClassVar[tuple[str, ...]] = ()


class Document(Record, frozen=True, kw_only=True, tag_field="schema"):
    """The result of a command; its tag is the name of its schema, its docstring the title."""

    @property
    def form(self) -> str:
        """The form that is shown unless another one is asked for."""
        return "text"

    def completed(self) -> Self:
        """Return the document with the fields that only its JSON needs."""
        return self

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if there are findings."""
        return 0


def document_name(kind: type[Document]) -> str:
    """Return the short name of a document, as in `yg-NAME/1`."""
    return str(kind.__struct_config__.tag).removeprefix("yg-").partition("/")[0]


def plain(document: Record) -> dict[str, Any]:
    """Return a document as dicts and lists; its first key is the name of its schema."""
    whole = document.completed() if isinstance(document, Document) else document
    fields: dict[str, Any] = _with_lists(_shown(whole))
    return fields


def _shown(record: Record) -> dict[str, Any]:
    """Return a record without its hidden fields."""
    kind = type(record)
    if not kind.HIDDEN and not kind.HIDING:
        return dict(to_builtins(record))
    config = kind.__struct_config__
    fields: dict[str, Any] = {config.tag_field: config.tag} if config.tag_field else {}
    for name, key in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True):
        value = getattr(record, name)
        if name in kind.HIDDEN or value is UNSET:
            continue
        if name not in kind.HIDING or value is None:
            fields[key] = value if type(value) in _PLAIN_TYPES else to_builtins(value)
        else:
            is_one = isinstance(value, Record)
            fields[key] = _shown(value) if is_one else [_shown(item) for item in value]
    return fields


def _with_lists(value: Any) -> Any:
    """Return a value with a list for each tuple; a schema bounds its depth."""
    if isinstance(value, dict):
        return {key: _with_lists(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_with_lists(item) for item in value]
    return value


def document_text(document: Document) -> str:
    """Write a document as JSON."""
    return json_text(plain(document))


def json_text(content: dict[str, Any]) -> str:
    """Write indented JSON; only control characters are escaped."""
    import json  # most runs write no JSON

    # Unlike msgspec, json writes the surrogates of file names that are not UTF-8.
    text = json.dumps(content, ensure_ascii=False, indent=2)
    return escape_controls_in_json(text) + "\n"


def known(value: T | None) -> T | UnsetType:
    """Omit a field that is None because this kind of graph does not have it."""
    return UNSET if value is None else value
