"""Source files of any content: nothing in one ends a command, and every reader returns."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from security.hostile_code import FILES, fragments, read_everything
from support import CONFIG, run, write, write_graph
from yg.code.languages import ENDINGS, ending

CODE = f"{CONFIG}code: {{}}\n"
HASH_COMMENTS = ("py", "pyi", "rb")
# A byte order mark, line breaks of all kinds, characters that no language has, half a character.
ODD = (
    "\ufeff",
    "\r",
    "\x00",
    "\x85",
    "\u2028",
    "\x1a",
    "\ud800",
    "\udfff",
    "é",
    "中",
    "\U0001f600",
)


def comment(path: str) -> str:
    """Return a comment in the language of a file."""
    mark = "#" if ending(path) in HASH_COMMENTS else "//"
    return f"{mark} only a note\n"


def with_node(root: Path, file: str, content: str, anchor: str = "") -> Path:
    """Write a graph with one node, whose text quotes a name, and the file that it maps."""
    aspects = f"aspects: [{{aspect: x, anchors: ['{anchor}']}}]\n" if anchor else ""
    node = f"name: N\ntype: service\n{aspects}mapping: {{paths: [{file}]}}\n"
    files = {
        "yg-config.yaml": CODE,
        "model/a/yg-node.yaml": node,
        "model/a/responsibility.md": "It does all there is to do, and nothing besides.\n",
        "model/a/interface.md": "`charge(order)` takes the money, or says why it cannot.\n",
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "aspects/x/content.md": "Every payment is written down.\n",
    }
    return write(write_graph(root, files), {file: content})


@pytest.mark.parametrize("end", ENDINGS)
def test_a_file_without_a_token_has_none_of_the_names_in_a_text(tmp_path: Path, end: str) -> None:
    for number, content in enumerate(("", "\n", "\ufeff", comment(f"a.{end}"))):
        root = with_node(tmp_path / str(number), f"a.{end}", content)
        outcome = run("validate", "-C", str(root))
        assert (outcome.code, outcome.notes) == (0, "")
        if end != "php" or not content.strip("\n\ufeff"):  # where a note is text to be printed
            assert "W024 a -> interface.md names 'charge(order)'" in outcome.text


@pytest.mark.parametrize("end", ENDINGS)
def test_an_anchor_that_is_a_comment_is_sought_as_text(tmp_path: Path, end: str) -> None:
    note = comment(f"a.{end}")
    start = "<?php\n" if end == "php" else ""
    found = with_node(tmp_path / "found", f"a.{end}", f"{start}{note}\n", note.strip())
    other = with_node(tmp_path / "other", f"a.{end}", f"{start}only = 'a note'\n", note.strip())
    outcomes = [run("validate", "-C", str(root)) for root in (found, other)]
    assert [outcome.code for outcome in outcomes] == [0, 0]
    assert ["W014" in outcome.text for outcome in outcomes] == [False, True]


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n",
        "\r\n",
        "\r",
        "\t\f\v",
        "\ufeff",
        "\ufeff\n",
        "\0",
        "\ud800",
        "\\",
        "\\\n",
        "\n" * 50,
    ],
)
def test_every_reader_takes_a_text_without_code(path: str, text: str) -> None:
    read_everything(path, text)


@pytest.mark.parametrize("path", FILES)
def test_every_reader_takes_any_fragment_alone_and_at_the_end_of_a_line(path: str) -> None:
    for part in fragments(path):
        for text in (
            part,
            f"{part}\n",
            f"a\n{part}",
            f"\ufeff{part}",
            f"{part}\0",
            f"{part}\ud800",
        ):
            read_everything(path, text)


@pytest.mark.parametrize("text", ["declare async ", "export declare async", "declare abstract"])
def test_modifiers_at_the_end_of_a_file_declare_nothing(text: str) -> None:
    for path in ("a.js", "a.ts"):
        read_everything(path, text)


@pytest.mark.parametrize("path", FILES)
@given(data=st.data())
def test_every_reader_takes_any_mixture_of_fragments(path: str, data: st.DataObject) -> None:
    parts = st.sampled_from(fragments(path)) | st.sampled_from(ODD)
    read_everything(path, "".join(data.draw(st.lists(parts, max_size=30))))
