"""A collection finds every declaration in a tree, reads on demand, and reports what it skips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support import NODE, graph_from, snapshot_from
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Place
from yg.kernel.snapshot import DictSnapshot, Kind, Text
from yg.text import paths
from yg.yggdrasil.collection import Collection
from yg.yggdrasil.model import Note, ReadIssue
from yg.yggdrasil.read.v2 import NODES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support import Content
    from yg.yggdrasil.model import Aspect, Flow, Node, Reading

ASPECT = "name: X\n"
FLOW = "name: F\nnodes: [a]\n"
LINK_ADVICE = ("Put the content itself there: links are not followed inside a graph.",)


def node_paths(files: Mapping[str, Content]) -> list[str]:
    return [node.path for node in graph_from(files).nodes]


def nodes_notes(files: Mapping[str, Content]) -> tuple[Note, ...]:
    return graph_from(files).nodes.notes


def link(subject: str, path: str) -> Note:
    message = f"'{path.rpartition('/')[2]}' is a link and is ignored"
    finding = Finding(subject, message, Place(f".yggdrasil/{path}"), LINK_ADVICE)
    return Note(ReadIssue.LINK, finding)


def unreadable(subject: str, path: str, reason: str) -> Note:
    message = f"'{path.rpartition('/')[2]}' cannot be read: {reason}"
    return Note(ReadIssue.UNREADABLE, Finding(subject, message, Place(f".yggdrasil/{path}")))


def has_files(subject: str, path: str, file: str, issue: ReadIssue) -> Note:
    place = Place(f".yggdrasil/{path}")
    needed = {
        ReadIssue.ASPECT: "a 'name'",
        ReadIssue.FLOW: "'name' and 'nodes'",
    }.get(issue)
    advice = (f"Add a {file} with {needed}, or move the files elsewhere.",) if needed else ()
    return Note(issue, Finding(subject, f"has files but no {file}", place, advice))


def unused(subject: str, path: str, file: str) -> Note:
    message = f"no package includes '{path.rpartition('/')[2]}': its directory has no {file}"
    advice = ("Move it next to a declaration, or remove it.",)
    return Note(ReadIssue.UNUSED, Finding(subject, message, Place(f".yggdrasil/{path}"), advice))


def bare(path: str) -> Note:
    message = "is only a directory: it has no yg-node.yaml"
    return Note(ReadIssue.BARE_DIRECTORY, Finding(path, message, Place(f".yggdrasil/model/{path}")))


# Facts that are computed from a collection.


def test_nodes_are_found_at_any_depth_also_below_directories_that_are_none() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/bare/barer/barest/b/yg-node.yaml": NODE,
        "model/bare/c/yg-node.yaml": NODE,
        "model/docs/readme.md": "Has files.",
        "model/docs/d/yg-node.yaml": NODE,
    }
    assert node_paths(files) == ["a", "a/bare/barer/barest/b", "bare/c", "docs/d"]


def test_the_model_itself_may_be_a_node_named_by_a_dot() -> None:
    files = {"model/yg-node.yaml": NODE, "model/a/yg-node.yaml": NODE}
    assert node_paths(files) == [".", "a"]


def test_a_declaration_elsewhere_is_not_a_node() -> None:
    files = {
        "yg-node.yaml": NODE,
        "schemas/yg-node.yaml": NODE,
        "aspects/x/yg-node.yaml": NODE,
        "flows/f/yg-node.yaml": NODE,
        "model/a/Yg-Node.yaml": NODE,
        "model/b/yg-node.yml": NODE,
        "model/c/yg-node.yaml/d.md": "A directory of that name.",
    }
    assert node_paths(files) == []


def test_ids_are_ordered_by_code_point_whatever_the_order_of_files() -> None:
    names = ["b", "a/z", "a-b", "B", "ä", "a", "10", "9"]
    files = {f"model/{name}/yg-node.yaml": NODE for name in names}
    assert node_paths(files) == ["10", "9", "B", "a", "a-b", "a/z", "b", "ä"]


def test_aspects_and_flows_are_found_at_any_depth_too() -> None:
    graph = graph_from(
        {
            "aspects/seen/logs/yg-aspect.yaml": ASPECT,
            "aspects/audit/yg-aspect.yaml": ASPECT,
            "flows/sales/checkout/yg-flow.yaml": FLOW,
            "flows/returns/yg-flow.yaml": FLOW,
        }
    )
    assert [aspect.id for aspect in graph.aspects] == ["audit", "seen/logs"]
    assert [flow.id for flow in graph.flows] == ["returns", "sales/checkout"]


def test_a_tree_that_does_not_exist_is_an_empty_shelf() -> None:
    graph = graph_from({})
    assert (list(graph.nodes), list(graph.aspects), list(graph.flows)) == ([], [], [])
    assert (graph.nodes.notes, graph.aspects.notes, graph.flows.notes) == ((), (), ())
    assert graph.nodes.reading(".") is None


@pytest.mark.parametrize(
    "path",
    [
        "model/.a/yg-node.yaml",
        "model/.a/b/yg-node.yaml",
        "model/a/.b/c/yg-node.yaml",
        "model/.drafts/readme.md",
        "aspects/.x/yg-aspect.yaml",
        "aspects/.x/readme.md",
        "flows/.f/yg-flow.yaml",
        "flows/.f/readme.md",
    ],
)
def test_names_that_start_with_a_dot_are_not_graph_content(path: str) -> None:
    graph = graph_from({"model/a/yg-node.yaml": NODE, path: "name: N\ntype: t\nnodes: [a]\n"})
    assert (list(graph.nodes.all), list(graph.aspects.all), list(graph.flows.all)) == (
        ["a"],
        [],
        [],
    )
    assert (graph.nodes.notes, graph.aspects.notes, graph.flows.notes) == ((), (), ())


# One thing at a time.


@pytest.mark.parametrize(
    "name",
    [
        "b",
        "A",
        "a/",
        "/a",
        "./a",
        "a/.",
        "a//b",
        "a/../a",
        "..",
        "../model/a",
        "model/a",
        "",
        "a/yg-node.yaml",
        ".hidden",
        "a/.hidden",
        ".",
        "\0",
    ],
)
def test_ids_compare_exactly(name: str) -> None:
    graph = graph_from(
        {
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": NODE,
            "model/.hidden/yg-node.yaml": NODE,
            "model/a/.hidden/yg-node.yaml": NODE,
        }
    )
    assert graph.nodes.reading(name) is None
    assert graph.nodes.get(name) is None


class Machine(DictSnapshot):
    """A snapshot that understands a path however it is spelled, as a machine's disk does."""

    def entries(self, directory: str) -> Mapping[str, Kind]:
        return super().entries(paths.normalise(directory) or "")

    def kind(self, path: str) -> Kind | None:
        return super().kind(paths.normalise(path) or "")


