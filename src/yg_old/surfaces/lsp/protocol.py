"""The protocol: messages are checked first, so that each request gets an answer.

pygls logs a message that it cannot read, with a traceback, and never answers it. It also keeps
documents and folders, which this server does not use: its own documents split lines as the protocol
does, and some editors change documents that they have not opened.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from lsprotocol.converters import get_converter
from msgspec import Struct
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

LONGEST_REASON = 500  # characters of an error message
# What pygls does itself, and this server does not need or does in another way.
_REPLACED = (
    types.EXIT,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.TEXT_DOCUMENT_DID_OPEN,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
)

T = TypeVar("T", int, str)


class Message(Struct, frozen=True):
    """A JSON-RPC message: a request, a notification or a response."""

    fields: dict[str, Any]

    @property
    def method(self) -> str:
        """The method; empty in a response."""
        found: str = self.fields.get("method", "")
        return found

    @property
    def id(self) -> Any:
        """The id, a string or an integer; None in a notification, or if it is not valid."""
        found = self.fields.get("id")
        return found if _is_id(found) else None

    def check(self) -> None:
        """Raise JsonRpcInvalidRequest unless the fields are those of a message."""
        fields = self.fields
        if fields.get("jsonrpc") != "2.0":
            raise JsonRpcInvalidRequest("expected one JSON-RPC 2.0 object")
        if "id" in fields and self.id is None:
            raise JsonRpcInvalidRequest("'id' must be a string or an integer")
        if "method" in fields and not (isinstance(fields["method"], str) and fields["method"]):
            raise JsonRpcInvalidRequest("'method' must be a string")
        if "method" not in fields and not (self.id is not None and fields.keys() & _RESULTS):
            raise JsonRpcInvalidRequest("expected 'method', or 'id' with 'result' or 'error'")


_RESULTS = {"result", "error"}


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def parse(content: bytes) -> Message:
    """Return the message in some bytes, which is not checked yet; raises JsonRpcException."""
    try:
        fields = json.loads(content.decode("utf-8"), parse_constant=_refuse_constant)
    except ValueError as error:
        raise JsonRpcParseError(f"invalid JSON: {error}"[:LONGEST_REASON]) from None
    except RecursionError:
        raise JsonRpcParseError("invalid JSON: nested too deeply") from None
    if not isinstance(fields, dict):
        raise JsonRpcInvalidRequest("expected one JSON-RPC 2.0 object")
    return Message(fields)


def _refuse_constant(word: str) -> float:
    """Refuse NaN and Infinity, which Python accepts."""
    raise ValueError(f"{word} is not a JSON number")


def make_converter() -> Converter:
    """Return what turns JSON into parameters; a text or a number of another type is an error."""
    made = get_converter()
    made.register_structure_hook(str, _exact)
    made.register_structure_hook(int, _exact)
    return made


def _exact(value: Any, kind: type[T]) -> T:
    is_subclass = kind not in (int, str)  # bool, or an enum
    if is_subclass or (kind is int and isinstance(value, float) and value.is_integer()):
        return kind(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


class GraphProtocol(LanguageServerProtocol):
    """The protocol with documents of our own, and with an answer to every request."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        for method in _REPLACED:
            del self.fm.builtin_features[method]
        self.on_initialize: Callable[[types.InitializeParams], object] = lambda _params: None
        self._is_initialized = False

    def receive(self, content: bytes) -> None:
        """Handle a message of the client, or answer that it is invalid."""
        message = Message({})
        try:
            message = parse(content)
            message.check()
            if message.method:
                self._check_order(message.method)
                self.handle_message(self._structured(message, self._type_of(message.method)))
            else:
                self._receive_response(message)
        except JsonRpcException as error:
            if "id" in message.fields or "method" not in message.fields:
                # lsprotocol would leave out an id that is null.
                answer = {"id": message.id, "error": error.to_response_error()}
                self._send_data({"jsonrpc": self.VERSION, **answer})

    def _check_order(self, method: str) -> None:
        """Raise an error if a message comes at the wrong time."""
        if method == types.EXIT:
            return
        if (method == types.INITIALIZE) is self._is_initialized:
            if self._is_initialized:
                raise JsonRpcInvalidRequest("the server is initialized already")
            raise JsonRpcServerNotInitialized("the server is not initialized yet")
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server is shut down")

    def _type_of(self, method: str) -> Any:
        """Return the type of the messages of a method; raise an error if it is not offered."""
        offered = (self.fm.features, self.fm.builtin_features, (types.CANCEL_REQUEST,))
        if not any(method in methods for methods in offered):
            raise JsonRpcMethodNotFound.of(method[:LONGEST_REASON])
        return self.get_message_type(method)

    def _structured(self, message: Message, kind: Any) -> Any:
        """Return a message as a value of a type; raises JsonRpcInvalidParams."""
        try:
            return self._converter.structure(message.fields, kind)
        except Exception as error:
            # The hooks of lsprotocol fail in many ways if a value has another type.
            name = message.method or "the response"
            raise JsonRpcInvalidParams(f"the parameters of {name} are invalid") from error

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        if _is_id(msg_id):
            super()._handle_cancel_notification(msg_id)

    def _receive_response(self, message: Message) -> None:
        """Handle the response to a request of the server, if it waits for one."""
        expected = self._result_types.pop(message.id, None)
        future = self._request_futures.get(message.id)
        if expected is None or future is None or future.done():
            return
        try:
            is_error = "error" in message.fields
            kind = types.ResponseErrorMessage if is_error else expected
            self.handle_message(self._structured(message, kind))
        except JsonRpcException as error:
            self._handle_response(message.id, None, error.to_response_error())

    async def finish(self, most: float) -> None:
        """Wait some seconds for the answers to requests; the client itself answers no more."""
        futures: dict[int | str, Any] = {**self._request_futures}
        for message_id in self._result_types.keys() & futures.keys():
            asked = futures.pop(message_id)
            if not asked.done():
                asked.set_exception(JsonRpcRequestCancelled("the client is gone"))
        pending = [
            asyncio.wrap_future(future) if isinstance(future, Future) else future
            for future in futures.values()
            if not future.done()
        ]
        if pending:
            await asyncio.wait(pending, timeout=most)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        """Initialise the server once."""
        self._is_initialized = True
        self.on_initialize(params)
        # The folders of pygls are not used, and some URIs would be errors.
        used = types.InitializeParams(params.capabilities, process_id=params.process_id)
        return (yield from super().lsp_initialize(used))
