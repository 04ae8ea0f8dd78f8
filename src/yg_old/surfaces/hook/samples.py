"""Samples of all events of each harness, to see what the model would get."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from yg_old.disk.index.private import cache_folder
from yg_old.surfaces.hook.event import (
    AFTER,
    CLAUDE,
    CODEX,
    COMPACT,
    COPILOT,
    CURSOR,
    GEMINI,
    PROMPT,
    START,
    STOP,
    Event,
)
from yg_old.surfaces.hook.memory import Memory
from yg_old.surfaces.hook.respond import respond
from yg_old.surfaces.hook.where import root_of
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.workspace.opened import OpenWorkspace

NOTHING = "(nothing)\n"
NO_GRAPH = "There is no graph here, so the model gets nothing.\n"
PATCH = "*** Begin Patch\n*** Update File: {}\n@@\n*** End Patch"


def shown(directory: str, harness: str) -> str:
    """Return what the model would get at each event, in a session of its own."""
    root = root_of(directory)
    if not root:
        return NO_GRAPH
    session = f"yg-hook-test-{os.urandom(8).hex()}"
    parts = []
    for at, (name, label, payload) in enumerate(_samples(harness, session, root, _file(root))):
        clock = partial(_later, 10 * at)
        found = respond((harness, name), json.dumps(payload).encode(), clock)
        parts.append(f"== {label}\n{_said(found)}")
    _forget(root, Event(harness, START, _common(harness, session, root)))
    return "\n".join(parts)


def _later(seconds: float) -> float:
    return time.time() + seconds


def _said(output: str) -> str:
    """Return the text in the output for a harness."""
    if not output.startswith("{"):
        return output or NOTHING
    found = json.loads(output)
    context = found.get("hookSpecificOutput", {}).get("additionalContext")
    keys = ("additional_context", "additionalContext", "reason", "followup_message")
    text = context or next((found[key] for key in keys if key in found), "")
    return text or NOTHING


def _forget(root: str, event: Event) -> None:
    folder = cache_folder(root, FOLDER)
    if folder:
        Memory(folder, event, time.time).remove()


def _file(root: str) -> str:
    """Return a file of a node about which somebody has written; else one that nobody owns."""
    from yg_old.commands.brief import blocks_of
    from yg_old.surfaces.hook.start import opened
    from yg_old.surfaces.hook.tell import MOST

    with opened(root) as workspace:
        for file, name in _files(workspace):
            node = workspace.graph.nodes.get(name)
            if node and blocks_of(workspace, node, MOST).blocks:
                return file
    return "README.md"


def _files(workspace: OpenWorkspace) -> Iterator[tuple[str, str]]:
    """Yield a file of each node with the node: first those that are mapped themselves."""
    from yg_old.code.languages import ENDINGS, ending
    from yg_old.workspace.brief_facts import mapped_nodes
    from yg_old.yggdrasil.owners import Ownership, own_files

    for path, node, _ in mapped_nodes(workspace):
        if os.path.isfile(os.path.join(workspace.root, path)):
            yield path, node
    ownership = Ownership(workspace.graph, workspace.sources)
    for owner in workspace.graph.nodes:
        files = own_files(workspace.sources, ownership, owner) if owner.mapping else ()
        if files:
            yield next((file for file in files if ending(file) in ENDINGS), files[0]), owner.path


def _common(harness: str, session: str, root: str) -> dict[str, Any]:
    if harness == CURSOR:
        return {"conversation_id": session, "cursor_version": "3.20", "workspace_roots": [root]}
    if harness == COPILOT:
        return {"sessionId": session, "timestamp": 0, "cwd": root}
    return {"session_id": session, "cwd": root}


_NAMES = {
    CLAUDE: {START: "SessionStart", AFTER: "PostToolUse", COMPACT: "PreCompact", STOP: "Stop"},
    GEMINI: {
        START: "SessionStart",
        PROMPT: "BeforeAgent",
        AFTER: "AfterTool",
        COMPACT: "PreCompress",
        STOP: "AfterAgent",
    },
    CURSOR: {START: "sessionStart", AFTER: "postToolUse", COMPACT: "preCompact", STOP: "stop"},
}
_NAMES[CODEX] = _NAMES[CLAUDE]


def _samples(
    harness: str, session: str, root: str, file: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the events of a session, each with a title and its payload."""
    common = _common(harness, session, root)

    def event(name: str, **more: Any) -> dict[str, Any]:
        native = _NAMES.get(harness, {}).get(name)
        return {**common, **({"hook_event_name": native} if native else {}), **more}

    yield START, f"{START} (startup)", event(START, source="startup")
    yield AFTER, f"{AFTER}: {file} is read", event(AFTER, **_tool(harness, root, file))
    edit = _tool(harness, root, file, is_edit=True)
    yield AFTER, f"{AFTER}: {file} is edited", event(AFTER, **edit)
    yield COMPACT, COMPACT, event(COMPACT, trigger="auto")
    if harness in (CLAUDE, CODEX):
        yield START, f"{START} (compact)", event(START, source="compact")
    elif harness == GEMINI:
        yield PROMPT, PROMPT, event(PROMPT, prompt="go on")
    elif harness in (CURSOR, COPILOT):
        yield AFTER, f"{AFTER}: {file} is read", event(AFTER, **_tool(harness, root, file))
    yield STOP, STOP, event(STOP, stop_hook_active=False)


def _tool(harness: str, root: str, file: str, *, is_edit: bool = False) -> dict[str, Any]:
    """Return what a payload says about a tool that reads or edits a file."""
    path = os.path.join(root, file)
    if harness == COPILOT:
        return {"toolName": "edit" if is_edit else "view", "toolArgs": {"path": path}}
    if harness == CODEX and is_edit:
        patch = {"command": PATCH.format(file)}
        return {"turn_id": "1", "tool_name": "apply_patch", "tool_input": patch}
    if harness == GEMINI:
        return {
            "tool_name": "replace" if is_edit else "read_file",
            "tool_input": {"file_path": path},
        }
    return {"tool_name": "Edit" if is_edit else "Read", "tool_input": {"file_path": path}}
