"""Texts that are made to take long to read, each of about a number of bytes.

YAML, JSON, IGNORE, WORDS, PATHS, ...   how each is made
read_yaml, read_json, ...               reads one, in every way that a user's file is read
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

import yaml

from yg.code.names import project_name
from yg.code.read import lacking_anchors
from yg.code.values import Value
from yg.kernel.find import SearchedText, columns_of, parse_query
from yg.kernel.find_lines import excerpt, lines_with, marks, name_line
from yg.kernel.patch import PatchError, patched_text
from yg.kernel.sources import words_lacking
from yg.text.decode import leaves, plain
from yg.text.decode_json import decode_json, quick_json
from yg.text.decode_yaml import decode_yaml
from yg.text.escapes import escape_controls, one_line, visible
from yg.text.json_edit import JsonText
from yg.text.patterns import Patterns
from yg.text.sentences import sentences
from yg.text.unified_diff import PatchFault, parse
from yg.text.words import words_of
from yg.text.yaml_edit import YamlText, tree_of
from yg.text.yaml_outline import outline, values_of
from yg.text.yaml_scalars import with_scalars
from yg.yggdrasil.code.quoted_names import quoted_names
from yg.yggdrasil.code.quoted_paths import quoted_paths
from yg.yggdrasil.review.mentions import PartName
from yg.yggdrasil.review.search import SearchedSentences
from yg.yggdrasil.rules.participants import PARTICIPANTS

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
}


def read_yaml(text: str) -> int:
    """Decode a YAML text, go through its values, look for what can be edited, and edit it."""
    decoded = decode_yaml(text)
    count = sum(1 for _ in leaves(decoded.datum)) + len(decoded.problems)
    plain(decoded.datum)
    count += sum(1 for _ in values_of(text)) + sum(1 for _ in outline(text))
    if decoded.problems or decoded.datum is None:
        return count
    first = next(leaves(decoded.datum), None)
    values = {(first[1].line, first[1].column): "new"} if first else {}
    try:
        with_scalars(text, values)
        editable = YamlText(text)
    except yaml.YAMLError:
        return count
    if editable.is_editable:
        for key in list(editable.root.entries or {})[:1]:
            editable.replaced(key, "b: c\n")
    return count


def spans(text: str) -> None:
    """Look for the places of all values in a YAML text."""
    with suppress(yaml.YAMLError):
        tree_of(text)


JSON: dict[str, Make] = {
    "items": repeated("1,", "[", "1]"),
    "lists": repeated("[],", "[", "1]"),
    "objects": repeated("{},", "[", "1]"),
    "objects with a key": repeated('{"":1},', "[", "1]"),
    "deep objects": repeated('{"":' * 60 + "1" + "}" * 60 + ",", "[", "1]"),
    "brackets": repeated("["),
    "objects in objects": repeated('{"a":'),
    "keys": numbered('"k{}":1,', "{", '"":1}'),
    "one key": repeated('"k":1,', "{", '"":1}'),
    "strings": repeated('"a",', "[", "1]"),
    "a string that is not closed": repeated("a", '["'),
    "escaped quotes": repeated('\\"', '["'),
    "escapes": repeated("\\u0041", '["', '"]'),
    "halves of pairs": repeated('"\\ud800",', "[", "1]"),
    "blanks": repeated(" ", "["),
    "line breaks": repeated("\n", "[", "]"),
    "lines": repeated("1,\n", "[", "1]"),
    "one long number": repeated("1", "["),
    "one long fraction": repeated("1", "[0."),
    "one long word": repeated("a", "["),
    "minus signs": repeated("-"),
    "commas": repeated(",", "[1"),
    "colons": repeated(":", '{"a"'),
}


def read_json(text: str) -> int:
    """Decode a JSON text in both ways, go through its values, and edit it."""
    decoded = decode_json(text)
    count = sum(1 for _ in leaves(decoded.datum)) + len(decoded.problems)
    content = plain(decoded.datum)
    try:
        quick_json(text)
    except ValueError:
        count += 1
    if decoded.problems:
        return count
    if isinstance(content, dict):
        keys = list(content)
        return count + len(JsonText(text).put_all({(key,): 2 for key in keys}).remove(("",)).text)
    if isinstance(content, list):
        edited = JsonText(text).put_all({(at,): 2 for at in range(len(content))})
        return count + len(edited.append((), 3).remove_parts((), range(0, len(content), 2)).text)
    return count


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
    "humps": repeated("aB"),
    "capitals": repeated("A"),
    "underscores": repeated("_"),
    "parts": repeated("ab_"),
    "ideographs": repeated("\u4e00"),
    "marks to combine": repeated("\u0301", "a"),
    "marks to order": repeated("\u0301\u0323", "a"),
    "letters that grow": repeated("\u0390"),
    "line breaks": repeated("\n"),
    "lines": repeated("order service\n"),
    "backslashes": repeated("\\"),
    "escapes": repeated("\\u0041"),
    "commas": repeated(","),
    "braces": repeated("{ "),
    "a key": repeated("name "),
    "controls": repeated("\x1b"),
    "quotes": repeated('"'),
}
QUERY = parse_query('order "order service" ord* aB -none')
SEARCHED = SearchedText(kind="node", path="a", document="a.json", file="a.json")


def columns(text: str) -> int:
    """Split a text into words, as for the index of a search."""
    return len(columns_of(SEARCHED, text).body)


def read_words(text: str) -> int:
    """Search in a text, and show it."""
    count = len(words_of(text)) + len(columns_of(SEARCHED, text).parts)
    count += len(lines_with("a.json", text, QUERY)) + name_line(text, "name")
    count += len(excerpt(text, QUERY))
    count += len(marks(text, QUERY))
    return count + sum(map(len, (visible(text), one_line(text), escape_controls(text))))


MANIFEST: dict[str, Make] = {
    "tables": repeated("[package]\n"),
    "tables of projects": repeated("[project]\nname\n"),
    "names": repeated("name\n", "[package]\n"),
    "blanks after a name": repeated("name" + " " * 40 + "\n", "[package]\n"),
    "blanks": repeated(" ", "[project]\nname"),
    "line breaks": repeated("\n", "[package]\nname"),
    "names without a value": repeated('name = "\n', "[package]\n"),
    "names of packages": repeated('  "name": "\n', "{\n"),
    "modules": repeated("module \n"),
    "blanks of a module": repeated("\t", "module "),
    "versions of a module": repeated("/v1", "module a"),
    "digits of a version": repeated("1", "module a/v", "x"),
}


def read_manifest(text: str) -> int:
    """Look for the name of a project in each manifest."""
    return len(project_name(lambda _: text))


ANCHORS: dict[str, Make] = {
    "anchors that are missing": numbered("anchor{} "),
    "anchors of one letter and another": numbered("a{}a{} "),
    "long anchors": repeated("a" * 500 + "b "),
}


def read_anchors(text: str) -> int:
    """Look for many texts in a file that is as long as all of them."""
    words = frozenset(text.split())
    content = (b"anchor a0 " + b"a" * 600) * (len(text) // 600 + 1)
    return len(words_lacking([content[: len(text)]], words))


def read_code_anchors(text: str) -> int:
    """Look for many anchors among the tokens of a source file that is as long as all of them."""
    anchors = frozenset(text.split())
    return len(lacking_anchors("a.py", f"anchor = a0 = '{text}'\n", anchors))


MARKDOWN: dict[str, Make] = {
    "words": repeated("ab cd "),
    "sentences": repeated("Ab cd. "),
    "lines": repeated("ab\n"),
    "comments that begin": repeated("<!--"),
    "comments": repeated("<!-- a -->"),
    "comments in quotes": repeated("`<!--"),
    "a chain before a slash": repeated("a.", after="a/"),
    "a chain of arrows": repeated("a->", after="a-x"),
    "a chain in code": repeated("a::", "`", "a@`"),
    "a rule that is none": repeated(" ", "* * *", "x"),
    "a rule of dashes": repeated("- ", after="x"),
    "a rule of underscores": repeated("_ ", after="x"),
    "a row of dashes": repeated("-", "|", "x"),
    "a row of blanks": repeated(" ", "| -", "x"),
    "rows": repeated("|a|b|\n"),
    "quotations": repeated("> ", after="x"),
    "ends of sentences": repeated(".)", after=" x"),
    "one end": repeated(")", ".", " x"),
    "blanks after an end": repeated(" ", "a.", "x"),
    "abbreviations": repeated("e.g. X "),
    "code": repeated("`a`"),
    "back quotes of all lengths": lambda size: " ".join(
        "`" * length for length in range(1, int((2 * size) ** 0.5))
    ),
    "links": repeated("](a"),
    "addresses": repeated("](http://"),
    "calls": repeated("a("),
    "calls in code": repeated("a(", "`", "`"),
    "fences": repeated("```\n"),
    "one fence": repeated("`"),
    "items": repeated("- a\n"),
    "headings": repeated("# a\n"),
    "numbers": repeated("1."),
    "numbers and commas": repeated("1,", after="x"),
    "names": numbered("`name{}` "),
    "a class with many words": repeated("Ab"),
}


def read_markdown(text: str) -> int:
    """Split a text into sentences, and look for names, values and paths in them."""
    searched = SearchedSentences(sentences(text))
    part = PartName(f"{text[:20_000].strip('`')}.name", "src/a.py")
    rows = range(len(searched.sentences))
    count = sum(part.is_in(searched.mentions(at)) for at in rows)
    count += len(searched.with_name(part.last))
    count += len(searched.by_number) + len(searched.with_value(Value("ab cd", "", is_number=False)))
    count += sum(len(sentence.shown) for sentence in searched.sentences)
    return count + sum(1 for _ in quoted_names(text)) + sum(1 for _ in quoted_paths(text))


PARTICIPANTS_TEXTS: dict[str, Make] = {
    "items": numbered("- node{}: it\n"),
    "code in one item": repeated("`a` ", "- "),
    "code after marks": repeated("*`a`", "- "),
    "marks": repeated("*_", "- ", "`a`"),
    "comments that begin": repeated("<!-- "),
    "comments that end": repeated("--> <!-- "),
    "blanks": repeated(" ", "- ", "-"),
    "dashes": repeated(" -", "- a"),
    "steps of a path": repeated("a/", "- `", "`"),
    "headings": repeated("## Participants\n"),
    "fences": repeated("```\n"),
}


def read_participants(text: str) -> int:
    """Read the section about participants of a flow."""
    found = PARTICIPANTS.make(f"## Participants\n{text}\n")
    return len(found.names) + len(found.words)


PATCH = "diff --git a/a b/a\n--- a/a\n+++ b/a\n"
PATCHES: dict[str, Make] = {
    "prose": repeated("ab cd\n"),
    "headers": repeated("diff --git a/a b/a\n"),
    "names": repeated("--- a/a\n"),
    "quoted names": repeated('--- "a\\"\n'),
    "escapes of a name": repeated("\\1", '--- "', '"\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n'),
    "a name that is not closed": repeated("\\a", 'diff --git "'),
    "modes": repeated("old mode 100644\n", "diff --git a/a b/a\n"),
    "hunks": numbered("@@ -1{},0 +1,1 @@\n+a\n", PATCH),
    "lines of a hunk": lambda size: f"{PATCH}@@ -1,0 +1,{size // 3} @@\n" + "+a\n" * (size // 3),
    "a hunk that is too short": repeated("+a\n", f"{PATCH}@@ -1,0 +1,999999999 @@\n"),
    "notes": repeated("\\ No newline\n", PATCH),
}


def read_patch(text: str) -> int:
    """Read a patch, and apply it to a file that is as long."""
    content = b"a\n" * (len(text) // 2)
    count = 0
    with suppress(PatchFault, PatchError):
        for change in parse(text.encode()):
            count += len(change.hunks)
            count += len(patched_text(content, change.hunks[:1], "a"))
    return count
