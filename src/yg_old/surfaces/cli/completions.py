"""Answers to what the completion scripts of shells ask.

A script calls `yg --complete SHELL WORD ...`; each shell has a protocol of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

from msgspec import Struct
from msgspec.structs import replace

from yg_old.commands.completions import Shell
from yg_old.surfaces.cli import streams
from yg_old.surfaces.cli.complete import suggested

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg_old.surfaces.cli.complete import Suggestions

SHELLS = get_args(Shell)
_SPECIAL = re.compile(r"([^\w@%+=:,./-])")
_BREAKS = "=:@<>|&;("  # characters besides white space where bash splits words


def main(argv: Sequence[str]) -> int:
    """Print the completion kind on one line, then one candidate per line."""
    text = completed(argv[0], argv[1:]) if argv else ""
    return streams.answer(text, code=0 if text else 1)


def completed(shell: str, typed: Sequence[str]) -> str:
    """Return candidates in the format of a shell; empty for an unknown shell."""
    *before, current = typed or [""]
    match shell:
        case "bash":  # passes the line, and the fragment of its last word that it replaces
            return _for_bash("".join(before), current)
        case "zsh":  # filters the candidates itself
            return _lines(suggested(before[1:], current), _for_zsh)
        case "fish":
            return _lines(suggested(before[1:], split(current).last), _for_fish)
        case _:
            return ""


def _lines(found: Suggestions, format_word: Callable[[str, str], str]) -> str:
    words = [format_word(word, about) for word, about in found.words if word.isprintable()]
    return "".join(f"{line}\n" for line in (found.kind.value, *words))


def _for_zsh(word: str, about: str) -> str:
    escaped = word.replace("\\", "\\\\").replace(":", "\\:")
    return f"{escaped}:{about}" if about else escaped


def _for_fish(word: str, about: str) -> str:
    return f"{word}\t{about}" if about else word


def _for_bash(line: str, fragment: str) -> str:
    """Return the replacements for a fragment, the part of a word after a break such as a colon.

    Bash passes words in pieces and with their quotes, so the line is split here. It uses the
    replacements without filtering them.
    """
    typed = split(line)
    found = suggested(typed.words[1:], typed.last)
    is_break = len(fragment) == 1 and fragment in _BREAKS
    kept = typed.raw if is_break else typed.raw.removesuffix(fragment)
    start = len(split(kept).last)
    words = (word[start:] for word, _ in found.words if word.startswith(typed.last))
    fitting = [(_quoted(word, typed.quote), "") for word in words]
    return _lines(replace(found, words=tuple(fitting)), lambda word, _about: word)


def _quoted(word: str, quote: str) -> str:
    """Escape characters that are special to the shell, given the open quote."""
    match quote:
        case "'":
            return word.replace("'", "'\\''")
        case '"':
            return re.sub(r'(["$`\\])', r"\\\1", word)
        case _:
            return _SPECIAL.sub(r"\\\1", word)


class Line(Struct, frozen=True):
    """A command line up to the cursor."""

    words: tuple[str, ...]  # complete words, without quotes
    last: str  # the word at the cursor, without quotes
    raw: str  # the word at the cursor, with quotes
    quote: str  # the quote that is still open, or empty


def split(line: str) -> Line:
    """Split a command line as a shell does; it may end inside quotes."""
    words: list[str] = []
    word, raw, quote = "", "", ""
    characters = iter(line)
    for character in characters:
        if not quote and character.isspace():
            words += [word] if raw else []
            word, raw = "", ""
            continue
        raw += character
        if character == "\\" and quote != "'":
            following = next(characters, "")
            raw, word = raw + following, word + following
        elif character == quote:
            quote = ""
        elif not quote and character in ("'", '"'):
            quote = character
        else:
            word += character
    return Line(tuple(words), word, raw, quote)
