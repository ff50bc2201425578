"""A game master's commands about time: deadlines, pauses and reminders."""

from __future__ import annotations

import pytest

from games.models import Game
from games.services.adjudication.phases import phase_process
from mailer import notices
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, Cast
from tests.mailer.correspondence import answer_to, flat, write
from tests.mailer.gm.writing import GM, as_gm, order
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def test_a_gm_extends_by_a_reply_and_everybody_is_told_why(marne: Cast) -> None:
    before = marne.phase.due_at
    assert before
    body = order(marne, "EXTEND 24h because the mail server was down")
    assert "EXTEND in marne:" in body
    assert marne.phase.due_at == before + DAY
    assert marne.events("deadline_moved")[0].payload["why"] == "the mail server was down"


def test_a_gm_reads_why_a_deadline_goes_beyond_the_day_that_they_named(marne: Cast) -> None:
    Game.objects.update(days_off="Sat Sun")
    body = order(marne, "EXTEND TO Saturday 20:00 because of rain")
    assert "is now due on Mon 9 Mar 2026, 20:00 UTC. Sat 7 Mar 2026, 20:00 UTC is on one" in body
    assert "of this game's days off (nothing is due on Saturdays and Sundays)." in body
    body = order(marne, "EXTEND TO Tuesday 10 Mar 20:00 because of rain")
    assert "is now due on Tue 10 Mar 2026, 20:00 UTC." in body
    assert "days off" not in body
    assert " . " not in body


@pytest.mark.parametrize("text", ["EXTEND 24h because of rain", "extend 24h, Because  of: rain"])
def test_a_reason_after_because_of_is_told_as_a_reason(marne: Cast, text: str) -> None:
    order(marne, text)
    assert marne.events("deadline_moved")[0].payload["why"] == "rain"


def test_pause_and_resume_need_no_question(marne: Cast) -> None:
    order(marne, "PAUSE because we are looking for a substitute")
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.PAUSED
    order(marne, "RESUME")
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.ACTIVE


@pytest.mark.parametrize("text", ["RESUME because Hugo has come", "RESUME Hugo has come"])
def test_everybody_is_told_why_the_clock_runs_again(marne: Cast, text: str) -> None:
    order(marne, "PAUSE because we are looking for a substitute")
    order(marne, text)
    [event] = marne.events("game_resumed")
    notices.tell_event(event, now=NOW)
    bodies = [flat(mail.body) for mail in OutboundMail.objects.filter(event=event)]
    assert len(bodies) == 8
    assert all("says why: Hugo has come" in body for body in bodies)


@each_row(
    ("text", "due_at"),
    [
        ("EXTEND TO 2026-03-30 20:00 because of the holidays", "Mon 30 Mar 2026, 20:00 UTC"),
        ("EXTEND TO 2026-03-30 8.30 pm because of the holidays", "Mon 30 Mar 2026, 20:30 UTC"),
        ("EXTEND TO Friday 21:00 because of the holidays", "Fri 6 Mar 2026, 21:00 UTC"),
        ("EXTEND UNTIL 30.3. at 20:00 because of the holidays", "Mon 30 Mar 2026, 20:00 UTC"),
        ("EXTEND TO 9pm on Friday because of the holidays", "Fri 6 Mar 2026, 21:00 UTC"),
        ("EXTEND UNTIL 30 Mar 8:30 p.m. because of the holidays", "Mon 30 Mar 2026, 20:30 UTC"),
        ("EXTEND REGULAR because of the holidays", "Fri 6 Mar 2026, 12:00 UTC"),
    ],
)
def test_a_deadline_is_moved_to_a_time_or_to_the_next_of_the_clock(
    marne: Cast, text: str, due_at: str
) -> None:
    assert due_at in order(marne, text)
    [event] = marne.events("deadline_moved")
    assert event.payload["why"] == "the holidays"


@each_row(
    ("to", "asks"),
    [
        (f"{NOW:%A} 21:00", f"Today is {NOW:%A}. Write today if you mean today, or "),
        ("21:30", "Please write the day, too, for example: today 21:30"),
        ("today 13pm", "is not a time of day"),
    ],
)
def test_a_deadline_that_may_be_one_of_two_is_asked_for(marne: Cast, to: str, asks: str) -> None:
    assert asks in order(marne, f"EXTEND TO {to} because of the holidays")
    assert marne.events("deadline_moved") == []


