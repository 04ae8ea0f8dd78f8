"""The documents of packages: what those of all kinds of graphs share, and their tags and tables."""

from __future__ import annotations

from collections.abc import Callable  # schemas evaluate annotations
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg_old.commands.budget import BudgetStatus
from yg_old.commands.issues import Skipped
from yg_old.kernel.document import UNIQUE, Count, Document, Record, Text, about
from yg_old.kernel.package import NO_LIMIT, Measured
from yg_old.kernel.palette import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

    from yg_old.kernel.parts import Fit, Package

TEXT, MARKDOWN, WHY, DIGEST = "text", "markdown", "why", "digest"  # forms of a package

ShortDigest = Annotated[str, Meta(pattern="^[0-9a-f]{12}$")]
Tokens = Annotated[Count, about("The size of the package in tokens, estimated or counted.")]
Characters = Annotated[Count, about("The size of the package in characters.")]
ContextFiles = Annotated[
    tuple[Text, ...],
    Meta(extra_json_schema=UNIQUE),
    about("All files of the graph that the package depends on, sorted."),
]


class ContextBudget(Record, frozen=True, kw_only=True):
    """The token budget in the configuration."""

    status: Annotated[BudgetStatus, about("The size compared with the budget.")]
    warning: Annotated[Count, about("The number of tokens above which the size is a warning.")]
    error: Annotated[
        Count | UnsetType,
        about("The number of tokens above which the size is an error; absent for 0.x graphs."),
    ] = UNSET


TokenBudget = Annotated[ContextBudget, about("The token budget in the configuration.")]


class ContextDocument(Document, frozen=True, kw_only=True):
    """The context of some nodes, in a graph of any kind."""

    HIDDEN = ("whole", "style", "stamp", "find_digest", "remarks", "unreadable")

    whole: Measured  # the package, from which texts are written
    style: str = TEXT  # its usual form
    stamp: str = ""  # when it was written, if it says so
    find_digest: Callable[[], str] | None = None  # only for the package of one node
    remarks: tuple[str, ...] = ()  # warnings beside every form
    unreadable: tuple[Skipped, ...] = ()  # nodes that might own a file that was asked for

    @property
    def form(self) -> str:
        """The usual form in this kind of graph."""
        return self.style

    @property
    def is_empty(self) -> bool:
        """Whether it is for no node, because nothing has changed."""
        return not self.whole.node_ids

    def completed(self) -> Self:
        """Add the digest."""
        return replace(self, digest=self.find_digest()) if self.find_digest else self

    def written(self, form: str) -> str:
        """Write the package as text, as Markdown, or as the reasons for its parts."""
        raise NotImplementedError


def budget_of(whole: Measured) -> ContextBudget:
    """Return the budget of a package, and whether it keeps to it."""
    budget = whole.budget
    error = UNSET if budget.error == NO_LIMIT else budget.error
    return ContextBudget(status=whole.status, warning=budget.warning, error=error)


def fitted_sizes(fit: Fit, whole: Measured) -> dict[str, int]:
    """Return the sizes of a package that was made to fit, as its document has them."""
    return {
        "budget": fit.budget,
        "before": fit.before,
        "after": whole.tokens,
        "floor": fit.floor,
    }


_NAMES = ("amp", "lt", "gt", "quot")
_ESCAPES = str.maketrans(
    {
        **{code: f"&#{code};" for code in (*range(9), *range(10, 0x20), *range(0x7F, 0xA0))},
        **{ord(letter): f"&{name};" for letter, name in zip('&<>"', _NAMES, strict=True)},
    }
)


def tag(name: str, attributes: tuple[tuple[str, str], ...]) -> str:
    """Write the name and the quoted attributes of a tag."""
    return name + "".join(f' {key}="{value.translate(_ESCAPES)}"' for key, value in attributes)


def tagged(whole: Measured, nodes: tuple[tuple[str, str], ...], parts: Iterable[str]) -> str:
    """Write the parts of a package between tags; the first has attributes for its nodes."""
    sizes = (("token-count", str(whole.tokens)), ("tokenizer", whole.budget.tokenizer))
    opening = tag("context-package", (*nodes, *(size for size in sizes if size[1])))
    body = "\n\n".join([f"<{opening}>", *parts, "</context-package>"])
    return f"{body}\nBudget status: {whole.status}\n"


def reason_tables(
    title: str,
    parts: Iterable[tuple[str, int, int, str]],
    whole: Package,
) -> str:
    """Write a table of parts, each a label, a length, a size and a reason, with a total.

    What the package leaves out follows in a table of its own.
    """
    unit = whole.budget.unit
    rows = [(title, unit, "share", "because")]
    total = whole.characters  # computed from all parts, so read it once
    for label, length, tokens, because in parts:
        share = 100 * length / total if total else 0.0
        rows.append((visible(label), str(tokens), f"{share:.1f}%", visible(because)))
    verdict = f"{whole.status}, warning above {whole.budget.warning}"
    rows.append(("total", str(whole.tokens), "100.0%", verdict))
    left_out = [
        (
            visible(omission.label),
            str(whole.size_of(omission.document or omission.part)),
            visible(omission.reason),
        )
        for omission in whole.omissions
    ]
    shown = _table(rows, "<>><")
    return (
        f"{shown}\n{_table([('left out', unit, 'because'), *left_out], '<><')}"
        if left_out
        else shown
    )


def _table(rows: Sequence[Sequence[str]], alignment: str) -> str:
    """Write rows in columns; `alignment` has `<` or `>` for each, and the last is not padded."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(alignment) - 1)]
    return "".join(
        "  ".join(
            [
                *(
                    f"{cell:{side}{width}}"
                    for cell, side, width in zip(row, alignment, widths, strict=False)
                ),
                row[-1],
            ]
        )
        + "\n"
        for row in rows
    )
