"""Orders for later phases: kept, asked their conditions, and used when the phase opens."""

from __future__ import annotations

import datetime as dt

import pytest

from games.board_json import DislodgedJson
from games.errors import BadInput, NotAllowed
from games.game_file import document
from games.models import AdvanceOrders, Game, Phase
from games.queries import board
from games.queries.orders.advance_orders import orders_kept, orders_passed
from games.queries.orders.current_orders import current_decisions, current_lines
from games.queries.orders.waiting import missing_powers
from games.queries.parsing.conditional_orders import MOST_LINES, read_lines
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.ordering.advance_orders import (
    AdvanceReceipt,
    orders_drop,
    orders_keep,
    orders_pass,
)
from games.services.setup.transfer import game_import
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, seat_fill, submit

START = board.position_of("standard", board.first_state("standard"))
FALL = ["A Burgundy - Munich", "A Spain - Portugal", "F Mid-Atlantic Ocean - Brest"]


def chosen(*lines: str) -> list[str]:
    numbered = list(enumerate(lines, start=1))
    script = read_lines(numbered, variant="standard", power="France", step="M")
    return [text for _, text in script.chosen(START)]


def keep(
    cast: Cast,
    *lines: str,
    power: str = "France",
    phase: str = "F1901M",
    at: dt.datetime = NOW,
    source: str = "<ahead@players.test>",
    amend: bool = False,
) -> AdvanceReceipt:
    return orders_keep(
        seat=cast.seat(power),
        phase_name=phase,
        lines=list(enumerate(lines, start=1)),
        amend=amend,
        received_at=at,
        source=source,
        now=at,
    )


def play(cast: Cast, *, now: dt.datetime = NOW + DAY) -> None:
    assert phase_process_now(game_id=cast.game.pk, now=now)


def current(cast: Cast, power: str = "France") -> list[str]:
    return list(current_lines(cast.phase, cast.seat(power).power))


# --- how they are written -------------------------------------------------------------------


def test_lines_without_a_condition_all_count() -> None:
    assert chosen("A Par - Bur", "", "F Bre H") == ["A Par - Bur", "F Bre H"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("I HOLD Paris", ["one", "below"]), ("I HOLD Burgundy", ["two", "below"])],
)
def test_one_of_two_branches_counts(asked: str, expected: list[str]) -> None:
    assert chosen(f"IF {asked} THEN", "one", "ELSE:", "two", "ENDIF", "below") == expected


@pytest.mark.parametrize("otherwise", ["ELSE IF", "elseif", "Elif"])
def test_the_first_branch_that_holds_counts(otherwise: str) -> None:
    lines = ["if I hold Burgundy", "one", f"{otherwise} I hold Paris:", "two"]
    assert chosen(*lines, f"{otherwise} I hold Brest", "three", "else", "four", "end if.") == [
        "two"
    ]


def test_no_branch_may_hold() -> None:
    assert chosen("IF I HOLD Burgundy", "one", "ENDIF") == []


def test_blocks_stand_within_blocks() -> None:
    lines = ["IF I HOLD Paris", "IF I HOLD Burgundy", "one", "ELSE", "two", "ENDIF", "three"]
    assert chosen(*lines, "ELSE", "four", "ENDIF") == ["two", "three"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["IF I HOLD Paris", "A Par H"], "IF in line 1 has no ENDIF"),
        (["ENDIF"], "ENDIF needs an IF above it"),
        (["ELSE"], "needs an IF above it"),
        (["ELSE IF I HOLD Paris"], "needs an IF above it"),
        (["IF I HOLD Paris", "ELSE", "ELSE", "ENDIF"], "needs an IF above it"),
        (["IF it rains", "ENDIF"], "is not a condition"),
        (["A Par H"] * (MOST_LINES + 1), "at most"),
    ],
)
def test_what_does_not_fit_together_is_explained(lines: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        chosen(*lines)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("F1902M", "F1902M"),
        ("f1902m", "F1902M"),
        ("Fall 1902", "F1902M"),
        ("fall 1902 movement", "F1902M"),
        ("Spring 1903 Retreats", "S1903R"),
        ("Winter 1901", "W1901A"),
        ("W1901A", "W1901A"),
        ("w 1901 builds", "W1901A"),
        ("s1m", "S1M"),
        ("Spring 1 movement", "S1M"),
        ("S3BCM", "S3BCM"),
        ("fall 3 BC", "F3BCM"),
        ("Spring 3 BC retreats", "S3BCR"),
        ("winter 12 bc", "W12BCA"),
    ],
)
def test_phases_are_named_as_people_do(text: str, name: str) -> None:
    assert board.phase_named(text) == name


