"""What the documents say about graphs, in the simplest words and without the program.

Everything here is written from the documents and is slow on purpose. A graph is a dict of texts;
only mistakes that `random_graphs` makes are recognised.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import yaml

Files = dict[str, str]
Issue = tuple[str, str]  # code and subject

DECLARATIONS = {"model": "yg-node.yaml", "aspects": "yg-aspect.yaml", "flows": "yg-flow.yaml"}
STRUCTURAL = ("uses", "calls", "extends", "implements")
EVENTS = ("emits", "listens")


class Graph(NamedTuple):
    """The declarations of a graph by path, as YAML says them."""

    files: Files
    config: Any
    nodes: dict[str, Any]
    aspects: dict[str, Any]
    flows: dict[str, Any]
    bad: dict[str, set[str]]  # for each tree, what has a declaration that cannot be used


def load(files: Files) -> Graph:
    """Read the declarations of a graph."""
    trees: dict[str, dict[str, Any]] = {}
    bad: dict[str, set[str]] = {}
    for tree, name in DECLARATIONS.items():
        trees[tree], bad[tree] = {}, set()
        for path in sorted(folders(files, tree)):
            text = files.get(f"{folder(tree, path)}/{name}")
            value = None if text is None else parsed(text)
            if text is not None and is_sound(tree, value):
                trees[tree][path] = value
            elif text is not None:
                bad[tree].add(path)
    config = yaml.safe_load(files["yg-config.yaml"])
    return Graph(files, config, trees["model"], trees["aspects"], trees["flows"], bad)


def parsed(text: str) -> Any:
    """Return the value of a text; None if it is not YAML."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def is_sound(tree: str, value: Any) -> bool:
    """Return whether a declaration has what its kind needs."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    if tree == "flows":
        return bool(value.get("nodes"))
    if tree == "aspects":
        return True
    kinds = [relation["type"] for relation in value.get("relations", [])]
    notes = [note for use in value.get("aspects", []) for note in use.get("exceptions", [])]
    return (
        "type" in value
        and all(kind in (*STRUCTURAL, *EVENTS) for kind in kinds)
        and all(notes)
        and ("mapping" not in value or bool(value["mapping"]["paths"]))
    )


def folder(tree: str, path: str) -> str:
    return tree if path == "." else f"{tree}/{path}"


def folders(files: Files, tree: str) -> set[str]:
    """Return every folder of a tree with a visible file at or below it, `.` for the tree."""
    found = set()
    for file in files:
        parts = file.split("/")
        if parts[0] == tree and not any(part.startswith(".") for part in parts):
            found |= {"/".join(parts[1:end]) or "." for end in range(1, len(parts))}
    return found


def above(path: str) -> list[str]:
    """Return the paths above a path, the root first."""
    if path == ".":
        return []
    parts = path.split("/")
    return [".", *["/".join(parts[:end]) for end in range(1, len(parts))]]


def texts_in(files: Files, directory: str) -> list[str]:
    """Return the names of the files in a directory, by code point, without declarations."""
    names = [file.rpartition("/")[2] for file in files if file.rpartition("/")[0] == directory]
    declared = DECLARATIONS.values()
    return sorted(name for name in names if name not in declared and not name.startswith("."))


# Packages


def lineage(graph: Graph, path: str) -> list[str]:
    """Return the nodes above a node, root first."""
    return [place for place in above(path) if place in graph.nodes]


def artifacts(graph: Graph, path: str) -> list[str]:
    """Return the names of a node's artifacts, in the order of the configuration."""
    there = texts_in(graph.files, folder("model", path))
    return [name for name in graph.config["artifacts"] if name in there]


def shared(graph: Graph, path: str) -> list[str]:
    """Return the artifacts that dependents see."""
    names = artifacts(graph, path)
    known = graph.config["artifacts"]
    return [name for name in names if known[name].get("included_in_relations")] or names


def own_ids(graph: Graph, path: str) -> list[str]:
    return [use["aspect"] for use in graph.nodes[path].get("aspects", [])]


def with_implied(graph: Graph, ids: Iterable[str], seen: tuple[str, ...] = ()) -> list[str]:
    """Follow `implies` depth first; the first occurrence of an aspect counts."""
    found: list[str] = []
    for name in ids:
        if name in graph.aspects and name not in seen:
            implied = graph.aspects[name].get("implies", [])
            found += [name, *with_implied(graph, implied, (*seen, name))]
    return list(dict.fromkeys(found))


def flows(graph: Graph, path: str) -> list[str]:
    """Return the flows that list a node or one above it."""
    line = {*lineage(graph, path), path}
    return [name for name in sorted(graph.flows) if line & set(graph.flows[name]["nodes"])]


