"""The configuration: what is valid of it is kept, and the rest is reported where it is."""

from __future__ import annotations

import pytest

from graphs import Content, graph_from, snapshot_from
from yg.kernel.errors import AnotherModelError, UnreadableError
from yg.kernel.issue import Finding, Level, Located, Place
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.yggdrasil.config import (
    STANDARD_ARTIFACTS,
    ArtifactType,
    Baseline,
    Budget,
    Code,
    Condition,
    Config,
    Coverage,
    Drift,
    NodeType,
    Quality,
    Requirement,
    RuleLevel,
    Template,
)
from yg.yggdrasil.model import Problem
from yg.yggdrasil.read import read_graph

FILE = ".yggdrasil/yg-config.yaml"
HEAD = "name: shop\nnode_types:\n  service: {description: S}\n"
BASE = f"{HEAD}artifacts:\n  a.md: {{}}\n"  # five lines


def config_of(text: str) -> Config:
    """Return a configuration without problems."""
    graph = graph_from({"yg-config.yaml": text})
    assert (graph.problems, graph.unknown_keys) == ((), ())
    return graph.config


def problems_of(text: Content) -> tuple[Problem, ...]:
    return graph_from({"yg-config.yaml": text}).problems


def problem(message: str, line: int, column: int, *hint: str) -> Problem:
    return Problem("E012", Finding("yg-config.yaml", message, Place(FILE, line, column), hint))


def test_a_configuration_is_all_that_its_file_declares() -> None:
    text = """\
version: "2.2.0"
name: my-project
node_types:
  service:
    description: "A component"
    required_aspects: [requires-audit]
    may_use: [module]
    template: {responsibility.md: [Does, "# Not"], api.txt: Calls}
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
rules: {W012: off, E010: warning}
coverage: {exclude: ["*.md"]}
drift: {baseline: git}
code: {imports: warning, roots: [src], ignore: [tests]}
"""
    assert config_of(text) == Config(
        name="my-project",
        version="2.2.0",
        node_types={
            "service": NodeType(
                name="service",
                description="A component",
                required_aspects=(Located("requires-audit", 6, 24),),
                may_use=(Located("module", 7, 15),),
                template={
                    "responsibility.md": Template(
                        Located("responsibility.md", 8, 16), ("## Does", "# Not")
                    ),
                    "api.txt": Template(Located("api.txt", 8, 52), ("## Calls",)),
                },
            ),
            "module": NodeType(name="module", description="A domain"),
        },
        artifacts={
            "responsibility.md": ArtifactType(
                name=Located("responsibility.md", 12, 3),
                required=Requirement(Condition.ALWAYS),
                description="What it does",
                included_in_relations=True,
            ),
            "interface.md": ArtifactType(
                name=Located("interface.md", 16, 3), required=Requirement(Condition.INCOMING)
            ),
            "calls.md": ArtifactType(
                name=Located("calls.md", 19, 3), required=Requirement(Condition.OUTGOING)
            ),
            "compliance.md": ArtifactType(
                name=Located("compliance.md", 20, 3),
                required=Requirement(Condition.ASPECT, Located("rules/eu", 20, 36)),
            ),
            "api.txt": ArtifactType(
                name=Located("api.txt", 21, 3), required=Requirement(Condition.NEVER)
            ),
        },
        quality=Quality(
            min_artifact_length=5,
            max_direct_relations=3,
            context_budget=Budget(warning=100, error=200),
        ),
        rules={
            "W012": RuleLevel(Located("W012", 26, 9), Level.OFF),
            "E010": RuleLevel(Located("E010", 26, 20), Level.WARNING),
        },
        coverage=Coverage(("*.md",)),
        drift=Drift(Baseline.GIT),
        code=Code(Level.WARNING, (Located("src", 29, 34),), ("tests",)),
    )


