"""The `build-context` command: assemble the context package of a node, or of several."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from yg.answers.answer import TEXT, Answer, warnings
from yg.answers.forms import forms_of
from yg.answers.refusal import refuse_errors
from yg.kernel.errors import ForeignGraphError, NotFoundError, UsageError
from yg.kernel.escapes import shell_quoted
from yg.kernel.import_names import SEPARATOR
from yg.kernel.snapshot import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from yg.answers.answer import Writer
    from yg.kernel.package import Measured
    from yg.kernel.queries import Depth
    from yg.kernel.selection import Selection
    from yg.render.plain import Palette
    from yg.workspace import OpenWorkspace


WHY = "why"  # the form that lists why each part is included
DIGEST = "digest"  # the form of the package of one node for `--have`
DIGEST_LENGTH = 12  # hexadecimal digits
_HAVE = "--have takes NODE or NODE:DIGEST, of this repository: the nodes whose packages you have."
NOTHING_CHANGED = "Nothing changed that a node owns.\n"


class Wanted(Struct, frozen=True):
    """A node that a user named, or a file that stands for the node that owns it."""

    name: str
    is_file: bool = False


class ContextRequest(Struct, frozen=True, kw_only=True):
    """What to put into a package, and what to leave out."""

    wanted: tuple[Wanted, ...] = ()
    diff: str | None = None  # a commit: the nodes that have changed since, instead of named ones
    have: tuple[str, ...] = ()  # `NODE` or `NODE:DIGEST`: the packages that the reader has
    only: tuple[str, ...] = ()  # `KIND` or `KIND:SUBJECT`: the blocks to show
    without: tuple[str, ...] = ()  # the blocks not to show
    fit: int | None = None  # the largest size in tokens
    depth: Depth | None = None  # for Spec Graphs
    lenient: bool = False  # whether to ignore errors that do not affect the package


def for_node(name: str, *, depth: Depth | None = None, lenient: bool = False) -> ContextRequest:
    """Return the request for the package of one node."""
    return ContextRequest(wanted=(Wanted(name),), depth=depth, lenient=lenient)


def build_context(
    workspace: OpenWorkspace,
    request: ContextRequest,
    *,
    now: Callable[[], str] | None = None,
) -> Answer:
    """Assemble the context of some nodes; raise RefusedError if graph errors make it unreliable.

    Contexts of Spec Graphs are never refused but list what is missing. `now` returns the time stamp
    for packages of 0.x graphs; without it there is no time stamp.
    """
    return assembled(workspace, request, now=now)[0]


def assembled(
    workspace: OpenWorkspace,
    request: ContextRequest,
    *,
    now: Callable[[], str] | None = None,
) -> tuple[Answer, Measured]:
    """Assemble the context of some nodes; return the Answer and the context itself."""
    _check(workspace, request)
    nodes, notes = _nodes(workspace, request)
    if not nodes:
        return _nothing(workspace, notes)
    have = tuple(_known(workspace, text) for text in request.have)
    if workspace.format.refuses_errors:
        packaged = (*nodes, *(known.node for known in have))
        beside = f" beside {_quoted(packaged[len(nodes) :])}" if have else ""
        refused = f"no package for {_quoted(nodes)}{beside}"
        is_lenient, several = request.lenient, len(set(packaged)) > 1
        refuse_errors(workspace, refused, packaged, is_lenient=is_lenient, names_nodes=several)
    packages = [workspace.queries.package(node, request.depth) for node in nodes]
    known, changed = _still_known(workspace, have)
    context = _view(workspace, request, packages, known)
    has_digest = len(packages) == 1 and request.depth is None
    digest = partial(_digest, workspace, packages[0]) if has_digest else None
    stamp = now() if now and workspace.format.has_stamps else ""
    notes += tuple(f"the package of {node} has changed since" for node in changed)
    answer = _answer(workspace, context, digest, stamp)
    return replace(answer, remarks=_remarks(workspace, request, context, nodes, notes)), context


def _check(workspace: OpenWorkspace, request: ContextRequest) -> None:
    """Raise UsageError for a request that this kind of graph does not support."""
    if request.depth is not None and not workspace.format.has_depths:
        what = "a depth (--depth)"
        raise ForeignGraphError(f"{what} belongs to Spec Graphs, and {workspace.describe()}")
    if request.fit is not None and request.fit < 1:
        raise UsageError("a package does not fit into 0 tokens", hint="Give a number >= 1.")
    if request.diff is not None and (request.wanted or workspace.commit):
        raise UsageError("--diff cannot be combined with nodes, files or --at")
    if request.diff is None and not request.wanted:
        hint = "'yg tree' lists all nodes."
        raise UsageError("expected a node, or a file with --file", hint=hint)
    for wanted in request.wanted:
        if not wanted.name:
            what = "file" if wanted.is_file else "node"
            raise UsageError(f"empty {what} name", hint="'yg tree' lists all nodes.")
    _selection(workspace, request)


def _selection(workspace: OpenWorkspace, request: ContextRequest) -> Selection:
    from yg.kernel.selection import selection

    return selection(request.only, request.without, workspace.queries.part_kinds())


def _nodes(
    workspace: OpenWorkspace, request: ContextRequest
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the nodes that a request is for, each once, and notes for the user."""
    if request.diff is not None:
        from yg.answers.changes import nodes_changed_since

        return nodes_changed_since(workspace, request.diff)
    named = (
        _owner(workspace, wanted.name) if wanted.is_file else _find(workspace, wanted.name)
        for wanted in request.wanted
    )
    return tuple(dict.fromkeys(named)), ()


