"""JSON schemas, generated from the shapes of the documents."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import schema as plain_schema

from yg_old.commands.command import Command
from yg_old.commands.issues import ErrorDocument
from yg_old.commands.table import COMMANDS
from yg_old.kernel.document import Document, Record, document_name, json_text
from yg_old.kernel.errors import NotFoundError
from yg_old.text.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.commands.command import Actions, Server

Schema = dict[str, Any]

PLACE = "#/$defs/"  # of definitions
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TAGS = {"schema": "The name of this schema.", "edit": "The kind of edit."}
SCALARS = (str, int, float, bool)
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


class DocumentSchema(Struct, frozen=True):
    """The schema of the documents with one name; they have one of several shapes."""

    name: str  # as in the documents: `yg-tree/1`
    title: str
    shapes: tuple[type[Document], ...]

    @property
    def names(self) -> tuple[str, str, str]:
        """The names by which users find it: `yg-tree/1`, `yg-tree` and `tree`."""
        return self.name, self.name.partition("/")[0], document_name(self.shapes[0])

    def describe(self, parts: Parts) -> Schema:
        """Return the schema without the definitions that it refers to."""
        if len(self.shapes) == 1:
            whole = {**parts.object(self.shapes[0])}
            del whole["description"]
        else:
            either = [parts.schema(shape) for shape in self.shapes]
            tag = _tag(self.shapes[0])
            whole = {"properties": tag, "required": [*tag], "oneOf": either}
        return {"$schema": DRAFT, "$id": self.name, "title": self.title, **whole}

    def content(self) -> Schema:
        """Return the whole schema."""
        parts = Parts()
        return {**self.describe(parts), **parts.definitions()}

    def text(self) -> str:
        """Return the whole schema as the text of a file."""
        return json_text(self.content())


def schema_of(shape: type[Document]) -> DocumentSchema:
    """Return the schema of documents that have one shape; its docstring is the title."""
    return DocumentSchema(str(shape.__struct_config__.tag), shape.__doc__ or "", (shape,))


def schemas_of(
    command: Command[Any, Any] | Actions | Server[Any], documents: Sequence[type[Document]] = ()
) -> Iterator[DocumentSchema]:
    """Yield the schemas of some documents of a command, or of all; with a title they share one."""
    shapes = tuple(documents or command.all_documents)
    if isinstance(command, Command) and command.title:
        yield DocumentSchema(str(shapes[0].__struct_config__.tag), command.title, shapes)
    else:
        yield from map(schema_of, shapes)


def all_schemas() -> tuple[DocumentSchema, ...]:
    """Return the schemas of all documents, by name."""
    found = [schema_of(ErrorDocument)]
    for entry in COMMANDS:
        found += schemas_of(entry.load_all())
    by_name = {schema.name: schema for schema in found}
    return tuple(by_name[name] for name in sorted(by_name))


def find_schema(name: str) -> DocumentSchema:
    """Return the schema with a name, of which the prefix and the number may be left out."""
    known = all_schemas()
    found = [schema for schema in known if name in schema.names]
    if len(found) != 1:
        near = nearest(name, [schema.name for schema in known])
        hint = did_you_mean(near) or "'yg explain --schema' lists all schemas."
        raise NotFoundError(f"there is no schema '{name}'", hint=hint)
    return found[0]


def schema_files() -> dict[str, str]:
    """Return the texts of all schemas by the names of their files in the package."""
    return {
        f"{schema.name.replace('/', '.')}.schema.json": schema.text() for schema in all_schemas()
    }


def _tag(shape: type[Record]) -> Schema:
    config = shape.__struct_config__
    if config.tag_field is None:
        return {}
    return {config.tag_field: {"description": TAGS[config.tag_field], "const": config.tag}}


@cache
def _hints(shape: type[Record]) -> dict[str, Any]:
    """Evaluate the annotations of a record, except those of hidden fields."""
    keys = [name for name in shape.__struct_fields__ if name not in shape.HIDDEN]
    found: dict[str, Any] = {}
    for base in reversed(shape.__mro__):
        annotations = base.__dict__.get("__annotations__", {}).items()  # noqa: RUF063
        shown = {name: hint for name, hint in annotations if name in keys}
        if shown:
            named = {"__annotations__": shown, "__module__": base.__module__}
            found |= get_type_hints(type(base.__name__, (), named), include_extras=True)
    return found


def _optional(shape: type[Record]) -> set[str]:
    """Return the names of the fields that may be absent."""
    defaults = shape.__struct_defaults__
    names = shape.__struct_fields__[len(shape.__struct_fields__) - len(defaults) :]
    return {name for name, default in zip(names, defaults, strict=True) if default is UNSET}


def _name(shape: type[Record]) -> str:
    """Return the name of a definition: `left_out` for LeftOut."""
    return _WORD.sub("_", shape.__name__).lower().removesuffix("_record")


class Parts:
    """The definitions of one schema, in the order in which they are first referred to."""

    def __init__(self) -> None:
        self._shapes: dict[str, type[Record]] = {}

    def definitions(self) -> Schema:
        """Return `$defs`; definitions may add further ones."""
        found: Schema = {}
        while missing := [name for name in self._shapes if name not in found]:
            found |= {name: self.object(self._shapes[name]) for name in missing}
        return {"$defs": found} if found else {}

    def referred(self, reference: str) -> Schema:
        """Return the definition that a `$ref` names."""
        return self.object(self._shapes[reference.removeprefix(PLACE)])

    def object(self, shape: type[Record]) -> Schema:
        """Return the schema of a shape itself."""
        tag = _tag(shape)
        hints = _hints(shape)
        names = zip(shape.__struct_fields__, shape.__struct_encode_fields__, strict=True)
        keys = {name: key for name, key in names if name not in shape.HIDDEN}
        properties = {key: self.schema(hints[name]) for name, key in keys.items()}
        optional = _optional(shape)
        required = [key for name, key in keys.items() if name not in optional]
        return {
            "description": shape.__doc__,
            "type": "object",
            "properties": {**tag, **properties},
            "required": [*tag, *required],
            "additionalProperties": False,
            **shape.CONDITIONS,
        }

    def schema(self, kind: Any) -> Schema:
        """Return the schema of a type."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is None:
            return self._class(kind)
        if origin is Annotated:
            return self._annotated(arguments[0], arguments[1:])
        if origin is Literal:
            return _values(arguments)
        if origin in (list, tuple):
            return {"type": "array", "items": self.schema(arguments[0])}
        if origin is dict:
            return self._map(*arguments)
        return self._union([part for part in arguments if part is not UnsetType])

    def _class(self, kind: Any) -> Schema:
        if kind is Any:
            return {}
        if issubclass(kind, Enum):
            return _values([member.value for member in kind])
        if not issubclass(kind, Record):
            return plain_schema(kind)
        name = _name(kind)
        if self._shapes.setdefault(name, kind) is not kind:
            raise ValueError(f"two shapes are named {name}")
        return {"$ref": f"{PLACE}{name}"}

    def _annotated(self, kind: Any, metas: tuple[Meta, ...]) -> Schema:
        """Add limits and the description; the outermost description holds."""
        if kind in SCALARS:  # the type comes first
            schema = {"type": "", **plain_schema(Annotated[kind, *metas])}
        else:
            schema = self.schema(kind)
            for meta in metas:
                schema |= {} if meta.min_length is None else {"minItems": meta.min_length}
                schema |= meta.extra_json_schema or {}
        described = [meta.description for meta in metas if meta.description]
        if described:
            schema = {"description": "", **schema} | {"description": described[-1]}
        if "enum" in schema or "const" in schema:
            schema.pop("type", None)
        return schema

    def _union(self, kinds: list[Any]) -> Schema:
        schemas = [self.schema(kind) for kind in kinds if kind is not NoneType]
        if len(schemas) == len(kinds):
            return schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
        if len(schemas) == 1 and "type" in schemas[0]:
            return {**schemas[0], "type": [schemas[0]["type"], "null"]}
        if len(schemas) == 1 and "enum" in schemas[0]:
            return {**schemas[0], "enum": [*schemas[0]["enum"], None]}
        return {"oneOf": [*schemas, {"type": "null"}]}

    def _map(self, key: Any, value: Any) -> Schema:
        names = {name: limit for name, limit in self.schema(key).items() if name != "type"}
        limits = {"propertyNames": names} if names else {}
        return {"type": "object", **limits, "additionalProperties": self.schema(value)}


def _values(values: Sequence[Any]) -> Schema:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
