"""What a saved mail proves: signed receipts, digests of the log, a whole proof file.

A result mail ends with the digests of the log and of its phase, the answer to PROOF with the
proof file, packed (zlib) and written in base64:

    :: log marne 17
    :: (64 hexadecimal digits)
    :: result S1901M
    :: (64 hexadecimal digits)

    :: Proof file of marne
    :: (base64, 68 characters a line)
    :: End of the proof file
"""

from __future__ import annotations

import base64
import email
import email.policy
import json
import re
import textwrap
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.errors import BadInput
from games.proofs.receipts import MARK, WIDTH, unwrap

LARGEST = 50_000_000
"""More bytes than any proof file has, so that a small mail cannot fill our memory."""

_WITNESS = re.compile(
    r"\blog (?P<game>\S+) (?P<number>\d+) (?P<log>[0-9a-f]{64})"
    r"(?: result (?P<phase>[SFW]\d+(?:BC)?[MRA]) (?P<result>[0-9a-f]{64}))?"
)
_PACKED = re.compile(r"Proof file of \S+ (?P<packed>[A-Za-z0-9+/= ]+) End of the proof file")
_HEADER = re.compile(rb"\A(?:[A-Za-z][A-Za-z0-9-]*:|From )")


@dataclass(frozen=True, slots=True)
class Witness:
    """What a result mail says: the digest of an entry of the log, and that of a phase's result."""

    game: str
    number: int
    digest: str
    phase: str = ""
    result: str = ""


def witness_lines(witness: Witness) -> list[str]:
    """Return it in the form it has at the end of a mail."""
    lines = [f"{MARK}log {witness.game} {witness.number}", f"{MARK}{witness.digest}"]
    if witness.result:
        lines += [f"{MARK}result {witness.phase}", f"{MARK}{witness.result}"]
    return lines


def witnesses_in(text: str) -> list[Witness]:
    """Return what the text of a mail says about logs, quoted or not."""
    return [
        Witness(
            game=match["game"],
            number=int(match["number"]),
            digest=match["log"],
            phase=match["phase"] or "",
            result=match["result"] or "",
        )
        for match in _WITNESS.finditer(unwrap(text))
    ]


def packed_lines(document: Mapping[str, Any]) -> list[str]:
    """Return a proof file as lines of a mail."""
    written = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    packed = base64.b64encode(zlib.compress(written, 9)).decode()
    return [
        f"{MARK}Proof file of {document['game']['name']}",
        *(f"{MARK}{line}" for line in textwrap.wrap(packed, WIDTH - len(MARK) - 1)),
        f"{MARK}End of the proof file",
    ]


def packed_in(text: str) -> object | None:
    """Return the proof file in the text of a mail, None if it has none. Raises BadInput for a
    damaged one."""
    match = _PACKED.search(unwrap(text))
    if match is None:
        return None
    try:
        unpacking = zlib.decompressobj()
        packed = base64.b64decode(match["packed"].replace(" ", ""), validate=True)
        document: object = json.loads(unpacking.decompress(packed, LARGEST))
    except (ValueError, RecursionError, zlib.error) as error:
        raise BadInput("The proof file in this mail is damaged: save the mail again.") from error
    return document


def text_of(raw: bytes) -> str:
    """Return the text of a saved mail, whether it was saved whole (.eml) or only as text."""
    if not _HEADER.match(raw):
        return raw.decode("utf-8", "replace")
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    texts = [part.get_payload(decode=True) for part in parts]
    return "\n".join(text.decode("utf-8", "replace") for text in texts if isinstance(text, bytes))
