"""Tree-sitter as a second reading of a source text."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tree_sitter import Language, Parser

from yg.code.languages import ENDINGS, ending

# The function of the grammar's package, where it is not `language`.
FUNCTIONS = {"ts": "language_typescript", "tsx": "language_tsx", "php": "language_php"}


@cache
def parser_for(name: str) -> Parser | None:
    """Return the parser for an ending; None if the grammar is not installed."""
    package = ENDINGS[name].replace("csharp", "c_sharp")
    try:
        grammar = import_module(f"tree_sitter_{package}")
    except ImportError:
        return None
    function = FUNCTIONS.get(name) or FUNCTIONS.get(package, "language")
    return Parser(Language(getattr(grammar, function)()))


def is_valid(path: str, text: str) -> bool:
    """Tell whether tree-sitter reads a text without an error, or has no grammar for it."""
    parser = parser_for(ending(path))
    return parser is None or not parser.parse(text.encode()).root_node.has_error


def leaves(path: str, text: str) -> list[str] | None:
    """Return the texts of all leaves but comments; None without a grammar."""
    parser = parser_for(ending(path))
    if parser is None:
        return None
    found: list[str] = []
    stack = [parser.parse(text.encode()).root_node]
    while stack:
        node = stack.pop()
        if "comment" in node.type:
            continue
        if node.child_count == 0 or "string" in node.type:
            found.append((node.text or b"").decode())
        else:
            stack += reversed(node.children)
    return [text for text in found if text.strip()]
