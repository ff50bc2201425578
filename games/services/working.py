"""What a process is working on, so that each line of the log can say which game and which mail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

Ids = Mapping[str, str | int]

_IDS: ContextVar[Ids] = ContextVar("ids", default={})  # noqa: B039 (nobody changes it)


@contextmanager
def working_on(**ids: str | int) -> Iterator[None]:
    """Add these to whatever is logged inside: `game` and `phase` by name, `mail` by number."""
    token = _IDS.set({**_IDS.get(), **ids})
    try:
        yield
    finally:
        _IDS.reset(token)


def worked_on() -> Ids:
    """Return what is being worked on, the outermost first."""
    return _IDS.get()