@pytest.mark.parametrize("name", ["a/", "./a", "a/.", "a//b", "a/../a", "../model/a", "b/../a"])
def test_ids_compare_exactly_though_the_machine_understands_more(name: str) -> None:
    files = {".yggdrasil/model/a/yg-node.yaml": NODE, ".yggdrasil/model/a/b/yg-node.yaml": NODE}
    collection = Collection(Machine(files), NODES)
    assert collection.get("a/b") is not None
    assert collection.reading(name) is None


def test_one_thing_is_the_same_alone_and_among_all() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/b/yg-node.yaml": "name: 1\ntype: service\n",
        "model/c/yg-node.yaml": Kind.OTHER,
        "model/d/yg-node.yaml": NODE,
        "model/d/link.md": Kind.LINK,
    }
    alone = {path: graph_from(files).nodes.reading(path) for path in ("a", "b", "c", "d")}
    assert alone == graph_from(files).nodes.all


class Watched(DictSnapshot):
    """A snapshot that remembers which texts were asked for."""

    def __init__(self, files: Mapping[str, Content]) -> None:
        super().__init__(files)
        self.asked: list[str] = []

    def text(self, path: str) -> Text:
        self.asked.append(path)
        return super().text(path)


def test_one_thing_is_read_without_reading_any_other_and_only_once() -> None:
    files = {f".yggdrasil/model/{name}/yg-node.yaml": NODE for name in "abc"}
    snapshot = Watched(files)
    collection = Collection(snapshot, NODES)
    assert [collection.get("b"), collection.get("b"), collection.get("x")] == [
        collection.get("b")
    ] * 2 + [None]
    assert snapshot.asked == [".yggdrasil/model/b/yg-node.yaml"]


def test_nothing_is_read_twice_when_everything_is_asked_for() -> None:
    files = {f".yggdrasil/model/{name}/yg-node.yaml": NODE for name in "abc"}
    snapshot = Watched(files)
    collection = Collection(snapshot, NODES)
    collection.get("b")
    assert [node.path for node in collection] == ["a", "b", "c"]
    assert sorted(snapshot.asked) == sorted(files)


# Bad files.


