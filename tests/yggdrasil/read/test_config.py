"""The configuration: as much of it as makes sense, and what is to be said of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support import graph_from
from yg.code.change_class import ChangeClass
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Located, Place
from yg.kernel.package import Budget
from yg.kernel.snapshot import DictSnapshot
from yg.yggdrasil.model import (
    ArtifactType,
    Condition,
    Config,
    CutPattern,
    DriftGate,
    DriftSettings,
    NodeType,
    Note,
    Quality,
    Reading,
    ReadIssue,
)
from yg.yggdrasil.read.config import read_config

if TYPE_CHECKING:
    from support import Content

FILE = ".yggdrasil/yg-config.yaml"
LIST_HINT = "Write '- ' before each item, or put it in '[ ]'."
NAME_HINT = "Name a file in the node's directory, such as 'interface.md'."
COUNT_HINT = "Write 0 or a larger whole number."
QUOTE_HINT = "Put it in quotes if it is meant as text."

HEAD = "name: shop\nnode_types:\n  service: {description: S}\n"
BASE = f"{HEAD}artifacts:\n  a.md: {{}}\n"  # five lines


def read(text: Content) -> tuple[Config, Reading[Config]]:
    graph = graph_from({"yg-config.yaml": text})
    return graph.config, graph.config_reading


def config_of(text: str) -> Config:
    config, reading = read(text)
    assert (reading.notes, reading.unknown_keys) == ((), ())
    return config


def notes_of(text: Content) -> tuple[Note, ...]:
    return read(text)[1].notes


def note(message: str, line: int, column: int, *hint: str) -> Note:
    place = Place(FILE, line, column)
    return Note(ReadIssue.CONFIG, Finding("yg-config.yaml", message, place, hint))


def test_a_configuration_is_all_that_its_file_declares() -> None:
    text = """\
version: "2.2.0"
name: my-project
node_types:
  service:
    description: "A component"
    required_aspects: [requires-audit]
  module:
    description: A domain
artifacts:
  responsibility.md:
    required: always
    description: What it does
    included_in_relations: true
  interface.md:
    required:
      when: has_incoming_relations
  calls.md: {required: {when: has_outgoing_relations}}
  compliance.md: {required: {when: "has_aspect:rules/eu"}}
  api.txt: {required: never}
quality:
  min_artifact_length: 5
  max_direct_relations: 3
  context_budget: {warning: 100, error: 200}
