"""Aider's configuration: one more file to read, the rest of the text as it is."""

from __future__ import annotations

import yaml

from yg.kernel.errors import YgError
from yg.kernel.yaml_spans import spans_of


def with_read_entry(text: str, entry: str) -> str:
    """Return a configuration that reads a file; one that does so already stays as it is."""
    line_break = "\r\n" if "\r\n" in text else "\n"
    try:
        root = spans_of(text)
    except yaml.YAMLError as error:
        hint = "Mend it first; nothing was changed."
        raise YgError(".aider.conf.yml is not valid YAML", hint=hint) from error
    found = root.entries.get("read") if root and root.entries else None
    if found is None:
        gap = "" if not text or text.endswith("\n") else line_break
        return f"{text}{gap}read:{line_break}  - {entry}{line_break}"
    _, value = found
    if value.items is None:
        return _extended_scalar(text, value.start, value.end, value.text, entry)
    if any(item.text == entry for item in value.items):
        return text
    if value.is_flow:
        comma = ", " if value.items else ""
        return f"{text[: value.end - 1]}{comma}{entry}{text[value.end - 1 :]}"
    last = value.items[-1]
    line_start = text.rfind("\n", 0, last.start) + 1
    dash = text[line_start : last.start]
    line_end = text.find("\n", last.end)
    at = len(text) if line_end == -1 else line_end + 1
    gap = line_break if line_end == -1 else ""
    return f"{text[:at]}{gap}{dash}{entry}{line_break}{text[at:]}"


def _extended_scalar(text: str, start: int, end: int, value: str, entry: str) -> str:
    """Make a list of the single file that is read so far; an empty value becomes our entry."""
    if value == entry:
        return text
    written = text[start:end]
    if not written.strip():
        return f"{text[:start].rstrip(' ')} [{entry}]{text[end:]}"
    return f"{text[:start]}[{written.strip()}, {entry}]{text[start + len(written.rstrip()) :]}"
