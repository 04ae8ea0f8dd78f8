"""Call a function with each of some inputs, and mark where each call starts, for a counter.

Run by `instructions.py` in a child process, under a tool that sees the marks; imports only what it
needs.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from importlib import import_module


def mark() -> None:
    """Call a function of the C library that nothing else calls."""
    os.getpriority(os.PRIO_PROCESS, 0)


def main() -> None:
    """Read the name of the function and its inputs, and call it."""
    task = json.load(sys.stdin)
    module, _, name = task["function"].partition(":")
    function = getattr(import_module(module), name)
    gc.disable()  # it starts when it likes
    for value in task["first"]:
        function(value)
    for value in task["inputs"]:
        mark()
        function(value)
    mark()


if __name__ == "__main__":
    main()
