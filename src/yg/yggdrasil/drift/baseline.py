"""Baselines: the file digests of a node at its last sync, and how they are stored."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder
from msgspec.json import encode as json_encode

from yg.kernel.digest import canonical_digest
from yg.kernel.edit import Delete, Edit, Rename, Write
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind, decode_utf8
from yg.text import paths
from yg.yggdrasil.drift.keys import CODE, EXTERNAL, REVIEWS
from yg.yggdrasil.places import DRIFT_STATE, is_graph_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from yg.kernel.snapshot import Snapshot
    from yg.yggdrasil.drift.conflicts import Pairs


FOLDER = DRIFT_STATE
ROOT_NAME = ".root"
SUFFIX = ".json"

_PARTS = Decoder(dict[str, Raw])
_TEXT = Decoder(str)
_DIGESTS = Decoder(dict[str, str])


_HASH, _FILES = "hash", "files"
_TIMES = "mtimes"  # of other tools; they differ in every clone, so they are not kept
_OLD_REVIEWS = "review"
_KNOWN = frozenset((EXTERNAL, CODE, REVIEWS, _OLD_REVIEWS))
_NO_HASH = Raw(b'""')


class Facts(Struct):
    """The facts about sources in a baseline, by path."""

    algo: str
    files: dict[str, Raw]


_FACTS = Decoder(Facts)


class Merged(Struct, frozen=True):
    """What a merge left in a baseline: the digests of both sides where they differ.

    The digest is empty for a side that does not list the file or contract.
    """

    files: Mapping[str, tuple[str, ...]] = {}
    contracts: Mapping[str, tuple[str, ...]] = {}
    is_only_hash: bool = False  # the sides differ in nothing else


class Baseline(Struct, frozen=True):
    """The digest of each tracked file; `hash`, if stored, is the digest of all of them.

    The hash follows from the files, so that one which does not fit them means nothing.
    """

    hash: str
    files: Mapping[str, str]
    rest: Mapping[str, bytes] = {}  # the JSON texts of all other keys, without times
    merged: Merged | None = None  # of a file with a merge conflict: `files` are ours, then theirs


def source_files(baseline: Baseline) -> dict[str, str]:
    """Return the digests of a baseline without those of graph files."""
    return {path: digest for path, digest in baseline.files.items() if not is_graph_file(path)}


def baseline_of(
    files: Mapping[str, str], rest: Mapping[str, bytes] = {}, *, stores_hash: bool = True
) -> Baseline:
    """Return the baseline for a map of file digests."""
    return Baseline(canonical_digest(files) if stores_hash else "", files, rest)


def state_file(node: str) -> str:
    """Return the path of a node's baseline file."""
    return f"{FOLDER}/{ROOT_NAME if node == paths.ROOT else node}{SUFFIX}"


def node_of(file: str) -> str | None:
    """Return the node of a baseline file; None if the file is not a baseline."""
    name = file.removeprefix(f"{FOLDER}/").removesuffix(SUFFIX)
    if not file.endswith(SUFFIX) or not name:
        return None
    return paths.ROOT if name == ROOT_NAME else name


def baseline_from(text: str) -> Baseline | str:
    """Parse a baseline written by this or another program; return a message if it is invalid."""
    try:
        parts = _PARTS.decode(text)
        digest, raw = _TEXT.decode(parts.pop(_HASH, _NO_HASH)), parts.pop(_FILES)
        files = _DIGESTS.decode(raw)
    except (DecodeError, UnicodeError, RecursionError, KeyError):
        return _decoded_slowly(text)
    # The decoder takes the last value of a key, but a merge may leave two of them.
    if bytes(raw).count(b'":') > len(files) or text.count(f'"{_OLD_REVIEWS}') > 1:
        return _decoded_slowly(text)
    if not parts.keys() <= _KNOWN and isinstance(problem := _decoded_slowly(text), str):
        return problem  # in a part that another tool has written
    rest = {key: bytes(value) for key, value in parts.items() if key != _TIMES}
    return Baseline(digest, _normalised(files), _with_reviews(rest))


