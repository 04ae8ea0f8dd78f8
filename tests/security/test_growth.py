"""What four times as much bad input costs: at most five times as many calls of functions."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from cProfile import Profile
from itertools import pairwise
from pathlib import Path

import pytest

from specgraph.graphs import files_of, index_of, node, written
from support import CONFIG, NODE, graph_from, run, write
from yg.kernel.sources import SnapshotSources
from yg.text.suggest import MOST_ADVISED, Suggester
from yg.yggdrasil.rules.references import unknown_node_type
from yg.yggdrasil.rules.survey import whole

pytestmark = pytest.mark.slow

FEW = 120
MOST = 5  # times the calls, for four times the input

Files = Mapping[str, str]


def yggdrasil(**files: str) -> dict[str, str]:
    """Write a graph of two nodes; the files given replace its own, or are added."""
    every = {"yg-config.yaml": CONFIG, "model/a/yg-node.yaml": NODE, "model/b/yg-node.yaml": NODE}
    graph = {f".yggdrasil/{path}": text for path, text in {**every, **files}.items()}
    return {**graph, "src/a.py": "a\n"}


def declaring(lines: Callable[[int], str], number: int, head: str) -> dict[str, str]:
    """Write a graph whose node `a` says something many times."""
    text = f"{NODE}{head}\n" + "".join(lines(index) for index in range(number))
    return yggdrasil(**{"model/a/yg-node.yaml": text})


def relations(number: int) -> Files:
    return declaring(lambda n: f"  - {{target: x/y{n}, type: calls}}\n", number, "relations:")


def one_relation_again(number: int) -> Files:
    return declaring(lambda _: "  - {target: x, type: calls}\n", number, "relations:")


def events(number: int) -> Files:
    line = "  - {{target: b, type: emits, event_name: e{}}}\n"
    return declaring(line.format, number, "relations:")


def unknown_kinds(number: int) -> Files:
    return declaring(lambda n: f"  - {{target: b, type: call{n}}}\n", number, "relations:")


def aspects(number: int) -> Files:
    return declaring(lambda n: f"  - {{aspect: x{n}}}\n", number, "aspects:")


def keys(number: int) -> Files:
    return declaring(lambda n: f"key{n}: 1\n", number, "")


def keys_of_relations(number: int) -> Files:
    line = "  - {{target: b, type: calls, key{}: 1}}\n"
    return declaring(line.format, number, "relations:")


def one_key_again(number: int) -> Files:
    return declaring(lambda _: "name: N\n", number, "")


def one_mapping_again(number: int) -> Files:
    return declaring(lambda _: "    - src/a.py\n", number, "mapping:\n  paths:")


def mappings_that_leave(number: int) -> Files:
    return declaring(lambda n: f"    - ../x{n}\n", number, "mapping:\n  paths:")


def mappings_of_two(number: int) -> Files:
    paths = "".join(f"    - src/a{index}.py\n" for index in range(number))
    text = f"{NODE}mapping:\n  paths:\n{paths}"
    return yggdrasil(**{"model/a/yg-node.yaml": text, "model/b/yg-node.yaml": text})


def participants(number: int) -> Files:
    nodes = "".join(f"  - x{index}\n" for index in range(number))
    return yggdrasil(**{"flows/f/yg-flow.yaml": f"name: F\nnodes:\n  - a\n{nodes}"})


def implied_aspects(number: int) -> Files:
    implied = ", ".join(f"x{index}" for index in range(number))
    return yggdrasil(
        **{
            "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: z}}]\n",
            "aspects/z/yg-aspect.yaml": f"name: Z\nimplies: [{implied}]\n",
        }
    )


def nodes(number: int) -> Files:
    each = NODE + "relations: [{{target: x{}, type: calls}}]\n"
    return yggdrasil(**{f"model/n{at}/yg-node.yaml": each.format(at) for at in range(number)})


def steps_of_a_mapping(number: int) -> Files:
    path = "/".join(["s"] * number)
    return yggdrasil(**{"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [{path}]}}\n"})


def old_aspects(number: int) -> Files:
    """Write a graph of 1.x whose aspects take each other's names, in a configuration of remarks."""
    names = [f"z{at:04}" for at in range(number + 1)]
    aspects = {
        f"aspects/{name}/aspect.yaml": f"name: N\ntag: {tag}\n" for name, tag in pairwise(names)
    }
    remarks = "".join(f"  k{at}: {at}  # remark {at}\n" for at in range(number))
    types = "".join(f"  t{at}.md: {{structural_context: true}}\n" for at in range(number))
    config = f"name: P\nnode_types: [module]\nstack:\n{remarks}artifacts:\n{types}"
    files = {"config.yaml": config, **aspects}
    return {f".yggdrasil/{path}": text for path, text in files.items()}


