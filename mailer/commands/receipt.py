"""Receipts: the outcome of each command, for the reply."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence

from games.models import Address, Game, Phase, Power
from games.queries.orders.current_orders import OrderBook
from games.queries.reports.calendars import CalendarFile
from mailer.models import OrderMail
from mailer.outbound.buttons import Button
from mailer.outbound.pictured import PictureRequest

NOT_UNDERSTOOD = "Not understood"
JUST_ASKED = (
    "That is a question, so nothing was done. If you mean it, write it without the question mark. "
    "This is how it works:\n\n"
)
"""Above the help for a command written with a question mark."""
_SAYS_SO = re.compile(r"\b(?:not|nothing|questions?)\b", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Outlook:
    """How something stands when all commands of a mail are carried out.

    Of several receipts with the same `key` only one says it, for what one command brings, the next
    may change: the first that `leads`, above its own text, or else the last, below its own.
    `words` has one paragraph or entry per line. `closing` is said below the text of the last
    receipt that has it.
    """

    key: str
    words: Callable[[], Sequence[str]]
    leads: bool = False
    closing: Callable[[], Sequence[str]] | None = None


@dataclasses.dataclass(frozen=True)
class Wish:
    """What may have been wanted: `script` are the lines that would have said so here.

    `offer` says what the word YES brings about, in a mail that has no other wish; `instead` says
    what to write, and `known` how much of that holds where it cannot be done at all. Without a
    script there is only `instead`. `lines` are the numbers of the lines that it was read from;
    `news` says for a subject what was not done. `about_play` are wishes for the play of a game:
    before and after it they are hardly meant.
    """

    script: str
    offer: str
    instead: str
    lines: frozenset[int] = frozenset()
    news: str = ""
    known: str = ""
    about_play: bool = False


@dataclasses.dataclass(frozen=True)
class OrderProof:
    """A power's orders in a phase, which a reply signs at its end: the ones that count then."""

    phase: Phase
    power: Power
    book: OrderBook | None = dataclasses.field(default=None, compare=False)
    """What the power has sent, if nothing more can come."""


@dataclasses.dataclass(frozen=True)
class Enclosures:
    """What goes with the text of a reply: pictures of the phase `pictured`, answers with their text
    ready as `buttons`, and files for the player's calendar."""

    pictured: PictureRequest | None = None
    buttons: Sequence[Button] = ()
    calendars: Sequence[CalendarFile] = ()


@dataclasses.dataclass(frozen=True)
class Claim:
    """An address whose owner has yet to confirm it.

    They confirm it by answering the reply, or, if `asked_apart`, a mail of its own that asks them.
    """

    address: Address
    asked_apart: bool = False


@dataclasses.dataclass(frozen=True)
class NotReady:
    """Why READY does not count in a mail that has these orders, too.

    `lost` is how many of them came to nothing though a decision hangs on them. Their writer may
    also have `asked` about units of their own, named another phase above the orders (`elsewhen`),
    or said that they may change them (`tentative`). Or the mail is a copy of one that came at the
    moment `copied`, and whose orders may have been `replaced` since.
    """

    lost: int = 0
    asked: bool = False
    elsewhen: bool = False
    tentative: bool = False
    replaced: bool = False
    copied: dt.datetime | None = None


_NOTHING = Enclosures()
_READY = NotReady()


@dataclasses.dataclass(frozen=True)
class Receipt:
    """The outcome of one command, for the reply.

    `text` holds one paragraph or entry per line, not wrapped yet. `done` is False when the
    command was refused, `whole` when only a part of it was done. `subject` is for the reply's
    subject, where the worst news comes first; `refused` stands there when no receipt has a subject.
    A `routine` receipt needs none when all is well: the reply keeps the results' subject.
    `claim` is an address to be confirmed. `outlook` is what is said once all commands are done.
    `wish` is what may have been wanted instead of what was refused; it stands first where the
    receipt is `idle`: about lines of which none was an order or a command. `told` are the numbers
    of lines that the receipt speaks of, though nothing was read from them; `read` are those of
    lines that were followed as orders, though they are not written like any.
    A receipt that `quotes` begins with the line that it is about, where that is known.
    `proves` says whose orders the reply signs at its end, `came_in` in which mail a set of orders
    came, which is yet to be written.
    `run` is the game for which the command was a game master's. `fault` is what the program got
    wrong, for its operators; it quotes nobody.
    """

    title: str
    text: str
    done: bool = True
    whole: bool = True
    subject: str = ""
    refused: str = ""
    routine: bool = False
    enclosed: Enclosures = _NOTHING
    claim: Claim | None = None
    outlook: Outlook | None = None
    wish: Wish | None = None
    idle: bool = False
    told: frozenset[int] = frozenset()
    read: frozenset[int] = frozenset()
    proves: OrderProof | None = None
    came_in: OrderMail | None = None
    not_ready: NotReady = _READY
    quotes: bool = False
    run: Game | None = None
    fault: str = ""

    @property
    def confirmed_by_reply(self) -> Address | None:
        """The address that its owner confirms by answering the reply."""
        return self.claim.address if self.claim and not self.claim.asked_apart else None

    @property
    def heading(self) -> str:
        """The title, after NOT DONE unless it says so itself, or is about a question."""
        says_so = self.done or _SAYS_SO.search(self.title)
        return self.title if says_so else f"NOT DONE: {self.title}"


def pictured_first(receipts: Iterable[Receipt]) -> PictureRequest | None:
    """Return the phase that the first of the receipts with pictures shows: a mail has one."""
    return next((one.enclosed.pictured for one in receipts if one.enclosed.pictured), None)


def with_outlooks(receipts: Sequence[Receipt]) -> list[Receipt]:
    """The receipts of a mail with how things stand now, each thing said once."""
    changed = list(receipts)
    for key in dict.fromkeys(one.outlook.key for one in receipts if one.outlook):
        _say_once(changed, key)
    return changed


def _say_once(receipts: list[Receipt], key: str) -> None:
    """Add what is to be said under one key to the texts of the receipts."""
    having = [(at, one.outlook) for at, one in enumerate(receipts) if one.outlook]
    outlooks = [(at, outlook) for at, outlook in having if outlook.key == key]
    leading = next(((at, outlook) for at, outlook in outlooks if outlook.leads), None)
    at, outlook = leading or outlooks[-1]
    text = receipts[at].text
    parts = [*outlook.words(), "", text] if leading else [text, *outlook.words()]
    receipts[at] = dataclasses.replace(receipts[at], text="\n".join(parts))
    for at, outlook in reversed(outlooks):
        if outlook.closing:
            text = "\n".join([receipts[at].text, "", *outlook.closing()])
            receipts[at] = dataclasses.replace(receipts[at], text=text)
            return


def with_offers(receipts: Sequence[Receipt]) -> list[Receipt]:
    """The receipts of a mail with what may have been wanted: YES can bring about only one thing."""
    only = sum(bool(one.wish and one.wish.script) for one in receipts) == 1
    return [_with_offer(one, only=only) for one in receipts]


def _with_offer(receipt: Receipt, *, only: bool) -> Receipt:
    wish = receipt.wish
    if wish is None:
        return receipt
    is_offered = only and bool(wish.script)
    words = wish.offer if is_offered else wish.instead
    status, _, rest = receipt.text.partition("\n\n")
    parts = (words, receipt.text) if receipt.idle else (status, words, rest)
    text = "\n\n".join(filter(None, parts))
    return dataclasses.replace(receipt, text=text, wish=wish if is_offered else None)
