"""Small graphs with the complete output of `yg validate` for each.

A case belongs to the rule with its code. It expects the whole output, so a passing graph has no
issues at all, and a failing graph shows that its problem is reported once, by one rule, at the
right place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inventories import billing, billing_import, published
from yg.kernel.errors import UnreadableError
from yg.kernel.inventory import inventory_text
from yg.kernel.snapshot import Kind
from yg.yggdrasil.package.overview_block import with_overview

if TYPE_CHECKING:
    from support import Content

CONFIG = """\
name: test
node_types:
  service: {description: A component}
artifacts:
  responsibility.md: {description: What it does}
"""
SCHEMAS: dict[str, Content] = {
    "schemas/yg-node.yaml": "",
    "schemas/yg-aspect.yaml": "",
    "schemas/yg-flow.yaml": "",
}
NODE = "name: N\ntype: service\n"
ASPECT = "name: A\n"
CALLS_LEDGER = f"{NODE}external:\n  - {{target: 'billing::payments/ledger', type: calls}}\n"
BILLING = billing_import()
LISTENS = "relations: [{target: a, type: listens}]\n"
FLOW = "name: F\nnodes: [a]\n"
DESCRIPTION = """\
## Business context
## Trigger
## Goal
## Participants
## Paths
### Happy path
## Invariants across all paths
"""
FIFTY = "Fifty characters: the least that an artifact says.\n"  # without the line break


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One graph, its sources, and the expected issues."""

    code: str
    name: str
    files: Mapping[str, Content] = field(default_factory=dict)
    sources: Mapping[str, Content] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    issues: str = ""

    @property
    def is_passing(self) -> bool:
        """Whether the rule of the case reports no issue."""
        return not any(
            line.lstrip().startswith(f"{self.code} ") for line in self.issues.split("\n")
        )


def boxed(text: str) -> str:
    """Turn the text of a node into that of a blackbox."""
    return text.replace("type: service\n", "type: service\nblackbox: true\n")


def carries(*aspects: str) -> str:
    """Write a node that declares aspects."""
    return NODE + "aspects:\n" + "".join(f"  - aspect: {aspect}\n" for aspect in aspects)


def calls(*targets: str) -> str:
    """Write a node that calls others."""
    return NODE + "relations:\n" + "".join(f"  - {{target: {to}, type: calls}}\n" for to in targets)


def maps(*texts: str) -> str:
    """Write a node that maps paths, given as YAML."""
    return NODE + "mapping:\n  paths:\n" + "".join(f"    - {text}\n" for text in texts)


READING = (
    Case(
        code="E001",
        name="every field of a node in its right shape",
        files={
            "model/a/yg-node.yaml": """\
name: A
type: service
blackbox: false
aspects:
  - {aspect: x, exceptions: [Not here], anchors: [record]}
relations:
  - {target: b, type: uses, consumes: [one], failure: none}
mapping: {paths: [src/a.py]}
""",
            "model/b/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "record()\n"},
    ),
    Case(
        code="E001",
        name="optional fields without a value count as absent",
        files={"model/a/yg-node.yaml": f"{NODE}aspects:\nrelations:\nmapping:\nblackbox:\n"},
    ),
    Case(
        code="E001",
        name="a node without name and type",
        files={"model/a/yg-node.yaml": "{}\n"},
        issues="""\
E001 a -> yg-node.yaml has no 'name'.
  .yggdrasil/model/a/yg-node.yaml:1:1
  Add 'name: ..'.
E001 a -> yg-node.yaml has no 'type'.
  .yggdrasil/model/a/yg-node.yaml:1:1
  Add 'type: ..'.
""",
    ),
    Case(
        code="E001",
        name="an empty file",
        files={"model/a/yg-node.yaml": ""},
        issues="""\
E001 a -> yg-node.yaml must be a mapping, found nothing.
  .yggdrasil/model/a/yg-node.yaml:1:1
  Correct the value at the given position; a node needs at least `name` and `type`.
""",
    ),
    Case(
        code="E001",
        name="wrong types, each reported at its position",
        files={
            "model/a/yg-node.yaml": """\
name: 123
type: service
blackbox: yes
aspects: audit
relations: b
""",
        },
        issues="""\
E001 a -> 'name' must be text, found a whole number.
  .yggdrasil/model/a/yg-node.yaml:1:7
  Put it in quotes if it is meant as text.
E001 a -> 'blackbox' must be true or false, found text.
  .yggdrasil/model/a/yg-node.yaml:3:11
  YAML 1.2 has only true and false.
E001 a -> 'aspects' must be a list, found text.
  .yggdrasil/model/a/yg-node.yaml:4:10
  Write '- ' before each item, or put it in '[ ]'.
E001 a -> 'relations' must be a list, found text.
  .yggdrasil/model/a/yg-node.yaml:5:12
  Write '- ' before each item, or put it in '[ ]'.
""",
    ),
    Case(
        code="E001",
        name="wrong types inside lists",
        files={
            "model/a/yg-node.yaml": """\
name: A
type: service
aspects: [audit]
relations:
  - {target: a, type: uses, consumes: charge}
  - {target: 7, type: uses, failure: []}
mapping: {paths: [1.5]}
""",
        },
        issues="""\
E001 a -> each item of 'aspects' must be a mapping, found text.
  .yggdrasil/model/a/yg-node.yaml:3:11
  Write '- aspect: audit'.
E001 a -> 'consumes' must be a list, found text.
  .yggdrasil/model/a/yg-node.yaml:5:39
  Write '- ' before each item, or put it in '[ ]'.
E001 a -> 'target' must be text, found a whole number.
  .yggdrasil/model/a/yg-node.yaml:6:14
  Put it in quotes if it is meant as text.
E001 a -> 'failure' must be text, found a list.
  .yggdrasil/model/a/yg-node.yaml:6:38
  Write one text.
E001 a -> each item of 'paths' must be text, found a number.
  .yggdrasil/model/a/yg-node.yaml:7:19
  Put it in quotes if it is meant as text.
""",
    ),
    Case(
        code="E001",
        name="an unknown relation type",
        files={"model/a/yg-node.yaml": f"{NODE}relations:\n  - {{target: a, type: needs}}\n"},
        issues="""\
E001 a -> unknown relation type 'needs'.
  .yggdrasil/model/a/yg-node.yaml:4:23
  Use one of: uses, calls, extends, implements, emits, listens.
""",
    ),
    Case(
        code="E001",
        name="a mapping without paths",
        files={
            "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: []}}\n",
            "model/b/yg-node.yaml": f"{NODE}mapping: {{}}\n",
            "model/c/yg-node.yaml": f"{NODE}mapping:\n  paths:\n",
        },
        issues="""\
E001 a -> 'paths' must not be empty.
  .yggdrasil/model/a/yg-node.yaml:3:18
  List the files or directories under 'paths', or remove 'mapping'.
E001 b -> 'mapping' has no 'paths'.
  .yggdrasil/model/b/yg-node.yaml:3:10
  List the files or directories under 'paths', or remove 'mapping'.
E001 c -> 'mapping' has no 'paths'.
  .yggdrasil/model/c/yg-node.yaml:4:3
  List the files or directories under 'paths', or remove 'mapping'.
""",
    ),
    Case(
        code="E001",
        name="an empty exception and no anchors",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - aspect: x
    exceptions: [""]
    anchors: []
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E001 a -> each item of 'exceptions' must not be empty.
  .yggdrasil/model/a/yg-node.yaml:5:18
  Write the text, or remove the item.
E001 a -> 'anchors' must not be empty.
  .yggdrasil/model/a/yg-node.yaml:6:14
  Fill it, or leave it out.
""",
    ),
    Case(
        code="E001",
        name="text that is not YAML",
        files={
            "model/a/yg-node.yaml": "name: [A\ntype: service\n",
            "model/b/yg-node.yaml": "name: B\n\ttype: service\n",
            "model/c/yg-node.yaml": f"{NODE}---\n{NODE}",
            "model/d/yg-node.yaml": f"{NODE}name: D\n",
        },
        issues="""\
E001 a -> not valid YAML: '[' is not closed.
  .yggdrasil/model/a/yg-node.yaml:1:7
  Add the missing ']'.
E001 b -> a tab where YAML requires spaces.
  .yggdrasil/model/b/yg-node.yaml:2:1
  Indent with spaces.
E001 c -> a second document begins.
  .yggdrasil/model/c/yg-node.yaml:3:1
  Keep one document in this file.
E001 d -> duplicate key 'name'.
  .yggdrasil/model/d/yg-node.yaml:3:1
  It is already defined in line 1; keep one of the two.
""",
    ),
    Case(
        code="E001",
        name="a bad node leaves its children, its siblings and their mappings alone",
        files={
            "model/a/yg-node.yaml": "name: A\n",
            "model/a/child/yg-node.yaml": maps("src/child.py"),
            "model/b/yg-node.yaml": calls("a/child"),
        },
        sources={"src/child.py": ""},
        issues="""\
E001 a -> yg-node.yaml has no 'type'.
  .yggdrasil/model/a/yg-node.yaml:1:1
  Add 'type: ..'.
""",
    ),
    Case(
        code="E012",
        name="a configuration with everything",
        files={
            "yg-config.yaml": """\
version: "2.2.0"
name: test
node_types:
  service: {description: A component, required_aspects: [x]}
artifacts:
  a.md: {required: always, description: One, included_in_relations: true}
  b.md: {required: never}
  c.md: {required: {when: has_incoming_relations}}
  d.md: {required: {when: has_outgoing_relations}}
  e.md: {required: {when: "has_aspect:x"}}
quality:
  min_artifact_length: 0
  max_direct_relations: 1
  context_budget: {warning: 100, error: 100}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E012",
        name="a configuration without anything that is needed",
        files={"yg-config.yaml": "version: 2.2\n"},
        issues="""\
E012 yg-config.yaml -> yg-config.yaml has no 'name'.
  .yggdrasil/yg-config.yaml:1:1
  Add 'name: ..'.
E012 yg-config.yaml -> yg-config.yaml has no 'node_types'.
  .yggdrasil/yg-config.yaml:1:1
  Describe at least one entry under 'node_types'.
E012 yg-config.yaml -> 'version' must be text, found a number.
  .yggdrasil/yg-config.yaml:1:10
  Put it in quotes if it is meant as text.
""",
    ),
    Case(
        code="E012",
        name="types and artifacts that are not mappings, or empty ones",
        files={"yg-config.yaml": "name: test\nnode_types: [service]\nartifacts: {}\n"},
        issues="""\
E012 yg-config.yaml -> 'node_types' must be a mapping, found a list.
  .yggdrasil/yg-config.yaml:2:13
  Write 'NAME: {description: ..}' for each of them.
E012 yg-config.yaml -> 'artifacts' must not be empty.
  .yggdrasil/yg-config.yaml:3:12
  Describe at least one entry under 'artifacts'.
""",
    ),
    Case(
        code="E012",
        name="levels that rules may have",
        files={
            "yg-config.yaml": f"{CONFIG}rules:\n"
            "  {W001: error, W002: off, W016: warning, E010: warning, E004: error}\n",
        },
    ),
    Case(
        code="E012",
        name="errors that cannot be lowered, rules that do not exist and levels that do not",
        files={
            "yg-config.yaml": f"{CONFIG}rules:\n  E004: off\n  E012: warning\n  w012: off\n"
            "  E998: error\n  unknown-key: error\n  something else: off\n  W001: fatal\n"
            "  W002: false\n"
        },
        issues="""\
E012 yg-config.yaml -> 'rules' cannot set E004 (broken-relation) to 'off'.
  .yggdrasil/yg-config.yaml:7:3
  Packages would be unreliable: of the errors, only E010 can be lowered. Every warning can be set.
E012 yg-config.yaml -> 'rules' cannot set E012 (invalid-config) to 'warning'.
  .yggdrasil/yg-config.yaml:8:3
  Packages would be unreliable: of the errors, only E010 can be lowered. Every warning can be set.
E012 yg-config.yaml -> 'rules' names 'w012', which is not a rule of this graph.
  .yggdrasil/yg-config.yaml:9:3
  Did you mean 'W012'?
E012 yg-config.yaml -> 'rules' names 'E998', which is not a rule of this graph.
  .yggdrasil/yg-config.yaml:10:3
  Did you mean 'E026'?
E012 yg-config.yaml -> 'rules' names 'unknown-key', which is not a rule of this graph.
  .yggdrasil/yg-config.yaml:11:3
  Did you mean 'W016'?
E012 yg-config.yaml -> 'rules' names 'something else', which is not a rule of this graph.
  .yggdrasil/yg-config.yaml:12:3
  'yg explain' lists them.
E012 yg-config.yaml -> the level of W001 cannot be 'fatal'.
  .yggdrasil/yg-config.yaml:13:9
  Write one of: error, warning, off.
E012 yg-config.yaml -> the level of W002 cannot be true or false.
  .yggdrasil/yg-config.yaml:14:9
  Write one of: error, warning, off.
""",
    ),
    Case(
        code="E012",
        name="levels that are not a mapping",
        files={"yg-config.yaml": f"{CONFIG}rules: [W001]\n"},
        issues="""\
E012 yg-config.yaml -> 'rules' must be a mapping, found a list.
  .yggdrasil/yg-config.yaml:6:8
  Correct the value at the given position; `name` and `node_types` are required.
""",
    ),
    Case(
        code="E012",
        name="templates with headings for configured artifacts",
        files={
            "yg-config.yaml": CONFIG.replace(
                "{description: A component}",
                "\n    description: A component\n    template:\n"
                "      responsibility.md: ['## Does', Does not]",
            ),
        },
    ),
    Case(
        code="E012",
        name="templates of unknown artifacts, and headings that are none",
        files={
            "yg-config.yaml": CONFIG.replace(
                "{description: A component}",
                "\n    description: A component\n    template:\n"
                "      responsibilty.md: ['## Does']\n"
                "      responsibility.md: [12, '##', 'two\\nlines']\n",
            ).replace("'two\\nlines'", '"two\\nlines"'),
        },
        issues="""\
E012 yg-config.yaml -> the template of 'service' names 'responsibilty.md', which is no artifact.
  .yggdrasil/yg-config.yaml:6:7
  Did you mean 'responsibility.md'?
E012 yg-config.yaml -> a heading cannot be a whole number.
  .yggdrasil/yg-config.yaml:7:27
  Write a list of headings, each one line, such as '## Errors'.
E012 yg-config.yaml -> a heading cannot be '##'.
  .yggdrasil/yg-config.yaml:7:31
  Write a list of headings, each one line, such as '## Errors'.
E012 yg-config.yaml -> a heading cannot be 'two\\nlines'.
  .yggdrasil/yg-config.yaml:7:37
  Write a list of headings, each one line, such as '## Errors'.
""",
    ),
    Case(
        code="E012",
        name="a template that is a list",
        files={
            "yg-config.yaml": CONFIG.replace(
                "{description: A component}", "{description: A component, template: [x]}"
            ),
        },
        issues="""\
E012 yg-config.yaml -> 'template' must be a mapping, found a list.
  .yggdrasil/yg-config.yaml:3:49
  Write 'ARTIFACT: [HEADING, ..]' for each of them.
""",
    ),
    Case(
        code="E012",
        name="a type without a description",
        files={"yg-config.yaml": CONFIG.replace("{description: A component}", "{}")},
        issues="""\
E012 yg-config.yaml -> 'service' has no 'description'.
  .yggdrasil/yg-config.yaml:3:12
  Add 'description: ..'.
""",
    ),
    Case(
        code="E012",
        name="artifact names that no node could use",
        files={
            "yg-config.yaml": f"{CONFIG}  yg-node.yaml: {{}}\n  docs/a.md: {{}}\n  .a.md: {{}}\n"
        },
        issues="""\
E012 yg-config.yaml -> artifact name 'yg-node.yaml' is reserved for the node itself.
  .yggdrasil/yg-config.yaml:6:3
  Name a file in the node's directory, such as 'interface.md'.
E012 yg-config.yaml -> artifact name 'docs/a.md' is not a plain file name.
  .yggdrasil/yg-config.yaml:7:3
  Name a file in the node's directory, such as 'interface.md'.
E012 yg-config.yaml -> artifact name '.a.md' starts with a dot: such files are not read.
  .yggdrasil/yg-config.yaml:8:3
  Name a file in the node's directory, such as 'interface.md'.
""",
    ),
    Case(
        code="E012",
        name="invalid requirements",
        files={
            "yg-config.yaml": f"""\
{CONFIG}\
  a.md: {{required: sometimes}}
  b.md: {{required: true}}
  c.md: {{required: {{when: always}}}}
  d.md: {{required: {{when: "has_aspect:"}}}}
  e.md: {{required: {{}}}}
""",
        },
        issues="""\
E012 yg-config.yaml -> 'required' cannot be 'sometimes'.
  .yggdrasil/yg-config.yaml:6:20
  Write 'always', 'never', or 'when: <condition>' below it.
E012 yg-config.yaml -> 'required' cannot be true or false.
  .yggdrasil/yg-config.yaml:7:20
  Write 'always', 'never', or 'when: <condition>' below it.
E012 yg-config.yaml -> unknown condition 'always'.
  .yggdrasil/yg-config.yaml:8:27
  Use has_incoming_relations, has_outgoing_relations or has_aspect:<id>.
E012 yg-config.yaml -> unknown condition 'has_aspect:'.
  .yggdrasil/yg-config.yaml:9:27
  Use has_incoming_relations, has_outgoing_relations or has_aspect:<id>.
E012 yg-config.yaml -> 'required' has no 'when'.
  .yggdrasil/yg-config.yaml:10:20
  Add 'when: ..'.
""",
    ),
    Case(
        code="E012",
        name="limits that are not numbers, or in the wrong order",
        files={
            "yg-config.yaml": f"""\
{CONFIG}\
quality:
  min_artifact_length: -1
  max_direct_relations: many
  context_budget: {{warning: 200, error: 100}}
""",
        },
        issues="""\
E012 yg-config.yaml -> 'min_artifact_length' must not be negative.
  .yggdrasil/yg-config.yaml:7:24
  Write 0 or a larger whole number.
E012 yg-config.yaml -> 'max_direct_relations' must be a whole number, found text.
  .yggdrasil/yg-config.yaml:8:25
  Write 0 or a larger whole number.
E012 yg-config.yaml -> 'error' (100) must not be below 'warning' (200).
  .yggdrasil/yg-config.yaml:9:19
  Raise 'error' or lower 'warning'.
""",
    ),
    Case(
        code="E012",
        name="a required aspect that does not exist",
        files={
            "yg-config.yaml": CONFIG.replace(
                "component}", "component, required_aspects: [audits]}"
            ),
            "aspects/audit/yg-aspect.yaml": ASPECT,
            "model/a/yg-node.yaml": NODE,
        },
        issues="""\
E012 yg-config.yaml -> type 'service' requires aspect 'audits', which does not resolve.
  .yggdrasil/yg-config.yaml:3:58
  Existing aspects: audit
  Did you mean 'audit'?
""",
    ),
    Case(
        code="E015",
        name="directories without files of their own need no node",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/empty": Kind.DIRECTORY,
            "model/hidden/.notes.md": "",
            "model/.git/config": "",
        },
    ),
    Case(
        code="E015",
        name="files without a node, on any level, and the node below them",
        files={
            "model/a/responsibility.md": FIFTY,
            "model/a/b/c/yg-node.yaml": NODE,
            "model/a/b/notes.md": "",
        },
        issues="""\
E015 a -> has files but no yg-node.yaml.
  .yggdrasil/model/a
  Add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
E015 a/b -> has files but no yg-node.yaml.
  .yggdrasil/model/a/b
  Add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
""",
    ),
    Case(
        code="E018",
        name="every field of an aspect, and one that only groups others",
        files={
            "aspects/x/yg-aspect.yaml": """\
name: X
description: Why
implies: [group/y]
stability: protocol
""",
            "aspects/x/content.md": "",
            "aspects/group/y/yg-aspect.yaml": f"{ASPECT}stability: schema\n",
            "aspects/z/yg-aspect.yaml": f"{ASPECT}stability: implementation\n",
        },
    ),
    Case(
        code="E018",
        name="one bad aspect of two",
        files={
            "aspects/x/yg-aspect.yaml": "description: Nameless\nstability: eternal\nimplies: y\n",
            "aspects/y/yg-aspect.yaml": ASPECT,
            "model/a/yg-node.yaml": carries("y"),
        },
        issues="""\
E018 aspects/x -> yg-aspect.yaml has no 'name'.
  .yggdrasil/aspects/x/yg-aspect.yaml:1:1
  Add 'name: ..'.
E018 aspects/x -> unknown stability 'eternal'.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:12
  Use one of: schema, protocol, implementation.
E018 aspects/x -> 'implies' must be a list, found text.
  .yggdrasil/aspects/x/yg-aspect.yaml:3:10
  Write '- ' before each item, or put it in '[ ]'.
""",
    ),
    Case(
        code="E018",
        name="a directory with content but without a declaration",
        files={"aspects/x/content.md": "Lost.\n", "aspects/group/y/content.md": "Lost.\n"},
        issues="""\
E018 aspects/group/y -> has files but no yg-aspect.yaml.
  .yggdrasil/aspects/group/y
  Add a yg-aspect.yaml with a 'name', or move the files elsewhere.
E018 aspects/x -> has files but no yg-aspect.yaml.
  .yggdrasil/aspects/x
  Add a yg-aspect.yaml with a 'name', or move the files elsewhere.
""",
    ),
    Case(
        code="E019",
        name="every field of a flow",
        files={
            "model/a/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [x]\n",
            "flows/f/description.md": DESCRIPTION,
        },
    ),
    Case(
        code="E019",
        name="bad flows beside a good one",
        files={
            "model/a/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": "name: F\nnodes: []\n",
            "flows/g/yg-flow.yaml": "aspects: x\n",
            "flows/h/yg-flow.yaml": FLOW,
            "flows/h/description.md": DESCRIPTION,
        },
        issues="""\
E019 flows/f -> 'nodes' must not be empty.
  .yggdrasil/flows/f/yg-flow.yaml:2:8
  List the paths of the nodes that take part.
E019 flows/g -> yg-flow.yaml has no 'name'.
  .yggdrasil/flows/g/yg-flow.yaml:1:1
  Add 'name: ..'.
E019 flows/g -> yg-flow.yaml has no 'nodes'.
  .yggdrasil/flows/g/yg-flow.yaml:1:1
  List the paths of the nodes that take part.
E019 flows/g -> 'aspects' must be a list, found text.
  .yggdrasil/flows/g/yg-flow.yaml:1:10
  Write '- ' before each item, or put it in '[ ]'.
""",
    ),
    Case(
        code="E019",
        name="a directory with a description but without a declaration",
        files={"flows/f/description.md": DESCRIPTION},
        issues="""\
E019 flows/f -> has files but no yg-flow.yaml.
  .yggdrasil/flows/f
  Add a yg-flow.yaml with 'name' and 'nodes', or move the files elsewhere.
""",
    ),
    Case(
        code="E021",
        name="UTF-8 with a byte order mark, and CRLF",
        files={
            "model/a/yg-node.yaml": b"\xef\xbb\xbfname: \xc3\x84\r\ntype: service\r\n",
            "model/a/responsibility.md": "\ufeff" + "Ä" * 50,
        },
    ),
    Case(
        code="E021",
        name="other encodings, each reported with the byte",
        files={
            "model/a/yg-node.yaml": b"name: \xc4\n",
            "model/b/yg-node.yaml": NODE,
            "model/b/responsibility.md": b"\xef\xbb\xbfUp to here: \xff\xfe\n",
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/content.md": b"\x80",
            "flows/f/yg-flow.yaml": "name: F\nnodes: [b]\n",
            "flows/f/description.md": b"## Goal\n\xe4",
        },
        issues="""\
E021 aspects/x -> 'content.md' cannot be read: not UTF-8 at byte 0 (0x80).
  .yggdrasil/aspects/x/content.md
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 flows/f -> 'description.md' cannot be read: not UTF-8 at byte 8 (0xe4).
  .yggdrasil/flows/f/description.md
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 a -> 'yg-node.yaml' cannot be read: not UTF-8 at byte 6 (0xc4).
  .yggdrasil/model/a/yg-node.yaml
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 b -> 'responsibility.md' cannot be read: not UTF-8 at byte 15 (0xff).
  .yggdrasil/model/b/responsibility.md
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
""",
    ),
    Case(
        code="E021",
        name="files that cannot be opened, and entries that are not files",
        files={
            "model/a/yg-node.yaml": UnreadableError("model/a/yg-node.yaml", "permission denied"),
            "model/b/yg-node.yaml": Kind.OTHER,
            "model/c/yg-node.yaml": NODE,
            "model/c/responsibility.md": Kind.OTHER,
            "model/c/b\udcff.md": "",
        },
        issues="""\
E021 a -> 'yg-node.yaml' cannot be read: permission denied.
  .yggdrasil/model/a/yg-node.yaml
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 b -> 'yg-node.yaml' cannot be read: not a regular file.
  .yggdrasil/model/b/yg-node.yaml
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 c -> 'b\\377.md' cannot be read: its name is not UTF-8.
  .yggdrasil/model/c/b\\377.md
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 c -> 'responsibility.md' cannot be read: not a regular file.
  .yggdrasil/model/c/responsibility.md
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
""",
    ),
    Case(
        code="E021",
        name="a directory that cannot be read",
        files={
            "model/a": UnreadableError("model/a", "permission denied"),
            "model/a/yg-node.yaml": NODE,
        },
        issues="""\
E021 a -> 'a' cannot be read: permission denied.
  .yggdrasil/model/a
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
""",
    ),
    Case(
        code="W013",
        name="every directory on the way is a node",
        files={"model/a/yg-node.yaml": NODE, "model/a/b/yg-node.yaml": NODE},
    ),
    Case(
        code="W013",
        name="bare directories above a node",
        files={"model/a/b/c/yg-node.yaml": NODE},
        issues="""\
W013 a -> is only a directory: it has no yg-node.yaml.
  .yggdrasil/model/a
  Add a `yg-node.yaml` to the directory, or move its nodes up one level.
W013 a/b -> is only a directory: it has no yg-node.yaml.
  .yggdrasil/model/a/b
  Add a `yg-node.yaml` to the directory, or move its nodes up one level.
""",
    ),
    Case(
        code="W016",
        name="the keys of every file",
        files={
            "model/yg-node.yaml": f"{NODE}aspects: [{{aspect: x, anchors: [y]}}]\nblackbox: true\n",
            "aspects/x/yg-aspect.yaml": f"{ASPECT}description: D\n",
        },
    ),
    Case(
        code="W016",
        name="a misspelt key, and one unlike any other",
        files={"model/a/yg-node.yaml": f"{NODE}relation: []\nzzz: 1\n"},
        issues="""\
W016 a -> unknown key 'relation'.
  .yggdrasil/model/a/yg-node.yaml:3:1
  Did you mean 'relations'?
W016 a -> unknown key 'zzz'.
  .yggdrasil/model/a/yg-node.yaml:4:1
  Known keys: name, type, description, aspects, blackbox, drift, relations, external and 4 more
""",
    ),
    Case(
        code="W016",
        name="unknown keys on every level of every file",
        files={
            "yg-config.yaml": f"""\
{CONFIG}\
  b.md: {{requird: always}}
  c.md: {{required: {{when: "has_aspect:y", unless: never}}}}
quality: {{max_relations: 4, context_budget: {{warn: 5}}}}
tags: []
""",
            "model/a/yg-node.yaml": f"""\
{NODE}\
aspects: [{{aspect: x, exception: none}}]
relations: [{{target: b, type: uses, on_failure: none}}]
mapping: {{paths: [src], path: src}}
""",
            "model/b/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": f"{ASPECT}tag: x\n",
            "aspects/y/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}members: [b]\n",
            "flows/f/description.md": DESCRIPTION,
        },
        sources={"src/a.py": ""},
        issues="""\
W016 aspects/x -> unknown key 'tag'.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:1
  Known keys: name, description, implies, stability, documents, decisions
W016 flows/f -> unknown key 'members'.
  .yggdrasil/flows/f/yg-flow.yaml:3:1
  Known keys: name, description, nodes, participants, aspects
W016 a -> unknown key 'exception'.
  .yggdrasil/model/a/yg-node.yaml:3:23
  Did you mean 'exceptions'?
W016 a -> unknown key 'on_failure'.
  .yggdrasil/model/a/yg-node.yaml:4:37
  Did you mean 'failure'?
W016 a -> unknown key 'path'.
  .yggdrasil/model/a/yg-node.yaml:5:25
  Did you mean 'paths'?
W016 yg-config.yaml -> unknown key 'requird'.
  .yggdrasil/yg-config.yaml:6:10
  Did you mean 'required'?
W016 yg-config.yaml -> unknown key 'unless'.
  .yggdrasil/yg-config.yaml:7:43
  Known keys: when
W016 yg-config.yaml -> unknown key 'max_relations'.
  .yggdrasil/yg-config.yaml:8:11
  Did you mean 'max_direct_relations'?
W016 yg-config.yaml -> unknown key 'warn'.
  .yggdrasil/yg-config.yaml:8:46
  Did you mean 'warning'?
W016 yg-config.yaml -> unknown key 'tags'.
  .yggdrasil/yg-config.yaml:9:1
  Known keys: version, name, node_types, artifacts, quality, rules, coverage, drift and 3 more
""",
    ),
    Case(
        code="W016",
        name="keys of formats 2.3 to 3.0",
        files={
            "yg-config.yaml": """\
version: "3.0.0"
name: test
node_types:
  service: {description: A component}
quality:
  max_mapping_source_files: 10
  context_budget: {warning: 9000, error: 9001, own_warning: 5000}
""",
            "model/a/yg-node.yaml": f"{NODE}description: One line\n",
            "model/a/responsibility.md": FIFTY,
            "flows/f/yg-flow.yaml": "name: F\ndescription: One line\nparticipants: [a]\n",
            "flows/f/description.md": DESCRIPTION,
        },
    ),
    Case(
        code="W016",
        name="unknown keys of a node that is bad for another reason",
        files={"model/a/yg-node.yaml": "name: 1\ntype: service\ntipe: service\n"},
        issues="""\
E001 a -> 'name' must be text, found a whole number.
  .yggdrasil/model/a/yg-node.yaml:1:7
  Put it in quotes if it is meant as text.
W016 a -> unknown key 'tipe'.
  .yggdrasil/model/a/yg-node.yaml:3:1
  Did you mean 'type'?
""",
    ),
    Case(
        code="W019",
        name="hidden links are ignored",
        files={"model/a/yg-node.yaml": NODE, "model/a/.link": Kind.LINK},
    ),
    Case(
        code="W019",
        name="links to files and directories in all three trees",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": Kind.LINK,
            "model/a/linked": Kind.LINK,
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/content.md": Kind.LINK,
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/description.md": Kind.LINK,
        },
        issues="""\
W019 aspects/x -> 'content.md' is a link and is ignored.
  .yggdrasil/aspects/x/content.md
  Put the content itself there: links are not followed inside a graph.
W019 flows/f -> 'description.md' is a link and is ignored.
  .yggdrasil/flows/f/description.md
  Put the content itself there: links are not followed inside a graph.
W015 flows/f -> has no description.md.
  .yggdrasil/flows/f/yg-flow.yaml
  Describe why the process exists, what starts it, and how it can end.
W019 a -> 'linked' is a link and is ignored.
  .yggdrasil/model/a/linked
  Put the content itself there: links are not followed inside a graph.
W019 a -> 'responsibility.md' is a link and is ignored.
  .yggdrasil/model/a/responsibility.md
  Put the content itself there: links are not followed inside a graph.
""",
    ),
    Case(
        code="W019",
        name="a linked declaration declares nothing",
        files={"model/a/yg-node.yaml": Kind.LINK, "model/a/responsibility.md": FIFTY},
        issues="""\
E015 a -> has files but no yg-node.yaml.
  .yggdrasil/model/a
  Add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
W019 a -> 'yg-node.yaml' is a link and is ignored.
  .yggdrasil/model/a/yg-node.yaml
  Put the content itself there: links are not followed inside a graph.
""",
    ),
)

