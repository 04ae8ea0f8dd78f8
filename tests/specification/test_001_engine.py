"""Document 001, Engine: packages, what they track, and what validation asks."""

from __future__ import annotations

import pytest

from specification.graphs import BOTH, PLAIN, SENTENCE, SHOP, Files, Graph, aspect, flow, node
from specification.program import Program

STRUCTURAL = ("uses", "calls", "extends", "implements")
EVENTS = ("emits", "listens")

SHOP_PACKAGE = """\
<context-package node-path="orders/order-service" node-name="OrderService" token-count="TOKENS">

<global>
**Project:** my-project
</global>

<hierarchy path="orders/">
### responsibility.md
Orders have a lifecycle. A sentence of our own that is long enough to count as a text.
</hierarchy>

<own-artifacts aspects="requires-audit,requires-logging,requires-auth">
### yg-node.yaml
DECLARATION### responsibility.md
Creates orders. A sentence of our own that is long enough to count as a text.
### interface.md
place(order). A sentence of our own that is long enough to count as a text.
### internals.md
pending, paid, failed. A sentence of our own that is long enough to count as a text.
</own-artifacts>

<materialization-target paths="src/modules/orders/order.service.ts"/>

<aspect name="Audit logging" id="requires-audit">
### content.md
AUDIT**Stability tier:** protocol
**Exception for this node:** Batch import skips per-record audit — emits single summary event instead
</aspect>

<aspect name="Logging" id="requires-logging">
### content.md
One line for each request.
</aspect>

<aspect name="Aspect requires-auth" id="requires-auth">
### content.md
What requires-auth asks for.
</aspect>

<aspect name="Aspect requires-saga" id="requires-saga">
### content.md
What requires-saga asks for.
</aspect>

<aspect name="Aspect requires-idempotency" id="requires-idempotency">
### content.md
What requires-idempotency asks for.
</aspect>

<dependency target="payments/payment-service" type="calls" consumes="charge, refund" failure="retry 3x, then mark order as payment-failed">
Consumes: charge, refund
On failure: retry 3x, then mark order as payment-failed

### responsibility.md
Charges cards. A sentence of our own that is long enough to count as a text.
### interface.md
charge(), refund(). A sentence of our own that is long enough to count as a text.
</dependency>

<dependency target="inventory/inventory-service" type="calls" consumes="reserve, release">
Consumes: reserve, release

### interface.md
reserve(), release()
</dependency>

<event target="notifications/email-service" type="emits" event-name="OrderPlaced">
Target: notifications/email-service
You publish OrderPlaced.
</event>

<event target="payments/payment-service" type="listens" event-name="PaymentCompleted" consumes="orderId, amount, status">
Source: payments/payment-service
You listen for PaymentCompleted.
Consumes: orderId, amount, status
</event>

<flow name="Checkout flow" aspects="requires-saga,requires-idempotency">
### description.md
CHECKOUT### sequence.md
1. charge
2. mail
</flow>

</context-package>
Budget status: ok
"""  # noqa: E501

PLAIN_PACKAGE = """\
<context-package node-path="app/web" node-name="Web" token-count="TOKENS">

<global>
**Project:** plain
</global>

<hierarchy path="app/" aspects="tidy">
### responsibility.md
App. A sentence of our own that is long enough to count as a text.
### internals.md
Inside the app. A sentence of our own that is long enough to count as a text.
</hierarchy>

<own-artifacts aspects="small,group/short">
### yg-node.yaml
DECLARATION### responsibility.md
Web. A sentence of our own that is long enough to count as a text.
### interface.md
Pages of the web. A sentence of our own that is long enough to count as a text.
</own-artifacts>

<materialization-target paths="src/web.py"/>

<aspect name="Tidy" id="tidy">
Nothing lies around
</aspect>

<aspect name="Small" id="small">
### content.md
Stay small.
</aspect>

<aspect name="Short" id="group/short">
### content.md
Stay short.
**Stability tier:** schema
</aspect>

<aspect name="Quick" id="quick">
### content.md
Be quick.
</aspect>

<dependency target="store/db" type="uses" consumes="read" failure="show a page">
Consumes: read
On failure: show a page

### responsibility.md
Db. A sentence of our own that is long enough to count as a text.
### interface.md
read(key). A sentence of our own that is long enough to count as a text.
</dependency>

<dependency target="store/old" type="uses">
### responsibility.md
Old code.
</dependency>

<event target="store/mail" type="emits" event-name="Mail">
Target: store/mail
You publish Mail.
</event>

<event target="store/db" type="listens" event-name="Full">
Source: store/db
You listen for Full.
</event>

<flow name="Visit" aspects="quick">
### description.md
Somebody looks at a page.
### aside.md
Or does not.
</flow>

</context-package>
Budget status: ok
"""


