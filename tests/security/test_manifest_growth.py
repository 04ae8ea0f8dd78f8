"""Four times the manifests, imports or texts take at most five times the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from cProfile import Profile

import pytest

from security.hostile_imports import (
    REPOSITORIES,
    Repository,
    imports_of,
    repository,
    resolve,
)
from security.hostile_texts import (
    ANCHORS,
    IGNORE,
    JSON,
    LISTED,
    MANIFEST,
    MARKDOWN,
    PARTICIPANTS_TEXTS,
    PATCHES,
    WORDS,
    YAML,
    Make,
    read_anchors,
    read_code_anchors,
    read_ignored,
    read_json,
    read_listed,
    read_manifest,
    read_markdown,
    read_participants,
    read_patch,
    read_words,
    read_yaml,
)
from security.instructions import needs_valgrind, steep
from yg.code.resolve import Resolution
from yg.code.resolvers.manifests import LARGEST

TEXTS: dict[str, tuple[Callable[[str], int], Mapping[str, Make]]] = {
    "read_yaml": (read_yaml, YAML),
    "read_json": (read_json, JSON),
    "read_ignored": (read_ignored, IGNORE),
    "read_listed": (read_listed, LISTED),
    "read_words": (read_words, WORDS),
    "read_anchors": (read_anchors, ANCHORS),
    "read_code_anchors": (read_code_anchors, ANCHORS),
    "read_manifest": (read_manifest, MANIFEST),
    "read_markdown": (read_markdown, MARKDOWN),
    "read_participants": (read_participants, PARTICIPANTS_TEXTS),
    "read_patch": (read_patch, PATCHES),
}
FEW = 3_000  # characters
GROUP = 12  # texts that one child reads
MOST = 5  # times the work, for four times the input
LEAST = 3_000  # calls; fewer say nothing


def calls(function: Callable[..., int], value: str | Repository) -> int:
    """Count the calls of functions, of Python or C, that a call takes."""
    profile = Profile()
    profile.enable()
    try:
        function(value)
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def grown(function: Callable[..., int], make: Callable[[int], str | Repository]) -> float:
    """Return how many times the calls of an input one of four times its size takes."""
    function(make(0))  # imports what it needs
    few, many = (calls(function, make(size)) for size in (FEW, 4 * FEW))
    return many / max(few, LEAST)


def test_four_times_the_imports_and_manifests_take_at_most_five_times_the_calls() -> None:
    times = {name: grown(resolve, make) for name, make in REPOSITORIES.items()}
    assert {name: found for name, found in times.items() if found > MOST} == {}


@pytest.mark.parametrize(("read", "texts"), TEXTS.values(), ids=TEXTS)
def test_four_times_the_text_takes_at_most_five_times_the_calls(
    read: Callable[[str], int], texts: Mapping[str, Make]
) -> None:
    times = {name: grown(read, make) for name, make in texts.items()}
    assert {name: found for name, found in times.items() if found > MOST} == {}


@pytest.mark.slow
@needs_valgrind
@pytest.mark.parametrize("language", ["toml", "python", "ts", "js", "go", "java", "rust"])
def test_instructions_grow_with_the_imports_and_manifests_of(language: str) -> None:
    makers = {name: make for name, make in REPOSITORIES.items() if name.startswith(f"{language}:")}
    assert makers
    assert steep("security.hostile_imports:resolve", makers, FEW) == {}


def some_at_a_time() -> list[tuple[str, list[str]]]:
    """Return the readers of texts, each with the names of a few texts."""
    # Surrogates cannot be passed to the child; no file has them either.
    names = {
        read: [name for name in texts if name != "surrogates"] for read, (_, texts) in TEXTS.items()
    }
    return [
        (read, found[start : start + GROUP])
        for read, found in names.items()
        for start in range(0, len(found), GROUP)
    ]


@pytest.mark.slow
@needs_valgrind
@pytest.mark.parametrize(("read", "names"), some_at_a_time())
def test_instructions_grow_with_the_text(read: str, names: list[str]) -> None:
    makers = {name: TEXTS[read][1][name] for name in names}
    assert steep(f"security.hostile_texts:{read}", makers, FEW // 2) == {}


@pytest.mark.parametrize(("parts", "leads"), [(32, 1), (33, 0)])
def test_a_manifest_with_a_key_of_more_than_32_parts_is_not_used(parts: int, leads: int) -> None:
    key = "\n[dependencies]\n" + "a." * (parts - 1) + "a = 1\n"
    files = {"Cargo.toml": f'[package]\nname = "c"\n{key}', "src/lib.rs": ""}
    made = repository(files, {"src/main.rs": ["c::b"]})
    found = Resolution([*files, "src/main.rs"], imports_of(made), files.get).edges
    assert [edge.target for edge in found] == ["src/lib.rs"] * leads


@pytest.mark.parametrize(("size", "leads"), [(LARGEST, 1), (LARGEST + 1, 0)])
def test_a_manifest_that_is_too_large_is_not_used(size: int, leads: int) -> None:
    manifest = "module m\n"
    files = {"go.mod": manifest.ljust(size), "p/p.go": ""}
    made = repository(files, {"a.go": ["m/p"]})
    found = Resolution([*files, "a.go"], imports_of(made), files.get).edges
    assert [edge.target for edge in found] == ["p"] * leads
