"""Packages that only some installations have: the extras of the distribution."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from yg_old.kernel.errors import YgError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Say how to install an extra if an import in this block fails."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("yg"):
            raise  # a mistake of our own
        install = f"pip install 'yggdrasil-context[{extra}]'"
        raise YgError(f"{what} requires the extra '{extra}': {install}") from error
