"""Values: small frozen classes that know how to be made, compared and shown.

They read like frozen dataclasses, and type checkers take them for such. A program that starts
hundreds of times a day cannot pay for the real ones: defining them compiles four functions for
every class, used or not. Here a class is compiled when many values of it are made.
"""

from __future__ import annotations

from yg.kernel.typed import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[Any], Any]:
        """Stand in for what only type checkers look at."""
        return lambda something: something


T = TypeVar("T")
_FEW = 20  # values that are made in less time than it takes to compile their class
_made: dict[type, int] = {}  # how many of each class
_set = object.__setattr__


class FrozenError(AttributeError):
    """Raised when somebody tries to change a value."""


class _Fresh:
    """Stands for something that every value gets its own of."""

    def __init__(self, factory: Callable[[], object]) -> None:
        self.factory = factory


def field(*, default_factory: Callable[[], T]) -> T:
    """Give every value that names nothing else a fresh one of something."""
    fresh: Any = _Fresh(default_factory)
    made: T = fresh
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Kind(type):
    """Makes classes of values out of annotated names."""

    def __new__(  # noqa: PLR0913
        cls,
        name: str,
        bases: tuple[type, ...],
        members: dict[str, Any],
        *,
        kw_only: bool = False,
        slots: bool = True,
        order: bool = False,
    ) -> _Kind:
        names = tuple(members.get("__annotations__", ()))
        members["_defaults"] = {each: members.pop(each) for each in names if each in members}
        members["_is_named"] = kw_only
        members["_names"] = frozenset(names)
        members["__match_args__"] = names
        members["__init__"] = _first_init
        if slots:
            members["__slots__"] = names  # without them, properties can be cached
        if order:
            members["__lt__"] = _comes_before
        return super().__new__(cls, name, bases, members)


def _first_init(self: Any, *args: object, **kwargs: object) -> None:
    """Fill the fields of the first few values; for more of them, compile what does it."""
    cls = type(self)
    made = _made[cls] = _made.get(cls, 0) + 1
    names = fields_of(cls)
    given = kwargs if cls._is_named else {**dict(zip(names, args, strict=False)), **kwargs}
    fields = {**cls._defaults, **given}
    is_usual = len(given) == len(args) + len(kwargs) and fields.keys() == cls._names
    if made <= _FEW and is_usual:
        for name in names:
            each = fields[name]
            _set(self, name, each.factory() if isinstance(each, _Fresh) else each)
    else:
        cls.__init__ = _initialiser(cls)
        cls.__init__(self, *args, **kwargs)


def _comes_before(self: Any, other: Any) -> bool:
    if type(self) is not type(other):
        return NotImplemented  # type: ignore[no-any-return]
    return bool(contents_of(self) < contents_of(other))


class Value(metaclass=_Kind):
    """The base of all values."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return contents_of(self) == contents_of(other)

    def __hash__(self) -> int:
        return hash(contents_of(self))

    def __repr__(self) -> str:
        cls = type(self)
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields_of(cls))
        return f"{cls.__qualname__}({shown})"

    def __setattr__(self, name: str, _: object) -> None:
        raise FrozenError(f"{type(self).__name__} is a value: '{name}' cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise FrozenError(f"{type(self).__name__} is a value: '{name}' cannot be changed")


def fields_of(cls: type) -> tuple[str, ...]:
    """Return the names of a value's fields, in their order."""
    names: tuple[str, ...] = cls.__match_args__  # type: ignore[attr-defined]
    return names


def contents_of(some: object) -> tuple[object, ...]:
    """Return what stands in the fields of a value, in their order."""
    return tuple([getattr(some, name) for name in fields_of(type(some))])


def replace(original: T, **changes: object) -> T:
    """Return a value that differs in some fields."""
    kept = {name: getattr(original, name) for name in fields_of(type(original))}
    return type(original)(**{**kept, **changes})


def _initialiser(cls: Any) -> Callable[..., None]:
    names, defaults = fields_of(cls), cls._defaults
    known: dict[str, Any] = {f"_default_{name}": each for name, each in defaults.items()}
    fresh = {name: each.factory for name, each in defaults.items() if isinstance(each, _Fresh)}
    known |= {f"_make_{name}": factory for name, factory in fresh.items()}
    parameters = ["self", *(["*"] if cls._is_named and names else [])]
    parameters += [f"{name}=_default_{name}" if name in defaults else name for name in names]
    body = [f"{name} = _make_{name}() if {name} is _default_{name} else {name}" for name in fresh]
    if "__slots__" in cls.__dict__:
        known |= {f"_set_{name}": cls.__dict__[name].__set__ for name in names}
        body += [f"_set_{name}(self, {name})" for name in names]
    else:
        body += ["own = self.__dict__", *(f"own[{name!r}] = {name}" for name in names)]
    lines = "; ".join(body) or "pass"
    exec(f"def __init__({', '.join(parameters)}): {lines}", known)  # noqa: S102
    made: Callable[..., None] = known["__init__"]
    return made