def test_a_bad_node_is_absent_but_its_children_and_siblings_stay() -> None:
    graph = graph_from(
        {
            "model/yg-node.yaml": "name: [",
            "model/a/yg-node.yaml": "name: 1\n",
            "model/a/b/yg-node.yaml": b"\xff",
            "model/a/b/c/yg-node.yaml": NODE,
            "model/d/yg-node.yaml": NODE,
        }
    )
    assert [node.path for node in graph.nodes] == ["a/b/c", "d"]
    assert list(graph.nodes.all) == [".", "a", "a/b", "a/b/c", "d"]
    assert graph.nodes.get("a") is None
    assert graph.nodes.reading("a") is not None


def names_of(readings: Mapping[str, Reading[Node] | Reading[Aspect] | Reading[Flow]]) -> list[str]:
    return [path for path, reading in readings.items() if reading.value is not None]


def test_a_bad_aspect_or_flow_leaves_every_other_one() -> None:
    graph = graph_from(
        {
            "aspects/a/yg-aspect.yaml": "name: A\nstability: rock\n",
            "aspects/b/yg-aspect.yaml": ASPECT,
            "aspects/a/c/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": "name: F\n",
            "flows/g/yg-flow.yaml": FLOW,
            "flows/h/yg-flow.yaml": "\t",
        }
    )
    assert list(graph.aspects.all) == ["a", "a/c", "b"]
    assert names_of(graph.aspects.all) == ["a/c", "b"]
    assert list(graph.flows.all) == ["f", "g", "h"]
    assert names_of(graph.flows.all) == ["g"]


# Links and what is neither file nor directory.


def test_links_are_reported_and_not_followed() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/notes.md": Kind.LINK,
        "model/a/.hidden": Kind.LINK,
        "model/elsewhere": Kind.LINK,
        "model/b/yg-node.yaml": Kind.LINK,
    }
    graph = graph_from(files)
    reading = graph.nodes.reading("a")
    assert reading is not None
    assert reading.notes == (link("a", "model/a/notes.md"),)
    assert list(graph.nodes.all) == ["a"]
    assert graph.nodes.notes == (
        link("b", "model/b/yg-node.yaml"),
        link(".", "model/elsewhere"),
    )


def test_a_linked_file_is_not_content_of_its_folder() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/interface.md": Kind.LINK,
        "aspects/x/yg-aspect.yaml": ASPECT,
        "aspects/x/content.md": Kind.LINK,
        "flows/f/yg-flow.yaml": FLOW,
        "flows/f/description.md": Kind.LINK,
    }
    graph = graph_from(files)
    readings = (
        graph.nodes.reading("a"),
        graph.aspects.reading("x"),
        graph.flows.reading("f"),
    )
    assert [reading and reading.value and reading.value.files for reading in readings] == [()] * 3
    assert [reading and reading.notes for reading in readings] == [
        (link("a", "model/a/interface.md"),),
        (link("aspects/x", "aspects/x/content.md"),),
        (link("flows/f", "flows/f/description.md"),),
    ]


def test_a_tree_that_is_a_link_is_empty_and_reported() -> None:
    graph = graph_from({"model": Kind.LINK, "aspects": Kind.LINK, "flows": Kind.LINK})
    assert (graph.nodes.all, graph.aspects.all, graph.flows.all) == ({}, {}, {})
    assert graph.nodes.notes == (link(".", "model"),)
    assert graph.aspects.notes == (link("aspects/.", "aspects"),)
    assert graph.flows.notes == (link("flows/.", "flows"),)


def test_a_tree_that_is_a_file_is_reported() -> None:
    graph = graph_from({"model": "Not a directory."})
    assert list(graph.nodes.all) == []
    assert graph.nodes.notes == (unreadable(".", "model", "not a directory"),)


def test_special_files_are_reported_and_never_opened() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/interface.md": Kind.OTHER,
        "model/pipe": Kind.OTHER,
    }
    graph = graph_from(files)
    reading = graph.nodes.reading("a")
    assert reading is not None
    assert reading.value is not None
    assert reading.value.files == ()
    assert reading.notes == (unreadable("a", "model/a/interface.md", "not a regular file"),)
    assert graph.nodes.notes == (unreadable(".", "model/pipe", "not a regular file"),)


def test_a_declaration_that_is_a_special_file_is_a_bad_node() -> None:
    graph = graph_from({"model/a/yg-node.yaml": Kind.OTHER, "model/a/b/yg-node.yaml": NODE})
    reading = graph.nodes.reading("a")
    assert reading is not None
    assert reading.value is None
    assert reading.notes == (unreadable("a", "model/a/yg-node.yaml", "not a regular file"),)
    assert list(graph.nodes.all) == ["a", "a/b"]


