"""Events of all harnesses as one value: which harness and session, what happened, to which files.

Harnesses run each other's hooks, so what the payload shows counts more than the command line.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

CLAUDE, CODEX, GEMINI = "claude", "codex", "gemini"
CURSOR, COPILOT, OPENCODE = "cursor", "copilot", "opencode"
HARNESSES = (CLAUDE, CODEX, GEMINI, CURSOR, COPILOT, OPENCODE)
START, PROMPT, BEFORE, AFTER = "session-start", "prompt", "pre-tool", "post-tool"
STOP, COMPACT = "stop", "compact"
FORGETTING = ("compact", "clear")  # sources of a session's start
EVENTS = (START, PROMPT, BEFORE, AFTER, STOP, COMPACT)

MOST_FILES = 50  # of one event
MOST_VALUES = 5_000  # of a payload that are looked at
LONGEST_NAME = 4_096
# The names of events in payloads, in lower case.
_NAMES = {
    "sessionstart": START,
    "userpromptsubmit": PROMPT,
    "userpromptsubmitted": PROMPT,
    "beforesubmitprompt": PROMPT,
    "beforeagent": PROMPT,
    "pretooluse": BEFORE,
    "beforetool": BEFORE,
    "posttooluse": AFTER,
    "aftertool": AFTER,
    "afterfileedit": AFTER,
    "stop": STOP,
    "agentstop": STOP,
    "afteragent": STOP,
    "precompact": COMPACT,
    "postcompact": COMPACT,
    "precompress": COMPACT,
}
_OF_GEMINI = {"beforetool", "aftertool", "beforeagent", "afteragent", "precompress"}
_READING = {"read", "read_file", "readfile", "view"}
_EDITING = {
    *("edit", "write", "multiedit", "notebookedit", "write_file", "replace", "create", "delete"),
    *("strreplace", "str_replace_editor", "create_file", "replace_string_in_file", "editfiles"),
    *("multi_replace_string_in_file", "insert_edit_into_file", "edit_notebook_file"),
    *("apply_patch", "applypatch", "patch"),
}
_VIEW = "view"  # the command with which str_replace_editor reads
_PATHS = ("file_path", "filePath", "path", "notebook_path", "notebookPath", "target_file", "files")
_PATCHES = ("command", "input", "patch", "patchText", "patch_text", "content")
_CONTENTS = {"content", "contents", "old_string", "new_string", "edits", "old_str", "new_str"}
_PATCH = "*** Begin Patch"
_PATCHED = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE)
_FOLDERS = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR")


class Event:
    """What happened in a session of a harness."""

    def __init__(self, harness: str, name: str, payload: dict[str, Any]) -> None:
        """Take what the command line says and what came on standard input."""
        self.harness = _harness(payload, harness)
        self.native = _text(payload, "hook_event_name", "hookEventName")
        self.name = _NAMES.get(self.native.lower(), name)
        # Payloads of Copilot have names in camel case; in VS Code they are like those of Claude.
        self.is_camel = "sessionId" in payload or "toolName" in payload
        self.session = _text(payload, "session_id", "sessionId", "conversation_id", "sessionID")
        self.agent = _text(payload, "agent_id", "agentId")
        self.source = _text(payload, "source").lower()
        # Whether nothing can be asked at the end: that was done, or somebody has stopped the agent.
        is_broken_off = _text(payload, "status") in ("aborted", "error")
        self.is_over = payload.get("stop_hook_active") is True or is_broken_off
        self.directory = _directory(payload)
        self.is_edit = False
        self.files: list[str] = []
        self._given: Any = None
        if self.name == AFTER:
            self._read_tool(payload)

    def _read_tool(self, payload: dict[str, Any]) -> None:
        """Find the files that a tool has read or changed."""
        tool = _text(payload, "tool_name", "toolName", "tool").lower()
        given = _decoded(_first(payload, "tool_input", "toolArgs", "args"))
        if self.native.lower() == "afterfileedit":
            tool, given = "edit", payload
        self._given = given
        named = [*_named(given)]
        # A file with a patch as its content is a file, unless the tool is one for patches.
        patch = _patch_in(given) if not named or "patch" in tool else ""
        if not tool and isinstance(given, dict):  # seen in Cursor
            tool = "edit" if patch or not _CONTENTS.isdisjoint(given) else "read"
        is_view = isinstance(given, dict) and given.get("command") == _VIEW
        self.is_edit = (tool in _EDITING and not is_view) or bool(patch)
        if not self.is_edit and tool not in _READING and not is_view:
            return
        if patch:
            named = _PATCHED.findall(patch)
        files = (os.path.join(self.directory, name.strip()) for name in named if "\0" not in name)
        known = dict.fromkeys(os.path.normpath(file) for file in files if len(file) < LONGEST_NAME)
        self.files = [file for file in known if not os.path.isdir(file)][:MOST_FILES]

    @property
    def family(self) -> str:
        """The harness for which sessions are kept.

        One plugin serves Claude Code and Codex with the same commands, and the start of a session
        looks the same in both; the ids of their sessions are random.
        """
        return CLAUDE if self.harness == CODEX else self.harness

    @property
    def identity(self) -> str:
        """A digest that is the same for an event that is delivered twice."""
        # Harnesses that read each other's files have other words for a new session, or none.
        source = self.source if self.source in FORGETTING else ""
        texts = sorted(_texts(self._given))
        whole = json.dumps([self.name, source, self.files, self.is_edit, texts])
        return sha256(whole.encode()).hexdigest()[:16]


def _harness(payload: dict[str, Any], named: str) -> str:
    """Return the harness that a payload comes from; the named one if it does not show."""
    name = _text(payload, "hook_event_name").lower()
    if "cursor_version" in payload or "conversation_id" in payload:
        return CURSOR
    if "sessionId" in payload or "toolName" in payload:
        return COPILOT
    if name in _OF_GEMINI:
        return GEMINI
    if name and "timestamp" in payload:
        return named if named in (GEMINI, COPILOT) else COPILOT
    return CODEX if "turn_id" in payload else named


def _directory(payload: dict[str, Any]) -> str:
    """Return the directory that a session works in."""
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots else ""
    here = os.getcwd()
    known = (_text(payload, "cwd"), root, *(os.environ.get(name, "") for name in _FOLDERS))
    usable = (name for name in known if isinstance(name, str) and "\0" not in name)
    return next((name for name in usable if os.path.isabs(name)), here)


def _text(payload: dict[str, Any], *keys: str) -> str:
    """Return the first text among some keys; empty if there is none."""
    values = (payload.get(key) for key in keys)
    return next((value for value in values if isinstance(value, str) and value), "")


def _first(payload: dict[str, Any], *keys: str) -> Any:
    return next((payload[key] for key in keys if payload.get(key) is not None), None)


def _decoded(given: Any) -> Any:
    """Return the arguments of a tool, which some harnesses send as JSON in a text."""
    if not isinstance(given, str) or not given.lstrip().startswith("{"):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given


def _patch_in(given: Any) -> str:
    """Return the patch in the arguments of a tool; empty if there is none."""
    values = [given.get(key) for key in _PATCHES] if isinstance(given, dict) else [given]
    joined = ("\n".join(map(str, value)) if isinstance(value, list) else value for value in values)
    patches = (value for value in joined if isinstance(value, str) and _PATCH in value)
    return next(patches, "")


def _named(given: Any) -> Iterator[str]:
    """Yield the files that the arguments of a tool name."""
    if not isinstance(given, dict):
        return
    for key in _PATHS:
        value = given.get(key)
        for entry in value if isinstance(value, list) else (value,):
            name = _text(entry, *_PATHS) if isinstance(entry, dict) else entry
            if isinstance(name, str) and name:
                yield name.removeprefix("file://")


def _texts(given: Any) -> Sequence[str]:
    """Return the texts in a value, whatever their keys are called."""
    found: list[str] = []
    waiting = [given]
    seen = 0
    while waiting and seen < MOST_VALUES:
        seen += 1
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return found


def parsed(data: bytes) -> dict[str, Any]:
    """Parse the payload of an event, also one of which only the beginning was read.

    Raises ValueError if it is not an object.
    """
    text = data.decode("utf-8-sig", "replace").strip()
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("the input is nested too deeply") from None
    except ValueError:
        found = _completed(text)
    if not isinstance(found, dict):
        raise ValueError("the input is not a JSON object")  # noqa: TRY004
    return found


_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[][{},]', re.DOTALL)
MOST_DEPTH = 100


def _completed(text: str) -> Any:
    """Parse the beginning of a JSON object, without the member in which it breaks off."""
    stack: list[str] = []
    cut, closing = 0, ""
    end = ""
    for match in _TOKEN.finditer(text):
        found, end = match[0], ""
        if found in "{[" and len(stack) < MOST_DEPTH:
            stack.append("}" if found == "{" else "]")
        elif found in "}]" and stack:
            stack.pop()
        elif found == ",":
            cut, closing = match.start(), "".join(reversed(stack))
        elif match.end() == len(text):
            end = "" if found.endswith('"') and len(found) > 1 else '"'
    for candidate in (text + end + "".join(reversed(stack)), text[:cut] + closing):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    raise ValueError("the input is not JSON")
