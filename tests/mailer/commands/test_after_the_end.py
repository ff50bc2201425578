"""What whoever writes after the end of a game is told: that it is over, and what can still be
written."""

from __future__ import annotations

import pytest

from games.models import Player
from games.services.adjudication.phases import phase_process_now
from games.services.endings.ending import game_end
from games.services.seating.joining import game_join
from games.services.seating.observers import observe
from games.services.setup.games import game_create
from mailer import jobs
from mailer.commands.player.consent import vote
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import HOUR, NOW, Cast, make_cast, make_gm, make_player, seat_fill, the_cast
from tests.games.acts.acting import Acting
from tests.made import made_once
from tests.mailer.correspondence import answer_to, flat, gm_reads, home, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

LEFT = (
    "To read it again, write HISTORY marne or LOG marne; LIST shows the games looking for players."
)


@pytest.fixture
def over(db: None) -> Cast:
    """The game `marne`, which its last year has ended, with Hugo as an observer; France had a
    player before, Ines."""
    made_once("a game whose last year has ended", _over)
    return the_cast()


def _over() -> None:
    cast = make_cast(last_year=1901)
    observe(game=cast.game, player=Player.objects.get(name="Hugo"), now=NOW)
    power = cast.seat("France").power
    seat_fill(game=cast.game, power=power, player=make_player("Ines"), now=NOW)
    seat_fill(game=cast.game, power=power, player=cast.player("Carla"), now=NOW)
    for _ in range(2):
        phase_process_now(game_id=cast.game.pk, now=NOW)
    cast.game.refresh_from_db()
    assert cast.game.status == "finished"


def answer(cast: Cast, text: str) -> str:
    """What Carla is told who replies to the last results, or to the end mail."""
    last = cast.game.phases.order_by("number").last()
    to = addresses.seat_address(seat=cast.seat("France"), phase=last, now=NOW)
    return flat(answer_to(write("Carla", text, to=to, received_at=NOW + HOUR)).body)


@each_row(
    "text",
    [
        *("A Paris - Burgundy", "READY", "WAIT", "CLEAR", "CLEAR AHEAD", "PHASE", "SAME"),
        *("PHASE F1902M\nA Paris - Burgundy", "WHATIF\nA Paris - Burgundy", "EXTEND 24h"),
        *("EXTEND 24h I am ill", "VOTE", "VOTE DRAW", "VOTE YES", "CONCEDE TO Turkey", "RESIGN"),
        *("RETURN", "PRESS TO Russia\nWell played!", "PRESS TO GM\nThanks!", "BROADCAST\nThanks!"),
    ],
)
def test_whatever_needs_a_game_that_goes_on_is_answered_with_what_can_still_be_written(
    over: Cast, text: str
) -> None:
    said = answer(over, text)
    assert "The game marne is over" in said
    assert LEFT in said
    assert "Please write how much more time" not in said


def test_who_waits_for_the_game_while_it_ends_is_told_the_same(
    over: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vote, "require_not_over", lambda game, so: None)
    assert f"The game marne is over. {LEFT}" in answer(over, "VOTE DRAW")


def test_press_after_the_end_is_refused_because_there_is_none(over: Cast) -> None:
    said = answer(over, "PRESS TO Russia\nWell played!")
    assert "The game marne is over, and there is no press after the end." in said


def test_what_the_gm_writes_after_the_end_invites_no_answer(over: Cast) -> None:
    gm_reads(over, "WRITE TO ALL\nThank you all!")
    while jobs.tell(NOW):
        pass
    mails = OutboundMail.objects.filter(kind="press_sent")
    assert mails.count() == 8
    for mail in mails:
        said = flat(mail.body)
        assert "The game is over, so nobody can answer this by mail." in said
        assert "To answer" not in said
        assert ("OBSERVE marne OFF" in said) == (mail.recipient == "hugo@players.test")


def test_the_gm_is_told_beforehand_that_nobody_can_answer(over: Cast) -> None:
    said = Acting(over.game, "write").foresee(text="Thank you all!")
    assert "They cannot answer by mail: there is no press after the end." in said


