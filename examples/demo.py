"""Change one file in a copy of examples/shop, and show what yg says about it: `make demo`.

Every command is shown as you would type it, then what it really prints; three dots stand for what
is left out. The copy is removed at the end.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

SHOP = Path(__file__).parent / "shop"
BIN = Path(sys.executable).parent  # where yg is installed
WIDTH = 100
SOURCE = "src/shop/orders/pricing.py"
COMMIT = (
    "git init -q && git add -A && git -c user.name=demo -c user.email= -c commit.gpgsign=false"
    " -c core.hooksPath=/dev/null commit -q -m shop"
)


class Step(NamedTuple):
    """A command, its exit code, and the lines of its output that are shown."""

    title: str
    command: str
    code: int = 0
    shown: str = ""  # a pattern for the start of a line; empty: all lines


TEXT = ".yggdrasil/model/orders/pricing/interface.md"
STORY = (
    Step(
        "Shipping gets more expensive.",
        f"sed -i.old 's/SHIPPING_MINOR = 4_90/SHIPPING_MINOR = 5_90/' {SOURCE}",
    ),
    Step(
        "What does the next agent read about prices? The package says which text to doubt.",
        "yg build-context orders/pricing",
        shown="<context|<stale|The code changed|- interface|### src|SHIPPING|</stale|- Goods|Stale",
    ),
    Step("Which sentences are to be checked?", "yg review", code=1),
    Step("Correct the sentence.", f"sed -i.old 's/4.90/5.90/' {TEXT}"),
    Step(
        "Record that code and texts agree, also for the node that relies on them.",
        "yg drift-sync --recursive orders",
        shown="Synchronized",
    ),
    Step("Nothing is stale any more.", "yg review"),
)
NEXT = """\
# Your own repository begins with: .venv/bin/yg init
"""


def main() -> None:
    """Tell the story, in a copy of the example that is then removed."""
    told = []
    with TemporaryDirectory(prefix="yg-demo-") as folder:
        shop = Path(folder, "shop")
        shutil.copytree(SHOP, shop, ignore=shutil.ignore_patterns("__pycache__"))
        # The old text of changed code comes from git.
        subprocess.run(["sh", "-c", COMMIT], cwd=shop, check=True)  # noqa: S603, S607
        for step in STORY:
            lines = shortened(output(step, shop), step.shown)
            told += [f"# {step.title}", f"$ {step.command}", *lines, ""]
    print(*told, NEXT, sep="\n", end="")


def output(step: Step, shop: Path) -> list[str]:
    """Run a command; end the demo if it does not do what the story says."""
    done = subprocess.run(  # noqa: S603 (only the commands above)
        ["sh", "-c", step.command],  # noqa: S607
        cwd=shop,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != step.code:
        sys.exit(f"{done.stdout}the demo failed: exit code {done.returncode}: {step.command}")
    return done.stdout.splitlines()


def shortened(lines: list[str], shown: str) -> Iterator[str]:
    """Yield the lines that are shown, cut to the width; dots for those between them."""
    full = [line for line in lines if line]
    for is_shown, group in groupby(full, key=lambda line: bool(re.match(shown, line))):
        if not is_shown:
            yield "..."
            continue
        for line in group:
            yield line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..."


if __name__ == "__main__":
    main()
