"""Go: semicolons as the language inserts them, imports, and names with a capital letter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code.language import Language
from yg_old.code.languages.braces import SourceParts, drop_comma
from yg_old.code.scan import Lexicon, scan, taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.code.facts import SourceReading
    from yg_old.code.languages.braces import Doc
    from yg_old.code.scan import Token

PATTERN = r"""
    (?:
      (?P<name>   [^\W\d]\w*+ )
    | (?P<string> "[^"\\\n]*+(?:\\.[^"\\\n]*+)*+" | `[^`]*+` )
    | (?P<open>   [(\[{] )
    | (?P<close>  [)\]}] )
    | (?P<comma>  , )
    | (?P<line>   \n\s*+ )
    | (?P<number> 0[xX][\da-fA-F_.]++(?:[pP][-+]?[\d_]++)?+i?+ | 0[bBoO][\d_]++i?+
                | (?:\d[\d_]*+(?:\.[\d_]*+)?+|\.\d[\d_]*+)(?:[eE][-+]?\d[\d_]*+)?+i?+ )
    | (?P<comment> //[^\n]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/ )
    | (?P<op>     := | \.\.\. | <- | \+\+ | -- | && | \|\| | (?:<<|>>|&\^|[-+*/%&|^=!<>])=
                | << | >> | &\^ | [-+*%&|^=!<>:.~] | /(?!\*) )
    | (?P<end>    ; )
    | (?P<rune>   '(?:[^'\\\n]|\\[^\n][^'\n]*+)' )
    | [ \t]
    | (?P<bad>    . )
    )
    [ \t]*+
    """
LEXICON = Lexicon(re.compile(PATTERN, re.VERBOSE | re.DOTALL))
NOTES = PATTERN.replace("<comment>", "<note>")  # comments are documentation, directives or C code
WITH_NOTES = Lexicon(re.compile(NOTES, re.VERBOSE | re.DOTALL))
DIRECTIVE = re.compile(r"//(?:go:|export |[ \t]*\+build\b)")
OUTPUT = re.compile(r"(?://|/\*)\s*(?:unordered )?output:", re.IGNORECASE)  # go test compares it
# After one of these words, a line break does not end a statement.
UNFINISHED = frozenset(
    "case chan const default defer else for func go goto if import interface map package range"
    " select struct switch type var".split()
)
DECLARATIONS = frozenset(("func", "type", "var", "const", "package", "import"))


class CommentGroups:
    """The comments in front of the next token, if no blank line is between."""

    def __init__(self) -> None:
        self.group: list[str] = []
        self.start = 0  # of the group
        self.breaks = 1  # line breaks since the last token or comment
        self.preamble: list[str] = []  # the group in front of the last `import`
        self.preambles: list[str] = []  # comments that are C code

    def add(self, text: str, at: int) -> None:
        """Add a comment."""
        if self.breaks != 1:
            self.group = []
        if self.breaks:  # otherwise it belongs to the code on its line
            self.start = self.start if self.group else at
            self.group.append(text)
            self.breaks = 0

    def skip(self) -> None:
        """Pass a comment that is a token of its own."""
        if self.breaks != 1:
            self.group = []
        self.breaks = 0

    def take(self, text: str, last: str) -> str:
        """Return the comment that ends on the line above this token, and forget it."""
        group = self.group if self.breaks <= 1 else []
        if text == "import":
            self.preamble = group
        elif text == '"C"':
            self.preambles += group or (self.preamble if last == "import" else [])
        self.group, self.breaks = [], 0
        return "\n".join(group)


def statements(  # noqa: C901, PLR0912 - one branch per kind of token
    text: str,
) -> tuple[list[Token], list[Doc], dict[int, int], list[str]]:
    """Return the tokens with all semicolons, the doc comments, and comments that are C code.

    Comments in front of tokens in brackets are not documentation; the third value says where they
    start, by the number of the token.
    """
    result: list[Token] = []
    docs: list[Doc] = []
    commented: dict[int, int] = {}
    comments = CommentGroups()
    depth = 0
    is_ended = False
    is_output = False  # these comments say what an example prints
    last: Token = ("", "", 0)
    for token in taken(scan(text, WITH_NOTES)):
        kind, text, at = token
        if kind == "line":
            comments.breaks += text.count("\n")
            is_ended = is_ended or _can_end(last)
            continue
        if kind == "note":
            is_output = is_output or bool(depth and OUTPUT.match(text))
            if is_output or DIRECTIVE.match(text):
                comments.skip()
                if is_ended and last[0]:
                    last = ("end", ";", at)
                    result.append(last)
                    is_ended = False
                result.append(("directive", text, at))
            else:
                comments.add(text, at)
            if "\n" in text:
                is_ended = is_ended or _can_end(last)
            continue
        is_output = False
        if kind == "end":
            is_ended = True
            comments.breaks = 0
            continue
        is_commented = comments.group or comments.breaks or text == '"C"'
        doc = comments.take(text, last[1]) if is_commented else ""
        if kind == "close":
            depth -= 1
            if last[0] == "comma" and text != "]":  # `[P *C,]` has a type parameter
                drop_comma(result, docs)
        elif is_ended and last[0]:
            result.append(("end", ";", at))
        if doc and not depth and text in DECLARATIONS:
            docs.append((len(result), doc, comments.start))
        elif doc and depth:
            commented[len(result)] = comments.start
        if kind == "open":
            depth += 1
        is_ended = False
        result.append(token)
        last = token
    return result, docs, commented, comments.preambles


def _can_end(last: Token) -> bool:
    kind, text, _ = last
    if kind == "name":
        return text not in UNFINISHED
    return kind in ("number", "string", "rune", "close") or text in ("++", "--")


class GoReader:
    """Finds imports, public names and parts."""

    def __init__(self, text: str) -> None:
        tokens, docs, commented, preambles = statements(text)
        self.parts = SourceParts(text, tokens, docs, commented)
        self.tokens = tokens
        self.texts = self.parts.texts
        self.preambles = preambles

    def read(self) -> SourceReading:
        """Read all declarations."""
        at, end = 0, len(self.tokens)
        while at < end:
            first, stop = at, self.parts.find(at, end, ";")
            while at < stop and self.tokens[at][0] == "directive":
                at += 1
            if at < stop:
                self._declaration(first, at, stop)
            at = stop + 1
        reading = self.parts.finish()
        reading.tokens += self.preambles
        return reading

    def _declaration(self, first: int, at: int, end: int) -> None:
        """Read a declaration; directives may be in front of its keyword."""
        word = self.texts[at]
        if word == "import":
            self._imports(at, end)
        elif word == "func":
            self._part(first, end, [self._function(at, end)])
        elif word in ("type", "const", "var"):
            in_group = at + 1 < end and self.texts[at + 1] == "("
            for start, stop in self._specs(at, end):
                is_type = word == "type"
                names = self._type(start, stop) if is_type else self._values(word, start, stop)
                self._part(start if in_group else first, stop, names)

    def _part(self, start: int, end: int, names: list[str]) -> None:
        if named := [name for name in names if name.rpartition(".")[2] not in ("", "_")]:
            self.parts.part(named, start, end)

    def _slice(self, start: int, end: int) -> list[str]:
        return [text for kind, text, _ in self.tokens[start:end] if kind != "directive"]

    def _specs(self, at: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the declarations of one keyword, which may stand in parentheses."""
        at += 1
        if at < end and self.texts[at] == "(":
            yield from self._lines(at + 1, self.parts.closing[at])
        else:
            yield at, end

    def _lines(self, at: int, end: int) -> Iterator[tuple[int, int]]:
        while at < end:
            stop = self.parts.find(at, end, ";")
            while at < stop and self.tokens[at][0] == "directive":
                at += 1
            if at < stop:
                yield at, stop
            at = stop + 1

    def _imports(self, at: int, end: int) -> None:
        statements = []
        for start, stop in self._specs(at, end):
            module = self.texts[stop - 1][1:-1]
            name = self.texts[start] if stop - start > 1 else ""
            self.parts.imported(start, module, aliases=(name,) if name else ())
            statements.append(f'{name} "{module}"'.strip())
        following = end + (end < len(self.tokens))
        for number, statement in enumerate(statements):
            self.parts.imports(following if number else at, following, statement)

    def _function(self, at: int, end: int) -> str:
        """Add the header of a function, and return its name."""
        name = at + 1
        owner = ""
        if name < end and self.texts[name] == "(":
            receiver = self._slice(name + 1, self.parts.closing[name])
            if "[" in receiver:
                receiver = receiver[: receiver.index("[")]
            owner = next((text for text in reversed(receiver) if text not in "()"), "")
            name = self.parts.closing[name] + 1
        if name >= end:
            return ""
        qualified = f"{owner}.{self.texts[name]}" if owner else self.texts[name]
        if not is_public(self.texts[name]) or (owner and not is_public(owner)):
            return qualified
        stop = name
        while stop < end and not (
            self.texts[stop] == "{" and self.texts[stop - 1] not in ("interface", "struct")
        ):
            stop = self.parts.skip(stop)
        self.parts.header(qualified, self._slice(at, min(stop, end)))
        return qualified

    def _type(self, start: int, end: int) -> list[str]:
        """Add the header of a type and those of its fields, and return its name."""
        name = self.texts[start]
        at = start + 1
        while at < end and (self.texts[at] == "=" or (self.texts[at] == "[" and at == start + 1)):
            at = self.parts.skip(at)
        is_struct = self.texts[at : at + 2] == ["struct", "{"]
        if is_struct and self.parts.closing[at + 1] == end - 1:
            if is_public(name):
                self.parts.header(name, ("type", *self._slice(start, at + 1)))
            for first, stop in self._lines(at + 2, end - 1):
                fields = self._field(name, first, stop)
                self._part(first, stop, [f"{name}.{field}" for field in fields])
        elif is_public(name):
            self.parts.header(name, ("type", *self._slice(start, end)))
        return [name]

    def _field(self, owner: str, start: int, end: int) -> list[str]:
        """Add the headers of the fields of one line, and return their names."""
        stop = end - (self.tokens[end - 1][0] == "string")  # without its tag
        names = []
        at = start
        is_embedded = (
            stop == start + 1
            or self.texts[start + 1] == "."
            or (
                self.texts[start] == "*"
                or (self.texts[start + 1] == "[" and self.parts.closing[start + 1] == stop - 1)
            )
        )
        if is_embedded:
            bracket = self.parts.find(start, stop, "[")
            names.append(self.texts[bracket - 1])
        while not is_embedded:
            names.append(self.texts[at])
            at += 1
            if self.texts[at] != ",":
                break
            at += 1
        for name in filter(is_public, names if is_public(owner) else ()):
            shown = () if is_embedded else (name,)
            self.parts.header(f"{owner}.{name}", (*shown, *self._slice(at, end)))
        return names

    def _values(self, word: str, start: int, end: int) -> list[str]:
        """Add the headers of constants or variables, and return their names."""
        equals = self.parts.find(start, end, "=")
        names, at = [self.texts[start]], start + 1
        while at < equals and self.texts[at] == ",":
            names += self.texts[at + 1 : at + 2]
            at += 2
        values = list(self.parts.split(equals + 1, end)) if word == "const" else []
        for number, name in enumerate(names):
            if is_public(name):
                value = self.parts.short_value(*values[number]) if number < len(values) else []
                self.parts.header(name, (word, name, *self._slice(at, equals), *value))
        return names


def is_public(name: str) -> bool:
    """Tell whether a name starts with a capital letter."""
    return name[:1].isupper()


GO = Language("go", LEXICON, lambda _path, text: GoReader(text).read())
