"""Small random edits of a source text."""

from __future__ import annotations

import re
from random import Random

PIECE = re.compile(r"\n[ \t]*|[ \t]+|\w+|\"\"\"|'''|[^\w\s]|.", re.DOTALL)
INSERTED = (
    *",()[]{}:;.=\"'#\\*@-!&",
    " ",
    "\n",
    "\n    ",
    "    ",
    "\t",
    "\f",
    "\\\n",
    ",\n",
    "lambda: ",
    "lambda x, y: ",
    "not ",
    "await ",
    "match ",
    "case ",
    "f",
    "r",
    "b",
    "pass\n",
    "import a\n",
    "if x: ",
    "1",
    "_",
    '""',
    "# type: int\n",
    "# noise\n",
    "async ",
    "yield ",
    "type ",
    ":=",
    "...",
    "'''",
    '"""',
)


def mutated(text: str, random: Random) -> str:
    """Return the text with one or two edits of its pieces."""
    pieces = PIECE.findall(text)
    for _ in range(random.choice((1, 1, 1, 2))):
        if not pieces:
            break
        at = random.randrange(len(pieces))
        other = random.randrange(len(pieces))
        match random.randrange(8):
            case 0:
                del pieces[at]
            case 1:
                pieces.insert(at, pieces[other])
            case 2:
                pieces[at], pieces[at - 1] = pieces[at - 1], pieces[at]
            case 3:
                pieces[at] = pieces[other]
            case 4 | 5:
                pieces.insert(at, random.choice(INSERTED))
            case 6:
                pieces[at] = random.choice(INSERTED)
            case 7:
                _indent(pieces, at, random)
    return "".join(pieces)


def _indent(pieces: list[str], at: int, random: Random) -> None:
    """Move one line to the left or to the right."""
    while at > 0 and not pieces[at].startswith("\n"):
        at -= 1
    line = pieces[at]
    pieces[at] = random.choice(
        (line[:-4] or "\n", line + "    ", "\n", line + " ", line[:-1] or "\n")
    )
