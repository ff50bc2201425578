"""Looks at secrets before the deadline: for a reason, in the log, and told to all players.

Whether somebody may look is for the caller to ask (`games.queries.access.disclosure.may_look`). The
event is written before anything is shown, in one transaction with the look.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from games import log
from games.errors import BadInput, NotFound, WrongState
from games.events import OrdersLookedAt
from games.models import AdvanceOrders, Event, Game, OrderSet, Phase, Press, StaffEntry
from games.queries.access.staff_names import Actor
from games.queries.players.seats import power_names
from games.queries.reports.wording import listed
from games.services.common import lock_game, reason
from games.services.moderation.staff_log import entry_write

ROOM_FOR_WHY = 200


class Secret(enum.StrEnum):
    """What somebody can look at; the value is the word for it in the log."""

    ORDERS = "orders"
    AHEAD = "orders for later phases"
    PRESS = "press"
    MAIL = "a mail"
    PREVIEW = "what the orders would bring"


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a look showed; what was not asked for is empty. Oldest first."""

    event: Event
    order_sets: tuple[OrderSet, ...]
    ahead: tuple[AdvanceOrders, ...]
    press: tuple[Press, ...]


@transaction.atomic
def look(
    *,
    phase: Phase,
    what: Sequence[Secret],
    powers: Sequence[str],
    why: str,
    by: Actor,
    now: dt.datetime,
) -> Glimpse:
    """Tell everybody of the look, and return what was asked for of these powers.

    Press is that which the powers wrote in this phase. Raises what `look_record` raises.
    """
    event = look_record(phase=phase, what=what, powers=powers, why=why, by=by, now=now)
    seen = OrdersLookedAt.of(event).powers
    sets = phase.order_sets.select_related("power").filter(power__name__in=seen)
    ahead = AdvanceOrders.objects.select_related("seat__power").filter(
        seat__power__game=phase.game,
        seat__power__name__in=seen,
        used_at=None,
        passed_at=None,
    )
    press = phase.press.select_related("seat__power", "game").filter(seat__power__name__in=seen)
    return Glimpse(
        event=event,
        order_sets=tuple(sets) if Secret.ORDERS in what else (),
        ahead=tuple(ahead) if Secret.AHEAD in what else (),
        press=tuple(press) if Secret.PRESS in what else (),
    )


@transaction.atomic
def look_record(
    *,
    phase: Phase,
    what: Sequence[Secret],
    powers: Sequence[str],
    why: str,
    by: Actor,
    now: dt.datetime,
) -> Event:
    """Write into the log, for everybody to be told, that somebody looks at a secret.

    No powers means all of them. What was seen is never written. Raises BadInput without a reason or
    without anything to look at, NotFound for a power that the game does not have, and WrongState if
    the game is over, when nothing is secret any more.
    """
    game = lock_game(phase.game)
    if game.status == Game.Status.FINISHED:
        raise WrongState(f"The game {game.name} is over: there is nothing secret left to look at.")
    if not what:
        raise BadInput("Please say what you want to look at.")
    why = reason(why)
    if len(why) > ROOM_FOR_WHY:
        raise BadInput(f"Please say why in at most {ROOM_FOR_WHY} characters.")
    names = power_names(game)
    if unknown := sorted(set(powers) - set(names)):
        raise NotFound(f"There is no power “{unknown[0]}” in the game {game.name}.")
    seen = tuple(name for name in names if name in powers) or tuple(names)
    facts = OrdersLookedAt(
        phase=phase.name, what=tuple(str(one) for one in what), powers=seen, why=why, by=by.name
    )
    _note(facts, game, by=by, now=now)
    return log.record(game=game, phase=phase, facts=facts, now=now)


_KINDS: dict[str, StaffEntry.What] = {
    Secret.PRESS: StaffEntry.What.PRESS,
    Secret.MAIL: StaffEntry.What.MAIL,
}


def _note(look: OrdersLookedAt, game: Game, *, by: Actor, now: dt.datetime) -> None:
    """The staff's log has it, too: one entry for orders, for press and for mails each."""
    whose = "all powers" if look.powers == tuple(power_names(game)) else ", ".join(look.powers)
    kinds: dict[StaffEntry.What, list[str]] = {}
    for what in look.what:
        kinds.setdefault(_KINDS.get(what, StaffEntry.What.ORDERS), []).append(what)
    for kind, shown in kinds.items():
        about = f"{game.name}, {look.phase}: {listed(shown)}, of {whose}"
        entry_write(what=kind, about=about, why=look.why, by=by, game=game, now=now)
