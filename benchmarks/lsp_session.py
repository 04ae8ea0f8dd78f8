"""Measures `yg lsp` as an editor uses it: the time to start, after a keystroke, and its memory.

    python benchmarks/lsp_session.py --nodes 1000,10000

A client types into a node of a synthetic repository, in turn into a comment, into the target of a
relation and into a line that makes the node invalid; it waits for diagnostics after each keystroke,
and asks for completions, between checks and during them. Times are by the clock, as a person waits.
With --code, the rules that compare the graph with imports and names run as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

HERE = Path(__file__).parent
KEYS = 20
PAUSE = 0.2  # seconds after a key; a check has begun by then
CODE = "code: {imports: warning}\n"


class Window:
    """An editor with one open document."""

    def __init__(self, root: Path, node: str) -> None:
        self.root = root
        self.file = root / ".yggdrasil" / "model" / node / "yg-node.yaml"
        self.uri = self.file.as_uri()
        self.client = LanguageClient("benchmark", "1")
        self.published = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: types.PublishDiagnosticsParams) -> None:
            if params.uri == self.uri:
                self.published.set()

        @self.client.feature(types.WINDOW_LOG_MESSAGE)
        def log(_params: types.LogMessageParams) -> None:
            pass

    async def start(self) -> float:
        started = time.perf_counter()
        await self.client.start_io(sys.executable, "-m", "yg", "lsp", cwd=self.root)
        capabilities = types.ClientCapabilities()
        params = types.InitializeParams(capabilities, root_uri=self.root.as_uri())
        await self.client.initialize_async(params)
        took = time.perf_counter() - started
        self.client.initialized(types.InitializedParams())
        return took

    async def open(self, text: str) -> float:
        started = time.perf_counter()
        item = types.TextDocumentItem(self.uri, "yaml", 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self.published.wait()
        return time.perf_counter() - started

    async def type(self, text: str, version: int) -> float:
        self.published.clear()
        started = time.perf_counter()
        document = types.VersionedTextDocumentIdentifier(version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        params = types.DidChangeTextDocumentParams(document, [change])
        self.client.text_document_did_change(params)
        await self.published.wait()
        return time.perf_counter() - started

    async def complete(self, text: str) -> float:
        lines = text[: text.index("target: ") + len("target: ")].split("\n")
        place = types.Position(len(lines) - 1, len(lines[-1]))
        document = types.TextDocumentIdentifier(self.uri)
        started = time.perf_counter()
        await self.client.text_document_completion_async(types.CompletionParams(document, place))
        return time.perf_counter() - started

    @property
    def memory(self) -> float:
        """The peak of the server's memory in MB."""
        status = Path(f"/proc/{self.client._server.pid}/status").read_text(encoding="utf-8")  # noqa: SLF001
        return int(status.split("VmHWM:")[1].split()[0]) / 1000

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def edited(text: str, number: int) -> str:
    """Return the text after a key: in a comment, in the name of a target, or in invalid YAML."""
    match number % 3:
        case 0:
            return f"{text}# {'x' * number}\n"
        case 1:
            return text.replace("target: ", f"target: {'x' * number}", 1)
        case _:
            return f"{'x' * number}\n{text}"


async def measured(root: Path, node: str) -> dict[str, float]:
    """Run one session in a repository whose index is up to date."""
    window = Window(root, node)
    text = window.file.read_text(encoding="utf-8")
    figures = {"start": await window.start(), "first diagnostics": await window.open(text)}
    await asyncio.sleep(3)  # as a person reads before typing
    diagnostics, completions = [], []
    for number in range(1, KEYS + 1):
        completions.append(await window.complete(text))
        diagnostics.append(await window.type(edited(text, number), number))
    busy = []
    for number in range(KEYS + 1, 2 * KEYS + 1):
        typing = asyncio.create_task(window.type(edited(text, number), number))
        await asyncio.sleep(PAUSE)
        busy.append(await window.complete(text))
        await typing
    figures["diagnostics after a key, median"] = statistics.median(diagnostics)
    figures["diagnostics after a key, worst"] = max(diagnostics)
    figures["completion, median"] = statistics.median(completions)
    figures["completion, worst"] = max(completions)
    figures["completion in a check, median"] = statistics.median(busy)
    figures["completion in a check, worst"] = max(busy)
    memory = window.memory
    await window.stop()
    return {**{name: round(1000 * value) for name, value in figures.items()}, "MB": round(memory)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", default="1000,10000")
    parser.add_argument("--code", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for nodes in args.nodes.split(","):
            root = Path(folder) / nodes
            command = [sys.executable, str(HERE / "generate.py"), str(root), "--nodes", nodes]
            made = subprocess.run(command, check=True, capture_output=True, text=True)
            with (root / ".yggdrasil" / "yg-config.yaml").open("a", encoding="utf-8") as config:
                config.write(CODE if args.code else "")
            time.sleep(2.5)  # until the index trusts the files
            validate = [sys.executable, "-m", "yg", "validate", "-C", root]
            subprocess.run(validate, check=True, capture_output=True)
            figures = asyncio.run(measured(root, json.loads(made.stdout)["top"]))
            print(f"{nodes} nodes:", flush=True)
            for name, value in figures.items():
                print(f"  {name:<34}{value:>8} {'' if name == 'MB' else 'ms'}")


if __name__ == "__main__":
    main()
