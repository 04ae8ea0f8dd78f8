"""The tools: what an agent can ask, told so that it knows when to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.formats import FORMATS
from yg.mcp import questions
from yg.mcp.arguments import FLAG, PLACE, TEXT, TEXTS, Argument, Form, choice, count
from yg.mcp.window import Window
from yg.yggdrasil.deps import RelationClass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg.answers.answer import Answer
    from yg.mcp.asked import Asked

LIMIT = 100
FEW = 20  # of what was found: the best comes first
MOST = 1_000
LARGEST = 10**9  # more levels or entries than any graph has


class Tool(Struct, frozen=True, kw_only=True):
    """One question an agent can ask; its name is that of the command that answers it."""

    name: str
    title: str
    when: str
    arguments: tuple[Argument, ...]
    ask: Callable[[Asked], Answer]
    limit: int | None = None  # entries of a list, unless a call asks otherwise; None: all
    writes: bool = False
    documents: tuple[str, ...] = ()  # what its answers can be, if not that of its name alone

    @property
    def accepts(self) -> tuple[Argument, ...]:
        """All arguments: its own, those of long lists, and those that every tool has."""
        return (*self.arguments, *(_paging(self.limit) if self.limit else ()), *ANYWHERE)

    def window(self, arguments: Mapping[str, Any]) -> Window | None:
        """Return the entries of long lists that a call asks for; None for all."""
        if self.limit is None:
            return None
        return Window(arguments.get("limit", self.limit), arguments.get("offset", 0))


def _paging(limit: int) -> tuple[Argument, ...]:
    return (
        Argument("limit", count(1, MOST), f"Most entries of any list ({limit}).", 50),
        Argument("offset", count(0, LARGEST), "First entry of longer lists (0).", limit),
    )


ORDER = "orders/order-service"
DEPTH = count(0, LARGEST)
LEVELS = Form(
    {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "full"}]},
    "a whole number from 1, or full",
    lambda value: value == "full" or count(1, LARGEST).fits(value),
)
KINDS = choice(*(each.name for each in FORMATS))
CLASSES = choice(*(each.value for each in RelationClass))
ROOT = Argument(
    "root", PLACE, "Repository to ask; the server's first one if left out.", "/work/shop"
)
ANYWHERE = (
    ROOT,
    Argument("kind", KINDS, "Only where there are several kinds of graphs.", "yggdrasil"),
)
SCOPE = Argument("scope", TEXT, "Only this node and what is below it.", "orders")


def _flag(name: str, about: str) -> Argument:
    return Argument(name, FLAG, about, example=True)


READING = (
    Tool(
        name="build-context",
        title="Assemble the context of a node",
        when="Use before changing or reviewing code: everything to know about one node (purpose, "
        "contracts, rules that apply, dependencies, flows) in one package. Name the node, or a "
        "file and its owner is taken. Read all of it; it is the specification.",
        arguments=(
            Argument("node", TEXT, "Path or id of the node.", ORDER),
            Argument("depth", LEVELS, "Spec Graphs: levels of links to follow (2).", "full"),
            Argument("file", TEXT, "Instead: a source file.", "src/shop/orders/service.py"),
            Argument(
                "format",
                choice("text", "markdown", "why"),
                "How the text is written; why: what brought each block in.",
                "markdown",
            ),
            _flag("lenient", "Refuse only for errors that touch this package."),
        ),
        ask=questions.ask_context,
        documents=("build-context", "spec-context"),
    ),
    Tool(
        name="find",
        title="Find nodes by words",
        when="Use when you know what something is about but not its path. Looks for the words in "
        "name, path and responsibility of every node; the best match comes first.",
        arguments=(
            Argument(
                "words", TEXT, "Words, or beginnings of words.", "payment refund", required=True
            ),
        ),
        ask=questions.ask_find,
        limit=FEW,
    ),
    Tool(
        name="tree",
        title="List the nodes",
        when="Use to see what the graph describes and which node paths exist. In a large graph "
        "begin with depth 1, or use find.",
        arguments=(
            Argument("node", TEXT, "Only this node and what is below it.", "orders"),
            Argument("depth", DEPTH, "Levels to show.", 1),
        ),
        ask=questions.ask_tree,
        limit=LIMIT,
    ),
    Tool(
        name="owner",
        title="Tell which node owns a file",
        when="Use before touching files: names the node each belongs to, or that none does.",
        arguments=(
            Argument(
                "files",
                TEXTS,
                "Paths, relative to root or absolute.",
                ["src/shop/app.py"],
                required=True,
            ),
        ),
        ask=questions.ask_owner,
    ),
    Tool(
        name="deps",
        title="Show what a node depends on",
        when="Use to learn what a node relies on, directly and further down.",
        arguments=(
            Argument("node", TEXT, "Path of the node.", ORDER, required=True),
            Argument("depth", DEPTH, "Levels to follow.", 2),
            Argument("type", CLASSES, "Which relations to follow.", "structural"),
        ),
        ask=questions.ask_deps,
        limit=LIMIT,
    ),
    Tool(
        name="impact",
        title="Show what a change reaches",
        when="Use before changing what others rely on, and before finishing: what a change to one "
        "node, aspect or flow reaches, or (diff) all that differs from a commit.",
        arguments=(
            Argument("node", TEXT, "A node that changes.", "shared/money"),
            Argument("aspect", TEXT, "Instead: an aspect.", "idempotency"),
            Argument("flow", TEXT, "Instead: a flow.", "checkout"),
            Argument("diff", TEXT, "Instead: all that differs from this commit.", "HEAD"),
            Argument("method", TEXT, "With a node: only dependents that consume this.", "charge"),
        ),
        ask=questions.ask_impact,
        limit=LIMIT,
    ),
    Tool(
        name="validate",
        title="Check the graph",
        when="Use after editing graph files, and when a package is refused: every error and "
        "warning with its place and what to do. explain tells more about a code.",
        arguments=(SCOPE,),
        ask=questions.ask_validate,
        limit=LIMIT,
    ),
    Tool(
        name="drift",
        title="Show where code and graph moved apart",
        when="Use when work begins and when it ends: which mapped nodes changed, in code or graph, "
        "since their baseline. Never resolve drift without asking the user.",
        arguments=(SCOPE, _flag("drifted_only", "Leave out nodes without drift.")),
        ask=questions.ask_drift,
        limit=LIMIT,
    ),
    Tool(
        name="plan",
        title="Show the order of work",
        when="Use when several nodes have to be built or changed: stages, each of which needs only "
        "earlier ones.",
        arguments=(
            Argument("node", TEXT, "Only this node and what it needs first.", ORDER),
            _flag("changed", "Only nodes that have drifted."),
        ),
        ask=questions.ask_plan,
        limit=LIMIT,
    ),
    Tool(
        name="explain",
        title="Explain a rule",
        when="Use for a code such as E004 in an issue: what the rule checks, why, how to fix it. "
        "Without a code: all rules.",
        arguments=(Argument("code", TEXT, "Code or name of the rule.", "E004"),),
        ask=questions.ask_explain,
    ),
)
SYNC = Tool(
    name="drift-sync",
    title="Record nodes as they are now",
    when="Use only after the user agreed that code and graph say the same: writes new baselines, "
    "so that drift is measured from here.",
    arguments=(
        Argument("node", TEXT, "The node whose drift was resolved.", ORDER),
        _flag("recursive", "And all nodes below it."),
        _flag("all", "Instead: all mapped nodes, and tidy up."),
    ),
    ask=questions.ask_drift_sync,
    writes=True,
)


def tools_of(*, may_sync: bool) -> tuple[Tool, ...]:
    """Return the tools on offer, the same every time; the one that writes only if allowed."""
    return (*READING, SYNC) if may_sync else READING
