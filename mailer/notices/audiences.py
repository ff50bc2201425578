"""The audiences that the table of notices names.

Every recipient comes from the database, never from an incoming mail. News about a seat names
nobody: in an anonymous game it must not, and elsewhere names are given where they matter.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from games.events import GameRolledBack, OfPower, OfSeat, facts_of
from games.models import Event, Phase, Seat
from games.queries import lookup
from games.queries.access.audience import untold_facts
from games.queries.access.roles import plays_in
from games.queries.reports.calendars import mailed_files
from games.queries.reports.wording import listed
from mailer.notices.news import News
from mailer.notices.notice import (
    NO_CALENDARS,
    CalendarFiles,
    Notice,
    SeatMail,
    to_gm,
    to_seat,
    to_seats,
)
from mailer.notices.parts.todos import Todo, current_orders, todo, todos
from mailer.notices.recipients.earlier_players import to_earlier_players
from mailer.notices.recipients.moderators import to_moderators
from mailer.notices.recipients.observers import to_observers
from mailer.notices.recipients.to_player import to_player
from mailer.outbound.layout import DUTY_HEADING
from mailer.text import MARKER, deadline


def the_gm(event: Event, news: News, now: dt.datetime) -> Iterable[Notice]:
    """Tell the GM and nobody else."""
    gm = event.game.gm
    plays = gm is not None and plays_in(gm, event.game)
    body = news.body(event, event.game.timezone, gm_plays=plays)
    return to_gm(event, subject=news.subject(event), body=body)


def the_player(event: Event, news: News, now: dt.datetime) -> Iterable[Notice]:
    """Tell the player whose tenure the event names, even if the seat is another's by now."""
    player = Seat.objects.select_related("player").get(pk=OfSeat.of(event).seat).player
    body = news.body(event, player.timezone, mine=True, name=player.name)
    return to_player(event, player, subject=news.subject(event, mine=True), body=body)


def players_and_gm(
    event: Event,
    news: News,
    now: dt.datetime,
    *,
    calendars: CalendarFiles = NO_CALENDARS,
    with_orders: bool = False,
) -> Iterator[Notice]:
    """Tell everybody who plays, and the GM; each player also reads what they have to decide.

    `with_orders` adds their current orders.
    """
    game = event.game
    phase = lookup.open_phase(game)
    tasks = todos(phase, lookup.seats_of(game), now)
    orders = {seat: current_orders(event, seat, phase) if with_orders else [] for seat in tasks}
    letters = [
        SeatMail(
            seat,
            news.subject(event, timezone=seat.player.timezone),
            _body(event, news, seat, task, orders=orders[seat]),
        )
        for seat, task in tasks.items()
    ]
    written = to_seats(event, letters, phase=phase, calendars=calendars)
    yield from with_answers(written, tasks)
    due = deadline(phase.due_at, game.timezone, now) if phase else ""
    body = news.body(event, game.timezone, gm=True, deadline=due)
    yield from to_gm(event, subject=news.subject(event), body=body)


def players_and_gm_of_a_deadline(event: Event, news: News, now: dt.datetime) -> Iterator[Notice]:
    """Tell everybody who plays and the GM, with the new deadlines for players' calendars."""
    facts = facts_of(event)
    back = facts if isinstance(facts, GameRolledBack) else None
    undone = back.undone if back else ()
    # If the phase was decided early, its results have updated the calendars already.
    taken_back = Phase.objects.filter(
        game=event.game,
        status=Phase.Status.UNDONE,
        name__in=undone,
        due_at__gt=now,
        processed_at=None,
    )
    phase = lookup.open_phase(event.game)
    phases = [*taken_back.select_related("game"), *([phase] if phase else [])]
    powers = [seat.power.name for seat in lookup.seats_of(event.game)]
    yield from players_and_gm(
        event,
        news,
        now,
        calendars=mailed_files(phases, powers),
        with_orders=bool(back and back.orders_kept),
    )


def all_who_were_told(event: Event, news: News, now: dt.datetime) -> Iterator[Notice]:
    """Tell everybody who plays, the GM and the observers about a rollback; if the game was over,
    also everybody who played before, since they have read how it ended."""
    yield from players_and_gm_of_a_deadline(event, news, now)
    subject, body = news.subject(event), news.body(event, "UTC", watches=True, marker=MARKER)
    yield from to_observers(event, subject=subject, body=body)
    if GameRolledBack.of(event).was_over:
        yield from to_earlier_players(event, subject=subject, body=body)