def effective(graph: Graph, path: str) -> list[str]:
    """Return the aspects of hierarchy, own and flow blocks with all they imply."""
    ids = [name for place in lineage(graph, path) for name in own_ids(graph, place)]
    ids += own_ids(graph, path)
    ids += [name for flow in flows(graph, path) for name in graph.flows[flow].get("aspects", [])]
    return with_implied(graph, ids)


class Block(NamedTuple):
    """A block: its tag, its attributes, its content, and the files that decide it."""

    tag: str
    attributes: dict[str, str]
    content: str | None
    files: list[str]

    def __str__(self) -> str:
        words = "".join(f' {key}="{escape(text)}"' for key, text in self.attributes.items() if text)
        if self.content is None:
            return f"<{self.tag}{words}/>"
        return f"<{self.tag}{words}>\n{self.content}</{self.tag}>"


def escape(text: str) -> str:
    for old, new in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(old, new)
    return text


def quoted(files: Files, directory: str, names: Iterable[str]) -> tuple[str, list[str]]:
    """Return documents one after another, each with its heading, and their paths."""
    content = ""
    for name in names:
        text = files[f"{directory}/{name}"]
        found = re.fullmatch(r"(.*?)(\r?\n)?(?:\r?\n)*", text, re.DOTALL)
        assert found
        body, end = found[1], found[2] or "\n"
        content += f"### {name}\n" + (f"{body}{end}" if body else "")
    return content, [f"{directory}/{name}" for name in names]


def joined(graph: Graph, ids: Iterable[str]) -> str:
    return ",".join(with_implied(graph, ids))


def described(part: Any, lines: list[str], content: str) -> str:
    """Return the description of a part, if it has one, and lines before its documents."""
    groups = [[f"Description: {part['description']}"] if part.get("description") else [], lines]
    kept = ["\n".join(group) + "\n" for group in groups if group]
    return "\n".join([*kept, content] if content else kept)


def blocks(graph: Graph, path: str) -> Iterator[Block]:
    """Yield the blocks of a package."""
    files, node = graph.files, graph.nodes[path]
    yield Block("global", {}, f"**Project:** {graph.config['name']}\n", [])
    for place in lineage(graph, path):
        directory = folder("model", place)
        content, used = quoted(files, directory, artifacts(graph, place))
        words = {"path": f"{place}/", "aspects": joined(graph, own_ids(graph, place))}
        content = described(graph.nodes[place], [], content)
        yield Block("hierarchy", words, content, [f"{directory}/yg-node.yaml", *used])
    names = ["yg-node.yaml", *artifacts(graph, path)]
    content, used = quoted(files, folder("model", path), names)
    yield Block("own-artifacts", {"aspects": joined(graph, own_ids(graph, path))}, content, used)
    if "mapping" in node and not node.get("blackbox"):
        paths = ", ".join(node["mapping"]["paths"])
        yield Block("materialization-target", {"paths": paths}, None, [])
    for name in effective(graph, path):
        yield aspect_block(graph, path, name)
    for relation in node.get("relations", []):
        if relation["type"] in STRUCTURAL:
            yield from dependency_block(graph, path, relation)
    for relation in node.get("relations", []):
        if relation["type"] in EVENTS:
            yield event_block(graph, relation)
    for name in flows(graph, path):
        part, directory = graph.flows[name], f"flows/{name}"
        order = sorted(texts_in(files, directory), key=lambda text: text != "description.md")
        content, used = quoted(files, directory, order)
        words = {"name": part["name"], "aspects": joined(graph, part.get("aspects", []))}
        content = described(part, [], content)
        yield Block("flow", words, content, [f"{directory}/yg-flow.yaml", *used])


def aspect_block(graph: Graph, path: str, name: str) -> Block:
    part, directory = graph.aspects[name], f"aspects/{name}"
    content, used = quoted(graph.files, directory, texts_in(graph.files, directory))
    if not content and part.get("description"):
        content = f"{part['description']}\n"
    if part.get("stability"):
        content += f"**Stability tier:** {part['stability']}\n"
    for place in (path, *lineage(graph, path)):
        whose = "for this node" if place == path else f"from {place}"
        for use in graph.nodes[place].get("aspects", []):
            notes = use.get("exceptions", []) if use["aspect"] == name else []
            content += "".join(f"**Exception {whose}:** {note}\n" for note in notes)
    words = {"name": part["name"], "id": name}
    return Block("aspect", words, content, [f"{directory}/yg-aspect.yaml", *used])