@pytest.mark.parametrize("word", ["S1901M", "f1r", "w3bca"])
def test_the_name_of_a_phase_is_known_from_that_of_a_game(word: str) -> None:
    assert board.is_phase(word)
    assert not any(board.is_phase(name) for name in ("marne", "somme1", "S1901", "F1901A", "s1x"))


@pytest.mark.parametrize("text", ["", "F", "1902", "S1902A", "F1902X", "next", "F1902M please"])
def test_what_is_no_phase_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="phase"):
        board.phase_named(text)


# --- keeping them ---------------------------------------------------------------------------


def test_they_are_kept_and_the_open_phase_stays_as_it_was(marne: Cast) -> None:
    submit(marne, "France", OPENINGS["France"])
    receipt = keep(marne, *FALL)
    assert [one.phase for one in orders_kept(marne.seat("France"))] == ["F1901M"]
    assert current(marne) == OPENINGS["France"]
    assert (receipt.unread, receipt.conditional, receipt.replaced) == ((), False, False)


def test_a_line_that_no_phase_could_read_is_told_at_once(marne: Cast) -> None:
    receipt = keep(marne, *FALL, "See you in Fall dear Emma")
    assert [(number, text) for number, text, _ in receipt.unread] == [
        (4, "See you in Fall dear Emma")
    ]


def test_builds_and_retreats_can_be_kept_in_a_movement_phase(marne: Cast) -> None:
    assert keep(marne, "Build A Paris", phase="W1901A").unread == ()
    assert keep(marne, "Disband A Paris", phase="S1901R").unread == ()
    kept = orders_kept(marne.seat("France"))
    assert [one.phase for one in kept] == ["S1901R", "W1901A"]


@pytest.mark.parametrize(
    ("name", "line"), [("F1901M", "A Gascony - Burgundy"), ("W1901A", "Build A Paris")]
)
def test_orders_can_be_kept_while_units_have_to_retreat(marne: Cast, name: str, line: str) -> None:
    phase = marne.phase
    units = {**phase.position["units"], "Germany": ["A Burgundy", "A Berlin", "F Kiel"]}
    driven_out = DislodgedJson(power="France", unit="A Burgundy", retreats=["Gascony", "Picardy"])
    phase.name = "S1901R"
    phase.position = {
        **phase.position,
        "phase": phase.name,
        "units": units,
        "dislodged": [driven_out],
    }
    phase.save()
    assert keep(marne, line, phase=name).unread == ()


def test_words_that_are_no_orders_are_not_kept(marne: Cast) -> None:
    keep(marne, *FALL)
    with pytest.raises(BadInput, match="no order in your mail for Fall 1901 movement"):
        keep(marne, "hello", source="<2@players.test>")
    assert orders_kept(marne.seat("France"))[0].lines[0] == (1, FALL[0])


@pytest.mark.parametrize("fog", [False, True])
def test_all_can_be_told_to_hold_in_a_later_phase_while_units_are_built(
    marne: Cast, fog: bool
) -> None:
    Game.objects.filter(pk=marne.game.pk).update(fog=fog)
    marne.game.refresh_from_db()
    submit(marne, "France", OPENINGS["France"])
    play(marne)
    submit(marne, "France", FALL)
    play(marne, now=NOW + 2 * DAY)
    assert marne.phase.name == "W1901A"
    receipt = keep(marne, "HOLD ALL", phase="S1902M", at=NOW + 2 * DAY)
    assert receipt.unread == ()
    assert orders_kept(marne.seat("France"))[0].lines == ((1, "HOLD ALL"),)
    with pytest.raises(BadInput, match="name each unit"):
        keep(marne, "DISBAND ALL", phase="W1902A", at=NOW + 2 * DAY)


def test_all_can_be_told_to_disband_in_a_later_retreat(marne: Cast) -> None:
    assert keep(marne, "DISBAND ALL", phase="S1901R").unread == ()


def test_a_word_alone_can_be_kept_for_a_phase(marne: Cast) -> None:
    keep(marne, "WAIT")
    submit(marne, "France", OPENINGS["France"])
    phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    assert marne.phase.readiness.get().word == "wait"


