"""Tree-sitter never sees another tree where we call a change cosmetic or documentation."""

from __future__ import annotations

import re
from random import Random

import pytest

from source_code.cases import ALL_CHANGES, EXAMPLES, Change, example_text
from source_code.syntax_trees import tree_of, without_imports
from yg.code.change_class import compare
from yg.code.languages import ENDINGS, ending
from yg.code.read import read_facts

LANGUAGES = ("go", "java", "javascript", "rust", "typescript")
CHANGES = [change for change in ALL_CHANGES if ENDINGS[ending(change.file)] in LANGUAGES]
SILENT = ("cosmetic", "docs")
NOT_IN_THE_TREE = (  # comments to tree-sitter, white space, parentheses, the order of imports
    "the cgo preamble",
    "the cgo preamble in a block",
    "a directive in an import",
    "the output of an example",
    "C code above a directive",
    "an escape that ends a comment",
    "a line separator in a comment ends a statement",
    "the order of imports without names",
    "a no-break space in the text of an element",
    "a template behind return in a case",
    "parentheses around a chain",
    "parentheses around a directive",
    "the type that an arrow function returns",
)
EDITS = 40  # of each text of a change
EXAMPLE_EDITS = 250

PIECE = re.compile(r"\n[ \t]*|[ \t]+|\w+|=>|//|/\*|\*/|[^\w\s]|.", re.DOTALL)
INSERTED = (
    *",;()[]{}.=<>\"'`/*!?:@#+-&|$_\\0x",
    *" |\n|;\n|,\n|\n(|\n[|\n`|\n+|\n/|\n<|\n++|\n*|// c\n|/* c */|/** d */|/// d\n".split("|"),
    *"++ -- => // /* */ :: -> .. ... >> (a,) <a> </a> {/**/} {} () 'a' \"a\" /a/".split(),
    *",} ,] ,) ,>".split(),
    *(
        f"{word} "
        for word in "async await as do else export get if import in interface let of private pub"
        " return static type yield while(a) for(;;)".split()
    ),
)


def edited(text: str, random: Random) -> str:
    """Return a text with one to three edits of its pieces."""
    pieces = PIECE.findall(text)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        at, other = random.randrange(len(pieces)), random.randrange(len(pieces))
        match random.randrange(7):
            case 0:
                del pieces[at]
            case 1:
                pieces.insert(at, pieces[other])
            case 2:
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 3:
                pieces[at] = random.choice(INSERTED)
            case 4:
                del pieces[at : at + 3]
            case _:
                pieces.insert(at, random.choice(INSERTED))
        pieces = pieces or ["\n"]
    return "".join(pieces)


def check_edits(path: str, text: str, count: int) -> None:
    """Compare a text with edits of it."""
    random = Random(text)
    tree, facts = tree_of(path, text), read_facts(path, text.encode())
    assert tree is not None
    for _ in range(count):
        other = edited(text, random)
        kind = compare(facts, read_facts(path, other.encode())).kind
        if kind not in (*SILENT, "imports"):
            continue
        found = tree_of(path, other)
        if found is None:
            continue
        if kind == "imports":
            assert without_imports(found) == without_imports(tree), other
        else:
            assert found == tree, other


def changes_of(language: str) -> list[Change]:
    return [change for change in CHANGES if ENDINGS[ending(change.file)] == language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_readings_agree_on_what_is_silent(language: str) -> None:
    for change in changes_of(language):
        is_same = tree_of(change.file, change.before) == tree_of(change.file, change.after)
        is_silent = change.kind in SILENT or change.title in NOT_IN_THE_TREE
        assert is_same == is_silent, change.title


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_edit_of_a_change_is_silent(language: str) -> None:
    changes = changes_of(language)
    for path, text in dict.fromkeys((change.file, change.before) for change in changes):
        check_edits(path, text, EDITS)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_no_edit_of_an_example_is_silent(name: str) -> None:
    if ENDINGS[ending(name)] in LANGUAGES:
        check_edits(name, example_text(name), EXAMPLE_EDITS)
