"""Words for people, in answer to mails about a game that is over or has not begun."""

from __future__ import annotations

import re

import pytest

from games.services.endings.ending import game_end
from games.services.setup.games import game_create
from mailer.models import OutboundMail
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
ALONE = "Nobody else has read your words"


def after_the_end(marne: Cast, text: str, *, in_reply: bool = True) -> OutboundMail:
    """The answer to France's words about the game that is over."""
    to = to_seat(marne)
    game_end(game=marne.game, winners=["France"], why="All agree.", by="gm", now=NOW)
    if in_reply:
        return answer_to(write("Carla", text, to=to))
    return answer_to(write("Carla", text, to=home("Carla"), subject="Re: [marne] It is over"))


@each_row("in_reply", [True, False])
@each_row(
    "text",
    [
        "Thanks everyone, great game!",
        "gg",
        "Thank you",
        "Nice draw!",
        "Good game all.\nSee you!",
        "I never played a better one!",
        "What do we do next?",
    ],
)
def test_who_thanks_the_others_after_the_end_hears_that_nobody_has_read_it(
    marne: Cast, text: str, in_reply: bool
) -> None:
    mail = after_the_end(marne, text, in_reply=in_reply)
    said = flat(mail.body)
    assert f"The game marne is over. {ALONE}: there is no press after the end." in said
    assert "LIST on a line of its own shows the games looking for players" in said
    assert "NOT" not in mail.subject
    assert "left out" not in said


def test_orders_and_requests_after_the_end_are_answered_as_such(marne: Cast) -> None:
    orders = (
        "A Paris - Burgundy\nPlease change Brest to F Brest - Gascony\nPlease extend the deadline"
    )
    said = flat(after_the_end(marne, orders).body)
    assert "The game marne is over, so there is nothing to order." in said
    assert not re.search("AMEND|EXTEND", said), "neither can be done any more"
    for text, meant in (("STATSU", "Did you mean STATUS?"), ("Delete my account", "ERASE")):
        said = flat(answer_to(write("Carla", text, to=home("Carla"))).body)
        assert meant in said
        assert ALONE not in said


@each_row("text", ["Looking forward to it!", "Thanks", "Hi all, good luck!"])
def test_who_talks_before_the_start_hears_that_nobody_has_read_it_yet(
    marne: Cast, text: str
) -> None:
    game_create(name="verdun", gm=marne.gm, now=NOW)
    joined = answer_to(write("Hugo", "JOIN verdun France", to=home("Hugo")))
    mail = answer_to(write("Hugo", text, to=joined.reply_to, subject=f"Re: {joined.subject}"))
    said = flat(mail.body)
    assert f"The game verdun has not started yet. {ALONE}: there is no press before" in said
    assert "give back your place (LEAVE verdun)" in said


def test_who_talks_of_a_game_that_was_cancelled_is_sent_to_no_story_of_it(marne: Cast) -> None:
    game = game_create(name="verdun", gm=marne.gm, now=NOW)
    joined = answer_to(write("Hugo", "JOIN verdun France", to=home("Hugo")))
    game_end(game=game, winners=[], why="Too few came.", by="gm", now=NOW)
    subject = "Re: [verdun] The game will not be played"
    mail = answer_to(write("Hugo", "What a pity!", to=joined.reply_to, subject=subject))
    said = flat(mail.body)
    assert f"The game verdun will not be played. {ALONE}. LIST on a line" in said
    assert "HISTORY" not in said
    status = answer_to(write("Hugo", "STATUS", to=joined.reply_to, subject=subject))
    assert "it had not started, and will not be played." in flat(status.body)


def test_talk_about_a_game_of_others_is_answered_as_any_other(marne: Cast) -> None:
    game_create(name="verdun", gm=marne.gm, now=NOW)
    mail = answer_to(write("Hugo", "Looks fun!", to=home("Hugo"), subject="Re: [verdun] Hello"))
    assert ALONE not in flat(mail.body)


def test_talk_while_a_game_is_played_is_answered_as_before(marne: Cast) -> None:
    to = to_seat(marne)
    said = flat(answer_to(write("Carla", "Thanks everyone, great game!", to=to)).body)
    assert "this reads like something said to people" in said
    assert ALONE not in said