def test_a_word_for_a_phase_without_a_decision_is_left_out(marne: Cast) -> None:
    keep(marne, "READY", phase="W1901A")
    phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    submit(marne, "Germany", ["A Munich - Burgundy"])
    phase_process_now(game_id=marne.game.pk, now=NOW + 2 * DAY)
    assert not marne.phase.readiness.filter(power__name="France").exists()
    assert not marne.seat("France").advance_orders.filter(used_at=None, passed_at=None).exists()


def test_an_amendment_wins_for_the_units_it_names(marne: Cast) -> None:
    keep(marne, *FALL)
    receipt = keep(marne, "A Bur - Bel", amend=True, source="<2@players.test>")
    assert receipt.amended
    assert not receipt.replaced
    submit(marne, "France", OPENINGS["France"])
    phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    orders = dict(current_decisions(marne.phase, marne.seat("France").power))
    assert orders["A Burgundy"] == "A Burgundy - Belgium"
    assert orders["A Spain"] == FALL[1]


def test_an_amendment_of_nothing_is_an_order(marne: Cast) -> None:
    receipt = keep(marne, "A Bur - Bel", amend=True)
    assert not receipt.amended
    assert orders_kept(marne.seat("France"))[0].lines == ((1, "A Bur - Bel"),)


def test_orders_of_a_phase_that_never_came_are_passed_and_not_used_later(marne: Cast) -> None:
    keep(marne, "Disband A Paris", phase="S1901R")
    phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    seat = marne.seat("France")
    passed = orders_passed([seat], since=marne.phase.opened_at)[seat]
    assert [one.phase for one in passed] == ["S1901R"]
    assert orders_passed([seat], since=NOW + 2 * DAY) == {seat: ()}
    game_rollback(game=marne.game, phase="S1901M", why="x", by="the GM", now=NOW + 2 * DAY)
    assert orders_kept(seat) == ()


def test_what_was_dropped_is_not_told_as_passed(marne: Cast) -> None:
    keep(marne, "Disband A Paris", phase="S1901R")
    seat = marne.seat("France")
    orders_drop(seat=seat, phase_name=None, received_at=NOW, source="<3@p.test>", now=NOW)
    phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    assert orders_passed([seat], since=NOW) == {seat: ()}


def test_when_a_game_ends_all_that_was_kept_is_passed(marne: Cast) -> None:
    keep(marne, "A Bur H", phase="F1903M")
    orders_pass(game=marne.game, before=None, now=NOW + DAY)
    seat = marne.seat("France")
    passed = orders_passed([seat], since=NOW + DAY)[seat]
    assert [one.phase_title for one in passed] == ["Fall 1903 movement"]


def test_a_later_mail_replaces_an_earlier_one_by_when_it_came(marne: Cast) -> None:
    keep(marne, "A Bur H", at=NOW + HOUR, source="<2@players.test>")
    assert keep(marne, "A Bur - Mun", at=NOW, source="<1@players.test>").replaced
    assert orders_kept(marne.seat("France"))[0].lines == ((1, "A Bur H"),)


def test_the_same_mail_again_keeps_nothing_new(marne: Cast) -> None:
    keep(marne, *FALL)
    keep(marne, *FALL)
    assert AdvanceOrders.objects.count() == 1


@pytest.mark.parametrize("phase", ["S1901M", "W1900A"])
def test_a_phase_that_does_not_lie_ahead_is_refused(marne: Cast, phase: str) -> None:
    with pytest.raises(BadInput, match="already over"):
        keep(marne, "A Par H", phase=phase)


def test_a_phase_too_far_off_is_refused(marne: Cast) -> None:
    keep(marne, "A Par H", phase="F1906M")
    with pytest.raises(BadInput, match="too far off"):
        keep(marne, "A Par H", phase="S1907M")


def test_who_has_left_keeps_nothing(marne: Cast) -> None:
    seat = marne.seat("France")
    seat_fill(game=marne.game, power=seat.power, player=marne.player("Hugo"), now=NOW)
    with pytest.raises(NotAllowed):
        orders_keep(
            seat=seat,
            phase_name="F1901M",
            lines=[(1, FALL[0])],
            received_at=NOW,
            source="<x>",
            now=NOW,
        )


def test_they_can_be_dropped_one_phase_at_a_time_or_all(marne: Cast) -> None:
    for phase in ("F1901M", "W1901A", "S1902M"):
        keep(marne, "A Par H", phase=phase)
    seat = marne.seat("France")

    def drop(phase: str | None) -> list[str]:
        dropped = orders_drop(
            seat=seat, phase_name=phase, received_at=NOW, source="<drop>", now=NOW
        )
        return [one.phase for one in dropped]

    assert drop("W1901A") == ["W1901A"]
    assert drop("W1901A") == []
    assert drop(None) == ["F1901M", "S1902M"]
    assert orders_kept(seat) == ()


