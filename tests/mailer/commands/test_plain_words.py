"""Small things people write or read, each of which once was answered beside the point."""

from __future__ import annotations

import datetime as dt

import pytest

from games.acts.write import Parameters, Write
from games.models import Game, Phase, Player
from games.services.endings.ending import game_end
from games.services.setup.games import game_create
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.text import MARKER
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import (
    answer_to,
    eml,
    flat,
    home,
    receive,
    to_seat,
    told_cast,
    write,
)
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def answer(cast: Cast, text: str) -> OutboundMail:
    to = to_seat(cast)
    return answer_to(write("Carla", text, to=to, subject="Re: [marne]"))


@each_row("text", ["Sure, why not", "Ok, thanks", "Yes, of course!"])
def test_a_yes_among_other_words_is_told_how_it_is_written(marne: Cast, text: str) -> None:
    said = answer(marne, text)
    assert "To say yes to a question of ours, write YES alone on a line" in flat(said.body)
    assert said.subject == "[marne] NOT done: YES"


@each_row(
    ("text", "word"),
    [
        ("withdraw my order for Brest", "CLEAR"),
        ("I want out now", "RESIGN"),
        ("Please take me out of the game", "RESIGN"),
        ("remove me from this list", "STOP"),
        ("Please stop sending me all these mails", "STOP"),
        ("Where is the map?", "MAP"),
        ("What are my units?", "MAP"),
        ("is there a text board?", "MAP"),
        ("how do I build?", "HELP ORDERS"),
        ("I have never played this game.", "HELP ORDERS"),
        ("What are the rules?", "RULES"),
        ("Please take my yes back.", "VOTE WITHDRAW"),
        ("Forget the draw that I proposed", "VOTE WITHDRAW"),
        ("My trip has been cancelled", "ABSENCE OFF"),
        ("Please delete all personal data you hold about me", "ERASE"),
        ("Leider muss ich das Spiel verlassen.", "RESIGN"),
        ("If Germany stabs me again I give my seat back.", "RESIGN"),
    ],
)
def test_who_asks_as_people_talk_is_told_the_command(marne: Cast, text: str, word: str) -> None:
    said = answer(marne, text)
    asked = text.endswith("?")
    assert said.subject == f"[marne] {'Your question: see' if asked else 'NOT done:'} {word}"
    assert f"write {word} on a line of its own" in flat(said.body)


def test_who_concedes_in_other_words_is_told_how_to_vote_on_it(marne: Cast) -> None:
    said = answer(marne, "I concede. Well played all!")
    assert said.subject == "[marne] NOT done: VOTE CONCEDE"
    assert "VOTE CONCEDE TO and its name" in flat(said.body)


def test_who_announces_orders_is_not_told_about_the_muster(marne: Cast) -> None:
    said = answer(marne, "here are my moves for this turn. A Paris to Burgundy and so on")
    assert "HERE [game]" not in said.body


@each_row(
    ("heading", "later"),
    [
        ("Fall 1901", "F1901M"),
        ("F1901M", "F1901M"),
        ("Orders for Autumn 1901:", "F1901M"),
        ("S1902", "S1902M"),
        ("Winter 1901", "W1901A"),
    ],
)
def test_orders_headed_by_another_phase_are_said_to_be_for_this_one(
    marne: Cast, heading: str, later: str
) -> None:
    said = flat(answer(marne, f"{heading}\nA Par - Bur\nA Mar - Spa\nF Bre - Mid").body)
    note = f"You wrote “{heading}”, but all that you have ordered is for Spring 1901 movement"
    assert note in said
    assert f"below a line like PHASE {later}." in said


@each_row("heading", ["Spring 1901", "S1901M France", "Orders for Spring 1901:"])
def test_orders_headed_by_the_phase_that_is_open_need_no_word(marne: Cast, heading: str) -> None:
    said = answer(marne, f"{heading}\nA Par - Bur\nA Mar - Spa\nF Bre - Mid").body
    assert "but all that you have ordered" not in flat(said)


def test_an_attachment_beside_a_text_is_said_not_to_be_read(marne: Cast) -> None:
    to = to_seat(marne)
    part = 'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="o.txt"'
    raw = eml("", sender=address_of("Carla"), to=to).replace(
        b"Content-Type: text/plain; charset=utf-8\r\n\r\n",
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nA Par H\r\n--b\r\n'
        + part.encode()
        + b"\r\n\r\nA Par - Pic\r\n--b--\r\n",
    )
    assert "- We did not read the attachment o.txt." in flat(answer_to(receive(raw)).body)


