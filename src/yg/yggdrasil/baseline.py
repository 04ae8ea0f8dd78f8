"""Baselines: what a node's files were when it was last synchronised, and how that is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.digest import canonical_digest
from yg.yggdrasil.places import DRIFT_STATE

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = DRIFT_STATE
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


def baseline_from(text: str) -> Baseline | str:
    """Read a baseline of this or another implementation, or say what is wrong with it."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        return f"not valid JSON in line {error.lineno}, column {error.colno}"
    except ValueError:
        return "it holds a number with too many digits"
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