# --- using them -----------------------------------------------------------------------------


def test_they_become_the_orders_of_their_phase(marne: Cast) -> None:
    submit(marne, "France", OPENINGS["France"])
    keep(marne, *FALL)
    play(marne)
    assert (marne.phase.name, current(marne)) == ("F1901M", FALL)
    assert "France" not in missing_powers(marne.phase)
    assert orders_kept(marne.seat("France")) == ()


def test_conditions_are_asked_of_the_position_in_which_the_phase_opens(marne: Cast) -> None:
    submit(marne, "France", ["A Par - Bur"])
    keep(marne, "IF I HOLD Burgundy", "A Bur - Mun", "ELSE", "A Par - Bur", "ENDIF")
    play(marne)
    assert current(marne) == ["A Bur - Mun"]


def test_the_other_branch_counts_when_the_move_failed(marne: Cast) -> None:
    submit(marne, "France", ["A Par - Bur"])
    submit(marne, "Germany", ["A Mun - Bur"])
    keep(marne, "IF I HOLD Burgundy", "A Bur - Mun", "ELSE", "A Par - Bur", "ENDIF")
    play(marne)
    assert current(marne) == ["A Par - Bur"]


def test_nothing_is_ordered_when_no_condition_is_met(marne: Cast) -> None:
    keep(marne, "IF I HOLD Burgundy", "A Bur - Mun", "ENDIF")
    play(marne)
    assert current(marne) == []
    assert "France" in missing_powers(marne.phase)


def test_orders_that_turn_out_impossible_do_not_count(marne: Cast) -> None:
    keep(marne, "A Bur - Mun")
    play(marne)
    assert current(marne) == []


def test_a_mail_for_the_open_phase_replaces_them(marne: Cast) -> None:
    keep(marne, "A Par - Bur")
    play(marne)
    submit(marne, "France", ["A Par H"], at=NOW + DAY + HOUR)
    assert current(marne) == ["A Par H"]


def test_a_mail_that_came_between_is_not_overruled_by_them(marne: Cast) -> None:
    """It came after the orders ahead, and before the phase was opened by a slow server."""
    keep(marne, "A Par - Bur")
    play(marne)
    submit(marne, "France", ["A Par H"], at=NOW + HOUR)
    assert current(marne) == ["A Par H"]


def test_when_all_have_ordered_ahead_nobody_is_waited_for(marne: Cast) -> None:
    for power in POWERS.values():
        keep(marne, "HOLD ALL", power=power)
    play(marne)
    assert marne.phase.all_in_at == NOW + DAY
    assert phase_process(game_id=marne.game.pk, now=NOW + DAY)
    assert marne.phase.name == "S1902M"


def test_who_takes_over_begins_without_them(marne: Cast) -> None:
    seat = marne.seat("France")
    keep(marne, "A Par - Bur")
    seat_fill(game=marne.game, power=seat.power, player=marne.player("Hugo"), now=NOW)
    play(marne)
    assert current(marne) == []
    assert orders_kept(marne.seat("France")) == ()


def test_a_game_that_goes_back_does_not_use_them_twice(marne: Cast) -> None:
    keep(marne, "A Par - Bur")
    play(marne)
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW + DAY)
    play(marne, now=NOW + 2 * DAY)
    assert (marne.phase.name, current(marne)) == ("F1901M", [])


def test_a_phase_that_never_comes_leaves_them_unused(marne: Cast) -> None:
    keep(marne, "Disband A Paris", phase="S1901R")
    play(marne)
    assert marne.phase.name == "F1901M"
    assert orders_kept(marne.seat("France")) == ()
    assert AdvanceOrders.objects.get().used_at is None


def test_they_go_along_when_the_game_moves_to_another_server(marne: Cast) -> None:
    keep(marne, "IF I HOLD Paris", "A Par - Bur", "ENDIF")
    moved = document(marne.game)
    moved["game"]["name"] = "somme"
    game = game_import(document=moved)
    assert phase_process_now(game_id=game.pk, now=NOW + DAY)
    phase = Phase.objects.get(game=game, name="F1901M")
    assert current_lines(phase, game.powers.get(name="France")) == ("A Par - Bur",)