def old_flows(number: int) -> Files:
    """Write a graph of 1.x with one flow of all nodes and aspects, each of which implies the next.

    Each node has an exception from the last aspect, which reaches it through the flow.
    """
    nodes = "".join(f"  - n{at}\n" for at in range(number))
    aspects = "".join(f"  - a{at}\n" for at in range(number))
    files = {
        "config.yaml": "name: P\nnode_types: [module]\n",
        "flows/f/flow.yaml": f"name: F\nnodes:\n{nodes}aspects:\n{aspects}",
    }
    for at in range(number):
        exceptions = f"aspect_exceptions:\n  - {{aspect: a{number}, note: n}}\n"
        files[f"model/n{at}/node.yaml"] = f"name: N\ntype: module\n{exceptions}"
        files[f"aspects/a{at}/aspect.yaml"] = f"name: A\nimplies: [a{at + 1}]\n"
    return {f".yggdrasil/{path}": text for path, text in files.items()}


def undeclared_imports(number: int) -> Files:
    """Write code in which one node imports many others without a relation."""
    nodes = {
        f"model/n{at}/yg-node.yaml": f"{NODE}mapping: {{paths: [src/m{at}.py]}}\n"
        for at in range(number)
    }
    config = f"{CONFIG}code: {{imports: warning}}\n"
    mapped = f"{NODE}mapping: {{paths: [src/a.py]}}\n"
    graph = yggdrasil(**{"yg-config.yaml": config, "model/a/yg-node.yaml": mapped, **nodes})
    sources = {f"src/m{at}.py": "x = 1\n" for at in range(number)}
    imports = "".join(f"import m{at}\n" for at in range(number))
    return {**graph, **sources, "src/a.py": imports}


def modules(number: int) -> Files:
    """Write a workspace of Go modules that import the next, all in one package of one node."""
    graph = yggdrasil(
        **{
            "yg-config.yaml": f"{CONFIG}code: {{imports: warning}}\n",
            "model/b/yg-node.yaml": f"{NODE}mapping: {{paths: [m1]}}\n",
        }
    )
    sources = {f"m{at}/a.go": f'package m\n\nimport "x/m{at + 1}"\n' for at in range(number)}
    manifests = {f"m{at}/go.mod": f"module x/m{at}\n" for at in range(number)}
    uses = "".join(f"use ./m{at}\n" for at in range(number))
    return {**graph, **sources, **manifests, "go.work": uses}


def artifact_types(number: int) -> Files:
    types = "".join(f"  t{index}.md: {{required: never}}\n" for index in range(number))
    texts = {f"model/a/x{index}.md": "A text.\n" for index in range(number)}
    return yggdrasil(**{"yg-config.yaml": CONFIG + types, **texts})


def spec_files(nodes: Mapping[str, dict[str, object]]) -> Files:
    return {path: str(text) for path, text in files_of(nodes).items()}


def links(number: int) -> Files:
    missing = [f"X{index}" for index in range(number)]
    return spec_files({"a": node("feature", depends_on=missing, contains=missing)})


def spec_nodes(number: int) -> Files:
    broken = {f"n{at}": node("behavior", depends_on=[f"X{at}"]) for at in range(number)}
    return spec_files({"a": node("feature"), **broken})


def spec_keys(number: int) -> Files:
    return spec_files({"a": node("feature", **{f"key{index}": 1 for index in range(number)})})


def one_id_again(number: int) -> Files:
    index = index_of({"a": node("feature")})
    index["nodes"] += [{"id": "a", "path": f"nodes/b{index}.json"} for index in range(number)]
    return {**spec_files({"a": node("feature")}), "specgraph/graph.json": written(index)}


