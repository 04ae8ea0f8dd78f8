"""Rules about unreadable and invalid files."""

from __future__ import annotations

from engine.rules.judged import (
    ASPECT,
    CONFIG,
    FIFTY,
    FLOW,
    LISTENS,
    Case,
    calls,
    carries,
    layered,
    maps,
)
from graphs import NODE
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind

CONFLICT = f"<<<<<<< HEAD\n{NODE}=======\nname: M\n>>>>>>> x\n"
CASES = (
    Case(
        code="E001",
        name="optional fields without a value count as absent",
        files={"model/a/yg-node.yaml": f"{NODE}aspects:\nrelations:\nmapping:\nblackbox:\n"},
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
  Write '- aspect: audit'.
  .yggdrasil/model/a/yg-node.yaml:3:11
E001 a -> 'consumes' must be a list, found text.
  Write '- ' before each item, or put it in '[ ]'.
  .yggdrasil/model/a/yg-node.yaml:5:39
E001 a -> 'target' must be text, found a whole number.
  Put it in quotes if it is meant as text.
  .yggdrasil/model/a/yg-node.yaml:6:14
E001 a -> 'failure' must be text, found a list.
  Write one text.
  .yggdrasil/model/a/yg-node.yaml:6:38
E001 a -> each item of 'paths' must be text, found a number.
  Put it in quotes if it is meant as text.
  .yggdrasil/model/a/yg-node.yaml:7:19
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
  Add 'type: ..'.
  .yggdrasil/model/a/yg-node.yaml:1:1
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
E012 yg-config.yaml -> yg-config.yaml has no 'artifacts'.
  Describe at least one entry under 'artifacts'.
  .yggdrasil/yg-config.yaml:1:1
E012 yg-config.yaml -> yg-config.yaml has no 'name'.
  Add 'name: ..'.
  .yggdrasil/yg-config.yaml:1:1
E012 yg-config.yaml -> yg-config.yaml has no 'node_types'.
  Describe at least one entry under 'node_types'.
  .yggdrasil/yg-config.yaml:1:1
E012 yg-config.yaml -> 'version' must be text, found a number.
  Put it in quotes if it is meant as text.
  .yggdrasil/yg-config.yaml:1:10
""",
    ),
    Case(
        code="E012",
        name="templates of unknown artifacts, and headings that are none",
        files={
            "yg-config.yaml": CONFIG.replace(
                "{description: A component}",
                "\n    description: A component\n    template:\n"
                "      responsibilty.md: ['## Does']\n"
                "      responsibility.md: [12, '##']\n",
            ),
        },
        issues="""\
E012 yg-config.yaml -> the template of 'service' names 'responsibilty.md', which is no artifact.
  Did you mean 'responsibility.md'?
  .yggdrasil/yg-config.yaml:6:7
E012 yg-config.yaml -> a heading cannot be a whole number.
  Write a list of headings, each one line, such as '## Errors'.
  .yggdrasil/yg-config.yaml:7:27
E012 yg-config.yaml -> a heading cannot be '##'.
  Write a list of headings, each one line, such as '## Errors'.
  .yggdrasil/yg-config.yaml:7:31
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
  Existing aspects: audit
  Did you mean 'audit'?
  .yggdrasil/yg-config.yaml:3:58
""",
    ),
    Case(
        code="E012",
        name="an error threshold alone, below the standard warning",
        files={"yg-config.yaml": f"{CONFIG}quality: {{context_budget: {{error: 5000}}}}\n"},
        issues="""\
E012 yg-config.yaml -> 'error' (5000) must not be below 'warning' (10000).
  'warning' is not set, so it is 10000, the default. Set it as well.
  .yggdrasil/yg-config.yaml:6:27
""",
    ),
    Case(
        code="E012",
        name="types under may_use that do not exist",
        files={"yg-config.yaml": layered(may_use="[servce, servce, x]")},
        issues="""\
E012 yg-config.yaml -> type 'page' may use 'servce', which is not in node_types.
  Did you mean 'service'?
  .yggdrasil/yg-config.yaml:3:41
E012 yg-config.yaml -> type 'page' may use 'x', which is not in node_types.
  Types: page, service.
  .yggdrasil/yg-config.yaml:3:57
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
  Add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
  .yggdrasil/model/a
E015 a/b -> has files but no yg-node.yaml.
  Add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
  .yggdrasil/model/a/b
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
  Add 'name: ..'.
  .yggdrasil/aspects/x/yg-aspect.yaml:1:1
E018 aspects/x -> unknown stability 'eternal'.
  Use one of: schema, protocol, implementation.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:12
E018 aspects/x -> 'implies' must be a list, found text.
  Write '- ' before each item, or put it in '[ ]'.
  .yggdrasil/aspects/x/yg-aspect.yaml:3:10
""",
    ),
    Case(
        code="E018",
        name="a directory with content but without a declaration",
        files={"aspects/x/content.md": "Lost.\n", "aspects/group/y/content.md": "Lost.\n"},
        issues="""\
E018 aspects/group/y -> has files but no yg-aspect.yaml.
  Add a yg-aspect.yaml with a 'name', or move the files elsewhere.
  .yggdrasil/aspects/group/y
E018 aspects/x -> has files but no yg-aspect.yaml.
  Add a yg-aspect.yaml with a 'name', or move the files elsewhere.
  .yggdrasil/aspects/x
""",
    ),
    Case(
        code="E019",
        name="every field of a flow",
        files={
            "model/a/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [x]\n",
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
        },
        issues="""\
E019 flows/f -> 'nodes' must not be empty.
  List the paths of the nodes that take part.
  .yggdrasil/flows/f/yg-flow.yaml:2:8
E019 flows/g -> yg-flow.yaml has no 'name'.
  Add 'name: ..'.
  .yggdrasil/flows/g/yg-flow.yaml:1:1
E019 flows/g -> yg-flow.yaml has no 'nodes'.
  List the paths of the nodes that take part.
  .yggdrasil/flows/g/yg-flow.yaml:1:1
E019 flows/g -> 'aspects' must be a list, found text.
  Write '- ' before each item, or put it in '[ ]'.
  .yggdrasil/flows/g/yg-flow.yaml:1:10
""",
    ),
    Case(
        code="E019",
        name="a directory with a description but without a declaration",
        files={"flows/f/description.md": "## Goal\n"},
        issues="""\
E019 flows/f -> has files but no yg-flow.yaml.
  Add a yg-flow.yaml with 'name' and 'nodes', or move the files elsewhere.
  .yggdrasil/flows/f
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
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/aspects/x/content.md
E021 flows/f -> 'description.md' cannot be read: not UTF-8 at byte 8 (0xe4).
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/flows/f/description.md
E021 a -> 'yg-node.yaml' cannot be read: not UTF-8 at byte 6 (0xc4).
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/model/a/yg-node.yaml
E021 b -> 'responsibility.md' cannot be read: not UTF-8 at byte 15 (0xff).
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/model/b/responsibility.md
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
        },
        issues="""\
E021 a -> 'yg-node.yaml' cannot be read: permission denied.
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/model/a/yg-node.yaml
E021 b -> 'yg-node.yaml' cannot be read: not a regular file.
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/model/b/yg-node.yaml
E021 c -> 'responsibility.md' cannot be read: not a regular file.
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/model/c/responsibility.md
""",
    ),
    Case(
        code="E021",
        name="a binary artifact, and a text of another encoding beside binary files",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": f"{FIFTY}\0",
            "aspects/x/yg-aspect.yaml": ASPECT,
            "aspects/x/content.md": b"caf\xe9",
        },
        issues="""\
E021 aspects/x -> 'content.md' cannot be read: not UTF-8 at byte 3 (0xe9).
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/aspects/x/content.md
E021 a -> 'responsibility.md' cannot be read: binary, with a NUL at byte 51.
  Save the file as UTF-8, split it, or fix its permissions; replace it if it is not a regular file.
  .yggdrasil/model/a/responsibility.md
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
  Configured artifacts: responsibility.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
  .yggdrasil/model/a/yg-node.yaml.orig
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
            "flows/g/description.md": "## Goal\n<<<<<<< HEAD\n",
        },
        issues="""\
