"""Pages and pictures that come from the program say what it says today."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from support import REPOSITORY, SHOP_ROOT
from yg.cli.manual import manual
from yg.render.export_drawing import Part, label, nested, remark, title
from yg.workspace import open_workspace

DOCS = REPOSITORY / "docs"


def test_the_manual_is_what_the_parsers_say() -> None:
    assert (DOCS / "cli.md").read_text(encoding="utf-8") == manual()


def test_the_picture_of_the_example_shows_the_example() -> None:
    shop = open_workspace(str(SHOP_ROOT))
    export = shop.queries.export("shop")
    picture = nested(export)
    titles, words = {"shop"}, {label(edge) for edge in picture.edges if label(edge)}
    for step in picture.steps:
        words |= {title(step.vertex), remark(step.vertex)}
        if step.part is not Part.END:
            frame = "cluster " if step.part is Part.FRAME else ""
            titles.add(f"{frame}{step.vertex.id}")
    titles |= {f"{edge.source}->{edge.target}" for edge in picture.edges}
    drawn = ET.parse(DOCS / "shop.svg").getroot()  # noqa: S314 (a file of our own)
    shown = {(each.tag.rpartition("}")[2], (each.text or "").strip()) for each in drawn.iter()}
    assert {text for tag, text in shown if tag == "title"} == titles
    assert {text for tag, text in shown if tag == "text"} == words
