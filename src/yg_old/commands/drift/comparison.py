"""Two versions of a text, and the difference between them as a unified diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.commands.unified import unified
from yg_old.kernel.palette import visible
from yg_old.yggdrasil.drift.states import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOWHERE = "/dev/null"
_SHORT = 12


class Comparison(Struct, frozen=True, kw_only=True):
    """The text of a file, or of a contract of another repository, at its baseline and now."""

    path: str
    old: str = ""
    new: str = ""
    is_new: bool = False
    is_deleted: bool = False
    old_path: str = ""  # where git has the old text, if that is another path
    commit: str = ""  # the commit that has the old text; empty: it is staged, or there is none
    new_commit: str = ""  # the commit of the other repository that has the new contract
    note: str = ""  # why there are no lines

    @property
    def difference(self) -> Difference:
        """The difference, with the lines as they are in the files."""
        return Difference(
            diff="".join(f"{line}\n" for line in self._lines()),
            commit=self.commit or None,
            note=self.note or None,
        )

    def _lines(self) -> Iterator[str]:
        """Yield the lines of a unified diff; none if the texts are equal."""
        hunks = unified(self.old, self.new)
        first = next(hunks, None)
        if first is None:
            return
        before = f"a/{visible(self.old_path or self.path)}{_origin(self.commit)}"
        after = f"b/{visible(self.path)}{_origin(self.new_commit)}"
        yield f"--- {_NOWHERE if self.is_new else before}"
        yield f"+++ {_NOWHERE if self.is_deleted else after}"
        yield first
        yield from hunks


def _origin(commit: str) -> str:
    return f"\t({visible(commit[:_SHORT])})" if commit else ""
