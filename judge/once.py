"""Values that an object works out when first asked for them, and then keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")

keep = object.__setattr__
"""Keeps a value that somebody knows already: `keep(position, "unit_counts", counts)`."""


class once(Generic[Value]):
    """`functools.cached_property` without the lock that it took before Python 3.12.

    A phase asks for four to seven such values, and the locks alone took 2 % of its time (2026-11).
    If two threads ask at the same moment, both work out the same value.
    """

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self.work, self.name, self.__doc__ = work, work.__name__, work.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> once[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object, owner: type) -> Value | once[Value]:
        if instance is None:
            return self
        value: Value = self.work(instance)
        # Not through `__dict__`: once that has been asked for, all attributes are slower to find.
        keep(instance, self.name, value)
        return value
