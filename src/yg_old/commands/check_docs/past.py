"""What was true when a line was written: the paths and names of earlier commits."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from yg_old.commands.check_docs.present import blob_of, is_markdown, words_of
from yg_old.disk.git import lines as git
from yg_old.disk.git.lines import Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yg_old.commands.check_docs.present import Present
    from yg_old.disk.git.lines import Rename

MOST_COMMITS = 40  # whose states are looked at, the newest
MOST_BLOBS = 50_000  # earlier versions of files that are read
_UNCOMMITTED = 1 << 62  # the time of a line that is not committed: later than all others

# Files that use a name, or are made of others, but do not define it.
_AROUND = re.compile(
    r"(?:^|/)(?:test\w*|__tests__|specs?|examples?|samples?|demos?|scratch|bench\w*|fixtures"
    r"|docs?|dist|build|vendor|node_modules)/|\.(?:html?|txt|rst)$|[._-](?:test|spec)s?[.-]|(?:^|/)(?:test_|conftest)|_test\.\w+$",
    re.IGNORECASE,
)

_KEYWORD = (
    rb"\b(?:class|const|def|define|enum|export|fn|func|function|interface|let|module|static|struct"
    rb"|trait|type|val|var)\s+\*?"
)
_NOTHING: tuple[set[bytes], set[bytes]] = set(), set()

Words = tuple[str, ...]  # which one file must contain


class Place(NamedTuple):
    """A line of a document."""

    document: str
    line: int


class Past:
    """The earlier states of a repository, as far as some lines need them."""

    def __init__(self, present: Present, head: str) -> None:
        self._present = present
        self._top = present.top
        self._head = head
        self._changed: set[str] = set()  # files that are not as in the last commit
        self._places: dict[bytes, list[str]] = {}  # the files with a word
        self._words_now: set[bytes] = set()  # of all files
        self._texts: dict[tuple[str, str], str] = {}  # by commit and path
        self.unread = 0  # commits that were not looked at

    @cached_property
    def _files(self) -> Mapping[str, bytes]:
        return git.files_of(self._top, self._head)

    def gone_names(self, wanted: Iterable[Words]) -> set[Words]:
        """Return the names that are in no file now; all files are read for them."""
        left = set(wanted)
        by_last: dict[bytes, set[Words]] = {}
        for words in left:
            by_last.setdefault(_encoded(words[-1]), set()).add(words)
        sought = {_encoded(word) for words in left for word in words}
        firsts = {_encoded(words[0]) for words in left if len(words) > 1}
        seen = set()
        for path, content in self._present.contents() if left else ():
            seen.add(path)
            blob = self._files.get(path, b"")
            if blob_of(content, blob) != blob:
                self._changed.add(path)
            contained = words_of(path, content)
            self._words_now |= contained
            found = sought & contained
            for word in found & firsts:
                self._places.setdefault(word, []).append(path)
            for last in found & by_last.keys():
                left -= {names for names in by_last[last] if _has(found, names)}
        self._changed.update(path for path in self._files if path not in seen)
        return left

    def may_live_on(self, words: Words) -> bool:
        """Return whether a name that is gone may be part of a longer one, or of a base class."""
        last = _encoded(words[-1])
        if len(words) == 1:
            return last in self._joined_words
        if last not in self._words_now:
            return False
        base = re.compile(
            rb"\b%b\s*(?:\(\s*[A-Z]|extends\b|:\s*\w|<)" % re.escape(_encoded(words[0]))
        )
        return any(
            base.search(self._present.read(path))
            for path in self._places.get(_encoded(words[0]), ())
        )

    @cached_property
    def _joined_words(self) -> bytes:
        return b"\n".join(self._words_now)

    def written(self, places: Sequence[Place], texts: Mapping[str, str]) -> dict[Place, str]:
        """Return the commits that wrote lines, without those of too many commits."""
        lines: dict[str, dict[int, int]] = {}  # by document: the number in the last commit
        for place in places:
            if place.document in self._files:
                numbers = lines.get(place.document)
                if numbers is None:
                    numbers = lines[place.document] = self._numbers(texts[place.document], place)
        asked = {
            document: sorted(
                {
                    numbers[place.line]
                    for place in places
                    if place.document == document and place.line in numbers
                }
            )
            for document, numbers in lines.items()
        }
        found = git.attributed(self._top, self._head, {k: v for k, v in asked.items() if v})
        uncommitted = Written(self._head, _UNCOMMITTED)
        commits = {}
        for place in places:
            number = lines.get(place.document, {}).get(place.line, 0)
            commits[place] = found.get((place.document, number), uncommitted)
        newest = sorted({*commits.values()}, key=lambda written: (-written.time, written.commit))
        kept = list(dict.fromkeys(written.commit for written in newest))
        self.unread = len(kept[MOST_COMMITS:])
        looked_at = frozenset(kept[:MOST_COMMITS])
        return {
            place: written.commit
            for place, written in commits.items()
            if written.commit in looked_at
        }

    def _numbers(self, text: str, place: Place) -> dict[int, int]:
        """Return the number of each line in the last commit, if it has the line."""
        blob = self._files[place.document]
        now = text.split("\n")
        if blob_of(text.encode("utf-8", "surrogateescape"), blob) == blob:
            return {number: number for number in range(1, len(now) + 1)}
        _, content = next(iter(git.contents(self._top, [(place.document, blob)])))
        return same_lines(content.decode("utf-8", "surrogateescape").split("\n"), now)

    def existed(self, wanted: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the pairs of a commit and a path that existed."""
        return git.existed(self._top, wanted)

    def text(self, commit: str, file: str) -> str:
        """Return a file of a commit; empty if it has none that can be read."""
        if (commit, file) not in self._texts:
            name = f"{commit}:{file}".encode("utf-8", "surrogateescape")
            read = () if b"\n" in name else git.contents(self._top, [(file, name)])
            content = b"".join(content for _, content in read)
            self._texts[commit, file] = content.decode("utf-8", "replace")
        return self._texts[commit, file]

    def renames(self, wanted: Mapping[str, str]) -> dict[str, Rename]:
        """Return the present names of paths that are gone."""
        return git.renames(self._top, wanted) if wanted else {}

    def had_names(self, wanted: Mapping[str, set[Words]]) -> dict[tuple[str, Words], str]:
        """Return the files that contained names, by commit and name."""
        places: dict[str, list[tuple[str, bytes]]] = {}
        for commit in sorted(wanted):
            rows = git.replaced_files(self._top, commit, self._head)
            files = {row.path: row.blob for row in rows}
            unchanged = (path for path in self._changed if path in self._files)
            files |= {path: self._files[path] for path in unchanged if path not in files}
            places[commit] = sorted(
                (path, blob)
                for path, blob in files.items()
                if not is_markdown(path) and not _AROUND.search(path)
            )
        found = self._words(places, wanted)
        had: dict[tuple[str, Words], str] = {}
        for commit, names in wanted.items():
            for path, blob in places[commit]:
                words, defined = found.get(blob, _NOTHING)
                for name in names if words else ():
                    is_defined = _has(words, name) and _encoded(name[-1]) in defined
                    if is_defined and (commit, name) not in had:
                        had[commit, name] = path
        return had

    def _words(
        self, places: Mapping[str, Sequence[tuple[str, bytes]]], wanted: Mapping[str, set[Words]]
    ) -> dict[bytes, tuple[set[bytes], set[bytes]]]:
        """Return the wanted words in the earlier versions of files, and those defined there."""
        every = {words for names in wanted.values() for words in names}
        sought = {_encoded(word) for words in every for word in words}
        blobs = {blob: path for rows in places.values() for path, blob in rows}
        rows = [(path, blob) for blob, path in blobs.items()][:MOST_BLOBS]
        found = {}
        for blob, content in git.contents(self._top, rows):
            words = sought & words_of(blobs[blob], content)
            if words:
                found[blob] = words, {word for word in words if _defines(content, word)}
        return found


def _defines(content: bytes, word: bytes) -> bool:
    """Return whether a text may define a word, and not only pass it as an argument."""
    name = re.escape(word)
    return (
        re.search(
            rb"[.$]%b\b|\b%b\s*+\??\s*+[=:(]|[\"']%b[\"']|%b%b\b"
            % (name, name, name, _KEYWORD, name),
            content,
        )
        is not None
    )


def _encoded(word: str) -> bytes:
    return word.encode("utf-8", "surrogateescape")


def _has(found: set[bytes], words: Words) -> bool:
    return all(_encoded(word) in found for word in words)


def same_lines(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return the old number of each new line: at the start, at the end, and where it is unique."""
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    most = shorter - start
    end = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    numbers = {at + 1: at + 1 for at in range(start)}
    numbers |= {len(new) - at: len(old) - at for at in range(end)}
    places: dict[str, int] = {}
    for at in range(start, len(old) - end):
        places[old[at]] = 0 if old[at] in places else at + 1
    for at in range(start, len(new) - end):
        if places.get(new[at]):
            numbers[at + 1] = places[new[at]]
    return numbers
