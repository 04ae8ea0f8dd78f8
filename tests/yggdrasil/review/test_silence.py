"""Changes that concern one part of the code name no sentence about another one."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import REPOSITORY
from yggdrasil.review.changed import review, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = sorted((REPOSITORY / "src" / "yg").rglob("*.py"))[::6]
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class _WithoutMembers(ast.NodeTransformer):
    """Drops documentation, and the members of a class: they are parts of their own."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node


def definitions(text: str) -> dict[str, str]:
    """Return the definitions of a module as the standard library sees them."""
    found = {}
    waiting: list[tuple[str, ast.AST]] = [("", ast.parse(text))]
    while waiting:
        prefix, parent = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, Definition):
                name = f"{prefix}{node.name}"
                found[name] = ast.dump(_own(node))
                if isinstance(node, ast.ClassDef):
                    waiting.append((f"{name}.", node))
    return found


def _own(node: Definition) -> ast.AST:
    copy = ast.parse(ast.unparse(node)).body[0]
    if isinstance(copy, ast.ClassDef):
        copy.body = [each for each in copy.body if not isinstance(each, Definition)]
    found: ast.AST = _WithoutMembers().visit(copy)
    return found


def with_comments(text: str, rng: random.Random) -> str:
    """Add comments and blank lines before statements, and spaces behind lines of code."""
    starts = {
        node.lineno: node.col_offset
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and not getattr(node, "decorator_list", None)
    }
    lines = text.split("\n")
    for number in sorted(starts, reverse=True):
        column = starts[number]
        if rng.random() < 0.3 and not lines[number - 1][:column].strip():
            lines[number - 1 : number - 1] = ["", f"{' ' * column}# see 1234 and quote()"]
    return "\n".join(lines)


def reordered(text: str, rng: random.Random) -> str:
    """Move the functions of a module to other places."""
    tree = ast.parse(text)
    places = [at for at, node in enumerate(tree.body) if isinstance(node, ast.FunctionDef)]
    moved = [tree.body[at] for at in places]
    rng.shuffle(moved)
    lines = text.split("\n")
    spans = [(_first(node), node.end_lineno or 0) for node in tree.body]
    for at, node in zip(places, moved, strict=True):
        spans[at] = (_first(node), node.end_lineno or 0)
    return "\n\n".join("\n".join(lines[first - 1 : last]) for first, last in spans) + "\n"


def _first(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    lines: list[int] = [node.lineno, *(each.lineno for each in decorators)]
    return min(lines)


def renamed_local(text: str, rng: random.Random) -> str:
    """Rename a local variable of one function."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    for function in rng.sample(functions, len(functions)):
        names = sorted(
            {
                node.id
                for node in ast.walk(function)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
        )
        if names:
            return _replaced(text, function, rng.choice(names))
    return text


def _replaced(text: str, function: ast.FunctionDef, name: str) -> str:
    lines = text.split("\n")
    uses = {
        (node.lineno, node.col_offset)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == name
    }
    for line, column in sorted(uses, reverse=True):
        data = lines[line - 1].encode()
        lines[line - 1] = (data[:column] + b"other_" + data[column:]).decode()
    return "\n".join(lines)


def sentences_about(names: Iterator[str]) -> str:
    return "".join(f"`{name}` does it.\n\n" for name in names)


@pytest.mark.parametrize("change", [with_comments, reordered, renamed_local])
def test_a_change_names_only_sentences_about_parts_that_changed(change: object) -> None:
    assert callable(change)
    total = 0
    for path in MODULES:
        text = Path(path).read_text()
        rng = random.Random(path.name)  # noqa: S311
        new = change(text, rng)
        old_parts, new_parts = definitions(text), definitions(new)
        changed = {name for name in old_parts if old_parts[name] != new_parts.get(name)}
        about = texts(sentences_about(iter(sorted(old_parts))))
        found = review({"a.py": text}, {"a.py": new}, about)
        named = {part.name for sentence in found.sentences for part in sentence.parts}
        assert {name for name in named if name in old_parts} <= changed, path
        assert changed <= named, path
        total += len(changed)
        if change is not renamed_local:
            assert not found.sentences, path
    assert (total > 0) is (change is renamed_local)
