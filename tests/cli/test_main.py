"""The command line as a whole: exit codes, streams, mistakes, colour, and readers who leave."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import NoReturn

import pytest

from forked import shared
from support import CONFIG, NODE, REPOSITORY, run
from support import write_graph as write
from yg.commands.table import COMMANDS, overview
from yg.surfaces.cli.outcome import Outcome
from yg.version import GRAPH_FORMAT, __version__

YG = (sys.executable, "-m", "yg")
SHELL = ("sh", "-c")
VERSION = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
GRAPH_COMMANDS = ("build-context", "tree", "aspects", "flows", "owner", "deps")
FULL = "/dev/full"
needs_full = pytest.mark.skipif(not os.path.exists(FULL), reason=f"there is no {FULL} here")


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Make a repository with two nodes, one of which cannot be read."""
    files = {"model/a/yg-node.yaml": NODE, "model/b/yg-node.yaml": "name: B\n"}
    return str(write(tmp_path, files))


def environment(**changes: str) -> dict[str, str]:
    foreign = ("FORCE_COLOR", "NO_COLOR", "TERM", "YG_DEBUG", "YG_KIND")
    return {**{key: os.environ[key] for key in os.environ if key not in foreign}, **changes}


def process(*argv: str, **changes: str) -> tuple[int, str, str]:
    """Run a command as a process of its own."""
    ran = subprocess.run(
        argv, env=environment(**changes), stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


# What was called.


@pytest.mark.parametrize("argv", [("--help",), ("-h",), ("help",), ("-C", "/", "--help")], ids=str)
def test_help_is_data_and_no_mistake(argv: tuple[str, ...]) -> None:
    assert run(*argv) == Outcome(overview())


def test_nothing_at_all_is_answered_with_help_on_stderr() -> None:
    assert run() == Outcome("", 2, overview())


def test_the_overview_names_every_command_with_what_it_does() -> None:
    lines = [" ".join(line.split()) for line in overview(in_specs=True).splitlines()]
    assert [
        command.name for command in COMMANDS if f"{command.name} {command.summary}" not in lines
    ] == []


def test_commands_for_spec_graphs_are_one_line_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = "\nSpec Graphs: node, link, unlink, pin, lock, verify (yg help specgraph)\n"
    assert line in run("--help").text
    assert "  verify   Run the checks" in run("help", "specgraph").text
    assert run("specgraph").code == 2
    monkeypatch.chdir(REPOSITORY / "examples" / "spec-shop")
    assert run("--help").text == overview(in_specs=True)
    assert line not in run("--help").text


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_has_help_of_its_own(name: str) -> None:
    outcome = run(name, "--help")
    assert outcome.text.startswith(f"usage: yg {name} ")
    assert (outcome.code, outcome.notes) == (0, "")
    assert run("help", name) == run("--help", name) == run(name, "-h") == outcome


@pytest.mark.parametrize("name", ["explore", "lsp"])
def test_a_server_that_prints_no_result_offers_no_format(name: str) -> None:
    text = run(name, "--help").text
    assert [option for option in ("--format", "--json") if option in text] == []
    assert run(name, "--format", "text").code == 2


@pytest.mark.parametrize("argv", [("--version",), ("-V",), ("-C", "/", "--version")], ids=str)
def test_the_version_names_the_program_and_the_graph_format(argv: tuple[str, ...]) -> None:
    assert process(*YG, *argv) == (0, VERSION, "")


def test_the_program_also_answers_to_its_old_name() -> None:
    scripts = entry_points(group="console_scripts")
    names = {script.name for script in scripts if script.value == "yg.__main__:main"}
    assert names == {"yg", "ygg", "yggdrasil-context"}  # the last for `uvx yggdrasil-context`


@pytest.mark.parametrize("name", ["yg", "ygg"])
def test_both_names_run_the_same_program(name: str, place: str) -> None:
    (script,) = entry_points(group="console_scripts", name=name)
    start = f"import sys; from {script.module} import {script.attr} as main; sys.exit(main())"
    assert process(sys.executable, "-c", start, "deps", "-C", place, "a") == (0, "a\n", "")


def test_the_directory_may_stand_before_and_behind_the_command(place: str) -> None:
    expected = Outcome("a\n")
    assert run("-C", place, "deps", "a") == expected
    assert run(f"-C{place}", "deps", "a") == expected
    assert run("deps", "-C", place, "a") == expected
    assert run("deps", "a", "-C", place) == expected


# Mistakes.


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (("tre",), "unknown command 'tre'", "Did you mean 'tree'?"),
        (("buildcontext",), "unknown command 'buildcontext'", "Did you mean 'build-context'?"),
        (("help", "tre"), "unknown command 'tre'", "Did you mean 'tree'?"),
        (("qqq",), "unknown command 'qqq'", "'yg --help' lists the commands."),
        (
            ("\x1b[31mqqq\n",),
            r"unknown command '\x1b[31mqqq\n'",
            "'yg --help' lists the commands.",
        ),
    ],
    ids=ascii,
)
def test_an_unknown_command_is_named_with_what_was_meant(
    argv: tuple[str, ...], message: str, hint: str
) -> None:
    assert run(*argv) == Outcome("", 2, f"error: {message}\n  {hint}\n")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("tree", "--bogus"), "yg tree: unrecognized arguments: --bogus"),
        (("tree", "--dep", "1"), "yg tree: unrecognized arguments: --dep"),
        (("--bogus", "tree"), "yg tree: unrecognized arguments: --bogus"),
        (("tree", "a", "b"), "yg tree: unrecognized arguments: b"),
        (("deps", "a", "b"), "yg deps: unrecognized arguments: b"),
        (("aspects", "a"), "yg aspects: unrecognized arguments: a"),
        (("flows", "a"), "yg flows: unrecognized arguments: a"),
        (("tree", "-C"), "yg tree: argument -C: expected one argument"),
        (("deps", "a", "--depth"), "yg deps: argument --depth: expected one argument"),
        (("build-context", "--node"), "yg build-context: argument --node: expected one argument"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_arguments_that_mean_nothing_are_wrong_usage(
    argv: tuple[str, ...], message: str, place: str
) -> None:
    name = message.split(":", maxsplit=1)[0]
    expected = Outcome("", 2, f"error: {message}\n  Try '{name} --help'.\n")
    assert run("-C", place, *argv) == expected


@pytest.mark.parametrize("command", ["tree", "deps"])
@pytest.mark.parametrize("number", ["abc", "-1", "1.5", "", " 1", "+1", "1_0", "0x1", "\u0661"])
def test_a_wrong_number_is_wrong_usage(command: str, number: str, place: str) -> None:
    assert run(command, "a", "--depth", number, "-C", place) == Outcome(
        "",
        2,
        f"error: yg {command}: argument --depth: expected a number >= 0, got '{number}'\n"
        f"  Try 'yg {command} --help'.\n",
    )


@pytest.mark.parametrize(
    "argv",
    [
        ("tree", "--format", "xml"),
        ("tree", "--format", "markdown"),
        ("tree", "--kind", "nonsense"),
        ("deps", "a", "--type", "nonsense"),
        ("deps", "a", "--type", ""),
    ],
    ids=" ".join,
)
def test_a_choice_that_does_not_exist_is_wrong_usage(argv: tuple[str, ...], place: str) -> None:
    outcome = run("-C", place, *argv)
    assert (outcome.code, outcome.text) == (2, "")
    start = f"error: yg {argv[0]}: argument {argv[-2]}: invalid choice: '{argv[-1]}' (choose from "
    assert outcome.notes.startswith(start)


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (("deps",), "no node given", "Give its path; 'yg tree' lists all nodes."),
        (("deps", ""), "empty node name", "'yg tree' lists all nodes."),
        (("deps", "--node="), "empty node name", "'yg tree' lists all nodes."),
        (("deps", "a", "--node", "b"), "two nodes given: 'a' and 'b'", "Give only one."),
        (("build-context", ""), "empty node name", "'yg tree' lists all nodes."),
        (
            ("build-context",),
            "expected a node, or a file with --file",
            "'yg tree' lists all nodes.",
        ),
        (("owner",), "no file given", "Give files, or - to read names from stdin."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_missing_or_second_name_is_wrong_usage(
    argv: tuple[str, ...], message: str, hint: str, place: str
) -> None:
    assert run("-C", place, *argv) == Outcome("", 2, f"error: {message}\n  {hint}\n")


def test_naming_one_node_twice_is_not_a_mistake(place: str) -> None:
    assert run("deps", "a", "--node", "a", "-C", place) == Outcome("a\n")


# What cannot be done.


@pytest.mark.parametrize("name", GRAPH_COMMANDS)
def test_without_a_graph_nothing_can_be_done(name: str, tmp_path: Path) -> None:
    operand = () if name in ("tree", "aspects", "flows") else ("a",)
    if name == "owner":
        assert run(name, *operand, "-C", str(tmp_path)) == Outcome("a -> no graph here\n")
        return
    message = "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    assert run(name, *operand, "-C", str(tmp_path)) == Outcome("", 1, message)


def test_a_file_in_place_of_the_graph_is_not_a_graph(tmp_path: Path) -> None:
    (tmp_path / ".yggdrasil").touch()
    message = "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    assert run("tree", "-C", str(tmp_path)) == Outcome("", 1, message)


def test_the_graph_is_found_from_any_directory_below_it(tmp_path: Path) -> None:
    write(tmp_path, {"model/a/yg-node.yaml": NODE})
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    assert run("deps", "a", "-C", str(below)) == Outcome("a\n")
    assert run("deps", "a", "-C", str(tmp_path / ".yggdrasil" / "model")) == Outcome("a\n")


def test_the_nearest_graph_is_used(tmp_path: Path) -> None:
    write(tmp_path, {"model/outer/yg-node.yaml": NODE})
    inner = write(tmp_path / "inner", {"model/a/yg-node.yaml": NODE})
    expected = Outcome("model/\n└── a/ [service] -> 0 relations\n")
    assert run("tree", "-C", str(inner)) == expected


@pytest.mark.parametrize("name", GRAPH_COMMANDS)
def test_a_graph_of_the_1x_layout_asks_to_be_upgraded(name: str, tmp_path: Path) -> None:
    (tmp_path / ".yggdrasil").mkdir()
    (tmp_path / ".yggdrasil" / "config.yaml").write_text("name: old\n", encoding="utf-8")
    operand = () if name in ("tree", "aspects", "flows") else ("a",)
    assert run(name, *operand, "-C", str(tmp_path)) == Outcome(
        "",
        1,
        "error: the graph in .yggdrasil/ has the 1.x layout (config.yaml)\n"
        "  Bring it up to date with 'yg init --upgrade'.\n",
    )


def test_a_graph_with_both_configurations_is_of_the_2x_layout(place: str) -> None:
    Path(place, ".yggdrasil", "config.yaml").touch()
    assert run("deps", "a", "-C", place) == Outcome("a\n")


def test_a_directory_that_does_not_exist_is_named(tmp_path: Path) -> None:
    gone = f"{tmp_path}/gone\n"
    visible = f"{tmp_path}/gone\\n"
    assert run("tree", "-C", gone) == Outcome("", 1, f"error: '{visible}' is not a directory\n")


def test_an_unknown_node_is_named_with_the_nearest_ones(tmp_path: Path) -> None:
    paths = ("orders/pricing", "orders/pricer", "payments")
    write(tmp_path, {f"model/{path}/yg-node.yaml": NODE for path in paths})
    for argv in (("build-context",), ("deps",), ("tree",)):
        assert run(*argv, "orders/pricin", "-C", str(tmp_path)) == Outcome(
            "",
            1,
            "error: no node at 'orders/pricin'\n"
            "  Did you mean 'orders/pricing' or 'orders/pricer'?\n",
        )


def test_an_unknown_node_unlike_any_other_gets_another_hint(place: str) -> None:
    expected = Outcome("", 1, "error: no node at 'qqq'\n  'yg tree' lists all nodes.\n")
    assert run("deps", "qqq", "-C", place) == expected


# Errors as data.


@pytest.mark.parametrize("option", [("--json",), ("--format", "json"), ("--format=json",)], ids=str)
def test_errors_are_data_where_data_was_asked_for(option: tuple[str, ...], place: str) -> None:
    document = {
        "schema": "yg-error/1",
        "code": "not-found",
        "message": "no node at 'qqq'",
        "hint": "'yg tree' lists all nodes.",
    }
    expected = Outcome("", 1, json.dumps(document, indent=2) + "\n")
    assert run("deps", *option, "-C", place, "qqq") == expected
    assert run("deps", "qqq", "-C", place, *option) == expected


def test_wrong_usage_is_data_too(place: str) -> None:
    outcome = run("tree", "--json", "--depth", "abc", "-C", place)
    assert (outcome.code, outcome.text) == (2, "")
    assert json.loads(outcome.notes) == {
        "schema": "yg-error/1",
        "code": "usage",
        "message": "yg tree: argument --depth: expected a number >= 0, got 'abc'",
        "hint": "Try 'yg tree --help'.",
    }


def test_data_on_stdout_and_notes_on_stderr(place: str) -> None:
    code, out, err = process(*shared().yg, "tree", "-C", place)
    assert (code, out) == (
        0,
        "model/\n├── a/ [service] -> 0 relations\n└── b/ (cannot be read)\n",
    )
    assert err == ("skipped b: yg-node.yaml has no 'type' (.yggdrasil/model/b/yg-node.yaml:1:1)\n")


# Bugs of ours.


def fail(*_: object) -> NoReturn:
    raise RuntimeError("boom\nand more of it")


def interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


@pytest.mark.parametrize("option", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("debug", ["", "0", "yes"])
def test_a_bug_is_one_line(
    monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...], debug: str
) -> None:
    monkeypatch.setattr("yg.surfaces.cli.main._answered", fail)
    monkeypatch.setenv("YG_DEBUG", debug)
    assert run("tree", *option) == Outcome(
        "",
        70,
        "yg has a bug: RuntimeError: boom. Run again with YG_DEBUG=1 and report the traceback.\n",
    )


def test_a_bug_keeps_its_traceback_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.surfaces.cli.main._answered", fail)
    monkeypatch.setenv("YG_DEBUG", "1")
    outcome = run("tree")
    assert (outcome.code, outcome.text) == (70, "")
    assert outcome.notes.startswith("Traceback (most recent call last):\n")
    assert outcome.notes.endswith("RuntimeError: boom\nand more of it\n")


def test_an_interruption_is_not_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.surfaces.cli.main._answered", interrupt)
    assert run("tree") == Outcome("", 130, "interrupted\n")


# Readers who leave, and writers that cannot write.


@pytest.fixture
def large(tmp_path: Path) -> str:
    """Make a repository whose tree is far larger than the buffer of a pipe."""
    aspects = ", ".join(f"{{aspect: a{number:0100}}}" for number in range(4000))
    node = f"name: A\ntype: service\naspects: [{aspects}]\n"
    return str(write(tmp_path, {"model/a/yg-node.yaml": node, "model/b/yg-node.yaml": NODE}))


def pipe_without_a_reader() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def test_a_reader_who_leaves_early_is_not_an_error(large: str) -> None:
    argv = [*YG, "tree", "-C", large]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, env=environment(), stdout=pipe, stderr=pipe) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == b"model/\n"
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0


@pytest.mark.parametrize(
    "argv", [("tree",), ("tree", "--json"), ("deps", "b"), ("--help",)], ids=str
)
def test_a_reader_who_never_came_is_not_an_error(large: str, argv: tuple[str, ...]) -> None:
    with os.fdopen(pipe_without_a_reader()) as pipe:
        ran = subprocess.run(
            [*YG, "-C", large, *argv],
            env=environment(),
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_a_reader_of_errors_who_left_changes_nothing(place: str) -> None:
    with os.fdopen(pipe_without_a_reader()) as pipe:
        ran = subprocess.run(
            [*YG, "-C", place, "tree"],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=pipe,
            check=False,
        )
    tree = "model/\n├── a/ [service] -> 0 relations\n└── b/ (cannot be read)\n"
    assert (ran.returncode, ran.stdout.decode()) == (0, tree)


def test_a_pipeline_ends_quietly(large: str) -> None:
    pipeline = '"$@" | head -n 1'
    assert process(*SHELL, pipeline, "sh", *YG, "tree", "-C", large) == (0, "model/\n", "")


@needs_full
def test_a_full_disk_is_reported(place: str) -> None:
    ran = process(*SHELL, f'"$@" > {FULL}', "sh", *YG, "deps", "a", "-C", place)
    assert ran == (1, "", "error: cannot write to standard output: No space left on device\n")


def test_a_closed_stdout_is_reported(place: str) -> None:
    ran = process(*SHELL, '"$@" >&-', "sh", *YG, "deps", "a", "-C", place)
    assert ran == (1, "", "error: cannot write to standard output: the stream is closed\n")


def test_a_closed_stdin_is_reported_to_whom_it_matters(place: str) -> None:
    ran = process(*SHELL, '"$@" <&-', "sh", *YG, "owner", "-", "-C", place)
    assert ran == (2, "", "error: standard input is closed\n")
    ran = process(*SHELL, '"$@" <&-', "sh", *YG, "deps", "a", "-C", place)
    assert ran == (0, "a\n", "")


# Colour.

PLAIN = "model/\n└── a/ [service] -> 0 relations\n"
PAINTED = "model/\n└── a/ \x1b[2m[service]\x1b[0m \x1b[2m-> 0 relations\x1b[0m\n"


@pytest.fixture
def small(tmp_path: Path) -> str:
    return str(write(tmp_path, {"model/a/yg-node.yaml": NODE}))


def on_terminal(*argv: str, **changes: str) -> str:
    """Run a command whose output is a terminal, and return what the terminal got."""
    master, slave = pty.openpty()
    try:
        ran = subprocess.run(
            argv, env=environment(**changes), stdout=slave, stderr=slave, check=False
        )
        assert ran.returncode == 0
        return os.read(master, 1 << 16).decode().replace("\r\n", "\n")
    finally:
        os.close(master)
        os.close(slave)


def test_colour_is_for_terminals(small: str) -> None:
    argv = (*shared().yg, "tree", "-C", small)
    assert on_terminal(*argv, TERM="xterm") == PAINTED
    assert process(*argv, TERM="xterm") == (0, PLAIN, "")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"TERM": "dumb"}, PLAIN),
        ({"TERM": "xterm", "NO_COLOR": "1"}, PLAIN),
        ({"TERM": "xterm", "NO_COLOR": ""}, PAINTED),
        ({"TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "1"}, PLAIN),
    ],
    ids=str,
)
def test_colour_on_a_terminal_can_be_declined(
    small: str, changes: Mapping[str, str], expected: str
) -> None:
    assert on_terminal(*shared().yg, "tree", "-C", small, **changes) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"FORCE_COLOR": "1"}, PAINTED),
        ({"FORCE_COLOR": "3", "TERM": "dumb"}, PAINTED),
        ({"FORCE_COLOR": "0"}, PLAIN),
        ({"FORCE_COLOR": ""}, PLAIN),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, PLAIN),
    ],
    ids=str,
)
def test_colour_elsewhere_can_be_forced(
    small: str, changes: Mapping[str, str], expected: str
) -> None:
    assert process(*shared().yg, "tree", "-C", small, **changes) == (0, expected, "")


