"""Small Spec Graphs with the complete output of `yg validate` for each.

A case belongs to the rule with its code. It expects the whole output, so a passing graph has no
issues at all, and a failing graph shows that its problem is reported once, by one rule, at the
right place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from specgraph.graphs import DIGEST, Data, files_of, node, written
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind
from yg.specgraph.model import TYPES

if TYPE_CHECKING:
    from support import Content

INDEX = "specgraph/graph.json"
A, B = "specgraph/nodes/A.json", "specgraph/nodes/B.json"
LONG = "A sentence of some forty characters more. " * 25  # a thousand characters and a bit


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One graph and what is said of it."""

    code: str
    name: str
    nodes: Mapping[str, Data] = field(default_factory=dict)
    index: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Content | None] = field(default_factory=dict)  # None: not there
    issues: str = ""

    @property
    def is_passing(self) -> bool:
        """Whether the rule of the case reports no issue."""
        return not any(line.startswith(f"{self.code} ") for line in self.issues.split("\n"))

    @property
    def contents(self) -> dict[str, Content]:
        """All files of the graph."""
        every = {**files_of(dict(self.nodes)), **self.files}
        if self.index:
            data = {"specgraphVersion": "1.0.0", "nodes": self.listed(), **self.index}
            every[INDEX] = written({key: value for key, value in data.items() if value is not None})
        return {path: text for path, text in every.items() if text is not None}

    def listed(self) -> list[Data]:
        """The references that the index has unless it says otherwise."""
        return [{"id": name, "path": f"nodes/{name}.json"} for name in self.nodes]


def listed(name: str, path: str = "", **more: Any) -> Data:
    """Make an entry of the index."""
    return {"id": name, "path": path or f"nodes/{name}.json", **more}


def one_line(**data: Any) -> str:
    """Write a node on one line, with each key at its own column."""
    return json.dumps(data)


def digest(data: Data, name: str = "A") -> str:
    """Return the digest of a node's file."""
    return sha256(written({"id": name, **data}).encode()).hexdigest()


BEHAVIOR = node("behavior")

