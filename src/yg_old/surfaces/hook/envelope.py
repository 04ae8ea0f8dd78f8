"""What each harness wants to read on standard output."""

from __future__ import annotations

import json

from yg_old.surfaces.hook.event import (
    AFTER,
    BEFORE,
    COPILOT,
    CURSOR,
    GEMINI,
    OPENCODE,
    PROMPT,
    START,
    STOP,
)

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from typing import Any

    from yg_old.surfaces.hook.event import Event

_NATIVE = {START: "SessionStart", PROMPT: "UserPromptSubmit", AFTER: "PostToolUse"}
_OF_GEMINI = {START: "SessionStart", PROMPT: "BeforeAgent", AFTER: "AfterTool"}


def envelope(event: Event, text: str) -> str:
    """Return the output for a text, or for nothing to say."""
    if not text:
        is_asked = event.name == BEFORE and event.harness in (GEMINI, CURSOR)
        return "{}\n" if is_asked else ""
    if event.harness == OPENCODE:
        return text
    return json.dumps(_content(event, text), ensure_ascii=False) + "\n"


def _content(event: Event, text: str) -> dict[str, Any]:
    if event.name == STOP:
        return _going_on(event, text)
    if event.harness == CURSOR:
        return {"additional_context": text}
    if event.harness == COPILOT and event.is_camel:
        return {"additionalContext": text}
    names = _OF_GEMINI if event.harness == GEMINI else _NATIVE
    context = {"hookEventName": names[event.name], "additionalContext": text}
    if event.harness == COPILOT:
        # Copilot documents the first key; VS Code, whose payloads look the same, the second.
        return {"additionalContext": text, "hookSpecificOutput": context}
    return {"hookSpecificOutput": context}


def _going_on(event: Event, text: str) -> dict[str, Any]:
    """Return the output that lets the turn go on."""
    if event.harness == CURSOR:
        return {"followup_message": text}
    return {"decision": "deny" if event.harness == GEMINI else "block", "reason": text}
