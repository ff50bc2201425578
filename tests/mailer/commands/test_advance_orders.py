"""PHASE, SAME and CLEAR by mail: orders for later phases, and the orders of the last one again."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import AdvanceOrders
from games.queries.orders.advance_orders import orders_kept
from games.queries.orders.current_orders import current_decisions, current_lines
from games.queries.orders.waiting import powers_not_in
from games.services.adjudication.phases import phase_process_now
from games.services.endings.ending import game_end
from games.services.ordering.disorder import disorder_declare, disorder_end
from mailer import notices
from mailer.commands.base import MOST_COMMANDS
from mailer.models import InboundMail
from tests.cast import DAY, NOW, OPENINGS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, flat, said, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

CONDITIONAL = """PHASE F1901M
IF I HOLD Burgundy
A Bur - Mun
ELSE
A Par - Bur
ENDIF
F Mao - Spa(sc)
"""


def carla(marne: Cast, text: str, *, now: dt.datetime = NOW) -> str:
    """What Carla, who plays France, is answered."""
    return said(write("Carla", text, to=to_seat(marne), received_at=now))


def play(marne: Cast, *, now: dt.datetime = NOW + DAY) -> str:
    """Process the phase; the body of Carla's result mail."""
    event = phase_process_now(game_id=marne.game.pk, now=now)
    assert event
    mails = notices.tell_event(event, now=now)
    return flat(next(mail.body for mail in mails if mail.recipient == address_of("Carla")))


def current(marne: Cast) -> list[str]:
    return list(current_lines(marne.phase, marne.seat("France").power))


# --- PHASE ----------------------------------------------------------------------------------


def test_an_endless_condition_is_refused(marne: Cast) -> None:
    text = f"PHASE F1901M\nIF I HOLD Bur{' .' * 4000} x\nA Bur - Mun\nENDIF"
    assert "A condition is too long: 1000 characters are possible." in carla(marne, text)
    assert not AdvanceOrders.objects.exists()


def test_orders_for_a_later_phase_are_kept_and_answered(marne: Cast) -> None:
    body = carla(marne, CONDITIONAL)
    assert "are kept for Fall 1901 movement" in body
    assert "We check your conditions then" in body
    assert "2 of 6: A Bur - Mun" in body
    assert current(marne) == []
    assert [one.phase for one in orders_kept(marne.seat("France"))] == ["F1901M"]


def test_one_mail_orders_for_now_and_for_later(marne: Cast) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}PHASE W1901A\nBuild A Paris\nEND\nA Mar - Spa\n")
    assert current(marne) == ["A Par - Bur", "A Mar - Spa"]
    assert [one.phase for one in orders_kept(marne.seat("France"))] == ["F1901M", "W1901A"]


def test_an_endif_does_not_end_the_orders_ahead(marne: Cast) -> None:
    carla(marne, CONDITIONAL)
    assert AdvanceOrders.objects.get().lines[-1][1] == "F Mao - Spa(sc)"
    assert current(marne) == []


@each_row("line", ["HOLD ALL", "READY", "CLEAR", "AMEND", "SAME"])
def test_no_word_below_it_acts_on_the_open_phase(marne: Cast, line: str) -> None:
    write("Carla", "A Par - Bur", to=to_seat(marne))
    carla(marne, f"PHASE F1901M\nA Bur H\n{line}")
    assert current(marne) == ["A Par - Bur"]
    assert not marne.phase.readiness.exists()


def test_the_receipt_names_lines_that_are_no_orders(marne: Cast) -> None:
    body = carla(marne, "PHASE F1901M\nA Bur H\nwhat a day\nCLEAR")
    assert "Nothing will come of these lines:" in body
    assert "You wrote “what a day”:" in body
    assert "You wrote “CLEAR”: To drop the orders that you sent for that phase" in body


def test_amend_keeps_what_was_kept_and_changes_what_it_names(marne: Cast) -> None:
    carla(marne, "PHASE F1901M\nA Bur - Mun\nF Mao - Spa(sc)")
    body = carla(marne, "PHASE F1901M\nAMEND\nA Bur - Bel")
    assert "What you had sent for it before stays, below the new lines" in body
    assert "in place of" not in body
    texts = [text for _, text in orders_kept(marne.seat("France"))[0].lines]
    assert texts == ["A Bur - Bel", "A Bur - Mun", "F Mao - Spa(sc)"]
    assert current(marne) == []