"""
    assert config_of(text) == Config(
        file=FILE,
        name="my-project",
        version="2.2.0",
        node_types={
            "service": NodeType(
                name="service",
                description="A component",
                required_aspects=(Located("requires-audit", 6, 24),),
            ),
            "module": NodeType(name="module", description="A domain"),
        },
        artifacts={
            "responsibility.md": ArtifactType(
                name="responsibility.md",
                condition=Condition.ALWAYS,
                description="What it does",
                in_relations=True,
            ),
            "interface.md": ArtifactType(name="interface.md", condition=Condition.INCOMING),
            "calls.md": ArtifactType(name="calls.md", condition=Condition.OUTGOING),
            "compliance.md": ArtifactType(
                name="compliance.md",
                condition=Condition.ASPECT,
                aspect=Located("rules/eu", 18, 36),
            ),
            "api.txt": ArtifactType(name="api.txt"),
        },
        quality=Quality(
            min_artifact_length=5, max_direct_relations=3, budget=Budget(warning=100, error=200)
        ),
    )


def test_what_the_quality_section_leaves_out_is_as_the_specification_says() -> None:
    standard = Quality(
        min_artifact_length=50,
        max_direct_relations=10,
        budget=Budget(warning=10_000, error=20_000),
    )
    qualities = [
        config_of(f"{BASE}{end}").quality
        for end in ("", "quality:\n", "quality: {}\n", "quality: {context_budget: {}}\n")
    ]
    assert qualities == [standard] * 4


def test_thresholds_may_be_equal_and_may_be_nothing() -> None:
    text = f"{BASE}quality: {{min_artifact_length: 0, context_budget: {{warning: 0, error: 0}}}}\n"
    assert config_of(text).quality == Quality(
        min_artifact_length=0, budget=Budget(warning=0, error=0)
    )


def test_artifacts_and_types_keep_the_order_of_the_file() -> None:
    config = config_of(
        "name: x\nnode_types: {z: {description: Z}, a: {description: A}}\n"
        "artifacts: {z.md: {}, B.txt: {}, a.md: {}}\n"
    )
    assert (list(config.node_types), list(config.artifacts)) == (
        ["z", "a"],
        ["z.md", "B.txt", "a.md"],
    )


@pytest.mark.parametrize("condition", ["has_aspect:eu", "has_tag:eu", '"has_aspect: eu"'])
def test_an_aspect_as_a_condition_has_an_older_spelling(condition: str) -> None:
    config = config_of(f"{HEAD}artifacts:\n  a.md: {{required: {{when: {condition}}}}}\n")
    assert config.artifacts["a.md"] == ArtifactType(
        name="a.md", condition=Condition.ASPECT, aspect=Located("eu", 5, 27)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            BASE.replace("name: shop\n", ""),
            note("yg-config.yaml has no 'name'", 1, 1, "Add 'name: ..'."),
            id="no name",
        ),
        pytest.param(
            BASE.replace("shop", '""'),
            note("'name' must not be empty", 1, 7, "Write the text."),
            id="empty name",
        ),
        pytest.param(
            BASE.replace("shop", "2"),
            note("'name' must be text, found a whole number", 1, 7, QUOTE_HINT),
            id="name is a number",
        ),
        pytest.param(
            f"{BASE}version: 2.2\n",
            note("'version' must be text, found a number", 6, 10, QUOTE_HINT),
            id="version is a number",
        ),
        pytest.param(
            "name: shop\nartifacts: {a.md: {}}\n",
            note(
                "yg-config.yaml has no 'node_types'",
                1,
                1,
                "Describe at least one entry under 'node_types'.",
            ),
            id="no node types",
        ),
        pytest.param(
            "name: shop\nnode_types: {}\nartifacts: {a.md: {}}\n",
            note(
                "'node_types' must not be empty",
                2,
                13,
                "Describe at least one entry under 'node_types'.",
            ),
            id="empty node types",
        ),
        pytest.param(
            "name: shop\nnode_types: [service]\nartifacts: {a.md: {}}\n",
            note(
                "'node_types' must be a mapping, found a list",
                2,
                13,
                "Write 'NAME: {description: ..}' for each of them.",
            ),
            id="node types as a list",
        ),
        pytest.param(
            "name: shop\nnode_types: {service: }\nartifacts: {a.md: {}}\n",
            note("'service' must be a mapping, found nothing", 2, 23),
            id="a node type that is nothing",
        ),
        pytest.param(
            "name: shop\nnode_types: {service: {}}\nartifacts: {a.md: {}}\n",
            note("'service' has no 'description'", 2, 23, "Add 'description: ..'."),
            id="a node type without description",
        ),
        pytest.param(
            BASE.replace("{description: S}", "{description: S, required_aspects: x}"),
            note("'required_aspects' must be a list, found text", 3, 47, LIST_HINT),
            id="required aspects as text",
        ),
        pytest.param(
            f"{HEAD}artifacts: {{}}\n",
            note(
                "'artifacts' must not be empty",
                4,
                12,
                "Describe at least one entry under 'artifacts'.",
            ),
            id="empty artifacts",
        ),
        pytest.param(
            f"{BASE}  yg-node.yaml: {{}}\n",
            note("artifact name 'yg-node.yaml' is reserved for the node itself", 6, 3, NAME_HINT),
            id="a reserved name",
        ),
        pytest.param(
            f"{BASE}  docs/b.md: {{}}\n",
            note("artifact name 'docs/b.md' is not a plain file name", 6, 3, NAME_HINT),
            id="a path",
        ),
        pytest.param(
            f"{BASE}  .b.md: {{}}\n",
            note(
                "artifact name '.b.md' starts with a dot: such files are not read", 6, 3, NAME_HINT
            ),
            id="a dot name",
        ),
        pytest.param(
            f"{BASE}  b.md: {{required: sometimes}}\n",
            note(
                "'required' cannot be 'sometimes'",
                6,
                20,
                "Write 'always', 'never', or 'when: <condition>' below it.",
            ),
            id="an unknown requirement",
        ),
        pytest.param(
            f"{BASE}  b.md: {{required: true}}\n",
            note(
                "'required' cannot be true or false",
                6,
                20,
                "Write 'always', 'never', or 'when: <condition>' below it.",
            ),
            id="a requirement as a flag",
        ),
        pytest.param(
            f"{BASE}  b.md: {{required: {{}}}}\n",
            note("'required' has no 'when'", 6, 20, "Add 'when: ..'."),
            id="a requirement without condition",
        ),
        pytest.param(
            f"{BASE}  b.md: {{required: {{when: [x]}}}}\n",
            note("'when' must be text, found a list", 6, 27, "Write one text."),
            id="a condition as a list",
        ),
        pytest.param(
            f"{BASE}  b.md: {{required: {{when: has_luck}}}}\n",
            note(
                "unknown condition 'has_luck'",
                6,
                27,
                "Use has_incoming_relations, has_outgoing_relations or has_aspect:<id>.",
            ),
            id="an unknown condition",
        ),
        pytest.param(
            f"{BASE}  b.md: {{required: {{when: 'has_aspect:'}}}}\n",
            note(
                "unknown condition 'has_aspect:'",
                6,
                27,
                "Use has_incoming_relations, has_outgoing_relations or has_aspect:<id>.",
            ),
            id="a condition on no aspect",
        ),
        pytest.param(
            f"{BASE}  b.md: {{included_in_relations: yes}}\n",
            note(
                "'included_in_relations' must be true or false, found text",
                6,
                33,
                "YAML 1.2 has only true and false.",
            ),
            id="a flag as older YAML spelled it",
        ),
        pytest.param(
            f"{BASE}  b.md: {{description: 5}}\n",
            note("'description' must be text, found a whole number", 6, 23, QUOTE_HINT),
            id="description as a number",
        ),
        pytest.param(
            f"{BASE}quality: high\n",
            note("'quality' must be a mapping, found text", 6, 10),
            id="quality as text",
        ),
        pytest.param(
            f"{BASE}quality: {{min_artifact_length: '50'}}\n",
            note("'min_artifact_length' must be a whole number, found text", 6, 32, COUNT_HINT),
            id="a threshold as text",
        ),
        pytest.param(
            f"{BASE}quality: {{max_direct_relations: 1.5}}\n",
            note(
                "'max_direct_relations' must be a whole number, found a number", 6, 33, COUNT_HINT
            ),
            id="a threshold as a fraction",
        ),
        pytest.param(
            f"{BASE}quality: {{max_direct_relations: true}}\n",
            note(
                "'max_direct_relations' must be a whole number, found true or false",
                6,
                33,
                COUNT_HINT,
            ),
            id="a threshold as a flag",
        ),
        pytest.param(
            f"{BASE}quality: {{min_artifact_length: -1}}\n",
            note("'min_artifact_length' must not be negative", 6, 32, COUNT_HINT),
            id="a negative threshold",
        ),
        pytest.param(
            f"{BASE}quality: {{context_budget: 100}}\n",
            note("'context_budget' must be a mapping, found a whole number", 6, 27),
            id="a budget as a number",
        ),
        pytest.param(
            f"{BASE}quality: {{context_budget: {{warning: 20, error: 10}}}}\n",
            note(
                "'error' (10) must not be below 'warning' (20)",
                6,
                27,
                "Raise 'error' or lower 'warning'.",
            ),
            id="the error below the warning",
        ),
        pytest.param(
            f"{BASE}name: again\n",
            note(
                "duplicate key 'name'",
                6,
                1,
                "It is already defined in line 1; keep one of the two.",
            ),
            id="a key twice",
        ),
        pytest.param(
            f"{BASE}  a.md: {{required: always}}\n",
            note(
                "duplicate key 'a.md'",
                6,
                3,
                "It is already defined in line 5; keep one of the two.",
            ),
            id="an artifact twice",
        ),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(text: str, expected: Note) -> None:
    assert notes_of(text) == (expected,)


def test_the_warning_alone_is_held_against_the_standard_error() -> None:
    assert notes_of(f"{BASE}quality: {{context_budget: {{warning: 20001}}}}\n") == (
        note(
            "'error' (20000) must not be below 'warning' (20001)",
            6,
            27,
            "'error' is not set, so it is 20000, the default. Set it as well.",
        ),
    )


def test_what_is_bad_is_left_empty_and_the_rest_is_kept() -> None:
    text = """\