REFERENCES = (
    Case(code="E002", name="a configured type", files={"model/a/yg-node.yaml": NODE}),
    Case(
        code="E001",
        name="external relations that name no node of an import",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}external:
  - {{target: payments/ledger, type: calls}}
  - {{target: "billing::", type: calls}}
  - {{target: "::payments", type: calls}}
  - {{target: "../billing::payments", type: calls}}
  - {{target: "billing::payments", type: knows}}
  - {{type: calls}}
  - billing::payments
"""
        },
        issues="""\
E001 a -> 'payments/ledger' is not a node of another repository.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Write IMPORT::NODE; 'yg import list' shows the imports. Nodes of this repository stand under \
'relations'.
E001 a -> 'billing::' is not a node of another repository.
  .yggdrasil/model/a/yg-node.yaml:5:14
  Write IMPORT::NODE; 'yg import list' shows the imports. Nodes of this repository stand under \
'relations'.
E001 a -> '' cannot be the name of an import.
  .yggdrasil/model/a/yg-node.yaml:6:14
  Use letters, digits, '-', '_' and '.', and start with a letter, a digit or '_'.
E001 a -> '../billing' cannot be the name of an import.
  .yggdrasil/model/a/yg-node.yaml:7:14
  Use letters, digits, '-', '_' and '.', and start with a letter, a digit or '_'.
E001 a -> unknown relation type 'knows'.
  .yggdrasil/model/a/yg-node.yaml:8:41
  Use one of: uses, calls, extends, implements, emits, listens.
E001 a -> each item of 'external' has no 'target'.
  .yggdrasil/model/a/yg-node.yaml:9:5
  Add 'target: ..'.
E001 a -> each item of 'external' must be a mapping, found text.
  .yggdrasil/model/a/yg-node.yaml:10:5
  Write '- {target: billing::payments, type: uses}'.
""",
    ),
    Case(
        code="E001",
        name="external relations that are not a list",
        files={"model/a/yg-node.yaml": f"{NODE}external: billing::payments\n"},
        issues="""\
E001 a -> 'external' must be a list, found text.
  .yggdrasil/model/a/yg-node.yaml:3:11
  Write '- ' before each item, or put it in '[ ]'.
""",
    ),
    Case(
        code="E002",
        name="without any configured type only the configuration is wrong",
        files={
            "yg-config.yaml": "name: test\nartifacts: {a.md: {}}\n",
            "model/a/yg-node.yaml": NODE,
        },
        issues="""\
E012 yg-config.yaml -> yg-config.yaml has no 'node_types'.
  .yggdrasil/yg-config.yaml:1:1
  Describe at least one entry under 'node_types'.
""",
    ),
    Case(
        code="E002",
        name="a misspelt type, and one unlike any other",
        files={
            "model/a/yg-node.yaml": "name: A\ntype: servce\n",
            "model/b/yg-node.yaml": "name: B\ntype: Zoo\n",
        },
        issues="""\
E002 a -> type 'servce' is not in node_types.
  .yggdrasil/model/a/yg-node.yaml:2:7
  Existing types: service (A component)
  Did you mean 'service'?
E002 b -> type 'Zoo' is not in node_types.
  .yggdrasil/model/b/yg-node.yaml:2:7
  Existing types: service (A component)
""",
    ),
    Case(
        code="E003",
        name="aspects by their whole path",
        files={
            "model/a/yg-node.yaml": carries("group/x"),
            "aspects/group/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E003",
        name="a misspelt aspect, and a path that is not an id",
        files={
            "model/a/yg-node.yaml": carries("group/audits", "../aspects/group/audit"),
            "aspects/group/audit/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E003 a -> aspect 'group/audits' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:4:13
  Existing aspects: group/audit
  Did you mean 'group/audit'?
E003 a -> aspect '../aspects/group/audit' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:5:13
  Existing aspects: group/audit
  Did you mean 'group/audit'?
""",
    ),
    Case(
        code="E003",
        name="an aspect where there are none",
        files={"model/a/yg-node.yaml": carries("x")},
        issues="""\
E003 a -> aspect 'x' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:4:13
  There are no aspects yet: add .yggdrasil/aspects/x/yg-aspect.yaml.
""",
    ),
    Case(
        code="E004",
        name="relations to other branches, to the root and to an ancestor",
        files={
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": calls("a", ".", "c/d"),
            "model/c/yg-node.yaml": NODE,
            "model/c/d/yg-node.yaml": NODE,
        },
    ),
    Case(
        code="E004",
        name="a relation into a missing folder",
        files={
            "model/orders/yg-node.yaml": calls("payment/svc-payment"),
            "model/payments/yg-node.yaml": NODE,
            "model/payments/payment-service/yg-node.yaml": NODE,
        },
        issues="""\
E004 orders -> relation to 'payment/svc-payment' does not resolve.
  .yggdrasil/model/orders/yg-node.yaml:4:14
  Existing nodes in payments/: payment-service
  Did you mean 'payments/payment-service'?
""",
    ),
    Case(
        code="E004",
        name="paths compare exactly",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/b/yg-node.yaml": calls("./a", "a/", "A"),
        },
        issues="""\
E004 b -> relation to './a' does not resolve.
  .yggdrasil/model/b/yg-node.yaml:4:14
  Existing nodes in model/: a
  Did you mean 'a'?
E004 b -> relation to 'a/' does not resolve.
  .yggdrasil/model/b/yg-node.yaml:5:14
  Existing nodes in model/: a
  Did you mean 'a'?
E004 b -> relation to 'A' does not resolve.
  .yggdrasil/model/b/yg-node.yaml:6:14
  Existing nodes in model/: a
  Did you mean 'a'?
""",
    ),
    Case(
        code="E004",
        name="a node of another repository, whose import counts as used",
        files={
            "model/a/yg-node.yaml": calls("'billing::payments/ledger'"),
            "model/ledger/yg-node.yaml": NODE,
            "imports/billing.jsonl": BILLING,
        },
        issues="""\
E004 a -> relation to 'billing::payments/ledger' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Move it to 'external', which has the relations to nodes of other repositories.
""",
    ),
    Case(
        code="E004",
        name="a target that could not be read",
        files={"model/a/yg-node.yaml": calls("b"), "model/b/yg-node.yaml": "name: B\n"},
        issues="""\
E001 b -> yg-node.yaml has no 'type'.
  .yggdrasil/model/b/yg-node.yaml:1:1
  Add 'type: ..'.
  E004 a -> relation to 'b' does not resolve.
    .yggdrasil/model/a/yg-node.yaml:4:14
""",
    ),
    Case(
        code="E006",
        name="participants on any level",
        files={
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": "name: F\nnodes: [., a, a/b]\n",
            "flows/f/description.md": DESCRIPTION,
        },
    ),
    Case(
        code="E006",
        name="a misspelt participant, and one that could not be read",
        files={
            "model/orders/yg-node.yaml": NODE,
            "model/bad/yg-node.yaml": "",
            "flows/f/yg-flow.yaml": "name: F\nnodes:\n  - order\n  - bad\n",
            "flows/f/description.md": DESCRIPTION,
        },
        issues="""\
E006 flows/f -> participant 'order' does not resolve.
  .yggdrasil/flows/f/yg-flow.yaml:3:5
  Existing nodes in model/: bad, orders
  Did you mean 'orders'?
E001 bad -> yg-node.yaml must be a mapping, found nothing.
  .yggdrasil/model/bad/yg-node.yaml:1:1
  Correct the value at the given position; a node needs at least `name` and `type`.
  E006 flows/f -> participant 'bad' does not resolve.
    .yggdrasil/flows/f/yg-flow.yaml:4:5
""",
    ),
    Case(
        code="E007",
        name="a flow that brings an aspect",
        files={
            "model/a/yg-node.yaml": NODE,
            "aspects/saga/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [saga]\n",
            "flows/f/description.md": DESCRIPTION,
        },
    ),
    Case(
        code="E007",
        name="a flow that brings nothing",
        files={
            "model/a/yg-node.yaml": NODE,
            "aspects/saga/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [sagas]\n",
            "flows/f/description.md": DESCRIPTION,
        },
        issues="""\
E007 flows/f -> aspect 'sagas' does not resolve.
  .yggdrasil/flows/f/yg-flow.yaml:3:11
  Existing aspects: saga
  Did you mean 'saga'?
""",
    ),
    Case(
        code="E013",
        name="conditions on aspects, in both spellings",
        files={
            "yg-config.yaml": f"""\
{CONFIG}\
  a.md: {{required: {{when: "has_aspect:x"}}}}
  b.md: {{required: {{when: "has_tag: x"}}}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E013",
        name="conditions on a missing aspect",
        files={
            "yg-config.yaml": f"""\
{CONFIG}\
  a.md: {{required: {{when: "has_aspect:regulatd"}}}}
  b.md: {{required: {{when: "has_tag:regulatd"}}}}
""",
            "aspects/regulated/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E013 yg-config.yaml -> 'a.md' depends on aspect 'regulatd', which does not resolve.
  .yggdrasil/yg-config.yaml:6:27
  Existing aspects: regulated
  Did you mean 'regulated'?
E013 yg-config.yaml -> 'b.md' depends on aspect 'regulatd', which does not resolve.
  .yggdrasil/yg-config.yaml:7:27
  Existing aspects: regulated
  Did you mean 'regulated'?
""",
    ),
    Case(
        code="E016",
        name="an implied aspect",
        files={
            "aspects/x/yg-aspect.yaml": f"{ASPECT}implies: [group/y]\n",
            "aspects/group/y/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E016",
        name="missing implied aspects",
        files={
            "aspects/audit/yg-aspect.yaml": f"{ASPECT}implies:\n  - loging\n  - zzz\n",
            "aspects/logging/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E016 aspects/audit -> implied aspect 'loging' does not resolve.
  .yggdrasil/aspects/audit/yg-aspect.yaml:3:5
  Existing aspects: audit, logging
  Did you mean 'logging'?
E016 aspects/audit -> implied aspect 'zzz' does not resolve.
  .yggdrasil/aspects/audit/yg-aspect.yaml:4:5
  Existing aspects: audit, logging
""",
    ),
    Case(
        code="E014",
        name="ids that differ in more than case",
        files={"aspects/audit/yg-aspect.yaml": ASPECT, "aspects/a/audit/yg-aspect.yaml": ASPECT},
    ),
    Case(
        code="E014",
        name="ids that differ in case, in Unicode form, and in the case of a group",
        files={
            "aspects/Audit/yg-aspect.yaml": ASPECT,
            "aspects/audit/yg-aspect.yaml": ASPECT,
            "aspects/cafe\u0301/yg-aspect.yaml": ASPECT,
            "aspects/caf\u00e9/yg-aspect.yaml": ASPECT,
            "aspects/G/stra\u00dfe/yg-aspect.yaml": ASPECT,
            "aspects/g/STRASSE/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E014 aspects/audit -> id differs from 'Audit' only in case or Unicode form.
  .yggdrasil/aspects/audit/yg-aspect.yaml
  Rename one of the directories and update all references to it.
E014 aspects/caf\u00e9 -> id differs from 'cafe\u0301' only in case or Unicode form.
  .yggdrasil/aspects/caf\u00e9/yg-aspect.yaml
  Rename one of the directories and update all references to it.
E014 aspects/g/STRASSE -> id differs from 'G/straße' only in case or Unicode form.
  .yggdrasil/aspects/g/STRASSE/yg-aspect.yaml
  Rename one of the directories and update all references to it.
""",
    ),
    Case(
        code="E014",
        name="an aspect that cannot be read takes its id all the same",
        files={"aspects/Audit/yg-aspect.yaml": "", "aspects/audit/yg-aspect.yaml": ASPECT},
        issues="""\
E018 aspects/Audit -> yg-aspect.yaml must be a mapping, found nothing.
  .yggdrasil/aspects/Audit/yg-aspect.yaml:1:1
  Correct the value at the given position, or add the missing file; an aspect needs a `name`.
E014 aspects/audit -> id differs from 'Audit' only in case or Unicode form.
  .yggdrasil/aspects/audit/yg-aspect.yaml
  Rename one of the directories and update all references to it.
""",
    ),
)

WAYS_OUT = """\
  Reverse or remove one of them, or, if the code really is cyclic, set 'rules: {E010: warning}' in \
yg-config.yaml.
"""
CYCLES = (
    Case(
        code="E010",
        name="a diamond is not a cycle",
        files={
            "model/a/yg-node.yaml": calls("b", "c"),
            "model/b/yg-node.yaml": calls("d"),
            "model/c/yg-node.yaml": calls("d"),
            "model/d/yg-node.yaml": NODE,
        },
    ),
    Case(
        code="E010",
        name="a child may use its parent and the parent another child",
        files={
            "model/a/yg-node.yaml": calls("a/c"),
            "model/a/b/yg-node.yaml": calls("a"),
            "model/a/c/yg-node.yaml": NODE,
        },
    ),
    Case(
        code="E010",
        name="a circle with an event in it",
        files={
            "model/a/yg-node.yaml": f"{NODE}relations:\n  - {{target: b, type: calls}}\n"
            "  - {target: b, type: listens}\n",
            "model/b/yg-node.yaml": f"{NODE}relations:\n  - {{target: a, type: emits}}\n",
        },
    ),
    Case(
        code="E010",
        name="two circles that both pass through a blackbox",
        files={
            "model/a/yg-node.yaml": calls("legacy"),
            "model/b/yg-node.yaml": calls("legacy"),
            "model/legacy/yg-node.yaml": boxed(calls("a", "b")),
        },
    ),
    Case(
        code="E010",
        name="a blackbox that calls itself",
        files={"model/a/yg-node.yaml": boxed(calls("a"))},
    ),
    Case(
        code="E010",
        name="a node that calls itself",
        files={"model/a/yg-node.yaml": calls("a")},
        issues="""\
E010 a -> has a relation to itself.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Remove the relation: the package of a node always has its own files.
""",
    ),
    Case(
        code="E010",
        name="a node that calls itself on a longer cycle",
        files={"model/a/yg-node.yaml": calls("a", "b"), "model/b/yg-node.yaml": calls("a")},
        issues=f"""\
E010 a -> has a relation to itself.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Remove the relation: the package of a node always has its own files.
E010 a -> structural cycle: a -> b -> a.
  .yggdrasil/model/a/yg-node.yaml:5:14
  Relations on a cycle:
    a -> b
    b -> a
{WAYS_OUT}\
""",
    ),
    Case(
        code="E010",
        name="a cycle that the configuration makes a warning",
        files={
            "yg-config.yaml": f"{CONFIG}rules: {{E010: warning}}\n",
            "model/a/yg-node.yaml": calls("b"),
            "model/b/yg-node.yaml": calls("a"),
        },
        issues="""\
E010 a -> structural cycle: a -> b -> a.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Relations on a cycle:
    a -> b
    b -> a
  Reverse or remove one of them.
""",
    ),
    Case(
        code="E010",
        name="every structural relation counts",
        files={
            "model/a/yg-node.yaml": f"{NODE}relations: [{{target: b, type: uses}}]\n",
            "model/b/yg-node.yaml": f"{NODE}relations: [{{target: c, type: extends}}]\n",
            "model/c/yg-node.yaml": f"{NODE}relations: [{{target: a, type: implements}}]\n",
        },
        issues=f"""\
E010 a -> structural cycle: a -> b -> c -> a.
  .yggdrasil/model/a/yg-node.yaml:3:22
  Relations on a cycle:
    a -> b
    b -> c
    c -> a
{WAYS_OUT}\
""",
    ),
    Case(
        code="E010",
        name="two groups are two reports, each with its shortest cycle",
        files={
            "model/a/yg-node.yaml": calls("b"),
            "model/b/yg-node.yaml": calls("c", "a"),
            "model/c/yg-node.yaml": calls("a"),
            "model/x/yg-node.yaml": calls("a", "y"),
            "model/y/yg-node.yaml": calls("x"),
        },
        issues=f"""\
E010 a -> structural cycle: a -> b -> a.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Relations on a cycle:
    a -> b
    b -> a
    b -> c
    c -> a
{WAYS_OUT}\
E010 x -> structural cycle: x -> y -> x.
  .yggdrasil/model/x/yg-node.yaml:5:14
  Relations on a cycle:
    x -> y
    y -> x
{WAYS_OUT}\
""",
    ),
    Case(
        code="E010",
        name="a group that is cyclic without its blackbox too",
        files={
            "model/a/yg-node.yaml": calls("b", "legacy"),
            "model/b/yg-node.yaml": calls("a"),
            "model/legacy/yg-node.yaml": boxed(calls("a")),
        },
        issues=f"""\
E010 a -> structural cycle: a -> b -> a.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Relations on a cycle:
    a -> b
    b -> a
{WAYS_OUT}\
""",
    ),
    Case(
        code="E010",
        name="a cycle that a tolerated one leads into",
        files={
            "model/a/yg-node.yaml": calls("legacy"),
            "model/legacy/yg-node.yaml": boxed(calls("a", "b")),
            "model/b/yg-node.yaml": calls("c"),
            "model/c/yg-node.yaml": calls("b"),
        },
        issues=f"""\
E010 b -> structural cycle: b -> c -> b.
  .yggdrasil/model/b/yg-node.yaml:4:14
  Relations on a cycle:
    b -> c
    c -> b
{WAYS_OUT}\
""",
    ),
    Case(
        code="E010",
        name="an ancestor and its descendant",
        files={"model/a/yg-node.yaml": calls("a/b"), "model/a/b/yg-node.yaml": calls("a")},
        issues=f"""\
E010 a -> structural cycle: a -> a/b -> a.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Relations on a cycle:
    a -> a/b
    a/b -> a
{WAYS_OUT}\
""",
    ),
    Case(
        code="E017",
        name="aspects that imply a third one",
        files={
            "aspects/x/yg-aspect.yaml": f"{ASPECT}implies: [y, z]\n",
            "aspects/y/yg-aspect.yaml": f"{ASPECT}implies: [z]\n",
            "aspects/z/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E017",
        name="a circle of two in a group of three, and one that implies itself",
        files={
            "aspects/x/yg-aspect.yaml": f"{ASPECT}implies: [y]\n",
            "aspects/y/yg-aspect.yaml": f"{ASPECT}implies: [z]\n",
            "aspects/z/yg-aspect.yaml": f"{ASPECT}implies: [x, y]\n",
            "aspects/self/yg-aspect.yaml": f"{ASPECT}implies:\n  - self\n",
        },
        issues="""\
E017 aspects/self -> 'implies' cycle: self -> self.
  .yggdrasil/aspects/self/yg-aspect.yaml:3:5
  Remove one 'implies' entry of the cycle, or merge the aspects.
E017 aspects/y -> 'implies' cycle: y -> z -> y.
  .yggdrasil/aspects/y/yg-aspect.yaml:2:11
  Remove one 'implies' entry of the cycle, or merge the aspects.
  1 more aspect is on cycles that meet this one.
""",
    ),
)

MAPPINGS = (
    Case(
        code="E009",
        name="files that one node excludes belong to another one",
        files={
            "model/a/yg-node.yaml": f"{maps('src')}  exclude: ['*.test.ts', src/b, '!src/b/x']\n",
            "model/b/yg-node.yaml": maps("src/b"),
            "model/c/yg-node.yaml": f"{maps('src')}  exclude: ['*', '!*.test.ts', '!src']\n",
        },
        sources={"src/a.ts": "", "src/a.test.ts": "", "src/b/x": ""},
    ),
    Case(
        code="E009",
        name="a file that no node excludes",
        files={
            "model/a/yg-node.yaml": f"{maps('src')}  exclude: [src/b/x]\n",
            "model/b/yg-node.yaml": maps("src/b"),
        },
        sources={"src/a.ts": "", "src/b/x": "", "src/b/y": ""},
        issues="""\
E009 b -> mapping 'src/b' is inside 'src', mapped by 'a'.
  .yggdrasil/model/b/yg-node.yaml:5:7
  Map it in only one of the two nodes.
""",
    ),
    Case(
        code="W032",
        name="files of other languages, in other directories, or that coverage leaves out",
        files={
            "yg-config.yaml": f"{CONFIG}coverage: {{exclude: ['*.gen.py']}}\n",
            "model/a/yg-node.yaml": maps("src/a/x.py", "setup.py"),
        },
        sources=dict.fromkeys(
            ("src/a/x.py", "setup.py", "src/a/x.md", "src/a/b/y.gen.py", "src/c/z.py"), ""
        ),
    ),
    Case(
        code="W032",
        name="source files beside and below those of a node, and excluded ones",
        files={
            "model/a/yg-node.yaml": maps("src/a/x.py", "setup.py"),
            "model/b/yg-node.yaml": f"{maps('src/b')}  exclude: ['*.test.ts']\n",
        },
        sources=dict.fromkeys(
            (
                *("setup.py", "tasks.py", "src/a/x.py", "src/a/y.py", "src/a/w.py", "src/a/c/z.rs"),
                *("src/b/b.ts", "src/b/b.test.ts"),
            ),
            "",
        ),
        issues="""\
W032 src/a/c -> 1 source file has no owner: z.rs.
  src/a/c/z.rs
  'yg draft --add' gives them to the nodes around them; 'yg owner FILE' shows other ways.
  Files that need no owner can be listed under 'coverage.exclude' in yg-config.yaml.
W032 src/a -> 2 source files have no owner: w.py, y.py.
  src/a/w.py
  'yg draft --add' gives them to the nodes around them; 'yg owner FILE' shows other ways.
  Files that need no owner can be listed under 'coverage.exclude' in yg-config.yaml.
W032 src/b -> 1 source file has no owner: b.test.ts.
  src/b/b.test.ts
  'yg draft --add' gives them to the nodes around them; 'yg owner FILE' shows other ways.
  Files that need no owner can be listed under 'coverage.exclude' in yg-config.yaml.
W032 . -> 1 source file has no owner: tasks.py.
  tasks.py
  'yg draft --add' gives them to the nodes around them; 'yg owner FILE' shows other ways.
  Files that need no owner can be listed under 'coverage.exclude' in yg-config.yaml.
""",
    ),
    Case(
        code="W012",
        name="exclusions that match nothing, or everything",
        files={
            "model/a/yg-node.yaml": f"{maps('src/a')}  exclude: ['*.md', ./src/a/x, 'src/a/x']\n",
            "model/b/yg-node.yaml": f"{maps('src/b')}  exclude: ['*.py', '*.rs']\n",
            "model/c/yg-node.yaml": f"{maps('src/new.py')}  exclude: ['*.md']\n",
        },
        sources={"src/a/x": "", "src/a/y": "", "src/b/x.py": "", "src/b/y.rs": ""},
        issues="""\
W012 a -> exclusion '*.md' matches no file of the mapping.
  .yggdrasil/model/a/yg-node.yaml:6:13
  Correct or remove it: patterns are as in .gitignore, relative to the repository.
W012 a -> exclusion './src/a/x' matches no file of the mapping.
  .yggdrasil/model/a/yg-node.yaml:6:21
  Correct or remove it: patterns are as in .gitignore, relative to the repository.
W012 b -> excludes every file of its mapping (2 files).
  .yggdrasil/model/b/yg-node.yaml:6:13
  Correct 'exclude', or remove 'mapping'.
W012 c -> mapping path 'src/new.py' is not written yet.
  .yggdrasil/model/c/yg-node.yaml:5:7
  Write it, or correct the path if the file exists elsewhere.
""",
    ),
    Case(
        code="E009",
        name="neighbours whose names begin alike",
        files={
            "model/a/yg-node.yaml": maps("src/a", "src/a.py"),
            "model/b/yg-node.yaml": maps("src/ab", "src/a-b"),
        },
        sources={"src/a/x": "", "src/a.py": "", "src/ab/x": "", "src/a-b": ""},
    ),
    Case(
        code="E009",
        name="a descendant inside its ancestor, and an ancestor inside its descendant",
        files={
            "model/a/yg-node.yaml": maps("src/a", "lib/b/main.py"),
            "model/a/b/yg-node.yaml": maps("src/a/b"),
            "model/a/b/c/yg-node.yaml": maps("src/a/b/c.py", "lib/b"),
        },
        sources={"src/a/b/c.py": "", "lib/b/main.py": ""},
    ),
    Case(
        code="E009",
        name="a node may map a directory and something in it",
        files={"model/a/yg-node.yaml": maps("src", "src/a.py")},
        sources={"src/a.py": ""},
    ),
    Case(
        code="E009",
        name="the same file in two nodes, spelled in five ways",
        files={
            "model/a/yg-node.yaml": maps("src/a.py"),
            "model/b/yg-node.yaml": maps("./src/a.py"),
            "model/c/yg-node.yaml": maps("src//a.py"),
            "model/d/yg-node.yaml": maps("src\\a.py"),
            "model/e/yg-node.yaml": maps("src/x/../a.py"),
        },
        sources={"src/a.py": ""},
        issues="""\
E009 b -> mapping 'src/a.py' is also mapped by 'a'.
  .yggdrasil/model/b/yg-node.yaml:5:7
  Map it in only one of the two nodes.
E009 c -> mapping 'src/a.py' is also mapped by 'a'.
  .yggdrasil/model/c/yg-node.yaml:5:7
  Map it in only one of the two nodes.
E009 d -> mapping 'src/a.py' is also mapped by 'a'.
  .yggdrasil/model/d/yg-node.yaml:5:7
  Map it in only one of the two nodes.
E009 e -> mapping 'src/a.py' is also mapped by 'a'.
  .yggdrasil/model/e/yg-node.yaml:5:7
  Map it in only one of the two nodes.
""",
    ),
    Case(
        code="E009",
        name="the same directory in an ancestor and its descendant",
        files={"model/a/yg-node.yaml": maps("src"), "model/a/b/yg-node.yaml": maps("src/")},
        sources={"src/a.py": ""},
        issues="""\
E009 a/b -> mapping 'src' is also mapped by 'a'.
  .yggdrasil/model/a/b/yg-node.yaml:5:7
  Map it in only one of the two nodes.
""",
    ),
    Case(
        code="E009",
        name="inside a directory of another node, and inside one of its sibling",
        files={
            "model/a/yg-node.yaml": maps("src"),
            "model/b/yg-node.yaml": maps("lib", "src/b.py"),
            "model/a/c/yg-node.yaml": maps("src/c"),
            "model/a/d/yg-node.yaml": maps("src/c/d.py"),
        },
        sources={"src/b.py": "", "src/c/d.py": "", "lib/x": ""},
        issues="""\
E009 a/d -> mapping 'src/c/d.py' is inside 'src/c', mapped by 'a/c'.
  .yggdrasil/model/a/d/yg-node.yaml:5:7
  Map it in only one of the two nodes.
E009 b -> mapping 'src/b.py' is inside 'src', mapped by 'a'.
  .yggdrasil/model/b/yg-node.yaml:6:7
  Map it in only one of the two nodes.
""",
    ),
    Case(
        code="E009",
        name="the whole repository and a part of it",
        files={"model/a/yg-node.yaml": maps("."), "model/b/yg-node.yaml": maps("src")},
        sources={"src/a.py": ""},
        issues="""\
E009 b -> mapping 'src' is inside '.', mapped by 'a'.
  .yggdrasil/model/b/yg-node.yaml:5:7
  Map it in only one of the two nodes.
""",
    ),
    Case(
        code="E020",
        name="files and directories, spelled in every way",
        files={
            "model/a/yg-node.yaml": maps("./src//", "lib\\a.py", "'..data/x'", "a/../.gitignore")
        },
        sources={"src/x": "", "lib/a.py": "", "..data/x": "", ".gitignore": ""},
    ),
    Case(
        code="E020",
        name="absolute paths of three systems",
        files={"model/a/yg-node.yaml": maps("/src/a.py", "C:\\src", "c:/src", "\\\\host\\share")},
        issues="""\
E020 a -> mapping '/src/a.py' is absolute.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping 'C:\\src' is absolute.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping 'c:/src' is absolute.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping '\\\\host\\share' is absolute.
  .yggdrasil/model/a/yg-node.yaml:8:7
  Use a file or directory in this repository, relative to its root.
""",
    ),
    Case(
        code="E020",
        name="out of the repository",
        files={"model/a/yg-node.yaml": maps("..", "../a.py", "src/../../a.py", "..\\a.py")},
        sources={"src/x": ""},
        issues="""\
E020 a -> mapping '..' leaves the repository.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping '../a.py' leaves the repository.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping 'src/../../a.py' leaves the repository.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping '..\\a.py' leaves the repository.
  .yggdrasil/model/a/yg-node.yaml:8:7
  Use a file or directory in this repository, relative to its root.
""",
    ),
    Case(
        code="E020",
        name="inside the graph or git's own folder",
        files={
            "model/a/yg-node.yaml": maps(
                ".yggdrasil/model", ".git/config", "src/../.git", "./.yggdrasil/"
            )
        },
        sources={".git/config": "", "src/x": ""},
        issues="""\
E020 a -> mapping '.yggdrasil/model' lies inside .yggdrasil/.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping '.git/config' lies inside .git/.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping 'src/../.git' lies inside .git/.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping './.yggdrasil/' lies inside .yggdrasil/.
  .yggdrasil/model/a/yg-node.yaml:8:7
  Use a file or directory in this repository, relative to its root.
""",
    ),
    Case(
        code="E020",
        name="nothing at all",
        files={"model/a/yg-node.yaml": maps('""', '"  "')},
        issues="""\
E020 a -> mapping '' is empty.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping '  ' is empty.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Use a file or directory in this repository, relative to its root.
""",
    ),
    Case(
        code="E020",
        name="the same path twice in one node",
        files={"model/a/yg-node.yaml": maps("src", "./src/", "src\\")},
        sources={"src/x": ""},
        issues="""\
E020 a -> mapping './src/' is listed twice.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Keep one entry.
E020 a -> mapping 'src\\' is listed twice.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Keep one entry.
""",
    ),
    Case(
        code="E020",
        name="links, what is behind them, and special files",
        files={"model/a/yg-node.yaml": maps("link", "dir/link/a.py", "pipe")},
        sources={"link": Kind.LINK, "dir/link": Kind.LINK, "pipe": Kind.OTHER},
        issues="""\
E020 a -> mapping 'link' is a link.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping 'dir/link/a.py' passes through the link 'dir/link'.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Use a file or directory in this repository, relative to its root.
E020 a -> mapping 'pipe' is not a plain file or directory.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Use a file or directory in this repository, relative to its root.
""",
    ),
    Case(
        code="W012",
        name="files and directories that exist, with nothing in them too",
        files={"model/a/yg-node.yaml": maps("src", "lib", "a.py")},
        sources={"src/x": "", "lib": Kind.DIRECTORY, "a.py": ""},
    ),
    Case(
        code="W012",
        name="missing paths, as their author spelled them",
        files={"model/a/yg-node.yaml": maps("src/servce.py", "./lib\\", "a.py/b")},
        sources={"src/service.py": "", "a.py": ""},
        issues="""\
W012 a -> mapping path 'src/servce.py' is not written yet.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Write it, or correct the path if the file exists elsewhere.
W012 a -> mapping path './lib\\' is not written yet.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Write it, or correct the path if the file exists elsewhere.
W012 a -> mapping path 'a.py/b' is not written yet.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Write it, or correct the path if the file exists elsewhere.
""",
    ),
    Case(
        code="W037",
        name="blackboxes with code, without a mapping, and nodes that are not written yet",
        files={
            "model/a/yg-node.yaml": maps("src/new.py"),
            "model/b/yg-node.yaml": boxed(maps("src/old.py", "lib")),
            "model/c/yg-node.yaml": boxed(NODE),
            "model/d/yg-node.yaml": boxed(maps("build")),
        },
        sources={"src/old.py": "", "lib/x.py": "", "build/x.o": ""},
        ignored=frozenset({"build"}),
        issues="""\
W012 a -> mapping path 'src/new.py' is not written yet.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Write it, or correct the path if the file exists elsewhere.
W017 d -> mapped directory 'build' is ignored by git.
  .yggdrasil/model/d/yg-node.yaml:6:7
  Drift does not look into ignored directories; map one that git tracks.
""",
    ),
    Case(
        code="W037",
        name="a blackbox of which some code is missing, and one with a pattern",
        files={
            "model/a/yg-node.yaml": boxed(maps("src/old.py", "src/older.py")),
            "model/b/yg-node.yaml": boxed(maps("lib/*.py")),
        },
        sources={"src/old.py": "", "lib/x.py": ""},
        issues="""\
W012 a -> mapping path 'src/older.py' does not exist.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Correct it, or remove it: a blackbox is for existing code.
W012 b -> mapping path 'lib/*.py' does not exist.
  .yggdrasil/model/b/yg-node.yaml:6:7
  Globs are not supported: map the directory 'lib' or list the files.
""",
    ),
    Case(
        code="W037",
        name="blackboxes whose files and directories have no code",
        files={
            "model/a/yg-node.yaml": boxed(maps("src/new.py", "src/newer.py")),
            "model/b/yg-node.yaml": boxed(maps("empty")),
        },
        sources={"empty": Kind.DIRECTORY},
        issues="""\
W037 a -> is a blackbox, but there is no code in 'src/new.py', 'src/newer.py'.
  .yggdrasil/model/a/yg-node.yaml:6:7
  A blackbox is for existing code: correct the mapping if the code is elsewhere.
  For new code, remove 'blackbox: true' and describe the node before you write it.
  If the code was deleted, remove the node: yg rm a
W037 b -> is a blackbox, but there is no code in 'empty'.
  .yggdrasil/model/b/yg-node.yaml:6:7
  A blackbox is for existing code: correct the mapping if the code is elsewhere.
  For new code, remove 'blackbox: true' and describe the node before you write it.
  If the code was deleted, remove the node: yg rm b
""",
    ),
    Case(
        code="W001",
        name="an interface is asked for in the words of the specification",
        files={
            "yg-config.yaml": f"{CONFIG}  interface.md:\n"
            "    required: {when: has_incoming_relations}\n    description: What it offers.\n",
            "model/a/yg-node.yaml": NODE,
            "model/b/yg-node.yaml": calls("a"),
            "model/c/yg-node.yaml": calls("a"),
        },
        issues="""\
W001 a -> missing artifact 'interface'.
  .yggdrasil/model/a/yg-node.yaml
  Node has 2 incoming relations: b, c.
  Define the public API in interface.md.
""",
    ),
    Case(
        code="W002",
        name="blanks around and between words",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": f"\n\n  {FIFTY}  \n",
            "model/b/yg-node.yaml": NODE,
            "model/b/responsibility.md": " " * 60 + "\n" * 60,
            "model/c/yg-node.yaml": NODE,
            "model/c/responsibility.md": f"# C\n{' ' * 60}TODO\n",
        },
        issues="""\
W002 b -> artifact 'responsibility.md' has 0 characters (minimum: 50).
  .yggdrasil/model/b/responsibility.md
  Write what a newcomer needs to know.
W002 c -> artifact 'responsibility.md' has 8 characters (minimum: 50).
  .yggdrasil/model/c/responsibility.md
  Write what a newcomer needs to know.
""",
    ),
    Case(
        code="W014",
        name="anchors anywhere in any mapped file",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - {{aspect: x, anchors: [record_audit, "ä/ö = 1"]}}
mapping: {{paths: [src, b.py]}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/deep/a.py": "record_audit()", "b.py": b"\xff\x00 \xc3\xa4/\xc3\xb6 = 1"},
    ),
    Case(
        code="W014",
        name="anchors of several tokens, and in a language that is not known",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - {{aspect: x, anchors: ["audit.record(", "in a note"]}}
mapping: {{paths: [src]}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "audit . record ( 1 )\n", "src/b.txt": "# only in a note\n"},
    ),
    Case(
        code="W014",
        name="an anchor that is only in a comment or part of a longer name",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects: [{{aspect: x, anchors: [mark]}}]
mapping: {{paths: [src]}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "# mark\nmarker = 1\n"},
        issues="""\
W014 a -> anchor 'mark' of aspect 'x' is not in any mapped file.
  .yggdrasil/model/a/yg-node.yaml:3:33
  Correct it to a text in the code that meets the aspect, or remove it.
  Files searched: 1.
""",
    ),
    Case(
        code="W014",
        name="anchors that are gone",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - aspect: x
    anchors: [here, gone]
  - aspect: y
    anchors: [gone]
mapping: {{paths: [src]}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/y/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "here", "src/b.py": "Gone g one"},
        issues="""\
W014 a -> anchor 'gone' of aspect 'x' is not in any mapped file.
  .yggdrasil/model/a/yg-node.yaml:5:21
  Correct it to a text in the code that meets the aspect, or remove it.
  Files searched: 2.
W014 a -> anchor 'gone' of aspect 'y' is not in any mapped file.
  .yggdrasil/model/a/yg-node.yaml:7:15
  Correct it to a text in the code that meets the aspect, or remove it.
  Files searched: 2.
""",
    ),
    Case(
        code="W014",
        name="an anchor in a file that belongs to a descendant",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects: [{{aspect: x, anchors: [mark]}}]
mapping: {{paths: [src]}}
""",
            "model/a/b/yg-node.yaml": maps("src/b"),
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        sources={"src/a.py": "", "src/c.py": "", "src/b/b.py": "mark"},
        issues="""\
W014 a -> anchor 'mark' of aspect 'x' is not in any mapped file.
  .yggdrasil/model/a/yg-node.yaml:3:33
  Correct it to a text in the code that meets the aspect, or remove it.
  Files searched: 2.
""",
    ),
    Case(
        code="W017",
        name="a directory with files that git tracks",
        files={"model/a/yg-node.yaml": maps("src", "build/out.js")},
        sources={"src/a.py": "", "build/out.js": ""},
        ignored=frozenset({"build"}),
    ),
    Case(
        code="W017",
        name="a directory that git ignores",
        files={"model/a/yg-node.yaml": maps("src", "build/")},
        sources={"src/a.py": "", "build/out.js": ""},
        ignored=frozenset({"build"}),
        issues="""\
W017 a -> mapped directory 'build/' is ignored by git.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Drift does not look into ignored directories; map one that git tracks.
""",
    ),
)

ARTIFACTS_CONFIG = """\
name: test
node_types:
  service: {description: A component}
artifacts:
  always.md: {required: always, description: What it does.}
  incoming.md: {required: {when: has_incoming_relations}, description: What it offers}
  outgoing.md: {required: {when: has_outgoing_relations}}
  aspect.md: {required: {when: "has_aspect:x"}, description: How x is met}
  tag.md: {required: {when: "has_tag:y"}}
  never.md: {required: never}
quality: {min_artifact_length: 0}
"""
BUDGET_CONFIG = f"""\
{CONFIG}\
quality: {{min_artifact_length: 0, context_budget: {{warning: 30, error: 40}}}}
"""
REQUIRED_CONFIG = CONFIG.replace("component}", "component, required_aspects: [x]}")

ARTIFACTS = (
    Case(
        code="W001",
        name="a node with all it needs, and a blackbox with nothing",
        files={
            "yg-config.yaml": ARTIFACTS_CONFIG,
            "model/a/yg-node.yaml": f"{carries('x')}relations: [{{target: b, type: uses}}]\n",
            "model/a/always.md": "",
            "model/a/aspect.md": "",
            "model/a/outgoing.md": "",
            "model/b/yg-node.yaml": boxed(carries("x")),
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/y/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="W001",
        name="each condition is reported with its reason",
        files={
            "yg-config.yaml": ARTIFACTS_CONFIG,
            "model/a/yg-node.yaml": f"""\
{carries("x", "y")}\
relations:
  - {{target: b, type: uses}}
  - {{target: c, type: emits}}
""",
            "model/b/yg-node.yaml": boxed(NODE),
            "model/c/yg-node.yaml": boxed(f"{NODE}{LISTENS}"),
            "model/d/yg-node.yaml": boxed(calls("a")),
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/y/yg-aspect.yaml": ASPECT,
        },
        issues="""\
W001 a -> missing artifact 'always'.
  .yggdrasil/model/a/yg-node.yaml
  Every node needs it.
  Write always.md: What it does.
W001 a -> missing artifact 'aspect'.
  .yggdrasil/model/a/yg-node.yaml
  Node has the aspect 'x'.
  Write aspect.md: How x is met.
W001 a -> missing artifact 'incoming'.
  .yggdrasil/model/a/yg-node.yaml
  Node has 2 incoming relations: c, d.
  Write incoming.md: What it offers.
W001 a -> missing artifact 'outgoing'.
  .yggdrasil/model/a/yg-node.yaml
  Node has 2 outgoing relations.
  Write outgoing.md.
W001 a -> missing artifact 'tag'.
  .yggdrasil/model/a/yg-node.yaml
  Node has the aspect 'y'.
  Write tag.md.
""",
    ),
    Case(
        code="W001",
        name="aspects from above, from a flow and by implication count",
        files={
            "yg-config.yaml": ARTIFACTS_CONFIG,
            "model/a/yg-node.yaml": boxed(carries("z")),
            "model/a/b/yg-node.yaml": NODE,
            "model/a/b/always.md": "",
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/y/yg-aspect.yaml": ASPECT,
            "aspects/z/yg-aspect.yaml": f"{ASPECT}implies: [x]\n",
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [y]\n",
            "flows/f/description.md": DESCRIPTION,
        },
        issues="""\
W001 a/b -> missing artifact 'aspect'.
  .yggdrasil/model/a/b/yg-node.yaml
  Node has the aspect 'x'.
  Write aspect.md: How x is met.
W001 a/b -> missing artifact 'tag'.
  .yggdrasil/model/a/b/yg-node.yaml
  Node has the aspect 'y'.
  Write tag.md.
""",
    ),
    Case(
        code="W001",
        name="many incoming relations are counted, and the first of them named",
        files={
            "yg-config.yaml": ARTIFACTS_CONFIG,
            "model/a/yg-node.yaml": NODE,
            "model/a/always.md": "",
            **{f"model/n{i}/yg-node.yaml": boxed(calls("a")) for i in range(10)},
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/y/yg-aspect.yaml": ASPECT,
        },
        issues="""\
W001 a -> missing artifact 'incoming'.
  .yggdrasil/model/a/yg-node.yaml
  Node has 10 incoming relations: n0, n1, n2, n3, n4, n5, n6, n7 and 2 more.
  Write incoming.md: What it offers.
""",
    ),
    Case(
        code="W002",
        name="fifty characters, and files that are not artifacts",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": FIFTY,
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/content.md": "Short.\n",
        },
    ),
    Case(
        code="W002",
        name="forty-nine characters and many line breaks, and nothing",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": FIFTY[1:] + "\n\n\n\r\n",
            "model/b/yg-node.yaml": NODE,
            "model/b/responsibility.md": "",
        },
        issues="""\
W002 a -> artifact 'responsibility.md' has 49 characters (minimum: 50).
  .yggdrasil/model/a/responsibility.md
  Write what a newcomer needs to know.
W002 b -> artifact 'responsibility.md' has 0 characters (minimum: 50).
  .yggdrasil/model/b/responsibility.md
  Write what a newcomer needs to know.
""",
    ),
    Case(
        code="W002",
        name="another minimum",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{min_artifact_length: 5}}\n",
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": "TODO\n",
            "model/b/yg-node.yaml": NODE,
            "model/b/responsibility.md": "ÄÖÜäö\n",
        },
        issues="""\
W002 a -> artifact 'responsibility.md' has 4 characters (minimum: 5).
  .yggdrasil/model/a/responsibility.md
  Write what a newcomer needs to know.
""",
    ),
    Case(
        code="W005",
        name="exactly the threshold, and a blackbox above every limit",
        files={
            "yg-config.yaml": BUDGET_CONFIG,
            "model/a/yg-node.yaml": f"{NODE}# {'x' * 60}\n",
            "model/b/yg-node.yaml": boxed(NODE) + f"# {'x' * 500}\n",
        },
    ),
    Case(
        code="W005",
        name="one token more",
        files={"yg-config.yaml": BUDGET_CONFIG, "model/a/yg-node.yaml": f"{NODE}# {'x' * 61}\n"},
        issues="""\
W005 a -> context package: ~31 tokens (threshold: 30).
  .yggdrasil/model/a/yg-node.yaml
  Consider splitting the node or reducing dependencies.
  What holds for many nodes belongs in an aspect.
  Delete nothing to get below the budget: a package above it is still complete.
""",
    ),
    Case(
        code="W006",
        name="exactly the limit is only a warning",
        files={"yg-config.yaml": BUDGET_CONFIG, "model/a/yg-node.yaml": f"{NODE}# {'x' * 100}\n"},
        issues="""\
W005 a -> context package: ~40 tokens (threshold: 30).
  .yggdrasil/model/a/yg-node.yaml
  Consider splitting the node or reducing dependencies.
  What holds for many nodes belongs in an aspect.
  Delete nothing to get below the budget: a package above it is still complete.
""",
    ),
    Case(
        code="W006",
        name="above the limit, only the error is reported",
        files={"yg-config.yaml": BUDGET_CONFIG, "model/a/yg-node.yaml": f"{NODE}# {'x' * 101}\n"},
        issues="""\
W006 a -> context package: ~41 tokens (limit: 40).
  .yggdrasil/model/a/yg-node.yaml
  Consider splitting the node or reducing dependencies.
  To see what is large: yg build-context a --why
  What holds for many nodes belongs in an aspect.
  Delete nothing to get below the budget: a package above it is still complete.
""",
    ),
    Case(code="W010", name="a schema for each kind of file"),
    Case(
        code="W010",
        name="a directory in place of a schema",
        files={"schemas/yg-flow.yaml": Kind.DIRECTORY},
        issues="""\
W010 schemas -> schemas/yg-flow.yaml is missing.
  .yggdrasil/schemas/yg-flow.yaml
  Run `yg init --upgrade` to write the missing schemas.
""",
    ),
    Case(
        code="W011",
        name="its own aspect",
        files={
            "yg-config.yaml": REQUIRED_CONFIG,
            "model/a/yg-node.yaml": carries("x"),
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="W011",
        name="an ancestor's aspect",
        files={
            "yg-config.yaml": REQUIRED_CONFIG,
            "model/yg-node.yaml": carries("x"),
            "model/a/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="W011",
        name="a flow's aspect, also below a participant",
        files={
            "yg-config.yaml": REQUIRED_CONFIG,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [x]\n",
            "flows/f/description.md": DESCRIPTION,
        },
    ),
    Case(
        code="W011",
        name="an implied aspect, two steps away",
        files={
            "yg-config.yaml": REQUIRED_CONFIG,
            "model/a/yg-node.yaml": carries("z"),
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/y/yg-aspect.yaml": f"{ASPECT}implies: [x]\n",
            "aspects/z/yg-aspect.yaml": f"{ASPECT}implies: [y]\n",
        },
    ),
    Case(
        code="W011",
        name="a blackbox is not checked",
        files={
            "yg-config.yaml": REQUIRED_CONFIG,
            "model/a/yg-node.yaml": boxed(NODE),
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="W011",
        name="a child's aspect does not reach its parent, nor a flow's those beside it",
        files={
            "yg-config.yaml": REQUIRED_CONFIG,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": carries("x"),
            "model/c/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b]\naspects: [x]\n",
            "flows/f/description.md": DESCRIPTION,
        },
        issues="""\
W011 a -> type 'service' requires aspect 'x', which this node lacks.
  .yggdrasil/model/a/yg-node.yaml:2:7
  Add '- aspect: x' under 'aspects', here or on an ancestor.
W011 c -> type 'service' requires aspect 'x', which this node lacks.
  .yggdrasil/model/c/yg-node.yaml:2:7
  Add '- aspect: x' under 'aspects', here or on an ancestor.
""",
    ),
    Case(
        code="W018",
        name="files that the configuration names, and hidden ones",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": FIFTY,
            "model/a/.notes.md": "",
        },
    ),
    Case(
        code="W018",
        name="a file that is not a configured artifact",
        files={
            "model/a/yg-node.yaml": boxed(NODE),
            "model/a/notes.md": "",
            "model/a/Responsibility.md": FIFTY,
        },
        issues="""\
W018 a -> 'Responsibility.md' is not a configured artifact, so no package includes it.
  .yggdrasil/model/a/Responsibility.md
  Configured artifacts: responsibility.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
W018 a -> 'notes.md' is not a configured artifact, so no package includes it.
  .yggdrasil/model/a/notes.md
  Configured artifacts: responsibility.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
""",
    ),
)

RELATIONS = (
    Case(
        code="W007",
        name="ten relations",
        files={
            "model/a/yg-node.yaml": calls(*(f"n{i}" for i in range(10))),
            **{f"model/n{i}/yg-node.yaml": NODE for i in range(10)},
        },
    ),
    Case(
        code="W007",
        name="eleven relations, of both classes",
        files={
            "model/a/yg-node.yaml": calls(*"bcdefghijk") + "  - {target: b, type: emits}\n",
            **{f"model/{name}/yg-node.yaml": NODE for name in "cdefghijk"},
            "model/b/yg-node.yaml": NODE + LISTENS,
        },
        issues="""\
W007 a -> 11 direct relations (maximum: 10).
  .yggdrasil/model/a/yg-node.yaml
  Consider splitting the node.
""",
    ),
    Case(
        code="W007",
        name="a node whose text is a draft",
        files={
            "model/a/yg-node.yaml": calls(*(f"n{i}" for i in range(11))),
            "model/a/responsibility.md": "<!-- draft: replace this -->\n",
            **{f"model/n{i}/yg-node.yaml": NODE for i in range(11)},
        },
        issues="""\
W025 a -> 'responsibility.md' is still a draft.
  .yggdrasil/model/a/responsibility.md:1:1
  Write what the code does not say, and remove the mark.
""",
    ),
    Case(
        code="W007",
        name="a parent that can stand for enough of the targets, and one for more of them",
        files={
            "model/a/yg-node.yaml": calls(
                "n", "n/1", "n/2/1", "n/2/2", *(f"m/{i}" for i in range(8))
            ),
            **{f"model/{name}/yg-node.yaml": NODE for name in ("n", "n/1", "n/2", "m")},
            **{f"model/n/2/{i}/yg-node.yaml": NODE for i in (1, 2)},
            **{f"model/m/{i}/yg-node.yaml": NODE for i in range(8)},
        },
        issues="""\
W007 a -> 12 direct relations (maximum: 10).
  .yggdrasil/model/a/yg-node.yaml
  Consider splitting the node.
  A relation to 'n' would stand for 4 of them.
""",
    ),
    Case(
        code="W007",
        name="another maximum",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{max_direct_relations: 0}}\n",
            "model/a/yg-node.yaml": calls("b"),
            "model/b/yg-node.yaml": NODE,
        },
        issues="""\
W007 a -> 1 direct relations (maximum: 0).
  .yggdrasil/model/a/yg-node.yaml
  Consider splitting the node.
""",
    ),
    Case(
        code="W009",
        name="both sides declare the event, with one name, and with a name on one side only",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}relations:
  - {{target: b, type: emits, event_name: Placed}}
  - {{target: c, type: emits, event_name: Placed}}
  - {{target: d, type: listens}}
""",
            "model/b/yg-node.yaml": NODE + LISTENS.replace("}", ", event_name: Placed}"),
            "model/c/yg-node.yaml": NODE + LISTENS,
            "model/d/yg-node.yaml": NODE + LISTENS.replace("listens", "emits, event_name: Paid"),
        },
    ),
    Case(
        code="W009",
        name="one side alone, in both directions",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}relations:
  - {{target: b, type: emits}}
  - {{target: c, type: listens, event_name: Paid}}
""",
            "model/b/yg-node.yaml": NODE,
            "model/c/yg-node.yaml": NODE,
        },
        issues="""\
W009 a -> emits to 'b', which does not listen for it.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Add a relation of type 'listens' to 'a' there, or remove this one.
W009 a -> listens for 'Paid' from 'c', which does not emit it.
  .yggdrasil/model/a/yg-node.yaml:5:14
  Add a relation of type 'emits' to 'a' there, or remove this one.
""",
    ),
    Case(
        code="W009",
        name="two emitters, another relation and another node are not pairs",
        files={
            "model/a/yg-node.yaml": f"{NODE}relations: [{{target: b, type: emits}}]\n",
            "model/b/yg-node.yaml": f"""\
{NODE}relations:
  - {{target: a, type: emits}}
  - {{target: a, type: uses}}
  - {{target: c, type: listens}}
""",
            "model/c/yg-node.yaml": f"{NODE}relations: [{{target: b, type: emits}}]\n",
        },
        issues="""\
W009 a -> emits to 'b', which does not listen for it.
  .yggdrasil/model/a/yg-node.yaml:3:22
  Add a relation of type 'listens' to 'a' there, or remove this one.
W009 b -> emits to 'a', which does not listen for it.
  .yggdrasil/model/b/yg-node.yaml:4:14
  Add a relation of type 'listens' to 'b' there, or remove this one.
""",
    ),
    Case(
        code="W009",
        name="two names for what may be one event",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}relations:
  - {{target: b, type: emits, event_name: Placed}}
""",
            "model/b/yg-node.yaml": NODE + LISTENS.replace("}", ", event_name: placed}"),
        },
        issues="""\
W009 a -> emits 'Placed' to 'b', which does not listen for it.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Add a relation of type 'listens' to 'a' there, or remove this one.
W009 b -> listens for 'placed' from 'a', which does not emit it.
  .yggdrasil/model/b/yg-node.yaml:3:22
  Add a relation of type 'emits' to 'b' there, or remove this one.
""",
    ),
    Case(
        code="W009",
        name="a missing target is reported by E004 only",
        files={"model/a/yg-node.yaml": f"{NODE}relations: [{{target: b, type: emits}}]\n"},
        issues="""\
E004 a -> relation to 'b' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:3:22
  Correct the path, or add the missing node.
""",
    ),
)

