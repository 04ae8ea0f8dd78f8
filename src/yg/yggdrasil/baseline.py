"""Baselines: what a node's files were when it was last synchronised, and how that is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.decode import real_number, whole_number
from yg.kernel.digest import canonical_digest
from yg.kernel.snapshot import MAX_TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = ".yggdrasil/.drift-state"
ROOT_NAME = ".root"
SUFFIX = ".json"


class Baseline(Struct, frozen=True):
    """The digest of each tracked file; `hash` is the short name of the whole."""

    hash: str
    files: Mapping[str, str]


def baseline_of(files: Mapping[str, str]) -> Baseline:
    """Make the baseline of files as they are."""
    return Baseline(canonical_digest(files), files)


def state_file(node: str) -> str:
    """Return the file that keeps a node's baseline."""
    return f"{FOLDER}/{ROOT_NAME if node == paths.ROOT else node}{SUFFIX}"


def node_of(file: str) -> str | None:
    """Return the node whose baseline a file keeps; None for a file that keeps none."""
    name = file.removeprefix(f"{FOLDER}/").removesuffix(SUFFIX)
    if not file.endswith(SUFFIX) or not name:
        return None
    return paths.ROOT if name == ROOT_NAME else name


def baseline_text(baseline: Baseline) -> str:
    """Write a baseline: the same bytes for the same files, no times."""
    files = {path: baseline.files[path] for path in sorted(baseline.files)}
    content = {"hash": baseline.hash, "files": files}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def is_recordable(baseline: Baseline) -> bool:
    """Tell whether the file of a baseline is small enough to be read again."""
    # No character takes more than six bytes, and no entry much more than its path and digest.
    most = sum(6 * len(path) + len(digest) + 20 for path, digest in baseline.files.items())
    return most < MAX_TEXT or len(baseline_text(baseline).encode()) <= MAX_TEXT


def baseline_from(text: str) -> Baseline | str:
    """Read a baseline of this or another implementation, or say what is wrong with it."""
    try:
        content = json.loads(text, parse_int=whole_number, parse_float=real_number)
    except json.JSONDecodeError as error:
        return f"not valid JSON in line {error.lineno}, column {error.colno}"
    except ValueError as error:
        return f"it holds {error}"
    except RecursionError:
        return "nested too deeply"
    return baseline_shaped(content)


def baseline_shaped(content: Any) -> Baseline | str:
    """Check that a value has the shape of a baseline; times and other keys are ignored."""
    if isinstance(content, str):
        return Baseline(content, {})  # very old: the hash alone
    if not isinstance(content, dict):
        return "not a JSON object"
    digest, files = content.get("hash"), content.get("files", {})
    if not isinstance(digest, str):
        return "its 'hash' is not text"
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        return "its 'files' is not a map from path to hash"
    return Baseline(digest, files)
