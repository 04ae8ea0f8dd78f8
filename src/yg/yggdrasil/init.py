"""Starting a graph: the files of an empty one, and the rules for the agent platform in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.edit import Edit, MakeDirectory, Write
from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.snapshot import Kind
from yg.kernel.yaml_write import yaml_scalar
from yg.yggdrasil.model import CONFIG_FILE
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.platforms import AGENT_RULES, rules_text
from yg.yggdrasil.templates import template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.snapshot import Snapshot
    from yg.yggdrasil.platforms import Platform

SCHEMAS = tuple(f"yg-{kind}.yaml" for kind in ("node", "aspect", "flow"))
JSON_SCHEMAS = tuple(f"yg-{kind}.schema.json" for kind in ("config", "node", "aspect", "flow"))
IGNORED = ".cache/\n"


def new_graph(name: str) -> list[Edit]:
    """Return the edits that make an empty graph."""
    config = template(CONFIG_FILE)
    if name:
        config = config.replace('name: ""', f"name: {yaml_scalar(name)}")
    edits: list[Edit] = [Write(f"{FOLDER}/{CONFIG_FILE}", config.encode())]
    edits.append(Write(f"{FOLDER}/.gitignore", IGNORED.encode()))
    edits += [MakeDirectory(f"{FOLDER}/{each}") for each in ("model", "aspects", "flows")]
    edits += schema_files()
    return edits


def schema_files() -> list[Edit]:
    """Return the edits that write the schemas, for people and for editors."""
    return [
        Write(f"{FOLDER}/schemas/{each}", template(each).encode())
        for each in (*SCHEMAS, *JSON_SCHEMAS)
    ]


def platform_files(snapshot: Snapshot, platform: Platform) -> list[Edit]:
    """Return the edits that give a platform our rules and leave the user's text as it is."""
    rules = rules_text()
    placed = [(platform.file, platform.placed(_existing(snapshot, platform.file), rules))]
    if platform.needs_rules_file:
        placed.append((AGENT_RULES, rules))
    return list(_changed(snapshot, placed))


def _changed(snapshot: Snapshot, placed: list[tuple[str, str]]) -> Iterator[Edit]:
    for path, text in placed:
        if snapshot.kind(path) is None or _existing(snapshot, path) != text:
            yield Write(path, text.encode("utf-8"))


def _existing(snapshot: Snapshot, path: str) -> str:
    """Return the text of a file the user may have, byte order mark and all."""
    for above in paths.lineage(path)[1:]:
        if snapshot.kind(above) not in (Kind.DIRECTORY, None):
            hint = "Move it away, or choose another platform; nothing was written."
            raise YgError(f"'{above}' is not a directory", hint=hint)
    kind = snapshot.kind(path)
    if kind is None:
        return ""
    if kind is not Kind.FILE:
        hint = "Replace it by a plain file, or choose another platform; nothing was written."
        raise YgError(f"'{path}' is a {kind}, not a file", hint=hint)
    try:
        return snapshot.read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8 first; nothing was written."
        raise YgError(f"'{path}' is not UTF-8", hint=hint) from error
    except UnreadableError as error:
        raise YgError(error.message, hint="Nothing was written.") from error
