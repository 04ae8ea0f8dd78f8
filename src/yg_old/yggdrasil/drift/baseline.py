"""Baselines: the file digests of a node at its last sync, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.json import decode as json_decode
from msgspec.json import encode as json_encode

from yg_old.kernel.digest import canonical_digest
from yg_old.text import paths
from yg_old.yggdrasil.drift.keys import REVIEWS
from yg_old.yggdrasil.places import DRIFT_STATE, is_graph_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = DRIFT_STATE
ROOT_NAME = ".root"
SUFFIX = ".json"

HASH, FILES = "hash", "files"
TIMES = "mtimes"  # of other tools; they differ in every clone, so they are not kept
OLD_REVIEWS = "review"


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


def digest_of(value: Any) -> Any:
    """Return the digest of an entry, which other tools may write as an object."""
    return value.get(HASH) if isinstance(value, dict) else value


def baseline_shaped(content: Any) -> Baseline | str:
    """Convert JSON data to a baseline; return a message if it is invalid."""
    if not isinstance(content, dict):
        return "not a JSON object"
    if not isinstance(content.get(HASH, ""), str):
        return "its 'hash' is not text"
    if FILES not in content:
        return "it has no 'files'"
    entries = content[FILES]
    files = {}
    if isinstance(entries, dict):
        files = {path: digest_of(value) for path, value in entries.items()}
    if not isinstance(entries, dict) or not all(isinstance(each, str) for each in files.values()):
        return "its 'files' is not a map from path to hash"
    others = {key: value for key, value in content.items() if key not in (HASH, FILES, TIMES)}
    rest = with_reviews(dict(encoded(others)))
    return Baseline(content.get(HASH, ""), normalised(files), rest)


def with_reviews(rest: dict[str, bytes]) -> dict[str, bytes]:
    """Return the parts of a baseline with all reviews under our key.

    An earlier version knows another one, and adds its reviews under that.
    """
    if OLD_REVIEWS not in rest:
        return rest
    old = rest.pop(OLD_REVIEWS)
    if REVIEWS not in rest:
        return {REVIEWS: old, **rest}
    ours, theirs = json_decode(rest[REVIEWS]), json_decode(old)
    both = [*ours, *theirs] if isinstance(ours, list) and isinstance(theirs, list) else ours
    return {**rest, REVIEWS: json_encode(both)}


def encoded(values: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the JSON texts of some values; leave out those that no file in UTF-8 can hold."""
    for key, value in values.items():
        try:
            json_encode(key)
            yield key, json_encode(value)
        except (UnicodeError, RecursionError, TypeError, OverflowError):
            continue


def normalised(files: Mapping[str, str]) -> Mapping[str, str]:
    """Normalise the paths of a baseline; other tools may write './a' or 'a//b'."""
    names = {path: paths.normalise(path) or path for path in files}
    if all(path == name for path, name in names.items()):
        return files
    exact = {path: digest for path, digest in files.items() if names[path] == path}
    return {**{names[path]: digest for path, digest in files.items()}, **exact}
