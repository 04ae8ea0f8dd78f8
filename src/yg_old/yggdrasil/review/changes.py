"""The parts of a node's sources that changed, and the values that they lost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.code.change_class import ChangeClass, NameChangeKind
from yg_old.code.parts import FILE, Part
from yg_old.code.read import read_facts
from yg_old.code.values import values_by_line
from yg_old.yggdrasil.review.evidence import ChangedPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.code.facts import FileFacts
    from yg_old.code.values import Value


class Version(Struct, frozen=True):
    """What is known of one version of a source file."""

    facts: FileFacts | None = None
    text: str | None = None  # None: it is not known; the facts may be, without lines
    is_absent: bool = False  # the file is new, or was deleted

    @property
    def parts(self) -> Mapping[str, Part]:
        """Its parts; a file that is not divided is one part."""
        if self.is_absent:
            return {}
        if self.facts is not None and self.facts.parts:
            return self.facts.parts
        digest = self.facts.tokens if self.facts else ""
        return {FILE: Part(digest, 1, (self.text or "").count("\n") + 1)}

    @property
    def is_divided(self) -> bool:
        """Whether its parts are known."""
        return self.is_absent or bool(self.facts and self.facts.parts)

    def signature(self, name: str) -> str:
        """Return the digest of the signature of a public name; empty if it is not public."""
        found = self.facts.signatures.get(name) if self.facts else None
        return found.digest if found else ""


ABSENT = Version(text="", is_absent=True)


class ChangedFile(Struct, frozen=True):
    """The two versions of a source file that changed."""

    path: str
    old: Version
    new: Version


MOST_MEMBERS = 2  # of different classes that a name without its class can mean


def version_of(path: str, content: bytes) -> Version:
    """Return what the content of a file says."""
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return Version(read_facts(path, content), text)


def changed_parts(files: Sequence[ChangedFile]) -> tuple[ChangedPart, ...]:
    """Return the parts of a node that changed, by path and line, removed ones at last.

    A part that moved to another file of the node has changed only if its tokens have. A value
    that moved to another part of the node is not lost.
    """
    kept = _without_moves([part for file in files for part in _parts_of(file)])
    gained = {key for part in kept for key in part.new_values.keys() - part.old_values.keys()}
    common = _common_names(files)
    return tuple(_changed(part, gained, common) for part in sorted(kept, key=_order))


def _common_names(files: Iterable[ChangedFile]) -> frozenset[str]:
    """Return the names that many members of the files have, such as fields of structures."""
    names = {name for file in files for name in (*file.old.parts, *file.new.parts)}
    found = Counter(name.rpartition(".")[2] for name in names if "." in name)
    return frozenset(name for name, count in found.items() if count > MOST_MEMBERS)


class _Compared(Struct, frozen=True, kw_only=True):
    """A part in two versions."""

    name: str
    path: str
    old_path: str
    old: Part | None
    new: Part | None
    old_signature: str = ""
    new_signature: str = ""
    old_values: Mapping[str, Value] = {}
    new_values: Mapping[str, Value] = {}
    is_known: bool = True  # the tokens of both versions could be read

    @property
    def change(self) -> NameChangeKind:
        """What happened to it."""
        if self.old is None:
            return NameChangeKind.ADDED
        return NameChangeKind.REMOVED if self.new is None else NameChangeKind.CHANGED

    @property
    def kind(self) -> ChangeClass:
        """How much the change matters."""
        if self.old_signature != self.new_signature:
            return ChangeClass.SIGNATURE
        return ChangeClass.BODY if self.is_known else ChangeClass.UNKNOWN


def _changed(part: _Compared, gained: set[str], common: frozenset[str]) -> ChangedPart:
    values = part.old_values.items()
    kept = gained | part.new_values.keys()
    return ChangedPart(
        name=part.name,
        change=part.change,
        kind=part.kind,
        path=part.path,
        first=part.new.first if part.new else 0,
        last=part.new.last if part.new else 0,
        old_path=part.old_path if part.old else "",
        old_first=part.old.first if part.old else 0,
        old_last=part.old.last if part.old else 0,
        is_public=bool(part.old_signature or part.new_signature),
        is_common=part.name.rpartition(".")[2] in common,
        lost=tuple(value for key, value in values if key not in kept),
    )


def _order(part: _Compared) -> tuple[bool, str, bool, int, str]:
    is_removed = part.new is None
    return is_removed, part.path, part.name == FILE, part.new.first if part.new else 0, part.name


def _parts_of(file: ChangedFile) -> Iterator[_Compared]:
    """Yield the parts of one file that differ."""
    old, new = file.old, file.new
    if not (old.is_divided and new.is_divided):
        yield from _undivided(file)
        return
    old_values, new_values = values_of_parts(file.path, old), values_of_parts(file.path, new)
    for name in sorted(old.parts.keys() | new.parts.keys()):
        before, after = old.parts.get(name), new.parts.get(name)
        if (before.digest if before else "") != (after.digest if after else ""):
            yield _Compared(
                name=name,
                path=file.path,
                old_path=file.path,
                old=before,
                new=after,
                old_signature=old.signature(name),
                new_signature=new.signature(name),
                old_values=old_values.get(name, {}),
                new_values=new_values.get(name, {}),
            )
    yield from _passed_on(file)


def _passed_on(file: ChangedFile) -> Iterator[_Compared]:
    """Yield the names that a file exports, or no longer does, though another file declares them."""
    old, new = file.old, file.new
    declared = old.parts.keys() | new.parts.keys()
    old_names, new_names = _public_names(old), _public_names(new)
    for name in sorted(old_names ^ new_names):
        outer = (name[:at] for at, sign in enumerate(name) if sign == ".")
        if name not in declared and declared.isdisjoint(outer) and not name.startswith("*"):
            yield _Compared(
                name=name,
                path=file.path,
                old_path=file.path,
                old=Part(old.signature(name)) if name in old_names else None,
                new=Part(new.signature(name)) if name in new_names else None,
                old_signature=old.signature(name),
                new_signature=new.signature(name),
            )


def _public_names(version: Version) -> frozenset[str]:
    return frozenset(version.facts.signatures if version.facts else ())


def _undivided(file: ChangedFile) -> Iterator[_Compared]:
    """Yield the public names of a file that changed; the file itself if there are none."""
    old, new = file.old, file.new
    old_names, new_names = _public_names(old), _public_names(new)
    names = [
        name
        for name in sorted(old_names | new_names)
        if old.facts and new.facts and old.signature(name) != new.signature(name)
    ]
    for name in names:
        yield _Compared(
            name=name,
            path=file.path,
            old_path=file.path,
            old=Part(old.signature(name)) if name in old_names else None,
            new=new.parts.get(name, Part("")) if name in new_names else None,
            old_signature=old.signature(name),
            new_signature=new.signature(name),
        )
    is_known = old.facts is not None and new.facts is not None
    tokens = [version.facts.tokens if version.facts else None for version in (old, new)]
    if not names and not (is_known and tokens[0] == tokens[1]):
        yield _Compared(
            name=FILE,
            path=file.path,
            old_path=file.path,
            old=None if old.is_absent else old.parts.get(FILE),
            new=None if new.is_absent else new.parts.get(FILE),
            old_values=_merged(values_of_parts(file.path, old)),
            new_values=_merged(values_of_parts(file.path, new)),
            is_known=is_known,
        )


def _merged(values: Mapping[str, Mapping[str, Value]]) -> Mapping[str, Value]:
    return {key: value for found in values.values() for key, value in found.items()}


def values_of_parts(path: str, version: Version) -> dict[str, dict[str, Value]]:
    """Return the values in each part of a version; the innermost part has them."""
    if not version.text:
        return {}
    owners: dict[int, list[str]] = {}
    inner = sorted(version.parts.items(), key=lambda item: item[1].first - item[1].last)
    spans: dict[tuple[int, int], list[str]] = {}
    for name, part in inner:
        spans.setdefault((part.first, part.last), []).append(name)
    for (first, last), names in spans.items():
        owners |= dict.fromkeys(range(first, last + 1), names)
    found: dict[str, dict[str, Value]] = {}
    for line, values in values_by_line(path, version.text).items():
        for name in owners.get(line, (FILE,)):
            found.setdefault(name, {}).update((value.key, value) for value in values)
    return found


def _without_moves(parts: Sequence[_Compared]) -> list[_Compared]:
    """Join the two places of each part that moved to another file."""
    added = _by_name(part for part in parts if part.old is None)
    removed = _by_name(part for part in parts if part.new is None)
    moved = {
        name: (then[0], added[name][0])
        for name, then in removed.items()
        if name != FILE and len(then) == 1 and len(added.get(name, ())) == 1
    }
    kept = [part for part in parts if part.name not in moved or (part.old and part.new)]
    whole = _moved_whole(added.get(FILE, ()), removed.get(FILE, ()))
    return [part for part in kept if part.name != FILE or part.path not in whole] + [
        replace(
            now,
            old=then.old,
            old_path=then.path,
            old_signature=then.old_signature,
            old_values=then.old_values,
        )
        for then, now in moved.values()
        if then.old and now.new and then.old.digest != now.new.digest
    ]


def _moved_whole(added: Iterable[_Compared], removed: Iterable[_Compared]) -> frozenset[str]:
    """Return the old and new paths of files that moved without a change outside of declarations."""
    places = {part.new.digest: part.path for part in added if part.new}
    pairs = ((part.path, places.get(part.old.digest, "")) for part in removed if part.old)
    return frozenset(path for pair in pairs if pair[1] for path in pair)


def _by_name(parts: Iterable[_Compared]) -> dict[str, list[_Compared]]:
    found: dict[str, list[_Compared]] = {}
    for part in parts:
        found.setdefault(part.name, []).append(part)
    return found