def test_ready_ahead_is_said_when_the_phase_opens(marne: Cast) -> None:
    carla(marne, "A Par - Bur\nPHASE F1901M\nREADY")
    assert not marne.phase.readiness.exists()
    body = play(marne)
    assert "We said READY for you, as you wrote" in body
    assert [(one.power.name, one.word) for one in marne.phase.readiness.all()] == [
        ("France", "ready")
    ]


def test_wait_ahead_may_have_a_condition(marne: Cast) -> None:
    carla(marne, "A Par - Bur\nPHASE F1901M\nA Bur H\nIF I HOLD Bur\nWAIT\nELSE\nREADY\nENDIF")
    body = play(marne)
    assert "The condition “IF I HOLD Bur” was met." in body
    assert "We said WAIT for you" in body
    assert marne.phase.readiness.get().word == "wait"


def test_only_the_conditions_that_were_asked_are_told(marne: Cast) -> None:
    text = (
        "PHASE F1901M\nIF I HOLD Pic\nA Pic H\nELSE IF I HOLD Bur\nIF NOBODY OWNS Bel\n"
        "A Bur - Bel\nENDIF\nELSE IF I HOLD Gas\nA Gas H\nENDIF"
    )
    carla(marne, f"A Par - Bur\n{text}")
    body = play(marne)
    assert "“IF I HOLD Pic” was not met." in body
    assert "“ELSE IF I HOLD Bur” was met." in body
    assert "“IF NOBODY OWNS Bel” was met." in body
    assert "HOLD Gas" not in body
    assert "France: A Burgundy - Belgium." in body


@each_row(
    ("text", "answer"),
    [
        ("IF I HOLD Bur\nA Bur - Mun\nELSE IF I HOLD Gas\nA Gas H\nELSE\nA Bur H\nENDIF", ""),
        ("IF Germany HOLDS Mun\nA Bur H\nENDIF\nA Bur - Mun", ""),
        ("IF I HOLD Bur\nA Bur - Mun\nor\nA Bur - Bel\nENDIF", "“or” between them"),
        (
            "IF I HOLD Bur\nA Bur - Mun\nIF I HOLD Gas\nA Bur - Bel\nENDIF\nENDIF",
            "“IF I HOLD Gas” between",
        ),
        ("IF I HOLD Bur\nIF I HOLD Gas\nA Bur H\nENDIF\nA Bur - Mun\nENDIF\nA Bur - Bel", ""),
        ("A Bur H\nIF I HOLD Bur\nA Bur - Mun\nELSE\nA Gas H\nENDIF", "“IF I HOLD Bur” between"),
    ],
)
def test_an_order_under_a_condition_leaves_room_for_another_for_its_unit(
    marne: Cast, text: str, answer: str
) -> None:
    body = carla(marne, f"PHASE F1901M\n{text}")
    assert answer in body
    assert ("in two ways" in body) == bool(answer)


def test_orders_for_a_phase_that_is_skipped_are_told_with_the_result(marne: Cast) -> None:
    carla(marne, "A Par - Bur\nPHASE S1901R\nA Paris - Pic\nEND\nPHASE F1901M\nA Bur H")
    body = play(marne)
    assert (
        "Spring 1901 retreats did not take place, so nothing came of the orders you had sent for "
        "it: “A Paris - Pic”"
    ) in body
    assert [one.phase for one in orders_kept(marne.seat("France"))] == []
    later = play(marne, now=NOW + 2 * DAY)
    assert "did not take place" not in later


def test_orders_for_phases_after_the_end_of_the_game_are_told_with_the_end(marne: Cast) -> None:
    carla(marne, "PHASE F1903M\nA Bur H")
    event = game_end(game=marne.game, winners=["Italy"], why="So be it.", by="the GM", now=NOW)
    mails = {mail.recipient: flat(mail.body) for mail in notices.tell_event(event, now=NOW)}
    told = "Fall 1903 movement did not take place, so nothing came of the orders you had sent"
    assert told in mails[address_of("Carla")]
    assert all("Bur H" not in body for name, body in mails.items() if name != address_of("Carla"))


def test_orders_under_conditions_about_the_open_phase_are_asked_now(marne: Cast) -> None:
    carla(marne, "IF I HOLD Par\nA Par - Bur\nELSE\nA Mar - Bur\nENDIF\nF Bre - Mao")
    assert current(marne) == ["A Par - Bur", "F Bre - Mao"]


