"""Names in the code and in the texts of nodes, for rules that compare the two."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.code.read import WORDS as WORDS_OF_CODE
from yg_old.code.resolvers.python import STANDARD
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.text.suggest import Suggester
from yg_old.yggdrasil.code.words import CodeWords
from yg_old.yggdrasil.resolve import node_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.package import Document
    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node

IDENTIFIER = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*(?:\(.*\)|\[.*\])?!?")
QUOTED = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
WORD = re.compile(r"[^\W\d]\w*")
FENCE = "```"
LIKELY = 85.0  # the score of a name that is probably meant
SHORTEST = 2  # characters of a name; single letters are variables in a text
# The last parts of file names, which look like those of identifiers.
FILE_ENDINGS = frozenset(
    "c cfg conf cpp cs css csv db env go gz h html ini java jpg js json jsx kt lock log md mjs mod"
    " php pdf png proto py pyi rb rs rst sh sql svg swift tar toml ts tsx txt xml yaml yml"
    " zip".split()
)
# Names that need no code of the node: literals and types of the languages.
BUILTIN = frozenset(
    "Any Array Boolean Box Callable Date Dict Double Err Error Exception False Float Integer"
    " Iterable Iterator KeyError List Long Map None NotImplementedError Number Object Ok Option"
    " Optional OSError Promise Result RuntimeError Self Set Some String True Tuple TypeError Vec"
    " ValueError Void any async await bigint bool boolean byte bytes char class complex const"
    " context datetime def dict double enum error export extends f32 f64 false final float float32"
    " float64 fn frozenset func function i16 i32 i64 i8 impl implements import in int int16 int32"
    " int64 int8 interface isize iter let list long map mut never nil not null number object or"
    " print private protected pub public rune self set short static str string struct super this"
    " throw throws trait true tuple type u16 u32 u64 u8 uint undefined unknown usize var void"
    " yield".split()
)


def last_part(text: str) -> str:
    """Return the last name of an identifier; empty if the text is no identifier."""
    if not IDENTIFIER.fullmatch(text):
        return ""
    name: str = WORD.findall(re.split(r"[(\[]", text, maxsplit=1)[0])[-1]
    return name


def quotes(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what is in back quotes, outside of code blocks, with its position."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(FENCE):
            is_code = not is_code
        if not is_code:
            for match in QUOTED.finditer(line):
                yield match[1], number, match.start() + 1


def quoted_names(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield the identifiers in back quotes, outside of code blocks, each once with its position."""
    seen: set[str] = set()
    for quoted, line, column in quotes(text):
        name = last_part(quoted)
        if name not in seen and is_asked(quoted, name):
            seen.add(name)
            yield quoted, name, line, column


def is_asked(text: str, name: str) -> bool:
    """Return whether a name must be in the code: a letter, or a name of a language, need not."""
    if len(name) < SHORTEST or name in BUILTIN or name in FILE_ENDINGS:
        return False
    return WORD.findall(text)[0] not in STANDARD


class CodeNames:
    """The names in the code and the texts of nodes; a node has those of the nodes below it."""

    def __init__(self, graph: Graph, imports: NodeImports) -> None:
        self._graph = graph
        self._imports = imports
        self._public: dict[str, frozenset[str]] = {}
        self._text_words: dict[str, frozenset[str]] = {}
        self._suggesters: dict[str, Suggester] = {}

    def has_code(self, node: str) -> bool:
        """Return whether the node, or one inside it, has code that can be read."""
        return node in self._imports.files_inside

    def offers(self, node: Node, name: str) -> bool:
        """Return whether a name is declared in the code of a node, or occurs in its texts.

        It need not be public: code imports names that `__all__` leaves out.
        """
        return (
            name in self._public_names(node.path)
            or self._mentions_name(node, name)
            or self._declares(node.path, name)
        )

    def passes_on(self, target: str, name: str, source: str) -> bool:
        """Return whether the code of a target has a name, and that of a source imports it there.

        Code may import what is not declared at that place: an alias, or a name that the imported
        file has imported itself.
        """
        if not any(
            name in self._words_of_code(file) for file in self._imports.files_inside.get(target, ())
        ):
            return False
        taken = (
            taken
            for pair, places in self._imports.places.items()
            if paths.is_inside(pair.source, source) and paths.is_inside(pair.target, target)
            for taken in self._imports.consumed(places)
        )
        return any(last_part(found) == name for found in taken)

    def _words_of_code(self, file: str) -> tuple[str, ...]:
        return self._imports.sources.computed(file, WORDS_OF_CODE) or ()

    def nearest(self, node: str, name: str) -> tuple[str, ...]:
        """Return the public names of a node that are most like a name."""
        if node not in self._suggesters:
            self._suggesters[node] = Suggester(self._public_names(node))
        return self._suggesters[node](name)

    def nearest_of_all(self, name: str) -> tuple[str, ...]:
        """Return the public names of all nodes that are most like a name."""
        return self._suggest(name)

    @cached_property
    def _suggest(self) -> Suggester:
        return Suggester(self._names(self._imports.facts), least=LIKELY)

    def lacking(self, names: Iterable[str]) -> frozenset[str]:
        """Return the names that occur neither in the code nor among the names of the graph.

        A name in a file that is not code, such as a configuration, is not lacking, either.
        """
        missing = {name for name in names if name not in self._graph_names}
        if missing:
            missing.difference_update(*map(_module_names, self._imports.files))
        if missing:
            missing.difference_update(self._names(self._imports.facts))
        return CodeWords(self._imports.sources).lacking_everywhere(missing)

    @cached_property
    def _graph_names(self) -> frozenset[str]:
        """The words in the names of nodes, aspects, flows, types and artifacts."""
        graph = self._graph
        named = (
            *graph.nodes.ids(),
            *graph.aspects.ids(),
            *graph.flows.ids(),
            *graph.config.node_types,
            *graph.config.artifacts,
        )
        return frozenset(word for name in named for word in WORD.findall(name))

    def _public_names(self, node: str) -> frozenset[str]:
        if node not in self._public:
            self._public[node] = self._names(self._imports.files_inside.get(node, ()))
        return self._public[node]

    def _names(self, files: Iterable[str]) -> frozenset[str]:
        """Return the last parts of the public names in files, and the names of the modules."""
        facts = self._imports.facts
        found = {part for file in files for name in facts[file].signatures for part in _ends(name)}
        return frozenset(found.union(*map(_module_names, files)))

    def _declares(self, node: str, name: str) -> bool:
        facts = self._imports.facts
        return any(
            name in _ends(part)
            for file in self._imports.files_inside.get(node, ())
            for part in facts[file].parts
        )

    def _mentions_name(self, node: Node, name: str) -> bool:
        return name in self._words_of_texts(node)

    def _words_of_texts(self, node: Node) -> frozenset[str]:
        if node.path not in self._text_words:
            texts = map(text_of, node_texts(self._graph, node))
            self._text_words[node.path] = frozenset(
                word for text in texts for word in WORD.findall(text)
            )
        return self._text_words[node.path]


def text_of(document: Document) -> str:
    """Return a text of a node; empty if it cannot be read."""
    try:
        return document.source.value
    except UnreadableError:
        return ""  # reported by another rule


def _ends(name: str) -> list[str]:
    return WORD.findall(name)[-1:]


def _module_names(file: str) -> list[str]:
    """Return the names of a file without its ending, and of the folders that it is in."""
    return WORD.findall(file.rpartition(".")[0])