def dependency_block(graph: Graph, path: str, relation: Any) -> Iterator[Block]:
    target, consumes = relation["target"], ", ".join(relation.get("consumes", []))
    lines = [f"Consumes: {consumes}"] if consumes else []
    lines += [f"On failure: {relation['failure']}"] if relation.get("failure") else []
    words = {
        "target": target,
        "type": relation["type"],
        "consumes": consumes,
        "failure": relation.get("failure", ""),
    }
    if target not in lineage(graph, path):
        content, used = quoted(graph.files, folder("model", target), shared(graph, target))
        content = described(graph.nodes[target], lines, content)
        yield Block("dependency", words, content, used)
    elif lines:
        yield Block("dependency", words, "\n".join([*lines, ""]), [])


def event_block(graph: Graph, relation: Any) -> Block:
    target, consumes = relation["target"], ", ".join(relation.get("consumes", []))
    name = relation.get("event_name") or graph.nodes[target]["name"]
    is_emitted = relation["type"] == "emits"
    lines = [
        f"Target: {target}" if is_emitted else f"Source: {target}",
        f"You publish {name}." if is_emitted else f"You listen for {name}.",
        *([f"Consumes: {consumes}"] if consumes else []),
    ]
    words = {"target": target, "type": relation["type"], "event-name": name, "consumes": consumes}
    return Block("event", words, "".join(f"{line}\n" for line in lines), [])


def tokens(parts: Iterable[Block]) -> int:
    """Return a quarter of the characters between the tags, rounded up."""
    contents = [part.content for part in parts if part.content is not None]
    text = "\n\n".join(re.sub(r"\r?\n\Z", "", content) for content in contents)
    return (len(text) + 3) // 4


def status(graph: Graph, path: str, size: int) -> str:
    """Return the budget status of a package of a size."""
    budget = graph.config["quality"]["context_budget"]
    if graph.nodes[path].get("blackbox") or size <= budget["warning"]:
        return "ok"
    return "error" if size > budget["error"] else "warning"


def package(graph: Graph, path: str) -> str:
    """Return the text of a package."""
    parts = list(blocks(graph, path))
    size, name = tokens(parts), escape(graph.nodes[path]["name"])
    opening = f'<context-package node-path="{path}" node-name="{name}" token-count="{size}">'
    body = "\n\n".join([opening, *map(str, parts), "</context-package>"])
    return f"{body}\nBudget status: {status(graph, path, size)}\n"


def tracked(graph: Graph, path: str) -> list[str]:
    """Return the files of layers 1 to 5."""
    return sorted({file for block in blocks(graph, path) for file in block.files})


# Lists


def aspect_list(graph: Graph) -> list[dict[str, Any]]:
    """Return what `yg aspects` lists."""
    keys = ("name", "description", "implies", "stability")
    return [
        {"id": name, **{key: part[key] for key in keys if part.get(key)}}
        for name, part in sorted(graph.aspects.items())
    ]


def flow_list(graph: Graph) -> list[dict[str, Any]]:
    """Return what `yg flows` lists."""
    order = sorted(graph.flows.items(), key=lambda item: (item[1]["name"], item[0]))
    keys = ("name", "nodes", "aspects")
    return [{key: part[key] for key in keys if part.get(key)} for _, part in order]


def tree(graph: Graph) -> str:
    """Return what `yg tree` prints."""
    lines = [f"model/{label(graph, '.')}"] if "." in graph.nodes else ["model/"]

    def walk(path: str, indent: str) -> None:
        here = {place for node in graph.nodes for place in (*above(node), node)} - {"."}
        children = sorted(place for place in here if (above(place) or [""])[-1] == path)
        for child in children:
            is_last = child == children[-1]
            name = child.rpartition("/")[2]
            lines.append(f"{indent}{'└── ' if is_last else '├── '}{name}/{label(graph, child)}")
            walk(child, indent + ("    " if is_last else "│   "))

    walk(".", "")
    return "".join(f"{line}\n" for line in lines)


def label(graph: Graph, path: str) -> str:
    """Return what stands beside a folder of the tree; nothing if it is no node."""
    if path not in graph.nodes:
        return ""
    node = graph.nodes[path]
    ids = f" aspects:{','.join(own_ids(graph, path))}" if own_ids(graph, path) else ""
    mark = " ■ blackbox" if node.get("blackbox") else ""
    return f" [{node['type']}]{ids}{mark} -> {len(node.get('relations', []))} relations"


