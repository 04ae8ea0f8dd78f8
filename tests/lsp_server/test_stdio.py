"""The server as a process, with a client of pytest-lsp."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from forked import shared
from lsp_server.editor import MODEL, SHOP
from support import write

COMMAND = [sys.executable, "-m", "yg", "lsp", "--stdio"]
ORDERS = f"{MODEL}/orders/yg-node.yaml"
PUSHED = "textDocument/publishDiagnostics"


class Config(ClientServerConfig):
    """Starts the server without the time that Python takes to import it."""

    def get_server_command(self, devtools: str | None = None) -> list[str]:  # noqa: ARG002
        return [*shared(serves=True).yg, "lsp", "--stdio"]


@pytest_lsp.fixture(config=Config(server_command=COMMAND))  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """Start a server; each test initialises it."""
    yield
    if lsp_client.capabilities is not None:
        await lsp_client.shutdown_session()


class Window:
    """One repository in an editor that talks to a server."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root

    async def start(
        self, name: str = "visual-studio-code", **options: Any
    ) -> types.InitializeResult:
        return await self.client.initialize_session(
            types.InitializeParams(
                capabilities=options.pop("capabilities", None) or client_capabilities(name),
                root_uri=self.root.as_uri(),
                process_id=os.getpid(),
                **options,
            )
        )

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def document(self, path: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(path))

    def open(self, path: str, text: str) -> None:
        item = types.TextDocumentItem(self.uri(path), "yaml", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path: str, text: str, span: types.Range | None = None) -> None:
        change: Any = (
            types.TextDocumentContentChangeWholeDocument(text)
            if span is None
            else types.TextDocumentContentChangePartial(span, text)
        )
        version = types.VersionedTextDocumentIdentifier(2, self.uri(path))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))

    async def codes(self, path: str, expected: list[str]) -> list[types.Diagnostic]:
        """Wait until a file has diagnostics with these codes, and return them."""
        async with asyncio.timeout(30):
            while True:
                found = self.client.diagnostics.get(self.uri(path))
                if found is not None and [item.code for item in found] == expected:
                    return list(found)
                await self.client.wait_for_notification(PUSHED)


@pytest.fixture
def window(client: LanguageClient, tmp_path: Path) -> Window:
    return Window(client, write(tmp_path / "röot 😀", SHOP))


@pytest.mark.asyncio
async def test_a_session_in_an_editor(window: Window) -> None:
    client = window.client
    answer = await window.start()
    assert answer.capabilities.rename_provider == types.RenameOptions(prepare_provider=True)
    window.change(ORDERS, "a change of a document that is not open")
    window.open(ORDERS, SHOP[ORDERS])
    await window.codes(ORDERS, [])

    line = types.Position(5, 12)
    window.change(ORDERS, "pay/gatway 😀 x", types.Range(line, types.Position(5, 23)))
    error, *_ = await window.codes(ORDERS, ["E004", "W021"])
    assert error.range.start == line

    window.change(ORDERS, SHOP[ORDERS].replace("type: service", "type: servce"))
    (error,) = await window.codes(ORDERS, ["E002"])
    found = await client.text_document_code_action_async(
        types.CodeActionParams(
            window.document(ORDERS), error.range, types.CodeActionContext([error])
        )
    )
    assert [action.title for action in found or ()] == ["Change to 'service'"]
    window.change(ORDERS, SHOP[ORDERS].replace("type: service", "type: "))
    await window.codes(ORDERS, ["E001"])
    offered_types = await client.text_document_completion_async(
        types.CompletionParams(window.document(ORDERS), types.Position(1, 6))
    )
    assert isinstance(offered_types, types.CompletionList)
    assert [item.label for item in offered_types.items] == ["module", "service"]

    window.change(ORDERS, SHOP[ORDERS])
    await window.codes(ORDERS, [])
    at_target = types.Position(5, 14)
    location = await client.text_document_definition_async(
        types.DefinitionParams(window.document(ORDERS), at_target)
    )
    assert isinstance(location, list)
    assert [place.uri for place in location] == [window.uri(f"{MODEL}/pay/gateway/yg-node.yaml")]
    shown = await client.text_document_hover_async(
        types.HoverParams(window.document(ORDERS), at_target)
    )
    assert shown is not None
    assert "What pay/gateway does." in str(shown.contents)
    places = await client.text_document_references_async(
        types.ReferenceParams(
            types.ReferenceContext(include_declaration=True), window.document(ORDERS), at_target
        )
    )
    assert places is not None
    assert len(places) == 2
    links = await client.text_document_document_link_async(
        types.DocumentLinkParams(window.document(ORDERS))
    )
    assert links is not None
    assert len(links) == 4
    symbols = await client.workspace_symbol_async(types.WorkspaceSymbolParams("gateway"))
    assert symbols is not None
    assert [symbol.name for symbol in symbols] == ["pay/gateway"]
    prepared = await client.text_document_prepare_rename_async(
        types.PrepareRenameParams(window.document(ORDERS), at_target)
    )
    assert prepared == types.PrepareRenamePlaceholder(
        types.Range(types.Position(5, 12), types.Position(5, 23)), "pay/gateway"
    )
    edit = await client.text_document_rename_async(
        types.RenameParams(window.document(ORDERS), at_target, "pay/gate")
    )
    assert edit is not None
    assert [type(change) for change in edit.document_changes or ()] == [
        types.TextDocumentEdit,
        types.RenameFile,
    ]
    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(window.document("src/pay.py"))
    )
    assert lenses is not None
    assert [lens.command.title for lens in lenses if lens.command] == ["pay/gateway · no baseline"]
    client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"yg": {"codeLens": "off"}})
    )
    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(window.document("src/pay.py"))
    )
    assert not lenses
    opened = await client.workspace_execute_command_async(
        types.ExecuteCommandParams("yg.openNode", [window.uri("src/pay.py")])
    )
    assert opened == window.uri(f"{MODEL}/pay/gateway/yg-node.yaml")


