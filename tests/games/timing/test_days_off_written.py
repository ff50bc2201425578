"""Days off as people write them, and what is refused because it may be two things."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.admin.forms import field_of
from games.errors import BadInput
from games.models import Game
from games.queries.parsing.days_off import days_off_typed, days_off_written
from games.queries.reports.wording import days_off_text
from games.services.setup.gm_settings import changes_said
from games.settings import SETTINGS
from tests.cast import NOW, Cast
from tests.games.admin.queue_cases import plain
from tests.games.admin.test_new_game import typed

ADD = "admin:games_game_add"
TODAY = dt.date(2026, 11, 26)


@pytest.mark.parametrize("kept", ["", "Sat Sun", "12-25", "Sat, 2026-12-24..2027-01-02, 12-25"])
def test_days_as_a_game_keeps_them_stay_as_they_are(kept: str) -> None:
    assert days_off_written(kept, TODAY) == kept
    assert days_off_written(days_off_typed(kept), TODAY) == kept


def test_the_form_shows_days_as_people_write_them() -> None:
    shown = field_of(SETTINGS["days_off"]).prepare_value("Sat, 2026-12-24..2027-01-02, 12-25")
    assert shown == "Sat, 24 Dec 2026 - 2 Jan 2027, 12-25"
    assert days_off_typed("from 2026-12-40") == "from 2026-12-40"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("20 Dec - 6 Jan", "from 20 Dec 2026 to 6 Jan 2027"),
        ("24.12. - 6.1.", "from 24 Dec 2026 to 6 Jan 2027"),
        ("vom 24. Dezember bis 6.1.", "from 24 Dec 2026 to 6 Jan 2027"),
        ("between 24 Dec and 27 Dec", "from 24 Dec 2026 to 27 Dec 2026"),
        ("Dec 24, 2026, Sat", "on Saturdays and on 24 Dec 2026"),
        ("Dec 24, 2026-12-26", "on 24 Dec 2026 and on 26 Dec 2026"),
        ("24 Dec and 26 Dec", "on 24 Dec 2026 and on 26 Dec 2026"),
        ("weekends; 24-27 Dec", "on Saturdays and Sundays and from 24 Dec 2026 to 27 Dec 2026"),
        ("Samstag und Sonntag", "on Saturdays and Sundays"),
        ("Montag-Freitag", "on Mondays to Fridays"),
        ("sábado, domingo", "on Saturdays and Sundays"),
        ("every Friday", "on Fridays"),
        ("Thu 24 Dec", "on 24 Dec 2026"),
    ],
)
def test_days_are_read_as_absence_reads_them(text: str, said: str) -> None:
    assert days_off_text(days_off_written(text, TODAY)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sat, 3/4", "3/4 may be 3 Apr or 4 Mar."),
        ("next Friday", "may be one day or every week. Write Fri for every week, or a date."),
        ("Fri 24 Dec", "2026-12-24 is a Thursday"),
        ("Sat Sun 24 Dec", "We cannot read “Sat Sun 24 Dec” as days."),
        ("Mo Mi Fr", "“Mo Mi Fr” is not a day. Write for example: Sat Sun, 24 Dec - 6 Jan, 12-25."),
        ("tomorrow", "“tomorrow” is not a day."),
        ("Montag-Sonntag", "There must be a weekday left"),
        ("2027-01-02..2026-12-24", "ends before it begins"),
        ("1 Jan - 30 Jun", "pause the game"),
    ],
)
def test_days_that_may_be_two_things_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        days_off_written(text, TODAY)
    assert said in str(refused.value)


@pytest.mark.django_db
def test_a_new_game_takes_days_as_people_write_them_and_says_them_in_words(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    answers = typed(days_off="20 Dec 2026 - 6 Jan 2027")
    live = client.post(reverse(ADD), answers, headers={"X-Forecast": "1"})
    assert "Nothing is due from 20 Dec 2026 to 6 Jan 2027." in plain(live.content.decode())
    client.post(reverse(ADD), answers)
    assert Game.objects.get().days_off == "2026-12-20..2027-01-06"
    refused = client.post(reverse(ADD), typed(name="ypres", days_off="3/4"))
    assert "3/4 may be 3 Apr or 4 Mar." in plain(refused.content.decode())
    assert Game.objects.count() == 1


@pytest.mark.django_db
def test_the_shell_takes_days_as_people_write_them() -> None:
    with time_machine.travel(NOW, tick=False):
        call_command("create_game", "verdun", "--days-off", "Sat, 24 Dec - 2 Jan")
    assert Game.objects.get().days_off == "Sat, 2026-12-24..2027-01-02"


@pytest.mark.django_db
def test_a_change_of_broken_days_off_is_told_with_what_was_there(marne: Cast) -> None:
    marne.game.days_off = "never"
    said = changes_said(marne.game, {"days_off": "2026-12-20..2027-01-06"})["days_off"]
    assert said == "days without deadlines: from 20 Dec 2026 to 6 Jan 2027 (before: never)"
