"""JavaScript and TypeScript: where statements end, imports, exports and their headers."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING

from yg_old.code.facts import nested
from yg_old.code.languages.braces import SourceParts, drop_comma, is_short_literal
from yg_old.code.languages.javascript_groups import drop_groups
from yg_old.code.languages.javascript_literals import (
    IDENTIFIER,
    INTEGER,
    normal_attribute,
    normal_number,
    normal_string,
)
from yg_old.code.languages.javascript_scan import template_parts
from yg_old.code.scan import ScanError, scan, taken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from yg_old.code.facts import SourceReading
    from yg_old.code.languages.braces import Doc
    from yg_old.code.scan import Lexicon, Token

    # Of one variable: its names, first token, end of the type and end of the value.
    Declarator: TypeAlias = tuple[list[str], int, int, int]
    # Of one member: its name, first token, end of the header and end.
    Member: TypeAlias = tuple[str, int, int, int]

# Line breaks. One ends a statement unless the token before it cannot, or the one after it goes on.
UNFINISHED = frozenset(  # before a line break: the statement goes on
    "await case catch class const default delete do else enum export extends finally from function"
    " implements import in instanceof new try typeof var".split()
)
FINISHED = frozenset(  # before a line break: the statement ends, whatever follows
    "abstract accessor async break continue declare interface module namespace override private"
    " protected public readonly return throw type yield".split()
)
CONTEXTUAL = FINISHED - frozenset("break continue return throw yield".split())  # names elsewhere
UNCLEAR = frozenset(
    ("get", "let", "set", "static")
)  # before a line break: names, or words before a name
WORDS = UNFINISHED | FINISHED | UNCLEAR
RESERVED = WORDS - CONTEXTUAL - frozenset(("from", "get", "set", "static"))  # never names
CONTINUING = frozenset(  # after a line break: the statement goes on
    "=> === == !== != ** **= &&= && ||= || ??= ?? ?. <<= << <= += -= *= /= %= &= |= ^= + - * / % &"
    " | ^ = ? : . > , ) ] else catch finally in instanceof extends implements".split()
)
AMBIGUOUS = frozenset(("(", "[", "<", "{"))  # after a line break: depends on more than we know
JOINING = CONTINUING | AMBIGUOUS  # what a statement must not start with if `;` is left out
RARE = frozenset(("doc", "directive", "end"))
POSTFIX = frozenset(("++", "--", "!", ">"))
CONTROL = frozenset(("if", "while", "for", "with", "switch", "catch"))
# Words that announce a body in braces, some of them behind a name.
HEADS = frozenset("class function interface enum namespace module declare type".split())
BEFORE_OBJECT = frozenset(
    "as await case default delete extends in instanceof new of return satisfies throw typeof void"
    " yield".split()
)
# Kinds of braces. Statements end in blocks; members of the others never start with a brace.
BLOCK, BODY, CLASS, DO, FUNCTION, INTERFACE, OBJECT = (
    "block body class do function interface object".split()
)
STATEMENTS = frozenset((BLOCK, BODY, DO))
MARKED = frozenset(("end", "joint"))  # kinds of tokens
MEMBERS = frozenset((CLASS, INTERFACE, OBJECT))
UNSURE = "?"
DEEPEST = 8  # templates inside of each other whose code is written in one way

# A type can start after one of these, so a brace that follows does not open a body.
BEFORE_TYPE = frozenset(
    ": | & => ? < , = extends is asserts keyof readonly infer in typeof".split()
)
TYPE_KINDS = frozenset(("name", "string", "number", "template", "comma", "open"))
TYPE_OPS = frozenset(". | & ? : => = < > ...".split())
ENDS = frozenset((";", ";;", "", "\n"))
MODIFIERS = frozenset(
    "abstract accessor async declare get override private protected public readonly set"
    " static".split()
)
AFTER_MEMBER_NAME = frozenset(("(", "=", ":", "?", "!", "<", "}", ",", *ENDS))
READ_AGAIN = 16  # tokens that take as long as to start reading a declaration again
LONGEST_TYPE = 200  # tokens between angle brackets, with what is in brackets as one
MARKS: dict[str, Token] = {  # of the end of a statement, wherever it is
    **{mark: ("end", mark, 0) for mark in ("", ";", ";;")},
    "\n": ("joint", "\n", 0),
}


NONE = -1  # type arguments that do not end


class Level:
    """An open bracket, and what is directly in it."""

    __slots__ = (
        "colons",
        "declares",
        "dos",
        "ends_do",
        "expects",
        "goes_on",
        "had_question",
        "has_case",
        "has_type",
        "in_tag",
        "in_types",
        "is_declared",
        "kind",
        "place",
        "questions",
        "text",
    )

    def __init__(
        self,
        text: str,
        place: int,
        kind: str = UNSURE,
        *,
        goes_on: bool = False,
        types: bool = False,
    ) -> None:
        self.text = text
        self.goes_on = goes_on  # the statement does, after the bracket
        self.place = place  # in the result
        self.kind = kind  # if it is a brace
        self.expects = ""  # the kind of the next brace, if something announced it
        self.dos = 0  # whose only statement has no braces, and that wait for their `while`
        self.declares = False  # the class that was announced last is a statement
        self.is_declared = False  # it is the body of such a class
        self.in_tag = False
        self.ends_do = False  # the last bracket closed the body of a `do`
        self.end()
        self.in_types = self.has_type = types  # all of it is a type

    def end(self) -> None:
        """End a statement."""
        if self.kind != INTERFACE:
            self.in_types = False
        self.questions = 0  # that wait for their colon
        self.had_question = False  # the last colon belongs to one
        self.colons = 0
        self.expects = ""
        self.has_case = False
        self.has_type = self.in_types  # a part of the statement may be a type


class Pairs:
    """The places of closed brackets. Two numbers each, as a file may be nothing but brackets."""

    def __init__(self) -> None:
        self._opening = array("i")
        self._closing = array("i")

    def add(self, opening: int, closing: int) -> None:
        """Add a pair; each closes after the one before."""
        self._opening.append(opening)
        self._closing.append(closing)

    def start_of(self, place: int) -> int:
        """Return the place of the opening bracket if a bracket is closed at a place; else this."""
        at = bisect_left(self._closing, place)
        is_closed = at < len(self._closing) and self._closing[at] == place
        return self._opening[at] if is_closed else place


def statements(  # noqa: C901, PLR0912, PLR0915
    tokens: list[Token], *, jsx: bool = False, depth: int = 0
) -> tuple[list[Token], list[Doc]]:
    """Return the tokens with statements ended in one way, and the doc comments with their places.

    An end is written as `;`, or as nothing where it does not need to be written. A line break that
    ends a statement only if what follows is not part of it stays a line break. Strings, numbers,
    names of properties and code in templates are written in one way, too; `depth` is the number of
    templates around. The list of tokens is empty afterwards.
    """
    result: list[Token] = []
    docs: list[Doc] = []
    level = Level("", -1, BLOCK)
    opened: list[Level] = []  # the levels around this one
    pairs = Pairs()
    types: dict[int, tuple[int, int]] = {}  # see _closes_types
    before, last = "", ("", "", 0)
    place = -1  # of the last token in the result
    closed = ""  # the kind of the brace that was closed last, if by the last token
    goes_on = False  # the last bracket was that of a condition or of a decorator
    line = end = False
    for token in taken(tokens):
        kind, text, at = token
        if kind == "line":
            line = True
            continue
        if kind in RARE:
            if kind == "doc":
                docs.append((len(result), text, at))
                continue
            if kind == "directive":
                result.append(token)
                continue
            if level.text != "(":
                end = True
                if goes_on or last[1] in ("else", "do"):
                    last = MARKS[";;"]  # an empty statement
                    result.append(last)
                    goes_on = end = line = False
                continue
        if (
            last[0] == "comma"
            and not end
            and ((kind == "close" and before not in (",", "[")) or (kind == "op" and text == ">"))
        ):
            drop_comma(result, docs)
            if not result:
                raise ScanError("a comma in front of everything", at)
            place -= 1
            last, before = result[place], ""
        if line or end:
            if last[0] and level.text in ("{", ""):
                closes_types = (
                    not end and last[1] == ">" and _closes_types(result, place, pairs, types)
                )
                mark = (
                    _known_end(level, result, place, token, closed=closed, is_written=end)
                    if not goes_on
                    else UNSURE
                )
                if mark == UNSURE:
                    mark = _end(
                        before,
                        last,
                        token,
                        is_written=end,
                        goes_on=goes_on,
                        closes_types=closes_types,
                        is_value=_is_value(result, place),
                    )
                if mark is not None:
                    result.append(MARKS[mark])
                    level.end()
            line = end = False
        was_closed, closed = closed, ""
        was_control = goes_on
        goes_on = False
        if kind == "name":
            goes_on = text[0] == "@"
            if text in ("case", "as", "satisfies", "extends"):
                level.has_case |= text == "case"
                level.has_type |= text != "case"
            elif text == "do" and level.kind not in MEMBERS and last[1] not in (".", "?."):
                level.dos += 1
            elif text == "while" and level.dos and (result[-1][0] in MARKED or was_closed == BLOCK):
                level.dos -= 1
                level.ends_do = True
            elif text in HEADS or last[1] in HEADS:
                _expect_body(level, result, place, token, before, was_closed)
        elif kind == "open":
            is_condition = last[1] in CONTROL and before not in (".", "?.")
            is_condition = is_condition or (last[1] == "await" and before == "for")
            is_condition = is_condition and not (last[1] == "while" and level.ends_do)
            is_condition = is_condition and level.kind not in MEMBERS  # there, it is a method
            goes_on_after = text == "(" and (is_condition or last[1][:1] == "@")
            inner = Level(text, len(result), goes_on=goes_on_after, types=level.in_types)
            if text == "{":
                inner.kind = _brace(level, last, before, is_control=was_control)
                inner.in_types = inner.has_type = inner.kind == INTERFACE
                inner.is_declared = inner.kind == CLASS and level.declares
                level.dos -= inner.kind == DO
            elif last[0] == "string" and level.kind in MEMBERS:
                _unquote_key(level, result, place, text)
            opened.append(level)
            level = inner
        elif kind == "close":
            if opened:
                goes_on, start, closed = level.goes_on, level.place, level.kind
                closed = BLOCK if level.is_declared else closed
                pairs.add(start, len(result))
                level = opened.pop()
                level.ends_do = closed == DO
        elif kind == "string":
            if level.in_tag:
                token = (kind, normal_attribute(text), at)  # noqa: PLW2901
            else:
                normal = normal_string(text)
                if normal is not text:
                    token = (kind, normal, at)  # noqa: PLW2901
                if last[0] == "name" and last[1] == "module":
                    level.expects = BODY
        elif kind == "number":
            normal = normal_number(text)
            if normal is not text:
                token = (kind, normal, at)  # noqa: PLW2901
        elif kind == "template":
            if "${" in text and depth < DEEPEST:
                token = (kind, _normal_template(text, jsx=jsx, depth=depth + 1), at)  # noqa: PLW2901
        elif kind == "tag":
            level.in_tag = text == "<"
        elif kind == "comma":
            level.questions = 0
        elif kind == "op":
            if text == ":":
                _unquote_key(level, result, place, text)
                level.colons += 1
                level.has_type |= not level.questions
                level.questions -= level.questions > 0 and last[1] != "?"
            elif text == "?":
                level.questions += 1
            elif text == "=" or (text == "<" and level.kind in MEMBERS):
                _unquote_key(level, result, place, text)
            elif (
                text == "=>"
                and last[0] == "name"
                and not (_is_type(result) and not level.had_question)
            ):
                result[-1:] = (("open", "(", last[2]), last, ("close", ")", at))
            level.had_question = level.questions > 0 or (text == ":" and level.had_question)
        place = len(result)
        result.append(token)
        before, last = last[1], token
    drop_groups(result, docs)
    return result, docs


def _known_end(  # noqa: C901, PLR0911, PLR0912, PLR0913 - a table
    level: Level,
    result: list[Token],
    place: int,
    following: Token,
    *,
    closed: str,
    is_written: bool,
) -> str | None:
    """Return how to write an end that the brackets around it tell, or UNSURE."""
    kind, text, _ = result[place]
    after = following[1]
    if following[0] == "name" and after == "else":
        return ""
    if closed in (BLOCK, DO) and kind == "close" and not (closed == DO and after == "while"):
        return ""
    if is_written:
        return UNSURE
    if _is_type_operator(result, place):
        return None
    is_operand = kind not in ("op", "comma", "open") or text == ">"
    if following[0] == "name" and after in ("catch", "finally") and is_operand:
        return ";" if text != "}" else UNSURE  # the name of a member, if it is not behind a block
    if level.kind == INTERFACE and is_operand and (level.colons or text == ")"):
        if following[0] in ("op", "open") and after in ("(", "[", "<"):
            return ";"
        if following[0] == "name" and after in CONTINUING:
            return ";" if text != "}" else ""
    if following[0] not in ("open", "op", "template"):
        return UNSURE
    if closed == INTERFACE and after in ("(", "["):
        return ";"
    is_word = kind == "name" and text in WORDS
    is_value = kind in ("name", "string", "number", "regex", "template") or text in (")", "]")
    is_value = is_value and not (is_word and not _is_value(result, place))
    if after == "{":
        if kind == "op" and text != ">":
            return None
        if level.kind in (CLASS, OBJECT, INTERFACE) or level.expects:
            return None
        if level.kind in STATEMENTS and is_value:
            return ";"
    if level.kind in STATEMENTS and is_value and not level.expects and not level.ends_do:
        if after == "(" or following[0] == "template":
            return None
        if after == "[" and not level.has_type:
            return None
    return UNSURE


def _is_type_operator(result: list[Token], place: int) -> bool:
    """Tell whether the token at a place is an operator in front of a type, not a name."""
    kind, text, _ = result[place]
    return (
        kind == "name"
        and text in ("as", "satisfies")
        and place > 0
        and result[place - 1][0] not in ("op", "end", "joint", "comma", "open", "directive")
    )


def _is_value(result: list[Token], place: int) -> bool:
    """Tell whether a word is used as a name: it follows an operator or the like."""
    if place <= 0 or result[place][1] in RESERVED:
        return False
    kind, text, _ = result[place - 1]
    return kind in ("op", "comma") or text in ("let", "const", "var", "(", "[")


def _expect_body(  # noqa: PLR0913, PLR0917
    level: Level, result: list[Token], place: int, token: Token, before: str, closed: str
) -> None:
    """Take note of a word that announces the body of a class, a function or the like."""
    word = token[1]
    last = result[place] if place >= 0 else MARKS[""]
    if before in (".", "?.") and last[1] in HEADS:
        return
    if last[1] in (".", "?."):
        return
    is_start = (
        result[-1:] == []
        or result[-1][0] == "end"
        or last[1] in ("export", "default", "{", "async")
        or closed == BLOCK
    )
    if word == "class":
        level.expects = CLASS
        level.declares = (is_start and last[1] != "async") or last[1] in ("abstract", "declare")
    elif word == "function":
        level.expects = BLOCK if is_start and last[1] != "async" else FUNCTION
    elif last[1] == "interface" and last[0] == "name":
        level.expects = INTERFACE
    elif last[1] == "type" and last[0] == "name":
        level.in_types = level.has_type = True
    elif last[1] in ("enum", "namespace", "module") or (last[1], word) == ("declare", "global"):
        level.expects = BODY


def _brace(  # noqa: C901, PLR0911, PLR0912 - a table
    level: Level, last: Token, before: str, *, is_control: bool
) -> str:
    """Return what kind of brace is opened here."""
    kind, text, _ = last
    if level.expects and (text not in BEFORE_TYPE or kind == "string"):
        expected, level.expects = level.expects, ""
        return {FUNCTION: BODY}.get(expected, expected)
    if level.in_types or (kind, text) == ("op", "<") or text in ("as", "satisfies"):
        return INTERFACE
    if is_control and text == ")":
        return BLOCK
    if kind == "name" and before not in (".", "?."):
        if text == "do":
            return DO
        if text in ("else", "try", "finally", "catch"):
            return BLOCK
        return OBJECT if text in BEFORE_OBJECT else UNSURE
    if kind == "op" and text == "=>":
        return BODY
    if kind == "op" and text == ":":
        if level.had_question or level.kind == OBJECT:
            return OBJECT
        return INTERFACE if level.text == "(" else UNSURE
    if (kind == "op" and text != ">") or text in ("(", "["):
        return OBJECT
    if kind == "comma":
        return OBJECT if level.text in ("(", "[") or level.kind == OBJECT else UNSURE
    if kind == "end" and level.kind == BLOCK:
        return BLOCK
    if text == ")" and level.kind in (CLASS, OBJECT):
        return BLOCK if level.kind == CLASS else BODY  # of a method
    return UNSURE


def _unquote_key(level: Level, result: list[Token], place: int, following: str) -> None:
    """Write the last token as a name if it is a string that is the name of a property."""
    if place >= 1 and result[place][1] in ("?", "!"):
        place -= 1
    if place < 1 or result[place][0] != "string" or level.text != "{" or level.has_case:
        return
    _, text, at = result[place]
    name = text[1:-1]
    if name == "new" and following in ("(", "<") and level.kind not in (CLASS, OBJECT):
        return  # in a type, `new()` is no method
    if _starts_member(level, result, place - 1):
        if IDENTIFIER.fullmatch(name):
            result[place] = ("name", name, at)
        elif INTEGER.fullmatch(name):
            result[place] = ("number", name, at)


def _starts_member(level: Level, result: list[Token], place: int) -> bool:
    """Tell whether only modifiers stand between a place and the end of the member before it."""
    if level.kind in MEMBERS:
        while place >= 1 and (result[place][1] in MODIFIERS or result[place][1] == "*"):
            place -= 1
    kind, text, _ = result[place]
    is_behind_body = text == "}" and level.kind == CLASS
    return kind in ("comma", "end", "joint") or text == "{" or is_behind_body


def _normal_template(text: str, *, jsx: bool, depth: int) -> str:
    """Return a template with the code in it written in one way."""
    parts = []
    for part in template_parts(text, jsx=jsx):
        if isinstance(part, str):
            parts.append(part)
        else:
            code = [("open", "[", 0), *part, ("close", "]", 0)]
            tokens, _ = statements(code, jsx=jsx, depth=depth)
            parts.append(" ".join(text for _, text, _ in tokens[1:-1]))
    return "".join(parts)


def _end(  # noqa: C901, PLR0911, PLR0913
    before: str,
    last: Token,
    following: Token,
    *,
    is_written: bool,
    goes_on: bool,
    closes_types: bool,
    is_value: bool,
) -> str | None:
    """Return how to write the end of a statement between two tokens; None if there is none."""
    kind, text, _ = last
    after = following[1]
    is_brace = text == "}" and kind == "close"
    is_joining = following[0] in ("op", "open", "template", "regex") and (
        after in JOINING or following[0] in ("template", "regex") or after in ("++", "--")
    )
    if is_written:
        no_need = after == "}" or text == "{" or (is_brace and not is_joining)
        return "" if no_need else ";"
    if after == "}" and following[0] == "close":
        return ""
    if kind == "name" and before not in (".", "?."):
        is_name = text in CONTEXTUAL and (is_value or after in ("(", ".", "?.", "="))
        if text in FINISHED and not is_name:
            return ";"
        if text in UNFINISHED and before != "as" and not (is_value and text == "from"):
            return None
        if text in UNCLEAR and not is_value:
            return "\n"
    if goes_on or kind in ("comma", "open") or (kind == "op" and text not in POSTFIX):
        return None
    if following[0] != "string" and after in CONTINUING:
        return None
    if text == ">" and kind == "op" and not closes_types:
        return None
    if following[0] == "template" or (following[0] in ("open", "op") and after in AMBIGUOUS):
        return "" if is_brace and after == "{" else "\n"
    if is_brace:
        return ";" if after in ("++", "--") else ""
    return ";"


def _is_type(result: list[Token]) -> bool:
    """Tell whether the last token is the type that an arrow function returns."""
    return [text for _, text, _ in result[-3:-1]] == [")", ":"]


def _closes_types(
    result: list[Token], place: int, pairs: Pairs, known: dict[int, tuple[int, int]]
) -> bool:
    """Tell whether the token at a place, a `>`, closes type arguments.

    `known` are the answers so far: where type arguments start and how many tokens they are, with
    what is in brackets as one, by where they end; no tokens if they are none.
    """
    depth, at, steps = 0, place + 1, 0
    found = 0, 0
    while steps < LONGEST_TYPE:
        at = pairs.start_of(at - 1)
        steps += 1
        if at < 0:
            break
        kind, text, _ = result[at]
        if at in known:
            start, length = known[at]
            if not length:
                break
            at = start
            steps += length - 1
        elif text == ">" and kind == "op":
            depth += 1
        elif text == "<" and kind == "op":
            depth -= 1
            if not depth:
                found = at, steps
                break
        elif kind not in TYPE_KINDS and kind != "close" and text not in TYPE_OPS and text != "-":
            break
    known[place] = found
    return found[1] > 0


def _is_rewritten(kind: str, text: str) -> bool:
    return kind == "template" or (kind == "string" and '"' in text[1:-1])


class ScriptReader:
    """Finds imports and exports among the statements of a file."""

    def __init__(self, text: str, lexicon: Lexicon, *, jsx: bool) -> None:
        scanned = scan(text, lexicon)
        # These are written in one way below, so that their lengths change.
        ends = {at: at + len(token) for kind, token, at in scanned if _is_rewritten(kind, token)}
        self.parts = SourceParts(text, *statements(scanned, jsx=jsx), ends=ends)
        self.tokens = self.parts.tokens
        self.texts = self.parts.texts
        # Declarations: first token, keyword, first token of the variable if it is one.
        self.local: dict[str, list[tuple[int, int, int]]] = {}
        # Exports of local names: their own, as exported, only as a type.
        self.aliases: list[tuple[str, str, bool]] = []
        # Namespaces still to read: first and last token, prefix of names, all names are public.
        self.blocks: list[tuple[int, int, str, bool]] = []
        # Where type arguments end, by where they start; NONE if they do not, 0 if not looked at.
        self.angles = array("i", bytes(4 * len(self.tokens)))
        self.no_module = 0  # imports before this token name no module

    def read(self) -> SourceReading:
        """Read all declarations."""
        self._block(0, len(self.tokens), "", ambient=False)
        for name, exported, is_type in self.aliases:
            if is_type:
                self.parts.header(exported, ("export", "type"))
            self._alias(name, exported)
        while self.blocks:
            start, end, prefix, ambient = self.blocks.pop()
            self._block(start, end, prefix, ambient=ambient)
        self._calls()
        self.local.clear()  # to save memory
        self.aliases.clear()
        return self.parts.finish()

    def _text(self, index: int) -> str:
        return self.texts[index] if index < len(self.texts) else ""

    def _kind(self, index: int) -> str:
        return self.tokens[index][0] if index < len(self.tokens) else "end"

    def _slice(self, start: int, end: int) -> list[str]:
        """Return the texts of a header."""
        return [
            text
            for (kind, text, _) in self.tokens[start:end]
            if text and kind not in ("directive", "joint")
        ]

    def _block(self, start: int, end: int, prefix: str, *, ambient: bool) -> None:
        """Read the statements of a file or of a namespace."""
        at, first, at_start = start, start, True
        while at < end:
            kind, text, _ = self.tokens[at]
            following = at + 1
            if kind == "name" and (at_start or self._is_export(at)):
                if text[0] == "@":
                    at = self.parts.skip(at + 1) if self._text(at + 1) == "(" else at + 1
                    continue
                if text == "export":
                    following = self._export(first, at, prefix)
                elif text == "import" and not prefix and self._text(at + 1) not in ("(", "."):
                    following = self._import(at)
                elif self._is_declaration(at):
                    if ambient:
                        following = self._declare(first, at, prefix, {})
                    elif not prefix:
                        following = self._note(first, at)
            elif kind == "open":
                following = self.parts.skip(at)
            at = max(following, at + 1)
            before = self.tokens[min(at, end) - 1]
            at_start = before[1] in ENDS or before[1] == "}" or before[0] == "directive"
            first = at

    def _is_export(self, at: int) -> bool:
        """Tell whether an export starts here, though the end of the statement before is unclear."""
        return self.texts[at] == "export" and self.texts[at - 1] not in (".", "?.")

    def _is_declaration(self, at: int) -> bool:
        text, after, kind = self._text(at), self._text(at + 1), self._kind(at + 1)
        if text in ("function", "class", "const", "let", "var", "enum"):
            return True
        if text == "async":
            return after == "function"
        is_word = text in ("type", "interface", "namespace", "module", "abstract", "declare")
        return is_word and kind in ("name", "string")

    def _keyword(self, at: int) -> int:
        """Return the keyword of a declaration behind its modifiers."""
        while self._text(at) in ("declare", "abstract", "async") or (
            self._text(at) == "const" and self._text(at + 1) == "enum"
        ):
            at += 1
        return at

    def _note(self, first: int, at: int) -> int:
        """Remember a declaration that may be exported by its name, and return its end."""
        keyword = self._keyword(at)
        name = keyword + 2 if self._text(keyword + 1) == "*" else keyword + 1
        if self._text(keyword) in ("const", "let", "var"):
            for names, start, _, end in self._declarators(keyword):
                for one in names:
                    self.local.setdefault(one, []).append((first, at, start))
                name = end
            return name
        self.local.setdefault(self._text(name), []).append((first, at, 0))
        return keyword + 1

    def _alias(self, name: str, exported: str) -> None:
        """Add the declarations of a name that is exported under this or another name."""
        found = self.local.get(name)
        if not found:
            self.parts.header(exported, ("export", name))
        for first, at, start in dict.fromkeys(found or ()):
            if start:
                variable = next(self._declarators(start - 1))
                self._variable(at, variable, "", {name: exported})
                end = variable[-1]
            else:
                end = self._declare(first, at, "", {name: exported})
            self.parts.reading.spend(tokens=end - at + READ_AGAIN, facts=0)

    # Exports

    def _export(self, first: int, at: int, prefix: str) -> int:  # noqa: PLR0911 - one per form
        after = at + 1
        text = self._text(after)
        if text == "type" and self._text(after + 1) in ("{", "*"):
            after += 1
            text = self._text(after)
        if text == "{":
            return self._export_list(at, after, prefix)
        if text == "*":
            return self._export_all(at, after)
        if text == "default":
            return self._export_default(first, after + 1)
        if text == "=":
            return self.parts.find(after, len(self.tokens), *ENDS)
        if text == "import":
            end = self.parts.find(after, len(self.tokens), *ENDS)
            self.parts.header(prefix + self._text(after + 1), self._slice(after, end))
            return end
        if text == "as":
            self.parts.header(self._text(after + 2), self._slice(after, after + 3))
            return after + 3
        while self._text(after)[:1] == "@":
            after = self.parts.skip(after + 1) if self._text(after + 1) == "(" else after + 1
        if self._is_declaration(after):
            return self._declare(first, after, prefix, {})
        return after

    def _export_list(self, at: int, brace: int, prefix: str) -> int:
        close = self.parts.closing[brace]
        module, end = self._source(close + 1)
        names, exports = [], []
        for start, stop in self.parts.split(brace + 1, close):
            is_type = brace > at + 1
            if self._text(start) == "type" and stop - start > 1 and self._text(start + 1) != "as":
                start += 1  # noqa: PLW2901
                is_type = True
            words = self._slice(start, stop)
            if not words:
                continue
            names.append(_unquoted(words[0]))
            exports.append(_unquoted(words[-1]))
            exported = prefix + exports[-1]
            if module is None:
                self.aliases.append((names[-1], exported, is_type))
            else:
                words = ["export", *(("type",) if is_type else ()), "{", names[-1], "}"]
                self.parts.header(exported, (*words, "from", self.texts[end - 1]))
        if module is not None:
            self.parts.imported(
                at,
                module,
                tuple(names),
                form="export",
                type_only=brace > at + 1,
                aliases=tuple(exports),
            )
        return end

    def _export_all(self, at: int, star: int) -> int:
        name = self._text(star + 2) if self._text(star + 1) == "as" else ""
        module, end = self._source(star + 3 if name else star + 1)
        if module is None:
            return star + 1
        self.parts.imported(
            at,
            module,
            () if name else ("*",),
            form="export",
            type_only=star > at + 1,
            aliases=(_unquoted(name),) if name else (),
        )
        self.parts.header(_unquoted(name) or f"* from {module}", self._slice(at, end))
        return end

    def _export_default(self, first: int, at: int) -> int:
        if self._is_declaration(at) and self.texts[at] not in ("const", "let", "var"):
            return self._declare(first, at, "", {"": "default"})
        end = self._value_end(at)
        if end == at + 1 and self.tokens[at][0] == "name":
            self.aliases.append((self.texts[at], "default", False))
        else:
            self.parts.header("default", ("default", *self._value(at, end, constant=False)))
        return end

    def _source(self, at: int) -> tuple[str | None, int]:
        """Return the module after `from`, and the end of it."""
        if self._text(at) == "" and self._text(at + 1) == "from":
            at += 1  # an unwritten end
        if self._text(at) == "from" and self._kind(at + 1) == "string":
            return _unquoted(self.texts[at + 1]), at + 2
        return None, at

    # Declarations

    def _declare(self, first: int, at: int, prefix: str, renamed: dict[str, str]) -> int:
        """Add the names of a declaration as public, and return the end of it.

        `renamed` gives the names they are exported by; the empty name stands for any.
        """
        keyword = self._keyword(at)
        word = self._text(keyword)
        decorators = [text for text in self._slice(first, at) if text not in ("export", "default")]

        def header(name: str, end: int) -> str:
            public = prefix + (renamed.get(name) or renamed.get("") or name)
            self.parts.header(public, (*decorators, *self._slice(at, end)))
            return public

        if word in ("const", "let", "var"):
            return self._variables(at, keyword, prefix, renamed)
        name = keyword + 2 if self._text(keyword + 1) == "*" else keyword + 1
        if word == "function":
            stop, end = self._function(name, len(self.tokens))
            header(self._text(name), stop)
            return end
        if word == "type":
            end = self._type_end(name, ())
            header(self._text(name), end)
            return end
        brace = self._body(name)
        end = self.parts.skip(brace)
        if word == "class":
            public = header(self._text(name), brace)
            if brace < len(self.tokens):
                self._members(brace + 1, end - 1, nested("", public))
        elif word in ("namespace", "module"):
            public = header("".join(self._slice(name, brace)), brace)
            if self._kind(name) != "string":
                self.blocks.append((brace + 1, end - 1, nested("", public), keyword > at))
        else:
            header(self._text(name), end)
        return end

    def _body(self, at: int) -> int:
        """Return the brace that opens the body of a class, an interface, an enum."""
        while at < len(self.tokens) and self.texts[at] not in (";", ";;"):
            if self.texts[at] == "{" and self.texts[at - 1] not in BEFORE_TYPE:
                return at
            at = self.parts.skip(at)
        return at

    def _function(self, at: int, end: int) -> tuple[int, int]:
        """Return where the header of a function ends, and where the function does."""
        while at < end and self.texts[at] != "(":
            close = self._angle_end(at) if self.texts[at] == "<" else 0
            at = (close or at) + 1
        at = self.parts.skip(at)
        while at < end and self.tokens[at][0] != "end" and self.texts[at] != "}":
            text = self.texts[at]
            if text == "\n" and self._text(at + 1) != "{":
                break
            if text == "{" and self.texts[at - 1] not in BEFORE_TYPE:
                return at, self.parts.skip(at)
            at = self.parts.skip(at)
        return at, at

    def _type_end(self, at: int, stops: tuple[str, ...]) -> int:
        """Return where a type ends: at the end of the statement, or at one of some tokens."""
        depth = 0
        while at < len(self.tokens) and self.tokens[at][0] not in ("end", "joint"):
            text = self.texts[at]
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
            elif (depth <= 0 and text in stops) or text == "}":
                break
            at = self.parts.skip(at)
        return min(at, len(self.tokens))

    def _value_end(self, at: int) -> int:
        """Return where a value ends: at a comma, or at the end of the statement."""
        types_fail = False
        while at < len(self.tokens):
            kind, text, _ = self.tokens[at]
            if kind in ("end", "comma") or (kind == "close"):
                break
            if kind == "joint" and self._text(at + 1) in ("{", "<"):
                break
            if text == "<" and kind == "op" and not types_fail:
                close = self._angle_end(at)
                types_fail = not close
                at = close or at
            at = self.parts.skip(at)
        return min(at, len(self.tokens))

    def _angle_end(self, at: int) -> int:
        """Return where type arguments end; 0 if they are none."""
        if at >= len(self.tokens):
            return 0
        if not self.angles[at]:
            self._match_angles(at)
        end = self.angles[at]
        return end if at < end < at + LONGEST_TYPE else 0

    def _match_angles(self, at: int) -> None:
        """Find where type arguments end, those that start here and those in them."""
        opened = array("i")
        while at < len(self.tokens):
            kind, text, _ = self.tokens[at]
            if text == "<" and kind == "op":
                if self.angles[at] == NONE:
                    break
                if self.angles[at]:
                    at = self.angles[at]
                else:
                    opened.append(at)
            elif text == ">" and kind == "op" and opened:
                self.angles[opened.pop()] = at
            elif kind not in TYPE_KINDS and text not in TYPE_OPS:
                break
            if not opened:
                break
            at = self.parts.skip(at)
        for start in opened:
            self.angles[start] = NONE

    def _declarators(self, keyword: int) -> Iterator[Declarator]:
        """Yield the variables that a keyword declares."""
        at, end = keyword + 1, len(self.tokens)
        while at < end and self._kind(at) in ("name", "open"):
            close = self.parts.closing.get(at)
            names = [self.texts[at]] if close is None else self._pattern(at + 1, close)
            stop = self._type_end(self.parts.skip(at), ("=", ",", "in", "of"))
            value_end = self._value_end(stop + 1) if self._text(stop) == "=" else stop
            yield names, at, stop, value_end
            if self._text(value_end) != ",":
                return
            at = value_end + 1

    def _pattern(self, start: int, end: int) -> list[str]:
        """Return the names in a destructuring pattern."""
        names, waiting = [], [(start, end)]
        while waiting:
            for first, stop in self.parts.split(*waiting.pop()):
                colon = self.parts.find(first, stop, ":")
                at = colon + 1 if colon < stop else first
                at += self._text(at) == "..."
                close = self.parts.closing.get(at)
                if close is not None:
                    waiting.append((at + 1, close))
                elif at < stop and self.texts[at]:
                    names.append(self.texts[at])
        return sorted(names)

    def _variables(self, at: int, keyword: int, prefix: str, renamed: dict[str, str]) -> int:
        end = keyword + 1
        for variable in self._declarators(keyword):
            self._variable(at, variable, prefix, renamed)
            end = variable[-1]
        return end

    def _variable(
        self, at: int, variable: Declarator, prefix: str, renamed: dict[str, str]
    ) -> None:
        """Add the names of one variable, or of a pattern, as public."""
        names, first, stop, end = variable
        keyword = self._keyword(at)
        is_pattern = first in self.parts.closing
        value = (
            self._value(stop + 1, end, constant=self._text(keyword) == "const")
            if self._text(stop) == "=" and not is_pattern
            else []
        )
        for name in names:
            if name in renamed or not renamed:
                shown = [name] if is_pattern else self._slice(first, stop)
                header = (*self._slice(at, keyword + 1), *shown, *value)
                self.parts.header(prefix + renamed.get(name, name), header)

    def _value(self, at: int, end: int, *, constant: bool) -> list[str]:
        """Return the part of a value that counts: the header of a function, a short literal."""
        start = at
        at += self._text(at) == "async"
        if self._text(at) == "function":
            stop, _ = self._function(at + 1, end)
            return ["=", *self._slice(start, stop)]
        if self._text(at) == "<":
            at = (self._angle_end(at) or at) + 1
        if self._text(at) == "(":
            at = self.parts.skip(at)
            if self._text(at) == ":":
                arrow = self.parts.find(at, end, "=>")
                is_function = self._text(at + 1) == "(" and self.parts.skip(at + 1) == arrow
                body = self.parts.find(arrow + 1, end, "=>") if is_function else end
                at = body if body < end else arrow
            if self._text(at) == "=>" and at < end:
                return ["=", *self._slice(start, at + 1)]
        if not constant:
            return []
        values = self._slice(start, end)
        if values[1:] == ["as", "const"]:
            end = start + 1
        sign = start + (self._text(start) == "-")
        if sign + 1 == end and is_short_literal(self._kind(sign), self.texts[sign]):
            return ["=", *values]
        return []

    # Members of classes

    def _members(self, at: int, end: int, prefix: str) -> None:
        """Add the headers of the public members of a class."""
        for name, first, stop, following in self._class_members(at, end):
            is_public = self._modifiers(first)[1] and name[0] != "#"
            if is_public:
                has_value = self._text(stop) == "=" and following > stop
                value = self._value(stop + 1, following, constant=False) if has_value else []
                self.parts.header(prefix + name, (*self._slice(first, stop), *value))

    def _class_members(self, at: int, end: int) -> Iterator[Member]:
        """Yield the members of a class."""
        while at < end:
            if self.tokens[at][0] in ("end", "joint", "directive", "comma"):
                at += 1
                continue
            first = at
            at, _ = self._modifiers(at)
            name, at = self._member_name(at)
            at += self._text(at) in ("?", "!")
            if not name:
                at = self.parts.skip(at)
                continue
            if self._text(at) in ("(", "<"):
                stop, following = self._function(at, len(self.tokens))
            else:
                stop = following = self._type_end(at, ("=",))
                if self._text(stop) == "=":
                    following = self._value_end(stop + 1)
            self.parts.reading.spend(tokens=following - first, facts=0)
            yield name, first, stop, following
            at = max(following, first + 1)

    def _modifiers(self, at: int) -> tuple[int, bool]:
        """Return the index of the name of a member, and whether it is public."""
        is_public = True
        while True:
            text = self._text(at)
            if text[:1] == "@":
                at = self.parts.skip(at + 1) if self._text(at + 1) == "(" else at + 1
            elif text == "*":
                at += 1
            elif text in MODIFIERS and self._text(at + 1) not in AFTER_MEMBER_NAME:
                is_public = is_public and text != "private"
                at += 1
            else:
                return at, is_public

    def _member_name(self, at: int) -> tuple[str, int]:
        if self._text(at) == "[":
            close = self.parts.closing[at]
            return f"[{''.join(self._slice(at + 1, close))}]", close + 1
        if self._kind(at) in ("name", "string", "number"):
            return _unquoted(self.texts[at]), at + 1
        return "", at

    # Imports

    def _import(self, at: int) -> int:
        """Take an import statement out of the tokens, and return its end."""
        end = at + 1
        if at < self.no_module:
            return end
        while end < len(self.tokens) and self._kind(end) not in ("string", "end"):
            if self._text(end) in ("=", "("):
                return self._import_equals(at)
            end = self.parts.skip(end)
        if self._kind(end) != "string":
            self.no_module = end
            return at + 1
        module, clause_end = _unquoted(self.texts[end]), end - 1
        end += 1
        if self._text(end) in ("with", "assert") and self._text(end + 1) == "{":
            end = self.parts.skip(end + 1)
        names: list[str] = []
        aliases: list[str] = []
        is_type = self._text(at + 1) in ("type", "typeof") and self._text(at + 2) not in (
            "from",
            ",",
        )
        words: list[str] = []
        first = at + 1
        while first < clause_end:
            close = self.parts.closing.get(first)
            if close is None:
                words.append(self.texts[first])
                first += 1
                continue
            parts = (self._slice(*part) for part in self.parts.split(first + 1, close))
            clauses = [part for part in parts if part]
            names += map(_imported_name, clauses)
            aliases += (clause[-1] for clause in clauses)
            words += ["{", *sorted(map(" ".join, clauses)), "}"]
            first = close + 1
        plain = words[1:] if is_type else words
        if plain and plain[0] not in ("{", "*"):
            names.insert(0, "default")
            aliases.insert(0, plain[0])
        if "*" in plain:
            aliases.append(plain[-1])
        self.parts.imported(at, module, tuple(names), type_only=is_type, aliases=tuple(aliases))
        statement = " ".join((*words, *self.texts[clause_end + 1 : end]))
        end += self._kind(end) == "end" and end < len(self.tokens)
        self.parts.imports(at, end, statement, has_place=not words)
        return end

    def _import_equals(self, at: int) -> int:
        """Read `import a = require('a')`, which is an import, or an alias, which is not."""
        end = self.parts.find(at, len(self.tokens), *ENDS)
        if self.texts[at + 2 : at + 4] == ["=", "require"] or (
            self.texts[at + 3 : at + 5] == ["=", "require"]
        ):
            following = end + (end < len(self.tokens))
            self.parts.imports(at, following, " ".join(self._slice(at, end)))
            return following
        return end

    def _calls(self) -> None:
        """Add the modules that are imported by a call."""
        for word in ("import", "require"):
            at = -1
            for _ in range(self.texts.count(word)):
                at = self.texts.index(word, at + 1)
                self._call(at, word)
        self.parts.reading.imported.sort(key=lambda fact: fact.line)

    def _call(self, at: int, word: str) -> None:
        is_call = self._text(at + 1) == "(" and self._kind(at + 2) == "string"
        before = self.texts[at - 1] if at else ""
        if not is_call or self._text(at + 3) not in (")", ",") or before in (".", "?.", "function"):
            return
        after = self._text(at + 5) if self._text(at + 4) == "." else ""
        is_type = before in ("typeof", "keyof") or (
            word == "import" and before in BEFORE_TYPE and after[:1].isupper()
        )
        self.parts.imported(
            at,
            _unquoted(self.texts[at + 2]),
            form="call",
            type_only=is_type,
            aliases=self._bound(at - 1 - (before == "await")),
        )

    def _bound(self, equals: int) -> tuple[str, ...]:
        """Return what an assignment binds: one name, or a pattern of names."""
        if equals < 1 or self.texts[equals] != "=":
            return ()
        if self._kind(equals - 1) == "name":
            return (self.texts[equals - 1],)
        start = equals - 1
        while self.texts[equals - 1] == "}" and start and self.texts[start] not in ("{", ";"):
            start -= 1
        pattern = self.texts[start:equals]
        self.parts.reading.spend(tokens=len(pattern), facts=0)
        return ("".join(pattern),) if pattern[0] == "{" else ()


def _imported_name(words: list[str]) -> str:
    """Return a name as the imported module calls it."""
    is_type = words[0] in ("type", "typeof") and len(words) > 1 and words[1] != "as"
    return _unquoted(words[is_type])


def _unquoted(text: str) -> str:
    return text[1:-1] if text[:1] in ("'", '"') else text
