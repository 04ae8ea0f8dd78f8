"""A package knows its size without being written, and says what decided it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.package import Budget, Document, tokens_of
from yg.kernel.snapshot import Text
from yg.yggdrasil.block_kind import BlockKind
from yg.yggdrasil.package.blocks import Block, ContextPackage, PackageNode

BUDGET = Budget(warning=10, error=20)
# Texts of whole line breaks: a carriage return is never alone in them.
TEXTS = st.lists(st.sampled_from(["a", "é😀", " ", "\n", "\r\n"]), max_size=12).map("".join)
LINES = st.lists(st.text("ab é😀", max_size=6), max_size=3).map(tuple)


def document(text: str, name: str = "a.md") -> Document:
    """Return a document of this text."""
    return Document(name, Text(f"model/{name}", lambda _: text.encode()))


BLOCKS = st.builds(
    Block,
    kind=st.sampled_from(list(BlockKind)),
    subject=st.just("s"),
    opening=LINES,
    documents=st.lists(TEXTS.map(document), max_size=3).map(tuple),
    closing=LINES,
)


def package(*blocks: Block) -> ContextPackage:
    """Return a package of these blocks."""
    return ContextPackage(nodes=(PackageNode("p", "P", "service"),), parts=blocks, budget=BUDGET)


def without_last_break(content: str) -> str:
    """Return a content as it is between its neighbours."""
    return content.removesuffix("\n").removesuffix("\r")


@pytest.mark.parametrize(
    ("characters", "tokens"),
    [(0, 0), (1, 1), (3, 1), (4, 1), (5, 2), (8, 2), (9, 3), (40_001, 10_001)],
)
def test_a_token_is_four_characters_and_a_part_of_one_counts(characters: int, tokens: int) -> None:
    assert tokens_of(characters) == tokens


@pytest.mark.parametrize(
    ("text", "written", "body"),
    [
        ("", "### a.md\n", ""),
        ("\n\n", "### a.md\n", ""),
        ("\r\n", "### a.md\n", ""),
        ("one", "### a.md\none\n", "one"),
        ("one\n", "### a.md\none\n", "one"),
        ("one\n\n\n", "### a.md\none\n", "one"),
        ("one\r\n", "### a.md\none\r\n", "one"),
        ("one\r\n\r\n", "### a.md\none\r\n", "one"),
        ("one\r\ntwo", "### a.md\none\r\ntwo\n", "one\r\ntwo"),
        ("\n one \n", "### a.md\n\n one \n", "\n one "),
        ("\ufeff", "### a.md\n\ufeff\n", "\ufeff"),
    ],
)
def test_a_document_ends_in_one_line_break_of_its_own_kind(
    text: str, written: str, body: str
) -> None:
    # The mark in front is dropped when the file is read.
    one = Document("a.md", Text("a.md", lambda _: text.encode("utf-8-sig")))
    assert (one.text, one.body) == (written, body)


@given(TEXTS)
def test_a_document_is_as_long_as_it_says(text: str) -> None:
    one = document(text)
    assert one.characters == len(one.text)
    assert one.break_length == len(one.text) - len(without_last_break(one.text))


def test_a_block_writes_its_lines_around_its_documents() -> None:
    block = Block(
        kind=BlockKind.ASPECT,
        subject="audit",
        opening=("Name: audit", "Kind: rule"),
        documents=(document("one\n\n", "a.md"), document("two\r\n", "b.md")),
        closing=("Seen by: all",),
    )
    assert block.content == (
        "Name: audit\nKind: rule\n\n### a.md\none\n### b.md\ntwo\r\nSeen by: all\n"
    )
    assert block.characters == len(block.content) - 1


@pytest.mark.parametrize(
    ("block", "content"),
    [
        (Block(kind=BlockKind.OWN, subject="s"), ""),
        (Block(kind=BlockKind.OWN, subject="s", opening=("",)), "\n"),
        (Block(kind=BlockKind.OWN, subject="s", opening=("a", "b")), "a\nb\n"),
        (Block(kind=BlockKind.OWN, subject="s", closing=("a",)), "a\n"),
        (Block(kind=BlockKind.OWN, subject="s", opening=("a",), closing=("b",)), "a\nb\n"),
        (Block(kind=BlockKind.OWN, subject="s", documents=(document(""),)), "### a.md\n"),
    ],
)
def test_a_block_may_lack_any_of_its_parts(block: Block, content: str) -> None:
    assert block.content == content
    assert block.characters == len(content.removesuffix("\n"))


@pytest.mark.parametrize("kind", BlockKind)
def test_only_a_materialization_target_has_no_content(kind: BlockKind) -> None:
    is_target = kind.value == "materialization-target"
    assert Block(kind=kind, subject="s").has_content is not is_target


@given(BLOCKS)
def test_a_block_is_as_long_as_it_says(block: Block) -> None:
    assert block.characters == len(without_last_break(block.content))


@given(st.lists(BLOCKS, max_size=5))
def test_a_package_is_as_long_as_its_contents_joined_by_blank_lines(blocks: list[Block]) -> None:
    written = "\n\n".join(
        without_last_break(block.content) for block in blocks if block.kind is not BlockKind.TARGET
    )
    whole = package(*blocks)
    assert (whole.characters, whole.tokens) == (len(written), (len(written) + 3) // 4)
    assert whole.text == written  # what a tokenizer counts


def test_a_package_without_blocks_is_empty() -> None:
    nothing = package()
    assert (nothing.characters, nothing.tokens, nothing.status, nothing.source_files) == (
        0,
        0,
        "ok",
        (),
    )


@pytest.mark.parametrize(
    ("characters", "status"),
    [(40, "ok"), (41, "warning"), (80, "warning"), (81, "error")],
)
def test_a_package_is_judged_by_what_lies_above_its_budget(characters: int, status: str) -> None:
    block = Block(kind=BlockKind.OWN, subject="s", opening=("x" * characters,))
    assert package(block).status == status


def test_a_package_names_the_files_that_decided_it_once_and_sorted() -> None:
    one = Block(kind=BlockKind.OWN, subject="s", source_files=("b.yaml", "a.yaml"))
    other = Block(kind=BlockKind.TARGET, subject="s", source_files=("B.yaml", "a.yaml"))
    assert package(one, other).source_files == ("B.yaml", "a.yaml", "b.yaml")
