"""Sessions of harnesses: payloads as each of them sends them, and what the model gets."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from hostile import commit_all
from support import SHOP_ROOT
from yg.surfaces.hook.respond import respond

SESSION = "0b6f2c1e-5d0c-4a57-9b43-2f8f0c7a1d11"
AGENT = "a91c"
PRICING, SERVICE = "src/shop/orders/pricing.py", "src/shop/orders/service.py"
RESPONSIBILITY = ".yggdrasil/model/orders/pricing/responsibility.md"


def shop_at(root: Path) -> Path:
    """Make the example a git repository with one commit."""
    shutil.copytree(SHOP_ROOT, root)
    commit_all(root)
    return root


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_790_000_000.0

    def __call__(self) -> float:
        return self.now


class Harness:
    """A harness like Claude Code; others send other payloads."""

    name = "claude"
    session = SESSION

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = Clock()

    def send(self, event: str, payload: dict[str, Any], after: float = 10.0) -> str:
        """Deliver an event some seconds after the one before; return what is printed."""
        self.clock.now += after
        return respond((self.name, event), json.dumps(payload).encode(), self.clock)

    def common(self, event: str, **more: Any) -> dict[str, Any]:
        return {
            "session_id": self.session,
            "prompt_id": "p1",
            "transcript_path": "/home/u/.claude/projects/shop/0b6f2c1e.jsonl",
            "cwd": str(self.root),
            "permission_mode": "default",
            "hook_event_name": event,
            **more,
        }

    def path(self, file: str) -> str:
        return str(self.root / file)

    def start(self, source: str) -> tuple[str, dict[str, Any]]:
        return "session-start", self.common("SessionStart", source=source, model="m")

    def read(self, file: str, **more: Any) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": "Read", "tool_input": {"file_path": self.path(file)}}
        response = {"type": "text", "file": {"filePath": self.path(file)}}
        return "post-tool", self.common("PostToolUse", **tool, tool_response=response, **more)

    def edit(self, file: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        given = {
            "file_path": self.path(file),
            "old_string": old,
            "new_string": new,
            "replace_all": False,
        }
        response = {"filePath": self.path(file), "success": True}
        tool = {"tool_name": "Edit", "tool_input": given, "tool_response": response}
        return "post-tool", self.common("PostToolUse", **tool, tool_use_id="toolu_1")

    def compact(self) -> tuple[str, dict[str, Any]]:
        return "compact", self.common("PreCompact", trigger="auto", custom_instructions="")

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "prompt", self.common("UserPromptSubmit", prompt="Go on.")

    def before(self, file: str) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": "Edit", "tool_input": {"file_path": self.path(file)}}
        return "pre-tool", self.common("PreToolUse", **tool)

    def stop(self, *, again: bool = False) -> tuple[str, dict[str, Any]]:
        return "stop", self.common("Stop", stop_hook_active=again, last_assistant_message="Done.")


class Codex(Harness):
    name = "codex"

    def common(self, event: str, **more: Any) -> dict[str, Any]:
        return {
            "session_id": self.session,
            **({} if event == "SessionStart" else {"turn_id": "1"}),
            "transcript_path": None,
            "cwd": str(self.root),
            "hook_event_name": event,
            "model": "m",
            "permission_mode": "default",
            **more,
        }

    def read(self, file: str, **more: Any) -> tuple[str, dict[str, Any]]:
        """Codex has no tool that reads a file: it runs a command."""
        tool = {"tool_name": "Bash", "tool_use_id": "c0", "tool_input": {"command": f"cat {file}"}}
        return "post-tool", self.common("PostToolUse", **tool, tool_response="...", **more)

    def edit(self, file: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        patch = f"*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch"
        tool = {"tool_name": "apply_patch", "tool_use_id": "c1", "tool_input": {"command": patch}}
        return "post-tool", self.common("PostToolUse", **tool, tool_response="Done!")


class Gemini(Harness):
    name = "gemini"

    def common(self, event: str, **more: Any) -> dict[str, Any]:
        return {
            "session_id": self.session,
            "transcript_path": "/home/u/.gemini/tmp/shop/chat.json",
            "cwd": str(self.root),
            "hook_event_name": event,
            "timestamp": "2026-11-16T10:00:00Z",
            **more,
        }

    def start(self, source: str) -> tuple[str, dict[str, Any]]:
        return "session-start", self.common("SessionStart", source=source)

    def read(self, file: str, **more: Any) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": "read_file", "tool_input": {"file_path": file}}
        response = {"llmContent": "...", "returnDisplay": "", "error": None}
        return "post-tool", self.common("AfterTool", **tool, tool_response=response, **more)

    def edit(self, file: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        given = {"file_path": self.path(file), "old_string": old, "new_string": new}
        response = {"llmContent": "...", "returnDisplay": "", "error": None}
        tool = {"tool_name": "replace", "tool_input": given, "tool_response": response}
        return "post-tool", self.common("AfterTool", **tool)

    def compact(self) -> tuple[str, dict[str, Any]]:
        return "compact", self.common("PreCompress", trigger="auto")

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "prompt", self.common("BeforeAgent", prompt="Go on.")

    def before(self, file: str) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": "replace", "tool_input": {"file_path": self.path(file)}}
        return "pre-tool", self.common("BeforeTool", **tool)

    def stop(self, *, again: bool = False) -> tuple[str, dict[str, Any]]:
        more = {"prompt": "Go on.", "prompt_response": "Done.", "stop_hook_active": again}
        return "stop", self.common("AfterAgent", **more)


class Cursor(Harness):
    name = "cursor"

    def common(self, event: str, **more: Any) -> dict[str, Any]:
        return {
            "conversation_id": self.session,
            "generation_id": "g1",
            "model": "m",
            "hook_event_name": event,
            "cursor_version": "3.20.1",
            "workspace_roots": [str(self.root)],
            "user_email": "u@example.invalid",
            "transcript_path": None,
            **more,
        }

    def start(self, source: str) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        return "session-start", self.common("sessionStart")

    def read(self, file: str, **more: Any) -> tuple[str, dict[str, Any]]:
        return self._tool("Read", {"path": self.path(file)}, **more)

    def _tool(self, name: str, given: Any, **more: Any) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": name, "tool_input": given, "tool_use_id": "t1", "cwd": str(self.root)}
        done = {"tool_output": "{}", "duration": 12}
        return "post-tool", self.common("postToolUse", **tool, **done, **more)

    def edit(self, file: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        given = {"file_path": self.path(file), "old_string": old, "new_string": new}
        return self._tool("Write", given)

    def compact(self) -> tuple[str, dict[str, Any]]:
        more = {"context_usage_percent": 95, "messages_to_compact": 40}
        return "compact", self.common(
            "preCompact", trigger="auto", **more, is_first_compaction=True
        )

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "prompt", self.common("beforeSubmitPrompt", prompt="Go on.")

    def before(self, file: str) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": "Write", "tool_input": {"file_path": self.path(file)}}
        return "pre-tool", self.common("preToolUse", **tool)

    def stop(self, *, again: bool = False) -> tuple[str, dict[str, Any]]:
        return "stop", self.common("stop", status="completed", loop_count=int(again))


class Copilot(Harness):
    name = "copilot"

    def common(self, event: str, **more: Any) -> dict[str, Any]:  # noqa: ARG002
        payload = {"sessionId": self.session, "timestamp": 1_790_000_000, "cwd": str(self.root)}
        return {**payload, **more}

    def start(self, source: str) -> tuple[str, dict[str, Any]]:
        return "session-start", self.common("sessionStart", source=source)

    def _tool(self, name: str, given: Any) -> tuple[str, dict[str, Any]]:
        result = {"resultType": "success", "textResultForLlm": "..."}
        tool = {"toolName": name, "toolArgs": given, "toolResult": result}
        return "post-tool", self.common("postToolUse", **tool)

    def read(self, file: str, **more: Any) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        return self._tool("view", json.dumps({"path": self.path(file)}))

    def edit(self, file: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        return self._tool("edit", {"path": self.path(file), "old_str": old, "new_str": new})

    def compact(self) -> tuple[str, dict[str, Any]]:
        return "compact", self.common("preCompact", trigger="auto", customInstructions="")

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "prompt", self.common("userPromptSubmitted", prompt="Go on.")

    def before(self, file: str) -> tuple[str, dict[str, Any]]:
        tool = {"toolName": "edit", "toolArgs": {"path": self.path(file)}}
        return "pre-tool", self.common("preToolUse", **tool)

    def stop(self, *, again: bool = False) -> tuple[str, dict[str, Any]]:
        return "stop", self.common("agentStop", stopReason="end_turn", stop_hook_active=again)


class VsCode(Harness):
    """VS Code, which reads the hooks of Copilot."""

    name = "copilot"

    def common(self, event: str, **more: Any) -> dict[str, Any]:
        return {**super().common(event), "timestamp": "2026-11-16T10:00:00Z", **more}

    def start(self, source: str) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        return "session-start", self.common("SessionStart", source="new")

    def read(self, file: str, **more: Any) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": "read_file", "tool_input": {"filePath": self.path(file)}}
        return "post-tool", self.common("PostToolUse", **tool, **more)

    def edit(self, file: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        given = {"filePath": self.path(file), "oldString": old, "newString": new}
        tool = {"tool_name": "replace_string_in_file", "tool_input": given}
        return "post-tool", self.common("PostToolUse", **tool)


class Opencode(Harness):
    name = "opencode"

    def common(self, event: str, **more: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"session_id": self.session, "cwd": str(self.root), **more}

    def start(self, source: str) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        return "session-start", self.common("")

    def read(self, file: str, **more: Any) -> tuple[str, dict[str, Any]]:
        tool = {"tool_name": "read", "tool_input": {"filePath": self.path(file)}}
        return "post-tool", self.common("", **tool, **more)

    def edit(self, file: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        given = {"path": file, "oldString": old, "newString": new}  # relative in 2.x
        return "post-tool", self.common("", tool_name="edit", tool_input=given)

    def compact(self) -> tuple[str, dict[str, Any]]:
        return "compact", self.common("")

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "prompt", self.common("")

    def before(self, file: str) -> tuple[str, dict[str, Any]]:
        return "pre-tool", self.common("", tool_name="edit", tool_input={"path": file})

    def stop(self, *, again: bool = False) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        return "stop", self.common("")


ALL = (Harness, Codex, Gemini, Cursor, Copilot, VsCode, Opencode)


def said(output: str) -> str:
    """Return what the model gets from an output, in whichever of the known forms."""
    return told(output)[1]


def told(output: str) -> tuple[str, str]:
    """Return the key under which the model is told something, and the text."""
    if not output.startswith("{"):
        return "plain text", output
    found = json.loads(output)
    nested = found.get("hookSpecificOutput", {})
    if nested:
        where = f"hookSpecificOutput of {nested['hookEventName']}"
        where += ", and additionalContext" if "additionalContext" in found else ""
        return where, nested["additionalContext"]
    keys = ("additional_context", "additionalContext", "followup_message", "reason")
    key = next((key for key in keys if key in found), "")
    decision = f"decision {found['decision']}, " if "decision" in found else ""
    return f"{decision}{key}" if key else "an empty object", found.get(key, "")


def change(root: Path, file: str, old: str, new: str) -> None:
    """Replace a passage in a file."""
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def cache_of(root: Path) -> Path:
    """Return the folder in which sessions of a graph are kept."""
    folders = Path(os.environ["XDG_CACHE_HOME"], "yg").glob("*/root")
    return next(f.parent for f in folders if f.read_text() == os.path.realpath(root))
