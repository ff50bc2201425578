"""Mails ready to send: links with which a mail program opens one (RFC 6068)."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from django.conf import settings


def mail_with(command: str) -> str:
    """Return a `mailto:` link to the server with this command in it."""
    return mail_about(command, [command])


def mail_about(subject: str, lines: Sequence[str]) -> str:
    """Return a `mailto:` link to the server with this subject and these lines."""
    address = quote(settings.JUDGE_ADDRESS, safe="@+")
    # A line of a mail ends in CRLF, in a link as well as on the wire.
    body = quote("".join(f"{line}\r\n" for line in lines), safe="")
    return f"mailto:{address}?subject={quote(subject, safe='')}&body={body}"
