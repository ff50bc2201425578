"""How we recognise a set of orders when its mail comes a second time.

Some relays give a mail another Message-ID each time they try, so we know a copy by its Date and by
what it says. But a script may write two mails in one second, and a broken program always the same
Date: if another mail with this Date came in between, its sender may repeat what they said before
it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from games.models import OrderSet

_WRITTEN, _SAID = 16, 48
"""How many characters of a digest tell when a mail was written, and how many also what it says."""


def mail_digest(*, known_by: str, said: str, source: str) -> str:
    """Return the digest of what is said in a mail: `known_by` is what its copies have in common,
    `source` its own name."""
    written, words, own = (_sha256(one) for one in (known_by, said, source))
    return f"{written[:_WRITTEN]}{words[: _SAID - _WRITTEN]}{own[:_WRITTEN]}"


def repeated(sets: Sequence[OrderSet], digest: str) -> OrderSet | None:
    """Return the set in which the power said the same, in this mail or in one that it is a copy of;
    None if neither has been here."""
    alike = [one for one in sets if one.digest[:_WRITTEN] == digest[:_WRITTEN]]
    if not alike:
        return None
    mails = (max(alike, key=lambda one: one.pk).digest[_SAID:], digest[_SAID:])
    same = (one for one in alike if one.digest[:_SAID] == digest[:_SAID])
    return next((one for one in same if one.digest[_SAID:] in mails), None)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
