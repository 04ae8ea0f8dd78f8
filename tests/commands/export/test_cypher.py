"""Exports as Cypher, parsed with a small reader of literals."""

from __future__ import annotations

import ast
import re
from typing import Any

from hypothesis import given
from msgspec.structs import asdict

from commands.export.exports import hostile_exports, relying, small
from yg.commands.export import tables as module
from yg.commands.export.tables import export_cypher
from yg.kernel.export import Export, ExportEdge, Vertex
from yg.text.escapes import storable

SMALL_ASPECTS = """\
UNWIND [
  {id: 'shop:aspect:x', repository: 'shop', kind: 'aspect', path: 'x', name: 'X', \
presence: 'present', description: 'It\\'s so', blackbox: false},
  {id: 'shop:aspect:y', repository: 'shop', kind: 'aspect', path: 'y', name: 'y', \
presence: 'missing', blackbox: false}
] AS row
MERGE (n:Yg:Aspect {id: row.id})
SET n.repository = row.repository, n.kind = row.kind, n.path = row.path, n.name = row.name, \
n.type = row.type, n.presence = row.presence, n.description = row.description, \
n.category = row.category, n.severity = row.severity, \
n.stability = row.stability, n.blackbox = row.blackbox, n.aspects = row.aspects, \
n.mapping = row.mapping, n.excluded = row.excluded, n.tokens = row.tokens, \
n.budget = row.budget, n.drift = row.drift, n.change = row.change;
"""
SMALL_USES = """\
UNWIND [
  {id: 'shop:node:top/a uses shop:node:box', source: 'shop:node:top/a', target: 'shop:node:box', \
kind: 'relation', type: 'uses', consumes: ['go'], failure: 'wait'}
] AS row
MATCH (a:Yg {id: row.source}), (b:Yg {id: row.target})
MERGE (a)-[r:`USES` {id: row.id}]->(b)
SET r.kind = row.kind, r.type = row.type, r.consumes = row.consumes, r.failure = row.failure, \
r.event = row.event, r.exceptions = row.exceptions, r.code = row.code;
"""


def test_every_kind_is_merged_by_its_ids() -> None:
    text = export_cypher(small())
    assert text.startswith(
        "CREATE CONSTRAINT yg_id IF NOT EXISTS FOR (n:Yg) REQUIRE n.id IS UNIQUE;\n"
    )
    assert SMALL_ASPECTS in text
    assert text.endswith(SMALL_USES)


RELYING = """\
UNWIND [
  {id: 'shop:node:order', repository: 'shop', kind: 'node', path: 'order', name: 'order', \
type: 'service', presence: 'present', blackbox: false}
] AS row
MERGE (n:Yg:Node {id: row.id})
SET n.repository = row.repository, ...
UNWIND [
  {id: 'acme/billing:node:gone', repository: 'acme/billing', kind: 'node', path: 'gone', \
name: 'gone', presence: 'missing', blackbox: false},
  {id: 'acme/billing:node:pay/ledger', repository: 'acme/billing', kind: 'node', \
path: 'pay/ledger', name: 'Ledger', type: 'bookkeeping', presence: 'present', \
description: 'Keeps the books.', blackbox: false}
] AS row
MERGE (n:Yg:Node {id: row.id})
ON CREATE SET n.repository = row.repository, ...
"""


def test_a_vertex_of_another_repository_is_created_but_never_changed() -> None:
    text = re.sub(r"(n\.repository = row\.repository, ).*", r"\1...", export_cypher(relying()))
    assert RELYING in text


def test_edges_to_other_repositories_are_merged_like_all_others() -> None:
    ending = export_cypher(relying()).partition("ON CREATE")[2]
    assert ending.count("MERGE (a)-[r:`CALLS` {id: row.id}]->(b)\nSET r.kind") == 1
    assert "source: 'shop:node:order', target: 'acme/billing:node:pay/ledger'" in ending


def rows_of(text: str) -> list[dict[str, Any]]:
    """Parse the rows of all statements as Python literals, after quoting the keys."""
    found = []
    for line in text.split("\n"):
        if line.startswith("  {"):
            parts = re.split(r"('(?:[^'\\]|\\.)*')", line.strip().rstrip(","))
            code = [
                part if at % 2 else re.sub(r"\b([a-z]+)(: |\b)", _python, part)
                for at, part in enumerate(parts)
            ]
            found.append(ast.literal_eval("".join(code)))
    return found


def _python(word: re.Match[str]) -> str:
    return f"'{word[1]}': " if word[2] else word[1].capitalize()


def row(thing: Vertex | ExportEdge) -> dict[str, Any]:
    """Return the expected row."""
    values = asdict(thing)
    if isinstance(thing, ExportEdge):  # its ends have them
        del values["repository"], values["target_repository"]
    return {name: _stored(value) for name, value in values.items() if value not in ("", (), None)}


def _stored(value: Any) -> Any:
    if isinstance(value, tuple):
        return [storable(text) for text in value]
    return value if isinstance(value, int) else storable(value)


@given(hostile_exports())
def test_every_text_comes_back_as_it_went_in(export: Export) -> None:
    things: list[Vertex | ExportEdge] = [*export.vertices, *export.edges]
    found = {found_row["id"]: found_row for found_row in rows_of(export_cypher(export))}
    assert found == {item.id: row(item) for item in things}


@given(hostile_exports())
def test_nothing_but_letters_and_digits_gets_into_a_name(export: Export) -> None:
    names = re.findall(r"^MERGE \(a\)-\[r:`(.*)` \{", export_cypher(export), re.MULTILINE)
    assert all(re.fullmatch(r"[A-Z0-9_]+", name) for name in names)


def test_many_rows_are_several_statements(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "BATCH", 3)
    text = export_cypher(small())
    assert text.count("MERGE (n:Yg:Node") == 2
    assert len(rows_of(text)) == len(small().vertices) + len(small().edges)
