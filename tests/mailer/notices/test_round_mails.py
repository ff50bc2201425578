"""What those are told whom a round of a tournament has seated."""

from __future__ import annotations

import pytest

from games.models import Event, Seat
from mailer.models import OutboundMail
from tests.cast import NOW, POWERS, Cast, address_of, make_cast
from tests.games.acts.acting import Acting
from tests.games.tournaments.games import CUP
from tests.mailer.correspondence import answer_to, flat, tell_all, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(db: None) -> Cast:
    """The cast, who have read all mails about their first game, and a round that seats them."""
    cast = make_cast(tournament=CUP)
    Event.objects.update(told_at=NOW)
    Acting(cast.game, "make_round").confirm(name="cup-r2", players="\n".join(POWERS))
    tell_all()
    return cast


def test_each_reads_their_power_and_that_the_game_has_started(told: Cast) -> None:
    seats = Seat.objects.filter(power__game__name="cup-r2-1")
    assert len(seats) == 7
    for seat in seats:
        mails = OutboundMail.objects.filter(recipient=address_of(seat.player.name)).order_by("pk")
        power, start = mails
        assert power.subject == f"[cup-r2-1] You play {seat.power.name}"
        starts = f"[cup-r2-1] The game starts and you play {seat.power.name};"
        assert start.subject.startswith(starts)
        body = flat(power.body)
        assert f"You play {seat.power.name} in the game cup-r2-1, which has started." in body
        assert f"gm says why: Drawn for the round cup-r2 of the tournament {CUP}." in body
        assert "LEAVE" not in body


def test_who_cannot_play_resigns_as_the_mail_says(told: Cast) -> None:
    power, start = OutboundMail.objects.filter(recipient=address_of("Ana")).order_by("pk")
    assert "answer that one with the word RESIGN" in flat(power.body)
    write("Ana", "RESIGN", to=start.reply_to)
    question = OutboundMail.objects.get(recipient=address_of("Ana"), kind="question")
    write("Ana", "YES", to=question.reply_to)
    assert Seat.objects.get(power__game__name="cup-r2-1", player__name="Ana").until


def test_the_gm_reads_once_for_each_game_who_plays(told: Cast) -> None:
    mail = OutboundMail.objects.get(recipient="gm@players.test")
    assert mail.kind == "game_started"
    assert all(name in mail.body for name in POWERS)


def test_the_table_counts_the_games_of_the_round(told: Cast) -> None:
    body = flat(answer_to(write("Hugo", f"TABLE {CUP}")).body)
    assert f"No game of the tournament {CUP} is over yet" in body
    assert "Not over yet: marne and cup-r2-1." in body