def owner(graph: Graph, file: str) -> tuple[str, str] | None:
    """Return the node of a file and the mapped path: the longest, of equal ones the lowest node."""
    found = [
        (path, mapped)
        for path in graph.nodes
        for mapped in mapped_paths(graph, path)
        if file == mapped or file.startswith(f"{mapped}/")
    ]
    return max(found, key=lambda item: (len(item[1]), len(above(item[0]))), default=None)


def mapped_paths(graph: Graph, path: str) -> list[str]:
    """Return the mapped paths of a node without `./` and final slashes."""
    paths = graph.nodes[path].get("mapping", {}).get("paths", [])
    return [text.removeprefix("./").rstrip("/") for text in paths]


# Validation


def issues(graph: Graph) -> set[Issue]:
    """Return code and subject of each issue, but for cycles, which are compared by group."""
    return {
        *unread_issues(graph),
        *reference_issues(graph),
        *mapping_issues(graph),
        *(pair for path in graph.nodes for pair in node_issues(graph, path)),
        *(
            ("W010", "schemas")
            for kind in ("node", "aspect", "flow")
            if f"schemas/yg-{kind}.yaml" not in graph.files
        ),
    }


def unread_issues(graph: Graph) -> Iterator[Issue]:
    """Yield what is wrong with directories and declarations."""
    yield from (("E001", path) for path in graph.bad["model"])
    for path in folders(graph.files, "model") - {"."} - {*graph.nodes, *graph.bad["model"]}:
        yield ("E015" if texts_in(graph.files, folder("model", path)) else "W013"), path
    ids = sorted({*graph.aspects, *unusable(graph, "aspects")})
    for name in ids:
        folded = [other for other in ids if fold(other) == fold(name)]
        if folded[0] != name:
            yield "E014", f"aspects/{name}"


