"""JSON schemas, generated from the shapes of the documents."""

from __future__ import annotations

import json
import re
from enum import Enum
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

from msgspec import UNSET, Meta, UnsetType, structs

from yg.render.shapes.base import Record
from yg.render.shapes.catalog import AspectsDocument, FlowsDocument
from yg.render.shapes.completions import CompletionsDocument
from yg.render.shapes.coverage import CoverageDocument
from yg.render.shapes.deps import DepsDocument
from yg.render.shapes.draft import DraftDocument
from yg.render.shapes.drift import DriftDocument, DriftSyncDocument, ReviewsDocument
from yg.render.shapes.edits import InitDocument, MoveDocument, NewDocument, WriteDocument
from yg.render.shapes.explain import ExplainDocument
from yg.render.shapes.explorer import ExplorerDocument
from yg.render.shapes.export import ExportDocument
from yg.render.shapes.find import FindDocument
from yg.render.shapes.graph_status import GraphPreflightDocument, GraphStatusDocument
from yg.render.shapes.impact import (
    AspectImpactDocument,
    DiffImpactDocument,
    FlowImpactDocument,
    NodeImpactDocument,
)
from yg.render.shapes.inventory import ImportDocument, ImportsDocument, InventoryDocument
from yg.render.shapes.issues import ErrorDocument
from yg.render.shapes.node import NodeDocument
from yg.render.shapes.owner import OwnerDocument
from yg.render.shapes.package import BuildContextDocument
from yg.render.shapes.plan import PlanDocument
from yg.render.shapes.specgraph_context import SpecContextDocument
from yg.render.shapes.status import PreflightDocument, StatusDocument
from yg.render.shapes.tree import TreeDocument
from yg.render.shapes.validate import ValidateDocument
from yg.render.shapes.verify import VerifyDocument

if TYPE_CHECKING:
    from collections.abc import Sequence

Schema = dict[str, Any]

DOCUMENTS: tuple[type[Record], ...] = (
    AspectsDocument,
    BuildContextDocument,
    CompletionsDocument,
    CoverageDocument,
    DepsDocument,
    DraftDocument,
    DriftDocument,
    DriftSyncDocument,
    ErrorDocument,
    ExplainDocument,
    ExplorerDocument,
    ExportDocument,
    FindDocument,
    FlowsDocument,
    GraphStatusDocument,
    GraphPreflightDocument,
    ImportDocument,
    ImportsDocument,
    InitDocument,
    InventoryDocument,
    MoveDocument,
    NewDocument,
    NodeDocument,
    OwnerDocument,
    PlanDocument,
    PreflightDocument,
    ReviewsDocument,
    SpecContextDocument,
    StatusDocument,
    TreeDocument,
    ValidateDocument,
    VerifyDocument,
    WriteDocument,
)
IMPACTS: tuple[type[Record], ...] = (
    NodeImpactDocument,
    AspectImpactDocument,
    FlowImpactDocument,
    DiffImpactDocument,
)
IMPACT_TITLE = "What `yg impact --json` prints: what a change can reach."
TAGS = {"schema": "The name of this schema.", "edit": "The kind of edit."}
TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def schema_files() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    schemas = [document_schema(shape) for shape in DOCUMENTS]
    schemas.append(_alternatives(IMPACT_TITLE, IMPACTS))
    return {
        f"{schema['$id'].replace('/', '.')}.schema.json": _text(schema)
        for schema in sorted(schemas, key=lambda schema: str(schema["$id"]))
    }


def _text(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def document_schema(shape: type[Record]) -> Schema:
    """Return the schema of documents that have one shape."""
    parts = _Parts()
    whole = parts.object(shape)
    title = whole.pop("description")
    return {**_head(shape, title), **whole, **parts.definitions()}


def _alternatives(title: str, shapes: tuple[type[Record], ...]) -> Schema:
    """Return the schema of documents that have one of several shapes."""
    parts = _Parts()
    either = [parts.schema(shape) for shape in shapes]
    tag = _tag(shapes[0])
    return {
        **_head(shapes[0], title),
        "properties": tag,
        "required": [*tag],
        "oneOf": either,
        **parts.definitions(),
    }


def _head(shape: type[Record], title: str) -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": shape.__struct_config__.tag,
        "title": title,
    }


def _tag(shape: type[Record]) -> Schema:
    config = shape.__struct_config__
    if config.tag_field is None:
        return {}
    return {config.tag_field: {"description": TAGS[config.tag_field], "const": config.tag}}


def _name(shape: type[Record]) -> str:
    """Return the name of a definition: `left_out` for LeftOut."""
    return _WORD.sub("_", shape.__name__).lower().removesuffix("_record")


class _Parts:
    """The definitions of one schema, in the order in which they are first referred to."""

    def __init__(self) -> None:
        self._shapes: dict[str, type[Record]] = {}

    def definitions(self) -> Schema:
        """Return `$defs`; definitions may add further ones."""
        found: Schema = {}
        while missing := [name for name in self._shapes if name not in found]:
            found |= {name: self.object(self._shapes[name]) for name in missing}
        return {"$defs": found} if found else {}

    def object(self, shape: type[Record]) -> Schema:
        """Return the schema of a shape itself."""
        fields = structs.fields(shape)
        tag = _tag(shape)
        properties = {field.encode_name: self.schema(field.type) for field in fields}
        required = [field.encode_name for field in fields if field.default is not UNSET]
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
        if origin is list:
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
            return {"type": TYPES[kind]}
        name = _name(kind)
        if self._shapes.setdefault(name, kind) is not kind:
            raise ValueError(f"two shapes are named {name}")
        return {"$ref": f"#/$defs/{name}"}

    def _annotated(self, kind: Any, metas: tuple[Meta, ...]) -> Schema:
        """Add limits and the description; the outermost description holds."""
        schema = self.schema(kind)
        for meta in metas:
            schema |= _limits(meta, is_list=schema.get("type") == "array")
            if meta.description:
                schema = {"description": "", **schema} | {"description": meta.description}
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


def _limits(meta: Meta, *, is_list: bool) -> Schema:
    """Return what a Meta says except for the description."""
    least = {"minItems" if is_list else "minLength": meta.min_length}
    limits = {"pattern": meta.pattern, "minimum": meta.ge, "maximum": meta.le, **least}
    found = {name: limit for name, limit in limits.items() if limit is not None}
    return found | (meta.extra_json_schema or {})


def _values(values: Sequence[Any]) -> Schema:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
