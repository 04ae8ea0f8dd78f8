"""Relations to nodes of other repositories: packages, drift and every question about a graph."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from inventories import COMMIT, LEDGER, billing_import, published
from support import NODE, graph_from
from yg.commands import deps as deps_command
from yg.commands import tree as tree_command
from yg.commands.build_context.package import package_text
from yg.commands.export.dot import export_dot
from yg.commands.export.mermaid import export_mermaid
from yg.commands.impact.node import impact_of_node, node_text
from yg.kernel.errors import NotFoundError
from yg.kernel.export import Presence
from yg.kernel.palette import PLAIN
from yg.yggdrasil.block_kind import BlockKind
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.inventories.relations import External, externals, known_target, relying_on, users
from yg.yggdrasil.names import path_named
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.blocks import Block
from yg.yggdrasil.package.combine import combine
from yg.yggdrasil.package.markdown import package_markdown
from yg.yggdrasil.questions.deps import RelationClass, dependency_tree, plan_of
from yg.yggdrasil.questions.export import export_of, with_budgets
from yg.yggdrasil.questions.impact import external_impact
from yg.yggdrasil.questions.overview import outline

TARGET = "billing::payments/ledger"
ORDERS = f"""\
{NODE}relations: [{{target: stock, type: uses}}]
external:
  - {{target: "{TARGET}", type: calls, consumes: [post, void], failure: "retry & wait"}}
  - {{target: "billing::payments", type: listens}}
  - {{target: "billing::payments", type: emits, event_name: OrderPaid, consumes: [id]}}
"""
FILES = {
    "model/orders/yg-node.yaml": ORDERS,
    "model/stock/yg-node.yaml": NODE,
    "model/web/yg-node.yaml": f"{NODE}relations: [{{target: orders, type: calls}}]\n",
    "imports/billing.jsonl": billing_import(),
}


def graph_with(files: Mapping[str, str] = {}) -> Graph:
    return graph_from({**FILES, **files})


def blocks(graph: Graph, path: str, kind: BlockKind) -> list[Block]:
    node = graph.nodes.get(path)
    assert node is not None
    return [block for block in assemble(graph, node).parts if block.kind is kind]


def text_of(graph: Graph, *paths: str) -> str:
    nodes = [node for path in paths if (node := graph.nodes.get(path))]
    return package_text(combine([assemble(graph, node) for node in nodes], graph.edition.order))


def test_a_package_quotes_imported_contracts_after_those_of_this_repository() -> None:
    text = text_of(graph_with(), "orders")
    dependencies = text[text.index("<dependency ") : text.index("\n\n</context-package>")]
    assert (
        dependencies
        == f"""\
<dependency target="stock" type="uses">
</dependency>

<dependency target="{TARGET}" source="import billing@{COMMIT}" type="calls" consumes="post, void" \
failure="retry &amp; wait">
Consumes: post, void
On failure: retry & wait

### responsibility.md
Keeps the books.
### interface.md
## post(entry)
</dependency>

<event target="billing::payments" source="import billing@{COMMIT}" type="listens" \
event-name="Payments">
Source: billing::payments
You listen for Payments.
</event>

<event target="billing::payments" source="import billing@{COMMIT}" type="emits" \
event-name="OrderPaid" consumes="id">
Target: billing::payments
You publish OrderPaid.
Consumes: id
</event>"""
    )


def test_an_import_without_contracts_gives_the_first_line_and_says_so() -> None:
    graph = graph_with({"imports/billing.jsonl": billing_import(contracts=False)})
    (_, block) = blocks(graph, "orders", BlockKind.DEPENDENCY)
    assert (
        block.content
        == """\
