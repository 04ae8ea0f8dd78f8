"""What is known of a text without keeping it: its lengths, and why it may be unusable."""

from msgspec import Struct

from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Recipe, Snapshot, decode_utf8

_HEAD = 8_000  # bytes in which a NUL makes a file binary
_CONFLICT = "<<<<<<< "  # git starts a conflict with such a line


class TextFacts(Struct, frozen=True, array_like=True, gc=False):
    """The lengths of a text in characters, and its faults."""

    body: int = 0  # without its final line breaks
    ending: int = 0  # length of its first final line break; 0 if there is none
    written: int = 0  # without blanks at both ends
    conflict: int = 0  # the line of an unresolved merge conflict; 0 if there is none
    binary: int = 0  # the size of a binary file in bytes; 0 for a text
    fault: str = ""  # why the file cannot be read

    @property
    def is_sound(self) -> bool:
        """Whether the file is a text without a conflict."""
        return not (self.conflict or self.binary or self.fault)


def measured(path: str, data: bytes) -> TextFacts:
    """Measure a file."""
    at = data.find(b"\0", 0, _HEAD)
    try:
        text = decode_utf8(path, data)
    except UnreadableError as error:
        return TextFacts(binary=len(data) if at >= 0 else 0, fault=error.reason)
    if at >= 0:
        return TextFacts(binary=len(data), fault=f"binary, with a NUL at byte {at}")
    body = text_body(text)
    return TextFacts(
        body=len(body),
        ending=break_length(text, body),
        written=len(text.strip()),
        conflict=conflict_line(text),
    )


TEXT_FACTS: Recipe[TextFacts] = Recipe("text", TextFacts, measured)


def facts_of(snapshot: Snapshot, path: str) -> TextFacts:
    """Return what is known of a file; a file that cannot be read has a fault."""
    try:
        return snapshot.made(path, TEXT_FACTS)
    except UnreadableError as error:
        return TextFacts(fault=error.reason)


def read_text(snapshot: Snapshot, path: str) -> str:
    """Return the text of a file; raises UnreadableError."""
    return decode_utf8(path, snapshot.read(path))


def text_body(text: str) -> str:
    """Return a text without its final line breaks."""
    return text.rstrip("\r\n")


def break_length(text: str, body: str) -> int:
    """Return the length of the line break after the body of a text; 0 if there is none."""
    ending = text[len(body) :]
    return 2 if ending.startswith("\r") else min(1, len(ending))


def conflict_line(text: str) -> int:
    """Return the first line, from 1, that starts an unresolved merge conflict; 0 if none does."""
    if text.startswith(_CONFLICT):
        return 1
    at = text.find(f"\n{_CONFLICT}")
    return 0 if at == -1 else text.count("\n", 0, at) + 2
