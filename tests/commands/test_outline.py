"""The outline of a package: its pieces, their sizes, and selectors that show them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import REPOSITORY, run, run_shop
from yg.commands.build_context.outline import outline
from yg.commands.build_context.package import package_document
from yg.kernel.package import CHARACTERS_PER_TOKEN, Document
from yg.kernel.selection import selection
from yg.kernel.snapshot import given_text
from yg.yggdrasil.block_kind import KIND_WORDS, BlockKind
from yg.yggdrasil.package.blocks import Block, ContextPackage, PackageNode

ORDER = "orders/order-service"
KINDS = (BlockKind.OWN, BlockKind.ASPECT, BlockKind.DEPENDENCY, BlockKind.FLOW)
words = st.text("ab#:. é\x1b`", min_size=1, max_size=8).filter(str.strip)
names = st.text("ab-", min_size=1, max_size=4)
texts = st.lists(st.one_of(words, words.map("# {}".format), words.map("### {}".format)), max_size=6)
documents = st.dictionaries(names.map("{}.md".format), texts.map("\n".join), max_size=3)
blocks = st.tuples(st.sampled_from(KINDS), names, documents)


def package(*given_blocks: tuple[BlockKind, str, dict[str, str]]) -> ContextPackage:
    return ContextPackage(
        nodes=(PackageNode("n", "N", "service"),),
        parts=tuple(
            Block(
                kind=kind,
                subject="n" if kind is BlockKind.OWN else subject,
                documents=tuple(
                    Document(name, given_text(f"{subject}/{name}", text))
                    for name, text in given_documents.items()
                ),
            )
            for kind, subject, given_documents in given_blocks
        ),
    )


@settings(max_examples=60)
@given(st.lists(blocks, max_size=5))
def test_every_selector_of_an_outline_works(
    given_blocks: list[tuple[BlockKind, str, dict[str, str]]],
) -> None:
    whole = package(*given_blocks)
    listed = outline(package_document(whole))
    for piece in listed.pieces:
        shown, _ = selection([piece.selector], [], KIND_WORDS).apply(whole.parts)
        assert shown, piece.selector
        if piece.depth:
            assert any(block.documents for block in shown), piece.selector


@pytest.mark.parametrize("node", ["commands", "yggdrasil/package", "workspace"])
def test_the_outline_of_a_large_package_has_at_most_a_tenth_of_its_size(node: str) -> None:
    outcome = run("build-context", node, "--outline", "-C", str(REPOSITORY))
    whole = run("build-context", node, "-C", str(REPOSITORY))
    if len(whole.text) > 4_200 * CHARACTERS_PER_TOKEN:
        assert len(outcome.text) <= len(whole.text) / 10
    assert "own:" in outcome.text


@pytest.mark.parametrize("blocks_in_it", [3, 3_000])
def test_small_pieces_are_left_out_to_keep_an_outline_short(blocks_in_it: int) -> None:
    text = "".join(f"# Heading {number}\ntext\n" for number in range(6_000 // blocks_in_it))
    whole = package(
        *((BlockKind.ASPECT, f"a{at}", {"content.md": text}) for at in range(blocks_in_it))
    )
    listed = outline(package_document(whole))
    assert listed.hidden > 1_000
    assert len(listed.written("text")) <= whole.characters / 10
    assert f"({listed.hidden} smaller pieces not listed)" in listed.written("text")
    kinds = {piece.selector for piece in listed.pieces if piece.depth == 0}
    assert kinds == ({"aspect"} if blocks_in_it > 100 else {f"aspect:a{at}" for at in range(3)})


def test_the_lines_of_an_outline_continue_those_around_them() -> None:
    listed = run_shop("build-context", ORDER, "--outline").text.splitlines()
    data = json.loads(run_shop("build-context", ORDER, "--outline", "--json").text)
    joined: list[str] = []
    stack = ["", "", ""]
    width = len(str(data["tokens"])) + 2
    for line in listed[:-2]:
        own = line[width:].lstrip(" ")
        depth = min((len(line[width:]) - len(own)) // 2, 2)
        stack[depth] = own
        joined.append("".join(stack[: depth + 1]))
    assert joined == [piece["selector"] for piece in data["pieces"]]
    assert data["nodes"] == [ORDER]


def test_the_sizes_of_an_outline_are_those_of_the_pieces() -> None:
    data = json.loads(run_shop("build-context", ORDER, "--outline", "--json").text)
    whole = json.loads(run_shop("build-context", ORDER, "--json").text)
    assert data["tokens"] == whole["tokens"]
    listed = [piece["tokens"] for piece in data["pieces"] if piece["depth"] == 0]
    assert listed == [block["tokens"] for block in whole["blocks"]]


def test_an_outline_names_what_the_reader_has() -> None:
    outcome = run_shop("build-context", ORDER, "--outline", "--have", "orders/pricing")
    assert "(same as in orders/pricing)" in outcome.text


@pytest.mark.parametrize("other", ["--why", "--digest"])
def test_an_outline_is_one_form_of_a_package(other: str) -> None:
    outcome = run_shop("build-context", ORDER, "--outline", other)
    assert outcome.code == 2
    assert f"--outline cannot be combined with {other}" in outcome.notes


def test_an_outline_is_not_written_as_markdown() -> None:
    outcome = run_shop("build-context", ORDER, "--outline", "--format", "markdown")
    assert (outcome.code, outcome.text) == (2, "")


def test_a_section_keeps_the_tags_of_its_block_and_nothing_else() -> None:
    shown = run_shop("build-context", ORDER, "--only", "flow::description.md#Goal").text
    assert shown.count("<flow ") == shown.count("</flow>") == 1
    assert "### sequence.md" not in shown
