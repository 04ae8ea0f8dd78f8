"""Completion in three shells: what each hands over of the command line, and wants back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.cli import streams
from yg.cli.complete import suggested

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.cli.complete import Suggestions

SHELLS = ("bash", "zsh", "fish")
_SPECIAL = re.compile(r"([^\w@%+=:,./-])")
_BREAKS = "=:@<>|&;("  # where bash ends a word besides white space


def main(argv: Sequence[str]) -> int:
    """Answer a shell: one line for the kind of what it gets, then a line for each word."""
    text = completed(argv[0], argv[1:]) if argv else ""
    return streams.answer(text, code=0 if text else 1)


def completed(shell: str, typed: Sequence[str]) -> str:
    """Suggest words in the form that a shell takes; nothing to a shell that is not known."""
    *before, current = typed or [""]
    match shell:
        case "bash":  # hands over the line, and what it will replace of its last word
            return _for_bash("".join(before), current)
        case "zsh":  # takes the words as they are, and picks those that fit
            return _lines(suggested(before[1:], current), _for_zsh)
        case "fish":
            return _lines(suggested(before[1:], split(current).last), _for_fish)
        case _:
            return ""


def _lines(found: Suggestions, written: Callable[[str, str], str]) -> str:
    words = [written(word, said) for word, said in found.words if word.isprintable()]
    return "".join(f"{each}\n" for each in (found.kind.value, *words))


def _for_zsh(word: str, said: str) -> str:
    escaped = word.replace("\\", "\\\\").replace(":", "\\:")
    return f"{escaped}:{said}" if said else escaped


def _for_fish(word: str, said: str) -> str:
    return f"{word}\t{said}" if said else word


def _for_bash(line: str, fragment: str) -> str:
    """Suggest what bash puts in the place of a fragment: the end of a word, from a colon or so on.

    Bash hands over words in pieces and with their quotes, so the line is taken apart here. What
    comes back is used as it is, fitting or not.
    """
    typed = split(line)
    found = suggested(typed.words[1:], typed.last)
    is_break = len(fragment) == 1 and fragment in _BREAKS
    kept = typed.raw if is_break else typed.raw.removesuffix(fragment)
    start = len(split(kept).last)
    words = (word[start:] for word, _ in found.words if word.startswith(typed.last))
    fitting = [(_quoted(word, typed.quote), "") for word in words]
    return _lines(replace(found, words=tuple(fitting)), lambda word, _said: word)


def _quoted(word: str, quote: str) -> str:
    """Protect what a shell would not take as it is; inside quotes little has to be."""
    match quote:
        case "'":
            return word.replace("'", "'\\''")
        case '"':
            return re.sub(r'(["$`\\])', r"\\\1", word)
        case _:
            return _SPECIAL.sub(r"\\\1", word)


class Line(Struct, frozen=True):
    """A command line up to the cursor."""

    words: tuple[str, ...]  # that are complete, without their quotes
    last: str  # the one being typed, without its quotes
    raw: str  # the same with them
    quote: str  # the quote that is still open


def split(line: str) -> Line:
    """Take a command line apart as a shell would; it may end anywhere, inside quotes too."""
    words: list[str] = []
    word, raw, quote = "", "", ""
    letters = iter(line)
    for letter in letters:
        if not quote and letter.isspace():
            words += [word] if raw else []
            word, raw = "", ""
            continue
        raw += letter
        if letter == "\\" and quote != "'":
            following = next(letters, "")
            raw, word = raw + following, word + following
        elif letter == quote:
            quote = ""
        elif not quote and letter in ("'", '"'):
            quote = letter
        else:
            word += letter
    return Line(tuple(words), word, raw, quote)
