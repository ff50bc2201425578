"""Sentences that more than one forecast needs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.models import Game, Phase, Player, Seat
from games.queries.access.anonymity import names_shown
from games.queries.access.roles import masters
from games.queries.board import phase_title, step_of
from games.queries.endings.votes import open_proposals
from games.queries.lookup import seats_of
from games.queries.phases.musters import players_with_place
from games.queries.reports.wording import clock_text, days_off_text, listed, local_moment, time_left
from games.services.seating.observers import observers_of
from games.timing.pace import pace_of

FEW = 10
"""Up to this many people are named one by one."""


def who_is_told(game: Game, now: dt.datetime, *more: Player) -> str:
    """Say who is mailed when everybody is: "Told by mail: Ana, Ben, … and the GM.". `more` are
    those who join them.

    Sorted by name: the order of the powers would tell who plays what.
    """
    seats = seats_of(game) if game.started_at else []
    players = [one.player for one in seats] if game.started_at else players_with_place(game)
    names = sorted(one.name for one in {*players, *more})
    people = names if len(names) <= FEW else [f"all {len(names)} players"]
    everybody = [*people, *_who_runs(game, now)]
    return f"Told by mail: {listed(everybody) or 'nobody'}."


def _who_runs(game: Game, now: dt.datetime) -> Iterator[str]:
    """Name those who are mailed because they run the game. A co-GM who plays is told as a
    player."""
    running = masters(game, now)
    if game.gm in running:
        yield "the GM"
    if helping := [user for user in running if user != game.gm]:
        yield "the co-GM" if len(helping) == 1 else "the co-GMs"


def who_else_is_told(game: Game, *, earlier: bool) -> Iterator[str]:
    """Say who is mailed without playing: observers and, with `earlier`, people who played
    before."""
    seats = Seat.objects.filter(power__game=game, player__erased_at=None)
    now = seats.filter(until=None).values("player")
    besides = [
        *(
            ["those who played before"]
            if earlier and seats.exclude(player__in=now).exists()
            else []
        ),
        *(["those who observe the game"] if observers_of(game) else []),
    ]
    if besides:
        yield f"Also told: {listed(besides)}."


TAKEN_OVER_BY = {
    Game.Entry.OPEN: (
        "Anybody who has not played in this game may take over {power}; it is offered to players "
        "on the standby list."
    ),
    Game.Entry.APPROVAL: (
        "Anybody who has not played in this game may ask the GM for {power}; on the standby list, "
        "we offer it only to those whom the GM has let in."
    ),
    Game.Entry.INVITED: (
        "Anybody who has the game's code, or is invited, and has not played in it may take over "
        "{power}; on the standby list, we offer it only to those who are invited."
    ),
}


def who_takes_over(game: Game, power: str) -> str:
    """Say who may have a seat that opens, and to whom the server offers it."""
    return TAKEN_OVER_BY[Game.Entry(game.entry)].format(power=power)


def votes_without(game: Game, power: str) -> Iterator[str]:
    """If a vote is open, say that it may pass now: nobody may know whether the power had agreed."""
    if open_proposals(game):
        yield (
            f"The open votes are counted without {power}: if all the others have agreed to one, "
            "it passes, and the game is over at once."
        )


def if_over(game: Game) -> str:
    """Return what to add to a report of what was done, if a vote has passed because of it."""
    is_over = Game.objects.filter(pk=game.pk, status=Game.Status.FINISHED).exists()
    return " With that a vote has passed, and the game is over." if is_over else ""


def reason_read(game: Game) -> Iterator[str]:
    """If nobody may know who plays what, warn that a reason must not reveal it either."""
    if not names_shown(game):
        yield "The game is anonymous, and all players read your reason: name nobody in it."


def title_of(phase: Phase) -> str:
    """Return "Spring 1901 movement"."""
    return phase_title(phase.name)


def from_now(at: dt.datetime, game: Game, now: dt.datetime) -> str:
    """Write "Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 3 days" in the game's time zone."""
    left = at - now
    soon = f", in {time_left(at, now)}" if left >= dt.timedelta(minutes=1) else ""
    return local_moment(at, game.timezone) + soon


def times_of(game: Game, phase: Phase) -> str:
    """Say which times the game's clock has: "Deadlines are on Tuesdays and Fridays at 20:00, times
    in Europe/Berlin; nothing is due on Sundays."."""
    clock = pace_of(game).clock(step_of(phase.name))
    times = f"Deadlines are {clock_text(clock)}, times" if clock else "Times are"
    off = f"; nothing is due {days_off_text(game.days_off)}" if game.days_off else ""
    return f"{times} in {game.timezone}{off}."
