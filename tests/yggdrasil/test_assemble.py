"""A package is the five steps of the specification, to the byte."""

from __future__ import annotations

from support import NODE, graph_from

from yg.kernel.package import Package
from yg.render.package import package_text
from yg.yggdrasil.assemble import assemble


def package_of(files: dict[str, str], path: str) -> Package:
    graph = graph_from(files)
    node = graph.nodes.get(path)
    assert node is not None
    return assemble(graph, node)


def test_a_lone_node_has_the_project_and_itself() -> None:
    text = package_text(package_of({"model/a/yg-node.yaml": NODE}, "a"))
    assert text == (
        '<context-package node-path="a" node-name="N" token-count="15">\n'
        "\n"
        "<global>\n"
        "**Project:** test\n"
        "</global>\n"
        "\n"
        "<own-artifacts>\n"
        "### yg-node.yaml\n"
        "name: N\n"
        "type: service\n"
        "</own-artifacts>\n"
        "\n"
        "</context-package>\n"
        "Budget status: ok\n"
    )
