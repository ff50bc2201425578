"""Mails of ours that come back: we find out which mail it was, note the failure at its address, try
another address, and tell people.

Every mail leaves with an envelope sender of its own (`judge+bounce-<secret>@host`, VERP), so a
report that comes there is about that mail, however it is written. We believe a report that comes
anywhere else only if the header that it returns names that address. The Message-ID proves nothing:
everybody who gets an answer to the mail gets it, too. So nobody can make us think that somebody
else's address is dead. We cannot check what somebody says about their own mails
(`mailer/outbound/untold.py`).

We never answer a report, nor read it for orders.
"""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Address, Application, Game, Player, Seat
from games.queries.access.anonymity import names_shown
from games.queries.access.roles import masters, plays_in
from games.queries.access.run_by import moderators
from games.queries.players.seats import BEFORE_START, PLAYED
from games.services.accounts.addresses import address_failed
from mailer.inbound import staff_bounces
from mailer.letter import Letter
from mailer.models import AttachedFile, InboundMail, OutboundMail
from mailer.notices.messages import moderation_mail
from mailer.notices.notice import about
from mailer.outbound import addresses, layout, outbox
from mailer.reading.report import Report, in_words, is_of_the_mail
from mailer.text import MARKER
from mailer.workers.time_slices import each

logger = logging.getLogger(__name__)

KIND = "undelivered"
UNFINISHED = (*BEFORE_START, *PLAYED)
LOOK_BACK = dt.timedelta(days=3)
LONGEST_TRIED = dt.timedelta(days=60)
"""While the relay is away we may try a mail for a long time before it is refused; with this bound
the index on when mails were written finds those that failed lately."""
REPORTED_WITHIN = dt.timedelta(days=30)
"""Servers try a mail for five days, some for two weeks, before they send it back."""
LATER_SAID = "delayed again and again; the last report said: "
_COPIES = ("copy", KIND)  # the address of record has it already; a GM has no second address

_LOOK = ("html", "buttons", "pictures", "pictured", "viewer", "trial", "calendars")
"""What a mail has besides its text, and keeps if we send it once more."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A player's place in a game: their power ("" before the start), and its key."""

    game: Game
    power: str
    key: str


def mail_reported(letter: Letter, at: dt.datetime) -> OutboundMail | None:
    """The mail of ours that a report which came `at` this time is about; None if it is not a
    report, or we do not believe it.

    A mail that only looks like a report counts only at the bounce address of the mail it is about.
    """
    if letter.report is None:
        return None
    since = at - REPORTED_WITHIN
    return mail_returned(letter.recipients, since) or mail_returned(
        [letter.report.returned_to], since
    )


def mail_returned(envelope_senders: Iterable[str], since: dt.datetime) -> OutboundMail | None:
    """The mail of ours that one of these secret addresses names.

    None without one, or if we sent it before then: others may have it by now, so having it proves
    nothing.
    """
    digests = list(filter(None, map(addresses.bounce_digest, envelope_senders)))
    mails = OutboundMail.objects.filter(bounce_digest__in=digests).select_related("player")
    mails = mails.filter(Q(sent_at=None) | Q(sent_at__gte=since))
    return mails.order_by("pk").first() if digests else None


def take_report(
    mail: InboundMail, about_mail: OutboundMail, report: Report, now: dt.datetime
) -> str:
    """Do what a report asks for; return a sentence for the admin. Repeating it changes nothing."""
    mail.bounce_of = about_mail
    mail.player = about_mail.player
    known = "" if report.status in report.said else f"{report.status} "
    said = in_words(redact_reply(f"{known}{report.said}"))
    if not report.lost and not report.late:
        return f"Report about mail #{about_mail.pk}: {report.action}."
    note_trouble(about_mail, said, lost=report.lost, at=mail.received_at, now=now)
    word = "did not arrive" if report.lost else "is delayed"
    return f"Mail #{about_mail.pk} {word}: {said}"


def refusals(now: dt.datetime) -> int:
    """Treat mails that the relay refused at once like mails that came back; return how many.

    Mails that failed because no server could be reached are nobody's fault.
    """
    refused = list(_recent_refusals(now).order_by("pk").values_list("pk", flat=True))
    return sum(each(refused, lambda mail: _take_refusal(mail, now)))


@transaction.atomic
def _take_refusal(mail_id: int, now: dt.datetime) -> bool:
    """Treat one refused mail like that; say whether we were the first."""
    locked = OutboundMail.objects.select_for_update(skip_locked=True)
    mail = locked.filter(pk=mail_id, bounced_at=None).first()
    if mail is not None:
        note_trouble(mail, in_words(redact_reply(mail.last_error)), lost=True, at=now, now=now)
    return mail is not None


def _recent_refusals(now: dt.datetime) -> QuerySet[OutboundMail]:
    """The mails that a server refused lately and nobody has seen to.

    Mails that were tried for long count only if nothing has arrived since: otherwise an upgrade
    would report addresses that work again.
    """
    since = OutboundMail.objects.filter(
        recipient=OuterRef("recipient"), bounced_at=None, sent_at__gt=OuterRef("not_before")
    )
    tried_for_long = Q(not_before__gt=now - LOOK_BACK) & ~Exists(since)
    return OutboundMail.objects.filter(
        Q(created_at__gt=now - LOOK_BACK) | tried_for_long,
        state=OutboundMail.State.FAILED,
        bounced_at=None,
        created_at__gt=now - LONGEST_TRIED,
        last_error__regex=r"^[45][0-9][0-9] ",
    )


