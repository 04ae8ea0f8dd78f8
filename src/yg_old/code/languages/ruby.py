"""Ruby: tokens only; line breaks and some spaces have a meaning."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

from yg_old.code.language import tokens_only
from yg_old.code.nested import Quotes, Span, quoted, strings
from yg_old.code.scan import Breaks, Lexicon, ScanError, without_breaks

if TYPE_CHECKING:
    from yg_old.code.scan import Scanner, Token

# A space is a token where `f -1`, `f - 1` and `f-1` differ, or `f (1)` and `f(1)`.
PATTERN = r"""
    (?P<data>    (?: (?<=\n) | \A ) __END__ (?: \n .* )? \Z )
  | (?P<heredoc> << [~-]? (?: \w | ["'`] ) )
  | (?: (?<=\n) | \A ) =begin \b .*? \n=end\b [^\n]*+
  | (?P<bad_comment> (?: (?<=\n) | \A ) =begin \b )
  | (?P<magic>   \# [^\n]*? (?i: coding [ \t]*+ [:=] | (?: frozen[-_]string[-_]literal
                 | warn[-_]indent | shareable[-_]constant[-_]value ) [ \t]*+ : )
                 (?: [ \t]*+ [^ \t\n]++ )*+ )
  | \# [^\n]*+
  | (?P<line>    \n )
  | (?P<quoted>  ["`] )
  | (?P<string>  ' [^'\\]*+ (?: \\. [^'\\]*+ )*+ ' )
  | (?P<name>    [@$]{0,2} [A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*+ (?: [?!] (?!=) )?
               | \$ (?: \d++ | [^\s\w] ) )
  | (?P<number>  \d (?: [eE][-+]\d | \w | \.(?=\d) )*+ )
  | (?P<literal> [/%?] | - (?= [ \t]++ \d ) )
  | (?P<open>    [(\[{] )
  | (?P<close>   [)\]}] )
  | (?<= [\w)\]}"'?!] ) [ \t]* (?P<space> [ \t] ) (?= [(\[] | [-+*&/%:<?]++ [^\s=] )
  | (?<= [ \t] ) (?P<join> \\\n ) (?= [ \t]*+ (?: [(\[] | [-+*&/%:<?]++ [^\s=] ) )
  | [ \t\f\r\v]++ | \\\n
  | (?P<bad>     ' )
  | (?P<op>      \*\*=? | === | =[=~>] | ![=~] | <=>? | >= | <<=? | >>=? | && =? | \|\| =?
               | [-+*|&^]= | \.\.\.? | :: | &\. | -> | . )
"""
KEYWORDS = frozenset(
    "and begin case do else elsif ensure if in module not or rescue return then unless until when"
    " while yield".split()
)
OPERANDS = frozenset("name number string close".split())
# In the code of a string: other strings, and what has quotes in it.
SKIPPED = (
    quoted("'", multiline=True),
    Span(r"(?<= [(,~] ) [ ]?+ /", r"(?: \\. | [^/\\\n] )*+", "/"),
    Span(r"""(?<= [\s(,\[] ) \? ["'`{}] (?! \w )"""),
)
QUOTED = strings(
    {
        '"': Quotes('"', hole=r"\#\{", multiline=True),
        "`": Quotes("`", hole=r"\#\{", multiline=True),
    },
    SKIPPED,
)
REGEX = strings({"/": Quotes("/", hole=r"\#\{", multiline=True)}, SKIPPED)
PERCENT = re.compile(r"%[qQwWiIrxs]?([^\w\s])")
HOLE_PARTS = re.compile(r'[{}"]')  # of code in one
STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?P<end>")?', re.DOTALL)
CHARACTER = re.compile(r"\?(?:\\.|[^\s])(?!\w)")
CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
MARK = re.compile(r"<<([~-]?)(?:([\"'`])([^\"'`\n]+)\2|([^\W\d]\w*))")


def add_literal(scanner: Scanner, start: int) -> int:
    """Add a regular expression, a %-literal or a character; or the operator that looks like one."""
    text, tokens = scanner.text, scanner.tokens
    found = text[start]
    if found == "-":  # `- 2.abs` is not `-2.abs`
        tokens.append(("op", "-" if _is_operand_before(text, start, tokens) else "- ", start))
        return start + 1
    if _is_operand_before(text, start, tokens):
        end = start + 1 + (text[start + 1 : start + 2] == "=")
        tokens.append(("op", text[start:end], start))
        return end
    if found == "/":
        return REGEX(scanner, start)
    pattern = PERCENT if found == "%" else CHARACTER
    match = pattern.match(text, start)
    if match is None:
        tokens.append(("op", found, start))
        return start + 1
    end = _closing(scanner, match) if found == "%" else match.end()
    tokens.append(("string", text[start:end], start))
    return end


def _is_operand_before(text: str, start: int, tokens: list[Token]) -> bool:
    """Tell whether a value precedes; a name with a space only behind it calls a method."""
    before = [token for token in tokens[-2:] if token[0] != "space"][-1:]
    if not before or before[0][0] not in OPERANDS or before[0][1] in KEYWORDS:
        return False
    if before[0][0] != "name" or before[0][1][0] in "@$":
        return True
    return text[start - 1] not in " \t" or text[start + 1 : start + 2] in (" ", "\t", "\n", "=", "")


def _closing(scanner: Scanner, start: re.Match[str]) -> int:
    """Return the end of a %-literal."""
    opening, at = start[1], start.end()
    closing = CLOSING.get(opening, opening)
    hole = "" if start[0][1] in "qwis" else r"\#\{|"
    parts = re.compile(rf"\\.|{hole}[{re.escape(opening + closing)}]", re.DOTALL)
    depth = 1
    while part := parts.search(scanner.text, at):
        mark, at = part[0], part.end()
        if mark == "#{":
            end = _hole_end(scanner, at)
            if end:
                at = end
                continue
            mark, at = "#", part.start() + 1
        if mark == closing:
            depth -= 1
        elif mark == opening:
            depth += 1
        if not depth:
            return at
    raise ScanError("literal not closed", at)


def _hole_end(scanner: Scanner, at: int) -> int:
    """Return the end of code in a literal, without braces but in strings; 0 if it has none."""
    dead_ends, strings = scanner.ask(_dead_ends), []
    while (part := HOLE_PARTS.search(scanner.text, at)) and part.start() not in dead_ends:
        if part[0] == "}":
            return part.end()
        at = scanner.end_of(STRING, part.start())
        if not at:
            break
        strings.append(part.start())
    dead_ends.update(strings)
    return 0


def _dead_ends(_text: str) -> set[int]:
    """Return an empty set, for the strings behind which the end of the code was not found."""
    return set()


def _lines(text: str) -> frozenset[str]:
    """Return the lines of a text, without indentation."""
    return frozenset(map(str.strip, text.split("\n")))


def add_heredoc(scanner: Scanner, start: int) -> int:
    """Add the announcement of a heredoc, or the operator `<<` if no line could end one."""
    text = scanner.text
    mark = MARK.match(text, start)
    if mark is None or (mark[3] or mark[4]).strip() not in scanner.ask(_lines):
        end = start + (3 if text.startswith("<<=", start) else 2)
        scanner.tokens.append(("op", text[start:end], start))
        return end
    scanner.tokens.append(("heredoc", mark[0], start))
    return mark.end()


def add_line(scanner: Scanner, start: int) -> int:
    """Add a line break, behind the texts of the heredocs that were announced on its line."""
    announced: list[str] = []
    for kind, token, _ in reversed(scanner.tokens):
        if kind == "line":
            break
        if kind == "heredoc":
            announced.append(token)
    at = start + 1
    for token in reversed(announced):
        mark = MARK.match(token)
        end = _heredoc_end(scanner, mark, at) if mark else -1
        if end < 0:
            raise ScanError("heredoc not closed", start)
        scanner.tokens.append(("string", scanner.text[at:end], at))
        at = min(end + 1, len(scanner.text))
    scanner.tokens.append(("line", "\n", start))
    return at


def _heredoc_end(scanner: Scanner, mark: re.Match[str], at: int) -> int:
    """Return the end of the line that ends a heredoc; -1 if there is none."""
    label = mark[3] or mark[4]
    starts = scanner.ask(_starts_of_lines).get(label.lstrip(" \t"), [])
    for place in range(bisect_left(starts, at), len(starts)):
        start, end = starts[place], scanner.text.find("\n", starts[place])
        line = scanner.text[start : end if end >= 0 else len(scanner.text)]
        is_indented = bool(mark[1]) and not line.removesuffix(label).strip(" \t")
        if line == label or (is_indented and line.endswith(label)):
            return start + len(line)
    return -1


def _starts_of_lines(text: str) -> dict[str, list[int]]:
    """Return where lines start, by what they say without indentation."""
    found: dict[str, list[int]] = {}
    start = 0
    for line in text.split("\n"):
        found.setdefault(line.lstrip(" \t"), []).append(start)
        start += len(line) + 1
    return found


BREAKS = Breaks(
    inside=frozenset("["),
    after=frozenset("( [ { , && ||".split()),
    before=frozenset(") ] } . &.".split()),
)
RUBY = tokens_only(
    "ruby",
    Lexicon(
        re.compile(PATTERN, re.VERBOSE | re.DOTALL),
        {
            "quoted": QUOTED,
            "literal": add_literal,
            "heredoc": add_heredoc,
            "line": add_line,
        },
        balanced=False,
    ),
    partial(without_breaks, breaks=BREAKS),
)
