"""White space and comments anywhere are cosmetic; any other edit of a token is not."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from source_code.cases import EXAMPLES, example_text
from yg.code.change_class import ChangeClass, compare
from yg.code.facts import FileFacts
from yg.code.languages import ENDINGS, ending, language_of
from yg.code.read import read_facts
from yg.code.scan import Token, scan

SAMPLE = 60  # edits of each example

# What can stand between two tokens, by language; the second one where a line break follows.
GAPS: dict[str, tuple[str, ...]] = {
    "python": (" ", "\t", "\\\n", "  \f"),
    "ruby": (),  # spaces have a meaning in many places
    "swift": (),
}
ENDS: dict[str, tuple[str, ...]] = {
    "python": ("  # noise", " ", "\n", "\n\n  # noise 'not closed", "\n\t"),
    "ruby": ("  # noise", " "),
}
LEADING = re.compile(r"[=(,:<]\s*([|&])(?![|&])")  # in front of the first of several types
C_STYLE = (" ", "\t", " /* 'noise */ ", "/* // */")
C_STYLE_ENDS = (" // noise /*", " ", "\n\n", "\n // '\n")


def tokens_of(name: str) -> list[Token]:
    language = language_of(name)
    assert language is not None
    return scan(example_text(name), language.lexicon)


@cache
def facts_of(name: str) -> FileFacts:
    facts = read_facts(name, example_text(name).encode())
    assert facts is not None
    return facts


def classify(name: str, text: str) -> ChangeClass:
    return compare(facts_of(name), read_facts(name, text.encode())).kind


@pytest.mark.parametrize("name", EXAMPLES)
def test_white_space_and_comments_between_tokens_are_cosmetic(name: str) -> None:
    text = example_text(name)
    tokens = tokens_of(name)
    language = ENDINGS[ending(name)]
    random = Random(1)
    for _ in range(SAMPLE):
        at = random.randrange(1, len(tokens))
        kind, _, start = tokens[at]
        if kind == "line" and "//" in text[:start].rpartition("\n")[2]:
            continue  # the comment may be a directive
        if tokens[at - 1][0] == "line":
            continue  # the indentation may matter
        noises = ENDS.get(language, C_STYLE_ENDS) if kind == "line" else GAPS.get(language, C_STYLE)
        noise = random.choice(noises or ("",))
        edited = text[:start] + noise + text[start:]
        assert classify(name, edited) == "cosmetic", (noise, text[start - 20 : start + 20])


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_edit_of_a_name_a_number_or_a_string_is_not_cosmetic(name: str) -> None:
    text = example_text(name)
    tokens = [token for token in tokens_of(name) if token[1].strip()]
    random = Random(2)
    for kind, token, start in random.sample(tokens, min(SAMPLE * 2, len(tokens))):
        if not (token[-1].isalnum() or token[-1] in "\"'`"):
            continue
        at = start + len(token) - 1
        edited = text[:at] + "7" + text[at:]
        assert classify(name, edited) != "cosmetic", (kind, token)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_operator_that_goes_or_changes_is_not_cosmetic(name: str) -> None:
    text = example_text(name)
    leading = LEADING.finditer(text) if ENDINGS[ending(name)] == "typescript" else ()
    silent = {match.start(1) for match in leading}
    tokens = [token for token in tokens_of(name) if token[1] in "+-*/%=<>!&|^~.:@"]
    tokens = [token for token in tokens if token[2] not in silent]
    for _, token, start in Random(3).sample(tokens, min(SAMPLE * 2, len(tokens))):
        rest = text[start + len(token) :]
        for other in ("", " ", "+" if token != "+" else "-"):
            assert classify(name, text[:start] + other + rest) not in ("cosmetic", "docs"), token


@pytest.mark.parametrize("name", EXAMPLES)
def test_line_endings_and_a_byte_order_mark_are_cosmetic(name: str) -> None:
    text = example_text(name)
    assert classify(name, text.replace("\n", "\r\n")) == "cosmetic"
    assert classify(name, "\ufeff" + text) == "cosmetic"
    if ending(name) != "php":  # whose text outside of the tags counts as it is
        assert classify(name, text.rstrip("\n")) == "cosmetic"
