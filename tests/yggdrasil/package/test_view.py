"""Packages of several nodes, and packages with parts left out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from support import CONFIG, NODE, REPOSITORY, files_below, graph_from
from yg.commands.build_context.package import package_text
from yg.commands.table import BY_NAME
from yg.kernel.cuts import fit_package
from yg.kernel.errors import NoRoomError
from yg.kernel.package import STANDARD_BUDGET, Document
from yg.kernel.parts import Cut
from yg.kernel.selection import selection
from yg.kernel.snapshot import DictSnapshot
from yg.kernel.tokens import count_tokens
from yg.kernel.view import PackageView, leave_out_known
from yg.surfaces.cli.requests import parser_of
from yg.yggdrasil.block_kind import KIND_WORDS, BlockKind
from yg.yggdrasil.editions import V2
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import CutPattern
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.blocks import Block, ContextPackage
from yg.yggdrasil.package.combine import combine
from yg.yggdrasil.package.cuts import cuttable
from yg.yggdrasil.package.markdown import package_markdown
from yg.yggdrasil.package.view import view_of
from yg.yggdrasil.read.v0 import read as read_v0
from yggdrasil.random_graphs import LONG_TEXTS, graphs

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SHOP_0X = REPOSITORY / "examples" / "shop-0x"


def packages_of(graph: Graph, paths: Sequence[str]) -> list[ContextPackage]:
    return [assemble(graph, node) for path in paths if (node := graph.nodes.get(path))]


def every_package(graph: Graph) -> list[ContextPackage]:
    return [assemble(graph, node) for node in graph.nodes]


def combined(files: Mapping[str, str], *paths: str) -> ContextPackage:
    return combine(packages_of(graph_from(files), paths), V2.order)


def body_of(package: ContextPackage) -> str:
    """Return the text without the first tag and the last two lines."""
    return package_text(package).split("\n\n", 1)[1].rsplit("\n\n", 1)[0]


# Several nodes.

FAMILY = {
    "model/a/yg-node.yaml": "name: A\ntype: module\n",
    "model/a/responsibility.md": "All of a.\n",
    "model/a/b/yg-node.yaml": (
        "name: B\ntype: service\naspects: [{aspect: x, exceptions: [not on Sundays]}]\n"
        "relations:\n"
        "- {target: c, type: uses, consumes: [f]}\n"
        "- {target: c, type: calls, failure: retry}\n"
        "- {target: d/e, type: uses}\n"
        "- {target: a, type: uses, consumes: [g]}\n"
        "mapping: {paths: [src/b.py]}\n"
    ),
    "model/c/yg-node.yaml": (
        "name: C\ntype: service\naspects: [{aspect: y}]\n"
        "relations:\n"
        "- {target: a, type: uses}\n"
        "- {target: d/e, type: uses}\n"
        "- {target: a/b, type: emits, event_name: Done}\n"
        "mapping: {paths: [src/c.py]}\n"
    ),
    "model/c/interface.md": "f()\n",
    "model/d/e/yg-node.yaml": "name: E\ntype: service\n",
    "model/d/e/interface.md": "e()\n",
    "aspects/x/yg-aspect.yaml": "name: X\nstability: schema\n",
    "aspects/x/content.md": "Do x.\n",
    "aspects/y/yg-aspect.yaml": "name: Y\nimplies: [x]\n",
    "flows/w/yg-flow.yaml": "name: W\nnodes: [c]\n",
    "flows/v/yg-flow.yaml": "name: V\nnodes: [a/b, c]\n",
    "flows/v/description.md": "From b to c.\n",
}

FAMILY_BODY = """\
<global>
**Project:** test
</global>

<hierarchy path="a/">
### responsibility.md
All of a.
</hierarchy>

<own-artifacts node-path="c" node-name="C" aspects="y,x">
### yg-node.yaml
name: C
type: service
aspects: [{aspect: y}]
relations:
- {target: a, type: uses}
- {target: d/e, type: uses}
- {target: a/b, type: emits, event_name: Done}
mapping: {paths: [src/c.py]}
### interface.md
f()
</own-artifacts>

<materialization-target node-path="c" paths="src/c.py"/>

<own-artifacts node-path="a/b" node-name="B" aspects="x">
### yg-node.yaml
name: B
type: service
aspects: [{aspect: x, exceptions: [not on Sundays]}]
relations:
- {target: c, type: uses, consumes: [f]}
- {target: c, type: calls, failure: retry}
- {target: d/e, type: uses}
- {target: a, type: uses, consumes: [g]}
mapping: {paths: [src/b.py]}
</own-artifacts>