@each_row(
    ("text", "answer"),
    [
        ("IF I HOLD Pic\nA Par - Bur\nENDIF", "None of your conditions holds"),
        ("IF I HOLD Par\nA Par - Bur", "has no ENDIF"),
        ("A Par - Bur\nENDIF", "ENDIF needs an IF"),
        ("IF Italy OWNS Bur\nA Par - Bur\nENDIF", "Burgundy is not a supply centre"),
        ("IF A Par IS DISLODGED\nA Par H\nENDIF", "Units are dislodged in retreat phases only"),
    ],
)
def test_no_order_under_a_condition_is_taken_for_one_without(
    marne: Cast, text: str, answer: str
) -> None:
    assert answer in carla(marne, text)
    assert current(marne) == []


def test_a_sentence_that_begins_with_if_costs_no_order(marne: Cast) -> None:
    carla(marne, "If you read this, hello!\nA Par - Bur")
    current = dict(current_decisions(marne.phase, marne.seat("France").power))
    assert current["A Paris"] == "A Paris - Burgundy"


@pytest.mark.parametrize("word", ["ORDERS", "STATUS"])
def test_what_is_kept_for_later_is_mentioned(marne: Cast, word: str) -> None:
    assert "are kept for" not in carla(marne, word)
    carla(marne, "PHASE F1901M\nA Bur H\nEND\nPHASE W1901A\nBuild A Paris")
    kept = "We are keeping orders of yours for Fall 1901 movement and Winter 1901"
    assert kept in carla(marne, word)


def test_nobody_else_learns_by_status_what_is_kept(marne: Cast) -> None:
    carla(marne, "PHASE F1901M\nA Bur H")
    mail = write("Emma", "STATUS", to=to_seat(marne, "Italy"))
    assert "are kept for" not in said(mail)


def test_new_orders_replace_those_kept_for_the_same_phase(marne: Cast) -> None:
    carla(marne, CONDITIONAL)
    assert "in place of what you had sent" in carla(marne, "PHASE Fall 1901\nA Bur H")
    assert orders_kept(marne.seat("France"))[0].lines[0][1] == "A Bur H"


@each_row(
    ("text", "answer"),
    [
        ("PHASE F1901X\nA Bur H", "“F1901X” is not a phase"),
        ("PHASE soon\nA Bur H", "is not a phase"),
        ("PHASE\nA Bur H", "For which phase"),
        ("PHASE F1901M", "your orders for it on the lines below"),
        ("PHASE W1900A\nBuild A Paris", "already over"),
        ("PHASE F1909M\nA Bur H", "too far off"),
        ("PHASE F1901M\nIF it rains\nA Bur H\nENDIF", "is not a condition"),
        ("PHASE F1901M\nIF I HOLD Bur\nA Bur H", "has no ENDIF"),
    ],
)
def test_what_cannot_be_kept_is_explained_and_orders_nothing(
    marne: Cast, text: str, answer: str
) -> None:
    assert answer in carla(marne, text)
    assert current(marne) == []
    assert not AdvanceOrders.objects.exists()


@each_row("which", ["next fall", "the next winter", "retreats", "for fall", "Fall"])
def test_a_phase_named_loosely_is_asked_back_and_orders_nothing_now(
    marne: Cast, which: str
) -> None:
    body = carla(marne, f"PHASE {which}\nA Par - Bur")
    assert "is not a phase: write it like S1901M" in body
    assert current(marne) == []
    assert not AdvanceOrders.objects.exists()


def test_an_order_on_the_line_of_the_phase_is_asked_back_and_nothing_is_ordered_now(
    marne: Cast,
) -> None:
    assert "is not a phase" in carla(marne, "PHASE F1901M F Bre - Mao\nA Par - Bur")
    assert current(marne) == []
    assert orders_kept(marne.seat("France")) == ()


@each_row("line", ["PHASE F1901M:", "Phase Fall 1901:", "PHASE F1901M."])
def test_a_colon_after_the_phase_does_no_harm(marne: Cast, line: str) -> None:
    assert "are kept for Fall 1901 movement" in carla(marne, f"{line}\nA Par - Bur")


