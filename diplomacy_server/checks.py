"""System checks: a server with a setting that is unsafe or cannot work does not start, and gets a
hint.

`manage.py check` and every command that starts the server run them. Errors stop it; warnings are
printed. The demo may do what a real server may not, but only at this machine's own address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.utils.module_loading import import_string

from diplomacy_server.database_checks import database_bears_the_load
from diplomacy_server.env_file import env_file_is_understood
from diplomacy_server.environment import parts_of
from diplomacy_server.mail_checks import MAIL_FINDERS
from diplomacy_server.server_addresses import has_host, is_local, without_password
from diplomacy_server.web_checks import WEB_FINDERS
from games.errors import BadInput
from games.proofs.keys import keys_listed, list_beside, signer_at

SHORTEST_SECRET_KEY = 32
BROKER_SCHEMES = {"redis", "rediss"}
OTHERS = 0o077
"""The bits of a file's mode that let in anybody but its owner."""


def settings_make_sense() -> Iterator[CheckMessage]:
    """A typing error must not silently become the default."""
    for fault in settings.SETTING_FAULTS:
        yield Error(
            f"{fault.name} is {without_password(fault.value)!r}.",
            hint=f"It has to be {fault.wanted}.",
            id="diplomacy.E012",
        )


def secret_key_is_safe() -> Iterator[CheckMessage]:
    """Reply addresses are derived from SECRET_KEY: anybody who knows it can order for anybody."""
    if is_local():
        return
    if settings.SECRET_KEY == settings.UNSAFE_SECRET_KEY and not settings.DEBUG:
        yield Error(
            "SECRET_KEY is the one that everybody can read in the source.",
            hint="Set SECRET_KEY to a long random text, e.g. the output of "
            "`python -c 'import secrets; print(secrets.token_urlsafe(48))'`.",
            id="diplomacy.E001",
        )
    elif "token_urlsafe" in settings.SECRET_KEY:
        yield Error(
            "SECRET_KEY is the command that makes a key, not what it prints.",
            hint="Run the command in a shell, and write the line it prints after SECRET_KEY=.",
            id="diplomacy.E001",
        )
    elif len(settings.SECRET_KEY) < SHORTEST_SECRET_KEY:
        yield Error(
            f"SECRET_KEY has fewer than {SHORTEST_SECRET_KEY} characters.",
            hint="Set it to a long random text; changing it makes old reply addresses useless.",
            id="diplomacy.E002",
        )


def debug_is_off() -> Iterator[CheckMessage]:
    """DEBUG shows settings and mails to anybody who causes an error."""
    if settings.DEBUG and not is_local():
        yield Error(
            f"DEBUG is on, but the site is {settings.SITE_URL}.",
            hint="Set DEBUG=0, or SITE_URL to this machine's own address while developing.",
            id="diplomacy.E003",
        )


def clock_is_utc() -> Iterator[CheckMessage]:
    """Deadlines are stored and compared in UTC; players read them in their own zones."""
    if settings.TIME_ZONE != "UTC" or not settings.USE_TZ:
        yield Error(
            f"TIME_ZONE is {settings.TIME_ZONE!r}; the server works in UTC.",
            hint='Leave TIME_ZONE="UTC" and USE_TZ=True; games and players have their own zones.',
            id="diplomacy.E006",
        )


def broker_can_be_spoken_to() -> Iterator[CheckMessage]:
    """Celery would say so only when the worker starts, and in words of its own."""
    if not is_broker(settings.CELERY_BROKER_URL):
        yield Error(
            "CELERY_BROKER_URL is not the URL of a broker: "
            f"{without_password(settings.CELERY_BROKER_URL)}",
            hint="Write redis://host:6379/0, or redis+socket:///path/to/socket.",
            id="diplomacy.E013",
        )


def is_broker(url: str) -> bool:
    """Say whether a text is the URL of a broker: of a socket, or of a server, perhaps with the
    number of its database."""
    parts = parts_of(url)
    if parts.scheme == "redis+socket":
        return bool(parts.path)
    return (
        has_host(url, BROKER_SCHEMES)
        and re.fullmatch("/?[0-9]*", parts.path) is not None
        and has_known_options(url)
    )


def has_known_options(url: str) -> bool:
    """Say whether those who speak to the broker understand what comes after the "?", if anything
    does: only then is kombu loaded, which cron's `tick` has no use for."""
    if not parts_of(url).query:
        return True
    try:
        import_string("kombu.connection.Connection")(url)
    except (KeyError, TypeError, ValueError):
        return False
    return True


