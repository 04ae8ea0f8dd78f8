"""Reports: sections, tables, trees, issues and notes."""

from __future__ import annotations

from yg.kernel.errors import NotFoundError
from yg.kernel.issue import Issue, Severity
from yg.kernel.palette import PLAIN, Palette
from yg.kernel.report import (
    counts_text,
    error_text,
    issue_text,
    notes_text,
    section,
    table,
    tree,
)

PAINTED = Palette(is_on=True, mark="^")
ISSUE = Issue(
    code="W001",
    rule="missing-artifact",
    severity=Severity.WARNING,
    subject="a\x1b",
    message="missing artifact 'interface'",
    file="model/a",
    line=None,
    column=None,
    advice=(),
    fix="Write it.",
)


def test_a_section_has_a_title_and_indented_entries() -> None:
    assert section("Source drift", ["[drift] a\n  x.py (changed)", "[ok] b"]) == (
        "Source drift:\n  [drift] a\n    x.py (changed)\n  [ok] b\n"
    )


def test_a_section_without_entries_says_so() -> None:
    assert section("Graph drift", []) == "Graph drift:\n  (none)\n"


def test_a_section_with_a_limit_counts_the_rest() -> None:
    assert section("Nodes", ["a", "b", "c"], limit=1) == "Nodes:\n  a\n  .. and 2 more\n"
    assert section("Nodes", ["a"], limit=1) == "Nodes:\n  a\n"


def test_a_table_aligns_its_columns() -> None:
    rows = [("directory", "files", "share"), ("./", "23", "82.6%"), ("src/shop/", "7", "")]
    assert table(rows) == (
        "directory  files  share\n./            23  82.6%\nsrc/shop/      7\n"
    )  # fmt: skip
    assert table([("a", "bcd"), ("efg", "h")], left=(0, 1)) == "a    bcd\nefg  h\n"


def test_a_tree_draws_its_branches() -> None:
    entries = [
        (0, True, "model/"),
        (1, False, "auth/"),
        (2, True, "login/"),
        (1, True, "orders/"),
        (2, False, "cart/"),
        (2, True, "service/"),
    ]
    assert (
        "".join(tree(entries))
        == """\
model/
├── auth/
│   └── login/
└── orders/
    ├── cart/
    └── service/
"""
    )


def test_a_tree_has_no_limit_of_depth() -> None:
    lines = list(tree((level, True, "x") for level in range(3000)))
    assert lines[2] == "    └── x\n"
    assert len(lines) == 3000


def test_an_issue_names_the_node_the_cause_the_next_step_and_the_place() -> None:
    expected = "W001 a\\x1b -> missing artifact 'interface'.\n  Write it.\n  model/a\n"
    assert issue_text(ISSUE, PLAIN) == expected
    assert issue_text(ISSUE, PAINTED) == (
        "^33;1mW001^0m ^1ma\\x1b^0m -> missing artifact 'interface'.\n  Write it.\n"
        "  ^2mmodel/a^0m\n"
    )


def test_an_error_stands_below_its_issues() -> None:
    error = NotFoundError("no node at 'b'", issues=(ISSUE,))
    assert error_text(error, PLAIN) == issue_text(ISSUE, PLAIN) + "error: no node at 'b'\n"


def test_counts_agree_with_their_nouns() -> None:
    assert counts_text(0, 1) == "0 errors, 1 warning"
    assert counts_text(1, 2, 1) == "1 error (and 1 that follows from it), 2 warnings"
    assert counts_text(2, 0, 3) == "2 errors (and 3 that follow from them), 0 warnings"


def test_notes_are_lines_whose_first_words_may_be_marked() -> None:
    notes = ("warning: a\nb", "skipped c: d", "Next: yg drift")
    assert notes_text(notes, PAINTED) == (
        "^33;1mwarning:^0m a\\nb\n^33;1mskipped^0m c: d\nNext: yg drift\n"
    )
