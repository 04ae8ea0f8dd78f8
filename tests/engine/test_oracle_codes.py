"""The issues of random graphs are those that the documents describe."""

from __future__ import annotations

import pytest

from graphs import snapshot_from
from specification import naive
from specification.random_graphs import random_graph
from yg.yggdrasil.check import issues_of
from yg.yggdrasil.read import read_graph
from yg.yggdrasil.survey import Survey

CODES = (
    *("E001", "E002", "E003", "E004", "E006", "E007", "E009", "E010", "E012", "E013", "E014"),
    *("E015", "E016", "E017", "W001", "W002", "W005", "W006", "W007", "W009", "W010", "W011"),
    *("W012", "W013"),
)
CYCLES = ("E010", "E017")
SEEDS = (*range(25), *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(25, 2_000)])


def found_issues(files: naive.Files) -> list[naive.Issue]:
    """Return code and subject of every issue that is listed, of the codes in the documents."""
    snapshot = snapshot_from(files)
    survey = Survey(read_graph(snapshot), snapshot, lambda _: ())
    return [
        (issue.code, issue.subject)
        for issue in issues_of(survey)
        if issue.code in CODES and not issue.follows
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_issues_are_those_of_the_documents(seed: int) -> None:
    files = random_graph(seed, faults=True)
    graph = naive.load(files)
    found = found_issues(files)
    assert {pair for pair in found if pair[0] not in CYCLES} == naive.issues(graph)
    for code, groups in naive.cyclic_groups(graph).items():
        subjects = [subject for known, subject in found if known == code]
        assert len(subjects) == len(groups)
        assert all(any(subject in group for subject in subjects) for group in groups)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_graph_without_faults_has_no_error(seed: int) -> None:
    codes = {code for code, _ in found_issues(random_graph(seed))}
    assert not {code for code in codes if code.startswith("E")}
