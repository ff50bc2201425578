"""A command's word with a question mark: what shows something shows it, all else only explains."""

from __future__ import annotations

import pytest

from games.models import Application, Conduct, DiaryEntry, Game, OrderSet, Phase
from games.services.setup.games import game_create
from mailer.commands.player import COMMANDS
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast, make_cast
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
QUESTION = "That is a question, so we did nothing."
WRITTEN = sorted(one.name.upper() for one in COMMANDS.values() if one.usage[0].isupper())


def asked(marne: Cast, text: str, power: str = "France") -> OutboundMail:
    """The answer to Carla, who plays France in marne."""
    to = to_seat(marne, power)
    return answer_to(write("Carla", text, to=to))


@each_row("word", WRITTEN)
@each_row("line", ["{}?", "{} ?", "{}? marne", "{} marne?"])
def test_no_question_about_a_command_is_taken_for_a_name(marne: Cast, word: str, line: str) -> None:
    said = flat(asked(marne, line.format(word)).body)
    for strange in ("“?", "“”", "“marne?” names", "There is no game", "no command"):
        assert strange not in said.replace("You wrote “", ""), said


@each_row(
    "word",
    [
        *("ABSENCE", "BROADCAST", "CLEAR", "CREATE", "ERASE", "EXPORT", "JOIN", "LEAVE", "MAIL"),
        *("OBSERVE", "PHASE", "PRESS", "READY", "REGISTER", "RESIGN", "RETURN", "SAME", "STANDBY"),
        *("STOP", "TAKEOVER", "WAIT", "HOLD"),
    ],
)
def test_a_question_about_a_command_that_does_something_is_answered_with_its_help(
    marne: Cast, word: str
) -> None:
    answer = asked(marne, f"{word}?")
    assert answer.subject == f"Help: {word}"
    assert f"You wrote “{word}?”: {QUESTION}" in flat(answer.body)
    assert f"Write: {COMMANDS[word.lower()].usage}" in flat(answer.body)


@each_row(
    ("line", "subject"),
    [
        ("LIST?", "Games"),
        ("STATUS? marne", "[marne] Status"),
        ("LOG? marne", "[marne] The log"),
        ("MAP?", "[marne] The board in Spring 1901 movement"),
        ("RULES?", "Rules: Standard"),
        ("RULES marne?", "Rules: Standard"),
        ("PROOF?", "[marne] The proof file"),
    ],
)
def test_a_question_about_what_shows_something_shows_it(
    marne: Cast, line: str, subject: str
) -> None:
    assert asked(marne, line).subject == subject


@each_row("line", ["ORDERS?", "Orders ?", "Moves?", "AMEND?"])
def test_a_question_for_orders_shows_which_stand(marne: Cast, line: str) -> None:
    asked(marne, "A Paris - Burgundy")
    assert "A Paris - Burgundy" in asked(marne, line).body
    assert OrderSet.objects.count() == 1


def test_amend_with_a_question_mark_above_orders_replaces_nothing(marne: Cast) -> None:
    asked(marne, "A Paris - Burgundy")
    said = asked(marne, "AMEND?\nF Brest - Mid-Atlantic Ocean").body
    assert "A Paris - Burgundy" in said


@each_row("line", ["WHATIF?", "WHATIF marne?", "WHATIF? marne"])
def test_orders_below_a_whatif_with_a_question_mark_are_only_tried_out(
    marne: Cast, line: str
) -> None:
    assert "Burgundy" in asked(marne, f"{line}\nA Paris - Burgundy").body
    assert not OrderSet.objects.exists()


@each_row("line", ["JOIN verdun?", "JOIN? verdun", "JOIN verdun ?"])
def test_who_asks_whether_to_join_takes_no_seat(marne: Cast, line: str) -> None:
    game_create(name="verdun", gm=marne.gm, now=NOW)
    answer = answer_to(write("Hugo", line, to=home("Hugo")))
    assert answer.subject == "Help: JOIN"
    assert not Application.objects.filter(game__name="verdun").exists()


@each_row("line", ["DIARY?", "DIARY ?", "DIARY marne?", "DIARY? marne"])
def test_a_question_for_the_diary_shows_it_and_keeps_nothing(db: None, line: str) -> None:
    marne = make_cast(diaries="private")
    asked(marne, "DIARY RECORD Will Italy stab me?")
    said = flat(asked(marne, f"{line}\nA Paris - Burgundy").body)
    assert "Will Italy stab me?" in said
    assert DiaryEntry.objects.count() == 1


def test_a_question_mark_alone_is_not_passed_on_to_the_moderators(marne: Cast) -> None:
    assert "Please write your question on the lines below" in flat(asked(marne, "MODERATOR?").body)
    assert not Conduct.objects.exists()
    asked(marne, "MODERATOR why was I suspended?")
    assert Conduct.objects.get().why.startswith("why was I suspended?")


@pytest.mark.parametrize("anonymous", [False, True])
def test_moderators_read_about_which_game_a_letter_is_unless_that_is_secret(
    marne: Cast, *, anonymous: bool
) -> None:
    Game.objects.update(anonymous=anonymous)
    asked(marne, "MODERATOR\nTurkey insults me.")
    about = "\n\n(Sent in reply to a mail about the game marne.)"
    assert Conduct.objects.get().why == "Turkey insults me." + ("" if anonymous else about)


def test_a_letter_to_the_moderators_that_answers_no_game_names_none(marne: Cast) -> None:
    write("Hugo", "MODERATOR\nMy neighbour plays here, too.", to=home("Hugo"))
    assert Conduct.objects.get().why == "My neighbour plays here, too."


@each_row("line", ["VOTE? marne", "DRAW? marne", "CONCEDE? marne"])
def test_a_vote_that_is_asked_about_is_not_proposed(marne: Cast, line: str) -> None:
    assert "If you mean it, write it without the question mark." in flat(asked(marne, line).body)
    assert not marne.game.proposals.exists()


@each_row(
    ("line", "says"),
    [
        ("PROCESS?", QUESTION),
        ("PAUSE?", QUESTION),
        ("REMIND?", QUESTION),
        ("STATUS?", "France: Carla"),
        ("PREVIEW?", "You may not see the orders of the game marne"),
    ],
)
def test_a_game_master_s_question_changes_nothing_either(marne: Cast, line: str, says: str) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    answer = answer_to(write("gm", line, to=to, sender="gm@players.test"))
    assert says in flat(answer.body)
    assert marne.phase.status == Phase.Status.OPEN
