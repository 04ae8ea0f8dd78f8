"""Agent platforms: the file that each reads rules from, and how our rules are added to it.

The user's text is kept byte for byte. Our part is one block between markers, one line or one
entry; adding it again changes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from yaml import YAMLError

from yg_old.kernel.errors import YgError
from yg_old.text.decode import plain
from yg_old.text.decode_yaml import decode_yaml, plain_scalar
from yg_old.text.json_edit import BOM
from yg_old.text.yaml_edit import tree_of
from yg_old.text.yaml_remove import without_items
from yg_old.yggdrasil.model import Agreement
from yg_old.yggdrasil.package.overview_block import AGENT_RULES
from yg_old.yggdrasil.start.harnesses import PLUGIN
from yg_old.yggdrasil.start.templates import template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yg_old.text.decode import Datum


BEGIN = "<!-- yggdrasil: begin (written by yg init; edits between these lines are overwritten) -->"
END = "<!-- yggdrasil: end -->"
# The last line of the rules file if it was there before a platform that imports it.
STAYS = "<!-- yggdrasil: this file stays when the platforms that import it are removed -->\n"


class Way(Struct, frozen=True):
    """A method of adding the rules to a file."""

    placed: Callable[[str, str], str]  # current text, rules -> new text
    replaced: Callable[[str], str]  # current text -> the part that the rules replace
    is_in: Callable[[str], bool]  # current text -> whether the rules were added to it
    removed: Callable[[str], str] = lambda _text: ""  # current text -> the one before the rules


class Platform(Struct, frozen=True):
    """An agent platform: the file it reads, and the method of adding the rules to it."""

    name: str
    file: str
    way: Way
    needs_rules_file: bool = False
    mark: str = ""  # another file that shows that it is used, if others have the same rules
    has_overview: bool = False  # nothing tells its agents at the start of a session

    @property
    def rules_file(self) -> str:
        """The file that the rules are in."""
        return AGENT_RULES if self.needs_rules_file else self.file


def _nothing(_text: str) -> str:
    return ""


def _always(_text: str) -> bool:
    return True  # the name of the file says whose it is


def is_marked(text: str) -> bool:
    """Return whether the rules file has the mark that it stays."""
    return STAYS.strip() in text


def without_mark(text: str) -> str:
    """Return the text of the rules file without the mark that it stays."""
    return text.replace(STAYS, "").replace(STAYS.replace("\n", "\r\n"), "")


WHOLE = Way(lambda _text, rules: rules, lambda text: text, _always)
RULES_FILE = Way(
    lambda _text, rules: rules,
    without_mark,
    _always,
    lambda text: without_mark(text) if is_marked(text) else "",
)


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
    line_break = line_break_of(text)
    block = f"{BEGIN}\n{rules}{END}\n".replace("\n", line_break)
    start, end = text.find(BEGIN), text.find(END)
    if start == -1 and end == -1:
        return at_end(text, block, line_break)
    if start == -1 or end < start:
        raise YgError(
            "the two yggdrasil markers are not there as a pair, the first before the second",
            hint=f"Remove what is left of them, then run it again: '{BEGIN}' and '{END}'.",
        )
    after = text[end + len(END) :]
    return text[:start] + block.removesuffix(line_break) + after


def _without_block(text: str) -> str:
    start, end = text.find(BEGIN), text.find(END)
    return cut(text, start, end + len(END)) if -1 < start < end else text


def _with_line(line: str) -> Way:
    """Return the method that adds one line, which imports the rules file."""

    def placed(text: str, _rules: str) -> str:
        line_break = line_break_of(text)
        return text if is_in(text) else at_end(text, line + line_break, line_break)

    def is_in(text: str) -> bool:
        return line in (known.strip().removeprefix("\ufeff") for known in text.split("\n"))

    def removed(text: str) -> str:
        found = re.search(rf"^\ufeff?({re.escape(line)})\r?$", text, re.MULTILINE)
        return cut(text, *found.span(1)) if found else text

    return Way(placed, _nothing, is_in, removed)


def at_end(text: str, addition: str, line_break: str) -> str:
    """Add lines to a text; if it does not end with a line break, the result does not either."""
    if not text.strip(BOM):
        return text + addition
    if text.endswith(("\n", "\r")):
        return text + line_break + addition
    return text + line_break * 2 + addition.removesuffix(line_break)


def cut(text: str, start: int, end: int) -> str:
    """Take out lines that `at_end` has added, and what it put between them and the text."""
    before, after = text[:start], text[end:]
    if not after:  # neither did the text end with a line break
        return _without_break(_without_break(before))
    after = _without_first_break(after)
    if not before.strip(BOM):  # we were the first; what follows may be ours too
        return before + _without_first_break(after)
    shorter = _without_break(before)
    return (shorter if shorter.endswith("\n") else before) + after


def _without_first_break(text: str) -> str:
    return text.removeprefix("\r\n" if text.startswith("\r\n") else "\n")


def _without_break(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text


def line_break_of(text: str) -> str:
    """Return the line break that a text uses."""
    return "\r\n" if "\r\n" in text else "\n"


IN_BLOCK = Way(_with_block, _block, lambda text: BEGIN in text, _without_block)
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
        Platform("cline", ".clinerules/yggdrasil.md", WHOLE, has_overview=True),
        Platform("roocode", ".roo/rules/yggdrasil.md", WHOLE, has_overview=True),
        Platform("codex", "AGENTS.md", IN_BLOCK),
        Platform(
            "windsurf",
            ".windsurf/rules/yggdrasil.md",
            _with_frontmatter("trigger: always_on"),
            has_overview=True,
        ),
        Platform(
            "aider",
            ".aider.conf.yml",
            Way(
                lambda text, _: with_read_entry(text, AGENT_RULES),
                _nothing,
                lambda text: AGENT_RULES in text,
                lambda text: without_read_entry(text, AGENT_RULES),
            ),
            needs_rules_file=True,
            has_overview=True,
        ),
        Platform("gemini", "GEMINI.md", _with_line(f"@./{AGENT_RULES}"), needs_rules_file=True),
        Platform(
            "amp",
            "AGENTS.md",
            _with_line(f"@{AGENT_RULES}"),
            needs_rules_file=True,
            has_overview=True,
        ),
        Platform("opencode", "AGENTS.md", IN_BLOCK, mark=PLUGIN),
        Platform("generic", AGENT_RULES, RULES_FILE, has_overview=True),
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


def without_read_entry(text: str, entry: str) -> str:
    """Take a file out of the `read` list again.

    What is left is the text before `with_read_entry`, if that would make the same text of it.
    """
    read = _content(text).get("read")
    if entry not in (read if isinstance(read, list) else [read]):
        return text
    shorter = without_items(text, [("read", read.index(entry))]) if isinstance(read, list) else None
    candidates = [
        *_scalars_before(text, entry),
        *([] if shorter is None else [shorter, shorter.removesuffix("\n").removesuffix("\r")]),
    ]
    for candidate in candidates:
        if _is_readable(candidate) and with_read_entry(candidate, entry) == text:
            return candidate
    if shorter is None:
        hint = f"Remove '{entry}' there yourself; nothing was written."
        raise YgError("cannot remove from 'read' in .aider.conf.yml", hint=hint)
    return shorter


def _scalars_before(text: str, entry: str) -> Iterator[str]:
    """Yield texts in which `read` had one value, or none, instead of a list on one line."""
    found = re.search(rf"\[(?:(.+), )?{re.escape(entry)}\]", text)
    if not found:
        return
    value = found[1] or ""
    quoted = value[1:-1] if value[:1] == value[-1:] == '"' else value
    for old in (value, quoted):
        before = text[: found.start()]
        yield f"{before if old else before.rstrip(' ')}{old}{text[found.end() :]}"


def _is_readable(text: str) -> bool:
    try:
        _content(text)
    except YgError:
        return False
    return True


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
        end = "" if gap else line_break
        return f"{text}{gap}read:{line_break}  - {entry}{end}"
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
    gap, end = (line_break, "") if line_end == -1 else ("", line_break)
    return f"{text[:at]}{gap}{dash}{entry}{end}{text[at:]}"


def _extended_scalar(text: str, value: Datum, entry: str) -> str:
    """Replace a single value by a list with our entry; an empty value by our entry alone."""
    written = text[value.start : value.end].rstrip()
    rest = text[value.start + len(written) :]
    if not written or plain_scalar(written) is None:
        return f"{text[: value.start].rstrip(' ')} [{entry}]{rest}"
    quoted = written if written[0] in "'\"" else f'"{written}"'
    shown = written if set(written).isdisjoint(',[]{}"\\') else quoted
    return f"{text[: value.start]}[{shown}, {entry}]{rest}"