class _Known(Struct, frozen=True):
    """A package that the reader has."""

    node: str
    digest: str  # empty: the present one


def _known(workspace: OpenWorkspace, text: str) -> _Known:
    """Parse `NODE` or `NODE:DIGEST`; the path of a node may have a colon, too."""
    name, colon, digest = text.rpartition(":")
    try:
        return _Known(_find(workspace, text), "")
    except NotFoundError:
        if not colon:
            raise
    try:
        return _Known(_find(workspace, name), digest)
    except NotFoundError as error:
        if SEPARATOR not in text:
            raise
        raise NotFoundError(f"no node at '{text}'", hint=_HAVE) from error


def _still_known(
    workspace: OpenWorkspace, have: Iterable[_Known]
) -> tuple[tuple[Measured, ...], tuple[str, ...]]:
    """Return the packages that the reader has, and the nodes whose packages have changed."""
    packages, changed = [], []
    for known in have:
        package = workspace.queries.package(known.node, None)
        if known.digest and known.digest != _digest(workspace, package):
            changed.append(known.node)
        else:
            packages.append(package)
    return tuple(packages), tuple(changed)


def _digest(workspace: OpenWorkspace, package: Any) -> str:
    """Return the digest of what is printed for one node without options, and without a time."""
    from hashlib import sha256

    forms = forms_of(workspace.format.schema)
    plain = replace(package, budget=workspace.queries.graph.configured_budget)
    is_text = workspace.format.style == TEXT
    text = forms.text(plain) if is_text else forms.markdown(plain, "")
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:DIGEST_LENGTH]


def _view(
    workspace: OpenWorkspace,
    request: ContextRequest,
    packages: Sequence[Measured],
    known: tuple[Measured, ...],
) -> Measured:
    """Return the package to show."""
    if len(packages) == 1 and not (known or request.only or request.without or request.fit):
        return packages[0]
    from yg.kernel.view import PackageView

    options = commit_options(workspace)
    options += ["--depth", str(request.depth)] if request.depth is not None else []
    options += ["--lenient"] if request.lenient else []
    view = PackageView(
        known=known,
        selection=_selection(workspace, request),
        fit=request.fit,
        options=tuple(options),
    )
    return workspace.queries.view(packages, view)


def commit_options(workspace: OpenWorkspace) -> list[str]:
    """Return the options with which a command reads the same commit; none in a work tree."""
    return ["--at", workspace.commit[:DIGEST_LENGTH]] if workspace.commit else []