@pytest.mark.parametrize("word", ["CLEAR", "MAP"])
def test_a_word_for_the_open_phase_alone_is_not_kept_and_says_so(marne: Cast, word: str) -> None:
    assert f"{word} cannot be kept for a later phase" in carla(marne, f"PHASE F1901M\n{word}")
    assert current(marne) == []


def test_the_phase_that_is_open_is_ordered_at_once(marne: Cast) -> None:
    body = carla(marne, "PHASE S1901M\nIF I HOLD Paris\nA Par - Bur\nELSE\nA Mar - Bur\nENDIF")
    assert "A Paris - Burgundy" in body
    assert current(marne) == ["A Par - Bur"]


BURGUNDY, PICARDY = ("PHASE S1901M\nA Par - Bur\nEND", "PHASE S1901M\nA Par - Pic\nEND")


@each_row(
    ("parts", "stands"),
    [
        ([BURGUNDY, PICARDY, BURGUNDY], ["A Par - Bur"]),
        ([BURGUNDY, "CLEAR", BURGUNDY], ["A Par - Bur"]),
        (["CLEAR", BURGUNDY, "CLEAR"], []),
    ],
)
def test_of_what_one_mail_says_in_turn_about_the_open_phase_the_last_stands(
    marne: Cast, parts: list[str], stands: list[str]
) -> None:
    carla(marne, "\n".join(parts))
    assert current(marne) == stands


def test_phase_alone_shows_what_is_kept(marne: Cast) -> None:
    assert "no orders for a later phase" in carla(marne, "PHASE")
    carla(marne, CONDITIONAL)
    body = carla(marne, "PHASE")
    assert "Fall 1901 movement: 1 of 6: IF I HOLD Burgundy" in body


def test_a_from_line_alone_keeps_nothing(marne: Cast) -> None:
    assert write("Carla", CONDITIONAL).state == InboundMail.State.HELD
    assert not AdvanceOrders.objects.exists()


# --- when the phase opens -------------------------------------------------------------------


def test_the_result_mail_says_what_became_of_them(marne: Cast) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}")
    body = play(marne)
    assert "The orders that you sent ahead for Fall 1901 movement are in." in body
    assert "France: A Burgundy - Munich." in body
    assert "France: A Marseilles has no order yet." in body
    assert "Not followed: “F Mao - Spa(sc)”. There is no unit in Mid-Atlantic Ocean." in body


def test_the_result_mail_says_when_none_of_them_counts(marne: Cast) -> None:
    carla(marne, "PHASE F1901M\nA Bur - Mun")
    assert "count now. Please send new ones." in play(marne)


def test_who_sent_none_ahead_reads_nothing_of_it(marne: Cast) -> None:
    carla(marne, "A Par - Bur")
    assert "AHEAD" not in play(marne)


def test_nobody_else_learns_of_them(marne: Cast) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}")
    event = phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    assert event
    told = notices.tell_event(event, now=NOW + DAY)
    assert len(told) == 8
    for secret in ("AHEAD", "A Burgundy - Munich", "Mao - Spa"):
        knows = [mail.recipient for mail in told if secret in flat(mail.body)]
        assert knows == [address_of("Carla")]
    assert "Burgundy" not in str(event.payload)


# --- CLEAR ----------------------------------------------------------------------------------


AGAIN = "CLEAR F1901M\nPHASE F1901M\nA Bur - Ruh\nEND\nCLEAR F1901M"
"""Somebody who changes their mind twice in one mail."""


@each_row("line", ["CLEAR F1901M", "clear fall 1901", "CLEAR AHEAD", AGAIN])
def test_clear_drops_orders_ahead_and_leaves_the_open_phase(marne: Cast, line: str) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}")
    assert "Nothing is kept for Fall 1901 movement now" in carla(marne, line)
    assert orders_kept(marne.seat("France")) == ()
    assert current(marne) == ["A Par - Bur"]


def test_clear_says_when_there_was_nothing_to_drop(marne: Cast) -> None:
    assert "We are keeping no orders of yours for Winter 1901" in carla(marne, "CLEAR W1901A")


