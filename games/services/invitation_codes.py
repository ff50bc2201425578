"""The code of a game that does not take everybody."""

from __future__ import annotations

import secrets

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters of which none is mistaken for another when somebody reads it out."""
LONG = 8


def new_code() -> str:
    """Return a code that nobody can guess: each mail is one try, against 31 to the eighth."""
    return "".join(secrets.choice(LETTERS) for _ in range(LONG))
