"""Sentences that once said something untrue, or said it so that nobody could use it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Game
from games.services.clock.deadlines import Mover, deadline_move
from games.services.ordering.readiness import readiness_set
from games.services.setup.games import game_create
from mailer.outbound import addresses
from tests.cast import DAY, NOW, OPENINGS, Cast, make_player, submit
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, to_seat, write

pytestmark = pytest.mark.django_db


def test_the_example_of_list_can_be_copied_and_names_powers_of_that_game(db: None) -> None:
    game_create(name="chaos", variant="chaos", now=NOW)
    make_player("Ana")
    body = answer_to(write("Ana", "LIST")).body
    paragraph = next(part for part in body.split("\n\n") if "JOIN chaos" in part)
    example = flat(paragraph).partition("for example: ")[2]
    assert example.startswith("JOIN chaos")
    write("Ana", example, to=home("Ana"))
    assert Game.objects.get().applications.count() == 1


def test_a_refusal_says_so_in_its_subject_and_repeats_a_word_as_it_was_written(db: None) -> None:
    game_create(name="marne", now=NOW)
    make_player("Ana")
    answer = answer_to(write("Ana", "JOIN marne Narnia", to=home("Ana"), subject="Re: Welcome"))
    assert answer.subject == "NOT done: JOIN"
    assert "There is no power “Narnia” in this game." in flat(answer.body)
    answer = answer_to(write("Ana", "VOTE YES", to=home("Ana"), subject="Re: [marne] Your seat"))
    assert answer.subject == "[marne] NOT done: VOTE"


def status(marne: Cast) -> str:
    to = to_seat(marne, "Turkey")
    return flat(answer_to(write("Greta", "STATUS", to=to)).body)


def order_all(marne: Cast) -> None:
    for power, lines in OPENINGS.items():
        submit(marne, power, lines)


def test_the_orders_of_a_player_who_left_are_not_called_incomplete(marne: Cast) -> None:
    order_all(marne)
    seat = marne.seat("Italy")
    seat.until = NOW
    seat.save()
    assert "Still without complete orders" not in status(marne)
    assert "Without a player: Italy." in status(marne)
    assert "All orders are in" not in status(marne)


def test_after_an_extension_not_all_are_in_before_they_spoke_again(marne: Cast) -> None:
    order_all(marne)
    assert "All orders are in." in status(marne)
    deadline_move(game=marne.game, to=NOW + 9 * DAY, why="Holidays.", by=Mover("Gerda"), now=NOW)
    said = status(marne)
    assert "All orders are in" not in said
    assert "send their orders again: Austria, England," in said


def test_after_an_extension_all_are_in_where_nothing_is_decided_early(marne: Cast) -> None:
    order_all(marne)
    Game.objects.update(process_early=False)
    deadline_move(game=marne.game, to=NOW + 9 * DAY, why="Holidays.", by=Mover("Gerda"), now=NOW)
    assert "All orders are in." in status(marne)


def test_status_says_that_an_order_is_still_to_be_confirmed_but_to_others_not_whose(
    marne: Cast, client: Client
) -> None:
    order_all(marne)
    submit(marne, "Italy", ["A Rome - Apulia", "A Venice Holds", "F Naples - Ionain Sea"])
    said = "in, and one power has still to confirm how an order was read"
    assert f"All orders are {said}." in status(marne)
    assert "Italy" not in status(marne).partition("Who plays")[0]
    assert "Ionian" not in status(marne)
    to = to_seat(marne, "Italy")
    own = flat(answer_to(write("Emma", "STATUS", to=to)).body)
    assert "We had to guess at a name to read this: F Naples - Ionian Sea." in own
    assert f"All orders are {said}." in flat(client.get("/games/marne/").content.decode())
    client.force_login(User.objects.create_superuser("boss"))
    listing = flat(client.get("/admin/games/game/").content.decode())
    assert f"all orders are {said}" in listing
    page = flat(client.get(f"/admin/games/game/{marne.game.pk}/change/").content.decode())
    assert f"all orders are {said}" in page
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    mail = receive(eml("STATUS", sender="gm@players.test", to=to))
    assert f"All orders are {said}." in flat(answer_to(mail).body)
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="READY", now=NOW + DAY)
    assert "All orders are in." in status(marne)
    assert "nobody: all orders are in" in flat(client.get("/admin/games/game/").content.decode())


def test_nothing_is_to_be_confirmed_where_nothing_is_decided_early(marne: Cast) -> None:
    Game.objects.update(process_early=False)
    order_all(marne)
    submit(marne, "Italy", ["A Rome - Apulia", "A Venice Holds", "F Naples - Ionain Sea"])
    assert "All orders are in." in status(marne)


def test_a_gm_is_told_the_new_deadline_in_the_time_zone_of_the_game(marne: Cast) -> None:
    Game.objects.update(timezone="Europe/Berlin")
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    mail = receive(eml("EXTEND 24h because of rain", sender="gm@players.test", to=to))
    assert "is now due on Fri 6 Mar 2026, 13:00 CET (12:00 UTC)." in flat(answer_to(mail).body)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("HELP HELP", "This word means the same: INFO."),
        ("HELP ABSENCE", "These words mean the same: VACATION / HOLIDAY."),
    ],
)
def test_help_says_how_many_other_words_mean_the_same(marne: Cast, text: str, said: str) -> None:
    assert said in flat(answer_to(write("Greta", text)).body)
