"""Excerpts of Markdown texts: the first paragraph, the items of a list, whole sentences."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from yg_old.text.sentences import HEADING, ITEM, content_lines, folded, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

ELLIPSIS = " ..."


def gist(text: str, most: int) -> str:
    """Return the list items before the second heading of a text, else its first paragraph.

    At most so many characters of them: whole items, whole sentences.
    """
    paragraph, items = _parts(text)
    if not items:
        return whole_sentences(paragraph, most)
    lengths = accumulate(len(item) + 1 for item in items)
    shown = [item for item, length in zip(items, lengths, strict=False) if length <= most + 1]
    return "\n".join(shown) or whole_sentences(items[0], most)


def _parts(text: str) -> tuple[str, list[str]]:
    """Return the first paragraph, on one line, and the list items before the second heading."""
    paragraphs: list[list[str]] = []
    items: list[list[str]] = []
    block: list[str] | None = None  # that the next line continues
    headings = 0
    for _, line, is_code in content_lines(text):
        is_heading = not is_code and bool(HEADING.match(line))
        headings += is_heading
        if headings > 1:
            break
        item = None if is_code else ITEM.match(line)
        if item is not None:
            indent = " " * (len(line) - len(line.lstrip()))
            block = [f"{indent}- {line[item.end() :]}"]
            items.append(block)
        elif is_code or is_heading or not line.strip() or line.lstrip().startswith("|"):
            block = None
        elif block is None:
            block = [line]
            if not line.startswith((" ", "\t")):  # of an item, or code
                paragraphs.append(block)
        else:
            block.append(line)
    whole = ([lines[0].rstrip(), *(folded(line) for line in lines[1:])] for lines in items)
    return folded(" ".join(paragraphs[0] if paragraphs else ())), [" ".join(item) for item in whole]


def whole_sentences(text: str, most: int) -> str:
    """Return the first sentences of a line that have at most so many characters together.

    If the first is longer, it is cut at a word.
    """
    if len(text) <= most:
        return text
    mark = ITEM.match(text)
    end = start = mark.end() if mark else 0
    for sentence in sentences(text[start:]):
        at = text.find(sentence.text, end)
        if at < 0 or at + len(sentence.text) > most:
            break
        end = at + len(sentence.text)
    if end > start:
        return text[:end]
    return text[: most - len(ELLIPSIS)].rpartition(" ")[0] + ELLIPSIS


def first_sentence(text: str) -> str:
    """Return the first sentence that is neither a heading nor code, shortened; empty if none."""
    found = (each for each in sentences(text) if not each.is_code)
    return next((each.shown for each in found if not HEADING.match(each.text)), "")


def within(paragraphs: Iterable[str], most: int) -> str:
    """Return the first paragraphs that have at most so many characters together."""
    shown: list[str] = []
    room = most
    for paragraph in paragraphs:
        room -= len(paragraph) + 2 * bool(shown)
        if room < 0:
            break
        shown.append(paragraph)
    return "\n\n".join(shown)
