"""Every digest there is, in one place: of entries of the log, of sealed orders, of a result.

Each is SHA-256 over JSON whose objects are sorted by key, so that anybody can compute it.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence

SALT_BYTES = 16
"""Order sets can be guessed, and so can the key of a player; with 128 random bits beside them they
cannot."""


_JSON = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))
"""Kept, because `json.dumps` makes one each time, and a phase takes 40 digests of a few words
each."""


def digest(value: object) -> str:
    """Return the SHA-256 of a JSON value, whatever the order of its objects' keys."""
    return hashlib.sha256(_JSON.encode(value).encode()).hexdigest()


def new_salt() -> str:
    """Return random text that keeps anybody from guessing what is sealed."""
    return secrets.token_hex(SALT_BYTES)


def entry_digest(
    *, number: int, kind: str, phase: str | None, body: object, at: str, previous: str
) -> str:
    """Return the digest of a log's entry, which depends on that of the entry before.

    `body` is what `entry_body` says; `at` the time as ISO 8601 in UTC.
    """
    return digest([number, kind, phase, body, at, previous])


def entry_body(payload: Mapping[str, object], salt: str) -> object:
    """Return what an entry's digest is computed from: a digest of each fact, so that one fact can
    be shown while another stays secret.

    Entries without a salt are older, and are taken whole.
    """
    if not salt:
        return payload
    return facts_digest(
        {name: fact_digest(fact_salt(salt, name), value) for name, value in payload.items()}
    )


def facts_digest(facts: Mapping[str, str]) -> str:
    """Return the digest of all facts of an entry, given the digest of each."""
    return digest(facts)


def fact_digest(salt: str, value: object) -> str:
    """Return the digest of one fact, with its own salt."""
    return digest([salt, value])


def fact_salt(salt: str, name: str) -> str:
    """Return the salt of one fact: knowing it reveals this fact and no other."""
    return digest([salt, name])[: 2 * SALT_BYTES]


def seal(*, salt: str, phase: str, power: str, orders: Sequence[str]) -> str:
    """Return the seal, which binds a power to its orders without showing them."""
    return digest([salt, phase, power, list(orders)])


def rules_digest(*, variant: str, rules: object) -> str:
    """Return the digest of what a game is judged by: its variant, with the choices made in it, and
    its rulebook, as the game stores both."""
    return digest({"variant": variant, "rules": rules})


def result_digest(
    *, orders: Mapping[str, Sequence[str]], following: Mapping[str, object], winner: str | None
) -> str:
    """Return the digest of what everybody may know of a result: orders, next position, winner."""
    said = {power: list(lines) for power, lines in orders.items()}
    return digest({"orders": said, "next": following, "winner": winner or None})
