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
