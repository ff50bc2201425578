"""PHASE, SAME and CLEAR by mail: orders for later phases, and the orders of the last one again."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import OrdersAhead
from games.services.ahead import orders_kept
from games.services.orders import orders_submit
from games.services.phases import phase_process
from games.standing import standing_lines
from mailer import addresses, notices
from mailer.models import InboundMail
from tests.cast import DAY, NOW, OPENINGS, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, write

pytestmark = pytest.mark.django_db

CONDITIONAL = """PHASE F1901M
IF I HOLD Burgundy
A Bur - Mun
ELSE
A Par - Bur
ENDIF
F Mao - Spa(sc)
"""


def to_seat(marne: Cast, power: str = "France") -> str:
    return addresses.seat_address(seat=marne.seat(power), phase=marne.phase, now=NOW)


def said(mail: InboundMail) -> str:
    return flat(answer_to(mail).body)


def carla(marne: Cast, text: str, *, now: dt.datetime = NOW) -> str:
    """What Carla, who plays France, is answered."""
    return said(write("Carla", text, to=to_seat(marne), received_at=now))


def play(marne: Cast, *, now: dt.datetime = NOW + DAY) -> str:
    """Process the phase; the body of Carla's result mail."""
    event = phase_process(game_id=marne.game.pk, now=now, force=True)
    assert event
    mails = notices.tell_event(event, now=now)
    return flat(next(mail.body for mail in mails if mail.recipient == address_of("Carla")))


def standing(marne: Cast) -> list[str]:
    return list(standing_lines(marne.phase, marne.seat("France").power))


# --- PHASE ----------------------------------------------------------------------------------


def test_orders_for_a_later_phase_are_kept_and_answered(marne: Cast) -> None:
    body = carla(marne, CONDITIONAL)
    assert "are kept for Fall 1901 movement" in body
    assert "Your conditions are asked then" in body
    assert "2 of 6: A Bur - Mun" in body
    assert standing(marne) == []
    assert [one.phase for one in orders_kept(marne.seat("France"))] == ["F1901M"]


def test_one_mail_orders_for_now_and_for_later(marne: Cast) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}PHASE W1901A\nBuild A Paris\nEND\nA Mar - Spa\n")
    assert standing(marne) == ["A Par - Bur", "A Mar - Spa"]
    assert [one.phase for one in orders_kept(marne.seat("France"))] == ["F1901M", "W1901A"]


def test_an_endif_does_not_end_the_orders_ahead(marne: Cast) -> None:
    carla(marne, CONDITIONAL)
    assert OrdersAhead.objects.get().lines[-1][1] == "F Mao - Spa(sc)"
    assert standing(marne) == []


@pytest.mark.parametrize("line", ["HOLD ALL", "READY", "CLEAR", "AMEND", "SAME"])
def test_no_word_below_it_acts_on_the_open_phase(marne: Cast, line: str) -> None:
    write("Carla", "A Par - Bur", to=to_seat(marne))
    carla(marne, f"PHASE F1901M\nA Bur H\n{line}")
    assert standing(marne) == ["A Par - Bur"]
    assert not marne.phase.readiness.exists()


def test_the_receipt_names_lines_that_are_no_orders(marne: Cast) -> None:
    body = carla(marne, "PHASE F1901M\nA Bur H\nREADY")
    assert "These lines are no orders" in body
    assert 'You wrote "READY":' in body


def test_new_orders_replace_those_kept_for_the_same_phase(marne: Cast) -> None:
    carla(marne, CONDITIONAL)
    assert "in place of what you had sent" in carla(marne, "PHASE Fall 1901\nA Bur H")
    assert orders_kept(marne.seat("France"))[0].lines[0][1] == "A Bur H"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("PHASE F1901X\nA Bur H", "'F1901X' is no phase"),
        ("PHASE soon\nA Bur H", "is no phase"),
        ("PHASE\nA Bur H", "For which phase"),
        ("PHASE F1901M", "your orders for it on the lines below"),
        ("PHASE W1900A\nBuild A Paris", "over already"),
        ("PHASE F1909M\nA Bur H", "too far off"),
        ("PHASE F1901M\nIF it rains\nA Bur H\nENDIF", "is no condition"),
        ("PHASE F1901M\nIF I HOLD Bur\nA Bur H", "has no ENDIF"),
    ],
)
def test_what_cannot_be_kept_is_explained_and_orders_nothing(
    marne: Cast, text: str, answer: str
) -> None:
    assert answer in carla(marne, text)
    assert standing(marne) == []
    assert not OrdersAhead.objects.exists()


@pytest.mark.parametrize("which", ["next fall", "the next winter", "retreats", "for fall", "Fall"])
def test_a_phase_named_loosely_is_asked_back_and_orders_nothing_now(
    marne: Cast, which: str
) -> None:
    body = carla(marne, f"PHASE {which}\nA Par - Bur")
    assert "is no phase: write it like S1901M" in body
    assert standing(marne) == []
    assert not OrdersAhead.objects.exists()


