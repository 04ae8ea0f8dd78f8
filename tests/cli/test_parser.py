"""Command lines: what they mean, and what is said of one that makes no sense."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

import pytest

from yg.commands.table import COMMANDS
from yg.kernel.errors import UsageError
from yg.surfaces.cli.arguments import Parser
from yg.surfaces.cli.outcome import HelpAsked
from yg.surfaces.cli.requests import parser_of


def number(text: str) -> int:
    if not text.isdigit():
        raise ArgumentTypeError(f"'{text}' is no number")
    return int(text)


def small(nargs: str | None = "?") -> Parser:
    """Return a parser with one argument of each kind."""
    parser = Parser("yg try", "Try.")
    parser.common.add_argument("-C", dest="directory", default=".")
    parser.common.add_argument("--format", choices=("text", "json"), default="text")
    parser.common.add_argument("--json", dest="format", action="store_const", const="json")
    parser.add_argument("what", metavar="WHAT", nargs=nargs)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--depth", type=number)
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--diff", nargs="?", const="HEAD")
    return parser


USUAL: dict[str, Any] = {
    "directory": ".", "format": "text", "what": None, "dry_run": False, "depth": None, "file": [],
    "diff": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("", {}),
        ("a", {"what": "a"}),
        ("--depth 2 a --dry-run", {"depth": 2, "what": "a", "dry_run": True}),
        ("--json", {"format": "json"}),
        ("--json --format text -C x", {"directory": "x"}),
        ("--depth=2", {"depth": 2}),
        ("-Cx", {"directory": "x"}),
        ("-- --depth", {"what": "--depth"}),
        ("-", {"what": "-"}),
        ("--file a --file b", {"file": ["a", "b"]}),
        ("--diff", {"diff": "HEAD"}),
        ("--diff main a", {"diff": "main", "what": "a"}),
    ],
)
def test_options_and_operands_stand_in_any_order(line: str, read: dict[str, Any]) -> None:
    assert vars(small().parse(line.split())) == {**USUAL, **read}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a b", "yg try: unrecognized arguments: b"),
        ("--dept 2", "yg try: unrecognized arguments: --dept"),
        ("--depth", "yg try: argument --depth: expected one argument"),
        ("--depth x", "yg try: argument --depth: 'x' is no number"),
        ("--dry-run=1", "yg try: argument --dry-run: ignored explicit argument '1'"),
    ],
)
def test_a_line_that_makes_no_sense_is_a_usage_error(line: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        small().parse(line.split())
    assert (caught.value.message, caught.value.hint) == (message, "Try 'yg try --help'.")


@pytest.mark.parametrize(
    ("nargs", "line", "what"),
    [
        (None, "a", "a"),
        ("*", "", []),
        ("*", "a b", ["a", "b"]),
        ("+", "a", ["a"]),
        ("+", "a --dry-run b", ["a", "b"]),
    ],
)
def test_an_operand_takes_as_many_words_as_it_says(
    nargs: str | None, line: str, what: str | list[str]
) -> None:
    assert small(nargs).parse(line.split()).what == what


@pytest.mark.parametrize(("nargs", "line"), [(None, ""), ("+", ""), (None, "a b")])
def test_an_operand_that_is_missing_or_too_much_is_a_usage_error(
    nargs: str | None, line: str
) -> None:
    with pytest.raises(UsageError):
        small(nargs).parse(line.split())


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_shows_its_options_in_lines_of_one_width(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    known = next(named for named in COMMANDS if named.name == command)
    with pytest.raises(HelpAsked) as asked:
        parser_of(known).parse(["--help"])
    assert asked.value.text.startswith(f"usage: yg {command} ")
    assert asked.value.text.splitlines()[0].endswith("[options]")
    assert asked.value.text.endswith("\n\nCommon options: yg --help\n")
    assert "--no-cache" not in asked.value.text
    assert max(map(len, asked.value.text.splitlines())) <= 100
