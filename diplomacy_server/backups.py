"""Backups of the database: write them, delete old ones, try them out."""

from __future__ import annotations

import datetime as dt
import fcntl
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import DatabaseError, connection
from psycopg import pq

from games.models import Game

KEEP_DAYS = 14
KEEP_WEEKS = 8
STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"diplomacy-(\d{8}T\d{6}Z)\.(?:dump|sqlite3)")
_PART = ".part"


class BackupError(Exception):
    """A backup could not be written or read back; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True, order=True)
class Backup:
    """One backup in a folder."""

    at: dt.datetime
    path: Path


def backups(folder: Path) -> list[Backup]:
    """Return the complete backups in a folder, the oldest first."""
    found = ((_made_at(path.name), path) for path in folder.glob("diplomacy-*"))
    return sorted(Backup(made_at, path) for made_at, path in found if made_at)


def _made_at(name: str) -> dt.datetime | None:
    """Return when the backup of that name was made, None if the name is not a backup's."""
    match = _NAME.fullmatch(name)
    try:
        return dt.datetime.strptime(match[1], STAMP).replace(tzinfo=dt.UTC) if match else None
    except ValueError:  # no such day
        return None


def write_backup(folder: Path, now: dt.datetime) -> Backup:
    """Write the database into the folder, for this user's eyes alone, while the server runs.

    The file gets its name only when all of it is on the disk. Raises BackupError, even for an empty
    database: backups of the wrong database would drive out those of the right one.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    kind = "sqlite3" if connection.vendor == "sqlite" else "dump"
    path = folder / f"diplomacy-{now.astimezone(dt.UTC):{STAMP}}.{kind}"
    part = path.with_name(path.name + _PART)
    _clear(folder)
    part.touch(mode=0o600)
    with part.open("rb+") as file:
        with suppress(OSError):  # some network disks have no locks
            fcntl.flock(file, fcntl.LOCK_EX)  # so no other backup takes it for a leftover
        try:
            _write(part)
            if _is_empty():
                raise BackupError(
                    "Nothing of a game server is in the database: is DATABASE_URL right?"
                )
        except BaseException:
            part.unlink(missing_ok=True)  # on a full disk it would be in everybody's way
            raise
        part.replace(path)
    return Backup(now, path)


def _is_empty() -> bool:
    try:
        return Game._meta.db_table not in connection.introspection.table_names()
    except DatabaseError:  # the database has gone away meanwhile, but the backup is whole
        return False


def _clear(folder: Path) -> None:
    """Delete half-written files before they take the room that the next backup needs."""
    for path in _leftovers(folder):
        with suppress(OSError):  # `rotate` says what cannot be deleted
            path.unlink()


def _leftovers(folder: Path) -> list[Path]:
    """Return the half-written files that no backup is still writing."""
    return [path for path in folder.glob(f"diplomacy-*{_PART}") if not _is_being_written(path)]


def _is_being_written(part: Path) -> bool:
    try:
        with part.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    return False


def _write(part: Path) -> None:
    if connection.vendor == "sqlite":
        _copy_sqlite(str(connection.settings_dict["NAME"]), part)
    else:
        _run(["pg_dump", "--format=custom", "--no-owner", "--file", str(part)], _access())
    with part.open("rb") as file:
        os.fsync(file.fileno())


def times_to_keep(times: Collection[dt.datetime], now: dt.datetime) -> set[dt.datetime]:
    """Return which backups stay: all of the last 24 hours, and the newest of each of the last days
    and weeks.

    So a backup made just before an upgrade outlives those made after it.
    """
    newest: dict[tuple[int, ...], dt.datetime] = {}
    for at in sorted(times):
        if now - at < dt.timedelta(days=KEEP_DAYS):
            newest[at.year, at.month, at.day] = at
        if now - at < dt.timedelta(weeks=KEEP_WEEKS):
            newest[at.isocalendar()[:2]] = at
    return {at for at in times if now - at < dt.timedelta(days=1)} | set(newest.values())


def rotate(folder: Path, now: dt.datetime) -> int:
    """Delete the backups that do not stay, and half-written files; return how many.

    The newest always stays, however old it is.
    """
    found = backups(folder)
    stay = times_to_keep([one.at for one in found], now)
    gone = [one.path for one in found[:-1] if one.at not in stay]
    gone += _leftovers(folder)
    for path in gone:
        path.unlink()
    return len(gone)


def try_out(backup: Backup) -> str:
    """Restore a backup into a database of its own, upgrade that to this code, and check every
    game's log there. Return what the check said.

    The database is gone afterwards. Raises BackupError.
    """
    here = {"DJANGO_SETTINGS_MODULE": "diplomacy_server.settings"}
    here["PYTHONPATH"] = str(settings.BASE_DIR)
    with _restored_url(backup) as url:
        command = [sys.executable, "-m", "diplomacy_server.restore_check"]
        said = _run(command, {**here, "DATABASE_URL": url})
    if not said:
        raise BackupError("Nothing of a game server is in it.")
    return said


@contextmanager
def _restored_url(backup: Backup) -> Iterator[str]:
    if backup.path.suffix == ".sqlite3":
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "restored.sqlite3"
            shutil.copyfile(backup.path, copy)  # it may be larger than the memory
            yield f"sqlite:///{copy}"
        return
    access = _access()
    name = f"{access['PGDATABASE']}_restored"
    _run(["dropdb", "--if-exists", name], access)
    _run(["createdb", name], access)
    try:
        restore = ["pg_restore", "--no-owner", "--exit-on-error", "--dbname", name]
        _run([*restore, str(backup.path)], access)
        yield _url(name)
    finally:
        _run(["dropdb", "--if-exists", name], access)


def _copy_sqlite(name: str, to: Path) -> None:
    try:
        with closing(sqlite3.connect(name)) as here, closing(sqlite3.connect(to)) as there:
            here.backup(there)
    except sqlite3.Error as error:
        raise BackupError(f"SQLite failed: {error}") from error


def _access() -> Mapping[str, str]:
    """Return the environment in which PostgreSQL's own programs find our database."""
    config = connection.settings_dict
    known = {
        "PGDATABASE": config["NAME"],
        "PGHOST": config["HOST"],
        "PGPORT": config["PORT"],
        "PGUSER": config["USER"],
        "PGPASSWORD": config["PASSWORD"],
        **{_variables()[name]: value for name, value in _options().items()},
    }
    return {name: str(value) for name, value in known.items() if name and value}


