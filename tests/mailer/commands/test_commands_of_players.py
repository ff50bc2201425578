"""The commands about the one who writes, and those that look back: SET, ABSENCE, HISTORY, MAP."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from games.models import Absence, Address, OrderSet, Player
from games.services.accounts.players import address_confirm
from games.services.accounts.profile import MOST_ADDRESSES, address_add
from games.services.adjudication.phases import phase_process_now
from games.services.endings.ending import game_end
from games.services.setup.games import game_create
from mailer.commands.own_settings.addresses import MOST_ASKED
from mailer.commands.own_settings.reminders import reminder_sentence
from mailer.commands.player.consent import confirm
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.buttons import asked_for
from tests.cast import DAY, NOW, OPENINGS, Cast, address_of, seat_fill, submit
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write
from tests.mailer.correspondence import replied as said
from tests.rows import each_row

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)
State = InboundMail.State


def to_self(name: str) -> str:
    """The reply address that proves a player."""
    address = Player.objects.get(name=name).addresses.get(of_record=True)
    return addresses.player_address(address=address, now=NOW)


# --- SET ------------------------------------------------------------------------------------


def test_set_name_changes_how_others_see_the_player(marne: Cast) -> None:
    assert "you are Ana Smith" in said(write("Ana", "SET NAME Ana Smith", to=to_self("Ana")))
    assert marne.seat("Austria").player.name == "Ana Smith"


def test_a_name_that_ends_in_a_full_stop_gets_no_second_one(marne: Cast) -> None:
    body = said(write("Ana", "SET NAME Ana S.", to=to_self("Ana")))
    assert "From now on you are Ana S. " in f"{body} "
    assert marne.seat("Austria").player.name == "Ana S."


@each_row(
    "line",
    ["SET TIMEZONE Europe/Paris", "set time zone: europe/paris", "SET TZ=Europe/Paris"],
)
def test_set_timezone_tells_times_in_that_zone(marne: Cast, line: str) -> None:
    assert "13:00 CET (12:00 UTC)" in said(write("Carla", line, to=to_self("Carla")))
    assert marne.player("Carla").timezone == "Europe/Paris"


@pytest.mark.parametrize(
    ("written", "near"), [("EST", "America/New_York"), ("mst", "America/Denver")]
)
def test_a_zone_without_summer_time_is_not_guessed_at(marne: Cast, written: str, near: str) -> None:
    body = said(write("Carla", f"SET TIMEZONE {written}", to=to_self("Carla")))
    assert f"Did you mean {near}?" in body
    assert marne.player("Carla").timezone == "UTC"


def test_a_zone_on_the_wrong_side_of_greenwich_is_not_suggested(marne: Cast) -> None:
    body = said(write("Carla", "SET TIMEZONE GMT+1", to=to_self("Carla")))
    assert "There is no time zone “GMT+1”. Write it like Europe/Berlin" in body
    assert "Etc" not in body


def test_set_an_unknown_timezone_suggests_one(marne: Cast) -> None:
    body = said(write("Carla", "SET TIMEZONE Berlin", to=to_self("Carla")))
    assert "Did you mean Europe/Berlin?" in body
    assert marne.player("Carla").timezone == "UTC"


def test_set_alone_shows_everything(marne: Cast) -> None:
    body = said(write("Carla", "SET", to=to_self("Carla")))
    assert "Name: Carla" in body
    assert "carla@players.test" in body


def test_set_alone_says_how_to_change_what_it_shows(marne: Cast) -> None:
    body = said(write("Carla", "SET", to=to_self("Carla")))
    assert "To change one, write for example SET TIMEZONE Europe/Berlin" in body


def test_set_calendar_tells_its_address_and_new_gives_it_another(
    marne: Cast, client: Client
) -> None:
    address = re.compile(r"/calendar/\S+\.ics")
    [first] = address.findall(said(write("Carla", "SET CALENDAR", to=to_self("Carla"))))
    assert b"(France)" in client.get(first).content
    [again] = address.findall(said(write("Carla", "SET CALENDAR", to=to_self("Carla"))))
    [other] = address.findall(said(write("Carla", "SET CALENDAR NEW", to=to_self("Carla"))))

    assert first == again != other
    assert client.get(first).status_code == 404
    assert b"(France)" in client.get(other).content
    assert "no calendar files" in said(write("Carla", "SET CALENDAR OFF", to=to_self("Carla")))


def test_set_something_there_is_not_names_what_there_is(marne: Cast) -> None:
    assert "NAME, TIMEZONE" in said(write("Carla", "SET COLOUR red", to=to_self("Carla")))


def test_how_somebody_is_reminded_is_said_in_a_whole_sentence() -> None:
    assert (
        reminder_sentence("24h 4h") == "We remind you this long before a deadline: 1 day, then "
        "4 hours, or halfway through a phase too short for these."
    )
    assert reminder_sentence("off") == "We will send you no more reminders."
    assert reminder_sentence("") == "From now on we remind you when each game says so."


@each_row(
    ("line", "told"),
    [
        ("SET NAME", "Please write the name, too, for example: SET NAME Ana Smith"),
        ("SET TIMEZONE", "Please write the zone, too, for example: SET TIMEZONE Europe/Berlin"),
        ("SET REMINDERS", "Please write when, too, for example: SET REMINDERS 24h 4h"),
        ("SET CALENDER OFF", "Did you mean CALENDAR?"),
        ("SET CALENDER OFF", "Reply with the word YES, and we take it as “SET CALENDAR OFF”."),
        ("SET MAIL OFF", "To pause all our mails, write MAIL OFF"),
        ("SET EMAIL carla@work.test", "We have asked at carla@work.test whether it is yours."),
        ("SET REMINDERS none", "We will send you no more reminders."),
        ("SET REMINDERS OFF.", "We will send you no more reminders."),
        (
            "SET REMINDERS" + " 24 hours and" * 20 + " 4h",
            "before a deadline: 1 day, then 4 hours, or",
        ),
        ("SET REMINDERS 2 days and 4 hours", "before a deadline: 2 days, then 4 hours, or"),
    ],
)
def test_set_is_answered_in_the_words_of_who_wrote(marne: Cast, line: str, told: str) -> None:
    assert told in said(write("Carla", line, to=to_self("Carla")))


def test_the_only_absence_is_taken_back_without_its_day(marne: Cast) -> None:
    assert "You have announced no absence" in said(
        write("Carla", "ABSENCE OFF", to=to_self("Carla"))
    )
    assert "NOT done" not in write("Carla", "ABSENCE", to=to_self("Carla")).subject
    assert "write for example ABSENCE FROM" in flat(
        said(write("Carla", "ABSENCE", to=to_self("Carla")))
    )
    write("Carla", "ABSENCE 24 Dec\nABSENCE 27 Dec", to=to_self("Carla"))
    shown = flat(said(write("Carla", "VACATION", to=to_self("Carla"))))
    assert "24 Dec 2026" in shown.partition("27 Dec 2026")[0]
    assert "To take the first of them back, write ABSENCE OFF 24 Dec 2026." in shown
    which = said(write("Carla", "ABSENCE OFF", to=to_self("Carla")))
    assert "Please write ABSENCE OFF 24 Dec 2026 or ABSENCE OFF 27 Dec 2026." in which
    write("Carla", "ABSENCE OFF 24 Dec", to=to_self("Carla"))
    gone = said(write("Carla", "ABSENCE OFF", to=to_self("Carla")))
    assert "Your absence is taken back: it was on Sun 27 Dec 2026." in gone


def test_a_player_sets_their_reminders_and_takes_the_setting_back(marne: Cast) -> None:
    said(write("Carla", "SET REMINDERS 24h 4h", to=to_self("Carla")))
    said(write("Carla", "SET REMINDERS", to=to_self("Carla")))
    assert marne.player("Carla").reminders == "24h 4h"
    said(write("Carla", "SET REMINDERS DEFAULT.", to=to_self("Carla")))
    assert marne.player("Carla").reminders == ""


def test_settings_need_proof(marne: Cast) -> None:
    assert write("Carla", "SET NAME Fool").state == State.HELD
    assert Player.objects.filter(name="Carla").exists()


# --- a second address -----------------------------------------------------------------------


def added(marne: Cast) -> InboundMail:
    return write("Carla", "SET ADDRESS carla@work.test", to=to_self("Carla"))


def test_whoever_confirms_an_address_from_another_reads_where_to_do_it(marne: Cast) -> None:
    """They answered our receipt, which has no button for that, and not the mail that we sent to the
    new address."""
    receipt = said(write("Carla", "SET ADDRESS carla@work.test", to=to_self("Carla")))
    assert "Reply CONFIRM to that mail" in receipt
    assert not list(asked_for(receipt))
    told = said(write("Carla", "CONFIRM", to=to_self("Carla")))
    assert "To confirm carla@work.test, reply CONFIRM to the mail that we sent there." in told


def test_an_address_that_the_same_mail_forgets_again_is_not_asked(marne: Cast) -> None:
    text = "SET ADDRESS carla@work.test\nSET FORGET carla@work.test"
    mail = write("Carla", text, to=to_self("Carla"))
    assert not mail.answers.filter(kind="question").exists()
    told = "carla@work.test is not an address of yours here. You have carla@players.test."
    assert told in said(mail)
    connection.check_constraints()


def test_a_player_has_us_ask_at_few_addresses_a_day(marne: Cast) -> None:
    def ask(number: int, at: dt.datetime) -> str:
        text = f"SET ADDRESS carla{number}@x.test"
        asked = said(write("Carla", text, to=to_self("Carla"), received_at=at))
        text = f"SET FORGET carla{number}@x.test"
        write("Carla", text, to=to_self("Carla"), received_at=at)
        return asked

    assert all("We have asked at" in ask(number, NOW) for number in range(MOST_ASKED))
    assert "for you today, which has to be enough. Please try again tomorrow." in ask(99, NOW)
    assert OutboundMail.objects.filter(recipient__endswith="@x.test").count() == MOST_ASKED
    assert "We have asked at" in ask(99, NOW + DAY)


def test_nobody_is_told_of_a_question_that_is_not_asked(marne: Cast) -> None:
    for name in ("Ana", "Ben", "Emma", "Felix", "Greta", "Carla"):
        asked = write(name, "SET ADDRESS shared@work.test", to=to_self(name))
        write(name, "SET FORGET shared@work.test", to=to_self(name))
        is_asked = asked.answers.filter(kind="question").exists()
        assert is_asked == ("We have asked at shared@work.test whether" in said(asked))
    assert "so often today that we ask no more before tomorrow" in said(asked)


def test_a_new_address_counts_once_it_is_confirmed_from_there(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    assert question.recipient == "carla@work.test"
    assert not Address.objects.get(email="carla@work.test").confirmed_at
    mail = write("x", "CONFIRM", sender="carla@work.test", to=question.reply_to)
    assert "Carla's, too" in said(mail)
    order = write("x", "A Par H", sender="carla@work.test", to=to_seat(marne, "France"))
    assert order.answers.get(kind="reply").recipient == address_of("Carla")
    assert OrderSet.objects.get().counts


def test_a_stranger_s_reply_without_the_word_confirms_nothing(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    write("x", "Who are you? READY", sender="carla@work.test", to=question.reply_to)
    write("x", "SET NAME Fool", sender="carla@work.test", to=question.reply_to)
    assert not Address.objects.get(email="carla@work.test").confirmed_at
    assert Player.objects.filter(name="Carla").exists()


def test_whoever_confirms_an_address_that_is_forgotten_at_that_moment_reads_what_to_do(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def just_forgotten(**given: Any) -> Player:
        Address.objects.filter(email="carla@work.test").delete()
        return address_confirm(**given)

    question = added(marne).answers.get(kind="question")
    monkeypatch.setattr(confirm, "address_confirm", just_forgotten)
    mail = write("x", "CONFIRM", sender="carla@work.test", to=question.reply_to)
    assert "no longer counts, so nothing is confirmed. Please write REGISTER" in said(mail)


def test_nobody_confirms_it_from_elsewhere(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    write("Ben", "CONFIRM", to=question.reply_to)
    assert not Address.objects.get(email="carla@work.test").confirmed_at


def test_another_player_s_address_cannot_be_added(marne: Cast) -> None:
    mail = write("Carla", "SET ADDRESS ben@players.test", to=to_self("Carla"))
    assert Address.objects.get(email="ben@players.test").player.name == "Ben"
    [told] = mail.answers.filter(recipient="ben@players.test")
    assert "it is yours alone, and we have not told Carla" in flat(told.body)
    assert told.reply_to == ""
    for word in ("CONFIRM", "YES"):
        write("Ben", word)
    assert Address.objects.get(email="ben@players.test").player.name == "Ben"


@each_row(
    "text",
    [
        "SET ADDRESS {}",
        "SET ADDRESS {0}\nSET ADDRESS {0}\nSET",
        "SET ADDRESS {0}\nSET FORGET {0}",
        "SET FORGET {}",
        "SET ADDRESS {0}\nSET RECORD {0}",
        "SET ADDRESS {}\n" + "\n".join(f"SET ADDRESS carla{n}@x.test" for n in range(6)),
    ],
)
def test_nobody_learns_by_naming_an_address_who_plays_here(marne: Cast, text: str) -> None:
    answers = []
    for email in ("BEN@players.test", "not@players.test"):
        with transaction.atomic():
            said_so = said(write("Carla", text.format(email), to=to_self("Carla")))
            answers.append(said_so.replace(email, "…"))
            transaction.set_rollback(True)
    assert answers[0] == answers[1]


def test_an_address_that_nobody_confirms_is_forgotten_in_time(marne: Cast) -> None:
    added(marne)
    later = NOW + 31 * DAY
    text = "SET ADDRESS carla@home.test"
    write("Carla", text, to=to_self("Carla"), received_at=later)
    assert not Address.objects.filter(email="carla@work.test").exists()
    assert Address.objects.filter(email="carla@home.test").exists()


def test_nobody_has_more_addresses_than_one_may(marne: Cast) -> None:
    claimed = [
        address_add(player=marne.player("Carla"), email=f"carla{n}@x.test", now=NOW)
        for n in range(MOST_ADDRESSES)
    ]
    for one in claimed[:-1]:
        address_confirm(address=one, now=NOW)
    to = addresses.player_address(address=claimed[-1], now=NOW)
    mail = write("x", "CONFIRM", sender=claimed[-1].email, to=to)
    assert "You already have 5 addresses" in said(mail)
    assert not Address.objects.get(pk=claimed[-1].pk).confirmed_at


def test_a_registration_that_was_begun_cannot_be_caught_by_another(marne: Cast) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe"))
    write("Carla", "SET ADDRESS zoe@players.test", to=to_self("Carla"))
    write("Zoe", "yes", to=asked.reply_to)
    assert not Address.objects.get(email="zoe@players.test").confirmed_at


def test_a_claim_to_an_address_is_over_when_its_owner_registers(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    asked = answer_to(write("x", "REGISTER Zoe", sender="carla@work.test"))
    write("x", "CONFIRM", sender="carla@work.test", to=question.reply_to)
    assert not Address.objects.get(email="carla@work.test").confirmed_at
    write("x", "yes", sender="carla@work.test", to=asked.reply_to)
    assert Address.objects.get(email="carla@work.test").player.name == "Zoe"
    assert Player.objects.filter(name="Carla").exists()


def test_another_address_of_record_gets_the_mails(marne: Cast) -> None:
    marne.player("Carla").addresses.create(
        email="carla@work.test", confirmed_at=NOW, created_at=NOW
    )
    mail = write("Carla", "SET RECORD carla@work.test", to=to_self("Carla"))
    assert "we write to carla@work.test" in said(mail)
    assert marne.player("Carla").address == "carla@work.test"


def test_the_address_of_record_cannot_be_forgotten_but_another_can(marne: Cast) -> None:
    marne.player("Carla").addresses.create(
        email="carla@work.test", confirmed_at=NOW, created_at=NOW
    )
    to = to_self("Carla")
    assert "Choose another" in said(write("Carla", "SET FORGET carla@players.test", to=to))
    said(write("Carla", "SET FORGET carla@work.test", to=to))
    assert [one.email for one in marne.player("Carla").addresses.all()] == ["carla@players.test"]


def test_an_address_that_is_too_long_to_be_one_is_refused(marne: Cast) -> None:
    mail = write("Carla", f"SET ADDRESS {'a' * 250}@x.test", to=to_self("Carla"))
    assert "An address can have at most 254 characters here, and this one has 257." in said(mail)


# --- ABSENCE --------------------------------------------------------------------------------


def test_an_absence_is_noted_and_taken_back(marne: Cast) -> None:
    to = to_self("Carla")
    body = said(write("Carla", "ABSENCE FROM 2026-03-10 TO 2026-03-12", to=to))
    assert "You are away from Tue 10 Mar 2026 to Thu 12 Mar 2026" in body
    absence = Absence.objects.get()
    assert (absence.first, absence.last) == (dt.date(2026, 3, 10), dt.date(2026, 3, 12))
    assert "taken back" in said(write("Carla", "ABSENCE OFF 2026-03-10", to=to))
    absence.refresh_from_db()
    assert absence.withdrawn_at


def test_days_are_counted_from_when_the_mail_came(marne: Cast) -> None:
    """It may have been held, or have waited in an outage, over the very day that it names."""
    held = write("Carla", "ABSENCE next Friday")
    question = held.answers.get(kind="question")
    write("Carla", "YES", to=question.reply_to, now=NOW + 4 * DAY)
    assert Absence.objects.get().first == dt.date(2026, 3, 6)


@each_row(
    "line",
    [
        *("ABSENCE some day", "ABSENCE 2026-02-30", "ABSENCE FROM 2026-03-12 TO 2026-03-10"),
        "ABSENCE 9999-12-31",
    ],
)
def test_an_absence_that_cannot_be_read_is_asked_back(marne: Cast, line: str) -> None:
    assert write("Carla", line, to=to_self("Carla")).state == State.DONE
    assert not Absence.objects.exists()


# --- CLEAR, HOLD ALL ------------------------------------------------------------------------


def test_clear_takes_the_orders_back(marne: Cast) -> None:
    to = to_seat(marne, "France")
    write("Carla", "\n".join(OPENINGS["France"]), to=to)
    body = said(write("Carla", "CLEAR", to=to))
    assert "A Paris has no order yet" in body
    assert "Still without an order" not in body  # it would say the same once more
    assert OrderSet.objects.count() == 2


def test_orders_below_clear_count(marne: Cast) -> None:
    to = to_seat(marne, "France")
    write("Carla", "\n".join(OPENINGS["France"]), to=to)
    write("Carla", "CLEAR\nA Par H", to=to)
    body = said(write("Carla", "ORDERS", to=to))
    assert "A Paris Holds" in body
    assert "F Brest has no order yet" in body


def test_clear_after_the_deadline_changes_nothing(marne: Cast) -> None:
    to = to_seat(marne, "France")
    due = marne.phase.due_at
    assert due is not None
    write("Carla", "A Par - Bur", to=to)
    assert "Nothing has changed" in said(write("Carla", "CLEAR", to=to, received_at=due + HOUR))
    assert "Burgundy" in said(write("Carla", "ORDERS", to=to))


def test_clear_needs_proof(marne: Cast) -> None:
    write("Carla", "A Par - Bur", to=to_seat(marne, "France"))
    assert write("Carla", "CLEAR").state == State.HELD


def test_hold_all_orders_every_unit_to_hold(marne: Cast) -> None:
    body = said(write("Carla", "HOLD ALL", to=to_seat(marne, "France")))
    for unit in ("A Marseilles", "A Paris", "F Brest"):
        assert f"{unit} Holds" in body


def test_hold_with_a_unit_is_no_command(marne: Cast) -> None:
    body = said(write("Carla", "Hold A Par", to=to_seat(marne, "France")))
    assert "F Brest has no order yet" in body


# --- HISTORY, MAP ---------------------------------------------------------------------------


def played(marne: Cast) -> None:
    """Spring 1901 with everybody's opening."""
    for name, power in zip(
        ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta"), OPENINGS, strict=True
    ):
        write(name, "\n".join(OPENINGS[power]), to=to_seat(marne, power))
    phase_process_now(game_id=marne.game.pk, now=NOW)


