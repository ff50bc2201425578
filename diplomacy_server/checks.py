"""System checks: a start with a setting that is unsafe or cannot work is refused, with a hint.

`manage.py check` and every command that starts the server run them. Errors stop it, warnings are
printed. The demo may do what a real server may not, but only on this machine's own address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from ipaddress import ip_network
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError, connection

from diplomacy_server.env_file import env_file_is_understood
from diplomacy_server.environment import parts_of
from diplomacy_server.web_checks import WEB_FINDERS
from games.errors import BadInput
from games.proofs.keys import keys_listed, list_beside, signer_at

ADDRESS = re.compile(r"[A-Za-z0-9._-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
SHORTEST_SECRET_KEY = 32
IMAP_SCHEMES = {"imap", "imaps"}
OPEN_SCHEMES = {"imap", "smtp"}
BROKER_SCHEMES = {"redis", "rediss", "redis+socket", "sentinel"}
OTHERS = 0o077
"""The bits of a file's mode that let anybody but its owner in."""
SMTP_SCHEMES = {"smtp", "smtp+tls", "smtps"}
ESCAPES = "In user and password write @ as %40, / as %2F, : as %3A, # as %23, [ as %5B."


def _is_local() -> bool:
    """Whether this server is meant for this machine only, by every name it goes by."""
    names = [parts_of(settings.SITE_URL).hostname or "", *settings.ALLOWED_HOSTS]
    mail = [parts_of(url).hostname or "" for url in (*settings.IMAP_URLS, settings.EMAIL_URL)]
    return not any(_faces_the_world(name) for name in (*names, *mail))


def _faces_the_world(host: str) -> bool:
    """Whether a host's name leads beyond this machine; a bare name like "db" may be a container."""
    name = host.strip("[]").lower()
    return name == "*" or (any(sign in name for sign in ".:") and name not in LOOPBACK)


def settings_make_sense() -> Iterator[CheckMessage]:
    """A typing error must not be taken for the default in silence."""
    for fault in settings.SETTING_FAULTS:
        yield Error(
            f"{fault.name} is {_without_password(fault.value)!r}.",
            hint=f"It has to be {fault.wanted}.",
            id="diplomacy.E012",
        )


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
            f"JUDGE_ADDRESS is not a plain mail address: {settings.JUDGE_ADDRESS!r}",
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
        if not _has_host(url, IMAP_SCHEMES) or not parts_of(url).username:
            yield Error(
                f"IMAP_URL has an entry that is not the URL of a mailbox: {_without_password(url)}",
                hint="Write imaps://user:password@host:993/INBOX; several are separated by blanks. "
                f"{ESCAPES}",
                id="diplomacy.E007",
            )
    if not _has_host(settings.EMAIL_URL, SMTP_SCHEMES):
        yield Error(
            f"EMAIL_URL is not the URL of a mail server: {_without_password(settings.EMAIL_URL)}",
            hint=f"Write smtp+tls://user:password@host:587, or smtp://host:port. {ESCAPES}",
            id="diplomacy.E008",
        )


def logins_can_be_sent() -> Iterator[CheckMessage]:
    """Python's libraries for SMTP and IMAP log in with ASCII alone; others end in a traceback."""
    for name, urls in (("IMAP_URL", settings.IMAP_URLS), ("EMAIL_URL", [settings.EMAIL_URL])):
        if not unquote(" ".join(urls)).isascii():
            yield Error(
                f"{name} has a user name or password with letters beyond ASCII: no login works.",
                hint="Choose a password of plain letters, digits and signs.",
                id="diplomacy.E019",
            )


def passwords_are_not_overheard() -> Iterator[CheckMessage]:
    """Without TLS a password for the mailbox or the relay can be read by all in between."""
    for name, urls, better in (
        ("IMAP_URL", settings.IMAP_URLS, "imaps://"),
        ("EMAIL_URL", [settings.EMAIL_URL], "smtp+tls:// (port 587) or smtps:// (465)"),
    ):
        parts = [parts_of(url) for url in urls if _has_host(url, OPEN_SCHEMES)]
        if any(one.password and _faces_the_world(one.hostname or "") for one in parts):
            yield Warning(
                f"{name} sends a password over the network without encryption.",
                hint=f"Write {better}, unless nobody else is on that network.",
                id="diplomacy.W007",
            )


def broker_can_be_spoken_to() -> Iterator[CheckMessage]:
    """Celery would say so only when the worker starts, and in its own words."""
    parts = parts_of(settings.CELERY_BROKER_URL)
    named = parts.path if parts.scheme == "redis+socket" else parts.hostname
    if parts.scheme not in BROKER_SCHEMES or not named:
        yield Error(
            "CELERY_BROKER_URL is not the URL of a broker: "
            f"{_without_password(settings.CELERY_BROKER_URL)}",
            hint="Write redis://host:6379/0, or redis+socket:///path/to/socket.",
            id="diplomacy.E013",
        )


def operators_can_be_told() -> Iterator[CheckMessage]:
    """When a game is stuck, somebody has to hear of it."""
    wrong = [each for each in settings.OPERATOR_ADDRESSES if not ADDRESS.fullmatch(each)]
    if wrong:
        yield Error(
            f"OPERATOR_ADDRESSES has entries that are not addresses: {', '.join(wrong)}",
            hint="Separate plain addresses by commas: ada@example.org,bob@example.org.",
            id="diplomacy.E014",
        )
    elif not settings.OPERATOR_ADDRESSES and not _is_local():
        yield Warning(
            "OPERATOR_ADDRESSES is empty: nobody hears when a game is stuck.",
            hint="Set it to your own address; several are separated by commas.",
            id="diplomacy.W004",
        )


