"""Entry point of `yg`, `ygg` and `python -m yg`."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Run the command line and return its exit code."""
    gc.disable()  # a short run that creates no reference cycles
    code = _run(sys.argv[1:])
    gc.freeze()  # skip the collection at exit
    return code


def _run(argv: list[str]) -> int:
    """Run one command; `--version` imports nothing else."""
    if argv in (["--version"], ["-V"]):
        from yg.surfaces.cli.output import write
        from yg.version import GRAPH_FORMAT, __version__

        return write(f"yg {__version__} (graph format {GRAPH_FORMAT})\n")
    from yg.surfaces.cli.old import is_for_old, run_old

    if is_for_old(argv):
        return run_old()
    from yg.surfaces.cli.main import main as run

    return run(argv)


if __name__ == "__main__":
    sys.exit(main())
