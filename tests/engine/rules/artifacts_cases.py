"""Rules about artifacts and the size of packages."""

from __future__ import annotations

from engine.rules.judged import (
    ASPECT,
    CONFIG,
    FIFTY,
    FLOW,
    LISTENS,
    Case,
    boxed,
    calls,
    carries,
)
from graphs import NODE
from yg.kernel.snapshot import Kind

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
STANDARD = """\
version: "3.0.0"
name: test
node_types: {service: {description: A component}}
"""
CASES = (
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
  Node has 2 incoming relations: b, c. Define the public API in interface.md.
  .yggdrasil/model/a/yg-node.yaml
""",
    ),
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
  Every node needs it. Write always.md: What it does.
  .yggdrasil/model/a/yg-node.yaml
W001 a -> missing artifact 'aspect'.
  Node has the aspect 'x'. Write aspect.md: How x is met.
  .yggdrasil/model/a/yg-node.yaml
W001 a -> missing artifact 'incoming'.
  Node has 2 incoming relations: c, d. Write incoming.md: What it offers.
  .yggdrasil/model/a/yg-node.yaml
W001 a -> missing artifact 'outgoing'.
  Node has 2 outgoing relations. Write outgoing.md.
  .yggdrasil/model/a/yg-node.yaml
W001 a -> missing artifact 'tag'.
  Node has the aspect 'y'. Write tag.md.
  .yggdrasil/model/a/yg-node.yaml
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
        },
        issues="""\
W001 a/b -> missing artifact 'aspect'.
  Node has the aspect 'x'. Write aspect.md: How x is met.
  .yggdrasil/model/a/b/yg-node.yaml
W001 a/b -> missing artifact 'tag'.
  Node has the aspect 'y'. Write tag.md.
  .yggdrasil/model/a/b/yg-node.yaml
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
  Node has 10 incoming relations: n0, n1, n2, n3, n4, n5, n6, n7 and 2 more. Write incoming.md: \
What it offers.
  .yggdrasil/model/a/yg-node.yaml
""",
    ),
    Case(
        code="W001",
        name="what a configuration of format 3.0 requires",
        files={
            "yg-config.yaml": STANDARD,
            "model/a/yg-node.yaml": calls("b"),
            "model/b/yg-node.yaml": NODE,
            "model/b/responsibility.md": FIFTY,
        },
        issues="""\
W001 a -> missing artifact 'responsibility'.
  Every node needs it. Write responsibility.md: What this node is responsible for, and what it is \
not.
  .yggdrasil/model/a/yg-node.yaml
W001 b -> missing artifact 'interface'.
  Node has 1 incoming relation: a. Define the public API in interface.md.
  .yggdrasil/model/b/yg-node.yaml
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
  Write what a newcomer needs to know.
  .yggdrasil/model/b/responsibility.md
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
  Write what a newcomer needs to know.
  .yggdrasil/model/a/responsibility.md
W002 b -> artifact 'responsibility.md' has 0 characters (minimum: 50).
  Write what a newcomer needs to know.
  .yggdrasil/model/b/responsibility.md
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
  Write what a newcomer needs to know.
  .yggdrasil/model/a/responsibility.md
""",
    ),
    Case(
        code="W002",
        name="a blackbox",
        files={"model/b/yg-node.yaml": boxed(NODE), "model/b/responsibility.md": ""},
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
  Consider splitting the node or reducing dependencies.
  .yggdrasil/model/a/yg-node.yaml
""",
    ),
    Case(
        code="W006",
        name="exactly the limit is only a warning",
        files={"yg-config.yaml": BUDGET_CONFIG, "model/a/yg-node.yaml": f"{NODE}# {'x' * 100}\n"},
        issues="""\
W005 a -> context package: ~40 tokens (threshold: 30).
  Consider splitting the node or reducing dependencies.
  .yggdrasil/model/a/yg-node.yaml
""",
    ),
    Case(
        code="W006",
        name="above the limit, only the error is reported",
        files={"yg-config.yaml": BUDGET_CONFIG, "model/a/yg-node.yaml": f"{NODE}# {'x' * 101}\n"},
        issues="""\
W006 a -> context package: ~41 tokens (limit: 40).
  Consider splitting the node or reducing dependencies.
  To see what is large: yg build-context a --why
  What holds for many nodes belongs in an aspect.
  Delete nothing to get below the budget: a package above it is still complete.
  .yggdrasil/model/a/yg-node.yaml
""",
    ),
    Case(code="W010", name="a schema for each kind of file"),
    Case(
        code="W010",
        name="a directory in place of a schema",
        files={"schemas/yg-flow.yaml": Kind.DIRECTORY},
        issues="""\
W010 schemas -> schemas/yg-flow.yaml is missing.
  Run `yg init --upgrade` to write the missing schemas.
  .yggdrasil/schemas/yg-flow.yaml
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
  Configured artifacts: responsibility.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
  .yggdrasil/model/a/Responsibility.md
W018 a -> 'notes.md' is not a configured artifact, so no package includes it.
  Configured artifacts: responsibility.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
  .yggdrasil/model/a/notes.md
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
            "flows/f/img/more.md": "",
        },
        issues="""\
W018 aspects -> no package includes 'README.md': its directory has no yg-aspect.yaml.
  Move it next to a declaration, or remove it.
  .yggdrasil/aspects/README.md
W018 aspects/group -> no package includes 'README.md': its directory has no yg-aspect.yaml.
  Move it next to a declaration, or remove it.
  .yggdrasil/aspects/group/README.md
W018 aspects/group/x/img/deep -> no package includes 'more.md': its directory has no yg-aspect.yaml.
  Move it next to a declaration, or remove it.
  .yggdrasil/aspects/group/x/img/deep/more.md
W018 flows -> no package includes 'README.md': its directory has no yg-flow.yaml.
  Move it next to a declaration, or remove it.
  .yggdrasil/flows/README.md
W018 flows/f/img -> no package includes 'more.md': its directory has no yg-flow.yaml.
  Move it next to a declaration, or remove it.
  .yggdrasil/flows/f/img/more.md
W018 model -> no package includes 'notes.md': its directory has no yg-node.yaml.
  Move it next to a declaration, or remove it.
  .yggdrasil/model/notes.md
""",
    ),
    Case(
        code="W018",
        name="the three artifacts of format 3.0, and another one",
        files={
            "yg-config.yaml": STANDARD,
            "model/a/yg-node.yaml": NODE,
            "model/a/responsibility.md": FIFTY,
            "model/a/interface.md": FIFTY,
            "model/a/internals.md": FIFTY,
            "model/a/notes.md": FIFTY,
        },
        issues="""\
W018 a -> 'notes.md' is not a configured artifact, so no package includes it.
  Configured artifacts: responsibility.md, interface.md, internals.md
  Rename it to one of these, or add it to 'artifacts' in yg-config.yaml.
  .yggdrasil/model/a/notes.md
""",
    ),
)