def fold(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def unusable(graph: Graph, tree: str) -> set[str]:
    """Return what exists but cannot be used: issues that only follow from that are not listed."""
    known = {"model": graph.nodes, "aspects": graph.aspects, "flows": graph.flows}[tree]
    declared = {*known, *graph.bad[tree]}
    bare = {
        path
        for path in folders(graph.files, tree) - declared - {"."}
        if texts_in(graph.files, folder(tree, path))
    }
    if tree != "model":  # beside or below a declaration it is only a file that nobody reads
        around = {place for path in declared for place in above(path)}
        bare = {path for path in bare - around if not declared & set(above(path))}
    return bare | graph.bad[tree]


def reference_issues(graph: Graph) -> Iterator[Issue]:
    """Yield references to nothing."""
    no_node = unusable(graph, "model") | graph.nodes.keys()
    no_aspect = unusable(graph, "aspects") | graph.aspects.keys()
    for path, node in graph.nodes.items():
        yield from (("E003", path) for name in own_ids(graph, path) if name not in no_aspect)
        targets = [relation["target"] for relation in node.get("relations", [])]
        yield from (("E004", path) for target in targets if target not in no_node)
    for name, flow in graph.flows.items():
        subject = f"flows/{name}"
        yield from (("E006", subject) for target in flow["nodes"] if target not in no_node)
        wanted = flow.get("aspects", [])
        yield from (("E007", subject) for aspect in wanted if aspect not in no_aspect)
    for name, aspect in graph.aspects.items():
        implied = aspect.get("implies", [])
        yield from (("E016", f"aspects/{name}") for other in implied if other not in no_aspect)
    for kind in graph.config["node_types"].values():
        if set(kind.get("required_aspects", [])) - no_aspect:
            yield "E012", "yg-config.yaml"
    for artifact in graph.config["artifacts"].values():
        if condition(artifact) not in ("", *(f"has_aspect:{name}" for name in no_aspect)):
            yield "E013", "yg-config.yaml"


def condition(artifact: Any) -> str:
    """Return the condition of an artifact on an aspect; empty if it has another one."""
    required = artifact.get("required", "never")
    when = required["when"] if isinstance(required, dict) else ""
    return str(when) if when.startswith("has_aspect:") else ""


def mapping_issues(graph: Graph) -> Iterator[Issue]:
    """Yield mapped paths that are missing, and those of unrelated nodes that overlap."""
    every = [(path, mapped) for path in graph.nodes for mapped in mapped_paths(graph, path)]
    # What is mapped a second time is reported, and then does not count: of two nodes with the same
    # path, the first keeps it.
    second = [
        (path, mapped)
        for path, mapped in every
        if any(mapped == same and path > other for other, same in unrelated(every, path))
    ]
    for path, mapped in every:
        if not any(file == mapped or file.startswith(f"{mapped}/") for file in graph.files):
            yield "W012", path
        around = [(o, m) for o, m in unrelated(every, path) if (o, m) not in second]
        if any(mapped.startswith(f"{m}/") or (mapped == m and path > o) for o, m in around):
            yield "E009", path


def unrelated(every: list[tuple[str, str]], path: str) -> list[tuple[str, str]]:
    """Return the mappings of nodes that are neither above a node nor below it."""
    return [
        (other, mapped)
        for other, mapped in every
        if other != path and other not in above(path) and path not in above(other)
    ]


def node_issues(graph: Graph, path: str) -> Iterator[Issue]:
    """Yield what is wrong with one node."""
    node, quality = graph.nodes[path], graph.config["quality"]
    relations = node.get("relations", [])
    if node["type"] not in graph.config["node_types"]:
        yield "E002", path
    if len(relations) > quality["max_direct_relations"]:
        yield "W007", path
    events = [r for r in relations if r["type"] in EVENTS and r["target"] in graph.nodes]
    if not all(is_paired(graph, path, relation) for relation in events):
        yield "W009", path
    if not node.get("blackbox"):
        yield from text_issues(graph, path)
        if all(relation["target"] in graph.nodes for relation in relations):
            found = status(graph, path, tokens(blocks(graph, path)))
            yield from {"ok": [], "warning": [("W005", path)], "error": [("W006", path)]}[found]


def text_issues(graph: Graph, path: str) -> Iterator[Issue]:
    """Yield what a node that is no blackbox lacks."""
    kind = graph.config["node_types"].get(graph.nodes[path]["type"], {})
    covered = with_implied(graph, own_ids(graph, path))
    if set(kind.get("required_aspects", [])) & graph.aspects.keys() - set(covered):
        yield "W011", path
    for name, artifact in graph.config["artifacts"].items():
        if name not in artifacts(graph, path) and is_required(graph, path, artifact):
            yield "W001", path
    for name in artifacts(graph, path):
        text = graph.files[f"{folder('model', path)}/{name}"].strip()
        if len(text) < graph.config["quality"]["min_artifact_length"]:
            yield "W002", path


def is_required(graph: Graph, path: str, artifact: Any) -> bool:
    required = artifact.get("required", "never")
    if not isinstance(required, dict):
        return bool(required == "always")
    if required["when"] == "has_incoming_relations":
        others = [node for other, node in graph.nodes.items() if other != path]
        return any(r["target"] == path for node in others for r in node.get("relations", []))
    if required["when"] == "has_outgoing_relations":
        return any(r["target"] != path for r in graph.nodes[path].get("relations", []))
    return required["when"].removeprefix("has_aspect:") in effective(graph, path)


def is_paired(graph: Graph, path: str, relation: Any) -> bool:
    """Return whether the target declares the other side of an event, by name if both give one."""
    kind = {"emits": "listens", "listens": "emits"}[relation["type"]]
    name = relation.get("event_name", "")
    there = [
        back.get("event_name", "")
        for back in graph.nodes[relation["target"]].get("relations", [])
        if back["type"] == kind and back["target"] == path
    ]
    return any(not name or not other or name == other for other in there)


def cyclic_groups(graph: Graph) -> dict[str, list[set[str]]]:
    """Return the groups of nodes (E010) and of aspects (E017) that reach each other."""
    solid = {path: node for path, node in graph.nodes.items() if not node.get("blackbox")}
    needs = {
        path: {r["target"] for r in node.get("relations", []) if r["type"] in STRUCTURAL}
        for path, node in solid.items()
    }
    implied = {
        f"aspects/{name}": {f"aspects/{other}" for other in part.get("implies", [])}
        for name, part in graph.aspects.items()
    }
    whole = groups(implied)
    inside = {name for group in whole if len(group) > 1 for name in group}
    return {"E010": groups(needs), "E017": [g for g in whole if len(g) > 1 or not g & inside]}


def groups(edges: dict[str, set[str]]) -> list[set[str]]:
    """Return the sets of more than one name that all reach each other, and names with a loop."""
    found: list[set[str]] = []
    for name in sorted(edges):
        both = {other for other in reached(edges, name) if name in reached(edges, other)}
        if len(both) > 1 and both not in found:
            found.append(both)
    return found + [{name} for name in sorted(edges) if name in edges[name]]


def reached(edges: dict[str, set[str]], name: str) -> set[str]:
    """Return every name that can be reached from one, without the names that have no edges."""
    found: set[str] = set()
    pending = [name]
    while pending:
        for other in edges[pending.pop()] & edges.keys() - found:
            found.add(other)
            pending.append(other)
    return found
