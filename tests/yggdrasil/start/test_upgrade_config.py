"""The configuration of 1.x, text by text: what changes, what moves, what is said."""

from __future__ import annotations

import pytest

from yg.kernel.snapshot import DictSnapshot
from yg.yggdrasil.read.config import read_config
from yg.yggdrasil.start.upgrade_config import rewritten_config, with_version

HEAD = "name: Shop\n"
TYPES = "node_types:\n  x:\n    description: X\n"
ARTIFACTS = "artifacts:\n  a.md:\n    required: never\n"
INTERNALS = '  internals.md:\n    required: never\n    description: "How the node works and why"\n'
MODULE = "Business logic unit with clear domain responsibility"
SERVICE = "Component providing functionality to other nodes"
LIBRARY = "Shared utility code with no domain knowledge"
GUARDS = "Guards, middleware, interceptors — invisible in call graphs but affect blast radius"


def config(text: str) -> tuple[str, list[str], list[str]]:
    rewrite = rewritten_config(HEAD + text)
    assert rewrite.name == "Shop"
    return rewrite.text.removeprefix(HEAD), rewrite.sections, rewrite.warnings


def problems(text: str) -> list[str]:
    _, reading = read_config(DictSnapshot({"c": text}), "c")
    return [note.finding.message for note in reading.notes]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "node_types: [module, service]\n",
            f"""\
node_types:
  module:
    description: {MODULE}
  service:
    description: {SERVICE}
""",
        ),
        (
            "node_types:\n- library\n- {name: infrastructure}\n",
            f"""\
node_types:
  library:
    description: {LIBRARY}
  infrastructure:
    description: {GUARDS}
""",
        ),
        (
            "node_types:\n  - name: module\n    required_aspects: [a, b]\n",
            f"node_types:\n  module:\n    description: {MODULE}\n    required_aspects: [a, b]\n",
        ),
        (
            "node_types:\n  - {name: module, required_tags: ['1']}\n",
            f'node_types:\n  module:\n    description: {MODULE}\n    required_aspects: ["1"]\n',
        ),
        (
            "node_types:\n  - {name: x, description: 'Ours: x'}\n",
            'node_types:\n  x:\n    description: "Ours: x"\n',
        ),
        ("node_types:\n  module: {}\n", f"node_types:\n  module:\n    description: {MODULE}\n"),
        ("node_types:\n  module:\n", f"node_types:\n  module:\n    description: {MODULE}\n"),
        (
            "node_types:\n  x: {description: X, required_tags: [a]}\n",
            "node_types:\n  x:\n    description: X\n    required_aspects: [a]\n",
        ),
        (
            "node_types:  # why\n  # first\n  - module  # second\n",
            f"# why\n# first\n# second\nnode_types:\n  module:\n    description: {MODULE}\n",
        ),
        (TYPES, TYPES),
        ("node_types: {x: {description: X}} # as it is\n",) * 2,
    ],
)
def test_node_types_become_a_map_with_descriptions(old: str, new: str) -> None:
    assert config(old) == (new, [], [])


def test_a_type_that_nobody_described_is_named() -> None:
    assert config("node_types: [gateway]\n") == (
        'node_types:\n  gateway:\n    description: "TODO: describe"\n',
        [],
        ["node type 'gateway' has no description: 'TODO: describe' was written"],
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "artifacts:\n  a.md:\n    structural_context: true  # seen\n",
            "artifacts:\n  a.md:\n    included_in_relations: true  # seen\n",
        ),
        (
            "artifacts: {a.md: {structural_context: false}, structural_context: {}}\n",
            "artifacts: {a.md: {included_in_relations: false}, structural_context: {}}\n",
        ),
        (
            "artifacts:\n  ours.md: {required: {when: 'has_tag:x'}, 'structural_context': true}\n",
            "artifacts:\n  ours.md: {required: {when: 'has_tag:x'}, included_in_relations: true}\n",
        ),
        (ARTIFACTS, ARTIFACTS),
        ("artifacts:\n  a.md:\n", "artifacts:\n  a.md:\n"),
    ],
)
def test_artifacts_are_seen_by_dependents_as_before(old: str, new: str) -> None:
    assert config(old) == (new, [], [])


