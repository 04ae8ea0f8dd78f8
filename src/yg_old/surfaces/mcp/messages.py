"""Parsing and encoding of JSON-RPC messages, one per line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    jsonrpc_message_adapter,
)

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage, RequestId

MAX_LINE = 64_000_000  # bytes of one message
MAX_DIGITS = 4_000  # of an integer


class InvalidMessageError(Exception):
    """A line that is not a valid message; `value` is its JSON value, if it could be parsed."""

    def __init__(self, code: int, reason: str, value: object = None) -> None:
        super().__init__(reason)
        self._error = ErrorData(code=code, message=reason)
        self._fields: dict[str, Any] = value if isinstance(value, dict) else {}

    def answer(self) -> JSONRPCError | None:
        """Return the error response; None if JSON-RPC allows no response."""
        if _is_notification(self._fields) or _is_response(self._fields):
            return None
        return JSONRPCError(jsonrpc="2.0", id=_request_id(self._fields), error=self._error)


def parse(line: bytes) -> JSONRPCMessage:
    """Return the message on a line; raises InvalidMessageError."""
    try:
        return _message(_json_value(line))
    except RecursionError:
        raise InvalidMessageError(PARSE_ERROR, "invalid JSON: nested too deeply") from None


def encode(message: JSONRPCMessage) -> bytes:
    """Return a message as a line; unpaired surrogates are replaced by question marks.

    File names can be any bytes. Those that are not UTF-8 are read as unpaired surrogates, which
    JSON cannot carry.
    """
    data = message.model_dump(mode="json", by_alias=True, exclude_unset=True)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def _json_value(line: bytes) -> object:
    if len(line) > MAX_LINE:
        reason = f"invalid request: the message is longer than {MAX_LINE} bytes"
        raise InvalidMessageError(INVALID_REQUEST, reason)
    try:
        # Keep invalid bytes for now: the message may still contain the id to respond to.
        text = line.decode("utf-8", "surrogateescape")
        value: object = json.loads(text, parse_int=_number, parse_constant=_refused)
    except ValueError as error:
        raise InvalidMessageError(PARSE_ERROR, f"invalid JSON: {error}") from None
    return value


def _number(digits: str) -> float:
    """Parse an integer; return a float if it has more digits than Python converts."""
    return int(digits) if len(digits) <= MAX_DIGITS else float(digits)


def _refused(word: str) -> float:
    """Refuse NaN and Infinity, which Python accepts."""
    raise ValueError(f"{word} is not a JSON number")


def _message(value: object) -> JSONRPCMessage:
    if not _is_encodable(value):
        reason = "invalid text: bytes that are not UTF-8, or an unpaired surrogate such as \\ud800"
        raise InvalidMessageError(INVALID_REQUEST, reason, value)
    if not _is_finite(value):
        raise InvalidMessageError(INVALID_REQUEST, "invalid request: a number is too large", value)
    # The SDK treats a request whose id has another type as a notification and never responds.
    if isinstance(value, dict) and "method" in value and "id" in value and not _is_id(value["id"]):
        reason = "invalid request: 'id' must be a string or an integer"
        raise InvalidMessageError(INVALID_REQUEST, reason, value)
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValueError:
        reason = "invalid request: expected one JSON-RPC 2.0 object with 'jsonrpc' and 'method'"
        raise InvalidMessageError(INVALID_REQUEST, reason, value) from None


def _is_encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_finite(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _is_notification(fields: dict[str, Any]) -> bool:
    is_call = fields.get("jsonrpc") == "2.0" and isinstance(fields.get("method"), str)
    return is_call and "id" not in fields


def _is_response(fields: dict[str, Any]) -> bool:
    return "method" not in fields and ("result" in fields or "error" in fields)


def _request_id(fields: dict[str, Any]) -> RequestId | None:
    """Return the id of the request; None if it is missing or cannot be sent back unchanged."""
    value: RequestId | None = fields.get("id")
    return value if "method" in fields and _is_id(value) and _is_encodable(value) else None
