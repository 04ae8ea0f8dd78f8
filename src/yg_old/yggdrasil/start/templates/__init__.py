"""The files that `yg init` writes, as they are."""

from __future__ import annotations

from importlib.resources import files


def template(name: str) -> str:
    """Return the text of one template."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
