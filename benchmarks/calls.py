"""Count the functions and modules of ours that a command calls: how much there is to read.

    python benchmarks/calls.py

The commands run on a copy of examples/shop without an index, in this process.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import yg
from yg_old.__main__ import main

if TYPE_CHECKING:
    from types import CodeType, FrameType

SHOP = Path(__file__).parent.parent / "examples" / "shop"
PACKAGE = os.path.dirname(os.path.abspath(yg.__file__))
COMMANDS = (
    ("build-context", "orders/order-service"),
    ("drift",),
    ("validate",),
)


def called(argv: tuple[str, ...]) -> set[CodeType]:
    """Return the code of ours that a command calls: functions, and bodies of classes."""
    found: set[CodeType] = set()

    def note(frame: FrameType, event: str, _value: object) -> None:
        if event == "call":
            found.add(frame.f_code)

    before = sys.argv
    sys.argv = ["yg", "--no-cache", *argv]
    sys.setprofile(note)
    try:
        with (
            contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())),
            contextlib.suppress(SystemExit),
        ):
            main()
    finally:
        sys.setprofile(None)
        sys.argv = before
    return {code for code in found if code.co_filename.startswith(PACKAGE)}


def run() -> None:
    """Print a line for each command."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory, "shop")
        shutil.copytree(SHOP, root)
        subprocess.run(["git", "init", "--quiet", "."], cwd=root, check=True)
        os.chdir(root)
        for argv in COMMANDS:
            codes = {code for code in called(argv) if code.co_flags & inspect.CO_OPTIMIZED}
            modules = {code.co_filename for code in codes}
            print(f"{argv[0]}: {len(codes)} functions in {len(modules)} modules")
        os.chdir("/")


if __name__ == "__main__":
    run()
