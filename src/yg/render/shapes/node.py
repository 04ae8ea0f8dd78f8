"""The shape of `yg node show --json`."""

from __future__ import annotations

from typing import Annotated

from yg.render.shapes.base import JsonDocument, Record, Text, about, one_of
from yg.specgraph.model import LinkKind


class IncomingLink(Record, frozen=True, kw_only=True):
    """A link to the node."""

    source: Annotated[Text, about("The node that holds the link.")]
    link: Annotated[str, one_of(*LinkKind), about("The kind of link.")]


class NodeDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-node/1"):
    """What `yg node show --json` prints: one node of a Spec Graph in full."""

    id: Annotated[Text, about("Its id.")]
    type: Annotated[str, about("Its type; empty when missing.")]
    title: Annotated[str, about("Its title; empty when missing.")]
    file: Annotated[Text, about("Its file.")]
    text: Annotated[Text, about("The content of the file: a JSON document.")]
    links: Annotated[list[IncomingLink], about("The links of other nodes to it, by kind.")]
