"""Rules about relations between nodes and between aspects."""

from __future__ import annotations

from engine.rules.judged import ASPECT, CONFIG, LISTENS, Case, boxed, calls
from graphs import NODE

WAYS_OUT = """\
  Reverse or remove one of them, or, if the code really is cyclic, set 'rules: {E010: warning}' in \
yg-config.yaml.
"""
CASES = (
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
  Remove the relation: the package of a node always has its own files.
  .yggdrasil/model/a/yg-node.yaml:4:14
""",
    ),
    Case(
        code="E010",
        name="a node that calls itself on a longer cycle",
        files={"model/a/yg-node.yaml": calls("a", "b"), "model/b/yg-node.yaml": calls("a")},
        issues=f"""\
E010 a -> has a relation to itself.
  Remove the relation: the package of a node always has its own files.
  .yggdrasil/model/a/yg-node.yaml:4:14
E010 a -> structural cycle: a -> b -> a.
  Relations on a cycle:
    a -> b
    b -> a
{WAYS_OUT}\
  .yggdrasil/model/a/yg-node.yaml:5:14
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
  Relations on a cycle:
    a -> b
    b -> a
  Reverse or remove one of them.
  .yggdrasil/model/a/yg-node.yaml:4:14
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
  Relations on a cycle:
    a -> b
    b -> c
    c -> a
{WAYS_OUT}\
  .yggdrasil/model/a/yg-node.yaml:3:22
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
  Relations on a cycle:
    a -> b
    b -> a
    b -> c
    c -> a
{WAYS_OUT}\
  .yggdrasil/model/a/yg-node.yaml:4:14
E010 x -> structural cycle: x -> y -> x.
  Relations on a cycle:
    x -> y
    y -> x
{WAYS_OUT}\
  .yggdrasil/model/x/yg-node.yaml:5:14
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
  Relations on a cycle:
    a -> b
    b -> a
{WAYS_OUT}\
  .yggdrasil/model/a/yg-node.yaml:4:14
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
  Relations on a cycle:
    b -> c
    c -> b
{WAYS_OUT}\
  .yggdrasil/model/b/yg-node.yaml:4:14
""",
    ),
    Case(
        code="E010",
        name="an ancestor and its descendant",
        files={"model/a/yg-node.yaml": calls("a/b"), "model/a/b/yg-node.yaml": calls("a")},
        issues=f"""\
E010 a -> structural cycle: a -> a/b -> a.
  Relations on a cycle:
    a -> a/b
    a/b -> a
{WAYS_OUT}\
  .yggdrasil/model/a/yg-node.yaml:4:14
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
  Remove one 'implies' entry of the cycle, or merge the aspects.
  .yggdrasil/aspects/self/yg-aspect.yaml:3:5
E017 aspects/y -> 'implies' cycle: y -> z -> y.
  Remove one 'implies' entry of the cycle, or merge the aspects.
  1 more aspect is on cycles that meet this one.
  .yggdrasil/aspects/y/yg-aspect.yaml:2:11
""",
    ),
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
  Consider splitting the node.
  .yggdrasil/model/a/yg-node.yaml
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
  Consider splitting the node.
  A relation to 'n' would stand for 4 of them.
  .yggdrasil/model/a/yg-node.yaml
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
  Consider splitting the node.
  .yggdrasil/model/a/yg-node.yaml
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
  Add a relation of type 'listens' to 'a' there, or remove this one.
  .yggdrasil/model/a/yg-node.yaml:4:14
W009 a -> listens for 'Paid' from 'c', which does not emit it.
  Add a relation of type 'emits' to 'a' there, or remove this one.
  .yggdrasil/model/a/yg-node.yaml:5:14
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
  Add a relation of type 'listens' to 'a' there, or remove this one.
  .yggdrasil/model/a/yg-node.yaml:3:22
W009 b -> emits to 'a', which does not listen for it.
  Add a relation of type 'listens' to 'b' there, or remove this one.
  .yggdrasil/model/b/yg-node.yaml:4:14
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
  Add a relation of type 'listens' to 'a' there, or remove this one.
  .yggdrasil/model/a/yg-node.yaml:4:14
W009 b -> listens for 'placed' from 'a', which does not emit it.
  Add a relation of type 'emits' to 'b' there, or remove this one.
  .yggdrasil/model/b/yg-node.yaml:3:22
""",
    ),
    Case(
        code="W009",
        name="a missing target is reported by E004 only",
        files={"model/a/yg-node.yaml": f"{NODE}relations: [{{target: b, type: emits}}]\n"},
        issues="""\
E004 a -> relation to 'b' does not resolve.
  Correct the path, or add the missing node.
  .yggdrasil/model/a/yg-node.yaml:3:22
""",
    ),
)
