"""`yg validate --since` on a long history: the same as the difference of two whole runs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from history import History
from support import run

COMMITS = 200
Key = tuple[str, ...]


def issues(root: Path, *options: str) -> tuple[list[Any], Any]:
    outcome = run("validate", "--json", "-C", str(root), *options)
    assert outcome.notes == ""
    found = json.loads(outcome.text)
    return found["issues"], found.get("since")


def keys(found: list[Any], names: Mapping[str, str] = {}) -> Counter[Key]:
    return Counter(key(issue, names) for issue in found)


def key(issue: Any, names: Mapping[str, str]) -> Key:
    values = [issue[name] for name in ("code", "file", "subject", "message")]
    for old, new in names.items():  # no name is a part of another one
        values = [value.replace(old, new) for value in values]
    code, file, subject, message = values
    if " -> " in message:  # a cycle may begin anywhere
        return code, *sorted(set(message.split()))
    return code, file, subject, re.sub(r"\b\d+ (\w+?)s?\b", r"N \1", message)


@pytest.mark.slow
def test_new_issues_are_the_difference_of_two_whole_runs(tmp_path: Path) -> None:
    history = History(tmp_path / "repository", seed=1)
    root, seen = history.root, Counter[str]()
    for _ in range(COMMITS):
        history.step()
        before, _ = issues(root, "--at", "HEAD~1")
        now, _ = issues(root)
        new, since = issues(root, "--since", "HEAD~1")
        expected = keys(now) - keys(before, history.renamed)
        assert keys(new) == expected, history.renamed
        assert since["older"] == len(now) - len(new)
        seen.update(issue["code"] for issue in new)
        seen["renamed"] += bool(history.renamed)
        seen["older"] += since["older"] > 0
    assert seen["renamed"] > COMMITS / 4
    assert seen["older"] > COMMITS / 2
    assert {"E004", "E010", "W016", "W021"} < {*seen}
