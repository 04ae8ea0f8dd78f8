"""Show what yg says about a file of examples/shop, and about a mistake in its graph: `make demo`.

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


EDIT = "cd .yggdrasil/model/orders/order-service && sed -i.old s,{}, yg-node.yaml && rm *.old"
STORY = (
    Step("Which part of the shop does a file belong to?", "yg owner src/shop/orders/pricing.py"),
    Step(
        "What is there to know before changing it? Everything that the graph says about it.",
        "yg build-context orders/pricing",
        shown="<|###|What|Goods|- \\*\\*|Budget",
    ),
    Step(
        "Somebody renames a node, but not a relation to it.",
        EDIT.format("shared/money,shared/cash"),
    ),
    Step("No package is assembled from a graph that contradicts itself.", "yg validate", code=1),
    Step("Correct the relation.", EDIT.format("shared/cash,shared/money")),
    Step("All is well.", "yg validate"),
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
