"""Baselines that follow a change of the graph's own files, so that no node becomes drifted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.edit import Write
from yg_old.kernel.errors import YgError
from yg_old.kernel.snapshot import MAX_TEXT
from yg_old.yggdrasil.drift.baseline import baseline_of, node_of
from yg_old.yggdrasil.drift.layout import baseline_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from yg_old.yggdrasil.drift.baselines import Baselines

    Files = Mapping[str, str]  # digests by path


def rewritten(baselines: Baselines, change: Callable[[str, Files], Files]) -> Iterator[Write]:
    """Yield the baselines whose files a change of the graph alters, given their node and files."""
    for file in baselines.files():
        node = node_of(file)
        baseline = baselines.read(file) if node is not None else None
        if node is None or baseline is None:
            continue
        files = change(node, baseline.files)
        if files != baseline.files:
            after = baseline_of(files, baseline.rest, stores_hash=bool(baseline.hash))
            content = baseline_text(after).encode()
            if len(content) > MAX_TEXT:
                raise YgError(f"'{file}' would become too large", hint="Use a shorter name.")
            yield Write(file, content)
