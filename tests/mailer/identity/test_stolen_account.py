"""Somebody with a leaked reply address who can forge a From line takes no account unseen."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Address, Conduct
from mailer.models import OutboundMail
from mailer.privacy import data_requests
from tests.cast import DAY, NOW, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, to_seat, told_cast, write
from tests.mailer.correspondence import replied as said

pytestmark = pytest.mark.django_db
ANA, THIEF = address_of("Ana"), "thief@elsewhere.test"


@pytest.fixture
def leaked(db: None) -> str:
    """A reply address of Ana's, which she forwarded to somebody."""
    cast: Cast = told_cast()
    return to_seat(cast, "Austria")


def add(leaked: str) -> None:
    """The thief names an address of theirs in her name, and confirms it there."""
    write("Ana", f"SET ADDRESS {THIEF}", to=leaked)
    question = OutboundMail.objects.get(kind="question", recipient=THIEF)
    write("x", "CONFIRM", sender=THIEF, to=question.reply_to)


def told_ana() -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(kind="own_address", recipient=ANA).order_by("pk"))


def test_the_address_of_record_is_told_of_one_that_is_confirmed(leaked: str) -> None:
    add(leaked)
    [news] = told_ana()
    assert f"{THIEF} is now one of your addresses" in flat(news.body)
    write("Ana", f"SET FORGET {THIEF}", to=news.reply_to)
    assert not Address.objects.filter(email=THIEF).exists()


def test_who_was_written_to_is_told_where_we_write_now(leaked: str) -> None:
    add(leaked)
    write("Ana", f"SET RECORD {THIEF}", to=leaked)
    news = told_ana()[-1]
    assert f"From now on we write to {THIEF}" in flat(news.body)
    write("Ana", f"SET RECORD {ANA}\nSET FORGET {THIEF}", to=news.reply_to)
    [left] = Address.objects.filter(player__name="Ana")
    assert (left.email, left.of_record) == (ANA, True)


def test_an_address_that_we_wrote_to_is_forgotten_a_week_later_at_the_earliest(
    leaked: str,
) -> None:
    add(leaked)
    both = write("Ana", f"SET RECORD {THIEF}\nSET FORGET {ANA}", to=leaked)
    assert f"We wrote to {ANA} until recently, so it stays yours for a week" in said(both)
    assert "If somebody else reads your mails there, tell us: write MODERATOR" in said(both)
    home = told_ana()[-1].reply_to
    forget = f"SET FORGET {ANA}"
    early = write("Ana", forget, to=home, received_at=NOW + 7 * DAY - dt.timedelta(seconds=1))
    assert "stays yours for a week" in said(early)
    write("Ana", forget, to=home, received_at=NOW + 7 * DAY)
    assert [one.email for one in Address.objects.filter(player__name="Ana")] == [THIEF]


def test_who_has_us_write_where_we_write_anyway_is_told_nothing(leaked: str) -> None:
    answer_to(write("Ana", f"SET RECORD {ANA}", to=leaked))
    assert not told_ana()


def got_data() -> list[str]:
    """To whom all that we keep about her goes."""
    data_requests.carry_out(NOW)
    return [mail.recipient for mail in OutboundMail.objects.filter(kind="own_data")]


def test_nobody_gets_all_the_data_of_somebody_whose_mails_they_have_us_send_elsewhere(
    leaked: str,
) -> None:
    add(leaked)
    write("Ana", f"SET RECORD {THIEF}", to=leaked)
    asked = write("Ana", "EXPORT", to=leaked)
    assert "So that nobody else can get your data" in said(asked)
    assert f"write SET RECORD {ANA}, and EXPORT again" in said(asked)
    assert got_data() == []
    write("Ana", f"SET RECORD {ANA}\nEXPORT", to=told_ana()[-1].reply_to)
    assert got_data() == [ANA]


def test_nobody_has_somebody_erased_whose_mails_they_have_us_send_elsewhere(leaked: str) -> None:
    add(leaked)
    write("Ana", f"SET RECORD {THIEF}", to=leaked)
    asked = write("Ana", "ERASE", to=leaked)
    assert "So that nobody else can have you erased" in said(asked)
    assert not Conduct.objects.exists()
    write("Ana", f"SET RECORD {ANA}\nERASE", to=told_ana()[-1].reply_to)
    assert Conduct.objects.filter(player__name="Ana", settled_at=None).exists()


def test_a_wish_to_be_erased_can_be_taken_back_from_anywhere(leaked: str) -> None:
    add(leaked)
    write("Ana", f"ERASE\nSET RECORD {THIEF}", to=leaked)
    write("Ana", "ERASE OFF", to=leaked)
    assert not Conduct.objects.filter(settled_at=None).exists()


def test_data_that_were_asked_for_before_go_where_we_wrote_then(leaked: str) -> None:
    add(leaked)
    write("Ana", f"EXPORT\nSET RECORD {THIEF}", to=leaked)
    assert got_data() == [ANA]


def test_whoever_moved_a_week_ago_gets_their_data_at_the_new_address(leaked: str) -> None:
    add(leaked)
    write("Ana", f"SET RECORD {THIEF}", to=leaked)
    write("Ana", "EXPORT", to=told_ana()[-1].reply_to, received_at=NOW + 7 * DAY)
    assert got_data() == [THIEF]
