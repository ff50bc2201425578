"""Rollback with the orders that stood: one order is put right, and nobody else orders again."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from games.models import Attendance, Event, Game, OrderSet, Phase
from games.queries.audit import log_faults
from games.queries.audit.proofs import proof_file
from games.queries.audit.seals import statement_of
from games.queries.checking import faults as checking
from games.queries.checking.record import record_of
from games.queries.orders.current_orders import all_current_lines
from games.queries.orders.waiting import missing_powers
from games.queries.phases.sheet import sheet_of
from games.queries.reports.log_text import sentence
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.ordering.disorder import disorder_declare
from games.services.ordering.gm_orders import orders_set
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, submit
from tests.games.acts.acting import Acting

LATER = NOW + 5 * DAY
WHY = "An order was misread."


def processed(cast: Cast) -> Phase:
    """Spring 1901, in which all have ordered, France with a second thought, and Italy nothing."""
    for power in POWERS.values():
        if power != "Italy":
            submit(cast, power, OPENINGS[power])
    amended = cast.seat("France")
    orders_submit(
        seat=amended,
        phase=cast.phase,
        lines=[(1, "A Paris - Picardy")],
        amend=True,
        received_at=NOW + HOUR,
        source="<second@players.test>",
        now=NOW + HOUR,
    )
    first = cast.phase
    assert phase_process_now(game_id=cast.game.pk, now=NOW + HOUR)
    first.refresh_from_db()
    return first


def back(cast: Cast, phase: str = "S1901M") -> Event:
    return game_rollback(game=cast.game, phase=phase, keep_orders=True, why=WHY, by="gm", now=LATER)


def test_what_was_adjudicated_stands_again(marne: Cast) -> None:
    first = processed(marne)
    back(marne)
    current = {power: list(lines) for power, lines in all_current_lines(marne.phase).items()}
    assert current == first.orders
    assert current["France"][0] == "A Paris - Picardy"
    assert missing_powers(marne.phase) == ("Italy",)


def test_the_sets_keep_their_writers_and_times_and_the_old_ones_stay(marne: Cast) -> None:
    first = processed(marne)
    back(marne)
    facts = ("power", "seat", "by", "mode", "lines", "reading", "source", "received_at")
    again = marne.phase.order_sets.values_list(*facts)
    assert list(again) == list(first.order_sets.values_list(*facts))
    assert again.count() == 7


def test_what_did_not_count_does_not_count_now(marne: Cast) -> None:
    submit(marne, "France", ["Nonsense"])
    submit(marne, "Turkey", OPENINGS["Turkey"])
    OrderSet.objects.filter(power__name="Turkey").update(late=True, counts=False)
    assert phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    back(marne)
    assert marne.phase.order_sets.count() == 0


def test_a_power_in_civil_disorder_has_its_orders_again(marne: Cast) -> None:
    processed(marne)
    turkey = marne.seat("Turkey").power
    disorder_declare(game=marne.game, power=turkey, why="Gone.", by="gm", now=NOW + DAY)
    back(marne)
    assert all_current_lines(marne.phase)["Turkey"] == tuple(OPENINGS["Turkey"])


def test_the_gm_puts_one_power_right_and_the_rest_is_as_before(marne: Cast) -> None:
    first = processed(marne)
    back(marne)
    orders_set(
        game=marne.game, power="Germany", lines=["A Munich H"], why=WHY, by="gm", now=LATER + HOUR
    )
    again = marne.phase
    assert phase_process_now(game_id=marne.game.pk, now=LATER + HOUR)
    again.refresh_from_db()
    assert first.orders
    assert again.orders == {**first.orders, "Germany": ["A Munich H"]}


def test_a_player_can_order_anew_and_the_latest_set_counts(marne: Cast) -> None:
    processed(marne)
    back(marne)
    submit(marne, "France", ["A Paris H"], LATER + HOUR)
    assert all_current_lines(marne.phase)["France"] == ("A Paris H",)


# --- Time to correct -------------------------------------------------------------------------


def all_in(cast: Cast) -> None:
    Game.objects.update(process_early=True)
    submit(cast, "Italy", OPENINGS["Italy"])
    processed(cast)


def test_a_phase_with_all_orders_in_is_not_decided_at_once(marne: Cast) -> None:
    all_in(marne)
    back(marne)
    assert marne.phase.all_in_at is None
    orders_set(
        game=marne.game, power="Italy", lines=["A Venice H"], why=WHY, by="gm", now=LATER + HOUR
    )
    assert marne.phase.all_in_at is None
    assert phase_process(game_id=marne.game.pk, now=LATER + DAY) is None
    again = sheet_of(marne.phase).unheard
    assert "France" in again
    assert "Italy" not in again


def test_it_is_decided_early_when_everybody_has_said_so(marne: Cast) -> None:
    all_in(marne)
    back(marne)
    for power in POWERS.values():
        assert phase_process(game_id=marne.game.pk, now=LATER + HOUR) is None
        readiness_set(seat=marne.seat(power), phase=marne.phase, word="READY", now=LATER + HOUR)
    assert phase_process(game_id=marne.game.pk, now=LATER + HOUR)


def test_at_the_deadline_they_count_and_their_players_were_in_time(marne: Cast) -> None:
    Game.objects.update(when_missing=Game.WhenMissing.WAIT)
    submit(marne, "Italy", OPENINGS["Italy"])
    processed(marne)
    back(marne)
    again = marne.phase
    assert phase_process(game_id=marne.game.pk, now=LATER + 3 * DAY)
    again.refresh_from_db()
    assert again.status == Phase.Status.PROCESSED
    came = Attendance.objects.filter(phase=again).values_list("came", flat=True)
    assert list(came) == [Attendance.Came.IN_TIME] * 7


# --- What is told ----------------------------------------------------------------------------


def test_the_log_says_so_and_stays_whole(marne: Cast) -> None:
    processed(marne)
    event = back(marne)
    assert event.payload["orders_kept"] is True
    assert sentence(event) == (
        "gm took the game back to Spring 1901 movement, with the orders that stood. "
        "Undone: Spring 1901 movement, Fall 1901 movement. An order was misread."
    )
    assert phase_process_now(game_id=marne.game.pk, now=LATER)
    assert list(log_faults.faults(marne.game)) == []
    marne.game.refresh_from_db()
    assert list(checking.faults(record_of(proof_file(marne.game)))) == []


def test_a_rollback_without_them_is_written_as_it_always_was(marne: Cast) -> None:
    processed(marne)
    event = game_rollback(game=marne.game, phase="S1901M", why=WHY, by="gm", now=LATER)
    assert event.payload.keys() == {"phase", "undone", "was_over", "why", "by"}
    assert "back to Spring 1901 movement. Undone:" in sentence(event)
    assert marne.phase.order_sets.count() == 0


def test_no_seal_tells_whether_the_orders_are_the_same(marne: Cast) -> None:
    processed(marne)
    back(marne)
    assert phase_process_now(game_id=marne.game.pk, now=LATER)
    first, again = (event.payload["seals"] for event in marne.events("phase_processed"))
    assert first.keys() == again.keys() == set(POWERS.values()) - {"Italy"}
    assert not set(first.values()) & set(again.values())


def test_a_new_receipt_proves_the_orders_of_the_phase_that_is_played_again(marne: Cast) -> None:
    processed(marne)
    back(marne)
    said = statement_of(marne.phase, marne.seat("France").power)
    assert phase_process_now(game_id=marne.game.pk, now=LATER)
    assert said
    assert marne.events("phase_processed")[1].payload["seals"]["France"] == said.seal


@pytest.mark.parametrize("early", [True, False])
def test_the_forecast_says_which_orders_count_and_when_it_is_decided(
    marne: Cast, early: bool
) -> None:
    Game.objects.update(process_early=early)
    processed(marne)
    acts, typed = Acting(marne.game, "rollback"), {"phase": "S1901M", "why": WHY}
    assert "no orders. Everybody has to send new ones." in acts.foresee(**typed)
    shown = acts.foresee(**typed, keep_orders="on")
    assert "and the orders that stood. All players are mailed their own" in shown
    assert "send new ones" not in shown
    assert ("Before the deadline it is decided only when you process it" in shown) is early
    assert "The orders that stood count again." in acts.confirm(**typed, keep_orders="on")
    assert marne.phase.order_sets.count() == 7


def test_the_command_keeps_the_orders_when_told_so(marne: Cast) -> None:
    processed(marne)
    out = io.StringIO()
    call_command("rollback_game", "marne", "S1901M", keep_orders=True, why=WHY, stdout=out)
    assert out.getvalue().endswith("The orders that stood count again.\n")
    assert marne.phase.order_sets.count() == 7