FLOWS = (
    Case(
        code="W015",
        name="all sections, in any order and case",
        files={
            "model/a/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/description.md": """\
# Checkout\r
##  business Context\r
## PATHS\r
### Happy Path\r
### Payment failed\r
## Invariants across all paths\r
## Trigger\r
## Goal\r
## Participants
""",
        },
    ),
    Case(
        code="W015",
        name="no description",
        files={
            "model/a/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/Description.md": DESCRIPTION,
        },
        issues="""\
W015 flows/f -> has no description.md.
  .yggdrasil/flows/f/yg-flow.yaml
  Describe why the process exists, what starts it, and how it can end.
""",
    ),
    Case(
        code="W015",
        name="sections that are missing, or of any level",
        files={
            "model/a/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/description.md": DESCRIPTION.replace("## Trigger", "Trigger")
            .replace("## Goal", "# Goal")
            .replace("### Happy", "Happy"),
        },
        issues="""\
W015 flows/f -> description.md lacks '## Trigger', '### Happy path'.
  .yggdrasil/flows/f/description.md
  Add the missing sections.
""",
    ),
    Case(
        code="W015",
        name="an empty description",
        files={
            "model/a/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/description.md": "",
        },
        issues="""\
W015 flows/f -> description.md lacks '## Business context', '## Trigger', '## Goal', '## Participants', '## Paths', '### Happy path', '## Invariants across all paths'.
  .yggdrasil/flows/f/description.md
  Add the missing sections.
""",  # noqa: E501
    ),
)

