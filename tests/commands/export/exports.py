"""Sample exports: a small readable one, and ones with hostile texts."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from yg.kernel.export import EdgeKind, Export, ExportBuilder, ExportEdge, Presence, VertexKind

NODE, ASPECT, FLOW = VertexKind.NODE, VertexKind.ASPECT, VertexKind.FLOW

# Texts that at least one of the formats could parse as markup or syntax.
HOSTILE = (
    *('"quotes"', "it's", "back\\slash", "ends in \\", '\\"', "\\N", "\\u0027", "`tick`"),
    *("new\nline", "carriage\rreturn", "\r\n", "tab\t", "nul\0", "\x1b[31m", "\x7f", "\x85"),
    *("\ud800", "\ufffe\uffff", "\u2028", "\u00a0", "\u202eRTL", "ünïcödé", "日本語", "😀"),
    *("=1+1", "+x", "-x", "@x", "NULL", "true", "1", "1.5", "a,b", ";", "$HOME ${a}", "%3A", ":"),
    *("end", "subgraph", "default", "style", "click", "graph", "node", "strict", "o", "x"),
    *("[x]", "(y)", "{z}", "{{w}}", "|pipe|", "a --> b", "---", "--o", "%% note", "%%{init}%%"),
    *("<b>bold</b>", "<br/>", "&amp; &lt;", "&", "]]>", "<!-- -->", "<?xml?>", "#35;", "#quot;"),
    *("*bold* _it_", "1. list", "- item", "# head", "::: c", "@{ shape: rect }", "x" * 500, " "),
    *("// note", "/* note */", "$parameter", "{id: 1}", "'; MATCH (n) DELETE n; //", ""),
)
texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=6))
repositories = st.sampled_from(("", "", "other"))  # empty: that of the export
lists = st.lists(texts, max_size=2).map(tuple)
some_types = st.lists(texts, min_size=1, max_size=3)
vertex_kinds, edge_kinds = st.sampled_from(list(VertexKind)), st.sampled_from(list(EdgeKind))
vertex_counts, edge_counts = st.integers(1, 4), st.integers(0, 5)
presences = st.sampled_from(list(Presence))
some_tokens = st.none() | st.integers(0, 9)


def small() -> Export:
    """Return an export with one vertex and edge of each kind."""
    builder = ExportBuilder("shop", ("module", "service"))
    top = replace(
        builder.vertex(NODE, "top"),
        name="Top",
        type="module",
        presence=Presence.PRESENT,
        aspects=("x",),
    )
    a = replace(
        builder.vertex(NODE, "top/a"),
        name="A <1>",
        type="service",
        presence=Presence.PRESENT,
        mapping=("src/a", "src/b, c"),
        excluded=("*.test.ts", "src/a/old/"),
        tokens=12_000,
        budget="warning",
        drift="source-drift",
    )
    box = replace(
        builder.vertex(NODE, "box"),
        name="Box",
        type="service",
        presence=Presence.PRESENT,
        blackbox=True,
    )
    x = replace(
        builder.vertex(ASPECT, "x"), name="X", presence=Presence.PRESENT, description="It's so"
    )
    flow = replace(builder.vertex(FLOW, "f"), name="F", presence=Presence.PRESENT)
    for vertex in (top, a, box, x, flow):
        builder.add(vertex)
    builder.link(top, a, ExportEdge(kind=EdgeKind.CONTAINS, type="contains"))
    uses = ExportEdge(kind=EdgeKind.RELATION, type="uses", consumes=("go",), failure="wait")
    builder.link(a, box, uses)
    builder.link(a, builder.vertex(NODE, "gone"), ExportEdge(kind=EdgeKind.RELATION, type="calls"))
    builder.link(box, a, ExportEdge(kind=EdgeKind.EVENT, type="emits", event="Done"))
    builder.link(
        top, x, ExportEdge(kind=EdgeKind.HAS_ASPECT, type="has-aspect", exceptions=("Never",))
    )
    builder.link(x, builder.vertex(ASPECT, "y"), ExportEdge(kind=EdgeKind.IMPLIES, type="implies"))
    builder.link(a, flow, ExportEdge(kind=EdgeKind.PARTICIPATES, type="participates"))
    return builder.finished()


def relying() -> Export:
    """Return an export of a node that calls a known and a missing node of another repository."""
    builder = ExportBuilder("shop", ("service",))
    order = replace(builder.vertex(NODE, "order"), type="service", presence=Presence.PRESENT)
    ledger = replace(
        builder.vertex(NODE, "pay/ledger", "acme/billing"),
        name="Ledger",
        type="bookkeeping",
        presence=Presence.PRESENT,
        description="Keeps the books.",
    )
    builder.add(order)
    builder.add(ledger)
    calls = ExportEdge(kind=EdgeKind.RELATION, type="calls")
    builder.link(order, ledger, calls)
    builder.link(order, builder.vertex(NODE, "gone", "acme/billing"), calls)
    return builder.finished()


@st.composite
def hostile_exports(choose: st.DrawFn) -> Export:
    """Draw an export with arbitrary texts."""
    types = choose(some_types)
    builder, chosen_types = ExportBuilder(choose(texts), types), st.sampled_from(types)
    for _ in range(choose(vertex_counts)):
        kind_of_vertex = choose(vertex_kinds)
        vertex = builder.vertex(kind_of_vertex, choose(texts), choose(repositories))
        builder.add(
            replace(
                vertex,
                name=choose(texts),
                type=choose(chosen_types),
                presence=choose(presences),
                description=choose(texts),
                blackbox=choose(st.booleans()),
                mapping=choose(lists),
                tokens=choose(some_tokens),
            )
        )
    vertices = st.sampled_from(builder.finished().vertices)
    for _ in range(choose(edge_counts)):
        kind = choose(edge_kinds)
        edge = ExportEdge(
            kind=kind, type=choose(texts), consumes=choose(lists), event=choose(texts)
        )
        builder.link(choose(vertices), choose(vertices), edge)
    return builder.finished()


def all_hostile() -> Export:
    """Return an export with every hostile text in every field."""
    builder = ExportBuilder("hostile", HOSTILE)
    before = builder.vertex(NODE, "first")
    for text in HOSTILE:
        for kind in VertexKind:
            vertex = builder.vertex(kind, text)
            builder.add(replace(vertex, name=text, type=text, description=text, mapping=(text,)))
        vertex = builder.vertex(NODE, text)
        builder.link(before, vertex, ExportEdge(kind=EdgeKind.RELATION, type=text, failure=text))
        builder.link(before, vertex, ExportEdge(kind=EdgeKind.EVENT, type="emits", event=text))
        builder.link(before, vertex, ExportEdge(kind=EdgeKind.CONTAINS, type="contains"))
        before = vertex
    return builder.finished()
