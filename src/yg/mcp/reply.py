"""Results of tools: the text and JSON of a command, and the state of the repository."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from mcp_types import CallToolResult, TextContent

from yg.kernel.errors import UsageError
from yg.kernel.suggest import listing
from yg.mcp.window import cut, cut_text
from yg.render.issues import issue_text
from yg.render.plain import PLAIN, visible

if TYPE_CHECKING:
    from mcp_types import ContentBlock

    from yg.answers.answer import Answer
    from yg.kernel.errors import YgError
    from yg.mcp.state import RepositoryState
    from yg.mcp.window import Window

_LOG = logging.getLogger(__name__)
LINE = "\n"
CAP = 80_000  # characters: the largest package that the standard budget allows


def reply(
    answer: Answer, form: str, window: Window | None, state: RepositoryState
) -> CallToolResult:
    """Return an answer as text and as structured content."""
    form = form or answer.form
    if form not in answer.forms:
        raise UsageError(
            f"unknown format '{form}'", hint=f"Known formats: {listing(answer.forms)}."
        )
    document = {"schema": f"yg-{answer.schema}/1", **answer.data()}
    if window is not None:
        document = cut(document, window)
    text = cut_text(document) if "cut" in document else answer.written(form)
    return CallToolResult(
        content=_texts(capped(text, "structuredContent is complete."), answer.beside(form), state),
        structured_content=document,
        _meta=state.meta,
    )


def error_reply(error: YgError, state: RepositoryState | None) -> CallToolResult:
    """Return an error as text: its message, hint and issues."""
    hint = f"  {visible(error.hint)}\n" if error.hint else ""
    issues = "".join(issue_text(issue, PLAIN) for issue in error.issues)
    text = f"error: {visible(error.message)}\n{hint}{issues}"
    return _failed(capped(text, "validate lists all issues."), state)


def bug_reply(error: Exception, state: RepositoryState | None) -> CallToolResult:
    """Return an unexpected exception as an error result."""
    return _failed(f"error: {bug_text(error)}", state)


def bug_text(error: Exception) -> str:
    """Describe an unexpected exception, and log its traceback."""
    _LOG.error("a call failed", exc_info=error)
    summary = visible(f"{type(error).__name__}: {error}".split("\n", 1)[0])
    next_step = "Report it with the traceback in the server's log; other calls still work."
    return f"yg has a bug: {summary}\n  {next_step}\n"


def _failed(text: str, state: RepositoryState | None) -> CallToolResult:
    meta = state.meta if state else None
    return CallToolResult(content=_texts(text, "", state), is_error=True, _meta=meta)


def _texts(text: str, beside: str, state: RepositoryState | None) -> list[ContentBlock]:
    """Return notes as a separate block, so that the first block equals the command's output."""
    notes = beside + (state.line if state else "")
    return [TextContent(text=block) for block in (text, notes) if block]


def capped(text: str, rest: str) -> str:
    """Truncate a long text, and start it with a note on how to get the rest."""
    if len(text) <= CAP:
        return text
    end = text.rfind("\n", 0, CAP) + 1 or CAP
    shown = f"the first {text.count(LINE, 0, end)} of {text.count(LINE)} lines follow"
    return f"This answer has {len(text)} characters; {shown}. {rest}\n\n{text[:end]}"