def test_what_a_configuration_leaves_out_is_as_the_specification_says() -> None:
    quality = Quality(
        min_artifact_length=50,
        max_direct_relations=10,
        context_budget=Budget(warning=10_000, error=20_000),
    )
    ends = ("", "quality:\n", "quality: {}\nrules:\n", "quality: {context_budget: {}}\ndrift: {}\n")
    for config in [config_of(f"{BASE}{end}") for end in ends]:
        assert (config.version, config.quality, config.rules) == ("", quality, {})
        assert (config.coverage.exclude, config.drift.baseline) == ((), "stored")
        assert config.code == Code(Level.OFF, (), ())


def test_thresholds_may_be_equal_and_may_be_nothing() -> None:
    text = f"{BASE}quality: {{min_artifact_length: 0, context_budget: {{warning: 0, error: 0}}}}\n"
    budget = Budget(warning=0, error=0)
    assert config_of(text).quality == Quality(min_artifact_length=0, context_budget=budget)


def test_artifacts_and_types_keep_the_order_of_the_file() -> None:
    config = config_of(
        "name: x\nnode_types: {z: {description: Z}, a: {description: A}}\n"
        "artifacts: {z.md: {}, B.txt: {}, a.md: {}}\n"
    )
    assert list(config.node_types) == ["z", "a"]
    assert list(config.artifacts) == ["z.md", "B.txt", "a.md"]


@pytest.mark.parametrize("condition", ["has_aspect:eu", "has_tag:eu", '"has_aspect: eu"'])
def test_an_aspect_as_a_condition_has_an_older_spelling(condition: str) -> None:
    config = config_of(f"{HEAD}artifacts:\n  a.md: {{required: {{when: {condition}}}}}\n")
    expected = Requirement(Condition.ASPECT, Located("eu", 5, 27))
    assert config.artifacts["a.md"].required == expected


# Faults: the text, in which `~` stands for a configuration of five lines, the message, the place,
# and a part of the advice.

