"""A game with a time to start: said when it is made, found and joined, and told when it is near."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from games.models import Game
from games.services.clock.starts import start_proceed
from games.services.setup.gm_settings import settings_change
from mailer import jobs
from mailer.commands.calls import Call
from mailer.commands.gm.clock.start import Start
from mailer.models import Mailbox, OutboundMail
from tests.cast import DAY, HOUR, NOW, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, home, tell_all, write
from tests.mailer.gm.writing import order

pytestmark = pytest.mark.django_db

AT = dt.datetime(2026, 3, 7, 20, tzinfo=dt.UTC)
URL = "imap://judge@mail.test/INBOX"
WHEN = "Sat 7 Mar 2026, 20:00 UTC"


def said(name: str, text: str) -> str:
    return flat(answer_to(write(name, text, to=home(name))).body)


def ticked(now: dt.datetime, kind: str) -> dict[str, str]:
    """The mails of this kind after a tick, its mailbox read, by their recipients."""
    Mailbox.objects.update(url=URL, last_ok_poll=now, failing_since=None)
    jobs.deadlines(now)
    jobs.tell(now)
    return {one.recipient: flat(one.body) for one in OutboundMail.objects.filter(kind=kind)}


def test_a_time_to_start_is_said_wherever_people_find_the_game_and_kept(
    marne: Cast, settings: Any
) -> None:
    settings.IMAP_URLS = [URL]
    made = said("Ana", "CREATE somme START at 2026-03-07 8pm England Turkey evening")
    assert f"The game starts {WHEN} if all seats are taken by then" in made
    assert "Sat 7 Mar 2026, 20:20 UTC: the first orders" in made
    assert f"The game starts {WHEN}" in said("Ben", "LIST")
    assert f"It is to start {WHEN}." in said("Ben", "STATUS somme")
    assert f"It is to start {WHEN}. 1 seat is still free." in said("Ben", "JOIN somme")
    [reminder] = ticked(AT - 3 * HOUR, "start_reminded").values()
    assert f"is to start {WHEN}. One seat is still free." in reminder
    moved = ticked(AT + HOUR / 30, "start_moved")[address_of("Ben")]
    assert "did not start. One seat is still free. The start moves to Sat 14" in moved
    assert "All seats are taken. If any is free" in said("Carla", "JOIN somme")
    assert "- somme: all seats are taken. The game starts Sat 14 Mar 2026, 20:00 UTC." in said(
        "Ana", "LIST"
    )


def test_whoever_made_a_game_that_nobody_runs_sets_its_time_by_mail(marne: Cast) -> None:
    said("Ana", "CREATE somme evening england_turkey")
    said("Ben", "JOIN somme")
    assert "only the player who made it can set when it starts" in said(
        "Ben", "CREATE Somme START OFF"
    )
    assert "how it will be played" in said("Ben", "CREATE yser START Saturday 20:00")
    assert f"The game starts {WHEN}" in said(
        "Ana", "CREATE somme START Saturday 8pm because Ben is late"
    )
    assert "Sat 7 Mar 2026, 19:00 UTC" in said("Ana", "CREATE somme START Saturday 1900")
    [told, _] = [one for one in tell_all() if one.kind == "settings_changed"]
    assert told.recipient == address_of("Ben")
    assert "taken) The player who made the game says why: Ben is late" in flat(told.body)
    assert "write the day and the time" in said("Ana", "CREATE somme START because Ben is late")
    assert Game.objects.get(name="somme").starts_at
    assert "as soon as all seats are taken. Everybody" in said("Ana", "CREATE somme START OFF")
    tell_all()
    somme = Game.objects.get(name="somme")
    settings_change(game=somme, changes={"start": "Sunday 20:00"}, why="x", by="Mo", now=NOW)
    assert [one.recipient for one in tell_all()] == [address_of("Ben"), address_of("Ana")]
    said("Ana", "CREATE somme START Saturday 20:00")
    said("Ana", "JOIN somme")
    assert "so without a time it would begin at once" in said("Ana", "CREATE somme START never")
    Game.objects.filter(name="somme").update(gm=marne.game.gm)
    assert "The GM of somme sets when" in said("Ana", "CREATE somme START Sunday 8pm")
    asked = write("gm", "GM somme START OFF because we find no day", sender=marne.gm.email)
    assert "so without a time the game begins at once." in flat(answer_to(asked).body)
    Game.objects.filter(name="somme").update(muster=DAY)
    asked = write("gm", "GM somme START OFF because we find no day", sender=marne.gm.email)
    assert "the players are asked at once whether they" in flat(answer_to(asked).body)


def test_a_start_is_not_taken_back_unread_once_the_last_seat_is_taken(marne: Cast) -> None:
    """Its GM has read that the game goes on looking for players, not that it begins."""
    said("Ana", "CREATE somme evening england_turkey START Saturday 20:00")
    Game.objects.filter(name="somme").update(gm=marne.game.gm)
    said("Ben", "JOIN somme")
    text = "GM somme START OFF because we find no day"
    asked = answer_to(write("gm", text, sender=marne.gm.email))
    assert "begins" not in asked.body
    said("Carla", "JOIN somme")
    answer = answer_to(write("gm", "YES", sender=marne.gm.email, to=asked.reply_to))
    assert "The game has changed since we asked you" in flat(answer.body)
    assert Game.objects.get(name="somme").starts_at


def test_whoever_made_a_game_without_joining_hears_of_its_moves_while_they_hold_and_of_its_end(
    marne: Cast,
) -> None:
    said("Ana", "CREATE somme evening england_turkey START Saturday 20:00")
    said("Ben", "JOIN somme")
    game = Game.objects.get(name="somme")
    start_proceed(game_id=game.pk, now=AT)
    told = {one.recipient: flat(one.body) for one in tell_all() if one.kind == "start_moved"}
    assert "CREATE somme START Sunday 19:00" in told[address_of("Ana")]
    assert ["LEAVE" in told[address_of(name)] for name in ("Ana", "Ben")] == [False, True]

    for now in (AT + 7 * DAY - HOUR, AT + 7 * DAY):
        assert start_proceed(game_id=game.pk, now=now)
    said("Ana", "CREATE somme START 2026-03-07 20:00")
    assert not {"start_reminded", "start_moved"} & {one.kind for one in tell_all()}, "out of date"

    for week in range(5):
        start_proceed(game_id=game.pk, now=AT + week * 7 * DAY)
    closed = {one.recipient for one in tell_all() if one.kind == "game_finished"}
    assert closed == {address_of("Ana"), address_of("Ben")}


def test_a_gm_sets_the_time_by_mail_and_those_who_joined_are_told(marne: Cast) -> None:
    Game.objects.update(status="forming", started_at=None)
    assert "Please say why" in order(marne, "START Saturday 20:00")
    assert "clocks of UTC" in order(marne, "START Sat 20:00 CET because you can all play")
    assert "write the day and the time" in order(marne, "START at because you can all play")
    now = Call(command="start", argument="now because all are here", number=1)
    assert Start().asks_first(now, marne.game, AT)
    answer = order(marne, "START Sat 7 Mar 2026, 20h UTC because you can all play then")
    assert f"time of the start: {WHEN} (before: when the last seat is taken)" in answer
    marne.game.refresh_from_db()
    assert marne.game.starts_at == AT
    told = [one for one in tell_all() if one.kind == "settings_changed"]
    assert WHEN in flat(told[0].body)
