"""Whose orders are they, and which lines: forged senders, quotes, signatures, over real servers."""

from __future__ import annotations

import email.utils
import uuid
from dataclasses import dataclass

import pytest
from django.utils import timezone

from games.models import OrderSet
from games.queries.orders.current_orders import current_lines
from mailer import jobs
from mailer.models import InboundMail
from tests.cast import Cast, address_of, lately, make_cast
from tests.conftest import JudgeMailbox
from tests.flows.clients import Quoted, mutt, quoted_printable_reply
from tests.flows.people import Letter, Person, about

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]
CARLAS = ["A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"]
FORGED = "A Paris Holds\nA Marseilles Holds\nF Brest Holds"


@dataclass
class Scene:
    """The game `marne` just started, everybody with a start mail in their mailbox."""

    cast: Cast
    box: JudgeMailbox

    def person(self, name: str) -> Person:
        return Person(name, address_of(name), mutt, self.box.dovecot, self.box.smtp)

    def round(self) -> None:
        jobs.do_round(timezone.now())

    def start_mail(self, name: str) -> Letter:
        letter = self.person(name).find(about("[marne]", "starts"))
        assert letter is not None
        return letter

    def france(self) -> list[str]:
        power = self.cast.seat("France").power
        return list(current_lines(self.cast.phase, power))

    def forge(self, victim: str, to: str, text: str, **headers: str) -> None:
        """A mail of Mallory's that claims to come from the victim."""
        head = {
            "From": f"{victim} <{address_of(victim)}>",
            "To": to,
            "Message-ID": f"<{uuid.uuid4().hex}@mallory.test>",
            "Date": email.utils.formatdate(),
            **headers,
        }
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in head.items()]
        raw = "\r\n".join([*lines, "", *text.splitlines(), ""]).encode()
        self.box.deliver(raw, sender="mallory@mallory.test", to=to)


@pytest.fixture
def scene(judge_mailbox: JudgeMailbox) -> Scene:
    for name in ("Ana", "Ben", "Carla"):  # one mailbox for all tests of this session: emptied
        with judge_mailbox.dovecot.client(address_of(name)) as client:
            client.delete_messages(client.search())
            client.expunge()
    scene = Scene(make_cast(now=lately()), judge_mailbox)
    scene.round()
    return scene


def test_a_forged_from_line_alone_orders_nothing(scene: Scene) -> None:
    scene.forge("Carla", scene.box.address, f"marne\n{FORGED}")

    scene.round()

    assert scene.france() == []
    (held,) = InboundMail.objects.filter(sender=address_of("Carla"))
    assert held.state == InboundMail.State.HELD


def test_the_owner_is_asked_and_mallory_hears_nothing(scene: Scene) -> None:
    scene.forge("Carla", scene.box.address, FORGED, Reply_To="mallory@mallory.test")

    scene.round()

    carla = scene.person("Carla").look()
    assert len(carla) == 2  # the start mail and the question
    assert scene.box.dovecot.count("mallory@mallory.test") == 0


def test_what_the_owner_confirms_counts_from_when_it_came(scene: Scene) -> None:
    scene.forge("Carla", scene.box.address, "\n".join(CARLAS))
    scene.round()
    arrived = InboundMail.objects.get(sender=address_of("Carla")).received_at

    carla = scene.person("Carla")
    carla.answer(carla.look()[-1], "Yes")
    scene.round()

    assert scene.france() == CARLAS
    assert OrderSet.objects.get().received_at == arrived


def test_a_stolen_reply_address_is_of_no_use_to_another_sender(scene: Scene) -> None:
    """The token in the address is known to whoever was forwarded the mail."""
    stolen = scene.start_mail("Carla").answer_to
    mallory = Person("Mallory", "mallory@mallory.test", mutt, scene.box.dovecot, scene.box.smtp)
    mallory.send(stolen, mallory.compose(stolen, FORGED))

    scene.round()

    assert scene.france() == []
    assert InboundMail.objects.get(sender="mallory@mallory.test").state == InboundMail.State.HELD


def test_another_players_reply_address_does_not_order_for_them(scene: Scene) -> None:
    """Ben, a registered player, answers a mail to Carla that was forwarded to Ben."""
    letter = scene.start_mail("Carla")
    scene.person("Ben").answer(letter, FORGED)

    scene.round()

    assert scene.france() == []
    assert not OrderSet.objects.exists()


def test_a_token_in_the_text_is_no_proof(scene: Scene) -> None:
    stolen = scene.start_mail("Carla").answer_to
    scene.forge("Carla", scene.box.address, f"{stolen}\n{FORGED}")

    scene.round()

    assert scene.france() == []


def test_two_from_lines_order_nothing(scene: Scene) -> None:
    stolen = scene.start_mail("Carla").answer_to
    doubled = f"{address_of('Carla')}\r\nFrom: mallory@mallory.test"
    scene.forge("Carla", stolen, FORGED, From=doubled)

    scene.round()

    assert scene.france() == []


def test_quoted_printable_with_a_quoted_reply_and_a_signature(scene: Scene) -> None:
    letter = scene.start_mail("Carla")
    quoted = Quoted(
        sender="Diplomacy judge <judge@game.test>",
        date="Mon, 2 Mar 2026 12:00:00 +0000",
        subject=letter.subject,
        text="A Paris - Picardy\nA Marseilles - Gascony\n" + letter.text,
    )
    raw = quoted_printable_reply(address_of("Carla"), letter.answer_to, "\n".join(CARLAS), quoted)
    scene.box.deliver(raw, sender=address_of("Carla"), to=letter.answer_to)

    scene.round()

    assert scene.france() == CARLAS
    receipt = scene.person("Carla").look()[-1]
    for order in CARLAS:
        assert order in receipt.words
    assert "“A Paris - Picardy”: quoted from another mail." in receipt.words


def test_the_same_mail_delivered_twice_is_one_order_set(scene: Scene) -> None:
    carla = scene.person("Carla")
    letter = scene.start_mail("Carla")
    mail = carla.compose(letter.answer_to, "\n".join(CARLAS), letter)
    carla.send(letter.answer_to, mail)
    carla.send(letter.answer_to, mail)

    scene.round()

    assert OrderSet.objects.count() == 1
    assert scene.france() == CARLAS
    assert len([each for each in carla.look() if "results" not in each.subject]) == 2


def test_an_earlier_mail_sent_again_does_not_undo_a_later_one(scene: Scene) -> None:
    """A replay: whoever saw Carla's first mail sends its bytes once more."""
    carla = scene.person("Carla")
    letter = scene.start_mail("Carla")
    first = carla.compose(letter.answer_to, FORGED, letter)
    carla.send(letter.answer_to, first)
    scene.round()
    carla.answer(letter, "\n".join(CARLAS))
    scene.round()

    scene.box.deliver(first.as_bytes(), sender="mallory@mallory.test", to=letter.answer_to)
    scene.round()

    assert scene.france() == CARLAS
