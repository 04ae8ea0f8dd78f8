"""From the 1.x layout to 2.x: a list of edits that may be stopped and taken up again anywhere.

What the configuration of 1.x knows is used before that file goes, and the version is written last,
so a run that stopped half-way is simply run again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.edit import Delete, Edit, Rename, Write
from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.snapshot import Kind
from yg.kernel.yaml_write import yaml_scalar
from yg.version import GRAPH_FORMAT
from yg.yggdrasil.folders import walk
from yg.yggdrasil.init import FOLDER, SCHEMAS, schema_files
from yg.yggdrasil.model import ASPECT_FILE, CONFIG_FILE, FLOW_FILE, NODE_FILE
from yg.yggdrasil.upgrade_config import INTERNALS, rewritten_config, with_version
from yg.yggdrasil.upgrade_node import Rewrite, opened, rewritten_aspect, rewritten_node, tag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from yg.kernel.snapshot import Snapshot
    from yg.yggdrasil.folders import Folder
    from yg.yggdrasil.upgrade_config import ConfigRewrite

OLD_CONFIG = "config.yaml"
REPORT = f"{FOLDER}/.upgrade-1x.txt"


class NewerGraphError(YgError):
    """The graph was made for a later version of the format."""

    code = "newer-graph"


@dataclass
class Upgrade:
    """Edits in order, and a line for everything that is done or cannot be done."""

    edits: list[Edit] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def upgrade_of(snapshot: Snapshot) -> Upgrade:
    """Work out what brings a graph to the present format."""
    return _Upgrader(snapshot).run()


class _Upgrader:
    """Looks at a graph of an earlier layout and collects edits."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._result = Upgrade()

    def run(self) -> Upgrade:
        """Collect edits in an order that can be stopped anywhere."""
        result, config, old = self._result, f"{FOLDER}/{CONFIG_FILE}", f"{FOLDER}/{OLD_CONFIG}"
        self._refuse_newer(config)
        rewrite = rewritten_config(self._text(old)) if self._is_file(old) else None
        aspects = self._aspects()
        for folder in self._folders("model"):
            self._rewrite(
                folder, "node.yaml", NODE_FILE, lambda text: rewritten_node(text, aspects)
            )
        for folder in self._folders("flows"):
            self._rewrite(folder, "flow.yaml", FLOW_FILE, Rewrite)
        if rewrite is not None:
            self._root_node(rewrite)
            self._schemas()
            self._set_baselines_aside()
            self._config(rewrite)
        elif self._version(config) != GRAPH_FORMAT and self._is_file(config):
            result.edits.append(Write(config, with_version(self._text(config)).encode()))
            result.done.append(f"{CONFIG_FILE}: version {GRAPH_FORMAT}")
        if self._snapshot.kind(f"{FOLDER}/knowledge") is Kind.DIRECTORY:
            result.warnings.append("knowledge/ has no counterpart; it stays where it is")
        if rewrite is not None and result.warnings:
            self._keep_report()
        return result

    def _keep_report(self) -> None:
        """Write the warnings down before anything else: a run may stop before it can tell them."""
        known = self._text(REPORT).splitlines() if self._is_file(REPORT) else []
        lines = dict.fromkeys((*known, *self._result.warnings))
        text = "".join(f"{line}\n" for line in lines)
        self._result.edits.insert(0, Write(REPORT, text.encode()))

    def _refuse_newer(self, config: str) -> None:
        version = self._version(config)
        if version is not None and _numbers(version) > _numbers(GRAPH_FORMAT):
            raise NewerGraphError(
                f"the graph is of format {version}, newer than {GRAPH_FORMAT}",
                hint="Upgrade yg first; nothing was changed.",
            )

    def _version(self, config: str) -> str | None:
        found = opened(self._text(config)) if self._is_file(config) else None
        version = found[1].get("version") if found else None
        return version if isinstance(version, str) else None

    def _is_file(self, path: str) -> bool:
        return self._snapshot.kind(path) is Kind.FILE

    def _text(self, path: str) -> str:
        """Return a file's text; an upgrade that cannot read everything does not begin."""
        try:
            return self._snapshot.text(path).value
        except UnreadableError as error:
            hint = "Mend the file first; nothing was changed."
            raise YgError(error.message, hint=hint) from error

    def _folders(self, tree: str) -> list[Folder]:
        return sorted(walk(self._snapshot, f"{FOLDER}/{tree}"), key=lambda folder: folder.id)

    def _aspects(self) -> frozenset[str]:
        """Rename aspects to their tags, then rewrite them; return the ids there will be."""
        folders = self._folders("aspects")
        taken = {folder.id for folder in folders}
        ids = set()
        for folder in folders:
            if ASPECT_FILE in folder.files:
                ids.add(folder.id)
            if "aspect.yaml" not in folder.files:
                continue
            tag = tag_of(self._text(f"{folder.directory}/aspect.yaml"))
            new_id = self._new_id(folder.id, tag, taken)
            ids.add(new_id)
            directory = f"{FOLDER}/aspects/{new_id}"
            if new_id != folder.id:
                self._result.edits.append(Rename(folder.directory, directory))
                self._result.done.append(
                    f"aspects/{folder.id} is now aspects/{new_id}, after its tag"
                )
            self._rewrite(folder, "aspect.yaml", ASPECT_FILE, rewritten_aspect, directory)
        return frozenset(ids)

    def _new_id(self, folder_id: str, tag: str | None, taken: Collection[str]) -> str:
        """Return the id an aspect will have: its tag, unless no directory can be called so."""
        if tag is None or tag == folder_id:
            return folder_id
        is_sound = paths.normalise(tag) == tag and not tag.startswith(".") and "/." not in tag
        has_children = any(each.startswith(f"{folder_id}/") for each in taken)
        if is_sound and tag not in taken and not has_children:
            return tag
        message = f"aspects/{folder_id} keeps its name: its tag '{tag}' cannot be used"
        self._result.warnings.append(message)
        return folder_id

    def _rewrite(
        self,
        folder: Folder,
        old: str,
        new: str,
        rewritten: Callable[[str], Rewrite],
        directory: str = "",
    ) -> None:
        """Write the new file, then remove the old one; what is there is not overwritten."""
        if old not in folder.files:
            return
        result = self._result
        rewrite = rewritten(self._text(f"{folder.directory}/{old}"))
        directory = directory or folder.directory
        shown = directory.removeprefix(f"{FOLDER}/")
        if new in folder.files:
            if self._text(f"{folder.directory}/{new}") != rewrite.text:
                message = f"{shown}/{old} stays: {new} is there already and says otherwise"
                result.warnings.append(message)
                return
        else:
            result.edits.append(Write(f"{directory}/{new}", rewrite.text.encode()))
            result.done.append(f"{shown}/{old} is now {new}")
            result.warnings += [f"{shown}/{new}: {warning}" for warning in rewrite.warnings]
        result.edits.append(Delete(f"{directory}/{old}"))

    def _root_node(self, rewrite: ConfigRewrite) -> None:
        """Move what the configuration said about technology into the root node."""
        if not rewrite.sections:
            return
        model, result = f"{FOLDER}/model", self._result
        if not any(self._is_file(f"{model}/{name}") for name in (NODE_FILE, "node.yaml")):
            name, kind = yaml_scalar(rewrite.name or "root"), yaml_scalar(rewrite.first_type)
            result.edits.append(
                Write(f"{model}/{NODE_FILE}", f"name: {name}\ntype: {kind}\n".encode())
            )
            result.done.append(f"model/{NODE_FILE}: a root node for what the configuration said")
        file = f"{model}/{INTERNALS}"
        text = self._text(file) if self._is_file(file) else ""
        missing = [section for section in rewrite.sections if section not in text]
        if missing:
            gap = ("\n" if text.endswith("\n") else "\n\n") if text else ""
            result.edits.append(Write(file, (text + gap + "\n".join(missing)).encode()))
            result.done.append(f"model/{INTERNALS}: technology stack and standards")

    def _schemas(self) -> None:
        self._result.edits += schema_files()
        old = (f"{FOLDER}/schemas/{name.removeprefix('yg-')}" for name in SCHEMAS)
        self._result.edits += [Delete(path) for path in old if self._is_file(path)]
        self._result.done.append("schemas/ replaced by those of the present format")

    def _set_baselines_aside(self) -> None:
        """Old baselines do not describe the new files."""
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


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split("-", 1)[0].split(".")
    return tuple(int(part) if part.isascii() and part.isdigit() else 0 for part in parts)
