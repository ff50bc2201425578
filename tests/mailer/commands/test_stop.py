"""STOP and UNSUBSCRIBE: what they end, what they never touch, where they mean something else."""

from __future__ import annotations

import pytest

from games.models import Address, Application, Observer, OrderSet, Player, Seat, Standby
from games.services.seating.joining import game_join
from games.services.seating.observers import observe
from games.services.seating.seats import seat_resign
from games.services.seating.standby import standby_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.commands.calls import SIGNOFF, STOP
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.models import OutboundMail
from tests.cast import NOW, Cast
from tests.mailer.commands.letters import letter
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write
from tests.rows import each_row

BARE = [
    "STOP",
    "stop.",
    "Stop!",
    "UNSUBSCRIBE",
    "Please unsubscribe me",
    "opt-out",
    "Opt out",
    "STOPALL",
    "stop sending me mails",
    "Unsubscribe me please",
    "STOP\n\nSent from my iPhone",
    "Hello,\nstop",
]


def commands(text: str, subject: str = "Hello") -> list[str]:
    return [call.command for call in read_script(letter(text), WORDS)]


@each_row("text", BARE)
def test_a_letter_with_nothing_but_the_word_asks_for_fewer_mails(text: str) -> None:
    assert commands(text) == [STOP]


@each_row(
    ("text", "read"),
    [
        ("A Par-Bur\nSTOP\nA Mar-Spa", ["orders", SIGNOFF]),
        ("A Par-Bur\nSTOP", ["orders"]),
        ("STATUS\nstop\nSTATUS", ["status", SIGNOFF]),
        ("A Par-Bur\nUnsubscribe", ["orders"]),
        ("STOP\nA Par-Bur", [STOP]),
        ("Stop Turkey, or we are all lost", ["orders"]),
    ],
)
def test_among_orders_and_commands_it_ends_what_is_read(text: str, read: list[str]) -> None:
    assert commands(text) == read


@pytest.fixture
def hugo(marne: Cast) -> Player:
    """Somebody who observes, stands by and has a place, but plays nothing."""
    hugo = Player.objects.get(name="Hugo")
    observe(game=marne.game, player=hugo, now=NOW)
    standby_join(player=hugo, now=NOW)
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=hugo, preferences="", now=NOW)
    return hugo


def told(text: str, name: str, **more: str) -> OutboundMail:
    to = more.pop("to", home(name))
    return answer_to(write(name, text, to=to, **more))


@pytest.mark.django_db
def test_it_ends_observing_offers_and_reminders_but_no_place(hugo: Player) -> None:
    said = flat(told("STOP", "Hugo").body)
    hugo.refresh_from_db()
    assert hugo.reminders == "off"
    assert not Observer.objects.filter(until=None).exists()
    assert not Standby.objects.filter(until=None).exists()
    assert Application.objects.filter(player=hugo, withdrawn_at=None).exists()
    assert "what you got as an observer of marne" in said
    assert "offers of open seats (STANDBY)" in said
    assert "You have a place in yser, which has not begun: LEAVE yser" in said


@pytest.mark.django_db
def test_a_player_keeps_their_seat_and_reads_how_to_leave_it(marne: Cast) -> None:
    write("Carla", "A Par-Bur", to=home("Carla"))
    before = (Seat.objects.filter(until=None).count(), OrderSet.objects.count())
    seat = to_seat(marne)
    mail = told("STOP", "Carla", to=seat)
    assert (Seat.objects.filter(until=None).count(), OrderSet.objects.count()) == before
    assert Player.objects.get(name="Carla").reminders == "off"
    assert "You have left no game" in flat(mail.body)
    assert "You play France in marne: RESIGN marne" in flat(mail.body)
    assert mail.subject.endswith("You get fewer mails from now on")


@pytest.mark.django_db
def test_twice_is_no_fault(hugo: Player) -> None:
    told("STOP", "Hugo")
    said = flat(told("unsubscribe", "Hugo").body)
    assert "You had already stopped everything" in said


@pytest.mark.django_db
def test_the_subject_of_an_empty_mail_says_it_too(hugo: Player) -> None:
    told("", "Hugo", subject="Unsubscribe")
    assert not Observer.objects.filter(until=None).exists()


@pytest.mark.django_db
def test_a_mail_that_anybody_could_have_sent_ends_nothing_before_a_word(hugo: Player) -> None:
    mail = write("Hugo", "STOP")
    assert "was this mail yours" in answer_to(mail).subject
    assert Observer.objects.filter(until=None).exists()


@pytest.mark.django_db
def test_a_stop_to_the_question_after_register_does_not_confirm_the_address(marne: Cast) -> None:
    write("Zoe", "REGISTER Zoe Fields", sender="zoe@players.test")
    asked = OutboundMail.objects.latest("pk")
    said = write("Zoe", "STOP", sender="zoe@players.test", to=asked.reply_to)
    assert not Address.objects.filter(email="zoe@players.test", confirmed_at__isnull=False).exists()
    assert "zoe@players.test is not registered" in flat(answer_to(said).body)


@pytest.mark.django_db
def test_a_stranger_reads_that_nothing_comes_by_itself(marne: Cast) -> None:
    mail = write("Nobody", "STOP", sender="nobody@elsewhere.test")
    assert "there is nothing to stop" in flat(answer_to(mail).body)


@pytest.mark.django_db
def test_in_an_answer_to_an_offer_it_ends_the_offers(hugo: Player, marne: Cast) -> None:
    seat_resign(seat=marne.seat("Turkey"), now=NOW)
    jobs.tell(NOW)
    offer = OutboundMail.objects.get(kind="seat_offered", player=hugo)
    told("STOP", "Hugo", to=offer.reply_to)
    assert not Standby.objects.filter(until=None).exists()
    assert not hugo.offers.filter(end="").exists()