FAULTS = """
node_types: {s: {description: S}}\\nartifacts: {a.md: {}} | yg-config.yaml has no 'name' | 1:1 | Add
name: ""\\nnode_types: {s: {description: S}}\\nversion: "3" | 'name' must not be empty | 1:7 | Write
name: 2\\nnode_types: {s: {description: S}}\\nversion: "3" | 'name' must be text, found a whole number | 1:7 | quotes
~version: 2.2 | 'version' must be text, found a number | 6:10 | Put it in quotes
name: x\\nartifacts: {a.md: {}} | yg-config.yaml has no 'node_types' | 1:1 | Describe at least one entry under 'node_types'.
name: x\\nnode_types: {}\\nartifacts: {a.md: {}} | 'node_types' must not be empty | 2:13 | Describe
name: x\\nnode_types: [s]\\nartifacts: {a.md: {}} | 'node_types' must be a mapping, found a list | 2:13 | Write 'NAME: {description: ..}' for each of them.
name: x\\nnode_types: {s: }\\nartifacts: {a.md: {}} | 's' must be a mapping, found nothing | 2:17 |
name: x\\nnode_types: {s: {}}\\nartifacts: {a.md: {}} | 's' has no 'description' | 2:17 | Add 'description: ..'.
name: x\\nnode_types: {s: {description: S, required_aspects: x}}\\nartifacts: {a.md: {}} | 'required_aspects' must be a list, found text | 2:52 | Write '- '
name: x\\nnode_types: {s: {description: S, may_use: x}}\\nartifacts: {a.md: {}} | 'may_use' must be a list, found text | 2:43 | Write '- '
name: x\\nnode_types: {s: {description: S, template: x}}\\nartifacts: {a.md: {}} | 'template' must be a mapping, found text | 2:44 | ARTIFACT
name: x\\nnode_types: {s: {description: S, template: {a.md: ""}}}\\nartifacts: {a.md: {}} | a heading cannot be '' | 2:51 | each one line
name: x\\nnode_types: {s: {description: S, template: {b.md: A}}}\\nartifacts: {a.md: {}} | the template of 's' names 'b.md', which is no artifact | 2:45 | 'a.md'
name: x\\nnode_types: {s: {description: S}} | yg-config.yaml has no 'artifacts' | 1:1 | Describe at least one entry under 'artifacts'.
name: x\\nnode_types: {s: {description: S}}\\nartifacts: [a.md] | 'artifacts' must be a mapping, found a list | 3:12 | NAME
~  yg-node.yaml: {} | artifact name 'yg-node.yaml' is reserved for the node itself | 6:3 | Name a file in the node's directory, such as 'interface.md'.
~  docs/b.md: {} | artifact name 'docs/b.md' is not a plain file name | 6:3 | Name a file
~  .b.md: {} | artifact name '.b.md' starts with a dot: such files are not read | 6:3 | Name a file
~  b.md: x | 'b.md' must be a mapping, found text | 6:9 |
~  b.md: {required: sometimes} | 'required' cannot be 'sometimes' | 6:20 | Write 'always', 'never', or 'when: <condition>' below it.
~  b.md: {required: true} | 'required' cannot be true or false | 6:20 | Write 'always'
~  b.md: {required: {}} | 'required' has no 'when' | 6:20 | Add 'when: ..'.
~  b.md: {required: {when: [x]}} | 'when' must be text, found a list | 6:27 | Write one text.
~  b.md: {required: {when: has_luck}} | unknown condition 'has_luck' | 6:27 | Use has_incoming_relations, has_outgoing_relations or has_aspect:<id>.
~  b.md: {required: {when: 'has_aspect:'}} | unknown condition 'has_aspect:' | 6:27 | Use has_incoming
~  b.md: {included_in_relations: yes} | 'included_in_relations' must be true or false, found text | 6:33 | YAML 1.2
~  b.md: {description: 5} | 'description' must be text, found a whole number | 6:23 | Put it in quotes
~  a.md: {required: always} | duplicate key 'a.md' | 6:3 | line 5; keep one
~quality: high | 'quality' must be a mapping, found text | 6:10 |
~quality: {min_artifact_length: '50'} | 'min_artifact_length' must be a whole number, found text | 6:32 | Write 0 or a larger whole number.
~quality: {max_direct_relations: 1.5} | 'max_direct_relations' must be a whole number, found a number | 6:33 | Write 0
~quality: {max_direct_relations: true} | 'max_direct_relations' must be a whole number, found true or false | 6:33 | Write 0
~quality: {min_artifact_length: -1} | 'min_artifact_length' must not be negative | 6:32 | Write 0
~quality: {context_budget: 100} | 'context_budget' must be a mapping, found a whole number | 6:27 |
~quality: {context_budget: {warning: x}} | 'warning' must be a whole number, found text | 6:37 | Write 0
~quality: {context_budget: {warning: 20, error: 10}} | 'error' (10) must not be below 'warning' (20) | 6:27 | Raise 'error' or lower 'warning'.
~quality: {context_budget: {error: 5000}} | 'error' (5000) must not be below 'warning' (10000) | 6:27 | 'warning' is not set, so it is 10000, the default. Set it as well.
~quality: {context_budget: {warning: 20001}} | 'error' (20000) must not be below 'warning' (20001) | 6:27 | 'error' is not set, so it is 20000
~rules: [W012] | 'rules' must be a mapping, found a list | 6:8 |
~rules: {W012: quiet} | the level of W012 cannot be 'quiet' | 6:15 | Write one of: error, warning, off.
~rules: {W012: 1} | the level of W012 cannot be a whole number | 6:15 | Write one of
~coverage: {exclude: docs} | 'exclude' must be a list, found text | 6:21 | Write '- '
~drift: {baseline: head} | 'baseline' cannot be 'head' | 6:19 | Write one of: stored, git.
~drift: git | 'drift' must be a mapping, found text | 6:8 |
~code: {imports: yes} | 'imports' cannot be 'yes' | 6:17 | Write one of: error, warning, off.
~code: {roots: src} | 'roots' must be a list, found text | 6:15 | Write '- '
~code: {ignore: [5]} | each item of 'ignore' must be text, found a whole number | 6:17 | Put it in quotes
~name: again | duplicate key 'name' | 6:1 | It is already defined in line 1; keep one of the two.
"""  # noqa: E501


