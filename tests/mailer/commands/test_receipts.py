"""The receipt word by word: what it tells of an order set, and where it goes."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Game, Player
from games.services.accounts.players import address_confirm
from games.services.accounts.profile import address_add
from mailer.commands.texts.order_receipt import ordered_of
from mailer.models import InboundMail
from tests.cast import HOUR, NOW, Cast, address_of, make_cast
from tests.mailer.correspondence import flat, to_seat, told_cast, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
DUE = "Thu 5 Mar 13:00 CET"
"""As Carla in Berlin reads it."""


@pytest.fixture
def far(db: None) -> Cast:
    """A game on New York's clock, played by Carla in Berlin."""
    cast = make_cast(timezone="America/New_York")
    Player.objects.filter(name="Carla").update(timezone="Europe/Berlin")
    return cast


def send(cast: Cast, text: str, *, at: dt.datetime = NOW, sender: str = "") -> InboundMail:
    to = to_seat(cast)
    return write("Carla", text, to=to, received_at=at, sender=sender)


def receipt(cast: Cast, text: str, *, at: dt.datetime = NOW) -> str:
    return flat(send(cast, text, at=at).answers.get(kind="reply").body)


def test_each_unit_is_named_with_what_stands_for_it(far: Cast) -> None:
    body = receipt(far, "a par bur\nmar s par-bur")
    assert "“a par bur”: A Paris - Burgundy." in body
    assert "1 of 3: A Marseilles Supports A Paris - Burgundy" in body
    assert "2 of 3: A Paris - Burgundy" in body
    assert "3 of 3: F Brest has no order yet, so it would hold." in body
    assert "Still without an order: F Brest." in body


def test_the_first_set_replaces_nothing_and_says_so(far: Cast) -> None:
    assert "They are the first that you have sent for this phase." in receipt(far, "A Par H")
    assert "They replace whatever you sent before" in receipt(far, "A Par - Bur")


def test_what_has_changed_since_the_last_set_is_told_unit_by_unit(far: Cast) -> None:
    receipt(far, "A Par - Bur\nA Mar H\nF Bre - Mao")
    body = receipt(far, "A Par - Pic\nA Mar H")
    assert "A Paris - Picardy before: A Paris - Burgundy" in body
    assert "so it would hold. before: F Brest - Mid-Atlantic Ocean" in body
    assert body.count("before: ") == 2


def test_the_time_of_arrival_and_the_time_left_are_told_in_both_zones(far: Cast) -> None:
    body = receipt(far, "A Par H", at=NOW + HOUR)
    assert "came Mon 2 Mar 2026, 14:00 CET (13:00 UTC)" in body
    assert "Deadline: Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 2 days and 23 hours." in body
    assert "In the game's own zone, America/New_York: Thu 5 Mar 2026, 07:00 EST" in body


@each_row("text", ["ORDERS", "STATUS", "READY", "CLEAR"])
def test_every_receipt_with_a_deadline_tells_it_in_both_zones(far: Cast, text: str) -> None:
    assert "In the game's own zone" in receipt(far, text)


def test_a_zone_whose_clocks_show_the_same_is_not_told_besides(far: Cast) -> None:
    Player.objects.filter(name="Carla").update(timezone="Europe/London")
    Game.objects.update(timezone="Africa/Abidjan")
    body = receipt(far, "A Par H")
    assert "Deadline: Thu 5 Mar 2026, 12:00 GMT, in" in body
    assert "own zone" not in body


def test_one_zone_is_told_once(marne: Cast) -> None:
    assert "own zone" not in receipt(marne, "A Par H")


def test_a_support_of_an_order_that_was_not_given_is_pointed_out(far: Cast) -> None:
    body = receipt(far, "A Par - Pic\nA Mar S A Par - Bur")
    assert (
        "Please note: - This support does nothing as long as A Paris has another order: A" in body
    )


def test_what_was_not_understood_is_answered_with_a_suggestion(far: Cast) -> None:
    body = receipt(far, "F Bre - Eng\nA Liv - Yor")
    assert "“Liv” could be Livonia or Liverpool" in body


def test_how_to_change_it_is_told(far: Cast) -> None:
    assert "To change something, reply with your orders again" in receipt(far, "A Par H")


def test_it_goes_to_the_address_of_record_and_to_the_other_one_they_wrote_from(far: Cast) -> None:
    other = address_add(player=far.player("Carla"), email="carla@work.test", now=NOW)
    address_confirm(address=other, now=NOW)
    mail = send(far, "A Par - Bur", sender="Carla <carla@work.test>")
    recipients = {answer.recipient: answer.body for answer in mail.answers.all()}
    assert set(recipients) == {address_of("Carla"), "carla@work.test"}
    assert len(set(recipients.values())) == 1


def test_it_goes_to_no_address_that_was_not_confirmed(far: Cast) -> None:
    address_add(player=far.player("Carla"), email="carla@work.test", now=NOW)
    mail = send(far, "A Par - Bur", sender="Carla <carla@work.test>")
    assert not mail.answers.filter(recipient="carla@work.test").exists()
    assert mail.state == InboundMail.State.HELD


def test_every_line_is_accounted_for(far: Cast) -> None:
    text = "Hi,\nA Par - Bur\nfoo bar\nREADY\nA Mar H\nVOTE\nRegards\n-- \nCarla"
    body = receipt(far, text)
    for order in ("A Paris - Burgundy", "A Marseilles Holds"):
        assert f"of 3: {order}" in body, order
    for said in ("foo bar", "Hi,", "Regards", "Carla"):
        assert f"“{said}”" in body, said
    assert "YOUR WORD FOR FRANCE, SPRING 1901 MOVEMENT READY does not count" in body
    assert "Nothing is proposed" in body


