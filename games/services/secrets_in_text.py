"""The secrets in our mails, and how to hide them from other readers: whoever has one can use it,
for instance order for a power with its reply address."""

from __future__ import annotations

import re

TOKEN_LENGTH = 27
BOUNCE = "bounce-"
LINK_SECRETS = (
    r"(?<=/calendar/)[\w-]{20,}(?=\.ics)|(?<=/admin/password/)[\w-]+/[\w-]+"
    r"|(?<=/unsubscribe/)[\w:-]{20,}"
)
"""A regular expression for the secrets in the addresses of a player's calendar, of the page for a
new password, and of the page that ends reminders. It is used before Django is ready, so nothing of
Django is in this module."""
SECRET_IN_PLACE = re.compile(
    rf"(?:(?<=\+)|(?<=%2B))(?:{BOUNCE})?[a-z2-7]{{{TOKEN_LENGTH}}}(?=@|%40)|{LINK_SECRETS}",
    re.IGNORECASE,
)
"""Also as links have it (`mailto:judge%2B…`)."""


def without_secrets(text: str) -> str:
    """Return what somebody wrote, fit for others to read: people quote the address that they wrote
    to."""
    return SECRET_IN_PLACE.sub("[token]", text)
