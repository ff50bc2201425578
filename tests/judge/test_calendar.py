"""What follows a phase: the year, captured centres, skipped phases, and who has won."""

from __future__ import annotations

from judge import Position, load_variant
from judge.calendar import winner
from tests.judge.table import play, stand, units

STANDARD = load_variant("standard")
CENTERS = [center.name for center in STANDARD.board.centers]


def test_a_spring_without_retreats_is_followed_by_fall():
    outcome = play(Position.start(STANDARD), {})
    assert str(outcome.next.phase) == "F1901M"


def test_centers_change_hands_only_when_fall_is_over():
    position = stand({"France": ["A Gascony"]}, centers={"Italy": ["Spain"], "France": ["Paris"]})
    spring = play(position, {"France": ["A Gascony - Spain"]})
    assert spring.next.centers_of("Italy") == ("Spain",)
    fall = play(spring.next, {})
    assert fall.next.centers_of("Italy") == ()
    assert fall.next.centers_of("France") == ("Paris", "Spain")


def test_a_center_that_was_left_stays_with_its_owner():
    position = stand({"France": ["A Paris"]}, phase="F1901M", centers={"France": ["Paris"]})
    assert play(position, {"France": ["A Paris - Burgundy"]}).next.centers_of("France") == (
        "Paris",
    )


def test_centers_wait_for_the_fall_retreats():
    position = stand(
        {"Italy": ["A Munich"]},
        phase="F1901R",
        centers={"Germany": ["Munich", "Kiel"]},
        dislodged=[{"power": "Germany", "unit": "A Munich", "retreats": ["Berlin"]}],
    )
    after = play(position, {"Germany": ["A Munich - Berlin"]}).next
    assert after.centers_of("Germany") == ("Berlin", "Kiel")
    assert after.centers_of("Italy") == ("Munich",)
    assert str(after.phase) == "W1901A"


def test_a_winter_in_which_nobody_has_a_decision_is_skipped():
    position = stand({"France": ["A Paris"]}, phase="F1901M", centers={"France": ["Paris"]})
    assert str(play(position, {}).next.phase) == "S1902M"


def test_a_winter_comes_where_somebody_must_disband():
    position = stand({"France": ["A Burgundy"]}, phase="F1901M", centers={"Italy": ["Rome"]})
    after = play(position, {}).next
    assert str(after.phase) == "W1901A"
    assert after.powers_to_order() == ("France", "Italy")


def test_eighteen_centers_win_at_the_end_of_fall():
    mine, others = CENTERS[:17], CENTERS[18:]
    taken = CENTERS[17]
    position = stand(
        {"France": [f"A {taken}"]},
        phase="F1905M",
        centers={"France": mine, "Turkey": [*others, taken]},
    )
    outcome = play(position, {})
    assert outcome.winner == "France"
    assert len(outcome.next.centers_of("France")) == 18


def test_seventeen_centers_do_not_win():
    position = stand({}, phase="F1905M", centers={"France": CENTERS[:17], "Turkey": CENTERS[17:]})
    assert play(position, {}).winner is None


def test_nobody_wins_in_spring():
    position = stand({}, phase="S1905M", centers={"France": CENTERS})
    assert play(position, {}).winner is None


def test_two_powers_with_as_many_centers_have_not_won():
    assert winner(STANDARD, {"France": 18, "Turkey": 16}) == "France"
    assert winner(STANDARD, {"France": 18, "Turkey": 18}) is None
    assert winner(STANDARD, {"France": 17, "Turkey": 17}) is None
    assert winner(STANDARD, {}) is None


def test_dislodged_units_are_not_on_the_board_during_retreats():
    position = stand({"Austria": ["A Vienna"], "Italy": ["A Venice", "A Tyrolia"]})
    after = play(
        position,
        {"Italy": ["A Tyrolia - Vienna", "A Venice - Trieste"]},
    ).next
    assert units(after) == ["Austria: A Vienna", "Italy: A Trieste", "Italy: A Tyrolia"]
