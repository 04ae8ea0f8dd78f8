"""Aider's configuration: one more file to read, the rest of the text as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.decode import plain
from yg.kernel.decode_yaml import decode_yaml, plain_scalar
from yg.kernel.errors import YgError
from yg.kernel.yaml_spans import spans_of

if TYPE_CHECKING:
    from yg.kernel.yaml_spans import Span


def with_read_entry(text: str, entry: str) -> str:
    """Return a configuration that reads a file; one that does so already stays as it is.

    The result is read back: it must say what the text said before, and our entry.
    """
    before = _content(text)
    files = before.get("read")
    listed = files if isinstance(files, list) else [] if files is None else [files]
    if entry in listed:
        return text
    result = _extended(text, entry)
    after = decode_yaml(result.removeprefix("\ufeff"))
    if after.problems or plain(after.datum) != {**before, "read": [*listed, entry]}:
        raise YgError(
            "cannot add to 'read' in .aider.conf.yml without changing the rest",
            hint=f"Add '{entry}' there yourself; nothing was written.",
        )
    return result


def _content(text: str) -> dict[str, Any]:
    """Return what a configuration says; one that says nothing sensible is refused."""
    decoded = decode_yaml(text.removeprefix("\ufeff"))
    content = plain(decoded.datum)
    if decoded.problems or not (content is None or isinstance(content, dict)):
        hint = "Mend it first; nothing was written."
        raise YgError(".aider.conf.yml is not a YAML mapping", hint=hint)
    return content or {}


def _extended(text: str, entry: str) -> str:
    line_break = "\r\n" if "\r\n" in text else "\n"
    root = spans_of(text)
    found = root.entries.get("read") if root and root.entries else None
    if found is None:
        gap = "" if not text or text.endswith("\n") else line_break
        return f"{text}{gap}read:{line_break}  - {entry}{line_break}"
    _, value = found
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


def _extended_scalar(text: str, value: Span, entry: str) -> str:
    """Make a list of the single file that is read so far; an empty value becomes our entry."""
    written = text[value.start : value.end].rstrip()
    rest = text[value.start + len(written) :]
    if not written or plain_scalar(written) is None:
        return f"{text[: value.start].rstrip(' ')} [{entry}]{rest}"
    quoted = written if written[0] in "'\"" else f'"{written}"'
    shown = written if set(written).isdisjoint(',[]{}"\\') else quoted
    return f"{text[: value.start]}[{shown}, {entry}]{rest}"
