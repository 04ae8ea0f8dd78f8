"""Errors are part of the answers: they say what is wrong and what to do, and the server goes on."""

from __future__ import annotations

import pytest

from agent import Agent, node_names, texts


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("tree", {"dept": 1}, "error: unknown argument 'dept'\n  Did you mean 'depth'?\n"),
        (
            "tree",
            {"depth": "1"},
            (
                "error: 'depth' must be an integer from 0 to 1000000000\n"
                "  Levels to show. For example: 1.\n"
            ),
        ),
        (
            "deps",
            {"type": "all"},
            (
                "error: missing argument 'node'\n"
                "  Path of the node. For example: 'orders/order-service'.\n"
            ),
        ),
        ("deps", {"node": "c"}, "error: no node at 'c'\n  'yg tree' lists all nodes.\n"),
        (
            "impact",
            {"node": "a", "flow": "f"},
            "error: expected exactly one of: a node, --file, --aspect, --flow, --diff\n",
        ),
        (
            "impact",
            {"aspect": "x", "method": "m"},
            "error: --method requires a node\n",
        ),
        (
            "build-context",
            {"node": "a", "diff": "HEAD"},
            "error: --diff cannot be combined with nodes, files or --at\n",
        ),
        (
            "build-context",
            {},
            "error: expected a node, or a file with --file\n  'yg tree' lists all nodes.\n",
        ),
        (
            "build-context",
            {"files": ["src/a.py"], "depth": 1},
            (
                "error: --depth cannot be combined with --file\n"
                "  --depth is for Spec Graphs, which have no file owners.\n"
            ),
        ),
        (
            "build-context",
            {"node": "a", "fit": 0},
            (
                "error: 'fit' must be an integer from 1 to 1000000000\n"
                "  Cut documents to fit this many tokens. For example: 4000.\n"
            ),
        ),
        (
            "build-context",
            {"nodes": []},
            (
                "error: 'nodes' must be a non-empty list of strings of 1 to 4096 characters "
                "without NUL\n"
                "  Several nodes in one package. "
                "For example: ['orders/order-service', 'orders/pricing'].\n"
            ),
        ),
        (
            "impact",
            {"diff": "HEAD"},
            ("error: this is not a git repository\n  Run it inside one, or without a revision.\n"),
        ),
    ],
    ids=str,
)
def test_an_error_says_what_is_wrong_and_what_to_do(
    asking: Agent, tool: str, arguments: dict[str, object], text: str
) -> None:
    result = asking.call(tool, **arguments)
    assert (result.is_error, texts(result)[0]) == (True, text)
    assert not asking.call("tree").is_error


@pytest.mark.parametrize(("tool", "near"), [("tre", "tree"), ("drift-sync", "drift")])
def test_an_unknown_tool_is_answered_with_those_that_exist(
    asking: Agent, tool: str, near: str
) -> None:
    result = asking.call(tool)
    told = f"error: unknown tool '{tool}'\n  Did you mean '{near}'? Known tools: build-context, "
    assert (result.is_error, texts(result)[0][: len(told)]) == (True, told)


def test_an_argument_that_is_null_is_left_out(asking: Agent) -> None:
    assert node_names(asking, node=None, depth=None, root=None, kind=None) == ["Alpha", "N"]


def test_a_refusal_says_the_reason_first_and_then_the_issues(asking: Agent) -> None:
    result = asking.call("build-context", node="a", root="../broken")
    first, second, third, *_ = texts(result)[0].splitlines()
    assert (result.is_error, first, second) == (
        True,
        "error: no package for 'a': the graph has 1 error, 1 affecting it",
        "  Fix the errors first.",
    )
    assert third.startswith("E004 a -> ")


def test_names_that_are_not_utf8_do_not_end_the_server(asking: Agent) -> None:
    result = asking.call("drift", root="../misnamed")
    reason = "is not tracked: its name is not UTF-8"
    assert result.structured_content["notes"] == [f"'src/?.py' {reason}"]
    assert texts(result)[1].startswith(f"warning: 'src/\\377.py' {reason}\n[root ")
    assert not asking.call("tree").is_error
