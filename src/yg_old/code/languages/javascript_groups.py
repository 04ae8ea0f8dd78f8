"""Drop parentheses of JavaScript and TypeScript around a part that is one without them.

Whether they say anything is told from the loosest operator between them and from the operators on
both sides. Types follow the same rules, with fewer operators.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yg_old.code.languages.braces import Doc
    from yg_old.code.scan import Token

# How tightly operators bind.
COMMA, ASSIGNMENT, TYPED, CONDITIONAL, RELATIONAL, POWER, UNARY, OPERAND = (
    0,
    1,
    2,
    3,
    11,
    15,
    16,
    17,
)
BINARY = {
    **dict.fromkeys("= += -= *= /= %= **= <<= &= |= ^= &&= ||= ??= =>".split(), ASSIGNMENT),
    **dict.fromkeys(("?", ":"), CONDITIONAL),
    "??": 4,
    "||": 5,
    "&&": 6,
    "|": 7,
    "^": 8,
    "&": 9,
    **dict.fromkeys("== != === !==".split(), 10),
    **dict.fromkeys(("<", ">", "<="), RELATIONAL),
    "<<": 12,
    **dict.fromkeys("+-", 13),
    **dict.fromkeys("*/%", 14),
    "**": POWER,
}
WORDS = {  # operators that are words, and words in front of a value
    **dict.fromkeys(("in", "instanceof"), RELATIONAL),
    **dict.fromkeys(("as", "satisfies"), TYPED),
    **dict.fromkeys("await delete new typeof void".split(), UNARY),
    **dict.fromkeys(("yield",), ASSIGNMENT),
}
LEFT_WORDS = {  # behind which a parenthesis opens no arguments: how tightly they bind
    **dict.fromkeys("case default do else return throw yield".split(), COMMA),
    **dict.fromkeys(("as", "satisfies"), COMMA),
    "extends": CONDITIONAL,
    "new": UNARY,
    **dict.fromkeys(("in", "instanceof"), RELATIONAL),
    **dict.fromkeys("await delete typeof void".split(), UNARY),
}
BEFORE_VALUE = frozenset(("of", *WORDS, *LEFT_WORDS))  # words in front of a name
FOLLOWING = frozenset("as in instanceof satisfies".split())
TYPE_OPERATORS = (BINARY["|"], BINARY["&"])
PREFIXES = frozenset("+ - ! ~ ++ --".split())
REBALANCED = frozenset(("&&", "||", "??"))  # `a && (b && c)` does the same as `a && b && c`
OPEN_LEFT = frozenset("= += -= *= /= %= **= <<= &= |= ^= &&= ||= ??= => ? : ...".split())
MEMBER = frozenset(("(", "[", ".", "?."))
ENDS = frozenset(("end", "close", "comma"))
DEFINITIONS = frozenset("function class async abstract".split())
# Tokens that start a statement of another kind if they are not in parentheses.
NOT_FIRST = DEFINITIONS | frozenset(
    "{ let declare enum get interface module namespace set static type import using".split()
)
CONDITIONS = frozenset(("if", "while", "switch"))
START: Token = ("end", "", 0)
STATEMENT_END: Token = ("end", ";", 0)


class Bracket:
    """An open bracket, and what is directly in it."""

    __slots__ = (
        "elements",
        "end",
        "ends_brace",
        "first",
        "first_place",
        "follows_question",
        "had_question",
        "has_assignment",
        "has_call",
        "has_chain",
        "is_condition",
        "is_group",
        "is_list",
        "left",
        "left_binds",
        "loosest",
        "place",
        "questions",
        "text",
    )

    def __init__(self, text: str, place: int, left: Token) -> None:
        self.text = text
        self.place = place
        self.end = place
        self.left = left
        self.left_binds: float = -1  # how tightly what is in front of it does; -1: it is no group
        self.is_group = False
        self.loosest: float = OPERAND
        self.first, self.first_place = START, place
        self.is_list = True  # it could be a list of parameters
        self.has_call = False
        self.has_chain = False  # `?.`
        self.has_assignment = False
        self.follows_question = False  # it does if it follows a colon
        self.is_condition = False  # of a statement
        self.ends_brace = False  # its last token is `}`
        self.had_question = False  # the last colon belongs to one
        self.questions = 0  # that wait for their colon
        self.elements = 0  # of JSX that are open

    def loosen(self, binds: float) -> None:
        """Take note of an operator."""
        self.loosest = min(self.loosest, binds)


class GroupDropper:
    """Goes through the tokens of one file."""

    def __init__(self) -> None:
        self._opened = [Bracket("", -1, START)]
        self._dropped: list[int] = []
        self._closed: Bracket | None = None  # a group, if the last token closed it
        self._before, self._last = START, START
        self._is_operand = False  # the last token ends a value
        self._ends_brace = False  # the last token that was not dropped is `}`
        self._binds: float = -1  # how tightly the last token does on its right, if an operator

    def run(self, tokens: list[Token], docs: list[Doc]) -> None:
        """Drop tokens, and move the doc comments behind them."""
        for place, token in enumerate(tokens):
            if token[0] == "directive":
                continue
            if self._closed is not None:
                self._end_group(self._closed, place, tokens)
            if token[1] in ("|", "&") and token[0] == "op" and not self._ends_value:
                self._dropped.append(place)  # in front of the first of several types
                continue
            self._take(place, token)
            self._ends_brace = token[1] == "}" and token[0] == "close"
            self._before, self._last = self._last, token
        if self._closed is not None:
            self._end_group(self._closed, len(tokens), tokens)
        if self._dropped:
            self._dropped.sort()
            docs[:] = [(doc[0] - bisect_left(self._dropped, doc[0]), *doc[1:]) for doc in docs]
            dropped = frozenset(self._dropped)
            tokens[:] = [token for at, token in enumerate(tokens) if at not in dropped]

    @property
    def _ends_value(self) -> bool:
        """Whether the last token ends a value; the word in `x is A` does not."""
        is_predicate = self._last[1] == "is" and self._before[0] == "name"
        return self._is_operand and not (is_predicate and self._before[1] not in BEFORE_VALUE)

    def _take(self, place: int, token: Token) -> None:
        kind, text, _ = token
        inner = self._opened[-1]
        if inner.first is START and kind != "close":
            inner.first, inner.first_place = token, place
        if kind == "open":
            opened = Bracket(text, place, self._last)
            opened.follows_question = inner.had_question
            if not inner.elements and text == "(":
                opened.left_binds = self._left()
                opened.is_group = opened.left_binds >= 0
                is_property = self._before[1] in (".", "?.")
                opened.is_condition = self._last[1] in CONDITIONS and not is_property
            if self._is_operand:
                inner.is_list = False
                inner.has_call |= text == "("
            self._opened.append(opened)
            self._is_operand = False
        elif kind == "close":
            if len(self._opened) > 1:
                closed = self._opened.pop()
                closed.end = place
                closed.ends_brace = self._ends_brace
                self._closed = closed if closed.is_group else None
            self._is_operand = True
        elif kind == "tag":
            inner.elements += (text == "<") - (text == "/>" or text[:2] == "</")
            inner.is_list = False
            self._is_operand = True
        elif not inner.elements:
            self._inside(inner, kind, text)

    def _inside(self, inner: Bracket, kind: str, text: str) -> None:
        """Read a token that is not a bracket, and not in an element."""
        if kind == "op":
            self._operator(inner, text)
        elif kind == "name":
            self._name(inner, text)
        elif kind == "comma":
            inner.loosen(COMMA)
            inner.questions = 0
            self._is_operand = False
        elif kind in ("end", "joint"):
            inner.questions = 0
            self._is_operand = False
        else:
            inner.is_list = False
            inner.has_call |= kind == "template" and self._is_operand
            if self._last[0] == "name" and self._last[1] not in WORDS and kind != "template":
                inner.loosen(TYPED)
            self._is_operand = True

    def _operator(self, inner: Bracket, text: str) -> None:
        if text in (".", "?."):
            inner.has_chain |= text == "?."
            inner.is_list = False
            self._is_operand = False
            return
        if text in ("++", "--") and self._is_operand:
            inner.loosen(UNARY)
            inner.is_list = False
            return
        if text == "!" and self._is_operand:
            return
        self._binds = COMMA if text in OPEN_LEFT else -1
        if not self._is_operand and text in PREFIXES:
            inner.loosen(UNARY)
            inner.is_list = False
            self._binds = UNARY
        elif text == "?":
            inner.questions += 1
            inner.loosen(CONDITIONAL)
        elif text == ":":
            if self._last[1] == "?" or not inner.questions:
                inner.loosen(TYPED)  # of a parameter
            else:
                inner.is_list = False
            inner.had_question = inner.questions > 0
            inner.questions = max(inner.questions - 1, 0)
        elif text in BINARY and self._is_operand:
            inner.loosen(BINARY[text])
            is_assignment = BINARY[text] == ASSIGNMENT
            inner.has_assignment |= is_assignment and text != "=>"
            inner.is_list &= is_assignment and text != "=>"
            self._binds = COMMA if is_assignment else BINARY[text]
        else:
            inner.loosen(TYPED)
        self._is_operand = False

    def _name(self, inner: Bracket, text: str) -> None:
        is_property = self._last[1] in (".", "?.")
        if not is_property and text in WORDS and (self._is_operand or WORDS[text] != TYPED):
            inner.loosen(WORDS[text])
            inner.is_list = False
            self._is_operand = False
            return
        if text in DEFINITIONS and not is_property:
            inner.loosen(TYPED)
        if self._last[0] == "name" and (self._is_operand or self._last[1] not in WORDS):
            inner.loosen(TYPED)  # words that mean something together, as in types
        self._is_operand = is_property or text not in LEFT_WORDS

    def _left(self) -> float:
        """Return how tightly what is in front of a parenthesis binds; -1 if it is not a group."""
        kind, text, _ = self._last
        if kind in ("open", "end"):
            return COMMA
        if kind == "comma":
            # In braces, a type can take arguments.
            return COMMA if self._opened[-1].text != "{" else -1
        if kind == "name":
            is_property = self._before[1] in (".", "?.")
            return LEFT_WORDS.get(text, -1) if not is_property and not self._is_operand else -1
        is_operator = kind == "op" and not self._is_operand and text not in (".", "?.", "@", ">")
        return self._binds if is_operator else -1

    def _end_group(self, group: Bracket, place: int, tokens: list[Token]) -> None:
        """Drop the parentheses of a group if they say nothing."""
        self._closed = None
        right = tokens[place] if place < len(tokens) else START
        if group.first is START or not self._is_redundant(group, right):
            return
        self._dropped += (group.place, group.end)
        self._ends_brace = group.ends_brace
        if group.ends_brace and right == STATEMENT_END and not _joins(tokens[place + 1 :][:1]):
            tokens[place] = START  # as it is written behind a brace
        outer = self._opened[-1]
        outer.loosen(group.loosest)
        outer.is_list &= group.is_list
        outer.has_call |= group.has_call
        outer.has_chain |= group.has_chain
        outer.has_assignment |= group.has_assignment
        if outer.first_place == group.place:
            outer.first = group.first

    def _is_redundant(self, group: Bracket, right: Token) -> bool:  # noqa: PLR0911 - a table
        kind, text, _ = right
        if group.loosest == COMMA:
            return kind in ("end", "close") and self._takes_sequence(group)
        if not self._is_free_left(group):
            return False
        if kind in ENDS:
            return True
        if kind == "name":
            return text in FOLLOWING and group.loosest > RELATIONAL
        if text in MEMBER or kind == "template" or text == "!":
            is_number = group.first[0] == "number" and text == "."
            return group.loosest == OPERAND and not group.has_chain and not is_number
        if kind != "op" or text not in BINARY:
            return False
        if text == ":":
            return self._is_branch(group)
        binds = BINARY[text]
        if binds == ASSIGNMENT:  # only a type in front of it has such an operator
            return text == "=" and group.left[1] == ":" and group.loosest in TYPE_OPERATORS
        return group.loosest > binds or (group.loosest == binds not in (POWER, CONDITIONAL))

    def _is_branch(self, group: Bracket) -> bool:
        """Tell whether a group in front of a colon is not the parameters of a function."""
        if not self._opened[-1].questions and group.left[1] != "case":
            return False
        if group.is_list or group.has_assignment:
            is_name = group.first[0] == "name" and group.end == group.place + 2
            return is_name and (group.left[1] == "?" or group.follows_question)
        return True

    def _takes_sequence(self, group: Bracket) -> bool:
        """Tell whether what is in front of a group takes several values."""
        kind, text, _ = group.left
        if kind == "end" or text == "{":
            return self._is_statement(group)
        return text in ("return", "throw") or (text == "(" and self._opened[-1].is_condition)

    def _is_statement(self, group: Bracket) -> bool:
        """Tell whether a group that starts a statement can do so without parentheses."""
        kind, text, _ = group.first
        if group.is_list and not group.has_assignment:
            return False  # it may be the parameters of a type
        return text not in NOT_FIRST and kind not in ("string", "close")

    def _is_free_left(self, group: Bracket) -> bool:
        """Tell whether what is in front of a group takes all of it without parentheses."""
        kind, text, _ = group.left
        first = group.first[1]
        if kind == "end" or text in ("{", "else", "do"):
            return self._is_statement(group)
        is_branch = text == ":" and group.follows_question
        if first == "{" and text in ("=>", ":") and not is_branch:
            return False
        if first in DEFINITIONS and text in ("default", ":") and not is_branch:
            return False
        if text == "new" and group.has_call:
            return False
        if text in REBALANCED and group.loosest == BINARY[text]:
            return True
        return group.loosest > group.left_binds


def _joins(tokens: list[Token]) -> bool:
    """Tell whether the next token could continue the statement before it."""
    return any(kind in ("op", "open", "template", "regex") for kind, _, _ in tokens)


def drop_groups(tokens: list[Token], docs: list[Doc]) -> None:
    """Drop parentheses that say nothing, and `|` or `&` in front of the first of several types."""
    GroupDropper().run(tokens, docs)
