"""Texts that are made to take long to read, each of about a number of bytes.

TABLES   how each is made, by what it is for, with the name of the function that reads it
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from graphs import CONFIG
from yg.kernel.snapshot import DictSnapshot
from yg.text.decode_yaml import decode_yaml
from yg.text.encode_yaml import yaml_scalar
from yg.text.escapes import (
    escape_controls,
    escape_controls_in_json,
    one_line,
    shell_word,
    visible,
)
from yg.text.paths import normalise
from yg.text.patterns import Patterns
from yg.text.suggest import nearest
from yg.yggdrasil.model import FOLDER
from yg.yggdrasil.package import Block, BlockKind
from yg.yggdrasil.read import ASPECTS, FLOWS, NODES, Tree
from yg.yggdrasil.read_config import read_config
from yg.yggdrasil.render import block_text
from yg.yggdrasil.texts import measured, text_body

Make: TypeAlias = Callable[[int], str]


def repeated(part: str, before: str = "", after: str = "") -> Make:
    """Return a maker of copies of a part, between two texts; sizes are in bytes."""
    length = len(part.encode("utf-8", "surrogatepass"))
    return lambda size: before + part * (size // length) + after


def numbered(part: str, before: str = "", after: str = "") -> Make:
    """Return a maker of copies of a part with numbers, between two texts."""

    def make(size: int) -> str:
        copies = range(size // (len(part) + 3) + 1)
        return before + "".join(part.replace("{}", f"{at:05}") for at in copies) + after

    return make


def halves(one: Make, two: Make) -> Make:
    """Return a maker of two texts, one after the other."""
    return lambda size: one(size // 2) + two(size // 2)


def staircase(size: int) -> str:
    """Return lines of which each is indented by one more blank than the one before."""
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(" " * len(lines) + "a:\n")
        length += len(lines[-1])
    return "".join(lines)


def laughs(size: int) -> str:
    """Return lists of aliases, each of which means ten of the one before."""
    lines = (
        f"l{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10)}]" for at in range(1, size // 60 + 1)
    )
    return "\n".join(("l0: &a0 [" + ", ".join("x" * 10) + "]", *lines))


PRIVATE = "".join(map(chr, range(0xE000, 0xF900)))  # leaves no character to disguise others

YAML: dict[str, Make] = {
    "items": repeated("- a\n"),
    "items in brackets": repeated("a,", "[", "]"),
    "items that are not closed": repeated("a,", "["),
    "empty items": repeated(",", "[a"),
    "mappings in brackets": repeated("{},", "[", "]"),
    "pairs in brackets": repeated("a: b,", "[", "]"),
    "brackets": repeated("["),
    "braces": repeated("{"),
    "braces with keys": repeated("{a: "),
    "dashes": repeated("- "),
    "questions": repeated("? "),
    "questions in brackets": repeated("?a,", "["),
    "colons": repeated(": "),
    "keys": numbered("k{}: 1\n"),
    "one key": repeated("k: 1\n"),
    "keys in braces": numbered("k{}: 1,", "{", "}"),
    "keys that are lists": repeated("? [a]\n: b\n"),
    "blanks": repeated(" ", "a:"),
    "blanks before a letter": repeated(" ", "a:", "b"),
    "a key, blanks and no colon": repeated(" ", "[\na", "b"),
    "blanks inside of text": repeated("b ", "a: ["),
    "blanks inside of text that is not closed": repeated(" b", "a: [\nx: "),
    "line breaks": repeated("\n", "a:"),
    "line breaks in a list": repeated("\n", "a: [b"),
    "returns": repeated("\r", "a:"),
    "comments": repeated("#\n"),
    "hashes": repeated("#"),
    "hashes after blanks": repeated(" #", "[\na"),
    "quotes": repeated('"'),
    "single quotes": repeated("'"),
    "escapes": repeated('\\"', '"'),
    "bad escapes": repeated("\\q", '"'),
    "a long text on many lines": repeated("b\n\n", 'a: "', '"'),
    "a block on many lines": repeated("  b\n\n", "a: |\n"),
    "a folded block": repeated("  b\n   c\n", "a: >\n"),
    "plain text on many lines": repeated(" b\n\n", "a:\n"),
    "anchors": numbered("- &a{} x\n"),
    "anchors around": repeated("&a [", "- "),
    "aliases": repeated("- *a\n", "- &a x\n"),
    "aliases in brackets": repeated("*a,", "- &a [x]\n- [", "]"),
    "aliases of a long list": halves(repeated("x,", "- &a [", "]\n"), repeated("- *a\n")),
    "aliases of a long text": halves(repeated("x", "- &a ", "\n"), repeated("- *a\n")),
    "aliases of nothing": repeated("- *a\n"),
    "aliases of aliases": laughs,
    "tags": repeated("- !a b\n"),
    "tags of one long directive": halves(
        repeated("x", "%TAG !t! tag:", "\n---\n"), repeated("- !t!a b\n")
    ),
    "tag directives": numbered("%TAG !a{}! b\n", "", "---\na: 1\n"),
    "directives": repeated("%A b\n", "", "---\na: 1\n"),
    "version directives": repeated("%YAML 1.2\n", "", "---\na: 1\n"),
    "documents": repeated("---\na\n"),
    "ends of documents": repeated("...\n"),
    "old line breaks": repeated("- a\u2028", f"# {PRIVATE}\n"),
    "next lines": repeated("- a\x85", f"# {PRIVATE}\n"),
    "old line breaks to disguise": repeated("- a\u2028", "- ?b\n"),
    "numbers": repeated("- 0x1f\n"),
    "one long number": repeated("1", "a: "),
    "one long fraction": repeated("1", "a: 0."),
    "one long hexadecimal number": repeated("f", "a: 0x"),
    "tabs": repeated("\t", "a:"),
    "control characters": repeated("\x01", "a: "),
    "surrogates": repeated("\ud800", "a: "),
    "stairs": staircase,
    "stairs with commas": halves(staircase, repeated(",", "x: [")),
    "stairs with line breaks": halves(staircase, repeated("\n", "x: [")),
    "stairs with lists that are not closed": halves(staircase, repeated("- [\nb: c\n")),
    "one word": repeated("a"),
    "percent signs": repeated("%", "a: "),
    "merges": repeated("<<: {a: 1}\n"),
    "relations": numbered("  - {target: a/b{}, type: calls}\n", "relations:\n"),
    "aspects of a node": numbered("  - {aspect: a{}, exceptions: [x]}\n", "aspects:\n"),
    "participants": numbered("  - a/b{}\n", "name: F\nnodes:\n"),
    "mapped paths": numbered("    - src/a{}.py\n", "name: N\ntype: t\nmapping:\n  paths:\n"),
    "types of nodes": numbered("  t{}: {description: T, may_use: [a]}\n", "node_types:\n"),
    "conflict markers": repeated("<<<<<<< a\n"),
}


def read_yaml(text: str) -> int:
    """Read a YAML text as a declaration of each kind."""
    data = text.encode("utf-8", "replace")
    declared = (_problems_of(tree, data) for tree in (NODES, ASPECTS, FLOWS))
    configured = (_problems_of_config(start + data) for start in (b"", CONFIG.encode()))
    return len(decode_yaml(text).problems) + sum(declared) + sum(configured)


def _problems_of(tree: Tree, data: bytes) -> int:
    reading = tree.recipe.make(f"{FOLDER}/{tree.name}/a/{tree.file}", data)
    return len(reading.problems) + len(reading.unknown_keys)


def _problems_of_config(data: bytes) -> int:
    reading = read_config(DictSnapshot({f"{FOLDER}/yg-config.yaml": data}))
    return len(reading.problems) + len(reading.unknown_keys)


IGNORE: dict[str, Make] = {
    "names": numbered("name{}\n"),
    "paths": numbered("/a/b/name{}\n"),
    "endings": numbered("*.e{}\n"),
    "beginnings": numbered("e{}*\n"),
    "stars": repeated("*a"),
    "stars in paths": repeated("*a/"),
    "double stars": repeated("**/a/", "/"),
    "many stars": repeated("*"),
    "many lines of stars": repeated("*a*a*b\n"),
    "lines of double stars": numbered("**/a/**/b{}/**\n"),
    "questions": repeated("?"),
    "brackets": repeated("["),
    "sets": repeated("[a-z]"),
    "sets without a letter": lambda size: "".join(
        f"[!{chr(33 + at % 90)}{chr(200 + at // 90 % 200)}]\n" for at in range(size // 6)
    ),
    "sets of sets": numbered("[{}]\n"),
    "classes that are not closed": repeated("[:", "["),
    "classes that do not exist": repeated("[:", "[", "]"),
    "classes that are no classes": repeated("[:", "[", "a]"),
    "classes": repeated("[[:alpha:]]"),
    "escapes": repeated("\\a"),
    "blanks": repeated(" ", "a"),
    "escaped blanks": repeated("\\ "),
    "negations": numbered("!name{}\n"),
    "one line": repeated("a\n"),
    "comments": repeated("#\n"),
    "slashes": repeated("/"),
    "bytes": repeated("\xff\n"),
}
MATCHED = ["a/b/" + "a" * 100, "a/" * 50 + "name00001", "src/main.py", "b\xff/[:", "x y/z"] * 4
MATCHED = ["a/b/" + "a" * 100, "a/" * 50 + "name00001", "src/main.py", "b\xff/[:", "x y/z"] * 4


def read_ignored(text: str) -> int:
    """Match the patterns of a .gitignore file with a few paths."""
    patterns = Patterns(text.encode())
    return sum(patterns.excludes(path) for path in MATCHED)


LISTED: dict[str, Make] = {
    "names": numbered("name{}\n"),
    "paths": numbered("/a/b{}/c\n"),
    "directories": numbered("name{}/\n"),
    "negations": numbered("!name{}\n"),
}


def read_listed(text: str) -> int:
    """Match the names in a .gitignore file with as many paths as it has lines."""
    patterns = Patterns(text.encode())
    return sum(patterns.excludes(f"{line.strip('!/')}/x") for line in text.split("\n"))


WORDS: dict[str, Make] = {
    "one word": repeated("a"),
    "words": repeated("ab cd "),
    "numbered words": numbered("w{} "),
    "capitals": repeated("A"),
    "underscores": repeated("_"),
    "ideographs": repeated("\u4e00"),
    "line breaks": repeated("\n"),
    "lines": repeated("order service\n"),
    "backslashes": repeated("\\"),
    "escapes": repeated("\\u0041"),
    "commas": repeated(","),
    "controls": repeated("\x1b"),
    "quotes": repeated('"'),
    "line breaks at the end": repeated("\r\n", "a"),
    "returns at the end": repeated("\r", "a"),
    "dots": repeated("../", "a/"),
    "slashes": repeated("/"),
    "ampersands": repeated("&"),
    "nearly conflict markers": repeated("<<<<<<<\n"),
}
NAMES = ("order service", "ab/cd", "a" * 200)


def read_words(text: str) -> int:
    """Measure a text, and show it in every way."""
    count = measured("a.md", text.encode()).body + len(text_body(text))
    shown = (visible, one_line, escape_controls, escape_controls_in_json, shell_word, yaml_scalar)
    count += sum(len(show(text)) for show in shown)
    attributes = {"consumes": text, "failure": one_line(text)}
    block = Block(BlockKind.DEPENDENCY, "a", attributes, (text,), (), (), (), (), 0, 0)
    count += len(block_text(block)) + len(nearest(text, NAMES)) + len(nearest("ab", (text,)))
    return count + len(normalise(text) or "")


TABLES: dict[str, tuple[str, dict[str, Make]]] = {
    "YAML": ("read_yaml", YAML),
    "gitignore": ("read_ignored", IGNORE),
    "as many files as patterns": ("read_listed", LISTED),
    "texts": ("read_words", WORDS),
}