def note_trouble(
    mail: OutboundMail, said: str, *, lost: bool, at: dt.datetime, now: dt.datetime
) -> None:
    """Note that a mail is lost or late; send a lost one to the player's other address.

    Everybody who has to know that the player is out of reach hears of it once, until they are back.
    """
    mail.bounce = said
    if lost and mail.bounced_at is None:
        mail.bounced_at = at
    mail.save(update_fields=["bounce", "bounced_at"])
    why = said if lost else f"{LATER_SAID}{said}"
    logger.warning("Mail #%s (%s) %s: %s", mail.pk, mail.kind, "lost" if lost else "late", said)
    fails = lost and not is_of_the_mail(said)
    failing = address_failed(email=mail.recipient, why=why, fails=fails, at=at)
    other = _other_address(mail)
    if lost and other:
        send_elsewhere(mail, other, now)
    if failing is not None:
        tell(failing, has_another=other is not None, now=now)
    if lost:
        staff_bounces.tell(mail, _without(mail.recipient, said), now)


def _other_address(mail: OutboundMail) -> Address | None:
    """A confirmed address of the mail's player that works, as far as we know.

    While nobody knows which addresses are theirs, a moderator's letter has gone to each address it
    is for already.
    """
    if mail.player is None or mail.kind in _COPIES:
        return None
    if mail.player.addresses_frozen_at and mail.kind == moderation_mail.KIND:
        return None
    confirmed = mail.player.addresses.filter(confirmed_at__isnull=False)
    is_theirs = confirmed.filter(email__iexact=mail.recipient).exists()
    others = confirmed.filter(failing_since=None).exclude(email__iexact=mail.recipient)
    return others.order_by("-of_record", "confirmed_at").first() if is_theirs else None


def send_elsewhere(mail: OutboundMail, other: Address, now: dt.datetime) -> OutboundMail:
    """Queue a lost mail once more, unchanged, to another address of its player; say why.

    A file with everything we keep about them goes only to their address of record.
    """
    note = layout.render(
        "second_address",
        marker=MARKER,
        lost=mail.recipient,
        other=other.email,
        said=mail.bounce,
        had_file=mail.kind in AttachedFile.FILED,
    )
    again = outbox.enqueue(
        key=f"again/{mail.pk}/{other.pk}",
        kind=mail.kind,
        recipient=other.email,
        subject=mail.subject,
        body=f"{note}\n{mail.body.removeprefix(MARKER).lstrip()}",
        now=now,
        priority=mail.priority,
        player=mail.player,
        event=mail.event,
        answers=mail.answers,
        reply_to=mail.reply_to,
        cc=mail.cc,
        in_reply_to=mail.in_reply_to,
        references=mail.references,
        on_yes=mail.on_yes,
    )
    for name in _LOOK:
        setattr(again, name, getattr(mail, name))
    again.save(update_fields=_LOOK)
    return again


def tell(address: Address, *, has_another: bool, now: dt.datetime) -> int:
    """Tell the GMs of the player's games and the moderators that they are out of reach; return how
    many.

    Tell them only what they need: the mail may be about another game, and the player's addresses
    are their own affair. The failing address gets no such mail: it may be a GM's, who also plays.
    """
    number = 0
    for place in _places(address.player):
        for email in watchers(place.game, now):
            if email.lower() != address.email.lower():
                _tell(place, address, email, now, has_another=has_another)
                number += 1
    return number


def _places(player: Player) -> list[_Place]:
    """The seats that they hold, and the games they have joined that have not started."""
    seats = Seat.objects.select_related("power__game__gm").filter(
        player=player, until=None, power__game__status__in=UNFINISHED
    )
    seated = [_Place(one.power.game, one.power.name, f"{one.pk}") for one in seats.order_by("pk")]
    joined = Application.objects.select_related("game__gm").filter(
        player=player, withdrawn_at=None, game__status__in=BEFORE_START
    )
    joined = joined.exclude(game__in=[one.game for one in seated]).order_by("pk")
    return seated + [_Place(one.game, "", f"application-{one.pk}") for one in joined]


def watchers(game: Game, now: dt.datetime) -> list[str]:
    """The people who keep a game going: its GMs and the moderators, or else the operators.

    In an anonymous game, none of them who plays in it: they would learn who plays what.
    """
    users = [*masters(game, now), *moderators()]
    emails = [one.email for one in users if names_shown(game) or not plays_in(one, game)]
    return _each_once(emails or settings.OPERATOR_ADDRESSES)


def _each_once(emails: Iterable[str]) -> list[str]:
    return list({email.lower(): email for email in emails}.values())


def _tell(
    place: _Place, address: Address, email: str, now: dt.datetime, *, has_another: bool
) -> None:
    game, name = place.game, address.player.name
    outage = f"{address.failing_since:%Y%m%d%H%M%S}"
    who = f"{name} ({place.power})" if place.power else name
    runs = next((user for user in masters(game, now) if user.email == email), None)
    outbox.enqueue(
        key=f"{KIND}/{place.key}/{address.pk}/{outage}/{email}"[:200],
        kind=KIND,
        recipient=email,
        subject=about(game, f"Mail to {who} is not getting through"),
        body=layout.render(
            KIND,
            game=game,
            power=place.power,
            player=name,
            said=_without(address.email, address.failure),
            has_another=has_another,
            is_gm=runs is not None,
            musters=game.status == Game.Status.MUSTER,
        ),
        now=now,
        priority=OutboundMail.Priority.RESULT,
        reply_to=addresses.gm_address(user=runs, game=game, now=now) if runs else "",
    )


def _without(email: str, said: str) -> str:
    return re.sub(re.escape(email), "[address]", said, flags=re.IGNORECASE)


def redact_reply(text: str) -> str:
    """A server's words, on one line and without our secrets."""
    return addresses.redact(outbox.one_line(text))
