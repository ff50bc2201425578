"""Deadlines in calendars: one entry for each phase and power, that moves and goes with it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from games.models import Phase, Player
from games.queries.reports.calendars import (
    CalendarFile,
    calendar_key,
    game_calendar,
    left_files,
    mailed_files,
    player_calendar,
    player_with_calendar,
)
from games.services.accounts.merging import players_merge
from games.services.accounts.profile import calendar_renew
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause, game_resume
from games.services.endings.ending import game_end
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign, seat_take
from games.services.setup.games import game_create
from games.timing.ics import Deadline, calendar_file
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, make_cast, make_player, submit

pytestmark = pytest.mark.django_db


def of_power(phase: Phase, power: str, method: str) -> bytes | None:
    [files] = mailed_files([phase], [power]).values()
    found: list[CalendarFile] = [one for one in files if one.method == method]
    return found[0].data if found else None


def deadline_file(phase: Phase, power: str) -> bytes | None:
    return of_power(phase, power, "PUBLISH")


def cancelled_file(phase: Phase, power: str) -> bytes | None:
    return of_power(phase, power, "CANCEL")


def entries(data: bytes | None) -> list[Any]:
    """The entries of a file, read by a library that calendars use."""
    assert data is not None
    return list(Calendar.from_ical(data).walk("VEVENT"))


def entry(data: bytes | None) -> Any:
    [one] = entries(data)
    return one


def method(data: bytes | None) -> str:
    assert data is not None
    return str(Calendar.from_ical(data)["METHOD"])


def read_again(phase: Phase) -> Phase:
    """The phase and its game as they are now."""
    return Phase.objects.select_related("game").get(pk=phase.pk)


def test_a_deadline_is_published_and_invites_nobody(marne: Cast) -> None:
    data = deadline_file(marne.phase, "France")
    one = entry(data)

    assert method(data) == "PUBLISH"
    assert one.decoded("DTSTART") == marne.phase.due_at
    assert str(one["SUMMARY"]) == "marne: Spring 1901 movement (France)"
    assert "France has 3 units to order" in str(one["DESCRIPTION"])
    assert str(one["ORGANIZER"]) == "mailto:judge@game.test"
    assert str(one["STATUS"]) == "CONFIRMED"
    assert "ATTENDEE" not in one
    assert cancelled_file(marne.phase, "France") is None


def test_each_phase_and_power_has_one_uid(marne: Cast) -> None:
    first = {str(entry(deadline_file(marne.phase, one))["UID"]) for one in OPENINGS}
    assert len(first) == 7
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    second = {str(entry(deadline_file(marne.phase, one))["UID"]) for one in OPENINGS}
    assert not first & second


def test_the_same_state_makes_the_same_file(marne: Cast) -> None:
    assert deadline_file(marne.phase, "France") == deadline_file(marne.phase, "France")


def test_an_extension_moves_the_same_entry(marne: Cast) -> None:
    before = entry(deadline_file(marne.phase, "France"))
    to = before.decoded("DTSTART") + DAY
    deadline_move(game=marne.game, to=to, why="Holidays.", by=Mover("gm"), now=NOW + HOUR)
    after = entry(deadline_file(marne.phase, "France"))

    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after.decoded("DTSTART") == to
    assert after.decoded("DTSTAMP") > before.decoded("DTSTAMP")


def test_early_processing_takes_the_entry_back(marne: Cast) -> None:
    phase = marne.phase
    before = entry(deadline_file(phase, "France"))
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    phase = read_again(phase)
    data = cancelled_file(phase, "France")
    after = entry(data)

    assert method(data) == "CANCEL"
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert str(after["STATUS"]) == "CANCELLED"
    assert deadline_file(phase, "France") is None


def test_a_phase_that_ended_at_its_deadline_stays_in_the_calendar(marne: Cast) -> None:
    phase = marne.phase
    phase_process_now(game_id=marne.game.pk, now=NOW + 30 * DAY)
    phase = read_again(phase)

    assert cancelled_file(phase, "France") is None


def test_a_pause_takes_the_entry_back_and_resuming_gives_it_again(marne: Cast) -> None:
    before = entry(deadline_file(marne.phase, "France"))
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW + HOUR)
    paused = entry(cancelled_file(read_again(marne.phase), "France"))
    assert deadline_file(read_again(marne.phase), "France") is None
    game_resume(game=marne.game, by="gm", now=NOW + 30 * HOUR)
    again = entry(deadline_file(read_again(marne.phase), "France"))

    assert before["UID"] == paused["UID"] == again["UID"]
    assert before["SEQUENCE"] < paused["SEQUENCE"] < again["SEQUENCE"]
    assert str(again["STATUS"]) == "CONFIRMED"
    assert again.decoded("DTSTART") > before.decoded("DTSTART")


def test_a_rollback_takes_back_what_it_undid_and_begins_anew(marne: Cast) -> None:
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    undone = marne.phase
    before = entry(deadline_file(undone, "France"))
    game_rollback(game=marne.game, phase="S1901M", why="A fault.", by="gm", now=NOW + DAY)
    undone = read_again(undone)
    after = entry(cancelled_file(undone, "France"))
    anew = entry(deadline_file(marne.phase, "France"))

    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert anew["UID"] != before["UID"]


def test_the_end_of_a_game_takes_back_the_deadline_of_the_phase_left_open(marne: Cast) -> None:
    before = entry(deadline_file(marne.phase, "France"))
    phase = marne.phase
    game_end(game=marne.game, winners=["France"], why="Agreed.", by="gm", now=NOW + HOUR)
    after = entry(cancelled_file(read_again(phase), "France"))

    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]


def test_who_leaves_a_seat_and_who_takes_it_have_word_of_the_same_entry(marne: Cast) -> None:
    before = entry(deadline_file(marne.phase, "France"))
    seat_resign(seat=marne.seat("France"), now=NOW + HOUR)
    [left] = left_files(read_again(marne.phase), "France")
    france = marne.game.powers.get(name="France")
    seat_take(game=marne.game, power=france, player=marne.player("Hugo"), now=NOW + DAY)
    taken = entry(deadline_file(read_again(marne.phase), "France"))

    assert method(left.data) == left.method == "CANCEL"
    assert before["UID"] == entry(left.data)["UID"] == taken["UID"]
    assert before["SEQUENCE"] < entry(left.data)["SEQUENCE"] < taken["SEQUENCE"]


def test_all_files_of_a_phase_take_one_query(marne: Cast) -> None:
    phase = read_again(marne.phase)
    with CaptureQueriesContext(connection) as queries:
        files = mailed_files([phase], OPENINGS)
    assert len(files) == 7
    assert len(queries) == 1


def test_who_has_nothing_to_decide_has_no_entry(marne: Cast) -> None:
    state = marne.phase.position
    state = {**state, "units": {**state["units"], "Italy": []}}
    marne.game.phases.update(position=state)

    assert deadline_file(marne.phase, "Italy") is None
    assert deadline_file(marne.phase, "France") is not None


def test_a_clock_on_the_wall_is_right_before_and_after_it_changes() -> None:
    """Central Europe changes its clocks on 29 March 2026: 20:00 there is 19:00 or 18:00 UTC."""
    berlin = ZoneInfo("Europe/Berlin")
    before = dt.datetime(2026, 3, 24, 12, tzinfo=dt.UTC)
    cast = make_cast(now=before, timezone="Europe/Berlin", movement_clock="Tue Fri 20:00")
    friday = entry(deadline_file(cast.phase, "France")).decoded("DTSTART")
    phase_process_now(game_id=cast.game.pk, now=friday + HOUR)
    tuesday = entry(deadline_file(cast.phase, "France")).decoded("DTSTART")

    assert [f"{at.astimezone(berlin):%a %H:%M}" for at in (friday, tuesday)] == [
        "Fri 20:00",
        "Tue 20:00",
    ]
    assert [at.astimezone(dt.UTC).hour for at in (friday, tuesday)] == [19, 18]


def test_a_player_follows_the_deadlines_of_all_their_games(marne: Cast) -> None:
    carla = marne.player("Carla")
    [one] = entries(player_calendar(carla))
    assert one["UID"] == entry(deadline_file(marne.phase, "France"))["UID"]
    assert entries(player_calendar(marne.player("Hugo"))) == []
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW + HOUR)
    assert str(entry(player_calendar(carla))["STATUS"]) == "CANCELLED"


def test_a_games_calendar_says_when_it_is_due_and_nothing_of_anybody(marne: Cast) -> None:
    submit(marne, "France", OPENINGS["France"])
    one = entry(game_calendar(marne.game))

    assert one.decoded("DTSTART") == marne.phase.due_at
    assert str(one["SUMMARY"]) == "marne: Spring 1901 movement"
    assert str(one["DESCRIPTION"]) == "The game is due."


def test_the_secret_of_a_calendar_is_its_players_alone_and_can_be_renewed(marne: Cast) -> None:
    keys = {calendar_key(player) for player in Player.objects.all()}
    assert len(keys) == Player.objects.count()
    carla = marne.player("Carla")
    before = calendar_key(carla)
    assert player_with_calendar(before) == carla
    after = calendar_key(calendar_renew(player=carla))
    assert player_with_calendar(before) is None
    assert player_with_calendar(after) == carla
    assert len(re.sub(r"^\d+-", "", after)) == 32


def test_the_calendar_of_a_merged_account_is_the_persons_until_they_renew_theirs(
    marne: Cast,
) -> None:
    carla, whole = marne.player("Carla"), make_player("Ida")
    key = calendar_key(carla)
    players_merge(kept=whole, other=carla, why="One person.", by="mo", now=NOW)
    assert player_with_calendar(key) == whole
    calendar_renew(player=whole)
    assert player_with_calendar(key) is None


@pytest.mark.parametrize("key", ["", "1", "1-", "x-1", f"{'9' * 40}-abc", "0-" + "0" * 32])
def test_no_other_address_leads_to_a_calendar(marne: Cast, key: str) -> None:
    assert player_with_calendar(key) is None


def test_a_file_is_written_as_calendars_read_it() -> None:
    """Lines end with CRLF and are folded at 75 octets; commas and line breaks are escaped."""
    text = "Retreat to Gascony, Ruhr; or disband.\n" + "Größe " * 30
    deadline = Deadline("uid@test", 0, False, NOW, "A, B", text, NOW)
    data = calendar_file([deadline], judge="judge@game.test", name="All")

    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert str(entry(data)["DESCRIPTION"]) == text
    assert b"Gascony\\, Ruhr\\; or disband.\\n" in data


# Programs read a line break as RFC 5545 has it, and know no others.
LETTERS = st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n")


@given(st.text(LETTERS), st.text(LETTERS))
def test_words_of_any_letters_are_read_as_they_were_written(title: str, text: str) -> None:
    due = Deadline("one@game.test", 0, False, NOW + DAY, title, text, NOW)
    data = calendar_file([due], judge="judge@game.test")
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    one = entry(data)
    assert (str(one["SUMMARY"]), str(one["DESCRIPTION"])) == (title, text)
    assert (one.decoded("DTSTART"), one.decoded("DTSTAMP")) == (NOW + DAY, NOW)


def test_the_start_of_a_game_stands_in_the_calendars_of_it_and_of_who_joined(db: None) -> None:
    game = game_create(name="somme", start="Saturday 20:00", now=NOW)
    ana = make_player("Ana")
    assert entries(player_calendar(ana)) == []
    game_join(game=game, player=ana, preferences="", now=NOW)
    for calendar in (player_calendar(ana), game_calendar(game)):
        [entry] = entries(calendar)
        assert entry["summary"] == "somme: the start"
        assert entry["dtstart"].dt == dt.datetime(2026, 3, 7, 20, tzinfo=dt.UTC)
