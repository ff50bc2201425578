"""Tells players what moderators decide about them, and moderators what players ask."""

from __future__ import annotations

import datetime as dt
import logging

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from games.models import Address, Conduct, Player
from games.queries.access import run_by
from games.queries.access.conflicts import is_concerned
from games.queries.reports.wording import local_moment
from mailer.models import OutboundMail
from mailer.notices.messages import while_away
from mailer.outbound import addresses, layout, outbox, sending
from mailer.text import MARKER
from mailer.workers.time_slices import each

logger = logging.getLogger(__name__)

KIND = "conduct"
Kind = Conduct.Kind
SUBJECTS = {
    Kind.ANSWERED: "The moderators answer you",
    Kind.WRITTEN: "A moderator writes to you",
    Kind.MUTED: "You cannot write press for some time",
    Kind.UNMUTED: "You can write press again",
    Kind.SUSPENDED: "You cannot take a seat for some time",
    Kind.BANNED: "You may no longer play here",
    Kind.LIFTED: "You may play again",
    Kind.FROZEN: "Your addresses stay as they are for now",
    Kind.UNFROZEN: "You can change your addresses again",
    Kind.MERGED: "Your two accounts are one now",
}
ASKING = {
    Kind.ASKED: "{} writes to the moderators",
    Kind.COMPLAINED: "A mail to {} was called spam",
    Kind.ALIKE: "{} may be somebody who may not play",
}
"""The subjects of mails that ask for a moderator."""

TO_MODERATORS = (
    *(Kind.ANSWERED, Kind.WRITTEN, Kind.MUTED, Kind.SUSPENDED, Kind.BANNED),
    *(Kind.FROZEN, Kind.UNFROZEN),
)
"""Replies to these go to the moderators: the player may think the decision wrong."""

LETTERS = (Kind.WRITTEN, Kind.ANSWERED)
"""Moderators' letters to a player, shown as their own words."""


def tell_all(now: dt.datetime) -> int:
    """Queue the mails for every entry that nobody was told of yet; return how many were seen to."""
    due = Q(tell_again_at=None) | Q(tell_again_at__lte=now)
    untold = Conduct.objects.filter(due, told_at=None).order_by("pk").values_list("pk", flat=True)
    return sum(each(list(untold), lambda entry: _tell_safely(entry, now)))


def moderators(player: Player) -> list[str]:
    """Return the addresses of the moderators who neither are the player nor play with them, or else
    those of the operators.

    If there are no operators, moderators who play with them are better than nobody.
    """
    emails = {user.email: is_concerned(user, player) for user in run_by.moderators()}
    others = [email for email, concerned in emails.items() if not concerned]
    return others or list(settings.OPERATOR_ADDRESSES) or list(emails)


@transaction.atomic
def _tell_safely(entry_id: int, now: dt.datetime) -> bool:
    """Tell of one entry; after a failure try again after ever longer pauses, as with events."""
    rows = Conduct.objects.select_for_update(skip_locked=True, of=("self",))
    entry = rows.select_related("player").filter(pk=entry_id, told_at=None).first()
    if entry is None:
        return False
    try:
        with transaction.atomic():
            _tell(entry, now)
        entry.told_at = now
    except Exception:
        logger.exception("Nobody could be told of entry #%s (%s)", entry.pk, entry.kind)
        entry.tell_attempts += 1
        entry.tell_again_at = now + sending.pause_after(entry.tell_attempts)
    entry.save(update_fields=["told_at", "tell_attempts", "tell_again_at"])
    return entry.told_at is not None


def _tell(entry: Conduct, now: dt.datetime) -> None:
    if entry.kind in Conduct.FOR_MODERATORS:
        _to_moderators(entry, now)
    elif entry.kind == Kind.MAIL_RESUMED:
        while_away.tell(entry, now)
    else:
        _to_player(entry, now)


def _to_player(entry: Conduct, now: dt.datetime) -> None:
    for address in _addresses(entry):
        _to_address(entry, address, now)


def _addresses(entry: Conduct) -> list[Address]:
    """The addresses to write to.

    An address that a moderator chose, while the player has it; all confirmed ones, while nobody
    knows which are really the player's; otherwise the address of record.
    """
    player, record = entry.player, entry.player.record
    if entry.only_to:
        mine = player.addresses.filter(confirmed_at__isnull=False)
        return list(mine.filter(email__iexact=entry.only_to))
    if record and (player.addresses_frozen_at or entry.kind in (Kind.FROZEN, Kind.UNFROZEN)):
        others = player.addresses.filter(confirmed_at__isnull=False).exclude(pk=record.pk)
        return [record, *others.order_by("pk")]
    return [record] if record else []


def _to_address(entry: Conduct, address: Address, now: dt.datetime) -> None:
    player = entry.player
    body = layout.render(
        KIND,
        marker=MARKER,
        name=player.name,
        kind=entry.kind,
        why=layout.indented(entry.why) if entry.kind in LETTERS else entry.why,
        by=entry.by,
        to_moderators=entry.kind in TO_MODERATORS,
        appeal=entry.kind in (Kind.MUTED, Kind.SUSPENDED, Kind.BANNED),
        until=local_moment(entry.until, player.timezone) if entry.until else "",
        record=player.address,
    )
    outbox.enqueue(
        key=f"{KIND}/{entry.pk}" + ("" if address.of_record else f"/{address.pk}"),
        kind=KIND,
        recipient=address.email,
        subject=SUBJECTS[Kind(entry.kind)],
        body=body,
        now=now,
        priority=OutboundMail.Priority.RESULT,
        player=player,
        asked_for=entry.kind == Kind.ANSWERED,
        reply_to=_reply_to(entry, address, now),
    )


def _reply_to(entry: Conduct, address: Address, now: dt.datetime) -> str:
    """Where a reply goes: to the moderators, if they wrote, or decided against the player;
    otherwise it is read for commands, as in every mail."""
    if entry.kind in TO_MODERATORS:
        return addresses.moderators_address(address=address, now=now)
    return addresses.player_address(address=address, now=now)


def _to_moderators(entry: Conduct, now: dt.datetime) -> None:
    name, kind = entry.player.name, Kind(entry.kind)
    site = settings.SITE_URL
    text = layout.indented(entry.why) if kind == Kind.ASKED else entry.why
    body = layout.render("asked", name=name, text=text, kind=kind, site=site)
    subject = ASKING[kind].format(name)
    for email in moderators(entry.player):
        outbox.enqueue(
            key=f"asked/{entry.pk}/{email}"[:200],
            kind="asked",
            recipient=email,
            subject=subject,
            body=body,
            now=now,
            priority=OutboundMail.Priority.NOTICE,
        )
