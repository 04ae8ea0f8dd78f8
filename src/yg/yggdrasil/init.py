"""Starting a graph: the files of an empty one, and the rules for the agent platform in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.edit import Edit, MakeDirectory, Write
from yg.kernel.errors import YgError
from yg.kernel.yaml_write import yaml_scalar
from yg.yggdrasil.model import CONFIG_FILE
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.platforms import AGENT_RULES, WHOLE, rules_text
from yg.yggdrasil.replace import existing, replaced
from yg.yggdrasil.templates import template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.snapshot import Snapshot
    from yg.yggdrasil.platforms import Platform, Way

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


def schema_files() -> list[Write]:
    """Return the edits that write the schemas, for people and for editors."""
    return [
        Write(f"{FOLDER}/schemas/{each}", template(each).encode())
        for each in (*SCHEMAS, *JSON_SCHEMAS)
    ]


def refreshed_schemas(snapshot: Snapshot) -> list[Edit]:
    """Return the edits that write missing and outdated schemas; edited ones are kept."""
    return [edit for write in schema_files() for edit in replaced(snapshot, write)]


def platform_files(snapshot: Snapshot, platform: Platform) -> list[Edit]:
    """Return the edits that give a platform our rules and leave the user's text as it is."""
    places = [(platform.file, platform.way)]
    if platform.needs_rules_file:
        places.append((AGENT_RULES, WHOLE))
    return [edit for file, way in places for edit in _placed(snapshot, file, way)]


def _placed(snapshot: Snapshot, file: str, way: Way) -> Iterator[Edit]:
    text = _text(snapshot, file)
    write = Write(file, way.placed(text, rules_text()).encode())
    return replaced(snapshot, write, way.replaced(text).encode())


def _text(snapshot: Snapshot, path: str) -> str:
    """Return the text of a file the user may have, byte order mark and all."""
    try:
        return (existing(snapshot, path) or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8 first; nothing was written."
        raise YgError(f"'{path}' is not UTF-8", hint=hint) from error
