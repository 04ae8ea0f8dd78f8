"""Tree-sitter's reading of a text, without what a formatter may change.

`tree_of` returns the syntax tree as a list: types of nodes, brackets, texts of leaves. Left out are
comments, trailing commas, the `;` of JavaScript and Go, quotes, the order of imports, and in
JavaScript parentheses, because the tree shows what belongs together. Statements stay apart from
each other as tree-sitter sees them, so a `;` that joins two is not left out.
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
SCRIPTS = ("javascript", "typescript")
AROUND = frozenset(("(", ")"))
KEYED = frozenset(
    "abstract_method_signature pair pair_pattern property_signature method_signature"
    " method_definition field_definition"
    " public_field_definition enum_assignment".split()
)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$]*|0|[1-9]\d*", re.ASCII)
DECIMAL = re.compile(r"(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?")
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
        if _is_leaf(node, language):
            yield _leaf(node, language)
            continue
        if language in SCRIPTS and _is_transparent(node):
            stack += reversed(_inside(node))
            continue
        single = SINGLE.fullmatch(_text(node)) if node.type == "formal_parameters" else None
        if single and _is_of_arrow(node):
            yield f"<formal_parameters ( {single[1]} )"
            continue
        yield f"<{node.type}"
        children = [child for child in node.children if not _is_left_out(child, node, language)]
        stack.append(">")
        stack += reversed(_sorted_imports(children, language))


def _is_leaf(node: Node, language: str) -> bool:
    if node.type == "template_string" and language in SCRIPTS:
        return not any(child.type == "template_substitution" for child in node.children)
    return node.type in WHOLE or not node.children


def _is_transparent(node: Node) -> bool:
    """Tell whether a node of JavaScript says nothing about what is in it."""
    if node.type in ("parenthesized_expression", "parenthesized_type"):
        return True
    if node.type in ("union_type", "intersection_type") and node.children[0].type in ("|", "&"):
        return True
    around = node.parent
    while around is not None and around.type == "parenthesized_expression":
        around = around.parent
    return around is not None and _operator(node) != "" and _operator(node) == _operator(around)


def _inside(node: Node) -> list[Node]:
    """Return the children of a node that says nothing itself."""
    children = [child for child in node.children if child.type not in AROUND]
    return children[1:] if children[0].type in ("|", "&") else children


def _operator(node: Node) -> str:
    """Return the operator of a node whose order does not matter."""
    operator = node.child_by_field_name("operator")
    if operator is None or node.type != "binary_expression":
        return ""
    return operator.type if operator.type in ("&&", "||", "??") else ""


def _is_key(node: Node) -> bool:
    fields = ("key", "name", "property")
    return (
        node.parent is not None
        and node.parent.type in KEYED
        and any(node.parent.child_by_field_name(field) == node for field in fields)
    )


def _is_directive(node: Node, language: str) -> bool:
    return language in DIRECTIVES and DIRECTIVES[language].search(_text(node)) is not None


def _is_of_arrow(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "arrow_function"


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _leaf(node: Node, language: str) -> str:  # noqa: PLR0911 - one per kind of node
    text = _text(node)
    if language in SCRIPTS:
        if node.type == "jsx_text":
            lines = text.split("\n")
            if len(lines) > 1:
                lines = [
                    lines[0].rstrip(" \t"),
                    *(line.strip() for line in lines[1:-1]),
                    lines[-1].lstrip(" \t"),
                ]
            return " ".join(line for line in lines if line)
        if node.type == "string" and node.parent and node.parent.type == "jsx_attribute":
            return text[1:-1].replace("&quot;", '"').replace("&apos;", "'")
        if node.type == "string":
            text = ESCAPE.sub(lambda escape: escape[escape[1] in "'\""], text[1:-1])
            return text if _is_key(node) and PLAIN_KEY.fullmatch(text) else f'"{text}"'
        if node.type == "number" and DECIMAL.fullmatch(text):
            return _key_number(node, float(text.replace("_", "")))
        if node.type == "number":
            return text.lower()
        if node.parent and _is_of_arrow(node) and node.type == "identifier":
            is_parameter = node.parent.child_by_field_name("parameter") == node
            if is_parameter:
                return f"<formal_parameters ( {text} )"
    return text


def _key_number(node: Node, number: float) -> str:
    return str(int(number)) if _is_key(node) and number.is_integer() else str(number)


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
        if language == "java" and following is not None:
            is_enum = following.type in (";", "enum_body_declarations")
            return is_enum or following.type in CLOSERS
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
    if language in SCRIPTS:
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
