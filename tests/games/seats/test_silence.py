"""What the server does with a game of which nobody is heard any more."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from games.models import Game
from games.queries.moderators.moderation import for_moderators
from games.queries.parsing.press_audience import Audience
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.pauses import game_resume
from games.services.messages.press import press_send
from games.services.ordering.readiness import readiness_set
from games.services.seating.seats import seat_replace
from tests.cast import HOUR, NOBODY, NOW, OPENINGS, Cast, submit

pytestmark = pytest.mark.django_db


def deadline(cast: Cast) -> tuple[str, dt.datetime]:
    """Let the open phase come to its deadline; what the server does, and when."""
    due_at = cast.phase.due_at
    assert due_at is not None
    event = phase_process(game_id=cast.game.pk, now=due_at)
    assert event is not None
    cast.game.refresh_from_db()
    return event.kind, due_at


def kinds(cast: Cast, deadlines: int) -> list[str]:
    return [deadline(cast)[0] for _ in range(deadlines)]


def test_a_game_of_which_nobody_is_heard_for_three_phases_is_paused(marne: Cast) -> None:
    assert kinds(marne, 3) == ["phase_processed", "phase_processed", "game_paused"]
    assert (marne.game.status, marne.game.resume_at) == (Game.Status.PAUSED, None)
    (event,) = marne.events("game_paused")
    assert event.payload["by"] == "the server"
    assert "three phases in a row" in event.payload["why"]


def test_it_is_so_in_games_that_declare_no_civil_disorder_too(marne: Cast) -> None:
    Game.objects.update(disorder_after=0)
    assert kinds(marne, 3)[-1] == "game_paused"
    assert marne.events("disorder_declared") == []


def test_whoever_resumes_it_gives_everybody_the_whole_time_of_a_phase(marne: Cast) -> None:
    kinds(marne, 2)
    _, paused_at = deadline(marne)
    later = paused_at + 100 * HOUR
    game_resume(game=marne.game, by="gm", now=later)
    due_at = marne.phase.due_at
    assert due_at is not None
    assert due_at >= later + marne.game.movement_length
    assert phase_process(game_id=marne.game.pk, now=later + HOUR) is None


def test_it_stops_again_when_still_nobody_is_heard_of(marne: Cast) -> None:
    kinds(marne, 2)
    _, paused_at = deadline(marne)
    game_resume(game=marne.game, by="gm", now=paused_at + HOUR)
    assert kinds(marne, 1) == ["game_paused"]


def test_a_gm_may_process_it_all_the_same(marne: Cast) -> None:
    kinds(marne, 2)
    event = phase_process_now(game_id=marne.game.pk, now=NOW, by="gm")
    assert event is not None
    assert event.kind == "phase_processed"


def some_orders(cast: Cast) -> None:
    submit(cast, "France", OPENINGS["France"], at=cast.phase.opened_at + HOUR)


def a_word(cast: Cast) -> None:
    readiness_set(
        seat=cast.seat("France"), phase=cast.phase, word="wait", now=cast.phase.opened_at + HOUR
    )


def some_press(cast: Cast) -> None:
    press_send(
        seat=cast.seat("France"),
        to=Audience(("Germany",)),
        text="Are you there?",
        source="<press@players.test>",
        now=cast.phase.opened_at + HOUR,
    )


def a_new_player(cast: Cast) -> None:
    seat_replace(
        game=cast.game,
        power=cast.game.powers.get(name="France"),
        player=cast.player("Hugo"),
        why="Carla is gone.",
        by="gm",
        now=cast.phase.opened_at + HOUR,
    )


@pytest.mark.parametrize("sign", [some_orders, a_word, some_press, a_new_player])
def test_one_sign_of_one_player_keeps_it_going(marne: Cast, sign: Callable[[Cast], None]) -> None:
    kinds(marne, 1)
    sign(marne)
    assert kinds(marne, 4) == ["phase_processed"] * 3 + ["game_paused"]


def test_phases_that_were_undone_do_not_count(marne: Cast) -> None:
    kinds(marne, 2)
    game_rollback(game=marne.game, phase="S1901M", why="A try.", by="gm", now=NOW + HOUR)
    assert kinds(marne, 1) == ["phase_processed"]


def test_the_moderators_queue_shows_it_until_it_goes_on(marne: Cast) -> None:
    kinds(marne, 2)
    _, paused_at = deadline(marne)
    (row,) = for_moderators(now=paused_at + HOUR, viewer=NOBODY).overdue
    assert (row.paused, row.stuck, row.since) == (True, False, paused_at)
    assert row.suggestion.startswith("Nobody plays it any more. Ask the players who wants to go on")
    game_resume(game=marne.game, by="gm", now=paused_at + HOUR)
    assert for_moderators(now=paused_at + HOUR, viewer=NOBODY).overdue == ()


def test_a_pause_with_an_end_is_not_in_the_queue(marne: Cast) -> None:
    Game.objects.update(status=Game.Status.PAUSED, paused_at=NOW, resume_at=NOW + HOUR)
    assert for_moderators(now=NOW, viewer=NOBODY).overdue == ()
