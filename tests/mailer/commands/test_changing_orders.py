"""How people change their minds in their own words; an order that they mean to keep is kept."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User

from games.models import Player, Press
from mailer.commands.lines.which_command import without_kind_end
from mailer.commands.yes_and_no import is_yes
from mailer.models import OutboundMail
from mailer.reading.kinds_of_line import without_farewell
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, flat, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
ALL = "A Par - Bur\nA Mar - Spa\nF Bre - Mid"


def answer(cast: Cast, text: str) -> OutboundMail:
    to = to_seat(cast)
    return answer_to(write("Carla", text, to=to, subject="Re: [marne]"))


@each_row(
    "says_so",
    [
        *("Please amend as follows:", "AMEND:", "amend my orders", "Please amend the orders:"),
        *("the others stay", "all else stands", "the rest of my orders stays, please"),
        *("rest same", "the rest stays the same", "Rest as before.", "others unchanged please"),
        *("Changes to my orders:", "I would like to change my orders as follows:"),
        *("Everything else as before", "all other orders as they were", "Keep the rest the same!"),
    ],
)
@each_row("is_above", [True, False])
def test_who_says_that_the_rest_stays_keeps_it(marne: Cast, says_so: str, is_above: bool) -> None:
    answer(marne, ALL)
    said = answer(marne, "\n".join([says_so, "A Par H"] if is_above else ["A Par H", says_so]))
    assert "NOT used" not in said.body
    assert "A Marseilles - Spain" in said.body
    assert "A Paris Holds" in said.body
    assert "They change your earlier orders for the units they name" in flat(said.body)


@each_row("words", ["rest hold", "all others hold", "everything else holds"])
def test_a_rest_that_holds_is_an_order(marne: Cast, words: str) -> None:
    answer(marne, ALL)
    said = flat(answer(marne, f"A Par - Pic\n{words}").body)
    assert "A Marseilles Holds" in said
    assert "F Brest Holds" in said


@each_row(
    "text",
    [
        *("oops Paris to Picardy instead", "pls change par bur to par pic", "Pic instead of Bur"),
        *("A Par - Bur should be A Par - Pic", "Sorry, Bur should have been Pic"),
        *("one change: Paris to Picardy",),
        *("correction: A Par - Pic", "Paris should go to Picardy instead of Burgundy please"),
    ],
)
def test_a_change_that_can_mean_only_one_order_is_made(marne: Cast, text: str) -> None:
    answer(marne, ALL)
    said = flat(answer(marne, text).body)
    assert "A Paris - Picardy before: A Paris - Burgundy" in said
    assert "They change your earlier orders for the units they name; the others stay." in said


@each_row(
    ("text", "command"),
    [
        ("sorry, not Burgundy but Picardy", "AMEND"),
        ("wait a par pic", "AMEND"),
        ("all the same except Paris to Picardy", "AMEND"),
        ("next turn I go to Picardy", "HELP PHASE"),
        ("In fall I want to go to Portugal", "HELP PHASE"),
        ("Clear Paris", "CLEAR"),
        ("Cancel paris", "CLEAR"),
        ("Cancel my move of Paris.", "CLEAR"),
        ("undo last", "CLEAR"),
        ("I agree to the draw.", "VOTE YES"),
        ("I vote yes.", "VOTE YES"),
        ("I vote in favour.", "VOTE YES"),
        ("I am against.", "VOTE NO"),
        ("No, I do not agree with a draw.", "VOTE NO"),
        ("I hereby vote No to proposal 1.", "VOTE NO"),
        ("Please 1 day more", "EXTEND"),
        ("wait no, i want back in", "RETURN"),
        ("I want to build nothing", "Waive"),
        ("done", "READY"),
        ("that's all", "READY"),
        ("no orders this turn", "READY"),
        ("cancel my absence", "ABSENCE OFF"),
        ("I want to cancel my vacation", "ABSENCE OFF"),
    ],
)
def test_who_wants_a_change_is_told_how_it_is_written(marne: Cast, text: str, command: str) -> None:
    answer(marne, ALL)
    said = answer(marne, text)
    assert said.subject == f"[marne] NOT done: {command}"
    assert re.search(rf"write (?:one line: )?{command}\b", flat(said.body))
    if command not in ("RETURN", "ABSENCE OFF"):
        assert "Your earlier orders stand: every unit of France has one." in flat(said.body)


@each_row(
    ("text", "command"),
    [
        ("Could you confirm that my orders have been received?", "ORDERS"),
        ("did you get my orders?", "ORDERS"),
        ("whats my orders?", "ORDERS"),
        ("Is Paris to Burgundy in?", "ORDERS"),
        ("whats the deadline", "STATUS"),
        ("how long do i have", "STATUS"),
        ("When do we get the results?", "STATUS"),
        ("Could you send me the list of available games?", "LIST"),
    ],
)
def test_who_asks_about_their_orders_is_told_what_answers_it(
    marne: Cast, text: str, command: str
) -> None:
    answer(marne, ALL)
    said = answer(marne, text)
    assert said.subject == f"[marne] Your question: see {command}"
    assert re.search(rf"write (?:one line: )?{command}\b", flat(said.body))
    if command != "LIST":
        assert "Your earlier orders stand: every unit of France has one." in flat(said.body)


def test_a_correction_that_cannot_be_followed_changes_nothing(marne: Cast) -> None:
    answer(marne, ALL)
    said = flat(answer(marne, "A Par - Pic sorry meant Gas").body)
    assert "A Paris - Burgundy" in said
    assert "To change an order and keep the others, write AMEND" in said


def test_who_wants_one_order_back_is_not_sent_to_lose_all(marne: Cast) -> None:
    answer(marne, ALL)
    said = flat(answer(marne, "Clear Paris").body)
    assert "To take back all your orders, write CLEAR" in said
    assert "To change one order and keep the others, write AMEND" in said


@pytest.mark.parametrize("text", ["I am not for peace but war", "I meant no harm, friends of mine"])
def test_talk_is_no_change_of_orders(marne: Cast, text: str) -> None:
    assert "AMEND" not in answer(marne, text).body


@each_row(
    "text",
    [
        *("A Par - Pic, sorry cancel that", "A Par - Pic, sorry not", "A Par - Pic, thanks but no"),
        *("A Par - Pic, best not", "A Par - Pic, sorry wrong", "A Par - Pic, good or Burgundi"),
    ],
)
def test_an_order_that_is_called_off_after_a_kind_word_is_not_followed(
    marne: Cast, text: str
) -> None:
    answer(marne, ALL)
    said = answer(marne, text).body
    assert "A Paris - Burgundy" in said
    assert "A Paris - Picardy" not in said


# --- Behind a greeting -------------------------------------------------------------------------


@each_row(
    "line",
    ["Hi, Paris to Burgundy", "hi par bur", "Hello there, par bur", "Good morning! Par Bur"],
)
def test_an_order_after_a_greeting_counts(marne: Cast, line: str) -> None:
    said = answer(marne, f"{line}\nmar spa\nbre mid")
    assert "France has an order for every unit." in said.body
    assert "greeting" not in said.body


@each_row(
    ("line", "told"),
    [
        ("hi judge, ready", "READY is noted"),
        ("Hey, cancel my orders", "You had no orders for this phase"),
        ("hello status please", "it is Spring 1901 movement."),
        ("Hi there, please extend 24h", "more time"),
        ("Dear GM, I resign", "write RESIGN on a line"),
        ("hi can you send me the map", "The board in Spring 1901 movement"),
        ("hi par bur mar spa bre mid", "We do not understand"),
    ],
)
def test_what_is_asked_after_a_greeting_is_answered(marne: Cast, line: str, told: str) -> None:
    assert told in flat(answer(marne, line).body)


@each_row("line", ["Hello Master", "Dear all", "Hi Map!"])
def test_a_name_after_a_greeting_is_no_command(marne: Cast, line: str) -> None:
    assert "a greeting" in answer(marne, line).body


def test_a_question_to_a_power_after_a_greeting_stays_one(marne: Cast) -> None:
    said = answer(marne, "Hi Germany, ready?").body
    assert "This reads like a letter to Germany: “Hi Germany, ready?”" in said


def test_press_keeps_the_greeting_before_what_could_be_a_command(marne: Cast) -> None:
    answer(marne, "PRESS TO Italy\nHi, ready!\nHello, Paris to Burgundy\nSo?")
    assert Press.objects.get().text == "Hi, ready!\nHello, Paris to Burgundy\nSo?"


# --- Kind words ------------------------------------------------------------------------------


@each_row("word", ["Ready 👍", "ready, thanks", "READY please :)", "Ready 🙏🏽!"])
def test_a_kind_end_keeps_no_command_from_being_read(marne: Cast, word: str) -> None:
    assert "READY is noted" in answer(marne, word).body


@each_row("word", ["status please", "map pls 🙏", "Map, thank you!", "STATUS thx"])
def test_a_kind_word_is_no_name_of_a_game(marne: Cast, word: str) -> None:
    assert "no game" not in answer(marne, word).body


@each_row("text", ["resign from here", "Ana Thanksgiving", "F1901M.", "marne!"])
def test_other_words_after_a_command_stay(text: str) -> None:
    assert without_kind_end(text) == text


@pytest.mark.parametrize("text", ["Ok, thanks", "Okay please"])
def test_a_kind_ok_is_no_yes(marne: Cast, text: str) -> None:
    assert not is_yes(text)
    assert "write YES alone on a line" in flat(answer(marne, text).body)


@each_row("text", ["Yes, I'm sure", "yes im sure", "Yes, I am sure!"])
def test_whoever_is_sure_says_yes(text: str) -> None:
    assert is_yes(text)


# --- Lines that say more than orders -----------------------------------------------------------


@each_row(
    "line",
    [
        "A Par-Bur. A Mar-Spa. F Bre-MAO. Good luck everyone!",
        "My moves: par bur, mar spa, bre mao. Cheers, Carla",
        "A Par-Bur, A Mar-Spa, F Bre-MAO. Thanks a lot! Have a nice weekend",
        "Spring 1901: a par-bur; a mar-spa; f bre-mao",
        "Orders for S1901M: A Par-Bur; A Mar-Spa; F Bre-MAO",
    ],
)
def test_wishes_and_headings_on_the_line_of_orders_cost_none(marne: Cast, line: str) -> None:
    said = answer(marne, line)
    assert "NOT used" not in said.body
    assert "France has an order for every unit." in said.body


def test_orders_headed_by_another_phase_on_the_same_line_are_not_followed(marne: Cast) -> None:
    said = flat(answer(marne, "Fall 1901: A Par - Bur; A Mar - Spa").body)
    assert "It stands below “Fall 1901:”, so we do not follow it in this phase." in said
    assert "PHASE F1901M" in said
    assert "A Paris - Burgundy" not in said.replace("“A Paris - Burgundy”", "")


@each_row(
    "line",
    ["F St. Petersburg H", "A Par H. Thanks, Mar Spa", "A Par H. F Bre H", "A Par - Bur. Or Pic!"],
)
def test_what_may_be_an_order_is_no_farewell(line: str) -> None:
    assert without_farewell(line) == line


@each_row(
    ("line", "too_much"),
    [
        ("Paris stays where nobody goes", "not understand “where nobody goes” after"),
        ("Paris to Burgundy or else Picardy", "not understand “or else Picardy” after"),
        ("Par-Bur if Germany agrees", "depend on a condition such as “if Germany agrees”"),
    ],
)
def test_an_order_with_too_much_after_it_is_not_called_talk(
    marne: Cast, line: str, too_much: str
) -> None:
    answer(marne, ALL)
    said = flat(answer(marne, line).body)
    assert too_much in said
    assert "said to people" not in said


def test_a_hold_that_is_not_followed_is_not_called_the_command_for_all(marne: Cast) -> None:
    said = flat(answer(marne, "F Bre - Mid\nOn second thought, hold F Brest").body)
    assert "You wrote “hold F Brest”: “On second thought” on the same line cannot be read" in said
    assert "HOLD ALL" not in said


@each_row(
    "text",
    ["tell italy i am friendly", "can you pass this on to Italy? peace", "@Italy peace now?"],
)
def test_who_wants_a_power_told_something_hears_that_it_has_not_been(
    marne: Cast, text: str
) -> None:
    said = answer(marne, text)
    assert said.subject == "[marne] NOT SENT to Italy"
    assert "write PRESS TO Italy on a line, and your text below it" in flat(said.body)


@each_row(
    "text",
    [
        *("im away 9-13 March", "Out of office 9-13 March", "On holiday from 9 to 13 March"),
        *("Hello, I'm away 9-13 March", "I will be on annual leave 9-13 March"),
        *("I'll be gone 9-13 March", "I can not play from 9 March until 13 March"),
    ],
)
def test_whoever_is_away_is_offered_to_have_it_noted(marne: Cast, text: str) -> None:
    said = flat(answer(marne, text).body)
    assert "you are away from Mon 9 Mar 2026 to Fri 13 Mar 2026" in said


@each_row("text", ["whats up with you all", "Heres my plan for us", "I promise it"])
def test_a_word_of_plain_english_is_no_command_misspelt(marne: Cast, text: str) -> None:
    assert "Did you mean" not in answer(marne, text).body


def test_who_greets_a_game_master_with_the_name_of_a_player_orders(marne: Cast) -> None:
    assert "What comes after “Hi Dmitri,”" in flat(answer(marne, "Hi Dmitri,\nA Par - Bur").body)
    User.objects.filter(pk=marne.gm.pk).update(first_name="Dmitri")
    said = flat(answer(marne, "Hi Dmitri,\nA Par - Bur").body)
    assert "2 of 3: A Paris - Burgundy" in said


def test_who_greets_a_co_gm_with_the_name_of_a_player_orders(marne: Cast) -> None:
    emma = User.objects.create_user("anna", first_name="Emma", is_staff=True)
    marne.game.co_gms.create(user=emma, since=NOW)
    said = flat(answer(marne, "Hi Emma,\nA Par - Bur").body)
    assert "2 of 3: A Paris - Burgundy" in said


@pytest.mark.parametrize("runs", [True, False])
def test_a_letter_to_a_co_gm_is_offered_to_no_player_of_that_name(
    marne: Cast, *, runs: bool
) -> None:
    emma = User.objects.create_user("anna", first_name="Emma", is_staff=True)
    if runs:
        marne.game.co_gms.create(user=emma, since=NOW)
    letter = "Hi Emma,\nI would love to work with you against Turkey this year."
    assert ("PRESS TO ITALY" in answer(marne, letter).on_yes.upper()) is not runs


@pytest.mark.parametrize(("player", "greeted"), [("Emma", "Emma"), ("Emma Stone", "Emma Stone")])
def test_a_letter_to_a_co_gm_of_two_names_is_offered_to_no_player_of_either(
    marne: Cast, player: str, greeted: str
) -> None:
    emma = User.objects.create_user("anna", first_name="Emma", last_name="Stone", is_staff=True)
    marne.game.co_gms.create(user=emma, since=NOW)
    Player.objects.filter(name="Emma").update(name=player)
    letter = f"Hi {greeted},\nI would love to work with you against Turkey this year."
    assert "PRESS TO ITALY" not in answer(marne, letter).on_yes.upper()
