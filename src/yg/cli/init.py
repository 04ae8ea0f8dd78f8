"""`yg init`: create a graph, or upgrade an older one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser
from yg.cli.outcome import Outcome
from yg.disk.apply import Applier
from yg.disk.worktree import WorkTree
from yg.formats import SPECGRAPH, YGGDRASIL, YGGDRASIL_0X
from yg.kernel import paths
from yg.kernel.errors import UsageError, YgError
from yg.render.data import document_text
from yg.render.edits import edits_text, init_data
from yg.render.plain import visible
from yg.yggdrasil.init import copies_told, new_graph, platform_files
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.platforms import PLATFORMS
from yg.yggdrasil.upgrade import Upgrade, upgrade_of

if TYPE_CHECKING:
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
NAME_STEP = "First, name the project: set 'name' in .yggdrasil/yg-config.yaml.\n"


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "--platform", choices=list(PLATFORMS), default="generic", help="your agent platform"
    )
    result.add_argument("--name", default="", metavar="NAME", help="name of the project")
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
    if args.kind == SPECGRAPH.name:
        hint = "To start a Spec Graph, write specgraph/graph.json."
        raise UsageError("init supports only Yggdrasil graphs", hint=hint)
    tree = WorkTree(root, FOLDER)
    if tree.kind(YGGDRASIL_0X.marker) is not None and args.kind != YGGDRASIL.name:
        raise YgError(
            "this directory has a 0.x graph, which init cannot upgrade",
            hint="'yg init --kind yggdrasil' creates a 2.x graph next to it.",
        )
    if args.name and not args.name.strip():
        raise UsageError("blank project name")
    if args.upgrade and args.name:
        raise UsageError(
            "--name cannot be combined with --upgrade", hint="Edit 'name' in yg-config.yaml."
        )
    exists = tree.kind(FOLDER) is not None
    if exists and not args.upgrade:
        hint = "Use --upgrade to upgrade it and refresh the agent rules."
        raise YgError(f"{FOLDER}/ already exists", hint=hint)
    if args.upgrade and not exists:
        raise YgError(f"no {FOLDER}/ to upgrade", hint="Omit --upgrade to create one.")
    upgrade = upgrade_of(tree) if args.upgrade else Upgrade(new_graph(args.name))
    edits = [*upgrade.edits, *platform_files(tree, PLATFORMS[args.platform])]
    upgrade.done += copies_told(edits)
    if not args.dry_run:
        _write(Applier(root), edits)
    return Outcome(_report(call, upgrade, edits))


def _write(applier: Applier, edits: list[Edit]) -> None:
    """Apply edits, after removing temporary files of an interrupted run."""
    applier.clear(FOLDER, below=True)
    for folder in sorted({paths.parent(platform.file) for platform in PLATFORMS.values()}):
        applier.clear(folder)
    applier.apply(edits)


def _report(call: Call, upgrade: Upgrade, edits: list[Edit]) -> str:
    args = call.args
    if call.wants_json:
        data = init_data(
            edits,
            platform=args.platform,
            dry_run=args.dry_run,
            done=upgrade.done,
            warnings=upgrade.warnings,
        )
        return document_text(data)
    lines = [f"✓ {visible(line)}\n" for line in upgrade.done]
    lines += [f"⚠ {visible(line)}\n" for line in upgrade.warnings]
    if args.dry_run:
        return "".join(lines) + edits_text(edits)
    rules = PLATFORMS[args.platform].file
    if args.upgrade:
        return "".join(lines) + f"✓ rules for {args.platform}: {rules}\n"
    steps = NEXT_STEPS if args.name else f"{NAME_STEP}{NEXT_STEPS}"
    return f"{''.join(lines)}{edits_text(edits)}\n{steps}"
