"""Source texts that cost too much if a reader searches the rest of the text again and again.

They are made of fragments: for each language what opens a token or a declaration, what closes it,
and what stands between. Imported by child processes, so it imports little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from random import Random

from msgspec.structs import replace

from yg.code.languages import LANGUAGES, language_of
from yg.code.names import project_name
from yg.code.read import lacking_anchors, normalised, read_facts, read_words
from yg.code.scan import ScanError, scan

# A file name for each kind of reader.
FILES = (*(f"a.{endings.split()[0]}" for endings in LANGUAGES.values()), "a.tsx", "__init__.py")

COMMON = ("a", "1", " ", "\n", ",", ";", "=", ".", "(", ")", "[", "]", "{", "}", "<", ">", "\\")
STRINGS = ('"', "'", '"a"', "\\'", '\\"')
COMMENTS = ("/*", "*/", "/**", "/***/", "//", "///a\n")
NUMBERS = ("1.", "1e+", "1'1", "..", "0x")
LINES = ("\n\t", "\\\n", "\r\n", "\f")
PREPROCESSOR = ("#", "#include<", "#define /**/", "#define a(", "%:", "\n#if")

OWN: dict[str, tuple[str, ...]] = {
    "c": (*STRINGS, *COMMENTS, *NUMBERS, *PREPROCESSOR, 'R"a(', ')a"', 'u8"', "L'", "\\\n"),
    "csharp": (
        *(*STRINGS, *COMMENTS, *NUMBERS, *PREPROCESSOR, '"""', '""""', '$"{', '$"', '@"', '""'),
        *('$@"{', '$$"""', "$", "{{"),
    ),
    "dart": (
        *(*STRINGS, *COMMENTS, *NUMBERS, '"""', "'''", 'r"""', "r'''", "r'", '"${', "'${"),
        *("'''${", "//@dart=", "$a"),
    ),
    "go": (
        *(
            *STRINGS,
            *COMMENTS,
            *LINES,
            "`",
            "'a",
            "'\\a",
            "func ",
            "func A(",
            "func (a A) B(",
            ":=",
        ),
        *("type A struct{", "A,", "const A", "var (", 'import "a"\n', 'import "C"\n', "//go:a\n"),
        *("package a\n", "/* output:", "A[", "interface{", "//output:\n", "// a\npackage "),
    ),
    "java": (
        *(*STRINGS, *COMMENTS, '"""', "'a", "\\u", "\\\\", "@", "@a(", "@interface ", "import a;"),
        *(
            "class A",
            "public class A{",
            "enum A{",
            "record A(",
            "public a b=",
            "a<b,",
            "non-",
            "->",
        ),
        *("public static final int a", "A(", "package a;", "@Override ", "[]", "public enum A{@"),
    ),
    "javascript": (
        *(
            *STRINGS,
            *COMMENTS,
            "`",
            "`${",
            "`a`",
            "/",
            "=/[",
            "}/[",
            "</",
            "</a>",
            "<a>",
            "<a ",
            "@",
        ),
        *(
            "<a b={",
            "{/**/}",
            "=>",
            "a=>",
            "export ",
            "export default ",
            "export{a as b}",
            "export{",
        ),
        *("export function a<", "export class A{", "#a", "import ", "import{", "import a from'a';"),
        *("import{}", "import(", "require('a')", "let a", "const a=b,", "export const a=function,"),
        *("class A", "class A{}", "async ", "declare ", "function", "if(a)", "else ", "do", ">\n"),
        *(
            "a<b",
            "...",
            "?.",
            "@a ",
            "@ts-",
            "\u2028",
            "#!",
            "\\u{",
            "export const {a:",
            "as const",
        ),
        *("export * from'a'", "export type A=", "export namespace a{", "declare module a{", ":"),
        *(
            "export interface A{",
            "[a](",
            "static ",
            "export import a=",
            "const a=1;export{a as c};",
        ),
    ),
    "kotlin": (
        *(
            *STRINGS,
            *COMMENTS,
            *NUMBERS,
            '"""',
            '"${',
            '"""${',
            "`",
            "`a`",
            "a@",
            "'\\",
            "$a",
            "#!",
        ),
    ),
    "php": (
        *(*STRINGS, *COMMENTS, *NUMBERS, "<?php ", "<?=", "?>", "<<<A\n", "<<<'A'\n", "\nA;", "`"),
        *('"{$', '"${', "$", "$$", "#", "#[", "__halt_compiler", "<<<", "<<< "),
    ),
    "python": (
        *(*STRINGS, *LINES, '"""', "'''", "f'{", 'f"{a:{', "f'''{", "rb'", "'a'", "\\N{", "#", ":"),
        *(
            "# type: a",
            "#coding:",
            "def a(",
            "class A:",
            "class A(",
            "@a\n",
            "lambda:",
            "lambda ",
            "A=",
        ),
        *("for ", "in (a):", "import a", "from a import ", "from . import (", "__all__=", "if a:"),
        *("async def ", "yield ", "match a:\n", "case ", "\n  ", "\n ", "\n\t", "A:a=", "a as b,"),
        *("if TYPE_CHECKING:", "type A=", "(a),", ":=", "0b", "1_", "1j", "...", "u'a'", "f'a'"),
    ),
    "ruby": (
        *(
            *STRINGS,
            *NUMBERS,
            *LINES,
            "`",
            '"#{',
            "#{",
            "/",
            "(/",
            "%",
            "%(",
            "%Q(",
            "%q{",
            "%w[",
            "?",
        ),
        *(
            "<<A\n",
            "<<~A\n",
            "\nA\n",
            "A\n",
            "<<'A'",
            "\n=begin\n",
            "\n=end\n",
            "\n__END__\n",
            "# a",
        ),
        *(
            "#coding ",
            " -1",
            "- 1",
            ' "',
            "@a",
            "$a",
            "$",
            "a?",
            "a ",
            "a (",
            " [",
            "?'",
            '#{"',
            '"\\"',
        ),
        *("~/", "%Q(#{", "%|", "+", "a +"),
    ),
    "rust": (
        *(
            *STRINGS,
            *COMMENTS,
            "///",
            "//!a\n",
            "/*!",
            'r"',
            'r#"',
            'r##"',
            '"#',
            "'a",
            "'\\a",
            "b'",
        ),
        *("#[", "#![", "#[a]", "#[cfg(a)]", "pub ", "pub(", "pub(a::a)", "fn a", "pub fn a<", "::"),
        *(
            "use ",
            "use a::{",
            "use a;",
            "{use a}",
            "{use ",
            "mod a{",
            "pub mod a{",
            "mod a;",
            "impl ",
        ),
        *(
            "impl<;",
            "impl<T> A<",
            "struct A<",
            "pub struct A{",
            "pub struct A(",
            "enum A{",
            "trait A{",
        ),
        *(
            "const ",
            "pub const A",
            "a!{",
            "macro_rules!",
            "<<",
            ">(",
            "a>(",
            "where ",
            "extern crate a;",
        ),
        *("for ", "as ", "pub use a::", "type A", "unsafe ", 'extern "C" {', "r#", "->"),
    ),
    "scala": (
        *(
            *STRINGS,
            *COMMENTS,
            *NUMBERS,
            *LINES,
            '"""',
            's"${',
            's"""${',
            "`",
            "'a",
            "'{",
            "a_=",
            "$$",
        ),
        *("=>\n", "(\n", ":\n  a", "<a", "$a", "@", "+", "if\n"),
    ),
    "swift": (
        *(
            *STRINGS,
            *COMMENTS,
            *NUMBERS,
            '"""',
            '"\\(',
            '"""\\(',
            '#"',
            '##"',
            "#/",
            '"#',
            "/#",
            "#",
        ),
        *("/", "/a", " /", "**/", "+", "`", "@a", "#a", "?.", "->", "\\("),
    ),
}
OWN["cpp"] = OWN["c"]
OWN["typescript"] = OWN["javascript"]