INDEX_CASES = (
    Case(
        code="E101",
        name="an index with everything in it",
        nodes={"A": BEHAVIOR},
        index={
            "$schema": "graph.schema.json",
            "specgraphVersion": "1.2.3-rc.1",
            "root": "A",
            "nodes": [listed("A", sha256=digest(BEHAVIOR), expectedType="behavior")],
            "nodeSearchPaths": ["nodes"],
            "defaults": {"depth": [1, {"x": None}]},
        },
    ),
    Case(
        code="E101",
        name="no index",
        files={INDEX: None, A: written({"id": "A", **BEHAVIOR})},
        issues="""\
E101 graph.json -> 'graph.json' cannot be read: no such file.
  specgraph/graph.json
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
""",
    ),
    Case(
        code="E101",
        name="an index that is null",
        files={INDEX: "null\n"},
        issues="""\
E101 graph.json -> 'graph.json' must hold an object, found null.
  specgraph/graph.json:1:1
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
""",
    ),
    Case(
        code="E101",
        name="an index that is not JSON",
        files={INDEX: '{"specgraphVersion": "1.0.0",\n "nodes": [}\n'},
        issues="""\
E101 graph.json -> not valid JSON: expected a value, found '}'.
  specgraph/graph.json:2:12
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
""",
    ),
    Case(
        code="E101",
        name="an index that is not UTF-8",
        files={INDEX: b'{"specgraphVersion": "\xff"}'},
        issues="""\
E101 graph.json -> 'graph.json' cannot be read: not UTF-8 at byte 22 (0xff).
  specgraph/graph.json
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
""",
    ),
    Case(
        code="E101",
        name="an index with a byte order mark and CRLF",
        files={
            INDEX: b'\xef\xbb\xbf{"specgraphVersion": "1.0.0",\r\n "nodes": '
            b'[{"id": "A", "path": "nodes/A.json"}]}',
            A: b"\xef\xbb\xbf" + written({"id": "A", **BEHAVIOR}).encode(),
        },
    ),
    Case(
        code="E101",
        name="an index with nothing in it",
        files={INDEX: "{}"},
        issues="""\
E101 graph.json -> graph.json has no 'nodes'.
  specgraph/graph.json:1:1
  Add '"nodes": ..'.
E101 graph.json -> graph.json has no 'specgraphVersion'.
  specgraph/graph.json:1:1
  Add '"specgraphVersion": ..'.
""",
    ),
    Case(
        code="E101",
        name="values of wrong shapes, each reported at its position",
        files={
            INDEX: """\
{
  "specgraphVersion": "1.0",
  "nodes": [],
  "root": 7,
  "nodeSearchPaths": "nodes",
  "defaults": [],
  "noodles": 1
}
"""
        },
        issues="""\
E101 graph.json -> 'specgraphVersion' must be a version such as '1.0.0', found '1.0'.
  specgraph/graph.json:2:23
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'nodes' must not be empty.
  specgraph/graph.json:3:12
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'root' must be text, found a whole number.
  specgraph/graph.json:4:11
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'nodeSearchPaths' must be a list, found text.
  specgraph/graph.json:5:22
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'defaults' must be an object, found a list.
  specgraph/graph.json:6:15
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> unknown key 'noodles'.
  specgraph/graph.json:7:3
  Did you mean 'nodes'?
""",
    ),
    Case(
        code="E101",
        name="references of wrong shapes beside valid ones",
        files={
            INDEX: """\
{"specgraphVersion": "1.0.0", "nodes": [
  {"id": "A", "path": "nodes/A.json"},
  {"id": "b", "path": "nodes/B.json"},
  {"id": "C", "path": "nodes/C.yaml"},
  {"id": "D"},
  {"path": "nodes/E.json"},
  "nodes/F.json",
  {"id": "G", "path": "nodes/A.json", "sha256": "12", "expectedType": "behaviour"}
]}
""",
            A: one_line(id="A", **node("behavior", depends_on=["b", "C", "D"])),
            B: one_line(id="b", **BEHAVIOR),
        },
        issues="""\
E101 graph.json -> 'id' must be an id such as 'AUTH-01', found 'b'.
  specgraph/graph.json:3:10
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'path' must be a path of letters, digits and '._/-' that ends in '.json', \
found 'nodes/C.yaml'.
  specgraph/graph.json:4:23
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> each item of 'nodes' has no 'path'.
  specgraph/graph.json:5:3
  Add '"path": ..'.
E101 graph.json -> each item of 'nodes' has no 'id'.
  specgraph/graph.json:6:3
  Add '"id": ..'.
E101 graph.json -> each item of 'nodes' must be an object, found text.
  specgraph/graph.json:7:3
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'sha256' must be a SHA-256 in 64 hexadecimal digits, found '12'.
  specgraph/graph.json:8:49
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'expectedType' must not be 'behaviour'.
  specgraph/graph.json:8:71
  Did you mean 'behavior'?
E105 G -> is listed with 'nodes/A.json', which calls itself 'A'.
  specgraph/graph.json:8:10
  Use the same id in both places, or correct the path.
E103 b -> 'id' must be an id such as 'AUTH-01', found 'b'.
  specgraph/nodes/B.json:1:8
  Correct the value at the given position.
""",
    ),
    Case(
        code="E104",
        name="an id for each node",
        nodes={"A": BEHAVIOR, "A-1": BEHAVIOR},
    ),
    Case(
        code="E104",
        name="an id three times",
        files={
            INDEX: """\
{"specgraphVersion": "1.0.0", "nodes": [
  {"id": "A", "path": "nodes/B.json"},
  {"id": "A", "path": "../A.json"},
  {"id": "A", "path": "nodes/A.json"}
]}
""",
            A: one_line(id="A", **BEHAVIOR),
            B: one_line(id="A", **BEHAVIOR),
        },
        issues="""\
E104 A -> is listed more than once, first in line 2.
  specgraph/graph.json:3:10
  'nodes/A.json' is used; remove the other, or give it another id.
E113 A -> '../A.json' leads out of specgraph/.
  specgraph/graph.json:3:23
  Move the file into the folder and correct the path.
E104 A -> is listed more than once, first in line 2.
  specgraph/graph.json:4:10
  'nodes/A.json' is used; remove the other, or give it another id.
""",
    ),
    Case(
        code="E105",
        name="two nodes with swapped paths",
        files={
            INDEX: """\
{"specgraphVersion": "1.0.0", "nodes": [
  {"id": "A", "path": "nodes/B.json"},
  {"id": "B", "path": "nodes/A.json"}
]}
""",
            A: one_line(id="A", **BEHAVIOR),
            B: one_line(id="B", **BEHAVIOR),
        },
        issues="""\
E105 A -> is listed with 'nodes/B.json', which calls itself 'B'.
  specgraph/graph.json:2:10
  Use the same id in both places, or correct the path.
E105 B -> is listed with 'nodes/A.json', which calls itself 'A'.
  specgraph/graph.json:3:10
  Use the same id in both places, or correct the path.
""",
    ),
    Case(
        code="E105",
        name="a path that is spelled the long way round",
        nodes={"A": BEHAVIOR},
        index={"nodes": [listed("A", "./nodes//x/../A.json")]},
    ),
    Case(
        code="E106",
        name="a node of the type that is expected",
        nodes={"A": BEHAVIOR},
        index={"nodes": [listed("A", expectedType="behavior")]},
    ),
    Case(
        code="E106",
        name="a node of another type",
        nodes={"A": BEHAVIOR},
        index={"nodes": [listed("A", expectedType="domain")]},
        issues="""\
E106 A -> is listed as 'domain', but its file says 'behavior'.
  specgraph/graph.json:7:23
  Correct `expectedType`, or the type in the file.
""",
    ),
    Case(
        code="E113",
        name="a file deep inside the folder",
        index={"nodes": [listed("A", "a/b/../c/A.json")]},
        files={"specgraph/a/c/A.json": one_line(id="A", **BEHAVIOR)},
    ),
    Case(
        code="E113",
        name="paths that lead out of the folder",
        index={
            "nodes": [
                listed("A", "../A.json"),
                listed("B", "/etc/B.json"),
                listed("C", "nodes/../../C.json"),
                listed("D", "C:/D.json"),
                listed("E", "..\\E.json"),
            ]
        },
        files={"A.json": one_line(id="A", **BEHAVIOR), "C.json": one_line(id="C", **BEHAVIOR)},
        issues="""\
E113 A -> '../A.json' leads out of specgraph/.
  specgraph/graph.json:6:15
  Move the file into the folder and correct the path.
E113 B -> '/etc/B.json' leads out of specgraph/.
  specgraph/graph.json:10:15
  Move the file into the folder and correct the path.
E113 C -> 'nodes/../../C.json' leads out of specgraph/.
  specgraph/graph.json:14:15
  Move the file into the folder and correct the path.
E101 graph.json -> 'path' must be a path of letters, digits and '._/-' that ends in '.json', \
found 'C:/D.json'.
  specgraph/graph.json:18:15
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
E101 graph.json -> 'path' must be a path of letters, digits and '._/-' that ends in '.json', \
found '..\\E.json'.
  specgraph/graph.json:22:15
  Correct the value at the given position; `specgraphVersion` and `nodes` are required.
""",
    ),
    Case(
        code="E113",
        name="a file that is a link, and one behind a link",
        index={"nodes": [listed("A"), listed("B", "linked/B.json")]},
        files={A: Kind.LINK, "specgraph/linked": Kind.LINK},
        issues="""\
E113 B -> 'specgraph/linked' is a link, and links are not followed.
  specgraph/linked
  Move the file into the folder and correct the path.
E113 A -> 'specgraph/nodes/A.json' is a link, and links are not followed.
  specgraph/nodes/A.json
  Move the file into the folder and correct the path.
""",
    ),
    Case(
        code="E115",
        name="a root that is listed, and an index without one",
        nodes={"A": BEHAVIOR},
        index={"root": "A"},
    ),
    Case(
        code="E115",
        name="a root that is not listed",
        nodes={"SHOP": BEHAVIOR},
        index={"root": "SHPO"},
        issues="""\
E115 graph.json -> root 'SHPO' is not listed in 'nodes'.
  specgraph/graph.json:9:11
  Did you mean 'SHOP'?
""",
    ),
)

