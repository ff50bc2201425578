"""Whether a server's address is one at all, and whether it leads beyond this machine."""

from __future__ import annotations

import re

from django.conf import settings

from diplomacy_server.environment import parts_of

LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def is_local() -> bool:
    """Say whether this server is for this machine only, by all its names."""
    names = [parts_of(settings.SITE_URL).hostname or "", *settings.ALLOWED_HOSTS]
    mail = [parts_of(url).hostname or "" for url in (*settings.IMAP_URLS, settings.EMAIL_URL)]
    return not any(faces_the_world(name) for name in (*names, *mail))


def faces_the_world(host: str) -> bool:
    """Say whether a host's name leads beyond this machine; a bare name like "db" may be a
    container."""
    name = host.strip("[]").lower()
    return name == "*" or (any(sign in name for sign in ".:") and name not in LOOPBACK)


def has_host(url: str, schemes: set[str]) -> bool:
    """Say whether a text is the URL of a server of one of these kinds."""
    try:
        parts = parts_of(url)
        port = parts.port
    except ValueError:
        return False
    return parts.scheme in schemes and bool(parts.hostname) and port != 0


def without_password(url: str) -> str:
    """Return the same address in a form that may be shown."""
    return re.sub(r":(?!//)\S*@", ":…@", url)
