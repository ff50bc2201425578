"""Mails that are worked on together: the next ones meet what the first has changed.

What is known of them is read once for all, and the first may take an address from its owner.
"""

from __future__ import annotations

import pytest
from pytest_django import Settings

from games.services.accounts.players import address_confirm
from games.services.accounts.profile import address_add
from mailer.inbound import processing
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, outbox
from tests.cast import HOUR, NOW, OPENINGS, Cast, address_of
from tests.mailer.correspondence import JUDGE, eml, stored, to_seat
from tests.mailer.reports import dsn

pytestmark = pytest.mark.django_db
State = InboundMail.State
AT_WORK = "carla@work.test"


@pytest.fixture(autouse=True)
def judge(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = JUDGE


@pytest.fixture
def france(marne: Cast) -> str:
    """The reply address of Carla, who has two addresses."""
    further = address_add(player=marne.player("Carla"), email=AT_WORK, now=NOW)
    address_confirm(address=further, now=NOW)
    return to_seat(marne)


def orders(sender: str, to: str) -> InboundMail:
    return stored(eml("\n".join(OPENINGS["France"]), sender=sender, to=to), received_at=NOW + HOUR)


def work_on(*mails: InboundMail) -> None:
    assert processing.process_inbound(now=NOW + HOUR, limit=len(mails)) == len(mails)
    for mail in mails:
        mail.refresh_from_db()


def test_an_address_that_its_owner_gives_up_orders_nothing_right_after_it(
    marne: Cast, france: str
) -> None:
    given_up = stored(eml(f"SET FORGET {AT_WORK}", sender=address_of("Carla"), to=france))
    late = orders(AT_WORK, france)
    work_on(given_up, late)
    assert [given_up.state, late.state] == [State.DONE, State.HELD]


def test_the_answer_to_orders_goes_where_their_player_wanted_it_just_before(
    marne: Cast, france: str
) -> None:
    moves = stored(eml(f"SET RECORD {AT_WORK}", sender=AT_WORK, to=france))
    late = orders(address_of("Carla"), france)
    work_on(moves, late)
    to = late.answers.order_by("recipient").values_list("kind", "recipient")
    assert list(to) == [("copy", address_of("Carla")), ("reply", AT_WORK)]


def test_a_player_who_writes_after_a_mail_to_them_was_lost_is_within_reach(
    marne: Cast, france: str
) -> None:
    lost = outbox.enqueue(
        key="lost",
        kind="phase_processed",
        recipient=address_of("Carla"),
        subject="Results",
        body="",
        now=NOW,
        priority=OutboundMail.Priority.RESULT,
        player=marne.player("Carla"),
    )
    report = stored(dsn(addresses.bounce_address(lost.message_id)))
    work_on(report, orders(address_of("Carla"), france))
    assert report.state == State.REPORT
    assert marne.player("Carla").addresses.get(of_record=True).failing_since is None
