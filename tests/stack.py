"""Room on Python's own stack, so that it need not be asked for again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def with_deep_stack(call: Callable[[], T]) -> T:
    """Call this, with room for the frames of 600 calls or so within each other."""
    return call()


# CPython keeps these frames in pieces of 16 kB. Whenever calls cross the end of one it asks the
# system for the next, and gives it back as they return: a loop that stands there does so each time.
# A frame that claims to be large gets a large piece, in which those of its calls find room, too.
with_deep_stack.__code__ = with_deep_stack.__code__.replace(co_stacksize=70_000)
