"""System checks: a start with a setting that is unsafe or cannot work is refused, with a hint.

`manage.py check` and every command that starts the server run them. Errors stop it, warnings are
printed. The demo may do what a real server may not, but only on this machine's own address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

ADDRESS = re.compile(r"[A-Za-z0-9._-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
SHORTEST_SECRET_KEY = 32
IMAP_SCHEMES = {"imap", "imaps"}
SMTP_SCHEMES = {"smtp", "smtp+tls", "smtps"}


def _is_local() -> bool:
    """Whether this server is meant for this machine only, by every name it goes by."""
    names = [urlsplit(settings.SITE_URL).hostname or "", *settings.ALLOWED_HOSTS]
    mail = [urlsplit(url).hostname or "" for url in (*settings.IMAP_URLS, settings.EMAIL_URL)]
    return not any(_faces_the_world(name) for name in (*names, *mail))


def _faces_the_world(host: str) -> bool:
    """Whether a host's name leads beyond this machine; a bare name like "db" may be a container."""
    name = host.strip("[]").lower()
    return name == "*" or (any(sign in name for sign in ".:") and name not in LOOPBACK)


def secret_key_is_safe() -> Iterator[CheckMessage]:
    """Reply addresses are derived from SECRET_KEY: who knows it can order for anybody."""
    if _is_local():
        return
    if settings.SECRET_KEY == settings.UNSAFE_SECRET_KEY and not settings.DEBUG:
        yield Error(
            "SECRET_KEY is the one that everybody can read in the source.",
            hint="Set SECRET_KEY to a long random text, e.g. the output of "
            "`python -c 'import secrets; print(secrets.token_urlsafe(48))'`.",
            id="diplomacy.E001",
        )
    elif len(settings.SECRET_KEY) < SHORTEST_SECRET_KEY:
        yield Error(
            f"SECRET_KEY has fewer than {SHORTEST_SECRET_KEY} characters.",
            hint="Set it to a long random text; changing it makes old reply addresses useless.",
            id="diplomacy.E002",
        )


def debug_is_off() -> Iterator[CheckMessage]:
    """DEBUG shows settings and mails to whoever causes an error."""
    if settings.DEBUG and not _is_local():
        yield Error(
            f"DEBUG is on, but the site is {settings.SITE_URL}.",
            hint="Set DEBUG=0, or SITE_URL to this machine's own address while developing.",
            id="diplomacy.E003",
        )


def judge_address_is_an_address() -> Iterator[CheckMessage]:
    """Reply addresses are made of its two parts."""
    if not ADDRESS.fullmatch(settings.JUDGE_ADDRESS):
        yield Error(
            f"JUDGE_ADDRESS is no plain mail address: {settings.JUDGE_ADDRESS!r}",
            hint='Set it like JUDGE_ADDRESS=judge@games.example.org, without name, "+" or <>.',
            id="diplomacy.E004",
        )
    elif settings.JUDGE_ADDRESS.endswith("@localhost") and not _is_local():
        yield Error(
            "JUDGE_ADDRESS ends in @localhost, so no player could answer.",
            hint="Set it to the address whose mailbox IMAP_URL reads.",
            id="diplomacy.E005",
        )


def clock_is_utc() -> Iterator[CheckMessage]:
    """Deadlines are stored and compared in UTC; players read them in their own zones."""
    if settings.TIME_ZONE != "UTC" or not settings.USE_TZ:
        yield Error(
            f"TIME_ZONE is {settings.TIME_ZONE!r}; the server works in UTC.",
            hint='Leave TIME_ZONE="UTC" and USE_TZ=True; games and players have their own zones.',
            id="diplomacy.E006",
        )