def test_history_shows_the_last_results(marne: Cast) -> None:
    played(marne)
    body = said(write("Carla", "HISTORY"))
    assert "Spring 1901 movement" in body
    assert "Austria: A Vienna - Galicia: fails" in body


def test_history_of_a_phase_that_is_not_over_names_those_that_are(marne: Cast) -> None:
    played(marne)
    assert "The last one was S1901M." in said(write("Carla", "HISTORY F1905M"))
    assert "Burgundy" in said(write("Carla", "HISTORY marne s1901m"))
    assert "Burgundy" in said(write("Carla", "history marne from S1901M lines 500"))


def test_history_shows_nothing_of_the_phase_being_played(marne: Cast) -> None:
    write("Carla", "A Par - Bur", to=to_seat(marne, "France"))
    assert "Burgundy" not in said(write("Ben", "HISTORY S1901M"))


def test_history_is_for_those_who_play(marne: Cast) -> None:
    played(marne)
    assert "not played in the game marne" in said(write("Hugo", "HISTORY marne"))


def test_history_is_still_there_for_who_played_once(marne: Cast) -> None:
    played(marne)
    seat_fill(
        game=marne.game, power=marne.seat("France").power, player=marne.player("Hugo"), now=NOW
    )
    assert "Galicia" in said(write("Carla", "HISTORY marne"))


