"""The cost of a search for sentences: each text is read once, and pairs are limited."""

from __future__ import annotations

from cProfile import Profile

from hypothesis import given
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.text.sentences import sentences
from yg.yggdrasil.review.evidence import MOST_PAIRS
from yg.yggdrasil.review.mentions import mentions_in
from yg.yggdrasil.review.search import SearchedSentences
from yg.yggdrasil.review.texts import GraphTexts
from yggdrasil.review.changed import parts, review, texts


def test_a_text_about_many_nodes_is_searched_once() -> None:
    nodes = {f"model/a/n{at}/yg-node.yaml": NODE for at in range(3)}
    graph = graph_from(
        {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": "`run` waits.\n", **nodes}
    )
    about = GraphTexts(graph)
    found = [about.about(node).rows for node in graph.nodes if node.path != "a"]
    assert len({id(rows[0][0].searched) for rows in found}) == 1


def calls(number: int) -> int:
    """Count the calls of functions for many members of one name, and sentences about it."""
    old = "".join(
        f"class C{at}:\n    def get(self):\n        return 12345\n" for at in range(number)
    )
    own = "".join(f"- `get` {at} is 12345.\n" for at in range(number))
    about, profile = texts(own), Profile()
    profile.enable()
    review({"a.py": old}, {"a.py": old.replace("12345", "54321")}, about)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def test_many_parts_of_one_name_in_many_sentences_take_a_limited_time() -> None:
    number = int(MOST_PAIRS**0.5) * 2
    assert calls(2 * number) <= 2.5 * calls(number)


def test_a_sentence_names_the_parts_that_share_a_value() -> None:
    old = "A = 12345\nB = 12345\n"
    found = review({"a.py": old}, {"a.py": "A = 1\nB = 2\n"}, texts("It is 12345.\n"))
    assert [part.name for part in found.sentences[0].parts] == ["A", "B"]
    assert len(parts({"a.py": old}, {"a.py": "A = 1\nB = 2\n"})) == 2


WORDS = "run Cart.total a::b$c `x.y()` (z) 4_90 é_1 $a$ 1a.b c.3d [f_1](g_h.md) `` ` ( ) , - -> #"
TEXTS = st.lists(st.sampled_from([*WORDS.split(" "), "https://a_b.example", "\n\n", "~~~\n"])).map(
    " ".join
)


@given(TEXTS)
def test_a_sentence_is_found_by_each_name_in_it(text: str) -> None:
    searched = SearchedSentences(sentences(text))
    names = [mentions_in(sentence) for sentence in searched.sentences]
    for name in {name for found in names for name in found} | {"run", "total", "other"}:
        assert searched.with_name(name) == [at for at, found in enumerate(names) if name in found]
