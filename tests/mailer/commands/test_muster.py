"""The muster by mail: who is asked, and what an answer means."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from games.models import Game, Player
from games.queries.phases.musters import silent_players
from games.services.clock.halts import server_halt
from games.services.clock.muster import muster_proceed
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.commands.calls import ORDERS
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.outbound import addresses
from mailer.text import MARKER
from tests.cast import DAY, HOUR, NOW, POWERS, address_of, make_gm, make_player
from tests.made import made_once
from tests.mailer.correspondence import all_sent, answer_to, flat, home, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

NAMES = list(POWERS)
END = NOW + 2 * DAY
GM = "gm@players.test"
URL = "imap://judge@mail.test/INBOX"


@pytest.fixture(autouse=True)
def _one_mailbox(settings: Any) -> None:
    settings.IMAP_URLS = [URL]


@pytest.fixture
def game(db: None) -> Game:
    made_once("a muster, its questions out", muster)
    return Game.objects.get(name="marne")


def muster() -> None:
    """Let a game muster, and send the questions."""
    game = game_create(name="marne", gm=make_gm(), muster=2 * DAY, now=NOW)
    for name in NAMES:
        game_join(game=game, player=make_player(name), preferences=POWERS[name], now=NOW)
    make_player("Hugo")
    jobs.tell(NOW)
    all_sent()


def mails(kind: str) -> dict[str, OutboundMail]:
    """The mails of one kind by their recipients."""
    return {mail.recipient: mail for mail in OutboundMail.objects.filter(kind=kind)}


def reply(name: str, text: str, *, at: dt.datetime = NOW + HOUR) -> OutboundMail:
    """Answer the newest question as this player, and return our answer."""
    asked = OutboundMail.objects.filter(
        kind__in=["muster_begun", "muster_reminded"], recipient=address_of(name)
    )
    return answer_to(write(name, text, to=asked.latest("pk").reply_to, received_at=at))


def silent(game: Game) -> list[str]:
    """The names of those who have not answered."""
    return [player.name for player in silent_players(game)]


def read_until(at: dt.datetime) -> None:
    """Have all mail up to this moment fetched."""
    Mailbox.objects.update_or_create(url=URL, defaults={"last_ok_poll": at})


def pass_time(now: dt.datetime) -> None:
    """Do the jobs of this moment, mail having been read until it."""
    read_until(now + dt.timedelta(minutes=3))
    jobs.deadlines(now)
    jobs.tell(now)


def test_all_are_asked_but_the_last_and_the_gm_is_told(game: Game) -> None:
    asked = mails("muster_begun")
    assert set(asked) == {address_of(name) for name in NAMES[:-1]} | {GM}
    body = flat(asked[address_of("Ana")].body)
    assert "Please answer by Wed 4 Mar 2026, 12:00 UTC. That is in 2 days." in body
    assert "6 players have until" in flat(asked[GM].body)


def test_no_muster_ends_while_the_whole_server_stands_still(game: Game) -> None:
    """Whoever is at the musters that are due stops with the one at hand."""
    server_halt(why="A fault.", by="mo", now=NOW + HOUR)
    assert muster_proceed(game_id=game.pk, now=NOW + 3 * DAY) is None
    assert len(silent(game)) == 6


def test_no_mail_names_a_power_before_the_start(game: Game) -> None:
    asked = OutboundMail.objects.all()
    assert len(asked) >= len(NAMES)
    for mail in asked:
        assert not any(power in mail.body for power in POWERS.values())


@each_row(
    "text",
    [
        "HERE",
        "here!",
        "READY",
        "Yes",
        "Yes!\nI am looking forward to it.",
        "** here **\n\nAna",
        "Hello,\n\nHERE.\n\nBest wishes\nAna",
        "Oui",
    ],
)
def test_a_word_on_a_line_of_its_own_says_yes(game: Game, text: str) -> None:
    answer = reply("Ana", text)
    assert "Ana" not in silent(game)
    assert "Thank you, your seat in marne is yours." in flat(answer.body)
    assert "did nothing" not in answer.body


@each_row(
    "text",
    [
        "No",
        "Sorry, I cannot play.",
        "Nein, leider nicht",
        "I will be back on Monday.",
        "YES\nNo",
    ],
)
def test_anything_else_is_asked_about_and_is_no_yes(game: Game, text: str) -> None:
    answer = reply("Ana", text)
    assert "Ana" in silent(game)
    assert "If you cannot play, write LEAVE marne" in flat(answer.body)


def test_here_with_a_denial_around_it_is_a_yes(game: Game) -> None:
    reply("Ana", "HERE\nSorry that I did not answer sooner.")
    assert "Ana" not in silent(game)


def test_leave_gives_the_seat_back_and_the_others_hear_of_it(game: Game) -> None:
    answer = reply("Ana", "LEAVE marne")
    assert "Your seat in the game marne is free again." in flat(answer.body)
    jobs.tell(NOW + HOUR)
    assert set(mails("muster_failed")) == {address_of(name) for name in NAMES[1:]} | {GM}
    body = flat(mails("muster_failed")[address_of("Ben")].body)
    assert "Somebody has lost or given back a seat. 1 seat is free now." in body
    assert "Your own seat stays yours." in body


def test_new_wishes_are_an_answer(game: Game) -> None:
    answer = reply("Ana", "JOIN marne Turkey")
    assert "Ana" not in silent(game)
    assert "JOIN" not in answer.subject


def test_the_word_does_it_from_any_mail_that_is_proved(game: Game) -> None:
    held = write("Ana", "HERE", received_at=NOW + HOUR)
    assert held.state == InboundMail.State.HELD
    question = held.answers.get()
    write("Ana", "yes", to=question.reply_to, received_at=NOW + HOUR)
    assert "Ana" not in silent(game)


def test_nobody_can_answer_for_another(game: Game) -> None:
    asked = mails("muster_begun")[address_of("Ana")]
    mail = write("Hugo", "HERE", to=asked.reply_to, received_at=NOW + HOUR)
    assert mail.state == InboundMail.State.HELD
    assert "Ana" in silent(game)


def test_the_last_answer_starts_the_game(game: Game) -> None:
    for name in NAMES[:-1]:
        answer = reply(name, "HERE")
    assert "You were the last: marne starts now." in flat(answer.body)
    jobs.tell(NOW + HOUR)
    assert set(mails("game_started")) == {address_of(name) for name in NAMES} | {GM}


def test_only_the_silent_are_reminded(game: Game) -> None:
    reply("Ana", "HERE")
    pass_time(NOW + DAY)
    reminded = mails("muster_reminded")
    assert set(reminded) == {address_of(name) for name in NAMES[1:-1]}
    mail = reminded[address_of("Ben")]
    assert mail.subject == "[marne] Are you here? 1 day left to answer"
    assert "have not heard from you" in flat(mail.body)


def test_at_the_end_the_silent_and_the_others_are_told(game: Game) -> None:
    for name in NAMES[1:-1]:
        reply(name, "HERE")
    pass_time(END)
    told = mails("muster_failed")
    assert set(told) == {address_of(name) for name in NAMES} | {GM}
    assert "write JOIN marne" in flat(told[address_of("Ana")].body)
    assert "None of this counts against you." in flat(told[address_of("Ana")].body)
    assert "Your own seat stays yours." in flat(told[address_of("Ben")].body)
    assert "Ana" not in told[address_of("Ben")].body
    assert "No answer came from Ana." in flat(told[GM].body)
    assert "You need not do anything." in flat(told[GM].body)


def test_a_gm_who_lets_people_in_reads_then_who_waits_for_that(game: Game) -> None:
    game.invitations.create(email=address_of("Hugo"), kind="asked", at=NOW)
    pass_time(END)
    told = flat(mails("muster_failed")[GM].body)
    *others, last = NAMES[:-1]  # who joined last has just said so
    assert f"No answer came from {', '.join(others)} and {last}." in told
    assert "Hugo asked to be let in: reply with APPROVE or REFUSE and the name." in told
    assert "You need not do anything" not in told


def test_the_muster_waits_for_mail_that_cannot_be_read(game: Game) -> None:
    read_until(END - HOUR)
    jobs.deadlines(END + HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.MUSTER
    read_until(END + HOUR)
    jobs.deadlines(END + HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.FORMING


def test_an_answer_after_the_end_says_how_to_come_back(game: Game) -> None:
    pass_time(END)
    answer = reply("Ana", "Yes", at=END + HOUR)
    assert "It is looking for players again: write JOIN marne" in flat(answer.body)
    game.invitations.create(email=address_of("Ana"), kind="denied", at=END)
    said = flat(reply("Ana", "HERE", at=END + 2 * HOUR).body)
    assert "The GM of marne does not let you join it." in said
    assert "JOIN marne" not in said


def test_whoever_lost_their_seat_by_silence_needs_no_code_to_come_back(game: Game) -> None:
    Game.objects.update(entry=Game.Entry.INVITED, code="abcdefgh")
    pass_time(END)
    missed = flat(mails("muster_failed")[address_of("Ana")].body)
    assert "write JOIN marne and the powers you would like" in missed
    back = answer_to(write("Ana", "JOIN marne", to=home("Ana"), received_at=END + HOUR))
    assert "You have a seat in the game marne." in flat(back.body)
    outside = answer_to(write("Hugo", "HERE marne", to=home("Hugo"), received_at=END + HOUR))
    assert "JOIN marne" not in flat(outside.body)


def test_an_answer_after_the_start_is_a_mail_like_any_other(game: Game) -> None:
    asked = mails("muster_begun")[address_of("Ana")]
    for name in NAMES[:-1]:
        reply(name, "HERE")
    mail = write("Ana", "STATUS", to=asked.reply_to, received_at=NOW + 2 * HOUR)
    assert "Spring 1901 movement" in answer_to(mail).body


def test_here_without_a_question_says_so(db: None) -> None:
    make_player("Ana")
    address = Player.objects.get(name="Ana").addresses.get()
    to = addresses.player_address(address=address, now=NOW)
    answer = answer_to(write("Ana", "HERE", to=to))
    assert "No game asks you whether you are here" in flat(answer.body)


def test_the_last_to_join_reads_what_happens_now(game: Game) -> None:
    pass_time(END)
    game.refresh_from_db()
    for name in NAMES[:5]:
        player = Player.objects.get(name=name)
        game_join(game=game, player=player, preferences="", now=END)
    answer = answer_to(write("Felix", "JOIN marne", to=home("Felix"), received_at=END + HOUR))
    assert "All seats are taken now. We are asking the others" in flat(answer.body)


def test_list_and_status_show_the_muster(game: Game) -> None:
    listed = flat(answer_to(write("Hugo", "LIST")).body)
    assert (
        "These are about to start: - marne: all seats are taken, and the players are asked whether "
        "they are here, until Wed 4 Mar 2026, 12:00 UTC. 6 have still to answer."
    ) in listed
    status = flat(answer_to(write("Hugo", "STATUS marne")).body)
    assert "Before marne starts, all seats are taken" in status


def test_our_own_words_sent_back_are_no_commands(game: Game) -> None:
    reply("Ana", "HERE")
    pass_time(NOW + DAY)
    pass_time(END)
    assert {mail.kind for mail in OutboundMail.objects.all()} >= {
        "muster_begun",
        "muster_reminded",
        "muster_failed",
    }
    for mail in OutboundMail.objects.exclude(recipient=GM):
        text = mail.body.replace(MARKER, "")
        calls = read_script(read_letter(b"From: ana@players.test\n\n" + text.encode()), WORDS)
        assert [call for call in calls if call.command != ORDERS] == [], text
        assert max(map(len, text.splitlines())) <= 72


@each_row("text", ["yes", "HERE", "Yes"])
def test_what_we_ask_back_can_be_answered_like_the_question(game: Game, text: str) -> None:
    asked_back = reply("Ana", "No idea")
    write("Ana", text, to=asked_back.reply_to, received_at=NOW + 2 * HOUR)
    assert "Ana" not in silent(game)


def test_a_muster_of_a_game_by_invitation_is_on_no_list(game: Game) -> None:
    assert "marne: " in answer_to(write("Hugo", "LIST", to=home("Hugo"))).body
    Game.objects.update(entry=Game.Entry.INVITED)
    assert "marne" not in answer_to(write("Hugo", "LIST", to=home("Hugo"))).body


def gm_status(game: Game) -> str:
    """What the GM reads who asks how the muster stands."""
    to = addresses.gm_address(user=game.gm, game=game, now=NOW)
    return flat(answer_to(write("gm", "STATUS", sender=GM, to=to)).body)


def test_the_gm_s_status_of_a_muster_names_who_has_still_to_answer(game: Game) -> None:
    reply("Ana", "HERE")
    said = gm_status(game)
    assert "Not heard from yet: Ben, Carla, Dmitri, Emma, Felix." in said
    assert "Sure of their seats: Ana, Greta." in said
    assert "until Wed 4 Mar 2026, 12:00 UTC" in said
    assert "write START" in said


def test_the_status_of_a_muster_ties_no_name_to_a_power(game: Game) -> None:
    Game.objects.update(anonymous=True)
    for said in (gm_status(game), flat(answer_to(write("Ana", "STATUS marne")).body)):
        assert not any(power in said for power in POWERS.values())


def test_a_player_s_status_of_a_muster_names_nobody_who_is_silent(game: Game) -> None:
    said = flat(answer_to(write("Ana", "STATUS marne", to=home("Ana"))).body)
    assert "6 have still to answer" in said
    assert not any(name in said for name in NAMES if name != "Ana")
