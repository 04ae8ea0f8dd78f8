"""What was once wrong below the graph: decoding, quoting, counting, naming."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import pytest

from support import NODE, graph_from
from text.decoded import plain
from yg.commands.build_context.package import package_text
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule
from yg.kernel.snapshot import DictSnapshot, Extent, Kind, extent_of
from yg.text.decode import MAX_DEPTH
from yg.text.decode_yaml import decode_yaml
from yg.text.escapes import one_line, visible
from yg.text.suggest import nearest
from yg.text.yaml_edit import yaml_scalar
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import Node
from yg.yggdrasil.package.assemble import Assembler
from yg.yggdrasil.package.markdown import package_markdown


def node_a(graph: Graph) -> Node:
    node = graph.nodes.get("a")
    assert node is not None
    return node


def messages(text: str) -> list[str]:
    return [problem.message for problem in decode_yaml(text).problems]


@pytest.mark.parametrize("kind", list(Kind))
def test_what_is_not_a_file_cannot_be_read(kind: Kind) -> None:
    with pytest.raises(UnreadableError, match="not a regular file"):
        DictSnapshot({"a": kind}).read("a")


@pytest.mark.parametrize("number", ["0x" + "f" * 5000, "0o" + "7" * 5000, "9" * 5000])
def test_a_number_of_thousands_of_digits_is_a_problem_in_every_base(number: str) -> None:
    assert messages(f"a: {number}") == ["a number with too many digits"]


@pytest.mark.parametrize("text", ["!!int true", "!!float true", "!!bool 1", "!!null 0"])
def test_a_value_that_does_not_fit_its_tag_is_a_problem(text: str) -> None:
    tag, value = text.removeprefix("!!").split()
    assert messages(f"a: {text}") == [f"'{value}' does not fit its tag 'tag:yaml.org,2002:{tag}'"]


@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "a: [\n",
        'a: "',
        'a: "\n',
        "a: {\r\n",
        "a: [\r",
        "a: 'x\n\n",
        "%YAML",
        "a: |\n\t",
        "{",
    ],
    ids=ascii,
)
def test_a_problem_is_on_a_line_that_the_file_has(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    problems = decode_yaml(text).problems
    assert problems
    for problem in problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85"], ids=ascii)
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_line_breaks_of_yaml_1_1_are_text_and_count_no_lines(letter: str, quote: str) -> None:
    decoded = decode_yaml(f"a: {quote}x{letter}y{quote}\nb: 1\nb: 2\n")
    assert plain(decoded.datum) == {"a": f"x{letter}y", "b": 1}
    assert [(problem.line, problem.column) for problem in decoded.problems] == [(3, 1)]


def test_old_line_breaks_in_a_block_leave_stand_ins_that_the_text_has_alone() -> None:
    decoded = decode_yaml("a: |\n  x\u2028y\ue000\ue001\x85\nb: 1\n")
    assert decoded.problems == ()
    assert plain(decoded.datum) == {"a": "x\u2028y\ue000\ue001\x85\n", "b": 1}


def nested_by_aliases(half: int) -> str:
    """Nest one list as deep as given, and its alias below as many lists again."""
    return f"a: &a {'[' * half}x{']' * half}\nb: {'[' * half}*a{']' * half}\n"


def test_aliases_nest_no_deeper_than_what_is_written_out() -> None:
    assert messages(nested_by_aliases(MAX_DEPTH // 2)) == [
        f"nested more than {MAX_DEPTH} levels deep"
    ]
    assert messages(nested_by_aliases(MAX_DEPTH // 2 - 1)) == []


def test_a_lone_surrogate_is_a_problem_and_no_exception() -> None:
    [problem] = decode_yaml("b: 1\na: \ud800").problems
    assert problem.message == "character U+D800 is not allowed in YAML"
    assert (problem.line, problem.column) == (2, 4)


@pytest.mark.parametrize(
    "text",
    [
        *("😀", "a 😀: b", "\U000e0001", "\U0010ffff", "\x00", "\x1b[31m", "\x7f", "\x85", "\x9f"),
        *("\u2028", "\ufeff", "\u200b", "a\nb", "\r", "\t", "\xa0", "\ufffe", "#", "=", "on", ""),
    ],
    ids=ascii,
)
def test_text_written_as_yaml_reads_back_the_same(text: str) -> None:
    decoded = decode_yaml(f"a: {yaml_scalar(text)}\n")
    assert decoded.problems == ()
    assert plain(decoded.datum) == {"a": text}


def test_a_text_that_ends_in_a_lone_carriage_return_is_counted_as_written() -> None:
    assert extent_of("ab\r") == Extent(body=2, ending=2)
    packages = []
    for text in ("ab\r", "ab\r\n"):
        files = {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": text}
        graph = graph_from(files)
        packages.append(Assembler(graph).package(node_a(graph)))
    lone, whole = packages
    assert lone.characters == whole.characters
    assert [block.content for block in lone.parts] == [block.content for block in whole.parts]


HOSTILE = r'"A\n# Forged\r\n## Again\u2028\e[31m"'


def hostile_package() -> tuple[str, str]:
    """Return a package full of hostile names, between tags and as Markdown."""
    graph = graph_from(
        {
            "model/a/yg-node.yaml": f"""\
name: {HOSTILE}
type: service
aspects: [{{aspect: x}}]
relations: [{{target: b, type: uses}}]
""",
            "model/a/responsibility.md": "It is.\n",
            "model/b/yg-node.yaml": f"name: {HOSTILE}\ntype: service\n",
            "model/b/interface.md": "It does.\n",
            "aspects/x/yg-aspect.yaml": f"name: {HOSTILE}\n",
            "aspects/x/content.md": "Mind it.\n",
            "flows/f/yg-flow.yaml": f"name: {HOSTILE}\nnodes: [a]\n",
            "flows/f/description.md": "It flows.\n",
        }
    )
    package = Assembler(graph).package(node_a(graph))
    return package_text(package), package_markdown(package)


def test_hostile_names_stay_on_the_line_of_their_heading() -> None:
    _, markdown = hostile_package()
    assert [line for line in markdown.splitlines() if line.startswith(("# F", "## Ag"))] == []
    assert "\x1b" not in markdown
    assert "# Context Package: A # Forged ## Again \\x1b[31m\n" in markdown


def test_hostile_names_in_attributes_become_character_references() -> None:
    text, _ = hostile_package()
    assert "\x1b" not in text
    assert "\r" not in text
    assert "A&#10;# Forged&#13;&#10;## Again" in text
    assert "&#27;[31m" in text


def test_spaces_that_do_not_break_are_kept() -> None:
    text = "10\xa0000\u202f€\u3000x"
    assert (visible(text), one_line(text)) == (text, text)


def test_the_last_part_of_a_path_suggests_the_whole_path() -> None:
    assert nearest("ledger", ["payments/ledger"]) == ("payments/ledger",)


def test_a_page_is_the_same_whether_or_not_the_compiler_has_dedented_it() -> None:
    def check(survey: object) -> Iterator[Finding]:
        yield from ()

    indented = (
        "Opening.\n\n    Why: because\n        it is.\n    Example:\n        a:\n          b\n    "
    )
    pages = set()
    for doc in (indented, cleandoc(indented), f"{cleandoc(indented)}\n"):
        check.__doc__ = doc
        made = rule("E901", "x", Severity.ERROR)(check)
        pages.add((made.page, made.why, made.example))
    assert pages == {
        (cleandoc(indented), "Because it is.", ("a:", "  b")),
    }
