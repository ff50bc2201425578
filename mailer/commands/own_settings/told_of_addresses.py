"""Telling players about changes to their addresses, where nobody else can hide the mail.

A leaked reply address and a forged From line are enough to SET. So nobody must be able to add their
own address to a player's, and have us write there, unseen.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import QuerySet

from games.errors import BadInput, WrongState
from games.models import Address, Player
from mailer.models import OutboundMail
from mailer.outbound import addresses, layout, outbox
from mailer.text import MARKER, moment

KIND = "own_address"
STAYS = dt.timedelta(days=7)
"""How long a former address of record cannot be forgotten."""


def tell_added(address: Address, now: dt.datetime) -> None:
    """Tell a player, at their address of record, that another address is confirmed as theirs."""
    if record := address.player.record:
        _tell(record, f"added/{address.pk}", {"email": address.email}, now)


def tell_moved(former: Address, record: Address, now: dt.datetime) -> None:
    """Tell a player, at their former address of record, where we write from now on."""
    said = {"email": record.email, "former": former.email}
    _tell(former, _moved_from(former), said, now)


def require_forgettable(address: Address, record: Address | None, now: dt.datetime) -> None:
    """Raise BadInput for an address that gave way to a newer address of record lately: its owner
    may not have read that yet."""
    if until := _stays_until(address, record, now):
        raise BadInput(
            f"We wrote to {address.email} until recently, so it stays yours for a week: nobody "
            "else can have us write elsewhere without your noticing. To have it forgotten, write "
            f"SET FORGET {address.email} after {moment(until, address.player.timezone)}. If "
            "somebody else reads your mails there, tell us: write MODERATOR on a line of its own, "
            "and your text below it."
        )


def require_settled(player: Player, refusal: str, now: dt.datetime) -> None:
    """Raise WrongState if we have only lately begun to write to the player at a newer address:
    somebody else may have made us do so. The `refusal` has places for {former}, the address before,
    and {until}, when this is long enough ago."""
    record = player.record
    for address in player.addresses.all():
        if until := _stays_until(address, record, now):
            said = {"former": address.email, "until": moment(until, player.timezone)}
            raise WrongState(
                f"We wrote to {address.email} until recently. {refusal.format(**said)}"
            )


def record_at(player: Player, at: dt.datetime) -> Address | None:
    """Return the address of record that the player had then: what they asked for goes there, even
    if somebody has us write elsewhere before it leaves."""
    for mail in player_moves(player).filter(created_at__gte=at).order_by("created_at", "pk"):
        if address := player.addresses.filter(email__iexact=mail.recipient).first():
            return address
    return player.record


def player_moves(player: Player) -> QuerySet[OutboundMail]:
    """Return the mails that told the player, at an old address, that we now write to another."""
    return OutboundMail.objects.filter(player=player, key__startswith=f"{KIND}/moved/")


def _stays_until(address: Address, record: Address | None, now: dt.datetime) -> dt.datetime | None:
    """Until when it cannot be forgotten, because it gave way to a newer address of record lately;
    None if it can."""
    if record is None or not _is_older(address, record):
        return None
    moved = OutboundMail.objects.filter(key__startswith=f"{KIND}/{_moved_from(address)}/")
    last = moved.order_by("-created_at").first()
    until = last.created_at + STAYS if last else now
    return until if now < until else None


def _is_older(address: Address, record: Address) -> bool:
    if not (address.confirmed_at and record.confirmed_at):
        return False
    return (address.confirmed_at, address.pk) < (record.confirmed_at, record.pk)


def _moved_from(former: Address) -> str:
    return f"moved/{former.pk}"


def _tell(address: Address, what: str, said: dict[str, str], now: dt.datetime) -> None:
    player = address.player
    outbox.enqueue(
        key=f"{KIND}/{what}/{now.isoformat()}",
        kind=KIND,
        recipient=address.email,
        subject="Your addresses have changed",
        body=layout.render("own_address", marker=MARKER, name=player.name, **said),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=player,
        asked_for=True,
        reply_to=addresses.player_address(address=address, now=now),
    )