@pytest.mark.parametrize(("first", "subject"), [(True, "fewer mails"), (False, "Nothing was left")])
def test_the_subject_of_stop_says_whether_anything_ended(
    marne: Cast, first: bool, subject: str
) -> None:
    if not first:
        write("Hugo", "STOP", to=home("Hugo"))
    assert subject in answer_to(write("Hugo", "STOP", to=home("Hugo"))).subject


def test_the_map_of_a_game_that_ended_at_once_is_not_said_to_come(marne: Cast) -> None:
    game_end(game=marne.game, winners=[], why="Over.", by="the GM", now=NOW)
    told = answer_to(write("Carla", "MAP marne", to=home("Carla")))
    assert "ended before its first phase was over" in flat(told.body)


QUOTE = f"""
On Mon, 2 Mar 2026 at 13:00, Diplomacy judge <judge@game.test> wrote:
> {MARKER}
> Example of a support to move: A Paris Supports
> A Marseilles - Burgundy
"""
ORIGINAL = "\n-----Original Message-----\n"


@each_row(
    ("text", "told"),
    [
        (f"Hello,\nA Par - Bur\n{QUOTE}", "a greeting or heading (“Hello,”)."),
        (f"Hello,\n{QUOTE}\nA Par - Bur", "4 quoted lines and a greeting or heading (“Hello,”)."),
        ("A Par - Bur\n\n> could we have more time", "1 quoted line."),
        (f"A Par - Bur\n{ORIGINAL}From: X <x@y.z>\nSent: Monday\nSubject: Hi\n\nThe map", "5 quo"),
        (f"A Par - Bur\n{QUOTE}", ""),
    ],
)
def test_a_quote_below_ones_own_words_needs_no_word_and_any_other_is_counted(
    marne: Cast, text: str, told: str
) -> None:
    body = flat(answer(marne, text).body)
    assert f"Left out of your mail: {told}" in body if told else "Left out" not in body
    assert "write it above" not in body


def test_a_signature_takes_one_sentence_however_long_it_is_and_its_dashes_none(
    marne: Cast,
) -> None:
    signature = "Carla Costa\nSome Street 3\nLisbon\nPortugal\nEurope"
    body = flat(answer(marne, f"A Par - Bur\n-- \n{signature}\n").body)
    shown = "“Carla Costa”, “Some Street 3”, “Lisbon” and 2 more lines"
    assert f"Left out of your mail: a signature ({shown})." in body
    assert "Left out" not in answer(marne, "A Par - Bur\n-- \n").body


@each_row(
    ("text", "told"),
    [
        ("A Par H\n\n> A Mar - Spa", "“A Mar - Spa”: quoted from another mail."),
        ("A Par H\n-- \nA Mar - Spa", "“A Mar - Spa”: a signature."),
        (f"A Par H\n{ORIGINAL}foo\nSTATUS", "“STATUS”: quoted from another mail."),
    ],
)
def test_an_order_or_command_that_was_left_out_is_named(marne: Cast, text: str, told: str) -> None:
    body = flat(answer(marne, text).body)
    assert f"What we left out of your mail: - {told}" in body
    assert "We do not read quotes and signatures. If you meant this, please write it above" in body


def test_of_a_mail_in_which_nothing_was_found_all_that_was_left_out_is_told(marne: Cast) -> None:
    body = flat(answer(marne, f"Hello,\n{QUOTE}").body)
    assert "We found no order and no command in your mail, so nothing has changed." in body
    assert "Left out of your mail: 4 quoted lines and a greeting or heading (“Hello,”)." in body


@pytest.mark.parametrize("text", ["A Par - Bur\nCarla", "A Par - Bur\n~carla~"])
def test_the_senders_own_name_is_a_signature(marne: Cast, text: str) -> None:
    said = answer(marne, text)
    assert "of 3: A Paris - Burgundy" in flat(said.body)
    assert "arla”" not in said.body
    assert "NOT used" not in said.body


def test_a_name_below_a_command_is_no_order(marne: Cast) -> None:
    assert "what stands for France" in answer(marne, "ORDERS\nCarla").subject


def test_a_player_may_be_called_like_a_place(marne: Cast) -> None:
    Player.objects.filter(name="Carla").update(name="Paris")
    assert "This does not say what A Paris should do" in flat(answer(marne, "paris").body)


def test_a_letter_to_others_keeps_its_signature(marne: Cast) -> None:
    said = answer(marne, "PRESS TO Germany\nShall we?\nCarla\nEND PRESS\nA Par - Bur\nCarla")
    assert "> Shall we? > Carla" in flat(said.body)
    assert "“Carla”" not in said.body


