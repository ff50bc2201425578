"""A phase was processed: one result mail for each player, each observer and the GM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from games.events import PhaseProcessed
from games.models import Event, Game, Phase, Seat
from games.queries import lookup
from games.queries.access.audience import is_foggy, untold_facts, viewer_of
from games.queries.audit.proofs import Witness, witness_lines
from games.queries.orders.waiting import waits_for_player
from games.queries.phases.aftermath import Aftermath, aftermath_of
from games.queries.players.attendance import AWAY, NOT_TOLD, TAKEN_BACK, TOO_SOON, excused_at_once
from games.queries.reports.calendars import mailed_files
from games.queries.reports.phase_report import PhaseReport, report_of, seen_by
from games.queries.reports.wording import listed
from mailer.models import OutboundMail
from mailer.notices.notice import CalendarFiles, Notice, SeatMail, to_gm, to_seats
from mailer.notices.parts import advance_orders, duties, ready_answers, sections
from mailer.notices.parts.advance_orders import NO_ADVANCE_ORDERS, AdvanceOrders
from mailer.notices.parts.headline import headline
from mailer.notices.parts.mappers import mapper_lines
from mailer.notices.recipients.observers import to_observers
from mailer.outbound import layout
from mailer.outbound.pictured import PictureRequest
from mailer.text import MARKER, brief

_EXCUSED = {
    AWAY: "You had said that you would be away",
    NOT_TOLD: "Our mail about the phase did not reach you in time",
    TAKEN_BACK: "The deadline was moved to an earlier time",
    TOO_SOON: "The phase was decided before its deadline",
}
"""Why a miss is excused, as its player reads it."""
_PICTURES = OutboundMail.Pictures.RESULTS
MOST_IN_SUBJECT = 7
"""A subject gives the number of more powers than this, not their names."""


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The result as each player may know it, and as the GM may.

    None if the game has gone back before anybody read of it: the mail about that says what is
    undone and what comes next.
    """
    after = aftermath_of(event)
    if after.phase.status == Phase.Status.UNDONE:
        return
    phase, said = after.phase, PhaseProcessed.of(event)
    public = report_of(phase, None, after.following, said, after.seats)
    votes = " ".join(after.expired)
    common = {**_common(public, event), "why": said.why, "by": said.by, "votes": votes}
    excused = excused_at_once(phase) if said.missing else {}
    yield from _players_results(event, after, public, common, excused, now)
    common_for_gm = {**common, **_excused_for_gm(event, excused, said)}
    for notice in (
        *_gm_result(event, public, common_for_gm, now, after.seats),
        *(_observers_result(event, public, common, now) if after.has_observers else ()),
    ):
        yield replace(notice, pictured=PictureRequest(_PICTURES, phase, None))


def _players_results(
    event: Event,
    after: Aftermath,
    public: PhaseReport,
    common: Mapping[str, object],
    excused: Mapping[str, str],
    now: dt.datetime,
) -> Iterator[Notice]:
    """The result for each player, with the orders that they may see; `excused` says why the misses
    of these powers do not count."""
    phase, following, seats = after.phase, after.following, after.seats
    ahead = advance_orders.used_orders(following) if after.has_advance_orders else {}
    reports = {seat: seen_by(seat.power, public, phase, following) for seat in seats}
    stays_open = _stays_open(after, seats)
    letters, answers = [], {}
    for seat, report in reports.items():
        own = {
            **_own(report, event),
            "excused": _EXCUSED.get(excused.get(seat.power.name, ""), ""),
            "how": _how(report, seat, now, stays_open=stays_open),
        }
        sent = ahead.get(seat, NO_ADVANCE_ORDERS)
        letters.append(_result(seat, report, sent, now, {**common, **own}))
        answers[seat.player_id] = ready_answers.buttons(report.next, sent.missing)
    viewers = {one.player_id: viewer_of(event.game, one.power.name) for one in reports}
    calendars = _deadlines(after)
    told = to_seats(event, letters, phase=following, calendars=calendars, begins=after.begins)
    for notice in told:
        assert notice.player, "every seat has a player"
        key = notice.player.pk
        pictured = PictureRequest(_PICTURES, phase, viewers[key])
        yield replace(notice, pictured=pictured, buttons=answers[key])


def _stays_open(after: Aftermath, seats: Sequence[Seat]) -> bool:
    """Whether the next phase stays open until its deadline because a power has lost its player;
    asked only if some power has none."""
    following = after.following
    if following is None or len(seats) == len(after.powers):
        return False
    return waits_for_player(following)


def _deadlines(after: Aftermath) -> CalendarFiles:
    """The next deadline for calendars, and the removal of the last one if the phase ended early."""
    following = after.following
    ahead = following and following.game.status == Game.Status.ACTIVE
    phases = [after.phase, *([following] if following and ahead else [])]
    return mailed_files(phases, after.powers, after.changes)


