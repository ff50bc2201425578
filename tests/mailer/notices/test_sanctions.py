"""Who is told of what moderators decide, and how players ask them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import Group, User

from games.models import Conduct, Player
from games.services.accounts.merging import players_merge
from games.services.moderation.conduct import (
    moderators_ask,
    player_answer,
    player_ban,
    player_lift,
    player_note,
    player_suspend,
)
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.commands.calls import ORDERS
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import OutboundMail
from mailer.notices.messages import moderation_mail
from mailer.outbound import addresses, layout
from mailer.text import MARKER
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, home, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

MINUTE = dt.timedelta(minutes=1)


def told(kind: str = "conduct") -> list[OutboundMail]:
    """Have everything told and return the mails of this kind, oldest first."""
    jobs.tell(NOW)
    return list(OutboundMail.objects.filter(kind=kind).order_by("pk"))


def address_of_hugo(cast: Cast) -> str:
    """Where Hugo writes to be known as himself."""
    address = cast.player("Hugo").addresses.get()
    return addresses.player_address(address=address, now=NOW)


def test_the_player_alone_is_told_with_reason_and_end(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    Player.objects.filter(pk=hugo.pk).update(timezone="Europe/Berlin")
    until = NOW + 30 * DAY
    player_suspend(player=hugo, until=until, why="You missed too much.", by="mo", now=NOW)
    (mail,) = told()
    assert mail.recipient == address_of("Hugo")
    body = flat(mail.body)
    assert "cannot take a seat in any game on this server until Wed 1 Apr 2026, 14:00 CEST" in body
    assert "mo says why: You missed too much." in body


def test_a_ban_is_told_to_the_player_and_its_reason_to_nobody_else(marne: Cast) -> None:
    player_ban(player=marne.player("Ana"), why="Two accounts.", by="mo", now=NOW)
    jobs.tell(NOW)
    with_reason = [mail for mail in OutboundMail.objects.all() if "Two accounts" in mail.body]
    assert [mail.recipient for mail in with_reason] == [address_of("Ana")]
    others = {address_of(name) for name in POWERS} - {address_of("Ana")}
    assert others <= {mail.recipient for mail in OutboundMail.objects.all()}


def test_the_gm_hears_that_a_place_is_free_again_but_not_why(marne: Cast) -> None:
    hugo, yser = marne.player("Hugo"), game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=yser, player=hugo, preferences="", now=NOW)
    player_suspend(player=hugo, until=NOW + DAY, why="Rude words.", by="mo", now=NOW)
    (mail,) = told("player_withdrawn")
    assert mail.recipient == "gm@players.test"
    assert mail.subject == "[yser] Hugo no longer plays"
    assert "Rude" not in mail.body
    assert "You need not do anything." in mail.body


@each_row("line", ["PRESS TO Italy\nCoward!", "A Vie - Gal", "STATUS", "VOTE DRAW", "HELP\nREADY"])
def test_whoever_is_banned_is_told_so_and_not_to_look_for_a_game(marne: Cast, line: str) -> None:
    player_ban(player=marne.player("Ana"), why="Rude letters.", by="mo", now=NOW)
    answer = answer_to(write("Ana", line, to=home("Ana")))
    assert "You may no longer play on this server" in flat(answer.body)
    assert "LIST to see" not in flat(answer.body)


def test_a_note_is_told_to_nobody(marne: Cast) -> None:
    player_note(player=marne.player("Ana"), text="Watch her.", by="mo", now=NOW)
    assert told() == []


def test_good_news_are_told_too(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    player_ban(player=hugo, why="A double account.", by="mo", now=NOW)
    player_lift(player=hugo, why="It was his brother.", by="mo", now=NOW)
    assert [mail.subject for mail in told()] == [
        "You may no longer play here",
        "You may play again",
    ]


def test_a_merge_is_told_at_the_address_that_is_used_from_now_on(marne: Cast) -> None:
    kept = marne.player("Ana")
    players_merge(kept=kept, other=marne.player("Hugo"), why="You asked.", by="mo", now=NOW)
    (mail,) = told()
    assert mail.recipient == address_of("Ana")
    assert "Hugo (account" in flat(mail.body)


def test_nothing_is_told_twice(marne: Cast) -> None:
    player_ban(player=marne.player("Hugo"), why="A bot.", by="mo", now=NOW)
    assert len(told()) == len(told()) == 1


def test_what_cannot_be_told_is_tried_again_after_ever_longer_pauses(
    marne: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(name: str, **words: object) -> str:
        raise ValueError("the disk is full")

    for name in ("Ana", "Hugo"):
        player_ban(player=marne.player(name), why="A bot.", by="mo", now=NOW)
    with monkeypatch.context() as broken:
        broken.setattr(layout, "render", breaks)
        for minute in range(8):
            moderation_mail.tell_all(NOW + minute * MINUTE)
    assert caplog.text.count("Nobody could be told of entry") == 2 * 4
    (first, second) = Conduct.objects.filter(told_at=None)
    assert first.tell_again_at == second.tell_again_at == NOW + 15 * MINUTE
    assert moderation_mail.tell_all(NOW + 15 * MINUTE) == 2


def test_a_question_goes_to_the_moderators_only(marne: Cast) -> None:
    moderator = User.objects.create_user("mo", "mo@players.test")
    moderator.groups.add(Group.objects.get_or_create(name="Moderator")[0])
    answer = answer_to(
        write("Hugo", "MODERATOR\nMy game stands still.\nPlease help!", to=address_of_hugo(marne))
    )
    assert "have your letter now" in answer.body
    assert "> My game stands still.\n> Please help!" in answer.body
    (entry,) = Conduct.objects.all()
    assert (entry.kind, entry.why) == ("asked", "My game stands still.\nPlease help!")
    (mail,) = told("asked")
    assert mail.recipient == "mo@players.test"
    assert "My game stands still." in mail.body
    assert told() == []


def test_an_order_below_a_question_that_was_never_closed_is_named_to_its_writer(
    marne: Cast,
) -> None:
    text = "MODERATOR\nWhere is my game master?\nA Par - Bur"
    receipt = flat(answer_to(write("Hugo", text, to=address_of_hugo(marne))).body)
    assert "“A Par - Bur” at its end. That was passed on, too, and is not an order." in receipt


def test_a_question_to_the_moderators_needs_words(marne: Cast) -> None:
    mail = write("Hugo", "MODERATOR", to=address_of_hugo(marne))
    assert "write your question on the lines below MODERATOR" in flat(mail.answers.get().body)


def test_without_moderators_those_who_run_the_server_hear_it(
    marne: Cast, settings: pytest.FixtureRequest
) -> None:
    settings.OPERATOR_ADDRESSES = ["root@game.test"]  # type: ignore[attr-defined]
    moderators_ask(player=marne.player("Hugo"), text="Help.", now=NOW)
    assert [mail.recipient for mail in told("asked")] == ["root@game.test"]


def test_the_answer_of_the_moderators_can_be_answered(marne: Cast) -> None:
    entry = moderators_ask(player=marne.player("Hugo"), text="Help.", now=NOW)
    player_answer(entry=entry, text="How?", by="mo", now=NOW + HOUR)
    (mail,) = told()
    assert mail.subject == "The moderators answer you"
    assert "How?" in mail.body
    write("Hugo", "MODERATOR\nLike this.", to=mail.reply_to, received_at=NOW + HOUR)
    assert Conduct.objects.filter(kind="asked", settled_at=None).get().why == "Like this."


def test_a_question_without_proof_of_its_sender_is_held(marne: Cast) -> None:
    write("Hugo", "MODERATOR\nBan me.")
    assert not Conduct.objects.exists()


def test_a_question_from_before_a_merge_is_still_theirs_to_answer(marne: Cast) -> None:
    held = write("Ana", "RESIGN\nMODERATOR\nHelp!")
    question = held.answers.get()
    players_merge(
        kept=marne.player("Hugo"), other=marne.player("Ana"), why="You asked.", by="mo", now=NOW
    )
    write("Hugo", "yes", to=question.reply_to)
    assert Conduct.objects.get(kind="asked").player == marne.player("Hugo")


def test_our_own_words_sent_back_are_no_commands(marne: Cast) -> None:
    hugo, until = marne.player("Hugo"), NOW + 30 * DAY
    player_suspend(player=hugo, until=until, why="Three games left.", by="mo", now=NOW)
    player_ban(player=hugo, why="A fourth one.", by="mo", now=NOW)
    player_lift(player=hugo, why="He said sorry.", by="mo", now=NOW)
    entry = moderators_ask(player=hugo, text="Thank you!", now=NOW)
    player_answer(entry=entry, text="You are welcome.", by="mo", now=NOW)
    players_merge(kept=marne.player("Ana"), other=hugo, why="You asked.", by="mo", now=NOW)
    mails = told()
    assert len(mails) == 5
    for mail in mails:
        text = mail.body.replace(MARKER, "")
        calls = read_script(read_letter(b"From: ana@players.test\n\n" + text.encode()), WORDS)
        assert [call for call in calls if call.command != ORDERS] == [], text
        assert max(map(len, text.splitlines())) <= 72