TWO: dict[str, Content] = {
    "model/shop/yg-node.yaml": NODE,
    "model/shop/orders/yg-node.yaml": "name: OrderDesk\ntype: service\n",
    "model/payments/yg-node.yaml": NODE,
    "model/stock/yg-node.yaml": NODE,
    "flows/f/yg-flow.yaml": "name: F\nnodes:\n  - shop/orders\n  - payments\n",
}


def participants(text: str) -> dict[str, Content]:
    """Return the files of a flow of two nodes whose description names participants."""
    described = DESCRIPTION.replace("## Participants\n", f"## Participants\n{text}\n")
    return {**TWO, "flows/f/description.md": described}


PARTICIPANTS = (
    Case(
        code="W038",
        name="the nodes by path, by their names and by their last parts",
        files=participants("- `shop/orders`: leads\n- Payments (takes the money)\n- A customer"),
    ),
    Case(
        code="W038",
        name="names in a sentence, a node below a participant and one of another repository",
        files={
            **participants(
                "1. The **order desk** asks payments.\r\n"
                "2. `payments/till`, `shop` and `billing::ledger`\n"
            ),
            "model/payments/till/yg-node.yaml": NODE,
        },
    ),
    Case(
        code="W038",
        name="nothing is compared with comments, code and other sections",
        files=participants("<!-- `stock`\n- `x` -->\n```\n- `stock`\n```\n## Next\n- `stock`"),
    ),
    Case(
        code="W038",
        name="a node of the flow that is not named",
        files=participants("- `shop/orders`: repays what was paid"),
        issues="""\
W038 flows/f -> node 'payments' is not named under '## Participants'.
  .yggdrasil/flows/f/yg-flow.yaml:4:5
  Say there what it does, or remove it from 'nodes' in yg-flow.yaml.
""",
    ),
    Case(
        code="W038",
        name="names that are not of the flow",
        files=participants(
            "- `shop/orders`: asks `payments`, never `stock` <!-- `x` --> or `Money`\n"
            "- stock: again\n- `ordrs`\n- **`Customer`**\n- `" + "x/" * 600 + "`"
        ),
        issues="""\
W038 flows/f -> '## Participants' names 'stock', which is not among the nodes of this flow.
  .yggdrasil/flows/f/description.md:5:42
  Add it to 'nodes' in yg-flow.yaml, or remove it from the text.
W038 flows/f -> '## Participants' names 'ordrs', which is not a node.
  .yggdrasil/flows/f/description.md:7:4
  Did you mean 'shop/orders'?
W038 flows/f -> '## Participants' names 'Customer', which is not a node.
  .yggdrasil/flows/f/description.md:8:6
  Write what is not a node without backticks.
""",
    ),
)

