"""A working session with the MCP server, and what each tool costs an agent.

    python benchmarks/mcp_session.py session    the transcript in docs/mcp.md
    python benchmarks/mcp_session.py costs      the table of costs there

Both start `yg mcp` for a copy of examples/shop and ask it with the official client over standard
input and output. A token is taken for four characters, as everywhere in yg.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOP = Path(__file__).parent.parent / "examples" / "shop"
PROGRAM: tuple[str, ...] = (sys.executable, "-m", "yg")
SHOWN_AS = "/home/me/shop"
FIXED = {  # so that the commit has the same name every time
    **{f"GIT_{who}_{what}": "me" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    **{f"GIT_{who}_DATE": "2026-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
PAYMENTS, FILE = "payments/payment-service", "src/shop/payments/service.py"
SESSION: tuple[tuple[str, dict[str, Any], int], ...] = (  # tool, arguments, lines to show
    ("find", {"words": "refund money"}, 3),
    ("build-context", {"node": PAYMENTS}, 8),
    ("impact", {"node": PAYMENTS, "method": "refund"}, 4),
    ("build-context", {"node": "orders/order-service", "have": [PAYMENTS]}, 8),
    ("drift", {"scope": "payments", "drifted_only": True}, 3),
    ("validate", {"scope": "payments"}, 1),
)
COSTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("build-context", {"node": PAYMENTS}),
    ("brief", {"targets": [FILE]}),
    ("overview", {}),
    ("find", {"words": "refund money"}),
    ("tree", {}),
    ("show", {"names": ["quote"]}),
    ("uses", {"name": "quote"}),
    ("owner", {"files": [FILE]}),
    ("deps", {"node": "orders/order-service"}),
    ("impact", {"node": PAYMENTS}),
    ("validate", {}),
    ("drift", {"drifted_only": True}),
    ("review", {}),
    ("preflight", {}),
    ("advise", {}),
    ("plan", {}),
    ("explain", {"code": "E004"}),
)


def prepared(folder: Path) -> Path:
    """Copy the example, record its baselines and commit it, the same way every time."""
    root = folder / "shop"
    shutil.copytree(SHOP, root, ignore=shutil.ignore_patterns("__pycache__"))
    yg = [*PROGRAM, "-C", str(root), "drift-sync", "--all"]
    git = ["git", "-C", str(root)]
    first = ["-c", "init.defaultBranch=main", "init", "-q"]
    for command in (yg, [*git, *first], [*git, "add", "-A"], [*git, "commit", "-qm", "A shop"]):
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, **FIXED})
    return root


def client_of(root: Path, *options: str) -> Client:
    """Start a server for a repository, and a client for it."""
    command, *arguments = (*PROGRAM, "mcp", "--root", str(root), "--no-cache", *options)
    env = {**os.environ, **FIXED}
    return Client(StdioServerParameters(command=command, args=arguments, env=env))


async def session(root: Path) -> str:
    """Work on a node, and write down what was asked and answered."""
    lines: list[str] = []
    async with client_of(root) as client:
        for tool, arguments, most in SESSION:
            if tool == "drift":  # by now the agent has changed the code
                with (root / FILE).open("a", encoding="utf-8") as file:
                    file.write("# A refund carries its reason.\n")
                lines += [f"(the agent changes {FILE})", ""]
            result = await client.call_tool(tool, arguments)
            texts = [content.text for content in result.content if content.type == "text"]
            lines += [f"> {tool} {json.dumps(arguments)}", *_first(texts[0], most), texts[-1]]
    return "\n".join(lines).replace(str(root), SHOWN_AS)


def _first(text: str, most: int) -> Sequence[str]:
    lines = text.splitlines()
    return lines if len(lines) <= most else [*lines[:most], "..."]


async def costs(root: Path) -> str:
    """Write a table of what each tool costs: to be offered, and one answer."""
    rows = ["| tool | definition | arguments | text | structuredContent |"]
    rows += ["| --- | ---: | --- | ---: | ---: |"]
    async with client_of(root) as client:
        offered = {tool.name: tool for tool in (await client.list_tools()).tools}
    async with client_of(root, "--all-tools") as client:
        known = {tool.name: tool for tool in (await client.list_tools()).tools}
        for name, arguments in COSTS:
            tool = known[name]
            offer = [tool.name, tool.description, json.dumps(tool.input_schema)]
            result = await client.call_tool(name, arguments)
            texts = "".join(item.text for item in result.content if item.type == "text")
            data = json.dumps(result.structured_content, ensure_ascii=False)
            sizes = [_tokens("".join(map(str, offer))), _tokens(texts), _tokens(data)]
            question = f"`{json.dumps(arguments)}`" if arguments else "all"
            rows.append(f"| `{name}` | {sizes[0]} | {question} | {sizes[1]} | {sizes[2]} |")
        size = sum(
            len(item.model_dump_json(by_alias=True, exclude_none=True)) for item in offered.values()
        )
    return "\n".join([*rows, "", f"All of `tools/list` without options: {size} bytes."])


def _tokens(text: str) -> int:
    return -(-len(text) // 4)


def main() -> None:
    """Print what was asked for."""
    wanted = {"session": session, "costs": costs}[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(wanted(prepared(Path(folder).resolve()))))


if __name__ == "__main__":
    main()
