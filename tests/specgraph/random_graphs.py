"""Small Spec Graphs in every state: all kinds of links, cycles, gaps, supersession."""

from __future__ import annotations

from hypothesis import strategies as st

from specgraph.graphs import Data, node
from yg.specgraph.model import LinkKind

IDS = tuple("ABCDEFGH")
KINDS = st.sampled_from(
    [
        "behavior",
        "feature",
        "layer",
        "layer",
        "foundation",
        "decision",
        "decision",
        "domain",
        "policy",
    ]
)
LINKED = st.dictionaries(
    st.sampled_from([str(kind) for kind in LinkKind]),
    st.lists(st.sampled_from([*IDS, "GONE"]), min_size=1, max_size=3),
    max_size=3,
)
SAYINGS = st.sampled_from(("Quick", "quick ", "Slow", "# Policies", "Two\nlines?"))
COUNTS = st.integers(1, len(IDS))
SEVERITIES = st.sampled_from(["hard", "soft", "odd"])
CATEGORIES = st.sampled_from(["stack", "pattern", "odd"])
RATIONALES: st.SearchStrategy[dict[str, str]] = st.sampled_from([{}, {"rationale": "So."}])


@st.composite
def spec_nodes(draw: st.DrawFn) -> dict[str, Data]:
    """Make some nodes with random links."""
    return {name: _node(draw) for name in IDS[: draw(COUNTS)]}


def _node(draw: st.DrawFn) -> Data:
    kind = draw(KINDS)
    return {**draw(written_nodes(kind)), "links": draw(LINKED)}


@st.composite
def written_nodes(draw: st.DrawFn, kind: str) -> Data:
    """Make a node of a type without links."""
    data = node(kind)
    said = draw(SAYINGS)
    key = next(item for item in ("description", "expectation", "statement") if item in data)
    data |= {key: said}
    if kind == "policy":
        data |= {"severity": draw(SEVERITIES)}
    if kind == "decision":
        data |= {"category": draw(CATEGORIES)}
        data |= {"metadata": dict(draw(RATIONALES))}
    return data
