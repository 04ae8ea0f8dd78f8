"""`yg new` as edits: valid declarations that overwrite nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from support import CONFIG, NODE
from yg.kernel.errors import UsageError, YgError
from yg.kernel.issue import Severity
from yg.kernel.snapshot import DRAFT_MARK, DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.edit.create import New, new_aspect, new_flow, new_node
from yg.yggdrasil.edit.placeholders import draft_text
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import validate
from yggdrasil.applied import Files, applied

GRAPH = ".yggdrasil"


def repository(files: Mapping[str, str | bytes] = {}, sources: Mapping[str, str] = {}) -> Files:
    graph = {"yg-config.yaml": CONFIG, **files}
    return {**{f"{GRAPH}/{path}": text for path, text in graph.items()}, **sources}


def opened(files: Mapping[str, str | bytes | Kind]) -> tuple[Graph, SnapshotSources]:
    snapshot = DictSnapshot(files)
    return read(snapshot), SnapshotSources(snapshot)


def written(files: Files, new: New) -> dict[str, str]:
    """Return the new files; nothing that was there has changed, and no error is new."""
    after = applied(files, new.edits)
    assert {path: after[path] for path in files} == applied(files, [])
    assert errors(after) <= errors(files)
    return {path: str(after[path], "utf-8") for path in after.keys() - files.keys()}  # type: ignore[arg-type]


def errors(files: Files) -> set[tuple[str, str]]:
    verdict = validate(*opened(files))
    found = (issue for issue in verdict.issues if issue.severity is Severity.ERROR)
    return {(issue.subject, issue.message) for issue in found}


def test_a_node_has_a_declaration_and_the_texts_it_needs() -> None:
    files = repository()
    assert written(files, new_node(*opened(files), "orders")) == {
        f"{GRAPH}/model/orders/yg-node.yaml": "name: orders\ntype: module\n",
        f"{GRAPH}/model/orders/responsibility.md": (
            f"# Responsibility\n\n{DRAFT_MARK}\n<!-- What it does. -->\n"
        ),
    }


def test_a_node_has_what_its_type_its_place_and_its_users_ask_for() -> None:
    config = (
        CONFIG.replace('"A component"', '"A component", required_aspects: [p, q, gone]')
        + "  r.md: {required: {when: has_aspect:r}}\n  s.md: {required: {when: has_aspect:s}}\n"
    )
    files = repository(
        {
            "yg-config.yaml": config,
            "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: p}}]\n"
            "relations: [{target: a/b, type: uses}]\nmapping: {paths: [src]}\n",
            "aspects/p/yg-aspect.yaml": "name: P\n",
            "aspects/q/yg-aspect.yaml": "name: Q\nimplies: [r]\n",
            "aspects/r/yg-aspect.yaml": "name: R\n",
            "aspects/s/yg-aspect.yaml": "name: S\n",
        },
        {"src/b/x.py": "", "src/c d.py": ""},
    )
    mapping = ["src/b", "src/c d.py", "src/b/"]
    new = new_node(*opened(files), "a/b", type_name="service", mapping=mapping)
    texts = written(files, new)
    assert texts.pop(f"{GRAPH}/model/a/b/yg-node.yaml") == (
        "name: b\ntype: service\naspects:\n  - aspect: q\n"
        "mapping:\n  paths:\n    - src/b\n    - src/c d.py\n"
    )
    names = ("responsibility", "interface", "r")
    assert texts.keys() == {f"{GRAPH}/model/a/b/{name}.md" for name in names}
    assert new.notes == ()


def test_texts_that_exist_are_kept() -> None:
    files = repository({"model/a/responsibility.md": "Mine.\n", "model/a/b/yg-node.yaml": NODE})
    found = written(files, new_node(*opened(files), "a"))
    assert found.keys() == {f"{GRAPH}/model/a/yg-node.yaml"}


def test_what_is_left_to_do_is_said() -> None:
    files = repository()
    assert new_node(*opened(files), "a/b", mapping=["later.py"]).notes == (
        "'later.py' does not exist yet",
        "'a' is only a directory: 'yg new node a' makes it a node",
    )


@pytest.mark.parametrize(
    "name", ["a b", "it's", 'say "x"', "ö/日本", "a: b", "#a", "12", "true", "a,b", "-", "model/x"]
)
def test_any_name_gives_a_valid_node(name: str) -> None:
    files = repository(sources={"src/12": ""})
    new = new_node(*opened(files), name, mapping=["src/12"])
    found = written(files, new)
    graph = opened(applied(files, new.edits))[0]
    assert graph.nodes.get(new.id) is not None
    assert new.id == name.removeprefix("model/")
    assert len(found) == 2


def test_an_aspect_has_a_declaration_and_a_text() -> None:
    files = repository()
    assert written(files, new_aspect(opened(files)[0], "security/audit")) == {
        f"{GRAPH}/aspects/security/audit/yg-aspect.yaml": "name: audit\n",
        f"{GRAPH}/aspects/security/audit/content.md": (
            f"# audit\n\n{DRAFT_MARK}\n<!-- What the nodes with this aspect must meet. -->\n"
        ),
    }


def test_a_flow_has_its_nodes_and_all_sections() -> None:
    files = repository({"model/a/yg-node.yaml": NODE, "model/a/b/yg-node.yaml": NODE})
    new = new_flow(opened(files)[0], "checkout", ["model/a/b", "a", "a/b/"])
    found = written(files, new)
    assert found[f"{GRAPH}/flows/checkout/yg-flow.yaml"] == (
        "name: checkout\nnodes:\n  - a/b\n  - a\n"
    )
    text = found[f"{GRAPH}/flows/checkout/description.md"]
    assert text.startswith(f"## Business context\n\n{DRAFT_MARK}\n\n## Trigger\n\n")
    verdict = validate(*opened(applied(files, new.edits)))
    codes = [issue.code for issue in verdict.issues if issue.subject == "flows/checkout"]
    assert codes == ["W025"]


EXISTING: dict[str, str | bytes | Kind] = {
    **repository(
        {
            "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a]}}\n",
            "model/bad/yg-node.yaml": "name: [\n",
            "model/file": "",
            "aspects/x/yg-aspect.yaml": "name: X\n",
            "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        },
        {"src/a/x.py": ""},
    ),
    f"{GRAPH}/model/link": Kind.LINK,
    "src/link": Kind.LINK,
}


@pytest.mark.parametrize(
    ("kind", "name", "details", "message"),
    [
        ("node", "a", {}, "node 'a' exists"),
        ("node", "model/a/", {}, "node 'a' exists"),
        ("node", "bad", {}, "node 'bad' exists"),
        ("node", "file", {}, "'.yggdrasil/model/file' is not a directory"),
        ("node", "file/x", {}, "'.yggdrasil/model/file' is not a directory"),
        ("node", "link/x", {}, "'.yggdrasil/model/link' is not a directory"),
        ("node", "A", {}, "'A' differs from 'a' in .yggdrasil/model/ only in case or form"),
        ("node", "../x", {}, "'../x' cannot be the name of a node: a part of it starts with a dot"),
        ("node", "/x", {}, "'/x' cannot be the name of a node: it is an absolute path"),
        ("node", "n", {"type_name": "servce"}, "there is no node type 'servce'"),
        ("node", "n", {"mapping": ["src/a"]}, "cannot map 'src/a': node 'a' maps 'src/a'"),
        (
            "node",
            "n",
            {"mapping": ["src/a/x.py"]},
            "cannot map 'src/a/x.py': node 'a' maps 'src/a'",
        ),
        ("node", "n", {"mapping": ["src"]}, "cannot map 'src': node 'a' maps 'src/a'"),
        ("node", "n", {"mapping": ["../x"]}, "cannot map '../x': it leaves the repository"),
        ("node", "n", {"mapping": ["src/link"]}, "cannot map 'src/link': it is a link"),
        (
            "node",
            "n",
            {"mapping": [f"{GRAPH}/x"]},
            f"cannot map '{GRAPH}/x': it lies inside {GRAPH}/",
        ),
        ("aspect", "x", {}, "aspect 'x' exists"),
        ("aspect", "X", {}, "'X' differs from 'x' in .yggdrasil/aspects/ only in case or form"),
        ("flow", "f", {"nodes": ["a"]}, "flow 'f' exists"),
        ("flow", "g", {"nodes": []}, "a flow needs at least one node"),
        ("flow", "g", {"nodes": ["gone"]}, "no node at 'gone'"),
    ],
)
def test_what_exists_or_cannot_be_is_refused(
    kind: str, name: str, details: dict[str, list[str]], message: str
) -> None:
    graph, sources = opened(EXISTING)
    create: dict[str, Callable[..., New]] = {
        "node": partial(new_node, graph, sources),
        "aspect": partial(new_aspect, graph),
        "flow": partial(new_flow, graph),
    }
    with pytest.raises(YgError) as caught:
        create[kind](name, **details)
    assert caught.value.message == message


def test_a_mapping_below_that_of_the_parent_is_fine() -> None:
    graph, sources = opened(EXISTING)
    assert len(new_node(graph, sources, "a/b", mapping=["src/a/x.py"]).edits) == 2


def test_without_node_types_there_is_no_node() -> None:
    files = repository({"yg-config.yaml": "name: x\n"})
    with pytest.raises(YgError, match="there are no node types in"):
        new_node(*opened(files), "a")


def test_the_hint_of_a_draft_cannot_end_its_comment() -> None:
    assert draft_text(["# A"], "x ---> y\n-- z.") == (
        f"# A\n\n{DRAFT_MARK}\n<!-- x -> y - z. -->\n"
    )
    with pytest.raises(UsageError):
        new_aspect(opened(EXISTING)[0], "")