def everybody(
    event: Event, news: News, now: dt.datetime, *, moderators: bool = False
) -> Iterator[Notice]:
    """Tell the power's player first, if `news.mine` has words for them, then the GM, the other
    players and the observers."""
    seat = seat_of_power(event) if news.mine else None
    yield from the_seat(event, news, seat, now)
    yield from all_but([seat], event, news, now, moderators=moderators)


def everybody_and_moderators(event: Event, news: News, now: dt.datetime) -> Iterator[Notice]:
    """Tell the audience of `everybody` and the moderators, who look after games that lose
    players."""
    return everybody(event, news, now, moderators=True)


def of_an_open_seat(event: Event, news: News, now: dt.datetime) -> Iterable[Notice]:
    """Tell everybody and the moderators; in fog of war, while nobody may know who has to decide,
    only its player and the GM."""
    if "power" not in untold_facts(event):
        return everybody_and_moderators(event, news, now)
    body = news.body(event, event.game.timezone, gm=True)
    to_its_player = the_seat(event, news, seat_of_power(event), now)
    return [*to_its_player, *to_gm(event, subject=news.subject(event), body=body)]


def the_seat(
    event: Event,
    news: News,
    seat: Seat | None,
    now: dt.datetime,
    *,
    calendars: CalendarFiles = NO_CALENDARS,
    **context: object,
) -> list[Notice]:
    """Tell the player concerned, in words of their own; `context` is what else the mail says."""
    if seat is None:
        return []
    phase = lookup.open_phase(event.game)
    task = todo(phase, seat, now)
    written = to_seat(
        event,
        seat,
        subject=news.subject(event, mine=True),
        body=_body(event, news, seat, task, mine=True, **context),
        phase=phase,
        calendars=calendars,
    )
    return list(with_answers(written, {seat: task}))


@dataclass(frozen=True, slots=True)
class Named:
    """Names in the news, besides those of its event."""

    player: str = ""
    """A name that everybody may know."""
    player_for_gm: str = ""
    """A name that only the GM may know."""
    powers: Sequence[str] = ()
    """The powers that it is about, if there are several."""


NOBODY_ELSE = Named()


def all_but(
    told: Sequence[Seat | None],
    event: Event,
    news: News,
    now: dt.datetime,
    *,
    named: Named = NOBODY_ELSE,
    moderators: bool = False,
    calendars: CalendarFiles = NO_CALENDARS,
) -> Iterator[Notice]:
    """Tell everybody but the players of the seats `told`, who have read the news already.

    `calendars` has the files for players, by power.
    """
    powers = named.powers
    several = {"powers": listed(powers), "first": powers[0]} if powers else {}
    subject, game = news.subject(event, mine=False, **several), event.game
    body = news.body(event, game.timezone, gm=True, player=named.player_for_gm, **several)
    yield from to_gm(event, subject=subject, body=body)
    body = news.body(event, "UTC", player=named.player, observer=True, **several)
    if moderators:
        yield from to_moderators(event, subject=subject, body=body)
    phase = lookup.open_phase(game)
    tasks = todos(phase, [seat for seat in lookup.seats_of(game) if seat not in told], now)
    letters = [
        SeatMail(seat, subject, _body(event, news, seat, task, player=named.player, **several))
        for seat, task in tasks.items()
    ]
    written = to_seats(event, letters, phase=phase, calendars=calendars)
    yield from with_answers(written, tasks)
    yield from to_observers(event, subject=subject, body=body)


def seat_of_power(event: Event) -> Seat | None:
    """Return the tenure of the event's power, unless a later one has begun."""
    power = OfPower.of(event).power
    seats = [one for one in lookup.seats_of(event.game) if one.since <= event.created_at]
    return next((one for one in seats if one.power.name == power), None)


def _body(event: Event, news: News, seat: Seat, task: Todo, **context: object) -> str:
    """Return the body for a player, with what they have to decide."""
    said = {"marker": MARKER, "todo": task.lines, "plays": seat.power.name, **context}
    return news.body(event, seat.player.timezone, **said)


def with_answers(notices: Iterable[Notice], tasks: Mapping[Seat, Todo]) -> Iterator[Notice]:
    """Add the ready answers to each mail that asks its player for something."""
    answers = {seat.player_id: task.answers for seat, task in tasks.items()}
    for notice in notices:
        buttons = answers.get(notice.player.pk, ()) if notice.player else ()
        yield replace(notice, buttons=buttons) if DUTY_HEADING in notice.body else notice
