"""Exports as DOT, parsed with pydot and, if installed, drawn with Graphviz."""

from __future__ import annotations

import shutil
import subprocess

import pydot
import pytest
from hypothesis import given, settings

from commands.export.exports import all_hostile, hostile_exports, relying, small
from yg.commands.export.dot import export_dot
from yg.kernel.export import Export

SMALL = """\
  subgraph "cluster shop:node:top" { style="rounded,filled"; fillcolor="#f8fafc"; color="#cbd5e1"; \
fontsize=12; labeljust=l; label=<Top <font point-size="9">module</font>>;
    "shop:node:top" [label=<Top<br/><font point-size="9">module</font>>, shape=box, \
style="rounded,filled", fillcolor="#dbeafe", color="#1d4ed8", fontcolor="#0f172a"];
    "shop:node:top/a" [label=<A &lt;1&gt;<br/><font point-size="9">service, 12000 tokens, \
source-drift</font>>, shape=box, style="rounded,filled", fillcolor="#dcfce7", color="#15803d", \
fontcolor="#0f172a"];
  }
"""
EDGES = """\
  "shop:aspect:x" -> "shop:aspect:y" [style=dotted, color="#94a3b8", arrowhead=empty, \
label="implies"];
  "shop:node:box" -> "shop:node:top/a" [style=dashed, color="#6d28d9", fontcolor="#6d28d9", \
label="emits Done"];
  "shop:node:top" -> "shop:aspect:x" [style=dotted, color="#94a3b8", arrowhead=none];
  "shop:node:top/a" -> "shop:node:gone" [label="calls"];
  "shop:node:top/a" -> "shop:flow:f" [color="#0e7490", arrowhead=dot, arrowsize=0.4, penwidth=0.7];
  "shop:node:top/a" -> "shop:node:box" [label="uses"];
}
"""


def test_what_contains_others_is_a_frame_around_them() -> None:
    assert SMALL in export_dot(small())


def test_edges_tell_their_type_by_stroke_and_word() -> None:
    assert export_dot(small()).endswith(EDGES)


RELYING = """\
  "acme/billing:node:gone" [label=<gone<br/><font point-size="9">node, in acme/billing, missing\
</font>>, shape=box, style="filled,dashed", fillcolor="#fef2f2", color="#dc2626", \
fontcolor="#991b1b"];
  "acme/billing:node:pay/ledger" [label=<Ledger<br/><font point-size="9">bookkeeping, \
in acme/billing</font>>, shape=box, style="rounded,filled", fillcolor="#ffffff", \
color="#64748b", fontcolor="#334155"];
"""


def test_nodes_of_another_repository_look_different_and_name_it() -> None:
    assert RELYING in export_dot(relying())


def names(graph: pydot.Graph) -> set[str]:
    """Return the names of all nodes of a graph, including those in subgraphs."""
    found, waiting = set(), [graph]
    while waiting:
        graph = waiting.pop()
        found |= {node.get_name() for node in graph.get_nodes()}
        waiting += graph.get_subgraphs()
    return found - {"node", "edge", "graph"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # inside pydot
@settings(deadline=None, max_examples=30)
@given(hostile_exports())
def test_pydot_reads_any_export(export: Export) -> None:
    graphs = pydot.graph_from_dot_data(export_dot(export))
    assert graphs is not None
    assert names(graphs[0]) <= {_quoted(vertex.id) for vertex in export.vertices}


def _quoted(name: str) -> str:
    # Graphviz reserves names that begin with a percent sign.
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"_{escaped}"' if name.startswith("%") else f'"{escaped}"'


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("export", [small(), all_hostile()], ids=["small", "hostile"])
def test_graphviz_reads_any_export_without_a_word(export: Export) -> None:
    ran = subprocess.run(
        ["dot", "-Tcanon"],
        input=export_dot(export).encode(),
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
