"""A mail that we are about to work on: its row, locked, and what we know about the people it names.

All of it takes three statements, for one mail or for many. Nearly always that is enough: the same
mail was not here before, its sender's address works, and they have not written too much. Otherwise
code that needs to know asks again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Upper
from django.db.models.lookups import Exact

from games.models import Address
from games.models.prepared import TEXT, TIME, Given, Query
from games.services.cleaned import EMAIL_LENGTH
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.identity.directed import is_fresh
from mailer.identity.senders import Proof, SeatHolder, Sender
from mailer.inbound import turns
from mailer.letter import Letter
from mailer.models import InboundMail, ReplyToken
from mailer.outbound import addresses
from mailer.replies.budget import HOUR, UNPROVED
from mailer.replies.recipient import Recipient, recipients_of


@dataclass(frozen=True, slots=True)
class LockedMail:
    """A mail whose row is locked until the transaction ends."""

    mail: InboundMail
    came_before: bool
    """Whether we have dealt with a mail with its Message-ID and sender."""
    looks_known: bool
    """Whether a mail from its sender was carried out since this one may first have come."""
    address_fails: bool
    """Whether mails to the address that its From line names are known not to arrive."""
    proved: int
    """How many mails from there that we worked on in the last hour proved who wrote them."""
    unproved: int
    """How many did not."""
    tokens: Sequence[ReplyToken]
    """The valid rows that its recipients name."""
    recipients: Mapping[tuple[int, int | None], Recipient]
    """Who gets the answers to it and to others, by the keys of the player and of the phase."""

    @property
    def games(self) -> set[int]:
        """The ids of the games that its recipients name."""
        seats = (row.seat.power.game_id if row.seat else row.game_id for row in self.tokens)
        return {game for game in seats if game}

    def answered(self, sender: Sender, calls: Sequence[Call]) -> Recipient | None:
        """The recipient of the answer; None if we have to ask, since other commands than orders may
        change that."""
        if sender.proof is Proof.NONE or not only_orders(sender, calls):
            return None
        if not isinstance(sender, SeatHolder) or sender.phase is None:
            return None
        return self.recipients.get((sender.player.pk, sender.phase.pk))


def only_orders(sender: Sender, calls: Sequence[Call]) -> bool:
    """Whether a mail asks for nothing that changes what we read here, about its writer or others.

    An answer to a question may set anything free, and any command may do more than it says.
    """
    return isinstance(sender, SeatHolder) and all(call.command in (ORDERS, AMEND) for call in calls)


def open_mails(letters: Mapping[int, Letter], *, now: dt.datetime) -> dict[int, LockedMail]:
    """The mails with these ids and letters, without those that a faster worker has done.

    They come without their raw form: the reader of the letters has it.
    """
    asked = [
        {
            "mail": mail_id,
            "message_id": letter.message_id[:255],
            "sender": (letter.sender or "")[:EMAIL_LENGTH],
            "hour_ago": now - HOUR,
            "since": copied_since(letter, now),
        }
        for mail_id, letter in letters.items()
    ]
    rows = list(filter(None, _OPENED.first_of_each(asked)))
    written = [letters[row.pk] for row in rows]
    tokens = addresses.rows_of_each((one.recipients, one.sender or "") for one in written)
    recipients = _recipients(tokens, now)
    return {
        row.pk: LockedMail(
            mail=row,
            came_before=bool(letters[row.pk].message_id and vars(row)["came_before"]),
            looks_known=vars(row)["looks_known"],
            address_fails=vars(row)["address_fails"],
            proved=vars(row)["proved"] or 0,
            unproved=vars(row)["unproved"] or 0,
            tokens=own,
            recipients=recipients,
        )
        for row, own in zip(rows, tokens, strict=True)
    }


def _recipients(
    tokens: Iterable[Iterable[ReplyToken]], now: dt.datetime
) -> dict[tuple[int, int | None], Recipient]:
    """The recipients of answers to orders, by the keys of the player and of the phase."""
    rows = [row for some in tokens for row in some]
    return recipients_of(
        {(row.seat.player_id, row.phase_id) for row in rows if row.seat and row.phase_id}, now=now
    )


def earlier(sender: str | Given, message_id: str | Given) -> QuerySet[InboundMail]:
    """The mails of this sender with this Message-ID that we have dealt with."""
    alike = InboundMail.objects.filter(message_id=message_id, sender=sender)
    return alike.exclude(state__in=turns.UNDONE)


def copied_since(letter: Letter, now: dt.datetime) -> dt.datetime:
    """The time since when the original of a copied mail may have been carried out: not before it
    was written, unless the writer's clock is wrong."""
    written_at = letter.date if is_fresh(letter.date, now) else None
    return min(now, written_at or now) - HOUR


def done_lately(sender: str | Given, since: dt.datetime | Given) -> QuerySet[InboundMail]:
    """The mails of this sender that were carried out since then.

    A mail that proved nothing does not count: it may be a stranger's, and make the sender's own
    look like a copy.
    """
    done = InboundMail.objects.filter(sender=sender, processed_at__gt=since)
    return done.filter(state=InboundMail.State.DONE).exclude(proof__in=UNPROVED)


def _query() -> QuerySet[InboundMail]:
    sender = Given("sender", TEXT)
    like_it = done_lately(sender, Given("since", TIME))
    same = earlier(sender, Given("message_id", TEXT)).exclude(pk=OuterRef("pk"))
    fails = Address.objects.filter(Exact(Upper("email"), Upper(sender))).exclude(failure="")
    # The worker that claimed the mail waits for its row: another may have it for a moment, only to
    # find that it is claimed. If we skipped the row, nobody would have it until the claim runs out.
    rows = InboundMail.objects.select_for_update().defer("raw")
    return (
        rows.filter(pk=Given("mail"), state__in=turns.UNDONE)
        .order_by()
        .annotate(
            came_before=Exists(same),
            looks_known=Exists(like_it),
            address_fails=Exists(fails),
            proved=Subquery(_of_the_last_hour(~Q(proof__in=UNPROVED))),
            unproved=Subquery(_of_the_last_hour(Q(proof__in=UNPROVED))),
        )
    )


def _of_the_last_hour(alike: Q) -> QuerySet[InboundMail, Any]:
    """How many mails of the sender like these we worked on in the last hour; no row for none."""
    recent = InboundMail.objects.filter(
        alike, sender=Given("sender", TEXT), processed_at__gt=Given("hour_ago", TIME)
    )
    return recent.order_by().values("sender").annotate(number=Count("pk")).values("number")


_OPENED = Query(_query)
