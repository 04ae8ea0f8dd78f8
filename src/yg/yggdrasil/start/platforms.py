"""Agent platforms: the file that each reads rules from, and how our rules are added to it.

The user's text is kept byte for byte. Our part is one block between markers, one line or one
entry; adding it again changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from yaml import YAMLError

from yg.kernel.errors import YgError
from yg.text.decode import plain
from yg.text.decode_yaml import decode_yaml, plain_scalar
from yg.text.yaml_edit import tree_of
from yg.yggdrasil.model import Agreement
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.start.templates import template

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.text.decode import Datum


AGENT_RULES = f"{FOLDER}/agent-rules.md"
BEGIN = "<!-- yggdrasil: begin (written by yg init; edits between these lines are overwritten) -->"
END = "<!-- yggdrasil: end -->"


class Way(Struct, frozen=True):
    """A method of adding the rules to a file."""

    placed: Callable[[str, str], str]  # current text, rules -> new text
    replaced: Callable[[str], str]  # current text -> the part that the rules replace
    is_in: Callable[[str], bool]  # current text -> whether the rules were added to it


class Platform(Struct, frozen=True):
    """An agent platform: the file it reads, and the method of adding the rules to it."""

    name: str
    file: str
    way: Way
    needs_rules_file: bool = False


def _nothing(_text: str) -> str:
    return ""


def _always(_text: str) -> bool:
    return True  # the name of the file says whose it is


WHOLE = Way(lambda _text, rules: rules, lambda text: text, _always)


def _with_frontmatter(*lines: str) -> Way:
    head = "\n".join(["---", *lines, "---", "", ""])
    return Way(
        lambda _text, rules: head + rules,
        lambda text: text.replace("\r\n", "\n").removeprefix(head),
        _always,
    )


def _block(text: str) -> str:
    """Return the lines between the markers."""
    _, _, rest = text.replace("\r\n", "\n").partition(f"{BEGIN}\n")
    return rest.partition(END)[0]


def _with_block(text: str, rules: str) -> str:
    """Put the rules between the markers, or at the end if there are no markers."""
    line_break = _line_break(text)
    block = f"{BEGIN}\n{rules}{END}\n".replace("\n", line_break)
    start, end = text.find(BEGIN), text.find(END)
    if start == -1 and end == -1:
        return _at_end(text, block, line_break)
    if start == -1 or end < start:
        raise YgError(
            "the two yggdrasil markers are not there as a pair, the first before the second",
            hint=f"Remove what is left of them, then run it again: '{BEGIN}' and '{END}'.",
        )
    after = text[end + len(END) :]
    for ending in ("\r\n", "\n"):
        if after.startswith(ending):
            return text[:start] + block + after.removeprefix(ending)
    return text[:start] + block + after


def _with_line(line: str) -> Way:
    """Return the method that adds one line, which imports the rules file."""

    def placed(text: str, _rules: str) -> str:
        line_break = _line_break(text)
        return text if is_in(text) else _at_end(text, line + line_break, line_break)

    def is_in(text: str) -> bool:
        return line in (known.strip().removeprefix("\ufeff") for known in text.split("\n"))

    return Way(placed, _nothing, is_in)


def _at_end(text: str, addition: str, line_break: str) -> str:
    if not text.strip("\ufeff"):
        return text + addition
    gap = line_break if text.endswith(("\n", "\r")) else line_break * 2
    return text + gap + addition


def _line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


IN_BLOCK = Way(_with_block, _block, lambda text: BEGIN in text)
DEFAULT_PLATFORM = "generic"
PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform(
            "cursor",
            ".cursor/rules/yggdrasil.mdc",
            _with_frontmatter(
                "description: How to work with this repository's graph", "alwaysApply: true"
            ),
        ),
        Platform("claude-code", "CLAUDE.md", _with_line(f"@{AGENT_RULES}"), needs_rules_file=True),
        Platform("copilot", ".github/copilot-instructions.md", IN_BLOCK),
        Platform("cline", ".clinerules/yggdrasil.md", WHOLE),
        Platform("roocode", ".roo/rules/yggdrasil.md", WHOLE),
        Platform("codex", "AGENTS.md", IN_BLOCK),
        Platform(
            "windsurf", ".windsurf/rules/yggdrasil.md", _with_frontmatter("trigger: always_on")
        ),
        Platform(
            "aider",
            ".aider.conf.yml",
            Way(
                lambda text, _: with_read_entry(text, AGENT_RULES),
                _nothing,
                lambda text: AGENT_RULES in text,
            ),
            needs_rules_file=True,
        ),
        Platform("gemini", "GEMINI.md", _with_line(f"@./{AGENT_RULES}"), needs_rules_file=True),
        Platform("amp", "AGENTS.md", _with_line(f"@{AGENT_RULES}"), needs_rules_file=True),
        Platform("generic", AGENT_RULES, WHOLE),
    )
}


def rules_text(agreement: Agreement = Agreement.PERSON) -> str:
    """Return the rules for agents, the same for every platform: who agrees to new baselines."""
    others = tuple(f"[{other}] " for other in Agreement if other is not agreement)
    lines = template("rules.md").splitlines(keepends=True)
    kept = (line for line in lines if not line.startswith(others))
    return "".join(line.removeprefix(f"[{agreement}] ") for line in kept)


def with_read_entry(text: str, entry: str) -> str:
    """Add a file to the `read` list of a configuration, unless it is listed already.

    The result is parsed again: it must hold the old content plus the new entry.
    """
    before = _content(text)
    files = before.get("read")
    listed = files if isinstance(files, list) else [] if files is None else [files]
    if entry in listed:
        return text
    try:
        result = _extended(text, entry)
    except YAMLError:
        result = ""  # it has too many values to be edited
    after = decode_yaml(result.removeprefix("\ufeff"))
    if after.problems or plain(after.datum) != {**before, "read": [*listed, entry]}:
        raise YgError(
            "cannot add to 'read' in .aider.conf.yml without changing the rest",
            hint=f"Add '{entry}' there yourself; nothing was written.",
        )
    return result


def _content(text: str) -> dict[str, Any]:
    """Return the content of a configuration; raise an error if it is not a mapping."""
    decoded = decode_yaml(text.removeprefix("\ufeff"))
    content = plain(decoded.datum)
    if decoded.problems or not (content is None or isinstance(content, dict)):
        hint = "Fix it first; nothing was written."
        raise YgError(".aider.conf.yml is not a YAML mapping", hint=hint)
    return content or {}


def _extended(text: str, entry: str) -> str:
    line_break = "\r\n" if "\r\n" in text else "\n"
    root = tree_of(text)
    found = root.entries.get("read") if root and root.entries else None
    if found is None:
        gap = "" if not text or text.endswith("\n") else line_break
        return f"{text}{gap}read:{line_break}  - {entry}{line_break}"
    value = found.datum
    if value.items is None:
        return _extended_scalar(text, value, entry)
    if value.is_flow:
        inside = text[value.start + 1 : value.end - 1].rstrip()
        comma = "" if not inside or inside.endswith(",") else ","
        space = " " if inside else ""
        return f"{text[: value.start + 1]}{inside}{comma}{space}{entry}{text[value.end - 1 :]}"
    last = value.items[-1]
    line_start = text.rfind("\n", 0, last.start) + 1
    dash = text[line_start : last.start]
    line_end = text.find("\n", last.end - 1 if text[last.end - 1 : last.end] == "\n" else last.end)
    at = len(text) if line_end == -1 else line_end + 1
    gap = line_break if line_end == -1 else ""
    return f"{text[:at]}{gap}{dash}{entry}{line_break}{text[at:]}"


def _extended_scalar(text: str, value: Datum, entry: str) -> str:
    """Replace a single value by a list with our entry; an empty value by our entry alone."""
    written = text[value.start : value.end].rstrip()
    rest = text[value.start + len(written) :]
    if not written or plain_scalar(written) is None:
        return f"{text[: value.start].rstrip(' ')} [{entry}]{rest}"
    quoted = written if written[0] in "'\"" else f'"{written}"'
    shown = written if set(written).isdisjoint(',[]{}"\\') else quoted
    return f"{text[: value.start]}[{shown}, {entry}]{rest}"
