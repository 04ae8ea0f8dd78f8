"""Rules about the ids of aspects, required aspects and the types of nodes."""

from __future__ import annotations

from engine.rules.judged import (
    ASPECT,
    CONFIG,
    FLOW,
    Case,
    boxed,
    calls,
    carries,
    layered,
    page,
)
from graphs import NODE

REQUIRED_CONFIG = CONFIG.replace("component}", "component, required_aspects: [x]}")
CASES = (
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
  Rename one of the directories and update all references to it.
  .yggdrasil/aspects/audit/yg-aspect.yaml
E014 aspects/caf\u00e9 -> id differs from 'cafe\u0301' only in case or Unicode form.
  Rename one of the directories and update all references to it.
  .yggdrasil/aspects/caf\u00e9/yg-aspect.yaml
E014 aspects/g/STRASSE -> id differs from 'G/straße' only in case or Unicode form.
  Rename one of the directories and update all references to it.
  .yggdrasil/aspects/g/STRASSE/yg-aspect.yaml
""",
    ),
    Case(
        code="E014",
        name="an aspect that cannot be read takes its id all the same",
        files={"aspects/Audit/yg-aspect.yaml": "", "aspects/audit/yg-aspect.yaml": ASPECT},
        issues="""\
E018 aspects/Audit -> yg-aspect.yaml must be a mapping, found nothing.
  Correct the value at the given position, or add the missing file; an aspect needs a `name`.
  .yggdrasil/aspects/Audit/yg-aspect.yaml:1:1
E014 aspects/audit -> id differs from 'Audit' only in case or Unicode form.
  Rename one of the directories and update all references to it.
  .yggdrasil/aspects/audit/yg-aspect.yaml
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
        name="aspects of an ancestor and of a flow do not count",
        files={
            "yg-config.yaml": REQUIRED_CONFIG,
            "model/a/yg-node.yaml": carries("x"),
            "model/a/b/yg-node.yaml": NODE,
            "aspects/x/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [x]\n",
        },
        issues="""\
W011 a/b -> type 'service' requires aspect 'x', which this node lacks.
  Add '- aspect: x' under 'aspects'.
  .yggdrasil/model/a/b/yg-node.yaml:2:7
""",
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
        },
        issues="""\
W011 a -> type 'service' requires aspect 'x', which this node lacks.
  Add '- aspect: x' under 'aspects'.
  .yggdrasil/model/a/yg-node.yaml:2:7
W011 c -> type 'service' requires aspect 'x', which this node lacks.
  Add '- aspect: x' under 'aspects'.
  .yggdrasil/model/c/yg-node.yaml:2:7
""",
    ),
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
  It may only use itself.
  Use a node that it may use, or add 'service' to 'may_use' of 'page'.
  .yggdrasil/model/a/yg-node.yaml:4:14
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
  It may only use itself.
  Use a node that it may use, or add 'service' to 'may_use' of 'page'.
  .yggdrasil/model/a/yg-node.yaml:4:14
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
)