def test_data_is_never_coloured(place: str) -> None:
    for argv in (("tree", "--json"), ("deps", "a", "--json"), ("build-context", "b", "--json")):
        painted = process(*shared().yg, *argv, "-C", place, FORCE_COLOR="1")
        assert painted == process(*shared().yg, *argv, "-C", place)


def test_errors_are_coloured_where_stderr_is_a_terminal(small: str) -> None:
    _, _, err = process(*shared().yg, "deps", "qqq", "-C", small, FORCE_COLOR="1")
    expected = "\x1b[31;1merror:\x1b[0m no node at 'qqq'\n  'yg tree' lists all nodes.\n"
    assert err == expected


def test_a_graph_cannot_paint(tmp_path: Path) -> None:
    red = "\x1b[31;1mred\x1b[0m"
    files = {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": f"{red}\n"}
    root = str(write(tmp_path, files))
    argv = (*shared().yg, "build-context", "a", "-C", root)
    assert red in process(*argv)[1]
    assert "\n\\x1b[31;1mred\\x1b[0m\n" in on_terminal(*argv, TERM="xterm")
    code, _, notes = process(*shared().yg, "deps", red, "-C", root, FORCE_COLOR="1")
    assert (code, notes.split("\n")[0]) == (
        1,
        "\x1b[31;1merror:\x1b[0m no node at '\\x1b[31;1mred\\x1b[0m'",
    )


def test_who_watches_the_program_has_the_last_word(place: str) -> None:
    profiled = (sys.executable, "-m", "cProfile", "-m", "yg", "explain", "E001", "-C", place)
    code, text, _ = process(*profiled)
    assert (code, text.partition("\n")[0][:4]) == (0, "E001")
    assert " function calls " in text


NEWER = "warning: the graph has format 3.1.0; this yg knows formats up to 3.0.0\n"


@pytest.mark.parametrize(
    "command",
    [
        "tree",
        "aspects",
        "flows",
        "status",
        "preflight --quick",
        "owner x",
        "deps a",
        "impact a",
        "validate",
        "drift",
        "plan",
        "coverage",
        "explain E001",
        "build-context a",
        "find a",
        "export --format dot",
    ],
)
def test_every_command_says_that_a_graph_has_a_newer_format(tmp_path: Path, command: str) -> None:
    old = write(tmp_path / "old", {"model/a/yg-node.yaml": NODE})
    config = CONFIG.replace("2.2.0", "3.1.0")
    new = write(tmp_path / "new", {"yg-config.yaml": config, "model/a/yg-node.yaml": NODE})
    expected = run(*command.split(), "-C", str(old))
    outcome = run(*command.split(), "-C", str(new))
    assert outcome == Outcome(expected.text, expected.code, NEWER + expected.notes)


def test_a_newer_format_is_mentioned_when_a_command_fails(tmp_path: Path) -> None:
    config = CONFIG.replace("2.2.0", "3.1.0")
    root = str(write(tmp_path, {"yg-config.yaml": config, "model/a/yg-node.yaml": NODE}))
    outcome = run("deps", "b", "-C", root)
    assert (outcome.code, outcome.notes.startswith(f"{NEWER}error: no node at 'b'\n")) == (1, True)
    failed = run("deps", "b", "-C", root, "--json")
    assert json.loads(failed.notes)["code"] == "not-found"
    assert run("tree", "-C", root, "--json").notes == NEWER
