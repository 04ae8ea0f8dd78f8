"""Python's own parser as a second reading of a module."""

from __future__ import annotations

import ast
import warnings

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
IMPORTS = (ast.Import, ast.ImportFrom)


def tree_of(text: str) -> str | None:
    """Return the syntax tree without docstrings and the order of imports; None if there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED):
            _drop_docstring(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, _sorted_imports(block))
    return ast.dump(tree)


def _drop_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> None:
    first = node.body[0] if node.body else None
    value = first.value if isinstance(first, ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        del node.body[0]


def _sorted_imports(block: list[ast.stmt]) -> list[ast.stmt]:
    """Sort imports in a row, unless they bind a name twice."""
    result: list[ast.stmt] = []
    row: list[ast.Import | ast.ImportFrom] = []
    for statement in [*block, None]:
        if isinstance(statement, IMPORTS):
            row.append(statement)
            continue
        names = [alias for one in row for alias in one.names]
        bound = [alias.asname or alias.name.partition(".")[0] for alias in names]
        in_order = "*" in bound or len(set(bound)) < len(bound)
        result += row if in_order else sorted(row, key=ast.dump)
        row = []
        if statement is not None:
            result.append(statement)
    return result


DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def definition_lines(text: str) -> dict[str, list[tuple[int, int]]]:
    """Return the lines of all functions and classes outside of functions, by qualified name.

    They start with the first decorator. Definitions of one name without a line between are one;
    names that are also assigned are left out.
    """
    found: dict[str, list[tuple[int, int]]] = {}
    assigned: set[str] = set()
    waiting: list[tuple[str, ast.AST]] = [("", ast.parse(text))]
    while waiting:
        prefix, node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, DEFINITIONS):
                name = prefix + child.name
                first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
                found.setdefault(name, []).append((first, child.end_lineno or 0))
                if isinstance(child, ast.ClassDef):
                    waiting.append((f"{name}.", child))
            elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                assigned.add(prefix + child.id)
            else:
                waiting.append((prefix, child))
    return {name: joined(lines) for name, lines in found.items() if name not in assigned}


def joined(lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges in order; ranges without a line between are one."""
    numbers = sorted({number for first, last in lines for number in range(first, last + 1)})
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return list(zip(starts, ends, strict=True))
