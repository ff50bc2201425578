"""What LIST, STATUS, HELP, READY, WAIT and orders do, say and refuse, line by line."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game, OrderSet, Player, Readiness
from games.services.adjudication.phases import phase_process_now
from games.services.setup.games import game_create
from mailer.commands.player import COMMANDS
from mailer.models import InboundMail, OutboundMail
from tests.cast import NOW, OPENINGS, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, home, said, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


# --- LIST, STATUS, HELP ---------------------------------------------------------------------


def test_list_shows_open_and_running_games_even_to_a_stranger(verdun: Game) -> None:
    body = said(write("Zoe", "list"))
    assert "verdun: Standard, 7 of 7 seats free" in body
    assert "JOIN verdun" in body
    assert "marne: Spring 1901 movement" in body


def test_list_takes_as_many_statements_however_many_games_there_are(marne: Cast) -> None:
    write("Zoe", "LIST")  # the first mail of all makes the row of its mailbox
    counts = []
    for names in (["arras"], ["cambrai", "lens", "mons", "ypres"]):
        for name in names:
            game_beside(marne, name)
            game_create(name=f"{name}-2", gm=marne.gm, now=NOW)
        with CaptureQueriesContext(connection) as sent:
            body = said(write("Zoe", "LIST"))
        counts.append(len(sent))
    order = [body.index(f"- {name}: Spring 1901 movement.") for name in ("arras", "marne", "ypres")]
    assert order == sorted(order)
    assert body.count("7 of 7 seats free") == 5
    assert counts[0] == counts[1]


def game_beside(cast: Cast, name: str) -> None:
    """Add a game that is being played, with nothing but its open phase."""
    game, phase = Game.objects.get(pk=cast.game.pk), cast.phase
    game.pk, game.name = None, name
    game.save()
    phase.pk, phase.game = None, game
    phase.save()


def test_list_without_an_open_game_says_so(marne: Cast) -> None:
    assert "No game is looking for players" in said(write("Hugo", "LIST"))


def test_status_shows_the_deadline_in_the_reader_s_own_zone_and_in_utc(marne: Cast) -> None:
    Player.objects.filter(name="Carla").update(timezone="Europe/Paris")
    body = said(write("Carla", "STATUS"))
    assert "You play France." in body
    assert "13:00 CET (12:00 UTC)" in body
    assert "Still without complete orders: Austria, England, France" in body


def test_status_begins_with_the_phase_and_its_deadline(marne: Cast) -> None:
    """Who plays, and what was agreed, are paragraphs of their own."""
    starts = ["Hello Carla,", "marne: it is Spring 1901 movement.", "Who plays:", "Standard, DATC"]
    body = answer_to(write("Carla", "STATUS")).body
    found = [one for one in body.split("\n\n") if one.startswith(tuple(starts))]
    assert [one[: len(start)] for one, start in zip(found, starts, strict=True)] == starts
    assert "Deadline: Thu 5 Mar" in found[1]
    assert "Still without complete orders" in found[1]


def test_status_of_a_game_by_name_shows_no_orders(marne: Cast) -> None:
    write("Carla", "A Par - Bur", to=to_seat(marne, "France"))
    body = said(write("Hugo", "STATUS Marne"))
    assert "it is Spring 1901 movement." in body
    assert "Bur" not in body


@pytest.mark.parametrize("question", ["STATUS?", "STATUS marne?"])
def test_status_may_be_asked_with_a_question_mark(marne: Cast, question: str) -> None:
    assert "it is Spring 1901 movement." in said(write("Carla", question))


@pytest.mark.parametrize("question", ["LOG?", "LOG marne?"])
def test_so_may_whatever_tells_of_a_game(marne: Cast, question: str) -> None:
    assert "The log of the game marne" in said(write("Carla", question))


def test_status_of_a_game_there_is_not_names_those_there_are(verdun: Game) -> None:
    assert "verdun" in said(write("Hugo", "STATUS nowhere"))


def test_status_is_not_for_strangers(marne: Cast) -> None:
    assert "REGISTER" in said(write("Zoe", "STATUS marne"))


def test_help_names_every_command(marne: Cast) -> None:
    body = said(write("Zoe", "HELP"))
    for command in COMMANDS.values():
        assert command.summary in body


@each_row("name", sorted(COMMANDS))
def test_help_explains_each_command(marne: Cast, name: str) -> None:
    """A list of examples begins a paragraph."""
    body = answer_to(write("Hugo", f"HELP {name}")).body
    assert flat(COMMANDS[name].help) in flat(body)
    before, example, _ = body.partition("Example: ")
    assert not example or before.endswith("\n\n")


def test_help_for_a_word_there_is_not_shows_all(marne: Cast) -> None:
    assert "There is no help about “dancing”." in said(write("Hugo", "HELP dancing"))


# --- READY, WAIT ----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["READY", "WAIT"])
def test_the_word_of_a_power_is_noted(marne: Cast, word: str) -> None:
    body = said(write("Carla", word, to=to_seat(marne, "France")))
    assert f"{word} is noted" in body
    assert Readiness.objects.get(power__name="France").word == word.lower()


@pytest.mark.parametrize(("first", "then"), [("WAIT", "READY"), ("READY", "WAIT")])
def test_a_word_that_takes_back_the_other_says_so(marne: Cast, first: str, then: str) -> None:
    body = said(write("Carla", f"{first}\n{then}", to=to_seat(marne, "France")))
    assert body.count("It takes back your") == 1
    assert f"It takes back your {first}." in body
    again = said(write("Carla", then, to=to_seat(marne, "France")))
    assert "It takes back" not in again


def test_the_last_ready_says_that_the_phase_is_decided(marne: Cast) -> None:
    players = dict(zip(OPENINGS, ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix"), strict=False))
    for power, name in players.items():
        write(name, "READY", to=to_seat(marne, power))
    assert "decided right away" in said(write("Greta", "READY", to=to_seat(marne, "Turkey")))


def test_ready_by_a_from_line_alone_is_held(marne: Cast) -> None:
    assert write("Carla", "READY").state == InboundMail.State.HELD
    assert not Readiness.objects.exists()


# --- orders ---------------------------------------------------------------------------------


def test_a_receipt_names_units_without_an_order(marne: Cast) -> None:
    body = said(write("Carla", "A Par H", to=to_seat(marne, "France")))
    assert "F Brest has no order yet, so it would hold." in body


def test_a_receipt_suggests_but_does_not_guess(marne: Cast) -> None:
    body = said(write("Carla", "A Marsseiles - Spain", to=to_seat(marne, "France")))
    assert "Marseilles" in body


def test_orders_alone_shows_what_stands(marne: Cast) -> None:
    to = to_seat(marne, "France")
    write("Carla", "A Par H", to=to)
    body = said(write("Carla", "ORDERS", to=to))
    assert "2 of 3: A Paris Holds" in body
    assert OrderSet.objects.count() == 1


def test_orders_alone_needs_proof(marne: Cast) -> None:
    assert write("Carla", "ORDERS").state == InboundMail.State.HELD


def test_words_of_a_player_without_proof_are_no_orders(marne: Cast) -> None:
    mail = write("Carla", "LIST\nI wonder what to play")
    assert mail.state == InboundMail.State.DONE
    assert "You wrote “I wonder what to play”" in said(mail)
    assert not OrderSet.objects.exists()


def test_orders_of_a_player_without_a_game_say_how_to_get_one(marne: Cast) -> None:
    assert "You are not playing in any game" in said(write("Hugo", "A Par - Bur"))


def test_a_player_of_several_games_is_asked_which_they_mean(marne: Cast, verdun: Game) -> None:
    for name in ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta"):
        write(name, "JOIN verdun", to=home(name))
    body = said(write("Carla", "A Par - Bur", to=home("Carla")))
    assert "marne and verdun" in body
    mail = write("Carla", "A Par - Bur", to=home("Carla"), subject="[marne] orders")
    assert "Paris - Burgundy" in said(mail)
    assert OrderSet.objects.get().phase.game == marne.game


def test_five_lines_in_a_row_that_are_no_orders_end_the_reading(marne: Cast) -> None:
    talk = "\n".join(f"this is line {number} of a long story" for number in range(5))
    body = said(write("Carla", f"A Par H\n{talk}\nA Mun - Ruh", to=to_seat(marne, "France")))
    assert "2 of 3: A Paris Holds" in body
    assert "F Brest has no order yet" in body
    assert "at the line “this is line 0 of a long story”" in body
    assert "HELP" in body


def test_a_mail_of_talk_alone_keeps_no_orders_and_brings_help(marne: Cast) -> None:
    talk = "\n".join(f"this is line {number} of a long story" for number in range(6))
    body = said(write("Carla", talk, to=to_seat(marne, "France")))
    assert "HELP" in body
    assert not OrderSet.objects.exists()


def test_orders_to_the_address_of_a_phase_that_is_over_are_late(marne: Cast) -> None:
    to = to_seat(marne, "France")
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    mail = write("Carla", "A Par - Bur", to=to, received_at=NOW + 2 * HOUR)
    body = said(mail)
    assert "too late for Spring 1901 movement" in body
    assert "The phase is now Fall 1901 movement" in body
    assert answer_to(mail).reply_to == to_seat(marne, "France") != to


def test_nobody_orders_for_a_power_they_lost(marne: Cast) -> None:
    to = to_seat(marne, "France")
    seat = marne.seat("France")
    seat.until = NOW
    seat.save()
    assert "no longer play France" in said(write("Carla", "A Par H", to=to))
    assert not OrderSet.objects.exists()


def test_the_answer_goes_to_the_address_of_record_whatever_the_mail_says(marne: Cast) -> None:
    mail = write("Carla", "A Par H", to=to_seat(marne, "France"))
    assert {one.recipient for one in OutboundMail.objects.filter(answers=mail)} == {
        address_of("Carla")
    }


def test_a_receipt_shows_what_has_changed_since_the_last_set(marne: Cast) -> None:
    to = to_seat(marne, "France")
    first = said(write("Carla", "A Par - Bur\nF Bre H", to=to))
    assert "before" not in first.partition("These orders stand now")[2]
    body = said(write("Carla", "A Par - Pic\nA Mar H", to=to))
    assert "A Marseilles Holds before: no order" in body
    assert "A Paris - Picardy before: A Paris - Burgundy" in body
    assert "F Brest has no order yet, so it would hold. before: F Brest Holds" in body


def test_a_receipt_warns_of_orders_that_do_nothing(marne: Cast) -> None:
    body = said(write("Carla", "A Par - Pic\nA Mar S A Par - Bur", to=to_seat(marne, "France")))
    assert "Please note: - This support does nothing" in body


# --- Every line is accounted for --------------------------------------------------------------


def test_kind_words_around_a_yes_are_no_mistake(db: None) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    body = said(write("Zoe", "Yes, I am she!", to=asked.reply_to))
    assert "you are registered as Zoe Miller" in body
    assert "Your reply said yes, as any reply does" in body
    assert "You wrote “Yes, I am she!”" in body
    assert "NOT DONE" not in body


@each_row(
    "yes", ["Yes, that's me!", "It’s me.", "Yes please", "Ja, das bin ich", "OK, that is right"]
)
def test_whoever_says_that_it_is_them_has_said_yes_and_nothing_else(verdun: Game, yes: str) -> None:
    write("Zoe", "REGISTER Zoe Miller\nJOIN verdun France")
    asked = OutboundMail.objects.latest("pk")
    body = said(write("Zoe", yes, to=asked.reply_to))
    assert "you are registered as Zoe Miller" in body
    assert "You have a seat in the game verdun" in body
    assert "What else you wrote" not in body
    assert yes not in body


@each_row("line", ["Yes, I am away", "That is mine too", "It is raining"])
def test_words_that_only_begin_like_a_yes_are_told_back(verdun: Game, line: str) -> None:
    write("Zoe", "REGISTER Zoe Miller\nJOIN verdun France")
    body = said(write("Zoe", line, to=OutboundMail.objects.latest("pk").reply_to))
    assert f"You wrote “{line}”" in body
    assert "You have a seat" not in body


def test_a_line_of_thanks_is_neither_an_order_nor_left_unmentioned(marne: Cast) -> None:
    to = to_seat(marne, "France")
    body = said(write("Carla", "Please", to=to))
    assert "You wrote “Please”, which is neither an order nor a command we know." in body
    assert not OrderSet.objects.exists()
    body = said(write("Carla", "Please\nA Par H", to=to))
    assert "- You wrote “Please”: no order." in body


@each_row(
    ("line", "how"),
    [
        ("STANDBY 99999999999", "The command is written: STANDBY [number | OFF]"),
        ("Broadcast hello everybody", "Please write BROADCAST on a line of its own"),
        ("RESIGN [marne]", "The command is written: RESIGN [game]"),
    ],
)
def test_a_command_that_is_written_in_another_way_is_shown_as_it_is_written(
    marne: Cast, line: str, how: str
) -> None:
    body = said(write("Carla", line, to=to_seat(marne, "France")))
    help_explains = f"(HELP {line.split()[0].upper()} explains it)."
    assert f"You wrote “{line}”: not understood. {how} {help_explains}" in body


def test_orders_that_nobody_can_give_are_named(marne: Cast) -> None:
    body = said(write("Hugo", "A Par - Bur\nA Mar H", to=home("Hugo")))
    assert "You are not playing in any game" in body
    assert "- You wrote “A Par - Bur” - You wrote “A Mar H”" in body


def test_a_set_that_is_read_after_a_newer_one_is_told_what_stands(marne: Cast) -> None:
    to = to_seat(marne, "France")
    write("Carla", "A Par - Bur", to=to, received_at=NOW + HOUR)
    mail = write("Carla", "A Par - Gas", to=to, received_at=NOW, now=NOW + HOUR)
    assert "Orders of yours that came after them stand in their place." in said(mail)
    assert "2 of 3: A Paris - Burgundy" in said(mail)
    mail = write("Carla", "A Par - Pic", to=to, received_at=NOW + HOUR, now=NOW + HOUR)
    assert "They replace whatever you sent before" in said(mail)


def test_a_late_set_reads_what_was_counted_as_past(marne: Cast) -> None:
    to = to_seat(marne, "France")
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    body = said(write("Carla", "A Par - Bur", to=to, received_at=NOW + 2 * HOUR))
    assert "1 of 3: A Marseilles had no order in time." in body
    assert "would hold" not in body


# --- 72 columns -------------------------------------------------------------------------------


@each_row("name", sorted(COMMANDS))
def test_every_help_is_72_columns_wide(marne: Cast, name: str) -> None:
    body = answer_to(write("Hugo", f"HELP {name}")).body
    assert max(map(len, body.splitlines())) <= 72


def test_an_answer_to_somebody_who_shouts_is_72_columns_wide(marne: Cast) -> None:
    text = "I WANT TO KNOW WHY NOBODY EVER TELLS ME WHO PLAYS WHICH POWER IN ALL THESE GAMES HERE"
    body = answer_to(write("Carla", text, to=to_seat(marne, "France"))).body
    assert max(map(len, body.splitlines())) <= 72
