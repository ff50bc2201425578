"""A deadline that the GM mistyped is taken back by mail: asked first, told to all at once."""

from __future__ import annotations

import datetime as dt
from email import message_from_bytes, policy

import pytest
from icalendar import Calendar

from games.models import Game
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.outbound.compose import compose
from tests.cast import DAY, NOW, OPENINGS, POWERS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, flat, gm_reads, write

pytestmark = pytest.mark.django_db
GM = "gm@players.test"
DUE = NOW + 3 * DAY


def confirmed() -> str:
    asked = OutboundMail.objects.filter(kind="question").latest("pk")
    return flat(answer_to(write("gm", "yes", sender=GM, to=asked.reply_to)).body)


def corrected(cast: Cast) -> dict[str, OutboundMail]:
    """Put the deadline off to 2027 and take it back; return what everybody is told of that."""
    gm_reads(cast, "EXTEND TO 7 March 2027 12:00 because of carnival")
    confirmed()
    gm_reads(cast, "EXTEND TO 7 March 2026 12:00 because the year was wrong")
    confirmed()
    jobs.tell(NOW)
    return {mail.recipient: mail for mail in OutboundMail.objects.filter(kind="deadline_corrected")}


def test_a_deadline_put_off_by_a_year_is_asked_about_first(told: Cast) -> None:
    asked = gm_reads(told, "EXTEND TO 7 March 2027 12:00 because of carnival")
    assert "to Sun 7 Mar 2027, 12:00 UTC, in 370 days" in asked
    assert told.phase.due_at == DUE
    assert "If that was a slip, extend it to the right time: Thu 5 Mar 2026" in confirmed()


def test_a_week_more_needs_no_question_and_the_answer_says_how_to_mend_a_slip(told: Cast) -> None:
    said = gm_reads(told, "EXTEND 7d because of carnival")
    assert "is now due on Thu 12 Mar 2026, 12:00 UTC. If that was a slip, extend it to" in said
    assert told.phase.due_at == DUE + 7 * DAY


def test_who_puts_it_off_twice_within_an_hour_reads_that_both_count(told: Cast) -> None:
    once = gm_reads(told, "EXTEND 24h because of carnival")
    assert "both delays count" not in once
    lately = "ago the GM put it off from Thu 5 Mar 2026, 12:00 UTC to Fri 6 Mar 2026"
    assert lately in gm_reads(told, "EXTEND TO 7 March 2027 12:00 because of the carnival")
    twice = gm_reads(told, "EXTEND 24h because of the carnival")
    assert f"{lately}, 12:00 UTC, and both delays count. If that was a slip" in twice
    assert "extend it to the right time: Fri 6 Mar 2026, 12:00 UTC or later" in twice
    address = addresses.seat_address(seat=told.seat("France"), phase=told.phase, now=NOW)
    Game.objects.update(player_extensions=2)
    by_france = answer_to(write("Carla", "EXTEND 24h I am ill", to=address))
    assert "and both delays count." in flat(by_france.body)


def test_it_is_taken_back_after_a_yes(told: Cast) -> None:
    gm_reads(told, "EXTEND 9d because of carnival")
    asked = gm_reads(told, "EXTEND TO 7 March 2026 12:00 because 4 days are enough")
    assert "is taken back from Sat 14 Mar 2026, 12:00 UTC to Sat 7 Mar 2026, 12:00 UTC" in asked
    assert "Orders that do not come in time count against nobody in this phase." in asked
    assert not told.events("deadline_corrected")
    assert "is now due on Sat 7 Mar 2026, 12:00 UTC." in confirmed()
    assert told.phase.due_at == dt.datetime(2026, 3, 7, 12, tzinfo=dt.UTC)
    assert "both delays count" not in gm_reads(told, "EXTEND 24h because of carnival")


def test_who_goes_back_too_far_reads_how_far_they_may(told: Cast) -> None:
    gm_reads(told, "EXTEND 9d because of carnival")
    said = gm_reads(told, "EXTEND TO 4 March 2026 12:00 because of nothing")
    assert "can be taken back to Thu 5 Mar 2026, 12:00 UTC at the earliest" in said
    assert not told.events("deadline_corrected")


def test_everybody_who_plays_and_the_gm_are_told_what_it_was_and_is(told: Cast) -> None:
    submit(told, "France", OPENINGS["France"])
    mails = corrected(told)
    assert set(mails) == {address_of(name) for name in POWERS} | {GM}
    for mail in mails.values():
        assert mail.subject == (
            "[marne] Spring 1901 movement: the deadline is earlier after all, Sat 7 Mar 12:00 UTC"
        )
        said = flat(mail.body)
        assert "It was: Sun 7 Mar 2027, 12:00 UTC It is now: Sat 7 Mar 2026, 12:00 UTC" in said
        assert "says why: the year was wrong" in said
        assert "Burgundy" not in said
    assert "you have 3 units to order" in flat(mails[address_of("Ana")].body)
    assert "your orders for Spring 1901 movement are in" in flat(mails[address_of("Carla")].body)


def test_the_gm_reads_what_it_means_for_the_players(told: Cast) -> None:
    mails = corrected(told)
    assert "Orders missed in this phase count against nobody." in flat(mails[GM].body)
    assert "send some orders now" not in flat(mails[GM].body)
    assert "send some orders now" in flat(mails[address_of("Ana")].body)


def test_the_calendar_entry_moves_along(told: Cast) -> None:
    parts = message_from_bytes(
        compose(corrected(told)[address_of("Carla")]), policy=policy.default
    ).walk()
    [file] = [one for one in parts if one.get_content_type() == "text/calendar"]
    [entry] = Calendar.from_ical(file.get_content()).walk("VEVENT")
    assert entry.decoded("DTSTART") == dt.datetime(2026, 3, 7, 12, tzinfo=dt.UTC)
    assert int(entry["SEQUENCE"]) == 2
