"""The key that signs receipts (Ed25519, RFC 8032), and the list of all keys there have ever been.

The key is a file that only the server's user may read. The list beside it is for everybody: a line
for each key, with its name, the public key in base64, and the day it was made.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from games.errors import BadInput

NAME_DIGITS = 8
LIST_HEADING = "# Keys by which this server signs receipts: name, Ed25519 key in base64, made on."


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key to check signatures with. Its name is the start of its SHA-256."""

    name: str
    base64: str
    made_on: str

    def has_signed(self, text: str, signature: str) -> bool:
        """Say whether the signature (base64) was made with this key, for this text."""
        try:
            raw = base64.b64decode(signature, validate=True)
            key = Ed25519PublicKey.from_public_bytes(base64.b64decode(self.base64))
            key.verify(raw, text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True, slots=True)
class Signer:
    """The key that signs now."""

    name: str
    key: Ed25519PrivateKey

    def sign(self, text: str) -> str:
        """Return the signature of the text in base64: 88 characters."""
        return base64.b64encode(self.key.sign(text.encode())).decode()


def list_beside(key_file: Path) -> Path:
    """Return the path of the list of public keys."""
    return key_file.with_suffix(".pub")


def signer_at(key_file: Path) -> Signer | None:
    """Return the key in the file, read again if the file has changed; None if there is no file.

    Raises BadInput if the file holds no such key, or we may not read it.
    """
    try:
        changed = key_file.stat().st_mtime_ns
    except FileNotFoundError:
        return None
    return _signer(key_file, changed)


@lru_cache(maxsize=4)
def _signer(key_file: Path, changed: int) -> Signer:
    try:
        key = serialization.load_pem_private_key(key_file.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadInput(f"{key_file} holds no key that we can read: {error}.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadInput(f"{key_file} holds a key of another kind than Ed25519.")
    return Signer(_name(_raw(key)), key)


def make_key(key_file: Path, *, now: dt.datetime) -> PublicKey:
    """Make a key, put it into the file in place of an earlier one, and enter it in the list.

    The list is written first, so that no receipt is ever signed with a key that is not in it.
    """
    key = Ed25519PrivateKey.generate()
    raw = _raw(key)
    public = PublicKey(_name(raw), base64.b64encode(raw).decode(), f"{now:%Y-%m-%d}")
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    listed = list_beside(key_file)
    before = listed.read_text() if listed.exists() else f"{LIST_HEADING}\n"
    _write(listed, f"{before}{public.name} {public.base64} {public.made_on}\n".encode(), 0o644)
    _write(key_file, pem, 0o600)
    return public


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write all of it or nothing, and never leave it open to others, even for a moment."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def keys_in(text: str) -> dict[str, PublicKey]:
    """Read a list of public keys, by name. Raises BadInput for a line that names no key."""
    lines = (line.split() for line in text.splitlines() if line.strip() and line.strip()[0] != "#")
    keys = [_key_of(words) for words in lines]
    return {one.name: one for one in keys}


def _key_of(words: list[str]) -> PublicKey:
    try:
        name, written, made_on = words
        raw = base64.b64decode(written, validate=True)
        Ed25519PublicKey.from_public_bytes(raw)
    except ValueError as error:
        raise BadInput(f"“{' '.join(words)}” is not a line of a list of keys.") from error
    if name != _name(raw):
        raise BadInput(f"The key called {name} is another one: its name should be {_name(raw)}.")
    return PublicKey(name, written, made_on)


def keys_listed(key_file: Path) -> dict[str, PublicKey]:
    """Return all keys that have ever signed, by name; none if there is no list."""
    listed = list_beside(key_file)
    return keys_in(listed.read_text()) if listed.exists() else {}


def _raw(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def _name(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:NAME_DIGITS]
