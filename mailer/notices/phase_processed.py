"""A phase was processed: one result mail for each player and one for the GM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from games.events import PhaseProcessed
from games.log import SHOWN
from games.models import Event, Phase, Seat
from games.queries import lookup
from games.queries.phase_report import PhaseReport
from mailer.notices import advance_orders, layout, sections
from mailer.notices.notice import Notice, to_gm, to_seats
from mailer.notices.observers import to_observers
from mailer.text import MARKER, listed


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The result as each player may know it, and as the GM may."""
    assert event.phase_id is not None, "the event is about the phase that was processed"
    phase = Phase.objects.select_related("game").get(pk=event.phase_id)
    public = lookup.phase_report(phase, None)
    following = lookup.open_phase(event.game)
    said = PhaseProcessed.of(event)
    common = {**_common(public), "why": said.why, "by": said.by, "log": log_line(event)}
    ahead = advance_orders.used(following)
    letters = (
        _result(seat, lookup.seen_by(seat.power, public, phase, following), ahead, common, now)
        for seat in lookup.seats_of(event.game)
    )
    yield from to_seats(event, letters, phase=following, now=now)
    yield from _gm_result(event, public, common, now)
    yield from _observers_result(event, public, common, now)


def _result(
    seat: Seat,
    report: PhaseReport,
    ahead: Mapping[Seat, Sequence[str]],
    common: dict[str, object],
    now: dt.datetime,
) -> tuple[Seat, str, str]:
    """The subject and the body for the player of the seat."""
    missed = sections.missed(report)
    body = layout.render(
        "phase_processed",
        marker=MARKER if report.next else "",
        report=report,
        power=seat.power.name,
        missed=missed,
        orders=sections.orders(report),
        ahead=ahead.get(seat, ()),
        todo=sections.todo(report, seat, seat.power.game, now),
        **common,
    )
    subject = f"{report.title}: results"
    if missed:
        subject += " (your orders were missing)"
    return seat, subject, body


def _gm_result(
    event: Event, report: PhaseReport, common: dict[str, object], now: dt.datetime
) -> list[Notice]:
    players = lookup.players_for_gm(event.game) if report.missing else {}
    body = layout.render(
        "phase_processed_gm",
        report=report,
        missing=listed([f"{power} ({players.get(power, 'nobody')})" for power in report.missing]),
        deadline=sections.deadline(report.next, event.game.timezone, now),
        orders=sections.orders(report),
        **common,
    )
    subject = f"{report.title}: results"
    if report.missing:
        subject += f" (missing: {', '.join(report.missing)})"
    return to_gm(event, subject=subject, body=body)


def _observers_result(
    event: Event, report: PhaseReport, common: dict[str, object], now: dt.datetime
) -> list[Notice]:
    body = layout.render(
        "phase_processed_observer",
        marker=MARKER,
        report=report,
        deadline=sections.deadline(report.next, event.game.timezone, now),
        orders=sections.orders(report),
        **common,
    )
    return to_observers(event, subject=f"{report.title}: results", body=body, now=now)


def log_line(event: Event) -> str:
    """Where the log of the game stands: seven mailboxes bear witness to what happened so far."""
    digest = event.digest[:SHOWN]
    return f"The log of the game stands at entry {event.number}: {digest}. HELP LOG explains it."


def _common(report: PhaseReport) -> dict[str, object]:
    """What is the same in everybody's mail."""
    return {
        "dislodged": sections.dislodged(report),
        "centers": sections.centers(report),
        "board": sections.board(report.standings),
        "ending": sections.ending(report),
    }