@pytest.mark.parametrize("row", FAULTS.strip().split("\n"))
def test_a_fault_is_one_error_with_its_place_and_advice(row: str) -> None:
    text, message, at, *hints = (cell.strip() for cell in row.rstrip(" |").split(" | "))
    (found,) = problems_of(text.replace("\\n", "\n").replace("~", BASE) + "\n")
    line, column = map(int, at.split(":"))
    assert found == problem(message, line, column, *found.finding.advice)
    assert len(found.finding.advice) == len(hints)
    assert all(map(str.__contains__, found.finding.advice, hints))


def test_what_is_bad_is_left_empty_and_the_rest_is_kept() -> None:
    text = """\
name: [shop]
node_types: {service: {}, module: {description: M}}
artifacts:
  a/b.md: {}
  c.md: {required: perhaps, included_in_relations: true}
quality: {min_artifact_length: many, max_direct_relations: 3}
"""
    graph = graph_from({"yg-config.yaml": text})
    assert len(graph.problems) == 5
    assert graph.config == Config(
        node_types={
            "service": NodeType(name="service"),
            "module": NodeType(name="module", description="M"),
        },
        artifacts={"c.md": ArtifactType(name=Located("c.md", 5, 3), included_in_relations=True)},
        quality=Quality(max_direct_relations=3),
    )


def test_unknown_keys_are_listed_with_what_is_known_on_every_level() -> None:
    text = """\
name: shop
stack: {language: Python}
node_types:
  service: {description: S, required_tags: [x]}
artifacts:
  a.md: {structural_context: true, required: {when: has_aspect:x, unless: y}}
quality: {min_length: 1, context_budget: {warn: 2}}
drift: {hash: derived}
code: {packages: x}
coverage: {by: x}
"""
    graph = graph_from({"yg-config.yaml": text})
    assert graph.problems == ()
    assert {(key.subject, key.file) for key in graph.unknown_keys} == {("yg-config.yaml", FILE)}
    found = [
        (key.name.text, key.name.line, key.name.column, key.known) for key in graph.unknown_keys
    ]
    top = "version name node_types artifacts quality rules coverage drift code".split()  # noqa: SIM905
    quality = ("min_artifact_length", "max_direct_relations", "context_budget")
    assert sorted(found) == [
        ("by", 10, 12, ("exclude",)),
        ("hash", 8, 9, ("baseline",)),
        ("min_length", 7, 11, (*quality, "max_mapping_source_files")),
        ("packages", 9, 8, ("imports", "roots", "ignore")),
        ("required_tags", 4, 29, ("description", "required_aspects", "may_use", "template")),
        ("stack", 2, 1, tuple(top)),
        ("structural_context", 6, 10, ("required", "description", "included_in_relations")),
        ("unless", 6, 67, ("when",)),
        ("warn", 7, 43, ("warning", "error", "own_warning")),
    ]


# A configuration that cannot be read at all leaves the rest of the graph.


def test_without_the_file_the_configuration_is_empty_and_says_so() -> None:
    hint = "Restore it, or run 'yg init' in a new repository."
    finding = Finding("yg-config.yaml", "there is no yg-config.yaml", Place(FILE), (hint,))
    graph = read_graph(DictSnapshot({".yggdrasil/model/a/yg-node.yaml": "name: A\ntype: x\n"}))
    assert (graph.config, list(graph.nodes)) == (Config(), ["a"])
    assert graph.problems == (Problem("E012", finding),)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name: sh\xf6p\n", "not UTF-8 at byte 8 (0xf6)"),
        (UnreadableError(FILE, "permission denied"), "permission denied"),
        (Kind.OTHER, "not a regular file"),
        (Kind.LINK, "not a regular file"),
        (Kind.DIRECTORY, "not a regular file"),
        (b"#" * 16_000_001, "larger than 16 MB (16000001 bytes)"),
    ],
    ids=["Latin-1", "closed", "pipe", "link", "directory", "large"],
)
def test_a_configuration_that_cannot_be_read_is_empty_and_says_so(
    content: Content, reason: str
) -> None:
    message = f"'yg-config.yaml' cannot be read: {reason}"
    finding = Finding("yg-config.yaml", message, Place(FILE))
    graph = graph_from({"yg-config.yaml": content, "model/a/yg-node.yaml": "name: A\ntype: x\n"})
    assert (graph.config, list(graph.nodes)) == (Config(), ["a"])
    assert graph.problems == (Problem("E021", finding),)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("name: shop\nnode_types: {service\n", "E012", 2, 13),
        ("- name: shop\n", "E012", 1, 1),
        ("", "E012", 1, 1),
        ("name: shop\n---\nname: shop\n", "E012", 2, 1),
        ("name: shop\n<<<<<<< HEAD\n", "E025", 2, 1),
    ],
)
def test_a_configuration_that_is_not_a_mapping_is_reported_with_its_place(
    text: str, code: str, line: int, column: int
) -> None:
    graph = graph_from({"yg-config.yaml": text})
    places = [(found.code, found.finding.place) for found in graph.problems]
    assert (code, Place(FILE, line, column)) in places
    assert graph.config.node_types == {}


