"""The versions of the package and of the graph format."""

__version__ = "0.4.0.dev0"
GRAPH_FORMAT = "2.2.0"  # of new graphs
HIGHEST_FORMAT = "3.0.0"  # that this program reads
ANOTHER_MODEL = "4"  # graphs of this format, and of later ones, are not read


def is_newer(graph_format: str, than: str = HIGHEST_FORMAT) -> bool:
    """Return whether a format is newer than another one: the highest that this program reads."""
    return _sort_key(graph_format) > _sort_key(than)


def has_another_model(graph_format: str) -> bool:
    """Return whether a format is one of those that share no model with the earlier ones."""
    return _sort_key(graph_format) >= _sort_key(ANOTHER_MODEL)


def _sort_key(version: str) -> tuple[tuple[int, str], ...]:
    """Return the sort key of a version: each number as its length and its digits."""
    parts = version.split("-", 1)[0].split(".")
    digits = (part.lstrip("0") if part.isascii() and part.isdigit() else "" for part in parts)
    return tuple((len(number), number) for number in digits)
