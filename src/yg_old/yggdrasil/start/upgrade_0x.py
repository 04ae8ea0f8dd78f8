"""Upgrade from the 0.x edition: a 2.x graph beside the old one, which stays as it is.

What can be read is carried over. The rest, and what has no counterpart, is listed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.kernel.edit import MakeDirectory, Write
from yg_old.kernel.errors import BinaryFileError, UnreadableError
from yg_old.kernel.fields import Fields, Report
from yg_old.kernel.snapshot import decode_text
from yg_old.text import paths
from yg_old.text.decode import Datum, plain
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.plural import counted
from yg_old.text.yaml_edit import yaml_scalar
from yg_old.yggdrasil.folders import folder_at, walk
from yg_old.yggdrasil.model import (
    ASPECT_FILE,
    CONFIG_FILE,
    FLOW_FILE,
    INTERNALS_FILE,
    NODE_FILE,
    ReadIssue,
)
from yg_old.yggdrasil.places import CONFIG_V0, FOLDER, FOLDER_V0
from yg_old.yggdrasil.read import v0
from yg_old.yggdrasil.read.config import artifact_name_fault
from yg_old.yggdrasil.resolve import description_first
from yg_old.yggdrasil.start.init import existing, ignoring, schema_files
from yg_old.yggdrasil.start.upgrade import Upgrade
from yg_old.yggdrasil.start.upgrade_0x_aspects import aspect_ids
from yg_old.yggdrasil.start.upgrade_0x_config import config_text, sections_of
from yg_old.yggdrasil.start.upgrade_0x_nodes import (
    ROOT_TYPE,
    carried_nodes,
    flow_text,
    node_text,
    root_node,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.folders import Folder
    from yg_old.yggdrasil.model import D, Node, Note, Reading

REPORT = f"{FOLDER}/.upgrade-0x.txt"
_HARMLESS = (ReadIssue.DUPLICATE, ReadIssue.BARE_DIRECTORY)


def upgrade_from_0x(snapshot: Snapshot, sources: Sources, name: str) -> Upgrade:
    """Return the edits that write the content of a 0.x graph as a 2.x graph.

    `name` is for a project whose configuration has none. The configuration is written last, so a
    run that was interrupted is simply run again.
    """
    return _Converter(snapshot, sources, name).run()


class _Converter:
    """Builder of a 2.x graph from one of the 0.x edition."""

    def __init__(self, snapshot: Snapshot, sources: Sources, name: str) -> None:
        self._snapshot = snapshot
        self._sources = sources
        self._graph = v0.read(snapshot)
        self._name = self._graph.config.name or name or "project"
        self._result = Upgrade()
        self._lost: list[str] = []  # what is not in the new graph as it was in the old one
        self._seen = {CONFIG_V0}  # files of the old graph that are carried over or listed

    def run(self) -> Upgrade:
        """Collect the edits, the configuration last."""
        graph, result = self._graph, self._result
        self._list_reading(graph.config_reading)
        aspects = self._aspects()
        read = tuple(self._read_all(graph.nodes, v0.lenient_node))
        found = carried_nodes(read, aspects, self._sources)
        self._lost += found.lost
        artifacts = self._texts(found.nodes)
        types = {node.type.text for node in found.nodes}
        nodes = found.nodes
        if self._sections and not any(node.path == paths.ROOT for node in nodes):
            nodes = (root_node(self._name), *nodes)
            types.add(ROOT_TYPE)
        for node in nodes:
            self._write(f"{_directory(node.path)}/{NODE_FILE}", node_text(node).encode())
        flows = self._flows({node.path for node in found.nodes})
        self._list_rest()
        result.edits += [
            MakeDirectory(f"{FOLDER}/{kind}") for kind in ("model", "aspects", "flows")
        ]
        for schema in (*schema_files(), *ignoring(self._snapshot)):
            self._write(schema.path, schema.content)
        config = config_text(
            self._name,
            types,
            artifacts,
            warning=graph.config.quality.budget.warning,
            is_cyclic=found.is_cyclic,
            lost=self._lost,
        )
        self._report()
        self._write(f"{FOLDER}/{CONFIG_FILE}", config.encode())
        counts = f"{counted(len(nodes), 'node')}, {counted(len(set(aspects.values())), 'aspect')}"
        result.done.append(
            f"{FOLDER_V0}/ is now in {FOLDER}/ too: {counts}, {counted(flows, 'flow')}"
        )
        result.warnings += self._lost
        return result

    def _read_all(
        self, collection: Collection[D], lenient: Callable[[Folder, Fields], D]
    ) -> Iterator[D]:
        """Yield all values of a collection; of a file that is invalid, what can be read."""
        self._list_notes(collection.notes)
        for item_id, reading in collection.all.items():
            self._seen.add(collection.spec.file_of(item_id))
            self._list_reading(reading)
            yield reading.value or self._salvaged(collection, item_id, lenient)

    def _salvaged(
        self, collection: Collection[D], item_id: str, lenient: Callable[[Folder, Fields], D]
    ) -> D:
        """Build a value from what can be read of an invalid file."""
        spec = collection.spec
        folder = folder_at(self._snapshot, spec.tree, item_id)
        file = spec.file_of(item_id)
        fields = Fields(self._datum(file), paths.name_of(file), Report())
        return lenient(folder, fields).placed(item_id, folder.directory, spec.content_of(folder))

    def _datum(self, file: str) -> Datum:
        """Return the content of a YAML file, as far as it can be read."""
        try:
            found = decode_yaml(self._snapshot.text(file).value).datum
        except UnreadableError:
            found = None  # listed when it was read for the first time
        return found if found is not None else Datum({}, 1, 1)

    @cached_property
    def _sections(self) -> str:
        """Return what the configuration says about the technology."""
        content = plain(self._datum(CONFIG_V0))
        return sections_of(content) if isinstance(content, dict) else ""

    def _aspects(self) -> dict[str, str]:
        """Write the aspects; return the id of each tag."""
        collection = self._graph.aspects
        self._list_notes(collection.notes)
        for name, reading in collection.all.items():
            self._seen.add(f"{collection.spec.tree}/{name}")
            self._list_notes(reading.notes)
        ids = aspect_ids(tuple(collection))
        written: set[str] = set()
        for aspect in collection:
            directory = f"{FOLDER}/aspects/{ids[aspect.tag]}"
            if directory not in written:
                declaration = f"name: {yaml_scalar(aspect.name)}\n"
                self._write(f"{directory}/{ASPECT_FILE}", declaration.encode())
                if ids[aspect.tag] != aspect.tag:
                    renamed = f"'{aspect.tag}' is the aspect '{ids[aspect.tag]}' now"
                    self._lost.append(f"{aspect.file}: the tag {renamed}")
            else:
                self._lost.append(f"{aspect.file}: another aspect has the tag '{aspect.tag}' too")
            written.add(directory)
            if not aspect.propagates:
                difference = "2.x has no 'propagates: false': nodes below get the aspect too"
                self._lost.append(f"{aspect.file}: {difference}")
            name = "content.yaml" if aspect.id == ASPECT_FILE else aspect.id
            self._copy(aspect.file, f"{directory}/{name}", may_be_binary=True)
        return ids

    def _texts(self, nodes: Sequence[Node]) -> dict[str, bool]:
        """Copy the artifacts of nodes; return the names, and whether dependents see them."""
        names: set[str] = set()
        sections = self._sections.encode()
        for node in nodes:
            for name in node.files:
                file, to = f"{node.directory}/{name}", f"{_directory(node.path)}/{name}"
                self._seen.add(file)
                if fault := artifact_name_fault(name):
                    self._lost.append(f"{file}: its name {fault}")
                    continue
                is_root = node.path == paths.ROOT and name == INTERNALS_FILE
                if self._copy(file, to, more=sections if is_root else b""):
                    names.add(name)
                    sections = b"" if is_root else sections
        found = dict.fromkeys(description_first(names), True)
        if sections:
            self._write(f"{_directory(paths.ROOT)}/{INTERNALS_FILE}", sections)
            found.setdefault(INTERNALS_FILE, False)
        return found

    def _flows(self, known: set[str]) -> int:
        """Write the flows with their participants; return their number."""
        number = 0
        for flow in self._read_all(self._graph.flows, v0.lenient_flow):
            self._seen.update(f"{flow.directory}/{name}" for name in flow.files)
            missing = [node for node in flow.nodes if node.text not in known]
            self._lost += [
                f"{flow.file}:{node.line}:{node.column}: there is no node '{node}'"
                for node in missing
            ]
            nodes = [node.text for node in flow.nodes if node.text in known]
            if not nodes:
                self._lost.append(f"{flow.directory}/: the flow has no nodes")
                continue
            number += 1
            directory = f"{FOLDER}/flows/{flow.id}"
            self._write(f"{directory}/{FLOW_FILE}", flow_text(flow, nodes).encode())
            for name in flow.files:
                if name == FLOW_FILE:
                    self._lost.append(f"{flow.directory}/{name}: its name has a meaning in 2.x")
                else:
                    file = f"{flow.directory}/{name}"
                    self._copy(file, f"{directory}/{name}", may_be_binary=True)
        return number

    def _copy(self, file: str, to: str, *, more: bytes = b"", may_be_binary: bool = False) -> bool:
        """Copy a file, with some text after it; return whether 2.x can read it."""
        try:
            data = self._snapshot.read(file)
            decode_text(file, data)
        except BinaryFileError:
            if not may_be_binary:
                self._lost.append(f"{file}: it is binary, and artifacts of 2.x are texts")
                return False
        except UnreadableError as error:
            self._lost.append(f"{file}: it cannot be read: {error.reason}")
            return False
        gap = b"\n" if data.endswith(b"\n") else b"\n\n"
        self._write(to, data + gap + more if more else data)
        return True

    def _write(self, path: str, content: bytes) -> None:
        """Write a file, unless there is one; that of an interrupted run is the same."""
        old = existing(self._snapshot, path)
        if old is None:
            self._result.edits.append(Write(path, content))
        elif old != content:
            self._lost.append(f"{path}: it exists already and differs, so it was left as it is")

    def _report(self) -> None:
        """Write the list first, in case the run is interrupted."""
        text = "".join(f"{line}\n" for line in self._lost).encode()
        if text and existing(self._snapshot, REPORT) != text:
            self._result.edits.insert(0, Write(REPORT, text))

    def _list_reading(self, reading: Reading[object]) -> None:
        """List the problems of a file, and the keys that 2.x has no place for."""
        self._list_notes(reading.notes)
        self._lost += [
            f"{use.file}:{use.key.name.line}:{use.key.name.column}: "
            f"the key '{use.key.name}' has no counterpart"
            for use in reading.unknown_keys
        ]

    def _list_notes(self, notes: Sequence[Note]) -> None:
        for note in notes:
            place, message = note.finding.place, note.finding.message
            at = f":{place.line}:{place.column}" if place.line else ""
            if note.issue not in _HARMLESS:
                self._lost.append(f"{place.file}{at}: {message}")
                self._seen.add(place.file)

    def _list_rest(self) -> None:
        """List the files of the old graph that belong to no node, aspect or flow."""
        files = (
            f"{folder.directory}/{name}"
            for folder in walk(self._snapshot, FOLDER_V0)
            for name in folder.files
        )
        rest = sorted(file for file in files if file not in self._seen)
        self._lost += [f"{file}: no node, aspect or flow has it" for file in rest]


def _directory(node: str) -> str:
    return f"{FOLDER}/model" if node == paths.ROOT else f"{FOLDER}/model/{node}"
