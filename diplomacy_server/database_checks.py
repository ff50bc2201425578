"""System checks of the database: that it can bear the load, lets us in, and stores every letter."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError, connection

from diplomacy_server.server_addresses import is_local, without_password


def database_bears_the_load() -> Iterator[CheckMessage]:
    """SQLite lets one writer in at a time and locks the whole file."""
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if sqlite and not is_local():
        yield Warning(
            "The database is SQLite: one process may write at a time.",
            hint="Fine for a handful of games with one worker. For more, and for several workers, "
            "set DATABASE_URL=postgres://user:password@host:5432/name.",
            id="diplomacy.W001",
        )


def database_faults() -> list[CheckMessage]:
    """Say why the database does not let us in, or cannot store what people write; only `manage.py
    check` asks."""
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        said = str(error).strip().splitlines() or ["no answer"]
        return [
            Error(
                f"The database cannot be reached: {without_password(said[0])}",
                hint="See to the server, and to DATABASE_URL=postgres://user:password@host:port/name.",
                id="diplomacy.E015",
            )
        ]
    return [] if connection.vendor == "sqlite" else _encoding_faults()


def _encoding_faults() -> list[CheckMessage]:
    """A cluster made where no language is set (LANG=C) has SQL_ASCII: games would start, and nobody
    could be told about it."""
    encoding = connection.connection.info.parameter_status("server_encoding")
    if encoding in (None, "UTF8"):  # None where a pool in between does not say
        return []
    return [
        Error(
            f"The database keeps text as {encoding}, not as UTF8: most mails cannot be written.",
            hint="Make another: createdb -O USER -E UTF8 -T template0 --locale C.UTF-8 NAME. If "
            "games are in the old one, back it up, and restore it into the new one.",
            id="diplomacy.E026",
        )
    ]