def health_can_be_asked() -> Iterator[CheckMessage]:
    """A monitor that cannot ask, and a ping that goes nowhere, are worse than none."""
    for network in settings.METRICS_FROM:
        try:
            ip_network(network, strict=False)
        except ValueError:
            yield Error(
                f"METRICS_FROM has an entry that is not an address: {network}",
                hint="Write addresses or networks, with commas: 127.0.0.1,10.0.0.0/8.",
                id="diplomacy.E016",
            )
    if settings.PING_URL and not _has_host(settings.PING_URL, {"http", "https"}):
        yield Error(
            f"PING_URL is not a web address: {settings.PING_URL}",
            hint="Write the address your monitor gave you, https://…, or leave it empty.",
            id="diplomacy.E017",
        )


def receipts_can_be_signed() -> Iterator[CheckMessage]:
    """A receipt without a signature proves nothing, one by a key that is not published neither."""
    path = settings.RECEIPT_KEY_FILE
    try:
        signer, listed = signer_at(path), keys_listed(path)
    except (BadInput, OSError) as error:
        yield Error(
            f"RECEIPT_KEY_FILE: {error}",
            hint="Put the key and its list back from your backup, or run `manage.py "
            "make_receipt_key --new`.",
            id="diplomacy.E018",
        )
        return
    if signer is None and not _is_local():
        yield Warning(
            f"Receipts are not signed: there is no key in {path}.",
            hint="Run `manage.py make_receipt_key` once, and copy the key and its list to every "
            "machine that works on mails.",
            id="diplomacy.W006",
        )
    elif signer is not None and signer.name not in listed:
        yield Error(
            f"The key in {path} is not in the list {list_beside(path)}, which players check with.",
            hint="Put the list back from your backup, or copy it from the machine of the key.",
            id="diplomacy.E018",
        )


def files_are_private() -> Iterator[CheckMessage]:
    """With the SQLite file or .env somebody else on the machine has every secret there is."""
    paths = [settings.BASE_DIR / ".env", settings.RECEIPT_KEY_FILE]
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        paths.append(settings.VAR_DIR)
    for path in paths:
        if not _is_local() and path.exists() and path.stat().st_mode & OTHERS:
            yield Warning(
                f"Other users of this machine may read {path}.",
                hint=f"Run `chmod {'700' if path.is_dir() else '600'} {path}`.",
                id="diplomacy.W005",
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
    if settings.SITE_URL.startswith("http://") and not _is_local():
        yield Warning(
            f"SITE_URL is {settings.SITE_URL}: passwords and cookies travel unencrypted.",
            hint="Put a proxy with TLS in front and set SITE_URL=https://…",
            id="diplomacy.W003",
        )


def static_files_are_there() -> Iterator[CheckMessage]:
    """Without them the admin has no style."""
    collected = settings.STATIC_ROOT.is_dir() and any(settings.STATIC_ROOT.iterdir())
    if not collected and not settings.DEMO and not settings.DEBUG and not _is_local():
        yield Warning(
            "The static files have not been collected: the admin would look bare.",
            hint="Run `manage.py collectstatic`.",
            id="diplomacy.W002",
        )


def _has_host(url: str, schemes: set[str]) -> bool:
    try:
        parts = parts_of(url)
        port = parts.port
    except ValueError:
        return False
    return parts.scheme in schemes and bool(parts.hostname) and port != 0


def _without_password(url: str) -> str:
    return re.sub(r":(?!//)\S*@", ":…@", url)


FINDERS = (
    settings_make_sense,
    env_file_is_understood,
    *WEB_FINDERS,
    secret_key_is_safe,
    debug_is_off,
    judge_address_is_an_address,
    clock_is_utc,
    mail_urls_can_be_read,
    logins_can_be_sent,
    passwords_are_not_overheard,
    broker_can_be_spoken_to,
    operators_can_be_told,
    health_can_be_asked,
    receipts_can_be_signed,
    files_are_private,
    demo_stays_at_home,
    demo_has_no_debugger,
    errors_can_be_reported,
    connection_is_encrypted,
    database_bears_the_load,
    static_files_are_there,
)


def database_faults() -> list[CheckMessage]:
    """Why the database does not let us in, or cannot hold what people write; asked by
    `manage.py check` alone."""
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        said = str(error).strip().splitlines() or ["no answer"]
        return [
            Error(
                f"The database cannot be reached: {_without_password(said[0])}",
                hint="See to the server, and to DATABASE_URL=postgres://user:password@host:port/name.",
                id="diplomacy.E015",
            )
        ]
    return [] if connection.vendor == "sqlite" else _encoding_faults()


def _encoding_faults() -> list[CheckMessage]:
    """A cluster that was made where no language is set (LANG=C) has SQL_ASCII: games would start,
    and nobody could be told of it."""
    encoding = connection.connection.info.parameter_status("server_encoding")
    if encoding in (None, "UTF8"):  # None where a pool that is in between does not say
        return []
    return [
        Error(
            f"The database keeps text as {encoding}, not as UTF8: most mails cannot be written.",
            hint="Make another: createdb -O USER -E UTF8 -T template0 --locale C.UTF-8 NAME. If "
            "games are in the old one, back it up, and restore it into the new one.",
            id="diplomacy.E024",
        )
    ]


def settings_are_safe(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every finding about the settings, as Django's check framework asks for it."""
    return [finding for find in FINDERS for finding in find()]
