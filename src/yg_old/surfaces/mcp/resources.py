"""Resources and prompts: texts that a client reads by name.

A resource is a node, its package or a rule, by URI. One prompt is for working on one node: the
steps and the context package. The others are the topics of `explain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from msgspec import Struct, ValidationError, convert

from yg_old.commands.arguments import Argument, Text
from yg_old.commands.build_context import COMMAND as BUILD_CONTEXT
from yg_old.commands.build_context import ask, for_node
from yg_old.commands.command import Run
from yg_old.commands.explain import ExplainRequest
from yg_old.commands.explain.topics import TOPICS
from yg_old.commands.table import BY_NAME
from yg_old.kernel.errors import NotFoundError
from yg_old.surfaces.mcp.tools import ROOT
from yg_old.text.escapes import one_line, shell_quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.commands.explain.topics import Topic
    from yg_old.surfaces.mcp.service import Request, Service

SCHEME = "yg"
MIME_TYPE = "text/markdown"


class Template(Struct, frozen=True):
    """A resource template: its URI, its description and its reader."""

    place: str
    variable: str
    title: str
    about: str
    read: Callable[[Request, str], str]

    @property
    def address(self) -> str:
        """The URI template."""
        return f"{SCHEME}://{self.place}/{{{self.variable}}}"


def _node(request: Request, name: str) -> str:
    """Return the documents of a node; unlike a package, this works if the graph has errors."""
    workspace = request.open()
    documents = workspace.queries.own_documents(workspace.find(name))
    return "\n".join(document.text for document in documents)


def _context(request: Request, path: str) -> str:
    return BUILD_CONTEXT.written(ask(Run(request.open), for_node(path)))


def _explained(request: Request, code: str) -> str:
    command = BY_NAME["explain"].load()
    return command.written(command.ask(Run(request.open), ExplainRequest(code=code)))


TEMPLATES = (
    Template(
        "node",
        "path",
        "A node",
        "The declaration and the artifacts of a node.",
        _node,
    ),
    Template(
        "context",
        "path",
        "The context of a node",
        "The context package of a node, as returned by build-context.",
        _context,
    ),
    Template(
        "rules",
        "code",
        "A rule",
        "The manual page of a rule: what it checks, why, how to fix it.",
        _explained,
    ),
)


class Address(Struct, frozen=True):
    """A parsed resource URI."""

    template: Template
    name: str
    root: str | None = None  # the repository, if not the first


def address_of(uri: str) -> Address:
    """Parse a resource URI; slashes in a path may be written as %2F."""
    parts = _split(uri)
    template = next((known for known in TEMPLATES if known.place == parts.netloc), None)
    name, query = unquote(parts.path[1:]), parse_qs(parts.query)
    root = query.get("root", [None])[0]
    if template is None or parts.scheme != SCHEME or set(query) - {"root"}:
        raise _unknown(uri)
    try:
        convert((name, root), tuple[Text, Text | None])
    except ValidationError as error:
        raise _unknown(uri) from error
    return Address(template, name, root)


def _split(uri: str) -> SplitResult:
    try:
        return urlsplit(uri)
    except ValueError as error:
        raise _unknown(uri) from error


def _unknown(uri: str) -> NotFoundError:
    known = ", ".join(f"{template.address}{{?root}}" for template in TEMPLATES)
    return NotFoundError(f"unknown resource '{uri}'", hint=f"Known resources: {known}.")


_STEPS = """\
Work on the node {node}. Its context package is below: it is the specification of this node.

Copy this checklist and complete it before you report that the work is done:

1. Read the whole package. If something is missing, look it up in the code or ask; never guess.
2. Change the code. Follow the contracts of the dependencies and every aspect in the package.
3. If you change an interface that others use, call `impact` for {node} and check every node listed.
4. Update the artifacts of the node to match the code. Record each decision you made in them, with
   the rejected alternative.
5. Call `validate`: it must report no errors. `explain` explains a code.
6. Call `drift` for {node} and show the user what changed. Only when the user agrees that the code
   and the graph match, {sync}, with the reason if no text had to change.

{package}"""


_SPEC_STEPS = """\
Work on the node {node}. Its context is below: it is the specification of this node.

Copy this checklist and complete it before you report that the work is done:

1. Read the whole context. If something is missing, look it up with `node` or ask; never guess.
2. Obey what is binding: what constrains {node} or its groups, what its layers decide, and every
   hard policy. Keep to the decisions it depends on, and do not take up a rejected alternative.
3. Change the code to fit the specification. If the specification itself is wrong, tell the user;
   {change}.
4. If a node must change, call `impact` for it first, and check every node listed.
5. Do what Verification says; with a terminal, `yg verify {word}` runs its commands. Report
   what could not be verified.
6. If you changed the graph, call `validate`: it must report no errors. `explain` explains a code.

{package}"""


class Prompt(Struct, frozen=True, kw_only=True):
    """A prompt that a client can offer to its user."""

    name: str
    title: str
    about: str
    arguments: tuple[Argument, ...]
    write: Callable[[Request], str]


def _work_on_node(request: Request) -> str:
    """Return the steps, followed by the package."""
    run = Run(request.open)
    workspace = run.workspace
    path = one_line(workspace.find(request.get("node")))
    package = BUILD_CONTEXT.written(ask(run, for_node(path)))
    if workspace.format.is_specgraph:
        by_tool = "once they agree, change it with `node-set` and `link`"
        return _SPEC_STEPS.format(
            node=f"`{path}`",
            word=shell_quoted(path),
            change=by_tool if request.service.may_write else "do not change it on your own",
            package=package,
        )
    by_tool = f"call `drift-sync` for `{path}`"
    by_command = f"run `yg drift-sync --node {shell_quoted(path)}`"
    return _STEPS.format(
        node=f"`{path}`",
        sync=by_tool if request.service.may_sync else by_command,
        package=package,
    )


WORK_ON_NODE = Prompt(
    name="work-on-node",
    title="Work on a node",
    about="Steps for changing the code of a node, with its context package.",
    arguments=(
        Argument("node", Text, "Path of the node.", "orders/order-service", required=True),
        ROOT,
    ),
    write=_work_on_node,
)


def _topic_prompt(topic: Topic) -> Prompt:
    return Prompt(
        name=topic.name,
        title=topic.title,
        about=topic.about,
        arguments=(ROOT,),
        write=lambda request: _explained(request, topic.name),
    )


def prompts_of(service: Service) -> dict[str, Prompt]:
    """Return the prompts by name; the topics of `explain` are about Yggdrasil graphs."""
    topics = () if service.serves_specs else map(_topic_prompt, TOPICS.values())
    return {prompt.name: prompt for prompt in (WORK_ON_NODE, *topics)}
