"""Evidence that a sentence may be untrue."""

from __future__ import annotations

import pytest

from yggdrasil.review.changed import checked, parts, review, texts

OLD = """\
SHIPPING_MINOR = 4_90
STATES = ("pending", "on its way")


def quote(lines):
    return sum(lines) + SHIPPING_MINOR


def _wait(seconds=30):
    return seconds
"""


def test_a_number_that_is_gone_is_found_in_the_texts_of_the_node() -> None:
    new = OLD.replace("4_90", "5_90")
    found = review({"a.py": OLD}, {"a.py": new}, texts("Shipping costs 4.90.\n"))
    (sentence,) = found.sentences
    assert sentence.evidence == "value"
    assert [part.name for part in sentence.parts] == ["SHIPPING_MINOR"]
    assert [value.text for value in sentence.values] == ["4_90"]
    assert found.unmentioned == ()


def test_a_number_is_evidence_around_the_node_only_beside_the_name() -> None:
    new = OLD.replace("4_90", "5_90")
    text = "Shipping costs 4.90.\nSHIPPING_MINOR is 4.90.\n"
    assert checked(OLD, new, "", text) == ["value top/responsibility.md:2"]


def test_a_number_of_two_digits_is_evidence_only_beside_the_name() -> None:
    new = OLD.replace("30", "60")
    text = "It waits 30 s.\n`_wait` takes 30 s.\nThe `_wait` of 3 s.\n"
    assert checked(OLD, new, text) == ["value interface.md:2", "body interface.md:3"]


def test_a_short_number_in_many_sentences_is_no_evidence() -> None:
    new = OLD.replace("4_90", "5_90")
    assert checked(OLD, new, "Is 490.\n\n" * 3) == [f"value interface.md:{n}" for n in (1, 3, 5)]
    assert checked(OLD, new, "Is 490.\n\n" * 4) == []
    four = OLD.replace("4_90", "44_90")
    assert len(checked(four, new, "Is 4490.\n\n" * 4)) == 4


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("They are on its way.", True),
        ("They are on its ways.", False),
        ("They are `pending`.", True),
        ('They are "pending".', True),
        ("They are pending.", False),  # an English word
        ("STATES has pending.", True),
    ],
)
def test_a_string_that_is_gone_is_found(text: str, is_found: bool) -> None:  # noqa: FBT001
    new = OLD.replace('("pending", "on its way")', '("open",)')
    assert (checked(OLD, new, text) == ["value interface.md:1"]) is is_found


def test_a_value_that_moved_to_another_part_is_not_gone() -> None:
    new = OLD.replace("SHIPPING_MINOR = 4_90", "COST = 4_90\nSHIPPING_MINOR = COST")
    assert checked(OLD, new, "Shipping costs 4.90.\n") == []


def test_a_value_in_a_comment_is_none() -> None:
    assert checked("A = 1  # 4_90\n", "A = 2\n", "Shipping costs 4.90.\n") == []


def test_a_name_in_no_code_is_gone() -> None:
    new = OLD.replace("def quote", "def price")
    text = "`quote` adds up.\n"
    assert checked(OLD, new, text) == ["gone interface.md:1"]
    assert checked(OLD, f"{new}\n# quote\n", text) == ["gone interface.md:1"]
    assert checked(OLD, f"{new}\nprint(quote)\n", text) == ["signature interface.md:1"]


def test_a_name_that_is_only_passed_on_is_gone_when_it_is_removed() -> None:
    barrel = 'export { km } from "./km";\nexport { default as kh } from "./kh";\n'
    without = barrel.splitlines(keepends=True)[0]
    text = "Only the old name `kh` imports another one.\n\nNobody reads `km`.\n"
    files = {"km.ts": "export const km = 1;\n"}
    found = review({**files, "a.ts": barrel}, {**files, "a.ts": without}, texts(text))
    (sentence,) = found.sentences
    assert (sentence.evidence, sentence.sentence.line) == ("gone", 1)
    moved = {"a.ts": without, "b.ts": barrel.replace(without, "")}
    assert review({**files, "a.ts": barrel}, {**files, **moved}, texts(text)).sentences == ()
    elsewhere = barrel.replace("./k", "./old/k")
    assert (
        review({**files, "a.ts": barrel}, {**files, "a.ts": elsewhere}, texts(text)).sentences == ()
    )