@each_row(
    "text", ["Hello, how do I join a game?", "Hi, can I play?", "Hello, I would like to play"]
)
def test_a_question_after_a_hello_is_answered_and_not_taken_for_a_greeting(
    marne: Cast, text: str
) -> None:
    said = flat(answer_to(write("Hugo", text, to=home("Hugo"))).body)
    assert "To take a seat, write one line: JOIN" in said
    assert "a greeting" not in said


@each_row(
    ("text", "said"),
    [
        ("Put me down for verdun, please, France or Italy", "“JOIN verdun [France or Italy]”"),
        ("JOIN http://127.0.0.1:8000/games/verdun/ France", "You have a seat in the game verdun."),
        ("JOIN <127.0.0.1:8000/games/verdun/F1901M/?utm_source=x>", "You have a seat in the game"),
        ("JOIN https://other.example/games/verdun/", "is a page of another server."),
        ("Can I join https://other.example/games/verdun/?", "To take a seat, write one line"),
        ("My friend Ben plays in verdun, can I join too?", "we take it as “JOIN verdun”"),
        ("JOIN verdun England for my first game", "There is no power “for” in this game."),
        ("I can't step in as a substitute any longer", "write STANDBY OFF"),
        ("I don't want to watch the game any more", "write OBSERVE, its name and OFF"),
        ("Please do not delete my account", "reads like something said to people"),
        ("I do not want to give up my place in verdun", "reads like something said to people"),
        ("My friend Igor would like to play in verdun", "REGISTER and their name on one line"),
        ("JOIN verdun England for my friend Igor", "Everybody joins from their own address,"),
        ("I have to give up my place in verdun", "write LEAVE and the game's name"),
        ("Could I follow marne as a spectator?", "write OBSERVE and its name"),
        ("I'd be happy to jump in if somebody leaves", "write STANDBY on a line of its own"),
        ("From May on please reach me at hugo@new.example", "SET RECORD and the address"),
        ("I forgot my password", "Players need no password and never sign in"),
        ("I'll be off skiing from March 13th to March 20th", "from Fri 13 Mar 2026 to Fri 20 Mar"),
    ],
)
def test_who_does_not_play_is_led_to_what_they_want(marne: Cast, text: str, said: str) -> None:
    game_create(name="verdun", gm=marne.gm, now=NOW)
    assert said in flat(answer_to(write("Hugo", text, to=home("Hugo"))).body)


@each_row("text", ["help join please", "Help with JOIN, thanks!", "HELP about join"])
def test_help_may_be_asked_for_politely(marne: Cast, text: str) -> None:
    assert answer(marne, text).subject == "Help: JOIN"


@each_row(
    ("text", "topic"),
    [
        ("HELP press to", "PRESS"),
        ("HELP vote conceed", "VOTE"),
        ("HELP retreats", "ORDERS"),
        ("help coasts", "ORDERS"),
        ("HELP how do I order my units?", "ORDERS"),
        ("HELP deadline", "EXTEND"),
        ("HELP fog", "RULES"),
        ("HELP what is the invitation code for?", "JOIN"),
        ("HELP time zone", "SET"),
        ("HELP conditions", "PHASE"),
        ("HELP civil disorder", "STANDBY"),
        ("HELP njudge", "LEGACY"),
    ],
)
def test_help_is_found_by_other_words_and_in_a_question(marne: Cast, text: str, topic: str) -> None:
    assert answer(marne, text).subject == f"Help: {topic}"


@each_row(
    ("question", "topic"),
    [
        ("how do I make a game", "CREATE"),
        ("how can I start a new game", "CREATE"),
        ("how do I invite my friends?", "CREATE"),
        ("how do I join a game?", "JOIN"),
        ("I want to play", "JOIN"),
        ("what games are there", "LIST"),
        ("how do I watch a game", "OBSERVE"),
        ("how do I write orders", "ORDERS"),
        ("can I try out orders", "WHATIF"),
        ("how do I send orders for the next turn", "PHASE"),
        ("how do I say that I'm done", "READY"),
        ("how do I write to France", "PRESS"),
        ("how do I talk to the other players?", "PRESS"),
        ("how do I contact the GM", "PRESS"),
        ("when is the deadline", "STATUS"),
        ("who is winning?", "STATUS"),
        ("I need more time", "EXTEND"),
        ("what happens if I miss a deadline?", "RETURN"),
        ("how do I win", "RULES"),
        ("how do I propose a draw", "VOTE"),
        ("how do I quit", "RESIGN"),
        ("how do I take over a power", "TAKEOVER"),
        ("how do I stop these mails", "STOP"),
        ("how do I change my name", "SET"),
        ("how do I delete my account", "ERASE"),
        ("how do I complain about a player", "MODERATOR"),
        ("who is the game master", "STATUS"),
    ],
)
def test_help_finds_what_a_newcomer_asks_about_in_plain_words(
    marne: Cast, question: str, topic: str
) -> None:
    mail = answer(marne, f"HELP {question}")
    assert mail.subject == f"Help: {topic}"
    assert "If you meant something else, write HELP alone" in flat(mail.body)


