"""Every kind of graph, and one made up for this test, answers the same questions."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import faults
from support import CONFIG, NODE, run, write
from toy import TOY
from yg.commands import deps as deps_command
from yg.commands import plan as plan_command
from yg.commands import tree as tree_command
from yg.commands.build_context.package import package_text
from yg.commands.build_context.spec_context import context_text
from yg.commands.export.tables import export_graphml
from yg.commands.impact.node import impact_of_node, node_text
from yg.commands.validate import validation_of, verdict_text
from yg.formats import FORMATS, SPECGRAPH, YGGDRASIL, YGGDRASIL_0X
from yg.kernel.document import document_text
from yg.kernel.errors import NotFoundError
from yg.kernel.export import EdgeKind, VertexKind, identity
from yg.kernel.palette import PLAIN
from yg.kernel.queries import Format, Queries
from yg.kernel.snapshot import DictSnapshot
from yg.kernel.sources import SnapshotSources
from yg.text.paths import ROOT
from yg.yggdrasil.package.blocks import ContextPackage

GARBAGE = b"\xff\xfe\x00"


@dataclass(frozen=True)
class Sample:
    """A small graph of one kind: its files, a node that needs another, and a file to damage."""

    format: Format
    files: Mapping[str, str]
    node: str
    needs: str  # another node, which it needs
    damaged: str  # the file of a third one


def reference(name: str) -> dict[str, str]:
    return {"id": name, "path": f"nodes/{name}.json"}


def behavior(name: str, **links: list[str]) -> str:
    says = {
        "title": f"Title of {name}",
        "expectation": f"It does {name}.",
        "verification": "make test",
    }
    return json.dumps({"id": name, "type": "behavior", **says, "links": links})


USES = "relations: [{target: b, type: uses}]\n"
SAMPLES = {
    sample.format.name: sample
    for sample in (
        Sample(
            YGGDRASIL,
            {
                ".yggdrasil/yg-config.yaml": CONFIG,
                ".yggdrasil/model/a/yg-node.yaml": f"{NODE}{USES}mapping: {{paths: [a.py]}}\n",
                ".yggdrasil/model/a/responsibility.md": "A.\n",
                ".yggdrasil/model/b/yg-node.yaml": NODE,
                ".yggdrasil/model/b/responsibility.md": "B.\n",
                ".yggdrasil/model/c/yg-node.yaml": NODE,
                "a.py": "",
            },
            "a",
            "b",
            ".yggdrasil/model/c/yg-node.yaml",
        ),
        Sample(
            YGGDRASIL_0X,
            {
                "yggdrasil/config.yaml": "name: Old\n",
                "yggdrasil/a/node.yaml": f"{NODE}{USES}",
                "yggdrasil/a/description.md": "A.\n",
                "yggdrasil/b/node.yaml": NODE,
                "yggdrasil/c/node.yaml": NODE,
            },
            "a",
            "b",
            "yggdrasil/c/node.yaml",
        ),
        Sample(
            SPECGRAPH,
            {
                "specgraph/graph.json": json.dumps(
                    {"specgraphVersion": "1.0.0", "nodes": [*map(reference, "CAB")]}
                ),
                "specgraph/nodes/A.json": behavior("A", depends_on=["B"], contains=["B"]),
                "specgraph/nodes/B.json": behavior("B"),
                "specgraph/nodes/C.json": behavior("C"),
            },
            "A",
            "B",
            "specgraph/nodes/C.json",
        ),
        Sample(
            TOY,
            {"toy/one": "a -> b\nb ->\n", "toy/two": "c -> a\n"},
            "a",
            "b",
            "toy/two",
        ),
    )
}
KINDS = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
COMMANDS = (
    ("find", "NODE"),
    ("tree",),
    ("tree", "--depth", "1"),
    ("deps", "NODE"),
    ("impact", "NODE"),
    ("plan",),
    ("plan", "NODE"),
    ("status",),
    ("validate",),
    ("build-context", "NODE"),
    ("build-context", "NODE", "--why"),
    ("build-context", "NODE", "--format", "text"),
    ("export", "--no-cache"),
    ("export", "NODE", "--depth", "2", "--format", "dot"),
)


def opened(files: Mapping[str, str | bytes], kind: Format) -> Queries:
    return kind.queries.read(DictSnapshot(files))


def answers(files: Mapping[str, str | bytes], sample: Sample) -> list[str]:
    """Ask everything, and write every answer down."""
    queries = opened(files, sample.format)
    name = queries.find(SnapshotSources(DictSnapshot(files)), sample.node)
    outline = queries.outline(ROOT, None)
    tree = queries.dependencies(name, None)
    reach = queries.impact(name)
    order = queries.plan(None)
    verdict = queries.validate(SnapshotSources(DictSnapshot(files)))
    package: Any = queries.package(name, None)
    write_package = package_text if isinstance(package, ContextPackage) else context_text
    return [
        tree_command.text(tree_command.tree_of(outline), PLAIN),
        document_text(tree_command.tree_of(outline)),
        deps_command.text(deps_command.deps_of(tree), PLAIN),
        document_text(deps_command.deps_of(tree)),
        node_text(impact_of_node(reach)),
        document_text(impact_of_node(reach)),
        plan_command.text(plan_command.document_of(order), PLAIN),
        document_text(plan_command.document_of(order)),
        verdict_text(verdict, PLAIN),
        document_text(validation_of(verdict)),
        str(queries.status()),
        str(list(queries.texts().entries)),
        "".join(document.text for document in queries.own_documents(name)),
        str(sorted(queries.needed(name))),
        write_package(package),
        export_graphml(queries.with_sizes(queries.export("r"))),
        str(list(queries.all_ids())),
    ]


def test_every_format_has_a_sample() -> None:
    assert set(SAMPLES) == {named.name for named in (*FORMATS, TOY)}


@KINDS
def test_the_questions_fit_together(sample: Sample) -> None:
    queries = opened(sample.files, sample.format)
    paths = [entry.path for entry in queries.outline(ROOT, None).entries if entry.node]
    assert {sample.node, sample.needs} < set(paths)
    tree = queries.dependencies(sample.node, None)
    assert (tree.root, [line.path for line in tree.lines]) == (sample.node, [sample.needs])
    assert sample.node in queries.impact(sample.needs).affected
    assert queries.needed(sample.node) == {sample.node, sample.needs}
    assert queries.status().nodes == len(set(paths))
    entries = list(queries.texts().entries)
    assert {entry.path for entry in entries if entry.name} == set(paths)
    assert {entry.file for entry in entries} <= sample.files.keys()
    files = {document.source.path for document in queries.own_documents(sample.node)}
    assert files <= set(queries.package(sample.node, None).source_files)
    assert list(queries.all_ids()) == sorted(set(paths))
    export = queries.export("r")
    assert [vertex.path for vertex in export.vertices] == sorted(set(paths))
    needed = identity("r", VertexKind.NODE, sample.needs)
    assert needed in {edge.target for edge in export.edges if edge.kind is EdgeKind.RELATION}
    planned = [path for stage in queries.plan(None).stages for path in stage]
    assert sorted(planned) == sorted(set(planned))


@KINDS
def test_a_plan_keeps_to_what_is_chosen(sample: Sample) -> None:
    queries = opened(sample.files, sample.format)
    assert queries.plan(()).total == 0
    assert queries.plan([sample.node]).stages == ((sample.node,),) or not _builds(sample)


def _builds(sample: Sample) -> bool:
    """Tell whether the node is one to build: of 0.x nodes, only those with a mapping are."""
    return sample.format is not YGGDRASIL_0X


@KINDS
def test_a_package_names_the_files_that_decided_it(sample: Sample) -> None:
    snapshot = DictSnapshot(sample.files)
    package = opened(sample.files, sample.format).package(sample.node, None)
    assert package.source_files
    assert [file for file in package.source_files if snapshot.kind(file) != "file"] == []
    assert all(file.startswith(f"{sample.format.folder}/") for file in package.source_files)
    assert package.tokens > 0
    assert package.status == package.budget.status(package.tokens)


@KINDS
def test_the_same_files_give_the_same_answers(sample: Sample) -> None:
    assert answers(sample.files, sample) == answers(dict(sample.files), sample)


@KINDS
@settings(deadline=None, max_examples=10)
@given(data=st.data())
def test_the_order_of_files_never_shows(sample: Sample, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(sorted(sample.files.items())))
    assert answers(dict(shuffled), sample) == answers(sample.files, sample)


@KINDS
def test_a_file_that_cannot_be_read_is_an_issue_and_the_rest_answers(sample: Sample) -> None:
    files: dict[str, str | bytes] = {**sample.files, sample.damaged: GARBAGE}
    queries = opened(files, sample.format)
    verdict = queries.validate(SnapshotSources(DictSnapshot(files)))
    told = {issue.place.file for issue in verdict.issues if issue.severity == "error"}
    assert sample.damaged in told
    assert [finding.place.file for finding in queries.skipped(ROOT)] == [sample.damaged]
    assert len(answers(files, sample)) == len(answers(sample.files, sample))


@KINDS
def test_a_name_that_nothing_has_is_not_found(sample: Sample) -> None:
    queries = opened(sample.files, sample.format)
    sources = SnapshotSources(DictSnapshot(sample.files))
    assert queries.find(sources, sample.node) == sample.node
    assert queries.scope(sample.node) == sample.node
    with pytest.raises(NotFoundError, match="zzz"):
        queries.find(sources, "zzz")
    with pytest.raises(NotFoundError, match="zzz"):
        queries.scope("zzz")


@KINDS
def test_a_scope_is_a_part_of_the_verdict(sample: Sample) -> None:
    queries = opened(sample.files, sample.format)
    sources = SnapshotSources(DictSnapshot(sample.files))
    whole = queries.validate(sources)
    part = queries.restrict(whole, sample.needs)
    assert (part.scope, part.nodes) == (sample.needs, 1)
    assert set(part.issues) <= set(whole.issues)


@KINDS
def test_rules_have_pages(sample: Sample) -> None:
    for rule in sample.format.queries.rules():
        assert rule.summary
        assert rule.why
        assert rule.fix
        assert rule.example


def test_no_two_rules_share_a_code_or_a_name() -> None:
    every = dict.fromkeys(rule for item in FORMATS for rule in item.queries.rules())
    assert len({rule.code for rule in every}) == len({rule.name for rule in every}) == len(every)


@pytest.fixture
def repository(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("YG_KIND", raising=False)
    monkeypatch.setattr("yg.workspace.opening.FORMATS", (*FORMATS, TOY))
    return str(write(tmp_path, sample.files))


@KINDS
@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_every_kind_answers_the_commands_that_are_for_all(
    sample: Sample, repository: str, argv: tuple[str, ...]
) -> None:
    words = [sample.node if word == "NODE" else word for word in argv]
    shown = run(*words, "-C", repository)
    assert (shown.code, shown.notes) == (0, "")
    assert shown.text
    if "--format" not in argv:
        data = run(*words, "--json", "-C", repository)
        assert (data.code, data.notes) == (0, "")
        # The schemas that ship describe the kinds that ship.
        assert sample.format is TOY or faults(data.text) == []


@pytest.mark.parametrize("sample", [SAMPLES["specgraph"], SAMPLES["toy"]], ids=["specgraph", "toy"])
@pytest.mark.parametrize(
    ("argv", "what"),
    [
        (("drift",), "drift"),
        (("drift-sync", "--all"), "drift"),
        (("review",), "a review"),
        (("advise",), "advice"),
        (("owner", "x.py"), "the owner of a file"),
        (("show", "x"), "code of nodes"),
        (("uses", "x"), "uses of code"),
        (("coverage",), "coverage"),
        (("aspects",), "the list of aspects"),
        (("flows",), "the list of flows"),
        (("impact", "--aspect", "x"), "an aspect (--aspect)"),
        (("impact", "--flow", "x"), "a flow (--flow)"),
        (("impact", "NODE", "--method", "x"), "a method (--method)"),
        (("deps", "NODE", "--type", "event"), "a class of relations (--type)"),
        (("export", "--drift"), "drift (--drift)"),
        (("plan", "--changed"), "drift (--changed)"),
        (("build-context", "--file", "x.py"), "a file (--file)"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_what_only_yggdrasil_has_is_refused_in_one_sentence(
    sample: Sample, repository: str, argv: tuple[str, ...], what: str
) -> None:
    words = [sample.node if word == "NODE" else word for word in argv]
    kind = f"the graph in {sample.format.folder}/ is of kind {sample.format.name}"
    outcome = run(*words, "-C", repository)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes == f"error: {what} belongs to Yggdrasil graphs, and {kind}\n"


@pytest.mark.parametrize("sample", [SAMPLES["specgraph"]], ids=["specgraph"])
def test_another_kind_of_graph_is_an_error_of_its_own_for_programs(repository: str) -> None:
    outcome = run("drift", "--json", "-C", repository)
    assert (outcome.code, faults(outcome.notes)) == (1, [])
    assert json.loads(outcome.notes)["code"] == "foreign-graph"


@pytest.mark.parametrize(
    "sample",
    [sample for sample in SAMPLES.values() if not sample.format.has_depths],
    ids=lambda sample: str(sample.format.name),
)
def test_only_some_kinds_have_depths(sample: Sample, repository: str) -> None:
    outcome = run("build-context", sample.node, "--depth", "1", "-C", repository)
    kind = f"the graph in {sample.format.folder}/ is of kind {sample.format.name}"
    message = f"error: a depth (--depth) belongs to Spec Graphs, and {kind}\n"
    assert (outcome.text, outcome.code, outcome.notes) == ("", 1, message)


FOREIGN = {"yggdrasil": "yg.specgraph", "specgraph": "yg.yggdrasil"}
# Runs commands, and prints on standard error what each has loaded of the other kind.
LISTING = """\
import json, sys
from yg.surfaces.cli.main import main
foreign, commands = json.loads(sys.argv[1])
for argv in commands:
    main(argv)
    loaded = [name for name in sys.modules if name.startswith(foreign)]
    print(json.dumps([argv[0], sorted(loaded)]), file=sys.stderr)
"""


@pytest.mark.parametrize("kind", FOREIGN)
def test_one_kind_of_graph_does_not_load_the_other(tmp_path: Path, kind: str) -> None:
    sample = SAMPLES[kind]
    write(tmp_path, sample.files)
    names = {"NODE": sample.node}
    commands = [
        [*(names.get(word, word) for word in argv), "-C", str(tmp_path), "--kind", kind]
        for argv in COMMANDS
    ]
    ran = subprocess.run(
        [sys.executable, "-c", LISTING, json.dumps([FOREIGN[kind], commands])],
        capture_output=True,
        check=True,
        text=True,
    )
    told = [line for line in ran.stderr.splitlines() if line.startswith("[")]
    places = [FOREIGN[kind], f"{FOREIGN[kind]}.places"]
    assert [json.loads(line) for line in told] == [[argv[0], places] for argv in COMMANDS]
