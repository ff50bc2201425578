"""A player needs more time: they put the deadline off, if the game lets them, or ask the GM.

The others learn which power did it, and why.
"""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput, NotFound, WrongState
from games.events import DeadlineMoved, ExtensionAsked, ExtensionRefused, rows_saying
from games.models import Event, Game, Phase, Seat
from games.queries import board
from games.queries.orders.wishes import unanswered_wishes
from games.queries.players.seats import is_alive
from games.queries.reports.wording import how_often
from games.services.clock.deadlines import Mover, deadline_move
from games.services.common import lock_game, phase_and_seat_now, phase_now
from games.timing.deadlines import DAY, Pace, Step
from games.timing.durations import duration_text, read_duration, short_text
from games.timing.pace import pace_of

SENT_TWICE = dt.timedelta(minutes=10)
"""Within this time the same words again are no new wish."""


@transaction.atomic
def extension_ask(*, seat: Seat, phase: Phase, length: str, why: str, now: dt.datetime) -> Event:
    """Put the deadline of the open phase off by `length` ("24h"), or pass the wish on to the GM.

    Returns DEADLINE_MOVED in the one case, EXTENSION_ASKED in the other. Raises BadInput for a
    length that makes no sense, WrongState when there is no deadline ahead, nothing is left of the
    power, the player has used up what the game grants them, or there is nobody whom they could ask,
    or they have just put it off in the same words.
    """
    phase, seat = phase_and_seat_now(phase, seat, lock_game(seat.power.game))
    game, power = phase.game, seat.power.name
    lifecycle.require(game, Game.Status.ACTIVE)
    if not is_alive(seat.power):
        raise WrongState(f"Nothing is left of {power}, so it needs no time.")
    due_at = _deadline_to_come(phase, now)
    step = board.step_of(phase.name)
    pace = pace_of(game)
    _require_somebody(game, power)
    later = read_duration(length)
    most = _most(pace, step)
    if not dt.timedelta(0) < later <= most:
        more = " If you need more, write to the game master: PRESS TO GM" if game.gm_id else ""
        raise BadInput(
            f"You can put a deadline off by {duration_text(most)} at most: please ask for less."
            f"{more}"
        )
    _require_new(phase, power, why, now)
    to = pace.moment(step, due_at + later)
    if _count_used(game, power) < game.player_extensions:
        wished, by = due_at + later, Mover(power)
        return deadline_move(game=game, to=to, why=why, by=by, now=now, wished=wished)
    return _pass_on(phase, power, to, why, now)


@transaction.atomic
def extension_refuse(*, game: Game, power: str, why: str, by: str, now: dt.datetime) -> Event:
    """Tell the player of a power that asks for more time that the deadline stays, and why.

    Raises NotFound if it does not ask, or has had an answer; WrongState in a game that is not being
    played.
    """
    game = lock_game(game)
    lifecycle.require(game, Game.Status.ACTIVE)
    phase = phase_now(game)
    asked = unanswered_wishes([phase]).get(phase.pk, ())
    if power not in [one.power for one in asked]:
        raise NotFound(f"{power} is not waiting for more time: somebody has answered already.")
    told = ExtensionRefused(phase=phase.name, power=power, due_at=phase.due_at, why=why, by=by)
    return log.record(game=game, phase=phase, facts=told, now=now)


def extension_like(
    game: Game, phase: Phase | None = None, wished: dt.timedelta | None = None
) -> str:
    """Return a length by which the phase's deadline can be put off, as somebody may write it: what
    is `wished`, or a day ("24h"); if that is too much, as much as the game allows. Without a phase,
    of a movement phase."""
    step = board.step_of(phase.name) if phase else "M"
    return short_text(min(_most(pace_of(game), step), wished or DAY))


def _most(pace: Pace, step: Step) -> dt.timedelta:
    """Return by how much a deadline is put off at most: by the length of the phase, or by a day if
    that is the least time between two moments of its clock."""
    return max(pace.length(step), DAY) if pace.clock(step) else pace.length(step)


def extensions_left(seat: Seat) -> int:
    """Return how often the power may still put off a deadline itself."""
    game = seat.power.game
    return max(0, game.player_extensions - _count_used(game, seat.power.name))


def _count_used(game: Game, power: str) -> int:
    return rows_saying(game.events.all(), DeadlineMoved, by=power).count()


def _deadline_to_come(phase: Phase, now: dt.datetime) -> dt.datetime:
    if phase.status != Phase.Status.OPEN or phase.due_at is None or phase.due_at <= now:
        title = board.phase_title(phase.name)
        raise WrongState(f"There is no deadline ahead in {title}, so there is nothing to put off.")
    return phase.due_at


def _require_somebody(game: Game, power: str) -> None:
    """Raise WrongState if the player cannot put the deadline off (any more), and no GM could do
    it."""
    if game.gm_id or _count_used(game, power) < game.player_extensions:
        return
    if not game.player_extensions:
        raise WrongState(
            f"In the game {game.name} players cannot put off deadlines, and there is no game "
            "master to ask."
        )
    raise WrongState(
        f"In the game {game.name} each player may put off a deadline "
        f"{how_often(game.player_extensions)}, and there is no game master to ask for more."
    )


def _require_new(phase: Phase, power: str, why: str, now: dt.datetime) -> None:
    """Raise WrongState if the player has just said the same: they or their program sent it twice,
    and they could not take the second one back."""
    moved = rows_saying(phase.events.all(), DeadlineMoved, by=power, why=why)
    if moved.filter(created_at__gt=now - SENT_TWICE).exists():
        raise WrongState(
            "You have just put this deadline off for the same reason, so your mail was probably "
            "sent twice, and it counts once. If you need even more time, ask again and give "
            "another reason."
        )


def _pass_on(phase: Phase, power: str, to: dt.datetime, why: str, now: dt.datetime) -> Event:
    game = phase.game
    asked = rows_saying(phase.events.all(), ExtensionAsked, power=power)
    if rows_saying(phase.events.all(), ExtensionRefused, power=power).exists():
        raise WrongState(
            "The game master has already turned you down in this phase. To write to them, put "
            "PRESS TO GM on a line, and your text below it."
        )
    if asked.exists():
        raise WrongState("You have already asked the game master for more time in this phase.")
    return log.record(
        game=game,
        phase=phase,
        facts=ExtensionAsked(phase=phase.name, power=power, to=to, why=why),
        now=now,
    )
