"""JOIN and LEAVE: a place in a game that looks for players."""

from __future__ import annotations

import pytest

from games.models import Application, Game, Player
from games.services.setup.games import game_create
from mailer.models import InboundMail
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, flat, home, said, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


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
    asked = write("Hugo", "LEAVE verdun? Would that upset Ana?", to=home("Hugo"))
    assert "“Would that upset Ana?” after the name of verdun means" in said(asked)
    left = write("Hugo", "LEAVE verdun because I have no time", to=home("Hugo"))
    assert "free again" in said(left)
    assert Application.objects.get(game=verdun).withdrawn_at == NOW


def test_leave_by_a_from_line_alone_is_held(verdun: Game) -> None:
    write("Hugo", "JOIN verdun", to=home("Hugo"))
    mail = write("Hugo", "LEAVE verdun")
    assert mail.state == InboundMail.State.HELD
    assert Application.objects.get(game=verdun).withdrawn_at is None