def test_signatures_come_before_bodies_and_texts_in_order_of_the_package() -> None:
    new = OLD.replace("(lines)", "(lines, x)", 1).replace("return seconds", "return seconds + 1")
    own = "`_wait` waits.\n`quote` adds up.\n"
    assert checked(OLD, new, own, "`quote` is used.\n") == [
        "signature top/responsibility.md:1",
        "signature interface.md:2",
        "body interface.md:1",
    ]


def test_dependents_are_asked_about_public_signatures_and_names_that_are_gone() -> None:
    text = "`quote` and `_wait`.\n"
    body = OLD.replace("sum(lines)", "max(lines)").replace("return seconds", "return 1")
    assert checked(OLD, body, "", "", text) == []
    signature = OLD.replace("quote(lines)", "quote(lines, tax)")
    assert checked(OLD, signature, "", "", text) == ["signature user/internals.md:1"]
    gone = OLD.replace("def quote", "def price")
    assert checked(OLD, gone, "", "", text) == ["gone user/internals.md:1"]
    private = OLD.replace("def _wait", "def _pause")
    assert checked(OLD, private, "", "", text) == []


def test_a_new_part_makes_no_sentence_untrue() -> None:
    new = f"{OLD}\n\ndef refund(order):\n    return order\n"
    found = review({"a.py": OLD}, {"a.py": new}, texts("`refund` gives it back.\n"))
    assert found.sentences == ()
    assert found.unmentioned == ()
    assert [part.name for part in review({"a.py": OLD}, {"a.py": new}, texts("")).unmentioned] == [
        "refund"
    ]


def test_a_part_that_moved_to_another_file_of_the_node_is_unchanged() -> None:
    quote = OLD[OLD.index("def quote") : OLD.index("def _wait")]
    new = {"a.py": OLD.replace(quote, ""), "b.py": quote}
    assert parts({"a.py": OLD}, new) == ()
    (moved,) = parts({"a.py": OLD}, {**new, "b.py": quote.replace("sum", "max")})
    assert (moved.name, moved.change, moved.path, moved.old_path, moved.kind) == (
        ("quote", "changed", "b.py", "a.py", "body")
    )


def test_what_is_outside_of_declarations_moves_with_its_file() -> None:
    start = f"import sys\n\nsys.setrecursionlimit(9)\n{OLD}"
    assert parts({"a.py": start}, {"b.py": start.replace("import sys", "import os, sys")}) == ()
    found = parts({"a.py": start}, {"b.py": start.replace("9)", "8)")})
    assert [(part.name, part.change, part.path) for part in found] == [
        ("(file)", "added", "b.py"),
        ("(file)", "removed", "a.py"),
    ]


def test_values_of_a_method_are_not_those_of_its_class() -> None:
    old = "class Cart:\n    SIZE = 111\n\n    def total(self):\n        return 222\n"
    new = old.replace("111", "112").replace("222", "223")
    found = {
        part.name: [value.text for value in part.lost]
        for part in parts({"a.py": old}, {"a.py": new})
    }
    assert found == {"Cart.SIZE": ["111"], "Cart.total": ["222"]}


def test_a_file_without_parts_is_compared_as_a_whole() -> None:
    old, new = "int a() { return 490; }\n", "int a() { return 590; }\n"
    (part,) = parts({"a.c": old}, {"a.c": new})
    assert (part.name, part.kind, [value.text for value in part.lost]) == (
        "(file)",
        "body",
        ["490"],
    )
    (unread,) = parts({"a.txt": old}, {"a.txt": new})
    assert (unread.name, unread.kind, unread.lost) == ("(file)", "unknown", ())


def test_a_deleted_file_has_only_removed_parts() -> None:
    found = parts({"a.py": OLD}, {})
    assert {part.change for part in found} == {"removed"}
    assert [part.name for part in found] == ["SHIPPING_MINOR", "STATES", "_wait", "quote"]
