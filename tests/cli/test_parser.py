"""Arguments: a plain line is read as argparse reads it, and any other by argparse itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yg.cli.commands import COMMANDS
from yg.cli.parser import CONSTANT, FLAG, MisreadError, Parser
from yg.kernel.errors import UsageError

often = settings(max_examples=150)
WORDS = (
    "a",
    "",
    "-",
    "--",
    "2",
    "0",
    "full",
    "x y",
    "-1",
    "json",
    "dot",
    "--no",
    "-Cx",
    "text",
    "é",
)


def number(text: str) -> int:
    if not text.isdigit():
        raise MisreadError(f"'{text}' is no number")
    return int(text)


def small(nargs: str | None = "?") -> Parser:
    """Return a parser with one argument of each kind."""
    parser = Parser("yg try", "Try.")
    parser.add_argument("-C", dest="directory", default=".", is_common=True)
    parser.add_argument("--format", choices=("text", "json"), default="text", is_common=True)
    parser.add_argument("--json", dest="format", action=CONSTANT, const="json", is_common=True)
    parser.add_argument("what", metavar="WHAT", nargs=nargs)
    parser.add_argument("--dry-run", action=FLAG)
    parser.add_argument("--depth", type=number)
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--diff", nargs="?", const="HEAD")
    return parser


def of_command(name: str) -> Parser:
    command = next(each for each in COMMANDS if each.name == name)
    parser: Parser = command.load().parser(command.name, command.summary)
    return parser


@pytest.mark.parametrize("command", [each.name for each in COMMANDS])
def test_what_is_read_plainly_means_what_argparse_says(command: str) -> None:
    parser = of_command(command)
    options = [name for each in parser.arguments for name in each.names if each.is_option]

    @often
    @given(st.lists(st.sampled_from([*WORDS, *options, *(f"{each}=a" for each in options)])))
    def check(words: list[str]) -> None:
        found = parser.plainly(words)
        if found is not None:
            assert vars(found) == vars(parser.full.parse(words))

    check()


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
    ],
)
def test_a_plain_line_is_read_without_argparse(line: str, read: dict[str, Any]) -> None:
    found = small().plainly(line.split())
    assert found is not None
    assert vars(found) == {**USUAL, **read}


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("--depth=2", {"depth": 2}),
        ("-Cx", {"directory": "x"}),
        ("-- --depth", {"what": "--depth"}),
        ("-", {"what": "-"}),
        ("--file a --file b", {"file": ["a", "b"]}),
        ("--diff", {"diff": "HEAD"}),
        ("--diff main a", {"diff": "main", "what": "a"}),
    ],
)
def test_any_other_line_is_left_to_argparse(line: str, read: dict[str, Any]) -> None:
    parser = small()
    assert parser.plainly(line.split()) is None
    assert vars(parser.parse(line.split())) == {**USUAL, **read}


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
    parser = small(nargs)
    found = parser.plainly(line.split())
    assert found is not None
    assert found.what == parser.full.parse(line.split()).what == what


@pytest.mark.parametrize(("nargs", "line"), [(None, ""), ("+", ""), (None, "a b")])
def test_an_operand_that_is_missing_or_too_much_is_a_usage_error(
    nargs: str | None, line: str
) -> None:
    assert small(nargs).plainly(line.split()) is None
    with pytest.raises(UsageError):
        small(nargs).parse(line.split())
