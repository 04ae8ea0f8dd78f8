"""A baseline is written the same way every time, and read whichever tool wrote it."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text import paths
from yg.yggdrasil.drift.baseline import Baseline, baseline_of, baseline_shaped, node_of, state_file
from yg.yggdrasil.drift.layout import baseline_text
from yg.yggdrasil.drift.parse import baseline_from

NAMES = st.text("ab.-_é", min_size=1).filter(lambda name: name[0] != ".")


def is_normalised(path: str) -> bool:
    return paths.normalise(path) in (path, None)


NODES = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


def test_a_baseline_is_json_that_people_can_read_and_merge() -> None:
    files = {"src/é.py": "22", ".yggdrasil/model/a/yg-node.yaml": "11", "src/a.py": "33"}
    assert baseline_text(Baseline("00", files)) == (
        "{\n"
        '  "hash": "00",\n'
        '  "files": {\n'
        '    ".yggdrasil/model/a/yg-node.yaml": "11"\n'
        ",\n"
        "\n"
        '    "src/a.py": "33"\n'
        ",\n"
        "\n"
        '    "src/é.py": "22"\n'
        "  }\n"
        "}\n"
    )


def test_files_are_sorted_by_code_point() -> None:
    names = ["😀", "\uffff", "é", "a/b", "a-b", "a", "Z", "10", "2"]
    text = baseline_text(Baseline("00", dict.fromkeys(names, "1")))
    assert list(json.loads(text)["files"]) == [
        "10", "2", "Z", "a", "a-b", "a/b", "é", "\uffff", "😀",
    ]  # fmt: skip


@given(st.permutations(["a", "b/c", "é", "😀"]))
def test_the_order_of_files_never_shows(names: list[str]) -> None:
    baseline = baseline_of({name: name for name in names})
    ordered = baseline_of({name: name for name in sorted(names)})
    assert baseline_text(baseline) == baseline_text(ordered)


def test_the_hash_is_that_of_the_lines_of_the_files() -> None:
    lines = b".yggdrasil/x:1\nsrc/a:2"
    files = {"src/a": "2", ".yggdrasil/x": "1"}
    assert baseline_of(files) == Baseline(sha256(lines).hexdigest(), files)


@given(st.text(), st.dictionaries(st.text().filter(is_normalised), st.text(), max_size=4))
def test_what_was_written_is_read_again(digest: str, files: dict[str, str]) -> None:
    assert baseline_from(baseline_text(Baseline(digest, files))) == Baseline(digest, files)


# Baselines of other tools.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"hash": "1", "files": {"a": "2"}}', Baseline("1", {"a": "2"})),
        ('{"files": {"a": "2"}, "hash": "1"}', Baseline("1", {"a": "2"})),
        (
            '{"hash": "1", "files": {"a": "2"}, "mtimes": {"a": 1709731200000}}',
            Baseline("1", {"a": "2"}),
        ),
        (
            '{"hash": "1", "files": {}, "mtimes": "nonsense", "by": [1]}',
            Baseline("1", {}, {"by": b"[1]"}),
        ),
        (
            '{"hash": "1", "files": {"./a": "2", "b//c/": "3"}}',
            Baseline("1", {"a": "2", "b/c": "3"}),
        ),
        ('{"hash": "1", "files": {"a": "2", "./a": "3"}}', Baseline("1", {"a": "2"})),
        (
            '{"hash": "1", "files": {"../a": "2", "/b": "3"}}',
            Baseline("1", {"../a": "2", "/b": "3"}),
        ),
        ('{"hash": "", "files": {"a": ""}}', Baseline("", {"a": ""})),
        (r'{"hash": "1", "files": {"\u00e9\ud83d\ude00": "2"}}', Baseline("1", {"é😀": "2"})),
        (' \r\n{"hash":"1",\t"files":{}}', Baseline("1", {})),
    ],
    ids=[
        "ours",
        "order",
        "mtimes",
        "more keys",
        "spelling",
        "twice",
        "outside",
        "empty",
        "escapes",
        "blanks",
    ],
)
def test_a_baseline_of_another_tool_is_read(text: str, expected: Baseline) -> None:
    assert baseline_from(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not valid JSON in line 1, column 1"),
        ("{", "not valid JSON in line 1, column 2"),
        ('{"hash": "1",\n "files": {"a": "2"}', "not valid JSON in line 2, column 21"),
        ('{"hash": "1"} {}', "not valid JSON in line 1, column 15"),
        ("<<<<<<< ours\n", "its conflict markers do not fit together"),
        ("null", "not a JSON object"),
        ("12", "not a JSON object"),
        ("[]", "not a JSON object"),
        ('"1"', "not a JSON object"),
        ('{"hash": "1"}', "it has no 'files'"),
        ("{}", "it has no 'files'"),
        ('{"hash": null}', "its 'hash' is not text"),
        ('{"hash": ["1"]}', "its 'hash' is not text"),
        ('{"hash": "1", "files": null}', "its 'files' is not a map from path to hash"),
        ('{"hash": "1", "files": ["a"]}', "its 'files' is not a map from path to hash"),
        ('{"hash": "1", "files": {"a": 2}}', "its 'files' is not a map from path to hash"),
        ('{"hash": "1", "files": {"a": {}}}', "its 'files' is not a map from path to hash"),
    ],
)
def test_a_value_that_is_not_a_baseline_is_reported_with_the_reason(text: str, reason: str) -> None:
    assert baseline_from(text) == reason


def test_a_baseline_nested_beyond_measure_is_reported_and_survived() -> None:
    assert baseline_from("[" * 100_000) == "nested too deeply"


@given(st.text('{}[]":,\\ \n\0ahs1.-eEn\ud800'))
def test_no_text_is_too_strange_to_be_read(text: str) -> None:
    assert isinstance(baseline_from(text), Baseline | str)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["hash", "files", "a"]), inner, max_size=3)
        ),
    )
)
def test_no_value_is_too_strange_to_be_judged(value: object) -> None:
    assert isinstance(baseline_shaped(value), Baseline | str)


# Where it is kept.


@pytest.mark.parametrize(
    ("node", "file"),
    [
        ("a", ".yggdrasil/.drift-state/a.json"),
        ("cli/commands/aspects", ".yggdrasil/.drift-state/cli/commands/aspects.json"),
        ("a.json", ".yggdrasil/.drift-state/a.json.json"),
        ("é b", ".yggdrasil/.drift-state/é b.json"),
        (".", ".yggdrasil/.drift-state/.root.json"),
        ("root", ".yggdrasil/.drift-state/root.json"),
    ],
)
def test_every_node_has_a_file_of_its_own(node: str, file: str) -> None:
    assert state_file(node) == file
    assert node_of(file) == node


@given(NODES, NODES)
def test_two_nodes_never_share_a_file(one: str, other: str) -> None:
    assert (state_file(one) == state_file(other)) is (one == other)
    assert node_of(state_file(one)) == one


@pytest.mark.parametrize(
    "name", ["README.md", "a", "a.json~", "a.JSON", ".json", "a.json.orig", ".gitignore", "json"]
)
def test_a_file_of_another_name_keeps_no_baseline(name: str) -> None:
    assert node_of(f".yggdrasil/.drift-state/{name}") is None


def test_reasons_that_an_earlier_version_added_come_last() -> None:
    ours, theirs = {"reason": "ours", "class": None}, {"reason": "older", "class": "body"}
    text = json.dumps({"hash": "", "files": {"a": "1"}, "review": [theirs], "reviews": [ours]})
    found = baseline_from(text)
    assert isinstance(found, Baseline)
    assert (json.loads(found.rest["reviews"]), found.merged) == ([ours, theirs], None)
