"""Tokenizers that count exactly, from the extra `tokens`; nothing else imports it.

The vocabularies are part of the installed package, so nothing is downloaded.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from yg_old.kernel.extras import needs_extra

if TYPE_CHECKING:
    from types import ModuleType

    from splintr import AnyTokenizer

CHARACTERS = "characters"  # the default: a quarter of the characters, rounded up
_VOCABULARIES = {
    "o200k": "o200k_base",
    "cl100k": "cl100k_base",
    "llama3": "llama3",
    "deepseek_v3": "deepseek_v3",
    "gemma3": "gemma3",
}
TOKENIZERS = (CHARACTERS, *_VOCABULARIES)


def named(tokenizer: str) -> str:
    """Return a tokenizer as a Budget holds it: empty for the default."""
    return "" if tokenizer == CHARACTERS else tokenizer


def count_tokens(text: str, tokenizer: str) -> int:
    """Count the tokens of a text; the spelling of a control token counts as plain text."""
    encodable = text.encode("utf-8", "replace").decode()  # JSON can spell half a character
    return len(_vocabulary(tokenizer).encode_ordinary(encodable))


def release_of(tokenizer: str) -> str:
    """Return the release that counts; raise an error if the extra is not installed."""
    release: str = _package(tokenizer).__version__
    return release


@cache
def _vocabulary(tokenizer: str) -> AnyTokenizer:
    vocabulary: AnyTokenizer = _package(tokenizer).Tokenizer.from_pretrained(
        _VOCABULARIES[tokenizer]
    )
    return vocabulary


def _package(tokenizer: str) -> ModuleType:
    with needs_extra(f"the tokenizer '{tokenizer}'", "tokens"):
        import splintr
    return splintr
