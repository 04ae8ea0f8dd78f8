"""What can be asked of `yg impact`."""

from __future__ import annotations

from typing import Annotated

from yg_old.commands.request import (
    HEAD,
    Argument,
    LongText,
    Operand,
    Option,
    Request,
    Revision,
    Tokenizer,
)
from yg_old.kernel.document import Document
from yg_old.kernel.errors import UsageError


class ImpactRequest(Request[Document], frozen=True, kw_only=True):
    """What changes: a node, an aspect, a flow, or all that differs from a commit."""

    node: Annotated[
        str | None,
        Operand("NODE", "node that changes", option="--node"),
        Argument(
            "Node that changes; IMPORT::NODE for one of another repository.",
            "shared/money",
            example_in_specs="AUTH-01",
        ),
    ] = None
    file: Annotated[
        str | None,
        Option(metavar="PATH", help="the node that owns this file changes"),
        Argument(
            "Source file that changes, instead of its node.", "src/shop/money.py", in_specs=None
        ),
    ] = None
    aspect: Annotated[
        str | None,
        Option(metavar="ASPECT", help="aspect that changes"),
        Argument("Aspect that changes.", "idempotency", in_specs=None),
    ] = None
    flow: Annotated[
        str | None,
        Option(metavar="FLOW", help="flow that changes"),
        Argument("Flow that changes.", "checkout", in_specs=None),
    ] = None
    diff: Annotated[
        str | None,
        Option(metavar="REV", const=HEAD, help="all changes since REV (default HEAD)"),
        Argument("Commit: all changes since then.", HEAD),
    ] = None
    staged: Annotated[bool, Option(help="with --diff: staged changes only")] = False
    method: Annotated[
        str | None,
        Option(metavar="NAME", help="only dependents that consume NAME"),
        Argument("With node: only dependents that consume this.", "charge", in_specs=None),
    ] = None
    code: Annotated[
        bool,
        Option(help="add nodes that import NODE without a relation"),
        Argument("With node: add nodes that import it without a relation.", in_specs=None),
    ] = False
    declared: Annotated[
        bool,
        Option(help="only what relations say, also where the code is compared with them"),
        Argument("With node: only what relations say, not what the code imports.", in_specs=None),
    ] = False
    all: Annotated[
        bool,
        Option(help="list all nodes that share an aspect with NODE"),
        Argument("With node: list all nodes that share an aspect, not ten.", in_specs=None),
    ] = False
    simulate: Annotated[bool, Option(help="compare packages with those of a commit")] = False
    since: Annotated[
        str | None, Option(metavar="REV", help="commit to compare with (default HEAD)")
    ] = None
    patch: Annotated[
        LongText | None,
        Option(
            metavar="FILE",
            help="simulate this unified diff, - for stdin; nothing is written",
            reads_file=True,
        ),
        Argument("Not with diff: unified diff of the graph, to compare packages.", "--- a/..."),
    ] = None  # its text
    lenient: Annotated[
        bool, Option(help="with --simulate: fail only on errors that affect the packages")
    ] = False
    show: Annotated[bool, Option(help="show the differences between packages")] = False
    at: Revision = None
    tokenizer: Tokenizer = None

    @property
    def simulates(self) -> bool:
        """Whether packages are compared; a patch has no other purpose."""
        return self.simulate or self.patch is not None

    def check(self) -> None:
        """Raise UsageError if the parameters exclude each other."""
        modes = (self.node, self.file, self.aspect, self.flow, self.diff)
        if sum(mode is not None for mode in modes) != 1:
            raise UsageError("expected exactly one of: a node, --file, --aspect, --flow, --diff")
        if self.node is None and self.file is None:
            self._refuse_node_options()
        self._refuse_both_views()
        if self.at is not None and self.diff is not None:
            raise UsageError("--at cannot be combined with --diff", hint="Use --diff REV.")
        if self.at is not None and self.patch is not None:
            raise UsageError(
                "--at cannot be combined with --patch", hint="A patch is applied to the work tree."
            )
        if self.staged and self.diff is None:
            raise UsageError("--staged requires --diff")
        if self.show and not self.simulates and self.diff is None:
            raise UsageError("--show requires --simulate or --diff")
        if self.diff is not None and self.simulates:
            raise UsageError(
                "--diff cannot be combined with --simulate or --patch",
                hint="It already compares packages.",
            )
        if "" in (self.since, self.diff):
            raise UsageError("empty commit name")
        if not self.simulates:
            self._refuse_simulation_options()

    def check_format(self, name: str) -> None:
        """Raise UsageError for Markdown, unless it is about all changes."""
        if name == "markdown" and self.diff is None:
            raise UsageError("--format markdown requires --diff")

    def _refuse_node_options(self) -> None:
        given = {
            "--code": self.code,
            "--declared": self.declared,
            "--method": self.method is not None,
            "--all": self.all,
        }
        for option, is_given in given.items():
            if is_given:
                raise UsageError(f"{option} requires a node")

    def _refuse_both_views(self) -> None:
        if self.code and self.declared:
            raise UsageError("--code cannot be combined with --declared")

    def _refuse_simulation_options(self) -> None:
        if self.since is not None:
            raise UsageError("--since requires --simulate", hint="With --diff, use --diff REV.")
        if self.lenient:
            raise UsageError("--lenient requires --simulate")
