"""References between the files of a graph: where they are written, and how to rename them.

Only these words of a file change. Prose, comments, quotes and layout stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.digest import file_digests
from yg_old.kernel.errors import UnreadableError, YgError
from yg_old.kernel.snapshot import Kind, conflict_line, decode_utf8
from yg_old.text import paths
from yg_old.text.decode import leaves
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.yaml_scalars import with_scalars
from yg_old.yggdrasil.edit.roles import CONDITION, CONDITION_KEY, fits, references_in
from yg_old.yggdrasil.folders import walk
from yg_old.yggdrasil.parts import PartKind, collection_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.text.decode import Decoded, Keys
    from yg_old.yggdrasil.graph import Graph

NAME = ("name",)
BOM = b"\xef\xbb\xbf"
_FIX_FIRST = "It may refer to what is moved or removed. Fix it first; nothing was changed."


class Renaming(Struct, frozen=True):
    """A new id for a node, an aspect or a flow; all ids below it get new ones as well."""

    kind: PartKind
    old: str
    new: str

    def id(self, text: str) -> str:
        """Return the new form of an id; other ids are returned as they are."""
        is_renamed = text == self.old or text.startswith(f"{self.old}/")
        return f"{self.new}{text[len(self.old) :]}" if is_renamed else text

    @property
    def own_name(self) -> tuple[str, str]:
        """The last segments of the old id and of the new one."""
        return paths.name_of(self.old), paths.name_of(self.new)

    def condition(self, text: str) -> str:
        """Return the new form of the condition of an artifact, which may contain an id."""
        found = CONDITION.fullmatch(text)
        return f"{found[1]}{self.id(found[2])}{found[3]}" if found else text


class RewrittenFile(Struct, frozen=True):
    """A file with references that get another name, or are removed."""

    path: str
    before: bytes
    after: bytes
    count: int  # references

    @property
    def digests(self) -> dict[str, str]:
        """Its new digests, by the old ones."""
        before, after = file_digests([self.before]), file_digests([self.after])
        return dict.fromkeys(before.forms, after.lf) | {
            before.raw or before.lf: after.raw or after.lf
        }


def rewrites(graph: Graph, renaming: Renaming) -> Iterator[RewrittenFile]:
    """Yield the files that refer to something renamed, sorted by path.

    A file that cannot be read raises an error. One that can be read but not parsed does so only if
    it contains the old name: then it may refer to it.
    """
    spec = collection_of(graph, renaming.kind).spec
    own = f"{spec.tree}/{renaming.old}/{spec.file}"
    also = [own] if graph.snapshot.kind(own) is Kind.FILE else []
    for file, before, text in declarations(graph, renaming.kind, also):
        patterns = references_in(renaming.kind, paths.name_of(file))
        if file != own and not may_mention(text, renaming.old):
            continue
        name = renaming.own_name if file == own else None
        after, count = _rewritten(file, text, patterns, renaming, name)
        if after != text:
            yield RewrittenFile(file, before, encoded_like(before, after), count)


def declarations(
    graph: Graph, kind: PartKind, also: Iterable[str] = ()
) -> Iterator[tuple[str, bytes, str]]:
    """Yield the files that can refer to something of a kind, sorted, with bytes and text.

    Raise an error at one that cannot be read.
    """
    for file in sorted({*_files(graph, kind), *also}):
        try:
            content = graph.snapshot.read(file)
            yield file, content, decode_utf8(file, content)
        except UnreadableError as error:
            raise YgError(error.message, hint=_FIX_FIRST) from error


def _files(graph: Graph, kind: PartKind) -> Iterator[str]:
    """Yield the files that can refer to something of a kind."""
    for holder in PartKind:
        spec = collection_of(graph, holder).spec
        if not references_in(kind, spec.file):
            continue
        for folder in walk(graph.snapshot, spec.tree):
            file = f"{folder.directory}/{spec.file}"
            for path, reason in folder.unreadable:
                if path in (folder.directory, file):
                    raise YgError(f"cannot read '{path}': {reason}", hint=_FIX_FIRST)
            if spec.file in folder.files:
                yield file
    config = graph.config.file
    if references_in(kind, paths.name_of(config)) and graph.snapshot.kind(config) is not None:
        yield config


def encoded_like(before: bytes, text: str) -> bytes:
    """Return the bytes of a new text, with a byte order mark if the old bytes have one."""
    return (BOM if before.startswith(BOM) else b"") + text.encode()


def may_mention(text: str, name: str) -> bool:
    """Tell whether a YAML text can contain a name; False is certain.

    In YAML a name may be written with escapes, and one with blanks or quotes in other ways too.
    """
    return name in text or "\\" in text or any(letter in " '\"" for letter in name)


def _rewritten(
    file: str,
    text: str,
    patterns: tuple[tuple[str, ...], ...],
    renaming: Renaming,
    own_name: tuple[str, str] | None,
) -> tuple[str, int]:
    """Return the text with new references, and the number of these.

    With `own_name`, its `name` changes too, if it is the first of the two.
    """
    decoded = decode_yaml(text)
    if problem := parse_problem(text, decoded):
        if renaming.old not in text:
            return text, 0
        hint = f"It may refer to '{renaming.old}'. Fix it first; nothing was changed."
        raise YgError(f"cannot rewrite '{file}': {problem}", hint=hint)
    expected: dict[Keys, str] = {}
    values: dict[tuple[int, int], str] = {}
    for keys, datum in leaves(decoded.datum):
        expected[keys] = repr(datum.value)
        is_reference = any(fits(keys, pattern) for pattern in patterns)
        if is_reference and isinstance(datum.value, str):
            is_condition = keys[-1] == CONDITION_KEY
            new = (renaming.condition if is_condition else renaming.id)(datum.value)
            if new != datum.value:
                expected[keys] = repr(new)
                values[datum.line, datum.column] = new
    count = len(values)
    for keys, datum in leaves(decoded.datum) if own_name else ():
        if own_name and keys == NAME and datum.value == own_name[0] != own_name[1]:
            expected[keys] = repr(own_name[1])
            values[datum.line, datum.column] = own_name[1]
    if not values:
        return text, 0
    result = with_scalars(text, values)
    again = decode_yaml(result)
    found = {keys: repr(datum.value) for keys, datum in leaves(again.datum)}
    if again.problems or found != expected:
        hint = (
            "Write out the alias there, or the value with escapes, then move; nothing was changed."
        )
        raise YgError(f"cannot rewrite '{file}' without changing other values", hint=hint)
    return result, count


def parse_problem(text: str, decoded: Decoded) -> str:
    """Return why a text cannot be parsed; empty if it can."""
    if line := conflict_line(text):
        return f"line {line}: unresolved merge conflict"
    problem = next(iter(decoded.problems), None)
    return f"line {problem.line}: {problem.message}" if problem else ""
