"""System checks of how mail is fetched and sent, and which address it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

from diplomacy_server.environment import parts_of
from diplomacy_server.server_addresses import faces_the_world, has_host, is_local, without_password

ADDRESS = re.compile(r"[A-Za-z0-9._-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
AUTHSERV_ID = re.compile(r"""[^\s;,()="<>]+""")
IMAP_SCHEMES = {"imap", "imap+tls", "imaps"}
OPEN_SCHEMES = {"imap", "smtp"}
SMTP_SCHEMES = {"smtp", "smtp+tls", "smtps"}
ESCAPES = (
    "In user and password write % as %25, @ as %40, / as %2F, : as %3A, # as %23, ? as %3F, "
    "[ as %5B."
)


def judge_address_is_an_address() -> Iterator[CheckMessage]:
    """Reply addresses are made of its two parts."""
    if not ADDRESS.fullmatch(settings.JUDGE_ADDRESS):
        yield Error(
            f"JUDGE_ADDRESS is not a plain mail address: {settings.JUDGE_ADDRESS!r}",
            hint='Set it like JUDGE_ADDRESS=judge@games.example.org, without name, "+" or <>.',
            id="diplomacy.E004",
        )
    elif settings.JUDGE_ADDRESS.endswith("@localhost") and not is_local():
        yield Error(
            "JUDGE_ADDRESS ends in @localhost, so no player could answer.",
            hint="Set it to the address whose mailbox IMAP_URL reads.",
            id="diplomacy.E005",
        )


def mail_urls_can_be_read() -> Iterator[CheckMessage]:
    """A mistyped address of a mail server would show only when the first mail is due."""
    if not settings.IMAP_URLS:
        yield Error(
            "IMAP_URL is empty: no mail would ever be read.",
            hint="Set it like IMAP_URL=imaps://user:password@mail.example.org/INBOX.",
            id="diplomacy.E007",
        )
    for url in settings.IMAP_URLS:
        if not _names_a_server(url, IMAP_SCHEMES) or not parts_of(url).username:
            yield Error(
                f"IMAP_URL has an entry that is not the URL of a mailbox: {without_password(url)}",
                hint="Write imaps://user:password@host:993/INBOX; several are separated by blanks. "
                f"{ESCAPES}",
                id="diplomacy.E007",
            )
    if not _names_a_server(settings.EMAIL_URL, SMTP_SCHEMES):
        yield Error(
            f"EMAIL_URL is not the URL of a mail server: {without_password(settings.EMAIL_URL)}",
            hint=f"Write smtp+tls://user:password@host:587, or smtp://host:port. {ESCAPES}",
            id="diplomacy.E008",
        )


def _names_a_server(url: str, schemes: set[str]) -> bool:
    """Say whether a URL has a host, and nothing after a # or ?, as it would with half a
    password."""
    return has_host(url, schemes) and not parts_of(url).fragment and not parts_of(url).query


def logins_can_be_sent() -> Iterator[CheckMessage]:
    """Python's libraries for SMTP and IMAP can log in only with ASCII; anything else ends in a
    traceback."""
    for name, urls in (("IMAP_URL", settings.IMAP_URLS), ("EMAIL_URL", [settings.EMAIL_URL])):
        if not unquote(" ".join(urls)).isascii():
            yield Error(
                f"{name} has a user name or password with letters beyond ASCII: no login works.",
                hint="Choose a password of plain letters, digits and signs.",
                id="diplomacy.E019",
            )


def passwords_are_not_overheard() -> Iterator[CheckMessage]:
    """Without TLS everybody in between can read the password of the mailbox or the relay."""
    for name, urls, better in (
        ("IMAP_URL", settings.IMAP_URLS, "imaps:// (port 993) or imap+tls:// (143)"),
        ("EMAIL_URL", [settings.EMAIL_URL], "smtp+tls:// (port 587) or smtps:// (465)"),
    ):
        parts = [parts_of(url) for url in urls if has_host(url, OPEN_SCHEMES)]
        if any(one.password and faces_the_world(one.hostname or "") for one in parts):
            yield Warning(
                f"{name} sends a password over the network without encryption.",
                hint=f"Write {better}, unless nobody else is on that network.",
                id="diplomacy.W007",
            )


def operators_can_be_told() -> Iterator[CheckMessage]:
    """When a game is stuck, somebody has to hear about it."""
    wrong = [each for each in settings.OPERATOR_ADDRESSES if not ADDRESS.fullmatch(each)]
    if wrong:
        yield Error(
            f"OPERATOR_ADDRESSES has entries that are not addresses: {', '.join(wrong)}",
            hint="Separate plain addresses by commas: ada@example.org,bob@example.org.",
            id="diplomacy.E014",
        )
    elif not settings.OPERATOR_ADDRESSES and not is_local():
        yield Warning(
            "OPERATOR_ADDRESSES is empty: nobody hears when a game is stuck.",
            hint="Set it to your own address; several are separated by commas.",
            id="diplomacy.W004",
        )


def trusted_server_has_a_name() -> Iterator[CheckMessage]:
    """Only a name can begin an Authentication-Results: with any other text we would believe
    nobody."""
    name = settings.TRUSTED_AUTHSERV_ID
    if name and not AUTHSERV_ID.fullmatch(name):
        yield Error(
            f"TRUSTED_AUTHSERV_ID is not the name of a mail server: {name!r}",
            hint="Write the first word of its Authentication-Results, without blanks or signs: "
            "TRUSTED_AUTHSERV_ID=mx.example.org. There can be only one.",
            id="diplomacy.E024",
        )


MAIL_FINDERS = (
    judge_address_is_an_address,
    mail_urls_can_be_read,
    logins_can_be_sent,
    passwords_are_not_overheard,
    operators_can_be_told,
    trusted_server_has_a_name,
)
