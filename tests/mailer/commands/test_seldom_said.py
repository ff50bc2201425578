"""What a player seldom has to be told: in winter, in retreats, too late, after the end."""

from __future__ import annotations

import pytest

from games.board_json import StateJson
from games.models import Game, Seat
from games.queries.orders.current_orders import current_decisions
from games.services.adjudication.phases import phase_process
from games.services.endings.ending import game_end
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, POWERS, Cast
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write

pytestmark = pytest.mark.django_db

WINTER: StateJson = {
    "phase": "W1901A",
    "units": {
        "France": ["A Spain"],
        "Germany": ["A Berlin", "A Munich", "A Denmark"],
        "Italy": ["A Venice", "F Naples", "A Rome"],
    },
    "centers": {
        "France": ["Brest", "Marseilles", "Paris"],
        "Germany": ["Berlin"],
        "Italy": ["Naples", "Rome", "Venice"],
    },
    "dislodged": [],
}
"""France may build two units, Germany must disband two, Italy has nothing to decide."""
RETREATS: StateJson = {
    "phase": "S1901R",
    "units": {"Germany": ["A Burgundy"], "Italy": ["A Venice"]},
    "centers": {"France": ["Paris"], "Germany": ["Munich"], "Italy": ["Rome"]},
    "dislodged": [
        {"power": "France", "unit": "A Burgundy", "retreats": ["Paris"]},
        {"power": "France", "unit": "A Picardy", "retreats": ["Paris"]},
    ],
}


def at(cast: Cast, position: StateJson) -> Cast:
    """The game with another board."""
    phase = cast.phase
    phase.name, phase.position = position["phase"], position
    phase.save()
    return cast


def to(cast: Cast, power: str) -> str:
    return to_seat(cast, power)


def said(cast: Cast, text: str, power: str = "France", *, by: str = "Carla", **more: object) -> str:
    """What the player reads who writes this to the reply address of their power."""
    return flat(answer_to(write(by, text, to=to(cast, power), **more)).body)


def test_what_becomes_of_builds_and_disbands_that_nobody_chose(marne: Cast) -> None:
    winter = at(marne, WINTER)
    told = said(winter, "Build A Paris")
    assert "1 of 2: Build A Paris" in told
    assert "2 of 2: no build chosen, so it would be lost." in told
    told = said(winter, "Disband A Munich", "Germany", by="Dmitri")
    assert "2 of 2: no unit to disband chosen; the rules would choose one." in told


def test_a_unit_that_has_to_retreat_and_has_no_order_would_be_disbanded(marne: Cast) -> None:
    told = said(at(marne, RETREATS), "A Burgundy - Paris")
    assert "A Picardy has no order yet, so it would be disbanded." in told


@pytest.mark.parametrize("board", [WINTER, RETREATS], ids=["winter", "retreats"])
def test_hold_all_is_for_movement_only(marne: Cast, board: StateJson) -> None:
    assert "Units cannot hold in" in said(at(marne, board), "HOLD ALL")


def test_who_has_nothing_to_decide_reads_so(marne: Cast) -> None:
    told = said(at(marne, WINTER), "Build A Rome", "Italy", by="Emma")
    assert "Italy has nothing to decide in Winter 1901 adjustments." in told


def test_too_late_for_winter_the_receipt_says_what_was_not_chosen(marne: Cast) -> None:
    winter = at(marne, WINTER)
    late = to(winter, "France")
    said(winter, "Build A Paris")
    assert phase_process(game_id=winter.game.pk, now=NOW + 30 * DAY)
    mail = write("Carla", "Build F Brest", to=late, received_at=NOW + 31 * DAY)
    told = flat(answer_to(mail).body)
    assert "Your orders came too late for Winter 1901 adjustments." in told
    assert "1 of 2: Build A Paris 2 of 2: nothing was chosen in time." in told
    assert "Your orders are kept but change nothing. " in told


def test_late_orders_for_a_phase_that_is_still_open_are_told_when_they_count_after_all(
    marne: Cast,
) -> None:
    """A game that waits for others takes them, in place of those that stood; so says, too, the
    receipt of orders that came in time and were read after them."""
    Game.objects.update(when_missing="gm")
    assert "You wrote again" not in said(marne, "A Paris - Burgundy")
    mail = write("Carla", "A Paris - Picardy", to=to(marne, "France"), received_at=NOW + 4 * DAY)
    told = flat(answer_to(mail).body)
    assert "change nothing unless the deadline moves or the game waits for missing orders." in told
    assert "Our next mail says whether the game waits, or the phase has been processed." in told
    assert "about to be processed" not in told
    told = said(marne, "A Paris - Gascony", received_at=NOW + DAY)
    assert "if it moves, or the game waits for missing orders, what you wrote then counts" in told
    told = said(marne, "CLEAR", received_at=NOW + DAY, now=NOW + 4 * DAY)
    assert "Your orders are taken back. You wrote again after the deadline" in told
    Game.objects.update(when_missing="hold")
    assert "You wrote again" not in said(marne, "A Paris - Brest", received_at=NOW + DAY)
    Game.objects.update(when_missing="gm")
    assert phase_process(game_id=marne.game.pk, now=NOW + 5 * DAY)
    assert dict(current_decisions(marne.phase, marne.seat("France").power))["A Paris"] == (
        "A Paris - Picardy"
    )


