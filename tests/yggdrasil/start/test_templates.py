"""The files that `yg init` ships: schemas that agree with the readers, examples that obey both."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from yg.kernel.snapshot import DictSnapshot
from yg.kernel.tokens import TOKENIZERS
from yg.yggdrasil.model import Reading, ReadIssue
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.start.init import SCHEMAS, new_graph
from yg.yggdrasil.start.schemas import JSON_SCHEMAS, json_schema
from yg.yggdrasil.start.templates import template

KINDS = ("config", "node", "aspect", "flow")
VALIDATORS = {
    kind: Draft7Validator(json.loads(json_schema(f"yg-{kind}.schema.json"))) for kind in KINDS
}
PLACES = {
    "config": "yg-config.yaml",
    "node": "model/x/yg-node.yaml",
    "aspect": "aspects/x/yg-aspect.yaml",
    "flow": "flows/x/yg-flow.yaml",
}
READ_ISSUES = {
    "config": ReadIssue.CONFIG,
    "node": ReadIssue.NODE,
    "aspect": ReadIssue.ASPECT,
    "flow": ReadIssue.FLOW,
}


def problems(kind: str, text: str) -> list[str]:
    """Return what the reader has to say against a file, unknown keys aside."""
    graph = read(DictSnapshot({f".yggdrasil/{PLACES[kind]}": text}))
    reading: Reading[Any] | None
    match kind:
        case "config":
            reading = graph.config_reading
        case "node":
            reading = graph.nodes.reading("x")
        case "aspect":
            reading = graph.aspects.reading("x")
        case _:
            reading = graph.flows.reading("x")
    assert reading is not None
    return [note.finding.message for note in reading.notes if note.issue is READ_ISSUES[kind]]


def faults(kind: str, data: object) -> list[str]:
    """Return what the JSON Schema has to say against the same data."""
    return [error.message for error in VALIDATORS[kind].iter_errors(data)]


def verdicts(kind: str, data: object) -> tuple[bool, bool]:
    """Return whether the schema and whether the reader accepts some data."""
    return faults(kind, data) == [], problems(kind, json.dumps(data, ensure_ascii=False)) == []


# What ships.


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_a_sound_schema_of_draft_7(kind: str) -> None:
    text = json_schema(f"yg-{kind}.schema.json")
    schema = json.loads(text)
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["title"] == f"yg-{kind}.yaml"
    assert text == json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def parts_of(schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
    for item in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(item, (dict, list)):
            yield from parts_of(item)


@pytest.mark.parametrize("kind", KINDS)
def test_an_editor_can_explain_every_key(kind: str) -> None:
    parts = list(parts_of(json.loads(json_schema(f"yg-{kind}.schema.json"))))
    assert len(parts) > 2
    for name, part in parts:
        assert (name, part.get("description", "")[-1:]) == (name, ".")
        assert "\n" not in part["description"]


@pytest.mark.parametrize("kind", ["node", "aspect", "flow"])
def test_a_shipped_example_is_valid(kind: str) -> None:
    text = template(f"yg-{kind}.yaml")
    assert faults(kind, yaml.safe_load(text)) == []
    assert problems(kind, text) == []


@pytest.mark.parametrize("kind", ["node", "aspect", "flow"])
def test_a_shipped_example_shows_every_key_of_its_schema(kind: str) -> None:
    properties = json.loads(json_schema(f"yg-{kind}.schema.json"))["properties"]
    others = {"participants"}  # one name of a key is enough
    assert set(yaml.safe_load(template(f"yg-{kind}.yaml"))) == set(properties) - others


def test_the_shipped_configuration_is_valid_but_for_its_name() -> None:
    text = template("yg-config.yaml")
    assert faults("config", yaml.safe_load(text)) == ["'' does not match '\\\\S'"]
    named = text.replace('name: ""', "name: Shop")
    assert (faults("config", yaml.safe_load(named)), problems("config", named)) == ([], [])


def test_every_first_line_points_an_editor_at_a_schema_that_is_there() -> None:
    files = {edit.path for edit in new_graph("Shop")}
    for name in ("yg-config.yaml", *(f"schemas/{schema}" for schema in SCHEMAS)):
        path = f".yggdrasil/{name}"
        first = template(name.rpartition("/")[2]).split("\n", 1)[0]
        found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        assert found is not None
        target = f"{path.rpartition('/')[0]}/{found[1]}"
        assert target in files
        assert target.endswith(name.rpartition("/")[2].replace(".yaml", ".schema.json"))


def test_the_lists_of_shipped_files_are_complete() -> None:
    assert SCHEMAS == ("yg-node.yaml", "yg-aspect.yaml", "yg-flow.yaml")
    assert set(JSON_SCHEMAS) == {f"yg-{kind}.schema.json" for kind in KINDS}


# One verdict.

NODE = {"name": "A", "type": "t"}
FLOW = {"name": "F", "nodes": ["a"]}
CONFIG = {"name": "P", "node_types": {"t": {"description": "T"}}, "artifacts": {"a.md": {}}}
RELATION = {"target": "b", "type": "uses"}
EXTERNAL = {"target": "billing::x", "type": "uses"}
BAD_TARGETS = ("x", "billing::", "::x", "../b::x", "a b::x", ".a::x", "ä::x", f"{'n' * 101}::x", 1)


def artifact(**fields: object) -> dict[str, object]:
    return {**CONFIG, "artifacts": {"a.md": fields}}


def quality(**fields: object) -> dict[str, object]:
    return {**CONFIG, "quality": fields}


GOOD: list[tuple[str, object]] = [
    ("node", NODE),
    ("node", {**NODE, "aspects": None, "relations": None, "mapping": None, "blackbox": None}),
    ("node", {**NODE, "aspects": [], "relations": [], "blackbox": True}),
    ("node", {**NODE, "aspects": [{"aspect": "x", "exceptions": [], "anchors": None}]}),
    ("node", {**NODE, "aspects": [{"aspect": "x", "exceptions": ["e"], "anchors": ["a"]}]}),
    ("node", {**NODE, "relations": [{**RELATION, "consumes": [], "failure": None}]}),
    ("node", {**NODE, "relations": [{**RELATION, "type": "emits", "event_name": "E"}]}),
    ("node", {**NODE, "external": None}),
    ("node", {**NODE, "external": [EXTERNAL, {**EXTERNAL, "target": "_0.9-x::."}]}),
    ("node", {**NODE, "external": [{**EXTERNAL, "type": "listens", "event_name": "E"}]}),
    ("node", {**NODE, "external": [{**EXTERNAL, "target": f"{'n' * 100}::a::b"}]}),
    ("node", {**NODE, "mapping": {"paths": ["a", ""]}}),
    ("node", {**NODE, "colour": "green"}),
    ("aspect", {"name": "A"}),
    ("aspect", {"name": "A", "description": None, "implies": None, "stability": None}),
    ("aspect", {"name": "A", "description": "d", "implies": ["b"], "stability": "schema"}),
    ("flow", FLOW),
    ("flow", {**FLOW, "aspects": None}),
    ("flow", {**FLOW, "aspects": ["x"]}),
    ("config", CONFIG),
    ("config", {**CONFIG, "version": "2.2.0", "quality": None}),
    ("config", {**CONFIG, "version": None}),
    ("config", {**CONFIG, "node_types": {"t": {"description": "T", "required_aspects": ["x"]}}}),
    ("config", artifact(required="always", description="d", included_in_relations=True)),
    ("config", artifact(required=None, description=None, included_in_relations=None)),
    ("config", artifact(required={"when": "has_incoming_relations"})),
    ("config", artifact(required={"when": "has_outgoing_relations"})),
    ("config", artifact(required={"when": "has_aspect:x"})),
    ("config", artifact(required={"when": "has_tag: x"})),
    ("config", quality(min_artifact_length=0, max_direct_relations=None)),
    ("config", quality(context_budget={"warning": 0, "error": 0})),
    ("config", quality(context_budget=None)),
    *(("config", quality(context_budget={"tokenizer": name})) for name in (None, *TOKENIZERS)),
    ("config", {**CONFIG, "drift": None}),
    ("config", {**CONFIG, "drift": {"tolerate": None, "gate": None}}),
    *[("config", {**CONFIG, "drift": {"tolerate": kind}}) for kind in ("cosmetic", "docs")],
    *[("config", {**CONFIG, "drift": {"gate": kind}}) for kind in ("signature", "body")],
]
BAD: list[tuple[str, object]] = [
    ("node", None),
    ("node", []),
    ("node", "text"),
    ("node", {}),
    ("node", {"name": "A"}),
    ("node", {"type": "t"}),
    ("node", {**NODE, "name": None}),
    ("node", {**NODE, "name": 12}),
    ("node", {**NODE, "name": " "}),
    ("node", {**NODE, "type": ["t"]}),
    ("node", {**NODE, "blackbox": "yes"}),
    ("node", {**NODE, "aspects": "x"}),
    ("node", {**NODE, "aspects": ["x"]}),
    ("node", {**NODE, "aspects": [{}]}),
    ("node", {**NODE, "aspects": [None]}),
    ("node", {**NODE, "aspects": [{"aspect": "x", "exceptions": [""]}]}),
    ("node", {**NODE, "aspects": [{"aspect": "x", "exceptions": "e"}]}),
    ("node", {**NODE, "aspects": [{"aspect": "x", "anchors": []}]}),
    ("node", {**NODE, "relations": {}}),
    ("node", {**NODE, "relations": [{"target": "b"}]}),
    ("node", {**NODE, "relations": [{"type": "uses"}]}),
    ("node", {**NODE, "relations": [{**RELATION, "type": "likes"}]}),
    ("node", {**NODE, "relations": [{**RELATION, "type": None}]}),
    ("node", {**NODE, "relations": [{**RELATION, "consumes": "charge"}]}),
    ("node", {**NODE, "relations": [{**RELATION, "consumes": [1]}]}),
    ("node", {**NODE, "relations": [{**RELATION, "failure": ""}]}),
    ("node", {**NODE, "relations": [{**RELATION, "event_name": 1}]}),
    ("node", {**NODE, "external": {}}),
    ("node", {**NODE, "external": ["billing::x"]}),
    ("node", {**NODE, "external": [{**EXTERNAL, "type": "likes"}]}),
    *[("node", {**NODE, "external": [{**EXTERNAL, "target": target}]}) for target in BAD_TARGETS],
    ("node", {**NODE, "mapping": "src"}),
    ("node", {**NODE, "mapping": {}}),
    ("node", {**NODE, "mapping": {"paths": []}}),
    ("node", {**NODE, "mapping": {"paths": None}}),
    ("node", {**NODE, "mapping": {"paths": "src"}}),
    ("node", {**NODE, "mapping": {"paths": [1]}}),
    ("aspect", {}),
    ("aspect", {"name": ""}),
    ("aspect", {"name": "A", "description": ""}),
    ("aspect", {"name": "A", "description": 1}),
    ("aspect", {"name": "A", "implies": "b"}),
    ("aspect", {"name": "A", "implies": [""]}),
    ("aspect", {"name": "A", "stability": "eternal"}),
    ("aspect", {"name": "A", "stability": True}),
    ("flow", {"name": "F"}),
    ("flow", {"nodes": ["a"]}),
    ("flow", {**FLOW, "nodes": []}),
    ("flow", {**FLOW, "nodes": None}),
    ("flow", {**FLOW, "nodes": "a"}),
    ("flow", {**FLOW, "nodes": [" "]}),
    ("flow", {**FLOW, "aspects": [{"aspect": "x"}]}),
    ("config", {}),
    ("config", {**CONFIG, "name": ""}),
    ("config", {**CONFIG, "version": 2.2}),
    ("config", {**CONFIG, "version": ""}),
    ("config", {**CONFIG, "node_types": None}),
    ("config", {**CONFIG, "node_types": {}}),
    ("config", {**CONFIG, "node_types": ["t"]}),
    ("config", {**CONFIG, "node_types": {"t": None}}),
    ("config", {**CONFIG, "node_types": {"t": {}}}),
    ("config", {**CONFIG, "node_types": {"t": {"description": ""}}}),
    ("config", {**CONFIG, "node_types": {"t": {"description": "T", "required_aspects": "x"}}}),
    ("config", {**CONFIG, "artifacts": {}}),
    ("config", {**CONFIG, "artifacts": {"a.md": None}}),
    ("config", {**CONFIG, "artifacts": {"": {}}}),
    ("config", {**CONFIG, "artifacts": {"a/b.md": {}}}),
    ("config", {**CONFIG, "artifacts": {"a\\b.md": {}}}),
    ("config", {**CONFIG, "artifacts": {".a.md": {}}}),
    ("config", {**CONFIG, "artifacts": {"yg-node.yaml": {}}}),
    ("config", artifact(required="sometimes")),
    ("config", artifact(required=True)),
    ("config", artifact(required=[])),
    ("config", artifact(required={})),
    ("config", artifact(required={"when": None})),
    ("config", artifact(required={"when": "always"})),
    ("config", artifact(required={"when": "has_aspect:"})),
    ("config", artifact(required={"when": "has_aspect: "})),
    ("config", artifact(required={"when": " has_aspect:x"})),
    ("config", artifact(description="")),
    ("config", artifact(included_in_relations="true")),
    ("config", quality(min_artifact_length=-1)),
    ("config", quality(max_direct_relations="10")),
    ("config", quality(max_direct_relations=True)),
    ("config", quality(context_budget=5)),
    ("config", quality(context_budget={"warning": -1})),
    *(("config", quality(context_budget={"tokenizer": name})) for name in ("", "o200k_base", 1)),
    ("config", {**CONFIG, "quality": []}),
    ("config", {**CONFIG, "drift": "docs"}),
    ("config", {**CONFIG, "drift": {"tolerate": "body"}}),
    ("config", {**CONFIG, "drift": {"tolerate": ["docs"]}}),
    ("config", {**CONFIG, "drift": {"gate": "docs"}}),
    ("config", {**CONFIG, "drift": {"gate": True}}),
]


@pytest.mark.parametrize(("kind", "data"), GOOD, ids=repr)
def test_what_the_schema_accepts_the_reader_accepts(kind: str, data: object) -> None:
    assert verdicts(kind, data) == (True, True)


@pytest.mark.parametrize(("kind", "data"), BAD, ids=repr)
def test_what_the_schema_refuses_the_reader_refuses(kind: str, data: object) -> None:
    assert verdicts(kind, data) == (False, False)


def test_only_the_order_of_the_two_budgets_is_beyond_a_schema() -> None:
    assert verdicts("config", quality(context_budget={"warning": 2, "error": 1})) == (True, False)


TEXTS = st.sampled_from(["x", "a/b", " ", "", "uses", "schema", "always", "é 😀"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-1, 3), TEXTS)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
WORDS = st.lists(TEXTS, max_size=2)
NAMES = st.sampled_from(["a.md", "b", ".c", "d/e", "yg-node.yaml", ""])
WHEN = st.sampled_from(
    ["has_incoming_relations", "has_outgoing_relations", "has_aspect:x", "has_tag:", "else", ""]
)


def mapping(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Make mappings in which any key may be missing and any value may be something else."""
    loose = {name: st.one_of(field, field, field, ANYTHING) for name, field in fields.items()}
    return st.fixed_dictionaries({}, optional=loose)


