"""A power has a new player: we tell the former one first, the new one gets all they need, and then
everybody else hears.

We tell neither who the other is: in an anonymous game nobody may know. The new player's mail holds
nothing that their predecessor ordered or wrote.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.events import SeatTaken
from games.models import Event, Seat
from games.queries import lookup
from games.queries.access.anonymity import names_shown
from games.queries.reports.calendars import left_files, mailed_files
from games.queries.reports.start_report import start_report
from games.services.clock.deadlines import HAS_MOVED
from mailer.models import OutboundMail
from mailer.notices.audiences import Named, all_but
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_seat
from mailer.notices.parts import ready_answers
from mailer.notices.recipients.to_player import to_player
from mailer.notices.start.game_started import board_of, duty_at_end, start_body
from mailer.outbound import outbox
from mailer.text import MARKER

NEWS = News(
    "{title}: {power} has a new player",
    mine="{title}: another player has {power} now",
)


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The news for the former player, the start mail for the new one, then the news for all
    others."""
    seats = Seat.objects.select_related("player", "power__game")
    said = SeatTaken.of(event)
    taken = seats.get(pk=said.seat)
    before = seats.filter(pk=said.before).first() if said.before else _seat_resigned(taken)
    yield from _to_last_player(event, before)
    yield from _start(event, taken, now)
    [power_for_gm] = lookup.named_for_gm(event.game, [said.power])
    named = Named(
        player=taken.player.name if names_shown(event.game) else "",
        player_for_gm=taken.player.name if power_for_gm != said.power else "",
    )
    phase = lookup.open_phase(event.game)
    moved = [phase] if phase and said.deadline == HAS_MOVED else []
    calendars = mailed_files(moved, [seat.power.name for seat in lookup.seats_of(event.game)])
    yield from all_but([taken], event, NEWS, now, named=named, calendars=calendars)


def _seat_resigned(taken: Seat) -> Seat | None:
    """The previous tenure, if its player resigned: they have read that they can still return."""
    earlier = Seat.objects.select_related("player", "power").filter(power=taken.power)
    before = earlier.filter(pk__lt=taken.pk).order_by("pk").last()
    has_resigned = before and before.ended_because == Seat.Ended.RESIGNED
    return before if has_resigned else None


def _to_last_player(event: Event, before: Seat | None) -> Iterator[Notice]:
    if before is None:
        return
    player = before.player
    body = NEWS.body(event, player.timezone, marker=MARKER, mine=True)
    subject = NEWS.subject(event, mine=True)
    phase = lookup.open_phase(event.game)
    is_told = before.ended_because == Seat.Ended.RESIGNED  # by the answer to what they wrote
    calendars = left_files(phase, before.power.name) if phase and not is_told else ()
    for notice in to_player(event, player, subject=subject, body=body):
        yield replace(notice, calendars=calendars)


def _start(event: Event, seat: Seat, now: dt.datetime) -> Iterator[Notice]:
    phase = lookup.open_phase(event.game)
    if seat.until is not None or phase is None:
        return
    key = outbox.start_key(event.game, seat.player)
    started = OutboundMail.objects.filter(key=key).exclude(event=event).exists()
    report = start_report(seat)
    for notice in to_seat(
        event,
        seat,
        key="" if started else key,
        subject=f"You play {seat.power.name} now{duty_at_end(seat, report, now)}",
        body=start_body(event, seat, report, now, substitute=True),
        phase=phase,
        calendars=mailed_files([phase], [seat.power.name]),
    ):
        answers = ready_answers.buttons(report.next)
        yield replace(notice, pictured=board_of(phase, seat), buttons=answers)
