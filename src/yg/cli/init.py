"""`yg init`: start a graph, or bring an older one up to date."""

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
from yg.render.data import document
from yg.render.edits import edits_data, edits_text
from yg.render.plain import visible
from yg.yggdrasil.init import copies_told, new_graph, platform_files
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.platforms import PLATFORMS
from yg.yggdrasil.upgrade import Upgrade, upgrade_of

if TYPE_CHECKING:
    from yg.cli.outcome import Call
    from yg.cli.parser import Parser
    from yg.kernel.edit import Edit

NEXT_STEPS = """\
Next, from a first node to its first context package:
  mkdir -p .yggdrasil/model/app
  printf 'name: App\\ntype: module\\n' > .yggdrasil/model/app/yg-node.yaml
  printf 'The whole application, until parts of it have nodes of their own.\\n' \\
    > .yggdrasil/model/app/responsibility.md
  yg build-context app
"""
NAME_STEP = "First give the project a name: set 'name' in .yggdrasil/yg-config.yaml.\n"


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument(
        "--platform", choices=list(PLATFORMS), default="generic", help="the agent platform in use"
    )
    result.add_argument("--name", default="", metavar="NAME", help="the name of the project")
    result.add_argument("--upgrade", action="store_true", help="bring an existing graph up to date")
    result.add_argument("--dry-run", action="store_true", help="show what would be written")
    return result


def run(call: Call) -> Outcome:
    """Make a graph in this directory, or upgrade the one that is there."""
    args = call.args
    root = os.path.abspath(args.directory)
    if not os.path.isdir(root):
        raise YgError(f"'{args.directory}' is not a directory")
    if args.kind == SPECGRAPH.name:
        hint = "A Spec Graph begins with specgraph/graph.json, which you write yourself."
        raise UsageError("init belongs to Yggdrasil graphs", hint=hint)
    tree = WorkTree(root, FOLDER)
    if tree.kind(YGGDRASIL_0X.marker) is not None and args.kind != YGGDRASIL.name:
        raise YgError(
            "there is a 0.x graph here, which has no baselines and stays as it is",
            hint="'yg init --kind yggdrasil' starts a 2.x graph beside it.",
        )
    if args.name and not args.name.strip():
        raise UsageError("the name of the project is blank")
    if args.upgrade and args.name:
        raise UsageError("--name is for a new graph", hint="Edit 'name' in yg-config.yaml.")
    is_there = tree.kind(FOLDER) is not None
    if is_there and not args.upgrade:
        hint = "Use --upgrade to bring it up to date and to refresh the agent rules."
        raise YgError(f"{FOLDER}/ already exists", hint=hint)
    if args.upgrade and not is_there:
        raise YgError(f"there is no {FOLDER}/ to upgrade", hint="Leave out --upgrade to start one.")
    upgrade = upgrade_of(tree) if args.upgrade else Upgrade(new_graph(args.name))
    edits = [*upgrade.edits, *platform_files(tree, PLATFORMS[args.platform])]
    upgrade.done += copies_told(edits)
    if not args.dry_run:
        _write(Applier(root), edits)
    return Outcome(_rendered(call, upgrade, edits))


def _write(applier: Applier, edits: list[Edit]) -> None:
    """Carry out edits, after removing what an earlier run left when it was killed."""
    applier.clear(FOLDER, below=True)
    for folder in sorted({paths.parent(platform.file) for platform in PLATFORMS.values()}):
        applier.clear(folder)
    applier.apply(edits)


def _rendered(call: Call, upgrade: Upgrade, edits: list[Edit]) -> str:
    args = call.args
    if call.wants_json:
        fields = {
            "platform": args.platform,
            "dry_run": args.dry_run,
            "edits": edits_data(edits),
            "done": upgrade.done,
            "warnings": upgrade.warnings,
        }
        return document("init", fields)
    report = [f"✓ {visible(line)}\n" for line in upgrade.done]
    report += [f"⚠ {visible(line)}\n" for line in upgrade.warnings]
    if args.dry_run:
        return "".join(report) + edits_text(edits)
    rules = PLATFORMS[args.platform].file
    if args.upgrade:
        return "".join(report) + f"✓ rules for {args.platform}: {rules}\n"
    steps = NEXT_STEPS if args.name else f"{NAME_STEP}{NEXT_STEPS}"
    return f"{''.join(report)}{edits_text(edits)}\n{steps}"