def test_the_gms_status_of_a_game_that_is_over_says_how_it_ended(over: Cast) -> None:
    said = gm_reads(over, "STATUS")
    assert "The game marne is over: 1901 was the last year, which makes it a draw among" in said


@each_row("name", ["Ines", "Hugo", "Carla"])
def test_a_status_without_a_name_says_which_game_was_over_last(over: Cast, name: str) -> None:
    said = flat(answer_to(write(name, "STATUS", to=home(name))).body)
    assert "You are not playing in any game at the moment." in said
    assert "To see how the game marne ended, write STATUS marne." in said


@pytest.mark.parametrize("name", ["Ines", "Hugo"])
def test_a_status_in_a_reply_to_the_end_mail_is_about_that_game(over: Cast, name: str) -> None:
    mail = write(name, "STATUS", to=home(name), subject="Re: [marne] The game is over")
    assert "The game marne is over: 1901 was the last year" in flat(answer_to(mail).body)


def test_a_preview_after_the_end_is_refused_because_the_game_is_over(over: Cast) -> None:
    said = gm_reads(over, "PREVIEW because I am curious")
    assert "The game marne is over." in said
    assert "before the deadline" not in said


def test_stop_with_a_name_is_answered_with_how_to_be_rid_of_one_game(over: Cast) -> None:
    said = flat(answer_to(write("Hugo", "STOP marne", to=home("Hugo"))).body)
    assert "Please write STOP on a line of its own" in said
    assert "write its name after RESIGN if you play in it, or after LEAVE before it starts" in said
    assert "if you observe it, write OBSERVE, its name and OFF" in said


@each_row(
    ("winners", "power", "said"),
    [
        (["France"], "France", "Congratulations to you, and thank you all"),
        (["France"], "Turkey", "Congratulations to France, and thank you all"),
        (["France", "Italy"], "Turkey", "Congratulations to those who share the draw, and thank"),
        (
            ["France", "Italy"],
            "Italy",
            "Congratulations to you and those who share the draw with you, and thank you all",
        ),
    ],
)
def test_the_end_mail_congratulates_those_who_won(
    marne: Cast, winners: list[str], power: str, said: str
) -> None:
    game_end(game=marne.game, winners=winners, why="-", by="the GM", now=NOW)
    while jobs.tell(NOW):
        pass
    address = marne.seat(power).player.address
    mail = OutboundMail.objects.get(kind="game_finished", recipient=address)
    assert said in flat(mail.body)


@pytest.fixture
def cancelled(db: None) -> Cast:
    """A game that its GM has ended before its start, with a place for Ana."""
    game = game_create(name="somme", gm=make_gm(), now=NOW)
    game_join(game=game, player=make_player("Ana"), preferences="", now=NOW)
    game_end(game=game, winners=[], why="Too few came.", by="the GM", now=NOW)
    return Cast(game, game.gm)


@pytest.mark.parametrize("text", ["A Paris - Burgundy", "Thank you all, that was quick."])
def test_of_a_game_that_ended_in_its_first_phase_we_offer_what_there_is_to_read(
    marne: Cast, text: str
) -> None:
    game_end(game=marne.game, winners=[], why="Too few stayed.", by="the GM", now=NOW)
    marne.game.refresh_from_db()
    said = answer(marne, text)
    assert "LOG marne" in said
    assert "HISTORY" not in said
    assert "NOT done" not in answer_to(write("Carla", "LOG marne", to=home("Carla"))).subject


def test_whoever_plays_nowhere_is_offered_the_log_of_a_game_that_ended_in_its_first_phase(
    marne: Cast,
) -> None:
    game_end(game=marne.game, winners=[], why="Too few stayed.", by="the GM", now=NOW)
    said = flat(answer_to(write("Carla", "HISTORY", to=home("Carla"))).body)
    assert "name it: LOG marne" in said