COMMANDS = (
    "`yg brief FILE` says what to know before changing a file; `yg find WORD` searches the graph."
)
PAGE = f"# test\n\n- a: Keeps it.\n\n{COMMANDS}\n"
KEPT = {
    "model/a/yg-node.yaml": NODE,
    "model/a/responsibility.md": "Keeps it. And nothing else, which this sentence makes plain.\n",
}
OVERVIEWS = (
    Case(
        code="W036",
        name="overviews as they would be written now, with any line endings, and rules alone",
        files={**KEPT, "agent-rules.md": with_overview("Rules.\n", PAGE)},
        sources={
            ".clinerules/yggdrasil.md": with_overview("Rules.\n", PAGE).replace("\n", "\r\n"),
            ".windsurf/rules/yggdrasil.md": "Rules.\n",
        },
    ),
    Case(
        code="W036",
        name="an overview of an earlier graph",
        files=KEPT,
        sources={".roo/rules/yggdrasil.md": with_overview("Rules.\n", PAGE.replace("a:", "b:"))},
        issues="""\
W036 .roo/rules/yggdrasil.md -> the overview of the graph is not up to date.
  .roo/rules/yggdrasil.md:3:1
  Run 'yg validate --fix'.
""",
    ),
)

CONFLICT = "<<<<<<< HEAD\nname: N\n=======\nname: M\n>>>>>>> other\ntype: service\n"