def several(item: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(item, max_size=2)


FILES = {
    "node": mapping(
        name=st.just("A"),
        type=st.just("t"),
        aspects=several(mapping(aspect=TEXTS, exceptions=WORDS, anchors=WORDS)),
        blackbox=st.booleans(),
        relations=several(
            mapping(
                target=TEXTS,
                type=st.sampled_from(["uses", "emits", "likes"]),
                consumes=WORDS,
                failure=TEXTS,
                event_name=TEXTS,
            )
        ),
        mapping=mapping(paths=WORDS),
    ),
    "aspect": mapping(
        name=st.just("A"),
        description=TEXTS,
        implies=WORDS,
        stability=st.sampled_from(["schema", "protocol", "implementation", "eternal"]),
    ),
    "flow": mapping(name=st.just("F"), nodes=WORDS, aspects=WORDS),
    "config": mapping(
        version=TEXTS,
        name=st.just("P"),
        node_types=st.dictionaries(TEXTS, mapping(description=TEXTS, required_aspects=WORDS)),
        artifacts=st.dictionaries(
            NAMES,
            mapping(
                required=st.one_of(
                    st.sampled_from(["always", "never", "maybe"]), mapping(when=WHEN)
                ),
                description=TEXTS,
                included_in_relations=st.booleans(),
            ),
            max_size=2,
        ),
        quality=mapping(
            min_artifact_length=st.integers(-1, 9),
            max_direct_relations=st.integers(-1, 9),
            context_budget=mapping(warning=st.integers(-1, 0), error=st.integers(-1, 9)),
        ),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_schema_and_reader_give_the_same_verdict_on_any_file(
    kind: str, data: st.DataObject
) -> None:
    drawn = data.draw(FILES[kind])
    # The order of the two budgets is the one rule that no schema can express.
    told = problems(kind, json.dumps(drawn, ensure_ascii=False))
    others = [message for message in told if "must not be below" not in message]
    assert (faults(kind, drawn) == []) == (others == [])
