"""Documents outside the graph are texts of the graph: quoted, tracked and checked."""

from __future__ import annotations

import pytest

from support import CONFIG, NODE, graph_from
from yg.commands.build_context.package import package_text
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.documents import Documents, Reference
from yg.yggdrasil.drift.baselines import Baselines
from yg.yggdrasil.drift.tracking import Tracker, concerned
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import Node
from yg.yggdrasil.owners import Ownership
from yg.yggdrasil.package.assemble import Assembler, assemble
from yg.yggdrasil.package.combine import combine
from yg.yggdrasil.questions.compare import changed_nodes, diff_impact
from yg.yggdrasil.questions.find import searched_text, texts
from yg.yggdrasil.resolve import referring_parts
from yg.yggdrasil.rules.check import issues_of

README = "# Shop\n\n## Purpose\n\nSells `things`.\n\n### More\n\nA lot.\n\n## Other\n\nx\n"


def graph_of(files: dict[str, str], sources: dict[str, str | bytes | Kind] | None = None) -> Graph:
    return graph_from(files, {"README.md": README, "docs/a.md": "A text.\n", **(sources or {})})


def node_at(graph: Graph, path: str) -> Node:
    node = graph.nodes.get(path)
    assert node is not None
    return node


def own_block(graph: Graph, path: str) -> str:
    package = assemble(graph, node_at(graph, path))
    return next(block.content for block in package.parts if block.kind == "own-artifacts")


def test_documents_stand_after_the_artifacts_in_the_order_of_the_list() -> None:
    graph = graph_of(
        {
            "model/a/yg-node.yaml": f"{NODE}documents: ['README.md#purpose', docs/a.md]\n",
            "model/a/internals.md": "Inside.\n",
        }
    )
    declaration = graph.snapshot.text(".yggdrasil/model/a/yg-node.yaml").value
    assert own_block(graph, "a") == (
        f"### yg-node.yaml\n{declaration}### internals.md\nInside.\n"
        "### README.md#purpose\n## Purpose\n\nSells `things`.\n\n### More\n\nA lot.\n"
        "### docs/a.md\nA text.\n"
    )


def test_a_section_stands_for_an_artifact_wherever_that_is_quoted() -> None:
    graph = graph_of(
        {
            "model/a/yg-node.yaml": f"{NODE}artifacts:\n  responsibility.md: README.md#Purpose\n",
            "model/a/b/yg-node.yaml": NODE,
            "model/b/yg-node.yaml": f"{NODE}relations: [{{target: a, type: uses}}]\n",
        }
    )
    heading = "### responsibility.md (README.md#Purpose)\n## Purpose\n"
    for path in ("a", "a/b", "b"):
        assert heading in package_text(assemble(graph, node_at(graph, path))), path
    issues = issues_of(graph, SnapshotSources(graph.snapshot))
    lacking = [issue.subject for issue in issues if "'responsibility'" in issue.message]
    assert lacking == ["a/b", "b"]


def test_only_the_package_of_a_node_itself_quotes_its_documents() -> None:
    graph = graph_of(
        {
            "model/a/yg-node.yaml": f"{NODE}documents: [docs/a.md, README.md]\n",
            "model/a/b/yg-node.yaml": NODE,
        }
    )
    text = package_text(assemble(graph, node_at(graph, "a/b")))
    assert "A text." not in text
    assert "Documents: docs/a.md, README.md\n" in text


def test_a_document_of_several_parts_stands_once_in_a_package() -> None:
    listing = "documents: [docs/a.md]\n"
    graph = graph_of(
        {
            "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n{listing}",
            "model/b/yg-node.yaml": f"{NODE}{listing}",
            "aspects/x/yg-aspect.yaml": f"name: X\n{listing}",
        }
    )
    assembler = Assembler(graph)
    packages = [assembler.package(node_at(graph, path)) for path in ("a", "b")]
    assert package_text(packages[0]).count("A text.") == 1
    assert "### docs/a.md (as in a)\n" in package_text(packages[0])
    both = package_text(combine(packages, graph.edition.order))
    assert both.count("A text.") == 1
    assert both.count("### docs/a.md (as in a)\n") == 2


def test_a_document_counts_in_the_size_of_a_package() -> None:
    files = {"model/a/yg-node.yaml": f"{NODE}documents: [docs/a.md]\n"}
    sizes = [
        assemble(graph, node_at(graph, "a")).tokens
        for graph in (graph_of(files), graph_of(files, {"docs/a.md": "x" * 4_000}))
    ]
    assert sizes[1] - sizes[0] == (4_000 - len("A text.")) // 4


@pytest.mark.parametrize(
    ("written", "reference"),
    [
        ("README.md", Reference("README.md")),
        ("./docs//a.md", Reference("docs/a.md")),
        ("README.md#A # B", Reference("README.md", "A # B")),
        ("C#/x.md#F#", Reference("C#/x.md", "F#")),
        ("a#b", Reference("a#b")),
        ("gone.md#x", Reference("gone.md", "x")),
        ("../x.md", Reference("../x.md")),
    ],
)
def test_a_number_sign_ends_the_path_unless_a_file_has_it(
    written: str, reference: Reference
) -> None:
    graph = graph_of({}, {"C#/x.md": "", "a#b": ""})
    assert graph.documents.reference(written) == reference


@pytest.mark.parametrize("written", ["../x.md", "/etc/passwd", ".git/config", ".yggdrasil/x", ""])
def test_nothing_outside_the_repository_is_read(written: str) -> None:
    documents = Documents(graph_of({}).snapshot)
    with pytest.raises(UnreadableError, match="the path"):
        documents.text(documents.reference(written)).value  # noqa: B018


