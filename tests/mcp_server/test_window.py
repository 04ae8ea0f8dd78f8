"""Long lists are cut, wherever they are, and their true lengths reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent import Agent, texts
from support import run
from yg.surfaces.mcp.reply import CAP, Window, capped, cut, cut_text

DOCUMENT = {"schema": "yg-x/1", "stages": [["a", "b", "c"], ["d"]], "empty": [], "note": None}


def test_a_document_whose_lists_fit_stays_as_it_is() -> None:
    assert cut(DOCUMENT, Window(3, 2)) == DOCUMENT


def test_a_list_inside_a_list_is_cut_and_the_short_ones_are_whole() -> None:
    assert cut(DOCUMENT, Window(2)) == {
        "schema": "yg-x/1",
        "stages": [["a", "b"], ["d"]],
        "empty": [],
        "note": None,
        "cut": {"limit": 2, "offset": 0, "totals": {"/stages/0": 3}},
    }


def test_places_in_a_list_that_was_cut_are_those_of_the_whole_list() -> None:
    found = cut({"rows": [[], [], [{"x": [1, 2, 3]}]]}, Window(2, 2))
    assert found["rows"] == [[{"x": [3]}]]
    assert found["cut"]["totals"] == {"/rows": 3, "/rows/2/0/x": 3}


@pytest.mark.parametrize(
    ("window", "text"),
    [
        (
            Window(2),
            (
                "nodes: showing 1 to 2 of 3\n"
                "For more entries, call again with offset 2.\n"
                'sum: {"ok": 3}\nnodes:\n- a\n- {"path": "b"}\n'
            ),
        ),
        (Window(2, 2), 'nodes: showing 3 to 3 of 3\nsum: {"ok": 3}\nnodes:\n- c\n'),
        (Window(2, 5), 'nodes: showing none of 3\nsum: {"ok": 3}\n'),
    ],
    ids=str,
)
def test_the_text_begins_with_true_totals_and_how_to_go_on(window: Window, text: str) -> None:
    document = {"nodes": ["a", {"path": "b"}, "c"], "sum": {"ok": 3}, "skipped": []}
    assert cut_text(cut(document, window)) == text


def test_pages_make_up_the_whole_list(asking: Agent, places: Path) -> None:
    pages = [asking.call("tree", limit=1, offset=at).structured_content for at in (0, 1)]
    assert [page["cut"]["totals"] for page in pages] == [{"/nodes": 2}] * 2
    whole = asking.call("tree").structured_content
    assert [node for page in pages for node in page["nodes"]] == whole["nodes"]


def test_a_long_text_begins_with_how_long_it_is_and_where_the_rest_is() -> None:
    line = "x" * 99 + "\n"
    text = capped(line * (CAP // 100 + 5), "The rest is elsewhere.")
    head, _, body = text.partition("\n\n")
    assert head == (
        f"This answer has {CAP + 500} characters; the first {CAP // 100} of {CAP // 100 + 5} lines "
        "follow. The rest is elsewhere."
    )
    assert body == line * (CAP // 100)
    assert len(capped("y" * (CAP + 1), "")) < CAP + 200


def test_a_text_that_fits_is_that_of_the_command(asking: Agent, places: Path) -> None:
    assert texts(asking.call("tree", limit=2))[0] == run("tree", "-C", str(places / "one")).text
