"""Rollback: an earlier phase is played again, and nothing that was undone is lost."""

from __future__ import annotations

import datetime as dt
import io

import pytest
from django.core.management import CommandError, call_command

from games.errors import NotFound, WrongState
from games.models import Game, OrderSet, Phase, Seat
from games.queries.audit import log_faults
from games.queries.phases.centers import center_history
from games.queries.reports.log_text import sentence
from games.queries.reports.phase_report import phase_report
from games.services.accounts.merging import players_merge
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.pauses import game_pause
from games.services.endings.ending import game_end
from games.services.moderation.conduct import player_ban
from games.services.ordering.order_receipts import OrderReceipt
from games.services.ordering.orders import orders_submit
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, OPENINGS, Cast

LATER = NOW + 30 * DAY


def order(marne: Cast, power: str, phase: Phase, now: dt.datetime = NOW) -> OrderReceipt:
    return orders_submit(
        seat=marne.seat(power),
        phase=phase,
        lines=list(enumerate(OPENINGS[power], 1)),
        amend=False,
        received_at=now,
        source=f"<{power}-{phase.pk}@players.test>",
        now=now,
    )


@pytest.fixture
def at_winter(marne: Cast) -> Cast:
    """Winter 1901 after two phases, with one order set in the first: France has a build."""
    order(marne, "France", marne.phase)
    for _ in range(2):
        assert phase_process_now(game_id=marne.game.pk, now=NOW)
    return marne


def back(cast: Cast, phase: str = "F1901M", now: dt.datetime = LATER) -> None:
    game_rollback(game=cast.game, phase=phase, why="A wrong order.", by="gm", now=now)


def test_the_phase_opens_anew_with_its_position_and_a_new_deadline(at_winter: Cast) -> None:
    before = at_winter.game.phases.get(name="F1901M").position
    back(at_winter)
    assert at_winter.phase.name == "F1901M"
    assert at_winter.phase.position == before
    assert at_winter.phase.due_at == LATER + 3 * DAY
    assert at_winter.phase.order_sets.count() == 0


def test_what_is_undone_is_kept(at_winter: Cast) -> None:
    outcome = at_winter.game.phases.get(name="S1901M").outcome
    back(at_winter, "s1901m")
    undone = at_winter.game.phases.filter(status=Phase.Status.UNDONE)
    assert list(undone.order_by("number").values_list("name", flat=True)) == [
        "S1901M",
        "F1901M",
        "W1901A",
    ]
    assert undone.get(name="S1901M").outcome == outcome
    assert OrderSet.objects.filter(phase__in=undone).count() == 1


def test_the_log_writes_out_which_phases_were_undone(at_winter: Cast) -> None:
    back(at_winter)
    [event] = at_winter.events("game_rolled_back")
    said = "Undone: Fall 1901 movement, Winter 1901 adjustments. A wrong order."
    assert said in sentence(event)


def test_a_log_that_names_no_phase_where_one_was_undone_can_still_be_read(at_winter: Cast) -> None:
    back(at_winter)
    [event] = at_winter.events("game_rolled_back")
    event.payload["undone"] = ["nonsense"]
    assert "Undone: nonsense." in sentence(event)


def test_the_log_tells_of_it_and_stays_whole(at_winter: Cast) -> None:
    back(at_winter)
    event = at_winter.events("game_rolled_back")[0]
    assert event.payload["undone"] == ["F1901M", "W1901A"]
    assert (event.payload["why"], event.payload["by"]) == ("A wrong order.", "gm")
    assert list(log_faults.faults(at_winter.game)) == []


def test_orders_for_an_undone_phase_are_late(at_winter: Cast) -> None:
    old = at_winter.phase
    back(at_winter)
    receipt = order(at_winter, "France", old, LATER)
    assert receipt.late
    assert at_winter.phase.order_sets.count() == 0


def test_the_game_goes_on_and_the_story_leaves_out_what_was_undone(at_winter: Cast) -> None:
    back(at_winter)
    event = phase_process_now(game_id=at_winter.game.pk, now=LATER)
    assert event
    assert event.phase
    report = phase_report(event.phase, None)
    assert report.next
    assert report.next.name == "W1901A"
    first = at_winter.game.phases.get(name="S1901M")
    following = phase_report(first, None).next
    assert following
    assert at_winter.game.phases.get(name=following.name, status="processed").number == 4
    assert phase_process_now(game_id=at_winter.game.pk, now=LATER)
    assert [one.year for one in center_history(at_winter.game)] == [1900, 1901]


