"""Tree-sitter's reading of a text, without what a formatter may change.

`tree_of` returns the syntax tree as a list: types of nodes, brackets, texts of leaves. Left out are
comments, trailing commas, the `;` of JavaScript and Go, quotes and the order of imports. Statements
stay apart from each other as tree-sitter sees them, so a `;` that joins two is not left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from source_code.second_reading import parser_for
from yg.code.languages import ENDINGS, ending

DIRECTIVES = {
    "javascript": re.compile(r"@ts-|@jsx|\A///\s*<(?:reference|amd-)"),
    "typescript": re.compile(r"@ts-|@jsx|\A///\s*<(?:reference|amd-)"),
    "go": re.compile(r"\A//(?:go:|export |\s*\+build\b)"),
}
IMPORTS = frozenset(
    ("import_statement", "import_declaration", "use_declaration", "extern_crate_declaration")
)
TUPLES = frozenset(("tuple_expression", "tuple_type", "tuple_pattern"))
SINGLE = re.compile(r"\(\s*([\w$]+)\s*,?\s*\)")  # the parameter of `(x) => x`
CLOSERS = frozenset((")", "]", "}", ">"))
LOOSE = frozenset((";", "\n", "\0", ""))
WHOLE = frozenset(("template_string", "regex", "string", "string_literal", "raw_string_literal"))
MISREAD = "<expression_statement\0export\0>"  # `export` with a line break behind it
EMPTY_BODIES = frozenset(
    (
        "if_statement",
        "else_clause",
        "while_statement",
        "for_statement",
        "for_in_statement",
        "do_statement",
        "labeled_statement",
        "with_statement",
    )
)


def tree_of(path: str, text: str) -> list[str] | None:
    """Return the tree; None if tree-sitter finds an error, or has no grammar for the language."""
    parser = parser_for(ending(path))
    if parser is None:
        return None
    root = parser.parse(text.encode()).root_node
    if root.has_error:
        return None
    tree = list(_written(root, ENDINGS[ending(path)]))
    return None if MISREAD in "\0".join(tree) else tree


def _written(root: Node, language: str) -> Iterator[str]:
    """Yield the parts of a tree, from left to right."""
    stack: list[Node | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        if "comment" in node.type:
            if _is_directive(node, language):
                yield " ".join(_text(node).split())
            continue
        if node.type in WHOLE or not node.children:
            yield _leaf(node, language)
            continue
        single = SINGLE.fullmatch(_text(node)) if node.type == "formal_parameters" else None
        if single and _is_of_arrow(node):
            yield f"<formal_parameters ( {single[1]} )"
            continue
        yield f"<{node.type}"
        children = [child for child in node.children if not _is_left_out(child, node, language)]
        stack.append(">")
        stack += reversed(_sorted_imports(children, language))


def _is_directive(node: Node, language: str) -> bool:
    return language in DIRECTIVES and DIRECTIVES[language].search(_text(node)) is not None


def _is_of_arrow(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "arrow_function"


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _leaf(node: Node, language: str) -> str:
    text = _text(node)
    if language in ("javascript", "typescript"):
        if node.type == "jsx_text":
            lines = text.split("\n")
            if len(lines) > 1:
                lines = [
                    lines[0].rstrip(" \t"),
                    *(line.strip() for line in lines[1:-1]),
                    lines[-1].lstrip(" \t"),
                ]
            return " ".join(line for line in lines if line)
        if node.type == "string" and "\\" not in text and '"' not in text:
            return f'"{text[1:-1]}"'
        if node.parent and _is_of_arrow(node) and node.type == "identifier":
            is_parameter = node.parent.child_by_field_name("parameter") == node
            if is_parameter:
                return f"<formal_parameters ( {text} )"
    return text


def _is_left_out(  # noqa: C901, PLR0911 - one per rule
    node: Node, parent: Node, language: str
) -> bool:
    text = node.type
    if text == ",":
        following = node.next_sibling
        while following is not None and "comment" in following.type:
            following = following.next_sibling
        if parent.type == "where_clause" and following is None:
            return True
        if following is None or following.type not in CLOSERS:
            return False
        commas = [child for child in parent.children if child.type == ","]
        if parent.type.startswith("token_tree"):
            return parent.type == "token_tree" and following.type != "}"
        if language == "rust" and parent.type in TUPLES and len(commas) == 1:
            return False
        before = node.prev_sibling
        while before is not None and "comment" in before.type:
            before = before.prev_sibling
        return before is None or before.type not in (",", "[")
    if language in ("javascript", "typescript"):
        if text == "jsx_expression" and parent.type == "jsx_element":
            return all("comment" in child.type for child in node.named_children)
        if text == "jsx_text":
            return not _leaf(node, language)
        if text == "empty_statement":
            return parent.type not in EMPTY_BODIES
        return text == ";" and parent.type != "for_statement"
    return language == "go" and (
        text == "empty_statement" or (text in LOOSE and parent.type != "for_clause")
    )


def _sorted_imports(children: list[Node], language: str) -> list[Node | str]:
    """Return the children with the imports that follow each other in one order."""
    result: list[Node | str] = []
    row: list[str] = []
    for child in children:
        if child.type in IMPORTS and not _text(child).startswith("pub"):
            row += _import(child, language)
            continue
        if row and "comment" in child.type and not _is_directive(child, language):
            continue
        result += sorted(row)
        row = []
        result.append(child)
    return [*result, *sorted(row)]


def without_imports(tree: list[str]) -> list[str]:
    """Return a tree without imports."""
    return [part for part in tree if not part.startswith("import ")]


def _import(node: Node, language: str) -> list[str]:
    """Return an import with its parts in one order."""
    words = [word for word in _written_alone(node, language) if word not in (";", ",")]
    return ["import " + " ".join(sorted(words))] if language != "go" else sorted(_specs(node))


def _specs(node: Node) -> Iterator[str]:
    stack = [node]
    while stack:
        child = stack.pop()
        if child.type == "import_spec":
            yield "import " + " ".join(_written_alone(child, "go"))
        stack += child.children


def _written_alone(node: Node, language: str) -> list[str]:
    found = []
    stack = [node]
    while stack:
        child = stack.pop()
        if "comment" in child.type:
            continue
        if child.type in WHOLE or not child.children:
            found.append(_leaf(child, language))
        else:
            stack += child.children
    return found
