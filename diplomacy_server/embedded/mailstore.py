"""Where the embedded mailbox keeps its mail: one file a mail, `<user>/<folder>/<time>-<n>.eml`.

A mail counts as received when its file and the folder's entry are on the disk (fsync); the time in
the name is its INTERNALDATE. A folder's name is percent-encoded, so that no name leads outside.
"""

from __future__ import annotations

import datetime as dt
import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

_numbers = itertools.count(1)


@dataclass(frozen=True)
class StoredMail:
    """A mail on the disk."""

    path: Path

    @property
    def received_at(self) -> dt.datetime:
        """When it was stored, in UTC."""
        nanoseconds = int(self.path.name.partition("-")[0])
        return dt.datetime.fromtimestamp(nanoseconds / 1e9, dt.UTC)


def folder_path(root: Path, user: str, folder: str) -> Path:
    """Return where a user's folder is; "INBOX" is one folder in upper or lower case."""
    name = "INBOX" if folder.upper() == "INBOX" else folder
    return root / _encode(user) / _encode(name)


def folders(root: Path, user: str) -> list[str]:
    """Return a user's folders."""
    home = root / _encode(user)
    return sorted(unquote(path.name) for path in home.iterdir()) if home.exists() else []


def mails(folder: Path) -> list[StoredMail]:
    """Return the folder's mails in the order they came."""
    return [StoredMail(path) for path in sorted(folder.glob("*.eml"))]


def store(folder: Path, raw: bytes, received_at: dt.datetime) -> StoredMail:
    """Write a mail so that no crash can lose it once this has returned."""
    folder.mkdir(parents=True, exist_ok=True)
    nanoseconds = int(received_at.timestamp() * 1e6) * 1000
    path = folder / f"{nanoseconds:020d}-{os.getpid()}.{next(_numbers):06d}.eml"
    unfinished = path.with_suffix(".part")
    with unfinished.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
    _sync_folder(folder)
    return StoredMail(path)


def move(mail: StoredMail, folder: Path) -> StoredMail:
    """Move a mail to another folder; its time stays."""
    folder.mkdir(parents=True, exist_ok=True)
    return StoredMail(mail.path.rename(folder / mail.path.name))


def link(mail: StoredMail, folder: Path) -> StoredMail:
    """Copy a mail into another folder without copying its bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{mail.path.name.partition('-')[0]}-{os.getpid()}.{next(_numbers):06d}.eml"
    path.hardlink_to(mail.path)
    return StoredMail(path)


def remove(mail: StoredMail) -> None:
    """Forget a mail; if it is gone already, that is no error."""
    mail.path.unlink(missing_ok=True)


def _encode(name: str) -> str:
    return quote(name, safe="@ ").replace(".", "%2E")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
