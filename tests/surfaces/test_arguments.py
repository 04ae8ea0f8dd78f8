"""Command lines: what they mean, and what is said of one that makes no sense."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import pytest
from msgspec import Meta

from yg.commands.command import (
    NODE_HINT,
    Command,
    Document,
    Request,
    Revision,
    operand,
    option,
)
from yg.kernel.errors import UsageError
from yg.surfaces.cli.arguments import help_text, parse


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


class TryRequest(Request, frozen=True, kw_only=True):
    node: Annotated[str, operand("NODE", "node to try", hint=NODE_HINT)]
    files: Annotated[tuple[str, ...], operand("FILE", "files to try, or -", reads_input=True)] = ()
    only: Annotated[tuple[Color, ...], option("show only these colors", "COLOR")] = ()
    depth: Annotated[Annotated[int, Meta(ge=1)] | None, option("show N levels", "N")] = None
    dry_run: Annotated[bool, option("write nothing")] = False
    diff: Annotated[str | None, option("compare with REV, or HEAD", "REV", const="HEAD")] = None
    output: Annotated[str, option("write to FILE", "FILE", flags=("-o", "--output"))] = "-"
    at: Revision = None


class Tried(Document, frozen=True, kw_only=True, tag="yg-try/1"):
    """What `yg try` prints."""

    word: str


def ask(_workspace: object, request: TryRequest) -> Tried:
    return Tried(word=request.node)


def text(document: Tried, _palette: object) -> str:
    return f"{document.word}\n"


TRY = Command("try", TryRequest, (Tried,), ask, text, {"upper": lambda tried: tried.word.upper()})


def parsed(line: str, *, stdin: tuple[str, ...] = ()) -> Any:
    return parse(TRY, line.split(), lambda: stdin)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("a", TryRequest(node="a")),
        ("--node a", TryRequest(node="a")),
        ("--node=a", TryRequest(node="a")),
        ("a --node ./a", TryRequest(node="a")),
        ("a b c", TryRequest(node="a", files=("b", "c"))),
        ("a b --file c", TryRequest(node="a", files=("b", "c"))),
        ("--depth 2 a --dry-run", TryRequest(node="a", depth=2, dry_run=True)),
        ("--depth=99999999999999999999999 a", TryRequest(node="a", depth=10**9)),
        ("--only red --only blue a", TryRequest(node="a", only=(Color.RED, Color.BLUE))),
        ("a --diff", TryRequest(node="a", diff="HEAD")),
        ("--diff main a", TryRequest(node="a", diff="main")),
        ("a -o x", TryRequest(node="a", output="x")),
        ("a --at HEAD~1", TryRequest(node="a", at="HEAD~1")),
        ("-- --depth", TryRequest(node="--depth")),
    ],
)
def test_operands_and_options_make_a_request_in_any_order(line: str, request_: TryRequest) -> None:
    assert parsed(line).request == request_


def test_a_dash_stands_for_the_lines_of_standard_input() -> None:
    assert parsed("a b - c", stdin=("x y", "z")).request.files == ("b", "x y", "z", "c")
    assert parsed("a -").request.files == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a", (".", "text", None, True)),
        ("a -C x --json", ("x", "json", None, True)),
        ("-Cx a --format json", ("x", "json", None, True)),
        ("a --json --format upper", (".", "upper", None, True)),
        ("a --kind specgraph --no-cache", (".", "text", "specgraph", False)),
    ],
)
def test_all_commands_have_some_options(line: str, expected: tuple[object, ...]) -> None:
    found = parsed(line)
    assert (found.directory, found.form, found.kind, found.uses_cache) == expected


def test_the_environment_chooses_a_kind_and_switches_the_cache_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("YG_KIND", "specgraph")
    monkeypatch.setenv("YG_NO_CACHE", "1")
    assert (parsed("a").kind, parsed("a").uses_cache) == ("specgraph", False)
    assert parsed("a --kind yggdrasil").kind == "yggdrasil"
    monkeypatch.setenv("YG_KIND", "tree")
    with pytest.raises(UsageError, match="unknown kind of graph in YG_KIND: 'tree'"):
        parsed("a")


def refused(words: list[str]) -> tuple[str, str]:
    with pytest.raises(UsageError) as caught:
        parse(TRY, words, lambda: ())
    return caught.value.message, caught.value.hint


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a --xyzzy 2", "unrecognized arguments: --xyzzy 2"),
        ("a --depth", "argument --depth: expected one argument"),
        ("a --dry-run=1", "argument --dry-run: ignored explicit argument '1'"),
        (
            "a --only green",
            "argument --only: invalid choice: 'green' (choose from 'red', 'blue')",
        ),
        (
            "a --format xml",
            "argument --format: invalid choice: 'xml' (choose from 'text', 'json', 'upper')",
        ),
    ],
)
def test_a_line_that_makes_no_sense_is_a_usage_error(line: str, message: str) -> None:
    assert refused(line.split()) == (f"yg try: {message}", "Try 'yg try --help'.")


@pytest.mark.parametrize("number", ["abc", "0", "-1", "1.5", "", " 1", "+1", "1_0", "\u0661"])
def test_a_wrong_number_is_a_usage_error(number: str) -> None:
    message = f"yg try: argument --depth: expected a number >= 1, got '{number}'"
    assert refused(["a", "--depth", number]) == (message, "Try 'yg try --help'.")


@pytest.mark.parametrize(
    ("option", "near"), [("--dept", "--depth"), ("--formt=json", "--format"), ("--onyl", "--only")]
)
def test_an_unknown_option_is_answered_with_the_nearest_one(option: str, near: str) -> None:
    hint = f"Did you mean '{near}'? Try 'yg try --help'."
    assert refused(["a", option]) == (f"yg try: unrecognized arguments: {option}", hint)


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ([], "no node given", NODE_HINT),
        ([""], "empty node name", NODE_HINT),
        (["--node="], "empty node name", NODE_HINT),
        (["a", "--node", "b"], "two nodes given: 'a' and 'b'", "Give only one."),
    ],
)
def test_a_missing_or_second_name_is_a_usage_error(
    words: list[str], message: str, hint: str
) -> None:
    assert refused(words) == (message, hint)


def test_the_help_of_a_command_lists_what_only_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert (
        help_text(TRY, "Try a node.")
        == """\
usage: yg try NODE [FILE ...] [options]

Try a node.

positional arguments:
  NODE                      node to try
  FILE                      files to try, or -

options:
  --format {text,json,upper}
                            output format (default text)
  --node NODE               same as NODE
  --file FILE               same as FILE
  --only {red,blue}         show only these colors
  --depth N                 show N levels
  --dry-run                 write nothing
  --diff [REV]              compare with REV, or HEAD
  -o, --output FILE         write to FILE
  --at REV                  read the graph from this commit

Common options: yg --help
"""
    )