@pytest.mark.asyncio
async def test_issues_are_pushed_for_closed_files_and_pulled_in_utf8(window: Window) -> None:
    window.root.joinpath(ORDERS).write_text("name: N\ntype: servce\n", encoding="utf-8")
    capabilities = client_capabilities("neovim")
    assert capabilities.text_document is not None
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
    encodings = types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16
    capabilities.general = types.GeneralClientCapabilities(position_encodings=encodings)
    answer = await window.start(capabilities=capabilities)
    assert answer.capabilities.diagnostic_provider is not None
    assert answer.capabilities.position_encoding == types.PositionEncodingKind.Utf8
    pushed = await window.codes(ORDERS, ["E002"])
    report: Any = await window.client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(window.document(ORDERS))
    )
    assert list(report.items) == pushed
    everything = await window.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
    assert window.uri(ORDERS) in [item.uri for item in everything.items]

    window.open(ORDERS, 'name: N\ntype: service\nrelations: [{"target": "😀é", type: uses}]\n')
    (error,) = await window.codes(ORDERS, ["E004"])
    assert (error.range.start.character, error.range.end.character) == (23, 31)


@pytest.mark.asyncio
async def test_a_graph_may_appear_break_and_vanish(client: LanguageClient, tmp_path: Path) -> None:
    window = Window(client, tmp_path)
    await window.start("neovim")
    changed = types.DidChangeWatchedFilesParams([])
    write(tmp_path, {**SHOP, ORDERS: "name: N\ntype: servce\n"})
    client.workspace_did_change_watched_files(changed)
    await window.codes(ORDERS, ["E002"])
    window.open(ORDERS, "name: [\n")
    await window.codes(ORDERS, ["E001"])
    window.open("/dev/null", "x")
    window.open(f"{MODEL}/pay/interface.md", "\ud800")
    (tmp_path / ".yggdrasil").rename(tmp_path / "gone")
    client.workspace_did_change_watched_files(changed)
    await window.codes(ORDERS, [])
    nothing = await client.workspace_symbol_async(types.WorkspaceSymbolParams(""))
    assert nothing == []


@pytest.mark.slow
def test_the_server_ends_with_its_input(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    outcome = subprocess.run(
        COMMAND, cwd=tmp_path, input=b"", capture_output=True, timeout=60, check=False
    )
    assert outcome.returncode == 0


@pytest.mark.slow
def test_the_server_ends_with_the_process_of_the_client(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as parent:
        body = (
            '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": '
            f'{parent.pid}, "rootUri": null, "capabilities": {{}}}}}}'
        )
        started = '{"jsonrpc": "2.0", "method": "initialized", "params": {}}'
        messages = "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in (body, started))
        with subprocess.Popen(
            COMMAND, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdin is not None
            server.stdin.write(messages.encode())
            server.stdin.flush()
            time.sleep(0.1)
            parent.communicate(b"\n")
            assert server.wait(60) == 1


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys\nsys.modules['pygls'] = None\nsys.modules['lsprotocol'] = None\n"
        "sys.argv = ['yg', 'lsp']\nfrom yg.__main__ import main\nsys.exit(main())\n"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 1
    assert "pip install 'yggdrasil-context[lsp]'" in outcome.stderr


def test_no_other_command_imports_the_extra(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    program = (
        "import sys\nfrom yg.surfaces.cli.main import answer\n"
        "from yg.surfaces.cli.outcome import Terminal\n"
        "from yg.commands.table import COMMANDS\n"
        "[command.load_all() for command in COMMANDS]\n"
        "answer(['validate'], Terminal(lambda: ()))\n"
        "sys.exit(any(name.split('.')[0] in ('pygls', 'lsprotocol') for name in sys.modules))\n"
    )
    outcome = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False)
    assert outcome.returncode == 0
