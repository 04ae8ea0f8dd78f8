"""Values as plain data and back, for snapshots and indexes that keep them between runs."""

from __future__ import annotations

from yg.kernel.choice import Choice
from yg.kernel.typed import TYPE_CHECKING, Any, Generic, Protocol, TypeVar
from yg.kernel.value import Value, fields_of

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
_NESTED = (list, dict)
# What is raised for data that does not fit the classes.
MISFITS = (AttributeError, LookupError, TypeError, ValueError)


class Recipe(Value, Generic[T]):
    """How something is made of a text, and how it is written down and read again.

    It is written as one text, which takes a tenth of the room that its parts would.
    """

    name: str
    make: Callable[[str], T]
    pack: Callable[[T], str]
    unpack: Callable[[str], T]  # raises one of MISFITS for what was not packed


class Packs(Protocol[T]):
    """Writes something down as plain data, and reads it again."""

    def pack(self, unpacked: T, /) -> Any:
        """Return plain data."""

    def unpack(self, packed: Any, /) -> T:
        """Return what was packed; raises one of MISFITS for anything else."""


class Packing:
    """Packs values of known classes, and whatever tuples and dicts hold of them.

    Texts and numbers stand for themselves, a list for a tuple. An object names its class, or has
    the empty name and the items of a dict.
    """

    def __init__(self, *classes: type) -> None:
        self._classes: dict[str, type[Any]] = {each.__name__: each for each in classes}

    def pack(self, unpacked: object) -> Any:
        """Return plain data; raises KeyError for a class that is not known."""
        if unpacked is None or type(unpacked) in (str, int, bool):
            return unpacked
        if isinstance(unpacked, tuple):
            return [self.pack(each) for each in unpacked]
        if isinstance(unpacked, dict):
            return {"": [[key, self.pack(each)] for key, each in unpacked.items()]}
        cls = self._classes[type(unpacked).__name__]
        if isinstance(unpacked, Choice):
            return {cls.__name__: unpacked.value}
        return {cls.__name__: [self.pack(getattr(unpacked, name)) for name in fields_of(cls)]}

    def unpack(self, packed: Any) -> Any:
        """Return what was packed; raises one of MISFITS for anything else."""
        if isinstance(packed, list):
            return tuple(self._each(packed))
        if not isinstance(packed, dict):
            return packed
        ((name, content),) = packed.items()
        if not name:
            return {key: self.unpack(each) for key, each in content}
        cls = self._classes[name]
        if isinstance(content, str):
            return cls(content)
        fields = zip(fields_of(cls), self._each(content), strict=True)
        return cls(**dict(fields))

    def _each(self, packed: list[Any]) -> list[Any]:
        # Most of what is in a list is plain: asking here saves a call for each.
        return [self.unpack(each) if type(each) in _NESTED else each for each in packed]
