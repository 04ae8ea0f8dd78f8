"""A new command is one module and its entry in the table: nothing else in the sources changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from raw_client import HELLO, INITIALIZED, call, request
from support import REPOSITORY, SHOP_ROOT

MODULE = '''\
"""`yg greet`: greet somebody by the nodes of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from yg.commands.command import Command, Tool
from yg.commands.request import Argument, Operand, Option, Request
from yg.kernel.document import Document, Text, about

if TYPE_CHECKING:
    from yg.commands.command import Run
    from yg.kernel.palette import Palette


class GreetRequest(Request["Greeting"], frozen=True, kw_only=True):
    """Whom to greet."""

    name: Annotated[str, Operand("NAME", "whom to greet"), Argument("Whom to greet.", "Ada")]
    most: Annotated[
        Annotated[int, Meta(ge=1, le=9)],
        Option(metavar="N", help="name at most N nodes"),
        Argument("Maximum number of nodes to name.", 2),
    ] = 1


class Greeting(Document, frozen=True, kw_only=True, tag="yg-greet/1"):
    """What `yg greet --json` prints: a greeting."""

    name: Annotated[Text, about("Who is greeted.")]
    nodes: Annotated[tuple[Text, ...], about("The first nodes of the graph.")]


def ask(run: Run, request: GreetRequest) -> Greeting:
    """Greet somebody."""
    nodes = tuple(run.workspace.queries.all_ids())[: request.most]
    return Greeting(name=request.name, nodes=nodes)


def text(greeting: Greeting, palette: Palette) -> str:
    """Write a greeting."""
    return f"Hello {palette.bold(greeting.name)}, from {', '.join(greeting.nodes)}.\\n"


COMMAND = Command(
    request=GreetRequest,
    documents=(Greeting,),
    ask=ask,
    text=text,
    tool=Tool(title="Greet somebody", when="Use to greet somebody."),
)
'''
ENTRY = '    Entry("greet", "Greet somebody.", "Explore"),\n'
GREETING = {"schema": "yg-greet/1", "name": "Ada", "nodes": ["email-service", "inventory"]}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the sources, and add a command to two files of them."""
    root = tmp_path_factory.mktemp("sources")
    package = root / "yg"
    shutil.copytree(
        REPOSITORY / "src" / "yg", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    (package / "commands" / "greet.py").write_text(MODULE, encoding="utf-8")
    table = package / "commands" / "table.py"
    text = table.read_text(encoding="utf-8")
    for before, added in (("COMMANDS = (\n", ENTRY), ("TOOLS = (\n", '    "greet",\n')):
        assert text.count(before) == 1
        text = text.replace(before, before + added)
    table.write_text(text, encoding="utf-8")
    return root


def python(sources: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run Python with the copy of the sources in the example, and return what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(sources), "XDG_CACHE_HOME": str(sources / "c")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=SHOP_ROOT,
        env=environment,
        input=stdin,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def yg(sources: Path, *words: str, stdin: bytes = b"") -> str:
    return python(sources, "-m", "yg", *words, stdin=stdin)


def test_it_is_a_command_with_help_and_completions(sources: Path) -> None:
    assert yg(sources, "greet", "Ada") == "Hello Ada, from email-service.\n"
    assert "  greet           Greet somebody.\n" in yg(sources, "--help")
    assert "--most N" in yg(sources, "greet", "--help")
    assert "greet" in yg(sources, "--complete", "fish", "yg", "gr")


def test_it_has_json_and_a_schema(sources: Path) -> None:
    assert json.loads(yg(sources, "greet", "Ada", "--most", "2", "--json")) == GREETING
    schema = json.loads(yg(sources, "explain", "--schema", "yg-greet/1"))
    assert list(schema["properties"]) == ["schema", "name", "nodes"]
    assert schema["properties"]["name"]["description"] == "Who is greeted."


def test_agents_have_a_tool_for_it(sources: Path) -> None:
    messages = (HELLO, INITIALIZED, request(1, "tools/list"), call(2, "greet", name="Ada", most=2))
    lines = "".join(f"{json.dumps(message)}\n" for message in messages)
    answers = map(json.loads, yg(sources, "mcp", "--all-tools", stdin=lines.encode()).splitlines())
    results: dict[Any, Any] = {answer["id"]: answer["result"] for answer in answers}
    tools = {tool["name"]: tool for tool in results[1]["tools"]}
    assert tools["greet"]["description"] == "Use to greet somebody."
    assert tools["greet"]["inputSchema"]["required"] == ["name"]
    assert results[2]["structuredContent"] == GREETING


def test_python_can_ask_it(sources: Path) -> None:
    script = "import yg; print(yg.open_workspace('.').ask('greet', name='Ada', most=2))"
    assert python(sources, "-c", script) == f"{GREETING}\n"
