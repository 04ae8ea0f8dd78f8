"""Where the program starts: `yg`, `ygg` and `python -m yg`."""

from __future__ import annotations

import os
import sys

from yg.kernel.typed import Any

TOOLS = 6  # that can watch a program at the same time


def main() -> int:
    """Run the command line, and end."""
    code = _run(sys.argv[1:])
    if not _is_watched():
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)  # taking apart all that is held would take longer than finding it out
    return code


def _is_watched() -> bool:
    """Tell whether a debugger or profiler wants to have the last word."""
    if sys.getprofile() is not None or sys.gettrace() is not None:
        return True
    monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
    return monitoring is not None and any(map(monitoring.get_tool, range(TOOLS)))


def _run(argv: list[str]) -> int:
    """Run one command; the version is told before anything else is imported."""
    if argv in (["--version"], ["-V"]):
        from yg.cli.streams import answer
        from yg.version import GRAPH_FORMAT, __version__

        text = f"yg {__version__} (graph format {GRAPH_FORMAT})\n"
        return answer(text)
    if argv[:1] == ["--complete"]:  # what the completion scripts of shells ask
        from yg.cli.shells import main as complete

        return complete(argv[1:])
    from yg.cli.main import main as run

    return run(argv)


if __name__ == "__main__":
    sys.exit(main())
