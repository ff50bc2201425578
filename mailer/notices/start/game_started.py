"""A game started: one start mail for each player, which begins their thread, and one for the GM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from games.models import Event, Game, Phase, Seat
from games.queries import lookup
from games.queries.access.anonymity import SOMEBODY
from games.queries.access.audience import state_shown, viewer_of
from games.queries.board import position_of
from games.queries.endings.votes import open_proposals, what_of
from games.queries.reports.calendars import mailed_files
from games.queries.reports.phase_report import dislodged_in
from games.queries.reports.press_words import press_sentence
from games.queries.reports.start_report import StartReport, start_report
from games.queries.reports.wording import listed
from mailer.models import OutboundMail
from mailer.notices.notice import CalendarFiles, Notice, to_gm, to_seat
from mailer.notices.parts import duties, ready_answers, sections
from mailer.notices.parts.how_to_write import how_to_write
from mailer.notices.recipients.observers import to_observers
from mailer.outbound import layout, outbox
from mailer.outbound.pictured import PictureRequest
from mailer.text import MARKER


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """A start mail for every seat, and one for the GM; nothing if the game is already over."""
    phase = lookup.open_phase(event.game)
    if phase is None:
        return
    seats = lookup.seats_of(event.game)
    calendars = mailed_files([phase], [seat.power.name for seat in seats])
    for seat in seats:
        report = start_report(seat, phase=phase, seats=seats)
        for notice in _start(event, seat, report, calendars, now):
            yield replace(notice, pictured=board_of(event.phase, seat))
    if not seats:
        return
    report = start_report(seats[0], phase=phase, seats=seats)
    for notice in (*_gm_start(event, report, now), *_observers_start(event, report, now)):
        yield replace(notice, pictured=board_of(event.phase, None))


def _start(
    event: Event, seat: Seat, report: StartReport, calendars: CalendarFiles, now: dt.datetime
) -> Iterator[Notice]:
    for notice in to_seat(
        event,
        seat,
        key=outbox.start_key(event.game, seat.player),
        subject=f"The game starts and you play {seat.power.name}{duty_at_end(seat, report, now)}",
        body=start_body(event, seat, report, now),
        phase=event.phase,
        calendars=calendars,
    ):
        yield replace(notice, buttons=ready_answers.buttons(report.next))


def duty_at_end(seat: Seat, report: StartReport, now: dt.datetime) -> str:
    """`; order 3 units by Tue 24 Nov 20:00 CET`, for a subject."""
    zone = seat.player.timezone
    return f"; {duties.next_in_subject(report.next, zone, now)}"


def board_of(phase: Phase | None, seat: Seat | None) -> PictureRequest | None:
    """The picture of the board at the beginning of the phase, for a seat's player or for
    everybody."""
    if phase is None:
        return None
    viewer = viewer_of(phase.game, seat.power.name) if seat else None
    return PictureRequest(OutboundMail.Pictures.POSITION, phase, viewer)


def start_body(
    event: Event, seat: Seat, report: StartReport, now: dt.datetime, *, substitute: bool = False
) -> str:
    """Everything a new player needs, at the start or as a substitute.

    In large games a line about each power, and every rule, would be more than anybody reads.
    """
    game, is_large = event.game, len(report.possessions) > sections.MANY
    board = sections.board(report.possessions, first=[report.power])
    return layout.render(
        "game_started",
        marker=MARKER,
        substitute=substitute,
        report=report,
        missed=_why_not_preferred(report.missed),
        ends=[] if is_large else report.ends,
        pace=sections.pace(report),
        utc=seat.player.timezone == "UTC",
        differs=sections.differs(report),
        examples=sections.examples(report.examples),
        writing=how_to_write(game, report.power, [one.power for one in report.possessions]),
        players=[] if is_large else sections.players(report.possessions),
        anonymous=game.anonymous,
        board=board if substitute or not is_large else (),
        page="" if is_large else sections.page(game),
        driven_out=_driven_out(game, seat) if substitute else [],
        todo=duties.next_step(report.next, seat, game, now),
        proposals=_to_vote_on(game) if substitute else [],
    )


def _driven_out(game: Game, seat: Seat) -> list[str]:
    """The dislodged units that a substitute finds; the lists of units leave them out."""
    phase = lookup.open_phase(game)
    viewer = viewer_of(game, seat.power.name)
    if phase is None:
        return []
    position = position_of(game.variant, state_shown(game, phase.position, viewer))
    return sections.dislodged_lines(dislodged_in(position, viewer))


def _why_not_preferred(powers: Sequence[str]) -> str:
    """Why a player does not have a power that they preferred."""
    others = "another player has it" if len(powers) == 1 else "other players have them"
    why = "when several players could have a power, we draw lots"
    return f"You liked {listed(powers)} better, but {others}: {why}." if powers else ""


def _to_vote_on(game: Game) -> list[str]:
    """What a substitute can vote on; their predecessor's votes no longer count."""
    return [
        f"Proposal {one.number} is open: {what_of(one)}. To vote on it, write VOTE YES "
        f"{one.number} or VOTE NO {one.number}."
        for one in open_proposals(game)
    ]


def _gm_start(event: Event, report: StartReport, now: dt.datetime) -> list[Notice]:
    players = lookup.players_for_gm(event.game)
    body = layout.render(
        "game_started_gm",
        report=report,
        press=press_sentence(event.game),
        pace=sections.pace(report),
        differs=sections.differs(report),
        players=_cast_lines(players),
        deadline=sections.deadline(report.next, event.game.timezone, now),
    )
    return to_gm(event, subject="The game starts", body=body)


_PLAYS_TOO = (
    "The game is anonymous, and you play in it: like everybody, you learn who plays what "
    "when it is over."
)


def _cast_lines(players: Mapping[str, str]) -> list[str]:
    """Who plays what, for the GM: a line for each power, or in large games one paragraph. In an
    anonymous game, a GM who plays may not know it."""
    if set(players.values()) == {SOMEBODY}:
        return [_PLAYS_TOO]
    said = [f"{power}: {name}" for power, name in players.items()]
    return said if len(said) <= sections.MANY else [sections.in_one_paragraph(said)]


def _observers_start(event: Event, report: StartReport, now: dt.datetime) -> list[Notice]:
    body = layout.render(
        "game_started_observer",
        marker=MARKER,
        report=report,
        press=press_sentence(event.game),
        pace=sections.pace(report),
        differs=sections.differs(report),
        players=sections.players(report.possessions),
        anonymous=event.game.anonymous,
        deadline=sections.deadline(report.next, event.game.timezone, now),
    )
    return to_observers(event, subject="The game starts", body=body)