def test_who_is_in_civil_disorder_reads_that_nothing_came_of_them_and_why(marne: Cast) -> None:
    carla(marne, "PHASE F1901M\nA Par - Pic\nPHASE S1902M\nA Par - Bre")
    power = marne.seat("France").power
    disorder_declare(game=marne.game, power=power, why="Silence.", by="gm", now=NOW)
    body = play(marne)
    assert "When Fall 1901 movement began, your power was in civil disorder" in body
    assert "“A Par - Pic”" in body
    assert current(marne) == []
    disorder_end(game=marne.game, power=power, by="gm", now=NOW + DAY)
    body = play(marne, now=NOW + 2 * DAY)
    assert "did not take place" not in body
    assert current(marne) == ["A Par - Bre"]


# --- HOLD ALL and SAME ahead ----------------------------------------------------------------


def test_hold_all_ahead_is_for_the_units_there_are_then(marne: Cast) -> None:
    submit(marne, "France", OPENINGS["France"])
    assert "1 of 1: HOLD ALL" in carla(marne, "PHASE F1901M\nHOLD ALL")
    assert current(marne) == list(OPENINGS["France"])
    body = play(marne)
    assert "France: A Burgundy Holds. France: A Spain Holds." in body
    assert marne.phase.name == "F1901M"
    assert "France" not in powers_not_in(marne.phase)


def test_same_ahead_repeats_the_movement_phase_before_as_far_as_units_stand(marne: Cast) -> None:
    submit(marne, "Austria", ["A Vie - Gal", "A Bud - Ser", "F Tri H"])
    submit(marne, "Russia", OPENINGS["Russia"])
    mail = write("Ana", "PHASE F1901M\nSAME\nA Ser - Gre", to=to_seat(marne, "Austria"))
    assert "2 of 2: A Ser - Gre" in said(mail)
    play(marne)
    power = marne.seat("Austria").power
    expected = ("A Vienna - Galicia", "F Trieste Holds", "A Ser - Gre")
    assert current_lines(marne.phase, power) == expected


def test_same_ahead_may_have_a_condition(marne: Cast) -> None:
    carla(marne, "F Bre H\nPHASE F1901M\nIF I HOLD Paris\nSAME\nELSE\nA Bur - Mun\nENDIF")
    play(marne)
    assert current(marne) == ["F Brest Holds"]


def test_same_ahead_orders_nothing_when_every_unit_has_moved(marne: Cast) -> None:
    submit(marne, "France", OPENINGS["France"])
    carla(marne, "PHASE F1901M\nSAME")
    assert "count now. Please send new ones." in play(marne)
    assert current(marne) == []


def test_same_for_winter_is_no_order_and_costs_no_other(marne: Cast) -> None:
    body = carla(marne, "PHASE W1901A\nSAME\nBuild A Paris")
    assert "You wrote “SAME”:" in body
    assert [one.phase for one in orders_kept(marne.seat("France"))] == ["W1901A"]
    assert "There is no order in your mail" in carla(marne, "PHASE F1901R\nSAME")


@pytest.mark.parametrize(
    ("line", "expected"),
    [("HOLD ALL", ["HOLD ALL"]), ("SAME", ["F Brest Holds"])],
)
def test_below_the_open_phase_they_are_orders_at_once(
    marne: Cast, line: str, expected: list[str]
) -> None:
    submit(marne, "France", ["A Par - Bur", "A Mar - Spa", "F Bre H"])
    play(marne)
    body = carla(marne, f"PHASE F1901M\n{line}", now=NOW + DAY)
    assert "F Brest Holds" in body
    assert current(marne) == expected


# --- SAME -----------------------------------------------------------------------------------


def test_same_orders_again_what_failed_the_last_time(marne: Cast) -> None:
    submit(marne, "Austria", ["A Vie - Gal", "A Bud - Ser", "F Tri H", "A Xyz"])
    submit(marne, "Russia", OPENINGS["Russia"])
    play(marne)
    mail = write("Ana", "SAME", to=to_seat(marne, "Austria"), received_at=NOW + DAY)
    body = said(mail)
    power = marne.seat("Austria").power
    assert current_lines(marne.phase, power) == ("A Vienna - Galicia", "F Trieste Holds")
    assert "A Serbia has no order yet" in body


@each_row("text", ["SAME\nAMEND\nA Ser - Gre", "SAME\nA Ser - Gre", "A Ser - Gre\nSAME"])
def test_same_beside_orders_is_for_all_other_units(marne: Cast, text: str) -> None:
    submit(marne, "Austria", ["A Bud - Ser", "F Tri H"])
    play(marne)
    write("Ana", text, to=to_seat(marne, "Austria"), received_at=NOW + DAY)
    power = marne.seat("Austria").power
    assert sorted(current_lines(marne.phase, power)) == ["A Ser - Gre", "F Trieste Holds"]


