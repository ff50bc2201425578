"""The statement that a receipt signs, at the end of a mail, and how it is found there.

    :: Diplomacy receipt 1; game marne; phase S1901M; power France;
    :: received 2026-03-02T12:00:00Z; salt 00112233445566778899aabbccddeeff;
    :: orders: A+Paris+-+Burgundy; F+Brest+Holds. Signed by key 0f1e2d3c:
    :: (88 characters of base64, on two lines)

In orders plus signs replace blanks. So however a client breaks the lines, no part that is quoted
without its mark can be read as an order again. The signature covers the text from `Diplomacy
receipt` to the full stop after the orders, with single blanks between words, so wrapping, quoting
and indenting do no harm.
"""

from __future__ import annotations

import datetime as dt
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from games.proofs.digests import seal

WIDTH = 72
MARK = ":: "
"""Begins every line meant for programs: our own reader takes no order from such a line."""

_NOTHING = "none"
_BLANK = "+"
_SIGNED = re.compile(
    r"(?P<text>Diplomacy receipt 1; game (?P<game>\S+); phase (?P<phase>[SFW]\d+(?:BC)?[MRA]); "
    r"power (?P<power>[^;]+); received (?P<received>[\d-]+T[\d:]+Z); salt (?P<salt>[0-9a-f]{32}); "
    r"orders: (?P<orders>[^.:]*)\.) Signed by key (?P<key>[0-9a-f]{8}): "
    r"(?P<signature>(?:[A-Za-z0-9+/] ?){86}==)"
)
_BEGINS = "Diplomacy receipt 1;"
_QUOTED = re.compile(r"^[>\s]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """What the server says about a power's orders: these count, and their mail came at this
    time."""

    game: str
    phase: str
    power: str
    received_at: dt.datetime
    salt: str
    orders: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text that is signed."""
        received = self.received_at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        orders = "; ".join(one.replace(" ", _BLANK) for one in self.orders) or _NOTHING
        return (
            f"Diplomacy receipt 1; game {self.game}; phase {self.phase}; power {self.power}; "
            f"received {received}; salt {self.salt}; orders: {orders}."
        )

    @property
    def seal(self) -> str:
        """The seal that the log has to have for this power, if these orders were used."""
        return seal(salt=self.salt, phase=self.phase, power=self.power, orders=self.orders)


@dataclass(frozen=True, slots=True)
class SignedReceipt:
    """A statement found in a mail, with the name of the key and the signature."""

    text: str
    statement: Statement
    key: str
    signature: str


def block(statement: Statement, *, key: str, signature: str) -> list[str]:
    """Return the lines at the end of a receipt: 72 columns, each with its mark."""
    half = len(signature) // 2
    return [
        *textwrap.wrap(
            f"{statement.text} Signed by key {key}:",
            WIDTH,
            initial_indent=MARK,
            subsequent_indent=MARK,
            break_long_words=False,
            break_on_hyphens=False,
        ),
        f"{MARK}{signature[:half]}",
        f"{MARK}{signature[half:]}",
    ]


def found_in(text: str) -> Iterator[SignedReceipt]:
    """Yield the signed receipts in the text of a mail, even if they were quoted or rewrapped."""
    for match in _SIGNED.finditer(unwrap(text)):
        statement = Statement(
            game=match["game"],
            phase=match["phase"],
            power=match["power"],
            received_at=dt.datetime.fromisoformat(match["received"]),
            salt=match["salt"],
            orders=_orders_in(match["orders"]),
        )
        signature = match["signature"].replace(" ", "")
        yield SignedReceipt(match["text"], statement, match["key"], signature)


def _orders_in(written: str) -> tuple[str, ...]:
    orders = () if written == _NOTHING else written.split("; ")
    return tuple(one.replace(_BLANK, " ") for one in orders)


def begun_in(text: str) -> int:
    """Return how many receipts begin in the text; if fewer are found, the others are damaged."""
    return unwrap(text).count(_BEGINS)


def unwrap(text: str) -> str:
    """Return the text of a mail on one line, without the marks of quotes and of programs."""
    words = _QUOTED.sub("", text).split()
    return " ".join(word for word in words if word != MARK.strip())
