"""`yg build-context`: assemble the context package of a node, or of several."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from yg_old.commands.build_context.context import DIGEST, MARKDOWN, TEXT, WHY
from yg_old.commands.build_context.nodes import known_of, nodes_of
from yg_old.commands.build_context.request import ContextRequest, Wanted
from yg_old.commands.command import JSON, Command, Tool, nothing, warnings
from yg_old.commands.issues import skipped_data, skipped_lines
from yg_old.commands.refusal import refuse_errors
from yg_old.kernel.errors import ForeignGraphError, UsageError
from yg_old.kernel.selection import FORM
from yg_old.kernel.view import PackageView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from yg_old.commands.build_context.context import ContextDocument
    from yg_old.commands.build_context.nodes import Known
    from yg_old.commands.command import Run
    from yg_old.kernel.document import Document
    from yg_old.kernel.package import Measured
    from yg_old.kernel.palette import Palette
    from yg_old.kernel.selection import Selection
    from yg_old.workspace.opened import OpenWorkspace

    Mark = Callable[[Any], Any]  # adds parts to a package

OFF = "off"
DIGEST_LENGTH = 12  # hexadecimal digits
NOTHING_CHANGED = "Nothing changed that a node owns.\n"


def for_node(name: str) -> ContextRequest:
    """Return the request for the package of one node."""
    return ContextRequest(wanted=(Wanted(name),))


def ask(run: Run, request: ContextRequest) -> ContextDocument:
    """Assemble the context of some nodes; raise RefusedError if graph errors make it unreliable.

    Contexts of Spec Graphs are never refused but list what is missing.
    """
    workspace = run.workspace
    if request.depth is not None and not workspace.format.has_depths:
        what = "a depth (--depth)"
        raise ForeignGraphError(f"{what} belongs to Spec Graphs, and {workspace.describe()}")
    if request.code:
        workspace.require_yggdrasil("code in packages (--code)")
    chosen = _selection(workspace, request)
    nodes, notes = nodes_of(workspace, request)
    if request.digest and len(nodes) != 1:
        raise UsageError("--digest requires exactly one node")
    if not nodes:
        nothing_changed = _document(workspace, workspace.queries.view((), PackageView()), request)
        return replace(nothing_changed, style=workspace.format.style, remarks=notes)
    have = tuple(known_of(workspace, text) for text in request.have)
    _refuse_errors(workspace, nodes, have, is_lenient=request.lenient)
    packages = [workspace.queries.package(node, request.depth) for node in nodes]
    had = {known: workspace.queries.package(known.node, None) for known in have}
    every = (*packages, *had.values())
    stale = _marks(workspace, every)
    plain = _with_code(workspace, every, stale)  # as without options
    mark = _with_code(workspace, every, stale, request.code) if request.code else plain
    known, changed = _still_known(workspace, had, plain)
    whole = _view(
        workspace, request, packages, PackageView(known=known, selection=chosen, mark=mark)
    )
    document = _document(workspace, whole, request)
    notes += tuple(f"the package of {node} has changed since" for node in changed)
    has_digest = len(packages) == 1 and request.depth is None and not request.outline
    # An unreadable node might also own a file that was named or has changed.
    asks_for_owners = request.diff is not None or request.asks_for_files
    return replace(
        document,
        style=workspace.format.style,
        stamp=_stamp(run, request),
        find_digest=partial(_digest, workspace, packages[0], plain) if has_digest else None,
        remarks=(*document.remarks, *notes, *_budget_notes(whole, nodes)),
        unreadable=tuple(skipped_data(workspace.skipped())) if asks_for_owners else (),
    )


def document_of(workspace: OpenWorkspace, whole: Any) -> ContextDocument:
    """Return the document of a package."""
    if workspace.format.is_specgraph:
        from yg_old.commands.build_context.spec_context import context_document

        return context_document(whole)
    from yg_old.commands.build_context.package import package_document

    return package_document(whole)


def _document(workspace: OpenWorkspace, whole: Any, request: ContextRequest) -> ContextDocument:
    """Return the document of a package, or of its outline."""
    document = document_of(workspace, whole)
    if not request.outline:
        return document
    from yg_old.commands.build_context.outline import outline

    return outline(document)


def writer_of(workspace: OpenWorkspace) -> Callable[..., str]:
    """Return the function that writes a package, as text unless another form is given."""
    if workspace.format.is_specgraph:
        from yg_old.commands.build_context.spec_context import written as context_written

        return context_written
    from yg_old.commands.build_context.package import written

    return written


def _selection(workspace: OpenWorkspace, request: ContextRequest) -> Selection:
    from yg_old.kernel.selection import selection

    return selection(request.only, request.without, workspace.queries.part_kinds())


def _refuse_errors(
    workspace: OpenWorkspace, nodes: Sequence[str], have: Sequence[Known], *, is_lenient: bool
) -> None:
    """Raise RefusedError if errors make the packages unreliable, in a graph that refuses them."""
    if not workspace.format.refuses_errors:
        return
    others = [known.node for known in have]
    beside = f" beside {_quoted(others)}" if others else ""
    packaged = (*nodes, *others)
    refuse_errors(
        workspace,
        f"no package for {_quoted(nodes)}{beside}",
        packaged,
        is_lenient=is_lenient,
        names_nodes=len(set(packaged)) > 1,
    )


def _quoted(nodes: Sequence[str]) -> str:
    return ", ".join(f"'{node}'" for node in nodes)


def _marks(workspace: OpenWorkspace, packages: Sequence[Any]) -> Mark | None:
    """Return the function that marks stale texts in packages; None if there are none."""
    if not workspace.format.has_drift:
        return None
    from yg_old.commands.stale import stale_marks

    return stale_marks(workspace, packages)


def _with_code(
    workspace: OpenWorkspace, packages: Sequence[Any], mark: Mark | None, code: str | None = None
) -> Mark | None:
    """Return the function that also adds code blocks, if the request or the configuration asks."""
    if not workspace.format.is_yggdrasil:
        return mark
    which = workspace.graph.config.code_in_packages
    if (code or which) == OFF:
        return mark

    @cache
    def code_mark() -> Mark:
        from yg_old.commands.code_blocks import code_marks  # not every package is marked

        return code_marks(workspace, packages, type(which)(code or which))

    return lambda package: code_mark()(mark(package) if mark else package)


def _still_known(
    workspace: OpenWorkspace, had: Mapping[Known, Measured], mark: Mark | None
) -> tuple[tuple[Measured, ...], tuple[str, ...]]:
    """Return the packages that the reader has, and the nodes whose packages have changed."""
    packages, changed = [], []
    for known, package in had.items():
        if known.digest and known.digest != _digest(workspace, package, mark):
            changed.append(known.node)
        else:
            packages.append(package)
    return tuple(packages), tuple(changed)


def _digest(workspace: OpenWorkspace, package: Any, mark: Mark | None) -> str:
    """Return the digest of what is printed for one node without options, and without a time."""
    from hashlib import sha256

    plain = replace(
        mark(package) if mark else package, budget=workspace.queries.graph.configured_budget
    )
    text = writer_of(workspace)(plain, workspace.format.style)
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:DIGEST_LENGTH]


def _view(
    workspace: OpenWorkspace,
    request: ContextRequest,
    packages: Sequence[Measured],
    view: PackageView,
) -> Measured:
    """Return the package to show."""
    if len(packages) == 1 and not (view.known or request.only or request.without or request.fit):
        whole: Measured = view.mark(packages[0]) if view.mark else packages[0]
        return whole
    options = commit_options(workspace)
    options += ["--depth", str(request.depth)] if request.depth is not None else []
    options += ["--lenient"] if request.lenient else []
    return workspace.queries.view(packages, replace(view, fit=request.fit, options=tuple(options)))


def commit_options(workspace: OpenWorkspace) -> list[str]:
    """Return the options with which a command reads the same commit; none in a work tree."""
    return ["--at", workspace.commit[:DIGEST_LENGTH]] if workspace.commit else []


def _stamp(run: Run, request: ContextRequest) -> str:
    """Return the time for a package that says when it was written; else an empty text."""
    is_stamped = run.workspace.format.has_stamps and not request.no_stamp
    return run.now() if run.now is not None and is_stamped else ""


def _budget_notes(whole: Measured, nodes: Sequence[str]) -> Iterator[str]:
    if whole.status != "error":
        return
    size = f"{whole.tokens} {whole.budget.unit}, more than {whole.budget.error}"
    advice = f"split the node '{nodes[0]}'" if len(nodes) == 1 else "name fewer nodes, or use --fit"
    yield f"the package is too large ({size}); {advice}."


def _shown_as(form: str) -> Callable[[ContextDocument, Palette], str]:
    """Return the function that writes a document in a form."""

    def write(document: ContextDocument, _palette: Palette) -> str:
        return NOTHING_CHANGED if document.is_empty else document.written(form)

    return write


def digest_text(document: ContextDocument, _palette: Palette) -> str:
    """Write the digest of the package of one node."""
    return f"{document.find_digest()}\n" if document.find_digest else ""


def remarks(document: ContextDocument, palette: Palette) -> str:
    """Write warnings, and the nodes that might own a file but cannot be read."""
    return warnings(document.remarks, palette) + skipped_lines(document.unreadable, palette)


def _documents() -> tuple[type[Document], ...]:
    from yg_old.commands.build_context.outline import Outline
    from yg_old.commands.build_context.package import Package
    from yg_old.commands.build_context.spec_context import SpecContext

    return Package, SpecContext, Outline


def _about_selectors() -> str:
    from yg_old.yggdrasil.block_kind import KIND_WORDS

    return (
        f"SELECTOR is {FORM}, as --outline lists them. Kinds: {', '.join(KIND_WORDS)}; "
        "in Spec Graphs, headings in lower case with - for blanks."
    )


COMMAND = Command(
    request=ContextRequest,
    documents=_documents,  # those of one kind of graph are not needed for another
    ask=ask,
    text=_shown_as(TEXT),
    forms={MARKDOWN: _shown_as(MARKDOWN), WHY: _shown_as(WHY), DIGEST: digest_text},
    formats=(TEXT, MARKDOWN, JSON),
    notes=nothing,
    remarks=remarks,
    epilog=_about_selectors,
    tool=Tool(
        title="Assemble the context of nodes",
        when="Use before changing or reviewing code: returns the purpose, contracts, rules, "
        "dependencies and flows of nodes in one package. Give all nodes of the task, or files to "
        "use their owners, and what you have. Read all of it; it is the specification.",
        when_in_specs="Use before changing or reviewing code: returns what nodes must do, the "
        "decisions, policies and contracts that bind them, what they depend on, and how to verify "
        "them. Give all nodes of the task, and what you have. Read all of it; it is the "
        "specification.",
        formats=(TEXT, MARKDOWN, WHY),
        formats_about="Format of the text; why: the reason for each block.",
        formats_about_in_specs="Format of the text; why: the reason for each part.",
    ),
)
