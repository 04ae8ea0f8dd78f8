"""Python: docstrings, imports and public names of a module."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.facts import ImportFact, SourceReading, nested
from yg_old.code.language import Language
from yg_old.code.languages.python_lines import LinePart, statements
from yg_old.code.languages.python_strings import FSTRING_START, STRING, add_fstring, is_docstring
from yg_old.code.scan import Lexicon, ScanError, scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PATTERN = rf"""
    (?:
      (?P<line>   \n (?: [ \t\f]*+ (?: \# (?![ \t]*+type:) [^\n]*+ )? \n )*+ [ \t\f]*+
                  (?: \\\n [ \t\f]*+ )*+ )
    | (?P<lambda> lambda\b )
    | (?P<mark>   (?: for | yield )\b | := )
    | (?P<fstring> {FSTRING_START} )
    | (?P<string> {STRING} )
    | (?P<name>   [A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*+ )
    | (?P<open>   [(\[{{] )
    | (?P<close>  [)\]}}] )
    | (?P<comma>  , )
    | (?P<number> 0[xX][\da-fA-F_]++ | 0[bB][01_]++ | 0[oO][0-7_]++
        | (?: \d[\d_]*+ (?: \.[\d_]*+ )?+ | \.\d[\d_]*+ ) (?: [eE][-+]?\d[\d_]*+ )?+ [jJ]?+ )
    | (?P<op>     \.\.\. | -> | <> | \*\*=? | //=? | >>=? | <<=? | [-+*/%@&|^=<>!]=
        | [-+*/%@&|^=<>~.] )
    | (?P<colon>  : )
    | (?P<semicolon> ; )
    | (?P<directive> \# [ \t]*+ type: (?: [ \t]*+ [^ \t\n]++ )*+ )
    | \# [^\n]*+ | \\\n | [ \t\f]
    | (?P<bad>    . )
    )
    [ \t\f]*+
"""
SHEBANG = re.compile(r"#![^\n]*")
CODING = re.compile(r"(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")

# Encodings in which the bytes of ASCII are what they look like.
PLAIN_CODING = re.compile(r"utf[-_]?8|u8|(?:us[-_]?)?ascii|latin|iso|l1|cp125|windows|koi8|euc")

# Tokens for what has no text of its own.
OPEN, CLOSE, END = "\x01", "\x02", "\n"  # of a block; of a statement
FLAG = "TYPE_CHECKING"  # false at run time
TYPING = frozenset(("typing", "typing_extensions"))  # modules that have it
NOT_ONLY_AND = frozenset("or if else lambda ( [ {".split())  # with these, `and` may not be all
LISTING = frozenset(
    "= += : ( [ , ] ) . extend append list tuple str ...".split()
)  # around names in __all__
SHORT = 40  # characters of a literal that counts in a signature


class PythonBlock(Struct):
    """A block of statements."""

    kind: str  # module, class, def or other
    prefix: str | None  # of the names defined in it; None: they are not public
    path: str | None  # of the parts defined in it; None: it is in a function
    type_only: bool = False
    rest_type_only: bool = False  # so are the branches after the last one of an `if` in it
    span: int | None = None  # the number of what it is the body of


class ModuleReader:
    """Reads the statements of one module."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = "\n" + text  # every line follows a line break, also the first one
        self.reading = SourceReading(len(text), tight=True)
        self.blocks = [PythonBlock("module", "", "")]
        self.next_block: PythonBlock | None = None  # its header was read
        self.decorators: list[str] = []
        self.decorated: tuple[int, int] | None = None  # where these start: token and offset
        self.ended = 0  # where the last statement ends
        self.expects_doc = True
        self.run: list[tuple[str, list[str]]] = []  # imports in a row, with the names they bind
        self.flags = {FLAG, *(f"{module} . {FLAG}" for module in TYPING)}  # ways to write it
        self.counted = (0, 0)  # an offset, and the line breaks before it
        self.exports: dict[str, tuple[str, ...]] = {}  # headers of names imported by the module
        self.listed: list[str] = []  # names in __all__
        self.lists_all = True  # whether these are all of its names

    def read(self) -> SourceReading:
        """Read all statements."""
        tokens = self.reading.tokens
        tokens += (match[0] for match in (SHEBANG.match(self.text, 1),) if match)
        coding = CODING.match(self.text, 1)
        if coding:
            if not PLAIN_CODING.match(coding[1].lower()):
                raise ScanError("in an encoding that is not read", 0)
            tokens.append(coding[1])
        for part, line, start, end in statements(scan(self.text, LEXICON)):
            if part is LinePart.STATEMENT:
                self.ended = end
                self._statement(line, start)
                continue
            if self.run:
                self._end_imports()
            if part is LinePart.HEADER:
                self.ended = end
                self._header(line, start)
            elif part is LinePart.OPEN:
                self._open()
            elif part is LinePart.CLOSE:
                tokens.append(CLOSE)
                self._end_span(self.blocks.pop().span)
            else:
                tokens += line
        self._end_imports()
        self._publish()
        self.reading.divide(tokens, self.text[1:])
        return self.reading

    def _header(self, line: list[str], start: int) -> None:
        """Read the header of a compound statement."""
        outer = self.blocks[-1]
        block = PythonBlock("other", outer.prefix, outer.path, outer.type_only)
        keyword = line[1] if line[0] == "async" and len(line) > 1 else line[0]
        if keyword in ("def", "class"):
            if line[-2:] == ["(", ")"] and keyword == "class":
                del line[-2:]
            name = (
                line[-1]
                if line[-2:] == ["class", line[-1]]
                else "".join(line[line.index(keyword) + 1 :][:1])
            )
            block = PythonBlock(keyword, None, None, outer.type_only)
            if self._define(name, [*self.decorators, *line]) and keyword == "class":
                block.prefix = nested(outer.prefix or "", name)
            if outer.path is not None:
                place = self.decorated or (len(self.reading.tokens), start)
                block.span = self._start_span((name,), *place)
                block.path = nested(outer.path, name) if keyword == "class" else None
        else:
            self._branch(block, outer, keyword, line[1:])
        self.next_block = block
        self.decorators = []
        self.decorated = None
        self.expects_doc = False
        self.reading.tokens += line
        self.reading.tokens.append(":")
        self._end_span(block.span)

    def _start_span(self, names: Iterable[str], token: int, offset: int) -> int:
        """Add a part that starts here, or at its first decorator."""
        path = self.blocks[-1].path or ""
        names = tuple(path + name for name in names)
        return self.reading.add_span(names, token, token, offset - 1)

    def _end_span(self, span: int | None) -> None:
        if span is not None:  # offsets are without the line break in front of the text
            self.reading.spans.close(span, len(self.reading.tokens), self.ended - 2)

    def _branch(
        self, block: PythonBlock, outer: PythonBlock, keyword: str, condition: list[str]
    ) -> None:
        """Tell whether a block is read by type checkers only, from the header in front of it."""
        if keyword not in ("elif", "else"):
            outer.rest_type_only = False
        block.type_only |= outer.rest_type_only
        if keyword in ("if", "elif"):
            block.type_only |= self._is_false(condition)
            outer.rest_type_only |= condition[:1] == ["not"] and self._is_flag(condition[1:])

    def _is_false(self, condition: list[str]) -> bool:
        """Tell whether a condition is false at run time, because of the flag of type checkers."""
        if self._is_flag(condition):
            return True
        if "and" not in condition or not NOT_ONLY_AND.isdisjoint(condition):
            return False
        return not self.flags.isdisjoint(" ".join(condition).split(" and "))

    def _is_flag(self, expression: list[str]) -> bool:
        return " ".join(expression).lstrip("( ").rstrip(") ") in self.flags

    def _open(self) -> None:
        outer = self.blocks[-1]
        block = self.next_block or PythonBlock("other", outer.prefix, outer.path, outer.type_only)
        self.next_block = None
        self.blocks.append(block)
        self.reading.tokens.append(OPEN)
        self.expects_doc = block.kind in ("class", "def")

    def _statement(self, line: list[str], start: int) -> None:
        first = line[0]
        if first in ("import", "from"):
            self.run.append(
                self._from(line, start) if first == "from" else self._import(line, start)
            )
        else:
            if self.run:
                self._end_imports()
            if self.expects_doc and len(line) == 1 and is_docstring(first):
                self.reading.add_doc(without_indentation(first))
            else:
                place = len(self.reading.tokens), start
                self.reading.tokens += line
                self.reading.tokens.append(END)
                if first == "@":
                    self.decorators += line
                    self.decorated = self.decorated or place
                elif self.blocks[-1].path is not None and line[1:]:
                    names = self._assignment(line)
                    if names:
                        self._end_span(self._start_span(names, *place))
        self.expects_doc = False

    def _define(self, name: str, header: list[str]) -> bool:
        """Add a definition, unless its name is private; return whether it was added."""
        prefix = self.blocks[-1].prefix
        if prefix is None or (prefix and not is_public(name)):
            return False
        self.reading.add_header(prefix + name, header)
        return True

    def _assignment(self, line: list[str]) -> list[str]:
        """Add a constant, an annotated name or a type alias, and return the names."""
        name = line[0]
        if name == "__all__" and self.blocks[-1].prefix == "":
            self._list_names(line)
        elif name == "type" and line[1].isidentifier():
            self._define(line[1], line)
            return [line[1]]
        elif name.isidentifier() and (line[1] == ":" or (line[1] == "=" and name.isupper())):
            value = 1  # where it starts; `A = B = 1` binds two names
            while line[value + 2 : value + 3] == ["="] and line[value] == "=":
                value += 2
            _, *shown = _shortened([name, *line[value:]])
            targets = _targets(line)
            for target in targets:
                self._define(target, [target, *shown])
            return targets
        elif line[1] == ",":
            targets = [target for target in _targets(line) if target.isupper()]
            for target in targets:
                self._define(target, [target, "=", "..."])
            return targets
        return []

    def _list_names(self, line: list[str]) -> None:
        """Read the names in `__all__`; if they are not all literals, it hides nothing."""
        if all(token in LISTING or token[0] == '"' for token in line[1:]):
            self.listed += (token[1:-1] for token in line[1:] if token[0] == '"')
        else:
            self.lists_all = False

    def _end_imports(self) -> None:
        """Add the imports in a row; their order matters only if a name is bound twice."""
        if not self.run:
            return
        imports = [statement for statement, _ in self.run]
        bound = [name for _, names in self.run for name in names]
        if "*" not in bound and len(set(bound)) == len(bound):
            imports.sort()
        self.reading.add_imports(imports)
        self.run = []

    def _import(self, line: list[str], start: int) -> tuple[str, list[str]]:
        """Read `import a.b, c as d`."""
        number = self._line_number(start)
        type_only = self.blocks[-1].type_only
        clauses = list(_clauses(line[1:]))
        self.reading.spend(facts=len(clauses))
        self.reading.imported += (
            ImportFact(module, number, type_only=type_only, aliases=(alias,) if alias else ())
            for module, alias in clauses
        )
        aliases = (alias for module, alias in clauses if alias and module in TYPING)
        self.flags.update(f"{alias} . {FLAG}" for alias in aliases)
        return " ".join(line), [alias or module.partition(".")[0] for module, alias in clauses]

    def _from(self, line: list[str], start: int) -> tuple[str, list[str]]:
        """Read `from ..a import (b, c as d)`."""
        split = line.index("import") if "import" in line else len(line)
        source = "".join(line[1:split])
        module = source.lstrip(".")
        names = [token for token in line[split + 1 :] if token not in ("(", ")")]
        if names[-1:] == [","]:
            names.pop()
        clauses = list(_clauses(names))
        self.reading.spend(facts=len(clauses))
        if source in TYPING:
            self.flags |= {alias for name, alias in clauses if name == FLAG and alias}
        block = self.blocks[-1]
        has_aliases = any(alias for _, alias in clauses)
        self.reading.imported.append(
            ImportFact(
                module,
                self._line_number(start),
                names=tuple(name for name, _ in clauses),
                level=len(source) - len(module),
                type_only=block.type_only,
                aliases=tuple(alias or name for name, alias in clauses if has_aliases),
            )
        )
        if block.prefix == "":
            for name, alias in clauses:
                header = ("from", source, "import", name, *(("as", alias) if alias else ()))
                self.exports.setdefault(alias or name, header)
        return " ".join(("from", source, "import", *names)), [
            alias or name for name, alias in clauses
        ]

    def _line_number(self, offset: int) -> int:
        before, breaks = self.counted
        breaks += self.text.count("\n", before, offset)
        self.counted = (offset, breaks)
        return breaks

    def _publish(self) -> None:
        """Keep the headers of public names only, and add those of names imported for others."""
        headers = self.reading.headers
        if self.listed and self.lists_all:
            public = set(self.listed)
            exported = {name: self.exports.get(name, (name,)) for name in self.listed}
        else:
            public = {top for top in map(_top, headers) if is_public(top)}
            exported = {}
            if self.path.rpartition("/")[2].startswith("__init__."):
                exported = dict(self._re_exports())
        for name in [name for name in headers if _top(name) not in public]:
            del headers[name]
        for name, header in exported.items():
            if name not in headers:
                self.reading.add_header(name, header)

    def _re_exports(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the public names that a package imports from itself."""
        folders = self.path.split("/")[:-1]
        for name, header in self.exports.items():
            source = header[1]
            if is_public(name) and (source[0] == "." or source.partition(".")[0] in folders):
                yield name, header


def _top(name: str) -> str:
    return name.partition(".")[0]


def without_indentation(doc: str) -> str:
    """Return a docstring without its quotes and the indentation of its lines."""
    prefix, _, content = doc.partition('"')
    raw = 'r"' if "r" in prefix and "\\" in content else ""
    first, *lines = content[:-1].expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return raw + "\n".join((first.strip(), *(line[margin:].rstrip() for line in lines))).strip()


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


def _targets(line: list[str]) -> list[str]:
    """Return the names that an assignment binds; none if it binds anything else."""
    names: list[str] = []
    found = [line[0]] if line[1] == ":" else []
    for token in line if not found else ():
        if token == "=":
            found += names
            names = []
        elif token.isidentifier():
            names.append(token)
        elif token != ",":
            break
    return found


def _shortened(line: list[str]) -> list[str]:
    """Return an assignment without its value, unless that is a short literal or a type."""
    if "=" not in line:
        return line
    split = line.index("=")
    value = line[split + 1 + (line[split + 1 : split + 2] == ["-"]) :]
    if "TypeAlias" in line[:split]:
        return line
    is_literal = len(value) == 1 and (
        value[0][-1] == '"' or value[0][0].isdigit() or value[0] in ("True", "False", "None")
    )
    if is_literal and len(value[0]) <= SHORT:
        return line
    return [*line[: split + 1], "..."]


def read(path: str, text: str) -> SourceReading:
    """Read a module."""
    return ModuleReader(path, text).read()


LEXICON = Lexicon(re.compile(PATTERN, re.VERBOSE | re.DOTALL), {"fstring": add_fstring})
PYTHON = Language("python", LEXICON, read, docstrings=True)