Consumes: post, void
On failure: retry & wait
Summary: Keeps the books.
The import billing has no contracts, so no more of the target is known.
"""
    )


def test_an_import_without_a_commit_has_only_its_name() -> None:
    graph = graph_with({"imports/billing.jsonl": billing_import(commit="")})
    assert 'source="import billing"' in text_of(graph, "orders")


def test_the_size_of_a_package_counts_imported_contracts() -> None:
    graph = graph_with()
    node = graph.nodes.get("orders")
    assert node is not None
    package = assemble(graph, node)
    assert package.characters == len(package.text)
    assert package.source_files == (
        ".yggdrasil/imports/billing.jsonl",
        ".yggdrasil/model/orders/yg-node.yaml",
    )


def test_several_nodes_share_an_imported_contract() -> None:
    graph = graph_with({"model/other/yg-node.yaml": ORDERS})
    text = text_of(graph, "orders", "other")
    assert text.count("## post(entry)") == 1
    assert "See: dependency of orders\n" in text


def test_markdown_names_the_import_too() -> None:
    graph = graph_with()
    node = graph.nodes.get("orders")
    assert node is not None
    markdown = package_markdown(assemble(graph, node))
    assert f"### {TARGET} (calls, import billing@{COMMIT})\n" in markdown
    assert "#### interface.md\n## post(entry)" in markdown


def test_only_contracts_that_the_node_relies_on_are_its_own() -> None:
    graph = graph_with()
    node = graph.nodes.get("orders")
    assert node is not None
    assert assemble(graph, node).contracts == {TARGET: published("x", LEDGER).digest}


def test_a_target_that_is_missing_has_no_block_but_an_event_has() -> None:
    text = text_of(graph_with({"imports/billing.jsonl": "damaged"}), "orders")
    assert text.count("<dependency ") == 1
    assert '<event target="billing::payments" type="listens" event-name="billing::payments">' in (
        text
    )


def test_the_commit_of_an_import_alone_does_not_change_a_package() -> None:
    def contents(commit: str) -> object:
        graph = graph_with({"imports/billing.jsonl": billing_import(commit=commit)})
        node = graph.nodes.get("orders")
        return node and assemble(graph, node).contents

    assert contents("a" * 40) == contents("b" * 40)


def test_the_external_relations_of_a_node_with_what_the_import_knows() -> None:
    graph = graph_with()
    node = graph.nodes.get("orders")
    assert node is not None
    ledger, *_ = externals(graph, node)
    imported = graph.inventories.get("billing")
    assert imported is not None
    assert ledger == External(node.external[0], imported, imported.nodes["payments/ledger"])
    assert imported.repository == "acme-billing"


def test_the_nodes_that_rely_on_a_target() -> None:
    graph = graph_with()
    found = [(node.path, str(relation.kind)) for node, relation in relying_on(graph, TARGET)]
    assert found == [("orders", "calls")]
    assert {target: tuple(nodes) for target, nodes in users(graph).items()} == {
        TARGET: ("orders",),
        "billing::payments": ("orders",),
    }


def test_the_tree_counts_external_relations() -> None:
    assert (
        tree_command.text(tree_command.tree_of(outline(graph_with())), PLAIN)
        == """\
model/
├── orders/ [service] -> 4 relations (3 external)
├── stock/ [service] -> 0 relations
└── web/ [service] -> 1 relations
"""
    )


def test_dependencies_show_external_targets_and_do_not_go_on_there() -> None:
    graph = graph_with({"model/orders/yg-node.yaml": ORDERS.replace("ledger", "gone")})
    tree = dependency_tree(graph, "web", None, RelationClass.ALL)
    assert (
        deps_command.text(deps_command.deps_of(tree), PLAIN)
        == """\
web
└── calls orders
    ├── uses stock
    ├── calls billing::payments/gone (external) (does not resolve)
    ├── listens billing::payments (external)
    └── emits billing::payments (external) (see above)
"""
    )
    only = dependency_tree(graph_with(), "orders", 1, RelationClass.STRUCTURAL)
    assert [line.path for line in only.lines] == ["stock", TARGET]


def test_external_targets_are_not_part_of_a_plan() -> None:
    mapped = f"{ORDERS}mapping: {{paths: [a]}}\n"
    assert plan_of(graph_with({"model/orders/yg-node.yaml": mapped})).stages == (("orders",),)


def test_the_impact_of_a_node_of_another_repository() -> None:
    more = f'{NODE}external: [{{target: "billing::payments", type: calls}}]\n'
    graph = graph_with({"model/audit/yg-node.yaml": more})
    assert (
        node_text(impact_of_node(external_impact(graph, TARGET)))
        == f"""\
Impact of changes in {TARGET}:

Directly dependent:
  <- orders (calls, you consume: post, void)
Transitively dependent:
  <- orders <- web
Event-dependent: (none)
Through ancestors:
  <- audit (calls billing::payments)
  <- orders (listens billing::payments)
  <- orders (emits billing::payments)
Descendants (hierarchy impact): (none)
Flows: (none)
Aspects (scope covers node): (none)
Nodes sharing aspects: (none)