NODE_CASES = (
    Case(
        code="E102",
        name="a node with a byte order mark, and links to one that cannot be read",
        nodes={"A": node("behavior", depends_on=["B"]), "B": BEHAVIOR},
        files={B: "null"},
        issues="""\
E102 B -> 'B.json' must hold an object, found null.
  specgraph/nodes/B.json:1:1
  Correct the file at the given position, or correct its path in `graph.json`.
""",
    ),
    Case(
        code="E102",
        name="a node that is fine",
        nodes={"A": BEHAVIOR},
    ),
    Case(
        code="E102",
        name="files that cannot be parsed, and one that can",
        nodes=dict.fromkeys("ABCDEFGH", BEHAVIOR),
        files={
            A: None,
            B: b'{"id": "\xe9"}',
            "specgraph/nodes/C.json": "",
            "specgraph/nodes/D.json": '{"id": "D",}',
            "specgraph/nodes/E.json": "[]",
            "specgraph/nodes/F.json": UnreadableError("F.json", "permission denied"),
            "specgraph/nodes/G.json": Kind.OTHER,
        },
        issues="""\
E102 A -> 'A.json' cannot be read: no such file.
  specgraph/nodes/A.json
  Correct the file at the given position, or correct its path in `graph.json`.
E102 B -> 'B.json' cannot be read: not UTF-8 at byte 8 (0xe9).
  specgraph/nodes/B.json
  Correct the file at the given position, or correct its path in `graph.json`.
E102 C -> not valid JSON: expected a value, found the end of the file.
  specgraph/nodes/C.json:1:1
  Correct the file at the given position, or correct its path in `graph.json`.
E102 D -> not valid JSON: expected a key in double quotes.
  specgraph/nodes/D.json:1:12
  Correct the file at the given position, or correct its path in `graph.json`.
E102 E -> 'E.json' must hold an object, found a list.
  specgraph/nodes/E.json:1:1
  Correct the file at the given position, or correct its path in `graph.json`.
E102 F -> 'F.json' cannot be read: permission denied.
  specgraph/nodes/F.json
  Correct the file at the given position, or correct its path in `graph.json`.
E102 G -> 'G.json' cannot be read: not a regular file.
  specgraph/nodes/G.json
  Correct the file at the given position, or correct its path in `graph.json`.
""",
    ),
    Case(
        code="E102",
        name="a duplicate key and half of a surrogate pair in a node that is still read",
        nodes={"A": BEHAVIOR, "B": node("behavior", depends_on=["A"])},
        files={
            A: '{"id": "A", "type": "behavior", "title": "One \\ud800",\n'
            ' "title": "Two", "expectation": "Something is seen", "verification": "make test"}'
        },
        issues="""\
E102 A -> half of a surrogate pair.
  specgraph/nodes/A.json:1:42
  Write the character itself.
E102 A -> duplicate key 'title'.
  specgraph/nodes/A.json:2:2
  It is already defined in line 1; keep one of the two.
""",
    ),
    Case(
        code="E103",
        name="a node of every type with everything it may have",
        nodes={
            "A": node(
                "behavior",
                constraints=["One"],
                metadata={"rationale": "", "notes": "N", "owner": "me", "tags": ["x"], "own": [1]},
                **{"$schema": "node.schema.json"},
            ),
            "B": node("feature", contains=["A"], metadata={}),
            "C": node(
                "decision",
                pins=[{"id": "G", "sha256": DIGEST}],
                constraints=[],
                verification=[
                    "by hand",
                    {"kind": "command", "command": "x", "cwd": ".", "env": {"A": "1", "B": ""}},
                    {"kind": "command", "command": "x", "url": "/", "timeoutSeconds": 3600.0},
                    {"kind": "http", "method": "GET", "url": "/", "expectStatus": 200},
                    {"kind": "manual", "steps": ["One"], "timeoutSeconds": 1},
                    {"kind": "observation", "description": "it", "expected": "x"},
                    {"kind": "policy", "ruleId": "R", "expected": ""},
                ],
                metadata={
                    "rationale": "So it is.!",
                    "rejected_alternatives": [{"title": "Two", "reason": "It is slow."}],
                },
                derived_from=["G"],
            ),
            "D": node("policy", severity="soft"),
            "E": node("layer"),
            "F": node("foundation"),
            "G": node("artifact", artifact={"sha256": DIGEST, "source": "s", "format": "f"}),
            "H": node("domain", title="T" * 140),
            "I": node("design_token"),
            "J": node("ui_contract"),
            "K": node("api_contract"),
            "L": node("data_model"),
            "M": node("equivalence_contract"),
            "N": node("pipeline", links={}),
        },
    ),
    Case(
        code="E103",
        name="an unknown type, reported alone",
        nodes={"A": {"type": "behaviour", "titel": 7}},
        issues="""\
E103 A -> 'type' must not be 'behaviour'.
  specgraph/nodes/A.json:3:11
  Did you mean 'behavior'?
""",
    ),
    Case(
        code="E103",
        name="a missing type, and one that is not text",
        nodes={"A": {}, "B": {"type": 7}},
        issues=f"""\
E103 A -> A.json has no 'type'.
  specgraph/nodes/A.json:1:1
  Use one of: {", ".join(TYPES)}.
E103 B -> 'type' must be text, found a whole number.
  specgraph/nodes/B.json:3:11
  Correct the value at the given position.
""",
    ),
    Case(
        code="E103",
        name="missing keys of a node",
        files={
            INDEX: written({"specgraphVersion": "1.0.0", "nodes": [listed("A"), listed("B")]}),
            A: '{"id": "A", "type": "feature"}',
            B: '{"type": "policy", "title": "Title", "statement": "It holds", "verification": []}',
        },
        issues="""\
E103 A -> A.json has no 'description'.
  specgraph/nodes/A.json:1:1
  Add '"description": ..'.
E103 A -> A.json has no 'title'.
  specgraph/nodes/A.json:1:1
  Add '"title": ..'.
E103 B -> B.json has no 'id'.
  specgraph/nodes/B.json:1:1
  Add '"id": ..'.
E103 B -> B.json has no 'severity'.
  specgraph/nodes/B.json:1:1
  Add '"severity": ..'.
E103 B -> 'verification' must not be empty.
  specgraph/nodes/B.json:1:79
  Correct the value at the given position.
""",
    ),
    Case(
        code="E103",
        name="keys that are misspelt or misplaced, each reported once",
        nodes={
            "A": {
                "type": "behavior",
                "title": "Title",
                "statement": "Something can be seen.",
                "verification": "make test",
                "category": "stack",
                "severity": 7,
                "link": {},
            },
            "B": {**node("domain"), "statement": None, "artifact": {}, "pin": []},
            "C": {**node("domain", depends_on=["A"]), "titel": "Title"},
        }
        | {
            "D": {key: value for key, value in node("domain").items() if key != "title"}
            | {"titel": "T"}
        },
        issues="""\
E103 A -> A.json has no 'expectation', but an unknown key 'statement'.
  specgraph/nodes/A.json:5:3
  Write 'expectation' in its place.
E103 A -> 'category' is for decisions only.
  specgraph/nodes/A.json:7:3
  Remove it, or correct the type.
E103 A -> 'severity' is for policies only.
  specgraph/nodes/A.json:8:3
  Remove it, or correct the type.
E103 A -> unknown key 'link'.
  specgraph/nodes/A.json:9:3
  Did you mean 'links'?
E103 B -> 'statement' must be text, found null.
  specgraph/nodes/B.json:5:16
  Correct the value at the given position.
E103 B -> 'artifact' is for artifact nodes only.
  specgraph/nodes/B.json:9:3
  Remove it, or correct the type.
E103 B -> unknown key 'pin'.
  specgraph/nodes/B.json:10:3
  Did you mean 'pins'?
E103 C -> unknown key 'titel'.
  specgraph/nodes/C.json:14:3
  Did you mean 'title'?
E103 D -> D.json has no 'title', but an unknown key 'titel'.
  specgraph/nodes/D.json:8:3
  Write 'title' in its place.
""",
    ),
    Case(
        code="E103",
        name="values of wrong shapes and sizes",
        nodes={
            "A": {
                "type": "behavior",
                "title": "No",
                "expectation": "Too short",
                "verification": "look",
                "constraints": ["", 7],
                "links": {"depends_on": "B", "needs": [], "contains": [[]]},
                "metadata": [],
            },
            "B": node("domain", title="T" * 141, verification="make test", pins=[{"id": "A"}]),
            "C": node("decision", category="taste"),
            "DDDDDDDDDDDDDDDDDDDDD": node("feature", title="T" * 101, description=" "),
        },
        issues="""\
E103 A -> 'title' has 2 characters and needs at least 3.
  specgraph/nodes/A.json:4:12
  Correct the value at the given position.
E103 A -> 'expectation' has 9 characters and needs at least 10.
  specgraph/nodes/A.json:5:18
  Correct the value at the given position.
E103 A -> 'verification' has 4 characters and needs at least 5.
  specgraph/nodes/A.json:6:19
  Correct the value at the given position.
E103 A -> each item of 'constraints' must not be empty.
  specgraph/nodes/A.json:8:5
  Correct the value at the given position.
E103 A -> each item of 'constraints' must be text, found a whole number.
  specgraph/nodes/A.json:9:5
  Correct the value at the given position.
E103 A -> 'links.depends_on' must be a list, found text.
  specgraph/nodes/A.json:12:19
  Correct the value at the given position.
E103 A -> unknown key 'needs'.
  specgraph/nodes/A.json:13:5
  Known here: contains, depends_on, constrains, implements, derived_from, verified_by, supersedes.
E103 A -> each item of 'links.contains' must be text, found a list.
  specgraph/nodes/A.json:15:7
  Correct the value at the given position.
E103 A -> 'metadata' must be an object, found a list.
  specgraph/nodes/A.json:18:15
  Correct the value at the given position.
E103 B -> 'title' has 141 characters and may have at most 140.
  specgraph/nodes/B.json:4:12
  Correct the value at the given position.
E103 B -> 'verification' must be a list, found text.
  specgraph/nodes/B.json:6:19
  Correct the value at the given position.
E103 B -> each item of 'pins' has no 'sha256'.
  specgraph/nodes/B.json:8:5
  Add '"sha256": ..'.
E103 C -> 'category' must not be 'taste'.
  specgraph/nodes/C.json:9:15
  Use one of: architecture, stack, pattern, interface.
E103 DDDDDDDDDDDDDDDDDDDDD -> 'id' has 21 characters and may have at most 20.
  specgraph/nodes/DDDDDDDDDDDDDDDDDDDDD.json:2:9
  Correct the value at the given position.
E103 DDDDDDDDDDDDDDDDDDDDD -> 'title' has 101 characters and may have at most 100.
  specgraph/nodes/DDDDDDDDDDDDDDDDDDDDD.json:4:12
  Correct the value at the given position.
E103 DDDDDDDDDDDDDDDDDDDDD -> 'description' must not be empty.
  specgraph/nodes/DDDDDDDDDDDDDDDDDDDDD.json:5:18
  Correct the value at the given position.
""",
    ),
    Case(
        code="E103",
        name="checks of wrong shapes",
        nodes={
            "A": node(
                "domain",
                verification=[
                    7,
                    " ",
                    {},
                    {"kind": "prayer"},
                    {"kind": "command", "comand": "make"},
                    {"kind": "http", "method": "GET", "url": "/", "expectStatus": 200.5},
                    {"kind": "manual", "steps": []},
                    {"kind": "observation", "description": "it", "timeoutSeconds": 0},
                    {"kind": "policy", "ruleId": "R", "env": {"A": True}, "expected": []},
                ],
            )
        },
        issues="""\
E103 A -> each item of 'verification' must be text or an object, found a whole number.
  specgraph/nodes/A.json:7:5
  Correct the value at the given position.
E103 A -> each item of 'verification' must not be empty.
  specgraph/nodes/A.json:8:5
  Correct the value at the given position.
E103 A -> each item of 'verification' has no 'kind'.
  specgraph/nodes/A.json:9:5
  Use one of: command, http, manual, observation, policy.
E103 A -> 'kind' must not be 'prayer'.
  specgraph/nodes/A.json:11:15
  Use one of: command, http, manual, observation, policy.
E103 A -> each item of 'verification' has no 'command', but an unknown key 'comand'.
  specgraph/nodes/A.json:15:7
  Write 'command' in its place.
E103 A -> 'expectStatus' must be a whole number.
  specgraph/nodes/A.json:21:23
  Correct the value at the given position.
E103 A -> 'steps' must not be empty.
  specgraph/nodes/A.json:25:16
  Correct the value at the given position.
E103 A -> 'timeoutSeconds' must be from 1 to 3600.
  specgraph/nodes/A.json:30:25
  Correct the value at the given position.
E103 A -> 'env.A' must be text, found true or false.
  specgraph/nodes/A.json:36:14
  Correct the value at the given position.
E103 A -> 'expected' must be text, found a list.
  specgraph/nodes/A.json:38:19
  Correct the value at the given position.
""",
    ),
    Case(
        code="E112",
        name="a decision with a reason, and a node that is not a decision",
        nodes={"A": node("decision"), "B": node("domain", metadata={"rationale": ""})},
    ),
    Case(
        code="E112",
        name="decisions without a reason, each reported by one rule",
        nodes={
            "A": {key: value for key, value in node("decision").items() if key != "metadata"},
            "B": node("decision", metadata={"owner": "me"}),
            "C": node("decision", metadata={"rationale": " \n"}),
            "D": node("decision", metadata={"rationale": 7}),
            "E": node("decision", metadata=7),
        },
        issues="""\
E112 A -> the decision has no 'metadata.rationale'.
  specgraph/nodes/A.json:1:1
  Add the reason, and the rejected alternatives if there were any.
E112 B -> the decision has no 'metadata.rationale'.
  specgraph/nodes/B.json:10:15
  Add the reason, and the rejected alternatives if there were any.
E112 C -> the decision has no 'metadata.rationale'.
  specgraph/nodes/C.json:11:18
  Add the reason, and the rejected alternatives if there were any.
E103 D -> 'metadata.rationale' must be text, found a whole number.
  specgraph/nodes/D.json:11:18
  Correct the value at the given position.
E103 E -> 'metadata' must be an object, found a whole number.
  specgraph/nodes/E.json:10:15
  Correct the value at the given position.
""",
    ),
    Case(
        code="W104",
        name="files that are not nodes",
        nodes={"A": BEHAVIOR},
        files={
            "specgraph/node.schema.json": "{}",
            "specgraph/README.md": "",
            "specgraph/.drafts/x.json": "{}",
            "specgraph/nodes/.hidden.json": "{}",
            "specgraph/graph.index.json": "{}",
        },
    ),
    Case(
        code="W104",
        name="files that are not listed, and a directory that cannot be read",
        nodes={"A": BEHAVIOR},
        files={
            "specgraph/nodes/sub/C.json": one_line(id="C", **BEHAVIOR),
            "specgraph/stray.json": "null",
            "specgraph/locked": UnreadableError("specgraph/locked", "permission denied"),
            "specgraph/locked/x.json": "{}",
        },
        issues="""\
W104 locked -> cannot be read: permission denied.
  specgraph/locked
  Add the file to `nodes` in `graph.json`, or remove it.
W104 nodes/sub/C.json -> is not listed in graph.json.
  specgraph/nodes/sub/C.json
  Add the file to `nodes` in `graph.json`, or remove it.
W104 stray.json -> is not listed in graph.json.
  specgraph/stray.json
  Add the file to `nodes` in `graph.json`, or remove it.
""",
    ),
)

