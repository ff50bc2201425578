"""Deadlines as calendar files in mails: who gets which, and that calendars and readers take them.

Files are read by `icalendar`, which calendars use, and mails by the standard library.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from email import policy
from email.message import EmailMessage
from typing import NamedTuple

import pytest
from icalendar import Calendar

from games.models import Event
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause, game_resume
from games.services.endings.ending import game_end
from games.services.ordering.gm_orders import orders_set
from games.services.seating.seats import seat_take, seat_vacate
from games.timing.ics import Deadline, calendar_file
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.outbound.compose import compose
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, home, parsed, receive, write
from tests.mailer.notices.played import set_position

pytestmark = pytest.mark.django_db

PUBLISHED, CANCELLED = "deadline.ics", "deadline-cancelled.ics"


class Entry(NamedTuple):
    """What a calendar learns from one file."""

    file: str
    method: str
    uid: str
    sequence: int
    at: dt.datetime
    title: str


def files(mail: OutboundMail) -> list[EmailMessage]:
    return [one for one in parsed(mail).walk() if one.get_content_type() == "text/calendar"]


def entries(mail: OutboundMail) -> list[Entry]:
    return [_entry(one) for one in files(mail)]


def _entry(part: EmailMessage) -> Entry:
    calendar = Calendar.from_ical(part.get_content())
    [one] = calendar.walk("VEVENT")
    assert part["Content-Type"].params["method"] == calendar["METHOD"]
    assert part.get_content_disposition() == "attachment"
    return Entry(
        file=part.get_filename() or "",
        method=str(calendar["METHOD"]),
        uid=str(one["UID"]),
        sequence=int(one["SEQUENCE"]),
        at=one.decoded("DTSTART"),
        title=str(one["SUMMARY"]),
    )


def newest(kind: str, name: str = "Carla") -> OutboundMail:
    mail = OutboundMail.objects.filter(kind=kind, recipient=address_of(name)).first()
    assert mail, f"{name} has a mail about {kind}"
    return mail


def processed(cast: Cast, at: dt.datetime) -> OutboundMail:
    """The result mail of Carla, who plays France, after her phase was processed then."""
    phase_process_now(game_id=cast.game.pk, now=at)
    jobs.tell(at)
    return newest("phase_processed")


def names(found: Sequence[Entry]) -> list[str]:
    return [one.file for one in found]


# --- Which mail carries which file ---------------------------------------------------------------


def test_a_start_mail_carries_the_first_deadline_of_its_readers_power(told: Cast) -> None:
    [one] = entries(newest("game_started"))
    assert one.file == PUBLISHED
    assert one.at == told.phase.due_at
    assert one.title == "marne: Spring 1901 movement (France)"
    everybody = OutboundMail.objects.filter(kind="game_started", player__isnull=False)
    assert len({entries(mail)[0].uid for mail in everybody}) == 7


def test_results_at_the_deadline_carry_the_next_one(told: Cast) -> None:
    due = told.phase.due_at
    assert due
    [one] = entries(processed(told, due + HOUR))
    assert one.file == PUBLISHED
    assert one.title == "marne: Fall 1901 movement (France)"


def test_results_before_the_deadline_also_take_that_out_of_calendars(told: Cast) -> None:
    [before] = entries(newest("game_started"))
    off, new = entries(processed(told, NOW + HOUR))
    assert (off.file, off.uid, off.method) == (CANCELLED, before.uid, "CANCEL")
    assert off.sequence > before.sequence
    assert new.file == PUBLISHED
    assert new.uid != before.uid


def test_a_reminder_carries_the_deadline(told: Cast) -> None:
    due = told.phase.due_at
    assert due
    jobs.remind(due - 2 * HOUR)
    jobs.tell(due - 2 * HOUR)
    [one] = entries(newest("orders_missing"))
    assert (one.file, one.at) == (PUBLISHED, due)


def test_an_extension_moves_the_entry_that_the_calendar_has(told: Cast) -> None:
    [before] = entries(newest("game_started"))
    deadline_move(game=told.game, to=before.at + DAY, why="Rest.", by=Mover("gm"), now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    [after] = entries(newest("deadline_moved"))
    assert (after.file, after.uid, after.at) == (PUBLISHED, before.uid, before.at + DAY)
    assert after.sequence > before.sequence


def test_a_pause_takes_the_entry_out_and_the_end_of_it_puts_it_back(told: Cast) -> None:
    [before] = entries(newest("game_started"))
    game_pause(game=told.game, until=None, why="", by="gm", now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    [paused] = entries(newest("game_paused"))
    game_resume(game=told.game, by="gm", now=NOW + 30 * HOUR)
    jobs.tell(NOW + 30 * HOUR)
    [again] = entries(newest("game_resumed"))
    assert names([paused, again]) == [CANCELLED, PUBLISHED]
    assert before.uid == paused.uid == again.uid
    assert before.sequence < paused.sequence < again.sequence
    assert again.at == told.phase.due_at


def test_a_rollback_takes_out_what_it_undid_and_puts_in_what_is_played_again(told: Cast) -> None:
    due = told.phase.due_at
    assert due
    [_, fall] = entries(processed(told, NOW + HOUR))
    game_rollback(game=told.game, phase="S1901M", why="A fault.", by="gm", now=NOW + DAY)
    jobs.tell(NOW + DAY)
    found = entries(newest("game_rolled_back"))
    off = [one for one in found if one.file == CANCELLED]
    [new] = [one for one in found if one.file == PUBLISHED]
    assert [one.uid for one in off] == [fall.uid]  # the results took out that of spring
    assert new.title == "marne: Spring 1901 movement (France)"
    assert new.at == told.phase.due_at
    assert new.uid not in [one.uid for one in off]


def test_the_end_of_a_game_takes_its_last_deadline_out(told: Cast) -> None:
    [before] = entries(newest("game_started"))
    game_end(game=told.game, winners=["France"], why="Agreed.", by="gm", now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    [one] = entries(newest("game_finished"))
    assert (one.file, one.uid) == (CANCELLED, before.uid)


def test_a_seat_that_changes_hands_takes_its_deadline_along(told: Cast) -> None:
    [before] = entries(newest("game_started"))
    france, hugo = told.seat("France").power, told.player("Hugo")
    seat_vacate(game=told.game, power=france, why="Away.", by="gm", now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    [off] = entries(newest("seat_vacated"))
    seat_take(game=told.game, power=france, player=hugo, now=NOW + 2 * HOUR)
    jobs.tell(NOW + 2 * HOUR)
    [taken] = entries(newest("seat_taken", "Hugo"))
    assert names([off, taken]) == [CANCELLED, PUBLISHED]
    assert before.uid == off.uid == taken.uid
    assert before.sequence < off.sequence < taken.sequence


def test_who_resigns_has_it_taken_out_and_who_returns_put_back(told: Cast) -> None:
    [before] = entries(newest("game_started"))
    asked = write("Carla", "RESIGN", to=newest("game_started").reply_to)
    question = asked.answers.get(kind="question")
    left = answer_to(write("Carla", "CONFIRM", to=question.reply_to))
    [off] = entries(left)
    write("Carla", "RETURN marne", to=home("Carla"))
    jobs.tell(NOW)
    [back] = entries(newest("seat_returned"))
    assert names([off, back]) == [CANCELLED, PUBLISHED]
    assert before.uid == off.uid == back.uid
    assert before.sequence < off.sequence < back.sequence


def test_no_other_mail_has_a_file_and_who_has_no_power_gets_none(told: Cast) -> None:
    orders_set(
        game=told.game,
        power="France",
        lines=["A Par H"],
        why="Ill.",
        by="gm",
        now=NOW + HOUR,
    )
    processed(told, NOW + 2 * HOUR)
    others = OutboundMail.objects.exclude(kind__in=["game_started", "phase_processed"])
    assert others
    for mail in others:
        assert not entries(mail), mail.kind
    for mail in OutboundMail.objects.filter(player=None):
        assert not entries(mail), mail.kind


def test_who_has_nothing_to_decide_gets_no_file(told: Cast) -> None:
    phase = told.phase
    phase.position = {**phase.position, "units": {**phase.position["units"], "France": []}}
    phase.save()
    due = phase.due_at
    assert due
    deadline_move(game=told.game, to=due + DAY, why="Rest.", by=Mover("gm"), now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    assert not entries(newest("deadline_moved"))
    assert entries(newest("deadline_moved", "Dmitri"))


def test_the_entry_of_a_winter_says_what_may_be_built(told: Cast) -> None:
    phase = set_position(told, "W1901A", units={**told.phase.position["units"], "France": []})
    assert phase.due_at
    deadline_move(
        game=told.game, to=phase.due_at + DAY, why="Rest.", by=Mover("gm"), now=NOW + HOUR
    )
    jobs.tell(NOW + HOUR)
    [(_, file)] = newest("deadline_moved").calendars
    assert "France may build 3 units." in file.replace("\r\n ", "")


# --- How a mail with a file is built ----------------------------------------------------------


def test_a_mail_with_a_file_reads_as_it_did_without(told: Cast) -> None:
    """RFC 2046, 5.1.4: text first, then HTML with its pictures inside; files stand beside both."""
    mail = processed(told, NOW + HOUR)
    message = parsed(mail)
    assert [one.get_content_type() for one in message.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "image/png",
        "text/calendar",
        "text/calendar",
    ]
    text = message.get_body(("plain",))
    assert text
    assert text.get_content().replace("\r\n", "\n") == mail.body
    assert message["Subject"] == mail.subject
    assert [one.get_filename() for one in message.iter_attachments()] == [CANCELLED, PUBLISHED]
    assert not message.defects
    raw = compose(mail)
    assert raw == compose(mail)
    assert len(raw) <= 400_000
    assert b"\n" not in raw.replace(b"\r\n", b"")
    for file in files(mail):
        assert len(file.as_bytes()) < 2_000


def test_a_plain_mail_has_its_file_beside_the_text(told: Cast) -> None:
    assert "plain text" in answer_to(write("Carla", "SET HTML OFF", to=home("Carla"))).body
    mail = processed(told, NOW + 30 * DAY)
    message = parsed(mail)
    assert [one.get_content_type() for one in message.walk()] == [
        "multipart/mixed",
        "text/plain",
        "text/calendar",
    ]


def test_a_title_in_another_script_arrives_whole() -> None:
    entry = Deadline("u@x.test", 0, False, NOW, "Größe: Frühjahr 🏰", "Größe " * 40, NOW)
    text = calendar_file([entry], judge="judge@game.test").decode()
    mail = OutboundMail(
        recipient="a@x.test",
        subject="x",
        body="x\n",
        message_id="<1@x.test>",
        created_at=NOW,
        calendars=[["PUBLISH", text]],
    )
    assert _entry(files(mail)[0]).title == "Größe: Frühjahr 🏰"
    assert compose(mail).isascii()


def test_set_calendar_off_leaves_the_files_out_and_on_brings_them_back(told: Cast) -> None:
    def said(words: str) -> str:
        return " ".join(answer_to(write("Carla", words, to=home("Carla"))).body.split())

    assert "no calendar files from now on" in said("SET CALENDAR OFF")
    assert "Calendar files: off" in said("SET")
    mail = processed(told, NOW + HOUR)
    assert not entries(mail)
    assert parsed(mail).get_content_type() == "multipart/alternative"
    assert entries(newest("phase_processed", "Dmitri"))
    assert "/calendar/" in said("SET CALENDAR")
    assert "carry it as a calendar file from now on" in said("SET CALENDAR ON")
    assert len(entries(processed(told, NOW + 2 * HOUR))) == 2
    assert "A calendar cannot be set to “maybe”." in said("SET CALENDAR maybe")


# --- What a file may say ----------------------------------------------------------------------


def test_no_file_tells_a_secret_or_anything_of_another_power(told: Cast) -> None:
    """A calendar is shared with colleagues: no reply address, no name, no order stands in it."""
    submit(told, "France", OPENINGS["France"])
    submit(told, "Germany", OPENINGS["Germany"])
    mail = processed(told, NOW + HOUR)
    text = "".join(file.get_content() for file in files(mail)).replace("\r\n ", "")
    assert mail.reply_to.partition("@")[0] not in text
    assert "judge@game.test" in text
    for secret in ("Carla", "carla@", "Dmitri", "Germany", "Burgundy", mail.message_id):
        assert secret not in text


LINE = re.compile(r"(?P<name>[A-Z-]+)(;[A-Z-]+=(\"[^\"]*\"|[^\";:,]*))*:(?P<value>.*)")
ONCE = ("UID", "DTSTAMP", "DTSTART", "SUMMARY", "SEQUENCE", "ORGANIZER", "STATUS")
UTC_TIME = re.compile(r"\d{8}T\d{6}Z")


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        (lambda cast: processed(cast, NOW + HOUR), "phase_processed"),
        (
            lambda cast: game_pause(game=cast.game, until=None, why="", by="gm", now=NOW + HOUR),
            "game_paused",
        ),
    ],
)
def test_every_file_keeps_to_the_rfc(told: Cast, what: Callable[[Cast], object], kind: str) -> None:
    """RFC 5545, 3.1 (CRLF, 75 octets), 3.3.5 (UTC), 3.6.1; RFC 5546, 3.2.1 and 3.2.5."""
    what(told)
    jobs.tell(NOW + HOUR)
    stored = [text for method, text in newest(kind).calendars]
    assert stored
    for text in stored:
        assert text.endswith("END:VCALENDAR\r\n")
        assert "\n" not in text.replace("\r\n", "")
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        lines = [LINE.fullmatch(line) for line in text.replace("\r\n ", "").splitlines()]
        found = [(one["name"], one["value"]) for one in lines if one]
        assert len(found) == len(lines)
        assert [name for name, _ in found][:2] in (["BEGIN", "PRODID"], ["BEGIN", "VERSION"])
        for name in (*ONCE, "METHOD", "PRODID", "VERSION"):
            assert [one for one, _ in found].count(name) == 1, name
        assert all(UTC_TIME.fullmatch(value) for name, value in found if name.startswith("DT"))
        values = dict(found)
        assert values["METHOD"] in ("PUBLISH", "CANCEL")
        assert (values["METHOD"] == "CANCEL") == (values["STATUS"] == "CANCELLED")
        assert "ATTENDEE" not in values


def test_a_reader_who_answers_with_the_file_attached_says_nothing_by_it(told: Cast) -> None:
    """Some programs send attachments back: nothing of a calendar is read as an order."""
    mail = processed(told, NOW + HOUR)
    at = NOW + 2 * HOUR
    to = addresses.seat_address(seat=told.seat("France"), phase=told.phase, now=at)
    back = EmailMessage()
    back["From"], back["To"], back["Subject"] = address_of("Carla"), to, "Re: results"
    back["Message-ID"] = "<back@players.test>"
    back.set_content("A Par H\n")
    for file in files(mail):
        back.add_attachment(
            file.get_content().encode(), maintype="text", subtype="calendar", filename="d.ics"
        )
    answered = receive(back.as_bytes(policy=policy.SMTP), received_at=at)
    body = answer_to(answered).body
    assert "A Paris Holds" in body or "A Par H" in body
    assert Event.objects.filter(kind="game_paused").count() == 0
