"""What was once wrong at the command line: words, streams, places, and what is left out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import CONFIG, NODE, REPOSITORY, private_folder, run, write
from yg.version import GRAPH_FORMAT, __version__

VERSION = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
SHOP_0X = str(REPOSITORY / "examples" / "shop-0x")
TREE = "model/\n├── a/ [service] -> 1 relations\n└── b/ (cannot be read)\n"
SKIPPED = "skipped b: yg-node.yaml has no 'type' (.yggdrasil/model/b/yg-node.yaml:1:1)\n"
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")


def paths_below(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Make a repository with one good node and one that cannot be read."""
    graph = {
        "yg-config.yaml": CONFIG,
        "model/a/yg-node.yaml": (
            f"{NODE}relations: [{{target: b, type: uses}}]\nmapping: {{paths: [a.py]}}\n"
        ),
        "model/a/responsibility.md": "It is responsible.\n",
        "model/b/yg-node.yaml": "name: B\n",
    }
    root = tmp_path / "repository"
    write(root, {f".yggdrasil/{path}": text for path, text in graph.items()})
    return str(write(root, {"a.py": "", "b.py": "", "sub/c.py": ""}))


@pytest.fixture
def sound(place: str) -> str:
    """Make the bad node a good one."""
    write(Path(place), {".yggdrasil/model/b/yg-node.yaml": NODE})
    return place


# Words.


def test_options_may_stand_between_operands(sound: str) -> None:
    outcome = run("owner", "a.py", "--json", "b.py", "-C", sound)
    files = json.loads(outcome.text)["files"]
    assert [(file["file"], file["node"]) for file in files] == [("a.py", "a"), ("b.py", None)]


def test_a_nul_on_standard_input_is_a_name_that_no_file_has(sound: str) -> None:
    outcome = run("owner", "-", "-C", sound, stdin=["a\0b", "a.py"])
    assert outcome.text == "a\\x00b -> outside the repository\na.py -> a\n"
    assert outcome.code == 0


def test_options_may_stand_before_the_command(sound: str) -> None:
    expected = run("tree", "-C", sound, "--format", "json")
    assert expected.code == 0
    assert run("--format", "json", "-C", sound, "tree") == expected
    assert run("-C", sound, "--json", "tree") == expected


def test_the_directory_of_all_nodes_is_the_whole_tree(sound: str) -> None:
    expected = run("tree", "-C", sound)
    assert expected.code == 0
    for name in ("model/", "model", ".", "./"):
        assert run("tree", name, "-C", sound) == expected


def test_reasons_are_a_table_and_no_markdown(sound: str) -> None:
    outcome = run("build-context", "a", "--why", "--format", "markdown", "-C", sound)
    assert (outcome.code, outcome.text) == (2, "")
    assert outcome.notes.startswith("error: --why cannot be combined with --format markdown\n")


@pytest.mark.parametrize("epoch", ["abc", "", "-1", "1.5", "9" * 40])
def test_a_source_date_that_is_not_a_number_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, epoch: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    outcome = run("build-context", "orders/order-service", "-C", SHOP_0X)
    assert (outcome.code, outcome.text) == (2, "")
    assert outcome.notes.startswith(f"error: invalid SOURCE_DATE_EPOCH: '{epoch}'\n")


# Streams.


def shell(command: str, *argv: str) -> tuple[int, str, str]:
    """Run yg from a shell, as "$@" of the command."""
    words = ["sh", "-c", command, "sh", sys.executable, "-m", "yg", *argv]
    ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


def test_the_version_for_a_closed_stream_is_one_error_line() -> None:
    line = "error: cannot write to standard output: the stream is closed\n"
    assert shell('"$@" >&-', "--version") == (1, "", line)
    assert shell('"$@" >&- 2>&-', "--version") == (1, "", "")
    assert shell('"$@" 2>&-', "--version") == (0, VERSION, "")


@needs_full
def test_the_version_for_a_full_stream_is_one_error_line() -> None:
    code, text, notes = shell('"$@" >/dev/full', "--version")
    assert (code, text) == (1, "")
    assert notes.startswith("error: cannot write to standard output: ")
    assert notes.count("\n") == 1


@needs_full
def test_an_answer_counts_even_if_the_notes_cannot_be_written(place: str) -> None:
    assert shell('"$@" 2>/dev/full', "tree", "-C", place) == (0, TREE, "")


# Places.


