"""More functions with a fault each (see `planted_in_play`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q

from games import lifecycle
from games.acts.all_games import AllGames
from games.errors import WrongState
from games.models import Event, Game, Phase, Player, Press, Proposal, Seat
from games.queries import board
from games.queries.orders.current_orders import readings
from games.queries.parsing.press_audience import Audience
from games.scoring import systems
from games.scoring.score_input import Final, Scores
from games.services.adjudication import due_games, phases
from games.services.adjudication.phase_completion import phase_complete
from games.services.clock import deadlines, pauses
from games.services.messages import press_allowed
from games.services.moderation import seats_lost
from mailer.identity import claims
from mailer.identity.senders import Answering, Sender
from mailer.inbound.outages import Light, light
from mailer.jobs import telling
from mailer.letter import Letter
from mailer.notices import notice
from mailer.outbound.tokens import ForHeldMail, OfSeat
from pages import mailto


def set_an_hour_off(phase: Phase, to: dt.datetime, now: dt.datetime) -> None:
    """A deadline is not set to when everybody is told."""
    _set_deadline(phase, to + dt.timedelta(hours=1), now)


def all_but_the_first(event: Event, letters: Iterable[Any], **how: Any) -> list[notice.Notice]:
    """One of those who play is forgotten when news goes out."""
    return _to_seats(event, list(letters)[1:], **how)


def whoever_is_silent_agrees(proposal: Proposal) -> bool:
    """A proposal passes as soon as two have voted for it."""
    return proposal.ballots.filter(yes=True).count() > 1


def by_nobody_else(letter: Letter, email: str, *known: Any) -> Sender:
    """Whoever answers a mail of ours is taken for whom it was written to."""
    token = known[0]
    owner = token.seat.player.address if isinstance(token, OfSeat) else email
    return _claimed(letter, owner, *known)


def for_whom_we_asked(email: str, player: Player | None, token: ForHeldMail) -> Answering:
    """Whoever answers our question is taken for whom we asked."""
    owner = token.mail.player
    assert owner, "we asked somebody"
    return Answering(email, owner.merged_into or owner, token)


def not_at_a_deadline(seat: Seat, to: Audience, *, now: dt.datetime, **how: Any) -> None:
    """Press is over when orders are: whoever writes around a deadline is too late."""
    a_minute = dt.timedelta(minutes=1)
    due = Q(due_at__range=(now - a_minute, now + a_minute))
    if Phase.objects.filter(due | Q(processed_at__gt=now - a_minute), game=seat.power.game):
        raise WrongState("The deadline has passed, so nobody has got it.")
    _require_allowed(seat, to, now=now, **how)


def who_really_wrote(press: Press) -> str:
    """Of fake press it is told which power wrote it."""
    return press.seat.power.name if press.seat else "the GM"


def one_point_more(system: str, final: Final) -> Scores:
    """The first of the winners gets a point that nobody else loses."""
    scores = _score(system, final)
    return {power: points + (power in final.winners[:1]) for power, points in scores.items()}


def without_the_last(*, orders: Mapping[str, Sequence[str]], **phase: Any) -> board.Adjudication:
    """The last power's orders are not handed to the judge."""
    return _adjudicated(orders={**orders, max(orders): []}, **phase)


_require_allowed = press_allowed.require_allowed
_set_deadline, _to_seats, _claimed = deadlines.deadline_set, notice.to_seats, claims.claimed_sender
_mail_about, _chosen = mailto.mail_about, AllGames._games_chosen
_adjudicated, _score = board.adjudicate_orders, systems.score


def whatever_was_due(games: Sequence[int], now: dt.datetime) -> tuple[int | None, bool]:
    """A worker decides what was due when it looked, whatever has happened to it since."""
    with transaction.atomic():
        game = due_games.game_claim(game_id=games[0], wait=True)
        due = phases._open_phase(game) if game else None
        is_late = due and due_games.is_due(due.phase, now)
        if due is None or (is_late and light(due, now) is not Light.CLEAR):
            return games[0], False
        telling.tell_one(phase_complete(due, now), now)
    return games[0], True


def one_line_less(subject: str, lines: Sequence[str]) -> str:
    """The page leaves out an order."""
    return _mail_about(subject, lines[:-1])


def all_lines_but_the_last(phase: Phase, power: str, lines: Sequence[str]) -> Any:
    """Whoever sends orders has one less than they wrote."""
    return readings(phase, power, lines[:-1])


def all_games_but_one(act: AllGames[Any], game: Game, given: Any) -> list[Game]:
    """What is to be done to all games is not done to the last."""
    return _chosen(act, game, given)[:-1]


def paused_for_ever(*, until: dt.datetime | None, **how: Any) -> Event:
    """The end of a pause is forgotten."""
    return pauses.game_pause(until=None, **how)


def always_in_winter(day: dt.date, time: dt.time, zone: ZoneInfo) -> dt.datetime:
    """Clocks are never put forward."""
    ahead = dt.datetime(day.year, 1, 1, tzinfo=zone).utcoffset()
    assert ahead is not None, "every zone has a time"
    return dt.datetime.combine(day, time, dt.UTC) - ahead


def as_if_banned(*, player: Player, by: str, now: dt.datetime) -> None:
    """Whoever had two accounts plays no more."""
    seats_lost.seats_give_up(player=player, why="They had two accounts.", by=by, now=now)


def only_goes_on(game: Game) -> bool:
    """A game is played again, and still says how it ended."""
    lifecycle.change_status(game, Game.Status.ACTIVE)
    return True
