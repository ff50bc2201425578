"""WHATIF: orders tried out, and nothing of it kept."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import OrderSet, Phase
from mailer.commands.player.ordering.whatif import MOST_A_DAY, orders_by_power
from mailer.outbound import addresses
from mailer.reading.quotes import Line
from tests.cast import NOW, Cast
from tests.mailer.correspondence import said, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

TRIAL = """WHATIF
A Par - Bur
Germany: A Mun - Bur
A Ber - Kie
Italy:
A Ven - Tri
END
"""


def test_orders_of_several_powers_are_tried_out_with_reasons(marne: Cast) -> None:
    body = said(write("Carla", TRIAL))
    assert "France: A Paris - Burgundy: fails" in body
    assert "Germany: A Munich - Burgundy: fails" in body
    assert "Italy: A Venice - Trieste: fails" in body
    assert "Russia" not in body


def test_several_powers_may_stand_on_a_line_with_semicolons(marne: Cast) -> None:
    line = "France: A Par - Bur; A Mar H; Germany: A Mun - Bur"
    body = said(write("Carla", f"WHATIF\n{line}"))
    assert "France: A Paris - Burgundy: fails" in body
    assert "France: A Marseilles Holds: stands" in body
    assert "Germany: A Munich - Burgundy: fails" in body


def test_whatif_stores_no_orders_and_leaves_the_phase_alone(marne: Cast) -> None:
    before = Phase.objects.values().get()
    write("Carla", TRIAL)
    assert not OrderSet.objects.exists()
    assert Phase.objects.values().get() == before


@each_row(
    "word",
    ["What if", "WHAT-IF:", "What if?", "what  if marne", "Whatiff", "WATIF", "what_if"],
)
def test_however_it_is_spelled_the_orders_below_it_are_only_tried_out(
    marne: Cast, word: str
) -> None:
    to = to_seat(marne)
    body = said(write("Carla", f"{word}\nA Par - Bur", to=to))
    assert "France: A Paris - Burgundy: succeeds" in body
    assert not OrderSet.objects.exists()


@each_row("line", ["WHAT IF A Par - Bur?", "What if: a par-bur", "what if A Par H"])
def test_spelled_as_two_words_it_has_an_order_after_it_too(marne: Cast, line: str) -> None:
    to = to_seat(marne)
    assert "France: A Paris" in said(write("Carla", line, to=to))
    assert not OrderSet.objects.exists()


def test_a_sentence_that_begins_so_takes_no_orders_with_it(marne: Cast) -> None:
    to = to_seat(marne)
    write("Carla", "What if a friend of mine would like to play?\nA Par - Bur", to=to)
    assert OrderSet.objects.get().lines[-1] == "A Par - Bur"


def test_orders_below_its_end_are_orders(marne: Cast) -> None:
    to = to_seat(marne)
    body = said(write("Carla", f"{TRIAL}A Par - Pic", to=to))
    assert "2 of 3: A Paris - Picardy" in body
    assert OrderSet.objects.get().lines == ["A Par - Pic"]


def test_orders_that_stand_are_not_mixed_in(marne: Cast) -> None:
    to = to_seat(marne, "Germany")
    write("Dmitri", "A Mun - Bur", to=to)
    body = said(write("Carla", "WHATIF\nA Par - Bur"))
    assert "France: A Paris - Burgundy: succeeds" in body


@each_row(
    "text",
    ["whatif A Par - Bur", "WHATIF marne A Par - Bur", "WHATIF: France: A Par - Bur"],
)
def test_an_order_may_stand_on_the_line_of_its_own_word(marne: Cast, text: str) -> None:
    body = said(write("Carla", f"{text}\nGermany: A Mun - Bur"))
    assert "France: A Paris - Burgundy: fails" in body
    assert "Germany: A Munich - Burgundy: fails" in body


@pytest.mark.parametrize(
    ("text", "expected"),
    [("WHATIF", "on the lines below it"), ("WHATIF\nAtlantis: A Par H", "no power")],
)
def test_a_mistake_is_explained(marne: Cast, text: str, expected: str) -> None:
    assert expected in said(write("Carla", text))


def test_a_power_of_two_words_is_named_in_front_of_its_orders() -> None:
    line = Line(1, "St. Petersburg: F St Petersburg(sc) - Gulf of Bothnia")
    by_power = orders_by_power([line], "Paris", ("Paris", "St Petersburg"))
    assert by_power == {"St Petersburg": ["F St Petersburg(sc) - Gulf of Bothnia"]}


@each_row(
    "line",
    [
        "Germany A Mun - Bur",
        "germany   A Mun-Bur",
        "Germany - A Mun - Bur",
        "[Germany] A Mun - Bur",
        "Germany\nA Mun - Bur",
        "**Germany**\nA Mun - Bur",
        "Deutschland A Mun - Bur",
        "Ger A Mun - Bur",
        "For Germany A Mun - Bur",
        "For Germany:\nA Mun - Bur",
    ],
)
def test_a_power_in_front_of_its_order_needs_no_colon(marne: Cast, line: str) -> None:
    body = said(write("Carla", f"WHATIF\nA Par - Bur\n{line}\nA Ber - Kie"))
    assert "France: A Paris - Burgundy: fails" in body
    assert "Germany: A Munich - Burgundy: fails" in body
    assert "Germany: A Berlin - Kiel:" in body


def test_a_power_without_a_colon_may_stand_on_the_line_of_the_word(marne: Cast) -> None:
    for line in ("WHATIF Germany A Mun - Bur", "WHATIF marne Germany A Mun - Bur"):
        assert "Germany: A Munich - Burgundy: succeeds" in said(write("Carla", line))


def test_a_place_that_is_called_like_a_power_is_a_place() -> None:
    powers = ("Rome", "Carthage")
    for text in (
        "Rom - Naples",
        "Rome - Naples",
        "Rome hold",
        "Rome supports Naples",
        "A Rome - Naples",
    ):
        assert orders_by_power([Line(1, text)], "Carthage", powers) == {"Carthage": [text]}
    text = "Rome A Naples - Apulia"
    assert orders_by_power([Line(1, text)], "Carthage", powers) == {"Rome": ["A Naples - Apulia"]}


def test_it_is_for_those_who_play(marne: Cast) -> None:
    assert "not played in the game marne" in said(write("Hugo", "WHATIF marne\nFrance: A Par H"))


def test_it_can_be_asked_a_number_of_times_a_day(marne: Cast) -> None:
    address = marne.player("Carla").addresses.get()
    to = addresses.player_address(address=address, now=NOW)
    for number in range(MOST_A_DAY):
        assert "succeeds" in said(write("Carla", "WHATIF\nA Par - Bur", to=to, subject=str(number)))
    assert "until tomorrow" in said(write("Carla", "WHATIF\nA Par - Bur", to=to))
    tomorrow = NOW + dt.timedelta(days=1, seconds=1)
    mail = write("Carla", "WHATIF\nA Par - Bur", to=to, received_at=tomorrow)
    assert "succeeds" in said(mail)


def test_every_question_in_a_mail_counts(marne: Cast) -> None:
    address = marne.player("Carla").addresses.get()
    to = addresses.player_address(address=address, now=NOW)
    question = "WHATIF\nA Par - Bur\nEND\n"
    write("Carla", f"HISTORY\n{question * 2}", to=to)
    body = said(write("Carla", question * (MOST_A_DAY - 1), to=to, subject="More"))
    assert body.count("What would happen in") == MOST_A_DAY - 2
    assert body.count("until tomorrow") == 1
    assert "until tomorrow" in said(write("Carla", question, to=to, subject="One more"))


def test_a_question_that_cannot_be_read_does_not_count(marne: Cast) -> None:
    address = marne.player("Carla").addresses.get()
    to = addresses.player_address(address=address, now=NOW)
    write("Carla", "WHATIF\nAtlantis: A Par H\nEND\n" * MOST_A_DAY, to=to)
    assert "succeeds" in said(write("Carla", "WHATIF\nA Par - Bur", to=to))
