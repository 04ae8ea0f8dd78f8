"""The outline of a package: its pieces with their sizes, and how to ask for some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET

from yg_old.commands.budget import Tokenizer
from yg_old.commands.build_context.context import ContextDocument, Tokens
from yg_old.kernel.document import Count, Text, about
from yg_old.kernel.outline import HEADING, Piece, lines_of, outline_of
from yg_old.text.escapes import shell_quoted, visible
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from yg_old.kernel.parts import Package

ENDING = 200  # characters for the total and the example
SHORT = 80  # characters of a selector in the example


class Outline(ContextDocument, frozen=True, kw_only=True, tag="yg-package-outline/1"):
    """What `yg build-context --outline --json` prints: the pieces of a package."""

    whole: Any
    nodes: Annotated[tuple[Text, ...], about("The nodes that the package is for.")]
    tokens: Tokens
    tokenizer: Tokenizer = UNSET
    pieces: Annotated[
        tuple[Piece, ...], about("The blocks, their documents and the headings in them, in order.")
    ]
    hidden: Annotated[
        Count, about("The number of smaller pieces that are left out to keep this short.")
    ]

    def written(self, _form: str) -> str:
        """Write a table, whatever the form."""
        hidden = f" ({counted(self.hidden, 'smaller piece')} not listed)" if self.hidden else ""
        rows = (*lines_of(self.pieces), (self.tokens, f"total{hidden}"))
        width = len(str(self.tokens))
        return "".join(f"{tokens:>{width}}  {line}\n" for tokens, line in rows) + self._example

    @property
    def _example(self) -> str:
        """The line with an example: a heading, or else a document, or else a block."""
        short = [piece for piece in self.pieces if len(piece.selector) <= SHORT]
        if not short:
            return ""
        deepest = max(min(piece.depth, HEADING) for piece in short)
        selector = next(piece.selector for piece in short if piece.depth >= deepest)
        how = "Lines continue those around them, as in" if deepest else "For example"
        return f"{how}: --only {shell_quoted(visible(selector))}\n"


def outline(document: ContextDocument) -> Outline:
    """Return the outline of a package."""
    package: Package = document.whole  # type: ignore[assignment]  # all have parts
    pieces, hidden = outline_of(package, ENDING)
    return Outline(
        whole=package,
        remarks=document.remarks,
        nodes=package.node_ids,
        tokens=package.tokens,
        tokenizer=package.budget.tokenizer or UNSET,
        pieces=pieces,
        hidden=hidden,
    )