def mail_urls_can_be_read() -> Iterator[CheckMessage]:
    """A mistyped address of a mail server would only show when the first mail is due."""
    if not settings.IMAP_URLS:
        yield Error(
            "IMAP_URL is empty: no mail would ever be read.",
            hint="Set it like IMAP_URL=imaps://user:password@mail.example.org/INBOX.",
            id="diplomacy.E007",
        )
    for url in settings.IMAP_URLS:
        if not _has_host(url, IMAP_SCHEMES) or not urlsplit(url).username:
            yield Error(
                f"IMAP_URL has an entry that is none: {_without_password(url)}",
                hint="Write imaps://user:password@host:993/INBOX; several are separated by blanks.",
                id="diplomacy.E007",
            )
    if not _has_host(settings.EMAIL_URL, SMTP_SCHEMES):
        yield Error(
            f"EMAIL_URL is none: {_without_password(settings.EMAIL_URL)}",
            hint="Write smtp+tls://user:password@host:587, or smtp://host:port.",
            id="diplomacy.E008",
        )


def demo_stays_at_home() -> Iterator[CheckMessage]:
    """In the demo everybody reads all mail and writes as anybody: never for the world."""
    if not settings.DEMO:
        return
    if not _is_local():
        yield Error(
            "DEMO is on, but the site, its hosts or its mail servers are not only this machine.",
            hint="DEMO is for `make run` alone. Leave it out on a real server.",
            id="diplomacy.E009",
        )


def demo_has_no_debugger() -> Iterator[CheckMessage]:
    """A debugger would show what the demo's own pages may not."""
    if settings.DEMO and settings.DEBUG:
        yield Error(
            "DEMO and DEBUG are both on.",
            hint="Set DEBUG=0: the demo shows everything worth seeing.",
            id="diplomacy.E010",
        )


def database_bears_the_load() -> Iterator[CheckMessage]:
    """SQLite lets one writer in at a time and locks the whole file."""
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if sqlite and not _is_local():
        yield Warning(
            "The database is SQLite: one process may write at a time.",
            hint="Fine for a handful of games with one worker. For more, and for several workers, "
            "set DATABASE_URL=postgres://user:password@host:5432/name.",
            id="diplomacy.W001",
        )


def errors_can_be_reported() -> Iterator[CheckMessage]:
    """Somebody who set SENTRY_DSN relies on hearing of errors."""
    if settings.SENTRY_DSN and not settings.SENTRY_IS_INSTALLED:
        yield Error(
            "SENTRY_DSN is set, but the package sentry-sdk is not installed.",
            hint="Run `.venv/bin/pip install sentry-sdk==2.75.0`, or leave SENTRY_DSN empty.",
            id="diplomacy.E011",
        )


def connection_is_encrypted() -> Iterator[CheckMessage]:
    """A GM's password must not travel in the clear."""
    if not settings.SITE_URL.startswith("https://") and not _is_local():
        yield Warning(
            f"SITE_URL is {settings.SITE_URL}: passwords and cookies travel unencrypted.",
            hint="Put a proxy with TLS in front and set SITE_URL=https://…",
            id="diplomacy.W003",
        )


def static_files_are_there() -> Iterator[CheckMessage]:
    """Without them the admin has no style."""
    collected = any(settings.STATIC_ROOT.iterdir())
    if not collected and not settings.DEMO and not settings.DEBUG and not _is_local():
        yield Warning(
            "The static files have not been collected: the admin would look bare.",
            hint="Run `manage.py collectstatic`.",
            id="diplomacy.W002",
        )


def _has_host(url: str, schemes: set[str]) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    return parts.scheme in schemes and bool(parts.hostname) and port != 0


def _without_password(url: str) -> str:
    return re.sub(r":[^:@/]*@", ":…@", url)


FINDERS = (
    secret_key_is_safe,
    debug_is_off,
    judge_address_is_an_address,
    clock_is_utc,
    mail_urls_can_be_read,
    demo_stays_at_home,
    demo_has_no_debugger,
    errors_can_be_reported,
    connection_is_encrypted,
    database_bears_the_load,
    static_files_are_there,
)


def settings_are_safe(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every finding about the settings, as Django's check framework asks for it."""
    return [finding for find in FINDERS for finding in find()]