E025 aspects/x -> unresolved merge conflict.
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:1
E025 aspects/y -> unresolved merge conflict.
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
  .yggdrasil/aspects/y/content.md:1:1
E025 flows/f -> unresolved merge conflict.
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
  .yggdrasil/flows/f/yg-flow.yaml:4:1
E025 flows/g -> unresolved merge conflict.
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
  .yggdrasil/flows/g/description.md:2:1
E025 a -> unresolved merge conflict.
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
  .yggdrasil/model/a/yg-node.yaml:1:1
E025 b -> unresolved merge conflict.
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
  .yggdrasil/model/b/responsibility.md:3:1
""",
    ),
    Case(
        code="E025",
        name="the configuration",
        files={"yg-config.yaml": f"{CONFIG}<<<<<<< HEAD\n"},
        issues="""\
E025 yg-config.yaml -> unresolved merge conflict.
  Keep the right version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.
  .yggdrasil/yg-config.yaml:6:1
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
  Add a `yg-node.yaml` to the directory, or move its nodes up one level.
  .yggdrasil/model/a
W013 a/b -> is only a directory: it has no yg-node.yaml.
  Add a `yg-node.yaml` to the directory, or move its nodes up one level.
  .yggdrasil/model/a/b
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
  Did you mean 'relations'?
  .yggdrasil/model/a/yg-node.yaml:3:1
