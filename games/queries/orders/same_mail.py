"""How a set of orders is recognised when its mail comes a second time.

Some relays give a mail another Message-ID each time they try, so its Date tells a copy, with what
it says. But a script may write two mails in one second, and a broken program always the same Date:
where another mail with this Date came between, whoever said the same before it may say it again.
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
    """Return that of a power's sets in which the same was said by the same mail, or by one of which
    it is a copy; None if neither was here."""
    alike = [one for one in sets if one.digest[:_WRITTEN] == digest[:_WRITTEN]]
    if not alike:
        return None
    mails = (max(alike, key=lambda one: one.pk).digest[_SAID:], digest[_SAID:])
    same = (one for one in alike if one.digest[:_SAID] == digest[:_SAID])
    return next((one for one in same if one.digest[_SAID:] in mails), None)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