def test_the_phase_that_is_open_is_ordered_at_once(marne: Cast) -> None:
    body = carla(marne, "PHASE S1901M\nIF I HOLD Paris\nA Par - Bur\nELSE\nA Mar - Bur\nENDIF")
    assert "A Paris - Burgundy" in body
    assert standing(marne) == ["A Par - Bur"]


def test_phase_alone_shows_what_is_kept(marne: Cast) -> None:
    assert "no orders for a later phase" in carla(marne, "PHASE")
    carla(marne, CONDITIONAL)
    body = carla(marne, "PHASE")
    assert "Fall 1901 movement: 1 of 6: IF I HOLD Burgundy" in body


def test_a_from_line_alone_keeps_nothing(marne: Cast) -> None:
    assert write("Carla", CONDITIONAL).state == InboundMail.State.HELD
    assert not OrdersAhead.objects.exists()


# --- when the phase opens -------------------------------------------------------------------


def test_the_result_mail_says_what_became_of_them(marne: Cast) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}")
    body = play(marne)
    assert "The orders that you sent ahead for Fall 1901 movement are in." in body
    assert "France: A Burgundy - Munich." in body
    assert "France: A Marseilles has no order yet." in body
    assert 'Not followed: "F Mao - Spa(sc)". There is no unit in Mid-Atlantic Ocean.' in body


def test_the_result_mail_says_when_none_of_them_counts(marne: Cast) -> None:
    carla(marne, "PHASE F1901M\nA Bur - Mun")
    assert "none counts now. Please order anew." in play(marne)


def test_who_sent_none_ahead_reads_nothing_of_it(marne: Cast) -> None:
    carla(marne, "A Par - Bur")
    assert "AHEAD" not in play(marne)


def test_nobody_else_learns_of_them(marne: Cast) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}")
    event = phase_process(game_id=marne.game.pk, now=NOW + DAY, force=True)
    assert event
    told = notices.tell_event(event, now=NOW + DAY)
    assert len(told) == 8
    for secret in ("AHEAD", "A Burgundy - Munich", "Mao - Spa"):
        knows = [mail.recipient for mail in told if secret in flat(mail.body)]
        assert knows == [address_of("Carla")]
    assert "Burgundy" not in str(event.payload)


# --- CLEAR ----------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["CLEAR F1901M", "clear fall 1901", "CLEAR AHEAD"])
def test_clear_drops_orders_ahead_and_leaves_the_open_phase(marne: Cast, line: str) -> None:
    carla(marne, f"A Par - Bur\n{CONDITIONAL}")
    assert "Nothing is kept for Fall 1901 movement any more" in carla(marne, line)
    assert orders_kept(marne.seat("France")) == ()
    assert standing(marne) == ["A Par - Bur"]


def test_clear_says_when_there_was_nothing_to_drop(marne: Cast) -> None:
    assert "No orders of yours are kept for Winter 1901" in carla(marne, "CLEAR W1901A")


# --- SAME -----------------------------------------------------------------------------------


def test_same_orders_again_what_failed_the_last_time(marne: Cast) -> None:
    submitted(marne, "Austria", ["A Vie - Gal", "A Bud - Ser", "F Tri H", "A Xyz"])
    submitted(marne, "Russia", OPENINGS["Russia"])
    play(marne)
    mail = write("Ana", "SAME", to=to_seat(marne, "Austria"), received_at=NOW + DAY)
    body = said(mail)
    power = marne.seat("Austria").power
    assert standing_lines(marne.phase, power) == ("A Vienna - Galicia", "F Trieste Holds")
    assert "A Serbia has no order yet" in body


def test_same_with_amend_orders_the_others_too(marne: Cast) -> None:
    submitted(marne, "Austria", ["A Bud - Ser", "F Tri H"])
    play(marne)
    write("Ana", "SAME\nAMEND\nA Ser - Gre", to=to_seat(marne, "Austria"), received_at=NOW + DAY)
    power = marne.seat("Austria").power
    assert standing_lines(marne.phase, power) == ("A Ser - Gre", "F Trieste Holds")


def test_same_before_anything_was_ordered_is_refused(marne: Cast) -> None:
    assert "Nothing was ordered before Spring 1901" in carla(marne, "SAME")


def test_same_when_every_unit_has_moved_is_refused(marne: Cast) -> None:
    submitted(marne, "France", OPENINGS["France"])
    play(marne)
    assert "No unit of France that had an order" in carla(marne, "SAME", now=NOW + DAY)


def submitted(marne: Cast, power: str, lines: list[str]) -> None:
    orders_submit(
        seat=marne.seat(power),
        phase=marne.phase,
        lines=list(enumerate(lines, start=1)),
        amend=False,
        received_at=NOW,
        source=f"<{power}@players.test>",
        now=NOW,
    )
