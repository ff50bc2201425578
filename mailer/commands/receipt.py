"""What became of a command."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from games.models import Address


@dataclasses.dataclass(frozen=True)
class Outlook:
    """How something stands when all commands of a mail are carried out.

    Of several receipts with the same `key` only the last says it, below its own text: what one
    command brings, the next may change. `words` has one paragraph or entry per line.
    """

    key: str
    words: Callable[[], Sequence[str]]


@dataclasses.dataclass(frozen=True)
class Receipt:
    """What became of one command, for the reply.

    `text` holds one paragraph or entry per line, not wrapped yet. `done` is False when the
    command was refused, `whole` when only a part of it was done. `subject` is for the reply's
    subject, where the worst news comes first.
    `address` is an address whose owner confirms it by answering the reply, `asks` one whose
    owner is asked by a mail of its own. `outlook` is what is said once all commands are done.
    """

    title: str
    text: str
    done: bool = True
    whole: bool = True
    subject: str = ""
    address: Address | None = None
    asks: Address | None = None
    outlook: Outlook | None = None