def _options() -> dict[str, Any]:
    """Return the other options of our connection: whether it is encrypted, how long we wait, and so
    on."""
    options = connection.settings_dict.get("OPTIONS", {})
    return {name: value for name, value in options.items() if name in _variables()}


@cache
def _variables() -> Mapping[str, str]:
    """Return the variable for each option of PostgreSQL's programs; empty where they have none."""
    known = pq.Conninfo.get_defaults()
    return {one.keyword.decode(): (one.envvar or b"").decode() for one in known}


def _url(name: str) -> str:
    config = connection.settings_dict
    who = quote(str(config["USER"]), safe="")
    if config["PASSWORD"]:
        who += f":{quote(str(config['PASSWORD']), safe='')}"
    host, port = str(config["HOST"]), f":{config['PORT']}" if config["PORT"] else ""
    options = f"?{urlencode(_options())}"
    if host.startswith("/"):  # the folder of a socket goes before the name, as in DATABASE_URL
        return f"postgres://{who}@{port}/{quote(host)}/{name}{options}"
    where = f"[{host}]" if ":" in host else quote(host, safe="")
    return f"postgres://{who}@{where}{port}/{name}{options}"


def _run(command: list[str], environment: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
        )
    except FileNotFoundError as error:
        raise BackupError(f"There is no {command[0]} here: install PostgreSQL's client.") from error
    except subprocess.CalledProcessError as error:
        program = Path(command[0]).name
        lines = (error.stderr or error.stdout or "").splitlines()
        said = [line for line in lines if line[:1].strip()]  # indented lines continue others
        raise BackupError(f"{program} failed: {said[-1] if said else error.returncode}") from error
    return done.stdout.strip()