LINK_CASES = (
    Case(
        code="E107",
        name="links of every kind to existing nodes",
        nodes={
            "A": node("decision", contains=["B"], depends_on=["C"], constrains=["B"]),
            "B": node("behavior", implements=["D"], derived_from=["D"], verified_by=["D"]),
            "C": node("decision", supersedes=["E"]),
            "D": node("domain"),
            "E": node("decision"),
        },
    ),
    Case(
        code="E107",
        name="links and pins to missing nodes",
        nodes={
            "LOGIN-01": node("behavior"),
            "A": node(
                "decision",
                depends_on=["LOGIN-1", "LOGIN-1"],
                derived_from=["???"],
                pins=[{"id": "???", "sha256": DIGEST}, {"id": "LOGIN-02", "sha256": DIGEST}],
            ),
        },
        issues="""\
E107 A -> pins 'LOGIN-02', which is not listed in graph.json.
  specgraph/nodes/A.json:19:13
  Did you mean 'LOGIN-01'?
E107 A -> depends_on 'LOGIN-1', which is not listed in graph.json.
  specgraph/nodes/A.json:25:7
  Did you mean 'LOGIN-01'?
E107 A -> derived_from '???', which is not listed in graph.json.
  specgraph/nodes/A.json:29:7
  Correct the id, or add the missing node.
""",
    ),
    Case(
        code="E108",
        name="links to others",
        nodes={"A": node("behavior", depends_on=["B"]), "B": BEHAVIOR},
    ),
    Case(
        code="E108",
        name="links to itself, reported by one rule",
        nodes={"A": node("decision", depends_on=["A", "A"], contains=["A"], supersedes=["A"])},
        issues="""\
E108 A -> depends_on itself.
  specgraph/nodes/A.json:15:7
  Remove the link, or use the id of the node you meant.
E108 A -> contains itself.
  specgraph/nodes/A.json:19:7
  Remove the link, or use the id of the node you meant.
E108 A -> supersedes itself.
  specgraph/nodes/A.json:22:7
  Remove the link, or use the id of the node you meant.
""",
    ),
    Case(
        code="E109",
        name="cycles of other links",
        nodes={
            "A": node("domain", implements=["B"], contains=["B"], verified_by=["B"]),
            "B": node("domain", implements=["A"], contains=["A"], verified_by=["A"]),
        },
    ),
    Case(
        code="E109",
        name="two groups of cycles, each with its shortest cycle",
        nodes={
            "A": node("behavior", depends_on=["B"]),
            "B": node("behavior", depends_on=["C"]),
            "C": node("behavior", depends_on=["A", "C", "D"]),
            "D": node("behavior", depends_on=["C"]),
            "X": node("behavior", depends_on=["Y"]),
            "Y": node("behavior", depends_on=["X"]),
        },
        issues="""\
E108 C -> depends_on itself.
  specgraph/nodes/C.json:10:7
  Remove the link, or use the id of the node you meant.
E109 C -> depends_on cycle: C -> D -> C.
  specgraph/nodes/C.json:11:7
  Reverse one link of the cycle, or move the shared part to a third node.
  2 more nodes are on cycles that meet this one.
E109 X -> depends_on cycle: X -> Y -> X.
  specgraph/nodes/X.json:9:7
  Reverse one link of the cycle, or move the shared part to a third node.
""",
    ),
    Case(
        code="E110",
        name="a feature that depends on a layer, and a layer on a layer",
        nodes={
            "A": node("feature", depends_on=["B"]),
            "B": node("layer", depends_on=["C", "GADGET"], contains=["A"]),
            "C": node("layer"),
            "GADGET": node("foundation"),
        },
    ),
    Case(
        code="E110",
        name="a layer that depends on a feature",
        nodes={"A": node("layer", depends_on=["B"]), "B": node("feature")},
        issues="""\
E110 A -> the layer depends on the feature 'B'.
  specgraph/nodes/A.json:8:7
  Move the part that the layer needs to a layer or a foundation, or reverse the link.
""",
    ),
    Case(
        code="E111",
        name="a foundation on decisions, policies and foundations",
        nodes={
            "A": node("foundation", depends_on=["B", "C", "D"]),
            "B": node("decision"),
            "C": node("policy"),
            "D": node("foundation"),
        },
    ),
    Case(
        code="E111",
        name="a foundation on a behavior and a layer",
        nodes={
            "A": node("foundation", depends_on=["B", "L"]),
            "B": node("behavior"),
            "L": node("layer"),
        },
        issues="""\
E111 A -> the foundation depends on 'B', which is of type behavior.
  specgraph/nodes/A.json:11:7
  Depend on the underlying decision instead, or reverse the link.
E111 A -> the foundation depends on 'L', which is of type layer.
  specgraph/nodes/A.json:12:7
  Depend on the underlying decision instead, or reverse the link.
""",
    ),
)

