"""Results that are written to a file instead of standard output."""

from __future__ import annotations

import os

from yg_old.kernel.errors import YgError


def write_output(directory: str, output: str, content: bytes) -> None:
    """Write the file that the user named, relative to the directory of the command."""
    try:
        with open(os.path.join(directory, output), "wb") as file:
            file.write(content)
    except OSError as error:
        raise YgError(f"cannot write '{output}': {error.strerror}") from error
