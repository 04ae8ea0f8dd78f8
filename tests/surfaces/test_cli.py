"""The command line as a whole: exit codes, streams, mistakes, colours, and readers who leave."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Annotated, Any, NoReturn
from unittest.mock import ANY

import pytest

from yg.commands.command import Command, Document, Request, Revision, operand
from yg.commands.table import BY_NAME, COMMANDS, overview
from yg.kernel.errors import NotFoundError, RefusedError
from yg.kernel.issue import Issue, Severity
from yg.kernel.palette import Palette
from yg.surfaces.cli import old, output
from yg.surfaces.cli.main import EVERY, Outcome, answer, main
from yg.version import GRAPH_FORMAT, __version__

YG = (sys.executable, "-m", "yg")
VERSION = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
PAINTED = Palette(is_on=True)


class EchoRequest(Request, frozen=True, kw_only=True):
    word: Annotated[str, operand("WORD", "word to repeat", flag="")]
    at: Revision = None


class Echoed(Document, frozen=True, kw_only=True, tag="yg-echo/1"):
    """What `yg echo` prints."""

    word: str

    @property
    def exit_code(self) -> int:
        return int(self.word == "bad")

    @property
    def notes(self) -> tuple[str, ...]:
        return ("warning: this word is bad",) if self.exit_code else ()


def echo(_workspace: object, request: EchoRequest) -> Echoed:
    return Echoed(word=request.word)


def text(document: Echoed, palette: Palette) -> str:
    return f"{palette.bold(document.word)}\n"


class FakeWorkspace:
    """A workspace that records how it is opened and whether it is closed."""

    def __init__(self, directory: str, **options: Any) -> None:
        self.opened = (directory, options)
        self.is_closed = False
        self.notes: tuple[str, ...] = ()

    def close(self) -> None:
        self.is_closed = True
        self.notes = ("the graph has format 3.1.0",) * (self.opened[0] == "newer")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[FakeWorkspace]:
    """Add the command `echo`; return the workspaces that were opened."""
    found: list[FakeWorkspace] = []

    def workspace(directory: str, **options: Any) -> FakeWorkspace:
        found.append(FakeWorkspace(directory, **options))
        return found[-1]

    module = ModuleType("yg.commands.workspace")
    vars(module)["Workspace"] = workspace
    monkeypatch.setitem(sys.modules, module.__name__, module)
    register(monkeypatch, echo)
    return found


def register(monkeypatch: pytest.MonkeyPatch, ask: Callable[..., Echoed]) -> None:
    command = Command("echo", EchoRequest, (Echoed,), ask, text)
    entry: Any = SimpleNamespace(name="echo", summary="Repeat a word.", load=lambda: command)
    monkeypatch.setitem(BY_NAME, "echo", entry)


def process(*argv: str, **options: Any) -> tuple[int, str, str]:
    """Run a command as a process of its own."""
    foreign = ("FORCE_COLOR", "NO_COLOR", "TERM", "YG_DEBUG", "YG_KIND")
    env = {key: value for key, value in os.environ.items() if key not in foreign}
    ran = subprocess.run(argv, env=env, capture_output=True, check=False, **options)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


# What is called.


def test_a_command_answers_in_its_workspace(opened: list[FakeWorkspace]) -> None:
    assert answer(["echo", "a", "-C", "x", "--at", "HEAD", "--no-cache"]) == Outcome("a\n")
    options = {"kind": None, "at": "HEAD", "uses_cache": False, "on_read": ANY}
    assert [(space.opened, space.is_closed) for space in opened] == [(("x", options), True)]


@pytest.mark.parametrize("argv", [["-C", "x", "echo", "a"], ["-Cx", "echo", "a"]], ids=" ".join)
def test_common_options_may_precede_the_command(
    argv: list[str], opened: list[FakeWorkspace]
) -> None:
    assert (answer(argv), opened[0].opened[0]) == (Outcome("a\n"), "x")


@pytest.mark.parametrize("option", [["--json"], ["--format", "json"], ["--format=json"]], ids=str)
@pytest.mark.usefixtures("opened")
def test_an_answer_may_be_data_whose_keys_are_in_order(option: list[str]) -> None:
    expected = '{\n  "schema": "yg-echo/1",\n  "word": "a\\u0085\\t"\n}\n'
    assert answer(["echo", "a\x85\t", *option]) == Outcome(expected)


@pytest.mark.usefixtures("opened")
def test_a_name_that_is_not_utf_8_is_written_as_an_escape() -> None:
    assert '"word": "\\udcffä"' in answer(["echo", "\udcffä", "--json"]).text


@pytest.mark.usefixtures("opened")
def test_findings_are_exit_code_1_and_notes_stand_beside_the_text() -> None:
    assert answer(["echo", "bad"]) == Outcome("bad\n", "warning: this word is bad\n", 1)
    assert answer(["echo", "bad", "--json"]).notes == ""
    painted = "\x1b[33;1mwarning:\x1b[0m this word is bad\n"
    assert answer(["echo", "bad"], err=PAINTED).notes == painted


@pytest.mark.usefixtures("opened")
def test_notes_of_the_workspace_stand_beside_every_answer() -> None:
    newer = "warning: the graph has format 3.1.0\n"
    assert answer(["echo", "a", "-C", "newer"]) == Outcome("a\n", newer)
    assert answer(["echo", "a", "-C", "newer", "--json"]).notes == newer


@pytest.mark.parametrize("argv", [["--help"], ["-h"], ["-C", "/", "--help"]], ids=" ".join)
def test_help_is_data_and_no_mistake(argv: list[str]) -> None:
    assert answer(argv) == Outcome(overview(EVERY))


def test_nothing_at_all_is_answered_with_help_on_stderr() -> None:
    assert answer([]) == Outcome("", overview(EVERY), 2)


def test_the_overview_names_every_command_once_with_what_it_does() -> None:
    lines = [" ".join(line.split()) for line in overview(EVERY).splitlines()]
    assert [lines.count(f"{entry.name} {entry.summary}") for entry in EVERY] == [1] * len(EVERY)


@pytest.mark.usefixtures("opened")
def test_every_command_has_help_of_its_own() -> None:
    shown = answer(["echo", "--help"])
    assert shown.text.startswith("usage: yg echo WORD [options]\n\nRepeat a word.\n")
    assert answer(["-C", "x", "echo", "a", "-h"]) == shown
    assert answer(["echo", "--", "-h"]) == Outcome("-h\n")


def test_check_is_validate() -> None:
    assert BY_NAME["check"] is BY_NAME["validate"]


# Mistakes.


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (["tre"], "unknown command 'tre'", "Did you mean 'tree'?"),
        (["buildcontext"], "unknown command 'buildcontext'", "Did you mean 'build-context'?"),
        (["\x1b[31mqqq\n"], r"unknown command '\x1b[31mqqq\n'", "'yg --help' lists the commands."),
        (["-C", "x"], "no command given", "'yg --help' lists the commands."),
        (["explain", "--bogus"], "yg explain: unrecognized arguments: --bogus", ""),
        (["--bogus", "explain"], "yg explain: unrecognized arguments: --bogus", ""),
        (["explain", "-C"], "yg explain: argument -C: expected one argument", ""),
    ],
    ids=ascii,
)
def test_wrong_usage_is_exit_code_2(argv: list[str], message: str, hint: str) -> None:
    expected = f"error: {message}\n  {hint or 'Try {!r}.'.format('yg explain --help')}\n"
    assert answer(argv) == Outcome("", expected, 2)


def fails(error: BaseException) -> Callable[..., NoReturn]:
    def ask(_workspace: object, _request: object) -> NoReturn:
        raise error

    return ask


ISSUE = Issue(
    code="E004",
    rule="broken-relation",
    severity=Severity.ERROR,
    subject="a",
    message="relation to 'b' does not resolve",
    file="a/yg-node.yaml",
    line=3,
    column=5,
    advice=("Did you mean 'c'?",),
    fix="Correct the path.",
)


def test_an_error_is_told_with_its_issues_and_a_hint(
    monkeypatch: pytest.MonkeyPatch, opened: list[FakeWorkspace]
) -> None:
    register(monkeypatch, fails(RefusedError("no package for 'a'", hint="Fix.", issues=(ISSUE,))))
    expected = """\