def test_five_unknown_lines_stop_the_reading_and_bring_help(far: Cast) -> None:
    mail = send(far, "one\ntwo apples\nthree pears\nfour plums\nfive figs\nGermany: A Mun - Bur")
    answer = mail.answers.get(kind="reply")
    assert "at the line “one”, because 5 lines in a row were not orders" in flat(answer.body)
    assert "write HELP on a line of its own" in flat(answer.body)
    assert "Deadline:" in answer.body
    assert "NOT ordered" in answer.subject
    assert not far.phase.order_sets.exists()


def test_prose_above_orders_costs_none_of_them(far: Cast) -> None:
    prose = "it was a long week\n" * 3 + "my cat is ill\nso I am late\nwe had snow\n"
    mail = send(far, f"{prose}A Par - Bur\nand\nas you know\nfor\nold times\nsake\nA Mar - Spa")
    assert "A Mar - Spa" in far.phase.order_sets.get().lines
    subject = mail.answers.get(kind="reply").subject
    assert subject.endswith("NOT ordered: F Brest, 10 lines NOT used, 2 of 3 ordered; due " + DUE)


@pytest.mark.parametrize(("more", "is_quiet"), [("", True), ("\nA Par - Pic", False)])
def test_two_orders_for_a_unit_are_no_quiet_answer(db: None, more: str, is_quiet: bool) -> None:
    """A mail that went well keeps the subject of its thread."""
    answer = send(told_cast(), f"A Par - Bur\nA Mar - Spa\nF Bre - MAO{more}").answers.get()
    assert answer.subject.startswith("Re: ") is is_quiet


def test_a_line_that_cannot_be_read_alarms_nobody_whose_orders_are_in(far: Cast) -> None:
    send(far, "A Par - Bur\nA Mar - Spa\nF Bre - MAO")
    answer = send(far, "A Par - Mos").answers.get(kind="reply")
    assert answer.subject.endswith(f": 1 line NOT used, your earlier orders stand; due {DUE}")
    assert "Your earlier orders stand: every unit of France has one." in flat(answer.body)


@each_row(
    ("total", "missing", "says"),
    [(3, 0, "all 3 ordered"), (3, 1, "2 of 3 ordered"), (1, 0, "1 of 1 ordered")],
)
def test_one_decision_is_not_called_all(total: int, missing: int, says: str) -> None:
    assert ordered_of(total, missing) == says


def test_a_line_that_cannot_be_read_hides_no_unit_without_an_order(far: Cast) -> None:
    send(far, "A Par - Bur\nA Mar - Spa")
    subject = send(far, "A Par - Mos").answers.get(kind="reply").subject
    assert subject.endswith(f"NOT ordered: F Brest, 1 line NOT used, 2 of 3 ordered; due {DUE}")


@each_row(
    ("text", "news"),
    [
        ("A Par - Bur\nA Mar - Spa\nF Bre - MAO", f"all 3 ordered; due {DUE}"),
        (
            "A Par - Bur\nA Mar - Spa\nF Bre - MAO\nfoo",
            f"1 line NOT used, all 3 ordered; due {DUE}",
        ),
        (
            "A Par - Bur\nA Mar - Spa\nF Bre - MAO\nA Par - Pic",
            f"1 line NOT used, all 3 ordered; due {DUE}",
        ),
        ("A Par - Bur\nA Mar - Spa\nF Bre - MAO\nA Paris - Burgundy", f"all 3 ordered; due {DUE}"),
        ("A Par - Bur", f"NOT ordered: A Marseilles / F Brest, 1 of 3 ordered; due {DUE}"),
        (
            "A Par - Mos\nREADY",
            f"NOT ordered, your orders could not be followed; due {DUE}, and more",
        ),
        (
            "READY\nA Par - Bur\nA Mar - Spa",
            f"NOT ordered: F Brest, 2 of 3 ordered; due {DUE}, and more",
        ),
        (
            "A Par - Bur\nA Mar - Spa\nF Bre H\nTAKEOVER nowhere Italy",
            f"NOT done: TAKEOVER; Spring 1901 movement: all 3 ordered; due {DUE}",
        ),
    ],
)
def test_the_subject_says_the_worst_news_first(far: Cast, text: str, news: str) -> None:
    subject = send(far, text).answers.get(kind="reply").subject
    about = "" if news.startswith("NOT done") else "Spring 1901 movement: "
    assert subject == f"[marne] {about}{news}"


def test_a_mail_without_orders_says_what_stands_from_before(far: Cast) -> None:
    prose = "one\ntwo apples\nthree pears\nfour plums\nfive figs\nGermany: A Mun - Bur"
    send(far, "A Par - Bur")
    said = "[marne] Spring 1901 movement: we found no orders in your mail"
    assert send(far, prose).answers.get().subject == f"{said}, 1 of 3 ordered before it; due {DUE}"
    send(far, "A Par - Bur\nA Mar H\nF Bre H")
    answer = send(far, prose).answers.get()
    assert answer.subject == f"{said}, your earlier orders stand; due {DUE}"
    assert "so nothing has changed. Your earlier orders stand" in flat(answer.body)


def test_good_lines_above_five_unknown_ones_count(far: Cast) -> None:
    receipt(far, "A Par - Bur\none\ntwo apples\nthree pears\nfour plums\nfive figs\nA Mun - Ruh")
    assert far.phase.order_sets.get().lines == ["A Par - Bur"]


def test_no_line_of_a_receipt_that_comes_back_is_an_order(far: Cast) -> None:
    mail = send(far, "A Par - Pic\nA Mar S A Par - Bur\nF Xyz - Abc")
    body = mail.answers.get().body.partition("\n")[2]
    far.phase.order_sets.all().delete()
    send(far, body)
    assert not far.phase.order_sets.filter(counts=True).exists()