def test_orders_for_the_open_phase_in_answer_to_an_old_mail_are_told_so(marne: Cast) -> None:
    old = to(marne, "France")
    said(marne, "A Paris - Burgundy\nF Brest - Mid-Atlantic Ocean")
    assert phase_process(game_id=marne.game.pk, now=NOW + 30 * DAY)
    text = "A Burgundy - Munich\nF Mid-Atlantic Ocean - Spain(sc)"
    late = answer_to(write("Carla", text, to=old, received_at=NOW + 31 * DAY))
    told = flat(late.body)
    assert "Your orders came too late for Spring 1901 movement." in told
    assert "what you wrote fits Fall 1901 movement, which is open now." in told
    assert "There is no unit" not in told
    again = write("Carla", text, to=late.reply_to, received_at=NOW + 31 * DAY)
    assert "France has orders for 2 of 3 units." in flat(answer_to(again).body)


def test_late_orders_that_fit_the_phase_they_were_for_are_not_told_to_fit_another(
    marne: Cast,
) -> None:
    old = to(marne, "France")
    assert phase_process(game_id=marne.game.pk, now=NOW + 30 * DAY)
    late = write("Carla", "A Paris - Burgundy", to=old, received_at=NOW + 31 * DAY)
    told = flat(answer_to(late).body)
    assert "The phase is now Fall 1901 movement." in told
    assert "fits Fall 1901 movement" not in told


def test_after_the_end_late_orders_and_trials_are_answered_plainly(marne: Cast) -> None:
    late = to(marne, "France")
    game_end(game=marne.game, winners=["France"], why="All agree.", by="gm", now=NOW)
    told = flat(answer_to(write("Carla", "A Paris - Burgundy", to=late)).body)
    assert "The game marne is over, so there is nothing to order." in told
    told = flat(answer_to(write("Carla", "WHATIF marne\nA Paris - Burgundy", to=late)).body)
    assert "The game marne is over, so there is nothing to try out." in told
    told = flat(answer_to(write("Carla", "PHASE F1901M\nA Burgundy H", to=late)).body)
    assert "The game marne is over, so there is nothing to order." in told


def test_too_many_orders_are_not_tried_out(marne: Cast) -> None:
    many = "\n".join(["France: A Paris - Burgundy"] * 200)
    assert "Please try out at most" in said(marne, f"WHATIF\n{many}")


def test_who_plays_in_nothing_reads_what_stop_leaves(marne: Cast) -> None:
    told = flat(answer_to(write("Hugo", "STOP", to=home("Hugo"))).body)
    assert "You are not playing in any game, so from now on we only answer mails of yours." in told


def test_what_stands_below_stop_is_named_as_unread(marne: Cast) -> None:
    told = said(marne, "STOP\nA Paris - Burgundy\nF Brest H")
    assert "2 lines below STOP were not read." in told


def test_ready_under_a_condition_that_holds_now_is_said_at_once(marne: Cast) -> None:
    told = said(marne, "PHASE S1901M\nIF I HOLD Paris\nA Paris - Burgundy\nREADY\nENDIF")
    assert "A Paris - Burgundy" in told
    assert marne.phase.readiness.get(power__name="France").word == "ready"


def test_no_condition_that_holds_orders_nothing(marne: Cast) -> None:
    said(marne, "PHASE S1901M\nIF I HOLD Munich\nA Paris - Burgundy\nENDIF")
    assert not marne.phase.order_sets.exists()


def test_a_proposal_that_ended_in_the_same_mail_asks_for_no_vote(marne: Cast) -> None:
    told = said(marne, "VOTE DRAW\nVOTE WITHDRAW 1")
    assert "withdrawn" in told
    assert "To change your mind" not in told


def test_a_map_asked_for_without_html_says_what_is_missing(marne: Cast) -> None:
    write("Carla", "SET HTML OFF", to=home("Carla"))
    told = flat(answer_to(write("Carla", "SET MAPS ON", to=home("Carla"))).body)
    assert "You see them once you write SET HTML ON" in told


def test_an_address_that_is_yours_is_not_asked_again(marne: Cast) -> None:
    told = flat(answer_to(write("Carla", "SET ADDRESS carla@players.test", to=home("Carla"))).body)
    assert "carla@players.test is already yours." in told


def test_return_asks_which_of_two_games_is_meant(marne: Cast) -> None:
    second = game_create(name="verdun", now=NOW)
    for player, power in POWERS.items():
        game_join(game=second, player=marne.player(player), preferences=power, now=NOW)
    for seat in Seat.objects.filter(player=marne.player("Carla"), until=None):
        seat_resign(seat=seat, now=NOW)
    told = flat(answer_to(write("Carla", "RETURN", to=home("Carla"))).body)
    assert "Please write which game you mean, marne or verdun: RETURN marne" in told
