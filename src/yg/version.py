"""The versions of the package and of the graph format."""

__version__ = "0.2.0"
GRAPH_FORMAT = "2.2.0"


def is_newer(graph_format: str) -> bool:
    """Return whether a graph has a newer format than this program reads."""
    return _sort_key(graph_format) > _sort_key(GRAPH_FORMAT)


def _sort_key(version: str) -> tuple[tuple[int, str], ...]:
    """Return the sort key of a version: each number as its length and its digits."""
    parts = version.split("-", 1)[0].split(".")
    digits = (part.lstrip("0") if part.isascii() and part.isdigit() else "" for part in parts)
    return tuple((len(number), number) for number in digits)
