"""The tools of a server for a Spec Graph: what differs from the others, and those that write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from yg.mcp import spec_questions
from yg.mcp.arguments import FLAG, TEXT, Argument, Form, choice
from yg.mcp.tools import READING, Tool
from yg.specgraph.model import TYPES, LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg.answers.answer import Answer
    from yg.mcp.service import Request

LONGEST = 1_000_000  # characters of a text to write


def _is_any_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST and "\0" not in value


ANY_TEXT = Form({"type": "string"}, f"a string of at most {LONGEST} characters", _is_any_text)
OBJECT = Form({"type": "object"}, "an object", lambda value: isinstance(value, dict))
EDGES = choice(*(kind.value for kind in LinkKind))
NODE_ID = Argument("node", TEXT, "Id of the node.", "AUTH-01", required=True)
DRY_RUN = Argument("dry_run", FLAG, "Check and show the edits; write nothing.", example=True)
ENDS = (
    Argument("source", TEXT, "Node that holds the link.", "AUTH", required=True),
    Argument("edge", EDGES, "Kind of link.", "contains", required=True),
    Argument("target", TEXT, "Node that it points at.", "AUTH-01", required=True),
)
CHECKED = "Refused if the graph would get new errors."

NODE = Tool(
    name="node",
    title="Show one node in full",
    when="Use to read everything that one node says, before changing it: its file as written, and "
    "the nodes that link to it.",
    arguments=(NODE_ID,),
    ask=spec_questions.ask_node,
    has_kinds=False,
)


def _writing(
    *,
    name: str,
    title: str,
    when: str,
    arguments: tuple[Argument, ...],
    ask: Callable[[Request], Answer],
) -> Tool:
    """Return a tool that changes the files of a graph, or with `dry_run` shows the edits."""
    return Tool(
        name=name,
        title=title,
        when=when,
        arguments=(*arguments, DRY_RUN),
        ask=ask,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
    )


WRITING = (
    _writing(
        name="node-add",
        title="Add a node",
        when=f"Use to specify something new. {CHECKED}",
        arguments=(
            Argument("type", choice(*TYPES), "Its type.", "behavior", required=True),
            Argument("id", TEXT, "Its id, which must be new.", "AUTH-02", required=True),
            Argument("title", ANY_TEXT, "Its title.", "Sign out"),
            Argument("statement", ANY_TEXT, "Statement, expectation or description.", "It ends."),
            Argument("verification", ANY_TEXT, "How to verify it.", "pytest -k AUTH_02"),
            Argument("fields", OBJECT, "Further fields.", {"metadata": {"owner": "web"}}),
        ),
        ask=spec_questions.ask_node_add,
    ),
    _writing(
        name="node-set",
        title="Change a field of a node",
        when=f"Use to change what a node says. {CHECKED}",
        arguments=(
            NODE_ID,
            Argument("field", TEXT, "Field; dots for nested ones.", "title", required=True),
            Argument(
                "value", ANY_TEXT, "Text, or JSON; empty: remove it.", "Sign in", required=True
            ),
        ),
        ask=spec_questions.ask_node_set,
    ),
    _writing(
        name="node-remove",
        title="Remove a node",
        when="Use only if the user wants it gone. Refused while other nodes refer to it.",
        arguments=(
            NODE_ID,
            Argument("force", FLAG, "Remove the links to it too.", example=True),
        ),
        ask=spec_questions.ask_node_remove,
    ),
    _writing(
        name="link",
        title="Add a link",
        when=f"Use to connect two nodes. {CHECKED}",
        arguments=ENDS,
        ask=spec_questions.ask_link,
    ),
    _writing(
        name="unlink",
        title="Remove a link",
        when=f"Use to disconnect two nodes. {CHECKED}",
        arguments=ENDS,
        ask=spec_questions.ask_unlink,
    ),
    _writing(
        name="pin",
        title="Refresh the pins of a node",
        when="Use after reviewing what changed in the sources of a node.",
        arguments=(NODE_ID,),
        ask=spec_questions.ask_pin,
    ),
    _writing(
        name="lock",
        title="Record the digests of all nodes",
        when="Use only after the user has reviewed the graph.",
        arguments=(),
        ask=spec_questions.ask_lock,
    ),
)
# What the tools for every kind of graph say and take here; the others have no use here.
_WORDS: Mapping[str, str] = {
    "build-context": "Use before changing or reviewing code: returns what nodes must do, the "
    "decisions, policies and contracts that bind them, what they depend on, and how to verify "
    "them. Give all nodes of the task, and what you have. Read all of it; it is the specification.",
    "find": "Use when you know the topic but not the id. Best match first.",
    "impact": "Use before changing a node: returns the nodes whose context holds it.",
    "plan": "Use to build several nodes: returns stages; each depends only on earlier ones.",
    "validate": "Use after editing graph files: returns every error and warning with its location "
    "and fix. explain gives details about a code.",
    "explain": "Use for a code such as E107: returns what the rule checks, why, how to fix it. "
    "Without a code: all rules.",
}
# By tool, the arguments that have no use here: nodes have no source files, and there are no errors
# that a context could be refused for.
_FOREIGN: Mapping[str, tuple[str, ...]] = {
    "build-context": ("file", "files", "lenient"),
    "find": ("kind_of",),
    "impact": ("aspect", "flow", "method", "code", "all"),
    "plan": ("changed", "all"),
    "deps": ("type", "code"),
}
_LEFT_OUT = ("owner", "drift")
_ABOUT: Mapping[str, str] = {  # by argument, or by tool and argument
    "build-context node": "Id of the node.",
    "deps node": "Id of the node.",
    "build-context depth": "Levels of links to follow (default 2).",
    "nodes": "Several nodes in one document.",
    "have": "Nodes whose contexts you have, with NODE:DIGEST if they may have changed.",
    "only": "Only these sections, as KIND or KIND:ID: headings in lower case, with - for blanks.",
    "without": "All but these sections.",
    "fit": "Cut entries to fit this many tokens.",
    "format": "Format of the text; why: the reason for each part.",
    "scope": "Only this node and what it contains.",
}
_EXAMPLES: Mapping[str, Any] = {
    "node": "AUTH-01",
    "nodes": ["AUTH-01", "AUTH-02"],
    "have": ["AUTH-02"],
    "only": ["policies", "domain-concepts:DOM-USER"],
    "without": ["affected-nodes"],
    "words": "sign in*",
    "scope": "AUTH",
    "code": "E107",
}


def _adapted(tool: Tool) -> Tool:
    foreign = _FOREIGN.get(tool.name, ())
    kept = (argument for argument in tool.arguments if argument.name not in foreign)
    return replace(
        tool,
        when=_WORDS.get(tool.name, tool.when),
        arguments=tuple(_adapted_argument(tool.name, argument) for argument in kept),
        levels=1 if tool.name == "impact" else tool.levels,
        has_kinds=False,
    )


def _adapted_argument(tool: str, argument: Argument) -> Argument:
    name = argument.name
    return replace(
        argument,
        about=_ABOUT.get(f"{tool} {name}") or _ABOUT.get(name, argument.about),
        example=_EXAMPLES.get(argument.name, argument.example),
    )


SPEC_READING = (NODE, *(_adapted(tool) for tool in READING if tool.name not in _LEFT_OUT))
