"""What can be asked of `yg build-context`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from yg_old.commands.build_context.context import DIGEST, MARKDOWN, WHY, ContextDocument
from yg_old.commands.request import HEAD, Argument, Operand, Option, Request, Revision, Tokenizer
from yg_old.kernel.errors import UsageError
from yg_old.kernel.selection import FORM

_ORDER, _SOURCE = "orders/order-service", "src/shop/orders/service.py"  # in examples


class Wanted(Struct, frozen=True):
    """A node that a user named, or a file that stands for the node that owns it."""

    name: str
    is_file: bool = False


def _file(name: str) -> Wanted:
    """Ask for the node that owns a file."""
    return Wanted(name, is_file=True)


def _about_blocks() -> str:
    from yg_old.yggdrasil.block_kind import KIND_WORDS

    return f"Only these, as {FORM}: {', '.join(KIND_WORDS)}."


class ContextRequest(Request[ContextDocument], frozen=True, kw_only=True):
    """What to put into a package, and what to leave out."""

    wanted: Annotated[
        tuple[Wanted, ...],
        Operand("NODE", "nodes to work on", option="--node", reads=Wanted),
        Option(
            names=("--file",), metavar="PATH", help="use the node that owns this file", reads=_file
        ),
        Argument(
            "Path or id of the node.",
            _ORDER,
            "node",
            is_single=True,
            reads=Wanted,
            in_specs="Id of the node.",
            example_in_specs="AUTH-01",
        ),
        Argument(
            "Several nodes in one package.",
            [_ORDER, "orders/pricing"],
            "nodes",
            reads=Wanted,
            in_specs="Several nodes in one document.",
            example_in_specs=["AUTH-01", "AUTH-02"],
        ),
        Argument(
            "Source file, instead of a node.",
            _SOURCE,
            "file",
            is_single=True,
            reads=_file,
            in_specs=None,
        ),
        Argument("Source files, instead of nodes.", [_SOURCE], "files", reads=_file, in_specs=None),
    ] = ()
    diff: Annotated[
        str | None,
        Option(metavar="REV", const=HEAD, help="nodes with changes since REV (default HEAD)"),
        Argument("Commit: the nodes with changes since then.", HEAD),
    ] = None
    have: Annotated[
        tuple[str, ...],
        Option(
            metavar="NODE[:DIGEST]",
            help="leave out what the package of NODE has, if DIGEST is still its digest",
        ),
        Argument(
            "Nodes whose packages you have, with NODE:DIGEST if they may have changed.",
            ["orders/pricing"],
            in_specs="Nodes whose contexts you have, with NODE:DIGEST if they may have changed.",
            example_in_specs=["AUTH-02"],
        ),
    ] = ()
    only: Annotated[
        tuple[str, ...],
        Option(
            metavar="SELECTOR",
            help="show only these pieces",
            short_for=("--self", "own", "short for --only own"),
        ),
        Argument(
            _about_blocks,
            ["own::internals.md#Decisions"],
            in_specs="Only these sections, as KIND or KIND:ID: headings in lower case, with - for "
            "blanks.",
            example_in_specs=["policies", "domain-concepts:DOM-USER"],
        ),
    ] = ()
    without: Annotated[
        tuple[str, ...],
        Option(metavar="SELECTOR", help="leave out these pieces"),
        Argument(
            "All but these.",
            ["flow:checkout"],
            in_specs="All but these sections.",
            example_in_specs=["affected-nodes"],
        ),
    ] = ()
    code: Annotated[
        Literal["consumed", "all", "off"] | None,
        Option(
            metavar="WHICH",
            const="consumed",
            help="show public names of the code: consumed (default), all or off",
        ),
        Argument(
            "Public names of the code: those that others use, all, or none.",
            "consumed",
            in_specs=None,
        ),
    ] = None
    fit: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Option(metavar="N", help="cut documents until the package has N tokens"),
        Argument(
            "Cut documents to fit this many tokens.",
            4000,
            in_specs="Cut entries to fit this many tokens.",
        ),
    ] = None
    outline: Annotated[
        bool,
        Option(help="list the pieces with their tokens and selectors"),
        Argument("List the pieces with their sizes and selectors, to choose with only."),
    ] = False
    digest: Annotated[bool, Option(help="print the digest of the package, for --have")] = False
    depth: Annotated[
        Annotated[int, Meta(ge=1)] | str | None,
        Option(
            metavar="N",
            choices=("full",),
            help="Spec Graphs: follow N levels of links, or full (default 2)",
        ),
        Argument(
            "Spec Graphs: levels of links to follow (default 2).",
            "full",
            in_specs="Levels of links to follow (default 2).",
        ),
    ] = None
    why: Annotated[bool, Option(help="show why each block is included")] = False
    no_stamp: Annotated[bool, Option(help="0.x: omit the generation time")] = False
    lenient: Annotated[
        bool,
        Option(help="fail only on errors that affect this package"),
        Argument("Fail only on errors that affect this package.", in_specs=None),
    ] = False
    at: Revision = None
    tokenizer: Annotated[Tokenizer, Argument("What counts tokens.", "o200k")] = None

    @property
    def form(self) -> str:
        """The table of reasons or the digest, if asked for."""
        return (WHY if self.why else "") or (DIGEST if self.digest else "")

    @property
    def asks_for_files(self) -> bool:
        """Whether files are named."""
        return any(wanted.is_file for wanted in self.wanted)

    def check(self) -> None:
        """Raise UsageError if the parameters exclude each other."""
        forms = [name for name in ("outline", "why", "digest") if getattr(self, name)]
        if len(forms) > 1:
            raise UsageError(f"--{forms[0]} cannot be combined with --{forms[1]}")
        if self.digest and self.depth is not None:
            raise UsageError("--digest cannot be combined with --depth")
        if self.diff == "":
            raise UsageError("empty commit name")
        if self.depth is not None and self.asks_for_files:
            raise UsageError(
                "--depth cannot be combined with --file",
                hint="--depth is for Spec Graphs, which have no file owners.",
            )
        if self.fit is not None and self.fit < 1:
            raise UsageError("a package does not fit into 0 tokens", hint="Give a number >= 1.")
        if self.diff is not None and (self.wanted or self.at is not None):
            raise UsageError("--diff cannot be combined with nodes, files or --at")
        if self.diff is None and not self.wanted:
            hint = "'yg tree' lists all nodes."
            raise UsageError("expected a node, or a file with --file", hint=hint)
        for wanted in self.wanted:
            if not wanted.name:
                what = "file" if wanted.is_file else "node"
                raise UsageError(f"empty {what} name", hint="'yg tree' lists all nodes.")

    def check_format(self, name: str) -> None:
        """Raise UsageError for tables in Markdown."""
        table = "--why" if self.why else "--outline"
        if (self.why or self.outline) and name == MARKDOWN:
            raise UsageError(
                f"{table} cannot be combined with --format markdown",
                hint="It prints a table; omit --format.",
            )
