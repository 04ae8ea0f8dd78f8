"""Compare characters / 4 with exact tokenizers, for kinds of texts and for our own packages.

pip install -e '.[tokens]'
python benchmarks/tokens.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import yg
from yg_old.kernel.package import tokens_of
from yg_old.kernel.tokens import TOKENIZERS, count_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

REPOSITORY = Path(__file__).parent.parent
KINDS = {
    "English": (".yggdrasil/**/*.md", "examples/shop/.yggdrasil/**/*.md"),
    "YAML": (".yggdrasil/**/*.yaml", "examples/shop/.yggdrasil/**/*.yaml"),
    "code": ("src/yg/**/*.py",),
    "Chinese": ("benchmarks/chinese.md",),
}
EXACT = TOKENIZERS[1:]


def texts_of(patterns: Iterable[str]) -> list[str]:
    """Return the texts of all files that match."""
    files = {file for pattern in patterns for file in REPOSITORY.glob(pattern)}
    return [file.read_text(encoding="utf-8") for file in sorted(files)]


def row(kind: str, texts: list[str]) -> str:
    """Return the sizes of some texts, and how far the estimate is off for each tokenizer."""
    estimate = sum(tokens_of(len(text)) for text in texts)
    counted = [sum(count_tokens(text, name) for text in texts) for name in EXACT]
    return line(kind, estimate, counted)


def packages() -> str:
    """Return the sizes of all packages of our own graph."""
    workspace = yg.open_workspace(REPOSITORY)
    nodes = workspace.nodes()
    estimate = sum(workspace.package(node).tokens for node in nodes)
    counted = []
    for name in EXACT:
        exact = yg.open_workspace(REPOSITORY, tokenizer=name)
        counted.append(sum(exact.package(node).tokens for node in nodes))
    return line("packages", estimate, counted)


def line(kind: str, estimate: int, counted: list[int]) -> str:
    """Return a row of the table; a positive percentage means that the estimate is too large."""
    off = (f"{100 * (estimate - exact) / exact:+.0f} %" for exact in counted)
    return f"| {kind} | {estimate:,} | {' | '.join(off)} |"


def main() -> None:
    """Print the table."""
    print(f"| text | characters / 4 | {' | '.join(EXACT)} |")
    print(f"| --- | ---: | {' | '.join('---:' for _ in EXACT)} |")
    for kind, patterns in KINDS.items():
        print(row(kind, texts_of(patterns)))
    print(packages())


if __name__ == "__main__":
    sys.exit(main())
