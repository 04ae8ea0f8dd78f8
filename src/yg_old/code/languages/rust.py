"""Rust: nested comments, use trees, public items and their members."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from yg_old.code.facts import nested
from yg_old.code.language import Language
from yg_old.code.languages.braces import SourceParts, drop_comma
from yg_old.code.nested import nested_comment
from yg_old.code.scan import Lexicon, ScanError, scan, taken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.code.facts import SourceReading
    from yg_old.code.languages.braces import Doc
    from yg_old.code.scan import Scanner, Token

PATTERN = re.compile(
    r"""
    (?:
      (?P<raw>    [bc]?+r\#*+" )
    | (?P<string> [bc]?+"[^"\\]*+(?:\\.[^"\\]*+)*+" )
    | (?P<name>   (?:r\#)?+[^\W\d]\w*+ )
    | (?P<open>   [(\[{] )
    | (?P<close>  [)\]}] )
    | (?P<comma>  , )
    | (?P<doc>    ///(?!/)[^\n]*+ | //![^\n]*+ )
    | (?P<comment> //[^\n]*+ )
    | (?P<block>  /\* )
    | (?P<number> 0x[\da-fA-F_]++(?:[iu]\w++)?+
                | \d[\d_]*+(?:\.(?![.\w])|\.\d[\d_]*+)?+(?:[eE][-+]?[\d_]++)?+\w*+ )
    | (?P<op>     => | -> | ::? | \.\.[.=]? | && | \|\| | <<=? | [-+*/%^&|=!<]=
                | [-+*/%^&|=!<>?;.@\#$~] )
    | (?P<char>   b?+'(?:[^'\\\n]|\\[^\n][^'\n]*+)' )
    | (?P<life>   '[^\W\d]\w*+ )
    | \s
    | (?P<bad>    . )
    )
    \s*+
    """,
    re.VERBOSE | re.DOTALL,
)


def _block_comment(scanner: Scanner, start: int) -> int:
    """Read a block comment, which may hold others, and return its end."""
    text, end = scanner.text, nested_comment(scanner, start)
    is_doc = text[start + 2] == "!" or (text[start + 2] == "*" and text[start + 3] not in "*/")
    if is_doc:
        scanner.tokens.append(("doc", text[start:end], start))
    return end


def _raw_string(scanner: Scanner, start: int) -> int:
    """Read a raw string, which ends with as many `#` as it starts with, and return its end."""
    text = scanner.text
    quote = text.index('"', start)
    closing = '"' + "#" * text.count("#", start, quote)
    end = text.find(closing, quote + 1)
    if end < 0:
        raise ScanError("string not closed", start)
    end += len(closing)
    scanner.tokens.append(("string", text[start:end], start))
    return end


LEXICON = Lexicon(PATTERN, {"block": _block_comment, "raw": _raw_string})
KEYWORDS = frozenset(
    "as await box break const continue dyn else enum extern fn for if impl in let loop match mod"
    " move mut pub ref return static struct trait type unsafe use where while yield".split()
)
LONGEST_TYPES = 500  # tokens
ANGLES = {"<": 1, "<<": 2, ">": -1}
NAMED = frozenset("fn struct union enum trait mod type const static".split())
RESTRICTIONS = frozenset(("crate", "super", "self", "in"))  # in `pub(crate)`
LINTS = frozenset("allow deny expect forbid warn".split())  # attributes that say nothing to users
QUALIFIERS = frozenset(("const", "async", "unsafe", "extern", "default", "safe"))


def normalised(  # noqa: C901 - one branch per kind of token
    tokens: list[Token],
) -> tuple[list[Token], list[Doc]]:
    """Return the tokens without doc comments and trailing commas, and the doc comments.

    A comma may also end a where clause. The comma of a tuple of one stays, and so do all commas in
    the braces of a macro. The list of tokens is empty afterwards.
    """
    result: list[Token] = []
    docs: list[Doc] = []
    opened: list[tuple[str, bool, int]] = []  # and whether a last comma says nothing; commas
    rules = 0  # the depth of the braces of a macro
    types: dict[int, int] = {}  # see _closes_types
    for token in taken(tokens):
        kind, text, at = token
        if kind == "doc":
            docs.append((len(result), text, at))
            continue
        if kind == "open":
            if not rules and _keeps_commas(result, text):
                rules = len(opened) + 1
            if (
                text == "{"
                and not rules
                and result
                and result[-1][0] == "comma"
                and not (opened and opened[-1][0] != "{")
            ):
                drop_comma(result, docs)
            opened.append((text, text != "(" or _is_call(result, types), 0))
        elif kind == "comma":
            if opened:
                opened[-1] = (*opened[-1][:2], opened[-1][2] + 1)
        elif kind == "close":
            _, is_free, commas = opened.pop()
            if result[-1][0] == "comma" and (is_free or commas > 1) and not rules:
                drop_comma(result, docs)
            if len(opened) < rules:
                rules = 0
        elif text == ">" and kind == "op" and result and result[-1][0] == "comma" and not rules:
            drop_comma(result, docs)
        result.append(token)
    return result, docs


def _keeps_commas(result: list[Token], bracket: str) -> bool:
    """Tell whether a bracket here opens the rules of a macro, or its arguments in braces."""
    words = [text for _, text, _ in result[-3:]]
    return "macro_rules" in words or (bracket == "{" and ("!" in words[-2:] or "macro" in words))


def _is_call(result: list[Token], types: dict[int, int]) -> bool:
    """Tell whether a parenthesis here opens arguments, not a tuple."""
    if not result:
        return False
    kind, text, _ = result[-1]
    if kind == "name":
        return text not in KEYWORDS
    if text == ")":
        return not _is_restriction(result)
    return text in ("]", "!") or (text == ">" and _closes_types(result, types))


def _is_restriction(result: list[Token]) -> bool:
    """Tell whether the last token closes `pub(crate)` or `pub(in a::b)`."""
    at = len(result) - 2
    while at > 0 and (result[at][0] == "name" or result[at][1] == "::"):
        at -= 1
    return at > 0 and result[at][1] == "(" and result[at - 1][1] == "pub"


def _closes_types(result: list[Token], known: dict[int, int]) -> bool:
    """Tell whether the last token, a `>`, closes the arguments of `::<`, or of a name's `<`.

    `known` are the answers so far: where the types start, or 0, by where they end.
    """
    depth = start = 0
    place, first = len(result) - 1, max(len(result) - LONGEST_TYPES, 0)
    while place > first:
        kind, text, _ = result[place]
        if place in known:
            if not known[place]:
                break
            place = known[place]
        elif text == ">" and kind == "op":
            depth += 1
        elif text == "<" and kind == "op":
            depth -= 1
            if not depth:
                start = place
                break
        elif text in (";", "{", "}", "=", "&&", "||"):
            break
        place -= 1
    known[len(result) - 1] = start
    return start > 0 and (result[start - 1][1] == "::" or result[start - 2][1] == "fn")


class Implementation(NamedTuple):
    """An `impl` block, to be read when all types of the file are known."""

    start: int  # of its attributes
    first: int
    keyword: int
    brace: int
    attributes: list[str]
    prefix: str | None  # of public names
    path: str  # prefix of parts


class RustReader:
    """Finds imports, public items and parts."""

    def __init__(self, text: str) -> None:
        self.parts = SourceParts(text, *normalised(scan(text, LEXICON)))
        self.tokens = self.parts.tokens
        self.texts = self.parts.texts
        self.used: set[int] = set()  # imports that were read
        # Where attributes of what is around them end; they say nothing about the item that follows.
        self.inner = {
            self.parts.skip(at + 2)
            for at, text in enumerate(self.texts)
            if text == "#" and self.texts[at + 1 : at + 3] == ["!", "["]
        }
        self.private: set[str] = set()  # types and traits of this file that are not public
        self.public: set[str] = set()  # those that are; a private one may have the same name
        self.impls: list[Implementation] = []
        self.in_impl = False
        # Blocks to read: first token, end, prefix of public names; members public by themselves;
        # prefix of parts.
        self.blocks: list[tuple[int, int, str | None, bool, str]] = [
            (0, len(self.tokens), "", False, "")
        ]
        # The names of the modules in this file, by their first token, and where they end.
        self.inline: dict[int, tuple[int, int]] = {}
        self.modules = [(0, "")]  # their numbers lead to the module around each, and its name
        self.inside = 0
        self.path = ""  # of the last item, from its attribute
        self.outer = 0  # where its attributes start

    def read(self) -> SourceReading:
        """Read all declarations."""
        while self.blocks:
            block = self.blocks.pop()
            self.inside = self.inline.get(block[0], (0, 0))[0]
            self._items(*block)
            if not self.blocks and self.impls:
                impls, self.impls = self.impls, []
                self.in_impl = True
                for impl in impls:
                    self._impl(impl)
        self._uses_in_bodies()
        return self.parts.finish()

    def _text(self, index: int) -> str:
        return self.texts[index] if index < len(self.texts) else ""

    def _items(
        self,
        at: int,
        end: int,
        prefix: str | None,
        is_open: bool,  # noqa: FBT001
        path: str,
    ) -> None:
        """Read the items of a file, a module, a trait or an implementation."""
        while at < end:
            at, attributes = self._attributes(at, end)
            start, first = self.outer, at
            is_public, name = is_open, ""
            if first < end and self.tokens[first][0] == "name":
                is_public, at = self._visibility(at, is_open=is_open)
                name = self._name(at, end)
            public = prefix if is_public else None
            at = max(self._item(attributes, first, at, end, public, prefix, path), first + 1)
            if name:
                self.parts.part((path + name,), start, min(at, end))

    def _visibility(self, at: int, *, is_open: bool = False) -> tuple[bool, int]:
        """Return whether an item is public, at least in its crate, and where `pub` ends."""
        if self._text(at) != "pub":
            return is_open, at
        if self._text(at + 1) != "(" or self._text(at + 2) not in RESTRICTIONS:
            return True, at + 1
        return self._text(at + 2) != "self", self.parts.skip(at + 1)

    def _name(self, at: int, end: int) -> str:
        """Return the name of an item; empty if it has none, or is read later."""
        keyword = self._keyword(at, end)
        word = self._text(keyword)
        name = keyword + 1 + (word == "static" and self._text(keyword + 1) == "mut")
        is_named = word in NAMED and name < end and self.tokens[name][0] == "name"
        return self.texts[name] if is_named and self.texts[name] != "_" else ""

    def _attributes(self, at: int, end: int) -> tuple[int, list[str]]:
        """Return where attributes end, and those that count in a header."""
        found: list[str] = []
        self.path = ""
        self.outer = at
        while at < end and self.texts[at] == "#":
            is_inner = self._text(at + 1) == "!"
            bracket = at + 1 + is_inner
            following = self.parts.skip(bracket)
            if is_inner:
                self.outer = following
            elif self._text(bracket + 1) not in LINTS:
                found += self.texts[at:following]
            if self.texts[bracket + 1 : bracket + 3] == ["path", "="]:
                self.path = self._text(bracket + 3).strip('r#"')
            at = following
        return at, found

    def _item(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0917
        self,
        attributes: list[str],
        first: int,
        at: int,
        end: int,
        public: str | None,
        prefix: str | None,
        path: str,
    ) -> int:
        """Read one item, and return the end of it."""
        keyword = self._keyword(at, end)
        word, name = self._text(keyword), self._text(keyword + 1)

        def header(name: str, stop: int) -> None:
            if public is not None:
                self.parts.header(public + name, (*attributes, *self.texts[first:stop]))

        match word:
            case "use":
                return self._use((*attributes, *self.texts[first:at]), at, end, public)
            case "crate" if self._text(at) == "extern":
                stop = self.parts.find(at, end, ";") + 1
                self.parts.imported(at, name)
                self._import(
                    at, stop, "extern crate " + " ".join(self.texts[keyword + 1 : stop - 1])
                )
                return stop
            case "fn":
                stop = self._header_end(keyword, end)
                header(name, stop)
                return self.parts.skip(stop)
            case "struct" | "union" if self.tokens[keyword + 1][0] == "name":
                return self._struct(attributes, first, keyword, end, public, path)
            case "enum":
                stop = self.parts.skip(self._header_end(keyword, end))
                self._declare(name, public)
                header(name, stop)
                return stop
            case "trait":
                stop = self._header_end(keyword, end)
                self._declare(name, public)
                header(name, stop)
                inner = None if public is None else nested(public, name)
                return self._members(stop, end, inner, nested(path, name))
            case "impl":
                stop = self._header_end(keyword, end)
                if self._text(stop) == "{":
                    impl = Implementation(
                        self.outer, first, keyword, stop, attributes, prefix, path
                    )
                    self.impls.append(impl)
                return self.parts.skip(stop)
            case "mod":
                stop = self.parts.find(keyword, end, "{", ";")
                header(name, stop)
                if self._text(stop) == ";":
                    self._declared(keyword, name)
                    return stop + 1
                following = self.parts.skip(stop)
                inner = None if public is None else nested(public, name)
                block = (stop + 1, following - 1, inner, False, nested(path, name))
                self.blocks.append(block)
                self.inline[stop + 1] = (len(self.modules), following)
                self.modules.append((self.inside, name))
                return following
            case "type":
                stop = self.parts.find(keyword, end, ";")
                if not self.in_impl:
                    self._declare(name, public)
                header(name, stop)
                return stop + 1
            case "const" | "static":
                return self._constant(attributes, first, keyword, end, public)
            case "{" if self._text(at) in ("extern", "unsafe"):
                return self._members(keyword, end, prefix, path, is_open=False)
            case _:
                return self._skip_item(at, end)

    def _skip_item(self, at: int, end: int) -> int:
        """Return the end of a macro, or of what is not known."""
        stop = self.parts.find(at, end, ";", "{", "(", "[")
        following = self.parts.skip(stop)
        is_braced = self._text(stop) in ("{", ";")
        return following if is_braced or self._text(following) != ";" else following + 1

    def _keyword(self, at: int, end: int) -> int:
        """Return the keyword of an item behind its qualifiers."""
        while at < end and (self.texts[at] in QUALIFIERS or self.tokens[at][0] == "string"):
            is_const = self.texts[at] == "const"
            if is_const and self._text(at + 1) not in ("fn", "unsafe", "async", "extern", "trait"):
                return at
            at += 1
        if self._text(at) == "auto":
            at += 1
        return at

    def _declare(self, name: str, public: str | None) -> None:
        (self.private if public is None else self.public).add(name)

    def _header_end(self, at: int, end: int) -> int:
        """Return the brace or the semicolon that ends a header."""
        depth = 0  # of angle brackets, in which a brace holds a constant
        while at < end:
            text = self.texts[at]
            depth += ANGLES.get(text, 0)
            if text == ";" or (text == "{" and depth <= 0):
                return at
            at = self.parts.skip(at)
        return end

    def _members(
        self, brace: int, end: int, prefix: str | None, path: str, *, is_open: bool = True
    ) -> int:
        """Remember a block of members, and return the end of it."""
        following = self.parts.skip(brace)
        if self._text(brace) == "{" and brace < end:
            self.blocks.append((brace + 1, following - 1, prefix, is_open, path))
        return following

    def _struct(  # noqa: PLR0913, PLR0917
        self,
        attributes: list[str],
        first: int,
        keyword: int,
        end: int,
        public: str | None,
        path: str,
    ) -> int:
        name = self.texts[keyword + 1]
        stop = keyword + 2
        if self._text(stop) == "<":
            stop = self._angle_end(stop, len(self.tokens)) + 1
        if self._text(stop) != "(":
            stop = self._header_end(stop, end)
        following = self.parts.skip(stop)
        is_tuple = self._text(stop) == "("
        if is_tuple:
            following = self.parts.find(stop, end, ";") + 1
        self._declare(name, public)
        if public is not None:
            rest = self.texts[self.parts.skip(stop) : following - 1] if is_tuple else []
            self.parts.header(public + name, (*attributes, *self.texts[first:stop], *rest))
        fields = self.parts.split(stop + 1, self.parts.closing.get(stop) or stop)
        for number, (start, last) in enumerate(fields):
            at, written = self._attributes(start, last)
            is_public, named = self._visibility(at)
            field = f"{name}.{number if is_tuple else self._text(named)}"
            if is_public and public is not None:
                self.parts.header(public + field, (*written, *self.texts[at:last]))
            self.parts.part((path + field,), start, last)
        return following

    def _constant(
        self, attributes: list[str], first: int, keyword: int, end: int, public: str | None
    ) -> int:
        stop = self.parts.find(keyword, end, ";")
        if public is not None:
            equals = self.parts.find(keyword, stop, "=")
            name = keyword + 1 + (self._text(keyword + 1) == "mut")
            value = self.parts.short_value(equals + 1, stop)
            header = (*attributes, *self.texts[first:equals], *value)
            self.parts.header(public + self._text(name), header)
        return stop + 1

    def _impl(self, impl: Implementation) -> None:
        """Read an implementation: of a trait, its header; of a type, its public members."""
        at = impl.keyword + 1
        if self._text(at) == "<":
            at = self._angle_end(at, impl.brace) + 1
        stop = self.parts.find(at, impl.brace, "where")
        split = self._for(at, stop)
        owned = "".join(self.texts[split + 1 if split else at : stop])
        owner = self._type_name(split + 1 if split else at, stop)
        names = [owner, self._type_name(at, split)] if split else [owner]
        is_hidden = any(name in self.private and name not in self.public for name in names)
        public = None if is_hidden else impl.prefix
        named = f"impl {''.join(self.texts[at:split])} for {owned}" if split else f"impl {owned}"
        if split and public is not None:
            header = self.texts[impl.first : impl.brace]
            self.parts.header(public + named, (*impl.attributes, *header))
        inner = None if split or public is None else nested(public, owner)
        path = nested(impl.path, owner or owned)
        end = self._members(impl.brace, len(self.tokens), inner, path, is_open=False)
        self.parts.part((impl.path + named,), impl.start, min(end, len(self.tokens)))

    def _for(self, at: int, end: int) -> int:
        """Return where `for` separates a trait from a type; 0 if it does not."""
        depth = 0
        while at < end:
            text = self.texts[at]
            depth += ANGLES.get(text, 0)
            if text == "for" and not depth and self._text(at + 1) != "<":
                return at
            at = self.parts.skip(at)
        return 0

    def _angle_end(self, at: int, end: int) -> int:
        depth = 0
        while at < end:
            depth += ANGLES.get(self.texts[at], 0)
            if not depth:
                return at
            at = self.parts.skip(at)
        return at

    def _type_name(self, at: int, end: int) -> str:
        """Return the last part of a path."""
        name = ""
        while at < end and self.texts[at] != "<":
            if self.tokens[at][0] == "name" and self.texts[at] not in KEYWORDS:
                name = self.texts[at]
            at += 1
        return name

    # Imports

    def _use(self, before: Sequence[str], at: int, end: int, public: str | None) -> int:
        stop = self.parts.find(at, end, ";")
        self.parts.reading.spend(tokens=stop - at, facts=0)
        self.used.add(at)
        leaves = sorted(self._leaves(at + 1, stop))
        for path, alias in leaves:
            self._imported(at, path, alias, is_public=public is not None)
            name = alias or path.rpartition("::")[2]
            if public is not None:
                shown = path if name == "*" else name
                renamed = ("as", alias) if alias else ()
                self.parts.header(public + shown, (*before, "use", path, *renamed))
        if public is None:
            text = "; ".join(f"{path} as {alias}" if alias else path for path, alias in leaves)
            self._import(at, min(stop + 1, len(self.tokens)), text)
        return stop + 1

    def _uses_in_bodies(self) -> None:
        """Read the imports inside of functions."""
        at = -1
        found = ((start, end, module) for start, (module, end) in self.inline.items())
        waiting = sorted(found, reverse=True)
        around: list[tuple[int, int, int]] = [(0, len(self.tokens), 0)]
        for _ in range(self.texts.count("use")):
            at = self.texts.index("use", at + 1)
            while waiting and waiting[-1][0] <= at:
                around.append(waiting.pop())
            while around[-1][1] <= at:
                around.pop()
            is_first = self._text(at - 1) in (";", "{", "}") or at in self.inner
            if at not in self.used and is_first:
                self.inside = around[-1][2]
                self._use((), at, len(self.tokens), None)

    def _import(self, at: int, end: int, statement: str) -> None:
        """Take an import out of the tokens, with `pub(crate)` and attributes if it has any."""
        before = self._text(at - 1) if at else ""
        if before not in (")", "]") or at in self.inner:
            self.parts.imports(at, end, statement)

    def _imported(self, at: int, path: str, alias: str, *, is_public: bool) -> None:
        """Add a fact; in a module of this file, the path is made relative to the file."""
        if self.inside and path.startswith(("self::", "super::")):
            inside = self._modules_around()
            path = path.removeprefix("self::")
            while inside and path.startswith("super::"):
                inside.pop()
                path = path.removeprefix("super::")
            if not path.startswith("super::"):
                path = "::".join(("self", *inside, path))
        module, _, name = path.rpartition("::")
        self.parts.imported(
            at,
            module or name,
            (name,) if module else (),
            form="export" if is_public else "import",
            aliases=(alias,) if alias else (),
        )

    def _declared(self, at: int, name: str) -> None:
        """Add the fact that a module is in another file; a path is relative to this file."""
        if not self.path:
            self.parts.imported(at, "::".join((*self._modules_around(), name)), form="mod")
        elif not self.inside:
            self.parts.imported(at, self.path, (name,), form="path")

    def _modules_around(self) -> list[str]:
        """Return the names of the modules of this file around this place, the outermost first."""
        names, module = [], self.inside
        while module:
            module, name = self.modules[module]
            names.append(name)
        self.parts.reading.spend(sum(map(len, names)) + len(names))
        return names[::-1]

    def _leaves(self, start: int, end: int) -> Iterator[tuple[str, str]]:
        """Yield the paths of a use tree, with their aliases."""
        waiting = [("", start, end)]
        while waiting:
            prefix, first, stop = waiting.pop()
            for at, last in self.parts.split(first, stop):
                brace = self.parts.find(at, last, "{")
                rename = self.parts.find(at, brace, "as")
                path = prefix + "".join(self.texts[at:rename])
                self.parts.reading.spend(len(path))
                if brace < last:
                    waiting.append((nested(path, "", ""), brace + 1, self.parts.closing[brace]))
                else:
                    yield path.removesuffix("::self"), "".join(self.texts[rename + 1 : last])


RUST = Language("rust", LEXICON, lambda _path, text: RustReader(text).read())
