"""A game asks its players before it starts whether they are there: by real mail, twice."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from games.models import Address, Game, Player, Seat
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import POWERS, make_gm, make_player
from tests.conftest import JudgeMailbox
from tests.flows.clients import gmail
from tests.flows.people import Person, about, answers

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]

MUSTER = dt.timedelta(hours=48)


class Hall:
    """A game whose players have mailboxes of their own, and which musters."""

    def __init__(self, box: JudgeMailbox) -> None:
        now, own = timezone.now(), uuid.uuid4().hex[:8]
        self.game = game_create(name="marne", gm=make_gm(), muster=MUSTER, now=now)
        self.people: dict[str, Person] = {}
        for name in [*POWERS, "Hugo"]:
            make_player(name, now=now)
            email = f"{name.lower()}-{own}@players.test"
            Address.objects.filter(player__name=name).update(email=email)
            self.people[name] = Person(name, email, gmail, box.dovecot, box.smtp)
        self.judge = box.address
        for name in POWERS:
            player = Player.objects.get(name=name)
            game_join(game=self.game, player=player, preferences=POWERS[name], now=now)
        rounds()

    @property
    def status(self) -> str:
        self.game.refresh_from_db()
        return self.game.status

    def says(self, name: str, text: str) -> str:
        """Answer the question; what the judge says to that."""
        asked = self.people[name].find(about("Are you here?"))
        assert asked is not None, f"{name} was not asked"
        message_id = self.people[name].answer(asked, text)
        rounds()
        found = self.people[name].find(answers(message_id))
        assert found is not None, f"{name} got no answer to {text!r}"
        return " ".join(found.text.split())


def rounds(count: int = 3) -> None:
    """Let the server do everything that is to be done now."""
    for _ in range(count):
        jobs.do_round(timezone.now())


def time_is_over(game: Game) -> None:
    """Let the muster end an hour ago, for players who were asked long before."""
    ago = timezone.now() - dt.timedelta(hours=1)
    Game.objects.filter(pk=game.pk).update(muster_until=ago)
    asked = OutboundMail.objects.filter(kind="muster_begun", sent_at__isnull=False)
    asked.update(sent_at=ago - game.muster)
    rounds()


def test_one_is_silent_another_comes_and_all_who_answer_play(judge_mailbox: JudgeMailbox) -> None:
    hall = Hall(judge_mailbox)
    assert hall.status == "muster"
    assert hall.people["Greta"].find(about("Are you here?")) is None, "she joined last"
    for name in [*POWERS][1:-1]:
        assert "your seat in marne is yours" in hall.says(name, "Yes!\nI am looking forward to it.")
    time_is_over(hall.game)
    assert hall.status == "forming"
    assert hall.people["Ana"].find(about("You have lost your seat")) is not None
    assert hall.people["Ben"].find(about("cannot start yet")) is not None
    game_join(
        game=hall.game, player=Player.objects.get(name="Hugo"), preferences="", now=timezone.now()
    )
    rounds()
    assert hall.status == "muster"
    *first, last = [name for name in POWERS if name != "Ana"]
    for name in first:
        hall.says(name, "here")
    assert "You were the last: marne starts now." in hall.says(last, "HERE")
    assert hall.status == "active"
    assert {seat.player.name for seat in Seat.objects.all()} == {*POWERS, "Hugo"} - {"Ana"}
    assert hall.people["Hugo"].find(about("The game starts")) is not None
    assert hall.people["Ana"].find(about("The game starts")) is None
