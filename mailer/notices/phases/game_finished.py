"""The game is over: everybody who ever played in it, observers and the GM get the whole story."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from django.conf import settings
from django.urls import reverse

from games.models import Event, Game, Phase, Player
from games.queries import lookup
from games.queries.board import phase_title
from games.queries.phases.centers import YearEnd
from games.queries.reports.calendars import mailed_files
from games.queries.reports.end_report import EndReport, Score, Tenure, Verdict, end_report
from games.queries.reports.wording import counted, listed
from games.queries.tournaments.tournament import Tournament, tournament_named
from games.services.messages.diaries import diary_shown
from mailer.notices.notice import Notice, SeatMail, to_gm, to_seats
from mailer.notices.parts import advance_orders
from mailer.notices.phases.phase_processed import log_line
from mailer.notices.recipients.earlier_players import to_earlier_players
from mailer.notices.recipients.observers import to_observers
from mailer.outbound import layout
from mailer.text import MARKER

NEVER = "The game will not be played"


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """A mail for each of those who played to the end, who played before, who observe, and the GM;
    before the start, for those who have a place.

    None if the game is being played again already: the mail about that says that it was over.
    """
    if event.game.status != Game.Status.FINISHED:
        return
    report = end_report(event.game)
    never = event.game.started_at is None
    subject = NEVER if never else f"The game is over: {headline(report)}"
    said = {
        "report": report,
        "who": report.by,
        "never_played": never,
        "log": log_line(event),
        "undecided": _undecided_phase(event),
        "fog": event.game.fog,
        "page": _address_of("game", event.game),
        "moves": _address_of("moves", event.game),
        **sections_of(report),
    }
    named, diary = event.game.tournament, diary_shown(event.game)
    tournament = tournament_named(named) if named else None
    yield from _to_players(event, subject, tournament, {**said, "diary": diary})
    said["stands"] = _stands(tournament, None)
    body = layout.render("game_finished", marker=MARKER, diary=diary, **said)
    yield from to_earlier_players(event, subject=subject, body=body)
    yield from to_observers(event, subject=subject, body=body)
    # A game master's LIST is STATUS, and a diary is for those who play.
    body = layout.render("game_finished", gm=True, **said)
    yield from to_gm(event, subject=subject, body=body)


def _address_of(page: str, game: Game) -> str:
    return f"{settings.SITE_URL}{reverse(page, kwargs={'name': game.name})}"


def _to_players(
    event: Event, subject: str, tournament: Tournament | None, said: Mapping[str, object]
) -> list[Notice]:
    """The mails for those who played to the end; the remaining deadline goes from their
    calendars."""
    seats = lookup.seats_of(event.game)
    left_open = event.game.phases.filter(status=Phase.Status.CLOSED).select_related("game")
    calendars = mailed_files(list(left_open), [seat.power.name for seat in seats])
    ahead, letters = advance_orders.unused_orders(seats, event.created_at), []
    for seat in seats:
        body = layout.render(
            "game_finished",
            marker=MARKER,
            power=seat.power.name,
            ahead=ahead[seat],
            stands=_stands(tournament, seat.player),
            **said,
        )
        letters.append(SeatMail(seat, subject, body))
    return to_seats(event, letters, phase=None, calendars=calendars)


def _stands(tournament: Tournament | None, player: Player | None) -> str:
    """Say where the game leaves somebody who played to the end in its tournament; tell others where
    to look."""
    if tournament is None:
        return ""
    see = f"TABLE {tournament.name} shows how everybody stands."
    rank = next((one for one in tournament.ranks if one.player == player), None)
    if rank is None:
        return f"It was a game of the tournament {tournament.name}: {see}"
    so_far = " so far" if tournament.to_come else ""
    others = sum(one.place == rank.place for one in tournament.ranks) - 1
    shared = f", with {counted(others, 'other')}" if others else ""
    return (
        f"In the tournament {tournament.name} you have {rank.points_text}{so_far} and are number "
        f"{rank.place} of {len(tournament.ranks)}{shared}. {see}"
    )


def _undecided_phase(event: Event) -> str:
    """The title of the phase that was open when a vote or the GM ended the game."""
    open_then = event.phase if event.phase and event.phase.status == Phase.Status.CLOSED else None
    return phase_title(open_then.name) if open_then else ""


def headline(report: EndReport) -> str:
    """`France has won`, `a 3-way draw`, `no result`."""
    if not report.winners:
        return "no result"
    if len(report.winners) == 1:
        return f"{report.winners[0]} has won"
    return f"a {len(report.winners)}-way draw"


def sections_of(report: EndReport) -> Mapping[str, object]:
    """The parts of the mail, as lines with one entry in each."""
    return {
        "sentence": f"{report.sentence[0].upper()}{report.sentence[1:]}.",
        "scores": [_score(one) for one in report.scores],
        "tenures": [_tenure(one) for one in report.tenures],
        "years": list(_years(report.history)),
        "verdicts": [_verdict(one) for one in report.verdicts],
        "example": report.phases[-1] if report.phases else "",
    }


def _score(one: Score) -> str:
    has = counted(one.centers, "centre") if one.centers else f"nothing left since {one.out}"
    points = f"{one.points} point{'' if one.points == '1' else 's'}, " if one.points else ""
    return f"{one.power}: {points}{has}"


def _tenure(one: Tenure) -> str:
    since = f"from {one.since}" if one.since else "from the start"
    until = f"until {one.until}" if one.until else "to the end"
    return f"{one.power}: {one.player}, {since} {until}"


def _verdict(one: Verdict) -> str:
    votes = [
        f"{word}: {listed(powers)}" for word, powers in (("yes", one.yes), ("no", one.no)) if powers
    ]
    said = f" ({'; '.join(votes)})" if votes else ""
    return f"- Proposal {one.number}, {one.what}: {one.state}{said}"


def _years(history: Sequence[YearEnd]) -> Iterator[str]:
    """`Start: …`, `1901: …`, `1902-1904: …`: years in which nobody gained share an entry."""
    for start in history[:1]:
        yield f"Start: {_rank(start.centers)}"
    for counts, group in groupby(history[1:], key=lambda one: _rank(one.centers)):
        years = [one.title for one in group]
        yield f"{years[0]}{f'-{years[-1]}' if len(years) > 1 else ''}: {counts}"


def _rank(counts: Mapping[str, int]) -> str:
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{power} {number}" for power, number in ranked if number)
