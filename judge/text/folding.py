"""Words in the form in which we compare them."""

from __future__ import annotations

import unicodedata

_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "'": None, "’": None})


def fold(text: str) -> str:
    """Return the text in the form we compare: small letters, no accents, no apostrophes."""
    if text.isascii():
        return text.lower().replace("'", "")
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
