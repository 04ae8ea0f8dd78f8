"""The server: requests of the protocol, answered from the present state of the repository."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from yg_old.disk.git.process import stop_all
from yg_old.kernel.errors import YgError
from yg_old.surfaces.lsp.checks import Checks
from yg_old.surfaces.lsp.documents import Documents
from yg_old.surfaces.lsp.positions import UTF16
from yg_old.surfaces.lsp.protocol import GraphProtocol, make_converter
from yg_old.surfaces.lsp.session import Session, start_directory
from yg_old.surfaces.lsp.settings import COMMAND, LensSetting
from yg_old.surfaces.lsp.transport import Connection
from yg_old.surfaces.lsp.uris import path_of, uri_of
from yg_old.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from yg_old.surfaces.lsp.checks import CheckedState
    from yg_old.surfaces.lsp.session import EditorView

WATCH = 2.0  # seconds between two looks whether the client is alive
GRACE = 5.0  # seconds for requests that are not answered when the input ends
_LOG = logging.getLogger(__name__)

T = TypeVar("T")


class GraphServer(LanguageServer):
    """The state of a server: open documents, settings, and the checks in the background."""

    protocol: GraphProtocol

    def __init__(self, directory: str, kind: str | None, *, uses_index: bool) -> None:
        super().__init__(
            "yg",
            __version__,
            protocol_cls=GraphProtocol,
            converter_factory=make_converter,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
        )
        self._fallback = directory
        self._kind = kind
        self._uses_index = uses_index
        self.documents = Documents()
        self.lens_setting = LensSetting.PROBLEMS
        self.session = Session(directory, kind, uses_index=uses_index)
        # All work on the repository is done in one thread, one call at a time.
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="repository")
        self.checks = Checks(self._executor, self.session, self._state, self._publish)
        self._last: dict[str, list[types.Diagnostic]] = {}
        self._touched: set[str] = set()  # documents whose diagnostics the editor waits for
        self._problem = ""
        self.is_shut_down = False
        self.stop: Callable[[int], object] = lambda _code: None  # ends the connection
        self._tasks: list[asyncio.Task[None]] = []

    def _state(self) -> tuple[Documents, str]:
        return self.documents, self.encoding

    @property
    def encoding(self) -> str:
        """The units of positions."""
        chosen = self.workspace.position_encoding
        return str(getattr(chosen, "value", chosen) or UTF16)

    def begin(self, params: types.InitializeParams) -> None:
        """Take the directory and the settings from the client."""
        folders = [folder.uri for folder in params.workspace_folders or ()]
        uri = params.root_uri or next(iter(folders), None)
        root = path_of(uri) if uri else params.root_path
        directory = start_directory(root, self._fallback)
        self.session = Session(directory, self._kind, uses_index=self._uses_index)
        self.checks = Checks(self._executor, self.session, self._state, self._publish)
        options = params.initialization_options
        self.configure(options)
        declared = params.capabilities.text_document
        is_push = isinstance(options, dict) and options.get("diagnostics") == "push"
        if declared and declared.diagnostic and not is_push:
            _add_pull(self)

    def configure(self, settings: Any) -> None:
        """Take settings, with or without their section `yg`."""
        if not isinstance(settings, dict):
            return
        inner = settings.get("yg", settings)
        if isinstance(inner, dict) and inner.get("codeLens") in list(LensSetting):
            self.lens_setting = LensSetting(inner["codeLens"])

    def start_tasks(self, process_id: int | None) -> None:
        """Start what runs in the background, once."""
        if self._tasks:
            return
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self.checks.poll())]
        if process_id is not None:
            self._tasks.append(loop.create_task(_end_with(process_id)))
        self.checks.changed()

    async def ask(self, answer: Callable[[EditorView], T]) -> T | None:
        """Return an answer from the present state; None if there is no graph."""
        documents, encoding = self._state()

        def work() -> T | None:
            try:
                view = self.checks.checker.view(documents, encoding)
            except YgError as error:
                _LOG.info("%s", error.message)
                return None
            return answer(view) if view is not None else None

        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def ask_at(
        self,
        uri: str,
        answer: Callable[[EditorView, str, int], T],
        position: types.Position | None = None,
    ) -> T | None:
        """Return an answer about a place in a file; None if the file is not of the repository."""
        place = position or types.Position(0, 0)

        def located(view: EditorView) -> T | None:
            path = view.path(path_of(uri))
            if path is None:
                return None
            offset = view.lines(path).offset_of(place.line, place.character, view.encoding)
            return answer(view, path, offset)

        return await self.ask(located)

    def look_again(self, *, is_certain: bool = False) -> None:
        """Look for changes of the saved files before the next request, if they are not certain."""
        self._executor.submit(self.session.forget if is_certain else self.session.has_changed)

    def known_uri(self, uri: str) -> str:
        """Return the URI under which the diagnostics of a file are known."""
        if self.documents.get(uri) is not None:
            return uri
        path = path_of(uri)
        return uri_of(path) if path else uri

    def set_documents(self, documents: Documents, uri: str) -> None:
        """Take another state of the documents, and check it."""
        self.documents = documents
        self._touched.add(uri)
        self.checks.changed()

    def _publish(self, result: CheckedState) -> None:
        """Send the diagnostics that changed, and those of documents that were touched."""
        if result.problem and result.problem != self._problem:
            self.window_log_message(types.LogMessageParams(types.MessageType.Info, result.problem))
        self._problem = result.problem
        before, now = self._last, result.diagnostics
        opened = {document.uri for document in self.documents}
        changed = {uri for uri in before.keys() | now.keys() if before.get(uri) != now.get(uri)}
        for uri in sorted(changed | (self._touched & (opened | before.keys()))):
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, now.get(uri, []), result.versions.get(uri))
            )
        self._last = now
        self._touched.clear()


async def _end_with(process_id: int) -> None:
    """End this process when another one is gone."""
    while True:
        await asyncio.sleep(WATCH)
        try:
            os.kill(process_id, 0)
        except PermissionError:
            continue  # it exists
        except OSError:
            leave(1)


def leave(code: int) -> NoReturn:
    """End the process and git, although threads wait for input or for git."""
    stop_all()
    os._exit(code)


def failure(error: YgError) -> JsonRpcException:
    """Return the error of a request."""
    message = f"{error.message}. {error.hint}".strip() if error.hint else error.message
    return JsonRpcException(message, types.LSPErrorCodes.RequestFailed.value)


def make_server(directory: str, kind: str | None, *, uses_index: bool = True) -> GraphServer:
    """Return a server with all its features."""
    server = GraphServer(directory, kind, uses_index=uses_index)
    server.protocol.on_initialize = server.begin
    _add_lifecycle(server)
    _add_documents(server)
    _add_reading(server)
    _add_showing(server)
    _add_writing(server)
    return server


def _add_lifecycle(server: GraphServer) -> None:
    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        server.start_tasks(server.process_id)
        if types.TEXT_DOCUMENT_DIAGNOSTIC not in server.protocol.fm.features:
            _add_pull(server)  # not offered, but a client may ask
        await _ask_settings(server)

    @server.feature(types.SHUTDOWN)
    def shut_down(_params: None) -> None:
        server.is_shut_down = True

    @server.feature(types.EXIT)
    def end(_params: None) -> None:
        server.stop(0 if server.is_shut_down else 1)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: types.DidChangeConfigurationParams) -> None:
        if params.settings:
            server.configure(params.settings)
        else:
            await _ask_settings(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(_params: types.DidChangeWatchedFilesParams) -> None:
        server.look_again()
        server.checks.changed()


async def _ask_settings(server: GraphServer) -> None:
    """Ask the client for the settings of the section `yg`, if it can be asked."""
    workspace = server.client_capabilities.workspace
    if not (workspace and workspace.configuration):
        return
    asked = types.ConfigurationParams([types.ConfigurationItem(section="yg")])
    try:
        found = await server.workspace_configuration_async(asked)
    except JsonRpcException as error:
        _LOG.info("no settings: %s", error)
        return
    for settings in found:
        server.configure(settings)


def _add_documents(server: GraphServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        found = params.text_document
        server.look_again()
        server.set_documents(
            server.documents.opened(found.uri, found.text, found.version), found.uri
        )

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        uri, version = params.text_document.uri, params.text_document.version
        edits = [_edit(change) for change in params.content_changes]
        documents = server.documents.changed(uri, edits, version, server.encoding)
        server.set_documents(documents, uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.look_again(is_certain=True)
        server.set_documents(server.documents.saved(uri, params.text), uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.look_again()
        server.set_documents(server.documents.closed(uri), uri)


def _edit(change: Any) -> tuple[tuple[tuple[int, int], tuple[int, int]] | None, str]:
    found = getattr(change, "range", None)
    if found is None:
        return None, change.text
    start, end = found.start, found.end
    return ((start.line, start.character), (end.line, end.character)), change.text


def _add_reading(server: GraphServer) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[" ", "/", "[", ",", "-", ":"]),
    )
    async def complete(params: types.CompletionParams) -> types.CompletionList | None:
        from yg_old.surfaces.lsp.completion import completion

        return await server.ask_at(params.text_document.uri, completion, params.position)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def define(params: types.DefinitionParams) -> Sequence[types.Location]:
        from yg_old.surfaces.lsp.navigation import definition

        return await server.ask_at(params.text_document.uri, definition, params.position) or []

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def refer(params: types.ReferenceParams) -> Sequence[types.Location]:
        from yg_old.surfaces.lsp.navigation import references

        found = partial(references, with_declaration=params.context.include_declaration)
        return await server.ask_at(params.text_document.uri, found, params.position) or []

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def link(params: types.DocumentLinkParams) -> Sequence[types.DocumentLink]:
        from yg_old.surfaces.lsp.navigation import links

        uri = params.text_document.uri
        return await server.ask_at(uri, lambda view, file, _: links(view, file)) or []

    @server.feature(types.WORKSPACE_SYMBOL)
    async def find(params: types.WorkspaceSymbolParams) -> Sequence[types.WorkspaceSymbol]:
        from yg_old.surfaces.lsp.navigation import symbols

        return await server.ask(lambda view: symbols(view, params.query)) or []


def _add_showing(server: GraphServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def describe(params: types.HoverParams) -> types.Hover | None:
        from yg_old.surfaces.lsp.hover import hover

        # Those that are shown: a check would take longer than a hover should.
        issues = server.checks.result.issues
        shown = partial(hover, server.session, issues)
        return await server.ask_at(params.text_document.uri, shown, params.position)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def show_lens(params: types.CodeLensParams) -> Sequence[types.CodeLens]:
        from yg_old.surfaces.lsp.lens import lenses

        def shown(view: EditorView, file: str, _offset: int) -> list[types.CodeLens]:
            return lenses(server.session, view, file, server.lens_setting)

        return await server.ask_at(params.text_document.uri, shown) or []

    @server.command(COMMAND)
    async def open_node(*arguments: Any) -> str | None:
        from yg_old.surfaces.lsp.lens import node_of_file

        if len(arguments) != 1 or not isinstance(arguments[0], str):
            raise JsonRpcInvalidParams(f"{COMMAND} needs one argument, the URI of a file")
        uri = arguments[0]
        location = await server.ask_at(uri, lambda view, file, _: node_of_file(view, file))
        if location is None:
            return None
        window = server.client_capabilities.window
        if window and window.show_document and window.show_document.support:
            await server.window_show_document_async(
                types.ShowDocumentParams(location.uri, take_focus=True, selection=location.range)
            )
        return location.uri


def _add_pull(server: GraphServer) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True),
    )
    async def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        result = await server.checks.newest()
        items = result.diagnostics.get(server.known_uri(params.text_document.uri), [])
        return types.RelatedFullDocumentDiagnosticReport(items=items)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def pull_all(_params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        result = await server.checks.newest()
        return types.WorkspaceDiagnosticReport(
            [
                types.WorkspaceFullDocumentDiagnosticReport(uri, items, result.versions.get(uri))
                for uri, items in sorted(result.diagnostics.items())
            ]
        )


def _add_writing(server: GraphServer) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    async def act(params: types.CodeActionParams) -> Sequence[types.CodeAction]:
        from yg_old.surfaces.lsp.edits import actions

        issues = (await server.checks.newest()).issues

        def found(view: EditorView, file: str, _offset: int) -> list[types.CodeAction]:
            return actions(view, file, params.range, issues)

        return await server.ask_at(params.text_document.uri, found) or []

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        from yg_old.surfaces.lsp.edits import renamable

        return await server.ask_at(params.text_document.uri, renamable, params.position)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        from yg_old.surfaces.lsp.edits import renamed

        edit = partial(renamed, new=params.new_name)
        try:
            return await server.ask_at(params.text_document.uri, edit, params.position)
        except YgError as error:
            raise failure(error) from error


def serve(directory: str, kind: str | None, *, uses_index: bool) -> NoReturn:
    """Serve a client on standard input and output until it is gone, and end the process."""
    log = logging.StreamHandler()
    log.addFilter(_is_problem)
    logging.basicConfig(format="%(message)s", level=logging.ERROR, handlers=[log])
    server = make_server(directory, kind, uses_index=uses_index)
    try:
        code = asyncio.run(_serve(server))
    except KeyboardInterrupt:
        code = 0
    leave(code)


def _is_problem(record: logging.LogRecord) -> bool:
    """Return whether a record is about more than the error that answers a request."""
    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))


async def _serve(server: GraphServer) -> int:
    connection = Connection(sys.stdin.fileno(), sys.stdout.fileno(), server.protocol.receive)
    server.protocol.set_writer(connection.output)
    server.stop = connection.end
    connection.start()
    code = await connection.ended
    await server.protocol.finish(GRACE)
    connection.output.close()
    return code
