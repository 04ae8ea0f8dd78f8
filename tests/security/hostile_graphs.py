"""Graphs that are made to take long to check, each of about a number of entries.

SHAPES   how each is made, by name: the files of a repository, which has a node `a`
TABLES   the same, with the name of the function that reads it
ask      answers a command line about such a repository, in memory
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeAlias

from graphs import NODE, SCHEMAS, placed, snapshot_from
from yg.commands.table import BY_NAME
from yg.commands.workspace import Workspace
from yg.kernel.errors import YgError
from yg.kernel.palette import PLAIN
from yg.kernel.report import error_text
from yg.kernel.snapshot import DictSnapshot
from yg.surfaces.cli.arguments import parse

Files: TypeAlias = dict[str, str]
Shape: TypeAlias = Callable[[int], Files]

DEEPEST = 150  # directories inside one another, however large the graph is
SHAPES: dict[str, Shape] = {}
TABLES = {"graphs": ("check", SHAPES)}
TYPES = "artifacts: {responsibility.md: {included_in_relations: true}"


class InMemory(Workspace):
    """A workspace whose repository is a dict of texts."""

    def __init__(self, files: Files) -> None:
        super().__init__("/", uses_cache=False)
        self._texts = files

    @cached_property
    def root(self) -> str:
        """The root, where nothing of this is."""
        return "/"

    @cached_property
    def snapshot(self) -> DictSnapshot:
        """The texts."""
        return snapshot_from(self._texts)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """All files of the repository."""
        return tuple(sorted(map(placed, self._texts)))

    def exists(self, path: str) -> bool:
        """Return whether the dict has a path."""
        return self.snapshot.kind(path) is not None

    @property
    def git_prefix(self) -> str:
        """There is no git."""
        return ""


def ask(files: Files, line: str) -> str:
    """Answer a command line; an error is an answer too."""
    name, *words = line.split()
    command = BY_NAME[name].load()
    arguments = parse(command, words, lambda: ())
    try:
        document = command.ask(InMemory(files), arguments.request)
    except YgError as error:
        return error_text(error, PLAIN)
    return command.write(document, arguments.form, PLAIN)


def check(files: Files) -> None:
    """Validate a graph."""
    ask(files, "validate")


def shape(make: Shape) -> Shape:
    """Add a shape to the table, under the name of the function in words."""

    def whole(number: int) -> Files:
        return {**SCHEMAS, "model/a/yg-node.yaml": NODE, "src/a.py": "a = 1\n", **make(number)}

    SHAPES[make.__name__.replace("_", " ")] = whole
    return whole


def node(path: str, text: str = "") -> Files:
    return {f"model/{path}/yg-node.yaml": NODE + text}


def nodes(number: int, text: str = "", name: str = "n{}") -> Files:
    """Make nodes; `{}` in the name and the text is the number of each."""
    made = [node(name.format(at), text.replace("{}", str(at))) for at in range(number)]
    return {path: text for each in made for path, text in each.items()}


def aspect(name: str, implies: Iterable[str] = ()) -> Files:
    implied = f"implies: [{', '.join(implies)}]\n"
    return {f"aspects/{name}/yg-aspect.yaml": f"name: A\n{implied}"}


def aspects(number: int, implied: Callable[[int], Iterable[int]] = lambda _: ()) -> Files:
    made = [aspect(f"x{at}", (f"x{to}" for to in implied(at))) for at in range(number)]
    return {path: text for each in made for path, text in each.items()}


def flow(nodes: Iterable[str], more: str = "", name: str = "f") -> Files:
    return {f"flows/{name}/yg-flow.yaml": f"name: F\nnodes: [{', '.join(nodes)}]\n{more}"}


def many(item: str, number: int) -> str:
    """Return the items of a list in brackets."""
    return f"[{', '.join(item.replace('{}', str(at)) for at in range(number))}]"


def relations(targets: Iterable[object], kind: str = "calls") -> str:
    items = (f"{{target: {target}, type: {kind}}}" for target in targets)
    return f"relations: [{', '.join(items)}]\n"


def config(more: str = "", types: str = "{service: {description: S}}", files: str = "") -> Files:
    text = f"name: test\nnode_types: {types}\n{TYPES}{files}}}\n{more}"
    return {"yg-config.yaml": text}


def merged(parts: Iterable[Files]) -> Files:
    return {path: text for part in parts for path, text in part.items()}


# Relations.


@shape
def a_chain(number: int) -> Files:
    return merged(node(f"n{at}", relations([f"n{at + 1}"])) for at in range(number)) | node(
        f"n{number}"
    )


@shape
def a_ring(number: int) -> Files:
    return merged(node(f"n{at}", relations([f"n{(at + 1) % number}"])) for at in range(number))


@shape
def many_rings(number: int) -> Files:
    return merged(node(f"n{at}", relations([f"n{at ^ 1}"])) for at in range(number + number % 2))


@shape
def a_clique(number: int) -> Files:
    members = range(int(2 * number**0.5))
    links = ((at, [f"n{to}" for to in members if to != at]) for at in members)
    return merged(node(f"n{at}", relations(targets)) for at, targets in links)


@shape
def many_that_use_one(number: int) -> Files:
    return nodes(number, relations(["a"]))


@shape
def one_that_uses_many(number: int) -> Files:
    return nodes(number) | node("a", relations(f"n{at}" for at in range(number)))


@shape
def one_relation_many_times(number: int) -> Files:
    item = "{target: b, type: calls, consumes: [c{}], failure: f{}}"
    return node("b") | node("a", f"relations: {many(item, number)}\n")


@shape
def events_without_another_side(number: int) -> Files:
    sides = {"a": "{target: b, type: emits, event_name: e{}}", "b": "{target: a, type: listens}"}
    return merged(node(at, f"relations: {many(item, number)}\n") for at, item in sides.items())


@shape
def things_consumed(number: int) -> Files:
    item = f"{{target: b, type: calls, consumes: {many('c{}', number)}}}"
    return node("b") | node("a", f"relations: [{item}]\n")


@shape
def types_that_may_use_themselves(number: int) -> Files:
    types = many("t{}: {description: T, may_use: [t{}]}", number).strip("[]")
    ring = (f"name: N\ntype: t{at}\n{relations([f'n{(at + 1) % number}'])}" for at in range(number))
    return config(types=f"{{{types}, service: {{description: S}}}}") | {
        f"model/n{at}/yg-node.yaml": text for at, text in enumerate(ring)
    }


# Names that do not exist.


@shape
def unknown_targets(number: int) -> Files:
    return nodes(number) | node("a", relations(f"x/y{at}" for at in range(number)))


@shape
def unknown_aspects(number: int) -> Files:
    return aspects(number) | node("a", f"aspects: {many('{aspect: y{}}', number)}\n")


@shape
def unknown_participants(number: int) -> Files:
    return nodes(number) | flow(f"y{at}" for at in range(number))


@shape
def unknown_types(number: int) -> Files:
    return {f"model/n{at}/yg-node.yaml": f"name: N\ntype: servce{at}\n" for at in range(number)}


@shape
def unknown_keys(number: int) -> Files:
    return node("a", "".join(f"key{at}: 1\n" for at in range(number)))


@shape
def unknown_rules(number: int) -> Files:
    return config(f"rules: {{{many('X{}: error', number).strip('[]')}}}\n")


@shape
def a_long_name_that_does_not_exist(number: int) -> Files:
    return nodes(3, name=f"{'x' * 200}{{}}") | node("a", relations(["x" * 20 * number]))


# Aspects and flows.


@shape
def aspects_that_imply_the_next(number: int) -> Files:
    return aspects(number, lambda at: [at + 1]) | node("a", "aspects: [{aspect: x0}]\n")


@shape
def aspects_that_imply_each_other(number: int) -> Files:
    return aspects(number, lambda at: [(at + 1) % number]) | node("a", "aspects: [{aspect: x0}]\n")


@shape
def an_aspect_that_implies_all(number: int) -> Files:
    implied = [f"x{at}" for at in range(number)]
    return aspects(number) | aspect("z", implied) | node("a", "aspects: [{aspect: z}]\n")


@shape
def many_nodes_of_an_aspect_that_implies_some(number: int) -> Files:
    implied = [f"x{at}" for at in range(20)]
    return aspects(20) | aspect("z", implied) | nodes(number, "aspects: [{aspect: z}]\n")


@shape
def many_aspects_of_a_parent(number: int) -> Files:
    uses = f"aspects: {many('{aspect: x{}}', number)}\n"
    return aspects(number) | node("a", uses) | nodes(5, name="a/n{}")


@shape
def many_exceptions_of_a_parent(number: int) -> Files:
    uses = f"aspects: [{{aspect: x0, exceptions: {many('e{}', number)}}}]\n"
    return aspects(1) | node("a", uses) | nodes(5, name="a/n{}")


@shape
def aspects_that_a_type_requires(number: int) -> Files:
    required = f"required_aspects: {many('x{}', number)}"
    return aspects(number) | config(types=f"{{service: {{description: S, {required}}}}}")


@shape
def aspects_with_equal_names(number: int) -> Files:
    return merged(aspect(f"{'aA'[at % 2]}{at // 2}") for at in range(number))


@shape
def a_flow_of_all(number: int) -> Files:
    return nodes(number) | flow(["a", *(f"n{at}" for at in range(number))])


@shape
def many_flows_of_a_parent(number: int) -> Files:
    flows = merged(flow(["a"], name=f"f{at}") for at in range(number))
    return flows | nodes(5, name="a/n{}")


@shape
def a_flow_with_all_aspects(number: int) -> Files:
    return aspects(number) | flow(["a"], f"aspects: {many('x{}', number)}\n")


@shape
def one_participant_many_times(number: int) -> Files:
    return flow(["a"] * number, f"aspects: [{', '.join(['x0'] * number)}]\n") | aspects(1)


# Mappings and files.


@shape
def one_path_many_times(number: int) -> Files:
    return node("a", f"mapping: {{paths: {many('src', number)}}}\n")


@shape
def one_path_of_many_nodes(number: int) -> Files:
    return nodes(number, "mapping: {paths: [src]}\n")


@shape
def all_of_many_nodes(number: int) -> Files:
    sources = {f"src/{at}.py": "" for at in range(number)}
    return nodes(number, "mapping: {paths: [., src]}\n") | sources


@shape
def a_path_of_many_steps(number: int) -> Files:
    return node("a", f"mapping: {{paths: [{'/'.join('s' * number)}]}}\n")


@shape
def paths_inside_one_another(number: int) -> Files:
    steps = range(1, int(2 * number**0.5))
    return merged(node(f"n{at}", f"mapping: {{paths: [{'/'.join('s' * at)}]}}\n") for at in steps)


@shape
def many_mapped_files(number: int) -> Files:
    sources = {f"src/{at}.py": "" for at in range(number)}
    return node("a", f"mapping: {{paths: {many('src/{}.py', number)}}}\n") | sources


@shape
def paths_that_leave(number: int) -> Files:
    return node("a", f"mapping: {{paths: {many('../x{}', number)}}}\n")


@shape
def anchors(number: int) -> Files:
    use = f"{{aspect: x0, anchors: {many('gone{}', number)}}}"
    return aspects(1) | node("a", f"aspects: [{use}]\nmapping: {{paths: [src]}}\n")


@shape
def nodes_inside_one_another(number: int) -> Files:
    deep = merged(node("/".join("m" * at)) for at in range(1, DEEPEST // 2))
    return deep | nodes(number, name=f"{'/'.join('m' * (DEEPEST // 2))}/n{{}}")


@shape
def artifacts_that_are_not_configured(number: int) -> Files:
    return {f"model/a/{at}.md": "A text.\n" for at in range(number)}


@shape
def artifacts_that_are_configured(number: int) -> Files:
    types = "".join(f", {at}.md: {{required: always}}" for at in range(number))
    return config(files=types) | {f"model/a/{at}.md": "A text.\n" for at in range(number)}


@shape
def directories_without_a_declaration(number: int) -> Files:
    places = ("model/x{}/y.md", "aspects/g/x{}/y.md", "flows/x{}/y.md", "flows/x{}.md")
    return {place.format(at): "" for place in places for at in range(number)}


@shape
def patterns_of_coverage(number: int) -> Files:
    sources = {f"src/{at}/b{at}.py": "" for at in range(50)}
    patterns = many('"**/b{}*c"', number)
    return config(f"coverage: {{exclude: {patterns}}}\n") | sources


@shape
def files_that_a_pattern_excludes(number: int) -> Files:
    sources = {f"src/{at}/b{at}.py": "" for at in range(number)}
    return config('coverage: {exclude: ["**/b*/**/*.py", "*.js"]}\n') | sources
