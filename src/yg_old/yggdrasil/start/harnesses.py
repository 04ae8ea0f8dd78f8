"""Harnesses: the files in which a project says what to run at which event, and our part of them.

Commands have no path of a machine, and a machine without `yg` works on: a missing program is
harmless in Claude Code, Codex and Cursor, and elsewhere the command asks for it first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.yggdrasil.start.entries import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SECONDS = 10  # more than `yg hook` ever takes
FOR_SHELL = "command -v yg >/dev/null 2>&1 || exit 0; {}"
FOR_POWERSHELL = "if (Get-Command yg -ErrorAction SilentlyContinue) {{ {} }}"
PLUGIN = ".opencode/plugins/yg.js"
TABLE = '[mcp_servers.yg]\ncommand = "yg"\nargs = ["mcp"]\n'  # in TOML
_SERVER = {"command": "yg", "args": ["mcp"]}


class JsonFile(Struct, frozen=True):
    """A JSON file of a project, and what we add to it."""

    path: str
    entries: tuple[Entry, ...]
    needed: dict[str, Any] = {}  # keys that such a file must have


class Harness(Struct, frozen=True):
    """A harness: what is added to which files of a project, and what is left to the user."""

    name: str  # as `yg hook` calls it
    step: str
    hooks: JsonFile | None = None  # None: a plugin of its own
    servers: tuple[JsonFile, ...] = ()  # for MCP
    has_toml: bool = False  # whether servers are listed in TOML


# Native event, event of `yg hook`, and which tools or sources it is for.
_CLAUDE = (
    ("SessionStart", "session-start", "startup|resume|clear|compact|fork"),
    ("PostToolUse", "post-tool", "Read|Edit|Write|NotebookEdit"),
    ("Stop", "stop", ""),
)
_CODEX = (
    ("SessionStart", "session-start", "startup|resume|clear|compact"),
    ("PostToolUse", "post-tool", "apply_patch"),
    ("Stop", "stop", ""),
)
_GEMINI = (
    ("SessionStart", "session-start", ""),
    ("BeforeAgent", "prompt", ""),
    ("AfterTool", "post-tool", "^(write_file|replace|read_file)$"),
    ("AfterAgent", "stop", ""),
    ("PreCompress", "compact", ""),
)
_CURSOR = (
    ("sessionStart", "session-start", ""),
    ("postToolUse", "post-tool", "Read|Write|StrReplace|ApplyPatch"),
    ("preCompact", "compact", ""),
    ("stop", "stop", ""),
)
_COPILOT = (
    ("sessionStart", "session-start", ""),
    ("postToolUse", "post-tool", "view|edit|create|apply_patch|str_replace_editor"),
    ("preCompact", "compact", ""),
    ("agentStop", "stop", ""),
)


def _grouped(matcher: str, handler: dict[str, Any]) -> dict[str, Any]:
    """Return an item as Claude Code, Codex and Gemini CLI have it."""
    return {**_matching(matcher), "hooks": [handler]}


def _matching(matcher: str) -> dict[str, str]:
    return {"matcher": matcher} if matcher else {}


def _claude(_event: str, command: str, matcher: str) -> dict[str, Any]:
    return _grouped(matcher, {"type": "command", "command": command, "timeout": SECONDS})


def _gemini(event: str, command: str, matcher: str) -> dict[str, Any]:
    handler = {
        "name": f"yg-{event}",
        "type": "command",
        "command": FOR_SHELL.format(command),
        "timeout": SECONDS * 1000,  # milliseconds here
    }
    return _grouped(matcher, handler)


def _cursor(_event: str, command: str, matcher: str) -> dict[str, Any]:
    return {"command": command, **_matching(matcher), "timeout": SECONDS}


def _copilot(_event: str, command: str, matcher: str) -> dict[str, Any]:
    return {
        "type": "command",
        **_matching(matcher),
        "bash": FOR_SHELL.format(command),
        "powershell": FOR_POWERSHELL.format(command),
        "timeoutSec": SECONDS,
    }


def _entries(
    harness: str,
    events: Iterable[tuple[str, str, str]],
    item: Callable[[str, str, str], dict[str, Any]],
) -> tuple[Entry, ...]:
    named = (
        (native, event, f"yg hook {harness} {event}", tools) for native, event, tools in events
    )
    return tuple(
        Entry(("hooks", native), item(event, command, matcher), command)
        for native, event, command, matcher in named
    )


def _server(path: str, *keys: str, value: dict[str, Any] = _SERVER) -> JsonFile:
    return JsonFile(path, (Entry((*keys, "yg"), value),))


VERSION = {"version": 1}
# By the name of the platform.
HARNESSES = {
    "claude-code": Harness(
        "claude",
        "Claude Code: trust this folder when it asks; '/hooks' lists what it runs.",
        JsonFile(".claude/settings.json", _entries("claude", _CLAUDE, _claude)),
        (_server(".mcp.json", "mcpServers"),),
    ),
    "codex": Harness(
        "codex",
        "Codex: trust this project, then approve the hooks in '/hooks'; until then it skips them "
        "without a word.",
        JsonFile(".codex/hooks.json", _entries("codex", _CODEX, _claude)),
        has_toml=True,
    ),
    "gemini": Harness(
        "gemini",
        "Gemini CLI: trust this folder when it asks.",
        JsonFile(".gemini/settings.json", _entries("gemini", _GEMINI, _gemini)),
        (_server(".gemini/settings.json", "mcpServers"),),
    ),
    "cursor": Harness(
        "cursor",
        "Cursor: trust this workspace when it asks.",
        JsonFile(".cursor/hooks.json", _entries("cursor", _CURSOR, _cursor), VERSION),
        (_server(".cursor/mcp.json", "mcpServers", value={"type": "stdio", **_SERVER}),),
    ),
    "copilot": Harness(
        "copilot",
        "Copilot: trust this folder when it asks; the cloud agent needs a setup step that installs "
        "yg.",
        JsonFile(".github/hooks/yg.json", _entries("copilot", _COPILOT, _copilot), VERSION),
        (
            _server(".github/mcp.json", "mcpServers", value={"type": "local", **_SERVER}),
            _server(".vscode/mcp.json", "servers", value={"type": "stdio", **_SERVER}),
        ),
    ),
    "opencode": Harness(
        "opencode",
        "opencode: start it again, so that it loads the plugin.",
        servers=(
            _server(
                "opencode.json",
                "mcp",
                value={"type": "local", "command": ["yg", "mcp"], "enabled": True},
            ),
        ),
    ),
}