def fragments(path: str) -> tuple[str, ...]:
    """Return what texts of a file's language are made of."""
    language = language_of(path)
    assert language is not None
    return (*COMMON, *OWN[language.name])


def read_everything(path: str, text: str) -> None:
    """Read a text by every function that takes a source text."""
    data = text.encode("utf-8", "surrogatepass")
    read_facts(path, data)
    read_words(path, data)
    project_name(lambda _: text)
    content = data.decode("utf-8", "replace")  # a file has no surrogates
    lacking_anchors(path, content, frozenset(("a", "a(", "//", content)))
    lacking_anchors(path, "a", frozenset((content,)))
    language = language_of(path)
    assert language is not None
    for read in (language.read, lambda _, text: scan(text, language.lexicon)):
        try:
            read(path, normalised(text))
        except ScanError:
            continue


def read_pair(pair: tuple[str, str]) -> None:
    """Read a text, given with the path of its file, and look for one half of it in the other."""
    path, text = pair
    half = text[: len(text) // 2]
    read_facts(path, text.encode())
    read_words(path, text.encode())
    lacking_anchors(path, text, frozenset(("a(",)))
    lacking_anchors(path, half, frozenset((half,)))


def read_each(texts: list[tuple[str, str]]) -> None:
    """Read texts, each given with the path of its file, as a command does."""
    for path, text in texts:
        read_facts(path, text.encode())


def scan_each(texts: list[tuple[str, str]]) -> None:
    """Split texts into tokens, each given with the path of its file."""
    for path, text in texts:
        language = language_of(path)
        assert language is not None
        with suppress(ScanError):
            scan(text, replace(language.lexicon, balanced=False))


Make = Callable[[int], str]


def repeated(first: str, part: str, last: str = "") -> Make:
    """Return a function that makes a text of a size from a part that is repeated."""

    def make(size: int) -> str:
        return f"{first}{part * max(1, size // len(part))}{last}" if size else ""

    return make


def divided(first: str, second: str) -> Make:
    """Return a function that makes a text whose halves repeat one part each."""

    def make(size: int) -> str:
        return first * (size // 2 // len(first)) + second * (size // 2 // len(second))

    return make


def pairs(path: str) -> Iterator[tuple[str, Make]]:
    """Yield texts of any two fragments: one before many, alternating, and many before many."""
    for first, second in product(fragments(path), repeat=2):
        yield f"{first!r} + {second!r}*n", repeated(first, second)
        if first != second:
            yield f"{first + second!r}*n", repeated("", first + second)
            yield f"{first!r}*n + {second!r}*n", divided(first, second)


def patterns(path: str, number: int) -> dict[str, Make]:
    """Return hostile texts by name: every fragment many times, and a number of pairs of them."""
    alone = {f"{part!r}*n": repeated("", part) for part in fragments(path)}
    every = dict(pairs(path))
    chosen = Random(path).sample(sorted(every), number)  # noqa: S311
    return {**alone, **{name: every[name] for name in chosen}}


def nested(opening: str, inner: str, closing: str) -> Make:
    """Return a function that makes a text of a size from brackets in brackets."""

    def make(size: int) -> str:
        depth = size // len(opening + closing)
        return f"{opening * depth}{inner}{closing * depth}"

    return make


def listing(start: str, part: str, middle: str, other: str, end: str) -> Make:
    """Return a function that makes a text of two lists, the parts of the first with numbers."""

    def make(size: int) -> str:
        first = "".join(part.format(number) for number in range(size // 2 // len(part)))
        return f"{start}{first}{middle}{other * (size // 2 // len(other))}{end}" if size else ""

    return make


# What each reader once looked at again and again, by what it is and the file it is in.
KNOWN: dict[str, tuple[str, Make]] = {
    "a comment in code in a string": ("a.kt", repeated('"${', "\n/*")),
    "comments in code in strings": ("a.dart", repeated("", '"${/*}"')),
    "a character in code in a string": ("a.kt", repeated('"${', "'\\'")),
    "a string in code in a string": ("a.php", repeated('<?php "{$', "'\\'")),
    "strings in code in a literal": ("a.rb", repeated("%Q(", '#{"\\"')),
    "operators that could start a comment": ("a.swift", repeated("a ", "**/")),
    "marks of a raw string": ("a.swift", repeated("", "#")),
    "blanks in front of everything": ("a.rs", repeated("", " ")),
    "comments in front of no package": ("a.go", repeated("", "//\n")),
    "documentation without an end": ("a.js", repeated("", "/**")),
    "digits in front of a range": ("a.scala", repeated("", "1", "..")),
    "numbers in front of a range": ("a.swift", repeated("", "1.", "..")),
    "exponents in front of a range": ("a.c", repeated("", "1e+", "1..")),
    "paths without an end": ("a.c", repeated("", "#include<")),
    "dollars in front of nothing": ("a.php", repeated("<?php ", "$")),
    "quotes that nearly end a string": ("a.cs", divided('"', "'")),
    "quotes of a raw string, and fewer": ("a.cs", repeated('""""', '"""a')),
    "heredocs": ("a.rb", repeated("", "<<A\nA\n")),
    "lambdas in a loop": ("a.py", listing("for ", "lambda ", "", "in (a): ", "")),
    "targets of a long value": ("a.py", listing("", "A{}=", "(", "1,", ")")),
    "names of a long type": ("a.go", listing("var ", "A{},", "A struct{", "a;", "}")),
    "fields of a long type": ("a.go", listing("type A struct{", "A{},", "A struct{", "a;", "}}")),
    "names imported from a long path": (
        "__init__.py",
        listing("from .", "a{}.", "b import ", "c,", "d"),
    ),
    "aliases of a long class": ("a.js", listing("class A{", "#a{};", "}export{", "A as b,", "}")),
    "aliases of variables": ("a.ts", listing("let ", "a{},", "b;export{", "a1,", "}")),
    "declarations of an alias": ("a.ts", repeated("", "const a=1;export{a as b};")),
    "functions without parentheses": ("a.js", repeated("export const a=1,", "b=function,")),
    "imports without a module": ("a.js", repeated("", "import{}")),
    "types without an end": ("a.ts", repeated("export function a", "<a")),
    "types that end lines": ("a.ts", repeated("", "a>\n")),
    "slashes without an end": ("a.js", repeated("", "=/[")),
    "templates in templates": ("a.js", nested("`${", "", "}`")),
    "calls behind types": ("a.rs", repeated("", "a>(", "")),
    "implementations of nothing": ("a.rs", repeated("", "impl<;")),
    "imports in blocks": ("a.rs", repeated("", "{use {}}")),
    "imports without an end in blocks": ("a.rs", repeated("", "{use a}")),
    "imports from a long path": ("a.rs", listing("use ", "a{}::", "{", "b,", "};")),
    "modules in modules": ("a.rs", nested("mod a{", "use self::a;", "}")),
    "public modules in modules": ("a.rs", nested("pub mod a{", "", "}")),
    "classes on a line": ("a.py", repeated("", "class A:")),
    "classes that take the body of the next": (
        "A.java",
        repeated("", "public class A{public class B}"),
    ),
    "fields with a long type": ("A.java", listing("class A{public A<", "A{},", "A>a", ",a", ";}")),
}

# Many tokens, brackets, lines and facts for their length.
DENSE = (
    *(
        ";",
        "a,",
        "a;",
        "a\n",
        "()",
        "{}",
        "[]{}",
        "a=",
        "A=1\n",
        "<a",
        "a.",
        "'a',",
        "use a;",
        "import a\n",
    ),
    *(
        "def a():0\n",
        "export{a};",
        "pub fn a();",
        "func A()\n",
        "public class A{}",
        "///a\n",
        "#[a]",
    ),
    *(
        "let a,",
        "var A int\n",
        "from a import b\n",
        "class A:\n a=1\n",
        "import a;",
        "'${a}'",
        "1.",
    ),
)


def dense(path: str) -> dict[str, Callable[[int], tuple[str, str]]]:
    """Return texts that may take much memory for their length, each with the path of its file."""
    makes = {part: repeated("", part) for part in DENSE}
    makes |= {name: make for name, (file, make) in KNOWN.items() if file == path}

    def pair(make: Make) -> Callable[[int], tuple[str, str]]:
        return lambda size: (path, make(size))

    return {name: pair(make) for name, make in makes.items()}
