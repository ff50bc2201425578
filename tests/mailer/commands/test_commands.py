"""What each command does, says, and refuses."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Application, Game, OrderSet, Player, Readiness
from games.services.adjudication.phases import phase_process_now
from games.services.setup.games import game_create
from mailer.commands.player import COMMANDS
from mailer.commands.player.account.register import name_in
from mailer.models import InboundMail, OutboundMail
from tests.cast import NOW, OPENINGS, Cast, address_of
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, said, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def verdun(marne: Cast) -> Game:
    """A game looking for players."""
    return game_create(name="verdun", gm=marne.gm, now=NOW)


def seat_address(marne: Cast, power: str) -> str:
    return to_seat(marne, power)


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
    write("Carla", "A Par - Bur", to=seat_address(marne, "France"))
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


# --- REGISTER -------------------------------------------------------------------------------


def test_register_without_a_name_asks_for_one(db: None) -> None:
    assert "REGISTER Ana Smith" in said(write("Zoe", "REGISTER"))
    assert not Player.objects.exists()


def test_nobody_is_called_as_invitations_have_it_where_the_name_goes(db: None) -> None:
    answer = answer_to(write("x", "REGISTER your name", sender="zoe@players.test"))
    assert "Please write your name after REGISTER" in answer.body
    assert not Player.objects.exists()


def test_a_stranger_who_joins_is_told_how_joining_goes_with_registering(verdun: Game) -> None:
    answer = flat(answer_to(write("x", "JOIN verdun", sender="zoe@players.test")).body)
    told = "To join the game verdun, reply with two lines: REGISTER and your name, and below it"
    assert answer.index(told) < answer.index("You have reached")
    for join in ("JOIN nowhere", "SIGNON ?nowhere"):
        answer = flat(answer_to(write("x", join, sender="zoe@players.test")).body)
        assert "but we know none of that name" in answer


def test_register_of_a_registered_address_changes_nothing(marne: Cast) -> None:
    assert "already registered, as Hugo" in said(write("Hugo", "REGISTER Somebody Else"))
    assert Player.objects.filter(name="Hugo").exists()


@each_row(
    ("wrote", "name"),
    [
        ("as Zoe Miller", "Zoe Miller"),
        ("me please, Zoe Miller", "Zoe Miller"),
        ("me as Zoe Miller, please!", "Zoe Miller"),
        ("my name is Zoe", "Zoe"),
        ("Asta Meyer", "Asta Meyer"),
        ("Ian Nameth", "Ian Nameth"),
        ("me", ""),
    ],
)
def test_words_around_a_name_are_no_part_of_it(wrote: str, name: str) -> None:
    assert name_in(wrote) == name


def test_register_twice_before_confirming_keeps_one_player(db: None) -> None:
    write("Zoe", "REGISTER Zoe")
    write("Zoe", "REGISTER Zoe Miller")
    assert Player.objects.get().name == "Zoe Miller"


def test_confirm_without_a_question_changes_nothing(marne: Cast) -> None:
    assert "nothing to confirm" in said(write("Hugo", "CONFIRM"))


def test_a_confirming_mail_may_hold_commands_too(verdun: Game) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    body = said(write("Zoe", "Yes, that is me\nJOIN verdun France", to=asked.reply_to))
    assert "You have a seat in the game verdun" in body
    assert "What else you wrote" not in body


def test_who_has_not_confirmed_yet_is_asked_to_and_not_welcomed_as_a_stranger(db: None) -> None:
    write("Zoe", "REGISTER Zoe Miller")
    asked = answer_to(write("Zoe", "EXPORT"))
    assert "not confirmed yet" in flat(asked.body)
    assert "Nobody is registered" not in flat(asked.body)
    assert "registered as Zoe Miller" in said(write("Zoe", "", to=asked.reply_to))


def test_a_command_beside_the_confirmation_of_an_address_is_named(marne: Cast) -> None:
    write("Ana", "SET ADDRESS a@work.test", to=home("Ana"))
    to_it = OutboundMail.objects.filter(recipient="a@work.test").order_by("pk")
    receive(eml("CONFIRM\nEXPORT", sender="a@work.test", to=to_it[0].reply_to))
    body = flat(to_it.latest("pk").body)
    assert "is confirmed" in body
    assert "You wrote “EXPORT”" in body
    assert "as any reply does" not in body


@each_row("word", ["END", "quit", "SIGNOFF"])
def test_a_word_that_only_ends_a_mail_is_answered_with_what_may_be_meant(
    marne: Cast, word: str
) -> None:
    mail = write("Ana", word, to=seat_address(marne, "Austria"))
    assert f"You wrote “{word}”" in said(mail)
    assert "write RESIGN" in said(mail)


def test_who_says_that_a_mail_was_not_theirs_has_said_nothing_else(marne: Cast) -> None:
    write("Ana", "EXPORT")
    asked = OutboundMail.objects.get(kind="question")
    body = said(write("Ana", "REFUSE", to=asked.reply_to))
    assert "Nothing of that mail is done" in body
    assert "WHAT ELSE" not in body
    assert "You wrote" not in body


def test_a_reply_that_refuses_registers_nobody(db: None) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    write("Zoe", "REFUSE", to=asked.reply_to)
    assert Player.objects.get().address == ""


# --- JOIN, LEAVE ----------------------------------------------------------------------------


def joined(name: str) -> list[str]:
    places = Application.objects.filter(player__name=name, withdrawn_at=None)
    return [one.game.name for one in places]


@each_row(
    ("mails", "offer"),
    [
        (["REGISTER Zoe\nJOIN verdun Turkey"], ""),
        (["Register Zoe and join verdun Turkey"], ""),
        (["Register to join verdun", "REGISTER Zoe", "JOIN verdun Turkey"], ""),
        (["REGISTER Zoe\nJOIN verdun Turkey\nset time zone Asia/Tokyo"], " and to set TIMEZONE"),
    ],
)
def test_a_join_waits_for_the_address_and_is_done_with_the_word_yes(
    marne: Cast, mails: list[str], offer: str
) -> None:
    game_create(name="verdun", now=NOW)
    asked = [answer_to(write("Zoe", text)) for text in mails][-1]
    assert f"You also ask to join the game verdun{offer}. Reply" in flat(asked.body)
    assert "Turkey" not in asked.body
    assert "Tokyo" not in asked.body
    welcome = answer_to(write("Zoe", "Yes!", to=asked.reply_to))
    zone = Player.objects.get(name="Zoe").timezone
    assert zone == ("Asia/Tokyo" if offer else "UTC")
    assert "You have a seat in the game verdun. Your list: Turkey" in flat(welcome.body)
    assert welcome.subject == "Welcome; [verdun] You have joined"
    assert "JOIN and a game's name" not in flat(welcome.body)
    assert joined("Zoe") == ["verdun"]


@each_row(
    ("wishes", "read"),
    [
        ("Deutschland; [Italien, Österreich]; Türkei", "Germany; [Italy or Austria]; Turkey"),
        ("F[GIA]T", "France; [Germany, Italy or Austria]; Turkey"),
        ("fra, FRANCE, france; [France]", "France"),
    ],
)
def test_the_receipt_of_a_join_says_how_the_list_was_read(
    marne: Cast, wishes: str, read: str
) -> None:
    game_create(name="verdun", now=NOW)
    receipt = answer_to(write("Hugo", f"JOIN verdun {wishes}", to=home("Hugo")))
    assert f"Your list: {read} It starts when" in flat(receipt.body)


def test_a_newcomer_who_only_set_something_reads_how_to_join_a_game(db: None) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe\nSET TIMEZONE Asia/Tokyo"))
    welcome = flat(answer_to(write("Zoe", "YES", to=asked.reply_to)).body)
    assert "our times are in the zone Asia/Tokyo" in welcome
    assert "JOIN and a game's name joins one" in welcome


def test_any_other_reply_confirms_and_the_welcome_offers_the_join(marne: Cast) -> None:
    game_create(name="verdun", now=NOW)
    asked = answer_to(write("Zoe", "REGISTER Zoe\nJOIN verdun"))
    welcome = answer_to(write("Zoe", "I am away until Monday.", to=asked.reply_to))
    assert "Before that you wrote “JOIN verdun”. Reply YES, and we do it." in flat(welcome.body)
    assert joined("Zoe") == []
    write("Zoe", "YES", to=welcome.reply_to)
    assert joined("Zoe") == ["verdun"]


def test_a_newcomer_with_two_wishes_is_asked_to_write_them_again(marne: Cast) -> None:
    game_create(name="verdun", now=NOW)
    asked = answer_to(write("Zoe", "REGISTER Zoe\nSET TIMEZONE Asia/Tokyo\nJOIN verdun"))
    assert "\nWAITING FOR YOUR YES\n" in asked.body
    welcome = answer_to(write("Zoe", "I am away until Monday.", to=asked.reply_to))
    assert "which we have not done. Please write them again." in flat(welcome.body)


def test_a_join_that_cannot_be_done_costs_no_welcome(marne: Cast) -> None:
    game_create(name="verdun", entry="invited", now=NOW)
    asked = answer_to(write("Zoe", "REGISTER Zoe\nJOIN verdun"))
    welcome = flat(answer_to(write("Zoe", "YES", to=asked.reply_to)).body)
    assert "you are registered as Zoe" in welcome
    assert "You wrote “JOIN verdun”:" in welcome
    assert joined("Zoe") == []


def test_a_second_slip_after_the_first_is_offered_in_turn(marne: Cast) -> None:
    game_create(name="verdun", now=NOW)
    first = answer_to(write("Hugo", "JOIN vredun Itly", to=home("Hugo")))
    assert "we take it as “JOIN verdun Itly”" in flat(first.body)
    second = answer_to(write("Hugo", "YES", to=first.reply_to))
    assert second.subject == "NOT done: JOIN"
    assert "We tried “JOIN verdun Itly”, as you wanted." in flat(second.body)
    assert "You wrote “YES”" not in flat(second.body)
    third = answer_to(write("Hugo", "YES", to=second.reply_to))
    assert "Your list: Italy" in flat(third.body)


@pytest.mark.parametrize("powers", ["", " Italy"])
def test_a_slip_in_what_cannot_be_done_anyway_offers_no_yes(marne: Cast, powers: str) -> None:
    answer = answer_to(write("Hugo", f"JOIN marnee{powers}", to=home("Hugo")))
    assert f"“JOIN marne{powers}” cannot be done, either: The game marne is" in flat(answer.body)
    assert "You wrote “JOIN marne" not in flat(answer.body).replace("“JOIN marnee", "")
    assert "YES" not in answer.body
    assert answer.on_yes == ""


def test_a_wish_to_play_in_plain_words_is_answered_with_join(marne: Cast) -> None:
    wish = "Hi, I'd like to join verdun as Austria please.\n\nHugo"
    answer = answer_to(write("Hugo", wish, to=home("Hugo")))
    assert answer.subject == "NOT done: JOIN"
    assert "write one line: JOIN, the game's name and the powers" in flat(answer.body)


@pytest.mark.parametrize(
    "text", ["I would not like to join verdun", "I'd like to play in verdun, but I have no time"]
)
def test_nobody_who_does_not_want_to_play_is_offered_a_seat(verdun: Game, text: str) -> None:
    assert "we take it as “JOIN" not in said(write("Hugo", text, to=home("Hugo")))


@pytest.mark.parametrize(
    ("wish", "script"),
    [
        ("I would like to join the game verdun as France please", "JOIN verdun France"),
        ("LIST\nI want play in Verdun for Russia or Italy", "JOIN verdun [Russia or Italy]"),
    ],
)
def test_a_wish_to_play_in_a_game_looking_for_players_is_done_for_a_yes(
    verdun: Game, wish: str, script: str
) -> None:
    answer = answer_to(write("Hugo", wish, to=home("Hugo")))
    assert f"Reply with the word YES, and we take it as “{script}”." in flat(answer.body)
    assert "You have joined" in answer_to(write("Hugo", "YES", to=answer.reply_to)).subject


def test_of_a_strangers_join_nothing_is_repeated(marne: Cast) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe\nJOIN cheap-pills.example now"))
    assert "pills" not in asked.body
    assert "NOT DONE: JOIN You ask to join a game, but we know none" in flat(asked.body)
    assert asked.subject == "NOT done: JOIN; Please confirm your address"
    assert asked.on_yes == ""
    assert "REGISTER" in said(write("Zara", "JOIN marne"))


def test_a_newcomer_who_writes_more_reads_what_has_to_wait_for_the_address(marne: Cast) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe\nVOTE DRAW\nSET NAME Pills\nCREATE mine weekly"))
    assert asked.subject == "NOT done: VOTE, SET and CREATE; Please confirm your address"
    assert "Once your address is confirmed, please write it again." in flat(asked.body)


def test_a_newcomer_of_another_judge_signs_on_as_they_would_there(verdun: Game) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller\nSIGNON ?verdun secret"))
    assert "You also ask to join the game verdun." in flat(asked.body)
    assert asked.on_yes == "JOIN verdun"


def test_a_newcomer_whose_name_is_refused_is_not_told_that_there_is_no_such_game(
    verdun: Game,
) -> None:
    answer = flat(answer_to(write("Zoe", "REGISTER Player 3\nJOIN verdun")).body)
    assert "could be anybody" in answer
    assert "and below it your JOIN once more" in answer


def test_a_stranger_learns_first_how_to_register(db: None) -> None:
    first = said(write("Zoe", "HELP")).partition("TO BEGIN WITH")[2].strip()
    assert first.startswith("- Write REGISTER your name")
    assert "REGISTER and your name" in said(write("Zara", "YES"))


def test_a_newcomer_who_says_a_word_about_themselves_is_asked_for_the_address(db: None) -> None:
    text = "REGISTER Zoe\n\nI played a lot by post, long ago."
    asked = answer_to(write("Zoe", text))
    assert asked.subject == "Please confirm your address"
    assert "We did nothing about the other lines of your mail." in flat(asked.body)
    assert "NOT" not in asked.body


def test_a_stranger_who_writes_into_the_subject_reads_that_nobody_reads_it(db: None) -> None:
    answer = flat(answer_to(write("Zoe", "", subject="REGISTER Zoe Miller")).body)
    assert "We do not read subjects: please write in the mail itself." in answer
    assert "write one line: REGISTER and your name" in answer
    assert "subject" not in flat(answer_to(write("Zoe", "Hello?", subject="Hello")).body)


def test_a_yes_that_may_mean_two_things_is_asked_about(marne: Cast) -> None:
    game_create(name="verdun", now=NOW)
    game_create(name="ypres", now=NOW)
    slips = ("JOIN verdn", "JOIN yprs")
    receipts = [answer_to(write("Hugo", slip, to=home("Hugo"))) for slip in slips]
    assert all(one.on_yes for one in receipts)
    asked = flat(answer_to(write("Hugo", "YES", to=receipts[0].reply_to)).body)
    assert "“JOIN verdun” or “JOIN ypres”" in asked
    assert joined("Hugo") == []


def test_join_with_a_preference_list(verdun: Game) -> None:
    wishes = "France; [Germany, Italy or Austria]; Turkey"
    body = said(write("Hugo", f"JOIN Verdun {wishes}", to=home("Hugo")))
    assert Application.objects.get(game=verdun).preferences == wishes
    assert "6 more players have joined" in body
    assert wishes in body


def test_join_again_changes_the_list(verdun: Game) -> None:
    write("Hugo", "JOIN verdun France", to=home("Hugo"))
    write("Hugo", "JOIN verdun Turkey", to=home("Hugo"))
    assert Application.objects.get(game=verdun).preferences == "Turkey"


def test_join_with_an_unknown_power_says_which(verdun: Game) -> None:
    assert "atlantis" in said(write("Hugo", "JOIN verdun Atlantis", to=home("Hugo"))).lower()
    assert not Application.objects.filter(game=verdun).exists()


def test_join_needs_a_game(marne: Cast) -> None:
    body = said(write("Hugo", "JOIN"))
    assert "JOIN game" in body


def test_join_is_not_for_strangers(verdun: Game) -> None:
    write("Zoe", "JOIN verdun")
    assert not Application.objects.filter(game=verdun).exists()


def test_the_last_to_join_is_told_that_the_game_starts(verdun: Game) -> None:
    for name in ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix"):
        write(name, "JOIN verdun", to=home(name))
    assert "the game starts" in said(write("Greta", "JOIN verdun", to=home("Greta")))
    verdun.refresh_from_db()
    assert verdun.status == Game.Status.ACTIVE


def test_leave_by_a_reply_gives_the_seat_back(verdun: Game) -> None:
    write("Hugo", "JOIN verdun", to=home("Hugo"))
    assert "free again" in said(write("Hugo", "LEAVE verdun", to=home("Hugo")))
    assert Application.objects.get(game=verdun).withdrawn_at == NOW


def test_leave_by_a_from_line_alone_is_held(verdun: Game) -> None:
    write("Hugo", "JOIN verdun", to=home("Hugo"))
    mail = write("Hugo", "LEAVE verdun")
    assert mail.state == InboundMail.State.HELD
    assert Application.objects.get(game=verdun).withdrawn_at is None


# --- READY, WAIT ----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["READY", "WAIT"])
def test_the_word_of_a_power_is_noted(marne: Cast, word: str) -> None:
    body = said(write("Carla", word, to=seat_address(marne, "France")))
    assert f"{word} is noted" in body
    assert Readiness.objects.get(power__name="France").word == word.lower()


@pytest.mark.parametrize(("first", "then"), [("WAIT", "READY"), ("READY", "WAIT")])
def test_a_word_that_takes_back_the_other_says_so(marne: Cast, first: str, then: str) -> None:
    body = said(write("Carla", f"{first}\n{then}", to=seat_address(marne, "France")))
    assert body.count("It takes back your") == 1
    assert f"It takes back your {first}." in body
    again = said(write("Carla", then, to=seat_address(marne, "France")))
    assert "It takes back" not in again


def test_the_last_ready_says_that_the_phase_is_decided(marne: Cast) -> None:
    players = dict(zip(OPENINGS, ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix"), strict=False))
    for power, name in players.items():
        write(name, "READY", to=seat_address(marne, power))
    assert "decided right away" in said(write("Greta", "READY", to=seat_address(marne, "Turkey")))


def test_ready_by_a_from_line_alone_is_held(marne: Cast) -> None:
    assert write("Carla", "READY").state == InboundMail.State.HELD
    assert not Readiness.objects.exists()


# --- orders ---------------------------------------------------------------------------------


def test_a_receipt_names_units_without_an_order(marne: Cast) -> None:
    body = said(write("Carla", "A Par H", to=seat_address(marne, "France")))
    assert "F Brest has no order yet, so it would hold." in body


def test_a_receipt_suggests_but_does_not_guess(marne: Cast) -> None:
    body = said(write("Carla", "A Marsseiles - Spain", to=seat_address(marne, "France")))
    assert "Marseilles" in body


def test_orders_alone_shows_what_stands(marne: Cast) -> None:
    to = seat_address(marne, "France")
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
    body = said(write("Carla", f"A Par H\n{talk}\nA Mun - Ruh", to=seat_address(marne, "France")))
    assert "2 of 3: A Paris Holds" in body
    assert "F Brest has no order yet" in body
    assert "at the line “this is line 0 of a long story”" in body
    assert "HELP" in body


def test_a_mail_of_talk_alone_keeps_no_orders_and_brings_help(marne: Cast) -> None:
    talk = "\n".join(f"this is line {number} of a long story" for number in range(6))
    body = said(write("Carla", talk, to=seat_address(marne, "France")))
    assert "HELP" in body
    assert not OrderSet.objects.exists()


def test_orders_to_the_address_of_a_phase_that_is_over_are_late(marne: Cast) -> None:
    to = seat_address(marne, "France")
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    mail = write("Carla", "A Par - Bur", to=to, received_at=NOW + 2 * HOUR)
    body = said(mail)
    assert "too late for Spring 1901 movement" in body
    assert "The phase is now Fall 1901 movement" in body
    assert answer_to(mail).reply_to == seat_address(marne, "France") != to


def test_nobody_orders_for_a_power_they_lost(marne: Cast) -> None:
    to = seat_address(marne, "France")
    seat = marne.seat("France")
    seat.until = NOW
    seat.save()
    assert "no longer play France" in said(write("Carla", "A Par H", to=to))
    assert not OrderSet.objects.exists()


def test_the_answer_goes_to_the_address_of_record_whatever_the_mail_says(marne: Cast) -> None:
    mail = write("Carla", "A Par H", to=seat_address(marne, "France"))
    assert {one.recipient for one in OutboundMail.objects.filter(answers=mail)} == {
        address_of("Carla")
    }


def test_a_receipt_shows_what_has_changed_since_the_last_set(marne: Cast) -> None:
    to = seat_address(marne, "France")
    first = said(write("Carla", "A Par - Bur\nF Bre H", to=to))
    assert "before" not in first.partition("These orders stand now")[2]
    body = said(write("Carla", "A Par - Pic\nA Mar H", to=to))
    assert "A Marseilles Holds before: no order" in body
    assert "A Paris - Picardy before: A Paris - Burgundy" in body
    assert "F Brest has no order yet, so it would hold. before: F Brest Holds" in body


def test_a_receipt_warns_of_orders_that_do_nothing(marne: Cast) -> None:
    body = said(
        write("Carla", "A Par - Pic\nA Mar S A Par - Bur", to=seat_address(marne, "France"))
    )
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
    to = seat_address(marne, "France")
    body = said(write("Carla", "Please", to=to))
    assert "You wrote “Please”, which is neither an order nor a command that we know." in body
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
    body = said(write("Carla", line, to=seat_address(marne, "France")))
    help_explains = f"(HELP {line.split()[0].upper()} explains it)."
    assert f"You wrote “{line}”: not understood. {how} {help_explains}" in body


def test_orders_that_nobody_can_give_are_named(marne: Cast) -> None:
    body = said(write("Hugo", "A Par - Bur\nA Mar H", to=home("Hugo")))
    assert "You are not playing in any game" in body
    assert "- You wrote “A Par - Bur” - You wrote “A Mar H”" in body


def test_a_set_that_is_read_after_a_newer_one_is_told_what_stands(marne: Cast) -> None:
    to = seat_address(marne, "France")
    write("Carla", "A Par - Bur", to=to, received_at=NOW + HOUR)
    mail = write("Carla", "A Par - Gas", to=to, received_at=NOW, now=NOW + HOUR)
    assert "Orders of yours that came after them stand in their place." in said(mail)
    assert "2 of 3: A Paris - Burgundy" in said(mail)
    mail = write("Carla", "A Par - Pic", to=to, received_at=NOW + HOUR, now=NOW + HOUR)
    assert "They replace whatever you sent before" in said(mail)


def test_a_late_set_reads_what_was_counted_as_past(marne: Cast) -> None:
    to = seat_address(marne, "France")
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
    body = answer_to(write("Carla", text, to=seat_address(marne, "France"))).body
    assert max(map(len, body.splitlines())) <= 72
