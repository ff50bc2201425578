"""The whole story of a finished game, as plain values: everything that an end mail can say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.events import GameFinished, VoteClosed, rows_saying
from games.models import Game, Phase, Proposal, Seat
from games.queries import board
from games.queries.access.staff_names import THE_GM, without_address
from games.queries.endings.ending import (
    is_scored,
    last_phase,
    result_sentence,
    says_that_gm_decided,
    scoring_of,
    winners_of,
)
from games.queries.endings.votes import votes_by_seat, what_of
from games.queries.phases.centers import YearEnd, center_history
from games.queries.players.seats import power_names
from games.queries.reports.wording import listed
from games.scoring.score_input import Final
from games.scoring.systems import System, score, score_text, system_named


@dataclass(frozen=True, slots=True)
class Score:
    """What a power has at the end."""

    power: str
    points: str
    """Empty if the game has no result."""
    centers: int
    out: int | None
    """The year in which the power lost its last centre, None if it still has one."""


@dataclass(frozen=True, slots=True)
class Tenure:
    """Who played a power from when to when, as titles of phases; "" for the start and the end."""

    power: str
    player: str
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """A proposal and what became of it."""

    number: int
    what: str
    state: str
    yes: tuple[str, ...]
    """The powers that voted for it in the end. Both this and `no` are empty where votes are
    secret."""
    no: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndReport:
    """How a game ended, what that is worth to whom, who played it, and how it came about."""

    game: str
    sentence: str
    """How it ended."""
    why: str
    """The reason of the GM, if they ended it."""
    by: str
    """The name of the GM who ended it, unless the sentence has it already."""
    winners: tuple[str, ...]
    """The powers that won or share the draw."""
    scoring: System
    scores: tuple[Score, ...]
    history: tuple[YearEnd, ...]
    tenures: tuple[Tenure, ...]
    verdicts: tuple[Verdict, ...]
    phases: tuple[str, ...]
    """The names of the phases that were played."""


def end_report(game: Game) -> EndReport:
    """Report a finished game, to anybody: the names of players are no longer secret."""
    event = rows_saying(game.events.all(), GameFinished).order_by("number").last()
    said = GameFinished.of(event) if event else None
    history = center_history(game)
    played = game.phases.filter(status=Phase.Status.PROCESSED).order_by("number")
    return EndReport(
        game=game.name,
        sentence=result_sentence(game),
        why=said.why if said else "",
        by=_who_ended_it(game, said) if said else "",
        winners=winners_of(game),
        scoring=system_named(game.scoring),
        scores=scores_of(game, history),
        history=history,
        tenures=tenures_of(game),
        verdicts=_verdicts(game),
        phases=tuple(played.values_list("name", flat=True)),
    )


def _who_ended_it(game: Game, said: GameFinished) -> str:
    by = without_address(said.by)
    return "" if by == THE_GM and says_that_gm_decided(game) else by


def final_of(game: Game, history: Sequence[YearEnd]) -> Final:
    """Return how the game ended, as far as a score depends on it."""
    powers = power_names(game)
    first = history[0].year
    return Final(
        centers={power: history[-1].centers.get(power, 0) for power in powers},
        winners=winners_of(game),
        out={
            power: year - first
            for power in powers
            if (year := _year_of_elimination(power, history)) is not None
        },
        years=_last_year(game) - first,
    )


def scores_of(game: Game, history: Sequence[YearEnd]) -> tuple[Score, ...]:
    """Return what the end of the game is worth to each power, the best first."""
    if not history:
        return ()
    final = final_of(game, history)
    points = score(game.scoring, final)
    ranked = sorted(
        final.centers, key=lambda power: (-points.get(power, 0), -final.centers[power], power)
    )
    return tuple(
        Score(
            power=power,
            points=score_text(points[power]) if power in points else "",
            centers=final.centers[power],
            out=_year_of_elimination(power, history),
        )
        for power in ranked
    )


def points_text(game: Game) -> str:
    """Write "Draw size (Calhamer): France 50 and Germany 50", the best first; "" for a game whose
    end is worth nothing."""
    if not (game.started_at and winners_of(game) and is_scored(game)):
        return ""
    points = [f"{one.power} {one.points}" for one in scores_of(game, center_history(game))]
    return f"{scoring_of(game)}: {listed(points)}" if points else ""


def _year_of_elimination(power: str, history: Sequence[YearEnd]) -> int | None:
    """Return the year at whose end the power first had no centre, None if it has one."""
    if history[-1].centers.get(power):
        return None
    owned = [one.year for one in history if one.centers.get(power)]
    return max(owned) + 1 if owned else history[0].year + 1


def _last_year(game: Game) -> int:
    last = last_phase(game)
    assert last is not None, "a game with a history has a phase"
    return board.year_of(last.name)


def tenures_of(game: Game) -> tuple[Tenure, ...]:
    """Return who played each power, one after another."""
    seats = Seat.objects.filter(power__game=game).select_related("power", "player")
    # Including those that a rollback undid: somebody who joined in one of them did not play from
    # the start.
    phases = list(game.phases.order_by("opened_at", "pk"))
    found: list[Tenure] = []
    for seat in seats.order_by("power__name", "since", "pk"):
        is_first = not found or found[-1].power != seat.power.name
        since = _title_at(phases[1:] if is_first else phases, seat.since)
        until = _title_at(phases, seat.until)
        found.append(Tenure(seat.power.name, seat.player.name, since, until))
    return tuple(found)


def _title_at(phases: Sequence[Phase], at: dt.datetime | None) -> str:
    """Return the title of the last of these phases that had opened by then, if any."""
    opened = [phase for phase in phases if at and phase.opened_at <= at]
    return board.phase_title(opened[-1].name) if opened else ""


def _verdicts(game: Game) -> tuple[Verdict, ...]:
    """What became of each proposal. The log says when one is closed, but for those that were still
    open at the end: these were closed with the game."""
    told = {VoteClosed.of(event).number for event in rows_saying(game.events.all(), VoteClosed)}
    return tuple(
        _verdict(one, was_open=one.state == Proposal.State.VOID and one.number not in told)
        for one in game.proposals.order_by("number")
    )


def _verdict(proposal: Proposal, *, was_open: bool) -> Verdict:
    votes: dict[bool, list[str]] = {True: [], False: []}
    if not proposal.game.secret_votes:
        cast = votes_by_seat(proposal)
        seats = Seat.objects.filter(pk__in=cast).select_related("power")
        for seat in seats.order_by("power__name"):
            votes[cast[seat.pk]].append(seat.power.name)
    return Verdict(
        number=proposal.number,
        what=what_of(proposal),
        state="still open when the game ended" if was_open else proposal.state,
        yes=tuple(votes[True]),
        no=tuple(votes[False]),
    )
