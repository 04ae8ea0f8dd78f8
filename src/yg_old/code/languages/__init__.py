"""The language of a file, told from the ending of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yg_old.code.language import Language

LANGUAGES = {  # the endings of their files
    "c": "c h",
    "cpp": "cpp cc cxx hpp",
    "csharp": "cs",
    "dart": "dart",
    "go": "go",
    "java": "java",
    "javascript": "js jsx mjs cjs",
    "kotlin": "kt kts",
    "php": "php",
    "python": "py pyi",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "swift": "swift",
    "typescript": "ts tsx mts cts",
}
ENDINGS = {ending: name for name, endings in LANGUAGES.items() for ending in endings.split()}


def ending(path: str) -> str:
    """Return what follows the last dot of a file's name, in lower case."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def language_name(path: str) -> str:
    """Return the name of a file's language; empty if it is not known."""
    return ENDINGS.get(ending(path), "")


def language_of(path: str) -> Language | None:  # noqa: C901, PLR0911, PLR0912 - one per language
    """Return the language of a file, importing no other; None if it is not known."""
    match ENDINGS.get(ending(path)):
        case "c":
            from yg_old.code.languages.c import C

            return C
        case "cpp":
            from yg_old.code.languages.c import CPP

            return CPP
        case "csharp":
            from yg_old.code.languages.csharp import CSHARP

            return CSHARP
        case "dart":
            from yg_old.code.languages.dart import DART

            return DART
        case "go":
            from yg_old.code.languages.go import GO

            return GO
        case "java":
            from yg_old.code.languages.java import JAVA

            return JAVA
        case "javascript":
            from yg_old.code.languages.javascript_parts import JAVASCRIPT

            return JAVASCRIPT
        case "kotlin":
            from yg_old.code.languages.kotlin import KOTLIN

            return KOTLIN
        case "php":
            from yg_old.code.languages.php import PHP

            return PHP
        case "python":
            from yg_old.code.languages.python import PYTHON

            return PYTHON
        case "ruby":
            from yg_old.code.languages.ruby import RUBY

            return RUBY
        case "rust":
            from yg_old.code.languages.rust import RUST

            return RUST
        case "scala":
            from yg_old.code.languages.scala import SCALA

            return SCALA
        case "swift":
            from yg_old.code.languages.swift import SWIFT

            return SWIFT
        case "typescript":
            from yg_old.code.languages.javascript_parts import TSX, TYPESCRIPT

            return TSX if ending(path) == "tsx" else TYPESCRIPT
        case _:
            return None
