"""How things are shown: lists of words as sentences have them, and values in a Python session."""

from __future__ import annotations

from collections.abc import Sequence


def either(words: Sequence[str]) -> str:
    """Return "a", "a or b", "a, b or c"; nothing for no words."""
    return _join_words(words, "or")


def in_words(words: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"; nothing for no words."""
    return _join_words(words, "and")


def _join_words(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


class Shown:
    """A value that a Python session shows as it prints, after its class: "<Hold: A Paris Holds>".

    Shown part by part, an order would fill lines with provinces within places within units.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"
