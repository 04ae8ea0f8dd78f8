"""`yg init`: the files of an empty graph, and the rules for an agent platform."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from yg_old.code.draft.roles import is_source
from yg_old.kernel.digest import file_digest
from yg_old.kernel.edit import Copy, Edit, MakeDirectory, Write
from yg_old.kernel.errors import UnreadableError, YgError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.json_edit import BOM
from yg_old.text.yaml_edit import yaml_scalar
from yg_old.yggdrasil.model import CONFIG_FILE
from yg_old.yggdrasil.package.overview_block import (
    AGENT_RULES,
    overview_in,
    with_overview,
    without_overview,
)
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.read.config import read_config
from yg_old.yggdrasil.start.platforms import (
    DEFAULT_PLATFORM,
    PLATFORMS,
    RULES_FILE,
    STAYS,
    is_marked,
    rules_text,
)
from yg_old.yggdrasil.start.schemas import JSON_SCHEMAS, json_schema
from yg_old.yggdrasil.start.templates import template

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.yggdrasil.model import Agreement
    from yg_old.yggdrasil.start.platforms import Platform, Way


SCHEMAS = tuple(f"yg-{kind}.yaml" for kind in ("node", "aspect", "flow"))
IGNORE_FILE = f"{FOLDER}/.gitignore"
IGNORED = ".yg-tmp-*\n"  # files of a command that was interrupted while it wrote


def new_graph(name: str) -> list[Edit]:
    """Return the edits that create an empty graph."""
    edits: list[Edit] = [Write(f"{FOLDER}/{CONFIG_FILE}", created_config(name).encode())]
    edits.append(Write(IGNORE_FILE, IGNORED.encode()))
    edits += [MakeDirectory(f"{FOLDER}/{name}") for name in ("model", "aspects", "flows")]
    edits += schema_files()
    return edits


def created_config(name: str) -> str:
    """Return the configuration of an empty graph."""
    config = template(CONFIG_FILE)
    return config.replace('name: ""', f"name: {yaml_scalar(name)}") if name else config


def has_code(files: Iterable[str]) -> bool:
    """Tell whether there are source files, for which nodes can be drafted."""
    return any(map(is_source, files))


def schema_files() -> list[Write]:
    """Return the edits that write the schemas."""
    texts = {name: template(name) for name in SCHEMAS}
    texts |= {name: json_schema(name) for name in JSON_SCHEMAS}
    return [Write(f"{FOLDER}/schemas/{name}", text.encode()) for name, text in texts.items()]


def refreshed_schemas(snapshot: Snapshot) -> list[Edit]:
    """Return the edits that write missing and outdated schemas; edited ones are copied first."""
    return [edit for write in schema_files() for edit in replaced(snapshot, write)]


def own_schemas(snapshot: Snapshot) -> list[Edit]:
    """Return the edits that write missing schemas, and outdated ones that this program wrote."""
    found = ((write, existing(snapshot, write.path)) for write in schema_files())
    return [write for write, old in found if old is None or (old != write.content and is_ours(old))]


def ignoring(snapshot: Snapshot) -> list[Write]:
    """Return the edit that makes git ignore local files, if it does not; other lines are kept."""
    text = text_of(snapshot, IGNORE_FILE)
    if IGNORED.strip() in text.split():
        return []
    gap = "" if not text or text.endswith("\n") else "\n"
    return [Write(IGNORE_FILE, f"{text}{gap}{IGNORED}".encode())]


def found_platforms(snapshot: Snapshot) -> list[str]:
    """Return the platforms whose files have the rules; 'generic' only if there is no other."""
    found = [platform for platform in PLATFORMS.values() if _has_rules(snapshot, platform)]
    others = [platform.name for platform in found if platform.file != AGENT_RULES]
    return others or [platform.name for platform in found]


def _has_rules(snapshot: Snapshot, platform: Platform) -> bool:
    """Tell whether the file of a platform has the rules; other files are none of our business."""
    if platform.mark and snapshot.kind(platform.mark) is not Kind.FILE:
        return False
    if snapshot.kind(platform.file) is not Kind.FILE:
        return False
    try:
        text = snapshot.read(platform.file).decode("utf-8", "replace")
    except UnreadableError:
        return False
    return platform.way.is_in(text)


def platform_files(snapshot: Snapshot, *platforms: Platform, overview: str = "") -> list[Edit]:
    """Return the edits that add the rules to the files of platforms without changing user text.

    The overview of the graph follows them for agents that are not told at the start of a session.
    """
    ways: dict[str, list[Way]] = {}
    needs_rules_file = False
    for platform in platforms:
        ways.setdefault(platform.file, []).append(platform.way)
        needs_rules_file = needs_rules_file or platform.needs_rules_file
    if needs_rules_file:
        ways.setdefault(AGENT_RULES, [RULES_FILE])
    others = [PLATFORMS[name] for name in found_platforms(snapshot) if name != DEFAULT_PLATFORM]
    shown = {platform.rules_file for platform in (*platforms, *others) if platform.has_overview}
    stays = AGENT_RULES in ways and _stays(snapshot, platforms, others)
    if stays and overview_in(text_of(snapshot, AGENT_RULES)) is not None:
        shown.add(AGENT_RULES)
    rules = rules_text(_agreement(snapshot))
    texts = {file: with_overview(rules, overview if file in shown else "") for file in ways}
    if stays:
        texts[AGENT_RULES] += STAYS
    return [
        edit for file, used in ways.items() for edit in _placed(snapshot, file, used, texts[file])
    ]


def _stays(snapshot: Snapshot, added: Sequence[Platform], others: Sequence[Platform]) -> bool:
    """Return whether platforms import the rules file, but it is not only there for them."""
    is_imported = any(platform.needs_rules_file for platform in others)
    if not is_imported and not any(platform.needs_rules_file for platform in added):
        return False
    if any(platform.name == DEFAULT_PLATFORM for platform in added):
        return True
    old = text_of(snapshot, AGENT_RULES)
    return is_marked(old) or (bool(old) and not is_imported)


def _agreement(snapshot: Snapshot) -> Agreement:
    """Return who agrees to new baselines, as far as the configuration can be read."""
    config, _ = read_config(snapshot, f"{FOLDER}/{CONFIG_FILE}")
    return config.drift.agreement


def _placed(snapshot: Snapshot, file: str, ways: Sequence[Way], rules: str) -> Iterator[Edit]:
    """Yield the edits of one file, which several platforms may read."""
    old = new = text_of(snapshot, file)
    lost = ""
    for way in ways:
        lost += without_overview(way.replaced(old))
        new = way.placed(new, rules)
    is_shared = not any(way.is_in("") for way in ways)
    if is_shared and not old.strip(BOM) and snapshot.kind(file) is Kind.FILE:
        new = new.removesuffix("\n")  # a removal leaves an empty file then
    return replaced(snapshot, Write(file, new.encode()), lost.encode())


def text_of(snapshot: Snapshot, path: str) -> str:
    """Return the text of a user's file with its byte order mark; empty if it is missing."""
    try:
        return (existing(snapshot, path) or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8 first; nothing was written."
        raise YgError(f"'{path}' is not UTF-8", hint=hint) from error


SUFFIX = ".before-upgrade"
DIGESTS = "written.txt"  # digests of all files that any version has written


def replaced(snapshot: Snapshot, write: Write, lost: bytes | None = None) -> Iterator[Edit]:
    """Yield a write that replaces a file, after a copy of the file if a user edited it.

    `lost` is the part of the old content that is not in the new one; None means all of it.
    Nothing is yielded if the file already has the new content.
    """
    old = existing(snapshot, write.path)
    if old == write.content:
        return
    if old is not None:
        yield from kept(snapshot, write.path, old, old if lost is None else lost)
    yield write


def kept(snapshot: Snapshot, path: str, content: bytes, lost: bytes) -> Iterator[Copy]:
    """Yield a copy of a file if it loses text that this program did not write.

    Earlier copies are not overwritten, and an equal copy is not made again, so an interrupted
    upgrade can be run again.
    """
    if not lost or is_ours(lost):
        return
    for number in count(1):
        to = f"{path}{SUFFIX}" if number == 1 else f"{path}{SUFFIX}.{number}"
        if snapshot.kind(to) is None:
            yield Copy(path, to)
            return
        if _holds(snapshot, to, content):
            return


def _holds(snapshot: Snapshot, path: str, content: bytes) -> bool:
    try:
        return snapshot.kind(path) is Kind.FILE and snapshot.read(path) == content
    except UnreadableError:
        return False  # try the next name


def is_ours(content: bytes) -> bool:
    """Tell whether a version of this program wrote this content, ignoring line endings."""
    return file_digest([content]) in _digests()


@cache
def _digests() -> frozenset[str]:
    return frozenset(line.split()[0] for line in template(DIGESTS).splitlines())


def existing(snapshot: Snapshot, path: str) -> bytes | None:
    """Return the content of a file to be replaced; None if it is missing."""
    for above in paths.lineage(path)[1:]:
        if snapshot.kind(above) not in (Kind.DIRECTORY, None):
            raise YgError(
                f"'{above}' is not a directory", hint="Move it away; nothing was written."
            )
    kind = snapshot.kind(path)
    if kind is None:
        return None
    if kind is not Kind.FILE:
        hint = "Replace it by a plain file; nothing was written."
        raise YgError(f"'{path}' is a {kind}, not a file", hint=hint)
    try:
        return snapshot.read(path)
    except UnreadableError as error:
        raise YgError(error.message, hint="Nothing was written.") from error


def copies_told(edits: Iterable[Edit]) -> list[str]:
    """Return a message for each copy among edits."""
    copies = (edit for edit in edits if isinstance(edit, Copy))
    return [f"{copy.path}: your version is kept as {copy.to}" for copy in copies]
