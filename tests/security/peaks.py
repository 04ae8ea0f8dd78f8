"""Measure the memory that reading each of some texts takes at most, each in a process of its own.

Run by `memory.py` in a child process, which imports only what it needs.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

FEW = 200  # bytes of an input that takes nearly nothing


def peak(function: Callable[[Any], object], value: object) -> int:
    """Return the most memory, in bytes, of a forked process that calls a function."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            function(value)
            status = 0
        finally:
            os._exit(status)
    _, status, usage = os.wait4(pid, 0)
    unit = 1 if sys.platform == "darwin" else 1024
    assert status == 0, "the call failed"
    return usage.ru_maxrss * unit


def size_of(value: str | dict[str, str]) -> int:
    """Return the length of a text, or of all texts of a graph with their paths."""
    return len(value) if isinstance(value, str) else sum(map(len, (*value, *value.values())))


def main() -> None:
    """Print for each input of a table its size and what it takes besides the interpreter."""
    module_name, table_name, size = sys.argv[1:]
    module = import_module(module_name)
    function_name, table = module.TABLES[table_name]
    function = getattr(module, function_name)
    for make in table.values():
        function(make(FEW))  # imports and compiles what a reader needs
    base = peak(function, next(iter(table.values()))(FEW))
    found: dict[str, tuple[int, int]] = {}
    for name, make in table.items():
        value = make(int(size))
        found[name] = size_of(value), peak(function, value) - base
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