def test_a_game_that_never_started_is_not_said_to_have_had_no_result(cancelled: Cast) -> None:
    said = flat(answer_to(write("Ana", "STATUS somme", to=home("Ana"))).body)
    assert "The game somme is over: it had not started, and will not be played." in said
    said = gm_reads(cancelled, "STATUS")
    assert "The game somme is over: it had not started, and will not be played." in said


def test_what_the_gm_writes_to_those_of_a_game_that_was_cancelled_invites_no_answer(
    cancelled: Cast,
) -> None:
    assert "They cannot answer by mail" in Acting(cancelled.game, "write").foresee(text="Sorry!")
    gm_reads(cancelled, "WRITE TO ALL\nSorry!")
    while jobs.tell(NOW):
        pass
    said = flat(OutboundMail.objects.get(kind="press_sent").body)
    assert "The game is over, so nobody can answer this by mail." in said
    assert "PRESS TO GM" not in said


def test_the_gm_learns_beforehand_that_those_who_ask_to_join_hear_of_the_end(db: None) -> None:
    game = game_create(name="somme", gm=make_gm(), now=NOW, entry="approval")
    game_join(game=game, player=make_player("Ana"), preferences="", now=NOW)
    said = Acting(game, "end").foresee(why="Too few came.")
    assert "Those who have asked to join are told that it will not be played." in said


@each_row(
    "line",
    ["JOIN marne", "LEAVE marne", "TAKEOVER marne", "TAKEOVER marne France", "HERE marne"],
)
@each_row(
    ("name", "left"),
    [
        ("Carla", "To read it again, write HISTORY marne or LOG marne"),
        ("Hugo", "To read it again, write HISTORY marne or LOG marne"),
        ("Jon", "Its page shows how it went: http://127.0.0.1:8000/games/marne/"),
    ],
)
def test_who_wants_a_seat_in_a_game_that_is_over_hears_what_they_can_do_instead(
    over: Cast, line: str, name: str, left: str
) -> None:
    if name == "Jon":
        make_player("Jon")
    said = flat(answer_to(write(name, line, to=home(name))).body)
    assert "The game marne is over, so" in said
    assert left in said
    assert "LIST shows the games looking for players." in said


def test_what_a_reader_of_a_game_that_is_over_is_told_to_write_works(over: Cast) -> None:
    for name in ("Carla", "Hugo"):
        for line in ("HISTORY marne", "LOG marne"):
            assert "NOT DONE" not in answer_to(write(name, line, to=home(name))).body
            assert not answer_to(write(name, line, to=home(name))).subject.startswith("NOT")


@each_row(
    "line",
    [
        *("JOIN somme", "LEAVE somme", "TAKEOVER somme", "OBSERVE somme", "HISTORY somme"),
        *("LOG somme", "MAP somme", "RESIGN somme", "HERE somme"),
    ],
)
def test_whoever_writes_of_a_game_that_never_started_is_shown_others(
    cancelled: Cast, line: str
) -> None:
    said = flat(answer_to(write("Ana", line, to=home("Ana"))).body)
    assert "The game somme was ended before it started" in said
    assert "LIST shows the games looking for players." in said


def test_who_wants_to_join_or_leave_a_game_that_goes_on_hears_what_they_can_do(
    marne: Cast,
) -> None:
    for name, line, instead in (
        ("Hugo", "JOIN marne", "is already being played. To follow it, write OBSERVE marne"),
        ("Carla", "JOIN marne", "is already being played, and you play in it."),
        ("Carla", "LEAVE marne", "To give up your power in it, write RESIGN marne"),
    ):
        assert instead in flat(answer_to(write(name, line, to=home(name))).body)


def test_a_takeover_in_a_game_looking_for_players_is_answered_with_join(marne: Cast) -> None:
    game_create(name="somme", gm=marne.gm, now=NOW)
    said = flat(answer_to(write("Hugo", "TAKEOVER somme France", to=home("Hugo"))).body)
    assert "To take a place in it, write JOIN somme" in said
