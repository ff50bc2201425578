"""Who is told what: the person concerned always, nobody else a secret."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from games import log
from games.events import PhaseStuck
from games.models import Event, Game
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import Mover, deadline_move, phase_hold
from games.services.clock.pauses import game_pause, game_resume
from games.services.clock.reminders import players_remind
from mailer.models import OutboundMail
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, make_cast
from tests.made import made_once
from tests.mailer.correspondence import flat, tell_all
from tests.mailer.notices.played import (
    EVERYBODY,
    GM,
    LATER,
    order,
    order_openings,
    process,
    set_position,
)

pytestmark = pytest.mark.django_db


# --- Deadlines and pauses ------------------------------------------------------------------


def test_a_moved_deadline_is_told_to_all_in_everybodys_own_zone(marne: Cast):
    tell_all()
    ana = marne.player("Ana")
    ana.timezone = "Asia/Tokyo"
    ana.save()
    why = "The server could not be reached at the deadline."
    deadline_move(game=marne.game, to=LATER + HOUR, why=why, by=Mover("the server"), now=NOW)
    mails = {mail.recipient: mail for mail in tell_all()}
    assert set(mails) == EVERYBODY | {GM}
    moved = "[marne] Spring 1901 movement: the deadline has moved to Thu 5 Mar"
    assert mails[GM].subject == f"{moved} 13:00 UTC"
    assert mails["ana@players.test"].subject == f"{moved} 22:00 JST"
    told = flat(mails["ana@players.test"].body)
    assert "It was: Thu 5 Mar 2026, 21:00 JST (12:00 UTC)" in told
    assert "is now due Thu 5 Mar 2026, 22:00 JST (13:00 UTC)" in told
    assert f"The server says why: {why}" in told
    assert "you have 3 units to order" in told
    assert "is now due Thu 5 Mar 2026, 13:00 UTC" in flat(mails[GM].body)
    assert "units to order" not in mails[GM].body


def test_the_subject_says_the_year_of_a_deadline_that_was_put_off_by_one(marne: Cast):
    """Whoever slips by a year should see it there."""
    to = dt.datetime(2027, 3, 5, 12, tzinfo=dt.UTC)
    deadline_move(game=marne.game, to=to, why="Easter.", by=Mover("gm"), now=NOW)
    mails = {mail.recipient: mail for mail in tell_all()}
    assert mails[GM].subject.endswith("the deadline has moved to Fri 5 Mar 2027 12:00 UTC")


def test_a_game_master_reads_nothing_of_orders_and_time_of_their_own(marne: Cast):
    """What players read of theirs made no sense to somebody who has neither."""
    deadline_move(game=marne.game, to=LATER + DAY, why="A storm.", by=Mover("gm"), now=NOW)
    game_pause(game=marne.game, until=LATER, why="Holidays.", by="gm", now=NOW)
    game_resume(game=marne.game, by="gm", now=NOW + DAY)
    kinds = ("deadline_moved", "game_paused", "game_resumed")
    mails = [mail for mail in tell_all(NOW + DAY) if mail.kind in kinds]
    assert {mail.kind for mail in mails if mail.recipient == GM} == {*kinds}
    for mail in mails:
        mine = re.findall(r"\byou (?:have sent|said|get back)|You can still", flat(mail.body))
        assert bool(mine) == (mail.recipient != GM), (mail.kind, mine)


def test_the_first_sentence_about_a_deadline_names_it(marne: Cast):
    tell_all()
    deadline_move(game=marne.game, to=LATER + HOUR, why="A storm.", by=Mover("gm"), now=NOW)
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW)
    game_resume(game=marne.game, by="gm", now=NOW + HOUR)
    told = {(mail.kind, mail.recipient): mail.body for mail in tell_all(NOW + HOUR)}
    for kind in ("deadline_moved", "game_resumed"):
        for reader in (GM, address_of("Ana")):
            first = told[kind, reader].split("\n\n")[1]
            assert re.search(r"\b5 Mar 2026, \d\d:00 UTC\.$", flat(first)), first


def test_who_has_ordered_all_reads_so_when_the_deadline_moves(marne: Cast):
    order(marne, "France", *OPENINGS["France"])
    order(marne, "Italy", OPENINGS["Italy"][0])
    deadline_move(game=marne.game, to=LATER + DAY, why="A storm.", by=Mover("gm"), now=NOW)
    bodies = {mail.recipient: flat(mail.body) for mail in tell_all() if "moved" in mail.subject}
    carla = bodies[address_of("Carla")]
    assert "Nothing: your orders for Spring 1901 movement are in." in carla
    assert "If you do not need more time, reply with READY on a line of its own" in carla
    assert "Deadline: Fri 6 Mar 2026, 12:00 UTC" in carla
    assert "2 of your 3 units still have no order" in bodies[address_of("Emma")]
    assert "you have 3 units to order" in bodies[address_of("Ana")]
    for name in ("Emma", "Ana"):
        assert "Nothing: your orders" not in bodies[address_of(name)]


def test_a_pause_and_its_end_are_told_to_all(marne: Cast):
    tell_all()
    game_pause(game=marne.game, until=LATER, why="Holidays.", by="Gerda", now=NOW)
    mails = tell_all()
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    for mail in mails:
        assert mail.subject == "[marne] Spring 1901 movement: the game is paused"
        assert "It goes on by itself on Thu 5 Mar 2026, 12:00 UTC." in mail.body
    game_resume(game=marne.game, by="Gerda", now=NOW + DAY)
    mails = tell_all(NOW + DAY)
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    assert all("due Fri 6 Mar 2026, 12:00 UTC" in flat(mail.body) for mail in mails)


def test_only_those_who_owe_orders_are_reminded_and_learn_what_is_missing(marne: Cast):
    tell_all()
    order_openings(marne, "England", "France")
    order(marne, "France", "A Paris - Burgundy")
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    mails = {mail.recipient: mail for mail in tell_all(remind_at)}
    assert set(mails) == {"ben@players.test", "carla@players.test"}
    assert flat(mails["carla@players.test"].body).count("(A Marseilles, F Brest)") == 1
    assert (
        "We still need your orders for Spring 1901 movement in the game marne. You play England."
        in flat(mails["ben@players.test"].body)
    )
    assert mails["ben@players.test"].subject.startswith(
        "[marne] Spring 1901 movement: your orders are missing, "
    )
    assert "movement: some of your orders are missing, " in mails["carla@players.test"].subject


def test_nobody_is_reminded_of_orders_that_came_before_the_reminder_was_written(marne: Cast):
    tell_all()
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    order_openings(marne, "England")
    assert {mail.recipient for mail in tell_all(remind_at)} == {"ben@players.test"}


def test_nobody_is_reminded_after_the_deadline(marne: Cast):
    tell_all()
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    assert tell_all(LATER) == []


@pytest.mark.parametrize(
    ("policy", "then"),
    [("wait", "It goes on as soon as the orders are in."), ("gm", "The game master decides")],
)
def test_a_game_that_waits_tells_the_late_first_and_the_others_for_whom(
    marne: Cast, policy: str, then: str
):
    Game.objects.update(when_missing=policy)
    order_openings(marne, "England", "Italy")
    tell_all()
    assert phase_process(game_id=marne.game.pk, now=LATER)
    mails = tell_all(LATER)
    assert [mail.recipient for mail in mails[:2]] == ["ben@players.test", "emma@players.test"]
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    for mail in mails[:2]:
        assert mail.subject == "[marne] Spring 1901 movement: the game is waiting for your orders"
        assert "please send them now" in flat(mail.body)
        assert "The deadline was Thu 5 Mar 2026, 12:00 UTC." in flat(mail.body)
        assert "3 units to order" in flat(mail.body)
    for mail in mails[2:-1]:
        assert mail.subject == "[marne] Spring 1901 movement: the game is waiting for orders"
        assert "is waiting for orders from England and Italy" in flat(mail.body)
        assert then in flat(mail.body)
        if mail is not mails[-1]:
            assert "even any that came after the deadline" in flat(mail.body)
        assert "WHAT YOU MUST DO" not in mail.body
    assert "England (Ben) and Italy (Emma)" in flat(mails[-1].body)


# --- What broke ----------------------------------------------------------------------------


def test_a_stuck_phase_is_told_to_gm_and_operators_without_what_broke(marne: Cast, settings):
    settings.OPERATOR_ADDRESSES = ["root@game.test", "night@game.test"]
    tell_all()
    log.record(
        game=marne.game,
        phase=marne.phase,
        facts=PhaseStuck(phase="S1901M"),
        now=NOW,
    )
    mails = tell_all()
    assert {mail.recipient for mail in mails} == {GM, "root@game.test", "night@game.test"}
    for mail in mails:
        assert mail.subject == (
            "[marne] Spring 1901 movement: not processed, the game stands still"
        )
        assert "Burgundy" not in mail.body


# --- Every notice --------------------------------------------------------------------------


@pytest.fixture
def every_mail(db: None) -> list[OutboundMail]:
    """Every kind of start and result mail, with names and orders that invite mistakes."""
    made_once("every kind of mail", tell_of_everything)
    return list(OutboundMail.objects.all())


def tell_of_everything() -> None:
    marne = make_cast()
    carla = marne.player("Carla")
    carla.name = "O'Carla & <Söhne>"
    carla.save()
    order_openings(marne, "England")
    process(marne)
    set_position(
        marne,
        "F1901M",
        units={
            "France": ["A Burgundy", "A Ruhr", "A Spain"],
            "Germany": ["A Munich", "A Denmark", "F Holland"],
            "Austria": ["A Serbia"],
            "Italy": ["A Tunis"],
            "Russia": ["F Rumania", "A Galicia"],
            "England": ["F Norway"],
        },
    )
    order(marne, "France", "A Bur - Mun", "A Ruh S A Bur - Mun", "Stab & <run>", at=LATER)
    order(marne, "Germany", "F Holland C A Ruhr - London", at=LATER)
    deadline_move(game=marne.game, to=LATER + 4 * DAY, why="A storm.", by=Mover("Gerda"), now=LATER)
    game_pause(game=marne.game, until=LATER + HOUR, why="A feast.", by="Gerda", now=LATER)
    game_resume(game=marne.game, by="Gerda", now=LATER)
    phase_hold(game=marne.game, since=LATER, now=LATER)
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    tell_all(remind_at)
    now = LATER
    for phase in ("F1901R", "W1901A", "S1902M"):
        now += 3 * DAY
        process(marne, now)
        assert marne.phase.name == phase


def test_telling_an_event_again_adds_nothing(every_mail: list[OutboundMail]):
    Event.objects.update(told_at=None)
    assert tell_all(LATER + 9 * DAY) == []
    assert not Event.objects.filter(told_at=None).exists()


def test_mails_are_72_columns_wide_and_plain(every_mail: list[OutboundMail]):
    for mail in every_mail:
        assert max(len(line) for line in mail.body.splitlines()) <= 72
        assert "\n\n\n" not in mail.body
        assert not re.search(r"&\w+;|{[{%]|None|\(\)", mail.body)


def test_no_unit_is_broken_over_two_lines(every_mail: list[OutboundMail]):
    for mail in every_mail:
        assert not re.search(r"(?<![a-z] )\b[AF]\n", mail.body), mail.body
        assert mail.body.count("(") == mail.body.count(")")
        for line in mail.body.splitlines():
            assert line.count("(") == line.count(")") or "unit" not in line, line


def test_names_are_shown_as_they_are_written(every_mail: list[OutboundMail]):
    assert any("O'Carla & <Söhne>" in mail.body for mail in every_mail)
    assert any("Stab & <run>" in flat(mail.body) for mail in every_mail)


def test_results_go_before_notices_and_every_mail_can_be_answered(
    every_mail: list[OutboundMail],
):
    for mail in every_mail:
        to_player = mail.recipient in EVERYBODY
        expected = OutboundMail.Priority.RESULT if to_player else OutboundMail.Priority.NOTICE
        assert mail.priority == expected
        assert mail.reply_to


def test_a_player_without_a_confirmed_address_stops_nobody(marne: Cast):
    marne.player("Ana").addresses.update(confirmed_at=None)
    recipients = {mail.recipient for mail in tell_all()}
    assert recipients == (EVERYBODY | {GM}) - {"ana@players.test"}
