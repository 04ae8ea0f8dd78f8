"""One call that puts everything written to a file system on the disk, where there is one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _syncfs(handle: int) -> None:
    """Sync the file system of an open file or directory; raise OSError if that fails."""
    import ctypes  # only many files need it

    if ctypes.CDLL(None, use_errno=True).syncfs(handle):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


# Both C libraries of Linux have it. `os.sync` is no substitute: it reports no error, and outside of
# Linux it need not wait.
sync_file_system: Callable[[int], None] | None = _syncfs if sys.platform == "linux" else None