def _result(
    seat: Seat,
    report: PhaseReport,
    sent: AdvanceOrders,
    now: dt.datetime,
    context: Mapping[str, object],
) -> SeatMail:
    """The mail for the player of the seat, who has `sent` advance orders; `context` is what else
    the template gets."""
    body = layout.render(
        "phase_processed",
        marker=MARKER if report.next else "",
        headline=headline(report),
        report=report,
        power=seat.power.name,
        mine=sections.own_orders(report),
        orders=sections.other_orders(report),
        in_part=report.in_part,
        todo=duties.after_phase(report, seat, now, missing=sent.missing),
        ahead=sent.lines,
        **context,
    )
    return SeatMail(seat, _subject(report, seat.player.timezone, sent, now), body)


def _how(report: PhaseReport, seat: Seat, now: dt.datetime, *, stays_open: bool) -> list[str]:
    """How to answer for the next phase; nothing if the game is over."""
    if report.next is None:
        return []
    return duties.how_to_answer(report.next, seat.power.game, now, stays_open=stays_open)


def _subject(report: PhaseReport, timezone: str, sent: AdvanceOrders, now: dt.datetime) -> str:
    """What became of their orders if they sent none, and what to do by when."""
    missing = report.viewer in report.missing
    news = "results, your orders were missing" if missing else "results"
    duty = duties.in_subject(report, timezone, now, missing=sent.missing)
    return f"{report.title}: {news}; {duty}"


def _excused_for_gm(
    event: Event, excused: Mapping[str, str], said: PhaseProcessed
) -> dict[str, object]:
    """The powers whose misses do not count, in two groups: those whose players our mail did not
    reach, and the others."""
    not_told = [power for power, why in excused.items() if why == NOT_TOLD]
    return {
        "not_told": _powers_with_players(event, not_told),
        "excused": _powers_with_players(event, excused.keys() - set(not_told)),
        "all_excused": not not_told and excused.keys() >= set(said.missing),
    }


def _powers_with_players(event: Event, powers: Iterable[str]) -> str:
    """The powers with their players, as the GM may know them; "" if there are none."""
    names = sorted(powers)
    return listed(lookup.named_for_gm(event.game, names)) if names else ""


def _gm_result(
    event: Event,
    report: PhaseReport,
    common: dict[str, object],
    now: dt.datetime,
    seats: Sequence[Seat],
) -> list[Notice]:
    body = layout.render(
        "phase_processed_gm",
        headline=headline(report),
        report=report,
        missing=_powers_with_players(event, report.missing),
        deadline=sections.deadline(report.next, event.game.timezone, now),
        orders=sections.other_orders(report),
        **common,
    )
    subject = f"{report.title}: results"
    if report.missing:
        subject += f" (missing: {named_in_subject(report.missing)})"
    subject += f"; {_next_due(report, event.game.timezone)}"
    return to_gm(event, subject=subject, body=body, seats=seats)


def named_in_subject(powers: Sequence[str]) -> str:
    """The powers, or how many there are if a subject has no room for them, as in Chaos."""
    return listed(powers) if len(powers) <= MOST_IN_SUBJECT else f"{len(powers)} powers"


def _observers_result(
    event: Event, report: PhaseReport, common: dict[str, object], now: dt.datetime
) -> list[Notice]:
    body = layout.render(
        "phase_processed_observer",
        marker=MARKER,
        headline=headline(report),
        report=report,
        deadline=sections.deadline(report.next, event.game.timezone, now),
        orders=sections.other_orders(report),
        **common,
    )
    subject = f"{report.title}: results; {_next_due(report, event.game.timezone)}"
    return to_observers(event, subject=subject, body=body)


def _next_due(report: PhaseReport, timezone: str) -> str:
    """`next due Tue 24 Nov 20:00 CET`, for those who have nothing to decide."""
    if report.next is None:
        return "the game is over"
    if report.next.paused:
        return "the game is paused"
    due_at = report.next.due_at
    return f"next due {brief(due_at, timezone)}" if due_at else "next without a deadline"


def log_line(event: Event) -> str:
    """The current state of the game's log: seven mailboxes are witnesses to what has happened so
    far."""
    witness = Witness(event.game.name, event.number, event.digest)
    if event.kind == PhaseProcessed.kind:
        said = PhaseProcessed.of(event)
        result = "" if "result_sha256" in untold_facts(event) else said.result_sha256
        witness = replace(witness, phase=said.phase, result=result)
    return "\n".join(
        [
            f"The log of the game stands at entry {event.number}. HELP PROOF explains its digest:",
            "",
            *witness_lines(witness),
        ]
    )


def _own(report: PhaseReport, event: Event) -> dict[str, object]:
    """The parts that only this player's mail has, in fog of war."""
    return _common(report, event) if is_foggy(event.game) else {}


def _common(report: PhaseReport, event: Event) -> dict[str, object]:
    """The parts that all mails have in common, written only once."""
    lines = mapper_lines(report, event.game)
    return {"after": after(report), "end": "\n".join([log_line(event), "", *lines])}


def after(report: PhaseReport) -> str:
    """How things stand after the phase."""
    return layout.part(
        "after",
        dislodged=sections.dislodged_lines(report.dislodged),
        centers=sections.centers(report),
        board=sections.board(report.possessions),
        unplayed=report.unplayed,
    )
