"""Pictures of what was only tried out: by a player with WHATIF, by a GM with PREVIEW."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from games.models import Game
from games.queries.reports import pictures as queries
from games.queries.reports.drawing import DRAWING
from mailer.models import OutboundMail, Picture
from mailer.models.outbound import TrialJson
from mailer.outbound import addresses
from mailer.outbound.compose import compose
from tests.cast import NOW, OPENINGS, Cast, submit
from tests.mailer.correspondence import answer_to, home, write

pytestmark = pytest.mark.django_db

TRIAL = """WHATIF
A Par - Bur
Germany: A Mun - Bur
END
"""


def tried(text: str = TRIAL, name: str = "Carla") -> OutboundMail:
    return answer_to(write(name, text, to=home(name)))


def trial_of(mail: OutboundMail) -> TrialJson:
    """What the mail's pictures are drawn from."""
    assert mail.trial
    return mail.trial


def images(mail: OutboundMail) -> list[EmailMessage]:
    message = message_from_bytes(compose(mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return [one for one in message.walk() if one.get_content_maintype() == "image"]


def test_what_would_happen_is_drawn_and_every_attempt_sends_the_same(told: Cast) -> None:
    mail = tried()
    names = [one.get_filename() for one in images(mail)]
    assert names == ["S1901M-orders.png", "S1901M-board.png"]
    assert compose(mail) == compose(mail)
    assert len(compose(mail)) <= 400_000
    assert b"would go" in compose(mail)
    assert b"would stand after" in compose(mail)


def test_nobody_elses_mail_has_these_pictures(told: Cast) -> None:
    """They are not kept with the phase: its own pictures are those of its orders."""
    compose(tried())
    assert not Picture.objects.exists()
    assert not OutboundMail.objects.exclude(kind="reply").exclude(trial=None).exists()


def test_a_trial_shows_only_what_was_asked_and_no_order_that_stands(told: Cast) -> None:
    for power, lines in OPENINGS.items():
        submit(told, power, lines)
    trial = trial_of(tried())
    assert {(one["power"], one["order"]) for one in trial["results"]} == {
        ("France", "A Paris - Burgundy"),
        ("Germany", "A Munich - Burgundy"),
    }
    before = told.phase.position["units"]
    assert {power: set(units) for power, units in trial["next"]["units"].items()} == {
        power: set(units) for power, units in before.items()
    }


def test_a_unit_that_would_be_driven_out_is_drawn_though_nobody_ordered_it(told: Cast) -> None:
    phase = told.phase
    phase.position["units"]["Germany"] = ["A Burgundy"]
    phase.save()
    results = trial_of(tried("WHATIF\nA Par - Bur\nA Mar S A Par - Bur"))["results"]
    assert [one["power"] for one in results if "dislodged" in one["result"]] == ["Germany"]


@pytest.mark.parametrize("words", ["SET MAP OFF", "SET HTML OFF"])
def test_who_wants_no_pictures_gets_none(told: Cast, words: str) -> None:
    write("Carla", words, to=home("Carla"))
    mail = tried()
    assert mail.trial is None
    assert not images(mail)


def test_a_trial_that_cannot_be_drawn_delays_no_mail_and_is_logged(
    told: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(DRAWING, "draw", broken)
    mail = tried()
    assert not images(mail)
    assert b"What would happen in" in compose(mail)
    assert "cannot be drawn" in caplog.text


def test_of_several_trials_in_a_mail_the_first_is_drawn(told: Cast) -> None:
    """Two pictures to a mail: it stays small enough for every mailbox."""
    mail = tried(f"{TRIAL}WHATIF\nA Par - Pic\nEND\n")
    assert mail.body.count("What would happen in") == 2
    assert len(images(mail)) == 2
    assert len(compose(mail)) <= 400_000


def test_a_gms_preview_shows_the_orders_that_stand(told: Cast) -> None:
    Game.objects.filter(pk=told.game.pk).update(gm_sees=Game.GMSees.ORDERS)
    submit(told, "France", OPENINGS["France"])
    to = addresses.gm_address(user=told.gm, game=told.game, now=NOW)
    write("x", "PREVIEW because France asked", sender="gm@players.test", to=to)
    question = OutboundMail.objects.get(kind="question")
    assert question.trial is None
    shown = answer_to(write("x", "CONFIRM", sender="gm@players.test", to=question.reply_to))
    assert len(images(shown)) == 2
    assert {one["power"] for one in trial_of(shown)["results"] if one["text"]} == {"France"}


@pytest.mark.parametrize("name", ["F1901R", "W1901A"])
def test_a_trial_is_drawn_in_every_kind_of_phase(told: Cast, name: str) -> None:
    phase = told.phase
    phase.name = phase.position["phase"] = name
    phase.position["dislodged"] = []
    assert len(queries.trial_pictures(queries.Trial(phase, [], phase.position, None))) == 2
