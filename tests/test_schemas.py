"""Every JSON document that a command prints is described by a schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from inventories import billing_import
from schemas import SCHEMAS, faults, validator
from support import NODE, run
from support import write as write_files
from support import write_graph as write
from yg.code.change_class import ChangeClass
from yg.commands.schema import schema_files
from yg.kernel.export import CHANGES, DRIFT
from yg.surfaces.cli.completions import SHELLS
from yg.yggdrasil.drift.states import State

GOLDEN = Path(__file__).parent / "golden"
OURS = b'{\n  "schema": "yg-'  # how every document of ours begins; SARIF is somebody else's
DOCUMENTS = sorted(path for path in GOLDEN.iterdir() if path.read_bytes().startswith(OURS))

BROKEN: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: A\ntype: service\nrelations: [{target: b, type: calls}]\n",
    "model/b/yg-node.yaml": "name: 12\ntype: service\n",
    "model/c/yg-node.yaml": b"name: \xff\n",
    "aspects/x/content.md": "An aspect without a declaration.\n",
    "aspects/y/yg-aspect.yaml": "name: Y\nstability: eternal\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: []\n",
}
RICH = {
    "model/yg-node.yaml": "name: Top\ntype: module\naspects: [{aspect: x}]\n",
    "model/a/yg-node.yaml": """\
name: A
type: service
aspects:
  - aspect: y
    exceptions: [Not on Sundays]
relations:
  - {target: ., type: extends, failure: "none"}
  - {target: b, type: implements, consumes: [all, "of <it>"]}
  - {target: b, type: emits}
  - {target: b, type: listens, event_name: "E & F", consumes: [id]}
external:
  - {target: "billing::payments/ledger", type: calls, consumes: [post], failure: "none"}
  - {target: "billing::payments", type: emits}
