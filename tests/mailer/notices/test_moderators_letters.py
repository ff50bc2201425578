"""A moderator writes to a player by name, and the answer comes back."""

from __future__ import annotations

import pytest

from games.acts import PLAYER_ACTS
from games.acts.players.write import Parameters
from games.errors import WrongState
from games.models import Conduct, OrderSet, Player
from games.services.moderation.staff import moderator_appoint, user_at
from mailer.models import InboundMail, OutboundMail
from mailer.notices.messages import moderation_mail
from tests.cast import NOW, Cast, address_of
from tests.games.acts.acting import staff
from tests.mailer.correspondence import answer_to, eml, receive, write

pytestmark = pytest.mark.django_db
ADA = "ada@secret.test"


@pytest.fixture
def letter(marne: Cast) -> OutboundMail:
    """What Ada Ayer wrote to Carla."""
    ada = user_at(email=ADA, name="Ada Ayer")
    moderator_appoint(user=ada)
    PLAYER_ACTS["write"].perform(
        marne.player("Carla"), Parameters(text="Are you well?"), by=ada, now=NOW
    )
    moderation_mail.tell_all(NOW)
    return OutboundMail.objects.get(kind="conduct")


def test_the_player_reads_who_writes_and_not_from_which_address(letter: OutboundMail) -> None:
    assert letter.recipient == address_of("Carla")
    assert "Ada Ayer" in letter.body
    assert "\n  Are you well?\n" in letter.body, "set apart from our own words"
    assert "secret.test" not in letter.body + letter.reply_to


def test_the_answer_comes_back_and_stands_in_the_file(letter: OutboundMail) -> None:
    answer = write("Carla", "Hi Ada,\nA Par - Bur was my plan.\nI was ill.", to=letter.reply_to)
    assert "Passed on to the moderators" in answer_to(answer).subject
    assert not OrderSet.objects.exists()
    moderation_mail.tell_all(NOW)
    told = OutboundMail.objects.get(kind="asked")
    assert told.recipient == ADA
    assert "\n  A Par - Bur was my plan.\n  I was ill.\n" in told.body, "set apart"
    file = Conduct.objects.filter(player__name="Carla").order_by("pk")
    assert [one.kind for one in file] == ["written", "asked"]


def test_nobody_else_answers_in_the_player_s_name(letter: OutboundMail) -> None:
    mail = receive(eml("I leave.", sender=address_of("Ben"), to=letter.reply_to))
    assert mail.state == InboundMail.State.HELD
    assert not Conduct.objects.filter(kind="asked").exists()
    question = mail.answers.get()
    assert question.recipient == address_of("Carla")
    assert "to a reply address that only you have" in " ".join(question.body.split())
    write("Carla", "YES", to=question.reply_to)
    assert Conduct.objects.get(kind="asked").why == "I leave."


def test_a_player_whom_no_mail_reaches_is_not_written_to(db: None) -> None:
    nobody = Player.objects.create(name="Nobody", created_at=NOW)
    act = PLAYER_ACTS["write"]
    assert "no confirmed address" in act.why_not(nobody, NOW)
    with pytest.raises(WrongState):
        act.perform(nobody, Parameters(text="Hello"), by=staff("Ada Ayer"), now=NOW)
