"""`yg init`: create a graph, or upgrade an older one."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg_old.commands.command import Command
from yg_old.commands.edits import edits_text
from yg_old.commands.project import default_name
from yg_old.commands.request import DryRun, Option, Request
from yg_old.disk.files.apply import Applier
from yg_old.disk.files.graph_folder import require_own_folder
from yg_old.disk.files.temporary import PREFIX
from yg_old.disk.git.repository import find_repository
from yg_old.disk.reading.worktree import WorkTree
from yg_old.formats import SPECGRAPH, YGGDRASIL, YGGDRASIL_0X
from yg_old.kernel.document import Document, Text, about, one_of
from yg_old.kernel.edit import Edits, WasDryRun, Write
from yg_old.kernel.errors import AnotherModelError, UnreadableError, UsageError, YgError
from yg_old.kernel.overlay import after_edits
from yg_old.kernel.palette import visible
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.yggdrasil.places import CONFIG_V0, FOLDER
from yg_old.yggdrasil.start.harnesses import HARNESSES
from yg_old.yggdrasil.start.init import (
    copies_told,
    found_platforms,
    has_code,
    new_graph,
    platform_files,
)
from yg_old.yggdrasil.start.install import added_hooks, harness_files, has_hooks, removed
from yg_old.yggdrasil.start.platforms import DEFAULT_PLATFORM, PLATFORMS
from yg_old.yggdrasil.start.upgrade import Upgrade, upgrade_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.edit import Edit
    from yg_old.kernel.palette import Palette
    from yg_old.yggdrasil.start.install import Changes

NEXT_STEPS = """\
Next, describe a part of the software before you write its code, and print its context package:
  yg new node app
  $EDITOR .yggdrasil/model/app/responsibility.md
  yg build-context app
"""
DRAFT_STEPS = """\
Next, draft nodes for the code that is here. 'yg draft' names those to describe first:
  yg draft
  $EDITOR .yggdrasil/model/NODE/responsibility.md
  yg drift-sync --all
  yg preflight
"""
SPEC_STEPS = """\
Next, add what the software does, and read the context of it:
  yg node add behavior {group}-02 --title 'The title' \\
    --statement 'What can be seen' --verification 'the command that shows it'
  yg link {group} contains {group}-02
  yg build-context {group}-02
"""
CONVERTED_STEPS = """\
Next, look at the new graph. As long as both are here, commands need --kind (or YG_KIND):
  yg validate --kind yggdrasil
  yg drift-sync --all --kind yggdrasil
