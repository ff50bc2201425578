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
    "That is a question, so we did nothing. If you mean it, write it without the question mark. "
    "Here is how it works:\n\n"
)
"""Above the help for a command written with a question mark."""
_SAYS_SO = re.compile(r"\b(?:not|nothing|questions?|wanted)\b", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Outlook:
    """How something stands when all commands of a mail are carried out.

    Commands may change what earlier ones did, so of several receipts with the same `key` only one
    says it: the first that `leads`, above its own text, or else the last, below it.
    """

    key: str
    words: Callable[[], Sequence[str]]
    """One paragraph or entry per line."""
    leads: bool = False
    closing: Callable[[], Sequence[str]] | None = None
    """Text below the last receipt that has any."""


@dataclasses.dataclass(frozen=True)
class Wish:
    """What the writer may have wanted."""

    script: str
    """The lines that would have said so here; if empty, there is only `instead`."""
    offer: str
    """What the word YES will do, in a mail that has no other wish."""
    instead: str
    """What to write."""
    lines: frozenset[int] = frozenset()
    """The numbers of the lines that suggested it."""
    news: str = ""
    """What we did not do, for a subject."""
    known: str = ""
    """The part of `instead` that holds even if it cannot be done at all."""
    about_play: bool = False
    """Whether it is for a game being played: before and after that nobody is likely to mean it."""


@dataclasses.dataclass(frozen=True)
class OrderProof:
    """A power's orders in a phase, as they count when the reply signs them at its end."""

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

    They do so by answering the reply, or, if `asked_apart`, a separate mail that asks them.
    """

    address: Address
    asked_apart: bool = False


@dataclasses.dataclass(frozen=True)
class NotReady:
    """Why READY does not count in a mail that has these orders, too."""

    lost: int = 0
    """How many of them came to nothing though a decision depends on them."""
    asked: bool = False
    """Whether the writer asked about their own units."""
    elsewhen: bool = False
    """Whether the writer named another phase above the orders."""
    tentative: bool = False
    """Whether the writer said that they may change them."""
    replaced: bool = False
    """Whether this mail is a copy, and the orders of the original may have been replaced since."""
    copied: dt.datetime | None = None
    """When the original came."""


_NOTHING = Enclosures()
_READY = NotReady()


@dataclasses.dataclass(frozen=True)
class Receipt:
    """The outcome of one command, for the reply."""

    title: str
    text: str
    """One paragraph or entry per line, not wrapped yet."""
    done: bool = True
    """False when the command was refused."""
    whole: bool = True
    """False when only a part of it was done."""
    subject: str = ""
    """For the reply's subject, where the worst news comes first."""
    refused: str = ""
    """For the reply's subject, when no receipt has a subject of its own."""
    routine: bool = False
    """Whether it needs no subject when all is well: the reply keeps the results' subject."""
    enclosed: Enclosures = _NOTHING
    claim: Claim | None = None
    """An address to be confirmed."""
    outlook: Outlook | None = None
    """Text for when all commands are done."""
    wish: Wish | None = None
    """What the writer may have wanted when we refused."""
    idle: bool = False
    """Whether it is about lines that hold neither order nor command; then the wish comes first."""
    told: frozenset[int] = frozenset()
    """The numbers of lines that it speaks of though we read nothing from them."""
    read: frozenset[int] = frozenset()
    """The numbers of those followed as orders, though they do not look like any."""
    proves: OrderProof | None = None
    """The orders that the reply signs at its end."""
    came_in: OrderMail | None = None
    """Which mail brought a set of orders; the row is yet to be written."""
    not_ready: NotReady = _READY
    quotes: bool = False
    """Whether it begins with the line that it is about, where that is known."""
    beside: Callable[[frozenset[int], str], Receipt] | None = None
    """The same receipt beside words on the lines of these numbers, of which it then says nothing
    more, and with this news of them in its subject."""
    run: Game | None = None
    """The game that a game master's command was for."""
    fault: str = ""
    """What the program got wrong, for the operators; it quotes nobody."""

    @property
    def confirmed_by_reply(self) -> Address | None:
        """The address that its owner confirms by answering the reply."""
        return self.claim.address if self.claim and not self.claim.asked_apart else None

    @property
    def heading(self) -> str:
        """The title, after NOT DONE unless it says so itself, or is about a question or a wish."""
        says_so = self.done or _SAYS_SO.search(self.title)
        return self.title if says_so else f"NOT DONE: {self.title}"


def pictured_first(receipts: Iterable[Receipt]) -> PictureRequest | None:
    """Return the phase shown by the first receipt with pictures: a mail has pictures of only
    one."""
    return next((one.enclosed.pictured for one in receipts if one.enclosed.pictured), None)


def with_outlooks(receipts: Sequence[Receipt]) -> list[Receipt]:
    """The receipts of a mail with how things stand now, saying each thing once."""
    changed = list(receipts)
    for key in dict.fromkeys(one.outlook.key for one in receipts if one.outlook):
        _say_once(changed, key)
    return changed


def _say_once(receipts: list[Receipt], key: str) -> None:
    """Add the words for one key to the texts of the receipts."""
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
    """The receipts of a mail with what the writer may have wanted; YES can do only one thing."""
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
