"""Tells players about changes to their addresses, in mails that nobody else can hide.

A leaked reply address and a forged From line are enough to SET. So we never let anybody add their
own address to a player's, and have us write there, without the player seeing it.
"""

from __future__ import annotations

import datetime as dt

from games.errors import BadInput, WrongState
from games.models import Address, Player
from games.queries.players.settled_address import SETTLES, address_settled
from games.queries.reports.wording import local_moment
from mailer.models import OutboundMail
from mailer.outbound import addresses, layout, outbox
from mailer.text import MARKER

KIND = "own_address"


def tell_added(address: Address, now: dt.datetime) -> None:
    """Tell a player, at their address of record, that another address is confirmed as theirs."""
    if record := address.player.record:
        _tell(record, f"added/{address.pk}", {"email": address.email}, now)


def tell_moved(former: Address, record: Address, now: dt.datetime) -> None:
    """Tell a player, at their former address of record, where we write from now on."""
    said = {"email": record.email, "former": former.email}
    _tell(former, f"moved/{former.pk}", said, now)


def require_forgettable(address: Address, player: Player, now: dt.datetime) -> None:
    """Raise BadInput for a player's settled address while we write to another one: the owner may
    not have read about that yet."""
    if until := stays_until(address, player, now):
        raise BadInput(
            f"We wrote to {address.email} until recently, so it stays yours for a week: nobody "
            "else can have us write elsewhere without your noticing. To have it forgotten, write "
            f"SET FORGET {address.email} after {local_moment(until, player.timezone)}. If "
            "somebody else reads your mails there, tell us: write MODERATOR on a line of its own, "
            "and your text below it."
        )


def require_settled(player: Player, refusal: str, now: dt.datetime) -> None:
    """Raise WrongState if we began only lately to write to the player at another address: somebody
    else may have made us do so.

    The `refusal` has places for {former}, the address before, and {until}, when it will be long
    enough ago.
    """
    settled = address_settled(player, now)
    if settled and (until := stays_until(settled, player, now)):
        said = {"former": settled.email, "until": local_moment(until, player.timezone)}
        raise WrongState(f"We wrote to {settled.email} until recently. {refusal.format(**said)}")


def stays_until(address: Address, player: Player, now: dt.datetime) -> dt.datetime | None:
    """The time until which a recently replaced address cannot be forgotten; None if it can be."""
    settled = address_settled(player, now)
    if settled != address or settled == player.record or settled.gave_way_at is None:
        return None
    return settled.gave_way_at + SETTLES


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