@each_row("day", ["2027-01-02", "2 Jan 2027", "Jan 2, 2027"])
def test_a_game_is_paused_until_a_day(marne: Cast, day: str) -> None:
    order(marne, f"PAUSE UNTIL {day} because of the holidays")
    marne.game.refresh_from_db()
    assert str(marne.game.resume_at).startswith("2027-01-02")
    assert marne.events("game_paused")[0].payload["why"] == "the holidays"


BERLIN = {"timezone": "Europe/Berlin"}


@pytest.mark.parametrize(
    ("settings", "day", "until"),
    [
        (BERLIN, "2 Jan 2027", "Sat 2 Jan 2027, 00:00 CET (Fri 23:00 UTC)"),
        (BERLIN | {"movement_clock": "Tue Fri 20:00"}, "5 Jan 2027", "Tue 5 Jan 2027, 20:00 CET"),
        (BERLIN | {"movement_clock": "Tue Fri 20:00"}, "2 Jan 2027", "Sat 2 Jan 2027, 20:00 CET"),
        (BERLIN | {"movement_clock": "Tue 20:00"}, "2 Jan 2027 9:30", "Sat 2 Jan 2027, 09:30 CET"),
    ],
)
def test_a_pause_until_a_day_ends_at_the_games_time_and_the_answer_says_when(
    marne: Cast, settings: dict[str, str], day: str, until: str
) -> None:
    Game.objects.update(**settings)
    assert until in order(marne, f"PAUSE UNTIL {day} because of the holidays")


@each_row(
    ("text", "said"),
    [
        ("PAUSE UNTIL Xmas because of the holidays", "We cannot read “Xmas” as a day, so"),
        ("PAUSE UNTIL because of the holidays", "Please say until when."),
        ("PAUSE UNTIL 3/4 because of the holidays", "may be 3 Apr or 4 Mar"),
        ("EXTEND TO Fri 25 o'clock because of rain", "We cannot read “Fri 25 o'clock” as a day."),
    ],
)
def test_an_end_that_cannot_be_read_neither_pauses_for_ever_nor_extends(
    marne: Cast, text: str, said: str
) -> None:
    assert said in order(marne, text)
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.ACTIVE
    assert not marne.events("deadline_moved")


def test_a_gm_reminds_those_who_owe_orders(marne: Cast) -> None:
    assert "REMIND in marne:" in order(marne, "REMIND")
    assert marne.events("orders_missing")


@each_row(
    "text",
    [
        "POSTPONE 24h because of rain",
        "DELAY by a day because of rain",
        "EXTEND one day because of rain",
    ],
)
def test_a_deadline_is_put_off_in_other_words(marne: Cast, text: str) -> None:
    before = marne.phase.due_at
    assert before
    order(marne, text)
    assert marne.phase.due_at == before + DAY
    assert marne.events("deadline_moved")[0].payload["why"] == "rain"


@pytest.mark.parametrize("text", ["PAUSE UNTIL 7 Jan because of rain", "EXTEND TO 7 Jan: rain"])
def test_a_day_that_has_passed_is_shown_as_it_was_read(marne: Cast, text: str) -> None:
    said = order(marne, text)
    assert "“7 Jan” is Wed 7 Jan 2026" in said
    assert "which has passed. Please write the year, too." in said


@pytest.mark.parametrize("text", ["EXTEND 24h because of rain", "EXTEND REGULAR because of rain"])
def test_a_game_that_has_waited_for_days_gets_a_day_from_now(marne: Cast, text: str) -> None:
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    due_at = marne.phase.due_at
    assert due_at
    phase_process(game_id=marne.game.pk, now=due_at)
    late = due_at + 3 * DAY
    mail = write("gm", text, sender=GM, to=as_gm(marne), received_at=late)
    assert "is now due on Mon 9 Mar 2026, 12:00 UTC." in flat(answer_to(mail).body)
    assert marne.phase.due_at == late + DAY


def test_a_second_pause_changes_the_end_of_the_first_and_says_so(marne: Cast) -> None:
    order(marne, "PAUSE UNTIL Friday because of carnival")
    assert "paused until Sat 7 Mar 2026" in order(marne, "PAUSE UNTIL Saturday because of snow")
    event = marne.events("game_paused")[-1]
    notices.tell_event(event, now=NOW)
    mails = OutboundMail.objects.filter(event=event)
    assert mails.count() == 8
    for mail in mails:
        assert mail.subject == "[marne] Spring 1901 movement: the end of the pause has changed"
        assert "stays paused in Spring 1901 movement, but the end of the pause" in flat(mail.body)
        assert "It now goes on by itself on Sat 7 Mar 2026" in flat(mail.body)
