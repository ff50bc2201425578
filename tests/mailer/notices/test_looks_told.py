"""Who looked at what is secret is told to everybody in the game; what was seen to nobody."""

from __future__ import annotations

import pytest

from games.models import OrderSet
from games.queries.access.staff_names import Actor
from games.services.moderation.looks import Secret, look
from games.services.ordering.orders import orders_submit
from mailer import notices
from mailer.commands.calls import ORDERS
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import OutboundMail
from mailer.text import MARKER
from tests.cast import NOW, POWERS, Cast, address_of
from tests.mailer.correspondence import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(marne: Cast) -> dict[str, OutboundMail]:
    """The mails about a look at the orders of France and Italy, by recipient."""
    orders_submit(
        seat=marne.seat("France"),
        phase=marne.phase,
        lines=[(1, "A Par - Bur")],
        amend=False,
        received_at=NOW,
        source="<1@players.test>",
        now=NOW,
    )
    glimpse = look(
        phase=marne.phase,
        what=[Secret.ORDERS, Secret.PRESS],
        powers=["Italy", "France"],
        why="Two players say that they are one person.",
        by=Actor("Olga"),
        now=NOW,
    )
    assert OrderSet.objects.get() in glimpse.order_sets
    mails = notices.tell_event(glimpse.event, now=NOW)
    return {mail.recipient: mail for mail in mails}


def test_every_player_and_the_gm_are_told_and_nobody_else(told: dict[str, OutboundMail]) -> None:
    assert set(told) == {address_of(name) for name in POWERS} | {"gm@players.test"}


def test_it_says_who_at_what_of_whom_and_why(told: dict[str, OutboundMail]) -> None:
    for mail in told.values():
        text = flat(mail.body)
        assert "Looked at: orders, press" in text
        assert "Of: France, Italy" in text
        assert "Olga says why: Two players say that they are one person." in text
        assert mail.subject == "[marne] Spring 1901 movement: somebody looked at what is secret"


def test_it_says_nothing_of_what_was_seen(told: dict[str, OutboundMail]) -> None:
    assert not [mail for mail in told.values() if "Bur" in mail.body or "Par" in mail.body]


def test_it_fits_into_72_columns_and_quoted_it_commands_nothing(
    told: dict[str, OutboundMail],
) -> None:
    for mail in told.values():
        assert max(map(len, mail.body.splitlines())) <= 72
        text = mail.body.replace(MARKER, "")
        calls = read_script(read_letter(b"From: ana@players.test\n\n" + text.encode()), WORDS)
        assert [call for call in calls if call.command != ORDERS] == []


def test_each_can_answer_it_at_an_address_of_their_own(told: dict[str, OutboundMail]) -> None:
    answers = {mail.reply_to for mail in told.values()}
    assert "" not in answers
    assert len(answers) == len(told)