# Formats.


@pytest.mark.parametrize("version", ["3.0.0", "3", "3.1"])
def test_format_3_has_three_artifacts_unless_it_configures_others(version: str) -> None:
    text = f'version: "{version}"\nname: x\nnode_types: {{s: {{description: S}}}}\n'
    standard = config_of(text).artifacts
    assert standard == STANDARD_ARTIFACTS
    assert {
        name: (kind.required.condition, kind.included_in_relations)
        for name, kind in standard.items()
    } == {
        "responsibility.md": ("always", True),
        "interface.md": ("has_incoming_relations", True),
        "internals.md": ("never", False),
    }
    assert list(config_of(f"{text}artifacts: {{b.md: {{}}}}\n").artifacts) == ["b.md"]


@pytest.mark.parametrize("version", ["", "1.0.0", "2.0.0", "2.12.0"])
@pytest.mark.parametrize(
    ("artifacts", "message", "place"),
    [
        ("", "yg-config.yaml has no 'artifacts'", (1, 1)),
        ("artifacts:\n", "yg-config.yaml has no 'artifacts'", (1, 1)),
        ("artifacts: {}\n", "'artifacts' must not be empty", (4, 12)),
    ],
)
def test_earlier_formats_need_artifacts(
    version: str, artifacts: str, message: str, place: tuple[int, int]
) -> None:
    text = f'version: "{version}"\nname: x\nnode_types: {{s: {{description: S}}}}\n{artifacts}'
    hint = "Describe at least one entry under 'artifacts'."
    found = problems_of(text.replace('version: ""', "version:"))
    assert found == (problem(message, *place, hint),)


def test_keys_of_later_formats_are_known_and_have_no_effect() -> None:
    budget = "context_budget: {warning: 7, own_warning: many}"
    text = f"{BASE}quality: {{max_mapping_source_files: [x], {budget}}}\n"
    assert config_of(text).quality.context_budget.warning == 7


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"yg-config.yaml": f'version: "4.0.0"\n{BASE}'}, "4.0.0"),
        ({"yg-config.yaml": f'version: "5.4.2"\n{BASE}'}, "5.4.2"),
        ({"yg-config.yaml": f"version: 4\n{BASE}"}, "4"),
        ({"yg-config.yaml": "reviewer: {}\n"}, "4 or later"),
        ({"yg-config.yaml": "parallel: 2\nquality: {max_direct_relations: 9}\n"}, "4 or later"),
        ({"yg-config.yaml": BASE, "yg-architecture.yaml": ""}, "4 or later"),
    ],
)
def test_a_graph_of_another_model_is_refused(files: dict[str, Content], name: str) -> None:
    with pytest.raises(AnotherModelError) as caught:
        read_graph(snapshot_from(files))
    assert caught.value.message == (
        f"the graph in .yggdrasil/ has format {name}, which has another model; "
        "yg reads formats up to 3.0.0"
    )


@pytest.mark.parametrize(
    "text",
    [
        "version: '2.2.0'\n",
        "quality: {}\n",
        "name: P\nreviewer: x\n",
        "node_types: {service: {description: S}}\nparallel: 1\n",
        "[]\n",
        "",
    ],
)
def test_a_broken_configuration_is_not_one_of_another_model(text: str) -> None:
    assert "E012" in {found.code for found in problems_of(text)}
