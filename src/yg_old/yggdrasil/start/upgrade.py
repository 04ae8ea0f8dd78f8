"""Upgrade from the 1.x layout to 2.x, as a list of edits that can be interrupted and run again.

The 1.x configuration is removed, and the version written, only after everything that depends on
them.
"""

from __future__ import annotations

from collections import Counter, deque
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, TypeGuard

from yaml import YAMLError

from yg_old.kernel.edit import Delete, Edit, Rename, Write
from yg_old.kernel.errors import UnreadableError, YgError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.decode import plain
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.paths import lineage
from yg_old.text.yaml_edit import yaml_scalar
from yg_old.version import GRAPH_FORMAT, HIGHEST_FORMAT, is_newer
from yg_old.yggdrasil.folders import walk
from yg_old.yggdrasil.model import ASPECT_FILE, CONFIG_FILE, FLOW_FILE, INTERNALS_FILE, NODE_FILE
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.start.init import (
    IGNORED,
    SCHEMAS,
    existing,
    ignoring,
    kept,
    own_schemas,
    refreshed_schemas,
)
from yg_old.yggdrasil.start.upgrade_config import rewritten_config, with_version
from yg_old.yggdrasil.start.upgrade_node import (
    Arrivals,
    Rewrite,
    rewritten_aspect,
    rewritten_flow,
    rewritten_node,
    tag_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.yggdrasil.folders import Folder
    from yg_old.yggdrasil.start.upgrade_config import ConfigRewrite

OLD_CONFIG = "config.yaml"
REPORT = f"{FOLDER}/.upgrade-1x.txt"


class NewerGraphError(YgError):
    """The graph has a newer format than this program supports."""

    code = "newer-graph"


class Upgrade:
    """The edits of an upgrade in order, with messages and warnings."""

    def __init__(self, edits: Iterable[Edit] = ()) -> None:
        self.edits = list(edits)
        self.done: list[str] = []
        self.warnings: list[str] = []
        self.unfinished: list[str] = []  # files still in the 1.x form, which have to be fixed


def upgrade_of(snapshot: Snapshot) -> Upgrade:
    """Return the upgrade of a graph to the current format."""
    return _Upgrader(snapshot).run()


class _Upgrader:
    """Builder of the upgrade of one graph."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._result = Upgrade()

    def run(self) -> Upgrade:
        """Collect the edits in an order that can be interrupted anywhere."""
        result, config, old = self._result, f"{FOLDER}/{CONFIG_FILE}", f"{FOLDER}/{OLD_CONFIG}"
        if self._is_later(config):
            self._keep_later()
        elif self._is_file(old):
            self._from_1x(rewritten_config(self._text(old)))
        elif not self._is_file(config):
            raise YgError(f"there is no {CONFIG_FILE} in {FOLDER}/", hint="Restore it first.")
        else:
            self._to_this_version(config)
        return result

    def _to_this_version(self, config: str) -> None:
        """Bring a 2.x graph up to date; files called like those of 1.x are content."""
        result = self._result
        schemas = refreshed_schemas(self._snapshot)
        if schemas:
            result.edits += schemas
            result.done.append("schemas/ brought up to date")
        self._ignore()
        if self._version(config) != GRAPH_FORMAT:
            result.edits.append(Write(config, with_version(self._text(config)).encode()))
            result.done.append(f"{CONFIG_FILE}: version {GRAPH_FORMAT}")

    def _is_later(self, config: str) -> bool:
        """Tell whether the graph has a format after that of new graphs, by version or by keys."""
        if not self._is_file(config):
            return False
        from yg_old.yggdrasil.later_formats import later_format, refuse_another_model
        from yg_old.yggdrasil.read.v2 import read

        graph = read(self._snapshot)
        refuse_another_model(graph)
        version = self._version(config) or ""  # perhaps without quotes
        self._refuse_newer(version)
        if is_newer(version, than=GRAPH_FORMAT):
            return True
        # Keys of nodes may have come along from 1.x.
        return not self._is_file(f"{FOLDER}/{OLD_CONFIG}") and bool(later_format(graph))

    def _keep_later(self) -> None:
        """Write missing schemas, and those that this program wrote; nothing else changes."""
        result = self._result
        schemas = own_schemas(self._snapshot)
        result.edits += schemas
        result.done += ["schemas/ brought up to date"] if schemas else []
        self._ignore()

    def _ignore(self) -> None:
        if ignored := ignoring(self._snapshot):
            self._result.edits += ignored
            self._result.done.append(f".gitignore: git ignores {IGNORED.strip()} now")

    def _from_1x(self, rewrite: ConfigRewrite) -> None:
        """Rewrite every file of the 1.x layout, the configuration last."""
        self._declarations()
        self._root_node(rewrite)
        self._result.edits += ignoring(self._snapshot)
        self._schemas()
        self._set_baselines_aside()
        if self._result.unfinished:
            self._tell_unfinished()
        else:
            self._config(rewrite)
        if self._snapshot.kind(f"{FOLDER}/knowledge") is Kind.DIRECTORY:
            self._result.warnings.append("knowledge/ has no counterpart; it stays where it is")
        if self._result.warnings:
            self._keep_report()

    def _declarations(self) -> None:
        """Rewrite nodes, aspects and flows."""
        aspects = self._aspects()
        for folder in self._folders("model"):
            rewritten = self._node_rewriter(folder.id, aspects)
            self._rewrite(folder, "node.yaml", NODE_FILE, rewritten)
        for folder in self._folders("flows"):
            self._rewrite(folder, "flow.yaml", FLOW_FILE, rewritten_flow)

    def _node_rewriter(self, node: str, aspects: frozenset[str]) -> Callable[[str], Rewrite]:
        return lambda text: rewritten_node(text, aspects, self._arrivals.get(node))

    @cached_property
    def _arrivals(self) -> Arrivals:
        """The aspects that apply to each node, from its ancestors and flows and by implication."""
        nodes = {folder.id: self._content(folder, "node.yaml") for folder in self._folders("model")}
        flows = [self._content(folder, "flow.yaml") for folder in self._folders("flows")]
        aspects = (self._content(folder, "aspect.yaml") for folder in self._folders("aspects"))
        folders = (folder.id for folder in self._folders("aspects"))
        return Arrivals(nodes, flows, dict(zip(folders, aspects, strict=True)))

    def _content(self, folder: Folder, old: str) -> dict[str, Any]:
        """Return the content of a declaration of either layout; empty if it cannot be read."""
        name = next((name for name in (f"yg-{old}", old) if name in folder.files), "")
        try:
            text = self._snapshot.text(f"{folder.directory}/{name}").value if name else ""
        except UnreadableError:
            return {}  # reported when it is to be rewritten
        content = plain(decode_yaml(text).datum)
        return content if isinstance(content, dict) else {}

    def _tell_unfinished(self) -> None:
        files = ", ".join(self._result.unfinished)
        self._result.warnings.append(
            f"the upgrade is not finished: fix {files}, then run 'yg init --upgrade' again"
        )

    def _keep_report(self) -> None:
        """Write the warnings to a file first, in case the run is interrupted."""
        known = self._text(REPORT).splitlines() if self._is_file(REPORT) else []
        lines = dict.fromkeys((*known, *self._result.warnings))
        text = "".join(f"{line}\n" for line in lines)
        self._result.edits.insert(0, Write(REPORT, text.encode()))

    def _refuse_newer(self, version: str) -> None:
        if is_newer(version):
            raise NewerGraphError(
                f"the graph is of format {version}, newer than {HIGHEST_FORMAT}",
                hint="Upgrade yg first; nothing was changed.",
            )

    def _version(self, config: str) -> str | None:
        content = plain(decode_yaml(self._text(config)).datum) if self._is_file(config) else None
        version = content.get("version") if isinstance(content, dict) else None
        return None if version is None else str(version)

    def _is_file(self, path: str) -> bool:
        return self._snapshot.kind(path) is Kind.FILE

    def _text(self, path: str) -> str:
        """Return the text of a file; raise an error if it cannot be read."""
        try:
            return self._snapshot.text(path).value
        except UnreadableError as error:
            hint = "Fix the file first; nothing was changed."
            raise YgError(error.message, hint=hint) from error

    def _folders(self, tree: str) -> list[Folder]:
        return sorted(walk(self._snapshot, f"{FOLDER}/{tree}"), key=lambda folder: folder.id)

    def _aspects(self) -> frozenset[str]:
        """Rename aspects to their tags, then rewrite them; return the new ids."""
        folders = {folder.id: folder for folder in self._folders("aspects")}
        folders.pop(paths.ROOT, None)
        tags = {
            aspect_id: self._tag(folder)
            for aspect_id, folder in folders.items()
            if "aspect.yaml" in folder.files
        }
        ids = self._new_ids(tags, folders)
        self._rename(ids, folders)
        for old, new in sorted(ids.items()):
            directory = f"{FOLDER}/aspects/{new}"
            self._rewrite(folders[old], "aspect.yaml", ASPECT_FILE, rewritten_aspect, directory)
        declared = (
            aspect_id for aspect_id, folder in folders.items() if ASPECT_FILE in folder.files
        )
        return frozenset(
            (*ids.values(), *(aspect_id for aspect_id in declared if aspect_id not in ids))
        )

    def _tag(self, folder: Folder) -> str | None:
        try:
            return tag_of(self._snapshot.text(f"{folder.directory}/aspect.yaml").value)
        except UnreadableError:
            return None  # reported when it is to be rewritten

    def _new_ids(
        self, tags: Mapping[str, str | None], folders: Mapping[str, Folder]
    ) -> dict[str, str]:
        """Return the new id of each aspect: its tag, if that is usable as a directory."""
        ids = _free_ids(tags, folders)
        for aspect_id, tag in sorted(tags.items()):
            if tag is not None and ids[aspect_id] != tag:
                message = f"aspects/{aspect_id} keeps its name: its tag '{tag}' cannot be used"
                self._result.warnings.append(message)
        return ids

    def _rename(self, ids: Mapping[str, str], folders: Mapping[str, Folder]) -> None:
        """Rename directories in an order in which each new name is free."""
        waiting = {old: new for old, new in sorted(ids.items()) if old != new}
        blocked = {new: old for old, new in waiting.items() if new in folders}
        free = [old for old, new in waiting.items() if new not in folders]
        while waiting:
            if free:
                old = heappop(free)
                new = waiting.pop(old)
                self._result.done.append(f"aspects/{old} is now aspects/{new}, after its tag")
            else:  # a cycle of names: move one to a temporary name
                old = next(iter(waiting))
                new = f"{old}.moving"
                waiting[new] = waiting.pop(old)
                blocked[waiting[new]] = new
            self._result.edits.append(self._moved(old, new))
            if old in blocked:
                heappush(free, blocked.pop(old))

    def _moved(self, old: str, new: str) -> Rename:
        return Rename(f"{FOLDER}/aspects/{old}", f"{FOLDER}/aspects/{new}")

    def _rewrite(
        self,
        folder: Folder,
        old: str,
        new: str,
        rewritten: Callable[[str], Rewrite],
        directory: str = "",
    ) -> None:
        """Write the new file, then delete the old one; an existing file is not overwritten."""
        if old not in folder.files:
            return
        result = self._result
        directory = directory or folder.directory
        shown = directory.removeprefix(f"{FOLDER}/")
        try:
            rewrite = rewritten(self._snapshot.text(f"{folder.directory}/{old}").value)
        except UnreadableError as error:
            self._leave(f"{shown}/{old}", error.reason)
            return
        except YAMLError as error:
            self._leave(f"{shown}/{old}", str(error))
            return
        if not rewrite.is_readable:
            self._leave(f"{shown}/{old}", "not a YAML mapping")
            return
        if new in folder.files:
            if self._text(f"{folder.directory}/{new}") != rewrite.text:
                self._leave(f"{shown}/{old}", f"{new} is there already and says otherwise")
                return
        else:
            result.edits.append(Write(f"{directory}/{new}", rewrite.text.encode()))
            result.done.append(f"{shown}/{old} is now {new}")
            result.warnings += [f"{shown}/{new}: {warning}" for warning in rewrite.warnings]
        result.edits.append(Delete(f"{directory}/{old}"))

    def _leave(self, file: str, reason: str) -> None:
        """Leave a file in the 1.x form; a later run rewrites it."""
        self._result.warnings.append(f"{file} stays: {reason}")
        self._result.unfinished.append(file)

    def _root_node(self, rewrite: ConfigRewrite) -> None:
        """Move the technology sections of the configuration into the root node."""
        if not rewrite.sections:
            return
        model, result = f"{FOLDER}/model", self._result
        if not any(self._is_file(f"{model}/{name}") for name in (NODE_FILE, "node.yaml")):
            name, kind = yaml_scalar(rewrite.name or "root"), yaml_scalar(rewrite.first_type)
            result.edits.append(
                Write(f"{model}/{NODE_FILE}", f"name: {name}\ntype: {kind}\n".encode())
            )
            result.done.append(f"model/{NODE_FILE}: a root node for what the configuration said")
        file = f"{model}/{INTERNALS_FILE}"
        text = self._text(file) if self._is_file(file) else ""
        missing = [section for section in rewrite.sections if section not in text]
        if missing:
            gap = ("\n" if text.endswith("\n") else "\n\n") if text else ""
            result.edits.append(Write(file, (text + gap + "\n".join(missing)).encode()))
            result.done.append(f"model/{INTERNALS_FILE}: technology stack and standards")

    def _schemas(self) -> None:
        snapshot, edits = self._snapshot, self._result.edits
        edits += refreshed_schemas(snapshot)
        for name in SCHEMAS:
            path = f"{FOLDER}/schemas/{name.removeprefix('yg-')}"
            if self._is_file(path):
                content = existing(snapshot, path) or b""
                edits += [*kept(snapshot, path, content, content), Delete(path)]
        self._result.done.append("schemas/ replaced by those of the present format")

    def _set_baselines_aside(self) -> None:
        """Rename the old baselines, which do not match the new files."""
        state = f"{FOLDER}/.drift-state"
        if self._snapshot.kind(state) is None:
            return
        if self._snapshot.kind(f"{state}.1x") is not None:
            self._result.warnings.append(".drift-state stays: .drift-state.1x is there already")
            return
        self._result.edits.append(Rename(state, f"{state}.1x"))
        self._result.done.append(".drift-state is set aside as .drift-state.1x")
        self._result.warnings.append("after a look at the code, run 'yg drift-sync --all'")

    def _config(self, rewrite: ConfigRewrite) -> None:
        new, old = f"{FOLDER}/{CONFIG_FILE}", f"{FOLDER}/{OLD_CONFIG}"
        text = with_version(rewrite.text)
        if self._is_file(new) and self._text(new) != text:
            message = f"{OLD_CONFIG} stays: {CONFIG_FILE} is there already and says otherwise"
            self._result.warnings.append(message)
            return
        self._result.edits += [Write(new, text.encode()), Delete(old)]
        self._result.done.append(f"{OLD_CONFIG} is now {CONFIG_FILE}, version {GRAPH_FORMAT}")
        self._result.warnings += [f"{CONFIG_FILE}: {warning}" for warning in rewrite.warnings]


def _free_ids(tags: Mapping[str, str | None], folders: Collection[str]) -> dict[str, str]:
    """Return the tag of each aspect as its id, or its old id if the tag cannot be used."""
    ids = {aspect_id: tag if _is_id(tag) else aspect_id for aspect_id, tag in tags.items()}
    takers: dict[str, list[str]] = {}
    for aspect_id, new in ids.items():
        takers.setdefault(new, []).append(aspect_id)
    used = Counter(ids.values())
    # The number of directories, old and new, below each one.
    inside = Counter(above for folder in (*folders, *ids.values()) for above in lineage(folder))
    waiting = deque(sorted(ids))
    while waiting:
        aspect_id = waiting.popleft()
        new = ids[aspect_id]
        is_taken = new in folders and new not in ids
        if new != aspect_id and (inside[aspect_id] or used[new] > 1 or is_taken):
            ids[aspect_id] = aspect_id
            used.update({new: -1, aspect_id: 1})
            inside.subtract(lineage(new))
            waiting.extend(takers.get(aspect_id, ()))  # the name is taken, so check these again
    return ids


def _is_id(tag: str | None) -> TypeGuard[str]:
    """Tell whether a tag can be the path of a directory below `aspects/`."""
    return tag is not None and paths.is_plain(tag) and "\\" not in tag