mapping: {paths: [src/a, "src/ä ö.py"]}
""",
    "imports/billing.jsonl": billing_import(),
    "model/a/responsibility.md": "",
    "model/b/yg-node.yaml": "name: B\ntype: service\nblackbox: true\n",
    "aspects/x/yg-aspect.yaml": "name: X\nimplies: [y]\nstability: schema\n",
    "aspects/y/yg-aspect.yaml": "name: Y\ndescription: Why\n",
    "aspects/y/content.md": "Because.\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [.]\naspects: [y]\n",
}


def objects_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every part of a schema that describes an object."""
    if isinstance(schema, list):
        for item in schema:
            yield from objects_of(item)
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for item in schema.values():
            yield from objects_of(item)


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_is_named_for_the_documents_it_describes(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == name
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["properties"]["schema"]["const"] == name
    text = schema_files()[f"{name.replace('/', '.')}.schema.json"]
    assert text == json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_allows_nothing_that_it_does_not_describe(name: str) -> None:
    for item in objects_of(SCHEMAS[name]):
        if "properties" not in item:  # a map: its keys are names, its values have a schema
            assert set(item["additionalProperties"]) in ({"type", "minimum"}, {"type"}, set())
            continue
        assert item["additionalProperties"] is False
        assert set(item["required"]) <= set(item["properties"])
        descriptions = [part.get("description", "") for part in item["properties"].values()]
        assert [text for text in descriptions if not text or "\n" in text] == []


@pytest.mark.parametrize("golden", DOCUMENTS, ids=lambda path: path.name)
def test_every_golden_document_follows_its_schema(golden: Path) -> None:
    assert faults(golden.read_bytes()) == []


# The keys that may be absent, by document; lists are shown as `/`, names in maps as `*`.
OPTIONAL = {
    "yg-overview/1": {"stale"},
    "yg-draft/1": {"nodes/exclude"},
    "yg-aspects/1": {"aspects/description", "aspects/implies", "aspects/stability"},
    "yg-build-context/1": {
        "blocks/see",
        "blocks/same_as",
        "budget.error",
        "fit",
        "fit.cut/document",
        *(
            f"blocks/attributes.{name}"
            for name in ("aspects", "consumes", "failure", "node-path", "node-name", "nodes")
        ),
    },
    "yg-deps/1": {"dependencies/blackbox", "dependencies/external", "dependencies/required_by"},
    "yg-error/1": {"issues"},
    "yg-flows/1": {"flows/aspects"},
    "yg-graph-status/1": {"types.*", "links.*"},
    "yg-impact/1": {"nodes", "importing"},
    "yg-graph-preflight/1": {"types.*", "links.*"},
    "yg-plan/1": {"states.*"},
    "yg-preflight/1": {"types.*"},
    "yg-spec-context/1": {
        "budget.error",
        "digest",
        *(
            f"{where}verification/{key}"
            for where in ("node.", "nodes/", "targets/")
            for key in (
                *("command", "ruleId", "method", "url", "expectStatus", "steps", "description"),
                *("cwd", "env", "env.NETWORK", "env.RUNS", "timeoutSeconds", "expected"),
            )
        ),
    },
    "yg-status/1": {"types.*"},
    "yg-tree/1": {"nodes/external", "nodes/repeated"},
}


def paths_in(value: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the place, the object and the key of everything in a document."""
    if isinstance(value, list):
        for item in value:
            yield from paths_in(item, f"{where}/")
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("metadata", "json_schema"):  # anything goes
                continue
            name = "*" if where in ("types", "links", "states") else key
            place = f"{where}{'.' if where and where[-1] != '/' else ''}{name}"
            yield place, value, key
            yield from paths_in(item, place)


def shorten(value: Any, changed: set[int]) -> bool:
    """Remove objects from lists in which no object is to be changed; return whether one is here."""
    if isinstance(value, list):
        value[:] = [item for item in value if shorten(item, changed) or not isinstance(item, dict)]
        return bool(value)
    if isinstance(value, dict):
        found = [shorten(item, changed) for item in value.values()]
        return any(found) or id(value) in changed
    return False


@pytest.mark.parametrize("golden", DOCUMENTS, ids=lambda path: path.name)
def test_a_changed_document_is_refused(golden: Path) -> None:
    document = json.loads(golden.read_bytes())
    is_valid = validator(document["schema"]).is_valid
    droppable = set()
    first = {place: (parent, key) for place, parent, key in [*paths_in(document)][::-1]}
    shorten(document, {id(parent) for parent, _ in first.values()})
    assert is_valid(document)
    for place, (parent, key) in first.items():
        original = dict(parent)
        parent[key] = {"colour": {}}  # of a wrong type, or with a key too many
        assert not is_valid(document), place
        parent |= {key: original[key], "colour": {}}
        assert not is_valid(document), place
        del parent["colour"], parent[key]
        if is_valid(document):
            droppable.add(place)
        parent[key] = original[key]
    assert droppable <= OPTIONAL.get(document["schema"], set())


# They write, so they are tested in folders of their own; or they are inside of a page; or they name
# the current commit.
WITHOUT_GOLDEN = {"yg-drift-sync/1", "yg-explorer/1", "yg-init/1", "yg-mv/1", "yg-new/1", "yg-rm/1"}
WITHOUT_GOLDEN |= {"yg-import/1", "yg-inventory/1", "yg-check-docs/1"}


def test_there_is_a_golden_document_of_every_kind() -> None:
    texts = [path.read_bytes() for path in sorted(GOLDEN.iterdir())]
    shown = {json.loads(text)["schema"] for text in texts if text.startswith(OURS)}
    assert shown == set(SCHEMAS) - WITHOUT_GOLDEN


@pytest.mark.parametrize(
    "argv",
    [
        ("build-context", "a"),
        ("build-context", "b"),
        ("build-context", "."),
        ("tree",),
        ("tree", "--depth", "0"),
        ("aspects",),
        ("flows",),
        ("owner", "src/a/x.py", "src/ä ö.py", "nowhere", "/", "src\n\x1b[31m", "\udcff"),
        ("deps", "a"),
        ("deps", "."),
        ("import", "list"),
        ("impact", "billing::payments/ledger"),
        ("find", "ledger"),
        ("export",),
    ],
    ids=" ".join,
)
def test_unusual_answers_follow_their_schema(tmp_path: Path, argv: tuple[str, ...]) -> None:
    outcome = run(*argv, "--json", "-C", str(write(tmp_path, RICH)))
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])


@pytest.mark.parametrize("command", ["tree", "aspects", "flows", "owner"])
def test_answers_with_something_missing_follow_their_schema(tmp_path: Path, command: str) -> None:
    files = ("x.py",) if command == "owner" else ()
    outcome = run(command, *files, "--json", "-C", str(write(tmp_path, BROKEN)))
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    assert json.loads(outcome.text)["skipped"] != []


@pytest.mark.parametrize(
    ("argv", "code", "kind"),
    [
        (("build-context", "a"), 1, "refused"),
        (("build-context", "a", "--lenient"), 1, "refused"),
        (("build-context", "b"), 1, "refused"),
        (("deps", "c"), 1, "refused"),
        (("build-context", "nowhere"), 1, "not-found"),
        (("build-context", "../a"), 1, "not-found"),
        (("build-context", "--file", "nowhere.py"), 1, "not-found"),
        (("deps", "nowhere"), 1, "not-found"),
        (("tree", "nowhere"), 1, "not-found"),
        (("build-context",), 2, "usage"),
        (("build-context", ""), 2, "usage"),
        (("deps", "a", "--node", "b"), 2, "usage"),
        (("owner",), 2, "usage"),
        (("owner", ""), 2, "usage"),
        (("tree", "--depth", "-1"), 2, "usage"),
        (("tree", "--nonsense"), 2, "usage"),
        (("nonsense",), 2, "usage"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_errors_follow_their_schema(
    tmp_path: Path, argv: tuple[str, ...], code: int, kind: str
) -> None:
    outcome = run(*argv, "--json", "-C", str(write(tmp_path, BROKEN)))
    assert (outcome.code, outcome.text, faults(outcome.notes)) == (code, "", [])
    document = json.loads(outcome.notes)
    assert (document["schema"], document["code"]) == ("yg-error/1", kind)
    assert ("issues" in document) == (kind == "refused")


def test_an_aspect_of_a_0x_graph_has_a_tag_instead_of_an_id(tmp_path: Path) -> None:
    files = {
        "yggdrasil/config.yaml": "name: Old\n",
        "yggdrasil/a/node.yaml": "name: A\ntype: module\ntags: [slow]\n",
        "yggdrasil/a/description.md": "Slow.\n",
        "yggdrasil/aspects/slow.yaml": "name: Slow\ntag: slow\n",
    }
    outcome = run("build-context", "a", "--json", "-C", str(write_files(tmp_path, files)))
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    kinds = {block["kind"]: block["attributes"] for block in json.loads(outcome.text)["blocks"]}
    assert kinds["aspect"] == {"name": "Slow", "tag": "slow"}


def test_errors_without_a_graph_follow_their_schema(tmp_path: Path) -> None:
    outcome = run("tree", "--json", "-C", str(tmp_path))
    assert (outcome.code, outcome.text, faults(outcome.notes)) == (1, "", [])
    assert json.loads(outcome.notes)["code"] == "no-graph"


def test_errors_of_an_old_graph_follow_their_schema(tmp_path: Path) -> None:
    (tmp_path / ".yggdrasil").mkdir()
    (tmp_path / ".yggdrasil" / "config.yaml").touch()
    outcome = run("tree", "--json", "-C", str(tmp_path))
    assert (outcome.code, outcome.text, faults(outcome.notes)) == (1, "", [])
    assert json.loads(outcome.notes)["code"] == "old-edition"


def test_values_that_shapes_write_out_are_those_of_the_program() -> None:
    shells = SCHEMAS["yg-completions/1"]
    assert shells["properties"]["shell"]["enum"] == list(SHELLS)
    assert list(State) == list(DRIFT)
    assert list(ChangeClass) == list(CHANGES)


def test_a_schema_notices_what_does_not_belong(tmp_path: Path) -> None:
    document = json.loads(
        run("tree", "--json", "-C", str(write(tmp_path, {"model/a/yg-node.yaml": NODE}))).text
    )
    document["nodes"][0]["colour"] = "green"
    del document["nodes"][0]["level"]
    assert sorted(faults(json.dumps(document))) == [
        "'level' is a required property",
        "Additional properties are not allowed ('colour' was unexpected)",
    ]