Remove yggdrasil/ once you do not need it any more.
"""
BESIDE = "yggdrasil/ was not read again: its 2.x graph is there already"
# What shows that a directory has a graph: its configuration, or the nodes of one without.
GRAPH_MARKS = (f"{FOLDER}/yg-config.yaml", f"{FOLDER}/config.yaml", f"{FOLDER}/model", CONFIG_V0)
NAME_STEP = "First, name the project: set 'name' in .yggdrasil/yg-config.yaml.\n"
TODO = "To see notes when files are touched:\n"
SEE_HOOKS = "'yg hook --test {}' shows what an agent would get."
NOTHING_TO_REMOVE = "Nothing to remove.\n"
NOTHING = "Nothing to write: there is a Spec Graph already.\n"

Platform = Annotated[
    str | None,
    Option(
        metavar="PLATFORM",
        help=f"your agent platform: {', '.join(PLATFORMS)} (default generic; with --upgrade, "
        "those in use)",
        choices=tuple(PLATFORMS),
    ),
]
PlatformName = Annotated[str, one_of(*PLATFORMS)]


class InitRequest(Request["Init"], frozen=True, kw_only=True):
    """Which graph to create, or to upgrade."""

    platform: Platform = None
    name: Annotated[
        str,
        Option(
            metavar="NAME", help="name of the project (default: that of its package or directory)"
        ),
    ] = ""
    nested: Annotated[bool, Option(help="create a graph below another one")] = False
    upgrade: Annotated[
        bool, Option(help="upgrade an existing graph; one of the 0.x edition is kept")
    ] = False
    remove: Annotated[
        bool, Option(help="take out what init has put in for --platform; the graph stays")
    ] = False
    hooks: Annotated[
        bool,
        Option(help="with --platform: notes when files are touched (default)", can_negate=True),
    ] = True
    mcp: Annotated[
        bool | None,
        Option(
            help="with --platform: the MCP server (default: if the extra 'mcp' is installed)",
            can_negate=True,
        ),
    ] = None
    dry_run: DryRun = False

    def check(self) -> None:
        """Refuse options that exclude each other."""
        if self.remove and self.platform is None:
            raise UsageError("--remove needs --platform", hint="Name the platform to remove.")
        if self.mcp and self.platform is None:
            raise UsageError("--mcp needs --platform", hint="Name the platform to add it to.")
        if self.remove and (self.upgrade or self.name or self.nested):
            raise UsageError("--remove takes only --platform and --dry-run")


class Init(Document, frozen=True, kw_only=True, tag="yg-init/1"):
    """What `yg init --json` prints: the files of a new graph, or what an upgrade does."""

    HIDDEN = ("steps", "is_new")
    HIDING = ("edits",)

    platform: Annotated[
        PlatformName | UnsetType,
        about("The agent platform that the rules are for; not with a Spec Graph."),
    ] = UNSET
    platforms: Annotated[
        tuple[PlatformName, ...] | UnsetType,
        Meta(min_length=1),
        about("All agent platforms whose rules were written; not with a Spec Graph."),
    ] = UNSET
    dry_run: WasDryRun
    edits: Edits
    done: Annotated[
        tuple[Text, ...], about("One line for each step of an upgrade and each backup copy.")
    ] = ()
    warnings: Annotated[
        tuple[Text, ...],
        about("One line for each thing that an upgrade drops, keeps, or leaves for you to do."),
    ] = ()
    unfinished: Annotated[
        tuple[Text, ...],
        about("Files of the 1.x form that could not be rewritten; a later upgrade rewrites them."),
    ] = ()
    todo: Annotated[
        tuple[Text, ...], about("One line for each thing that is left for you to do.")
    ] = ()
    steps: str  # the next ones; empty after an upgrade
    is_new: bool = True  # whether the text lists the edits

    @property
    def exit_code(self) -> int:
        """1 if an upgrade left something to do."""
        return 1 if self.unfinished else 0


def ask(run: Run, request: InitRequest) -> Init:
    """Create a graph in this directory, or upgrade the existing one."""
    root = os.path.abspath(run.directory)
    if not os.path.isdir(root):
        raise YgError(f"'{run.directory}' is not a directory")
    if request.name and not request.name.strip():
        raise UsageError("blank project name")
    if run.kind == SPECGRAPH.name:
        return _started_specs(root, request)
    require_own_folder(root, FOLDER)
    if request.remove:
        return _removed(root, request)
    tree = WorkTree(root, FOLDER)
    is_old = os.path.exists(os.path.join(root, YGGDRASIL_0X.marker))
    if is_old and run.kind != YGGDRASIL.name:
        require_own_folder(root, YGGDRASIL_0X.folder)
        if not request.upgrade:
            raise YgError(
                "this directory has a 0.x graph",
                hint="'yg init --upgrade' writes its content as a 2.x graph beside it; "
                "'yg init --kind yggdrasil' creates an empty one.",
            )
        if not any(tree.kind(mark) for mark in GRAPH_MARKS[:2]):
            return _converted(root, tree, request)
    is_upgrade = _is_upgrade(root, tree, request)
    if not is_upgrade and not request.nested:
        _refuse_nesting(root, GRAPH_MARKS)
    found = _started(root, tree, request, is_upgrade=is_upgrade)
    return replace(found, warnings=(*found.warnings, BESIDE)) if is_old and is_upgrade else found


def _is_upgrade(root: str, tree: WorkTree, request: InitRequest) -> bool:
    """Tell whether there is a graph to upgrade; raise an error if the options say otherwise."""
    is_upgrade = _is_started(tree)
    _refuse_name(request, is_upgrade=is_upgrade)
    if is_upgrade and not request.upgrade and request.platform is None:
        _refuse_another_model(root, tree)
        hint = "Use --upgrade to upgrade it and refresh the agent rules."
        raise YgError(f"{FOLDER}/ already exists", hint=hint)
    if request.upgrade and tree.kind(FOLDER) is None:
        raise YgError(f"no {FOLDER}/ to upgrade", hint="Omit --upgrade to create one.")
    return is_upgrade


def _refuse_another_model(root: str, tree: WorkTree) -> None:
    """Raise an error if the format of the graph has another model, so that nothing upgrades it."""
    from yg_old.yggdrasil.later_formats import refuse_another_model
    from yg_old.yggdrasil.read.v2 import read

    try:
        refuse_another_model(read(tree))
    except AnotherModelError as error:
        raise _with_older_commit(error, root) from error


def _with_older_commit(error: AnotherModelError, root: str) -> AnotherModelError:
    from yg_old.workspace.older_commit import with_older_commit

    return with_older_commit(error, root, "")


def _converted(root: str, tree: WorkTree, request: InitRequest) -> Init:
    """Write the content of a 0.x graph as a 2.x graph beside it."""
    from yg_old.disk.reading.sources import WorkTreeSources
    from yg_old.yggdrasil.start.upgrade_0x import upgrade_from_0x

    _refuse_name(request, is_upgrade=True)
    if not request.nested:
        _refuse_nesting(root, GRAPH_MARKS)
    name = default_name(root, tree)
    upgrade = upgrade_from_0x(tree, WorkTreeSources(tree), name)
    return _written(root, tree, request, upgrade, is_new=False, steps=CONVERTED_STEPS)


def _refuse_name(request: InitRequest, *, is_upgrade: bool) -> None:
    hint = "Edit 'name' in yg-config.yaml."
    if request.name and request.upgrade:
        raise UsageError("--name cannot be combined with --upgrade", hint=hint)
    if request.name and request.platform and is_upgrade:
        raise UsageError("--name is for a new graph", hint=hint)


def _started(root: str, tree: WorkTree, request: InitRequest, *, is_upgrade: bool) -> Init:
    """Write the files of a graph, and the rules for agent platforms."""
    name = request.name or default_name(root, tree)
    upgrade = _upgrade(root, tree) if is_upgrade else Upgrade(new_graph(name))
    steps = "" if is_upgrade else _next_steps(tree, name)
    return _written(root, tree, request, upgrade, is_new=not is_upgrade, steps=steps)


def _upgrade(root: str, tree: WorkTree) -> Upgrade:
    try:
        return upgrade_of(tree)
    except AnotherModelError as error:
        raise _with_older_commit(error, root) from error


def _written(  # noqa: PLR0913
    root: str,
    tree: WorkTree,
    request: InitRequest,
    upgrade: Upgrade,
    *,
    is_new: bool,
    steps: str,
) -> Init:
    """Write the files, unless this is a dry run; return what was done."""
    platforms = _platforms(tree, request, is_upgrade=not is_new)
    overview = "" if is_new else _overview(tree, upgrade.edits)
    rules = platform_files(tree, *(PLATFORMS[name] for name in platforms), overview=overview)
    changes = _hooks(tree, request, platforms)
    edits = (*upgrade.edits, *rules, *changes.edits)
    if not request.dry_run:
        _write(Applier(root, graph=FOLDER), edits)
    return Init(
        platform=platforms[0],
        platforms=platforms,
        dry_run=request.dry_run,
        edits=edits,
        done=(*upgrade.done, *copies_told(edits)),
        warnings=(*upgrade.warnings, *changes.warnings),
        unfinished=tuple(upgrade.unfinished),
        todo=_todo(request, changes),
        steps=steps,
        is_new=is_new,
    )


def _overview(tree: WorkTree, edits: Sequence[Edit]) -> str:
    """Return the overview of a graph after an upgrade; empty if there is nothing to say."""
    from yg_old.yggdrasil.package.front_page import front_page
    from yg_old.yggdrasil.read.v2 import read

    try:
        return front_page(read(after_edits(tree, edits)))
    except UnreadableError:
        return ""  # a file that is to be moved; the upgrade reports it


def _hooks(tree: WorkTree, request: InitRequest, platforms: Sequence[str]) -> Changes:
    """Return what adds hooks and servers for the named platform, and refreshes other hooks."""
    named = [name for name in platforms if name == request.platform or has_hooks(tree, name)]
    has_server = bool(find_spec("mcp")) if request.mcp is None else request.mcp
    servers = [request.platform] if request.platform and has_server else []
    return added_hooks(tree, [] if request.hooks is False else named, servers)


def _todo(request: InitRequest, changes: Changes) -> tuple[str, ...]:
    """Return what a user has to do before new hooks run."""
    harness = HARNESSES.get(request.platform or "")
    return (harness.step, SEE_HOOKS.format(harness.name)) if harness and changes.edits else ()


def _removed(root: str, request: InitRequest) -> Init:
    """Take out what was put in for one platform."""
    name = request.platform or DEFAULT_PLATFORM
    changes = removed(WorkTree(root, FOLDER), PLATFORMS[name])
    if not request.dry_run:
        _write(Applier(root, graph=FOLDER), changes.edits)
    return Init(
        platform=name,
        platforms=(name,),
        dry_run=request.dry_run,
        edits=tuple(changes.edits),
        warnings=tuple(changes.warnings),
        steps="" if changes.edits else NOTHING_TO_REMOVE,
    )


def _started_specs(root: str, request: InitRequest) -> Init:
    """Start a Spec Graph; one that exists already is kept as it is."""
    from yg_old.commands.init.specs import start_specs
    from yg_old.specgraph.edit.start import group_id

    if request.platform or request.upgrade:
        raise UsageError("--platform and --upgrade belong to Yggdrasil graphs")
    require_own_folder(root, SPECGRAPH.folder)
    if not request.nested:
        _refuse_nesting(root, [SPECGRAPH.marker])
    name = request.name or default_name(root, WorkTree(root, SPECGRAPH.folder))
    edits = start_specs(root, name, dry_run=request.dry_run)
    steps = SPEC_STEPS.format(group=group_id(name))
    return Init(dry_run=request.dry_run, edits=edits, steps=steps)


def _is_started(tree: WorkTree) -> bool:
    """Tell whether there is a graph; a killed run may have left a folder with temporary files."""
    if tree.kind(FOLDER) is not Kind.DIRECTORY:
        return tree.kind(FOLDER) is not None
    return any(not name.startswith(PREFIX) for name in tree.entries(FOLDER))


def _platforms(tree: WorkTree, request: InitRequest, *, is_upgrade: bool) -> tuple[str, ...]:
    """Return the platforms to write rules for: the chosen one; with --upgrade, all in use."""
    found = found_platforms(tree) if is_upgrade and request.upgrade else []
    wanted = [request.platform] if request.platform else []
    return tuple(dict.fromkeys((*wanted, *found))) or (DEFAULT_PLATFORM,)


def _refuse_nesting(root: str, marks: Sequence[str]) -> None:
    """Raise an error if a directory above, in the same git repository, has a graph."""
    start = place = os.path.realpath(root)
    repository = find_repository(place)
    top = repository.top if repository and not repository.is_bare else ""
    while place not in (top, os.path.dirname(place)):
        place = os.path.dirname(place)
        found = next((mark for mark in marks if os.path.exists(f"{place}/{mark}")), "")
        if found:
            folder = os.path.relpath(os.path.join(place, os.path.dirname(found)), start)
            raise YgError(
                f"there is a graph above this directory already: {folder}",
                hint="Commands find it from here. To create another one, use --nested.",
            )


def _write(applier: Applier, edits: Sequence[Edit]) -> None:
    """Apply edits, after removing temporary files of an interrupted run."""
    applier.clear(FOLDER, below=True)
    files = [platform.file for platform in PLATFORMS.values()]
    for folder in sorted({paths.parent(file) for file in (*files, *harness_files())}):
        applier.clear(folder)
    applier.apply(edits)


def _next_steps(tree: WorkTree, name: str) -> str:
    """Return what to do after a new graph: nodes can be drafted if there are source files."""
    # git lists files that were deleted and not committed yet.
    present = (file for file in tree.visible.files if tree.kind(file) is Kind.FILE)
    steps = DRAFT_STEPS if has_code(present) else NEXT_STEPS
    return steps if name else f"{NAME_STEP}{steps}"


def text(init: Init, _palette: Palette) -> str:
    """Write what was done, and the next steps after a new graph; an upgrade has none."""
    if init.platforms is UNSET and not init.edits:
        return NOTHING
    told = "".join(f"✓ {visible(line)}\n" for line in init.done)
    told += "".join(f"⚠ {visible(line)}\n" for line in init.warnings)
    if init.dry_run:
        return told + edits_text(init.edits)
    if not init.is_new:
        listed = (f"✓ rules for {name}: {PLATFORMS[name].file}\n" for name in init.platforms or ())
        told += "".join(listed) + _installed(init)
    else:
        told += edits_text(init.edits)
    todo = "".join(f"  {line}\n" for line in init.todo)
    parts = [told, f"{TODO}{todo}" if todo else "", init.steps]
    return "\n".join(filter(None, parts))


def _installed(init: Init) -> str:
    """List the files of harnesses that an upgrade has written; the rules are listed already."""
    rules = {PLATFORMS[name].file for name in init.platforms or ()}
    files = dict.fromkeys(edit.path for edit in init.edits if isinstance(edit, Write))
    return "".join(
        f"✓ {file}\n" for file in files if file not in rules and not file.startswith(f"{FOLDER}/")
    )


COMMAND = Command(request=InitRequest, documents=(Init,), ask=ask, text=text)
