"""Render a table of an Export as Parquet, with pyarrow from the extra `parquet`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg_old.kernel.extras import needs_extra
from yg_old.text.escapes import storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

    from yg_old.commands.export.tables import Item

_LISTS = ("aspects", "mapping", "excluded", "consumes", "exceptions")


def parquet_table(columns: Sequence[str], items: Iterable[Item]) -> bytes:
    """Write a table; unlike in CSV, lists stay lists."""
    arrow, parquet = _packages()
    rows = list(items)
    fields = [arrow.field(name, _type(arrow, name)) for name in columns]
    arrays = [
        arrow.array([_value(getattr(row, field.name)) for row in rows], field.type)
        for field in fields
    ]
    buffer = arrow.BufferOutputStream()
    parquet.write_table(arrow.Table.from_arrays(arrays, schema=arrow.schema(fields)), buffer)
    written: bytes = buffer.getvalue().to_pybytes()
    return written


def _packages() -> tuple[ModuleType, ModuleType]:
    with needs_extra("the format 'parquet'", "parquet"):
        import pyarrow as pa
        from pyarrow import parquet
    return pa, parquet


def _type(arrow: ModuleType, name: str) -> Any:
    if name in _LISTS:
        return arrow.list_(arrow.string())
    return {"blackbox": arrow.bool_(), "tokens": arrow.int64()}.get(name, arrow.string())


def _value(value: object) -> object:
    if isinstance(value, tuple):
        return [storable(text) for text in value]
    return storable(str(value)) if isinstance(value, str) else value
