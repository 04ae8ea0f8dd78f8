"""Outputs are those that were recorded; `record.py` records them again."""

from __future__ import annotations

import difflib
import os
import sys
from typing import TYPE_CHECKING

import pytest

from goldens.calls import TABLES, calls_of
from goldens.corpora import HERE, MissingCommitError
from goldens.record import EXPECTED, Laboratory, groups, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = HERE.parents[1] / "src"
SHOWN = 200  # lines of a difference


@pytest.fixture(scope="session")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """The corpora of this session, and the program of this tree."""
    with pytest.MonkeyPatch.context() as patch:
        path = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", f"{SOURCES}{os.pathsep}{path}" if path else str(SOURCES))
        base = tmp_path_factory.mktemp("goldens")
        yield Laboratory(base, [sys.executable, "-m", "yg"])


# Version 0.3.0 answers the other groups until the new program does; it does not change any more.
QUICK = {
    "shop": {
        *("aspects", "build-context", "coverage", "explain", "flows", "owner", "program", "tree"),
        *("validate", "deps", "drift", "status"),
    },
    "broken": {"build-context", "issues", "read", "validate"},
    "own": {"build-context", "read"},
    "synthetic": {"build-context", "read"},
    "shop-0x": {"build-context"},
    "spec-shop": {"build-context"},
}


@pytest.mark.parametrize(
    ("corpus", "group"),
    [
        pytest.param(corpus, group, marks=() if group in QUICK[corpus] else pytest.mark.slow)
        for corpus, group in groups()
    ],
)
def test_outputs_are_those_that_were_recorded(
    laboratory: Laboratory, corpus: str, group: str
) -> None:
    expected = (EXPECTED / corpus / f"{group}.txt").read_text(encoding="utf-8")
    try:
        actual = recorded(laboratory, corpus, group)
    except MissingCommitError as error:
        pytest.skip(str(error))
    if actual != expected:
        lines = difflib.unified_diff(
            expected.splitlines(), actual.splitlines(), "recorded", "now", lineterm="", n=4
        )
        difference = list(lines)
        more = f"\n.. and {len(difference) - SHOWN} more lines" if difference[SHOWN:] else ""
        pytest.fail(
            f"{corpus}/{group} prints something else; record.py --full DIR writes the whole "
            "outputs, and record.py --only records them again\n"
            + "\n".join(difference[:SHOWN])
            + more,
            pytrace=False,
        )


def test_every_recorded_file_belongs_to_a_group() -> None:
    files = {path.relative_to(EXPECTED).as_posix() for path in EXPECTED.rglob("*.txt")}
    assert files == {f"{corpus}/{group}.txt" for corpus, group in groups()}


@pytest.mark.parametrize("corpus", TABLES)
def test_no_call_is_listed_twice(corpus: str) -> None:
    calls = [call for group in calls_of(corpus).values() for call in group]
    assert len(calls) == len(set(calls))
