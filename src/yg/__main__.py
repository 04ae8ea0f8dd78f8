"""Where the program starts: `yg`, `ygg` and `python -m yg`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; the version is told before anything else is imported."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from yg.cli.streams import answer
        from yg.version import GRAPH_FORMAT, __version__

        text = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
        return answer(sys.stdout, sys.stderr, text, "", 0)
    if sys.argv[1:2] == ["--complete"]:  # what the completion scripts of shells ask
        from yg.cli.shells import main as complete

        return complete(sys.argv[2:])
    from yg.cli.main import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
