"""Split JavaScript and TypeScript into tokens.

One expression cannot do it. A slash divides or starts a regular expression, depending on what is
in front of it; a template holds code, which holds templates; an element of JSX holds text that
follows other rules. So there is a stack of what is open, and the innermost decides how to go on.

    directive  a comment for the compiler
    doc        a doc comment
    template   with all that is in it
    tag, text  of an element
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from yg_old.code.scan import Lexicon, ScanError, Texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.code.scan import Scanner, Token

CODE = re.compile(
    r"""
    (?:
      (?P<name>   [A-Za-z_$][\w$]*+(?!\\) | @[\w$][\w$.]*+
                | \#?+(?!\d)(?:[\w$]|\\u[\da-fA-F]{4}|\\u\{[\da-fA-F]++\})++ )
    | (?P<string> "[^"\\\n]*+(?:\\.[^"\\\n]*+)*+" | '[^'\\\n]*+(?:\\.[^'\\\n]*+)*+' )
    | (?P<open>   [(\[{] )
    | (?P<close>  [)\]}] )
    | (?P<comma>  , )
    | (?P<end>    ; )
    | (?P<line>   [\n\u2028\u2029]\s*+ )
    | (?P<comment> //[^\n\u2028\u2029]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/ )
    | (?P<number> 0[xXoObB][\da-fA-F_]++n?+
                | (?:\d[\d_]*+(?:\.[\d_]*+)?+|\.\d[\d_]*+)(?:[eE][-+]?\d[\d_]*+)?+n?+ )
    | (?P<op>     => | ===? | !==? | \*\*=? | \+\+ | -- | &&=? | \|\|=? | \?\?=? | \.\.\.
                | \?\.(?!\d) | <<=? | <= | [-+*%&|^]= | [-+*%&|^=!~?:.>@] )
    | (?P<less>   < )
    | (?P<slash>  /=? )
    | (?P<tick>   ` )
    | \s
    | (?P<bad>    . )
    )
    [ \t]*+
    """,
    re.VERBOSE | re.DOTALL,
)
TEMPLATE = re.compile(r"[^`\\$]*+(?:(?:\\.|\$(?!\{))[^`\\$]*+)*+(`|\$\{)", re.DOTALL)
REGEX = re.compile(
    r"/(?![*/])(?:[^\\/\[\n]|\\[^\n]|\[[^\]\\\n]*+(?:\\[^\n][^\]\\\n]*+)*+\])++(?P<end>/[\w$]*+)?"
)
ELEMENT = re.compile(
    r"<\s*+(?:>|((?:[^\W\d]|\$)[\w$.:-]*+)\s*+(?!extends\b(?!\s*+[=/>]))([/><{$]|[^\W\d]))"
)
CLOSING_TAG = re.compile(r"</\s*+([\w$.:-]*+)\s*+>")
TAG = re.compile(
    r"""
    \s*+
    (?: (?P<name>    [\w$][\w$.:-]*+ )
      | (?P<string>  "[^"]*+" | '[^']*+' )
      | (?P<open>    \{ )
      | (?P<op>      = | <[^<>"'`{}()]*+> )
      | (?P<single>  /> )
      | (?P<end>     > )
      | (?P<comment> //[^\n]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/ )
    )
    """,
    re.VERBOSE,
)
TEXT = re.compile(r"[^<{]*+")
DIRECTIVE = re.compile(r"@ts-|@jsx|\A///[ \t]*<(?:reference|amd-)")

BEFORE_OPERAND = frozenset(
    "return typeof instanceof in of new delete void throw case do else yield await default"
    " extends".split()
)
MISSES = 100
MISSED = 16  # characters looked at in vain, for each of the text
MOST_OPENED = 100_000  # brackets at once: what is known of each takes some hundred bytes
CONTROL = frozenset(("if", "while", "for", "with"))
LINE_BREAK = re.compile("[\n\u2028\u2029]")
SILENT = frozenset(("line", "doc", "directive"))
PLAIN = frozenset(("name", "string", "op", "comma", "end", "line", "number"))

# What is open, and the token or offset where it started: "(" "[" "{", "`" a template, "${" code in
# it, "<" a tag, "<>" the content of an element, "<{" code in one of these.
Opened: TypeAlias = list[tuple[str, int]]
CLOSED_BY = {")": ("(",), "]": ("[",), "}": ("{", "${", "<{")}


class ScriptScanner:
    """Reads one text; every method goes on where the last one stopped."""

    def __init__(self, text: str, at: int, tokens: list[Token], *, jsx: bool) -> None:
        self.text = text
        self.at = at
        self.tokens = tokens
        self.texts = Texts()
        self.jsx = jsx
        self.opened: Opened = []
        self.closed = 0  # the token that opened what was closed last
        self.misses = 0  # slashes that seemed to start a regular expression
        self.missed = 1000 + MISSED * len(text)  # characters that may be looked at for these
        self.closing_tags: frozenset[str] | None = None
        self.templates: list[int] = []  # where each open template starts

    def run(self) -> None:
        """Read to the end."""
        if self.at == 0 and self.text.startswith("#!"):
            line = self.text.partition("\n")[0]
            self.tokens.append(("directive", line, 0))
            self.at = len(line)
        while self.at < len(self.text):
            self._step()
        if any(opened in ("`", "<", "<>") for opened, _ in self.opened):
            raise ScanError("template or element not closed", self.at)

    def code_in_template(self) -> None:
        """Read to the end of code in a template."""
        self.opened.append(("${", 0))
        while self.opened and self.at < len(self.text):
            self._step()

    def _step(self) -> None:
        match self.opened[-1][0] if self.opened else "":
            case "`":
                self._template()
            case "<":
                self._tag()
            case "<>":
                self._content()
            case _:
                self._code()

    def _code(self) -> None:
        tokens, opened = self.tokens, self.opened
        add = tokens.append
        for found in CODE.finditer(self.text, self.at):
            kind = found.lastgroup
            if kind in PLAIN:
                add((kind, self.texts[found[kind]], found.start()))
            elif kind == "open":
                opened.append((found[kind], len(tokens)))
                if len(opened) > MOST_OPENED:
                    raise ScanError("nested too deeply", found.start())
                add((kind, found[kind], found.start()))
            elif kind == "close":
                if self._close(found[kind], found.start()):
                    self.at = found.start() + 1
                    return
            elif kind == "comment":
                self._comment(found[kind], found.start())
            elif kind is not None and self._special(kind, found[kind], found.start()):
                return
        self.at = len(self.text)

    def _close(self, text: str, at: int) -> bool:
        """Close a bracket; tell whether what follows is not code."""
        opened = self.opened
        if not opened or opened[-1][0] not in CLOSED_BY[text]:
            self.tokens.append(("close", text, at))
            return False
        what, self.closed = opened.pop()
        if what == "${":
            return True
        if what == "<{" and self.closed == len(self.tokens) - 1 and opened[-1][0] == "<>":
            self.tokens.pop()  # only a comment in braces
        else:
            self.tokens.append(("close", text, at))
        return what == "<{"

    def _special(self, kind: str, text: str, at: int) -> bool:
        """Read a slash, a template or a `<`; tell whether code has to be read again from `at`."""
        if kind == "tick":
            self.opened.append(("`", len(self.tokens)))
            self.templates.append(at)
            self.at = at + 1
            return True
        if kind == "slash":
            if self.text.startswith("/*", at):
                raise ScanError("comment not closed", at)
            is_expected = self._expects_operand()
            regex = REGEX.match(self.text, at) if is_expected else None
            if regex is None or regex["end"] is None:
                self.misses += is_expected
                self.missed -= regex.end() - at if regex else 0
                if self.misses > MISSES or self.missed < 0:
                    raise ScanError("unreadable text", at)
                self.tokens.append(("op", text, at))
                return False
            self.tokens.append(("regex", regex[0], at))
            self.at = regex.end()
            return True
        if kind == "less":
            if self.jsx and self._expects_operand() and self._is_element(at):
                self._open_tag(at)
                return True
            self.tokens.append(("op", "<", at))
            return False
        raise ScanError("unreadable text", at)

    def _comment(self, text: str, at: int) -> None:
        if DIRECTIVE.search(text):
            self.tokens.append(("directive", " ".join(text.split()), at))
        elif (text.startswith("/**") and len(text) > len("/**/")) or (
            text.startswith("///") and not text.startswith("////")
        ):
            self.tokens.append(("doc", text, at))
        if LINE_BREAK.search(text):
            self.tokens.append(("line", "\n", at + len(text)))

    def _template(self) -> None:
        part = TEMPLATE.match(self.text, self.at)
        if part is None:
            raise ScanError("template not closed", self.at)
        self.at = part.end()
        if part[1] == "${":
            self.opened.append(("${", len(self.tokens)))
            return
        _, first = self.opened.pop()
        start = self.templates.pop()
        del self.tokens[first:]
        # One inside of another is only a part of its text.
        text = "`" if self.templates else self.text[start : self.at]
        self.tokens.append(("template", text, start))

    def _last(self, end: int) -> int:
        """Return the last token before one that is neither a comment nor a line break, or -1."""
        tokens = self.tokens
        end -= 1
        while end >= 0 and tokens[end][0] in SILENT:
            end -= 1
        return end

    def _expects_operand(self) -> bool:  # noqa: PLR0911 - one per kind of token
        """Tell whether an operand can follow here, so that a slash does not divide."""
        last = self._last(len(self.tokens))
        if self.opened and self.opened[-1][0] == "${" and last < self.opened[-1][1]:
            return True
        if last < 0:
            return True
        kind, text, _ = self.tokens[last]
        if kind == "name":
            return text in BEFORE_OPERAND and not self._is_property(last)
        if kind == "close":
            return text != "]" and self._is_statement(text)
        if kind == "op":
            if text == "!":
                return not self._ends_operand(last - 1)
            return text not in ("++", "--")
        return kind in ("open", "comma", "end")

    def _is_property(self, index: int) -> bool:
        return index > 0 and self.tokens[index - 1][1] in (".", "?.")

    def _ends_operand(self, index: int) -> bool:
        if index < 0:
            return False
        kind, text, _ = self.tokens[index]
        return kind in ("name", "close") and text not in BEFORE_OPERAND

    def _is_statement(self, closing: str) -> bool:
        """Tell whether a statement can start after the bracket that was closed last."""
        before = self._last(self.closed)
        if before < 0:
            return closing == "}"
        kind, text, _ = self.tokens[before]
        if closing == ")":
            if text == "await" and before:
                return self.tokens[before - 1][1] == "for"
            return text in CONTROL and not self._is_property(before)
        if kind == "name":
            return text not in BEFORE_OPERAND or text in ("else", "do")
        return kind in ("close", "end") or text in ("{", "=>", ">", ":")

    def _is_element(self, at: int) -> bool:
        """Tell whether a `<` where an operand is expected starts an element of JSX."""
        element = ELEMENT.match(self.text, at)
        if element is None or element[1] == "const":
            return False
        if element[1] is None or element[2] not in ("<", ">"):
            return element[2] != "/" or self.text[element.end() : element.end() + 1] in ">/*"
        if self.closing_tags is None:
            self.closing_tags = frozenset(CLOSING_TAG.findall(self.text))
        return element[1] in self.closing_tags

    def _open_tag(self, at: int) -> None:
        self.opened.append(("<", len(self.tokens)))
        self.tokens.append(("tag", "<", at))
        self.at = at + 1

    def _tag(self) -> None:
        found = TAG.match(self.text, self.at)
        if found is None or found.lastgroup is None:
            raise ScanError("unreadable tag", self.at)
        kind = found.lastgroup
        text, start = found[kind], found.start(kind)
        if kind == "comment":
            self._comment(text, start)
            if self.tokens[-1][0] == "line":
                self.tokens.pop()
        elif kind == "open":
            self.opened.append(("<{", len(self.tokens)))
            self.tokens.append(("open", "{", start))
        elif kind == "single":
            self.opened.pop()
            self.tokens.append(("tag", "/>", start))
        elif kind == "end":
            _, first = self.opened.pop()
            self.opened.append(("<>", first))
            self.tokens.append(("tag", ">", start))
        else:
            self.tokens.append((kind, text, start))
        self.at = found.end()

    def _content(self) -> None:
        """Read text in an element, and the tag or brace that ends it."""
        found = TEXT.match(self.text, self.at)
        if found is None:
            raise ScanError("unreadable element", self.at)
        text = element_text(found[0])
        if text:
            self.tokens.append(("text", text, self.at))
        self.at = found.end()
        closing = CLOSING_TAG.match(self.text, self.at)
        if closing:
            self.opened.pop()
            self.tokens.append(("tag", f"</{closing[1]}>", self.at))
            self.at = closing.end()
        elif self.text.startswith("<", self.at):
            self._open_tag(self.at)
        elif self.text.startswith("{", self.at):
            self.opened.append(("<{", len(self.tokens)))
            self.tokens.append(("open", "{", self.at))
            self.at += 1
        else:
            raise ScanError("element not closed", self.at)


def element_text(text: str) -> str:
    """Return the text of an element without line breaks and the white space around them.

    Between two words a line break counts as a space, as it does when the page is shown.
    """
    if "\n" not in text:
        return text
    first, _, rest = text.partition("\n")
    middle, _, last = rest.rpartition("\n")
    lines = [
        first.rstrip(" \t"),
        *(line.strip(" \t") for line in middle.split("\n")),
        last.lstrip(" \t"),
    ]
    return " ".join(filter(None, lines))


def template_parts(text: str, *, jsx: bool) -> Iterator[str | list[Token]]:
    """Yield the texts in a template and, between them, the tokens of the code in it."""
    at = 1
    while part := TEMPLATE.match(text, at):
        yield text[at - 1 : part.end()]
        if part[1] == "`":
            return
        scanner = ScriptScanner(text, part.end(), [], jsx=jsx)
        scanner.code_in_template()
        yield scanner.tokens
        at = scanner.at
    raise ScanError("template not closed", at)


def _program(jsx: bool, scanner: Scanner, at: int) -> int:  # noqa: FBT001
    ScriptScanner(scanner.text, at, scanner.tokens, jsx=jsx).run()
    return len(scanner.text)


def lexicon(*, jsx: bool) -> Lexicon:
    """Return the lexical rules, with or without elements of JSX."""
    return Lexicon(re.compile(r"(?P<program>.)", re.DOTALL), {"program": partial(_program, jsx)})