W016 a -> unknown key 'zzz'.
  Known keys: name, type, description, aspects, blackbox, relations, mapping
  .yggdrasil/model/a/yg-node.yaml:4:1
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
        },
        sources={"src/a.py": ""},
        issues="""\
W016 aspects/x -> unknown key 'tag'.
  Known keys: name, description, implies, stability
  .yggdrasil/aspects/x/yg-aspect.yaml:2:1
W016 flows/f -> unknown key 'members'.
  Known keys: name, description, nodes, participants, aspects
  .yggdrasil/flows/f/yg-flow.yaml:3:1
W016 a -> unknown key 'exception'.
  Did you mean 'exceptions'?
  .yggdrasil/model/a/yg-node.yaml:3:23
W016 a -> unknown key 'on_failure'.
  Did you mean 'failure'?
  .yggdrasil/model/a/yg-node.yaml:4:37
W016 a -> unknown key 'path'.
  Did you mean 'paths'?
  .yggdrasil/model/a/yg-node.yaml:5:25
W016 yg-config.yaml -> unknown key 'requird'.
  Did you mean 'required'?
  .yggdrasil/yg-config.yaml:6:10
W016 yg-config.yaml -> unknown key 'unless'.
  Known keys: when
  .yggdrasil/yg-config.yaml:7:43
W016 yg-config.yaml -> unknown key 'max_relations'.
  Did you mean 'max_direct_relations'?
  .yggdrasil/yg-config.yaml:8:11
W016 yg-config.yaml -> unknown key 'warn'.
  Did you mean 'warning'?
  .yggdrasil/yg-config.yaml:8:46
W016 yg-config.yaml -> unknown key 'tags'.
  Known keys: version, name, node_types, artifacts, quality, rules, coverage, drift and 1 more
  .yggdrasil/yg-config.yaml:9:1
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
        },
    ),
    Case(
        code="W016",
        name="unknown keys of a node that is bad for another reason",
        files={"model/a/yg-node.yaml": "name: 1\ntype: service\ntipe: service\n"},
        issues="""\
E001 a -> 'name' must be text, found a whole number.
  Put it in quotes if it is meant as text.
  .yggdrasil/model/a/yg-node.yaml:1:7
W016 a -> unknown key 'tipe'.
  Did you mean 'type'?
  .yggdrasil/model/a/yg-node.yaml:3:1
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
  Put the content itself there: links are not followed inside a graph.
  .yggdrasil/aspects/x/content.md