SOURCE = node("artifact")
PLAIN = node("domain")

DIGEST_CASES = (
    Case(
        code="E114",
        name="digests that are right, whatever the line endings",
        nodes={
            "A": PLAIN,
            "B": SOURCE,
            "C": node(
                "domain",
                derived_from=["A", "B"],
                pins=[{"id": "A", "sha256": digest(PLAIN)}, {"id": "B", "sha256": DIGEST}],
            ),
        },
        index={
            "nodes": [listed("A", sha256=digest(PLAIN)), listed("B"), listed("C")],
        },
        files={A: written({"id": "A", **PLAIN}).replace("\n", "\r\n")},
    ),
    Case(
        code="E114",
        name="the digest of a file as it is, with its line endings",
        nodes={"A": PLAIN},
        index={
            "nodes": [
                listed(
                    "A",
                    sha256=sha256(
                        written({"id": "A", **PLAIN}).replace("\n", "\r\n").encode()
                    ).hexdigest(),
                )
            ]
        },
        files={A: written({"id": "A", **PLAIN}).replace("\n", "\r\n")},
    ),
    Case(
        code="E114",
        name="digests that are wrong",
        nodes={
            "A": PLAIN,
            "B": SOURCE,
            "C": node(
                "domain",
                derived_from=["A", "B"],
                pins=[{"id": "A", "sha256": DIGEST}, {"id": "B", "sha256": "f" * 64}],
            ),
        },
        index={"nodes": [listed("A", sha256="0" * 64), listed("B"), listed("C")]},
        issues=f"""\
E114 A -> 'nodes/A.json' does not match its sha256 in graph.json.
  specgraph/graph.json:7:17
  The current digest is {digest(PLAIN)}.
E114 C -> the pin of 'A' does not match its current digest.
  specgraph/nodes/C.json:12:17
  The current digest is {digest(PLAIN)}.
E114 C -> the pin of 'B' does not match its current digest.
  specgraph/nodes/C.json:16:17
  The current digest is {DIGEST}.
""",
    ),
    Case(
        code="E114",
        name="digests of wrong shapes, reported by another rule only",
        nodes={
            "A": node("artifact", artifact={"sha256": "x"}),
            "B": node("domain", derived_from=["A"], pins=[{"id": "A", "sha256": DIGEST}]),
        },
        issues="""\
E103 A -> 'artifact.sha256' must be a SHA-256 in 64 hexadecimal digits, found 'x'.
  specgraph/nodes/A.json:10:15
  Correct the value at the given position.
""",
    ),
    Case(
        code="W105",
        name="pinned sources, and nodes that cannot have pins",
        nodes={
            "A": SOURCE,
            "B": node("domain", derived_from=["A"], pins=[{"id": "A", "sha256": DIGEST}]),
            "C": node("behavior", derived_from=["A"]),
            "D": node("feature", derived_from=["A"]),
        },
    ),
    Case(
        code="W105",
        name="a source that is not pinned",
        nodes={"A": SOURCE, "B": node("domain", derived_from=["A"])},
        issues=f"""\
W105 B -> is derived from 'A' without a pin.
  specgraph/nodes/B.json:11:7
  Add {{"id": "A", "sha256": "{DIGEST}"}} to 'pins'.
""",
    ),
)

