"""Keys of version 0.3.0 that are gone, and where what they said goes now."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from yg.kernel.fields import json_schema
from yg.yggdrasil.config import Budget, Code, Config, Drift, Quality
from yg.yggdrasil.model import Aspect, Mapping, Node
from yg.yggdrasil.rules.levels import REMOVED

if TYPE_CHECKING:
    from msgspec import Struct

_BESIDE = "put what packages should quote into a file beside {}"
_KEYS: dict[type[Struct], dict[str, str]] = {  # by mapping, with what to do
    Config: {"decisions": "", "hooks": ""},
    Quality: {"gate": ""},
    Budget: {"tokenizer": "", "stale": "", "cut_first": ""},
    Drift: {"tolerate": "", "gate": "", "hash": "", "agreement": ""},
    Code: {"type_only": "", "exempt_types": "", "accepted": "", "packages": ""},
    Node: {
        "drift": "leave files that need no baseline out of the mapping",
        "external": "describe what the node uses of other repositories in one of its texts",
        "documents": _BESIDE.format("yg-node.yaml"),
        "artifacts": "put each text into a file of that name beside yg-node.yaml",
        "decisions": _BESIDE.format("yg-node.yaml"),
    },
    Mapping: {"exclude": "give the excluded files a mapping of their own, in another node"},
    Aspect: {
        "documents": _BESIDE.format("yg-aspect.yaml"),
        "decisions": _BESIDE.format("yg-aspect.yaml"),
    },
}


def where_it_went(known: tuple[str, ...], name: str) -> str:
    """Return a sentence on an unknown key if 0.3.0 had it; empty otherwise.

    The keys that are known beside it tell which mapping it is in.
    """
    advice = _by_known_keys().get(known, {}).get(name)
    if advice is None:
        return ""
    return f"The key {REMOVED}{': ' if advice else ''}{advice}."


@cache
def _by_known_keys() -> dict[tuple[str, ...], dict[str, str]]:
    return {tuple(json_schema(cls)["properties"]): gone for cls, gone in _KEYS.items()}