@pytest.mark.parametrize(
    ("old", "sections"),
    [
        ("stack: {language: Python}\n", ["## Technology Stack\n\n- **language:** Python\n"]),
        (
            "stack:\n  a: [b, c]\n  d: true\n  e: 3\n",
            ["## Technology Stack\n\n- **a:** b, c\n- **d:** true\n- **e:** 3\n"],
        ),
        ("standards: One line.\n", ["## Standards\n\nOne line.\n"]),
        ("standards: |\n  One.\n\n  # Two.\n", ["## Standards\n\nOne.\n\n# Two.\n"]),
        (
            "standards: S\nstack: {a: b}\n",
            ["## Technology Stack\n\n- **a:** b\n", "## Standards\n\nS\n"],
        ),
    ],
)
def test_stack_and_standards_move_to_the_root_node(old: str, sections: list[str]) -> None:
    assert config(old + ARTIFACTS) == (
        ARTIFACTS.replace("artifacts:\n", f"artifacts:\n{INTERNALS}"),
        sections,
        [],
    )


@pytest.mark.parametrize("old", ["stack: {}\n", "stack:\n", "standards: ''\n", "standards:\n"])
def test_a_stack_and_standards_without_content_just_go(old: str) -> None:
    assert config(old + ARTIFACTS) == (ARTIFACTS, [], [])


def test_what_moves_has_an_artifact_to_be_in() -> None:
    known = "artifacts:\n    internals.md: {required: always}\n"
    assert config("standards: S\n" + known)[0] == known
    assert config("standards: S\n")[0] == f"artifacts:\n{INTERNALS}"
    indented = "artifacts:\n    a.md: {}\n"
    assert config("standards: S\n" + indented)[0] == (
        "artifacts:\n    internals.md:\n      required: never\n"
        '      description: "How the node works and why"\n    a.md: {}\n'
    )


@pytest.mark.parametrize("key", ["tags", "knowledge_categories"])
def test_what_has_no_counterpart_is_dropped_and_named(key: str) -> None:
    text, _, warnings = config(f"{key}: [one, two]  # why\n{TYPES}")
    assert text == f"# why\n{TYPES}"
    assert len(warnings) == 1
    assert warnings[0].startswith(f"'{key}' has no counterpart and was dropped: ")
    assert "one" in warnings[0]
    assert "two" in warnings[0]


def test_quality_is_kept_and_unknown_keys_of_it_named() -> None:
    quality = "quality:\n  min_artifact_length: 9\n  context_budget: {warning: 1}\n  depth: 3\n"
    assert config(quality) == (quality, [], ["'quality.depth' is not known and has no effect"])


def test_comments_and_unknown_keys_stay() -> None:
    old = "# top\n\nstack: {a: b} # s\nowner: me # o\n" + TYPES + ARTIFACTS + "# end\n"
    text, _, warnings = config(old)
    assert warnings == []
    assert (
        text
        == "# top\n\n# s\nowner: me # o\n"
        + TYPES
        + ARTIFACTS.replace("artifacts:\n", f"artifacts:\n{INTERNALS}")
        + "# end\n"
    )


def test_the_first_type_is_the_one_a_root_node_gets() -> None:
    assert rewritten_config("name: P\nnode_types: [service, module]\n").first_type == "service"
    assert rewritten_config("name: P\n").first_type == "module"


@pytest.mark.parametrize(
    "types",
    [
        "[module, ours]",
        "[{name: module, required_aspects: [a]}, {name: 'on'}, library]",
        "{module: {}, x: {description: X}}",
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_rewritten_configuration_is_valid(types: str, line_break: str) -> None:
    old = (
        f"name: P\nstack: {{a: b}}\nnode_types: {types}\nartifacts:\n  a.md:\n"
        f"    structural_context: true\ntags: [t]\n"
    )
    rewrite = rewritten_config(old.replace("\n", line_break))
    assert problems(with_version(rewrite.text)) == []
    assert rewrite.text.replace("\r\n", "\n").count("\r") == 0


@pytest.mark.parametrize("text", ["name: [\n", "- a\n", "text\n"])
def test_what_is_not_a_mapping_of_lines_is_left_as_it_is(text: str) -> None:
    rewrite = rewritten_config(text)
    assert (rewrite.text, rewrite.warnings) == (
        text,
        ["cannot be rewritten: fix it by hand, see 'yg validate'"],
    )
