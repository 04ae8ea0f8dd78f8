"""Ruby: tokens only; line breaks and some spaces have a meaning."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from yg.code.language import tokens_only
from yg.code.nested import Quotes, strings
from yg.code.scan import Breaks, Lexicon, ScanError, without_breaks

if TYPE_CHECKING:
    from yg.code.scan import Token

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
SKIPPED = r"""' [^'\\]*+ (?: \\. [^'\\]*+ )*+ ' | (?<= [(,~] ) [ ]?+ / (?: \\. | [^/\\\n] )*+ /
    | (?<= [\s(,\[] ) \? ["'`{}] (?! \w )"""
QUOTED = strings(
    {
        '"': Quotes('"', hole=r"\#\{", multiline=True),
        "`": Quotes("`", hole=r"\#\{", multiline=True),
    },
    SKIPPED,
)
REGEX = strings({"/": Quotes("/", hole=r"\#\{", multiline=True)}, SKIPPED)
PERCENT = re.compile(r"%[qQwWiIrxs]?([^\w\s])")
HOLE = r'\#\{[^{}"]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^{}"]*+)*+\}'  # code in one
CHARACTER = re.compile(r"\?(?:\\.|[^\s])(?!\w)")
CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
MARK = re.compile(r"<<([~-]?)(?:([\"'`])([^\"'`\n]+)\2|([^\W\d]\w*))")


def add_literal(text: str, start: int, tokens: list[Token]) -> int:
    """Add a regular expression, a %-literal or a character; or the operator that looks like one."""
    found = text[start]
    if found == "-":  # `- 2.abs` is not `-2.abs`
        tokens.append(("op", "-" if _is_operand_before(text, start, tokens) else "- ", start))
        return start + 1
    if _is_operand_before(text, start, tokens):
        end = start + 1 + (text[start + 1 : start + 2] == "=")
        tokens.append(("op", text[start:end], start))
        return end
    if found == "/":
        return REGEX(text, start, tokens)
    pattern = PERCENT if found == "%" else CHARACTER
    match = pattern.match(text, start)
    if match is None:
        tokens.append(("op", found, start))
        return start + 1
    end = _closing(text, match) if found == "%" else match.end()
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


def _closing(text: str, start: re.Match[str]) -> int:
    """Return the end of a %-literal."""
    opening, at = start[1], start.end()
    closing = CLOSING.get(opening, opening)
    hole = "" if start[0][1] in "qwis" else f"{HOLE}|"
    depth = 1
    parts = re.compile(rf"\\.|{hole}[{re.escape(opening + closing)}]", re.DOTALL)
    for part in parts.finditer(text, at):
        if part[0] == closing:
            depth -= 1
        elif part[0] == opening:
            depth += 1
        if not depth:
            return part.end()
    raise ScanError("literal not closed", at)


@lru_cache(maxsize=1)
def _lines(text: str) -> frozenset[str]:
    """Return the lines of a text, without indentation."""
    return frozenset(map(str.strip, text.split("\n")))


def add_heredoc(text: str, start: int, tokens: list[Token]) -> int:
    """Add the announcement of a heredoc, or the operator `<<` if no line could end one."""
    mark = MARK.match(text, start)
    if mark is None or (mark[3] or mark[4]).strip() not in _lines(text):
        end = start + (3 if text.startswith("<<=", start) else 2)
        tokens.append(("op", text[start:end], start))
        return end
    tokens.append(("heredoc", mark[0], start))
    return mark.end()


def add_line(text: str, start: int, tokens: list[Token]) -> int:
    """Add a line break, behind the texts of the heredocs that were announced on its line."""
    announced: list[str] = []
    for kind, token, _ in reversed(tokens):
        if kind == "line":
            break
        if kind == "heredoc":
            announced.append(token)
    at = start + 1
    for token in reversed(announced):
        mark = MARK.match(token)
        indentation = r"[ \t]*" if mark and mark[1] else ""
        label = re.escape(mark[3] or mark[4]) if mark else ""
        end = re.compile(rf"^{indentation}{label}$", re.MULTILINE).search(text, at)
        if end is None:
            raise ScanError("heredoc not closed", start)
        tokens.append(("string", text[at : end.end()], at))
        at = min(end.end() + 1, len(text))
    tokens.append(("line", "\n", start))
    return at


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
