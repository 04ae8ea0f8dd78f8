"""`yg drift` says what changed; the configuration and options say which changes count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas import faults
from support import CONFIG, run, write, write_graph
from yg.disk.files import stamps
from yg.surfaces.cli.outcome import Outcome

STATE = ".yggdrasil/.drift-state"
PAY = '''\
"""Payments."""

import os


def charge(amount: int) -> bool:
    """Charge an amount."""
    return amount > 0  # always


def _secret() -> None: ...
'''
COSMETIC = PAY.replace("  # always", "")
DOCS = PAY.replace("Charge an amount", "Charge some amount")
IMPORTS = PAY.replace("import os", "import sys")
BODY = PAY.replace("amount > 0", "amount >= 0")
SIGNATURE = PAY.replace("amount: int", "amount: float") + "\n\ndef refund() -> None: ...\n"
UNKNOWN = "def charge(:\n  '"
CHANGES = {
    "cosmetic": COSMETIC,
    "docs": DOCS,
    "imports": IMPORTS,
    "body": BODY,
    "signature": SIGNATURE,
    "unknown": UNKNOWN,
}
RANKS = {"cosmetic": 0, "docs": 1, "imports": 2, "body": 3, "unknown": 3, "signature": 4}


def node(mapping: str) -> str:
    return f"name: N\ntype: service\nmapping: {{paths: [{mapping}]}}\n"


GRAPH = {
    "model/app/yg-node.yaml": node("src/app"),
    "model/app/responsibility.md": "Takes money.\n",
    "model/app/interface.md": "- `charge(amount)`: takes an amount.\n",
    "model/other/yg-node.yaml": node("src/other.txt"),
    "model/other/responsibility.md": "Other things.\n",
}
SOURCES = {"src/app/pay.py": PAY, "src/app/x.py": "X = 1\n", "src/other.txt": "text\n"}


def repository(root: Path, settings: str = "") -> Path:
    """Write a repository with baselines."""
    write_graph(root, {**GRAPH, "yg-config.yaml": f"{CONFIG}{settings}"})
    write(root, SOURCES)
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    return root


def drift(root: Path, *argv: str) -> Outcome:
    return run("drift", "-C", str(root), *argv)


def document(root: Path, *argv: str) -> dict[str, Any]:
    text = drift(root, "--json", *argv).text
    assert faults(text.encode()) == []
    found: dict[str, Any] = json.loads(text)
    return found


def source(root: Path, *argv: str) -> list[dict[str, Any]]:
    """Return the changed sources of the node app."""
    (app,) = (item for item in document(root, *argv)["nodes"] if item["node"] == "app")
    found: list[dict[str, Any]] = app["source"]
    return found


# What is shown.


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (COSMETIC, "cosmetic"),
        (DOCS, "docs"),
        (IMPORTS, "imports"),
        (BODY, "body: charge changed"),
        (SIGNATURE, "signature: charge changed, refund added; interface.md mentions charge"),
        (
            PAY.replace("def charge", "def take"),
            "signature: charge removed, take added; interface.md mentions charge",
        ),
        (UNKNOWN, "changed"),
        (b"\0\xff", "changed"),
    ],
)
def test_the_line_of_a_file_says_what_changed(
    tmp_path: Path, text: str | bytes, shown: str
) -> None:
    root = repository(tmp_path)
    write(root, {"src/app/pay.py": text})
    outcome = drift(root)
    assert outcome.code == 1
    assert f"  [drift] app\n    src/app/pay.py ({shown})\n" in outcome.text
    assert drift(root, "--no-cache").text == outcome.text


def test_added_and_deleted_files_name_what_is_new_and_gone(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / "src/app/pay.py").unlink()
    (root / "src/app/x.py").unlink()
    write(root, {"src/app/new.py": "def f(): ...\n", "src/app/y.py": "_y = 1\n"})
    text = drift(root).text
    for line in (
        "new.py (added; signature: f added)",
        "pay.py (deleted; signature: charge removed; interface.md mentions charge)",
        "x.py (deleted; signature: X removed)",
        "y.py (added)",
    ):
        assert f"    src/app/{line}\n" in text
    classes = {item["path"]: (item["how"], item["class"]) for item in source(root)}
    assert classes == {
        "src/app/new.py": ("added", "signature"),
        "src/app/pay.py": ("deleted", "signature"),
        "src/app/x.py": ("deleted", "signature"),
        "src/app/y.py": ("added", "body"),
    }


def test_a_plain_move_is_a_cosmetic_change(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: cosmetic}\n")
    (root / "src/app/pay.py").rename(root / "src/app/money.py")
    assert drift(root).code == 0
    outcome = drift(root, "--strict")
    assert outcome.code == 1
    assert "    src/app/pay.py (moved to src/app/money.py)\n" in outcome.text


def test_a_plain_move_is_cosmetic_in_any_language(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: cosmetic}\n")
    write(root, {"src/app/rates.toml": "a = 1\n"})
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    (root / "src/app/rates.toml").rename(root / "src/app/limits.toml")
    assert drift(root).code == 0
    assert {item["path"]: item["class"] for item in source(root, "--strict")} == {
        "src/app/rates.toml": "cosmetic",
        "src/app/limits.toml": "cosmetic",
    }


def test_data_has_classes_names_and_headers(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/app/pay.py": SIGNATURE, "src/app/x.py": "X = 1  # one\n"})
    assert source(root) == [
        {
            "path": "src/app/pay.py",
            "how": "changed",
            "to": None,
            "class": "signature",
            "names": [
                {
                    "name": "charge",
                    "change": "changed",
                    "before": None,  # the text is not in git
                    "after": "def charge(amount: float) -> bool",
                },
                {
                    "name": "refund",
                    "change": "added",
                    "before": None,
                    "after": "def refund() -> None",
                },
            ],
            "parts": [
                {"name": "charge", "change": "changed", "first": 6, "last": 8},
                {"name": "refund", "change": "added", "first": 14, "last": 14},
            ],
            "mentions": [{"file": "interface.md", "names": ["charge"]}],
        },
        {
            "path": "src/app/x.py",
            "how": "changed",
            "to": None,
            "class": "cosmetic",
            "names": [],
            "parts": [],
        },
    ]


def test_many_names_are_counted_and_those_that_others_rely_on_come_first(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/app/pay.py": "".join(f"def f{number}(): ...\n" for number in range(9))})
    line = next(line for line in drift(root).text.splitlines() if "pay.py" in line)
    assert "(signature: charge removed, f0, f1, f2, f3 added and 5 more; body: " in line
    assert line.endswith("; body: _secret removed; interface.md mentions charge)")
    assert len(source(root)[0]["names"]) == 10


def test_a_language_that_is_not_known_is_shown_as_before(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/other.txt": "other\n"})
    assert "  [drift] other\n    src/other.txt (changed)\n" in drift(root).text
    (other,) = (item for item in document(root)["nodes"] if item["node"] == "other")
    assert (other["source"][0]["class"], other["source"][0]["names"]) == ("unknown", [])


# Baselines without facts, and with strange ones.


def state(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / STATE / "app.json").read_text(encoding="utf-8"))
    return found


def test_without_facts_a_change_is_of_unknown_class_until_the_next_sync(tmp_path: Path) -> None:
    root = repository(tmp_path)
    baseline = state(root)
    for code in (None, {"algo": "lex-0", "files": "anything"}):
        old = {key: value for key, value in baseline.items() if key != "code"}
        write(root, {f"{STATE}/app.json": json.dumps({**old, **({"code": code} if code else {})})})
        write(root, {"src/app/pay.py": COSMETIC})
        outcome = drift(root)
        assert ("    src/app/pay.py (changed)\n" in outcome.text, outcome.notes) == (True, "")
        assert source(root)[0]["class"] == "unknown"
        write(root, {"src/app/pay.py": PAY})
        synced = run("drift-sync", "-C", str(root), "app")
        named = f"app\n  Hash: {state(root)['hash'][:8]}\n"
        facts = "Facts about the code recorded: 1 node\n"
        assert synced.text == f"Synchronized: {named}{facts}"
        assert state(root) == baseline
        assert run("drift-sync", "-C", str(root), "app").text == f"Unchanged: {named}"


@pytest.mark.parametrize(
    "code",
    [
        1,
        [],
        {},
        {"algo": 1},
        {"algo": "lex-1"},
        {"algo": "lex-1", "files": []},
        {"algo": "lex-1", "files": {"src/app/pay.py": []}},
        {"algo": "lex-1", "files": {"src/app/pay.py": {"tokens": {}}}},
        {"algo": "lex-1", "files": {"src/app/pay.py": {"tokens": "0", "signatures": {"a": 1}}}},
    ],
    ids=json.dumps,
)
def test_facts_of_another_shape_are_reported_and_ignored(tmp_path: Path, code: object) -> None:
    root = repository(tmp_path)
    baseline = state(root)
    write(root, {f"{STATE}/app.json": json.dumps({**baseline, "code": code})})
    assert (drift(root).code, drift(root).notes) == (0, "")
    write(root, {"src/app/pay.py": COSMETIC})
    outcome = drift(root)
    assert outcome.code == 1
    assert outcome.notes.startswith(f"warning: {STATE}/app.json: its 'code' is not valid (")
    assert "    src/app/pay.py (changed)\n" in outcome.text
    assert run("drift-sync", "-C", str(root), "app").code == 0
    assert state(root)["code"]["algo"] == "lex-2/lines"


def test_names_in_a_hostile_baseline_do_not_reach_a_terminal(tmp_path: Path) -> None:
    root = repository(tmp_path)
    baseline = state(root)
    names = {"\x1b[2J\n": ". AAAA", "\x1b[3J": "AAAA"}
    baseline["code"]["files"]["src/app/pay.py"]["parts"] = names
    write(root, {f"{STATE}/app.json": json.dumps(baseline), "src/app/pay.py": "x = 1\n"})
    text = drift(root).text
    assert "\x1b" not in text
    assert r"(signature: \x1b[2J\n removed; body: (file) added, \x1b[3J removed)" in text


# Which changes count.


def summary(outcome: Outcome) -> str:
    return next(line for line in outcome.text.splitlines() if line.startswith("Summary: "))


@pytest.mark.parametrize("tolerate", ["cosmetic", "docs", "imports"])
@pytest.mark.parametrize("change", CHANGES)
def test_changes_up_to_the_tolerated_class_are_not_drift(
    tmp_path: Path, tolerate: str, change: str
) -> None:
    root = repository(tmp_path, f"drift: {{tolerate: {tolerate}}}\n")
    write(root, {"src/app/pay.py": CHANGES[change]})
    outcome = drift(root)
    is_tolerated = RANKS[change] <= RANKS[tolerate]
    assert outcome.code == (0 if is_tolerated else 1)
    if is_tolerated:
        assert f"  [ok] app (1 {change})\n" in outcome.text
        assert summary(outcome).endswith(f"2 ok (1 file {change})")
        assert source(root)[0]["class"] == change
        assert document(root)["summary"]["tolerated"] == {change: 1}
    assert drift(root, "--strict").code == drift(root, "--strict", "--tolerate", "docs").code == 1
    assert "[drift] app\n" in drift(root, "--strict").text


def test_an_option_replaces_the_configuration(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: cosmetic}\n")
    write(root, {"src/app/pay.py": IMPORTS})
    assert [drift(root, *argv).code for argv in ((), ("--tolerate", "imports"))] == [1, 0]


def test_files_of_several_classes_are_counted_each(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: imports}\n")
    write(root, {"src/app/pay.py": DOCS, "src/app/x.py": "X = 1  # one\n"})
    outcome = drift(root)
    assert "  [ok] app (1 cosmetic, 1 docs)\n" in outcome.text
    assert summary(outcome).endswith("2 ok (1 file cosmetic, 1 file docs)")
    write(root, {"src/app/pay.py": COSMETIC})
    assert "  [ok] app (2 cosmetic)\n" in drift(root).text
    assert summary(drift(root)).endswith("2 ok (2 files cosmetic)")
    assert "app" not in drift(root, "--drifted-only").text


def test_one_change_above_the_class_makes_the_node_drift(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: docs}\n")
    write(root, {"src/app/pay.py": COSMETIC, "src/app/x.py": "X = 2\n"})
    outcome = drift(root)
    assert outcome.code == 1
    assert "    src/app/pay.py (cosmetic)\n    src/app/x.py (signature: X changed)" in outcome.text


def test_a_change_of_the_graph_is_not_tolerated(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: docs}\n")
    write(root, {"src/app/pay.py": COSMETIC, ".yggdrasil/model/app/interface.md": "New.\n"})
    assert "0 source-drift, 1 graph-drift, 0 full-drift" in summary(drift(root))
    assert "1 full-drift" in summary(drift(root, "--strict"))
    write(root, {"src/app/pay.py": CHANGES["body"]})
    assert "1 full-drift" in summary(drift(root))


@pytest.mark.parametrize("fail_on", ["cosmetic", "docs", "imports", "body", "signature"])
@pytest.mark.parametrize("change", CHANGES)
def test_only_changes_from_a_class_on_make_the_exit_code(
    tmp_path: Path, fail_on: str, change: str
) -> None:
    root = repository(tmp_path, "drift: {tolerate: docs}\n")
    write(root, {"src/app/pay.py": CHANGES[change]})
    expected = 1 if RANKS[change] >= RANKS[fail_on] else 0
    assert drift(root, "--fail-on", fail_on).code == expected


@pytest.mark.parametrize("what", ["graph", "missing", "no baseline", "unreadable"])
def test_what_has_no_class_always_fails(tmp_path: Path, what: str) -> None:
    root = repository(tmp_path)
    match what:
        case "graph":
            write(root, {".yggdrasil/model/app/interface.md": "New.\n"})
        case "missing":
            (root / "src/other.txt").unlink()
        case "no baseline":
            (root / STATE / "app.json").unlink()
        case _:
            (root / "src/other.txt").unlink()
            (root / "src/other.txt").symlink_to("app/x.py")
    assert drift(root, "--fail-on", "signature", "--tolerate", "imports").code == 1


@pytest.mark.parametrize(
    "argv",
    [
        ("--tolerate", "body"),
        ("--tolerate", "signature"),
        ("--tolerate", "unknown"),
        ("--fail-on", "unknown"),
        ("--reviews",),
    ],
    ids=" ".join,
)
def test_wrong_options_are_wrong_usage(tmp_path: Path, argv: tuple[str, ...]) -> None:
    assert drift(repository(tmp_path), *argv).code == 2


def test_the_key_is_mentioned_if_only_comments_and_documentation_changed(tmp_path: Path) -> None:
    root = repository(tmp_path)
    cosmetic = "Only formatting and comments changed. To tolerate such changes: "
    docs = "Only documentation changed. To tolerate such changes: "
    write(root, {"src/app/pay.py": COSMETIC})
    last = drift(root).text.splitlines()[-1]
    assert last == f"{cosmetic}'drift: {{tolerate: cosmetic}}' in yg-config.yaml"
    write(root, {"src/app/x.py": "X = 1  # one\n", "src/app/pay.py": DOCS})
    assert drift(root, "--limit", "0").text.splitlines()[-1].startswith(docs)
    write(root, {"src/other.txt": "new\n"})
    assert "tolerate" not in drift(root).text


def test_the_key_is_not_mentioned_to_those_who_have_set_it(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: docs}\n")
    write(root, {"src/app/pay.py": DOCS})
    assert "tolerate" not in drift(root).text + drift(root, "--strict").text


def test_preflight_and_status_follow_the_configuration(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: docs}\n")
    write(root, {"src/app/pay.py": DOCS})
    ready = run("preflight", "-C", str(root))
    assert (ready.code, ready.text.splitlines()[0]) == (0, "Drift: none")
    assert "2 ok (1 file docs)" in run("status", "-C", str(root)).text
    write(root, {"src/app/pay.py": BODY})
    ready = run("preflight", "-C", str(root))
    assert (ready.code, ready.text.splitlines()[1]) == (1, "  app source-drift")


def test_what_is_tolerated_needs_no_building(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {tolerate: docs}\n")
    write(root, {"src/app/pay.py": DOCS})
    assert json.loads(run("plan", "-C", str(root), "--changed", "--json").text)["stages"] == []


def test_an_export_has_the_highest_class_of_each_node(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/app/pay.py": BODY, "src/app/x.py": "X = 1  # one\n"})
    nodes = json.loads(run("export", "-C", str(root)).text)["nodes"]
    found = {item["path"]: (item["drift"], item["change"]) for item in nodes}
    assert found == {"app": ("source-drift", "body"), "other": ("ok", "")}


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.lists(
        st.tuples(
            st.sampled_from(["src/app/pay.py", "src/app/x.py", "src/app/new.py"]),
            st.sampled_from([*CHANGES.values(), PAY, None]),
        ),
        max_size=4,
    )
)
def test_the_index_changes_no_byte(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    edits: list[tuple[str, str | None]],
) -> None:
    monkeypatch.setattr(stamps, "SETTLED_NS", -(10**12))
    root = repository(tmp_path_factory.mktemp("repository"))
    for path, text in edits:
        if text is None:
            (root / path).unlink(missing_ok=True)
        else:
            write(root, {path: text})
        for argv in ((), ("--json",), ("--show",)):
            without = drift(root, "--no-cache", *argv)
            assert drift(root, *argv) == without
            assert drift(root, *argv) == without  # from the index
