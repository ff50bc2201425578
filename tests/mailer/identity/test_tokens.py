"""What reply addresses stand for: each is stored, found again, and stays what it was."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

import pytest

from games.models import Offer, Power, Press
from mailer.models import InboundMail, ReplyToken
from mailer.outbound import addresses
from mailer.outbound.tokens import (
    ForAddress,
    ForGm,
    ForGmHeldMail,
    ForGmPress,
    ForHeldMail,
    ForModerators,
    ForMuster,
    ForOffer,
    ForPress,
    ForSeat,
    Token,
)
from tests.cast import NOW, Cast
from tests.mailer.correspondence import write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
Purpose = ReplyToken.Purpose


def press(cast: Cast) -> Press:
    return Press.objects.create(
        game=cast.game,
        seat=cast.seat("France"),
        number=1,
        text="Well?",
        circle="x",
        created_at=NOW,
    )


def offer(cast: Cast) -> Offer:
    expires_at = NOW + dt.timedelta(days=1)
    hugo = cast.player("Hugo")
    power = Power.objects.get(game=cast.game, name="Italy")
    return Offer.objects.create(power=power, player=hugo, made_at=NOW, expires_at=expires_at)


def mail(cast: Cast) -> InboundMail:
    return write("Carla", "A Par - Bur")


EVERY: Mapping[str, Callable[[Cast], Token]] = {
    Purpose.SEAT: lambda cast: ForSeat(cast.seat("France"), cast.phase),
    Purpose.ADDRESS: lambda cast: ForAddress(cast.player("Hugo").record),
    Purpose.MODERATORS: lambda cast: ForModerators(cast.player("Hugo").record),
    Purpose.HERE: lambda cast: ForMuster(cast.player("Hugo").record, cast.game),
    Purpose.OFFER: lambda cast: ForOffer(cast.player("Hugo").record, offer(cast)),
    Purpose.ANSWER: lambda cast: ForPress(cast.seat("Turkey"), press(cast), to_all=False),
    Purpose.ANSWER_ALL: lambda cast: ForPress(cast.seat("Turkey"), press(cast), to_all=True),
    Purpose.MAIL: lambda cast: ForHeldMail(mail(cast)),
    Purpose.GM: lambda cast: ForGm(cast.gm, cast.game),
    Purpose.GM_ANSWER: lambda cast: ForGmPress(cast.gm, press(cast)),
    Purpose.GM_MAIL: lambda cast: ForGmHeldMail(cast.gm, cast.game, mail(cast), "as it was"),
}


def test_every_purpose_is_tried() -> None:
    assert set(EVERY) == set(Purpose)


@each_row("purpose", Purpose)
def test_what_a_reply_address_stands_for_is_found_by_it(marne: Cast, purpose: str) -> None:
    token = EVERY[purpose](marne)
    assert addresses.find([addresses.address_for(token, now=NOW)]) == token
    assert ReplyToken.objects.latest("pk").purpose == purpose


def test_a_seat_outside_of_any_phase_has_an_address_too(marne: Cast) -> None:
    token = ForSeat(marne.seat("France"), None)
    assert addresses.find([addresses.address_for(token, now=NOW)]) == token


def test_an_answer_to_all_wins_whichever_recipient_stands_first(marne: Cast) -> None:
    seat, letter = marne.seat("Turkey"), press(marne)
    both = [
        addresses.answer_address(seat=seat, press=letter, to_all=to_all, now=NOW)
        for to_all in (False, True)
    ]
    assert addresses.find(both) == addresses.find(both[::-1]) == ForPress(seat, letter, to_all=True)


SECRETS = {
    "seat:1:2:-:-:-": lambda: ReplyToken(purpose=Purpose.SEAT, seat_id=1, phase_id=2),
    "address:-:-:3:-:-": lambda: ReplyToken(purpose=Purpose.ADDRESS, address_id=3),
    "answer:1:-:-:-:4": lambda: ReplyToken(purpose=Purpose.ANSWER, seat_id=1, press_id=4),
    "here:-:-:3:-:-:5": lambda: ReplyToken(purpose=Purpose.HERE, address_id=3, game_id=5),
    "offer:-:-:3:-:-:offer 6": lambda: ReplyToken(purpose=Purpose.OFFER, address_id=3, offer_id=6),
    "gm_mail:-:-:-:7:-:5:user 8": lambda: ReplyToken(
        purpose=Purpose.GM_MAIL, mail_id=7, game_id=5, user_id=8
    ),
}


@each_row("made_of", SECRETS)
def test_what_a_secret_is_made_of_never_changes(made_of: str) -> None:
    """Players answer mails of last year: their reply addresses are derived again from the row."""
    assert addresses._stands_for(SECRETS[made_of]()) == made_of
