"""Python: blocks by indentation, docstrings, imports and public names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.code.facts import ImportFact, Reading
from yg.code.language import Language
from yg.code.scan import Lexicon, ScanError, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.code.scan import Token

PATTERN = re.compile(
    r"""
    (?:
      (?P<line>   \n (?: [ \t\f]*+ (?: \# (?![ \t]*+type:) [^\n]*+ )? \n )*+ [ \t\f]*+ )
    | (?P<lambda> lambda\b )
    | (?P<fstring> (?: [fFtT][rR]? | [rR][fFtT] ) (?: \"{3} | '{3} | ["'] ) )
    | (?P<string> (?: [rRbBuU] | [bB][rR] | [rR][bB] )?+
        (?: \"{3} [^"\\]*+ (?: (?: \\. | "(?!"") ) [^"\\]*+ )*+ \"{3}
          | '{3}  [^'\\]*+ (?: (?: \\. | '(?!'') ) [^'\\]*+ )*+ '{3}
          | " (?!"") [^"\\\n]*+ (?: \\. [^"\\\n]*+ )*+ "
          | ' (?!'') [^'\\\n]*+ (?: \\. [^'\\\n]*+ )*+ ' ) )
    | (?P<name>   [^\W\d]\w*+ )
    | (?P<open>   [(\[{] )
    | (?P<close>  [)\]}] )
    | (?P<comma>  , )
    | (?P<number> 0[xX][\da-fA-F_]++ | 0[bB][01_]++ | 0[oO][0-7_]++
        | (?: \d[\d_]*+ (?: \.[\d_]*+ )?+ | \.\d[\d_]*+ ) (?: [eE][-+]?\d[\d_]*+ )?+ [jJ]?+ )
    | (?P<op>     \.\.\. | -> | := | <> | \*\*=? | //=? | >>=? | <<=? | [-+*/%@&|^=<>!]=
        | [-+*/%@&|^=<>~.] )
    | (?P<colon>  : )
    | (?P<semicolon> ; )
    | (?P<directive> \# [ \t]*+ type: [^\n]*+ )
    | \# [^\n]*+
    | \\\n
    | [ \t\f]
    | (?P<bad>    . )
    )
    [ \t\f]*+
    """,
    re.VERBOSE | re.DOTALL,
)
STRING = re.compile(r"(\w*)(\"{3}|'{3}|[\"'])(.*)\2", re.DOTALL)
ESCAPED_QUOTE = re.compile(r"\\(['\"])|\\.", re.DOTALL)
OCTAL_END = re.compile(r"\\[0-7]{1,2}\Z")

OPEN, CLOSE, END = "\x01", "\x02", "\n"  # of a block, of a statement
FIRST_LINES = re.compile(
    r"\n(\#![^\n]*)?(?:[^\n]*\n)?[ \t\f]*(\#[^\n]*coding[:=][ \t]*[-\w.]+)?", re.VERBOSE
)
FIRST = re.compile(r"\n(#![^\n]*)")
CODING = re.compile(r"\n(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")

COMPOUND = frozenset("if elif else for while try except finally with def class async".split())
# A bracket behind one of these opens a tuple or a list, behind any other name a call or an index.
OPERATORS = frozenset(
    "and as assert async await del elif else except finally for from global if import in is lambda"
    " nonlocal not or raise return try while with yield".split()
)
SOFT = frozenset(("match", "case"))
FOR_TYPES = (["if", "TYPE_CHECKING"], ["if", "typing", ".", "TYPE_CHECKING"])
SHORT = 40  # characters of a literal that counts in a signature


class Block(Struct):
    """The statements of one indentation."""

    width: int  # -1: on the line of its header
    kind: str  # module, class, def, match, or other
    prefix: str | None  # of the names defined in it; None: they are not public
    type_only: bool = False


# An f-string is one token. Its fields may hold any expression, even strings with the same quotes,
# so its end is found with a stack of what is open.

FSTRING = re.compile(r"""(\w+)("{3}|'{3}|["'])""")
TEXT = re.compile(r"""\\N\{[^{}"'\n]*+\} | \\[^{}] | \{\{ | \{ | \n | "{3} | '{3} | ["'] """, re.X)
FIELD = re.compile(
    r"""(\w*+)("{3}|'{3}|["']) | \w++ | != | [(\[{] | [)\]}] | : | \#[^\n]* """, re.X
)
FORMAT = re.compile(r"""\\[^{}] | [{}\n"'] """, re.X)
PLAIN = {
    quote: re.compile(body, re.DOTALL)
    for quote, body in (
        ('"', r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'),
        ("'", r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"),
        ('"""', r'[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""'),
        ("'''", r"[^'\\]*+(?:(?:\\.|'(?!\'\'))[^'\\]*+)*+\'\'\'"),
    )
}


def fstring(text: str, start: int, tokens: list[Token]) -> int:
    """Add an f-string to the tokens and return its end."""
    end = fstring_end(text, start)
    tokens.append(("fstring", text[start:end], start))
    return end


def fstring_end(text: str, start: int) -> int:
    """Return the end of the f-string that starts here."""
    opening = FSTRING.match(text, start)
    assert opening is not None
    at = opening.end()
    quotes = [opening[2]]  # of the open f-strings, innermost last
    states: list[tuple[str, int]] = [("text", 0)]  # what is open, and its depth of brackets
    while True:
        state, depth = states[-1]
        quote = quotes[-1]
        part = (TEXT if state == "text" else FIELD if state == "field" else FORMAT).search(text, at)
        if part is None:
            raise ScanError("f-string not closed", start)
        at = part.end()
        found = part[0]
        if state == "text":
            if found == "{":
                states.append(("field", 0))
            elif found == "\n" and len(quote) == 1:
                raise ScanError("f-string not closed", start)
            elif found[0] == quote[0] and found[:1] in "\"'":
                if not found.startswith(quote):
                    continue  # a shorter run of quotes
                at = part.start() + len(quote)
                states.pop()
                quotes.pop()
                if not states:
                    return at
        elif state == "field":
            if part[2]:
                if part[1].lower() in ("f", "t", "fr", "rf", "tr", "rt"):
                    quotes.append(part[2])
                    states.append(("text", 0))
                else:
                    plain = PLAIN[part[2]].match(text, at)
                    if plain is None:
                        raise ScanError("string not closed", at)
                    at = plain.end()
            elif found in "([{":
                states[-1] = (state, depth + 1)
            elif found in ")]}":
                if depth:
                    states[-1] = (state, depth - 1)
                elif found == "}":
                    states.pop()
                else:
                    raise ScanError("unbalanced bracket", at)
            elif found == ":" and not depth:
                states[-1] = ("format", 0)
        elif found == "{":
            states.append(("field", 0))
        elif found == "}":
            states.pop()
        elif found == quote or (found == "\n" and len(quote) == 1):
            raise ScanError("f-string not closed", start)


def normal_string(text: str) -> str:
    """Return a plain string with double quotes, whatever its own; its value stays the same."""
    prefix, content = _parts(text)
    if "\\" in content and "r" not in prefix:
        content = ESCAPED_QUOTE.sub(lambda match: match[1] or match[0], content)
    return f'{prefix}"{content}"'


def normal_fstring(text: str) -> str:
    """Return an f-string with double quotes, unless there are other quotes in it."""
    prefix, content = _parts(text)
    return f'{prefix}"{content}"' if '"' not in content and "'" not in content else text


def _parts(text: str) -> tuple[str, str]:
    match = STRING.fullmatch(text)
    assert match is not None
    return match[1].lower(), match[3]


def joined(first: str, second: str) -> str | None:
    """Return two adjacent strings as one; None if that could change what they mean."""
    start, same = first.partition('"')[0], second.partition('"')[0]
    if start != same or first[-1] != '"' or second[-1] != '"' or OCTAL_END.search(first[:-1]):
        return None
    return first[:-1] + second[len(same) + 1 :]


class Reader:
    """Reads the logical lines of one module."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = "\n" + text
        self.reading = Reading()
        self.blocks = [Block(0, "module", "")]
        self.pending: Block | None = None  # its header was read, its first line not yet
        self.decorators: list[str] = []
        self.expects_doc = True
        self.run: list[
            tuple[str, tuple[str, ...]]
        ] = []  # imports in a row, with the names they bind
        self.counted = (0, 0)  # an offset, and the line breaks before it
        self.exports: dict[str, tuple[str, ...]] = {}  # headers of names imported by the module
        self.listed: list[str] | None = None  # names in __all__

    def read(self) -> Reading:
        """Read all lines."""
        for pattern in (FIRST, CODING):
            match = pattern.match(self.text)
            if match:
                self.reading.tokens.append("#" + match[1])
        tokens = scan(self.text, LEXICON)
        tokens.append(("line", "\n", len(self.text)))
        self._lines(tokens)
        self._flush_imports()
        self._publish()
        return self.reading

    def _lines(self, tokens: list[Token]) -> None:
        line: list[str] = []
        start = 0  # where the statement starts
        brackets: list[
            tuple[bool, int]
        ] = []  # of each: whether a last comma says nothing; its place
        commas: list[int] = []
        lambdas = 0  # open at depth 0: their colons are to come
        last_lambda = -1
        last_string = False
        for index, (kind, text, at) in enumerate(tokens):
            if kind == "name" or kind == "op":
                line.append(text)
            elif kind == "open":
                last = line[-1] if line else ""
                operand = bool(last) and (last[-1].isalnum() or last[-1] in "_)]}\"'")
                if text == "(":
                    free = operand and last not in OPERATORS and last not in SOFT
                else:
                    free = text == "{" or not operand or last in OPERATORS
                brackets.append((free, len(line)))
                commas.append(0)
                line.append(text)
            elif kind == "close":
                free, place = brackets.pop()
                count = commas.pop()
                if line[-1] == "," and (free or (count > 1 and last_lambda < place)):
                    line.pop()
                line.append(text)
            elif kind == "comma":
                line.append(text)
                if commas:
                    commas[-1] += 1
            elif kind == "string" or kind == "fstring":
                text = normal_string(text) if kind == "string" else normal_fstring(text)
                both = joined(line[-1], text) if last_string and line else None
                if both is None:
                    line.append(text)
                else:
                    line[-1] = both
                last_string = True
                continue
            elif kind == "line":
                if brackets:
                    continue
                if line:
                    self._end_line(line, start)
                    line = []
                    lambdas, last_lambda = 0, -1
                while self.blocks[-1].width < 0:
                    self._close()
                if index + 1 < len(tokens) and tokens[index + 1][0] != "directive":
                    self._indent(text)
            elif kind == "colon":
                if brackets:
                    line.append(text)
                elif lambdas:
                    lambdas -= 1
                    line.append(text)
                elif self._is_header(line, tokens[index + 1][0]):
                    self._header(line, inline=tokens[index + 1][0] not in ("line", "directive"))
                    line = []
                    last_lambda = -1
                else:
                    line.append(text)
            elif kind == "number":
                line.append(text.lower())
            elif kind == "lambda":
                if not brackets:
                    lambdas += 1
                last_lambda = len(line)
                line.append(text)
            elif kind == "semicolon":
                self._end_line(line, start)
                line = []
                lambdas, last_lambda = 0, -1
            else:  # a directive
                line.append(text)
            last_string = False
            if len(line) == 1:
                start = at
        self._indent("\n")

    def _is_header(self, line: list[str], following: str) -> bool:
        if not line:
            return False
        first = line[0]
        if first in COMPOUND:
            return True
        if len(line) == 1:
            return False
        if first == "case":
            return self.blocks[-1].kind == "match"
        return first == "match" and following == "line"

    def _header(self, line: list[str], *, inline: bool) -> None:
        """Read the header of a compound statement; its block follows."""
        self._flush_imports()
        block = Block(-1, "other", self.blocks[-1].prefix, self.blocks[-1].type_only)
        first = line[1] if line[0] == "async" and len(line) > 1 else line[0]
        if first in ("def", "class"):
            name = line[line.index(first) + 1] if line[-1] != first else ""
            block.kind = first
            block.prefix = None
            if self._define(name, [*self.decorators, *line]) and first == "class":
                block.prefix = f"{self.blocks[-1].prefix}{name}."
        elif first == "match":
            block.kind = "match"
        elif line in FOR_TYPES:
            block.type_only = True
        self.decorators = []
        self.reading.tokens += line
        self.reading.tokens.append(":")
        if inline:
            self._open(block)
        else:
            self.pending = block
        self.expects_doc = False

    def _open(self, block: Block) -> None:
        self.blocks.append(block)
        self.reading.tokens.append(OPEN)
        self.expects_doc = block.kind in ("class", "def")

    def _close(self) -> None:
        self._flush_imports()
        self.blocks.pop()
        self.reading.tokens.append(CLOSE)
        self.expects_doc = False

    def _indent(self, line: str) -> None:
        """Open or close blocks for the indentation of the next statement."""
        space = line.rpartition("\n")[2].rpartition("\f")[2]
        width = len(space.expandtabs(8)) if space else 0
        if width > self.blocks[-1].width:
            self._flush_imports()
            block = self.pending or Block(-1, "other", self.blocks[-1].prefix)
            block.width = width
            self._open(block)
        else:
            while width < self.blocks[-1].width:
                self._close()
            if width != self.blocks[-1].width:
                raise ScanError("dedent to no level", 0)
        self.pending = None

    def _end_line(self, line: list[str], start: int) -> None:
        """Read a simple statement."""
        if not line:
            return
        first = line[0]
        if first in ("import", "from"):
            self._import(line, start)
            self.expects_doc = False
            return
        if self.run:
            self._flush_imports()
        if first[0] == "#":
            self.reading.tokens += line
            return
        if self.expects_doc and len(line) == 1 and first[-1] == '"' and first[0] in '"ru':
            self.reading.add_doc(first)
        else:
            self.reading.tokens += line
            self.reading.tokens.append(END)
            if first == "@":
                self.decorators += line
            elif self.blocks[-1].prefix is not None and len(line) > 2:
                self._assignment(line)
        self.expects_doc = False

    def _define(self, name: str, header: list[str]) -> bool:
        """Add a definition, unless its name is private; return whether it was added."""
        prefix = self.blocks[-1].prefix
        if prefix is None or (prefix and not is_public(name)):
            return False
        self.reading.add_header(prefix + name, header)
        return True

    def _assignment(self, line: list[str]) -> None:
        """Add a constant, an annotated name or a type alias."""
        name = line[0]
        if name == "type" and line[1].isidentifier() and line[2] in ("=", "["):
            self._define(line[1], line)
        elif name == "__all__" and not self.blocks[-1].prefix:
            self._list_names(line)
        elif line[1] == ":" or (line[1] == "=" and name.isupper() and name.isidentifier()):
            self._define(name, _shortened(line))

    def _list_names(self, line: list[str]) -> None:
        """Read `__all__`."""
        listed = [token[1:-1] for token in line if token[0] == '"']
        self.listed = [*(self.listed or ()), *listed]

    def _import(self, line: list[str], start: int) -> None:
        """Read an import; the order of those in a row does not matter."""
        statement, binds = (
            self._import_from(line, start) if line[0] == "from" else self._imports(line, start)
        )
        self.run.append((statement, binds))

    def _flush_imports(self) -> None:
        if not self.run:
            return
        statements = [statement for statement, _ in self.run]
        bound = [name for _, binds in self.run for name in binds]
        if "*" not in bound and len(set(bound)) == len(bound):
            statements.sort()
        self.reading.add_imports(statements)
        self.run = []

    def _line_number(self, offset: int) -> int:
        before, breaks = self.counted
        breaks += self.text.count("\n", before, offset)
        self.counted = (offset, breaks)
        return breaks

    def _imports(self, line: list[str], start: int) -> tuple[str, tuple[str, ...]]:
        binds = []
        number = self._line_number(start)
        for module, alias in _clauses(line[1:]):
            binds.append(alias or module.partition(".")[0])
            self.reading.imported.append(
                ImportFact(module, number, type_only=self.blocks[-1].type_only)
            )
        return " ".join(line), tuple(binds)

    def _import_from(self, line: list[str], start: int) -> tuple[str, tuple[str, ...]]:
        split = line.index("import") if "import" in line else len(line)
        source = "".join(line[1:split])
        module = source.lstrip(".")
        names = [token for token in line[split + 1 :] if token not in ("(", ")")]
        if names and names[-1] == ",":
            names.pop()
        clauses = list(_clauses(names))
        self.reading.imported.append(
            ImportFact(
                module,
                self._line_number(start),
                names=tuple(name for name, _ in clauses),
                level=len(source) - len(module),
                type_only=self.blocks[-1].type_only,
            )
        )
        if self.blocks[-1].prefix == "" and not self.blocks[-1].type_only:
            for name, alias in clauses:
                renamed = ("as", alias) if alias else ()
                self.exports.setdefault(alias or name, ("from", source, "import", name, *renamed))
        return " ".join(("from", source, "import", *names)), tuple(a or n for n, a in clauses)

    def _publish(self) -> None:
        """Keep the headers of public names only."""
        headers = self.reading.headers
        if self.listed is not None:
            public = set(self.listed)
            for name in self.listed:
                if name not in headers:
                    headers[name] = [self.exports.get(name, (name,))]
        else:
            public = {name for name in headers if is_public(name.partition(".")[0])}
            public = {name.partition(".")[0] for name in public}
            if self.path.rpartition("/")[2].startswith("__init__."):
                for name, header in self.exports.items():
                    if name not in headers and is_public(name):
                        headers[name] = [header]
                        public.add(name)
        for name in list(headers):
            if name.partition(".")[0] not in public:
                del headers[name]


def is_public(name: str) -> bool:
    """Tell whether a name is public: no underscore in front, or two on both sides."""
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def _clauses(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what an import names, and how it is called here if not the same."""
    module, alias, renamed = "", "", False
    for token in [*tokens, ","]:
        if token == ",":
            yield module, alias
            module, alias, renamed = "", "", False
        elif token == "as":
            renamed = True
        elif renamed:
            alias = token
        elif token[0] != "#":
            module += token


def _shortened(line: list[str]) -> list[str]:
    """Return an assignment without its value, unless that is a short literal or a type."""
    if "=" not in line:
        return line
    split = line.index("=")
    value = line[split + 1 :]
    if "TypeAlias" in line[:split]:
        return line
    is_literal = len(value) == 1 and (
        value[0][-1] == '"' or value[0][0].isdigit() or value[0] in ("True", "False", "None")
    )
    if is_literal and len(value[0]) <= SHORT:
        return line
    return [*line[: split + 1], "..."]


def read(path: str, text: str) -> Reading:
    """Read a module."""
    return Reader(path, text).read()


LEXICON = Lexicon(PATTERN, {"fstring": fstring})
PYTHON = Language("python", LEXICON, read)
