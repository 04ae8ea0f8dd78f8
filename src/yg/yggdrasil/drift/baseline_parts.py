"""The parts of a baseline besides its files.

They are the contracts of other repositories, facts about the code, and reviews of its changes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Struct, ValidationError, field
from msgspec.json import Decoder

from yg.code.change_class import ChangeClass  # noqa: TC001  # decoding needs it
from yg.code.facts import ALGORITHM, FileFacts, Signature
from yg.code.parts import Part
from yg.kernel.document import Record, Text, about

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yg.yggdrasil.drift.baseline import Baseline

EXTERNAL = "external"
CODE = "code"
REVIEW = "review"
MOST_REVIEWS = 20
_COMPARABLE = (ALGORITHM, "lex-1")
_ERRORS = (msgspec.DecodeError, UnicodeError, RecursionError)


class Review(Record, frozen=True):
    """Why a change of the code needed no change of the node's texts."""

    reason: Annotated[Text, about("The reason, as it was given.")]
    kind: Annotated[
        ChangeClass | None,
        about("The highest class of the changes; null if no source had changed."),
    ] = field(name="class")
    names: Annotated[tuple[Text, ...], about("The public names that changed.")] = ()


class _Algorithm(Struct):
    algo: str


class _RecordedFile(Struct):
    tokens: str
    docs: str = ""
    imports: str = ""
    signatures: dict[str, Signature] = {}
    parts: dict[str, str] = {}  # digests

    @property
    def facts(self) -> FileFacts:
        parts = {name: Part(digest) for name, digest in self.parts.items()}
        return FileFacts(self.tokens, self.docs, self.imports, self.signatures, parts=parts)


class _RecordedCode(Struct):
    algo: str
    files: dict[str, _RecordedFile]


@cache
def _decoder(kind: Any) -> Decoder[Any]:
    return Decoder(kind)


def recorded_facts(baseline: Baseline) -> tuple[Mapping[str, FileFacts], str]:
    """Return the facts of a baseline by path, and what is wrong with them; empty if nothing is.

    Facts of the algorithm before have no parts. Those of any other cannot be compared, so they
    count as missing.
    """
    data = baseline.rest.get(CODE)
    if data is None:
        return {}, ""
    try:
        if _decoder(_Algorithm).decode(data).algo not in _COMPARABLE:
            return {}, ""
        files = _decoder(_RecordedCode).decode(data).files
        return {path: found.facts for path, found in files.items()}, ""
    except _ERRORS as error:
        return {}, f"its 'code' is not valid ({_reason(error)}), so changes are of unknown class"


def has_current_facts(baseline: Baseline) -> bool:
    """Tell whether the facts of a baseline are of our algorithm."""
    try:
        data = baseline.rest.get(CODE)
        return data is not None and _decoder(_Algorithm).decode(data).algo == ALGORITHM
    except _ERRORS:
        return False


def recorded_reviews(baseline: Baseline) -> tuple[tuple[Review, ...], str]:
    """Return the reviews of a baseline, the newest last, and what is wrong with them."""
    data = baseline.rest.get(REVIEW)
    if data is None:
        return (), ""
    try:
        reviews: tuple[Review, ...] = _decoder(tuple[Review, ...]).decode(data)
    except _ERRORS as error:
        return (), f"its 'review' is not valid ({_reason(error)}), so no review is known"
    return reviews, ""


def recorded_contracts(baseline: Baseline | None) -> Mapping[str, str]:
    """Return the digests of contracts in other repositories, by target.

    A part that cannot be decoded counts as missing, so that every contract has changed.
    """
    data = baseline.rest.get(EXTERNAL) if baseline else None
    if data is None:
        return {}
    try:
        contracts: dict[str, str] = _decoder(dict[str, str]).decode(data)
    except _ERRORS:
        return {}
    return contracts


def contracts_data(contracts: Mapping[str, str]) -> bytes:
    """Return the digests of contracts as JSON, sorted by target."""
    return msgspec.json.encode(dict(sorted(contracts.items())))


def _reason(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "it cannot be decoded"
    message = str(error)
    return message[:1].lower() + message[1:]


def facts_data(facts: Mapping[str, FileFacts]) -> bytes:
    """Return facts as JSON, sorted by path; imports are only needed as a digest."""
    files = {path: _recorded(found) for path, found in sorted(facts.items())}
    return msgspec.json.encode({"algo": ALGORITHM, "files": files})


def _recorded(facts: FileFacts) -> dict[str, Any]:
    parts = {name: part.digest for name, part in sorted(facts.parts.items())}
    return {
        "tokens": facts.tokens,
        "docs": facts.docs,
        "imports": facts.imports,
        "signatures": dict(sorted(facts.signatures.items())),
        **({"parts": parts} if parts else {}),
    }


def reviews_data(reviews: Sequence[Review]) -> bytes:
    """Return the newest reviews as JSON."""
    return msgspec.json.encode(reviews[-MOST_REVIEWS:])


def same_facts(one: Mapping[str, FileFacts], other: Mapping[str, FileFacts]) -> bool:
    """Tell whether two maps are recorded in the same way."""
    return one.keys() == other.keys() and all(
        _recorded(facts) == _recorded(other[path]) for path, facts in one.items()
    )