def test_map_shows_the_board_as_it_is(marne: Cast) -> None:
    played(marne)
    body = said(write("Carla", "MAP"))
    assert "Fall 1901 movement" in body
    assert "A Burgundy" in body
    assert body.index("France: ") < body.index("Austria: "), "one's own power comes first"


def test_map_shows_the_board_with_which_a_named_phase_began(marne: Cast) -> None:
    played(marne)
    mail = write("Carla", "MAP s1901m")
    body = said(mail)
    assert "The board as Spring 1901 movement began" in body
    assert "A Paris" in body
    assert "A Burgundy" not in body
    pictured = answer_to(mail).pictured
    assert pictured is not None
    assert pictured.name == "S1901M"
    assert "The board in Fall 1901 movement" in said(write("Carla", "MAP marne F1901M"))
    assert "There is no phase F1907M that is over" in said(write("Carla", "MAP F1907M"))


def test_map_shows_the_board_at_the_end_of_a_game_that_is_over(marne: Cast) -> None:
    played(marne)
    game_end(game=marne.game, winners=["France"], why="All agree.", by="the GM", now=NOW)
    body = said(write("Carla", "MAP marne"))
    assert "The board at the end" in body
    assert "A Burgundy" in body


def test_map_shows_units_that_were_driven_out_and_what_the_end_left_them(marne: Cast) -> None:
    phase = marne.phase
    phase.name = phase.position["phase"] = "F1901M"
    phase.position["units"] |= {"France": ["A Ruhr", "A Burgundy"], "Germany": ["A Munich"]}
    phase.save()
    submit(marne, "France", ["A Burgundy - Munich", "A Ruhr Supports A Burgundy - Munich"])
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    body = said(write("Carla", "MAP"))
    assert "DISLODGED UNITS Germany: A Munich was dislodged. It may retreat to Berlin" in flat(body)
    game_end(game=marne.game, winners=["France"], why="All agree.", by="the GM", now=NOW)
    body = flat(said(write("Carla", "MAP marne")))
    assert "A Munich was dislodged, and the game ended before it could retreat." in body
    assert "It may retreat" not in body