def _decoded_slowly(text: str) -> Baseline | str:
    """Parse a baseline that is invalid, merged, or valid only for a less strict parser."""
    import json  # late, as in the other functions: most commands need only names of baselines

    from yg.text.decode import real_number, whole_number
    from yg.yggdrasil.drift.conflicts import has_markers

    if has_markers(text):
        return _of_sides(text)
    try:
        content = json.loads(text, parse_int=whole_number, parse_float=real_number)
    except json.JSONDecodeError as error:
        found = _of_lines(text)
        return found or f"not valid JSON in line {error.lineno}, column {error.colno}"
    except ValueError as error:
        return f"it holds {error}"
    except RecursionError:
        return "nested too deeply"
    shaped = baseline_shaped(content)
    return shaped if isinstance(shaped, str) else _with_doubles(shaped, text)


def _with_doubles(baseline: Baseline, text: str) -> Baseline:
    """Return a baseline with what stands under a key that its text has twice, if it has one."""
    found = _of_lines(text)
    if found is None or found.merged is None:
        return baseline
    is_same = (found.files, found.rest) == (baseline.files, baseline.rest)
    return baseline if is_same and found.merged.is_only_hash else found


def _of_sides(text: str) -> Baseline | str:
    """Read both sides of a baseline with conflict markers."""
    from yg.yggdrasil.drift.conflicts import merged_pairs, sides_of

    texts = sides_of(text)
    if texts is None:
        return "its conflict markers do not fit together"
    sides = [merged_pairs(side) for side in texts]
    if any(side is None for side in sides):
        return "not valid JSON between its conflict markers"
    return _joined([side for side in sides if side is not None])


def _of_lines(text: str) -> Baseline | None:
    """Read a baseline with the lines of both sides, as a union merge leaves it; None if invalid.

    The lines of facts may be mixed beyond recognition. These follow from the code, so that they
    can be left out.
    """
    from yg.yggdrasil.drift.conflicts import merged_pairs

    pairs = merged_pairs(text)
    kept, facts, _ = text.partition(f'\n  "{CODE}": {{')
    if pairs is None and facts and text.rstrip().endswith("}"):
        pairs = merged_pairs(f"{kept}}}")
    found = _joined([pairs]) if pairs is not None else ""
    return None if isinstance(found, str) else found


def _joined(sides: Sequence[Pairs]) -> Baseline | str:
    """Return the baseline of some sides, ours first; a message if one of them is invalid."""
    from yg.yggdrasil.drift.conflicts import Pairs

    shaped = []
    for side in sides:
        content = {key: dict(value) if isinstance(value, Pairs) else value for key, value in side}
        found = baseline_shaped(content)
        if isinstance(found, str):
            return found
        shaped.append(found)
    try:
        reviews = _united([value for key, value in side if _is_reviews(key)] for side in sides)
    except RecursionError:
        return "nested too deeply"
    rest = {key: value for found in reversed(shaped) for key, value in found.rest.items()}
    if reviews:
        rest.update(_encoded({REVIEWS: reviews}))
    facts = _joined_facts([found.rest[CODE] for found in shaped if CODE in found.rest])
    if facts:
        rest[CODE] = facts
    files, others = _digests_of(sides, _FILES)
    contracts, other_contracts = _digests_of(sides, EXTERNAL)
    if contracts:
        rest[EXTERNAL] = json_encode(contracts)
    merged = Merged(others, other_contracts, is_only_hash=_differ_in_hash(shaped))
    return Baseline(shaped[0].hash, files, rest, merged)


def _is_reviews(key: str) -> bool:
    return key in (REVIEWS, _OLD_REVIEWS)


def _differ_in_hash(sides: Sequence[Baseline]) -> bool:
    first = sides[0]
    return all((side.files, side.rest) == (first.files, first.rest) for side in sides)


