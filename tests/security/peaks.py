"""Measure the memory that each of some calls takes at most, each in a process of its own.

Run by `memory.py` in a child process, which imports only what it needs.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module

Make = Callable[[int], object]  # the input of a size
Function = Callable[[object], object]

FEW = 200  # bytes of an input that takes nearly nothing


def peak(function: Function, make: Make, size: int) -> int:
    """Return the most memory, in bytes, of a forked process that calls a function."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            function(make(size))
            status = 0
        finally:
            os._exit(status)
    _, status, usage = os.wait4(pid, 0)
    unit = 1 if sys.platform == "darwin" else 1024
    assert status == 0, "the call failed"
    return usage.ru_maxrss * unit


def main() -> None:
    """Print what each input of a table takes, besides what the interpreter takes."""
    module_name, function_name, table_name, size, *arguments = sys.argv[1:]
    module = import_module(module_name)
    function = getattr(module, function_name)
    table = getattr(module, table_name)
    makes: dict[str, Make] = table(*arguments) if callable(table) else table
    for make in makes.values():
        function(make(FEW))  # imports and compiles what a reader needs
    base = peak(function, next(iter(makes.values())), FEW)
    peaks = {name: peak(function, make, int(size)) - base for name, make in makes.items()}
    json.dump(peaks, sys.stdout)


if __name__ == "__main__":
    main()