def test_who_names_no_game_after_their_last_one_is_told_to_name_it(marne: Cast) -> None:
    game_end(game=marne.game, winners=["France"], why="All agree.", by="the GM", now=NOW)
    assert "over again, name it: LOG marne" in said(write("Carla", "HISTORY"))
    assert "LOG marne" not in said(write("Hugo", "HISTORY"))


# --- words of other servers -----------------------------------------------------------------


@pytest.mark.parametrize(("line", "word"), [("SET WAIT", "WAIT"), ("SET NO WAIT", "READY")])
def test_set_wait_is_understood_as_njudge_says_it(marne: Cast, line: str, word: str) -> None:
    assert f"{word} is noted" in said(write("Carla", line, to=to_seat(marne, "France")))


def test_signon_with_a_question_mark_joins(marne: Cast) -> None:
    game_create(name="verdun", now=NOW)
    assert "You have a seat in the game verdun" in said(
        write("Hugo", "SIGNON ?verdun", to=home("Hugo"))
    )


def test_what_stands_below_signoff_is_told(marne: Cast) -> None:
    body = said(write("Carla", "A Par H\nSIGNOFF\nA Mar H", to=to_seat(marne, "France")))
    assert "1 line below SIGNOFF was not read" in body
    assert "A Marseilles has no order yet" in body


def test_set_shows_what_the_same_mail_has_set(marne: Cast) -> None:
    text = "SET TIMEZONE Asia/Tokyo\nSET NAME Carla Cro\nSET"
    mail = write("Carla", text, to=to_self("Carla"))
    assert "Name: Carla Cro Time zone: Asia/Tokyo, where it is Mon 2 Mar 2026, 21:00" in said(mail)
    assert said(mail).startswith("##- Please write above this line -## Hello Carla Cro,")


def test_a_reply_that_is_no_clear_yes_is_asked_back_and_the_word_does_it_then(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    asked_back = write("x", "sure, fine", sender="carla@work.test", to=question.reply_to)
    assert "reply with the word CONFIRM" in said(asked_back)
    again = asked_back.answers.get().reply_to
    assert "Carla's, too" in said(write("x", "CONFIRM", sender="carla@work.test", to=again))
