"""Whether SECRET_KEY is the one with which the database was filled.

A server that was restored or moved without its old `.env` starts all the same, and nobody notices
before players do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.checks import CheckMessage, Warning
from django.db import DatabaseError

from mailer.outbound.addresses import were_made_with_another_key

FINDING = "SECRET_KEY is not the one with which this database was filled."
ADVICE = (
    "Put the old one back: without it logins, calendars, links to unsubscribe and the bans of "
    "erased addresses are lost. If you changed it on purpose, finish that: docs/operators.md, "
    "“Another SECRET_KEY”."
)


def key_is_the_databases(*, databases: Iterable[str] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn if SECRET_KEY is not that one; only `manage.py check` asks. It is not an error, since
    the server reads and answers mail with any key."""
    try:
        changed = bool(databases) and were_made_with_another_key()
    except DatabaseError:  # before the first `migrate`
        return []
    return [Warning(FINDING, hint=ADVICE, id="diplomacy.W011")] if changed else []
