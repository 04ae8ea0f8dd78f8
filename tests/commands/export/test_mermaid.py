"""Exports as Mermaid: every line has one of five forms, and labels are always escaped."""

from __future__ import annotations

import re

from hypothesis import given

from commands.export.exports import hostile_exports, small
from yg.commands.export.drawing import Style, label, nested, title
from yg.commands.export.mermaid import export_mermaid
from yg.kernel.export import Export

SMALL = """\
flowchart LR
  node_box["Box<br/>service, blackbox"]:::look1
  node_gone["gone<br/>node, missing"]:::look2
  subgraph frame_node_top["Top"]
    node_top["Top<br/>module"]:::look3
    node_top_a["A #60;1#62;<br/>service, 12000 tokens, source-drift"]:::look4
  end
  aspect_x{{"X<br/>aspect"}}:::look5
  aspect_y{{"y<br/>aspect, missing"}}:::look2
  flow_f(["F<br/>flow"]):::look6
  aspect_x -.->|"implies"| aspect_y
  node_box -.->|"emits Done"| node_top_a
  node_top -.- aspect_x
  node_top_a -->|"calls"| node_gone
  node_top_a --- flow_f
  node_top_a -->|"uses"| node_box
  classDef look1 fill:#475569,stroke:#0f172a,color:#ffffff
  classDef look2 fill:#fef2f2,stroke:#dc2626,color:#991b1b
  classDef look3 fill:#dbeafe,stroke:#1d4ed8,color:#0f172a
  classDef look4 fill:#dcfce7,stroke:#15803d,color:#0f172a
  classDef look5 fill:#f8fafc,stroke:#94a3b8,color:#0f172a
  classDef look6 fill:#ecfeff,stroke:#0e7490,color:#0f172a
"""
ID = r"(?:node|aspect|flow)(?:_[A-Za-z0-9]+)*(?:__\d+)?"
TEXT = r"(?:[\w ,…/(.)-]|#\d+;)*"
LINES = {
    "frame": re.compile(rf'subgraph frame_{ID}\["({TEXT})"\]'),
    "box": re.compile(rf'{ID}(?:\["|{{{{"|\(\[")({TEXT}<br/>{TEXT})(?:"\]|"}}}}|"\]\)):::look\d+'),
    "edge": re.compile(rf'{ID} (?:-->|-\.->|-\.-x|-\.-|---|--o)(?:\|"({TEXT})"\|)? {ID}'),
    "end": re.compile(r"end()"),
    "look": re.compile(r"classDef look\d+ fill:(#\w+),stroke:#\w+,color:#\w+"),
}


def test_a_graph_is_a_flowchart() -> None:
    assert export_mermaid(small()) == SMALL


def shown(text: str) -> dict[str, list[str]]:
    """Parse a flowchart; return the unescaped labels by kind of line."""
    first, *rest = text.splitlines()
    assert first == "flowchart LR"
    found: dict[str, list[str]] = {name: [] for name in LINES}
    for line in rest:
        ((name, match),) = (
            (name, match)
            for name, pattern in LINES.items()
            if (match := pattern.fullmatch(line.strip()))
        )
        found[name].append(re.sub(r"#(\d+);", lambda code: chr(int(code[1])), match[1] or ""))
    return found


@given(hostile_exports())
def test_every_label_is_shown_as_it_is(export: Export) -> None:
    found = shown(export_mermaid(export))
    remark = Style(export).remark
    labels = {f"{title(vertex)}<br/>{remark(vertex)}" for vertex in export.vertices}
    assert set(found["box"]) <= labels
    assert set(found["frame"]) <= {title(vertex) for vertex in export.vertices}
    assert len(found["frame"]) == len(found["end"])
    assert sorted(found["edge"]) == sorted(label(edge) for edge in nested(export).edges)


@given(hostile_exports())
def test_every_vertex_has_an_id_of_its_own(export: Export) -> None:
    lines = [line.strip() for line in export_mermaid(export).splitlines()]
    boxes = [re.match(ID, line) for line in lines if ":::" in line]
    ids = [box[0] for box in boxes if box]
    assert sorted(ids) == sorted(set(ids))
