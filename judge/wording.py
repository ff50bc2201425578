"""Lists of words as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence


def either(words: Sequence[str]) -> str:
    """Return "a", "a or b", "a, b or c"; nothing for no words."""
    return _listed(words, "or")


def in_words(words: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"; nothing for no words."""
    return _listed(words, "and")


def _listed(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