<materialization-target node-path="a/b" paths="src/b.py"/>

<aspect name="Y" id="y" nodes="c">
</aspect>

<aspect name="X" id="x">
### content.md
Do x.
**Stability tier:** schema
**Exception for a/b:** not on Sundays
</aspect>

<dependency node-path="c" target="a" type="uses">
See: hierarchy a/
</dependency>

<dependency node-path="c" target="d/e" type="uses">
### interface.md
e()
</dependency>

<dependency node-path="a/b" target="c" type="uses" consumes="f">
Consumes: f
See: own-artifacts of c
</dependency>

<dependency node-path="a/b" target="c" type="calls" failure="retry">
On failure: retry
See: own-artifacts of c
</dependency>

<dependency node-path="a/b" target="d/e" type="uses">
See: dependency of c
</dependency>

<dependency node-path="a/b" target="a" type="uses" consumes="g">
Consumes: g
</dependency>

<event node-path="c" target="a/b" type="emits" event-name="Done">
Target: a/b
You publish Done.
</event>

<flow name="V">
### description.md
From b to c.
</flow>

<flow name="W">
</flow>"""


def test_a_package_of_several_nodes_has_everything_once() -> None:
    package = combined(FAMILY, "c", "a/b")
    assert package_text(package).startswith('<context-package nodes="c, a/b" token-count="')
    assert body_of(package) == FAMILY_BODY


def test_the_order_of_nodes_is_that_of_the_request() -> None:
    text = package_text(combined(FAMILY, "a/b", "c"))
    assert 'nodes="a/b, c"' in text
    assert text.index('node-name="B"') < text.index('node-name="C"')
    assert text.index('<flow name="V"') < text.index('<flow name="W"')


def test_an_ancestor_that_is_asked_for_is_not_repeated() -> None:
    package = combined(FAMILY, "a/b", "a", "c")
    assert [block.subject for block in package.parts if block.kind is BlockKind.HIERARCHY] == []
    assert "See: own-artifacts of a\n" in package_text(package)


EXCEPTIONS = {
    "model/p/yg-node.yaml": NODE + "aspects: [{aspect: x, exceptions: [of p]}]\n",
    "model/p/a/yg-node.yaml": NODE + "aspects: [{aspect: x, exceptions: [of a]}]\n",
    "model/p/b/yg-node.yaml": NODE + "aspects: [{aspect: x, exceptions: [of b]}]\n",
    "aspects/x/yg-aspect.yaml": "name: X\n",
}


@pytest.mark.parametrize(
    ("paths", "lines"),
    [
        (("p/b", "p/a"), ["for p/b:** of b", "for p/a:** of a", "from p:** of p"]),
        (("p/a", "p"), ["for p/a:** of a", "for p:** of p"]),
    ],
)
def test_exceptions_name_their_nodes_and_those_of_an_ancestor_come_once(
    paths: tuple[str, ...], lines: list[str]
) -> None:
    text = package_text(combined(EXCEPTIONS, *paths))
    assert re.findall(r"^\*\*Exception (.*)$", text, re.MULTILINE) == lines


def test_ancestors_come_by_path_the_root_first() -> None:
    paths = ["b/x", "a/x", "a-b/x", "+/x"]
    files = {f"model/{path}/yg-node.yaml": NODE for path in [*paths, "a", "b", "a-b", "+"]}
    package = combined({**files, "model/yg-node.yaml": NODE}, *paths)
    above = [block.subject for block in package.parts if block.kind is BlockKind.HIERARCHY]
    assert above == [".", "+", "a", "a-b", "b"]


@pytest.mark.parametrize(("blackboxes", "status"), [(("a", "b"), "ok"), (("a",), "error")])
def test_only_blackboxes_together_may_have_any_size(blackboxes: list[str], status: str) -> None:
    config = CONFIG + "quality: {context_budget: {warning: 1, error: 2}}\n"
    files = {"yg-config.yaml": config}
    for path in ("a", "b"):
        more = "blackbox: true\n" if path in blackboxes else ""
        files[f"model/{path}/yg-node.yaml"] = NODE + more
    assert combined(files, "a", "b").status == status


def test_a_reason_of_several_nodes_names_its_node() -> None:
    reasons = {block.label: block.reasons for block in combined(FAMILY, "c", "a/b").parts}
    assert reasons["aspect x"] == ("c: implied by y", "a/b: own")
    assert reasons["flow v"] == ("c: own", "a/b: own")
    assert reasons["dependency c"] == ("a/b: relation calls c",)
    assert reasons["hierarchy a"] == ("hierarchy from a",)


def drawn(files: dict[str, str], data: st.DataObject) -> list[ContextPackage]:
    """Draw the packages of two nodes or more."""
    graph = graph_from(files)
    paths = [node.path for node in graph.nodes]
    assume(len(paths) > 1)
    chosen = st.lists(st.sampled_from(paths), min_size=2, max_size=5, unique=True)
    return packages_of(graph, data.draw(chosen))


def documents_of(package: ContextPackage) -> list[str]:
    return [document.source.path for block in package.parts for document in block.documents]


@settings(CALM, max_examples=50)
@given(graphs(), st.data())
def test_every_document_of_the_packages_is_once_in_the_package_of_all(
    files: dict[str, str], data: st.DataObject
) -> None:
    packages = drawn(files, data)
    together = documents_of(combine(packages, V2.order))
    assert len(together) == len(set(together))
    assert set(together) == {path for package in packages for path in documents_of(package)}


@settings(CALM, max_examples=50)
@given(graphs(LONG_TEXTS), st.data())
def test_a_package_of_several_nodes_is_never_larger_than_their_packages(
    files: dict[str, str], data: st.DataObject
) -> None:
    packages = drawn(files, data)
    together = combine(packages, V2.order)
    assert together.tokens <= sum(package.tokens for package in packages)
    assert together.source_files == tuple(
        sorted({file for package in packages for file in package.source_files})
    )


# What the reader has.


def test_the_same_blocks_and_documents_are_left_out() -> None:
    graph = graph_from(FAMILY)
    [package, known] = packages_of(graph, ["c", "a/b"])
    text = package_text(leave_out_known(package, [known]))
    assert "### interface.md\nf()" in text  # its own
    assert '<aspect name="Y" id="y">\n</aspect>' in text
    assert '<aspect name="X" id="x">\n### content.md (as in a/b)\n**Stability' in text
    assert '<dependency target="a" type="uses">\n### responsibility.md (as in a/b)\n</d' in text
    assert '<dependency target="d/e" type="uses">\n### interface.md (as in a/b)\n</d' in text
    assert '<flow subject="v" same-as="a/b"/>' in text
    assert '<flow name="W">\n</flow>' in text


def written(block: Block) -> str:
    """Return a block as it is written, without the nodes that it applies to."""
    bare = replace(block, attributes=tuple(pair for pair in block.attributes if pair[0] != "nodes"))
    return package_text(ContextPackage(nodes=(), parts=(bare,), budget=STANDARD_BUDGET))


@settings(CALM, max_examples=50)
@given(graphs(), st.data())
def test_exactly_what_the_reader_has_in_the_same_bytes_is_left_out(
    files: dict[str, str], data: st.DataObject
) -> None:
    packages = drawn(files, data)
    known = packages.pop()
    package = combine(packages, V2.order)
    shown = leave_out_known(package, [known])
    blocks = {(block.kind, block.subject, written(block)) for block in known.parts}
    paths = documents_of(known)
    whole = (BlockKind.HIERARCHY, BlockKind.ASPECT, BlockKind.FLOW)
    for before, after in zip(package.parts, shown.parts, strict=True):
        key = (before.kind, before.subject, written(before))
        assert bool(after.same_as) == (before.kind in whole and key in blocks)
        if not after.same_as:
            is_own = before.kind is BlockKind.OWN
            for document, kept in zip(before.documents, after.documents, strict=True):
                assert bool(kept.as_in) == (document.source.path in paths and not is_own)
                assert kept.as_in or kept.text == document.text
            assert replace(after, documents=()) == replace(before, documents=())


# Fitting.


def fit(
    package: ContextPackage,
    limit: int,
    patterns: Sequence[CutPattern] | None = None,
    options: Sequence[str] = (),
) -> ContextPackage:
    """Cut documents until a package fits."""
    return fit_package(package, limit, cuttable(package, patterns), options)


def cut_document(cut: Cut) -> Document:
    assert cut.document is not None
    return cut.document


def rebuilt(package: ContextPackage, cuts: Sequence[Cut]) -> ContextPackage:
    """Write the package without some documents, in the plainest way."""
    gone = {(cut.part.label, cut.part.nodes, cut_document(cut).name) for cut in cuts}
    blocks = [
        replace(
            block,
            documents=tuple(
                document
                for document in block.documents
                if (block.label, block.nodes, document.name) not in gone
            ),
        )
        for block in package.parts
    ]
    if cuts:
        lines = tuple(cut.line for cut in package_order(package, cuts))
        blocks.append(Block(kind=BlockKind.LEFT_OUT, opening=lines))
    return replace(package, parts=tuple(blocks))


def package_order(package: ContextPackage, cuts: Sequence[Cut]) -> list[Cut]:
    places = {
        (block.label, block.nodes, document.name): at
        for at, (block, document) in enumerate(all_documents(package))
    }
    return sorted(
        cuts, key=lambda cut: places[cut.part.label, cut.part.nodes, cut_document(cut).name]
    )


def all_documents(package: ContextPackage) -> Iterator[tuple[Block, Document]]:
    for block in package.parts:
        for document in block.documents:
            yield block, document


def floor_of(package: ContextPackage) -> int:
    fitted = fit(package, 10**6).fit
    assert fitted is not None
    return fitted.floor


def literal_cuts(package: ContextPackage, every: Sequence[Cut], budget: int) -> list[Cut]:
    """Cut in order until it fits, then put back what fits, the last cut first."""
    last_first = list(reversed(every))
    order = sorted(last_first, key=lambda cut: cut.step)
    cuts: list[Cut] = []
    while rebuilt(package, cuts).tokens > budget:
        cuts.append(order[len(cuts)])
    for cut in cuts[::-1]:
        fewer = [other for other in cuts if other is not cut]
        if rebuilt(package, fewer).tokens <= budget:
            cuts = fewer
    return package_order(package, cuts)


@settings(CALM, max_examples=30)
@given(graphs(LONG_TEXTS), st.data())
def test_a_package_never_exceeds_its_limit_and_cuts_what_the_order_says(
    files: dict[str, str], data: st.DataObject
) -> None:
    package = combine(drawn(files, data), V2.order)
    floor = floor_of(package)
    least = fit(package, floor)
    assert least.fit is not None
    sizes = []
    for budget in sorted(data.draw(st.sets(st.integers(floor, package.tokens + 1), min_size=1))):
        fitted = fit(package, budget)
        assert fitted.fit is not None
        assert fitted.tokens <= budget
        cuts = list(fitted.fit.cuts)
        assert package_text(fitted) == package_text(named(package, fitted, cuts))
        assert cuts == literal_cuts(package, least.fit.cuts, budget)
        sizes.append(fitted.tokens)
    assert sizes == sorted(sizes)
    if floor > 1:
        with pytest.raises(NoRoomError):
            fit(package, floor - 1)


def named(package: ContextPackage, fitted: ContextPackage, cuts: Sequence[Cut]) -> ContextPackage:
    """Return the plainest package, with the number of tokens in the tag of the list."""
    plain = rebuilt(package, cuts)
    if not cuts:
        return plain
    *blocks, listing = plain.parts
    attributes = (("tokens", str(sum(cut.tokens for cut in cuts))),)
    return replace(plain, parts=(*blocks, replace(listing, attributes=attributes)))


BUILD_CONTEXT = parser_of(BY_NAME["build-context"])


def shown_by(graph: Graph, command: str) -> ContextPackage:
    """Return the package that a command shows."""
    program, name, *words = shlex.split(command)
    assert (program, name) == ("yg", "build-context")
    args = BUILD_CONTEXT.parse(words)
    chosen = PackageView(selection=selection(args.only, args.without, KIND_WORDS))
    return view_of(graph, packages_of(graph, [wanted.name for wanted in args.wanted]), chosen)


@settings(CALM, max_examples=40)
@given(graphs(LONG_TEXTS), st.data())
def test_the_command_of_a_cut_shows_the_document(
    files: dict[str, str], data: st.DataObject
) -> None:
    graph = graph_from(files)
    package = combine(drawn(files, data), V2.order)
    fitted = fit(package, floor_of(package))
    assert fitted.fit is not None
    for cut in fitted.fit.cuts:
        assert cut_document(cut).text in package_text(shown_by(graph, cut.command))


def cut_names(package: ContextPackage) -> list[str]:
    assert package.fit is not None
    return [f"{cut.step} {cut.part.label}/{cut_document(cut).name}" for cut in package.fit.cuts]


TEXT = "Some words of a text.\n" * 9
LARGE = {
    "model/p/yg-node.yaml": NODE,
    "model/p/a/yg-node.yaml": NODE + "relations: [{target: q, type: uses, failure: retry}]\n"
    "aspects: [{aspect: x}]\n",
    "model/q/yg-node.yaml": NODE,
    "aspects/x/yg-aspect.yaml": "name: X\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [p/a]\n",
    **{
        f"{folder}/{name}": TEXT
        for folder in ("model/p", "model/p/a", "model/q")
        for name in ("responsibility.md", "interface.md", "internals.md")
    },
    **{f"aspects/x/{name}.md": TEXT for name in ("a", "b", "c")},
    **{f"flows/f/{name}.md": TEXT for name in ("description", "paths", "sequence")},
}
ALL_CUTS = [
    "3 hierarchy p/interface.md",
    "3 hierarchy p/internals.md",
    "7 hierarchy p/responsibility.md",
    "8 own-artifacts p/a/internals.md",
    "4 aspect x/b.md",
    "4 aspect x/c.md",
    "2 dependency q/responsibility.md",
    "6 dependency q/interface.md",
    "5 flow f/description.md",
    "1 flow f/paths.md",
    "1 flow f/sequence.md",
]


def package_of(files: Mapping[str, str], path: str) -> ContextPackage:
    [package] = packages_of(graph_from(files), [path])
    return package


def test_documents_are_cut_step_by_step_the_last_first() -> None:
    package = package_of(LARGE, "p/a")
    floor = floor_of(package)
    order = []
    for budget in range(package.tokens - 1, floor - 1, -1):
        names = cut_names(fit(package, budget))
        order += [name for name in names if name not in order]
    assert sorted(order, key=lambda name: name[0]) == order
    assert order[:2] == ["1 flow f/sequence.md", "1 flow f/paths.md"]
    assert sorted(cut_names(fit(package, floor))) == sorted(ALL_CUTS)


def test_the_floor_keeps_lines_and_what_is_never_cut() -> None:
    package = package_of(LARGE, "p/a")
    text = package_text(fit(package, floor_of(package)))
    assert '<hierarchy path="p/">\n</hierarchy>' in text
    assert '<dependency target="q" type="uses" failure="retry">\nOn failure: retry\n</d' in text
    assert '<flow name="F">\n</flow>' in text
    assert re.findall("^### (.*)$", text, re.MULTILINE) == [
        "yg-node.yaml",
        "responsibility.md",
        "interface.md",
        "a.md",
    ]


def test_the_last_block_lists_what_was_cut() -> None:
    package = package_of(LARGE, "p/a")
    fitted = fit(package, package.tokens - 30, options=("--lenient",))
    command = "yg build-context p/a --only flow:f --lenient"
    assert package_text(fitted).endswith(
        f'<left-out tokens="50">\nflow f: sequence.md (50) -> {command}\n</left-out>\n\n'
        "</context-package>\nBudget status: ok\n"
    )
    assert fitted.fit is not None
    assert (fitted.fit.budget, fitted.fit.before) == (package.tokens - 30, package.tokens)


def test_what_does_not_fit_is_refused_with_its_largest_parts() -> None:
    package = package_of(LARGE, "p/a")
    with pytest.raises(NoRoomError) as caught:
        fit(package, 10)
    floor = floor_of(package)
    assert caught.value.message == (
        f"10 tokens are not enough: the floor is {floor} "
        "(list of cuts 192, own-artifacts p/a 138, aspect x 52)."
    )


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ([], []),
        ([("flow", "*")], ["1 flow f/description.md", "1 flow f/paths.md", "1 flow f/sequence.md"]),
        (
            [("own", "*"), ("aspect", "*")],
            ["1 own-artifacts p/a/internals.md", "2 aspect x/b.md", "2 aspect x/c.md"],
        ),
        (
            [("hierarchy", "inter*"), ("hierarchy", "*s*.md"), ("dependency", "interface.md")],
            [
                "2 hierarchy p/responsibility.md",
                "1 hierarchy p/interface.md",
                "1 hierarchy p/internals.md",
                "3 dependency q/interface.md",
            ],
        ),
        ([("flow", "*.txt"), ("flow", "s*s*e.md"), ("flow", "paths.md*paths.md")], []),
        ([("flow", "s*e*.md")], ["1 flow f/sequence.md"]),
    ],
)
def test_patterns_replace_the_order(patterns: list[tuple[str, str]], expected: list[str]) -> None:
    chosen = tuple(CutPattern(kind, document) for kind, document in patterns)
    package = package_of(LARGE, "p/a")
    fitted = fit(package, 10**6, chosen)
    assert fitted.fit is not None
    assert cut_names(fit(package, fitted.fit.floor, chosen)) == expected


def test_a_document_that_the_reader_has_is_not_cut() -> None:
    graph = graph_from({**LARGE, "model/p/b/yg-node.yaml": NODE})
    [package, known] = packages_of(graph, ["p/a", "p/b"])
    view = PackageView(known=(known,), fit=10**6)
    floor = view_of(graph, [package], view).fit
    assert floor is not None
    names = cut_names(view_of(graph, [package], replace(view, fit=floor.floor)))
    assert [name for name in names if "hierarchy" in name] == []
    assert len(names) == len(ALL_CUTS) - 3


@pytest.mark.parametrize("paths", [("p/a",), ("p/a", "q", "p")])
def test_exact_counts_are_those_of_the_whole_text(paths: tuple[str, ...]) -> None:
    estimated = combined(LARGE, *paths)
    package = replace(estimated, budget=replace(estimated.budget, tokenizer="o200k"))
    floor = floor_of(package)
    sizes = []
    for budget in range(floor, package.tokens + 1, 3):
        fitted = fit(package, budget)
        assert fitted.tokens == count_tokens(fitted.text, "o200k") <= budget
        sizes.append(fitted.tokens)
    assert sizes == sorted(sizes)
    with pytest.raises(NoRoomError, match=f"^1 o200k token is not enough: the floor is {floor} "):
        fit(package, 1)


# The 0.x edition, whose size is that of the Markdown form.


def old_graph() -> Graph:
    """Return the example of that edition, with longer texts."""
    files = {
        path: text * 6 if path.endswith(".md") else text
        for path, text in files_below(SHOP_0X / "yggdrasil").items()
    }
    return read_v0(DictSnapshot({f"yggdrasil/{path}": text for path, text in files.items()}))


def test_packages_of_the_older_edition_are_combined_and_fitted_by_their_markdown() -> None:
    graph = old_graph()
    paths = [node.path for node in graph.nodes if paths_below(graph, node.path) == 0]
    package = view_of(graph, packages_of(graph, paths), PackageView())
    assert len(documents_of(package)) == len(set(documents_of(package)))
    kinds = list(dict.fromkeys(block.kind for block in package.parts))
    assert kinds == [kind for kind in graph.edition.order if kind in kinds]
    floor = floor_of(package)
    assert floor < package.tokens
    sizes = []
    for budget in range(floor, package.tokens + 1, 13):
        fitted = fit(package, budget)
        assert fitted.fit is not None
        assert package_markdown(fitted).count("\n- ") >= len(fitted.fit.cuts)
        assert fitted.tokens <= budget
        sizes.append(fitted.tokens)
        for cut in fitted.fit.cuts:  # none of them fits again
            fewer = [other for other in fitted.fit.cuts if other is not cut]
            assert rebuilt(package, fewer).tokens > budget
    assert sizes == sorted(sizes)


def paths_below(graph: Graph, path: str) -> int:
    return sum(other.path.startswith(f"{path}/") for other in graph.nodes)


def test_markdown_names_nodes_references_and_cuts() -> None:
    graph = graph_from({**FAMILY, "model/c/internals.md": TEXT * 2})
    packages = packages_of(graph, ["c", "a/b"])
    view = PackageView(known=tuple(packages_of(graph, ["d/e", "a"])))
    package = view_of(graph, packages, view)
    markdown = package_markdown(fit(package, package.tokens - 20))
    assert markdown.startswith("# Context Package: C, B\n# Path: c, a/b\n")
    for line in (
        "## Module Context (a/)",
        "## Node: C",
        "## Materialization Target for a/b",
        "### Y (aspect: y) for c",
        "### X (aspect: x)",
        "### d/e (uses) for c",
        "#### interface.md (as in d/e)",
        "### responsibility.md (as in a)",
        "See: own-artifacts of c",
        "## Left Out",
        "- own-artifacts c: internals.md (99) -> yg build-context c --only own:c",
    ):
        assert f"\n{line}\n" in markdown
