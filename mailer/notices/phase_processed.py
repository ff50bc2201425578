"""A phase was processed: one result mail for each player and one for the GM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from games import selectors
from games.models import Event, Phase, Seat
from games.reports import PhaseReport
from mailer.notices import layout, sections
from mailer.notices.notice import Notice, to_gm, to_seat
from mailer.wording import MARKER


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The result as each player may know it, and as the GM may."""
    following = selectors.open_phase(event.game)
    for seat in selectors.seats_of(event.game):
        yield from _result(event, seat, following, now)
    yield from _gm_result(event, now)


def _result(
    event: Event, seat: Seat, following: Phase | None, now: dt.datetime
) -> Iterator[Notice]:
    report = selectors.phase_report(_phase(event), seat.power)
    missed = sections.missed(report)
    body = layout.render(
        "phase_processed",
        marker=MARKER if report.next else "",
        report=report,
        power=seat.power.name,
        missed=missed,
        todo=sections.todo(report, seat, event.game, now),
        **_common(report),
    )
    subject = f"{report.title}: results"
    if missed:
        subject += " (your orders were missing)"
    yield from to_seat(event, seat, subject=subject, body=body, phase=following, now=now)


def _gm_result(event: Event, now: dt.datetime) -> list[Notice]:
    report = selectors.phase_report(_phase(event), None)
    players = {standing.power: standing.player for standing in report.standings}
    body = layout.render(
        "phase_processed_gm",
        report=report,
        missing=[f"{power} ({players[power] or 'nobody'})" for power in report.missing],
        deadline=sections.deadline(report.next, event.game.timezone, now),
        **_common(report),
    )
    subject = f"{report.title}: results"
    if report.missing:
        subject += f" (missing: {', '.join(report.missing)})"
    return to_gm(event, subject=subject, body=body)


def _common(report: PhaseReport) -> dict[str, object]:
    return {
        "orders": sections.orders(report),
        "dislodged": sections.dislodged(report),
        "centers": sections.centers(report),
        "board": sections.board(report.standings),
        "ending": sections.ending(report),
    }


def _phase(event: Event) -> Phase:
    """The phase the event is about, with its game."""
    assert event.phase_id is not None
    return Phase.objects.select_related("game").get(pk=event.phase_id)
