"""A game that nobody may observe: strangers learn nothing of its board, whatever they ask."""

from __future__ import annotations

import pytest
from django.test import Client

from games.services.adjudication.phases import phase_process_now
from games.services.seating.seats import seat_vacate
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, OPENINGS, Cast, address_of, make_cast, submit
from tests.mailer.correspondence import answer_to, flat, home, tell_all, write

pytestmark = pytest.mark.django_db
LATER = NOW + 2 * DAY


def in_winter(**settings: object) -> Cast:
    """A game in Winter 1901: Austria, who took Serbia, builds; Turkey has lost its player."""
    cast = make_cast(**settings)
    submit(cast, "Austria", OPENINGS["Austria"])
    for day in (1, 2):
        assert phase_process_now(game_id=cast.game.pk, now=NOW + day * DAY)
    assert cast.phase.name == "W1901A"
    write("Hugo", "STANDBY", to=home("Hugo"), received_at=LATER)
    power = cast.seat("Turkey").power
    seat_vacate(game=cast.game, power=power, why="They are away.", by="the GM", now=LATER)
    return cast


def answered(name: str, text: str) -> str:
    return flat(answer_to(write(name, text, to=home(name), received_at=LATER)).body)


def offer_to_hugo() -> str:
    tell_all(LATER)
    return OutboundMail.objects.get(kind="seat_offered", recipient=address_of("Hugo")).body


def test_a_stranger_does_not_learn_who_has_to_build() -> None:
    in_winter(observers=False)
    said = answered("Hugo", "STATUS marne")
    assert "Only its players see its board and whom it waits for." in said
    assert "without complete orders" not in said
    assert "in a browser" not in said
    assert "Still without complete orders: Austria." in answered("Ana", "STATUS marne")


def test_who_has_played_in_it_learns_what_they_can_look_up_anyway() -> None:
    in_winter(observers=False)
    assert "Still without complete orders: Austria." in answered("Greta", "STATUS marne")


def test_nobody_outside_reads_what_an_open_seat_has(client: Client) -> None:
    in_winter(observers=False)
    assert "marne: Turkey. The map" in answered("Hugo", "LIST")
    front = client.get("/").content.decode()
    assert "Turkey" in front
    assert "3 centres" not in front
    offer = offer_to_hugo()
    assert "you learn what the power has once it is yours" in flat(offer)
    assert "fog of war" not in offer
    assert "3 centres" not in offer
    assert "THE BOARD" not in offer


def test_of_a_game_that_may_be_observed_all_of_that_is_told(client: Client) -> None:
    in_winter()
    assert "Still without complete orders: Austria." in answered("Hugo", "STATUS marne")
    assert "marne: Turkey, 3 centres and 3 units." in answered("Hugo", "LIST")
    assert "3 centres and 3 units" in client.get("/").content.decode()
    assert "THE BOARD" in offer_to_hugo()