def superseders(number: int) -> Files:
    """Write a node that many supersede, and many that depend on it all the same.

    What supersedes it is quoted in the context of each user, until that is too large.
    """
    text = "Take the newer one. " * 25
    newer = {f"d{at}": node("decision", statement=text, supersedes=["d"]) for at in range(number)}
    users = {f"b{at}": node("behavior", depends_on=["d"]) for at in range(number)}
    return spec_files({"a": node("behavior"), "d": node("decision"), **newer, **users})


COMMON = ("validate", "build-context a", "plan", "impact --node a", "deps --node a", "status")
YGGDRASIL = (*COMMON, "build-context a --lenient", "build-context a --why", "preflight")
SCENARIOS: tuple[tuple[Callable[[int], Files], tuple[str, ...]], ...] = (
    (relations, YGGDRASIL),
    (one_relation_again, YGGDRASIL),
    (events, YGGDRASIL),
    (unknown_kinds, YGGDRASIL),
    (aspects, YGGDRASIL),
    (keys, YGGDRASIL),
    (keys_of_relations, YGGDRASIL),
    (one_key_again, YGGDRASIL),
    (one_mapping_again, YGGDRASIL),
    (mappings_that_leave, YGGDRASIL),
    (mappings_of_two, YGGDRASIL),
    (participants, YGGDRASIL),
    (implied_aspects, YGGDRASIL),
    (nodes, YGGDRASIL),
    (steps_of_a_mapping, YGGDRASIL),
    (artifact_types, YGGDRASIL),
    (old_aspects, ("init --upgrade --dry-run",)),
    (old_flows, ("init --upgrade --dry-run",)),
    (undeclared_imports, ("validate", "validate --fix --dry-run", "deps --node a --code")),
    (modules, ("validate", "draft --add --dry-run", "coverage --names")),
    (links, COMMON),
    (spec_nodes, COMMON),
    (spec_keys, COMMON),
    (one_id_again, COMMON),
    (superseders, COMMON),
)


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no answer come from the index: one of the two graphs may be old enough for that."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", 10**19)


def calls(root: Path, question: str) -> int:
    """Count the calls of functions, of Python or C, that a command takes."""
    profile = Profile()
    profile.enable()
    try:
        ask(root, question)
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def ask(root: Path, question: str) -> None:
    command, *rest = question.split()
    outcome = run(command, "-C", str(root), *rest)
    assert outcome.code in (0, 1), outcome.notes


@pytest.mark.parametrize(
    ("files", "questions"), SCENARIOS, ids=[files.__name__ for files, _ in SCENARIOS]
)
def test_four_times_the_input_takes_at_most_five_times_the_calls(
    tmp_path: Path, files: Callable[[int], Files], questions: tuple[str, ...]
) -> None:
    few = write(tmp_path / "few", files(FEW))
    many = write(tmp_path / "many", files(4 * FEW))
    one = write(tmp_path / "one", files(1))
    for question in questions:
        ask(one, question)  # imports what the question needs
    counted = {question: (calls(few, question), calls(many, question)) for question in questions}
    assert {each: pair for each, pair in counted.items() if pair[1] > MOST * pair[0]} == {}


def test_a_simulation_over_broken_relations_grows_with_them(tmp_path: Path) -> None:
    taken: list[int] = []
    for number in (FEW, FEW, 4 * FEW):
        root = write(tmp_path / str(len(taken)), relations(number))
        for command in ("init --quiet", "add .", "commit --quiet --message=base"):
            subprocess.run(["git", "-C", root, *command.split()], check=True)
        taken.append(calls(root, "impact --node a --simulate"))
    assert taken[2] <= MOST * taken[1]


def test_suggestions_are_looked_for_a_limited_number_of_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_for: list[str] = []
    nearest = Suggester._nearest

    def noted(self: Suggester, name: str) -> tuple[str, ...]:
        looked_for.append(name)
        return nearest(self, name)

    monkeypatch.setattr(Suggester, "_nearest", noted)
    types = {f"model/n{at}/yg-node.yaml": f"name: N\ntype: srvice{at}\n" for at in range(500)}
    graph = graph_from(types)
    found = list(unknown_node_type.check(whole(graph, SnapshotSources(graph.snapshot), tuple)))
    assert (len(found), len(looked_for)) == (500, MOST_ADVISED)
    assert found[0].advice[1:] == ("Did you mean 'service'?",)
    assert found[-1].advice[1:] == ()
