"""A player vanishes, and the game goes on without them: by real mail, from reminder to takeover."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from games.models import Address, OrderSet, Phase
from mailer import jobs
from tests.cast import POWERS, Cast, make_cast
from tests.conftest import JudgeMailbox
from tests.flows.clients import gmail
from tests.flows.people import Letter, Person, about, answers

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]

MINUTES = dt.timedelta(minutes=5)


class Table:
    """The cast with mailboxes of their own, and the judge they write to."""

    def __init__(self, box: JudgeMailbox) -> None:
        self.judge = box.address
        self.cast = make_cast(now=timezone.now(), disorder_after=1)
        own = uuid.uuid4().hex[:8]
        self.people: dict[str, Person] = {}
        for address in Address.objects.select_related("player"):
            name = address.player.name
            address.email = f"{name.lower()}-{own}@players.test"
            address.save()
            self.people[name] = Person(name, address.email, gmail, box.dovecot, box.smtp)
        rounds()

    def newest(self, name: str, *words: str) -> Letter:
        letter = self.people[name].find(about(*words))
        assert letter is not None, f"{name} has no letter about {words}"
        return letter

    def has(self, name: str, *words: str) -> bool:
        return self.people[name].find(about(*words)) is not None

    def reply(self, name: str, letter: Letter, text: str) -> Letter:
        """Reply to a letter; what the judge answers."""
        message_id = self.people[name].answer(letter, text)
        rounds()
        found = self.people[name].find(answers(message_id))
        assert found is not None, f"{name} got no answer to {text!r}"
        return found

    def orders(self, name: str, letter: Letter) -> None:
        """Reply with a hold for every unit."""
        units = self.cast.phase.position["units"][POWERS[name]]
        self.people[name].answer(letter, "\n".join(f"{unit} Holds" for unit in units))


def rounds(count: int = 4) -> None:
    """Some rounds, a few minutes apart, so that whatever has to wait a little is done."""
    now = timezone.now()
    for number in range(count):
        jobs.do_round(now + number * MINUTES)


def move(cast: Cast, due_in: dt.timedelta) -> None:
    """Bring the deadline near, as if time had passed."""
    now = timezone.now()
    Phase.objects.filter(pk=cast.phase.pk).update(
        opened_at=now - dt.timedelta(days=3),
        due_at=now + due_in,
        remind_at=now,
        reminded_at=now - dt.timedelta(days=2),
    )


def test_a_vanished_player_is_reminded_then_told_and_then_replaced(
    judge_mailbox: JudgeMailbox,
) -> None:
    table = Table(judge_mailbox)
    cast = table.cast
    hugo_stands_by(table)
    others = [name for name in POWERS if name != "Emma"]
    for name in others:
        table.orders(name, table.newest(name, "the game starts"))
    rounds()
    move(cast, dt.timedelta(hours=3))
    rounds()
    assert table.has("Emma", "your orders are missing")
    assert not any(table.has(name, "your orders are missing") for name in others)

    move(cast, dt.timedelta(0))
    rounds()
    assert cast.phase.name == "F1901M"
    assert table.has("Emma", "results, your orders were missing")
    told = table.newest("Emma", "your power is in civil disorder")
    assert "write RETURN on a line of its own" in told.words
    assert all(table.has(name, "Italy is in civil disorder") for name in others)
    assert not any(table.has(name, "Would you play") for name in POWERS)

    hugo_takes_over(table)
    emma_is_too_late(table)
    the_game_goes_on(table)


def hugo_stands_by(table: Table) -> None:
    """Their first mail answers none of ours, so they are asked whether it was theirs."""
    hugo = table.people["Hugo"]
    message_id = hugo.write(table.judge, "STANDBY")
    rounds()
    question = hugo.find(answers(message_id))
    assert question is not None
    assert question.subject == "NOT done yet: was this mail yours?"
    assert "You are on the standby list." in table.reply("Hugo", question, "Yes!").words


def hugo_takes_over(table: Table) -> None:
    offer = table.newest("Hugo", "Would you play Italy?")
    receipt = table.reply("Hugo", offer, "YES")
    assert "you now play Italy in the game marne" in receipt.words
    start = table.newest("Hugo", "You play Italy now")
    assert "(A Rome, A Venice, F Naples)" in start.words
    assert start.answer_to not in (offer.answer_to, table.newest("Emma", "results").answer_to)
    assert table.has("Emma", "another player has Italy now")
    assert "Hugo" in table.newest("Ana", "Italy has a new player").words


def emma_is_too_late(table: Table) -> None:
    said = table.reply("Emma", table.newest("Emma", "results"), "A Rome - Apulia").words
    assert "You no longer play Italy in the game marne, so nothing was done." in said
    assert not OrderSet.objects.filter(seat__player__name="Emma").exists()
    said = table.reply("Emma", table.newest("Emma", "civil disorder"), "RETURN").words
    assert "has a new player now" in said


def the_game_goes_on(table: Table) -> None:
    start = table.newest("Hugo", "You play Italy now")
    receipt = table.reply("Hugo", start, "A Rome - Apulia\nA Venice Holds\nF Naples Holds")
    assert "A Rome - Apulia" in receipt.words
    for name in POWERS:
        if name != "Emma":
            table.orders(name, table.newest(name, "results"))
    rounds()
    assert table.cast.phase.name == "S1902M"
    assert "A Apulia" in table.cast.phase.position["units"]["Italy"]
    assert table.has("Hugo", "Fall 1901 movement: results")
    assert not table.has("Emma", "Fall 1901 movement: results")
    kinds = list(table.cast.game.events.order_by("number").values_list("kind", flat=True))
    told = [kind for kind in kinds if kind.startswith(("disorder", "seat"))]
    assert told == [
        "disorder_declared",
        "seat_offered",
        "seat_taken",
    ]
