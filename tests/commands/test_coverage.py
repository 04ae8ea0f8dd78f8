"""Coverage as a table and as data; only full coverage is 100.0%."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from schemas import faults_in
from yg.commands.coverage import percent, report_of, text
from yg.kernel.document import plain
from yg.kernel.palette import PLAIN
from yg.yggdrasil.coverage import Coverage, Tally, tally


def coverage_text(coverage: Coverage, depth: int) -> str:
    return text(replace(report_of(coverage), depth=depth), PLAIN)


COVERAGE = Coverage(
    (
        tally(".", covered=1200, blackbox=30, uncovered=4),
        tally("a", covered=0, blackbox=0, uncovered=3),
        tally("src", covered=1200, blackbox=30, uncovered=1),
        tally("src/deep", covered=0, blackbox=30, uncovered=0),
        tally("src/deep/er", covered=0, blackbox=3, uncovered=0),
    ),
    ("a/x", "a/y", "a/z", "src/lonely.py"),
)
DATA = plain(report_of(COVERAGE))


def test_the_table_has_a_row_for_each_directory_down_to_a_depth() -> None:
    assert (
        coverage_text(COVERAGE, 2)
        == """\
Coverage: 99.7% (1230 of 1234 files)

directory  files  covered  blackbox  uncovered   share
./          1234     1200        30          4   99.7%
a/             3        0         0          3    0.0%
src/        1231     1200        30          1   99.9%
src/deep/     30        0        30          0  100.0%
"""
    )


@pytest.mark.parametrize(("depth", "rows"), [(0, 1), (1, 3), (2, 4), (3, 5), (999_999_999, 5)])
def test_depth_counts_directories_from_the_root(depth: int, rows: int) -> None:
    assert len(coverage_text(COVERAGE, depth).splitlines()) == 3 + rows


def test_a_repository_without_files_is_covered() -> None:
    assert coverage_text(Coverage((tally(".", 0, 0, 0),), ()), 2).splitlines() == [
        "Coverage: 100.0% (0 of 0 files)",
        "",
        "directory  files  covered  blackbox  uncovered   share",
        "./             0        0         0          0  100.0%",
    ]


@pytest.mark.parametrize(
    ("counted", "written"),
    [
        (tally("x", 0, 0, 0), "100.0%"),
        (tally("x", 99_999, 0, 1), "99.9%"),
        (tally("x", 9_995, 0, 5), "99.9%"),
        (tally("x", 999, 0, 1), "99.9%"),
        (tally("x", 2, 0, 1), "66.7%"),
        (tally("x", 0, 1, 2), "33.3%"),
        (tally("x", 0, 0, 7), "0.0%"),
        (tally("x", 0, 7, 0), "100.0%"),
    ],
)
def test_only_everything_is_a_hundred_percent(counted: Tally, written: str) -> None:
    assert percent(counted) == written


def test_long_names_widen_the_first_column_and_stay_on_their_line() -> None:
    text = coverage_text(
        Coverage((tally(".", 1, 0, 0), tally("e\x1b[2J\nvil directory", 1, 0, 0)), ()), 2
    )
    assert text.splitlines()[2:] == [
        "directory                 files  covered  blackbox  uncovered   share",
        "./                            1        1         0          0  100.0%",
        r"e\x1b[2J\nvil directory/      1        1         0          0  100.0%",
    ]


def test_data_has_every_directory_and_every_uncovered_file() -> None:
    assert DATA["total"] == {
        "directory": ".",
        "files": 1234,
        "covered": 1200,
        "blackbox": 30,
        "uncovered": 4,
        "parent": 0,
        "percent": 99.68,
    }
    assert [tally["directory"] for tally in DATA["directories"]] == [
        ".",
        "a",
        "src",
        "src/deep",
        "src/deep/er",
    ]
    assert DATA["uncovered"] == ["a/x", "a/y", "a/z", "src/lonely.py"]
    assert faults_in(DATA) == []


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "green"},
        {"directories": []},
        {"uncovered": ["a", "a"]},
        {"uncovered": [""]},
        {"total": {"directory": "."}},
        {"total": {**DATA["total"], "percent": 100.1}},
        {"total": {**DATA["total"], "files": -1}},
    ],
)
def test_the_schema_notices_what_does_not_belong(change: dict[str, Any]) -> None:
    assert faults_in({**DATA, **change}) != []