name: [shop]
node_types: {service: {}, module: {description: M}}
artifacts:
  a/b.md: {}
  c.md: {required: perhaps, included_in_relations: true}
quality: {min_artifact_length: many, max_direct_relations: 3}
"""
    config, reading = read(text)
    assert len(reading.notes) == 5
    assert config == Config(
        file=FILE,
        node_types={
            "service": NodeType(name="service"),
            "module": NodeType(name="module", description="M"),
        },
        artifacts={"c.md": ArtifactType(name="c.md", in_relations=True)},
        quality=Quality(max_direct_relations=3),
    )


def test_unknown_keys_are_reported_with_what_is_known_on_every_level() -> None:
    text = """\
name: shop
stack: {language: Python}
node_types:
  service: {description: S, required_tags: [x]}
artifacts:
  a.md: {structural_context: true, required: {when: has_aspect:x, unless: y}}
quality: {min_length: 1, context_budget: {warn: 2}}
"""
    _, reading = read(text)
    assert reading.notes == ()
    assert [(use.subject, use.file) for use in reading.unknown_keys] == [
        ("yg-config.yaml", FILE)
    ] * 6
    keys = [use.key for use in reading.unknown_keys]
    assert [(key.name.text, key.name.line, key.name.column, key.known) for key in keys] == [
        ("required_tags", 4, 29, ("description", "required_aspects", "template", "may_use")),
        ("unless", 6, 67, ("when",)),
        ("structural_context", 6, 10, ("required", "description", "included_in_relations")),
        ("warn", 7, 43, ("warning", "error", "tokenizer", "cut_first", "stale", "own_warning")),
        (
            "min_length",
            7,
            11,
            (
                *("min_artifact_length", "max_direct_relations", "max_mapping_source_files"),
                *("context_budget", "gate"),
            ),
        ),
        (
            "stack",
            2,
            1,
            (
                *("version", "name", "node_types", "artifacts", "quality"),
                *("rules", "coverage", "drift", "code", "decisions", "hooks"),
            ),
        ),
    ]


EMPTY = Config(file=FILE, node_types={}, artifacts={})


def test_without_the_file_the_configuration_is_empty_and_says_so() -> None:
    hint = "Restore it, or run 'yg init' in a new repository."
    finding = Finding("yg-config.yaml", "there is no yg-config.yaml", Place(FILE), (hint,))
    assert read_config(DictSnapshot({}), FILE) == (
        EMPTY,
        Reading(None, (Note(ReadIssue.CONFIG, finding),)),
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name: sh\xf6p\n", "not UTF-8 at byte 8 (0xf6)"),
        (UnreadableError(FILE, "permission denied"), "permission denied"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_empty_and_says_so(
    content: Content, reason: str
) -> None:
    message = f"'yg-config.yaml' cannot be read: {reason}"
    finding = Finding("yg-config.yaml", message, Place(FILE))
    assert read(content) == (EMPTY, Reading(None, (Note(ReadIssue.UNREADABLE, finding),)))


def test_a_configuration_that_is_not_yaml_is_empty_and_says_where() -> None:
    config, reading = read("name: shop\nnode_types: {service\n")
    assert config == EMPTY
    (told,) = reading.notes
    assert (told.issue, told.finding.place) == (ReadIssue.CONFIG, Place(FILE, 2, 13))


def test_a_configuration_that_is_not_a_mapping_is_reported_with_its_place() -> None:
    config, reading = read("- name: shop\n")
    assert config == EMPTY
    assert note("yg-config.yaml must be a mapping, found a list", 1, 1) in reading.notes


# Drift.


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", DriftSettings()),
        ("drift:\n", DriftSettings()),
        ("drift: {tolerate: docs}\n", DriftSettings(tolerate=ChangeClass.DOCS)),
        (
            "drift: {tolerate: imports, gate: body}\n",
            DriftSettings(tolerate=ChangeClass.IMPORTS, gate=DriftGate.BODY),
        ),
        ("drift: {gate: value}\n", DriftSettings(gate=DriftGate.VALUE)),
        ("drift: {gate: signature}\n", DriftSettings(gate=DriftGate.SIGNATURE)),
    ],
)
def test_drift_has_a_tolerance_and_a_gate(text: str, settings: DriftSettings) -> None:
    assert config_of(f"{BASE}{text}").drift == settings


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("{tolerate: body}", "'tolerate' cannot be 'body'", "cosmetic, docs, imports"),
        ("{tolerate: signature}", "'tolerate' cannot be 'signature'", "cosmetic, docs, imports"),
        ("{tolerate: unknown}", "'tolerate' cannot be 'unknown'", "cosmetic, docs, imports"),
        ("{tolerate: 1}", "'tolerate' cannot be a whole number", "cosmetic, docs, imports"),
        ("{gate: docs}", "'gate' cannot be 'docs'", "value, signature, body"),
        ("{gate: [body]}", "'gate' cannot be a list", "value, signature, body"),
    ],
)
def test_other_classes_are_refused(text: str, message: str, hint: str) -> None:
    (found,) = notes_of(f"{BASE}drift: {text}\n")
    assert (found.finding.message, found.finding.advice) == (message, (f"Write one of: {hint}.",))


def test_unknown_keys_of_drift_are_reported() -> None:
    (use,) = read(f"{BASE}drift: {{tolerates: docs}}\n")[1].unknown_keys
    assert (use.key.name.text, use.key.known) == (
        "tolerates",
        ("tolerate", "gate", "hash", "agreement"),
    )


# What is cut first.


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("", None),
        ("cut_first:", None),
        ("cut_first: []", ()),
        (
            "cut_first: [flow/*, dependency/internals.md, own/a/b.md]",
            (
                CutPattern("flow", "*"),
                CutPattern("dependency", "internals.md"),
                CutPattern("own", "a/b.md"),
            ),
        ),
    ],
)
def test_the_configuration_says_what_is_cut_first(
    text: str, patterns: tuple[CutPattern, ...] | None
) -> None:
    config = config_of(f"{BASE}quality:\n  context_budget:\n    warning: 7\n    {text}\n")
    assert config.quality.cut_first == patterns
    assert config.quality.budget.warning == 7


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("flows/*", "'flows/*' in 'cut_first' has the unknown kind 'flows'"),
        ("own-artifacts/x.md", "'own-artifacts/x.md' in 'cut_first' has the unknown kind"),
        ("left-out/*", "'left-out/*' in 'cut_first' has the unknown kind 'left-out'"),
        ("flow", "'flow' in 'cut_first' names no document"),
        ("flow/", "'flow/' in 'cut_first' names no document"),
    ],
)
def test_an_unknown_kind_in_what_is_cut_first_is_an_error(pattern: str, message: str) -> None:
    text = f"{BASE}quality: {{context_budget: {{cut_first: [aspect/*, {pattern}]}}}}\n"
    (found,) = notes_of(text)
    assert found.issue is ReadIssue.CONFIG
    assert found.finding.message.startswith(message)
    assert (found.finding.place.line, found.finding.place.column) == (6, 50)
    [advice] = found.finding.advice
    assert advice.startswith("Write KIND/DOCUMENT; the kinds are global, hierarchy, own, ")
