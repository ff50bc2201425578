"""The log in words."""

from __future__ import annotations

import datetime as dt

import pytest

from games.events import KINDS
from games.queries.reports.log_text import entries
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause, game_resume
from tests.cast import DAY, NOW, Cast

DUE = NOW + 3 * DAY


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_has_a_sentence(kind: str) -> None:
    assert KINDS[kind].sentence.endswith((".", "}"))


def test_the_log_tells_a_game_from_its_beginning(marne: Cast) -> None:
    told = [entry.sentence for entry in entries(marne.game)]
    assert told[0] == "The game was created."
    free = [f"{number} seats are still free" for number in range(6, 1, -1)]
    assert told[1:8] == [
        f"A player joined. {said}."
        for said in (*free, "One seat is still free", "All seats are taken")
    ]
    assert told[8] == "The game started."


def test_the_log_names_who_moved_a_deadline_and_why(marne: Cast) -> None:
    deadline_move(game=marne.game, to=DUE + DAY, why="Ana is ill.", by=Mover("gm"), now=NOW)
    last = list(entries(marne.game))[-1]
    assert last.sentence == (
        "Spring 1901 movement: gm moved the deadline to 2026-03-06 12:00 UTC. Ana is ill."
    )
    assert last.at == "2026-03-02 12:00 UTC"


def test_the_log_names_pauses(marne: Cast) -> None:
    game_pause(game=marne.game, until=None, why="Holidays.", by="gm", now=NOW)
    game_resume(game=marne.game, by="gm", now=NOW + dt.timedelta(hours=2))
    told = [entry.sentence for entry in entries(marne.game)][-2:]
    assert told[0] == "Spring 1901 movement: gm paused the game. Holidays."
    assert told[1] == ("Spring 1901 movement: gm resumed the game, due 2026-03-05 14:00 UTC.")


def test_the_log_names_the_end_of_a_pause(marne: Cast) -> None:
    game_pause(game=marne.game, until=NOW + DAY, why="Holidays.", by="gm", now=NOW)
    assert list(entries(marne.game))[-1].sentence == (
        "Spring 1901 movement: gm paused the game until 2026-03-03 12:00 UTC. Holidays."
    )


def test_the_log_names_who_missed_a_phase_but_no_order(marne: Cast) -> None:
    phase_process(game_id=marne.game.pk, now=DUE)
    last = list(entries(marne.game))[-1]
    assert last.sentence == (
        "Spring 1901 movement: the phase was processed. Without orders: "
        "Austria, England, France, Germany, Italy, Russia, Turkey."
    )
    assert len(last.digest) == 12
