"""Java: imports, types and their public and protected members."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code.facts import nested
from yg_old.code.language import Language
from yg_old.code.languages.braces import SourceParts, split_docs
from yg_old.code.scan import Lexicon, ScanError, scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.code.facts import SourceReading

PATTERN = re.compile(
    r"""
    (?:
      (?P<name>   [^\W\d][\w$]*+ | \$[\w$]*+ )
    | (?P<open>   [(\[{] )
    | (?P<close>  [)\]}] )
    | (?P<comma>  , )
    | (?P<string> \"{3}[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+\"{3}
                | "(?!"")[^"\\\n]*+(?:\\.[^"\\\n]*+)*+" | ""(?!") )
    | (?P<doc>    /\*\*(?!/)[^*]*+(?:\*(?!/)[^*]*+)*+\*/ | ///(?!/)[^\n]*+ )
    | (?P<comment> //[^\n]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/ )
    | (?P<number> 0[xX][\da-fA-F_.]++(?:[pP][-+]?[\d_]++)?+[lLfFdD]?+ | 0[bB][01_]++[lL]?+
                | (?:\d[\d_]*+(?:\.[\d_]*+)?+|\.\d[\d_]*+)(?:[eE][-+]?\d[\d_]*+)?+[lLfFdD]?+ )
    | (?P<op>     -> | :: | \.\.\. | \+\+ | -- | && | \|\| | <<=? | [-+*%&|^=!<]= | /=
                | [-+*%&|^=!<>?:;.~@] | /(?!\*) )
    | (?P<char>   '(?:[^'\\\n]|\\[^\n][^'\n]*+)' )
    | \s
    | (?P<bad>    . )
    )
    \s*+
    """,
    re.VERBOSE | re.DOTALL,
)
LEXICON = Lexicon(PATTERN)
# Java replaces these before it reads anything else: line breaks, quotes, `*`, `/` and backslashes.
ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*+\\u++00(?:0[aAdD]|2[27aAfF]|5[cC])")
MODIFIERS = frozenset(
    "public protected private static final abstract native synchronized transient volatile strictfp"
    " default sealed".split()
)
TYPES = frozenset(("class", "interface", "enum", "record"))
FOR_COMPILER = frozenset(("Override", "SuppressWarnings"))  # annotations that say nothing to users


class JavaReader:
    """Finds imports, public names and parts."""

    def __init__(self, text: str) -> None:
        if "\\u" in text and (escape := ESCAPE.search(text)):
            raise ScanError("an escape that may end a comment or a string", escape.start())
        self.parts = SourceParts(text, *split_docs(scan(text, LEXICON)))
        self.tokens = self.parts.tokens
        self.texts = self.parts.texts
        # Bodies to read: first token, end, prefix of public names, of parts, keyword of the type.
        self.bodies: list[tuple[int, int, str | None, str, str]] = [
            (0, len(self.tokens), "", "", "")
        ]

    def read(self) -> SourceReading:
        """Read all declarations."""
        while self.bodies:
            start, end, prefix, path, keyword = self.bodies.pop()
            if keyword == "enum":
                start = self._constants(start, end, prefix, path)
            self._members(start, end, prefix, path, keyword)
        return self.parts.finish()

    def _text(self, index: int) -> str:
        return self.texts[index] if index < len(self.texts) else ""

    def _slice(self, start: int, end: int) -> list[str]:
        """Return the texts of a header without annotations for the compiler."""
        texts = list[str]()
        while start < end:
            if self.texts[start] == "@" and self._text(start + 1) in FOR_COMPILER:
                start = self.parts.skip(start + 2) if self._text(start + 2) == "(" else start + 2
                continue
            texts.append(self.texts[start])
            start += 1
        return texts

    def _members(self, at: int, end: int, prefix: str | None, path: str, keyword: str) -> None:
        is_open = keyword in ("interface", "@interface")
        while at < end:
            first = at
            at, modifiers = self._modifiers(at, end)
            text = self._text(at)
            if not path and text in ("import", "package"):
                at = self._import(at)
                continue
            is_public = bool(modifiers & {"public", "protected"}) or (
                is_open and "private" not in modifiers
            )
            public = prefix if is_public else None
            if text == "@" or (text in TYPES and self._is_type(at)):
                at = self._type(first, at, end, public, path)
                continue
            if text in ("{", ";", "}", ",") or not path:  # an initializer, or what is no member
                at = self.parts.skip(at)
                continue
            is_constant = is_open or {"static", "final"} <= modifiers
            names, at = self._member(first, at, end, public, is_constant=is_constant)
            self._part(names, first, min(at, end), path)

    def _is_type(self, at: int) -> bool:
        """Tell whether a word that is a keyword only in front of a name is one here."""
        if self.texts[at] != "record":
            return True
        is_named = at + 1 < len(self.tokens) and self.tokens[at + 1][0] == "name"
        return is_named and self._text(at + 2) in ("(", "<")

    def _modifiers(self, at: int, end: int) -> tuple[int, set[str]]:
        """Return where the modifiers and annotations in front of a declaration end."""
        found = set[str]()
        while at < end:
            text = self.texts[at]
            if text == "@" and self._text(at + 1) != "interface":
                at += 2
                while self._text(at) == ".":
                    at += 2
                if self._text(at) == "(":
                    at = self.parts.skip(at)
            elif text in MODIFIERS:
                found.add(text)
                at += 1
            elif text == "non" and self._text(at + 1) == "-":
                at += 3
            else:
                break
        return at, found

    def _part(self, names: Sequence[str], start: int, end: int, path: str) -> None:
        if names and start < end:
            self.parts.part([path + name for name in names], start, end)

    def _type(self, first: int, at: int, end: int, prefix: str | None, path: str) -> int:
        """Read a type, its header now, its members later, and return the end of it."""
        keyword = "@interface" if self.texts[at] == "@" else self.texts[at]
        name = at + (2 if keyword == "@interface" else 1)
        brace = self.parts.find(name, end, "{")
        following = self.parts.skip(brace)
        public = None if prefix is None else nested(prefix, self._text(name))
        if prefix is not None:
            self.parts.header(prefix + self._text(name), self._slice(first, brace))
        self._part([self._text(name)], first, min(following, end), path)
        inner = nested(path, self._text(name))
        self.bodies.append((brace + 1, following - 1, public, inner, keyword))
        return following

    def _constants(self, at: int, end: int, prefix: str | None, path: str) -> int:
        """Read the constants of an enum, and return where its other members start."""
        stop = self.parts.find(at, end, ";")
        for first, last in self.parts.split(at, stop):
            name, _ = self._modifiers(first, last)
            if name < last:
                if prefix is not None:
                    self.parts.header(prefix + self.texts[name], self.texts[first : name + 1])
                self._part([self.texts[name]], first, last, path)
        return stop

    def _member(
        self, first: int, at: int, end: int, prefix: str | None, *, is_constant: bool
    ) -> tuple[list[str], int]:
        """Read a method, a constructor or fields, and return the names and the end of it."""
        stop = at
        while stop < end and self.texts[stop] not in ("(", "{", ";", "="):
            stop = self.parts.skip(stop)
        if self._text(stop) in ("(", "{"):  # with a brace: the short constructor of a record
            name = self.texts[stop - 1]
            stop = self.parts.find(stop, end, "{", ";")
            if prefix is not None:
                self.parts.header(prefix + name, self._slice(first, stop))
            return [name], self.parts.skip(stop)
        stop = self.parts.find(stop, end, ";")
        return self._fields(first, at, stop, prefix, is_constant=is_constant), stop + 1

    def _fields(
        self, first: int, at: int, end: int, prefix: str | None, *, is_constant: bool
    ) -> list[str]:
        """Add the headers of fields, and return their names."""
        names = []
        start: list[str] = []  # modifiers and type, which all fields of one declaration share
        for begin, stop in self._declarators(at, end):
            equals = self.parts.find(begin, stop, "=")
            name = equals - 1
            while name > begin and self.texts[name] in ("[", "]"):
                name -= 1
            names.append(self.texts[name])
            if prefix is None:
                continue
            if not start:
                start = self._slice(first, name)
            literal = self.parts.short_value(equals + 1, stop) if is_constant else []
            header = (*start, *self.texts[name:equals], *literal)
            self.parts.header(prefix + self.texts[name], header)
        return names

    def _declarators(self, at: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of a declaration of fields; a value may hold any `<`."""
        found, first, depth = [], at, 0
        is_value = False
        while at < end:
            text = self.texts[at]
            if text == "=":
                is_value = True
            elif not is_value and text in ("<", ">"):
                depth += 1 if text == "<" else -1
            elif text == "," and depth <= 0 and (not is_value or self._starts_field(at + 1, end)):
                found.append((first, at))
                first, is_value = at + 1, False
            at = self.parts.skip(at)
        return [*found, (first, end)]

    def _starts_field(self, at: int, end: int) -> bool:
        """Tell whether a comma ends a value; the one in `new Map<A, B>()` does not."""
        following = at + 1
        while self._text(following) == "[":
            following = self.parts.skip(following)
        is_name = self.tokens[at][0] == "name" if at < end else False
        return is_name and (following >= end or self._text(following) in ("=", ","))

    def _import(self, at: int) -> int:
        """Read an import or the package clause, and return the end of it."""
        end = self.parts.find(at, len(self.tokens), ";")
        words = self.texts[at + 1 : end]
        is_special = words[:1] in (["static"], ["module"]) and words[1:2] != ["."]
        name = "".join(words[is_special:])
        if self.texts[at] == "package":
            self.parts.imported(at, name, form="package")
            return end + 1
        module, _, last = name.rpartition(".")
        self.parts.imported(at, module, (last,))
        self.parts.imports(at, min(end + 1, len(self.tokens)), " ".join(words))
        return end + 1


JAVA = Language("java", LEXICON, lambda _path, text: JavaReader(text).read())
