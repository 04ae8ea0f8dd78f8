"""Resources: a node, its package or a rule, by URI."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from msgspec import Struct

from yg.answers.build_context import build_context
from yg.answers.explain import explain
from yg.kernel.errors import NotFoundError
from yg.mcp.arguments import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.mcp.asked import Asked

SCHEME = "yg"
MIME_TYPE = "text/markdown"


class Template(Struct, frozen=True):
    """A resource template: its URI, its description and its reader."""

    place: str
    variable: str
    title: str
    about: str
    read: Callable[[Asked, str], str]

    @property
    def address(self) -> str:
        """The URI template."""
        return f"{SCHEME}://{self.place}/{{{self.variable}}}"


def _node(asked: Asked, name: str) -> str:
    """Return the documents of a node; unlike a package, this works if the graph has errors."""
    workspace = asked.open()
    documents = workspace.queries.own_documents(workspace.find(name))
    return "\n".join(document.text for document in documents)


def _context(asked: Asked, path: str) -> str:
    answer = build_context(asked.open(), path)
    return answer.written(answer.form)


TEMPLATES = (
    Template(
        "node",
        "path",
        "A node",
        "The declaration and the artifacts of a node.",
        _node,
    ),
    Template(
        "context",
        "path",
        "The context of a node",
        "The context package of a node, as returned by build-context.",
        _context,
    ),
    Template(
        "rules",
        "code",
        "A rule",
        "The manual page of a rule: what it checks, why, how to fix it.",
        lambda _asked, code: explain(code).text(),
    ),
)


class Address(Struct, frozen=True):
    """A parsed resource URI."""

    template: Template
    name: str
    root: str | None = None  # the repository, if not the first


def address_of(uri: str) -> Address:
    """Parse a resource URI; slashes in a path may be written as %2F."""
    parts = _split(uri)
    template = next((known for known in TEMPLATES if known.place == parts.netloc), None)
    name, query = unquote(parts.path[1:]), parse_qs(parts.query)
    root = query.get("root", [None])[0]
    is_text = all(TEXT.fits(part) for part in (name, root) if part is not None)
    if template is None or parts.scheme != SCHEME or set(query) - {"root"} or not is_text:
        raise _unknown(uri)
    return Address(template, name, root)


def _split(uri: str) -> SplitResult:
    try:
        return urlsplit(uri)
    except ValueError as error:
        raise _unknown(uri) from error


def _unknown(uri: str) -> NotFoundError:
    known = ", ".join(f"{template.address}{{?root}}" for template in TEMPLATES)
    return NotFoundError(f"unknown resource '{uri}'", hint=f"Known resources: {known}.")
