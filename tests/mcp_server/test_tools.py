"""Every tool gives what the command of its name prints, in both eras of the protocol."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agent import HANDSHAKE, MODERN, Agent, agent, texts
from support import SHOP_ROOT, git, run
from yg.commands.arguments import checked
from yg.commands.table import BY_NAME, LISTED
from yg.surfaces.mcp.tools import READING, SYNC

ORDER = "orders/order-service"
FILE = "src/shop/orders/pricing.py"
PAYMENT, LEDGER = "payments/payment-service", "billing::payments/ledger"
ONLY = ("--only", "own", "--only", "flow:checkout")
CALLS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    ("build-context", {"node": ORDER}, (ORDER,)),
    ("build-context", {"node": ORDER, "format": "markdown"}, (ORDER, "--format", "markdown")),
    ("build-context", {"node": ORDER, "format": "why"}, (ORDER, "--why")),
    ("build-context", {"file": FILE, "lenient": True}, ("--file", FILE, "--lenient")),
    ("build-context", {"nodes": [ORDER, "payments"]}, (ORDER, "payments")),
    ("build-context", {"node": ORDER, "nodes": ["payments"]}, (ORDER, "payments")),
    ("build-context", {"nodes": ["payments"], "files": [FILE]}, ("payments", "--file", FILE)),
    (
        "build-context",
        {"nodes": [ORDER], "have": ["payments/payment-service", "orders/pricing:0123456789ab"]},
        (ORDER, "--have=payments/payment-service", "--have=orders/pricing:0123456789ab"),
    ),
    ("build-context", {"node": ORDER, "only": ["own", "flow:checkout"]}, (ORDER, *ONLY)),
    ("build-context", {"node": ORDER, "without": ["flow"]}, (ORDER, "--without", "flow")),
    ("build-context", {"node": ORDER, "fit": 2500}, (ORDER, "--fit", "2500")),
    ("build-context", {"node": PAYMENT}, (PAYMENT,)),
    ("build-context", {"diff": "HEAD"}, ("--diff", "HEAD")),
    (
        "build-context",
        {"node": ORDER, "tokenizer": "characters"},
        (ORDER, "--tokenizer", "characters"),
    ),
    ("brief", {"targets": [ORDER, FILE]}, (ORDER, FILE)),
    ("brief", {"targets": [FILE], "limit": 300}, (FILE, "--limit", "300")),
    ("overview", {}, ()),
    ("find", {"words": "order Payment"}, ("order", "Payment")),
    ("find", {"words": ["order", "Payment"]}, ("order", "Payment")),
    ("find", {"words": "order", "in": "orders", "all": True}, ("order", "--in=orders", "--all")),
    ("build-context", {"nodes": ORDER, "outline": True}, (ORDER, "--outline")),
    ("find", {"words": "closed month"}, ("closed", "month")),  # in an imported contract
    ("show", {"names": ["quote", f"{FILE}:20"]}, ("quote", f"{FILE}:20")),
    ("show", {"names": [FILE], "outline": True}, (FILE, "--outline")),
    ("tree", {}, ()),
    ("tree", {"node": "payments", "depth": 0}, ("--root", "payments", "--depth", "0")),
    ("owner", {"files": [FILE, "src/shop/app.py", "../x"]}, (FILE, "src/shop/app.py", "../x")),
    ("uses", {"name": "Money", "limit": 3}, ("Money", "--limit=3")),
    ("deps", {"node": ORDER}, (ORDER,)),
    ("deps", {"node": ORDER, "depth": 1, "type": "event"}, (ORDER, "--depth=1", "--type=event")),
    ("impact", {"node": "shared/money"}, ("shared/money",)),
    (
        "impact",
        {"node": "payments/payment-service", "method": "refund"},
        ("payments/payment-service", "--method", "refund"),
    ),
    ("impact", {"node": "shared/money", "all": True}, ("shared/money", "--all")),
    ("impact", {"aspect": "idempotency"}, ("--aspect", "idempotency")),
    ("impact", {"flow": "checkout"}, ("--flow", "checkout")),
    ("impact", {"diff": "HEAD"}, ("--diff", "HEAD")),
    ("impact", {"node": LEDGER}, (LEDGER,)),
    ("impact", {"node": LEDGER, "method": "reverse"}, (LEDGER, "--method", "reverse")),
    ("validate", {}, ()),
    ("validate", {"scope": "orders"}, ("--scope", "orders")),
    ("drift", {}, ()),
    ("drift", {"scope": "orders", "drifted_only": True}, ("--scope", "orders", "--drifted-only")),
    ("review", {}, ()),
    (
        "review",
        {"nodes": ["orders"], "since": "HEAD", "diff": True},
        ("orders", "--since=HEAD", "--diff"),
    ),
    ("preflight", {"quick": True}, ("--quick",)),
    ("preflight", {"closing": True, "since": "HEAD"}, ("--closing", "--since=HEAD")),
    ("advise", {"limit": 2}, ("--limit=2",)),
    ("plan", {}, ()),
    ("plan", {"node": ORDER, "changed": True}, (ORDER, "--changed")),
    ("explain", {"code": "E010"}, ("E010",)),
    ("explain", {}, ()),
    ("explain", {"schema": "tree"}, ("--schema", "tree")),
    ("explain", {"schema": "list"}, ("--schema",)),
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the example into a repository of its own, where one file was changed since."""
    root = tmp_path_factory.mktemp("mcp") / "shop"
    shutil.copytree(SHOP_ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    with (root / FILE).open("a", encoding="utf-8") as file:
        file.write("# more\n")
    return root


@pytest.fixture(scope="module", params=[pytest.param(HANDSHAKE, marks=pytest.mark.slow), MODERN])
def asking(request: pytest.FixtureRequest, shop: Path) -> Iterator[Agent]:
    with agent("--root", str(shop), era=request.param) as connected:
        yield connected


@cache
def printed(shop: Path, tool: str, argv: tuple[str, ...]) -> tuple[str, Any]:
    """Return what a command prints, as text and as data."""
    without_why = [word for word in argv if word != "--why"]
    data = json.loads(run(tool, "-C", str(shop), *without_why, "--json").text)
    return run(tool, "-C", str(shop), *argv).text, data


@pytest.mark.parametrize(("tool", "arguments", "argv"), CALLS, ids=str)
def test_a_tool_answers_as_its_command_does(
    asking: Agent, shop: Path, tool: str, arguments: dict[str, Any], argv: tuple[str, ...]
) -> None:
    result = asking.call(tool, **arguments)
    assert not result.is_error
    assert (texts(result)[0], result.structured_content) == printed(shop, tool, argv)


def test_every_tool_is_compared() -> None:
    assert {tool for tool, _, _ in CALLS} == {tool.name for tool in READING}


def test_every_answer_names_its_root_its_commit_and_whether_the_work_tree_is_dirty(
    asking: Agent, shop: Path
) -> None:
    head = (shop / ".git" / "refs" / "heads").iterdir()
    commit = next(head).read_text(encoding="utf-8").strip()
    for tool, arguments in (("explain", {}), ("tree", {}), ("tree", {"node": "nowhere"})):
        result = asking.call(tool, **arguments)
        state = {"root": str(shop), "commit": commit, "dirty": True}
        assert (result.meta or {})["yg/state"] == state
        assert texts(result)[1] == f"[root {shop}, commit {commit[:12]}, work tree dirty]\n"


def test_the_package_of_one_node_has_its_digest_beside_it(asking: Agent) -> None:
    result = asking.call("build-context", node=ORDER)
    digest = sha256(texts(result)[0].encode()).hexdigest()[:12]
    assert result.structured_content["digest"] == digest
    assert texts(result)[1].startswith(f"[digest {digest}]\n[root ")
    have = [f"{ORDER}:{digest}"]
    assert "same-as" in texts(asking.call("build-context", node="orders/pricing", have=have))[0]
    several = asking.call("build-context", nodes=[ORDER, "payments"])
    assert "digest" not in several.structured_content
    assert "[digest" not in texts(several)[1]


@pytest.mark.parametrize("may", [(), ("--allow-sync",), ("--allow-sync", "--allow-writes")])
def test_the_list_of_tools_stays_small_with_those_that_write(
    shop: Path, may: tuple[str, ...]
) -> None:
    with agent("--root", str(shop), *may) as connected:
        listed = connected.ask(connected.client.list_tools)
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True)) < 17 * 1024


