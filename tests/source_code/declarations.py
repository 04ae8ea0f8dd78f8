"""The lines of declarations as tree-sitter sees them, with doc comments and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from source_code.python_oracle import joined
from source_code.second_reading import parser_for
from yg.code.languages import ENDINGS, ending

DECLARED = {
    "typescript": frozenset(
        "function_declaration generator_function_declaration function_signature class_declaration"
        " abstract_class_declaration interface_declaration enum_declaration method_definition"
        " type_alias_declaration method_signature abstract_method_signature field_definition"
        " public_field_definition internal_module module variable_declarator".split()
    ),
    "go": frozenset(
        "function_declaration method_declaration type_spec type_alias const_spec var_spec"
        " field_declaration".split()
    ),
    "java": frozenset(
        "class_declaration interface_declaration enum_declaration record_declaration"
        " annotation_type_declaration method_declaration constructor_declaration enum_constant"
        " annotation_type_element_declaration compact_constructor_declaration"
        " variable_declarator".split()
    ),
    "rust": frozenset(
        "function_item function_signature_item struct_item enum_item union_item trait_item mod_item"
        " const_item static_item type_item associated_type field_declaration".split()
    ),
}
DECLARED["javascript"] = DECLARED["typescript"]
# What is looked into for declarations; anything else is a body or a value.
INSIDE = frozenset(
    "program source_file export_statement ambient_declaration expression_statement statement_block"
    " class_body class_declaration abstract_class_declaration internal_module module"
    " type_declaration const_declaration var_declaration type_spec struct_type var_spec_list"
    " field_declaration_list declaration_list impl_item trait_item mod_item struct_item"
    " union_item foreign_mod_item interface_declaration enum_declaration record_declaration"
    " interface_body annotation_type_body"
    " field_declaration constant_declaration lexical_declaration variable_declaration"
    " enum_body enum_body_declarations annotation_type_declaration".split()
)
OPAQUE = {"typescript": frozenset(("interface_declaration", "enum_declaration", "object_type"))}
OPAQUE["javascript"] = OPAQUE["typescript"]
OPAQUE["go"] = frozenset(("field_declaration",))
WRAPPERS = frozenset(("export_statement", "ambient_declaration"))
VARIABLES = frozenset(
    "field_declaration constant_declaration lexical_declaration variable_declaration".split()
)
GROUPS = frozenset(("type_declaration", "const_declaration", "var_declaration"))
ABOVE = frozenset(("decorator", "attribute_item"))
DOCS = {
    "typescript": re.compile(r"/\*\*(?!/)|///(?!/)"),
    "javascript": re.compile(r"/\*\*(?!/)|///(?!/)"),
    "java": re.compile(r"/\*\*(?!/)|///(?!/)"),
    "rust": re.compile(r"///(?!/)|/\*\*(?![*/])"),
    "go": re.compile(r"//|/\*"),
}
NAMES = ("name", "property")


def declared_lines(path: str, text: str) -> dict[str, list[tuple[int, int]]] | None:
    """Return the lines of all declarations by qualified name; None if there is an error."""
    parser = parser_for(ending(path))
    root = parser.parse(text.encode()).root_node if parser else None
    if root is None or root.has_error:
        return None
    language = ENDINGS[ending(path)]
    found: dict[str, list[tuple[int, int]]] = {}
    waiting: list[tuple[str, Node]] = [("", root)]
    while waiting:
        prefix, node = waiting.pop()
        for child in node.children:
            inner = prefix
            if child.type in DECLARED[language]:
                names = list(_names(child, prefix))
                for name in names:
                    found.setdefault(name, []).append(_lines(child, language))
                inner = f"{names[0]}." if names else prefix
            elif child.type == "impl_item":
                inner = f"{prefix}{_type_name(child)}."
            elif child.type == "ambient_declaration" and child.children[1].type == "global":
                inner = f"{prefix}global."
            is_named = inner == prefix or inner[-2:-1].isidentifier()  # `impl [T]` is not
            if is_named and child.type in INSIDE and child.type not in OPAQUE.get(language, ()):
                waiting.append((inner, child))
    return {name: joined(lines) for name, lines in found.items()}


def _names(node: Node, prefix: str) -> Iterator[str]:
    names = next(filter(None, (node.children_by_field_name(field) for field in NAMES)), [])
    receiver = node.child_by_field_name("receiver") if node.type == "method_declaration" else None
    if receiver is not None:
        words = re.findall(r"\w+", _text(receiver).partition("[")[0])
        prefix = f"{words[-1]}."
    for name in names:
        is_plain = name.type.endswith(("identifier", "string", "name"))
        if is_plain and _text(name) != "_" and "computed" not in name.type:
            text = _text(name)
            yield prefix + (text.strip("\"'") if prefix else text.replace("'", '"'))


def _type_name(node: Node) -> str:
    kind = node.child_by_field_name("type")
    while kind is not None and kind.child_by_field_name("type"):
        kind = kind.child_by_field_name("type")
    return _text(kind).split("::")[-1].removeprefix("dyn ") if kind else ""


def _lines(node: Node, language: str) -> tuple[int, int]:
    last = _end(node)
    while (outer := node.parent) is not None and (
        outer.type in WRAPPERS or (outer.type in GROUPS | VARIABLES and _is_first(node, outer))
    ):
        node = outer
        last = last if outer.type in VARIABLES else max(last, _end(outer))
    first = node.start_point[0] + 1
    return _with_docs(node, first, language), last


def _is_first(node: Node, outer: Node) -> bool:
    """Tell whether a declaration has the keyword of what it is in."""
    if any(child.type == "(" for child in outer.children):
        return False
    first = next(child for child in outer.children if child.type == node.type)
    return first == node or outer.type == "field_declaration"


def _with_docs(node: Node, first: int, language: str) -> int:
    """Return the first line of a declaration with the documentation and attributes above it."""
    above, before, has_doc = node.prev_sibling, first, False
    while above is not None and (above.type in ABOVE or "comment" in above.type):
        if "comment" in above.type:
            is_next = _end(above) >= before - 1
            if not DOCS[language].match(_text(above)) and language != "go":
                above = above.prev_sibling
                continue
            other = above.prev_sibling
            is_behind = other is not None and _end(other) == above.start_point[0] + 1
            if is_behind or ((has_doc or language == "go") and not is_next):
                break
            has_doc = True
        first = before = above.start_point[0] + 1
        above = above.prev_sibling
    return first


def _end(node: Node) -> int:
    """Return the last line of a node, which may have a line break at its end."""
    row, column = node.end_point
    return row + (column > 0)


def _text(node: Node) -> str:
    return (node.text or b"").decode()