def test_a_link_to_a_directory_of_the_repository_leads_into_it(sound: str, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(Path(sound) / "sub", target_is_directory=True)
    assert run("tree", "-C", str(link)) == run("tree", "-C", sound)
    outcome = run("owner", "c.py", "../a.py", "-C", str(link))
    assert (outcome.code, outcome.text.splitlines()[0]) == (0, "sub/c.py -> no graph coverage")


def test_of_two_kinds_of_graph_in_one_directory_none_is_guessed(sound: str) -> None:
    old = {"yggdrasil/config.yaml": "name: P\n", "yggdrasil/x/node.yaml": "name: X\ntype: m\n"}
    write(Path(sound), old)
    outcome = run("tree", "-C", sound)
    assert (outcome.code, outcome.text) == (2, "")
    assert outcome.notes == (
        "error: there are graphs of kinds yggdrasil and yggdrasil-0x here\n"
        "  Choose one with --kind yggdrasil or --kind yggdrasil-0x.\n"
    )
    assert "a/ [service]" in run("tree", "-C", sound, "--kind", "yggdrasil").text
    assert "x/ [m]" in run("tree", "-C", sound, "--kind", "yggdrasil-0x").text


def test_init_beside_a_graph_of_0x_writes_only_when_the_kind_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"yggdrasil/config.yaml": "name: P\n"})
    before = paths_below(tmp_path)
    outcome = run("init", "-C", str(tmp_path))
    assert (outcome.code, outcome.text) == (1, "")
    assert "'yg init --kind yggdrasil'" in outcome.notes
    assert paths_below(tmp_path) == before
    assert run("init", "-C", str(tmp_path), "--kind", "yggdrasil").code == 0
    assert (tmp_path / ".yggdrasil" / "yg-config.yaml").is_file()
    assert (tmp_path / "yggdrasil" / "config.yaml").read_text(encoding="utf-8") == "name: P\n"


def test_an_empty_mapping_path_owns_nothing(sound: str) -> None:
    node = f'{NODE}mapping: {{paths: [""]}}\n'
    write(Path(sound), {".yggdrasil/model/b/yg-node.yaml": node})
    lines = run("owner", "b.py", "sub/c.py", "-C", sound).text.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "b.py -> no graph coverage",
        "sub/c.py -> no graph coverage",
    ]
    assert "mapping '' is empty" in run("validate", "-C", sound).text


# What is left out.


def test_a_bad_node_with_a_link_beside_it_is_told_for_what_is_bad(place: str) -> None:
    (Path(place) / ".yggdrasil" / "model" / "b" / "aaa").symlink_to("nowhere")
    outcome = run("tree", "-C", place)
    assert (outcome.code, outcome.text, outcome.notes) == (0, TREE, SKIPPED)


def test_a_dependency_that_cannot_be_read_is_marked(place: str) -> None:
    assert run("deps", "a", "-C", place).text == "a\n└── uses b (cannot be read)\n"


@pytest.mark.parametrize("argv", [("plan", "--lenient"), ("coverage",), ("impact", "a")], ids=str)
def test_commands_about_all_nodes_tell_of_one_that_they_leave_out(
    place: str, argv: tuple[str, ...]
) -> None:
    assert SKIPPED in run(*argv, "-C", place).notes
    data = json.loads(run(*argv, "--json", "-C", place).text)
    assert [entry["subject"] for entry in data["skipped"]] == ["b"]


def test_drift_reports_a_node_that_it_leaves_out_and_fails(place: str) -> None:
    outcome = run("drift", "-C", place)
    assert outcome.code == 1
    assert "b is left out: yg-node.yaml has no 'type'" in outcome.notes


# The local index.


@pytest.fixture
def synchronised(sound: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Record baselines of a repository and take the index away again; no file is too young."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(10**18))
    assert run("drift-sync", "--all", "-C", sound).code == 0
    shutil.rmtree(private_folder(Path(sound)))
    return Path(sound)


READING = ("drift", "status", "preflight")


@pytest.mark.parametrize("command", READING)
def test_without_a_cache_none_is_written(synchronised: Path, command: str) -> None:
    run(command, "--no-cache", "-C", str(synchronised))
    assert not private_folder(synchronised).exists()


@pytest.mark.parametrize("command", READING)
def test_the_environment_can_forbid_the_cache(
    synchronised: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YG_NO_CACHE", "1")
    run(command, "-C", str(synchronised))
    assert not private_folder(synchronised).exists()


def test_with_a_cache_there_is_one(synchronised: Path) -> None:
    run("drift", "-C", str(synchronised))
    assert private_folder(synchronised).is_dir()


@pytest.mark.parametrize(
    "words", [("--file", "a", "b"), ("a", "--file", "b"), ("--file=a", "--file=b"), ("a", "b")]
)
def test_owners_are_shown_in_the_order_of_the_files(tmp_path: Path, words: tuple[str, ...]) -> None:
    node = f"{NODE}mapping: {{paths: [a, b]}}\n"
    graph = {".yggdrasil/yg-config.yaml": CONFIG, ".yggdrasil/model/n/yg-node.yaml": node}
    write(tmp_path, {**graph, "a": "", "b": ""})
    assert run("owner", "-C", str(tmp_path), *words).text == "a -> n\nb -> n\n"
