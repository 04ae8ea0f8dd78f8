"""Where the program starts: `yg`, `ygg` and `python -m yg`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one command and return its exit code; `--version` imports nothing else."""
    argv = sys.argv[1:]
    if argv in (["--version"], ["-V"]):
        from yg.cli.streams import answer
        from yg.version import GRAPH_FORMAT, __version__

        text = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
        return answer(sys.stdout, sys.stderr, text, "", 0)
    if argv[:1] == ["--complete"]:  # what the completion scripts of shells ask
        from yg.cli.shells import main as complete

        return complete(argv[1:])
    from yg.cli.main import main as run

    return run(argv)


if __name__ == "__main__":
    sys.exit(main())
