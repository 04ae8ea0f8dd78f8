"""Values: small frozen classes that know how to be made, compared and shown.

They read like frozen dataclasses, and type checkers take them for such. A program that starts
hundreds of times a day cannot pay for the real ones: defining them compiles four functions for
every class, used or not. Here a class is compiled when its first value is made.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[Any], Any]:
        """Stand in for what only type checkers look at."""
        return lambda function: function


T = TypeVar("T")
_NOTHING = object()


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
def value(
    cls: Any = None, /, *, kw_only: bool = False, slots: bool = True, order: bool = False
) -> Any:
    """Make a class of values out of annotated names; without slots it can cache properties."""
    if cls is None:
        return lambda named: _value_class(named, kw_only=kw_only, slots=slots, order=order)
    return _value_class(cls, kw_only=kw_only, slots=slots, order=order)


def replace(original: T, **changes: object) -> T:
    """Return a value that differs in some fields."""
    kept = {name: getattr(original, name) for name in fields_of(type(original))}
    return type(original)(**{**kept, **changes})


def fields_of(cls: type) -> tuple[str, ...]:
    """Return the names of a value's fields, in their order."""
    names: tuple[str, ...] = cls.__match_args__  # type: ignore[attr-defined]
    return names


def _value_class(cls: Any, *, kw_only: bool, slots: bool, order: bool) -> Any:
    names = tuple(cls.__annotations__)
    members = dict(cls.__dict__)
    defaults = {name: members.pop(name) for name in names if name in members}
    members["__match_args__"] = names
    members.setdefault("__repr__", _shown)
    members["__setattr__"] = members["__delattr__"] = _refuse
    members |= _comparison(names, order=order)
    for made_by_class in ("__dict__", "__weakref__"):
        members.pop(made_by_class, None)
    if slots:
        members["__slots__"] = names
    made = type(cls)(cls.__name__, cls.__bases__, members)
    _compile_on_first_use(made, defaults, kw_only=kw_only)
    return made


def _compile_on_first_use(cls: Any, defaults: dict[str, object], *, kw_only: bool) -> None:
    def __init__(self: object, *args: object, **kwargs: object) -> None:  # noqa: N807
        cls.__init__ = _initialiser(cls, defaults, kw_only=kw_only)
        cls.__init__(self, *args, **kwargs)

    cls.__init__ = __init__


def _initialiser(cls: Any, defaults: dict[str, object], *, kw_only: bool) -> Callable[..., None]:
    """Compile the function that fills the fields."""
    names = fields_of(cls)
    known: dict[str, Any] = {f"_default_{name}": each for name, each in defaults.items()}
    fresh = {name: each.factory for name, each in defaults.items() if isinstance(each, _Fresh)}
    known |= {f"_make_{name}": factory for name, factory in fresh.items()}
    parameters = ["self", *(["*"] if kw_only and names else [])]
    parameters += [f"{name}=_default_{name}" if name in defaults else name for name in names]
    if "__slots__" in cls.__dict__:
        known |= {f"_set_{name}": cls.__dict__[name].__set__ for name in names}
        body = [f"_set_{name}(self, {name})" for name in names]
    else:
        body = ["own = self.__dict__", *(f"own[{name!r}] = {name}" for name in names)]
    first = [f"{name} = _make_{name}() if {name} is _default_{name} else {name}" for name in fresh]
    lines = "; ".join([*first, *body]) if names else "pass"
    exec(f"def __init__({', '.join(parameters)}): {lines}", known)  # noqa: S102
    made: Callable[..., None] = known["__init__"]
    return made


def _comparison(names: tuple[str, ...], *, order: bool) -> dict[str, Any]:
    contents = attrgetter(*names) if names else lambda _: ()

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if type(self) is not type(other):
            return NotImplemented
        return bool(contents(self) == contents(other))

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(contents(self))

    def __lt__(self: object, other: object) -> bool:  # noqa: N807
        if type(self) is not type(other):
            return NotImplemented
        return bool(contents(self) < contents(other))

    return {"__eq__": __eq__, "__hash__": __hash__, **({"__lt__": __lt__} if order else {})}


def _shown(self: object) -> str:
    cls = type(self)
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields_of(cls))
    return f"{cls.__qualname__}({fields})"


def _refuse(self: object, name: str, _: object = _NOTHING) -> None:
    raise FrozenError(f"{type(self).__name__} is a value: '{name}' cannot be changed")
