"""READY beside an order that is not followed: whoever wrote the order still wants it."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import AdvanceOrders
from games.services.adjudication.phases import phase_process_now
from games.services.ordering.readiness import readiness_set
from mailer import notices
from tests.cast import DAY, NOW, OPENINGS, POWERS, Cast, address_of, make_cast, submit
from tests.mailer.correspondence import answer_to, flat, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

MINUTE = dt.timedelta(minutes=1)
AGAIN = (
    "READY does not count, because we do not follow 1 line of your orders: send it again with "
    "READY, or READY alone if the game need not wait for it."
)


def say(cast: Cast, text: str, at: dt.datetime = NOW) -> str:
    to = to_seat(cast)
    return flat(answer_to(write("Carla", text, to=to, received_at=at)).body)


def is_ready(cast: Cast) -> bool:
    return cast.phase.readiness.filter(power__name="France", word="ready").exists()


def is_all_in(cast: Cast) -> bool:
    return cast.phase.all_in_at is not None


@each_row(
    "bad",
    [
        *("A Par - Bur (if Germany agrees)", "A Par - Mos", "A Par - Xyz", "A Par or Mar - Bur"),
        *("A Par - Bur?", "foo bar", "If Germany agrees A Par - Bur", "A Par"),
    ],
)
@each_row("place", [0, 1, 3])
def test_ready_does_not_count_beside_an_order_that_is_not_followed(
    marne: Cast, bad: str, place: int
) -> None:
    lines = [bad, "A Mar - Spa", "F Bre - Mid"]
    lines.insert(place, "READY")
    assert AGAIN in say(marne, "\n".join(lines))
    assert not is_ready(marne)


@pytest.mark.parametrize("sorry", ["no, A Par - Pic", "sorry, A Par - Pic"])
def test_nor_beside_an_order_that_its_own_mail_takes_back(marne: Cast, sorry: str) -> None:
    said = say(marne, f"A Par - Bur\nA Mar - Spa\nF Bre - Mid\n{sorry}\nREADY")
    assert "READY does not count, because" in said
    assert not is_ready(marne)


@pytest.mark.parametrize("mail", ["If Germany attacks Burgundy:\nA Mar - Bur", "SAME"])
def test_nor_beside_orders_that_are_refused_as_a_whole(marne: Cast, mail: str) -> None:
    assert "READY does not count, because" in say(marne, f"{mail}\nREADY")
    assert not is_ready(marne)


def test_nor_below_the_line_of_the_open_phase(marne: Cast) -> None:
    assert AGAIN in say(marne, "PHASE S1901M\nA Par - Bur\nA Mar - Xyz\nREADY")
    assert not is_ready(marne)


def test_nor_beside_an_amendment_that_is_not_followed(marne: Cast) -> None:
    submit(marne, "France", OPENINGS["France"], NOW)
    assert AGAIN in say(marne, "AMEND\nA Par - Mos\nREADY")
    assert not is_ready(marne)


@each_row(
    "text",
    [
        *("READY", "A Par - Bur\nREADY", "READY\nA Par - Bur"),
        "A Par - Bur\nI talked to Italy about this last night.\nREADY",
        "A Par - Bur\nA Mar - Spa\nF Bre - Mid\nF Bre - Eng\nREADY",
        "A Par - Bur\nA Mar - Spa\nF Bre - Mid\nfoo bar\nREADY",
    ],
)
def test_ready_counts_where_nothing_that_was_ordered_is_missing(marne: Cast, text: str) -> None:
    assert "READY is noted" in say(marne, text)
    assert is_ready(marne)


def test_ready_alone_counts_once_the_receipt_has_said_what_is_missing(marne: Cast) -> None:
    say(marne, "A Par - Mos\nA Mar - Spa\nREADY")
    assert "READY is noted" in say(marne, "READY", NOW + MINUTE)
    assert is_ready(marne)


def test_an_earlier_ready_is_not_said_of_an_order_that_is_not_followed() -> None:
    cast = make_cast(early_delay=None)
    say(cast, "READY")
    for power in set(POWERS.values()) - {"France"}:
        submit(cast, power, OPENINGS[power], NOW)
    assert cast.phase.all_in_at
    said = say(cast, "A Par - Xyz\nA Mar - Spa\nF Bre - Mid", NOW + MINUTE)
    assert "Your earlier READY no longer counts, because we do not follow 1 line" in said
    assert "All orders are in" not in said
    assert not is_ready(cast)
    assert cast.phase.all_in_at is None


@each_row(
    "mail",
    [
        *("AMEND\nA Par - Xyz\nREADY", "AMEND\nA Par - Pic (if Italy agrees)"),
        *("If Germany attacks Burgundy:\nA Par - Bur\nREADY", "A Par - Bur => A Par - Pic"),
    ],
)
@each_row("good", ["AMEND\nA Par - Pic\nREADY", "AMEND\nA Par - Pic", "READY"])
def test_no_phase_is_decided_early_without_a_change_that_is_not_followed(
    mail: str, good: str
) -> None:
    cast = make_cast(early_delay=None)
    for power in POWERS.values():
        submit(cast, power, OPENINGS[power], NOW)
    say(cast, "READY")
    assert is_all_in(cast)
    said = say(cast, mail, NOW + MINUTE)
    assert "WAIT is noted for you" in said
    assert "All orders are in" not in said
    assert not is_all_in(cast)
    assert "WAIT is noted for you, because" in say(cast, "ORDERS", NOW + MINUTE)
    say(cast, good, NOW + 2 * MINUTE)
    assert is_all_in(cast)


def test_a_receipt_says_once_that_wait_is_noted_for_its_writer() -> None:
    cast = make_cast(early_delay=None)
    for power in POWERS.values():
        submit(cast, power, OPENINGS[power], NOW)
    said = say(cast, "AMEND\nA Par - Xyz", NOW + MINUTE)
    assert said.count("WAIT is noted for you") == 1
    assert "is not followed" not in said  # “NOT USED” shows it already


def test_words_that_are_no_orders_keep_nobody_waiting() -> None:
    cast = make_cast(early_delay=None)
    for power in POWERS.values():
        submit(cast, power, OPENINGS[power], NOW)
    said = say(cast, "What a lovely map this is.", NOW + MINUTE)
    assert "WAIT is noted" not in said
    assert is_all_in(cast)


def test_an_earlier_wait_stays(marne: Cast) -> None:
    readiness_set(seat=marne.seat("France"), phase=marne.phase, word="WAIT", now=NOW)
    say(marne, "A Par - Mos\nA Mar - Spa\nREADY", NOW + MINUTE)
    assert marne.phase.readiness.get(power__name="France").word == "wait"


def test_orders_do_not_end_a_wait_of_the_player_s_own() -> None:
    cast = make_cast(early_delay=None)
    for power in POWERS.values():
        submit(cast, power, OPENINGS[power], NOW)
    say(cast, "AMEND\nA Par - Xyz", NOW + MINUTE)
    say(cast, "WAIT", NOW + 2 * MINUTE)
    said = say(cast, "AMEND\nA Par - Pic", NOW + 3 * MINUTE)
    assert "You said WAIT" in said
    assert not is_all_in(cast)


def test_the_subject_still_begins_with_the_order_that_is_missing(marne: Cast) -> None:
    to = to_seat(marne)
    subject = answer_to(write("Carla", "A Par - Mos\nA Mar H\nF Bre H\nREADY", to=to)).subject
    assert subject.startswith("[marne] Spring 1901 movement: NOT ordered: A Paris")


# --- Sent ahead -----------------------------------------------------------------------------


def play(cast: Cast) -> str:
    event = phase_process_now(game_id=cast.game.pk, now=NOW + DAY)
    assert event
    mails = notices.tell_event(event, now=NOW + DAY)
    return flat(next(mail.body for mail in mails if mail.recipient == address_of("Carla")))


def test_ready_ahead_is_not_said_where_an_order_beside_it_cannot_be_followed(marne: Cast) -> None:
    say(marne, "A Par - Bur\nA Mar H\nF Bre H\nPHASE F1901M\nA Bur - Mos\nA Mar H\nREADY")
    told = play(marne)
    assert "We did not say READY for you, because we could not follow all the" in told
    assert "We said READY for you" not in told
    assert not is_ready(marne)
    assert AdvanceOrders.objects.get().used_at


def test_ready_ahead_is_said_where_every_unit_has_an_order(marne: Cast) -> None:
    ahead = "PHASE F1901M\nA Bur H\nA Par H\nA Mar H\nF Bre H\nREADY"
    say(marne, f"A Par - Bur\nA Mar H\nF Bre H\n{ahead}")
    assert "We said READY for you, as you wrote" in play(marne)
    assert is_ready(marne)


UNDECIDED = "PHASE F1901M\nA Bur H\nA Par H\nIf Germany attacks me:\nA Bur - Mar\nREADY"


def test_orders_ahead_above_a_condition_that_cannot_be_decided_are_kept(marne: Cast) -> None:
    said = say(marne, UNDECIDED)
    assert "1 of 2: A Bur H" not in said  # it is ordered otherwise below the condition
    assert "1 of 1: A Par H" in said
    assert "“Germany attacks me” is not a condition" in said
    assert "You wrote “A Bur - Mar”: It stands below “If Germany attacks me:”" in said


def test_ready_ahead_is_not_kept_beside_an_order_that_its_own_mail_takes_back(marne: Cast) -> None:
    said = say(marne, "PHASE F1901M\nA Bur - Mun\nA Mar H\nno, A Bur - Pic\nREADY")
    assert "You wrote “READY”: It is not kept, because not all of the orders beside it" in said
    assert "READY" not in str(AdvanceOrders.objects.get().lines)


def test_orders_above_a_condition_count_below_the_line_of_the_open_phase(marne: Cast) -> None:
    said = say(marne, "PHASE S1901M\nA Mar - Spa\nIF Germany is at war\nA Par - Bur\nENDIF")
    assert "1 of 3: A Marseilles - Spain" in said
    assert "A Paris - Burgundy" not in said