def _united(sides: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the reviews of all sides: ours, and then those that only theirs have."""
    from collections import Counter
    from json import dumps

    found: list[Any] = []
    for lists in sides:
        known = Counter(map(dumps, found))
        for review in (each for part in lists if isinstance(part, list) for each in part):
            if known[dumps(review)]:
                known[dumps(review)] -= 1
            else:
                found.append(review)
    return found


def _joined_facts(parts: Sequence[bytes]) -> bytes | None:
    """Return the facts of all sides, ours first; only ours if they are of different kinds."""
    decoded = []
    for part in parts:
        try:
            decoded.append(_FACTS.decode(part))
        except DecodeError:
            continue
    alike = [facts for facts in decoded if facts.algo == decoded[0].algo]
    if not alike:
        return None
    files = {path: raw for facts in reversed(alike) for path, raw in facts.files.items()}
    return json_encode(Facts(alike[0].algo, dict(sorted(files.items()))))


def _digests_of(
    sides: Sequence[Pairs], key: str
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the first digest of each path, and all of them where the sides differ."""
    known: list[dict[str, list[str]]] = []
    for side in sides:
        digests: dict[str, list[str]] = {}
        for path, value in _pairs_at(side, key):
            if isinstance(digest := _digest(value), str):
                digests.setdefault(paths.normalise(path) or path, []).append(digest)
        known.append(digests)
    found: dict[str, str] = {}
    others: dict[str, tuple[str, ...]] = {}
    for path in sorted({path for digests in known for path in digests}):
        every = tuple(dict.fromkeys(each for digests in known for each in digests.get(path, [""])))
        found[path] = next(filter(None, every), "")
        if len(every) > 1:
            others[path] = every
    return found, others


def _pairs_at(side: Pairs, key: str) -> Iterator[tuple[str, Any]]:
    for name, value in side:
        if name == key and isinstance(value, list):
            yield from value


def _digest(value: Any) -> Any:
    """Return the digest of an entry, which other tools may write as an object."""
    return value.get(_HASH) if isinstance(value, dict) else value


def baseline_shaped(content: Any) -> Baseline | str:
    """Convert JSON data to a baseline; return a message if it is invalid."""
    if not isinstance(content, dict):
        return "not a JSON object"
    if not isinstance(content.get(_HASH, ""), str):
        return "its 'hash' is not text"
    if _FILES not in content:
        return "it has no 'files'"
    entries = content[_FILES]
    files = {}
    if isinstance(entries, dict):
        files = {path: _digest(value) for path, value in entries.items()}
    if not isinstance(entries, dict) or not all(isinstance(each, str) for each in files.values()):
        return "its 'files' is not a map from path to hash"
    others = {key: value for key, value in content.items() if key not in (_HASH, _FILES, _TIMES)}
    rest = _with_reviews(dict(_encoded(others)))
    return Baseline(content.get(_HASH, ""), _normalised(files), rest)


def _with_reviews(rest: dict[str, bytes]) -> dict[str, bytes]:
    """Rename the key that reviews had in earlier versions."""
    if _OLD_REVIEWS not in rest:
        return rest
    old = rest.pop(_OLD_REVIEWS)
    return {REVIEWS: old, **rest}


def _encoded(values: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the JSON texts of some values; leave out those that no file in UTF-8 can hold."""
    for key, value in values.items():
        try:
            json_encode(key)
            yield key, json_encode(value)
        except (UnicodeError, RecursionError, TypeError, OverflowError):
            continue


def _normalised(files: Mapping[str, str]) -> Mapping[str, str]:
    """Normalise the paths of a baseline; other tools may write './a' or 'a//b'."""
    names = {path: paths.normalise(path) or path for path in files}
    if all(path == name for path, name in names.items()):
        return files
    exact = {path: digest for path, digest in files.items() if names[path] == path}
    return {**{names[path]: digest for path, digest in files.items()}, **exact}


def _is_bare(content: Any) -> bool:
    """Tell whether an entry of the legacy file is only a hash, which says nothing about files."""
    if isinstance(content, dict):
        return isinstance(content.get("hash"), str) and content.get("files") in (None, {})
    return isinstance(content, str)


NEW = f"{FOLDER}.new"  # the directory while the legacy file is being converted
OLD = f"{FOLDER}.old"  # the legacy file, after the directory is complete
LONGEST = 250  # maximum bytes of a name, which leaves room for a suffix on every file system
REJECTED = f"{FOLDER}.rejected"  # the legacy file, if not all entries could be converted


class Legacy(Struct, frozen=True):
    """The content of the legacy file, which held all baselines in earlier versions."""

    entries: dict[str, Baseline]
    problems: tuple[str, ...]
    bare: tuple[str, ...] = ()  # nodes of which it holds only a hash


class Baselines:
    """The baselines in `.drift-state/`, and the problems of their files."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.problems: dict[str, str] = {}  # message by file
        self.merged: dict[str, Merged] = {}  # by node: those with a merge conflict

    def get(self, node: str) -> Baseline | None:
        """Return the baseline of a node; None if it is missing or invalid."""
        if self.legacy is not None:
            return self.legacy.entries.get(node)
        file = state_file(node)
        kind = self.snapshot.kind(file)
        if kind is Kind.FILE:
            found = self.read(file)
            if found is not None and found.merged is not None:
                self.merged[node] = found.merged
            return found
        if kind is not None:
            what = "special file" if kind is Kind.OTHER else kind
            self.problems[file] = f"it is not a file but a {what}"
        elif self.snapshot.kind(FOLDER) not in (Kind.DIRECTORY, None):
            self.problems[FOLDER] = "it is a link or a special file, and is not followed"
        return None

    def read(self, file: str) -> Baseline | None:
        """Read one baseline file; record the problem if it is invalid."""
        found = self._parsed(file)
        if isinstance(found, str):
            self.problems[file] = found
            return None
        return found

    def all(self) -> Iterator[tuple[str, str]]:
        """Yield the node and the path of every baseline file; the legacy file has no node."""
        if self.snapshot.kind(FOLDER) is Kind.FILE:
            yield paths.name_of(FOLDER), FOLDER
        for file in self.files():
            node = node_of(file)
            if node is not None and paths.is_utf8(file):
                yield node, file

    def is_readable(self, file: str) -> bool:
        """Tell whether a file can be read at all; record the problem if not."""
        try:
            self.snapshot.read(file)
        except UnreadableError as error:
            self.problems[file] = error.reason
            return False
        return True

    def content(self, node: str) -> bytes | None:
        """Return the bytes of the baseline file of a node; None if there is none to read."""
        try:
            return self.snapshot.read(state_file(node))
        except UnreadableError:
            return None

    def _parsed(self, file: str) -> Baseline | str:
        try:
            return baseline_from(decode_utf8(file, self.snapshot.read(file)))
        except UnreadableError as error:
            return error.reason

    def unknown(self, files: Collection[str]) -> set[str]:
        """Return the files among some that no baseline lists, also none of a deleted node."""
        left = set(files)
        if self.legacy is not None:
            left.difference_update(*(entry.files for entry in self.legacy.entries.values()))
            return left
        for file in self.files():
            found = self._parsed(file) if left and node_of(file) is not None else ""
            if not isinstance(found, str):
                left.difference_update(found.files)
        return left

    def files(self) -> Iterator[str]:
        """Yield every file below `.drift-state/`, sorted; links are not followed."""
        pending = [FOLDER] if self.snapshot.kind(FOLDER) is Kind.DIRECTORY else []
        found = []
        while pending:
            directory = pending.pop()
            try:
                entries = self.snapshot.entries(directory)
            except UnreadableError as error:
                self.problems[directory] = error.reason
                continue
            for name, kind in entries.items():
                path = f"{directory}/{name}"
                if kind is Kind.DIRECTORY:
                    pending.append(path)
                elif kind is Kind.FILE:
                    found.append(path)
        return iter(sorted(found))

    @cached_property
    def legacy(self) -> Legacy | None:
        """The baselines of the legacy file, if the repository has one."""
        for file in (FOLDER, OLD):
            kind = self.snapshot.kind(file)
            if kind is Kind.FILE:
                return self._read_legacy(file)
            if kind is not None:
                return None
        return None

    def migration_notes(self) -> tuple[str, ...]:
        """Say what a conversion of the legacy file did, and what it could not convert."""
        legacy = self.legacy
        if legacy is None:
            legacy = self._read_legacy(OLD)
        count = len(legacy.entries)
        baselines = "1 baseline" if count == 1 else f"{count} baselines"
        converted = f"the file {FOLDER} was converted to a directory with {baselines}"
        kept = f"the old file is kept as {paths.name_of(REJECTED)}"
        return (
            converted if count else f"the file {FOLDER} had no baseline that could be converted",
            *(
                f"'{node}' has no baseline now: the old file had only a hash"
                for node in legacy.bare
            ),
            *(f"{problem}; {kept}" for problem in legacy.problems),
        )

    def _read_legacy(self, file: str) -> Legacy:
        try:
            text = self.snapshot.text(file).value
        except UnreadableError as error:
            return Legacy({}, (f"{file}: {error.reason}",))
        # Imported here because few repositories still have such a file.
        from yg.text.decode import plain
        from yg.text.decode_json import decode_json
        from yg.text.decode_yaml import decode_yaml

        decoded = decode_json(text) if text.lstrip().startswith("{") else decode_yaml(text)
        if decoded.problems:
            decoded = decode_yaml(text)
        content = plain(decoded.datum)
        if decoded.problems or not isinstance(content, dict):
            return Legacy({}, (f"{file}: not a map from node to baseline",))
        entries, problems, bare = {}, [], []
        for node, entry in content.items():
            if not _is_node_path(node):
                problems.append(f"{file}: '{node}' is not a node path")
            elif _is_bare(entry):
                bare.append(node)
            elif isinstance(found := baseline_shaped(entry), str):
                problems.append(f"{file}: '{node}': {found}")
            else:
                entries[node] = found
        return Legacy(entries, tuple(problems), tuple(sorted(bare)))

    def migration(self) -> list[Edit]:
        """Return the edits that convert the legacy file to the current layout.

        The new files are complete before the old file is removed, so the conversion can be
        interrupted after any edit and run again.
        """
        legacy = self.legacy
        if legacy is None:
            return self._finish_migration()
        from yg.yggdrasil.drift.layout import baseline_text

        edits: list[Edit] = [
            Write(f"{NEW}{state_file(node).removeprefix(FOLDER)}", baseline_text(entry).encode())
            for node, entry in sorted(legacy.entries.items())
        ]
        if self.snapshot.kind(FOLDER) is Kind.FILE:
            edits.append(Rename(FOLDER, OLD))
        if legacy.entries:
            edits.append(Rename(NEW, FOLDER))
        edits.append(Rename(OLD, REJECTED) if legacy.problems else Delete(OLD))
        return edits

    def _finish_migration(self) -> list[Edit]:
        """Return the edits that remove the old file after an interrupted conversion."""
        is_moved = self.snapshot.kind(FOLDER) is Kind.DIRECTORY
        if not is_moved or self.snapshot.kind(OLD) is not Kind.FILE:
            return []
        old = self._read_legacy(OLD)
        moved = ((self.read(state_file(node)), entry) for node, entry in old.entries.items())
        if not old.entries or not all(_is_moved(found, entry) for found, entry in moved):
            return []  # not the converted file: leave it
        return [Rename(OLD, REJECTED) if old.problems else Delete(OLD)]


def _is_moved(found: Baseline | None, entry: Baseline) -> bool:
    return found is not None and found.files == entry.files


def _is_node_path(text: str) -> bool:
    """Tell whether a key of the legacy file is a node path, and so safe as a file name."""
    if text == paths.ROOT:
        return True
    if "\0" in text or any(len(part.encode()) > LONGEST for part in text.split("/")):
        return False
    return paths.is_plain(text)