CONTENTS = (
    Case(
        code="E022",
        name="an import that exists",
        files={"model/a/yg-node.yaml": CALLS_LEDGER, "imports/billing.jsonl": BILLING},
    ),
    Case(
        code="E022",
        name="a graph without imports",
        files={"model/a/yg-node.yaml": CALLS_LEDGER},
        issues="""\
E022 a -> relation to 'billing::payments/ledger': there is no import 'billing'.
  .yggdrasil/model/a/yg-node.yaml:4:14
  There are no imports yet.
  Add it: yg import add billing PATH
""",
    ),
    Case(
        code="E022",
        name="a misspelled import; a link is not an import",
        files={
            "model/a/yg-node.yaml": CALLS_LEDGER,
            "model/b/yg-node.yaml": CALLS_LEDGER.replace("billing", "biling"),
            "model/c/yg-node.yaml": CALLS_LEDGER.replace("billing", "linked"),
            "imports/billing.jsonl": BILLING,
            "imports/linked.jsonl": Kind.LINK,
        },
        issues="""\
E022 b -> relation to 'biling::payments/ledger': there is no import 'biling'.
  .yggdrasil/model/b/yg-node.yaml:4:14
  Existing imports: billing
  Did you mean 'billing'?
E022 c -> relation to 'linked::payments/ledger': there is no import 'linked'.
  .yggdrasil/model/c/yg-node.yaml:4:14
  Existing imports: billing
  Add it: yg import add linked PATH
W019 imports -> 'linked.jsonl' is a link and is ignored.
  .yggdrasil/imports/linked.jsonl
  Put the content itself there: links are not followed inside a graph.
""",
    ),
    Case(
        code="E023",
        name="nodes that the import lists, also its root",
        files={
            "model/a/yg-node.yaml": CALLS_LEDGER,
            "model/b/yg-node.yaml": CALLS_LEDGER.replace("payments/ledger", "."),
            "imports/billing.jsonl": billing_import(published("."), published("payments/ledger")),
        },
    ),
    Case(
        code="E023",
        name="a misspelled node, and one unlike any other",
        files={
            "model/a/yg-node.yaml": CALLS_LEDGER.replace("ledger", "ledgr"),
            "model/b/yg-node.yaml": CALLS_LEDGER.replace("payments/ledger", "tax"),
            "imports/billing.jsonl": BILLING,
        },
        issues="""\
E023 a -> relation to 'billing::payments/ledgr': import 'billing' has no such node.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Existing nodes of billing at c0ffeec0ffee: payments, payments/ledger
  Did you mean 'billing::payments/ledger'?
E023 b -> relation to 'billing::tax': import 'billing' has no such node.
  .yggdrasil/model/b/yg-node.yaml:4:14
  Existing nodes of billing at c0ffeec0ffee: payments, payments/ledger
  Correct the path; if the node is newer than this: yg import update billing
""",
    ),
    Case(
        code="E023",
        name="many nodes, and an inventory without a commit",
        files={
            "model/a/yg-node.yaml": CALLS_LEDGER.replace("payments/ledger", "tax"),
            "imports/billing.jsonl": billing_import(
                *(published(f"n{at:02}") for at in range(10)), commit=""
            ),
        },
        issues="""\
E023 a -> relation to 'billing::tax': import 'billing' has no such node.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Existing nodes of billing: n00, n01, n02, n03, n04, n05, n06, n07 and 2 more
  Correct the path; if the node is newer than this: yg import update billing
""",
    ),
    Case(
        code="E024",
        name="imports as they were written, also with the line ends of another system",
        files={
            "model/a/yg-node.yaml": CALLS_LEDGER,
            "model/b/yg-node.yaml": CALLS_LEDGER.replace("billing", "other"),
            "imports/billing.jsonl": BILLING.replace("\n", "\r\n"),
            "imports/other.jsonl": billing_import(contracts=False),
        },
    ),
    Case(
        code="E024",
        name="imports that were changed by hand, cut, or are something else",
        files={
            "model/a/yg-node.yaml": CALLS_LEDGER.replace("payments/ledger", "anything"),
            "imports/billing.jsonl": BILLING.replace("books", "box"),
            "imports/bytes.jsonl": b"\xff",
            "imports/commit.jsonl": BILLING.replace("c0ffee", "c0ffff"),
            "imports/cut.jsonl": BILLING[:-20],
            "imports/empty.jsonl": "",
            "imports/inventory.jsonl": inventory_text(billing()),
            "imports/later.jsonl": '{"format": "yg-inventory/2"}\n',
            "imports/merge.jsonl": f"<<<<<<< ours\n{BILLING}",
            "imports/source.jsonl": BILLING.replace("../billing", "/etc/passwd"),
            "yg-config.yaml": f"{CONFIG}rules: {{W026: off}}\n",
        },
        issues="""\
E024 imports/billing -> the import is damaged: the digest of 'payments/ledger' is wrong.
  .yggdrasil/imports/billing.jsonl:3:1
  Take it again: 'yg import update billing', or restore it from git.
E024 imports/bytes -> the import cannot be read: not UTF-8 at byte 0 (0xff).
  .yggdrasil/imports/bytes.jsonl
  Restore it from git, or take it again: 'yg import add bytes PATH'.
E024 imports/commit -> the import is damaged: its digest does not match its content.
  .yggdrasil/imports/commit.jsonl:1:1
  Take it again: 'yg import update commit', or restore it from git.
E024 imports/cut -> the import is damaged: not valid JSON.
  .yggdrasil/imports/cut.jsonl:3:1
  Take it again: 'yg import update cut', or restore it from git.
E024 imports/empty -> the import is damaged: not valid JSON.
  .yggdrasil/imports/empty.jsonl:1:1
  Restore it from git, or take it again: 'yg import add empty PATH'.
E024 imports/inventory -> the import is damaged: it has no source and digest.
  .yggdrasil/imports/inventory.jsonl:1:1
  Restore it from git, or take it again: 'yg import add inventory PATH'.
E024 imports/later -> the import is damaged: its format is 'yg-inventory/2', not yg-inventory/1.
  .yggdrasil/imports/later.jsonl:1:1
  Restore it from git, or take it again: 'yg import add later PATH'.
E024 imports/merge -> the import has an unresolved merge conflict.
  .yggdrasil/imports/merge.jsonl:1:1
  Take it again: 'yg import update merge', or restore it from git.
E024 imports/source -> the import is damaged: its digest does not match its content.
  .yggdrasil/imports/source.jsonl:1:1
  Take it again: 'yg import update source', or restore it from git.
""",
    ),
    Case(
        code="E025",
        name="marks that start no conflict",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": f"{FIFTY}<<<<<<<\n <<<<<<< HEAD\n=======\n>>>>>>> x\n",
            "model/a/yg-node.yaml.orig": CONFLICT,
        },
        issues="""\
W018 a -> 'yg-node.yaml.orig' is not a configured artifact, so no package includes it.
  .yggdrasil/model/a/yg-node.yaml.orig
  Configured artifacts: responsibility.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
""",
    ),
    Case(
        code="E025",
        name="every kind of declaration and text",
        files={
            "model/a/yg-node.yaml": CONFLICT,
            "model/b/yg-node.yaml": NODE,
            "model/b/responsibility.md": f"{FIFTY}\n<<<<<<< HEAD\n{FIFTY}<<<<<<< HEAD\n",
            "aspects/x/yg-aspect.yaml": f"{ASPECT}<<<<<<< HEAD\nstability: [\n",
            "aspects/y/yg-aspect.yaml": ASPECT,
            "aspects/y/content.md": "<<<<<<< HEAD",
            "flows/f/yg-flow.yaml": "name: F\nnodes: [b]\n\n<<<<<<< HEAD\n",
            "flows/g/yg-flow.yaml": "name: F\nnodes: [b]\n",
            "flows/g/description.md": f"{DESCRIPTION}<<<<<<< HEAD\n",
        },
        issues="""\
E025 aspects/x -> unresolved merge conflict.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:1
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
E025 aspects/y -> unresolved merge conflict.
  .yggdrasil/aspects/y/content.md:1:1
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
E025 flows/f -> unresolved merge conflict.
  .yggdrasil/flows/f/yg-flow.yaml:4:1
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
E025 flows/g -> unresolved merge conflict.
  .yggdrasil/flows/g/description.md:8:1
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
E025 a -> unresolved merge conflict.
  .yggdrasil/model/a/yg-node.yaml:1:1
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
E025 b -> unresolved merge conflict.
  .yggdrasil/model/b/responsibility.md:3:1
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
""",
    ),
    Case(
        code="E025",
        name="the configuration",
        files={"yg-config.yaml": f"{CONFIG}<<<<<<< HEAD\n"},
        issues="""\
E025 yg-config.yaml -> unresolved merge conflict.
  .yggdrasil/yg-config.yaml:6:1
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
""",
    ),
    Case(
        code="E026",
        name="files, sections by title and by anchor, an artifact, and names with a number sign",
        files={
            "model/a/yg-node.yaml": f"{NODE}documents: [docs/a.md, 'README.md#the prices', "
            "'README.md#prices-1', './C#/x.md#F# code', 'a#b']\n"
            "artifacts: {responsibility.md: 'README.md#The Prices'}\n",
            "aspects/x/yg-aspect.yaml": f"{ASPECT}documents: [docs/a.md]\n",
        },
        sources={
            "docs/a.md": "text\n",
            "README.md": f"# Prices\n# The Prices\n{FIFTY}## More\n# Prices\n",
            "C#/x.md": "# F# code\n",
            "a#b": "text",
        },
    ),
    Case(
        code="E026",
        name="paths that lead nowhere, or to no text",
        files={
            "model/a/yg-node.yaml": f"{NODE}documents:\n  - docs/pricng.md#Rounding\n"
            "  - ../x.md\n  - /etc/passwd\n  - .yggdrasil/yg-config.yaml\n  - docs\n"
            "  - docs/link.md\n  - gone/x.md\n  - docs/picture.png\n  - docs/ignored.md\n",
        },
        sources={
            "docs/pricing.md": "",
            "docs/link.md": Kind.LINK,
            "docs/picture.png": b"\x89PNG\0",
            "docs/ignored.md": "",
        },
        ignored=frozenset({"docs/ignored.md"}),
        issues="""\
E026 a -> document 'docs/pricng.md' does not exist.
  .yggdrasil/model/a/yg-node.yaml:4:5
  Did you mean 'docs/pricing.md#Rounding'?
E026 a -> document '../x.md' leaves the repository.
  .yggdrasil/model/a/yg-node.yaml:5:5
  Write the path of a text in this repository, relative to its root.
E026 a -> document '/etc/passwd' is absolute.
  .yggdrasil/model/a/yg-node.yaml:6:5
  Write the path of a text in this repository, relative to its root.
E026 a -> document '.yggdrasil/yg-config.yaml' lies inside .yggdrasil/.
  .yggdrasil/model/a/yg-node.yaml:7:5
  Write the path of a text in this repository, relative to its root.
E026 a -> document 'docs' is a directory.
  .yggdrasil/model/a/yg-node.yaml:8:5
  List the files that matter.
E026 a -> document 'docs/link.md' is a link.
  .yggdrasil/model/a/yg-node.yaml:9:5
  Write the path of a text in this repository, relative to its root.
E026 a -> document 'gone/x.md' does not exist.
  .yggdrasil/model/a/yg-node.yaml:10:5
  Write the path of a text in this repository, relative to its root.
E026 a -> document 'docs/picture.png' is binary.
  .yggdrasil/model/a/yg-node.yaml:11:5
  List files of text.
E026 a -> document 'docs/ignored.md' is ignored by git.
  .yggdrasil/model/a/yg-node.yaml:12:5
  Let git track it.
""",
    ),
    Case(
        code="E026",
        name="a heading that is gone, two texts for one artifact, a folder that does not exist",
        files={
            "yg-config.yaml": f"{CONFIG}decisions: {{paths: [docs/adr, ../x]}}\n",
            "model/a/yg-node.yaml": f"{NODE}artifacts: {{responsibility.md: README.md}}\n",
            "model/a/responsibility.md": FIFTY,
            "aspects/x/yg-aspect.yaml": f"{ASPECT}documents: ['README.md#Rouding']\n",
        },
        sources={"README.md": "# Rounding\n# Other\n"},
        issues="""\
E026 aspects/x -> 'README.md' has no heading 'Rouding'.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:13
  Did you mean 'Rounding'?
E026 a -> 'responsibility.md' is a file of the node, and a document stands for it.
  .yggdrasil/model/a/yg-node.yaml:3:13
  Remove the file, or the entry under 'artifacts'.
E026 yg-config.yaml -> 'docs/adr' is not a folder of this repository.
  .yggdrasil/yg-config.yaml:6:21
  Name the folder of the decision records, relative to the repository.
E026 yg-config.yaml -> '../x' leaves the repository.
  .yggdrasil/yg-config.yaml:6:31
  Name the folder of the decision records, relative to the repository.
W002 a -> artifact 'responsibility.md' has 18 characters (minimum: 50).
  README.md
  Write what a newcomer needs to know.
""",
    ),
    Case(
        code="W031",
        name="decisions in force",
        files={
            "yg-config.yaml": f"{CONFIG}decisions: {{paths: [adr]}}\n",
            "model/a/yg-node.yaml": f"{NODE}decisions: [7, '0008']\n",
            "aspects/x/yg-aspect.yaml": f"{ASPECT}decisions: [7]\n",
        },
        sources={
            "adr/adr-007-cents.md": "# Cents\n",
            "adr/0008-x.md": "# 8. Proposed\n\n## Status\n\nProposed\n",
        },
    ),
    Case(
        code="W031",
        name="decisions that are gone, taken back, or in a circle",
        files={
            "model/a/yg-node.yaml": f"{NODE}decisions: [1, 2, 3, 4, 5, 9]\n",
            "aspects/x/yg-aspect.yaml": f"{ASPECT}decisions: [6]\n",
        },
        sources={
            "docs/adr/0001-a.md": "# 1. A\n\n## Status\n\nSuperceded by [2. B](0002-b.md)\n",
            "docs/adr/0002-b.md": "---\nstatus: superseded by [ADR-0007](0007-g.md)\n---\n# B\n",
            "docs/adr/0003-c.md": "# C\n\n* Status: superseded by 3\n",
            "docs/adr/0004-d.md": "---\nsuperseded-by: [5]\n---\n# D\n",
            "docs/adr/0005-e.md": "# E\n\nStatus: Superseded by ADR-0004\n",
            "docs/adr/0006-f.md": "# F\n\n## Status\n\nDeprecated.\n",
            "docs/adr/0007-g.md": "# G\n",
        },
        issues="""\
W031 aspects/x -> decision 6 (F) is deprecated.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:13
  Remove it from the list, or list what replaced it.
W031 a -> decision 1 (A) is superceded by 2. B.
  .yggdrasil/model/a/yg-node.yaml:3:13
  Replaced by decision 7 (by way of 2): G (accepted), docs/adr/0007-g.md
W031 a -> decision 2 (B) is superseded by ADR-0007.
  .yggdrasil/model/a/yg-node.yaml:3:16
  Replaced by decision 7: G (accepted), docs/adr/0007-g.md
W031 a -> decision 3 (C) is superseded by 3.
  .yggdrasil/model/a/yg-node.yaml:3:19
  Its successors, from decision 3 on, form a circle: correct one.
W031 a -> decision 4 (D) is superseded.
  .yggdrasil/model/a/yg-node.yaml:3:22
  Its successors, from decision 5 on, form a circle: correct one.
W031 a -> decision 5 (E) is superseded by ADR-0004.
  .yggdrasil/model/a/yg-node.yaml:3:25
  Its successors, from decision 4 on, form a circle: correct one.
W031 a -> decision 9 does not exist.
  .yggdrasil/model/a/yg-node.yaml:3:28
  Looked for in docs/adr; 'decisions.paths' in yg-config.yaml names other folders.
""",
    ),
    Case(
        code="W026",
        name="an import that an event needs",
        files={
            "model/a/yg-node.yaml": CALLS_LEDGER.replace("calls", "listens"),
            "imports/billing.jsonl": BILLING,
        },
    ),
    Case(
        code="W026",
        name="an import that nobody needs",
        files={
            "model/a/yg-node.yaml": calls("billing"),
            "model/billing/yg-node.yaml": NODE,
            "imports/billing.jsonl": BILLING,
        },
        issues="""\
W026 imports/billing -> no node uses the import.
  .yggdrasil/imports/billing.jsonl
  Declare a relation to 'billing::NODE', or delete .yggdrasil/imports/billing.jsonl.
""",
    ),
    Case(
        code="W026",
        name="a node that cannot be read may use the import",
        files={
            "model/a/yg-node.yaml": f"{CALLS_LEDGER}relations: [\n",
            "imports/billing.jsonl": BILLING,
        },
        issues="""\
E001 a -> not valid YAML: '[' is not closed.
  .yggdrasil/model/a/yg-node.yaml:5:12
  Add the missing ']'.
""",
    ),
    Case(
        code="W027",
        name="texts, one of them with a NUL far down",
        files={
            "model/a/yg-node.yaml": carries("x"),
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/content.md": "x" * 8_000 + "\0",
        },
    ),
    Case(
        code="W027",
        name="binary files of an aspect and of a flow",
        files={
            "model/a/yg-node.yaml": carries("x"),
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/diagram.png": b"\x89PNG\0" + b"\xff" * 12_000,
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/description.md": "\0",
        },
        issues="""\
W027 aspects/x -> 'diagram.png' is binary, so packages leave it out.
  .yggdrasil/aspects/x/diagram.png
  Describe in a text what the file shows, and keep the file outside the graph.
W027 flows/f -> 'description.md' is binary, so packages leave it out.
  .yggdrasil/flows/f/description.md
  Describe in a text what the file shows, and keep the file outside the graph.
""",
    ),
    Case(
        code="E021",
        name="a binary artifact, and a text of another encoding beside binary files",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": f"{FIFTY}\0",
            "model/b/yg-node.yaml": "name: N\0\n",
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/content.md": b"caf\xe9",
        },
        issues="""\
E021 aspects/x -> 'content.md' cannot be read: not UTF-8 at byte 3 (0xe9).
  .yggdrasil/aspects/x/content.md
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 a -> 'responsibility.md' cannot be read: binary, with a NUL at byte 51.
  .yggdrasil/model/a/responsibility.md
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
E021 b -> 'yg-node.yaml' cannot be read: binary, with a NUL at byte 7.
  .yggdrasil/model/b/yg-node.yaml
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
""",
    ),
    Case(
        code="W028",
        name="entries that differ in target, type or event name",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}relations:
  - {{target: b, type: calls}}
  - {{target: b, type: uses}}
  - {{target: c, type: calls}}
  - {{target: b, type: emits, event_name: One}}
  - {{target: b, type: emits, event_name: Two}}
""",
            "model/b/yg-node.yaml": NODE + LISTENS,
            "model/c/yg-node.yaml": NODE,
        },
    ),
    Case(
        code="W028",
        name="each kind of entry, more than once",
        files={
            "model/a/yg-node.yaml": f"""\
{NODE}aspects:
  - aspect: x
  - {{aspect: x, exceptions: [One]}}
relations:
  - {{target: b, type: calls, consumes: [charge]}}
  - {{target: b, type: emits, event_name: Done}}
  - {{target: b, type: calls, consumes: [refund]}}
  - {{target: b, type: calls, failure: Give up}}
  - {{target: b, type: emits, event_name: Done}}
""",
            "model/b/yg-node.yaml": NODE + LISTENS,
            "aspects/x/yg-aspect.yaml": f"{ASPECT}implies: [y, y]\n",
            "aspects/y/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": "name: F\nnodes: [a, b, a]\naspects: [x, x]\n",
            "flows/f/description.md": DESCRIPTION,
        },
        issues="""\
W028 aspects/x -> implied aspect 'y' is listed twice.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:14
  Keep one entry.
W028 flows/f -> participant 'a' is listed twice.
  .yggdrasil/flows/f/yg-flow.yaml:2:15
  Keep one entry.
W028 flows/f -> aspect 'x' is listed twice.
  .yggdrasil/flows/f/yg-flow.yaml:3:14
  Keep one entry.
W028 a -> aspect 'x' is listed twice.
  .yggdrasil/model/a/yg-node.yaml:5:14
  Merge the entries into one; until then they are read as one.
W028 a -> relation 'calls' to 'b' is listed 3 times.
  .yggdrasil/model/a/yg-node.yaml:9:14
  Merge the entries into one; until then they are read as one.
W028 a -> relation 'emits Done' to 'b' is listed twice.
  .yggdrasil/model/a/yg-node.yaml:11:14
  Merge the entries into one; until then they are read as one.
""",
    ),
    Case(
        code="W018",
        name="files without a declaration in each tree",
        files={
            "model/notes.md": "",
            "model/a/yg-node.yaml": NODE,
            "aspects/README.md": "",
            "aspects/group/README.md": "",
            "aspects/group/x/yg-aspect.yaml": ASPECT,
            "aspects/group/x/img/deep/more.md": "",
            "flows/README.md": "",
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/description.md": DESCRIPTION,
            "flows/f/img/more.md": "",
        },
        issues="""\
W018 aspects -> no package includes 'README.md': its directory has no yg-aspect.yaml.
  .yggdrasil/aspects/README.md
  Move it next to a declaration, or remove it.
W018 aspects/group -> no package includes 'README.md': its directory has no yg-aspect.yaml.
  .yggdrasil/aspects/group/README.md
  Move it next to a declaration, or remove it.
W018 aspects/group/x/img/deep -> no package includes 'more.md': its directory has no yg-aspect.yaml.
  .yggdrasil/aspects/group/x/img/deep/more.md
  Move it next to a declaration, or remove it.
W018 flows -> no package includes 'README.md': its directory has no yg-flow.yaml.
  .yggdrasil/flows/README.md
  Move it next to a declaration, or remove it.
W018 flows/f/img -> no package includes 'more.md': its directory has no yg-flow.yaml.
  .yggdrasil/flows/f/img/more.md
  Move it next to a declaration, or remove it.
W018 model -> no package includes 'notes.md': its directory has no yg-node.yaml.
  .yggdrasil/model/notes.md
  Move it next to a declaration, or remove it.
""",
    ),
    Case(
        code="E018",
        name="directories without a declaration, in the tree and in a group",
        files={
            "aspects/x/content.md": "",
            "aspects/group/x/yg-aspect.yaml": ASPECT,
            "aspects/group/y/content.md": "",
            "flows/f/description.md": "",
        },
        issues="""\