def test_the_list_of_tools_is_complete_small_and_the_same_every_time(asking: Agent) -> None:
    first, second = (asking.ask(asking.client.list_tools) for _ in range(2))
    assert [tool.name for tool in first.tools] == [name for name in LISTED if name in BY_NAME]
    assert len(first.tools) <= 10
    assert first.tools == second.tools
    assert len(first.model_dump_json(by_alias=True, exclude_none=True)) < 16_000
    for tool in first.tools:
        hints = tool.annotations
        assert (hints.read_only_hint, hints.idempotent_hint, hints.open_world_hint) == (
            True,
            True,
            False,
        )
        assert tool.title
        assert tool.description.startswith("Use ")
        assert len(tool.description) < 300
        assert tool.output_schema["type"] == "object"


def test_every_reading_tool_can_be_listed_and_called(asking: Agent, shop: Path) -> None:
    with agent("--root", str(shop), "--all-tools") as connected:
        listed = connected.ask(connected.client.list_tools)
    assert [tool.name for tool in listed.tools] == [tool.name for tool in READING]
    assert all(len(tool.description) < 300 for tool in listed.tools)
    assert not asking.call("deps", node=ORDER).is_error


def test_an_unknown_tool_is_answered_with_those_that_exist(asking: Agent) -> None:
    answer = texts(asking.call("own"))[0]
    assert "Did you mean" in answer
    assert "Known tools: build-context, brief, " in answer


@pytest.mark.parametrize("tool", [*READING, *SYNC], ids=lambda tool: tool.name)
def test_examples_of_arguments_are_arguments(tool: Any) -> None:
    for argument in tool.accepts:
        Draft202012Validator.check_schema(argument.schema)
        assert Draft202012Validator(argument.schema).is_valid(argument.example)
    assert checked(tool.accepts, {argument.name: argument.example for argument in tool.accepts})


def test_an_agent_can_simulate_a_patch(asking: Agent, shop: Path) -> None:
    file = ".yggdrasil/model/shared/money/responsibility.md"
    lines = (shop / file).read_text(encoding="utf-8").splitlines()
    removed = "".join(f"-{line}\n" for line in lines)
    patch = f"--- a/{file}\n+++ b/{file}\n@@ -1,{len(lines)} +1 @@\n{removed}+Nothing at all.\n"
    result = asking.call("impact", node="shared/money", patch=patch)
    assert not result.is_error
    expected = run(
        *("impact", "shared/money", "--patch", "-", "--json", "-C", str(shop)),
        stdin=patch.splitlines(),
    )
    assert result.structured_content == json.loads(expected.text)
    assert any(package["interface_changed"] for package in result.structured_content["packages"])
    refused = asking.call("impact", node="shared/money", patch="no patch")
    assert refused.is_error
    assert "line 1 of the patch" in texts(refused)[0]
