"""The strings of Python: where an f-string ends, and one way of writing for equal strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code.scan import ScanError

if TYPE_CHECKING:
    from yg_old.code.scan import Scanner

# The rest of a string, behind its opening quotes.
REST = {
    '"': r' [^"\\\n]*+ (?: \\. [^"\\\n]*+ )*+ " ',
    "'": r" [^'\\\n]*+ (?: \\. [^'\\\n]*+ )*+ ' ",
    '"""': r' [^"\\]*+ (?: (?: \\. | "(?!"") ) [^"\\]*+ )*+ """ ',
    "'''": r" [^'\\]*+ (?: (?: \\. | '(?!'') ) [^'\\]*+ )*+ ''' ",
}
STRING = r"(?: [bB][rR] | [rR][bB] | [rRbBuU] )?+ (?: %s )" % " | ".join(
    (
        '"""' + REST['"""'],
        "'''" + REST["'''"],
        '"(?!"")' + REST['"'],
        "'(?!'')" + REST["'"],
    )
)
FSTRING_START = r"""(?: [fFtT][rR]?+ | [rR][fFtT] ) (?: "{3} | '{3} | ["'] )"""

FSTRING_PREFIXES = frozenset(("f", "t", "fr", "rf", "tr", "rt"))
OPENING = re.compile(r"""(\w*+)("{3}|'{3}|["'])""")
ESCAPE = re.compile(r"""\\(?:(["'])|.)""", re.DOTALL)
OCTAL_END = re.compile(r"\\[0-7]{1,2}\Z")

# The parts of an f-string that can change what is open: its text, an expression in it, a format.
PARTS = {
    "text": r""" \\N\{[^{}"'\n]*+\} | \\[^{}] | \{\{ | \{ | \n | "{3} | '{3} | ["'] """,
    "field": r""" (\w*+)("{3}|'{3}|["']) | \w++ | != | [(\[{] | [)\]}] | : | \#[^\n]*+ """,
    "format": r""" \\[^{}] | [{}\n] | "{3} | '{3} | ["'] """,
}
SEARCH = {state: re.compile(parts, re.VERBOSE).search for state, parts in PARTS.items()}
CLOSE = {quotes: re.compile(rest, re.VERBOSE | re.DOTALL).match for quotes, rest in REST.items()}


def add_fstring(scanner: Scanner, start: int) -> int:
    """Add the f-string that starts here to the tokens, as one; return its end."""
    end = fstring_end(scanner.text, start)
    scanner.tokens.append(("fstring", scanner.text[start:end], start))
    return end


def fstring_end(text: str, start: int) -> int:  # noqa: C901, PLR0912 - a table of what opens and closes
    """Return the end of an f-string; its fields hold expressions, and these any other string."""
    opening = OPENING.match(text, start)
    if opening is None:
        raise ScanError("no string", start)
    quotes = [opening[2]]  # of the f-strings that are open, the innermost last
    states = [("text", 0)]  # what is open, with the depth of brackets in it
    at = opening.end()
    while states:
        state, depth = states[-1]
        part = SEARCH[state](text, at)
        if part is None:
            raise ScanError("f-string not closed", start)
        found, at = part[0], part.end()
        if state == "field":
            if part[2] and part[1].lower() in FSTRING_PREFIXES:
                quotes.append(part[2])
                states.append(("text", 0))
            elif part[2]:
                at = _string_end(text, at, part[2])
            elif found in "([{":
                states[-1] = (state, depth + 1)
            elif found in ")]}" and depth:
                states[-1] = (state, depth - 1)
            elif found == "}":
                states.pop()
            elif found == ":" and not depth:
                states[-1] = ("format", 0)
            elif found in ")]":
                raise ScanError("unbalanced bracket", at)
        elif found == "{":
            states.append(("field", 0))
        elif found == "}":
            states.pop()
        elif found == "\n" and len(quotes[-1]) == 1:
            raise ScanError("f-string not closed", start)
        elif found.startswith(quotes[-1]):
            if state == "format":
                raise ScanError("field not closed", at)
            at = part.start() + len(quotes.pop())
            states.pop()
    return at


def _string_end(text: str, at: int, quotes: str) -> int:
    end = CLOSE[quotes](text, at)
    if end is None:
        raise ScanError("string not closed", at)
    return end.end()


def _parts(text: str) -> tuple[str, str]:
    """Return the prefix of a string, in lower case and sorted, and what its quotes contain."""
    opening = OPENING.match(text)
    if opening is None:
        raise ScanError("no string", 0)
    return "".join(sorted(opening[1].lower())), text[opening.end() : -len(opening[2])]


def normal_string(text: str) -> str:
    """Return a plain string in double quotes, whatever its own; its value stays the same."""
    prefix, content = _parts(text)
    if "\\" in content and "r" not in prefix:
        content = ESCAPE.sub(_without_backslash, content)
    return f'{prefix}"{content}"'


def _without_backslash(escape: re.Match[str]) -> str:
    return escape[1] or escape[0]


def normal_fstring(text: str) -> str:
    """Return an f-string in double quotes, unless it contains other quotes."""
    prefix, content = _parts(text)
    return text if has_quotes(content) else f'{prefix}"{content}"'


def is_docstring(token: str) -> bool:
    """Tell whether a normal string can be documentation: neither bytes nor an f-string."""
    return token.partition('"')[0] in ("", "r", "u") and token[-1] == '"'


def join_adjacent(line: list[str]) -> list[str]:
    """Return a statement with adjacent normal strings as one, where that means the same."""
    result: list[str] = []
    run: list[str] = []  # the contents of strings to join
    prefix = ""  # of all of them
    for token in line:
        other, quote, content = token[:-1].partition('"')
        is_string = bool(quote) and token[-1] == '"'
        if is_string and run and not OCTAL_END.search(run[-1]):
            if other == prefix and not (is_format(prefix) and has_quotes(content)):
                run.append(content)
                continue
            if prefix == "f" and other == "" and can_be_format(content):
                run.append(as_format(content))
                continue
            if prefix == "" and other == "f" and all(map(can_be_format, run)):
                run = [*map(as_format, run), content]
                prefix = other
                continue
        if run:
            result.append(f'{prefix}"{"".join(run)}"')
            run = []
        if is_string and not (is_format(other) and has_quotes(content)):
            prefix, run = other, [content]
        else:
            result.append(token)
    if run:
        result.append(f'{prefix}"{"".join(run)}"')
    return result


def is_format(prefix: str) -> bool:
    """Tell whether strings with this prefix have fields."""
    return "f" in prefix or "t" in prefix


def has_quotes(content: str) -> bool:
    """Tell whether a string contains quotes."""
    return '"' in content or "'" in content


def can_be_format(content: str) -> bool:
    """Tell whether a plain string can be part of an f-string."""
    return not has_quotes(content) and "\\N" not in content


def as_format(content: str) -> str:
    """Return a plain string as a part of an f-string."""
    return content.replace("{", "{{").replace("}", "}}")
