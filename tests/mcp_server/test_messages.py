"""Lines of bytes become messages or errors, and messages become lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from yg.surfaces.mcp.messages import InvalidMessageError, encode, parse

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters())
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | VALUES,
        "id": VALUES,
        "method": st.just("ping") | VALUES,
        "params": VALUES,
        "result": VALUES,
        "error": VALUES,
    },
)


@given(st.binary() | FIELDS.map(lambda fields: json.dumps(fields).encode()))
@example(b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}')
@example(b'{"jsonrpc":"2.0","method":"","params":{"":Infinity}}')
@example(b'{"jsonrpc":"2.0","method":"","params":{"":1e999}}')
def test_every_line_is_a_message_or_an_error_that_can_be_sent(line: bytes) -> None:
    message = parsed(line)
    assert message is None or parse(encode(message)) == message


def parsed(line: bytes) -> JSONRPCMessage | None:
    """Return the message on a line or the answer to it, if it has any."""
    try:
        return parse(line)
    except InvalidMessageError as error:
        return error.answer()


@pytest.mark.parametrize(
    "message",
    [
        JSONRPCRequest(jsonrpc="2.0", id=1, method="ping"),
        JSONRPCRequest(jsonrpc="2.0", id="1", method="ping", params={"a": [1, "\U0001f600"]}),
        JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params={}),
        JSONRPCResponse(jsonrpc="2.0", id=10**100, result={}),
    ],
    ids=repr,
)
def test_a_message_survives_the_wire(message: JSONRPCRequest) -> None:
    assert parse(encode(message)) == message
    assert encode(message).count(b"\n") == 1


def test_what_is_not_unicode_is_sent_as_a_question_mark() -> None:
    message = JSONRPCResponse(jsonrpc="2.0", id=1, result={"files": ["f\udcff.py"]})
    assert json.loads(encode(message))["result"] == {"files": ["f?.py"]}


@pytest.mark.parametrize(
    ("line", "identity", "reason"),
    [
        (
            b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}',
            1,
            "invalid text: bytes that are not UTF-8, or an unpaired surrogate such as \\ud800",
        ),
        (b"{", None, "invalid JSON: Expecting property name enclosed in double quotes: "),
        (b"[" * 100_000, None, "invalid JSON: nested too deeply"),
        (
            b'{"jsonrpc": "2.0", "id": [1], "method": "ping"}',
            None,
            "invalid request: 'id' must be a string or an integer",
        ),
        (
            b'{"id": 1, "method": "ping"}',
            1,
            "invalid request: expected one JSON-RPC 2.0 object with 'jsonrpc' and 'method'",
        ),
    ],
)
def test_an_invalid_line_is_answered_with_its_reason(
    line: bytes, identity: object, reason: str
) -> None:
    with pytest.raises(InvalidMessageError) as caught:
        parse(line)
    answer = caught.value.answer()
    assert isinstance(answer, JSONRPCError)
    assert answer.id == identity
    assert answer.error.message.startswith(reason)
