"""Reminds those who still owe orders, and nobody else."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet

from games import lifecycle, log
from games.errors import WrongState
from games.events import OrdersMissing
from games.models import Event, Game, Phase, Player, Seat
from games.models.prepared import TIME, Given, Query
from games.models.stored import Save
from games.queries import board
from games.queries.orders.current_orders import is_readable
from games.queries.orders.waiting import powers_not_in
from games.queries.orders.wishes import reminded_lately
from games.services.common import lock_game, lock_player, phase_now
from games.timing.pace import ladder_of, next_reminder
from games.timing.reminders import OFF, ladder_kept, rung_reached

MOST_AT_ONCE = 500


def phases_to_remind(*, now: dt.datetime) -> list[int]:
    """Return the ids of the open phases in which somebody's next reminder has come, but no more
    than a tick can see to."""
    phases = Phase.objects.filter(
        remind_at__lte=now, status=Phase.Status.OPEN, game__status=Game.Status.ACTIVE
    )
    return list(phases.order_by("remind_at", "pk").values_list("pk", flat=True)[:MOST_AT_ONCE])


@transaction.atomic
def players_remind(*, phase_id: int, now: dt.datetime) -> Event | None:
    """Remind the powers that still owe orders and whose next reminder has come.

    Returns the event that names them, or None if there is nobody to remind, or somebody else is
    working on the game. Each step of a player's reminders is used once, however often this is
    called.
    """
    phase = _CLAIM.first(phase=phase_id, now=now)
    if phase is None or phase.due_at is None:
        return None
    game = phase.game
    begun_at, due_at = phase.timed_from, phase.due_at
    checked_at = phase.reminded_at or phase.opened_at
    late = [
        seat.power.name
        for seat in seats_that_owe(phase)
        if rung_reached(ladder_of(game, seat.player, begun_at, due_at), due_at, checked_at, now)
    ]
    phase.reminded_at = now
    phase.remind_at = next_reminder(game, begun_at, due_at, now)
    _SAVE.one(phase)
    if not late:
        return None
    return log.record(
        game=phase.game,
        phase=phase,
        facts=OrdersMissing(phase=phase.name, powers=tuple(late), due_at=phase.due_at),
        now=now,
    )


def _claim() -> QuerySet[Phase]:
    phases = Phase.objects.select_for_update(skip_locked=True, of=("self", "game"))
    phases = phases.select_related("game").filter(
        pk=Given("phase"), game__status=Game.Status.ACTIVE
    )
    return phases.filter(remind_at__lte=Given("now", TIME), status=Phase.Status.OPEN)


_CLAIM = Query(_claim)
_SAVE = Save(Phase, "reminded_at", "remind_at")


@transaction.atomic
def missing_remind(*, game: Game, by: str, now: dt.datetime) -> Event:
    """Remind everybody who still owes orders at once, whatever their own reminders are set to.

    Raises WrongState unless the game is being played and waits for somebody's orders, and when
    somebody has reminded them within the last hour.
    """
    game = lock_game(game)
    lifecycle.require(game, Game.Status.ACTIVE)
    phase = phase_now(game)
    if why_not := reminder_refused(phase, now):
        raise WrongState(why_not)
    owing = tuple(seat.power.name for seat in seats_that_owe(phase))
    reminded = OrdersMissing(phase=phase.name, powers=owing, due_at=phase.due_at or now, by=by)
    return log.record(game=game, phase=phase, facts=reminded, now=now)


def reminder_refused(phase: Phase, now: dt.datetime) -> str:
    """Return why nobody can be reminded now, "" if somebody can."""
    title = board.phase_title(phase.name)
    if not is_readable(phase):
        return "We cannot read the board of this game just now, so we cannot say who owes orders."
    if not seats_that_owe(phase):
        return f"Nobody who plays owes orders in {title}."
    if phase.due_at is not None and phase.due_at <= now and phase.overdue_at is None:
        return f"The deadline of {title} has passed: it is being processed."
    if reminded_lately([phase], now):
        return "They have been reminded within the last hour. Please give them time to answer."
    return ""


@transaction.atomic
def reminders_set(*, player: Player, text: str, now: dt.datetime) -> Player:
    """Let the player be reminded as they like: "24h 4h", "off", or empty for each game's own way.

    The player is locked before their games, as in every decision about them. Raises BadInput.
    """
    kept, player = ladder_kept(text), lock_player(player)
    mine = Seat.objects.filter(player=player, until=None).values("power__game")
    games = list(Game.objects.select_for_update().filter(pk__in=mine).order_by("pk"))
    player.reminders = kept
    player.save(update_fields=["reminders"])
    open_phases = Phase.objects.filter(game__in=games, status=Phase.Status.OPEN)
    for phase in open_phases.select_related("game"):
        if phase.due_at is not None:
            after = phase.reminded_at or now
            phase.remind_at = next_reminder(phase.game, phase.timed_from, phase.due_at, after)
            phase.save(update_fields=["remind_at"])
    return player


def is_reminded(player: Player) -> bool:
    """Say whether the player gets reminders, as their row says now."""
    return Player.objects.filter(pk=player.pk).exclude(reminders=OFF).exists()


def seats_that_owe(phase: Phase) -> list[Seat]:
    """Return the tenures whose powers still lack an order and are not in civil disorder."""
    seats = Seat.objects.select_related("power", "player").order_by("power__name")
    owing = powers_not_in(phase)
    played = seats.filter(power__game=phase.game, power__disorder_since=None, until=None)
    return list(played.filter(power__name__in=owing))
