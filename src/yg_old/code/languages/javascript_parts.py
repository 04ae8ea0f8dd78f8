"""The parts of JavaScript and TypeScript files: declarations, exported or not, and members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.code.facts import nested
from yg_old.code.language import Language
from yg_old.code.languages.javascript import ENDS, ScriptReader
from yg_old.code.languages.javascript_scan import lexicon

if TYPE_CHECKING:
    from yg_old.code.facts import SourceReading

DEFAULT = "default"
VARIABLES = frozenset(("const", "let", "var"))
SPACES = frozenset(("namespace", "module", "global"))
BEFORE = frozenset(("export", DEFAULT))  # in front of a declaration


class ScriptDivider(ScriptReader):
    """Reads a file, and divides it into parts."""

    def read(self) -> SourceReading:
        """Read all declarations."""
        spaces = [(0, len(self.tokens), "")]
        while spaces:
            start, end, path = spaces.pop()
            self._divide(start, end, path, spaces)
        return super().read()

    def _divide(self, start: int, end: int, path: str, spaces: list[tuple[int, int, str]]) -> None:
        """Add the declarations of a file or of a namespace; add namespaces to the list."""
        at, first, at_start = start, start, True
        while at < end:
            kind, text, _ = self.tokens[at]
            following = at + 1
            if kind == "name" and (at_start or self._is_export(at)):
                if text[0] == "@":
                    at = self.parts.skip(following) if self._text(following) == "(" else following
                    continue
                if text == "export" or (text == DEFAULT and self.texts[at - 1] == "export"):
                    at, at_start = following, True
                    continue
                if self._is_declaration(at):
                    following = self._part(first, at, end, path, spaces)
                elif self.texts[at - 1] == DEFAULT and first < at:
                    following = self._default(first, at, end, path)
            elif self.texts[at - 1] == DEFAULT and first < at:
                following = self._default(first, at, end, path)
            elif kind == "open":
                following = self.parts.skip(at)
            at = max(following, at + 1)
            before = self.tokens[min(at, end) - 1]
            at_start = before[1] in ENDS or before[1] == "}" or before[0] == "directive"
            first = at

    def _default(self, first: int, at: int, end: int, path: str) -> int:
        """Add the value of `export default`, unless it is only a name; return the end of it."""
        stop = min(self._value_end(at), end)
        if stop > at + 1 or self._kind(at) != "name":
            self._add(path + DEFAULT, first, stop)
        return stop

    def _add(self, name: str, first: int, end: int) -> None:
        self.parts.reading.spend(tokens=end - first, facts=0)
        if first < end:
            self.parts.part((name,), first, end)

    def _part(
        self, first: int, at: int, end: int, path: str, spaces: list[tuple[int, int, str]]
    ) -> int:
        """Add a declaration and its members, and return the end of it."""
        keyword = self._keyword(at)
        word = self._text(keyword)
        if word in VARIABLES:
            return self._variable_parts(first, keyword, end, path)
        at = keyword + 2 if self._text(keyword + 1) == "*" else keyword + 1
        name = self.texts[at] if self._kind(at) in ("name", "string") else DEFAULT
        brace = end
        if word == "function":
            stop = self._function(at, end)[1]
        elif word == "type":
            stop = self._type_end(at, ())
        else:
            brace = self._body(keyword if word == "global" else at)
            stop = self.parts.skip(brace)
        if word in SPACES:
            name = "".join(self._slice(at, brace)) or word
        elif word == "class" and name in ("extends", "implements"):
            name = DEFAULT
        stop = min(stop, end)
        self._add(path + name, first, stop)
        if brace < end and word in SPACES:
            spaces.append((brace + 1, stop - 1, nested(path, name)))
        elif brace < end and word == "class":
            for member, start, _, last in self._class_members(brace + 1, stop - 1):
                self._add(nested(path, name) + member, start, min(last, stop - 1))
        return stop

    def _variable_parts(self, first: int, keyword: int, end: int, path: str) -> int:
        """Add the variables that a keyword declares; the first one has the keyword."""
        stop = keyword + 1
        for names, start, _, value_end in self._declarators(keyword):
            begin = first if stop == keyword + 1 else start
            stop = min(value_end, end)
            self.parts.reading.spend(tokens=stop - begin, facts=0)
            if names and begin < stop:
                self.parts.part([path + name for name in names], begin, stop)
        return stop


def _language(name: str, *, jsx: bool) -> Language:
    rules = lexicon(jsx=jsx)
    return Language(name, rules, lambda _path, text: ScriptDivider(text, rules, jsx=jsx).read())


JAVASCRIPT = _language("javascript", jsx=True)
TYPESCRIPT = _language("typescript", jsx=False)
TSX = _language("typescript", jsx=True)
