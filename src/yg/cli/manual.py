"""The manual of the command line, written from the parsers: `python -m yg.cli.manual`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from yg.cli import streams
from yg.cli.arguments import command_parser
from yg.cli.commands import COMMANDS

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Iterable, Iterator

    from yg.cli.commands import Command
    from yg.cli.parser import Parser

OPENING = """\
# The command line

```text
yg [-C DIR] COMMAND [operands] [options]
```

`yg --help` lists the commands, `yg COMMAND --help` tells about one, `yg --version` shows the
version. The program also answers to `ygg` and to `python -m yg`. Operands and options may stand in
any order; behind `--` there are only operands.

This page is written by `make docs` from the program itself.

## Options of every command

"""
FORMATS = """\
- `--format FORMAT`: how to print; every command lists its formats, the usual one first.
- `--json`: short for `--format json`.
"""
CLOSING = """
## Exit codes

| code | meaning |
| --- | --- |
| 0 | done, and nothing is wrong |
| 1 | there are findings, or it could not be done |
| 2 | the command line makes no sense |
| 70 | a bug in `yg`; `YG_DEBUG=1` shows the traceback |

The environment is told in [configuration](configuration.md#environment), output for programs in
[JSON](json.md).
"""
_OWN = ("help", "format")  # options of every command that each describes for itself, or need not


def manual() -> str:
    """Write a page about every command and every option."""
    common = [each for each in command_parser("", "").actions if each.dest not in _OWN]
    known = {each.dest for each in common}
    parts = [OPENING, *_list(common), FORMATS]
    for group in dict.fromkeys(command.group for command in COMMANDS):
        parts.append(f"\n## {group}\n")
        for command in COMMANDS:
            if command.group == group:
                parts.extend(_section(command, known))
    return "".join([*parts, CLOSING])


def _section(command: Command, known: Iterable[str]) -> Iterator[str]:
    parser: Parser = command.load().parser(command.name, command.summary)
    skipped = {"help", *known}
    own = [each for each in parser.actions if each.dest not in skipped]
    operands = "".join(f" {_operand(each)}" for each in own if not each.option_strings)
    yield f"\n### yg {command.name}\n\n{command.summary}\n\n"
    yield f"```text\nyg {command.name}{operands} [options]\n```\n\n"
    own.sort(key=lambda each: (bool(each.option_strings), each.dest == "format"))
    yield from _list(each for each in own if each.nargs != 0 or each.dest != "format")


def _list(actions: Iterable[Action]) -> Iterator[str]:
    for each in actions:
        names = ", ".join(f"`{_spelled(name, each)}`" for name in each.option_strings or [""])
        choices = ", ".join(f"`{choice}`" for choice in each.choices or ())
        said = f"{each.help}: {choices}" if choices else each.help
        yield f"- {names}: {said}.\n"


def _spelled(name: str, action: Action) -> str:
    """Write an option with the value that it takes, an operand by what it is."""
    if action.nargs == 0:
        return name
    value = str(action.metavar or action.dest.upper().replace("_", "-"))
    value = f"[{value}]" if name and action.nargs == "?" else value
    return f"{name} {value}".strip()


def _operand(action: Action) -> str:
    word = _spelled("", action)
    if action.nargs == "*":
        return f"[{word} ...]"
    return f"[{word}]" if action.nargs == "?" else word


if __name__ == "__main__":
    sys.exit(streams.answer(manual()))
