"""Reader of the 0.x edition: `yggdrasil/` with tags, aspect files and one threshold."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.kernel.issue import Located
from yg_old.kernel.package import NO_LIMIT, Budget
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.decode import type_name
from yg_old.yggdrasil import codecs
from yg_old.yggdrasil.collection import Collection, CollectionSpec, folder_notes, read_file
from yg_old.yggdrasil.editions import V0
from yg_old.yggdrasil.folders import Folder, folder_at
from yg_old.yggdrasil.graph import Graph
from yg_old.yggdrasil.inventory_copies import InventoryCopies
from yg_old.yggdrasil.model import (
    Aspect,
    AspectUse,
    Config,
    Flow,
    FreeKind,
    Node,
    Quality,
    Reading,
    ReadIssue,
    Relation,
)
from yg_old.yggdrasil.places import CONFIG_V0 as CONFIG
from yg_old.yggdrasil.places import FOLDER_V0 as FOLDER
from yg_old.yggdrasil.read.duplicates import merged_relations, unique_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.fields import Fields
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.decode import Datum
    from yg_old.yggdrasil.model import Note

THRESHOLD = 8_000


def read(snapshot: Snapshot, tokenizer: str | None = None) -> Graph:
    """Open the graph in a snapshot; its files are read on demand."""
    return Graph(
        snapshot=snapshot,
        read_config=lambda: _read_config(snapshot),
        nodes=Collection(snapshot, NODES),
        aspects=AspectFiles(snapshot, ASPECTS),
        flows=Collection(snapshot, FLOWS),
        inventories=InventoryCopies(snapshot, ""),
        edition=V0,
        tokenizer=tokenizer,
    )


def _read_config(snapshot: Snapshot) -> tuple[Config, Reading[Config]]:
    reading = read_file(snapshot, CONFIG, "config.yaml", ReadIssue.CONFIG, _config, codecs.CONFIG)
    empty = Config(file=CONFIG, node_types={}, artifacts={}, quality=_quality(THRESHOLD))
    return reading.value or empty, reading


def _config(fields: Fields) -> Config:
    name = fields.located_text("name") or fields.located_text("project")
    if name is None:
        fields.report.add_problem("config.yaml has no 'name'", fields.datum, "Add 'name: ..'.")
    limits = fields.mapping("limits")
    threshold = limits.count("context_warning_tokens", THRESHOLD) if limits else THRESHOLD
    return Config(
        file=CONFIG,
        name=name.text if name else "",
        briefing=tuple(_briefing(fields)),
        node_types={},
        artifacts={},
        quality=_quality(threshold),
    )


def _quality(threshold: int) -> Quality:
    """Return the limits of this edition, which has one threshold."""
    return Quality(budget=Budget(warning=threshold, error=NO_LIMIT))


def _briefing(fields: Fields) -> Iterator[str]:
    """Yield the lines about stack, standards and testing, as far as they are configured."""
    stack = fields.mapping("stack")
    entries = list(stack.named()) if stack else []
    if entries:
        yield from ("", "**Stack:**")
        for key, datum in entries:
            yield f"- {key.text[:1].upper()}{key.text[1:]}: {_text_of(datum, fields)}"
    for topic in ("standards", "testing"):
        value = fields.get(topic)
        if value is not None and value.value not in ("", []):
            yield from ("", f"**{topic.capitalize()}:**")
            if isinstance(value.value, list):
                yield from (f"- {_text_of(item, fields)}" for item in value.value)
            else:
                yield from _text_of(value, fields).rstrip("\n").split("\n")


def _text_of(datum: Datum, fields: Fields) -> str:
    if isinstance(datum.value, bool):
        return str(datum.value).lower()
    if isinstance(datum.value, (str, int, float)):
        return str(datum.value)
    fields.report.add_problem(f"expected text, found {type_name(datum.value)}", datum)
    return ""


def _node(folder: Folder, fields: Fields) -> Node | None:
    node = lenient_node(folder, fields)
    return None if fields.report.problems else node


def lenient_node(folder: Folder, fields: Fields) -> Node:
    """Build a node from what can be read; the directory stands for a missing name."""
    name, kind = fields.required_text("name"), fields.required_text("type")
    tags = fields.located_texts("tags")
    relations = []
    for datum in fields.items("relations"):
        inner = fields.inside(datum, "each item of 'relations'")
        target, type_ = inner.required_text("target"), inner.required_text("type")
        if target is not None and type_ is not None:
            relations.append(Relation(target=target, kind=FreeKind(type_.text)))
    mapping = _mapping(fields)
    return Node(
        path=folder.id,
        directory=folder.directory,
        name=name.text if name else paths.name_of(folder.id),
        type=kind or Located("module", 1, 1),
        aspects=tuple(AspectUse(aspect=tag) for tag in unique_texts(fields.report, "tag", tags)),
        relations=merged_relations(fields.report, tuple(relations)),
        mapping=mapping,
        declared_in="node.yaml",
    )


def _mapping(fields: Fields) -> tuple[Located, ...]:
    datum = fields.get("mapping")
    if datum is not None and isinstance(datum.value, str):
        return (Located(datum.value, datum.line, datum.column),)
    return fields.located_texts("mapping", may_be_blank=True)


def _flow(folder: Folder, fields: Fields) -> Flow | None:
    flow = lenient_flow(folder, fields)
    return None if fields.report.problems else flow


def lenient_flow(folder: Folder, fields: Fields) -> Flow:
    """Build a flow from what can be read; the directory stands for a missing name."""
    name, nodes = fields.required_text("name"), fields.located_texts("nodes")
    return Flow(
        id=folder.id,
        directory=folder.directory,
        name=name.text if name else paths.name_of(folder.id),
        nodes=unique_texts(fields.report, "participant", nodes),
        declared_in="flow.yaml",
    )


def _aspect(folder: Folder, fields: Fields) -> Aspect | None:
    """Build an aspect from its file; `folder.id` is the file name."""
    name, tag = fields.required_text("name"), fields.required_text("tag")
    propagates = fields.get("propagates") is None or fields.flag("propagates")
    if name is None or tag is None or fields.report.problems:
        return None
    return Aspect(
        id=folder.id,
        directory=folder.directory,
        name=name.text,
        tag=tag.text,
        propagates=propagates,
        files=(folder.id,),
        declared_in=folder.id,
    )


class AspectFiles(Collection[Aspect]):
    """A collection of aspects that are files in one directory."""

    @cached_property
    def _all_readings(self) -> tuple[dict[str, Reading[Aspect]], tuple[Note, ...]]:
        """Read every YAML file in the directory."""
        if self.snapshot.kind(self.spec.tree) is not Kind.DIRECTORY:
            return {}, ()
        folder = folder_at(self.snapshot, self.spec.tree, ".")
        names = [name for name in folder.files if name.endswith((".yaml", ".yml"))]
        notes = tuple(folder_notes(folder, "aspects"))
        return {name: self._read_one(name) for name in names}, notes

    def ids(self) -> tuple[str, ...]:
        """Return the names of the aspect files."""
        return tuple(self.all)

    def look_up(self, folder_id: str) -> Reading[Aspect] | None:
        """Return one aspect by file name."""
        return self.all.get(folder_id)

    def _read_one(self, name: str) -> Reading[Aspect]:
        tree = self.spec.tree
        place = Folder(name, tree)
        return read_file(
            self.snapshot,
            f"{tree}/{name}",
            f"aspects/{name}",
            ReadIssue.ASPECT,
            lambda fields: _aspect(place, fields),
            codecs.ASPECT,
        )


def _no_notes(_folder: Folder, _is_below: bool) -> Iterator[Note]:  # noqa: FBT001
    return iter(())


NODES = CollectionSpec(
    tree=FOLDER,
    file="node.yaml",
    subject="",
    has_root=True,
    issue=ReadIssue.NODE,
    codec=codecs.NODE,
    build=_node,
    undeclared=_no_notes,
    excluded=frozenset({"aspects", "flows"}),
    non_content=("config.yaml",),  # in the same directory as a root node
)
ASPECTS = CollectionSpec(
    tree=f"{FOLDER}/aspects",
    file="",
    subject="aspects/",
    issue=ReadIssue.ASPECT,
    codec=codecs.ASPECT,
    build=_aspect,
    undeclared=_no_notes,
)
FLOWS = CollectionSpec(
    tree=f"{FOLDER}/flows",
    file="flow.yaml",
    subject="flows/",
    issue=ReadIssue.FLOW,
    codec=codecs.FLOW,
    build=_flow,
    undeclared=_no_notes,
)