def test_same_beside_orders_does_not_undo_one_of_them(marne: Cast) -> None:
    submit(marne, "Austria", ["A Bud - Ser", "F Tri H"])
    play(marne)
    write("Ana", "F Tri - Ven\nSAME", to=to_seat(marne, "Austria"), received_at=NOW + DAY)
    assert current_lines(marne.phase, marne.seat("Austria").power) == ("F Tri - Ven",)


def test_orders_beside_a_same_that_orders_nothing_are_followed(marne: Cast) -> None:
    told = carla(marne, "SAME\nA Par - Bur")
    assert "You wrote “SAME”: Nothing was ordered before Spring 1901" in told
    assert current_lines(marne.phase, marne.seat("France").power) == ("A Par - Bur",)


def test_same_before_anything_was_ordered_is_refused(marne: Cast) -> None:
    assert "Nothing was ordered before Spring 1901" in carla(marne, "SAME")


def test_same_when_every_unit_has_moved_is_refused(marne: Cast) -> None:
    submit(marne, "France", OPENINGS["France"])
    play(marne)
    assert "No unit of France that had an order" in carla(marne, "SAME", now=NOW + DAY)


def test_a_line_ahead_that_is_no_order_is_in_the_subject(marne: Cast) -> None:
    mail = write("Carla", "PHASE F1901M\nA Par - Bur\nA Par goes out", to=to_seat(marne))
    assert answer_to(mail).subject == (
        "[marne] Fall 1901 movement: 1 line NOT used, your other orders are kept"
    )


def test_a_block_of_nothing_but_bad_lines_says_of_each_why(marne: Cast) -> None:
    said = carla(marne, "PHASE F1901M\nfoo\nbar baz")
    assert "There is no order in your mail for Fall 1901 movement. You wrote “foo”:" in said
    assert "You wrote “bar baz”:" in said


def test_commands_below_a_bare_phase_are_carried_out(marne: Cast) -> None:
    carla(marne, "PHASE F1901M\nA Burgundy - Belgium\nEND\nA Par - Bur")
    said = carla(marne, "PHASE\nORDERS\nSTATUS")
    assert "1 of 1: A Burgundy - Belgium" in said
    assert "A Paris - Burgundy" in said
    assert "it is Spring 1901 movement." in said
    assert "For which phase are these orders?" in carla(marne, "PHASE\nA Mar H")


# --- A power of which nothing is left --------------------------------------------------------


def wipe_out(marne: Cast) -> None:
    phase = marne.phase
    for part in ("units", "centers"):
        phase.position[part].pop("France")
    phase.save()


def test_an_eliminated_player_is_not_asked_to_order_anew(marne: Cast) -> None:
    carla(marne, CONDITIONAL)
    wipe_out(marne)
    result = play(marne)
    assert "Nothing is left of France, so nothing comes of the orders that you sent ahead" in result
    assert "send new ones" not in result


def test_orders_for_a_power_of_which_nothing_is_left_are_answered_once_and_plainly(
    marne: Cast,
) -> None:
    wipe_out(marne)
    receipt = answer_to(write("Carla", "A Par - Bur", to=to_seat(marne)))
    assert receipt.subject.startswith(
        "[marne] Spring 1901 movement: nothing to order, 1 line NOT used"
    )
    body = flat(receipt.body)
    assert body.count("Nothing is left of France, so there is nothing to order.") == 1
    assert "has nothing to decide" not in body
    assert "To change something" not in body


def test_a_resignation_below_phase_alone_is_asked_about_as_anywhere(marne: Cast) -> None:
    mail = write("Carla", "PHASE\nRESIGN", to=to_seat(marne))
    assert mail.state == InboundMail.State.HELD, mail.note
    assert marne.seat("France").until is None


def test_below_phase_alone_no_more_commands_are_carried_out_than_in_any_mail(marne: Cast) -> None:
    said = carla(marne, "\n".join(["PHASE", *["STATUS"] * MOST_COMMANDS]))
    assert f"One mail can hold {MOST_COMMANDS} commands, and yours has {MOST_COMMANDS + 1}." in said