E018 aspects/group/y -> has files but no yg-aspect.yaml.
  .yggdrasil/aspects/group/y
  Add a yg-aspect.yaml with a 'name', or move the files elsewhere.
E018 aspects/x -> has files but no yg-aspect.yaml.
  .yggdrasil/aspects/x
  Add a yg-aspect.yaml with a 'name', or move the files elsewhere.
E019 flows/f -> has files but no yg-flow.yaml.
  .yggdrasil/flows/f
  Add a yg-flow.yaml with 'name' and 'nodes', or move the files elsewhere.
""",
    ),
    Case(
        code="W012",
        name="patterns instead of paths",
        files={"model/a/yg-node.yaml": maps("src/*.py", "'**/x.py'", "lib/new.py")},
        sources={"src/a.py": ""},
        issues="""\
W012 a -> mapping path 'src/*.py' does not exist.
  .yggdrasil/model/a/yg-node.yaml:5:7
  Globs are not supported: map the directory 'src' or list the files.
W012 a -> mapping path '**/x.py' does not exist.
  .yggdrasil/model/a/yg-node.yaml:6:7
  Globs are not supported: map the directory or list the files.
W012 a -> mapping path 'lib/new.py' is not written yet.
  .yggdrasil/model/a/yg-node.yaml:7:7
  Write it, or correct the path if the file exists elsewhere.
""",
    ),
    Case(
        code="W014",
        name="an anchor of a node that is not written yet",
        files={
            "model/a/yg-node.yaml": NODE
            + "aspects: [{aspect: x, anchors: [audit]}]\nmapping: {paths: [src/a.py]}\n",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
        issues="""\
W012 a -> mapping path 'src/a.py' is not written yet.
  .yggdrasil/model/a/yg-node.yaml:4:19
  Write it, or correct the path if the file exists elsewhere.
""",
    ),
    Case(
        code="W015",
        name="a happy path by another name, in another section",
        files={
            "model/a/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": FLOW,
            "flows/f/description.md": DESCRIPTION.replace("### Happy path\n", "")
            + "#### The HAPPY PATH, in short\n",
        },
    ),
    Case(
        code="W002",
        name="a blackbox",
        files={"model/b/yg-node.yaml": boxed(NODE), "model/b/responsibility.md": ""},
    ),
    Case(
        code="E001",
        name="the commonest slips",
        files={
            "model/a/yg-node.yaml": NODE + "aspects: [x]\nmapping: [a.py, b.py]\n",
            "model/b/yg-node.yaml": "name: [",
            "model/c/yg-node.yaml": NODE + "mapping: a.py\nrelations: [b]\n",
            "model/d/yg-node.yaml": NODE + "mapping: [a, b, c, d]\n",
            "model/e/yg-node.yaml": NODE + "mapping: [{file: a}]\n",
            "model/f/yg-node.yaml": maps("*.py"),
        },
        issues="""\
E001 a -> each item of 'aspects' must be a mapping, found text.
  .yggdrasil/model/a/yg-node.yaml:3:11
  Write '- aspect: x'.
E001 a -> 'mapping' must be a mapping, found a list.
  .yggdrasil/model/a/yg-node.yaml:4:10
  Write 'mapping: {paths: [a.py, b.py]}'.
E001 b -> not valid YAML: '[' is not closed.
  .yggdrasil/model/b/yg-node.yaml:1:7
  Add the missing ']'.
E001 c -> 'mapping' must be a mapping, found text.
  .yggdrasil/model/c/yg-node.yaml:3:10
  Write 'mapping: {paths: [a.py]}'.
E001 c -> each item of 'relations' must be a mapping, found text.
  .yggdrasil/model/c/yg-node.yaml:4:13
  Write '- {target: b, type: uses}'.
E001 d -> 'mapping' must be a mapping, found a list.
  .yggdrasil/model/d/yg-node.yaml:3:10
  Write 'mapping: {paths: [a, b, c, ..]}'.
E001 e -> 'mapping' must be a mapping, found a list.
  .yggdrasil/model/e/yg-node.yaml:3:10
  List the files or directories under 'paths'.
E001 f -> not valid YAML: a text that starts with '*'.
  .yggdrasil/model/f/yg-node.yaml:5:7
  Put it in quotes.
""",
    ),
    Case(
        code="E012",
        name="an error threshold alone, below the standard warning",
        files={"yg-config.yaml": f"{CONFIG}quality: {{context_budget: {{error: 5000}}}}\n"},
        issues="""\
E012 yg-config.yaml -> 'error' (5000) must not be below 'warning' (10000).
  .yggdrasil/yg-config.yaml:6:27
  'warning' is not set, so it is 10000, the default. Set it as well.
""",
    ),
    Case(
        code="E004",
        name="suggestions by parts, by name, and never the node itself",
        files={
            "model/payments/yg-node.yaml": NODE,
            "model/payments/payment-service/yg-node.yaml": calls("payments/payment-servce"),
            "model/payments/ledger/yg-node.yaml": "name: GeneralLedger\ntype: service\n",
            "model/orders/yg-node.yaml": calls("payment/svc", "GeneralLedger", "x/PaymentService"),
        },
        issues="""\
E004 orders -> relation to 'payment/svc' does not resolve.
  .yggdrasil/model/orders/yg-node.yaml:4:14
  Existing nodes in payments/: ledger, payment-service
  Did you mean 'payments/payment-service'?
E004 orders -> relation to 'GeneralLedger' does not resolve.
  .yggdrasil/model/orders/yg-node.yaml:5:14
  Existing nodes in model/: payments
  Did you mean 'payments/ledger'?
E004 orders -> relation to 'x/PaymentService' does not resolve.
  .yggdrasil/model/orders/yg-node.yaml:6:14
  Existing nodes in payments/: ledger, payment-service
  Did you mean 'payments/payment-service'?
E004 payments/payment-service -> relation to 'payments/payment-servce' does not resolve.
  .yggdrasil/model/payments/payment-service/yg-node.yaml:4:14
  Existing nodes in payments/: ledger
""",
    ),
)


def with_code(settings: str = "", artifacts: str = "") -> str:
    """Write a configuration with a `code` section."""
    return f"{CONFIG}{artifacts}code: {{{settings}}}\n"


INTERFACE = "  interface.md: {description: What others rely on}\n"
SHOP: dict[str, Content] = {
    "yg-config.yaml": with_code(),
    "model/orders/yg-node.yaml": maps("src/orders"),
    "model/pay/yg-node.yaml": maps("src/pay"),
}
IMPORTING: dict[str, Content] = {
    "src/orders/__init__.py": "from pay.till import Till, open_till\nimport pay.money\n",
    "src/orders/more.py": "from pay import money\nimport pay.till\n",
    "src/pay/__init__.py": "",
    "src/pay/till.py": "class Till:\n    def close(self): ...\n",
    "src/pay/money.py": "",
}
BOTH_WAYS: dict[str, Content] = {
    "src/orders/__init__.py": "import pay\n",
    "src/pay/__init__.py": "import orders\n",
}
USES_PAY = "relations: [{target: pay, type: uses}]\n"
CODE = (
    Case(
        code="W021",
        name="one issue for all imports of a node, with the relation to add",
        files=SHOP,
        sources=IMPORTING,
        issues="""\
W021 orders -> imports 'pay' without a relation to it.
  .yggdrasil/model/orders/yg-node.yaml
  Imported at src/orders/__init__.py:1, src/orders/__init__.py:2, src/orders/more.py:1 and 1 more.
  Add to 'relations' of 'orders':
    - target: pay
      type: uses
      consumes: [Till, open_till]
""",
    ),
    Case(
        code="W021",
        name="two directions that nobody declares",
        files=SHOP,
        sources=BOTH_WAYS,
        issues="""\
W021 orders -> imports 'pay' without a relation to it.
  .yggdrasil/model/orders/yg-node.yaml
  Imported at src/orders/__init__.py:1.
  Add to 'relations' of 'orders':
    - target: pay
      type: uses
W021 pay -> imports 'orders' without a relation to it.
  .yggdrasil/model/pay/yg-node.yaml
  Imported at src/pay/__init__.py:1.
  Add to 'relations' of 'pay':
    - target: orders
      type: uses
""",
    ),
    Case(
        code="W021",
        name="no code section",
        files={**SHOP, "yg-config.yaml": CONFIG},
        sources=IMPORTING,
    ),
    Case(
        code="W021",
        name="imports are off",
        files={**SHOP, "yg-config.yaml": with_code("imports: off")},
        sources=IMPORTING,
    ),
    Case(
        code="W021",
        name="a declared import",
        files={**SHOP, "model/orders/yg-node.yaml": maps("src/orders") + USES_PAY},
        sources=IMPORTING,
    ),
    Case(
        code="W021",
        name="relations of and to ancestors",
        files={
            "yg-config.yaml": with_code(),
            "model/shop/yg-node.yaml": NODE + USES_PAY,
            "model/shop/orders/yg-node.yaml": maps("src/orders"),
            "model/pay/yg-node.yaml": NODE,
            "model/pay/till/yg-node.yaml": maps("src/pay"),
        },
        sources=IMPORTING,
    ),
    Case(
        code="W021",
        name="an ancestor and a descendant",
        files={
            "yg-config.yaml": with_code(),
            "model/pay/yg-node.yaml": maps("src/pay"),
            "model/pay/orders/yg-node.yaml": maps("src/orders"),
        },
        sources=BOTH_WAYS,
    ),
    Case(
        code="W021",
        name="an accepted import",
        files={
            **SHOP,
            "yg-config.yaml": with_code("accepted: [{from: orders, to: pay, reason: for now}]"),
        },
        sources=IMPORTING,
    ),
    Case(
        code="W021",
        name="nodes of exempt types, and blackbox nodes",
        files={
            "yg-config.yaml": with_code("exempt_types: [tool]").replace(
                "node_types:\n", "node_types:\n  tool: {description: A tool}\n"
            ),
            "model/orders/yg-node.yaml": maps("src/orders").replace("service", "tool"),
            "model/pay/yg-node.yaml": boxed(maps("src/pay")),
        },
        sources=BOTH_WAYS,
    ),
    Case(
        code="W021",
        name="ignored files",
        files={**SHOP, "yg-config.yaml": with_code("ignore: [/src/orders/]")},
        sources=IMPORTING,
    ),
    Case(
        code="W021",
        name="imports for types only",
        files=SHOP,
        sources={
            **BOTH_WAYS,
            "src/pay/__init__.py": "",
            "src/orders/__init__.py": "if TYPE_CHECKING:\n    import pay\n",
        },
    ),
    Case(
        code="W021",
        name="imports for types only that count",
        files={**SHOP, "yg-config.yaml": with_code("type_only: count")},
        sources={
            "src/pay/__init__.py": "",
            "src/orders/__init__.py": "if TYPE_CHECKING:\n    import pay\n",
        },
        issues="""\
W021 orders -> imports 'pay' without a relation to it.
  .yggdrasil/model/orders/yg-node.yaml
  Imported at src/orders/__init__.py:2.
  Add to 'relations' of 'orders':
    - target: pay
      type: uses
""",
    ),
    Case(
        code="W021",
        name="a package of several owners, and one of a single owner",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": maps("main.go"),
            "model/b/yg-node.yaml": maps("one/b.go"),
            "model/c/yg-node.yaml": maps("one/c.go"),
            "model/d/yg-node.yaml": maps("two/d.go"),
            "model/e/yg-node.yaml": maps("two/d_test.go"),
        },
        sources={
            "go.mod": "module shop\n",
            "main.go": 'package main\n\nimport "shop/one"\nimport "shop/two"\n',
            "one/b.go": "package one\n",
            "one/c.go": "package one\n",
            "two/d.go": "package two\n",
            "two/d_test.go": "package two\n",
        },
        issues="""\
W021 a -> imports 'd' without a relation to it.
  .yggdrasil/model/a/yg-node.yaml
  Imported at main.go:4.
  Add to 'relations' of 'a':
    - target: d
      type: uses
""",
    ),
    Case(
        code="W021",
        name="other roots",
        files={**SHOP, "yg-config.yaml": with_code("roots: [lib/]")},
        sources=IMPORTING,
    ),
    Case(
        code="W022",
        name="an import against the relations",
        files={
            "yg-config.yaml": with_code(),
            "model/orders/yg-node.yaml": maps("src/orders") + USES_PAY,
            "model/pay/yg-node.yaml": maps("src/pay"),
        },
        sources=BOTH_WAYS,
        issues="""\
W022 pay -> imports 'orders', which depends on it.
  .yggdrasil/model/pay/yg-node.yaml
  Imported at src/pay/__init__.py:1.
  A relation would close a cycle (E010): move the imported code to a node that both may use,
  or reverse the relations that lead from 'orders' to this node.
  If the import has to stay, add to 'code.accepted' in yg-config.yaml:
    - {from: pay, to: orders, reason: ..}
""",
    ),
    Case(
        code="W022",
        name="an accepted import against the relations",
        files={
            "yg-config.yaml": with_code("accepted: [{from: pay, to: orders, reason: for now}]"),
            "model/orders/yg-node.yaml": maps("src/orders") + USES_PAY,
            "model/pay/yg-node.yaml": maps("src/pay"),
        },
        sources=BOTH_WAYS,
    ),
    Case(
        code="W023",
        name="names that the code and the texts lack",
        files={
            **SHOP,
            "model/orders/yg-node.yaml": maps("src/orders")
            + "relations: [{target: pay, type: uses,"
            " consumes: [Tild, Till.vanished, shut_down()]}]\n",
        },
        sources=IMPORTING,
        issues="""\
W023 orders -> consumes 'Tild', which 'pay' does not have.
  .yggdrasil/model/orders/yg-node.yaml:6:50
  Did you mean 'Till' or 'till'?
W023 orders -> consumes 'Till.vanished', which 'pay' does not have.
  .yggdrasil/model/orders/yg-node.yaml:6:56
  Correct it, or describe it in the texts of 'pay'.
W023 orders -> consumes 'shut_down()', which 'pay' does not have.
  .yggdrasil/model/orders/yg-node.yaml:6:71
  Correct it, or describe it in the texts of 'pay'.
""",
    ),
    Case(
        code="W023",
        name="a name that is now another, which the code imports",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": maps("src/a.py")
            + "relations: [{target: b, type: uses, consumes: [ExactMath, other]}]\n",
            "model/b/yg-node.yaml": maps("src/b.py"),
        },
        sources={
            "src/a.py": "from src.b import SafeSum, other\n",
            "src/b.py": "class SafeSum: ...\ndef other(): ...\n",
        },
        issues="""\
W023 a -> consumes 'ExactMath', which 'b' does not have.
  .yggdrasil/model/a/yg-node.yaml:6:48
  Did you mean 'SafeSum'?
""",
    ),
    Case(
        code="W023",
        name="a name that the code imports from another node",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": maps("src/a.py")
            + "relations:\n  - {target: b, type: uses, consumes: [Total]}\n"
            "  - {target: c, type: uses}\n",
            "model/b/yg-node.yaml": maps("src/b.py"),
            "model/c/yg-node.yaml": maps("src/c.py"),
        },
        sources={
            "src/a.py": "from src.c import Total\n",
            "src/b.py": "class Totals: ...\n",
            "src/c.py": "class Total: ...\n",
        },
        issues="""\
W023 a -> consumes 'Total', which 'b' does not have.
  .yggdrasil/model/a/yg-node.yaml:7:40
  The code imports it from 'c'.
""",
    ),
    Case(
        code="W023",
        name="public names, their last parts, modules, texts, and what is not a name",
        files={
            **SHOP,
            "model/orders/yg-node.yaml": maps("src/orders")
            + "relations: [{target: pay, type: uses,"
            " consumes: [Till, close(), pay.Till.close, money, refund, POST /pay]}]\n",
            "model/pay/responsibility.md": f"{FIFTY}It can refund.\n",
        },
        sources=IMPORTING,
    ),
    Case(
        code="W023",
        name="names that the code declares but does not make public",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": NODE
            + "relations: [{target: b, type: uses, consumes: [_try, refund, Till._open, lost]}]\n",
            "model/b/yg-node.yaml": maps("src/b.py"),
        },
        sources={
            "src/b.py": "__all__ = ['Till']\ndef _try(): ...\ndef refund(): lost = 1\n"
            "class Till:\n    def _open(self): ...\n"
        },
        issues="""\
W023 a -> consumes 'lost', which 'b' does not have.
  .yggdrasil/model/a/yg-node.yaml:3:74
  Correct it, or describe it in the texts of 'b'.
""",
    ),
    Case(
        code="W023",
        name="names that code imports from where they are not declared",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": maps("src/a.py")
            + "relations: [{target: b, type: uses, consumes: [LONGEST, Base, other, gone]}]\n",
            "model/b/yg-node.yaml": maps("src/b.py"),
        },
        sources={
            "src/a.py": "from src.b import Base, LONGEST, gone\n",
            "src/b.py": "from threading import TIMEOUT_MAX as LONGEST\n__all__ = ['Task']\n"
            "class Task: ...\nBase = Task\nother = 1\n",
        },
        issues="""\
W023 a -> consumes 'other', which 'b' does not have.
  .yggdrasil/model/a/yg-node.yaml:6:63
  Correct it, or describe it in the texts of 'b'.
W023 a -> consumes 'gone', which 'b' does not have.
  .yggdrasil/model/a/yg-node.yaml:6:70
  Correct it, or describe it in the texts of 'b'.
""",
    ),
    Case(
        code="W023",
        name="a target without code",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": NODE
            + "relations: [{target: b, type: uses, consumes: [gone]}]\n",
            "model/b/yg-node.yaml": NODE,
        },
    ),
    Case(
        code="W024",
        name="names that no code has, in texts of nodes, aspects and flows",
        files={
            "yg-config.yaml": with_code(artifacts=INTERFACE),
            "model/orders/yg-node.yaml": maps("src/orders.py"),
            "model/orders/interface.md": "`place(order)`, `cancel()`, `Order.sum` and `x[0]`.\n"
            "`cancel` again, as in `cancel(order)`; not ``code`` or `two words`.\n",
            "aspects/audit/yg-aspect.yaml": ASPECT,
            "aspects/audit/content.md": "Call `write_log` first.\n",
            "flows/buy/yg-flow.yaml": "name: Buy\nnodes: [orders]\n",
            "flows/buy/description.md": f"{DESCRIPTION}Then `places(order)`.\n",
        },
        sources={"src/orders.py": "# cancel\nclass Order: ...\ndef place(order): ...\n"},
        issues="""\
W024 aspects/audit -> content.md names 'write_log', which is not in the code.
  .yggdrasil/aspects/audit/content.md:1:6
  Correct or remove it.
W024 flows/buy -> description.md names 'places(order)', which is not in the code.
  .yggdrasil/flows/buy/description.md:8:6
  Did you mean 'place'?
W024 orders -> interface.md names 'cancel()', which is not in the code.
  .yggdrasil/model/orders/interface.md:1:17
  Correct or remove it.
W024 orders -> interface.md names 'Order.sum', which is not in the code.
  .yggdrasil/model/orders/interface.md:1:29
  Correct or remove it.
