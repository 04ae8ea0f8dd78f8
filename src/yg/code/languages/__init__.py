"""The language of a file, told from the ending of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yg.code.language import Language

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


def language_of(path: str) -> Language | None:  # noqa: PLR0911 - one line per language
    """Return the language of a file, importing only that one; None if it is not known."""
    match ENDINGS.get(ending(path)):
        case "python":
            from yg.code.languages.python import PYTHON

            return PYTHON
        case _:
            return None
