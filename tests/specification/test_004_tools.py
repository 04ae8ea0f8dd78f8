"""Document 004, Tools: the keys of each file, and what the operations print and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from specification.graphs import (
    BOTH,
    DEFAULT,
    NAMED,
    PLAIN,
    SCHEMAS,
    SENTENCE,
    SHOP,
    Files,
    Graph,
    aspect,
    described,
    flow,
    node,
)
from specification.program import Program

CONFIG = "yg-config.yaml"


def changed(graph: Graph, old: str, new: str) -> Files:
    """Return a graph with one change of its configuration."""
    return graph.replaced(CONFIG, old, new)


def section(config: str, name: str, new: str) -> str:
    """Return a configuration with another text for one of its sections."""
    lines = config.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"{name}:"))
    end = next(
        at
        for at in range(start + 1, len(lines))
        if lines[at] == "" or not lines[at].startswith(" ")
    )
    return "\n".join([*lines[:start], *new.splitlines(), *lines[end:]])


# yg-config.yaml


@BOTH
@pytest.mark.parametrize(
    ("name", "new", "is_valid"),
    [
        ("name", "", False),
        ("name", "name: ''", False),
        ("name", "name: 12", False),
        ("name", "name: 'twelve'", True),
        ("node_types", "", False),
        ("node_types", "node_types: {}", False),
        ("node_types", "node_types: [module, service]", False),
        ("node_types", "node_types: {module: {}}", False),
        ("artifacts", "", False),
        ("artifacts", "artifacts: {}", False),
        ("artifacts", "artifacts: {yg-node.yaml: {required: always}}", False),
        ("artifacts", "artifacts: {responsibility.md: {required: sometimes}}", False),
        ("artifacts", "artifacts: {responsibility.md: {required: {when: full_moon}}}", False),
        ("artifacts", "artifacts: {responsibility.md: {included_in_relations: 1}}", False),
        ("quality", "", True),
        ("quality", "quality: {context_budget: {warning: 20, error: 19}}", False),
        ("quality", "quality: {context_budget: {warning: 20000, error: 20000}}", True),
        ("quality", "quality: {min_artifact_length: -1}", False),
        ("quality", "quality: {max_direct_relations: many}", False),
        ("quality", "quality: {context_budget: {error: 5000}}", False),
    ],
)
def test_the_configuration_has_required_and_optional_keys(
    yg: Program, graph: Graph, name: str, new: str, *, is_valid: bool
) -> None:
    """
    004, yg-config.yaml: "The single source of truth for what tools expect and enforce."
    004, yg-config.yaml, name: "must be non-empty"
    004, yg-config.yaml, node_types: "must be a non-empty object"
    004, yg-config.yaml, description: "Each entry must have a"
    004, yg-config.yaml, artifacts: "must contain at least one element"
    004, yg-config.yaml, names: "Artifact filenames cannot be"
    004, yg-config.yaml, budget: "must be ≥"
    """
    files = graph.plus({CONFIG: section(graph.files[CONFIG], name, new)})
    codes = yg.codes(files, CONFIG)
    assert (codes == []) is is_valid
    assert set(codes) <= {"E012"}


@BOTH
def test_quality_has_defaults(yg: Program, graph: Graph) -> None:
    """
    004, yg-config.yaml, quality: "map, optional (has default values)"
    004, yg-config.yaml, length: "int, default 50"
    004, yg-config.yaml, relations: "int, default 10"
    004, yg-config.yaml, warning: "int, default 10000 (tokens)"
    004, yg-config.yaml, error: "int, default 20000 (tokens)"
    """
    leaves = {f"model/l{number}/yg-node.yaml": node(blackbox=True) for number in range(11)}
    uses = [{"target": f"l{number}", "type": "uses"} for number in range(11)]
    config = section(graph.files[CONFIG], "quality", "")
    cases: tuple[tuple[str, list[dict[str, str]], list[str]], ...] = (
        ("x" * 49, [], ["W002"]),
        ("x" * 50, uses[:10], []),
        ("x" * 50, uses, ["W007"]),
        ("x" * 39_000, [], []),
        ("x" * 40_000, [], ["W005"]),
        ("x" * 79_000, [], ["W005"]),
        ("x" * 80_000, [], ["W006"]),
    )
    for text, relations, codes in cases:
        more = {**leaves, CONFIG: config, f"model/{graph.extra}/internals.md": text}
        assert yg.codes(graph.adding(more, relations=relations), graph.extra) == codes


def test_required_aspects_of_a_type_exist(yg: Program) -> None:
    """
    004, yg-config.yaml, required_aspects: "aspects every node of this type must have"
    """
    config = NAMED.replace("  library:\n", "  library:\n    required_aspects: [gone]\n")
    assert yg.issues(PLAIN.plus({CONFIG: config})) == [("E012", CONFIG)]


# yg-node.yaml


@BOTH
@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ({}, []),
        ({"name": ""}, ["E001"]),
        ({"name": 1}, ["E001"]),
        ({"type": "gadget"}, ["E002"]),
        ({"blackbox": "yes"}, ["E001"]),
        ({"aspects": [{"aspect": "x"}]}, []),
        ({"aspects": ["x"]}, ["E001"]),
        ({"aspects": [{"aspect": "gone"}]}, ["E003"]),
        ({"aspects": [{"aspect": "x", "exceptions": ["a"], "anchors": ["b"]}]}, []),
        ({"aspects": [{"aspect": "x", "exceptions": "a"}]}, ["E001"]),
        ({"aspects": [{"aspect": "x", "exceptions": [""]}]}, ["E001"]),
        ({"aspects": [{"aspect": "x", "exceptions": [1]}]}, ["E001"]),
        ({"aspects": [{"aspect": "x", "anchors": []}]}, ["E001"]),
        ({"aspects": [{"aspect": "x", "anchors": [""]}]}, ["E001"]),
        ({"relations": [{"target": "gone", "type": "uses"}]}, ["E004"]),
        ({"relations": [{"target": "leaf", "type": "needs"}]}, ["E001"]),
        ({"relations": [{"target": "leaf", "type": "emits", "event_name": "E"}]}, ["W009"]),
        ({"relations": [{"target": "leaf", "type": "uses", "consumes": "a"}]}, ["E001"]),
        ({"relations": [{"target": "leaf", "type": "uses", "failure": ["a"]}]}, ["E001"]),
        ({"mapping": {"paths": ["new"]}}, []),
        ({"mapping": {"paths": []}}, ["E001"]),
        ({"mapping": {}}, ["E001"]),
        ({"mapping": ["new"]}, ["E001"]),
        ({"mapping": {"paths": ["/new"]}}, ["E020"]),
        ({"mapping": {"paths": ["../new"]}}, ["E020"]),
        ({"mapping": {"paths": ["new/gone"]}}, ["W012"]),
    ],
)
def test_a_node_has_required_and_optional_keys(
    yg: Program, graph: Graph, keys: dict[str, Any], codes: list[str]
) -> None:
    """
    004, yg-node.yaml: "Node identity and all its outgoing connections."
    004, yg-node.yaml, type: "must be a key in"
    004, yg-node.yaml, blackbox: "bool, optional, default false"
    004, yg-node.yaml, exceptions: "per-node deviations from this aspect's pattern"
    004, yg-node.yaml, aspects: "must correspond to a directory under"
    004, yg-node.yaml, targets: "must resolve to an existing node"
    004, yg-node.yaml, types: "must be from the table above"
    004, yg-node.yaml, relative: "must be relative to the repository root"
    004, yg-node.yaml, paths: "must be non-empty when"
    004, yg-node.yaml, anchors: "must be a non-empty array of strings"
    001, Structural Integrity, exceptions: "must be a list of non-empty strings"
    """
    more = {**described("leaf", blackbox=True), **aspect("x"), "new/a.ts": "b\n"}
    assert yg.codes(graph.adding(more, **keys), graph.extra) == codes


@BOTH
def test_a_mapping_is_shown_as_what_is_to_be_written(yg: Program, graph: Graph) -> None:
    """
    004, yg-node.yaml, mapping: "a list of file and/or directory paths relative to project root"
    004, yg-node.yaml, detection: "Files and directories are auto-detected at runtime."
    """
    files = graph.adding({"new/a.ts": "x\n", "b.ts": "x\n"}, mapping={"paths": ["new", "b.ts"]})
    assert yg.issues(files) == []
    assert yg.blocks(files, graph.extra, "materialization-target") == [
        '<materialization-target paths="new, b.ts"/>'
    ]


@BOTH
@pytest.mark.parametrize(
    ("source", "codes"),
    [("record();\n", []), ("other();\n", ["W014"]), (None, ["W012"])],
)
def test_anchors_are_looked_for_in_mapped_files(
    yg: Program, graph: Graph, source: str | None, codes: list[str]
) -> None:
    """
    004, yg-node.yaml, W014: "validated against mapped source files"
    004, Validate, W014: "not found in node's mapped source files"
    """
    sources = {} if source is None else {"new/a.ts": source}
    uses = [{"aspect": graph.implied, "anchors": ["record"]}]
    files = graph.adding(sources, aspects=uses, mapping={"paths": ["new/a.ts"]})
    assert yg.codes(files, graph.extra) == codes


# yg-aspect.yaml and yg-flow.yaml


@BOTH
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("name: Audit logging\ndescription: Short\nimplies: [x]\nstability: protocol\n", []),
        ("name: ''\n", ["E018"]),
        ("description: Short\n", ["E018"]),
        ("name: A\nimplies: x\n", ["E018"]),
        ("name: A\nimplies: [gone]\n", ["E016"]),
        ("name: A\nimplies: [a]\n", ["E017"]),
        ("name: A\nstability: schema\n", []),
        ("name: A\nstability: implementation\n", []),
        ("name: A\nstability: eternal\n", ["E018"]),
    ],
)
def test_an_aspect_has_required_and_optional_keys(
    yg: Program, graph: Graph, text: str, codes: list[str]
) -> None:
    """
    004, yg-aspect.yaml: "Aspect metadata — a cross-cutting requirement."
    004, yg-aspect.yaml, name: "must be non-empty"
    004, yg-aspect.yaml, implies: "must have a corresponding aspect directory under"
    004, yg-aspect.yaml, cycles: "The aspect implies graph must be acyclic"
    004, yg-aspect.yaml, stability: "must be one of"
    """
    files = graph.plus({"aspects/a/yg-aspect.yaml": text, **aspect("x")})
    assert yg.codes(files, "aspects/a") == codes


@BOTH
@pytest.mark.parametrize("tier", ["schema", "protocol", "implementation"])
def test_an_aspect_shows_its_stability_tier(yg: Program, graph: Graph, tier: str) -> None:
    """
    004, yg-aspect.yaml, schema: "Enforced by data model; changes require migration (most stable)"
    004, yg-aspect.yaml, protocol: "Contractual pattern; breaking causes visible failures"
    004, yg-aspect.yaml, implementation: "Specific mechanism; subject to optimization"
    """
    files = graph.adding(aspect("x", stability=tier), aspects=[{"aspect": "x"}])
    block = yg.block(files, graph.extra, "aspect", 'id="x"')
    assert block.endswith(f"\n**Stability tier:** {tier}\n</aspect>")


@BOTH
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("name: F\nnodes: [NODE]\n", []),
        ("name: F\nnodes: [NODE]\naspects: [x]\n", []),
        ("name: ''\nnodes: [NODE]\n", ["E019"]),
        ("nodes: [NODE]\n", ["E019"]),
        ("name: F\n", ["E019"]),
        ("name: F\nnodes: []\n", ["E019"]),
        ("name: F\nnodes: NODE\n", ["E019"]),
        ("name: F\nnodes: [gone]\n", ["E006"]),
        ("name: F\nnodes: [NODE]\naspects: [gone]\n", ["E007"]),
    ],
)
def test_a_flow_has_required_and_optional_keys(
    yg: Program, graph: Graph, text: str, codes: list[str]
) -> None:
    """
    004, yg-flow.yaml: "End-to-end flow metadata."
    004, yg-flow.yaml, name: "must be non-empty"
    004, yg-flow.yaml, nodes: "list of strings, required, non-empty"
    004, yg-flow.yaml, participants: "must resolve to an existing node"
    004, yg-flow.yaml, aspects: "must correspond to an aspect directory under"
    """
    files = graph.plus({"flows/f/yg-flow.yaml": text.replace("NODE", graph.node), **aspect("x")})
    assert yg.codes(files, "flows/f") == codes


@BOTH
def test_the_sections_of_a_description_are_not_validated(yg: Program, graph: Graph) -> None:
    """
    004, description.md: "section validation is not yet enforced by yg validate"
    """
    assert yg.issues(graph.plus(flow("f", graph.node))) == []


# Operations


@BOTH
def test_parameters_are_flags_or_positions(yg: Program, graph: Graph) -> None:
    """
    004, Naming convention: "yg build-context --node orders/order-service"
    004, Naming convention, owner: "yg owner --file"
    """
    for command, flag, value in (
        ("build-context", "--node", graph.node),
        ("owner", "--file", graph.source),
        ("tree", "--root", graph.parent),
        ("validate", "--scope", graph.parent),
    ):
        by_flag = yg.text(graph.files, command, flag, value)
        assert by_flag == yg.text(graph.files, command, value)


# Build context


@BOTH
def test_a_target_that_shares_nothing_is_quoted_whole(yg: Program, graph: Graph) -> None:
    """
    004, Build context, fallback: "all configured artifacts are included as fallback"
    004, Build context, shared: "(default: responsibility, interface)"
    """
    target = "model/target"
    more = {f"{target}/yg-node.yaml": node(), f"{target}/internals.md": "Inside.\n"}
    files = graph.adding(more, relations=[{"target": "target", "type": "calls"}])
    quoted = "### internals.md\nInside.\n"
    assert quoted in yg.block(files, graph.extra, "dependency")
    with_interface = {**files, f"{target}/interface.md": "Outside.\n"}
    block = yg.block(with_interface, graph.extra, "dependency")
    assert quoted not in block
    assert "### interface.md\nOutside.\n" in block


@BOTH
def test_a_package_says_its_size_and_its_status(yg: Program, graph: Graph) -> None:
    """
    004, Build context, tokens: "~4 characters per token"
    004, Build context, result: "Includes token count and budget status"
    """
    package = yg.package(graph.files, graph.node)
    (found,) = yg.json(graph.files, "build-context", graph.node)["packages"]
    assert f' token-count="{found["tokens"]}">\n' in package
    assert found["tokens"] == -(-found["characters"] // 4)
    assert package.endswith("\n</context-package>\nBudget status: ok\n")


@BOTH
def test_a_node_that_does_not_exist_has_no_package(yg: Program, graph: Graph) -> None:
    """
    004, Build context, errors: "Node does not exist at the provided path."
    """
    assert yg.refusal(graph.files, "build-context", "gone").startswith("error: no node at 'gone'\n")
    near = yg.refusal(graph.files, "build-context", f"{graph.node}s")
    assert f"Did you mean '{graph.node}'" in near


@BOTH
def test_any_error_in_the_graph_blocks_every_package(yg: Program, graph: Graph) -> None:
    """
    004, Build context, refusal: "the tool reports errors and refuses to assemble"
    """
    far = graph.plus(described("far", relations=[{"target": "gone", "type": "uses"}]))
    refusal = yg.refusal(far, "build-context", graph.node)
    assert refusal.startswith("E004 far -> relation to 'gone' does not resolve.\n")
    assert yg.text(far, "build-context", "--lenient", graph.node) == yg.package(
        graph.files, graph.node
    )


# Tree view


def tree_of(*modules: str, **nodes: Files) -> Files:
    """Return a graph in which every node has what it needs."""
    files = {CONFIG: NAMED, **SCHEMAS}
    for name in modules:
        files |= described(name)
    for more in nodes.values():
        files |= more
    return files


AUTH = [{"aspect": "requires-auth"}]
TREE = tree_of(
    "auth",
    "orders",
    login=described(
        "auth/login-service",
        type="service",
        aspects=AUTH,
        relations=[{"target": "orders", "type": "calls"}],
    ),
    token=described("auth/token-service", type="service"),
    order=described(
        "orders/order-service",
        type="service",
        aspects=[{"aspect": "requires-audit"}, *AUTH],
        relations=[
            {"target": "payments", "type": "calls"},
            {"target": "payments/payment-service", "type": "calls"},
        ],
    ),
    payments=described("payments", blackbox=True),
    payment=described("payments/payment-service", type="service", blackbox=True),
    audit=aspect("requires-audit", implies=["requires-auth"]),
    auth_aspect=aspect("requires-auth"),
)


def test_the_tree_of_the_document_is_printed_as_it_stands_there(yg: Program) -> None:
    """
    004, Tree view: "Displays the graph structure as a tree with node metadata."
    004, Tree view, result: "└── token-service/ [service] -> 0 relations"
    004, Tree view, format: "path, type in brackets, aspects (if any), blackbox flag (if true)"
    004, Tree view, relations: "number of outgoing relations"
    """
    assert yg.text(TREE, "tree") == (
        "model/\n"
        "├── auth/ [module] -> 0 relations\n"
        "│   ├── login-service/ [service] aspects:requires-auth -> 1 relations\n"
        "│   └── token-service/ [service] -> 0 relations\n"
        "├── orders/ [module] -> 0 relations\n"
        "│   └── order-service/ [service] aspects:requires-audit,requires-auth -> 2 relations\n"
        "└── payments/ [module] ■ blackbox -> 0 relations\n"
        "    └── payment-service/ [service] ■ blackbox -> 0 relations\n"
    )


@BOTH
def test_the_tree_begins_at_a_root_and_ends_at_a_depth(yg: Program, graph: Graph) -> None:
    """
    004, Tree view, root: "Default: entire"
    004, Tree view, depth: "Maximum depth. Default: unlimited."
    004, Tree view, behavior: "Traverse the directory tree from the root."
    """
    whole = yg.text(graph.files, "tree").split("\n")
    shallow = yg.text(graph.files, "tree", "--depth", "1").split("\n")
    assert shallow == [line for line in whole if "    " not in line[:5] and "│" not in line]
    below = yg.text(graph.files, "tree", "--root", graph.parent).split("\n")
    assert below[0].startswith(f"model/{graph.parent}/ [module] ")
    assert below[1].startswith(f"└── {graph.node.rpartition('/')[2]}/ [service] aspects:")
    assert len(below) == 3


@BOTH
def test_a_root_that_does_not_exist_is_an_error(yg: Program, graph: Graph) -> None:
    """
    004, Tree view, errors: "The provided root does not exist."
    """
    assert yg.refusal(graph.files, "tree", "gone").startswith("error: no node at 'gone'\n")


# Aspects and flows


def test_aspects_are_listed_as_the_document_shows(yg: Program) -> None:
    """
    004, Aspects: "Lists aspects with metadata in YAML format."
    004, Aspects, sort: "Sort by aspect identifier."
    004, Aspects, keys: "(if present)"
    004, Aspects, nested: "(including nested)"
    """
    logged = "Every state-changing operation must produce an audit log entry"
    files = {
        CONFIG: NAMED,
        **SCHEMAS,
        "aspects/observability/tracing/yg-aspect.yaml": "name: Tracing\n",
        "aspects/observability/logging/yg-aspect.yaml": (
            f"stability: protocol\nimplies: [observability/tracing]\ndescription: {logged}\n"
            "name: Audit Logging\n"
        ),
        "aspects/deterministic/yg-aspect.yaml": "name: Determinism\nstability: schema\n",
    }
    assert yg.text(files, "aspects") == (
        "- id: deterministic\n  name: Determinism\n  stability: schema\n"
        f"- id: observability/logging\n  name: Audit Logging\n  description: {logged}\n"
        "  implies:\n    - observability/tracing\n  stability: protocol\n"
        "- id: observability/tracing\n  name: Tracing\n"
    )


def test_flows_are_listed_as_the_document_shows(yg: Program) -> None:
    """
    004, Flows: "Lists flows with metadata in YAML format."
    004, Flows, sort: "Sort by flow name."
    004, Flows, keys: "(if present)"
    """
    nodes = ("orders/order-service", "auth/auth-api")
    files = {
        **tree_of("orders", "auth", one=described(nodes[0]), two=described(nodes[1])),
        **aspect("requires-audit"),
        **flow("z", *nodes, name="Checkout Flow", aspects=["requires-audit"]),
        **flow("a", "orders", name="Delivery"),
    }
    assert yg.text(files, "flows") == (
        "- name: Checkout Flow\n  nodes:\n    - orders/order-service\n    - auth/auth-api\n"
        "  aspects:\n    - requires-audit\n"
        "- name: Delivery\n  nodes:\n    - orders\n"
    )


@BOTH
@pytest.mark.parametrize("command", ["aspects", "flows"])
def test_without_any_the_list_is_empty(yg: Program, graph: Graph, command: str) -> None:
    """
    004, Aspects, errors: "directory exists, outputs an empty list"
    004, Flows, errors: "directory exists, outputs an empty list"
    """
    assert yg.text(graph.without(command), command) == "[]\n"


@pytest.mark.parametrize("command", ["build-context", "tree", "aspects", "flows", "validate"])
def test_without_a_graph_a_command_fails(yg: Program, command: str) -> None:
    """
    004, Aspects, no graph: "directory — exit 1"
    004, Flows, no graph: "directory — exit 1"
    """
    words = ["orders"] if command == "build-context" else []
    message = "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    assert yg.refusal({"a.txt": "x\n"}, command, *words) == message


def test_the_graph_is_that_of_the_nearest_parent(yg: Program) -> None:
    """
    004, Aspects, resolve: "root (repository root or nearest parent)"
    """
    root = yg.place(SHOP.files)
    outcome = yg(SHOP.files, "aspects", "-C", str(root / "src" / "modules"))
    assert outcome.text == yg.text(SHOP.files, "aspects")


# Init, of which only the text matters here


@pytest.mark.parametrize("command", ["build-context", "tree", "aspects", "flows"])
def test_until_the_name_is_set_commands_fail(yg: Program, command: str) -> None:
    """
    004, Init, name: "most commands that load the graph will fail with a config parse error"
    004, Init, default: "The tool does not guess this value."
    """
    words = [PLAIN.node] if command == "build-context" else []
    refusal = yg.refusal(PLAIN.plus({CONFIG: DEFAULT}), command, *words)
    assert refusal.startswith("E012 yg-config.yaml -> 'name' must not be empty.\n")


# Ownership resolution


@BOTH
def test_a_file_belongs_to_the_node_that_maps_it_or_a_directory_above(
    yg: Program, graph: Graph
) -> None:
    """
    004, Ownership resolution: "Finds the owner node for a given file path."
    004, Ownership resolution, match: "either the path equals a file entry"
    004, Ownership resolution, result: "src/modules/orders/order.service.ts -> orders/order-service"
    """
    assert yg.text(graph.files, "owner", graph.source) == f"{graph.source} -> {graph.node}\n"


def test_a_file_in_a_mapped_directory_names_the_directory(yg: Program) -> None:
    """
    004, Ownership resolution, directory: "context comes from the nearest ancestor directory"
    """
    files = {
        **tree_of("orders"),
        **described("orders/order-service", mapping={"paths": ["src/modules/orders"]}),
        "src/modules/orders/subdir/helper.ts": "x\n",
    }
    assert yg.text(files, "owner", "src/modules/orders/subdir/helper.ts") == (
        "src/modules/orders/subdir/helper.ts -> orders/order-service\n"
        "  No mapping of its own; the context comes from src/modules/orders. "
        "Use: yg build-context --node orders/order-service\n"
    )


@BOTH
def test_the_mapping_of_a_descendant_wins(yg: Program, graph: Graph) -> None:
    """
    004, Ownership resolution, first: "Return the first matching node"
    """
    files = graph.adding(
        {
            **described(f"{graph.extra}/low", mapping={"paths": ["new/low"]}),
            "new/a.ts": "x\n",
            "new/low/b.ts": "x\n",
        },
        mapping={"paths": ["new"]},
    )
    assert yg.issues(files) == []
    for file, owner in (("new/a.ts", graph.extra), ("new/low/b.ts", f"{graph.extra}/low")):
        assert yg.text(files, "owner", file).startswith(f"{file} -> {owner}\n")


@BOTH
def test_a_file_without_an_owner_says_so_and_a_missing_one_too(yg: Program, graph: Graph) -> None:
    """
    004, Ownership resolution, uncovered: "src/utils/helpers.ts -> no graph coverage"
    004, Ownership resolution, hint: "(file not found)"
    004, Ownership resolution, errors: "the operation always returns a result"
    """
    files = graph.plus({"new/helpers.ts": "x\n"})
    there, gone = yg.text(files, "owner", "new/helpers.ts", "new/gone.ts").split("\nnew/gone.ts")
    assert there.startswith("new/helpers.ts -> no graph coverage\n")
    assert gone.startswith(" -> no graph coverage (file not found)\n")
    broken = {**files, CONFIG: DEFAULT}
    assert yg.text(broken, "owner", graph.source) == f"{graph.source} -> {graph.node}\n"


@BOTH
@pytest.mark.parametrize(
    ("file", "case", "ways"),
    [
        ("brand/new.ts", "New code: ", ["--map"]),
        ("partly/b.ts", "Partly mapped: ", ["under 'mapping'", "--map"]),
        ("legacy/a.c", "Existing code: ", ["--map", "--blackbox", "leave it alone"]),
    ],
)
def test_an_uncovered_file_comes_with_its_case_and_the_ways_out(
    yg: Program, graph: Graph, file: str, case: str, ways: list[str]
) -> None:
    """
    004, Ownership resolution, stop: "whether the area is greenfield, partially mapped, or existing"
    004, Ownership resolution, greenfield: "Do NOT offer blackbox."
    004, Ownership resolution, partly: "should be added to the existing node or if a new node"
    004, Ownership resolution, existing: "Present three options and wait for the user to choose"
    """
    files = graph.adding(
        {"partly/a.ts": "x\n", "partly/b.ts": "x\n", "legacy/a.c": "x\n", "legacy/b.c": "x\n"},
        mapping={"paths": ["partly/a.ts"]},
    )
    first, second, third, *rest = yg.text(files, "owner", file).split("\n")
    assert first.startswith(f"{file} -> no graph coverage")
    assert second.startswith(f"  {case}")
    assert third == "  Stop, and let the user choose:"
    assert all(way in "\n".join(rest) for way in ways)
    assert ("--blackbox" in "\n".join(rest)) is (file == "legacy/a.c")


# Validate

NAMES = {
    "E001": "invalid-node-yaml",
    "E002": "unknown-node-type",
    "E003": "unknown-aspect",
    "E004": "broken-relation",
    "E006": "broken-flow-ref",
    "E007": "broken-aspect-ref",
    "E009": "overlapping-mapping",
    "E010": "structural-cycle",
    "E012": "invalid-config",
    "E013": "invalid-artifact-condition",
    "E014": "duplicate-aspect-binding",
    "E015": "missing-node-yaml",
    "E016": "implied-aspect-missing",
    "E017": "aspect-implies-cycle",
    "W001": "missing-artifact",
    "W002": "shallow-artifact",
    "W005": "budget-warning",
    "W006": "budget-error",
    "W007": "high-fan-out",
    "W009": "unpaired-event",
    "W010": "missing-schema",
    "W011": "missing-required-aspect-coverage",
    "W012": "mapping-path-missing",
    "W013": "directory-without-node",
    "W014": "anchor-not-found",
}


def with_fault(graph: Graph, code: str) -> tuple[Files, str]:
    """Return a graph with one fault, and the subject of the issue about it."""
    extra, file = graph.extra, f"model/{graph.extra}/yg-node.yaml"
    leaves = {f"model/l{number}/yg-node.yaml": node(blackbox=True) for number in range(11)}
    many = [{"target": f"l{number}", "type": "uses"} for number in range(11)]
    required = graph.files[CONFIG].replace(
        "  library:\n", f"  library:\n    required_aspects: [{graph.implied}]\n"
    )
    unknown = "artifacts:\n  more.md: {required: {when: 'has_aspect:gone'}}\n"
    long = {f"model/{extra}/internals.md": "x" * 40_000}
    too_long = {f"model/{extra}/internals.md": "x" * 80_000}
    anchored = [{"aspect": graph.aspect, "anchors": ["nowhere"]}]
    files, subject = {
        "E001": (graph.adding({file: "type: module\n"}), extra),
        "E002": (graph.adding(type="gadget"), extra),
        "E003": (graph.adding(aspects=[{"aspect": "gone"}]), extra),
        "E004": (graph.adding(relations=[{"target": "gone", "type": "uses"}]), extra),
        "E006": (graph.plus(flow("f", graph.node, "gone")), "flows/f"),
        "E007": (graph.plus(flow("f", graph.node, aspects=["gone"])), "flows/f"),
        "E009": (graph.adding(mapping={"paths": [graph.source]}), ""),
        "E010": (graph.adding(relations=[{"target": extra, "type": "uses"}]), extra),
        "E012": (graph.plus({CONFIG: graph.files[CONFIG] + "quality: {}\n"}), CONFIG),
        "E013": (changed(graph, "artifacts:\n", unknown), CONFIG),
        "E014": (graph.plus({**aspect("Twice"), **aspect("twice")}), ""),
        "E015": (graph.plus({f"model/{extra}/responsibility.md": SENTENCE}), extra),
        "E016": (graph.plus(aspect("x", implies=["gone"])), "aspects/x"),
        "E017": (graph.plus(aspect("x", implies=["x"])), "aspects/x"),
        "W001": (graph.plus({file: node()}), extra),
        "W002": (graph.adding({f"model/{extra}/interface.md": "Short.\n"}), extra),
        "W005": (graph.adding(long), extra),
        "W006": (graph.adding(too_long), extra),
        "W007": (graph.adding(leaves, relations=many), extra),
        "W009": (graph.adding(relations=[{"target": graph.blackbox, "type": "emits"}]), extra),
        "W010": (graph.without("schemas/yg-node.yaml"), "schemas"),
        "W011": (graph.adding({CONFIG: required}, type="library"), extra),
        "W012": (graph.adding(mapping={"paths": ["src/gone.ts"]}), extra),
        "W013": (graph.plus(described(f"{extra}/low")), extra),
        "W014": (
            graph.adding({"a.ts": "x\n"}, aspects=anchored, mapping={"paths": ["a.ts"]}),
            extra,
        ),
    }[code]
    return files, subject


@BOTH
@pytest.mark.parametrize("code", NAMES)
def test_each_code_reports_its_fault_alone_under_its_name(
    yg: Program, graph: Graph, code: str
) -> None:
    """
    004, Validate, E001: "yg-node.yaml fails to parse or lacks required fields"
    004, Validate, E002: "Node type is not in config.node_types"
    004, Validate, E003: "does not correspond to an aspect directory"
    004, Validate, E004: "Relation target does not resolve to an existing node"
    004, Validate, E006: "Flow participant does not resolve"
    004, Validate, E007: "Aspect reference does not resolve"
    004, Validate, E009: "Overlapping mappings between unrelated nodes"
    004, Validate, E010: "Cycle in structural relations"
    004, schemas/: "Each file shows the expected YAML structure for its element type."
    004, Validate, E012: "yg-config.yaml fails to parse or is invalid"
    004, Validate, E014: "Aspect identifier is bound to multiple aspect directories"
    004, Validate, E015: "Directory in model/ has files but no yg-node.yaml"
    004, Validate, E016: "has no corresponding aspect in aspects/"
    004, Validate, E017: "Cycle in aspect implies graph"
    004, Validate, W001: "Missing required artifact"
    004, Validate, W002: "Artifact below minimum length"
    004, Validate, W005: "Context package exceeds warning threshold"
    004, Validate, W006: "exceeds error threshold (blocks materialization); severity: warning"
    004, Validate, W007: "Node exceeds maximum number of relations"
    004, Validate, W009: "Event relation without complement on the other side"
    004, Validate, W010: "missing from .yggdrasil/schemas/"
    004, Validate, W011: "lacks coverage (direct aspect or via implies) for one or more"
    004, Validate, W012: "does not exist on disk"
    004, Validate, W013: "has only subdirectories but no yg-node.yaml"
    004, yg-config.yaml, conditions: "conditions must refer to aspect directory names"
    004, Validate, E013: "refers to an undefined aspect"
    """
    files, subject = with_fault(graph, code)
    (issue,) = yg.json(files, "validate")["issues"]
    assert (issue["code"], issue["rule"]) == (code, NAMES[code])
    assert issue["severity"] == ("error" if code.startswith("E") else "warning")
    assert not subject or issue["subject"] == subject
    assert yg.text(files, "explain", code).startswith(f"{code} {NAMES[code]} ")


def test_the_messages_of_the_document_are_printed_as_they_stand_there(yg: Program) -> None:
    """
    004, Validate, message E004: "Did you mean 'payments/payment-service'?"
    004, Validate, message W001: "Node has 3 incoming relations"
    004, Validate, message W005: "context package: ~11800 tokens (threshold: 10000)."
    004, Validate, messages: "what is wrong, why, and what to do"
    """
    broken = {
        **tree_of("orders", "payments", pay=described("payments/payment-service")),
        **described("orders/order-service", relations=[{"target": "payment/svc", "type": "calls"}]),
    }
    assert yg.message(broken, "E004") == (
        "E004 orders/order-service -> relation to 'payment/svc' does not resolve.\n"
        "  Existing nodes in payments/: payment-service\n"
        "  Did you mean 'payments/payment-service'?\n"
    )
    callers = ("auth/login-service", "checkout/controller", "subscriptions/billing-service")
    files = tree_of("orders", "auth", "checkout", "subscriptions")
    files |= described("orders/order-service")
    del files["model/orders/order-service/interface.md"]
    for caller in callers:
        files |= described(caller, relations=[{"target": "orders/order-service", "type": "calls"}])
    assert yg.message(files, "W001") == (
        "W001 orders/order-service -> missing artifact 'interface'.\n"
        f"  Node has 3 incoming relations: {', '.join(callers)}. "
        "Define the public API in interface.md.\n"
    )
    large = tree_of("orders", order=described("orders/order-service"))
    known = yg.json(large, "build-context", "orders/order-service")["packages"][0]["characters"]
    name = "model/orders/order-service/internals.md"
    large[name] = "x" * (4 * 11_800 - known - len("\n### internals.md\n"))
    assert yg.message(large, "W005") == (
        "W005 orders/order-service -> context package: ~11800 tokens (threshold: 10000).\n"
        "  Consider splitting the node or reducing dependencies.\n"
    )


@BOTH
def test_errors_come_first_then_warnings_and_the_last_line_counts_them(
    yg: Program, graph: Graph
) -> None:
    """
    004, Validate, result: "errors first, then warnings"
    004, Validate, summary: "X errors, Y warnings"
    004, Validate, exit code: "0 if no errors, 1 if any errors found"
    """
    files = graph.adding(
        {
            "model/aaa/yg-node.yaml": node(),
            "model/zzz/yg-node.yaml": node(relations=[{"target": "gone", "type": "uses"}]),
        },
        aspects=[{"aspect": "gone"}],
    )
    outcome = yg(files, "validate")
    codes = [line[:4] for line in outcome.text.split("\n") if line[:1] in ("E", "W")]
    assert (outcome.code, codes) == (1, ["E003", "E004", "W001", "W001"])
    nodes = {"plain": 9, "shop": 11}[graph.name]
    assert outcome.text.endswith(f"\n2 errors, 2 warnings. {nodes} nodes checked.\n")
    warned = yg({**graph.files, "model/aaa/yg-node.yaml": node()}, "validate")
    assert (warned.code, warned.text.count("W001 aaa")) == (0, 1)


@BOTH
def test_a_scope_is_a_node_with_its_descendants(yg: Program, graph: Graph) -> None:
    """
    004, Validate, scope: "When a node path is given, includes all descendant nodes."
    004, Validate, all: "all or node path"
    004, Validate, errors: "does not exist"
    """
    files = graph.adding(
        {"model/aaa/yg-node.yaml": node(), f"model/{graph.extra}/low/yg-node.yaml": node()},
        aspects=[{"aspect": "gone"}],
    )
    for scope, expected in (
        (graph.parent, [("E003", graph.extra), ("W001", f"{graph.extra}/low")]),
        (f"{graph.extra}/low", [("W001", f"{graph.extra}/low")]),
        (graph.target, []),
    ):
        found = yg.json(files, "validate", "--scope", scope)["issues"]
        assert [(issue["code"], issue["subject"]) for issue in found] == expected
    assert yg(files, "validate", "--scope", "all") == yg(files, "validate")
    refusal = yg.refusal(graph.files, "validate", "--scope", "gone")
    assert refusal.startswith("error: no node at 'gone'\n")


@BOTH
@pytest.mark.parametrize("config", ["name: [x\n", "name: ''\n", "- a\n"])
def test_validation_goes_on_without_a_configuration(yg: Program, graph: Graph, config: str) -> None:
    """
    004, Validate, E012: "validation continues as much as it can"
    """
    files = graph.adding({CONFIG: config}, relations=[{"target": "gone", "type": "uses"}])
    outcome = yg(files, "validate")
    assert outcome.code == 1
    assert "E012 yg-config.yaml -> " in outcome.text
    assert f"E004 {graph.extra} -> relation to 'gone' does not resolve.\n" in outcome.text