""",
    ),
    Case(
        code="W024",
        name="names in any code, of every program, of files, of the graph and of settings",
        files={
            "yg-config.yaml": with_code(artifacts=INTERFACE),
            "model/orders/yg-node.yaml": maps("src/orders.py"),
            "model/orders/interface.md": "`place`, `orders.place(x)`, `event`, `None`,\n"
            "`dict[str]`, `config.yaml`, `Cart.total`, `n`, `smtplib.SMTP`, `pay`, `max_size`.\n"
            "```\n`anything` in a block\n```\n",
            "model/pay/yg-node.yaml": NODE,
        },
        sources={
            "src/orders.py": 'def place(order):\n    send("event.placed")\n',
            "lib/unowned.py": "class Cart:\n    def total(self): ...\n",
            "settings.toml": "max_size = 3\n",
        },
    ),
    Case(
        code="W024",
        name="a graph that does not read code, and a draft",
        files={
            "model/a/yg-node.yaml": maps("src/a.py"),
            "model/a/responsibility.md": f"{FIFTY}`gone_for_good`\n",
        },
        sources={"src/a.py": "a = 1\n"},
    ),
    Case(
        code="W030",
        name="paths that lead nowhere",
        files={
            "model/orders/yg-node.yaml": maps("src/orders/place.py"),
            "model/orders/responsibility.md": f"{FIFTY}See `src/orders/plaice.py:12`, `orders/x`,\n"
            "`src/old/` and `src/old` again.\n",
        },
        sources={"src/orders/place.py": ""},
        issues="""\
W030 orders -> responsibility.md names 'src/orders/plaice.py:12', which does not exist.
  .yggdrasil/model/orders/responsibility.md:2:5
  Did you mean 'src/orders/place.py'?
W030 orders -> responsibility.md names 'orders/x', which does not exist.
  .yggdrasil/model/orders/responsibility.md:2:32
  Did you mean 'orders'?
W030 orders -> responsibility.md names 'src/old/', which does not exist.
  .yggdrasil/model/orders/responsibility.md:3:1
  Correct or remove it.
""",
    ),
    Case(
        code="W030",
        name="files, directories, nodes, parts of paths, and what only looks like a path",
        files={
            "model/orders/yg-node.yaml": maps("src/orders/place.py"),
            "model/orders/more/yg-node.yaml": NODE,
            "model/orders/responsibility.md": f"{FIFTY}`src/orders/place.py:3-5`, `src/orders/`,\n"
            "`./src/orders`, `orders/more`, `orders/place.py`, `model/orders`,\n"
            "`and/or`, `src/*.py`, `src/NODE/x.py`, `src/../x`, `src/<a>/y`, `.git/config`.\n"
            "`.yggdrasil/model`\n"
            "```\n`src/gone.py`\n```\n",
        },
        sources={"src/orders/place.py": ""},
    ),
    Case(
        code="W025",
        name="a draft of a node, and one of an aspect",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": f"# A\n\n<!-- draft: replace this -->\n{FIFTY}",
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/content.md": f"<!-- draft: replace this -->\n{FIFTY}",
        },
        issues="""\
W025 aspects/x -> 'content.md' is still a draft.
  .yggdrasil/aspects/x/content.md:1:1
  Write what the code does not say, and remove the mark.
W025 a -> 'responsibility.md' is still a draft.
  .yggdrasil/model/a/responsibility.md:3:1
  Write what the code does not say, and remove the mark.
""",
    ),
    Case(
        code="W025",
        name="a text without the mark",
        files={
            "yg-config.yaml": with_code(),
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": f"A draft: replace this.\n{FIFTY}",
        },
    ),
    Case(
        code="E012",
        name="wrong values in the code section",
        files={
            "yg-config.yaml": f"""\
{CONFIG}code:
  imports: fatal
  type_only: true
  exempt_types: support
  roots: [../other]
  accepted:
    - {{from: a, to: b}}
    - {{from: a, to: b, reason: " "}}
    - a
""",
        },
        issues="""\
E012 yg-config.yaml -> 'imports' cannot be 'fatal'.
  .yggdrasil/yg-config.yaml:7:12
  Write one of: error, warning, off.
E012 yg-config.yaml -> 'type_only' cannot be true or false.
  .yggdrasil/yg-config.yaml:8:14
  Write one of: ignore, count.
E012 yg-config.yaml -> 'exempt_types' must be a list, found text.
  .yggdrasil/yg-config.yaml:9:17
  Write '- ' before each item, or put it in '[ ]'.
E012 yg-config.yaml -> root '../other' is outside the repository.
  .yggdrasil/yg-config.yaml:10:11
  Write folders of this repository, relative to its root.
E012 yg-config.yaml -> an entry of 'accepted' has no 'reason'.
  .yggdrasil/yg-config.yaml:12:7
  Add 'reason: ..'.
E012 yg-config.yaml -> 'reason' must not be empty.
  .yggdrasil/yg-config.yaml:13:32
  Write the text.
E012 yg-config.yaml -> an entry of 'accepted' must be a mapping, found text.
  .yggdrasil/yg-config.yaml:14:7
  Write '{from: NODE, to: NODE, reason: ..}'.
""",
    ),
    Case(
        code="E012",
        name="accepted imports of nodes that do not exist",
        files={
            **SHOP,
            "yg-config.yaml": with_code(
                "accepted: [{from: order, to: pay, reason: r}, {from: pay, to: x, reason: r}]"
            ),
        },
        sources={"src/orders/a.py": "", "src/pay/b.py": ""},
        issues="""\
E012 yg-config.yaml -> 'code.accepted' names 'order', which does not resolve.
  .yggdrasil/yg-config.yaml:6:26
  Existing nodes in model/: orders, pay
  Did you mean 'orders'?
E012 yg-config.yaml -> 'code.accepted' names 'x', which does not resolve.
  .yggdrasil/yg-config.yaml:6:70
  Existing nodes in model/: orders, pay
""",
    ),
    Case(
        code="W029",
        name="an accepted import that is declared, and one that does not exist",
        files={
            **SHOP,
            "yg-config.yaml": with_code(
                "accepted: [{from: orders, to: pay, reason: r}, {from: pay, to: orders, reason: r}]"
            ),
            "model/orders/yg-node.yaml": maps("src/orders") + USES_PAY,
        },
        sources=IMPORTING,
        issues="""\
W029 yg-config.yaml -> 'code.accepted' has 'orders' to 'pay', which is not needed.
  .yggdrasil/yg-config.yaml:6:26
  'orders' imports nothing of 'pay' that needs a relation and has none.
  Remove the entry.
W029 yg-config.yaml -> 'code.accepted' has 'pay' to 'orders', which is not needed.
  .yggdrasil/yg-config.yaml:6:62
  'pay' imports nothing of 'orders' that needs a relation and has none.
  Remove the entry.
""",
    ),
    Case(
        code="W029",
        name="an accepted import of nodes below",
        files={
            "yg-config.yaml": with_code("accepted: [{from: shop, to: pay, reason: r}]"),
            "model/shop/yg-node.yaml": NODE,
            "model/shop/orders/yg-node.yaml": maps("src/orders"),
            "model/pay/yg-node.yaml": NODE,
            "model/pay/till/yg-node.yaml": maps("src/pay"),
        },
        sources=IMPORTING,
    ),
    Case(
        code="W029",
        name="accepted imports if imports are off",
        files={
            **SHOP,
            "yg-config.yaml": with_code(
                "imports: off, accepted: [{from: orders, to: pay, reason: r}]"
            ),
        },
        sources={"src/orders/a.py": "", "src/pay/b.py": ""},
    ),
    Case(
        code="W016",
        name="unknown keys in the code section",
        files={
            "yg-config.yaml": f"{CONFIG}code:\n  import: off\n"
            "  accepted: [{from: a, to: b, reason: r, why: x}]\n",
            "model/a/yg-node.yaml": maps("src/orders"),
            "model/b/yg-node.yaml": maps("src/pay"),
        },
        sources=IMPORTING,
        issues="""\
W016 yg-config.yaml -> unknown key 'import'.
  .yggdrasil/yg-config.yaml:7:3
  Did you mean 'imports'?
W016 yg-config.yaml -> unknown key 'why'.
  .yggdrasil/yg-config.yaml:8:42
  Known keys: from, to, reason
""",
    ),
)
LATER_FORMATS = (
    Case(
        code="W034",
        name="texts of any size, if the configuration has no threshold",
        files={"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": FIFTY * 100},
    ),
    Case(
        code="W034",
        name="texts below the threshold; those of a blackbox do not count",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{context_budget: {{own_warning: 34}}}}\n",
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": FIFTY,
            "model/b/yg-node.yaml": boxed(NODE),
            "model/b/responsibility.md": FIFTY * 100,
        },
    ),
    Case(
        code="W034",
        name="texts at the threshold",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{context_budget: {{own_warning: 33}}}}\n",
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": FIFTY,
        },
        issues="""\
W034 a -> its own texts: ~33 tokens (threshold: 33).
  .yggdrasil/model/a/yg-node.yaml
  Split the node, or move shared rules into an aspect.
""",
    ),
    Case(
        code="W035",
        name="a node with any number of files, if the configuration has no maximum",
        files={"model/a/yg-node.yaml": maps("src")},
        sources={f"src/{number}.py": "" for number in range(30)},
    ),
    Case(
        code="W035",
        name="files that another node maps, and those of a blackbox, do not count",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{max_mapping_source_files: 1}}\n",
            "model/a/yg-node.yaml": maps("src"),
            "model/a/b/yg-node.yaml": boxed(maps("src/b")),
        },
        sources={"src/a.py": "", "src/b/1.py": "", "src/b/2.py": ""},
    ),
    Case(
        code="W035",
        name="a node with more files than the maximum",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{max_mapping_source_files: 1}}\n",
            "model/a/yg-node.yaml": maps("src/"),
        },
        sources={"src/1.py": "", "src/2.py": ""},
        issues="""\
W035 a -> has 2 source files (maximum: 1).
  .yggdrasil/model/a/yg-node.yaml:5:7
  Split it, so that each node has texts of its own.
""",
    ),
    Case(
        code="W018",
        name="the three artifacts of a configuration without that section, and another one",
        files={
            "yg-config.yaml": "name: test\nnode_types: {service: {description: A component}}\n",
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": FIFTY,
            "model/a/interface.md": FIFTY,
            "model/a/internals.md": FIFTY,
            "model/a/notes.md": FIFTY,
        },
        issues="""\
W018 a -> 'notes.md' is not a configured artifact, so no package includes it.
  .yggdrasil/model/a/notes.md
  Configured artifacts: responsibility.md, interface.md, internals.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
""",
    ),
    Case(
        code="W018",
        name="files called like nodes outside of the model",
        files={
            "yg-node.yaml": NODE,
            "nodes/a/yg-node.yaml": NODE,
            "nodes/b/yg-node.yaml": NODE,
            "notes/README.md": FIFTY,
        },
        issues="""\
W018 .yggdrasil/nodes -> 2 files 'yg-node.yaml' declare no nodes: nodes are below model/.
  .yggdrasil/nodes/a/yg-node.yaml
  Move the directory of each into model/.
W018 .yggdrasil -> 1 file 'yg-node.yaml' declares no node: nodes are below model/.
  .yggdrasil/yg-node.yaml
  Move the directory of each into model/.
""",
    ),
    Case(
        code="W001",
        name="what a configuration without artifacts requires",
        files={
            "yg-config.yaml": "name: test\nnode_types: {service: {description: A component}}\n",
            "model/a/yg-node.yaml": calls("b"),
            "model/b/yg-node.yaml": NODE,
            "model/b/responsibility.md": FIFTY,
        },
        issues="""\
W001 a -> missing artifact 'responsibility'.
  .yggdrasil/model/a/yg-node.yaml
  Every node needs it.
  Write responsibility.md: What this node is responsible for, and what it is not.
W001 b -> missing artifact 'interface'.
  .yggdrasil/model/b/yg-node.yaml
  Node has 1 incoming relation: a.
  Define the public API in interface.md.
""",
    ),
    Case(
        code="E012",
        name="an empty section of artifacts counts as none in format 3.0",
        files={
            "yg-config.yaml": "version: '3.0.0'\nname: test\nartifacts: {}\n"
            "node_types: {service: {description: A component}}\n",
        },
    ),
    Case(
        code="E012",
        name="a threshold that is no number above 0",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{context_budget: {{own_warning: 0}}}}\n",
        },
        issues="""\
E012 yg-config.yaml -> 'own_warning' must be a number above 0.
  .yggdrasil/yg-config.yaml:6:41
  Correct it, or remove the key.
""",
    ),
)


def layered(code: str = "", may_use: str = "[page]") -> str:
    """Write a configuration in which pages, listed first, may use what is given."""
    types = f"node_types:\n  page: {{description: A page, may_use: {may_use}}}\n"
    return f"{CONFIG}{code}".replace("node_types:\n", types)


def page(node: str) -> str:
    """Return a declaration with the type page."""
    return node.replace("type: service", "type: page")


TYPES = (
    Case(
        code="W033",
        name="a relation to another type than those listed",
        files={
            "yg-config.yaml": layered(),
            "model/a/yg-node.yaml": page(calls("b", "c")),
            "model/b/yg-node.yaml": calls("d"),
            "model/c/yg-node.yaml": page(NODE),
            "model/d/yg-node.yaml": page(NODE),
        },
        issues="""\
W033 a -> has a relation to 'b', but type 'page' may not use type 'service'.
  .yggdrasil/model/a/yg-node.yaml:4:14
  It may only use itself.
  Use a node that it may use, or add 'service' to 'may_use' of 'page'.
""",
    ),
    Case(
        code="W033",
        name="an empty list",
        files={
            "yg-config.yaml": layered(may_use="[]"),
            "model/a/yg-node.yaml": page(calls("b", "c")),
            "model/b/yg-node.yaml": NODE,
            "model/c/yg-node.yaml": page(NODE),
        },
        issues="""\
W033 a -> has a relation to 'b', but type 'page' may not use type 'service'.
  .yggdrasil/model/a/yg-node.yaml:4:14
  It may only use itself.
  Use a node that it may use, or add 'service' to 'may_use' of 'page'.
""",
    ),
    Case(
        code="W033",
        name="a listed type, and an empty value",
        files={
            "yg-config.yaml": layered(may_use="[service]").replace(
                "A component", "A component, may_use: "
            ),
            "model/a/yg-node.yaml": page(calls("b")),
            "model/b/yg-node.yaml": calls("c"),
            "model/c/yg-node.yaml": page(NODE),
        },
    ),
    Case(
        code="E002",
        name="targets of a restricted type that do not exist or have no type that does",
        files={
            "yg-config.yaml": layered(),
            "model/a/yg-node.yaml": page(calls("gone", "b")),
            "model/b/yg-node.yaml": NODE.replace("service", "servce"),
        },
        issues="""\
E004 a -> relation to 'gone' does not resolve.
  .yggdrasil/model/a/yg-node.yaml:4:14
  Existing nodes in model/: b
E002 b -> type 'servce' is not in node_types.
  .yggdrasil/model/b/yg-node.yaml:2:7
  Existing types: page (A page), service (A component)
  Did you mean 'service'?
""",
    ),
    Case(
        code="W033",
        name="an import without a relation, at its first line",
        files={
            **SHOP,
            "yg-config.yaml": layered("code: {imports: off}\n"),
            "model/orders/yg-node.yaml": page(maps("src/orders")),
        },
        sources=IMPORTING,
        issues="""\
W033 orders -> imports 'pay', but type 'page' may not use type 'service'.
  src/orders/__init__.py:1:1
  Imported at src/orders/__init__.py:1, src/orders/__init__.py:2, src/orders/more.py:1 and 1 more.
  It may only use itself.
  Use a node that it may use, or add 'service' to 'may_use' of 'page'.
""",
    ),
    Case(
        code="W033",
        name="an import that a relation of the node declares is reported there",
        files={
            **SHOP,
            "yg-config.yaml": layered("code: {}\n"),
            "model/orders/yg-node.yaml": page(maps("src/orders") + USES_PAY),
        },
        sources=IMPORTING,
        issues="""\
W033 orders -> has a relation to 'pay', but type 'page' may not use type 'service'.
  .yggdrasil/model/orders/yg-node.yaml:6:22
  It may only use itself.
  Use a node that it may use, or add 'service' to 'may_use' of 'page'.
""",
    ),
    Case(
        code="W033",
        name="an import that a relation of a parent of another type declares",
        files={
            "yg-config.yaml": layered("code: {}\n"),
            "model/shop/yg-node.yaml": NODE + USES_PAY,
            "model/shop/orders/yg-node.yaml": page(maps("src/orders")),
            "model/pay/yg-node.yaml": maps("src/pay"),
        },
        sources={**BOTH_WAYS, "src/pay/__init__.py": ""},
        issues="""\
W033 shop/orders -> imports 'pay', but type 'page' may not use type 'service'.
  src/orders/__init__.py:1:1
  Imported at src/orders/__init__.py:1.
  It may only use itself.
  Use a node that it may use, or add 'service' to 'may_use' of 'page'.
""",
    ),
    Case(
        code="W033",
        name="an accepted import",
        files={
            **SHOP,
            "yg-config.yaml": layered(
                "code: {accepted: [{from: orders, to: pay, reason: for now}]}\n"
            ),
            "model/orders/yg-node.yaml": page(maps("src/orders")),
        },
        sources=IMPORTING,
    ),
    Case(
        code="W033",
        name="an import of an exempt type",
        files={
            **SHOP,
            "yg-config.yaml": layered("code: {exempt_types: [page]}\n"),
            "model/orders/yg-node.yaml": page(maps("src/orders")),
        },
        sources=IMPORTING,
    ),
    Case(
        code="W033",
        name="imports without a code section",
        files={
            **SHOP,
            "yg-config.yaml": layered(),
            "model/orders/yg-node.yaml": page(maps("src/orders")),
        },
        sources=IMPORTING,
    ),
    Case(
        code="E012",
        name="types under may_use that do not exist",
        files={"yg-config.yaml": layered(may_use="[servce, servce, x]")},
        issues="""\
E012 yg-config.yaml -> type 'page' may use 'servce', which is not in node_types.
  .yggdrasil/yg-config.yaml:3:41
  Did you mean 'service'?
E012 yg-config.yaml -> type 'page' may use 'x', which is not in node_types.
  .yggdrasil/yg-config.yaml:3:57
  Types: page, service.
""",
    ),
    Case(
        code="E012",
        name="may_use that is no list",
        files={"yg-config.yaml": layered(may_use="service")},
        issues="""\
E012 yg-config.yaml -> 'may_use' must be a list, found text.
  .yggdrasil/yg-config.yaml:3:40
  Write '- ' before each item, or put it in '[ ]'.
""",
    ),
)
CASES = (
    *READING,
    *REFERENCES,
    *CYCLES,
    *MAPPINGS,
    *ARTIFACTS,
    *RELATIONS,
    *FLOWS,
    *PARTICIPANTS,
    *OVERVIEWS,
    *CONTENTS,
    *CODE,
    *LATER_FORMATS,
    *TYPES,
)