def expected(graph: Graph, template: str) -> str:
    """Fill in a package: the files it quotes whole, and a quarter of its characters."""
    paths = {
        "DECLARATION": f"model/{graph.node}/yg-node.yaml",
        "AUDIT": "aspects/requires-audit/content.md",
        "CHECKOUT": "flows/checkout/description.md",
    }
    text = template
    for word, path in paths.items():
        text = text.replace(word, graph.files.get(path, ""))
    return text.replace("TOKENS", str(-(-characters(text) // 4)))


def characters(package: str) -> int:
    """Count the characters between the tags of the blocks, with blank lines between them."""
    blocks = [block.split("\n") for block in package.split("\n\n<")[1:-1]]
    return len("\n\n".join("\n".join(lines[1:-1]) for lines in blocks if len(lines) > 1))


# Context Assembly


def test_a_package_has_every_layer_in_order(yg: Program) -> None:
    """
    001, Multi-Layered Model: "from most general to most specific"
    001, Assembly Algorithm: "executes the following steps in order"
    001, Assembly Algorithm, result: "The result is a single document — the context package"
    001, Assembly Algorithm, note: "always reordered to match the sequence above"
    001, Mapping Conceptual Layers to Algorithm Steps: "where content comes from"
    001, Context Package Format: "a plain text document with XML-like tags"
    004, Build context, 1: "(project name)"
    004, Build context, 2: "ancestor artifacts (from"
    004, Build context, 3: "(raw) and content artifacts"
    004, Build context, 4: "Expand implies recursively."
    004, Build context, 5: "with consumes and failure annotations"
    """
    assert yg.package(PLAIN.files, PLAIN.node) == expected(PLAIN, PLAIN_PACKAGE)


def test_the_package_of_the_complete_example_has_what_the_document_lists(yg: Program) -> None:
    """
    001, Complete Assembly Example: "Context package for orders/order-service contains:"
    001, Context Package Format, example: "<context-package node-path="
    """
    assert yg.package(SHOP.files, SHOP.node) == expected(SHOP, SHOP_PACKAGE)


@BOTH
def test_the_same_graph_gives_the_same_bytes_in_whatever_order_its_files_were_written(
    yg: Program, graph: Graph
) -> None:
    """
    001, Engine: "The same graph state always produces the same output."
    """
    other = {**dict(reversed(graph.files.items())), "src/unowned.txt": ""}
    for words in (("build-context", graph.node), ("validate",), ("tree",), ("aspects",)):
        assert yg(other, *words) == yg(graph.files, *words)


@BOTH
def test_step_1_gives_the_name_of_the_project_alone(yg: Program, graph: Graph) -> None:
    """
    001, Assembly Algorithm, step 1: "yg-config.yaml: project name"
    """
    block = yg.block(graph.files, graph.node, "global")
    name = {"plain": "plain", "shop": "my-project"}[graph.name]
    assert block == f"<global>\n**Project:** {name}\n</global>"


@BOTH
def test_step_2_gives_every_configured_artifact_of_each_ancestor_from_the_root_down(
    yg: Program, graph: Graph
) -> None:
    """
    001, Assembly Algorithm, step 2: "for each ancestor from model/ root down to N's parent"
    001, Assembly Algorithm, step 2, artifacts: "every artifact type from config"
    """
    middle = f"model/{graph.parent}/middle"
    files = graph.adding(
        {
            f"{middle}/yg-node.yaml": node(),
            f"{middle}/responsibility.md": SENTENCE,
            f"{middle}/internals.md": "Inside.\n",
            f"{middle}/notes.md": "Not configured.\n",
            f"{middle}/low/yg-node.yaml": node(),
            f"{middle}/low/responsibility.md": SENTENCE,
        }
    )
    path = middle.removeprefix("model/")
    found = yg.openings(files, f"{path}/low", "hierarchy")
    assert [tag.split('"')[1] for tag in found] == [f"{graph.parent}/", f"{path}/"]
    assert yg.block(files, f"{path}/low", "hierarchy", path) == (
        f'<hierarchy path="{path}/">\n### responsibility.md\n{SENTENCE}### internals.md\n'
        "Inside.\n</hierarchy>"
    )


@BOTH
def test_step_3_gives_the_declaration_as_it_is_written_and_the_configured_artifacts(
    yg: Program, graph: Graph
) -> None:
    """
    001, Assembly Algorithm, step 3: "N's yg-node.yaml (raw)"
    001, Assembly Algorithm, step 3, artifacts: "all files matching configured"
    """
    declaration = "# A comment,  kept\ntype: module   # as it is\n\nname: 'Extra'\n"
    files = graph.adding(
        {
            f"model/{graph.extra}/yg-node.yaml": declaration,
            f"model/{graph.extra}/internals.md": "Inside.\n",
            f"model/{graph.extra}/notes.md": "Not configured.\n",
        }
    )
    assert yg.block(files, graph.extra, "own-artifacts") == (
        f"<own-artifacts>\n### yg-node.yaml\n{declaration}### responsibility.md\n{SENTENCE}"
        f"### interface.md\n{SENTENCE}### internals.md\nInside.\n</own-artifacts>"
    )


@BOTH
def test_artifacts_stand_in_the_order_of_the_configuration(yg: Program, graph: Graph) -> None:
    """
    001, Context Package Format, artifacts: "depends on project config and the specific node"
    """
    config = graph.files["yg-config.yaml"].replace("artifacts:\n", "artifacts:\n  zoo.txt: {}\n")
    files = graph.adding({"yg-config.yaml": config, f"model/{graph.extra}/zoo.txt": "Zoo.\n"})
    own = yg.block(files, graph.extra, "own-artifacts")
    headings = [line for line in own.split("\n") if line.startswith("### ")]
    assert headings == [
        *("### yg-node.yaml", "### zoo.txt", "### responsibility.md", "### interface.md"),
    ]


def attribute(tag: str, name: str) -> str:
    """Return the value of an attribute; empty if the tag has none."""
    return tag.partition(f' {name}="')[2].partition('"')[0]


def aspect_ids(yg: Program, files: Files, path: str) -> list[str]:
    """Return the ids of the aspects in a package."""
    return [attribute(tag, "id") for tag in yg.openings(files, path, "aspect")]


FOUR = {
    name: text
    for letter in ("top", "own", "flowing", "implied", "idle")
    for name, text in aspect(f"a-{letter}").items()
}


@BOTH
def test_step_4_unites_the_aspects_of_hierarchy_own_and_flow_blocks(
    yg: Program, graph: Graph
) -> None:
    """
    001, Assembly Algorithm, step 4: "Each block (hierarchy, own, flow) declares its own aspects."
    001, Assembly Algorithm, step 4, hierarchy: "each ancestor may have"
    001, Assembly Algorithm, step 4, own: "each with an `aspect`"
    001, Assembly Algorithm, step 4, flow: "for flows where N or an"
    001, Assembly Algorithm, step 4, union: "union of all identifiers from these blocks"
    """
    parent = f"model/{graph.parent}/yg-node.yaml"
    files = graph.adding(
        {
            **FOUR,
            parent: node(aspects=[{"aspect": "a-top"}]),
            **flow("mine", graph.extra, aspects=["a-flowing"]),
            **aspect("a-own", implies=["a-implied"]),
        },
        aspects=[{"aspect": "a-own"}],
    )
    files = {path: text for path, text in files.items() if f"flows/{graph.flow}" not in path}
    assert aspect_ids(yg, files, graph.extra) == ["a-top", "a-own", "a-implied", "a-flowing"]


@BOTH
def test_step_4_shows_the_resolved_ids_on_each_block_and_nothing_where_there_are_none(
    yg: Program, graph: Graph
) -> None:
    """
    001, Assembly Algorithm, step 4, attribute: "the resolved set (including implied"
    001, Assembly Algorithm, step 4, list: "comma-separated aspect identifiers; omit if empty"
    001, Assembly Algorithm, step 4, blocks: "No inheritance"
    002, Node metadata, blocks: "Each block (hierarchy, own, flow) declares its own aspects."
    """
    declared = [{"aspect": graph.aspect}]
    files = graph.adding(
        {
            f"model/{graph.extra}/low/yg-node.yaml": node(),
            f"model/{graph.extra}/low/responsibility.md": SENTENCE,
            **flow("mine", graph.extra, aspects=[graph.aspect]),
        },
        aspects=declared,
    )
    low, both = f"{graph.extra}/low", f"{graph.aspect},{graph.implied}"
    tags = yg.openings(files, low, "hierarchy")
    assert tags[-1] == f'<hierarchy path="{graph.extra}/" aspects="{both}">'
    assert yg.openings(files, low, "own-artifacts") == ["<own-artifacts>"]
    assert yg.openings(files, graph.extra, "own-artifacts") == [
        f'<own-artifacts aspects="{both}">',
    ]
    assert f'<flow name="Flow mine" aspects="{both}">' in yg.openings(files, low, "flow")
    without = {**files, **flow("mine", graph.extra)}
    assert '<flow name="Flow mine">' in yg.openings(without, low, "flow")


@BOTH
def test_step_4_follows_implies_recursively_and_shows_each_aspect_once(
    yg: Program, graph: Graph
) -> None:
    """
    001, Assembly Algorithm, step 4, implies: "aspects implied by that aspect (recursive)"
    001, Assembly Algorithm, step 4, content: "content of the matching aspect"
    """
    files = graph.adding(
        {
            **aspect("x1", implies=["x2", "x4"]),
            **aspect("x2", implies=["x3"]),
            **aspect("x3"),
            **aspect("x4", implies=["x3"]),
        },
        aspects=[{"aspect": "x1"}, {"aspect": "x3"}],
    )
    found = [name for name in aspect_ids(yg, files, graph.extra) if name.startswith("x")]
    assert found == ["x1", "x2", "x3", "x4"]
    assert yg.block(files, graph.extra, "aspect", "x2") == (
        '<aspect name="Aspect x2" id="x2">\n### content.md\nWhat x2 asks for.\n</aspect>'
    )


@BOTH
def test_step_4_refuses_a_cycle_of_implies(yg: Program, graph: Graph) -> None:
    """
    001, Assembly Algorithm, step 4, cycles: "a cycle (A implies B implies A) is an error"
    001, Structural Integrity, implies graph: "must be acyclic (no A implies B implies A)"
    """
    chain = {**aspect("x1", implies=["x2"]), **aspect("x2", implies=["x3"])}
    assert yg.issues(graph.plus({**chain, **aspect("x3")})) == []
    files = graph.plus({**chain, **aspect("x3", implies=["x1"])})
    assert yg.issues(files) == [("E017", "aspects/x1")]
    assert "E017 aspects/x1" in yg.refusal(files, "build-context", graph.node)
    assert yg.issues(graph.plus(aspect("self", implies=["self"]))) == [("E017", "aspects/self")]


@BOTH
def test_step_4_renders_aspects_without_provenance(yg: Program, graph: Graph) -> None:
    """
    001, Assembly Algorithm, step 4, source: "No source attribute on aspect"
    """
    for tag in yg.openings(graph.files, graph.node, "aspect"):
        assert [part.split("=")[0] for part in tag[:-1].split('" ')] == ["<aspect name", "id"]


@BOTH
def test_step_4_appends_the_exceptions_of_the_node_and_of_its_ancestors_to_the_aspect(
    yg: Program, graph: Graph
) -> None:
    """
    001, Assembly Algorithm, step 4, exceptions: "the exception notes are appended to"
    """
    above = [{"aspect": "x1", "exceptions": ["Not at night"]}]
    files = graph.adding(
        {
            **aspect("x1", stability="schema"),
            f"model/{graph.parent}/yg-node.yaml": node(name="Above", aspects=above),
        },
        aspects=[{"aspect": "x1", "exceptions": ["Not here", "Nor there"]}],
    )
    assert yg.block(files, graph.extra, "aspect", "x1") == (
        '<aspect name="Aspect x1" id="x1">\n### content.md\nWhat x1 asks for.\n'
        "**Stability tier:** schema\n**Exception for this node:** Not here\n"
        "**Exception for this node:** Nor there\n"
        f"**Exception from {graph.parent}:** Not at night\n</aspect>"
    )


@BOTH
@pytest.mark.parametrize("kind", STRUCTURAL)
def test_step_5_gives_the_shared_artifacts_of_each_structural_target(
    yg: Program, graph: Graph, kind: str
) -> None:
    """
    001, Assembly Algorithm, step 5: "for each structural relation of N"
    001, Assembly Algorithm, step 5, artifacts: "artifacts of target with included_in_relations"
    004, yg-config.yaml, included_in_relations: "optional, default false"
    """
    files = graph.adding(relations=[{"target": graph.target, "type": kind}])
    block = yg.block(files, graph.extra, "dependency")
    assert block == (
        f'<dependency target="{graph.target}" type="{kind}">\n### responsibility.md\n'
        f"{graph.files[f'model/{graph.target}/responsibility.md']}### interface.md\n"
        f"{graph.files[f'model/{graph.target}/interface.md']}</dependency>"
    )


@BOTH
def test_step_5_annotates_a_dependency_with_consumes_and_failure(yg: Program, graph: Graph) -> None:
    """
    001, Assembly Algorithm, step 5, consumes: "consumes annotation from the relation field"
    001, Assembly Algorithm, step 5, failure: "failure annotation from the relation field"
    001, Relational Annotations: "then append annotations from the YAML relation fields"
    """
    entry = {"target": graph.target, "type": "calls", "consumes": ["a", "b c"], "failure": "wait"}
    block = yg.block(graph.adding(relations=[entry]), graph.extra, "dependency")
    assert block.startswith(
        f'<dependency target="{graph.target}" type="calls" consumes="a, b c" failure="wait">\n'
        "Consumes: a, b c\nOn failure: wait\n\n### responsibility.md\n"
    )


@BOTH
def test_step_5_gives_name_type_and_consumed_data_of_events(yg: Program, graph: Graph) -> None:
    """
    001, Assembly Algorithm, step 5, events: "for each event relation of N (emits, listens)"
    001, Assembly Algorithm, step 5, event: "event name and type"
    001, Relational Annotations, emits: "You publish OrderPlaced."
    001, Relational Annotations, listens: "You listen for PaymentCompleted."
    """
    files = graph.adding(
        relations=[
            {"target": graph.listener, "type": "emits", "event_name": "OrderPlaced"},
            {
                "target": graph.target,
                "type": "listens",
                "event_name": "PaymentCompleted",
                "consumes": ["orderId", "amount", "status"],
            },
        ]
    )
    assert yg.blocks(files, graph.extra, "event") == [
        (
            f'<event target="{graph.listener}" type="emits" event-name="OrderPlaced">\n'
            f"Target: {graph.listener}\nYou publish OrderPlaced.\n</event>"
        ),
        (
            f'<event target="{graph.target}" type="listens" event-name="PaymentCompleted" '
            f'consumes="orderId, amount, status">\nSource: {graph.target}\n'
            "You listen for PaymentCompleted.\nConsumes: orderId, amount, status\n</event>"
        ),
    ]


@BOTH
def test_step_5_gives_the_flows_of_the_node_and_of_its_ancestors(yg: Program, graph: Graph) -> None:
    """
    001, Assembly Algorithm, step 5, flows: "for each flow listing N or any of N's ancestors"
    001, Assembly Algorithm, step 5, flow: "flow content artifacts"
    """
    files = graph.adding(
        {
            **flow("own", graph.extra),
            **flow("parent", graph.parent),
            **flow("sibling", graph.node),
            **flow("child", f"{graph.extra}/low"),
            f"model/{graph.extra}/low/yg-node.yaml": node(),
            "flows/own/sequence.md": "1. one\n",
        }
    )
    names = [attribute(tag, "name") for tag in yg.openings(files, graph.extra, "flow")]
    assert [name for name in names if name.startswith("Flow")] == ["Flow own", "Flow parent"]
    assert yg.block(files, graph.extra, "flow", "Flow own") == (
        '<flow name="Flow own">\n### description.md\nWhat happens in own.\n### sequence.md\n'
        "1. one\n</flow>"
    )


@BOTH
def test_a_package_has_only_what_is_directly_relevant(yg: Program, graph: Graph) -> None:
    """
    001, Assembly Algorithm, size: "attaches only what is directly relevant to node N"
    001, Package Size and Budget: "each algorithm step attaches only directly relevant context"
    """
    middle, far, child = "Unseen: the internals", "Unseen: two steps away", "Unseen: a child"
    files = graph.adding(
        {
            "model/near/yg-node.yaml": node(relations=[{"target": "far", "type": "calls"}]),
            "model/near/responsibility.md": SENTENCE,
            "model/near/internals.md": middle,
            "model/far/yg-node.yaml": node(),
            "model/far/interface.md": far,
            f"model/{graph.extra}/low/yg-node.yaml": node(),
            f"model/{graph.extra}/low/interface.md": child,
            **aspect("unseen"),
            **flow("unseen", "far"),
        },
        relations=[{"target": "near", "type": "calls"}],
    )
    package = yg.package(files, graph.extra)
    assert SENTENCE in package
    for text in ("Unseen", "unseen", graph.files[f"model/{graph.node}/responsibility.md"]):
        assert text not in package


# Relational Annotations and the format


RAW = "## A & B <tag>\n</own-artifacts>\n\n| x | y |\n\ttab  and blanks  \n```js\ncode()\n```"


@BOTH
def test_texts_are_copied_verbatim_and_never_interpreted(yg: Program, graph: Graph) -> None:
    """
    001, Relational Annotations, step 5: "Step 5 does not parse the content of Markdown artifacts."
    001, Relational Annotations, verbatim: "Artifact content is copied verbatim"
    001, Relational Annotations, principle: "tools never interpret Markdown content"
    001, Context Package Format, content: "content between tags is raw text (no CDATA, no escaping)"
    001, Context Package Format, code: "attach content without parsing it"
    """
    files = graph.adding(
        {"model/raw/yg-node.yaml": node(), "model/raw/interface.md": RAW},
        relations=[{"target": "raw", "type": "calls"}],
    )
    text = f'<dependency target="raw" type="calls">\n### interface.md\n{RAW}\n</dependency>\n'
    assert text in yg.package(files, graph.extra)


@BOTH
def test_consumes_and_failure_come_from_yaml_alone(yg: Program, graph: Graph) -> None:
    """
    001, Relational Annotations, fields: "fields come from YAML declarations"
    """
    files = graph.adding(
        {f"model/{graph.target}/interface.md": f"Consumes: everything\n{SENTENCE}"},
        relations=[{"target": graph.target, "type": "calls"}],
    )
    assert yg.openings(files, graph.extra, "dependency") == [
        f'<dependency target="{graph.target}" type="calls">'
    ]


@BOTH
def test_tag_structure_is_the_same_for_each_project(yg: Program, graph: Graph) -> None:
    """
    001, Context Package Format, fixed: "the same tag structure regardless of project"
    """
    tags = [
        line[1:].split(">")[0].split(" ")[0].removesuffix("/")
        for line in yg.package(graph.files, graph.node).split("\n")
        if line.startswith("<") and not line.startswith("</")
    ]
    order = ["context-package", "global", "hierarchy", "own-artifacts", "materialization-target"]
    order += ["aspect", "dependency", "event", "flow"]
    assert list(dict.fromkeys(tags)) == order
    assert tags == sorted(tags, key=order.index)


@BOTH
def test_a_package_has_no_source_code_and_is_complete_without_it(yg: Program, graph: Graph) -> None:
    """
    001, Context Package Format, code: "contains only graph content, not source code"
    001, Dependency Resolution Order: "it uses graph artifacts, not materialized outputs"
    """
    package = yg.package(graph.files, graph.node)
    assert graph.files[graph.source] not in package
    unwritten = {path: text for path, text in graph.files.items() if not path.startswith("src/")}
    assert yg.package(unwritten, graph.node) == package


@BOTH
def test_names_are_escaped_in_attributes(yg: Program, graph: Graph) -> None:
    """
    001, Context Package Format, tags: "Tags provide structure and metadata"
    """
    package = yg.package(graph.adding(name='A & "B" <c>'), graph.extra)
    name = "A &amp; &quot;B&quot; &lt;c&gt;"
    assert f'<context-package node-path="{graph.extra}" node-name="{name}" ' in package


# Package Size and Budget


def sized(yg: Program, graph: Graph, tokens: int) -> Files:
    """Return a graph in which the package of the extra node just has a size."""
    text = f"model/{graph.extra}/internals.md"
    rest = characters(yg.package(graph.adding({text: "."}), graph.extra)) - 1
    return graph.adding({text: "x" * (4 * tokens - rest)})


@BOTH
def test_a_token_is_four_characters_rounded_up(yg: Program, graph: Graph) -> None:
    """
    001, Package Size and Budget, tokens: "the heuristic of 4 characters per token"
    """
    for more, tokens in ((0, 500), (1, 501), (4, 501), (5, 502)):
        files = sized(yg, graph, 500)
        files[f"model/{graph.extra}/internals.md"] += "ä" * more
        tag = yg.package(files, graph.extra).split("\n", 1)[0]
        assert attribute(tag, "token-count") == str(tokens)


@BOTH
@pytest.mark.parametrize(
    ("tokens", "status", "codes"),
    [
        (10_000, "ok", []),
        (10_001, "warning", ["W005"]),
        (20_000, "warning", ["W005"]),
        (20_001, "error", ["W006"]),
    ],
)
def test_a_package_above_a_threshold_is_a_warning_and_still_printed(
    yg: Program, graph: Graph, tokens: int, status: str, codes: list[str]
) -> None:
    """
    001, Package Size and Budget, warning: "Warning threshold (default 10,000 tokens)"
    001, Package Size and Budget, error: "Error threshold (default 20,000 tokens)"
    001, Completeness Signals, budget: "exceeding the configured warning threshold"
    001, Completeness Signals, large: "causes the CLI to emit a warning on stderr"
    001, Completeness Signals, output: "The context package is still output"
    """
    files = sized(yg, graph, tokens)
    outcome = yg(files, "build-context", graph.extra)
    assert outcome.code == 0
    assert f'token-count="{tokens}"' in outcome.text
    assert outcome.text.endswith(f"</context-package>\nBudget status: {status}\n")
    assert ("too large" in outcome.notes) is (status == "error")
    assert outcome.notes.count("\n") == int(status == "error")
    assert yg.codes(files, graph.extra) == codes


# Tracked file collection, layers 1 to 5


@BOTH
def test_tracked_files_are_those_that_decide_the_package(yg: Program, graph: Graph) -> None:
    """
    001, Tracked file collection: "mirrors the traversal of context assembly"
    001, Tracked file collection, 1: "config-filtered artifacts of the node itself"
    001, Tracked file collection, 2: "artifacts of all ancestor nodes from root to parent"
    001, Tracked file collection, 3: "content files for all resolved aspects"
    001, Tracked file collection, 4: "structural-context artifacts of structural relation targets"
    001, Tracked file collection, 5: "listing this node or an ancestor as a participant"
    001, Tracked file collection, once: "deduplicated by path"
    """
    own = [path for path in graph.files if path.startswith(f"model/{graph.node}/")]
    above = [path for path in graph.files if path.rpartition("/")[0] == f"model/{graph.parent}"]
    ids = {
        "plain": ("tidy", "small", "group/short", "quick"),
        "shop": (
            *("requires-audit", "requires-logging", "requires-auth"),
            *("requires-saga", "requires-idempotency"),
        ),
    }[graph.name]
    aspects = [path for path in graph.files if path.rpartition("/")[0][8:] in ids]
    shared = ("responsibility.md", "interface.md")
    targets = [
        path
        for path in graph.files
        if path.startswith((f"model/{graph.target}/", f"model/{graph.blackbox}/"))
        and path.endswith(shared)
    ]
    flows = [path for path in graph.files if path.startswith(f"flows/{graph.flow}/")]
    assert yg.tracked(graph.files, graph.node) == sorted(own + above + aspects + targets + flows)


@BOTH
def test_a_file_that_is_no_artifact_is_not_tracked(yg: Program, graph: Graph) -> None:
    """
    001, Tracked file collection, own: "yg-node.yaml and config-filtered artifacts"
    """
    files = graph.adding({f"model/{graph.extra}/notes.md": "Not configured.\n"})
    assert f"model/{graph.extra}/notes.md" not in yg.tracked(files, graph.extra)


# Validation


@BOTH
def test_a_graph_without_issues_is_reported_as_such(yg: Program, graph: Graph) -> None:
    """
    001, Validation: "Tools validate the entire graph"
    """
    assert yg.text(graph.files, "validate").startswith("No issues found.")


@BOTH
def test_errors_block_packages_and_warnings_do_not(yg: Program, graph: Graph) -> None:
    """
    001, Validation, severity: "two severity levels with distinct consequences"
    001, Structural Integrity, severity: "They block context assembly"
    001, Completeness Signals, severity: "don't break the graph but reduce context package value"
    001, Role of Validation, CI: "validation is a quality gate"
    """
    bad = graph.adding(relations=[{"target": "gone", "type": "calls"}])
    poor = graph.plus({f"model/{graph.extra}/yg-node.yaml": node()})
    assert yg(bad, "validate").code == 1
    assert f"E004 {graph.extra}" in yg.refusal(bad, "build-context", graph.node)
    assert yg(poor, "validate").code == 0
    assert yg.codes(poor, graph.extra) == ["W001"]
    assert yg.package(poor, graph.node) == yg.package(graph.files, graph.node)


@BOTH
def test_every_reference_has_to_resolve(yg: Program, graph: Graph) -> None:
    """
    001, Structural Integrity, relations: "Every relation target must resolve to an existing node."
    001, Structural Integrity, flows: "Every flow participant must resolve to an existing node."
    001, Structural Integrity, aspects: "must correspond to a directory under aspects/"
    001, Structural Integrity, implies: "must have a corresponding aspect in aspects/"
    """
    gone = [{"target": "gone", "type": "calls"}]
    files = graph.adding(
        {
            **flow("broken", graph.node, "gone", aspects=["gone"]),
            **aspect("broken", implies=["gone"]),
        },
        relations=gone,
        aspects=[{"aspect": "gone"}],
    )
    assert sorted(yg.issues(files)) == [
        ("E003", graph.extra),
        ("E004", graph.extra),
        ("E006", "flows/broken"),
        ("E007", "flows/broken"),
        ("E016", "aspects/broken"),
    ]


def ring(graph: Graph, *kinds: str, blackbox: bool = False) -> Files:
    """Return a graph with nodes whose relations form a ring."""
    names = [f"r{number}" for number, _ in enumerate(kinds)]
    files = {}
    for kind, name, other in zip(kinds, names, (*names[1:], names[0]), strict=True):
        keys = {"blackbox": True} if blackbox and name == "r0" else {}
        relation = {"target": other, "type": kind}
        files[f"model/{name}/yg-node.yaml"] = node(relations=[relation], **keys)
        files[f"model/{name}/responsibility.md"] = files[f"model/{name}/interface.md"] = SENTENCE
    return graph.plus(files)


@BOTH
@pytest.mark.parametrize("kind", STRUCTURAL)
def test_structural_relations_form_no_cycle(yg: Program, graph: Graph, kind: str) -> None:
    """
    001, Structural Integrity, acyclicity: "must not form cycles"
    """
    assert yg.issues(ring(graph, kind, "uses", "calls")) == [("E010", "r0")]
    assert yg.issues(ring(graph, kind)) == [("E010", "r0")]


@BOTH
def test_event_relations_may_form_cycles(yg: Program, graph: Graph) -> None:
    """
    001, Structural Integrity, events: "Event relations (emits, listens) may form cycles"
    """
    codes = {code for code, _ in yg.issues(ring(graph, "emits", "listens", "calls"))}
    assert codes == {"W009"}  # each is declared on one side only
    assert yg.issues(ring(graph, "emits", "listens")) == []


@BOTH
def test_a_cycle_through_a_blackbox_is_tolerated(yg: Program, graph: Graph) -> None:
    """
    001, Structural Integrity, blackbox: "cycles involving at least one blackbox node are tolerated"
    """
    files = ring(graph, "calls", "uses", "calls", blackbox=True)
    assert yg.issues(files) == []
    assert yg.package(files, "r1").count("<dependency ") == 1


# Completeness Signals


@BOTH
def test_a_node_without_a_required_artifact_is_a_warning(yg: Program, graph: Graph) -> None:
    """
    001, Completeness Signals, missing: "a non-blackbox node without required artifacts"
    """
    text = f"model/{graph.target}/interface.md"
    assert yg.issues(graph.without(text)) == [("W001", graph.target)]
    boxed = graph.files[f"model/{graph.target}/yg-node.yaml"] + "blackbox: true\n"
    files = graph.without(text)
    assert yg.issues({**files, f"model/{graph.target}/yg-node.yaml": boxed}) == []


@BOTH
def test_a_text_below_the_least_length_is_a_warning(yg: Program, graph: Graph) -> None:
    """
    001, Completeness Signals, shallow: "shorter than the configured minimum length"
    """
    for text, codes in (("x" * 50, []), ("x" * 49, ["W002"]), (f"\n{'x' * 49} \n", ["W002"])):
        files = graph.adding({f"model/{graph.extra}/internals.md": text})
        assert yg.codes(files, graph.extra) == codes


@BOTH
def test_more_relations_than_configured_are_a_warning(yg: Program, graph: Graph) -> None:
    """
    001, Completeness Signals, fan-out: "direct relation count exceeds the configured maximum"
    """
    leaves = {f"model/l{number}/yg-node.yaml": node(blackbox=True) for number in range(11)}
    for count, codes in ((10, []), (11, ["W007"])):
        relations = [{"target": f"l{number}", "type": "uses"} for number in range(count)]
        assert yg.codes(graph.adding(leaves, relations=relations), graph.extra) == codes


@BOTH
@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_declared_on_one_side_only_is_a_warning(
    yg: Program, graph: Graph, kind: str
) -> None:
    """
    001, Completeness Signals, events: "the target has no matching listens, or vice versa"
    001, Completeness Signals, both sides: "Tools compare declarations on both sides"
    """
    other = "listens" if kind == "emits" else "emits"
    here = [{"target": "other", "type": kind, "event_name": "Done"}]
    alone = graph.adding({"model/other/yg-node.yaml": node(blackbox=True)}, relations=here)
    assert yg.codes(alone, graph.extra) == ["W009"]
    for name, codes in (("Done", []), ("Undone", ["W009"]), ("", [])):
        back = {"target": graph.extra, "type": other} | ({"event_name": name} if name else {})
        both = {**alone, "model/other/yg-node.yaml": node(blackbox=True, relations=[back])}
        assert yg.codes(both, graph.extra) == codes, name


@BOTH
def test_a_type_may_require_an_aspect_directly_or_through_implies(
    yg: Program, graph: Graph
) -> None:
    """
    001, Completeness Signals, coverage: "lacks coverage (direct aspect or via implies)"
    001, Completeness Signals, code: "Tools report this as a warning (W011)."
    """
    config = graph.files["yg-config.yaml"].replace(
        "  library:\n", f"  library:\n    required_aspects: [{graph.implied}]\n"
    )
    for uses, codes in (
        ([], ["W011"]),
        ([{"aspect": graph.implied}], []),
        ([{"aspect": graph.aspect}], []),
    ):
        files = graph.adding({"yg-config.yaml": config}, type="library", aspects=uses)
        assert yg.codes(files, graph.extra) == codes


# Role of Validation, tool operations


@BOTH
def test_a_message_says_what_is_wrong_why_and_what_to_do(yg: Program, graph: Graph) -> None:
    """
    001, Role of Validation, agents: "this node has three inbound relations"
    """
    calls = [{"target": "api", "type": "calls"}]
    files = graph.plus(
        {f"model/c{number}/yg-node.yaml": node(blackbox=True, relations=calls) for number in "123"}
    )
    files["model/api/yg-node.yaml"] = node()
    files["model/api/responsibility.md"] = SENTENCE
    assert yg.message(files, "W001") == (
        "W001 api -> missing artifact 'interface'.\n"
        "  Node has 3 incoming relations: c1, c2, c3. Define the public API in interface.md.\n"
    )


@BOTH
def test_asking_changes_no_file(yg: Program, graph: Graph) -> None:
    """
    001, Tool Operations: "Read and validation operations are stateless"
    001, Read Operations: "Read operations modify nothing."
    001, Validation Operations: "do not modify semantic knowledge"
    001, Responsibility Boundary: "Tools do not write semantic content to the graph."
    """
    root = yg.place(graph.files)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    for words in (
        ("build-context", graph.node),
        *(("tree",), ("aspects",), ("flows",), ("validate",), ("coverage",)),
        *(("owner", graph.source), ("explain", "E001")),
    ):
        assert yg(graph.files, *words).code == 0
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before