LAYERS = {
    "A": node("behavior"),
    "F": node("feature", contains=["A"], depends_on=["L1"]),
    "L1": node("layer", contains=["D1"], depends_on=["L2"]),
    "L2": node("layer", contains=["D2"]),
    "D1": node("decision", category="stack"),
    "D2": node("decision", category="stack"),
}

GUIDANCE_CASES = (
    Case(
        code="W101",
        name="one decision of each category",
        nodes={**LAYERS, "D2": node("decision", category="pattern")},
    ),
    Case(
        code="W101",
        name="a decision that supersedes the other",
        nodes={**LAYERS, "D1": node("decision", category="stack", supersedes=["D2"])},
    ),
    Case(
        code="W101",
        name="two decisions of one category",
        nodes=LAYERS,
        issues="""\
W101 D1 -> competes with D2 about stack in 2 nodes: A, F.
  specgraph/nodes/D1.json:9:15
  Let one decision supersede the others, or move one of them to a separate layer.
""",
    ),
    Case(
        code="W101",
        name="a list of decisions that is cut short",
        nodes={
            "A": node("behavior", depends_on=["L"]),
            "L": node("layer"),
            **{
                f"D{letter}": node("decision", category="stack", constrains=["L"])
                for letter in "ABCDEFGHIJ"
            },
        },
        issues="""\
W101 DA -> competes with DB, DC, DD, DE, DF, DG, DH, DI and 1 more about stack in 1 node: A.
  specgraph/nodes/DA.json:9:15
  Let one decision supersede the others, or move one of them to a separate layer.
""",
    ),
    Case(
        code="W101",
        name="decisions that reach many nodes, and others that reach some of them",
        nodes={
            "L": node("layer"),
            "M": node("layer", depends_on=["L"]),
            **{f"A{at}": node("behavior", depends_on=["L"]) for at in range(5)},
            "B": node("behavior", depends_on=["M"]),
            "C": node("decision", category="stack", depends_on=["L"]),
            "D1": node("decision", category="stack", constrains=["L"]),
            "D2": node("decision", category="stack", constrains=["L"]),
            "D3": node("decision", category="stack", constrains=["M"]),
        },
        issues="""\
W101 D1 -> competes with D2 about stack in 6 nodes: A0, A1, A2 and 3 more.
  specgraph/nodes/D1.json:9:15
  Let one decision supersede the others, or move one of them to a separate layer.
W101 D1 -> competes with D2, D3 about stack in 1 node: B.
  specgraph/nodes/D1.json:9:15
  Let one decision supersede the others, or move one of them to a separate layer.
""",
    ),
    Case(
        code="W101",
        name="a decision that the node itself supersedes",
        nodes={
            **LAYERS,
            "F": node("feature"),
            "A": node("decision", depends_on=["L1"], supersedes=["D1"]),
        },
    ),
    Case(
        code="W102",
        name="statements that differ, and two that are equally strict",
        nodes={
            "A": node("policy", statement="Be quick"),
            "B": node("policy", statement="Be slow", severity="soft"),
            "C": node("policy", statement="Be quick"),
        },
    ),
    Case(
        code="W102",
        name="a statement that is hard and soft",
        nodes={
            "A": node("policy", statement="Be  quick."),
            "B": node("policy", statement="be QUICK.\n", severity="soft"),
            "C": node("policy", statement="be quick.", severity="soft"),
        },
        issues="""\
W102 B -> is soft, but the same statement is hard in A.
  specgraph/nodes/B.json:9:15
  Keep one of the policies, and let it constrain the targets of the others.
""",
    ),
    Case(
        code="W103",
        name="a superseded node that only superseded nodes depend on",
        nodes={
            "A": node("decision", supersedes=["B"]),
            "B": node("decision", depends_on=["C"]),
            "C": node("decision"),
            "D": node("decision", supersedes=["C"]),
            "E": node("behavior", implements=["B"]),
        },
    ),
    Case(
        code="W103",
        name="an active node that depends on a superseded node",
        nodes={
            "A": node("behavior", depends_on=["B"]),
            "B": node("decision"),
            "C": node("decision", supersedes=["B"]),
            "D": node("decision", supersedes=["B"]),
        },
        issues="""\
W103 A -> depends on 'B', which is superseded by C, D.
  specgraph/nodes/A.json:9:7
  Depend on the node that supersedes it.
""",
    ),
    Case(
        code="W106",
        name="a context that just fits",
        nodes={
            "A": node("behavior", depends_on=[f"D-{at}" for at in range(30)]),
            **{f"D-{at}": node("domain", statement=LONG) for at in range(30)},
        },
    ),
    Case(
        code="W106",
        name="a context that is too large",
        nodes={
            "A": node("behavior", depends_on=[f"D-{at}" for at in range(38)]),
            **{f"D-{at}": node("domain", statement=LONG) for at in range(38)},
        },
        issues="""\
W106 A -> its context has at least 10153 tokens at depth 2 (limit: 10000).
  specgraph/nodes/A.json
  Split the node, or let policies constrain only the nodes they concern.
""",
    ),
    Case(
        code="W106",
        name="contexts that are far too large through a layer",
        nodes={
            "A": node("behavior", depends_on=["L"]),
            "L": node("layer"),
            **{
                f"P-{at}": node("design_token", statement=LONG, constrains=["L"])
                for at in range(60)
            },
        },
        issues="""\
W106 A -> its context has at least 15879 tokens at depth 2 (limit: 10000).
  specgraph/nodes/A.json
  Split the node, or let policies constrain only the nodes they concern.
W106 L -> its context has at least 15868 tokens at depth 2 (limit: 10000).
  specgraph/nodes/L.json
  Split the node, or let policies constrain only the nodes they concern.
""",
    ),
)
LONELY_CASES = (
    Case(
        code="W107",
        name="policies that constrain a node, and a layer",
        nodes={
            "A": node("behavior", depends_on=["L"]),
            "L": node("layer"),
            "P1": node("policy", constrains=["A"]),
            "P2": node("policy", constrains=["L"]),
        },
    ),
    Case(
        code="W107",
        name="policies in a layer, behind a dependency, and without any link",
        nodes={
            "A": node("behavior", depends_on=["L", "P2"]),
            "L": node("layer", contains=["P1"]),
            "P1": node("policy"),
            "P2": node("policy"),
            "P3": node("policy"),
        },
        issues="".join(
            f"""\
W107 P{at} -> the policy constrains nothing.
  specgraph/nodes/P{at}.json
  Add the nodes, features or layers that it applies to under `links.constrains`.
"""
            for at in (1, 2, 3)
        ),
    ),
    Case(
        code="W107",
        name="a policy whose links cannot be read",
        nodes={"A": {**node("policy"), "links": {"constrains": "B"}}},
        issues="""\
E103 A -> 'links.constrains' must be a list, found text.
  specgraph/nodes/A.json:11:19
  Correct the value at the given position.
""",
    ),
    Case(
        code="W108",
        name="a node with a link, and its target",
        nodes={"A": node("behavior", implements=["B"]), "B": node("domain")},
    ),
    Case(
        code="W108",
        name="nodes that no link names, and one whose links cannot be read",
        nodes={
            "A": node("behavior", implements=["B"]),
            "B": node("domain"),
            "C": node("domain"),
            "D": {**node("domain"), "links": 7},
            "E": node("feature", contains=[]),
        },
        issues="""\
E103 D -> 'links' must be an object, found a whole number.
  specgraph/nodes/D.json:9:12
  Correct the value at the given position.
W108 C -> has no link, and no node links to it.
  specgraph/nodes/C.json
  Link it: let a feature contain it, or let the nodes that need it depend on it.
W108 E -> has no link, and no node links to it.
  specgraph/nodes/E.json
  Link it: let a feature contain it, or let the nodes that need it depend on it.
""",
    ),
)
LOCK_FILE = "specgraph/manifest.lock.json"
LOCK_CASES = (
    Case(
        code="W110",
        name="a lock file that matches",
        nodes={"A": BEHAVIOR},
        files={LOCK_FILE: written({"nodes": {"A": digest(BEHAVIOR).upper()}})},
    ),
    Case(
        code="W110",
        name="a lock file from before changes",
        nodes=dict.fromkeys("ABCDEF", BEHAVIOR),
        files={LOCK_FILE: written({"nodes": {"A": "0" * 64, "B": digest(BEHAVIOR, "B"), "X": ""}})},
        issues="""\
W110 manifest.lock.json -> does not match the graph: added C, D, E and 1 more; changed A; removed X.
  specgraph/manifest.lock.json
  Review the nodes that differ, then run `yg lock`.
""",
    ),
    Case(
        code="W110",
        name="a lock file without digests",
        nodes={"A": BEHAVIOR},
        files={LOCK_FILE: '{"nodes": {"A": 1}}'},
        issues="""\
W110 manifest.lock.json -> has no 'nodes' with the digest of each node.
  specgraph/manifest.lock.json
  Review the nodes that differ, then run `yg lock`.
""",
    ),
    Case(
        code="W110",
        name="a lock file that is not JSON",
        nodes={"A": BEHAVIOR},
        files={LOCK_FILE: "{"},
        issues="""\
W110 manifest.lock.json -> not valid JSON: expected a key in double quotes.
  specgraph/manifest.lock.json
  Review the nodes that differ, then run `yg lock`.
""",
    ),
    Case(
        code="W110",
        name="a lock file that is a link",
        nodes={"A": BEHAVIOR},
        files={LOCK_FILE: Kind.LINK},
        issues="""\
W110 manifest.lock.json -> cannot be read: not a regular file.
  specgraph/manifest.lock.json
  Review the nodes that differ, then run `yg lock`.
""",
    ),
)

CASES = (
    *INDEX_CASES,
    *NODE_CASES,
    *LINK_CASES,
    *DIGEST_CASES,
    *GUIDANCE_CASES,
    *LONELY_CASES,
    *LOCK_CASES,
)
