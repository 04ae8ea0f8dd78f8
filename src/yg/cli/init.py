"""`yg init`: create a graph, or upgrade an older one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser
from yg.cli.outcome import Outcome, shown
from yg.disk.apply import Applier
from yg.disk.repository import find_repository
from yg.disk.temporary import PREFIX
from yg.disk.worktree import WorkTree
from yg.formats import SPECGRAPH, YGGDRASIL, YGGDRASIL_0X
from yg.kernel import paths
from yg.kernel.errors import UsageError, YgError
from yg.kernel.snapshot import Kind
from yg.render.data import document_text
from yg.render.edits import edits_text, init_data
from yg.render.plain import visible
from yg.yggdrasil.init import (
    copies_told,
    found_platforms,
    has_code,
    new_graph,
    platform_files,
)
from yg.yggdrasil.places import CONFIG_V0, FOLDER
from yg.yggdrasil.platforms import DEFAULT_PLATFORM, PLATFORMS
from yg.yggdrasil.upgrade import Upgrade, upgrade_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.kernel.edit import Edit

NEXT_STEPS = """\
Next, create a node and print its context package:
  mkdir -p .yggdrasil/model/app
  printf 'name: App\\ntype: module\\n' > .yggdrasil/model/app/yg-node.yaml
  printf 'The whole application, until its parts have their own nodes.\\n' \\
    > .yggdrasil/model/app/responsibility.md
  yg build-context app
"""
DRAFT_STEPS = """\
Next, draft nodes for the code that is here. 'yg draft' names those to describe first:
  yg draft
  $EDITOR .yggdrasil/model/NODE/responsibility.md
  yg drift-sync --all
  yg preflight
"""
# What shows that a directory has a graph: its configuration, or the nodes of one without.
GRAPH_MARKS = (f"{FOLDER}/yg-config.yaml", f"{FOLDER}/config.yaml", f"{FOLDER}/model", CONFIG_V0)
NAME_STEP = "First, name the project: set 'name' in .yggdrasil/yg-config.yaml.\n"


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "--platform",
        choices=list(PLATFORMS),
        help="your agent platform (default generic; with --upgrade, those in use)",
    )
    result.add_argument(
        "--name", default="", metavar="NAME", help="name of the project (default: the directory)"
    )
    result.add_argument("--nested", action="store_true", help="create a graph below another one")
    result.add_argument("--upgrade", action="store_true", help="upgrade an existing graph")
    result.add_argument(
        "--dry-run", action="store_true", help="show the edits without writing them"
    )
    return result


def run(call: Call) -> Outcome:
    """Create a graph in this directory, or upgrade the existing one."""
    args = call.args
    root = os.path.abspath(args.directory)
    if not os.path.isdir(root):
        raise YgError(f"'{args.directory}' is not a directory")
    if args.name and not args.name.strip():
        raise UsageError("blank project name")
    if args.kind == SPECGRAPH.name:
        return _start_specs(call, root)
    tree = WorkTree(root, FOLDER)
    if tree.kind(YGGDRASIL_0X.marker) is not None and args.kind != YGGDRASIL.name:
        raise YgError(
            "this directory has a 0.x graph, which init cannot upgrade",
            hint="'yg init --kind yggdrasil' creates a 2.x graph next to it.",
        )
    if args.upgrade and args.name:
        raise UsageError(
            "--name cannot be combined with --upgrade", hint="Edit 'name' in yg-config.yaml."
        )
    is_upgrade = _is_started(tree)
    if is_upgrade and not args.upgrade:
        hint = "Use --upgrade to upgrade it and refresh the agent rules."
        raise YgError(f"{FOLDER}/ already exists", hint=hint)
    if args.upgrade and tree.kind(FOLDER) is None:
        raise YgError(f"no {FOLDER}/ to upgrade", hint="Omit --upgrade to create one.")
    if not is_upgrade and not args.nested:
        _refuse_nesting(root, GRAPH_MARKS)
    name = args.name or os.path.basename(os.path.realpath(root)).strip()
    upgrade = upgrade_of(tree) if is_upgrade else Upgrade(new_graph(name))
    platforms = _platforms(tree, args.platform, is_upgrade=is_upgrade)
    edits = [*upgrade.edits, *platform_files(tree, *(PLATFORMS[name] for name in platforms))]
    upgrade.done += copies_told(edits)
    if not args.dry_run:
        _write(Applier(root), edits)
    steps = "" if is_upgrade else _next_steps(tree, name)
    text = _report(call, upgrade, edits, platforms, steps)
    return Outcome(text, 1 if upgrade.unfinished else 0)


def _start_specs(call: Call, root: str) -> Outcome:
    """Start a Spec Graph; one that exists already is kept as it is."""
    from yg.answers.start_specs import start_specs

    args = call.args
    if args.platform or args.upgrade:
        raise UsageError("--platform and --upgrade belong to Yggdrasil graphs")
    if not args.nested:
        _refuse_nesting(root, [SPECGRAPH.marker])
    return shown(call, start_specs(root, args.name, dry_run=args.dry_run))


def _is_started(tree: WorkTree) -> bool:
    """Tell whether there is a graph; a killed run may have left a folder with temporary files."""
    if tree.kind(FOLDER) is not Kind.DIRECTORY:
        return tree.kind(FOLDER) is not None
    return any(not name.startswith(PREFIX) for name in tree.entries(FOLDER))


def _platforms(tree: WorkTree, chosen: str | None, *, is_upgrade: bool) -> list[str]:
    """Return the platforms to write the rules for: the chosen one, and those in use."""
    found = found_platforms(tree) if is_upgrade else []
    wanted = [chosen] if chosen else []
    return list(dict.fromkeys((*wanted, *found))) or [DEFAULT_PLATFORM]


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


def _write(applier: Applier, edits: list[Edit]) -> None:
    """Apply edits, after removing temporary files of an interrupted run."""
    applier.clear(FOLDER, below=True)
    for folder in sorted({paths.parent(platform.file) for platform in PLATFORMS.values()}):
        applier.clear(folder)
    applier.apply(edits)


def _next_steps(tree: WorkTree, name: str) -> str:
    """Return what to do after a new graph: nodes can be drafted if there are source files."""
    steps = DRAFT_STEPS if has_code(tree.visible.files) else NEXT_STEPS
    return steps if name else f"{NAME_STEP}{steps}"


def _report(
    call: Call, upgrade: Upgrade, edits: list[Edit], platforms: list[str], steps: str
) -> str:
    """Write what was done, and the next steps after a new graph; an upgrade has none."""
    args = call.args
    if call.wants_json:
        data = init_data(
            edits,
            platforms=platforms,
            dry_run=args.dry_run,
            done=upgrade.done,
            warnings=upgrade.warnings,
            unfinished=upgrade.unfinished,
        )
        return document_text(data)
    lines = [f"✓ {visible(line)}\n" for line in upgrade.done]
    lines += [f"⚠ {visible(line)}\n" for line in upgrade.warnings]
    if args.dry_run:
        return "".join(lines) + edits_text(edits)
    if not steps:
        lines += [f"✓ rules for {name}: {PLATFORMS[name].file}\n" for name in platforms]
        return "".join(lines)
    return f"{''.join(lines)}{edits_text(edits)}\n{steps}"