def _answer(
    workspace: OpenWorkspace, context: Measured, digest: Callable[[], str] | None, stamp: str
) -> Answer:
    """Return the answer; only the package of one node has a digest."""
    forms = forms_of(workspace.format.schema)
    written: dict[str, Writer] = {
        TEXT: lambda _palette: forms.text(context),
        "markdown": lambda _palette: forms.markdown(context, stamp),
        WHY: lambda _palette: forms.reasons(context),
    }
    if digest is not None:
        written[DIGEST] = lambda _palette: f"{digest()}\n"
    return Answer(
        data=lambda: forms.data(context, digest() if digest else ""),
        forms=written,
        form=workspace.format.style,
    )


def _nothing(workspace: OpenWorkspace, notes: Sequence[str]) -> tuple[Answer, Measured]:
    """Return the answer if no node has changed."""
    from yg.kernel.view import PackageView

    context = workspace.queries.view((), PackageView())
    answer = _answer(workspace, context, None, "")
    forms = dict.fromkeys(answer.forms, lambda _palette: NOTHING_CHANGED)
    return replace(answer, forms=forms, remarks=warnings(notes)), context


def _remarks(
    workspace: OpenWorkspace,
    request: ContextRequest,
    context: Measured,
    nodes: Sequence[str],
    notes: Sequence[str],
) -> Writer:
    """Return the writer of what goes to stderr."""
    left_out = forms_of(workspace.format.schema).left_out(context)
    # An unreadable node might also own a file that was named or has changed.
    asks_for_owners = request.diff is not None or any(item.is_file for item in request.wanted)

    def remarks(palette: Palette) -> str:
        from yg.render.issues import skipped_text

        skipped = skipped_text(workspace.skipped(), palette) if asks_for_owners else ""
        written = warnings((*left_out, *notes))(palette)
        return written + _budget_note(context, nodes) + skipped

    return remarks


def _owner(workspace: OpenWorkspace, file: str) -> str:
    workspace.require(workspace.format.has_owners, "a file (--file)")
    from yg.answers.owner import look_up
    from yg.yggdrasil.mapping import Ownership

    graph = workspace.graph
    known = look_up(workspace, Ownership(graph, workspace.sources), file)
    node, part = known.node, known.part
    if not known.exists and not known.is_expected:
        hint = "Give its path from the current directory or from the root of the repository."
        if node is not None:
            option = f"--node {shell_quoted(node)}"
            hint = f"A file there would belong to '{node}': use {option}."
        raise NotFoundError(f"there is no file '{file}'", hint=hint)
    if node is None and part is not None:
        command = f"yg impact --{part.kind} {shell_quoted(part.id)}"
        raise NotFoundError(
            f"'{file}' belongs to the {part.kind} '{part.id}', not to a node",
            hint=f"For the nodes it applies to: {command}",
        )
    if node is None and known.is_graph:
        raise NotFoundError(
            f"'{file}' is a file of the graph, but of no node", hint="Name the node with --node."
        )
    if node is None:
        mapping = f"a node's mapping in {graph.nodes.spec.file}"
        hint = f"Add the file to {mapping}, or name the node with --node."
        raise NotFoundError(f"no node owns '{file}'", hint=hint)
    return node


def _find(workspace: OpenWorkspace, name: str) -> str:
    """Find a node; if the name is that of a file, suggest to ask for its owner."""
    try:
        return workspace.find(name)
    except NotFoundError as error:
        found = (workspace.relative(name), workspace.from_root(name))
        is_file = any(path and workspace.snapshot.kind(path) is Kind.FILE for path in found)
        if not is_file or not workspace.format.has_owners:
            raise
        command = f"yg build-context --file {shell_quoted(name)}"
        hint = f"It is a file. For the node that owns it: {command}"
        raise NotFoundError(error.message, hint=hint) from error


def _budget_note(context: Measured, nodes: Sequence[str]) -> str:
    if context.status != "error":
        return ""
    size = f"{context.tokens} {context.budget.unit}, more than {context.budget.error}"
    advice = f"split the node '{nodes[0]}'" if len(nodes) == 1 else "name fewer nodes, or use --fit"
    return f"warning: the package is too large ({size}); {advice}.\n"


def _quoted(nodes: Sequence[str]) -> str:
    return ", ".join(f"'{node}'" for node in nodes)
