"""Mails ready to send: links with which a mail program opens one (RFC 6068)."""

from __future__ import annotations

from urllib.parse import quote

from django.conf import settings


def mail_with(command: str) -> str:
    """Return a `mailto:` link to the server with this command in it."""
    address = quote(settings.JUDGE_ADDRESS, safe="@+")
    # A line of a mail ends in CRLF, in a link as well as on the wire.
    body = quote(f"{command}\r\n", safe="")
    return f"mailto:{address}?subject={quote(command, safe='')}&body={body}"