def tracked(graph: Graph, path: str) -> dict[str, str]:
    tracker = Tracker(graph, SnapshotSources(graph.snapshot))
    found = tracker.tracked(node_at(graph, path))
    assert not [file for file in found.files if file in ("README.md", "docs/a.md")]
    return dict(found.contracts)


def test_the_digest_of_a_section_is_that_of_the_section_alone() -> None:
    files = {"model/a/yg-node.yaml": f"{NODE}documents: ['README.md#Other', docs/a.md]\n"}
    before = tracked(graph_of(files), "a")
    assert list(before) == ["README.md#Other", "docs/a.md"]
    above = tracked(graph_of(files, {"README.md": f"# New\n\n{README}"}), "a")
    crlf = tracked(graph_of(files, {"README.md": README.replace("\n", "\r\n")}), "a")
    inside = tracked(graph_of(files, {"README.md": f"{README}y\n"}), "a")
    assert before == above == crlf
    assert inside["README.md#Other"] != before["README.md#Other"]


def test_a_node_with_a_document_that_cannot_be_read_has_an_unknown_state() -> None:
    graph = graph_of({"model/a/yg-node.yaml": f"{NODE}documents: ['README.md#Gone']\n"})
    found = Tracker(graph, SnapshotSources(graph.snapshot)).tracked(node_at(graph, "a"))
    assert found.doubts == ("document 'README.md#Gone' cannot be read",)


def test_a_changed_document_concerns_the_nodes_whose_packages_quote_it() -> None:
    mapped = "mapping: {paths: [src/x.py]}\n"
    graph = graph_of(
        {
            "model/a/yg-node.yaml": f"{NODE}documents: ['README.md#Other']\n{mapped}",
            "model/b/yg-node.yaml": NODE,
        },
        {"src/x.py": ""},
    )
    sources, baselines = SnapshotSources(graph.snapshot), Baselines(graph.snapshot)
    found = concerned(graph, sources, baselines, graph.nodes, ["README.md"])
    assert [node.path for node in found] == ["a"]
    assert not list(concerned(graph, sources, baselines, graph.nodes, ["docs/a.md"]))


def test_a_search_finds_a_document_once_and_names_the_line_of_its_file() -> None:
    graph = graph_of(
        {
            "model/a/yg-node.yaml": f"{NODE}documents: ['README.md#Purpose']\n",
            "model/b/yg-node.yaml": f"{NODE}documents: ['README.md#Purpose', docs/a.md]\n",
        }
    )
    entries = [entry for entry in texts(graph).entries if not entry.file.startswith(".ygg")]
    assert [(entry.path, entry.document, entry.file) for entry in entries] == [
        ("a", "README.md#Purpose", "README.md"),
        ("b", "docs/a.md", "docs/a.md"),
    ]
    lines = searched_text(graph, entries[0]).value.split("\n")
    assert lines[2:5] == README.split("\n")[2:5]
    assert lines[:2] == ["", ""]


def test_a_name_that_is_gone_is_reported_at_its_place_in_the_document() -> None:
    graph = graph_of(
        {
            "yg-config.yaml": f"{CONFIG}code:\n",
            "model/a/yg-node.yaml": f"{NODE}documents: ['README.md#Purpose', README.md]\n",
        }
    )
    found = issues_of(graph, SnapshotSources(graph.snapshot))
    gone = [(issue.place.file, issue.place.line) for issue in found if issue.code == "W024"]
    assert gone == [("README.md", 5)]  # the whole file includes the section


def test_the_parts_that_refer_to_a_file_are_known() -> None:
    graph = graph_of(
        {
            "model/a/yg-node.yaml": f"{NODE}artifacts: {{internals.md: 'README.md#Other'}}\n",
            "model/b/yg-node.yaml": f"{NODE}documents: [README.md]\ndecisions: [3]\n",
            "aspects/x/yg-aspect.yaml": "name: X\ndocuments: [README.md]\n",
        },
        {"docs/adr/0003-x.md": "# X\n"},
    )
    assert referring_parts(graph) == {
        "README.md": ("a", "b", "aspects/x"),
        "docs/adr/0003-x.md": ("b",),
    }


def test_ten_thousand_documents_are_read_once_each() -> None:
    names = [f"docs/{number}.md" for number in range(10_000)]
    listing = "".join(f"  - {name}#B\n" for name in names)
    graph = graph_of(
        {"model/a/yg-node.yaml": f"{NODE}documents:\n{listing}"},
        dict.fromkeys(names, "# A\n\n# B\n\ntext\n"),
    )
    codes = {issue.code for issue in issues_of(graph, SnapshotSources(graph.snapshot))}
    assert codes == {"W001", "W006", "W010"}


def test_a_changed_document_is_a_changed_text_of_the_graph() -> None:
    files = {
        "model/a/yg-node.yaml": f"{NODE}documents: ['README.md#Other']\n",
        "model/b/yg-node.yaml": f"{NODE}relations: [{{target: a, type: uses}}]\n",
    }
    then, now = graph_of(files), graph_of(files, {"README.md": f"{README}y\n"})
    ownership = Ownership(now, SnapshotSources(now.snapshot))
    found = diff_impact(then, now, ownership, ["README.md", "docs/a.md"], "HEAD")
    assert found.graph_files == ("README.md",)
    assert [source.path for source in found.sources] == ["docs/a.md"]
    assert [shift.node for shift in found.shifts] == ["a"]
    assert changed_nodes(now, ownership, ["README.md"]) == ("a",)