def health_can_be_asked() -> Iterator[CheckMessage]:
    """A monitor that cannot ask, and a ping that goes nowhere, are worse than nothing."""
    for network in settings.METRICS_FROM:
        try:
            ip_network(network, strict=False)
        except ValueError:
            yield Error(
                f"METRICS_FROM has an entry that is not an address: {network}",
                hint="Write addresses or networks, with commas: 127.0.0.1,10.0.0.0/8.",
                id="diplomacy.E016",
            )
    if settings.PING_URL and not has_host(settings.PING_URL, {"http", "https"}):
        yield Error(
            f"PING_URL is not a web address: {settings.PING_URL}",
            hint="Write the address your monitor gave you, https://…, or leave it empty.",
            id="diplomacy.E017",
        )


def receipts_can_be_signed() -> Iterator[CheckMessage]:
    """A receipt without a signature proves nothing, nor does one by a key that is not published."""
    path = settings.RECEIPT_KEY_FILE
    try:
        signer, listed = signer_at(path), keys_listed(path)
    except (BadInput, OSError) as error:
        yield _no_key(path, error)
        return
    if signer is None and not is_local():
        yield Warning(
            f"Receipts are not signed: there is no key in {path}.",
            hint="Run `manage.py make_receipt_key` once, and copy the key and its list to every "
            "machine that works on mails.",
            id="diplomacy.W006",
        )
    elif signer is not None and signer.name not in listed:
        yield Error(
            f"The key in {path} is not in the list {list_beside(path)}, which players check with.",
            hint="Put the list back from your backup, or copy it from the machine of the key. If "
            "it is lost, run `manage.py make_receipt_key --new`, and ask players for their "
            "keys.txt: without its line, the old receipts prove nothing.",
            id="diplomacy.E018",
        )


def _no_key(path: Path, error: BadInput | OSError) -> CheckMessage:
    if isinstance(error.__cause__ or error, PermissionError):
        return _not_ours(path, "diplomacy.E018")
    return Error(
        f"RECEIPT_KEY_FILE: {error}",
        hint="Put the key and its list back from your backup, or run `manage.py "
        "make_receipt_key --new`.",
        id="diplomacy.E018",
    )


def _not_ours(path: Path, id: str) -> CheckMessage:
    """Say that a file is somebody else's: most likely root wrote it."""
    return Error(
        f"{path} is there, but we may not read it.",
        hint=f"Give it to the user that runs the server: `sudo chown -R diplomacy: {path}`.",
        id=id,
    )


def files_are_private() -> Iterator[CheckMessage]:
    """Anybody else on the machine who has the SQLite file or .env has every secret there is."""
    paths = [settings.BASE_DIR / ".env", settings.RECEIPT_KEY_FILE]
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        paths.append(settings.VAR_DIR)
    for path in paths:
        if not is_local() and path.exists() and path.stat().st_mode & OTHERS:
            yield Warning(
                f"Other users of this machine may read {path}.",
                hint=f"Run `chmod {'700' if path.is_dir() else '600'} {path}`.",
                id="diplomacy.W005",
            )


def demo_stays_at_home() -> Iterator[CheckMessage]:
    """In the demo everybody reads all mail and writes as anybody, so it must not face the world."""
    if settings.DEMO and not is_local():
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


def errors_can_be_reported() -> Iterator[CheckMessage]:
    """Somebody who sets SENTRY_DSN relies on hearing about errors."""
    if settings.SENTRY_DSN and not settings.SENTRY_IS_INSTALLED:
        yield Error(
            "SENTRY_DSN is set, but the package sentry-sdk is not installed.",
            hint="Run `.venv/bin/pip install sentry-sdk==2.75.0`, or leave SENTRY_DSN empty.",
            id="diplomacy.E011",
        )


def connection_is_encrypted() -> Iterator[CheckMessage]:
    """A GM's password must not travel in clear text."""
    if settings.SITE_URL.startswith("http://") and not is_local():
        yield Warning(
            f"SITE_URL is {settings.SITE_URL}: passwords and cookies travel unencrypted.",
            hint="Put a proxy with TLS in front and set SITE_URL=https://…",
            id="diplomacy.W003",
        )


def static_files_are_there() -> Iterator[CheckMessage]:
    """Without them the admin has no style."""
    try:
        collected = settings.STATIC_ROOT.is_dir() and any(settings.STATIC_ROOT.iterdir())
    except PermissionError:
        yield _not_ours(settings.STATIC_ROOT, "diplomacy.E025")
        return
    if not collected and not settings.DEMO and not settings.DEBUG and not is_local():
        yield Warning(
            "The static files have not been collected: the admin would look bare.",
            hint="Run `manage.py collectstatic`.",
            id="diplomacy.W002",
        )


FINDERS = (
    settings_make_sense,
    env_file_is_understood,
    *WEB_FINDERS,
    secret_key_is_safe,
    debug_is_off,
    *MAIL_FINDERS,
    clock_is_utc,
    broker_can_be_spoken_to,
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


def settings_are_safe(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return every finding about the settings, as Django's check framework asks for them."""
    return [finding for find in FINDERS for finding in find()]