Total scope: 2 nodes, 0 flows, 0 aspects
"""
    )
    events = external_impact(graph, "billing::payments")
    assert events.affected == ("audit", "orders")
    assert [(link.kind, link.event) for link in events.events or ()] == [
        ("emits", "OrderPaid"),
        ("listens", "Payments"),
    ]


def test_the_impact_of_one_method() -> None:
    assert external_impact(graph_with(), TARGET, "post").affected == ("orders", "web")
    nobody = external_impact(graph_with(), TARGET, "refund")
    assert (nobody.affected, nobody.consumed) == ((), ("post", "void"))


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("biling::x", "there is no import 'biling'", "Did you mean 'billing'?"),
        ("zzz::x", "there is no import 'zzz'", "'yg import list' shows the imports."),
        (f"{TARGET}s", "import 'billing' has no node 'payments/ledgers'", f"'{TARGET}'?"),
        ("billing::zzz", "import 'billing' has no node 'zzz'", "at c0ffeec0ffee: payments, pay"),
        ("bad::x", "bad: the import is damaged: not valid JSON", "yg import add bad PATH"),
    ],
)
def test_a_target_that_does_not_exist(name: str, message: str, hint: str) -> None:
    graph = graph_with({"imports/bad.jsonl": ""})
    with pytest.raises(NotFoundError) as caught:
        known_target(graph, name)
    assert caught.value.message == message
    assert hint in caught.value.hint


def test_a_question_about_a_node_of_another_repository_says_what_can_be_asked() -> None:
    with pytest.raises(NotFoundError, match=f"no node at '{TARGET}'") as caught:
        path_named(graph_with(), TARGET)
    assert caught.value.hint.endswith(f"the nodes that rely on it: yg impact {TARGET}")
    with pytest.raises(NotFoundError) as caught:
        path_named(graph_with(), "billing::nowhere")
    assert "another repository" not in caught.value.hint


def test_a_target_that_is_gone_is_known_while_nodes_rely_on_it() -> None:
    graph = graph_with({"imports/billing.jsonl": billing_import(published("other"))})
    assert known_target(graph, f"{TARGET}/") == TARGET


def test_an_export_names_both_repositories_by_their_own_names() -> None:
    export = with_budgets(export_of(graph_with(), "shop"), graph_with())
    edges = [edge for edge in export.edges if edge.target_repository != "shop"]
    assert [(edge.source, edge.target, edge.type) for edge in edges] == [
        ("shop:node:orders", "acme-billing:node:payments/ledger", "calls"),
        ("shop:node:orders", "acme-billing:node:payments", "emits"),
        ("shop:node:orders", "acme-billing:node:payments", "listens"),
    ]
    assert {edge.repository for edge in export.edges} == {"shop"}
    (ledger,) = [vertex for vertex in export.vertices if vertex.path == "payments/ledger"]
    assert (ledger.repository, ledger.name, ledger.description, ledger.presence) == (
        "acme-billing",
        "Ledger",
        "Keeps the books.",
        Presence.PRESENT,
    )
    assert ledger.tokens is None


def test_an_export_of_a_broken_relation_has_the_name_of_the_import() -> None:
    export = export_of(graph_from({"model/orders/yg-node.yaml": ORDERS}), "shop")
    (edge,) = [edge for edge in export.edges if edge.type == "calls"]
    assert (edge.target, edge.target_repository) == ("billing:node:payments/ledger", "billing")
    (vertex,) = [vertex for vertex in export.vertices if vertex.id == edge.target]
    assert vertex.presence is Presence.MISSING


def test_a_repository_of_the_same_name_does_not_replace_nodes_of_this_one() -> None:
    files = {"model/payments/yg-node.yaml": "name: Own\ntype: module\n"}
    export = export_of(graph_with(files), "acme-billing")
    (vertex,) = [vertex for vertex in export.vertices if vertex.path == "payments"]
    assert (vertex.name, vertex.type) == ("Own", "module")


def test_a_drawing_shows_external_targets_as_such() -> None:
    other = published("payments/ledger", LEDGER)
    files = {"imports/billing.jsonl": billing_import(replace(other, type="unheard-of"))}
    drawing = export_mermaid(export_of(graph_with(files), "shop"))
    assert 'node_payments_ledger["Ledger<br/>unheard-of, in acme-billing"]:::look' in drawing
    assert 'node_payments["payments<br/>node, in acme-billing, missing"]:::look' in drawing
    assert "unheard-of, in acme-billing" in export_dot(export_of(graph_with(files), "shop"))
