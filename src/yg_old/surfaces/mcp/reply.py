"""Results of tools: the text and JSON of a command, and the state of the repository.

Long lists are truncated in the JSON document, and the text then shows the truncated document.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, TextContent
from msgspec import Struct

from yg_old.commands.command import warnings
from yg_old.commands.issues import issue_text
from yg_old.kernel.document import plain
from yg_old.kernel.palette import PLAIN, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_types import ContentBlock

    from yg_old.commands.command import Command
    from yg_old.kernel.document import Document
    from yg_old.kernel.errors import YgError
    from yg_old.surfaces.mcp.service import RepositoryState

_LOG = logging.getLogger(__name__)
LINE = "\n"
CAP = 80_000  # characters: the largest package that the standard budget allows


class Window(Struct, frozen=True):
    """The range of entries to show of lists longer than the limit."""

    limit: int
    offset: int = 0


def reply(  # noqa: PLR0913, PLR0917
    command: Command[Any, Any],
    answer: Document,
    form: str,
    window: Window | None,
    state: RepositoryState,
    notes: Sequence[str] = (),
) -> CallToolResult:
    """Return an answer as text, with notes beside it, and as structured content."""
    form = form or answer.form
    document = plain(answer)
    if window is not None:
        document = cut(document, window)
    text = cut_text(document) if "cut" in document else command.written(answer, form)
    return CallToolResult(
        content=_texts(
            capped(text, "structuredContent is complete."),
            warnings(notes, PLAIN) + command.beside(answer, form) + _digest(document),
            state,
        ),
        structured_content=document,
        _meta=state.meta,
    )


def _digest(document: dict[str, Any]) -> str:
    """Return the digest of a package as a line of text, for clients that show only the text."""
    return f"[digest {document['digest']}]\n" if "digest" in document else ""


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


def cut(document: dict[str, Any], window: Window) -> dict[str, Any]:
    """Truncate long lists; the key `cut` records their full lengths."""
    totals: dict[str, int] = {}
    result: dict[str, Any] = _cut(document, "", window, totals)
    if totals:
        result["cut"] = {"limit": window.limit, "offset": window.offset, "totals": totals}
    return result


def _cut(value: Any, where: str, window: Window, totals: dict[str, int]) -> Any:
    # The schema bounds the depth of a document, so recursion is safe.
    if isinstance(value, dict):
        return {key: _cut(item, f"{where}/{key}", window, totals) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    start = 0
    if len(value) > window.limit:
        totals[where] = len(value)
        start = window.offset
        value = value[start : start + window.limit]
    return [
        _cut(item, f"{where}/{index}", window, totals) for index, item in enumerate(value, start)
    ]


def cut_text(document: dict[str, Any]) -> str:
    """Render a truncated document: the totals, the next offset, then the fields."""
    about = document["cut"]
    after = about["offset"] + about["limit"]
    lines = [_summary(where, total, about) for where, total in about["totals"].items()]
    if any(total > after for total in about["totals"].values()):
        lines.append(f"For more entries, call again with offset {after}.")
    shown = [(key, value) for key, value in document.items() if key not in ("schema", "cut")]
    for key, value in sorted(shown, key=lambda pair: isinstance(pair[1], list)):
        lines.extend(_lines(key, value))
    return "".join(f"{line}\n" for line in lines)


def _summary(where: str, total: int, about: dict[str, Any]) -> str:
    first = about["offset"] + 1
    last = min(about["offset"] + about["limit"], total)
    shown = f"{first} to {last}" if first <= last else "none"
    return f"{where[1:]}: showing {shown} of {total}"


def _lines(key: str, value: Any) -> list[str]:
    if isinstance(value, list):
        return [f"{key}:", *(f"- {_inline(item)}" for item in value)] if value else []
    return [f"{key}: {_inline(value)}"]


def _inline(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