W019 flows/f -> 'description.md' is a link and is ignored.
  Put the content itself there: links are not followed inside a graph.
  .yggdrasil/flows/f/description.md
W019 a -> 'linked' is a link and is ignored.
  Put the content itself there: links are not followed inside a graph.
  .yggdrasil/model/a/linked
W019 a -> 'responsibility.md' is a link and is ignored.
  Put the content itself there: links are not followed inside a graph.
  .yggdrasil/model/a/responsibility.md
""",
    ),
    Case(
        code="W019",
        name="a linked declaration declares nothing",
        files={"model/a/yg-node.yaml": Kind.LINK, "model/a/responsibility.md": FIFTY},
        issues="""\
E015 a -> has files but no yg-node.yaml.
  Add a `yg-node.yaml` with `name` and `type`, or move the files to the node they describe.
  .yggdrasil/model/a
W019 a -> 'yg-node.yaml' is a link and is ignored.
  Put the content itself there: links are not followed inside a graph.
  .yggdrasil/model/a/yg-node.yaml
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
  Describe in a text what the file shows, and keep the file outside the graph.
  .yggdrasil/aspects/x/diagram.png
W027 flows/f -> 'description.md' is binary, so packages leave it out.
  Describe in a text what the file shows, and keep the file outside the graph.
  .yggdrasil/flows/f/description.md
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
        },
        issues="""\
W028 aspects/x -> implied aspect 'y' is listed twice.
  Keep one entry.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:14
W028 flows/f -> participant 'a' is listed twice.
  Keep one entry.
  .yggdrasil/flows/f/yg-flow.yaml:2:15
W028 flows/f -> aspect 'x' is listed twice.
  Keep one entry.
  .yggdrasil/flows/f/yg-flow.yaml:3:14
W028 a -> aspect 'x' is listed twice.
  Merge the entries into one; until then they are read as one.
  .yggdrasil/model/a/yg-node.yaml:5:14
W028 a -> relation 'calls' to 'b' is listed 3 times.
  Merge the entries into one; until then they are read as one.
  .yggdrasil/model/a/yg-node.yaml:9:14
W028 a -> relation 'emits Done' to 'b' is listed twice.
  Merge the entries into one; until then they are read as one.
  .yggdrasil/model/a/yg-node.yaml:11:14
""",
    ),
    Case(
        code="W016",
        name="a key of several files is reported once, at its first place",
        files={
            "model/c/yg-node.yaml": f"{NODE}zzz: 1\n",
            "model/b/yg-node.yaml": f"{NODE}blackbox: true\nzzz: 1\n",
            "model/b/d/yg-node.yaml": f"{NODE}relations:\n  - {{target: b, type: uses, zzz: 1}}\n",
            "aspects/x/yg-aspect.yaml": f"{ASPECT}zzz: 1\n",
        },
        issues="""\
W016 aspects/x -> unknown key 'zzz'.
  Known keys: name, description, implies, stability
  .yggdrasil/aspects/x/yg-aspect.yaml:2:1
W016 b/d -> unknown key 'zzz'.
  Known keys: target, type, consumes, failure, event_name
  .yggdrasil/model/b/d/yg-node.yaml:4:29
W016 b -> unknown key 'zzz' in 2 files.
  Known keys: name, type, description, aspects, blackbox, relations, mapping
  .yggdrasil/model/b/yg-node.yaml:4:1
""",
    ),
    Case(
        code="W016",
        name="keys of version 0.3.0 in nodes and aspects",
        files={
            "model/a/yg-node.yaml": f"{NODE}drift: off\nexternal: []\ndocuments: [x]\n"
            "artifacts: {}\ndecisions: [1]\nmapping: {paths: [src], exclude: ['*.md']}\n",
            "model/b/yg-node.yaml": f"{NODE}documents: [y]\n",
            "aspects/x/yg-aspect.yaml": f"{ASPECT}documents: [x]\ndecisions: [1]\n",
        },
        sources={"src/a.py": ""},
        issues="""\
W016 aspects/x -> unknown key 'documents'.
  The key was removed in version 0.4.0 and has no effect: put what packages should quote into a \
file beside yg-aspect.yaml.
  .yggdrasil/aspects/x/yg-aspect.yaml:2:1
W016 aspects/x -> unknown key 'decisions'.
  The key was removed in version 0.4.0 and has no effect: put what packages should quote into a \
file beside yg-aspect.yaml.
  .yggdrasil/aspects/x/yg-aspect.yaml:3:1
W016 a -> unknown key 'drift'.
  The key was removed in version 0.4.0 and has no effect: leave files that need no baseline out \
of the mapping.
  .yggdrasil/model/a/yg-node.yaml:3:1
W016 a -> unknown key 'external'.
  The key was removed in version 0.4.0 and has no effect: describe what the node uses of other \
repositories in one of its texts.
  .yggdrasil/model/a/yg-node.yaml:4:1
W016 a -> unknown key 'documents' in 2 files.
  The key was removed in version 0.4.0 and has no effect: put what packages should quote into a \
file beside yg-node.yaml.
  .yggdrasil/model/a/yg-node.yaml:5:1
W016 a -> unknown key 'artifacts'.
  The key was removed in version 0.4.0 and has no effect: put each text into a file of that name \
beside yg-node.yaml.
  .yggdrasil/model/a/yg-node.yaml:6:1
W016 a -> unknown key 'decisions'.
  The key was removed in version 0.4.0 and has no effect: put what packages should quote into a \
file beside yg-node.yaml.
  .yggdrasil/model/a/yg-node.yaml:7:1
W016 a -> unknown key 'exclude'.
  The key was removed in version 0.4.0 and has no effect: give the excluded files a mapping of \
their own, in another node.
  .yggdrasil/model/a/yg-node.yaml:8:25
""",
    ),
    Case(
        code="W016",
        name="a key of the configuration and a rule of version 0.3.0",
        files={
            "yg-config.yaml": f"{CONFIG}quality: {{gate: {{}}}}\n"
            "rules: {W024: error, W021: off}\ncode: {imports: warning}\n"
        },
        issues="""\
W016 yg-config.yaml -> unknown key 'gate'.
  The key was removed in version 0.4.0 and has no effect.
  .yggdrasil/yg-config.yaml:6:11
W016 yg-config.yaml -> 'rules' names 'W024', which is not a rule any more.
  The rule was removed in version 0.4.0 and has no effect.
  .yggdrasil/yg-config.yaml:7:9
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
        },
        issues="""\
E012 yg-config.yaml -> 'rules' cannot set E004 (broken-relation) to 'off'.
  Packages would be unreliable: of the errors, only E010 can be lowered. Every warning can be set.
  .yggdrasil/yg-config.yaml:7:3
E012 yg-config.yaml -> 'rules' cannot set E012 (invalid-config) to 'warning'.
  Packages would be unreliable: of the errors, only E010 can be lowered. Every warning can be set.
  .yggdrasil/yg-config.yaml:8:3
E012 yg-config.yaml -> 'rules' names 'w012', which is not a rule of this graph.
  Did you mean 'W012'?
  .yggdrasil/yg-config.yaml:9:3
E012 yg-config.yaml -> 'rules' names 'E998', which is not a rule of this graph.
  Did you mean 'E025'?
  .yggdrasil/yg-config.yaml:10:3
E012 yg-config.yaml -> 'rules' names 'unknown-key', which is not a rule of this graph.
  Did you mean 'W016'?
  .yggdrasil/yg-config.yaml:11:3
E012 yg-config.yaml -> 'rules' names 'something else', which is not a rule of this graph.
  'yg explain' lists them.
  .yggdrasil/yg-config.yaml:12:3
E012 yg-config.yaml -> the level of W001 cannot be 'fatal'.
  Write one of: error, warning, off.
  .yggdrasil/yg-config.yaml:13:9
""",
    ),
)
