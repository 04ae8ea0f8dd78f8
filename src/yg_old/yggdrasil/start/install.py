"""What `yg init` adds to the files of harnesses besides the rules, and how it is taken out again.

A file that cannot be edited is left alone, and a message says why.
"""

from __future__ import annotations

import tomllib
from functools import partial
from typing import TYPE_CHECKING

from yg_old.kernel.edit import Delete, Edit, Write
from yg_old.kernel.errors import UnreadableError, YgError
from yg_old.kernel.snapshot import Kind
from yg_old.yggdrasil.package.overview_block import AGENT_RULES, without_overview
from yg_old.yggdrasil.start.entries import (
    ForeignFileError,
    opened,
    with_entries,
    without_entries,
)
from yg_old.yggdrasil.start.harnesses import HARNESSES, PLUGIN, TABLE, JsonFile
from yg_old.yggdrasil.start.init import found_platforms, is_ours, replaced, text_of
from yg_old.yggdrasil.start.platforms import (
    PLATFORMS,
    RULES_FILE,
    WHOLE,
    at_end,
    cut,
    is_marked,
    line_break_of,
    without_mark,
)
from yg_old.yggdrasil.start.templates import template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.yggdrasil.start.platforms import Platform, Way

TOML = ".codex/config.toml"


class Changes:
    """Edits of files, and a message for each file that is left alone."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.warnings: list[str] = []

    def change(
        self, snapshot: Snapshot, file: str, changed: Callable[[str | None], str | None]
    ) -> None:
        """Change a file, or leave it alone; a text of None means that there is none."""
        try:
            old = text_of(snapshot, file) if snapshot.kind(file) is not None else None
            new = changed(old)
        except (ForeignFileError, tomllib.TOMLDecodeError) as error:
            self.warnings.append(f"{file} was left alone: {error}")
        except YgError as error:
            self.warnings.append(f"{file} was left alone: {error.message}")
        else:
            if new is not None and new != old:
                self.edits.append(Write(file, new.encode()))
            elif new is None and old is not None:
                self.edits.append(Delete(file))

    def replace(self, snapshot: Snapshot, write: Write) -> None:
        """Write a file of ours, after a copy of it if a user edited it."""
        try:
            self.edits += replaced(snapshot, write)
        except YgError as error:
            self.warnings.append(f"{write.path} was left alone: {error.message}")


def added_hooks(snapshot: Snapshot, platforms: Iterable[str], servers: Iterable[str]) -> Changes:
    """Return what adds hooks for some platforms, and MCP servers for some."""
    changes = Changes()
    hooked = [HARNESSES[name] for name in platforms if name in HARNESSES]
    served = [HARNESSES[name] for name in servers if name in HARNESSES]
    hooks = (harness.hooks for harness in hooked)
    for file in _merged([*hooks, *(file for harness in served for file in harness.servers)]):
        changes.change(snapshot, file.path, partial(_grown, file))
    if any(harness.hooks is None for harness in hooked):
        changes.replace(snapshot, Write(PLUGIN, template("yg.js").encode()))
    if any(harness.has_toml for harness in served):
        changes.change(snapshot, TOML, _with_table)
    return changes


def _merged(files: Iterable[JsonFile | None]) -> Iterator[JsonFile]:
    """Yield each file once, with everything that is to be in it."""
    found: dict[str, JsonFile] = {}
    for file in filter(None, files):
        known = found.get(file.path, JsonFile(file.path, ()))
        entries = (*known.entries, *file.entries)
        found[file.path] = JsonFile(file.path, entries, {**known.needed, **file.needed})
    yield from found.values()


def _with_table(text: str | None) -> str:
    content = tomllib.loads((text or "").removeprefix("\ufeff"))
    servers = content.get("mcp_servers", {})
    if not isinstance(servers, dict):
        raise ForeignFileError("'mcp_servers' is not a table")
    if "yg" in servers:
        return text or ""
    if not text:
        return TABLE if text is None else TABLE.removesuffix("\n")
    line_break = line_break_of(text)
    result = at_end(text, TABLE.replace("\n", line_break), line_break)
    tomllib.loads(result.removeprefix("\ufeff"))
    return result


def _without_table(text: str | None) -> str | None:
    if text is None:
        return None
    servers = tomllib.loads(text.removeprefix("\ufeff")).get("mcp_servers")
    table = TABLE.strip().replace("\n", line_break_of(text))
    start = text.find(table)
    ours = tomllib.loads(TABLE)["mcp_servers"]["yg"]
    if start == -1 or not isinstance(servers, dict) or servers.get("yg") != ours:
        return text  # somebody has changed it
    rest = cut(text, start, start + len(table))
    return rest or (None if text.endswith("\n") else "")


def has_hooks(snapshot: Snapshot, platform: str) -> bool:
    """Tell whether the hooks of a platform are in its file."""
    if platform not in HARNESSES:
        return False
    hooks = HARNESSES[platform].hooks
    if hooks is None:
        return snapshot.kind(PLUGIN) is Kind.FILE
    try:
        text = snapshot.read(hooks.path) if snapshot.kind(hooks.path) is Kind.FILE else b"{}"
        document = opened(text.decode())
    except (ForeignFileError, UnreadableError, UnicodeDecodeError):
        return False
    return any(entry.is_in(document) for entry in hooks.entries)


def harness_files() -> Iterator[str]:
    """Yield the files of all harnesses that may be edited."""
    for harness in HARNESSES.values():
        yield from (file.path for file in (harness.hooks, *harness.servers) if file)
    yield from (PLUGIN, TOML)


def removed(snapshot: Snapshot, platform: Platform) -> Changes:
    """Return what takes out the rules, hooks and servers of one platform, and nothing else."""
    changes = Changes()
    harness = HARNESSES.get(platform.name)
    if harness is not None:
        for file in _merged([harness.hooks, *harness.servers]):
            changes.change(snapshot, file.path, partial(_reduced, file))
        if harness.hooks is None:
            _remove_rules(changes, snapshot, PLUGIN, WHOLE)
        if harness.has_toml:
            changes.change(snapshot, TOML, _without_table)
    others = [other for name, other in PLATFORMS.items() if name != platform.name]
    in_use = found_platforms(snapshot)
    importing = [other for other in others if other.needs_rules_file and other.name in in_use]
    is_shared = any(
        _shares(other, platform) and has_hooks(snapshot, other.name) for other in others
    )
    if not is_shared and not (platform.file == AGENT_RULES and importing):
        _remove_rules(changes, snapshot, platform.file, platform.way)
    if platform.rules_file == AGENT_RULES and importing:
        changes.change(snapshot, AGENT_RULES, partial(_left_to, importing, platform))
    elif platform.needs_rules_file and platform.name in in_use:
        _remove_rules(changes, snapshot, AGENT_RULES, RULES_FILE)
    return changes


def _left_to(importing: Iterable[Platform], removed: Platform, text: str | None) -> str | None:
    """Return the rules file for the platforms that still import it."""
    if text is None:
        return None
    rest = without_mark(text) if removed.file == AGENT_RULES else text
    is_shown = any(platform.has_overview for platform in importing) or is_marked(rest)
    return rest if is_shown or not removed.has_overview else without_overview(rest)


def _shares(one: Platform, other: Platform) -> bool:
    return one.file == other.file and one.way is other.way


def _grown(file: JsonFile, text: str | None) -> str:
    return with_entries(text, file.entries, file.needed)


def _reduced(file: JsonFile, text: str | None) -> str | None:
    return None if text is None else without_entries(text, file.entries, file.needed)


def _remove_rules(changes: Changes, snapshot: Snapshot, file: str, way: Way) -> None:
    """Take the rules out of a file, unless somebody has edited them."""

    def reduced(text: str | None) -> str | None:
        if text is None or not way.is_in(text):
            return text
        ours = without_overview(way.replaced(text))
        if ours and not is_ours(ours.encode()):
            raise ForeignFileError("somebody has edited our part of it; remove it yourself")
        rest = way.removed(text)
        # A file without a last line break was there before us: see `at_end`.
        return rest if rest.strip("\ufeff") or not text.endswith("\n") else None

    changes.change(snapshot, file, reduced)
