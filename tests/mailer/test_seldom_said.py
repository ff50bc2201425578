"""What a player seldom has to be told: in winter, in retreats, too late, after the end."""

from __future__ import annotations

import pytest

from games.services.ending import game_end
from games.services.phases import phase_process
from mailer.outbound import addresses
from tests.cast import DAY, NOW, Cast
from tests.mailer.correspondence import answer_to, flat, home, write

pytestmark = pytest.mark.django_db

WINTER = {
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
RETREATS = {
    "phase": "S1901R",
    "units": {"Germany": ["A Burgundy"], "Italy": ["A Venice"]},
    "centers": {"France": ["Paris"], "Germany": ["Munich"], "Italy": ["Rome"]},
    "dislodged": [
        {"power": "France", "unit": "A Burgundy", "from": "Munich", "retreats": ["Paris"]},
        {"power": "France", "unit": "A Picardy", "from": "Belgium", "retreats": ["Paris"]},
    ],
}


def at(cast: Cast, position: dict) -> Cast:
    """The game with another board."""
    phase = cast.phase
    phase.name, phase.position = position["phase"], position
    phase.save()
    return cast


def to(cast: Cast, power: str) -> str:
    return addresses.seat_address(seat=cast.seat(power), phase=cast.phase, now=NOW)


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
def test_hold_all_is_for_movement_only(marne: Cast, board: dict) -> None:
    assert "No unit can hold in" in said(at(marne, board), "HOLD ALL")


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


def test_after_the_end_late_orders_and_trials_are_answered_plainly(marne: Cast) -> None:
    late = to(marne, "France")
    game_end(game=marne.game, winners=["France"], why="All agree.", by="gm", now=NOW)
    told = flat(answer_to(write("Carla", "A Paris - Burgundy", to=late)).body)
    assert "The game marne is over, so there is nothing to order." in told
    told = flat(answer_to(write("Carla", "WHATIF marne\nA Paris - Burgundy", to=late)).body)
    assert "The game marne is not being played now." in told
    told = flat(answer_to(write("Carla", "PHASE F1901M\nA Burgundy H", to=late)).body)
    assert "The game marne is not being played now." in told


def test_too_many_orders_are_not_tried_out(marne: Cast) -> None:
    many = "\n".join(["France: A Paris - Burgundy"] * 200)
    assert "Please try out at most" in said(marne, f"WHATIF\n{many}")


def test_who_plays_in_nothing_reads_what_stop_leaves(marne: Cast) -> None:
    told = flat(answer_to(write("Hugo", "STOP", to=home("Hugo"))).body)
    assert "You play in no game, so from now on we only answer mails of yours." in told
