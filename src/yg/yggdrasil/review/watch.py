"""Parts of a source file whose change can make a sentence doubtful, whatever the change is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.code.change_class import ChangeClass, NameChangeKind
from yg.yggdrasil.review.changes import values_of_parts
from yg.yggdrasil.review.evidence import CONSTRUCTORS, ChangedPart, find_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.code.values import Value
    from yg.yggdrasil.review.changes import Version
    from yg.yggdrasil.review.search import Texts

UNKNOWN = "?"  # the digest of a part that cannot be compared


class _NoCode:
    """The code for which most sentences are doubtful: there is none."""

    def has_name(self, _name: str) -> bool:
        return False

    def has_words(self, _words: Iterable[str]) -> bool:
        return False


def quoted_parts(path: str, version: Version, texts: Texts) -> dict[str, str]:
    """Return the parts of a file that sentences are about, with their digests.

    While these are the same in a later version, a review of that one finds no sentence. Without
    such a part no version makes a sentence doubtful.
    """
    values = values_of_parts(path, version)
    names = sorted({*version.parts, *(version.facts.signatures if version.facts else ())})
    return {
        name: version.parts[name].digest
        if version.is_divided and name in version.parts
        else UNKNOWN
        for name in names
        if _is_quoted(name, path, tuple(values.get(name, {}).values()), texts)
    }


def _is_quoted(name: str, path: str, values: tuple[Value, ...], texts: Texts) -> bool:
    return any(
        find_sentences(texts, (part,), _NoCode()).sentences
        for part in _most_changed(name, path, values)
    )


def _most_changed(name: str, path: str, values: tuple[Value, ...]) -> Iterator[ChangedPart]:
    """Yield a part as if it had changed in every respect and lost all its values."""
    is_constructor = name.rpartition(".")[2] in CONSTRUCTORS  # mentioned by its class, or by itself
    kinds = (
        (ChangeClass.SIGNATURE, ChangeClass.BODY) if is_constructor else (ChangeClass.SIGNATURE,)
    )
    for kind in kinds:
        yield ChangedPart(
            name=name,
            change=NameChangeKind.CHANGED,
            kind=kind,
            path=path,
            is_public=True,
            lost=values,
        )
