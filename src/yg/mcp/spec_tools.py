"""The tools of a server for a Spec Graph: what differs from the others, and those that write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.mcp import spec_questions
from yg.mcp.arguments import FLAG, TEXT, TEXTS, Argument, Form, choice
from yg.mcp.tools import READING, Tool
from yg.specgraph.model import TYPES, LinkKind

if TYPE_CHECKING:
    from collections.abc import Mapping

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
WRITING = (
    Tool(
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
            DRY_RUN,
        ),
        ask=spec_questions.ask_node_add,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
    ),
    Tool(
        name="node-set",
        title="Change a field of a node",
        when=f"Use to change what a node says. {CHECKED}",
        arguments=(
            NODE_ID,
            Argument("field", TEXT, "Field; dots for nested ones.", "title", required=True),
            Argument(
                "value", ANY_TEXT, "Text, or JSON; empty: remove it.", "Sign in", required=True
            ),
            DRY_RUN,
        ),
        ask=spec_questions.ask_node_set,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
    ),
    Tool(
        name="node-remove",
        title="Remove a node",
        when="Use only if the user wants it gone. Refused while other nodes refer to it.",
        arguments=(
            NODE_ID,
            Argument("force", FLAG, "Remove the links to it too.", example=True),
            DRY_RUN,
        ),
        ask=spec_questions.ask_node_remove,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
    ),
    Tool(
        name="link",
        title="Add a link",
        when=f"Use to connect two nodes. {CHECKED}",
        arguments=(*ENDS, DRY_RUN),
        ask=spec_questions.ask_link,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
    ),
    Tool(
        name="unlink",
        title="Remove a link",
        when=f"Use to disconnect two nodes. {CHECKED}",
        arguments=(*ENDS, DRY_RUN),
        ask=spec_questions.ask_unlink,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
    ),
    Tool(
        name="pin",
        title="Refresh the pins of a node",
        when="Use after reviewing what changed in the sources of a node.",
        arguments=(NODE_ID, DRY_RUN),
        ask=spec_questions.ask_pin,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
    ),
    Tool(
        name="lock",
        title="Record the digests of all nodes",
        when="Use only after the user has reviewed the graph.",
        arguments=(DRY_RUN,),
        ask=spec_questions.ask_lock,
        writes=True,
        has_kinds=False,
        levels=0,
        documents=("write",),
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
}
_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "impact": ("node", "diff"),
    "plan": ("node", "lenient"),
    "deps": ("node", "depth"),
}
_LEFT_OUT = ("owner", "drift")
_PARTS = Argument(
    "only",
    TEXTS,
    "Only these sections, as KIND or KIND:ID: headings in lower case, with - for blanks.",
    ["policies", "domain-concepts:DOM-USER"],
)
_OTHER_ARGUMENTS = {
    "only": _PARTS,
    "without": Argument("without", TEXTS, "All but these sections.", ["affected-nodes"]),
}


def _adapted(tool: Tool) -> Tool:
    known = _ARGUMENTS.get(tool.name)
    kept = [
        _OTHER_ARGUMENTS.get(argument.name, argument)
        for argument in tool.arguments
        if known is None or argument.name in known
    ]
    return replace(
        tool,
        when=_WORDS.get(tool.name, tool.when),
        arguments=tuple(kept),
        levels=1 if tool.name == "impact" else tool.levels,
        has_kinds=False,
    )


SPEC_READING = (NODE, *(_adapted(tool) for tool in READING if tool.name not in _LEFT_OUT))