def test_a_directory_that_cannot_be_listed_is_reported_and_the_others_stay() -> None:
    closed = UnreadableError(".yggdrasil/model/a", "permission denied")
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/b/yg-node.yaml": NODE,
        "model/a": closed,
    }
    graph = graph_from(files)
    assert list(graph.nodes.all) == ["b"]
    assert graph.nodes.notes == (unreadable("a", "model/a", "permission denied"),)


def test_a_name_that_is_not_utf8_is_one_note_and_nothing_else_is_lost() -> None:
    graph = graph_from(
        {
            "model/a/yg-node.yaml": NODE,
            "model/a/\udcff.md": "Text.",
            "model/\udcfe/yg-node.yaml": NODE,
        }
    )
    reading = graph.nodes.reading("a")
    assert reading is not None
    assert reading.value is not None
    assert reading.notes == (unreadable("a", "model/a/\udcff.md", "its name is not UTF-8"),)
    assert graph.nodes.notes == (unreadable(".", "model/\udcfe", "its name is not UTF-8"),)


# Folders that declare nothing.


def test_a_directory_with_files_or_only_directories_should_have_been_a_node() -> None:
    files: dict[str, Content] = {
        "model/notes.md": "The model itself is not a node.",
        "model/a/yg-node.yaml": NODE,
        "model/a/docs/readme.md": "Has files.",
        "model/bare/barer/b/yg-node.yaml": NODE,
        "model/empty": Kind.DIRECTORY,
        "model/mixed/c/yg-node.yaml": NODE,
        "model/mixed/readme.md": "Has files.",
    }
    assert sorted(nodes_notes(files), key=lambda note: note.finding.place.file) == [
        has_files("a/docs", "model/a/docs", "yg-node.yaml", ReadIssue.NO_NODE),
        bare("bare"),
        bare("bare/barer"),
        has_files("mixed", "model/mixed", "yg-node.yaml", ReadIssue.NO_NODE),
        unused("model", "model/notes.md", "yg-node.yaml"),
    ]


def test_an_aspect_directory_with_files_but_without_declaration_is_a_bad_aspect() -> None:
    files: dict[str, Content] = {
        "aspects/readme.md": "Belongs to no aspect.",
        "aspects/a/content.md": "Undeclared.",
        "aspects/group/b/yg-aspect.yaml": ASPECT,
        "aspects/group/b/below/content.md": "Ignored: part of a declared aspect's directory.",
        "aspects/group/c/content.md": "Undeclared.",
        "aspects/empty": Kind.DIRECTORY,
    }
    notes = graph_from(files).aspects.notes
    assert sorted(notes, key=lambda note: note.finding.place.file) == [
        has_files("aspects/a", "aspects/a", "yg-aspect.yaml", ReadIssue.ASPECT),
        unused("aspects/group/b/below", "aspects/group/b/below/content.md", "yg-aspect.yaml"),
        has_files("aspects/group/c", "aspects/group/c", "yg-aspect.yaml", ReadIssue.ASPECT),
        unused("aspects", "aspects/readme.md", "yg-aspect.yaml"),
    ]


def test_a_flow_directory_with_files_but_without_declaration_is_a_bad_flow() -> None:
    graph = graph_from({"flows/f/description.md": "D", "flows/g/yg-flow.yaml": FLOW})
    assert graph.flows.notes == (has_files("flows/f", "flows/f", "yg-flow.yaml", ReadIssue.FLOW),)
    assert names_of(graph.flows.all) == ["g"]


def test_a_directory_below_a_bad_aspect_still_belongs_to_it() -> None:
    graph = graph_from({"aspects/a/yg-aspect.yaml": "name: 1\n", "aspects/a/b/c.md": "C"})
    assert graph.aspects.notes == (unused("aspects/a/b", "aspects/a/b/c.md", "yg-aspect.yaml"),)


def test_notes_do_not_depend_on_the_order_of_files() -> None:
    files: dict[str, Content] = {
        "model/b/x/readme.md": "",
        "model/a/readme.md": "",
        "model/c": Kind.LINK,
        "model/a/b": Kind.LINK,
    }
    turned = dict(reversed(files.items()))
    assert nodes_notes(files) == nodes_notes(turned)
    assert Collection(snapshot_from(turned), NODES).notes == nodes_notes(files)
