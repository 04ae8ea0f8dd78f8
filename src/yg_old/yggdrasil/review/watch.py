"""Parts of a source file whose change can make a sentence doubtful, whatever the change is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.change_class import ChangeClass, NameChangeKind
from yg_old.code.read import FACTS
from yg_old.code.values import Value  # noqa: TC001  # decoding needs it
from yg_old.kernel.codec import Codec, FileRecipe
from yg_old.yggdrasil.review.changes import values_of_parts, version_of
from yg_old.yggdrasil.review.evidence import CONSTRUCTORS, ChangedPart, find_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg_old.yggdrasil.review.search import Texts

UNKNOWN = "?"  # the digest of a part that cannot be compared


class QuotablePart(Struct, frozen=True):
    """A part of a file: what a sentence about it can quote."""

    digest: str
    values: tuple[Value, ...] = ()


class _NoCode:
    """The code for which most sentences are doubtful: there is none."""

    def has_name(self, _name: str) -> bool:
        return False

    def has_words(self, _words: Iterable[str]) -> bool:
        return False


def quotable_parts(path: str, content: bytes) -> dict[str, QuotablePart]:
    """Return all parts of a file by name."""
    version = version_of(path, content)
    values = values_of_parts(path, version)
    names = sorted({*version.parts, *(version.facts.signatures if version.facts else ())})
    return {
        name: QuotablePart(
            version.parts[name].digest if version.is_divided and name in version.parts else UNKNOWN,
            tuple(values.get(name, {}).values()),
        )
        for name in names
    }


QUOTABLE: FileRecipe[dict[str, QuotablePart]] = FileRecipe(
    f"quotable/{FACTS.name}", quotable_parts, Codec(dict[str, QuotablePart])
)


def quoted_parts(path: str, parts: Mapping[str, QuotablePart], texts: Texts) -> dict[str, str]:
    """Return the parts of a file that sentences are about, with their digests.

    While these are the same in a later version, a review of that one finds no sentence. Without
    such a part no version makes a sentence doubtful.
    """
    return {
        name: part.digest
        for name, part in parts.items()
        if _is_quoted(name, path, part.values, texts)
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
