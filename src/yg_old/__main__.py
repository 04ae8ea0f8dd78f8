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
        from yg_old.surfaces.cli.streams import answer
        from yg_old.version import GRAPH_FORMAT, __version__

        text = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
        return answer(text)
    if argv[:1] == ["--complete"]:  # called by the completion scripts
        from yg_old.surfaces.cli.completions import main as complete

        return complete(argv[1:])
    if argv[:1] == ["hook"] and argv[1:2] and argv[1] not in ("--help", "-h", "--log", "--test"):
        from yg_old.surfaces.hook.main import main as answer_event

        return answer_event(argv[1:])
    from yg_old.surfaces.cli.main import main as run

    code = run(argv)
    return min(code, 1) if "hook" in argv[:3] else code  # to some harnesses, 2 means to refuse


if __name__ == "__main__":
    sys.exit(main())
