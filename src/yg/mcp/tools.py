"""The table of tools, with descriptions for agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.answers.find import FEW
from yg.answers.find import KINDS as PARTS
from yg.formats import FORMATS
from yg.kernel.tokens import TOKENIZERS
from yg.mcp import questions
from yg.mcp.arguments import FLAG, PLACE, TEXT, TEXTS, Argument, Form, choice, count
from yg.mcp.reply import Window
from yg.yggdrasil.deps import RelationClass
from yg.yggdrasil.package import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg.answers.answer import Answer
    from yg.mcp.service import Request

SCHEMA_LEVELS = 2  # the document itself, and the entries of its lists
LIMIT = 100
MOST = 1_000
LARGEST = 10**9  # larger than the depth or size of any graph


class Tool(Struct, frozen=True, kw_only=True):
    """One tool, named after the command with the same output."""

    name: str
    title: str
    when: str
    arguments: tuple[Argument, ...]
    ask: Callable[[Request], Answer]
    limit: int | None = None  # default number of entries per list; None: no limit
    writes: bool = False
    levels: int = SCHEMA_LEVELS  # of its output schema
    has_kinds: bool = True  # whether it answers for several kinds of graphs
    documents: tuple[str, ...] = ()  # schemas of its output, if not the one of its name

    @property
    def accepts(self) -> tuple[Argument, ...]:
        """All arguments: its own, those for paging and the common ones."""
        anywhere = ANYWHERE if self.has_kinds else (ROOT,)
        return (*self.arguments, *(_paging(self.limit) if self.limit else ()), *anywhere)

    def window(self, arguments: Mapping[str, Any]) -> Window | None:
        """Return the requested range of entries; None for all."""
        if self.limit is None:
            return None
        return Window(arguments.get("limit", self.limit), arguments.get("offset", 0))


def _paging(limit: int) -> tuple[Argument, ...]:
    return (
        Argument("limit", count(1, MOST), f"Maximum entries per list (default {limit}).", 50),
        Argument(
            "offset",
            count(0, LARGEST),
            "Index of the first entry of longer lists (default 0).",
            limit,
        ),
    )


ORDER, SOURCE = "orders/order-service", "src/shop/orders/service.py"
BLOCKS = ", ".join(KIND_WORDS)
DEPTH = count(0, LARGEST)
LEVELS = Form(
    {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "full"}]},
    "an integer >= 1, or full",
    lambda value: value == "full" or count(1, LARGEST).fits(value),
)
KINDS = choice(*(graph_format.name for graph_format in FORMATS))
CLASSES = choice(*(relation_class.value for relation_class in RelationClass))
ROOT = Argument("root", PLACE, "Repository (default: the first one of the server).", "/work/shop")
ANYWHERE = (
    ROOT,
    Argument("kind", KINDS, "Kind of graph, if the repository has several.", "yggdrasil"),
)
SCOPE = Argument("scope", TEXT, "Only this node and the nodes below it.", "orders")


def _flag(name: str, about: str) -> Argument:
    return Argument(name, FLAG, about, example=True)


READING = (
    Tool(
        name="build-context",
        title="Assemble the context of nodes",
        when="Use before changing or reviewing code: returns the purpose, contracts, rules, "
        "dependencies and flows of nodes in one package. Give all nodes of the task, or files to "
        "use their owners, and what you have. Read all of it; it is the specification.",
        arguments=(
            Argument("node", TEXT, "Path or id of the node.", ORDER),
            Argument("nodes", TEXTS, "Several nodes in one package.", [ORDER, "orders/pricing"]),
            Argument(
                "depth", LEVELS, "Spec Graphs: levels of links to follow (default 2).", "full"
            ),
            Argument("file", TEXT, "Source file, instead of a node.", SOURCE),
            Argument("files", TEXTS, "Source files, instead of nodes.", [SOURCE]),
            Argument("diff", TEXT, "Commit: the nodes with changes since then.", "HEAD"),
            Argument(
                "have",
                TEXTS,
                "Nodes whose packages you have, with NODE:DIGEST if they may have changed.",
                ["orders/pricing"],
            ),
            Argument(
                "only", TEXTS, f"Only these blocks, as KIND or KIND:SUBJECT: {BLOCKS}.", ["flow"]
            ),
            Argument("without", TEXTS, "All but these blocks.", ["flow:checkout"]),
            Argument("fit", count(1, LARGEST), "Cut documents to fit this many tokens.", 4000),
            Argument("tokenizer", choice(*TOKENIZERS), "What counts tokens.", "o200k"),
            Argument(
                "format",
                choice("text", "markdown", "why"),
                "Format of the text; why: the reason for each block.",
                "markdown",
            ),
            _flag("lenient", "Fail only on errors that affect this package."),
        ),
        ask=questions.ask_context,
        documents=("build-context", "spec-context"),
    ),
    Tool(
        name="find",
        title="Search all texts",
        when="Use when you know a topic or an identifier but not the path. Searches all names, "
        "paths and texts; all words must occur in one document; best match first.",
        arguments=(
            Argument(
                "words",
                TEXT,
                'Words, "a phrase", prefix*, or -word to leave out.',
                "payment refund*",
                required=True,
            ),
            Argument("kind_of", choice(*PARTS), "Only in nodes, aspects or flows.", "aspect"),
            Argument("limit", count(1, MOST), f"Maximum results (default {FEW}).", 5),
        ),
        ask=questions.ask_find,
    ),
    Tool(
        name="tree",
        title="List the nodes",
        when="Use to see which nodes exist. In a large graph, start with depth 1 or use find.",
        arguments=(
            Argument("node", TEXT, "Only this node and the nodes below it.", "orders"),
            Argument("depth", DEPTH, "Levels to show.", 1),
        ),
        ask=questions.ask_tree,
        limit=LIMIT,
    ),
    Tool(
        name="owner",
        title="Show which node owns a file",
        when="Use before changing files: returns the node that owns each file, if any.",
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
        title="Show the dependencies of a node",
        when="Use to see what a node depends on, directly and indirectly, also in other "
        "repositories.",
        arguments=(
            Argument("node", TEXT, "Path of the node.", ORDER, required=True),
            Argument("depth", DEPTH, "Levels to follow.", 2),
            Argument("type", CLASSES, "Relations to follow.", "structural"),
            _flag("code", "Say which relations imports back, and which imports have none."),
        ),
        ask=questions.ask_deps,
        limit=LIMIT,
    ),
    Tool(
        name="impact",
        title="Show what a change affects",
        when="Use before changing an interface that others use, and before finishing: returns what "
        "is affected by a change to one node, aspect or flow, or by all changes since a commit.",
        arguments=(
            Argument(
                "node",
                TEXT,
                "Node that changes; IMPORT::NODE for one of another repository.",
                "shared/money",
            ),
            Argument("aspect", TEXT, "Aspect that changes.", "idempotency"),
            Argument("flow", TEXT, "Flow that changes.", "checkout"),
            Argument("diff", TEXT, "Commit: all changes since then.", "HEAD"),
            Argument("method", TEXT, "With node: only dependents that consume this.", "charge"),
            _flag("code", "With node: add nodes that import it without a relation."),
            _flag("all", "With node: list all nodes that share an aspect, not ten."),
        ),
        ask=questions.ask_impact,
        limit=LIMIT,
    ),
    Tool(
        name="validate",
        title="Check the graph",
        when="Use after editing graph files, and when build-context fails: returns every error and "
        "warning with its location and fix. explain gives details about a code.",
        arguments=(SCOPE,),
        ask=questions.ask_validate,
        limit=LIMIT,
    ),
    Tool(
        name="drift",
        title="Show changes since the baseline",
        when="Use when you start and finish work: returns which mapped nodes changed, in code or "
        "graph, since their baseline, the class of each change and the public names in it. Never "
        "resolve drift without asking the user.",
        arguments=(SCOPE, _flag("drifted_only", "Omit nodes without drift.")),
        ask=questions.ask_drift,
        limit=LIMIT,
    ),
    Tool(
        name="plan",
        title="Show the build order",
        when="Use to build or change several nodes: returns stages; each depends only on earlier "
        "ones.",
        arguments=(
            Argument("node", TEXT, "Only this node and its dependencies.", ORDER),
            _flag("changed", "Only nodes that have drifted."),
            _flag("all", "Include nodes without source files."),
            _flag("lenient", "Despite errors: leave out what cannot be ordered, and list it."),
        ),
        ask=questions.ask_plan,
        limit=LIMIT,
    ),
    Tool(
        name="explain",
        title="Explain a rule",
        when="Use for a code such as E004: returns what the rule checks, why, how to fix it. "
        "Without a code: all rules.",
        arguments=(Argument("code", TEXT, "Code or name of the rule.", "E004"),),
        ask=questions.ask_explain,
    ),
)
SYNC = Tool(
    name="drift-sync",
    title="Record new baselines",
    when="Use only after the user agreed that code and graph match: records the current state of "
    "nodes as their baselines. If the code changed but no text of the node had to, say why in "
    "reason.",
    arguments=(
        Argument("node", TEXT, "Node to record.", ORDER),
        _flag("recursive", "Include all nodes below it."),
        _flag("all", "Record all mapped nodes, and remove stale baselines."),
        Argument(
            "reason",
            TEXT,
            "Why no text of the node had to change; recorded with the baseline.",
            "the new parameter is internal; interface.md does not promise it",
        ),
    ),
    ask=questions.ask_drift_sync,
    writes=True,
    levels=0,
)
