"""Where the program starts: `yg`, `ygg` and `python -m yg`."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line, and end."""
    code = _run(sys.argv[1:])
    if sys.getprofile() is None and sys.gettrace() is None:  # nobody waits for a last word
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)  # taking apart all that is held would take longer than finding it out
    return code


def _run(argv: list[str]) -> int:
    """Run one command; the version is told before anything else is imported."""
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
