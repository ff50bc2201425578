"""What became of a command."""

from __future__ import annotations

import dataclasses

from games.models import Address


@dataclasses.dataclass(frozen=True)
class Receipt:
    """What became of one command, for the reply.

    `text` holds one paragraph or entry per line, not wrapped yet. `done` is False when the
    command was refused. `subject` is for the reply's subject when this is its only receipt.
    `address` is an address whose owner shall confirm it by answering the reply, `asks` one whose
    owner is asked by a mail of its own.
    """

    title: str
    text: str
    done: bool = True
    subject: str = ""
    address: Address | None = None
    asks: Address | None = None
