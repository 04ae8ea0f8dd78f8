"""Exports as CSV, parsed with the csv module."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given

from commands.export.exports import hostile_exports, small
from yg.commands.export.tables import EDGE_COLUMNS, NODE_COLUMNS, cell, edges_csv, nodes_csv
from yg.kernel.export import Export, own_vertices

NODES = """\
id,repository,kind,path,name,type,presence,description,category,severity,stability,blackbox,aspects,\
mapping,excluded,tokens,budget,drift,change
shop:node:box,shop,node,box,Box,service,present,,,,,true,,,,,,,
shop:node:gone,shop,node,gone,gone,,missing,,,,,false,,,,,,,
shop:node:top,shop,node,top,Top,module,present,,,,,false,"[""x""]",,,,,,
shop:node:top/a,shop,node,top/a,A <1>,service,present,,,,,false,,"[""src/a"", ""src/b, c""]",\
"[""*.test.ts"", ""src/a/old/""]",12000,warning,source-drift,
shop:aspect:x,shop,aspect,x,X,,present,It's so,,,,false,,,,,,,
shop:aspect:y,shop,aspect,y,y,,missing,,,,,false,,,,,,,
shop:flow:f,shop,flow,f,F,,present,,,,,false,,,,,,,
"""
EDGES = """\
id,source,target,kind,type,consumes,failure,event,exceptions,code,repository,target_repository
shop:aspect:x implies shop:aspect:y,shop:aspect:x,shop:aspect:y,implies,implies,,,,,,\
shop,shop
shop:node:box emits shop:node:top/a,shop:node:box,shop:node:top/a,event,emits,,,Done,,,\
shop,shop
shop:node:top contains shop:node:top/a,shop:node:top,shop:node:top/a,contains,contains,,,,,,\
shop,shop
shop:node:top has-aspect shop:aspect:x,shop:node:top,shop:aspect:x,has-aspect,has-aspect,,,,\
"[""Never""]",,shop,shop
shop:node:top/a calls shop:node:gone,shop:node:top/a,shop:node:gone,relation,calls,,,,,,\
shop,shop
shop:node:top/a participates shop:flow:f,shop:node:top/a,shop:flow:f,participates,participates,,,,\
,,shop,shop
shop:node:top/a uses shop:node:box,shop:node:top/a,shop:node:box,relation,uses,"[""go""]",wait,,,,\
shop,shop
"""


def test_nodes_are_one_table() -> None:
    assert nodes_csv(small()) == NODES


def test_edges_are_another() -> None:
    assert edges_csv(small()) == EDGES


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("text", "text"),
        ("nul\0", "nul\\x00"),
        (("a", "b; c"), '["a", "b; c"]'),
        ((), ""),
        (None, ""),
        (7, "7"),
        (True, "true"),
        (False, "false"),
    ],
)
def test_a_cell_is_one_text(value: object, written: str) -> None:
    assert cell(value) == written


@given(hostile_exports())
def test_every_text_comes_back_as_it_went_in(export: Export) -> None:
    tables = (
        (nodes_csv(export), NODE_COLUMNS, own_vertices(export)),
        (edges_csv(export), EDGE_COLUMNS, export.edges),
    )
    for text, columns, things in tables:
        header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        assert header == list(columns)
        assert rows == [[cell(getattr(item, name)) for name in columns] for item in things]
