"""Small Spec Graphs in every state: all kinds of links, cycles, gaps, supersession."""

from __future__ import annotations

from hypothesis import strategies as st

from specgraph.graphs import Data, node
from yg.specgraph.model import LinkKind

IDS = tuple("ABCDEFGH")
KINDS = (
    "behavior",
    "feature",
    "layer",
    "layer",
    "foundation",
    "decision",
    "decision",
    "domain",
    "policy",
)
LINKED = st.dictionaries(
    st.sampled_from([str(kind) for kind in LinkKind]),
    st.lists(st.sampled_from([*IDS, "GONE"]), min_size=1, max_size=3),
    max_size=3,
)
SAYINGS = ("Quick", "quick ", "Slow", "# Policies", "Two\nlines?")


@st.composite
def spec_nodes(draw: st.DrawFn) -> dict[str, Data]:
    """Make some nodes with random links."""
    return {name: _node(draw) for name in IDS[: draw(st.integers(1, len(IDS)))]}


def _node(draw: st.DrawFn) -> Data:
    kind = draw(st.sampled_from(KINDS))
    data = node(kind, **draw(LINKED))
    said = draw(st.sampled_from(SAYINGS))
    key = next(each for each in ("description", "expectation", "statement") if each in data)
    data |= {key: said}
    if kind == "policy":
        data |= {"severity": draw(st.sampled_from(["hard", "soft", "odd"]))}
    if kind == "decision":
        data |= {"category": draw(st.sampled_from(["stack", "pattern", "odd"]))}
        data |= {"metadata": draw(st.sampled_from([{}, {"rationale": "So."}]))}
    return data
