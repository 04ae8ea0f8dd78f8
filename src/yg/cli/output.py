"""Output files: the option `-o`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg.cli.outcome import Outcome
from yg.kernel.errors import YgError

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call


def add_output(parser: Parser) -> None:
    """Add `-o FILE`."""
    parser.add_argument("-o", "--output", metavar="FILE", help="write to this file")


def written(call: Call, outcome: Outcome) -> Outcome:
    """Write the result to the file that the user named, if any."""
    if call.args.output is None:
        return outcome
    write_output(call, outcome.text.encode("utf-8", "backslashreplace"))
    return Outcome("", outcome.code, outcome.notes)


def write_output(call: Call, content: bytes) -> None:
    """Write the file that the user named."""
    output = call.args.output
    try:
        with open(os.path.join(call.args.directory, output), "wb") as file:
            file.write(content)
    except OSError as error:
        raise YgError(f"cannot write '{output}': {error.strerror}") from error
