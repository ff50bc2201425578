"""System checks of the website's address, its host names, and whom finders of holes should write
to."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http.request import validate_host


def _site() -> str | None:
    """Return SITE_URL's host in the form of ALLOWED_HOSTS; None if SITE_URL is not a site's
    address."""
    try:
        parts = urlsplit(settings.SITE_URL)
        whole = parts.port != 0 and not (parts.path or parts.query or parts.fragment)
    except ValueError:
        return None
    if not (whole and parts.hostname and parts.scheme in {"http", "https"}):
        return None
    return f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname


def site_has_an_address() -> Iterator[CheckMessage]:
    """Check SITE_URL: every link in every mail begins with it."""
    if not _site():
        yield Error(
            f"SITE_URL is not the address of a site: {settings.SITE_URL!r}",
            hint="Write https:// and the host's name, and nothing after it: "
            "SITE_URL=https://games.example.org.",
            id="diplomacy.E021",
        )


def hosts_are_names() -> Iterator[CheckMessage]:
    """Check that ALLOWED_HOSTS holds host names, SITE_URL's among them: we refuse a page that is
    asked for by any other name."""
    wrong = [each for each in settings.ALLOWED_HOSTS if "/" in each]
    if wrong:
        yield Error(
            f"ALLOWED_HOSTS has entries that are not names of hosts: {', '.join(wrong)}",
            hint="Leave out https:// and what follows the name: ALLOWED_HOSTS=games.example.org.",
            id="diplomacy.E022",
        )
    elif (site := _site()) and not validate_host(site, settings.ALLOWED_HOSTS):
        yield Warning(
            f"SITE_URL leads to {site}, which ALLOWED_HOSTS does not have: no link would open.",
            hint=f"Set SITE_URL to the address that players know, or add {site} to ALLOWED_HOSTS.",
            id="diplomacy.W009",
        )


def finders_of_holes_can_write() -> Iterator[CheckMessage]:
    """Check SECURITY_CONTACT: /.well-known/security.txt makes a mail link of it."""
    try:
        if settings.SECURITY_CONTACT:
            validate_email(settings.SECURITY_CONTACT)
    except ValidationError:
        yield Error(
            f"SECURITY_CONTACT is not a plain mail address: {settings.SECURITY_CONTACT!r}",
            hint="Set it like SECURITY_CONTACT=you@example.org, or leave it empty.",
            id="diplomacy.E023",
        )


WEB_FINDERS = (site_has_an_address, hosts_are_names, finders_of_holes_can_write)
