"""Repositories whose manifests and imports are made to take long, each of about a number of bytes.

resolve       resolves the imports of one, and relates them to nodes
REPOSITORIES  how each is made
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import convert

from yg.code.draft.ties import Targets, Uses, acyclic, imports_between
from yg.code.facts import ImportFact
from yg.code.resolve import Resolution

Repository: TypeAlias = dict[str, Any]
Fact: TypeAlias = "str | Mapping[str, Any]"


def repository(files: Mapping[str, str], imports: Mapping[str, Sequence[Fact]]) -> Repository:
    """Return files, and what some of them import, as data that JSON can hold."""
    facts = {
        file: [_fact(fact, line) for line, fact in enumerate(listed, 1)]
        for file, listed in imports.items()
    }
    return {"files": dict(files), "imports": facts}


def _fact(fact: Fact, line: int) -> Mapping[str, Any]:
    given: Mapping[str, Any] = {"module": fact} if isinstance(fact, str) else fact
    return {"line": line, **given}


def imports_of(made: Repository) -> dict[str, tuple[ImportFact, ...]]:
    """Return what the files of a repository import."""
    return {
        file: tuple(convert(fact, ImportFact) for fact in facts)
        for file, facts in made["imports"].items()
    }


def resolve(made: Repository) -> int:
    """Resolve all imports of a repository in which each file is a node; return how many lead."""
    files: dict[str, str] = made["files"]
    imports = imports_of(made)
    every = {**files, **dict.fromkeys(imports, "")}
    found = Resolution(every, imports, files.get).edges
    owners = {file: file for file in every}
    targets = Targets(owners, every)
    pairs = imports_between(found, owners, targets, lambda _: True)
    # A draft has few nodes that import others.
    few = {pair: len(places) for pair, places in pairs.items() if pair[0] < "b"}
    uses = Uses(found, owners, targets)
    return len(found) + len(acyclic(few, {})) + len(uses.names) + len(uses.users(["a"]))


def numbered(pattern: str, size: int) -> list[str]:
    """Return numbered copies of a pattern, which have about `size` characters together."""
    number = size // len(pattern.replace("{}", "9999")) + 1
    return [pattern.replace("{}", str(at)) for at in range(number)]


def in_half(size: int, one: str, other: str) -> tuple[list[str], list[str]]:
    """Return copies of two patterns, each with half of the size."""
    return numbered(one, size // 2), numbered(other, size // 2)


def toml(text: Callable[[int], str]) -> Callable[[int], Repository]:
    """Return a maker of crates whose manifest has some text besides their names."""

    def make(size: int) -> Repository:
        package = '[package]\nname = "c"\n'
        files = {"Cargo.toml": f"{package}{text(size)}", "src/lib.rs": "", "src/a.rs": ""}
        return repository(files, {"src/lib.rs": ["crate::a"]})

    return make


def python_roots(size: int) -> Repository:
    """Many projects with a module of one name, and many imports of it."""
    projects, imports = in_half(size, "p{}/pyproject.toml", "import common{}")
    files = dict.fromkeys(projects, "")
    files |= {file.replace("pyproject.toml", "common.py"): "" for file in projects}
    return repository(files, {"main.py": ["common"] * len(imports)})


def python_namespaces(size: int) -> Repository:
    """Many projects with a folder of one name, and many imports from it."""
    projects, imports = in_half(size, "p{}/pyproject.toml", "ns.gone{}")
    files = dict.fromkeys(projects, "")
    files |= {file.replace("pyproject.toml", "ns/a.py"): "" for file in projects}
    return repository(files, {"main.py": [*imports, *(["ns.a"] * len(imports))]})


def python_names(size: int) -> Repository:
    """Long dotted names, relative ones, and many names of one module."""
    dotted = ["a." * 400 + "b", *numbered("a.b.c{}.d.e.f", size)]
    relative = [{"module": "x", "level": level % 90} for level in range(size // 20)]
    names = {"module": "a.b", "names": numbered("name{}", size)}
    files = {"a/__init__.py": "", "a/b/__init__.py": "", "a/b/c.py": ""}
    return repository(files, {"a/main.py": [*dotted, *relative, names]})


def tsconfig_aliases(size: int) -> Repository:
    """Many aliases with a star, and many imports that match their beginnings."""
    aliases, imports = in_half(size, '"@{}/*/end": ["./gone{}/*"]', "@{}/x/other")
    text = f'{{"compilerOptions": {{"paths": {{{", ".join(aliases)}}}}}}}'
    return repository({"tsconfig.json": text}, {"a.ts": imports})


def tsconfig_prefixes(size: int) -> Repository:
    """Aliases of which each begins with the one before."""
    lengths = range(1, 51)
    aliases = [f'"{"a" * length}*{"z" * (length % 20)}": ["./x/*"]' for length in lengths]
    text = f'{{"compilerOptions": {{"paths": {{{", ".join(aliases)}}}}}}}'
    return repository({"tsconfig.json": text}, {"a.ts": numbered("a" * 60 + "{}", size)})


def tsconfigs_of_one_base(size: int) -> Repository:
    """Many configurations that extend one with many aliases."""
    folders, aliases = in_half(size, "p{}/tsconfig.json: extends", '"@{}/*": ["./gone/*"]')
    base = f'{{"compilerOptions": {{"paths": {{{", ".join(aliases)}}}}}}}'
    extending = '{"extends": "../base.json"}'
    configs = {f"p{at}/tsconfig.json": extending for at in range(len(folders))}
    imports = {f"p{at}/a.ts": ["@1/b"] for at in range(len(folders))}
    return repository({"base.json": base, **configs}, imports)


def tsconfig_references(size: int) -> Repository:
    """Configurations that refer to sixteen others, each of which extends sixteen."""
    files = {f"c/base{at}.json": "{}" for at in range(16)}
    listed = ", ".join(f'"./base{at}.json"' for at in range(16))
    files |= {f"c/one{at}.json": f'{{"extends": [{listed}]}}' for at in range(16)}
    referred = ", ".join(f'{{"path": "../c/one{at}.json"}}' for at in range(16))
    number = size // 500 + 1
    files |= {f"p{at}/tsconfig.json": f'{{"references": [{referred}]}}' for at in range(number)}
    return repository(files, {f"p{at}/a.ts": ["x"] for at in range(number)})


def chain_of_configurations(size: int) -> Repository:
    """A long chain of configurations, each of which extends the next."""
    number = size // 40 + 1
    files = {f"c{at}.json": f'{{"extends": "./c{at + 1}.json"}}' for at in range(number)}
    files["tsconfig.json"] = '{"extends": "./c0.json"}'
    return repository(files, {"a.ts": ["x"] * (size // 10)})


def package(data: str, imports: Sequence[str]) -> Repository:
    """A workspace with one package, and imports of it."""
    files = {"package.json": '{"workspaces": ["*"]}', "p/package.json": data, "p/a.ts": ""}
    return repository(files, {"a.ts": imports})


def exports_with_stars(size: int) -> Repository:
    """A target of `exports` with many stars."""
    target = "*" * min(size, 240_000)
    return package(f'{{"name": "p", "exports": {{"./*": "{target}"}}}}', ["p/" + "x" * 900])


def exports_patterns(size: int) -> Repository:
    """Many patterns in `exports`, and many imports that match none of them, or many."""
    entries, imports = in_half(size, '"./{}*z": "./gone*"', "p/{}y")
    data = f'{{"name": "p", "exports": {{{", ".join(entries)}}}}}'
    return package(data, imports)


def exports_of_one_path(size: int) -> Repository:
    """One entry of `exports` with many conditions, for many imports."""
    entries, imports = in_half(size, '"c{}": "./gone{}"', "p/y{}")
    nested = f"{{{', '.join(entries)}}}"
    return package(f'{{"name": "p", "exports": {{"./*": {nested}, ".": {nested}}}}}', imports)


def exports_without_paths(size: int) -> Repository:
    """Many conditions at the top of `exports`, for many imports."""
    entries, imports = in_half(size, '"c{}": "./gone{}"', "p/y")
    return package(f'{{"name": "p", "exports": {{{", ".join(entries)}}}}}', imports)


def unresolvable_imports(size: int) -> Repository:
    """One name that leads nowhere, again and again, through aliases with long places."""
    places = ", ".join(f'"./{"x/" * 450}{at}*"' for at in range(16))
    text = f'{{"compilerOptions": {{"baseUrl": "x", "paths": {{"@*": [{places}]}}}}}}'
    return repository({"tsconfig.json": text}, {"a.ts": ["@gone"] * (size // 10)})


def relative_imports(size: int) -> Repository:
    """Long relative paths, up and down."""
    return repository(
        {"a/b.ts": ""}, {"a/a.ts": ["../a/" * at + "b" for at in (1, 50, 150)] * (size // 1000 + 1)}
    )


def packages(size: int) -> Repository:
    """Many packages of a workspace that import each other."""
    number = size // 60 + 1
    files = {f"p{at}/package.json": f'{{"name": "p{at}", "main": "a"}}' for at in range(number)}
    files |= {"package.json": '{"workspaces": ["*"]}'}
    return repository(files, {f"p{at}/a.ts": [f"p{at + 1}", "p0"] for at in range(number)})


def go_workspace(size: int) -> Repository:
    """Many modules of one workspace that import each other."""
    number = size // 80 + 1
    files = {f"m{at}/go.mod": f"module x/m{at}\n" for at in range(number)}
    files["go.work"] = "".join(f"use ./m{at}\n" for at in range(number))
    return repository(files, {f"m{at}/a.go": [f"x/m{at + 1}", "x/m0"] for at in range(number)})


def go_replacements(size: int) -> Repository:
    """Many replacements, and many imports that start with none of them."""
    lines, imports = in_half(size, "replace x/r{} => ./r{}", "x/" + "s/" * 20 + "{}")
    files = {"go.mod": "module m\n" + "\n".join(lines), "r1/a.go": ""}
    return repository(files, {"a.go": [*imports, "x/r1"]})


def go_package_of_many_files(size: int) -> Repository:
    """A package of many files that many others import."""
    number = size // 40 + 1
    files = {"go.mod": "module m\n", **{f"p/f{at}.go": "" for at in range(number)}}
    return repository(files, {f"i{at}/a.go": ["m/p"] for at in range(number)})


def java_classes_of_one_name(size: int) -> Repository:
    """One class that many files declare, and many imports of it."""
    number = size // 60 + 1
    declared = {"module": "p", "form": "package"}
    imports: dict[str, list[Fact]] = {f"d{at}/A.java": [declared] for at in range(number)}
    wanted: list[Fact] = [{"module": "p", "names": [name]} for name in ("A", "*")]
    imports["B.java"] = wanted * number
    return repository({}, imports)


def java_members(size: int) -> Repository:
    """Imports with long names of which no beginning is a class."""
    long = {"module": "a." * 300 + "b", "names": ["c"]}
    declared = {"module": "p", "form": "package"}
    return repository({}, {"A.java": [declared, *[long] * (size // 600 + 1)]})


def rust_paths(size: int) -> Repository:
    """Modules at places that attributes name, and paths up through them."""
    number = size // 40 + 1
    facts: list[Fact] = [
        {"module": f"../src/m{at}.rs", "names": [f"m{at}"], "form": "path"} for at in range(number)
    ]
    files = {"Cargo.toml": '[package]\nname = "c"\n', "src/lib.rs": ""}
    files |= {f"src/m{at}.rs": "" for at in range(number)}
    users: dict[str, Sequence[Fact]] = {
        f"src/m{at}.rs": ["crate::m1", "super::super::m2", "self::x"] for at in range(number)
    }
    return repository(files, {"src/lib.rs": facts, **users})


def rust_chain(size: int) -> Repository:
    """Each module declared by the one before, and paths from the root in each."""
    number = size // 60 + 1
    files = {"Cargo.toml": '[package]\nname = "c"\n', "src/lib.rs": ""}
    path = {"form": "path", "names": ["n"]}
    imports: dict[str, Sequence[Fact]] = {
        f"src/m{at}.rs": [{"module": f"m{at + 1}.rs", **path}, "crate::n", "super::n::n"]
        for at in range(number)
    }
    return repository(files, {"src/lib.rs": [{"module": "m0.rs", **path}], **imports})


def rust_workspace(size: int) -> Repository:
    """Many crates that depend on each other through their workspace."""
    number = size // 150 + 1
    listed = "".join(f'c{at} = {{path = "c{at}"}}\n' for at in range(number))
    files = {"Cargo.toml": f'[workspace]\nmembers = ["*"]\n[workspace.dependencies]\n{listed}'}
    crate = (
        '[package]\nname = "c{}"\nedition.workspace = true\n[dependencies]\nc{}.workspace = true'
    )
    files |= {f"c{at}/Cargo.toml": crate.format(at, at + 1) for at in range(number)}
    return repository(
        files, {f"c{at}/src/lib.rs": [f"c{at + 1}::A", "c0::B"] for at in range(number)}
    )


def rust_edition(size: int) -> Repository:
    """An edition that is a large table, and many imports."""
    keys, imports = in_half(size, "k{} = 1", "use a::b{}")
    manifest = f'[package]\nname = "c"\nedition = {{{", ".join(keys)}}}\n'
    files = {"Cargo.toml": manifest, "src/lib.rs": ""}
    return repository(files, {"src/lib.rs": ["a::b"] * len(imports)})


REPOSITORIES: dict[str, Callable[[int], Repository]] = {
    "toml: one dotted key": toml(lambda size: "a." * (size // 2) + "a = 1"),
    "toml: one dotted table": toml(lambda size: "[" + "a." * (size // 2) + "a]"),
    "toml: one key of quoted parts": toml(lambda size: '"a" . ' * (size // 6) + "a = 1"),
    "toml: a dotted key between braces": toml(lambda size: "x = {" + "a." * (size // 2) + "a = 1}"),
    "toml: many keys in a deep table": toml(
        lambda size: "[" + "a." * 30 + "a]\n" + "\n".join(numbered("k{} = 1", size))
    ),
    "toml: many deep keys": toml(
        lambda size: "\n".join(numbered("k{}" + ".a" * 30 + " = 1", size))
    ),
    "toml: many tables of one list": toml(lambda size: "[[bin]]\n" * (size // 8)),
    "toml: lists in lists": toml(lambda size: "a = " + "[" * size),
    "toml: a string that is not closed": toml(lambda size: 'a = "' + '\\"' * (size // 2)),
    "toml: many strings that are not closed": toml(lambda size: "'\n" * (size // 2) + "." * 99),
    "toml: quotes": toml(lambda size: '"' * size + "." * 99),
    "toml: long strings": toml(lambda size: 'a = """' + '""\\' * (size // 3) + "." * 99),
    "python: projects with one module": python_roots,
    "python: projects with one namespace": python_namespaces,
    "python: names": python_names,
    "ts: aliases": tsconfig_aliases,
    "ts: aliases that begin with others": tsconfig_prefixes,
    "ts: configurations of one base": tsconfigs_of_one_base,
    "ts: references": tsconfig_references,
    "ts: a chain of configurations": chain_of_configurations,
    "js: stars in exports": exports_with_stars,
    "js: patterns in exports": exports_patterns,
    "js: conditions of a path": exports_of_one_path,
    "js: conditions without a path": exports_without_paths,
    "js: one import that leads nowhere": unresolvable_imports,
    "js: relative imports": relative_imports,
    "js: packages": packages,
    "go: modules of a workspace": go_workspace,
    "go: replacements": go_replacements,
    "go: a package of many files": go_package_of_many_files,
    "java: classes of one name": java_classes_of_one_name,
    "java: long names": java_members,
    "rust: paths of modules": rust_paths,
    "rust: a chain of modules": rust_chain,
    "rust: crates of a workspace": rust_workspace,
    "rust: an edition that is a table": rust_edition,
}


def deep_manifests(size: int) -> Repository:
    """Several manifests of the largest size, with as many tables as possible."""
    keys = "".join(numbered("k{}" + ".a" * 31 + "=1\n", 250_000))
    package = '[package]\nname = "c{}"\n[dependencies]\n'
    manifests = [package.replace("{}", str(at)) + keys for at in range(size // 250_000)]
    files = {f"c{at}/Cargo.toml": text for at, text in enumerate(manifests)}
    return repository(files, {"c0/src/lib.rs": ["a::b"]})


def objects(size: int) -> Repository:
    """Several manifests of the largest size, full of small objects."""
    entries = ",".join(['{"":{}}'] * (240_000 // 8))
    files = {f"p{at}/package.json": f'{{"a": [{entries}]}}' for at in range(size // 240_000)}
    return repository(files, {"a.ts": ["b"]})


LARGEST: dict[str, Callable[[int], Repository]] = {"toml": deep_manifests, "json": objects}