E004 a -> relation to 'b' does not resolve.
  Did you mean 'c'?
  a/yg-node.yaml:3:5
error: no package for 'a'
  Fix.
"""
    assert answer(["echo", "a"]) == Outcome("", expected, 1)
    assert opened[0].is_closed
    newer = "warning: the graph has format 3.1.0\n"
    assert answer(["echo", "a", "-C", "newer"]) == Outcome("", newer + expected, 1)


def test_an_error_is_data_where_data_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, opened: list[FakeWorkspace]
) -> None:
    register(monkeypatch, fails(NotFoundError("no node at 'q'")))
    outcome = answer(["echo", "q", "-C", "newer", "--json"])
    document = {"schema": "yg-error/1", "code": "not-found", "message": "no node at 'q'"}
    assert json.loads(outcome.notes) == {**document, "hint": ""}
    assert (outcome.text, outcome.code, opened[0].is_closed) == ("", 1, True)
    register(monkeypatch, fails(RefusedError("no package", issues=(ISSUE,))))
    (issue,) = json.loads(answer(["echo", "q", "--format", "json"]).notes)["issues"]
    assert (issue["code"], issue["rule"], issue["line"]) == ("E004", "broken-relation", 3)


@pytest.mark.usefixtures("opened")
def test_wrong_usage_is_data_too() -> None:
    assert json.loads(answer(["echo", "--json"]).notes)["message"] == "no word given"


@pytest.mark.parametrize("debug", ["", "0", "yes"])
def test_a_bug_is_one_line(
    debug: str, monkeypatch: pytest.MonkeyPatch, opened: list[FakeWorkspace]
) -> None:
    monkeypatch.setenv("YG_DEBUG", debug)
    register(monkeypatch, fails(RuntimeError("boom\nand more")))
    report = "RuntimeError: boom. Run again with YG_DEBUG=1 and report the traceback."
    assert answer(["echo", "a"]) == Outcome("", f"yg has a bug: {report}\n", 70)
    assert opened[0].is_closed


@pytest.mark.usefixtures("opened")
def test_a_bug_keeps_its_traceback_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YG_DEBUG", "1")
    register(monkeypatch, fails(RuntimeError("boom\nand more")))
    notes = answer(["echo", "a"]).notes
    assert notes.startswith("Traceback (most recent call last):\n")
    assert notes.endswith("RuntimeError: boom\nand more\n")


@pytest.mark.usefixtures("opened")
def test_an_interruption_is_not_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, fails(KeyboardInterrupt()))
    assert answer(["echo", "a"]) == Outcome("", "interrupted\n", 130)


# Streams.


def test_data_goes_to_stdout_and_everything_else_to_stderr(
    opened: list[FakeWorkspace], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert (main(["echo", "bad"]), len(opened)) == (1, 1)
    assert capfdbinary.readouterr() == (b"bad\n", b"warning: this word is bad\n")


@pytest.mark.usefixtures("opened")
def test_files_and_pipes_keep_control_characters_which_no_note_has(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    main(["echo", "\x1b[31mä"])
    main(["\x1b[31mä"])
    out, err = capfdbinary.readouterr()
    assert out == "\x1b[31mä\n".encode()
    assert err.startswith("error: unknown command '\\x1b[31mä'\n".encode())


def on_terminal(*argv: str, **changes: str) -> str:
    """Run a program whose output is a terminal, and return what the terminal gets."""
    master, slave = pty.openpty()
    try:
        env = {**os.environ, "TERM": "xterm", **changes}
        subprocess.run(argv, env=env, stdout=slave, stderr=slave, check=True)
        return os.read(master, 1 << 16).decode().replace("\r\n", "\n")
    finally:
        os.close(master)
        os.close(slave)


def test_a_terminal_gets_colours_but_no_control_characters_of_a_graph() -> None:
    program = (
        "from yg.kernel.palette import Palette\n"
        "from yg.surfaces.cli.output import has_colour, write\n"
        "import sys\n"
        "text = Palette(has_colour(sys.stdout), 'mark').red('a\\x1b[1mb\\u202e') + '\\n'\n"
        "write(text, mark='mark')\n"
    )
    plain = "a\\x1b[1mb\\u202e\n"
    painted = f"\x1b[31;1m{plain[:-1]}\x1b[0m\n"
    assert on_terminal(sys.executable, "-c", program) == painted
    assert on_terminal(sys.executable, "-c", program, TERM="dumb") == plain
    assert on_terminal(sys.executable, "-c", program, NO_COLOR="1", FORCE_COLOR="1") == plain


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "3", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
    ids=str,
)
def test_colour_elsewhere_can_be_forced(
    changes: dict[str, str], *, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    for name, value in changes.items():
        monkeypatch.setenv(name, value)
    assert output.has_colour(None) is expected


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_streams_are_utf_8_whatever_the_locale(locale: str) -> None:
    program = "from yg.surfaces.cli.output import write; write('\\u2514 \\xe4\\n', '\\xf6\\n')"
    env = {**os.environ, "LC_ALL": locale, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ran = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True)
    assert (ran.stdout.decode(), ran.stderr.decode()) == ("└ ä\n", "ö\n")


def test_a_reader_who_leaves_is_not_an_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer) as pipe:
        ran = subprocess.run([*YG, "--help"], stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("target", "reason"),
    [("> /dev/full", "No space left on device"), (">&-", "the stream is closed")],
)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_an_answer_that_cannot_be_written_is_reported(target: str, reason: str) -> None:
    expected = f"error: cannot write to standard output: {reason}\n"
    ran = process("sh", "-c", f'"$@" {target}', "sh", *YG, "--help")
    assert ran == (1, "", expected)


@pytest.mark.parametrize("argv", [["--version"], ["-V"], ["-C", "/", "--version"]], ids=" ".join)
def test_the_version_names_the_program_and_the_graph_format(argv: list[str]) -> None:
    assert process(*YG, *argv) == (0, VERSION, "")


def test_the_version_imports_next_to_nothing() -> None:
    program = "import sys; sys.argv = ['yg', '--version']; from yg.__main__ import main; main()"
    report = "print([name for name in ('msgspec', 'argparse', 're') if name in sys.modules])"
    assert process(sys.executable, "-c", f"{program}; {report}")[1] == f"{VERSION}[]\n"


# What version 0.3.0 still answers.


@pytest.mark.parametrize(
    "line",
    [
        *("drift", "-C x drift", "hook claude-code stop", "--complete tree", "rm a"),
        *("explain E101", "explain --schema yg-drift/1", "explain --schema deps"),
        *("tree --kind specgraph", "--kind=yggdrasil-0x tree"),
    ],
)
def test_version_0_3_answers_what_is_not_rebuilt_yet(line: str) -> None:
    assert old.is_for_old(line.split())


@pytest.mark.parametrize(
    "line",
    [
        *("", "--help", "tree -C /", "tree drift", "nonsense", "explain E004", "explain"),
        *("explain --schema tree", "tree --kind yggdrasil -C /"),
    ],
)
def test_everything_else_is_answered_here(line: str) -> None:
    assert not old.is_for_old(line.split())


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([".yggdrasil/x"], False),
        (["yggdrasil/config.yaml"], True),
        (["yggdrasil/readme"], False),
        (["specgraph/graph.json"], True),
        ([".yggdrasil/x", "specgraph/nodes/x"], True),
        (["src/.yggdrasil/x", "specgraph/graph.json"], False),
    ],
)
def test_version_0_3_answers_for_other_kinds_of_graph(
    files: list[str], *, expected: bool, tmp_path: Any
) -> None:
    for file in ["src/deep/x", *files]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert old.is_for_old(["tree", "-C", str(tmp_path / "src" / "deep")]) is expected


def test_no_command_is_both_here_and_there() -> None:
    assert {entry.name for entry in COMMANDS}.isdisjoint({*old.MOVING, *old.GOING})