def test_help_for_a_command_says_nothing_of_a_guess(marne: Cast) -> None:
    assert "If you meant something else" not in flat(answer(marne, "HELP CREATE").body)


def test_help_for_a_question_about_nothing_known_shows_all(marne: Cast) -> None:
    assert answer(marne, "HELP me please").subject == "Help"
    mail = answer(marne, "HELP what time is it")
    assert mail.subject == "Help"
    assert "We do not know which command you ask about, so here are all" in flat(mail.body)


def test_the_help_for_orders_shows_each_kind(marne: Cast) -> None:
    said = flat(answer(marne, "HELP ORDERS").body)
    for example in ("Convoys A London - Norway", "Spain(sc)", "Disband A Vienna", "Build A Paris"):
        assert example in said
    assert "/ ORDERS /" in flat(answer(marne, "HELP WHATEVER").body)


def test_help_about_nothing_that_there_is_lists_the_topics(marne: Cast) -> None:
    said = flat(answer(marne, "HELP WHATEVER").body)
    assert "There is no help about “WHATEVER”." in said
    assert "ABSENCE / AMEND / BROADCAST" in said
    assert "Write VOTE DRAW" not in said
    assert "Did you mean STATUS?" in flat(answer(marne, "HELP STATSU").body)


def test_somebody_without_a_game_asks_for_a_map_and_not_for_orders(marne: Cast) -> None:
    said = flat(answer_to(write("Hugo", "MAP", to=home("Hugo"))).body)
    assert "You are not playing in any game at the moment. Write LIST" in said
    assert "nothing to order" not in said


@pytest.mark.parametrize(
    ("mode", "why"),
    [("none", "is played without press"), ("public", "everybody reads all press")],
)
def test_a_letter_in_a_game_without_such_press_gets_no_advice_to_write_it(
    marne: Cast, mode: str, why: str
) -> None:
    Game.objects.update(press_mode=mode)
    said = flat(answer(marne, "Hi Germany, shall we talk about Burgundy?\nI am for it.").body)
    assert "This reads like a letter to Germany. Nobody has seen it." in said
    assert why in said
    assert "PRESS TO Germany" not in said


def test_an_overdue_phase_waits_for_the_word_on_a_guess_and_not_for_a_deadline() -> None:
    cast = told_cast()
    Phase.objects.update(due_at=NOW - dt.timedelta(hours=1), overdue_at=NOW)
    Game.objects.update(when_missing="wait")
    said = flat(answer(cast, "A Par - Bur\nA Mar - Spa\nF Bre - Englsh Chanel").body)
    assert "We had to guess at a name" in said
    assert "The deadline has passed, and the game is waiting for your answer." in said
    assert "before the deadline" not in said


@each_row(
    ("text", "asked"),
    [
        ("A Bur - Bel", True),
        ("Build A Paris", True),
        ("A Par - Bur", True),
        ("A Mun - Ruh", False),
        ("You could play A Bur - Bel", False),
    ],
)
def test_orders_for_a_later_phase_in_a_reply_to_press_are_asked_about(
    marne: Cast, text: str, asked: bool
) -> None:
    to = to_seat(marne, "Germany")
    write("Dmitri", "PRESS TO France\nHello", to=to)
    press = marne.game.press.get()
    back = addresses.answer_address(seat=marne.seat("France"), press=press, to_all=False, now=NOW)
    said = answer_to(write("Carla", text, to=back))
    assert ("NOT SENT" in said.subject) is asked


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ((), "An answer goes to the GM; a reply to all goes to all who got it, too."),
        (("France",), "The answer goes to the GM alone."),
    ],
)
def test_a_gm_who_writes_reads_beforehand_where_answers_go(
    marne: Cast, to: tuple[str, ...], said: str
) -> None:
    assert said in Write().forecast(marne.game, Parameters(text="Hello", to=to), NOW)
