"""Sending players everything we keep about them, at their own request or a moderator's.

This only writes down the request; the mailer gathers the data and mails them to the player's
address of record, and nowhere else.
"""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games.errors import WrongState
from games.models import DataRequest, Player, StaffEntry
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import local_moment
from games.services.common import lock_player, phase_now, reason, require_unfrozen
from games.services.moderation.looks import Secret, look_record
from games.services.moderation.seats_lost import seats_played
from games.services.moderation.staff_log import entry_write

PAUSE = dt.timedelta(days=1)
"""How often a player gets it by mail: once in this time."""


@transaction.atomic
def own_data_ask(*, player: Player, now: dt.datetime) -> DataRequest:
    """Have the player's data sent to them because they asked. Raises WrongState when they did in
    the last day, and when no address of theirs is confirmed; NotAllowed while their addresses are
    frozen."""
    player = lock_player(player)
    require_unfrozen(player)
    _require_address(player)
    last = last_asked(player, now=now)
    if last is not None:
        again = last.at + PAUSE
        raise WrongState(
            "You asked for your data less than a day ago, and it is on its way or already "
            f"in your mailbox. You can ask again from {local_moment(again, player.timezone)}."
        )
    return DataRequest.objects.create(player=player, kind=DataRequest.Kind.EXPORT, at=now)


@transaction.atomic
def own_data_send(*, player: Player, notes: bool, by: Actor, now: dt.datetime) -> DataRequest:
    """Have the player's data sent to them because one of the staff says so; `notes`: with those of
    the moderators. Raises WrongState when no address of theirs is confirmed, and while an earlier
    request of the staff waits or the player's addresses are frozen."""
    player = lock_player(player)
    _require_address(player)
    if player.addresses_frozen_at:
        raise WrongState(f"The addresses of {player.name} are frozen.")
    waiting = player.data_requests.filter(kind=DataRequest.Kind.EXPORT, done_at=None)
    if waiting.exclude(by="").exists():
        raise WrongState(f"{player.name} is already being sent their data.")
    entry_write(
        what=StaffEntry.What.GIVEN,
        about=f"account {player.pk}{', with the moderators’ notes' if notes else ''}",
        by=by,
        player=player,
        now=now,
    )
    return DataRequest.objects.create(
        player=player, kind=DataRequest.Kind.EXPORT, by=by.name, notes=notes, at=now
    )


@transaction.atomic
def own_data_take(*, player: Player, why: str, by: Actor, now: dt.datetime) -> None:
    """Note that one of the staff takes the player's data as a file, for a reason.

    The file holds orders and press, so the players of all their running games are told. Raises
    BadInput without a reason.
    """
    why = reason(why, readers="the staff’s log keeps it, and players are told")
    for seat in seats_played(player):
        look_record(
            phase=phase_now(seat.power.game),
            what=[Secret.ORDERS, Secret.AHEAD, Secret.PRESS, Secret.MAIL],
            powers=[seat.power.name],
            why=why,
            by=by,
            now=now,
        )
    what, about = StaffEntry.What.TAKEN, f"account {player.pk}"
    entry_write(what=what, about=about, why=why, by=by, player=player, now=now)


def last_asked(player: Player, *, now: dt.datetime) -> DataRequest | None:
    """Return what the player themselves asked for in the last day; None if they did not ask."""
    own = player.data_requests.filter(kind=DataRequest.Kind.EXPORT, by="")
    return own.filter(at__gt=now - PAUSE).first()


def _require_address(player: Player) -> None:
    if not player.address:
        raise WrongState(f"{player.name} has no confirmed address to send anything to.")
