"""What became of a command."""

from __future__ import annotations

import dataclasses

from games.models import Address


@dataclasses.dataclass(frozen=True)
class Receipt:
    """What became of one command, for the reply.

    `text` holds one paragraph or entry per line, not wrapped yet. `done` is False when the
    command was refused, `whole` when only a part of it was done. `subject` is for the reply's
    subject, where the worst news comes first.
    `address` is an address whose owner shall confirm it by answering the reply, `asks` one whose
    owner is asked by a mail of its own.
    """

    title: str
    text: str
    done: bool = True
    whole: bool = True
    subject: str = ""
    address: Address | None = None
    asks: Address | None = None
