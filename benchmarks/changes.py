"""Classifies every change of a source file in the history of a git repository.

    python benchmarks/changes.py REPO [--modified] [--language NAME] [--limit N]
                                      [--sample N --class CLASS]

Each row of the table is one language: how many changes there are, and what share of them is of
which class, as `yg drift` would name it if the old version were the baseline. Merge commits are
left out, renames are followed. `--sample` prints some changes of a class as diffs, spread evenly
over the history, to be checked by eye.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
import time
from collections import Counter, defaultdict
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from yg_old.code.change_class import ChangeClass, CodeChange, compare, of_added, of_removed
from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import read_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yg_old.code.facts import FileFacts

CLASSES = tuple(ChangeClass)
NO_BLOB = "0" * 40
KEPT = 8192  # facts in memory: most versions are the new side of one change, the old of another


class Change(NamedTuple):
    """One changed file of a commit; an added or deleted file has no blob on one side."""

    commit: str
    path: str
    before: str
    after: str


class Classified(NamedTuple):
    """A change with its class and the language of the file."""

    change: Change
    language: str
    result: CodeChange


def changes(repository: str) -> Iterator[Change]:
    """Yield the changes of all files, newest commit first."""
    log = ["git", "-C", repository, "log", "--no-merges", "--raw", "--no-abbrev", "-z", "-M"]
    with subprocess.Popen([*log, "--format=commit %H"], stdout=subprocess.PIPE) as process:
        output = process.stdout
        if output is None:
            return
        fields, commit = fields_of(output.read()), ""
        for field in fields:
            if field.startswith("commit "):
                commit = field.removeprefix("commit ").strip()
            elif field.startswith(":"):
                _, mode, before, after, status = field.split(" ")
                path = next(fields)
                path = next(fields) if status.startswith(("R", "C")) else path
                if mode != "160000":  # a submodule is a commit of another repository
                    yield Change(commit, path, before, after)


def fields_of(log: bytes) -> Iterator[str]:
    """Yield the fields of a raw log, which end with zero bytes."""
    for field in log.split(b"\0"):
        if text := field.decode("utf-8", "replace").strip("\n"):
            yield text


@contextmanager
def blobs(repository: str) -> Iterator[Callable[[str], bytes]]:
    """Return a function that reads blobs through one git process."""
    batch = ["git", "-C", repository, "cat-file", "--batch"]
    with subprocess.Popen(batch, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        asked, answers = process.stdin, process.stdout
        if asked is None or answers is None:
            sys.exit("git cat-file did not start")

        def read(blob: str) -> bytes:
            asked.write(f"{blob}\n".encode())
            asked.flush()
            size = int(answers.readline().split()[2])
            return answers.read(size + 1)[:-1]

        yield read
        asked.close()


def classified(
    repository: str, *, limit: int | None, language: str | None, modified: bool
) -> Iterator[Classified]:
    """Yield the class of every change of a file in a known language."""
    with blobs(repository) as read:

        @lru_cache(KEPT)
        def facts(blob: str, path: str) -> FileFacts | None:
            return None if blob == NO_BLOB else read_facts(path, read(blob))

        found = 0
        for change in changes(repository):
            name = ENDINGS.get(ending(change.path))
            if name is None or (language and name != language):
                continue
            if modified and NO_BLOB in (change.before, change.after):
                continue
            if change.before == change.after:
                continue  # only renamed, or only its mode
            if found == limit:
                return
            found += 1
            before, after = facts(change.before, change.path), facts(change.after, change.path)
            yield Classified(change, name, classify(change, before, after))


def classify(change: Change, before: FileFacts | None, after: FileFacts | None) -> CodeChange:
    """Return the class of a change, of a new file or of a deleted one."""
    if change.before == NO_BLOB:
        return of_added(after)
    return of_removed(before) if change.after == NO_BLOB else compare(before, after)


def table(counts: dict[str, Counter[str]]) -> Iterator[str]:
    """Yield the share of each class in the changes of a language."""
    yield f"| language | changes | {' | '.join(CLASSES)} |"
    yield f"| --- | ---: |{' ---: |' * len(CLASSES)}"
    total: Counter[str] = sum(counts.values(), Counter())
    for language, classes in [*sorted(counts.items()), ("all", total)]:
        shares = (f"{100 * classes[name] / max(1, classes.total()):.1f} %" for name in CLASSES)
        yield f"| {language} | {classes.total():,} | {' | '.join(shares)} |"


def diff(item: Classified, read: Callable[[str], bytes]) -> Iterator[str]:
    """Yield a change as a unified diff, below its class and the public names that changed."""
    change, names = item.change, ", ".join(f"{n.name} {n.change}" for n in item.result.names)
    yield f"=== {item.result.kind} {change.path} {change.commit[:10]} {names}"
    before, after = (
        [] if blob == NO_BLOB else read(blob).decode("utf-8", "replace").splitlines()
        for blob in (change.before, change.after)
    )
    yield from difflib.unified_diff(before, after, lineterm="", n=2)


def spread(items: list[Classified], number: int) -> Iterator[Classified]:
    """Yield at most a number of items, spread evenly."""
    step = max(1, len(items) // number)
    yield from items[::step][:number]


def main() -> None:
    """Classify, print the table and, if asked, a sample."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repository", metavar="REPO")
    parser.add_argument("--limit", metavar="N", type=int, help="stop after N changes")
    parser.add_argument("--language", metavar="NAME", help="only files of one language")
    parser.add_argument("--sample", metavar="N", type=int, default=0, help="print N changes")
    parser.add_argument("--modified", action="store_true", help="no new and no deleted files")
    parser.add_argument("--class", dest="kind", choices=CLASSES, help="the class of the sample")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    wanted: list[Classified] = []
    start = time.process_time()
    found = classified(
        options.repository,
        limit=options.limit,
        language=options.language,
        modified=options.modified,
    )
    for item in found:
        counts[item.language][item.result.kind] += 1
        if options.kind in {None, item.result.kind}:
            wanted.append(item)
    print("\n".join(table(counts)))
    print(f"\n{time.process_time() - start:.1f} s of processor time")
    if options.sample:
        with blobs(options.repository) as read:
            for item in spread(wanted, options.sample):
                print("\n".join(diff(item, read)))


if __name__ == "__main__":
    main()