def test_a_second_rollback_meets_the_phase_that_was_played_last(at_winter: Cast) -> None:
    back(at_winter)
    back(at_winter)
    numbers = list(at_winter.game.phases.values_list("number", flat=True))
    assert numbers == [1, 2, 3, 4, 5]
    assert at_winter.phase.number == 5
    assert at_winter.events("game_rolled_back")[1].payload["undone"] == ["F1901M"]


def test_a_paused_game_is_played_again(at_winter: Cast) -> None:
    game_pause(game=at_winter.game, until=None, why="", by="gm", now=LATER)
    back(at_winter)
    at_winter.game.refresh_from_db()
    assert (at_winter.game.status, at_winter.game.paused_at) == (Game.Status.ACTIVE, None)


def test_a_finished_game_is_played_again(at_winter: Cast) -> None:
    Phase.objects.filter(game=at_winter.game, status="open").delete()
    Game.objects.filter(pk=at_winter.game.pk).update(
        status=Game.Status.FINISHED, winner="France", finished_at=NOW
    )
    back(at_winter)
    at_winter.game.refresh_from_db()
    assert (at_winter.game.status, at_winter.game.winner) == (Game.Status.ACTIVE, "")
    assert at_winter.game.finished_at is None


def test_a_phase_that_was_never_played_is_named_with_those_that_were(marne: Cast) -> None:
    with pytest.raises(NotFound, match=r"no phase “F1909M”. It has had: S1901M\."):
        back(marne, "F1909M")


def test_a_game_goes_back_to_no_phase_that_was_undone_and_not_played_again(
    at_winter: Cast,
) -> None:
    back(at_winter, "S1901M")
    with pytest.raises(NotFound, match=r"no phase “F1901M”. It has had: S1901M\."):
        back(at_winter)


def test_a_game_that_has_not_started_cannot_go_back(db: None) -> None:
    game = game_create(name="aisne", now=NOW)
    with pytest.raises(WrongState, match="has not started"):
        game_rollback(game=game, phase="S1901M", why="", by="gm", now=NOW)


def test_the_command_says_what_was_undone(at_winter: Cast) -> None:
    out = io.StringIO()
    call_command("rollback_game", "marne", "F1901M", why="A test.", stdout=out)
    assert out.getvalue() == (
        "The game marne is back at Fall 1901 movement. "
        "Undone, but kept: Fall 1901 movement and Winter 1901 adjustments.\n"
    )
    assert at_winter.events("game_rolled_back")[0].payload["by"] == "the operator"


def test_the_command_fails_with_one_line(at_winter: Cast) -> None:
    with pytest.raises(CommandError, match="no phase"):
        call_command("rollback_game", "marne", "X", why="A test.")


def test_who_was_banned_after_the_game_does_not_play_it_again(at_winter: Cast) -> None:
    game_end(game=at_winter.game, winners=[], why="Too few.", by="gm", now=NOW + DAY)
    player_ban(player=at_winter.player("Emma"), why="Two accounts.", by="mod", now=NOW + 2 * DAY)
    assert at_winter.seat("Italy").player.name == "Emma"
    back(at_winter)
    assert not Seat.objects.filter(power__name="Italy", until=None).exists()
    assert at_winter.game.powers.get(name="Italy").open_since == LATER
    kinds = list(at_winter.game.events.order_by("-number").values_list("kind", flat=True)[:2])
    assert kinds == ["seat_vacated", "game_rolled_back"]
    [event] = at_winter.events("seat_vacated")
    assert "Two accounts" not in str(event.payload)
    assert "may not play on" in event.payload["why"]
    assert list(log_faults.faults(at_winter.game)) == []


@pytest.mark.parametrize("anonymous", [False, True])
def test_whoever_had_two_powers_by_two_accounts_plays_one_of_them_again(
    at_winter: Cast, anonymous: bool
) -> None:
    Game.objects.filter(pk=at_winter.game.pk).update(anonymous=anonymous)
    game_end(game=at_winter.game, winners=[], why="Too few.", by="gm", now=NOW + DAY)
    ana, ben = at_winter.player("Ana"), at_winter.player("Ben")
    players_merge(kept=ana, other=ben, why="Twins.", by="mod", now=NOW + 2 * DAY)
    back(at_winter)
    assert [seat.power.name for seat in ana.seats.filter(until=None)] == ["Austria"]
    assert at_winter.game.powers.get(name="England").open_since == LATER
    [event] = at_winter.events("seat_vacated")
    assert ("another power" in event.payload["why"]) is not anonymous
