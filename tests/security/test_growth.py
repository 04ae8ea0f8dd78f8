"""Four times as much bad input takes at most five times as much work, and little memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from graphs import NODE, graph_from
from security import hostile_texts
from security.counting import lines_of
from security.hostile_graphs import SHAPES, ask
from security.instructions import needs_valgrind, steep
from security.memory import needs_peaks, too_much
from yg.text.suggest import MOST_ADVISED, Suggester
from yg.yggdrasil.resolve import MOST_LONG, SHORT, expanded

MOST = 5  # times the work, for four times the input
STEEP = 2.3  # times the added work, for twice the added input
NOISE = 500  # lines
ENTRIES = (50, 100, 200)  # of a graph
BYTES = (1_000, 2_000, 4_000)  # of a text
MEGABYTE = 1_000_000
MANY = 10_000  # entries of a graph
COMMANDS = (
    "validate",
    "build-context a --lenient",
    "tree",
    "aspects",
    "flows",
    "owner src/a.py src/gone.py",
    "coverage",
)


def grows_too_fast(works: list[int]) -> bool:
    """Return whether the work for a size, twice and four times it, grows faster than the size."""
    few, more, most = works
    return most > MOST * few or most - more > STEEP * max(more - few, NOISE)


@pytest.fixture
def _few_suggestions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the number of names that are looked for reach its limit in small graphs too."""
    for module in ("yg.text.suggest", "yg.yggdrasil.rules.nearby"):
        monkeypatch.setattr(f"{module}.MOST_ADVISED", 10)


@pytest.mark.usefixtures("_few_suggestions")
@pytest.mark.parametrize("name", SHAPES)
def test_four_times_the_graph_takes_at_most_five_times_the_work(name: str) -> None:
    found = {}
    for line in COMMANDS:
        ask(SHAPES[name](2), line)  # imports what it needs
        graphs = [SHAPES[name](number) for number in ENTRIES]
        works = [lines_of(partial(ask, files, line)) for files in graphs]
        if grows_too_fast(works):
            found[line] = works
    assert found == {}


@pytest.mark.parametrize("what", hostile_texts.TABLES)
def test_four_times_the_text_takes_at_most_five_times_the_work(what: str) -> None:
    function, table = hostile_texts.TABLES[what]
    read: Callable[[str], object] = getattr(hostile_texts, function)
    found = {}
    for name, make in table.items():
        read(make(200))
        texts = map(make, BYTES)
        works = [lines_of(partial(read, text)) for text in texts]
        if grows_too_fast(works):
            found[name] = works
    assert found == {}


def test_the_count_of_lines_sees_loops_inside_of_loops() -> None:
    def all_of(number: int) -> int:
        return sum(at for at in range(number))

    def pairs(number: int) -> int:
        return sum(one == other for one in range(number) for other in range(number))

    assert grows_too_fast([lines_of(partial(pairs, number)) for number in ENTRIES])
    assert not grows_too_fast([lines_of(partial(all_of, number)) for number in ENTRIES])


# What no line of Python shows: regular expressions, searches in lists, copies of long texts.


@pytest.mark.slow
@needs_valgrind
@pytest.mark.parametrize("what", hostile_texts.TABLES)
def test_four_times_the_text_takes_at_most_five_times_the_instructions(what: str) -> None:
    function, table = hostile_texts.TABLES[what]
    assert steep(f"security.hostile_texts:{function}", table, 4_000) == {}


@pytest.mark.slow
@needs_peaks
@pytest.mark.parametrize("what", hostile_texts.TABLES)
def test_a_text_of_a_megabyte_takes_at_most_150_megabytes(what: str) -> None:
    assert too_much("security.hostile_texts", what, MEGABYTE) == {}


@pytest.mark.slow
@needs_peaks
def test_to_check_a_graph_takes_at_most_150_times_its_size() -> None:
    assert too_much("security.hostile_graphs", "graphs", MANY) == {}


# A few at the size that somebody may try.


@pytest.mark.parametrize("name", ["aspects that imply the next", "aspects that imply each other"])
def test_ten_thousand_aspects_that_imply_each_other_are_one_finding(name: str) -> None:
    files = SHAPES[name](MANY)
    assert ask(files, "validate").count("E0") == 1
    graph = graph_from(files)
    assert expanded(graph, ("x0",)) == tuple(f"x{at}" for at in range(MANY))


def test_a_package_may_have_a_thousand_implied_aspects() -> None:
    package = ask(SHAPES["an aspect that implies all"](1_000), "build-context a")
    assert package.count("<aspect name=") == 1_001


def test_what_many_long_lists_of_aspects_imply_is_not_all_kept() -> None:
    uses = {f"model/n{at}/yg-node.yaml": f"{NODE}aspects: [x{at}]\n" for at in range(300)}
    graph = graph_from(SHAPES["aspects that imply the next"](300) | uses)
    lengths = [len(expanded(graph, (f"x{at}",))) for at in range(300)]
    assert lengths == list(range(300, 0, -1))
    assert len(graph.known_expansions) < MOST_LONG + SHORT + 1


def test_suggestions_are_looked_for_a_limited_number_of_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_for: list[str] = []
    nearest = Suggester._nearest

    def noted(self: Suggester, name: str) -> tuple[str, ...]:
        looked_for.append(name)
        return nearest(self, name)

    monkeypatch.setattr(Suggester, "_nearest", noted)
    found = ask(SHAPES["unknown types"](500), "validate")
    assert found.count("is not in node_types") == 500
    assert len(looked_for) == found.count("Did you mean 'service'?") == MOST_ADVISED
