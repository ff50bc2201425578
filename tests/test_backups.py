"""Backups: written while the server runs, rotated, and restored to see whether they are whole."""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
import stat
import subprocess
from io import StringIO
from pathlib import Path

import environ
import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Model
from django.utils import timezone
from imapclient import IMAPClient
from pytest_django import Settings

from diplomacy_server import backups as backups_module
from diplomacy_server.after_restore import skip_lost_numbers
from diplomacy_server.backups import (
    Backup,
    BackupError,
    backups,
    rotate,
    times_to_keep,
    write_backup,
)
from diplomacy_server.management.commands import restore_drill
from games.models import Offer, Phase
from mailer import jobs
from mailer.inbound import poller, processing, read_again, store
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, address_of
from tests.conftest import JudgeMailbox
from tests.flows.server import forked
from tests.mailer.correspondence import all_sent, eml, flat, receive, stored, told_cast
from tests.servers.dovecot import PASSWORD

REAL = timezone.now()
"""Mail servers have a clock of their own."""


def empty_backup(folder: Path, at: dt.datetime) -> Backup:
    path = folder / f"diplomacy-{at:%Y%m%dT%H%M%SZ}.dump"
    path.touch()
    return Backup(at, path)


def test_of_half_a_year_the_last_days_and_weeks_stay() -> None:
    nights = [NOW - number * DAY for number in range(180)]
    stay = times_to_keep(nights, NOW)
    assert set(nights[:14]) <= stay
    assert 14 + 5 <= len(stay) <= 14 + 8
    assert min(stay) > NOW - dt.timedelta(weeks=8)


def test_of_one_day_the_newest_stays() -> None:
    before = [NOW - 2 * DAY - hours * HOUR for hours in (0, 1, 2)]
    assert times_to_keep([NOW, *before], NOW) == {NOW, before[0]}


def test_what_was_written_before_an_upgrade_outlives_the_backup_after_it() -> None:
    last = [NOW - hours * HOUR for hours in (0, 1, 2)]
    assert times_to_keep(last, NOW) == set(last)


def test_rotation_deletes_what_is_old_or_half_written_and_nothing_else(tmp_path: Path) -> None:
    new, old = empty_backup(tmp_path, NOW), empty_backup(tmp_path, NOW - 100 * DAY)
    (tmp_path / "diplomacy-20260101T000000Z.dump.part").touch()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "diplomacy-20260230T000000Z.dump").touch()  # no such day: not ours
    assert rotate(tmp_path, NOW) == 2
    assert not old.path.exists()
    left = ["diplomacy-20260230T000000Z.dump", new.path.name, "notes.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == left


def test_the_only_backup_stays_however_old_it_is(tmp_path: Path) -> None:
    old = empty_backup(tmp_path, NOW - 1000 * DAY)
    assert rotate(tmp_path, NOW) == 0
    assert backups(tmp_path) == [old]


def test_a_drill_without_a_backup_fails(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no backup"):
        call_command("restore_drill", str(tmp_path))


@pytest.mark.on_both
@pytest.mark.django_db(transaction=True)
def test_a_backup_is_restored_with_its_games_whole(tmp_path: Path) -> None:
    cast = told_cast()
    folder, out = tmp_path / "backups", StringIO()
    call_command("backup", str(folder), stdout=out)
    [backup] = backups(folder)
    assert str(backup.path) in out.getvalue()
    assert stat.S_IMODE(backup.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    cast.game.events.update(digest="0" * 64)  # what happens afterwards is not in it
    told = StringIO()
    call_command("restore_drill", str(folder), stdout=told)
    assert "The logs of all games are whole (1 in all)." in told.getvalue()


def restore(backup: Backup) -> None:
    """What docs/operators.md has an operator do, on the database of the test."""
    connection.close()
    if connection.vendor == "sqlite":
        name = str(connection.settings_dict["NAME"])
        with sqlite3.connect(backup.path) as there, sqlite3.connect(name) as here:
            there.backup(here)
        return
    config = connection.settings_dict
    access = ["--host", config["HOST"], "--port", str(config["PORT"]), "--username", config["USER"]]
    whole = ["pg_restore", "--clean", "--if-exists", "--no-owner", "--dbname", config["NAME"]]
    subprocess.run([*whole, *access, str(backup.path)], check=True)


@pytest.mark.on_both
@pytest.mark.django_db(transaction=True)
def test_a_restored_server_catches_up_from_the_mailbox(tmp_path: Path) -> None:
    """The mails since the backup are put back into the mailbox: none is lost, none done twice."""
    cast = told_cast()
    seat = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    before, after = (
        eml(text, sender=address_of("Carla"), to=seat) for text in ("A Par - Bur", "A Par - Pic")
    )
    assert receive(before).state == InboundMail.State.DONE
    backup = write_backup(tmp_path, NOW)
    assert receive(after, received_at=NOW + HOUR).state == InboundMail.State.DONE
    restore(backup)
    assert InboundMail.objects.count() == 1

    for raw, at in ((before, NOW), (after, NOW + HOUR)):  # as they had first come
        stored(raw, received_at=at)
    processing.process_inbound(now=NOW + DAY, limit=10)

    sets = cast.phase.order_sets.order_by("received_at")
    assert [(one.lines, one.received_at) for one in sets] == [
        (["A Par - Bur"], NOW),
        (["A Par - Pic"], NOW + HOUR),
    ]
    receipts = OutboundMail.objects.filter(kind="reply", answers__isnull=False)
    assert receipts.count() == InboundMail.objects.filter(state=InboundMail.State.DONE).count() == 2


def never_had_a_row(model: type[Model]) -> None:
    """Have SQLite know no number of a table, as in a database in which no test has been."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            table = model._meta.db_table
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])


def offered(cast: Cast) -> Offer:
    """France, offered to the one who has it: only the number counts."""
    seat = cast.seat("France")
    return Offer.objects.create(
        power=seat.power, player=seat.player, made_at=NOW, expires_at=NOW + DAY
    )


@pytest.mark.on_both
@pytest.mark.django_db(transaction=True)
def test_what_comes_after_a_restore_gets_no_number_of_what_was_lost(tmp_path: Path) -> None:
    """Reply addresses are made of numbers: an answer to a lost letter must find no new one."""
    cast = told_cast()
    never_had_a_row(Offer)
    backup = write_backup(tmp_path, NOW)
    lost, lost_offer = receive(eml("LIST", sender=address_of("Carla"))), offered(cast)
    restore(backup)
    skip_lost_numbers()
    assert receive(eml("LIST", sender=address_of("Carla"))).pk > lost.pk + 1000
    assert offered(cast).pk > lost_offer.pk + 1000
    restore(backup)  # with the numbers that other tests begin with


BACKUP_AT = REAL - 30 * HOUR
BROKE_AT = REAL - 5 * HOUR


def restored(judge_mailbox: JudgeMailbox, *, due_at: dt.datetime) -> Cast:
    """The cast as it was at `BACKUP_AT`, and a mailbox with France's orders from an hour later."""
    cast = told_cast()
    poller.poll_mailbox(url=judge_mailbox.imap_url, now=BACKUP_AT)
    Phase.objects.update(opened_at=BACKUP_AT - HOUR, due_at=due_at)
    all_sent()
    seat = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=BACKUP_AT)
    raw = eml("A Par - Bur", sender=address_of("Carla"), to=seat)
    with IMAPClient("127.0.0.1", port=judge_mailbox.dovecot.port, ssl=False) as client:
        client.login(judge_mailbox.address, PASSWORD)
        client.create_folder("Processed")
        client.append("Processed", raw, msg_time=BACKUP_AT + HOUR)
    return cast


def after_restore(broke_at: dt.datetime = BROKE_AT) -> str:
    out = StringIO()
    call_command("after_restore", f"{broke_at:%Y-%m-%dT%H:%M:%SZ}", stdout=out)
    return out.getvalue()


def cut_off(*_: object) -> None:
    raise KeyboardInterrupt


def go_on() -> None:
    """The first round of the server that was started again."""
    now = timezone.now()
    jobs.process(now)
    jobs.deadlines(now)
    jobs.tell(now)


@pytest.mark.on_both
@pytest.mark.django_db(transaction=True)
def test_what_was_due_before_the_breakdown_is_decided_again_by_the_mails_of_then(
    judge_mailbox: JudgeMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its results are known: who read them may not order again. The command may be cut off, too."""
    cast = restored(judge_mailbox, due_at=BROKE_AT - HOUR)
    with monkeypatch.context() as patched:
        patched.setattr(read_again, "_shorten_outage", cut_off)
        with pytest.raises(KeyboardInterrupt):
            after_restore()
    said = after_restore()
    assert "1 mail came since the backup" in said
    assert "the players of 1 game are told" in said
    go_on()
    [phase] = Phase.objects.filter(name="S1901M")
    assert phase.status == Phase.Status.PROCESSED
    assert [one.lines for one in phase.order_sets.filter(counts=True)] == [["A Par - Bur"]]
    assert not cast.game.events.filter(kind="deadline_moved").exists()


@pytest.mark.django_db(transaction=True)
def test_a_deadline_that_passed_while_the_server_was_away_moves_and_all_are_told(
    judge_mailbox: JudgeMailbox,
) -> None:
    cast = restored(judge_mailbox, due_at=BROKE_AT + HOUR)
    after_restore()
    go_on()
    assert cast.phase.due_at
    assert cast.phase.due_at > timezone.now()
    told = OutboundMail.objects.filter(kind="deadline_moved").values_list("recipient", flat=True)
    assert {address_of(name) for name in POWERS} <= set(told)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("due_at", [BROKE_AT - HOUR, BROKE_AT + HOUR, REAL + DAY])
def test_nobody_is_asked_for_orders_whose_deadline_passed_before_they_read_of_it(
    judge_mailbox: JudgeMailbox, due_at: dt.datetime
) -> None:
    """Those that came in time lie in the mailbox, and are read only after this mail is written."""
    restored(judge_mailbox, due_at=due_at)
    after_restore()
    bodies = OutboundMail.objects.filter(kind="server_restored", recipient=address_of("Carla"))
    body = " ".join(bodies.get().body.split())
    assert ("WHAT YOU MUST DO NOW" in body) == (due_at > REAL)
    assert ("The deadline of Spring 1901 movement has passed" in body) == (due_at < REAL)


@pytest.mark.django_db(transaction=True)
def test_a_mailbox_that_takes_mail_in_but_moves_none_away_is_read_all_the_same(
    judge_mailbox: JudgeMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the command fails, cannot be repeated, and a phase with known results gets more time."""
    restored(judge_mailbox, due_at=BROKE_AT - HOUR)

    def lost(*_: object) -> int:
        raise ConnectionError("the connection was lost")

    with monkeypatch.context() as patched:
        patched.setattr(poller, "tidy", lost)
        assert "Start the server." in after_restore()
    go_on()
    assert Phase.objects.get(name="S1901M").status == Phase.Status.PROCESSED


@pytest.mark.django_db(transaction=True)
def test_a_restored_server_may_read_a_mailbox_at_another_address(
    judge_mailbox: JudgeMailbox,
) -> None:
    """The machine that is gone may have been the mail server, too."""
    restored(judge_mailbox, due_at=BROKE_AT - HOUR)
    Mailbox.objects.update(url="imaps://judge@gone.test/INBOX")
    assert "1 mail came since the backup" in after_restore()
    go_on()
    [phase] = Phase.objects.filter(name="S1901M")
    assert phase.status == Phase.Status.PROCESSED
    assert [one.lines for one in phase.order_sets.filter(counts=True)] == [["A Par - Bur"]]


@pytest.mark.django_db(transaction=True)
def test_a_server_that_went_on_too_early_has_to_be_restored_once_more(
    judge_mailbox: JudgeMailbox,
) -> None:
    restored(judge_mailbox, due_at=BROKE_AT - HOUR)
    poller.poll_mailbox(url=judge_mailbox.imap_url, now=timezone.now())
    with pytest.raises(CommandError, match="If the server was started before it, stop it, and res"):
        after_restore()


@pytest.mark.django_db(transaction=True)
def test_everybody_reads_once_that_the_server_lost_something(judge_mailbox: JudgeMailbox) -> None:
    cast = restored(judge_mailbox, due_at=BROKE_AT + HOUR)
    url = settings.IMAP_URLS
    settings.IMAP_URLS = [url[0].replace(str(judge_mailbox.dovecot.port), "1")]
    Mailbox.objects.update(url=store.mailbox_name(settings.IMAP_URLS[0]))
    with pytest.raises(CommandError, match=r"cannot be read: .*run this command again"):
        after_restore()
    settings.IMAP_URLS = url
    Mailbox.objects.update(url=store.mailbox_name(url[0]))
    for _ in range(2):  # the second time as if it had been killed before it read the mailbox
        Mailbox.objects.update(last_ok_poll=BACKUP_AT)
        after_restore()
    told = OutboundMail.objects.filter(body__contains="broke down, and goes on from a backup of")
    readers = {address_of(name) for name in POWERS} | {cast.gm.email}
    assert sorted(told.values_list("recipient", flat=True)) == sorted(readers)
    with pytest.raises(CommandError, match="has already been run, all is done"):
        after_restore()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2050-01-01T00:00Z", "1 Jan 2050, 00:00 UTC is yet to come"),
        ("2020-01-01T00:00Z", "never read a mailbox"),
        ("2026-11-27", "write a time like 2026-11-27T14:05Z"),
        ("yesterday", "write a time like 2026-11-27T14:05Z"),
        ("2026-02-30T00:00Z", "write a time like 2026-11-27T14:05Z"),
    ],
)
def test_a_time_at_which_the_server_cannot_have_broken_down_is_refused(
    written: str, said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("after_restore", written)


@pytest.mark.django_db
def test_the_check_of_all_games_names_the_one_that_was_tampered_with() -> None:
    """It is what a drill has the restored database say."""
    told_cast().game.events.update(digest="0" * 64)
    with pytest.raises(CommandError, match=r"marne: Event 1 .* was changed after it was written"):
        call_command("verify_log")


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_is_cut_off_fails_the_drill(tmp_path: Path) -> None:
    backup = write_backup(tmp_path, dt.datetime.now(dt.UTC))
    backup.path.write_bytes(backup.path.read_bytes()[:2000])
    with pytest.raises(CommandError, match="cannot be restored"):
        call_command("restore_drill", str(tmp_path))


def test_a_backup_with_nothing_in_it_fails_the_drill(tmp_path: Path) -> None:
    """SQLite reads an empty file as a database without tables, and migrating makes them all."""
    (tmp_path / f"diplomacy-{NOW:%Y%m%dT%H%M%SZ}.sqlite3").touch()
    with pytest.raises(CommandError, match="Nothing of a game server is in it"):
        call_command("restore_drill", str(tmp_path))


def test_a_backup_that_is_days_old_fails_the_drill_though_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_backup(tmp_path, NOW)
    monkeypatch.setattr(restore_drill, "try_out", lambda backup: "All is whole.")
    with (
        time_machine.travel(NOW + 3 * DAY, tick=False),
        pytest.raises(CommandError, match=r"72 h old[\s\S]*whole[\s\S]*too old"),
    ):
        call_command("restore_drill", str(tmp_path))


@pytest.mark.django_db(transaction=True)
def _backup_by_hand(url: str, folder: Path) -> str:
    """What `manage.py backup` says of the database with that address; it has to fail."""
    environment = {**os.environ, "DATABASE_URL": url, "LOG_LEVEL": "ERROR"}
    code, said = forked(environment, "backup", str(folder))
    assert code
    return said


NOTHING = "No backup was made. Nothing of a game server is in the database: is DATABASE_URL right?"


def test_an_empty_file_of_sqlite_drives_out_no_good_backup(tmp_path: Path) -> None:
    old = empty_backup(tmp_path, NOW - 1000 * DAY)
    assert NOTHING in _backup_by_hand(f"sqlite:///{tmp_path / 'mistyped.sqlite3'}", tmp_path)
    assert backups(tmp_path) == [old]


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_an_empty_database_of_postgresql_drives_out_no_good_backup(tmp_path: Path) -> None:
    old = empty_backup(tmp_path, NOW - 1000 * DAY)
    access = backups_module._access()
    name = f"{access['PGDATABASE']}_empty"
    backups_module._run(["createdb", "--template=template0", name], access)
    try:
        assert NOTHING in _backup_by_hand(backups_module._url(name), tmp_path)
    finally:
        backups_module._run(["dropdb", name], access)
    assert backups(tmp_path) == [old]


def test_a_database_that_cannot_be_dumped_leaves_no_backup_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "none" / "none"))
    with pytest.raises(CommandError, match="No backup was made"):
        call_command("backup", str(tmp_path))
    assert backups(tmp_path) == []


@pytest.mark.django_db(transaction=True)
def test_what_a_full_disk_cut_off_makes_room_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "diplomacy-20260101T000000Z.dump.part").touch()  # of a machine that lost its power

    def cut_off(part: Path) -> None:
        assert rotate(tmp_path, NOW) == 0, "another backup leaves this one alone"
        assert list(tmp_path.iterdir()) == [part]
        part.write_bytes(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(backups_module, "_write", cut_off)
    with pytest.raises(CommandError, match="No space left"):
        call_command("backup", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", ["backup", "restore_drill"])
def test_operators_are_told_once_a_day_of_a_backup_that_failed(
    tmp_path: Path, settings: Settings, command: str
) -> None:
    settings.OPERATOR_ADDRESSES = ["ada@players.test"]
    folder = tmp_path / "folder"
    folder.touch()  # it is a file
    for _ in range(2):
        with pytest.raises(CommandError) as failed:
            call_command(command, str(folder))
    [told] = OutboundMail.objects.filter(recipient="ada@players.test")
    assert str(failed.value).split()[-1] in told.body
    assert "The server runs on" in told.body
    assert f"“manage.py {command}”" in flat(told.body), "what to run when it is mended"
    assert ("disk is full" in flat(told.body)) == (command == "backup")


@pytest.mark.django_db(transaction=True)
def test_a_backup_beside_what_cannot_be_deleted_is_said_to_be_made(tmp_path: Path) -> None:
    (tmp_path / "diplomacy-20260101T000000Z.dump.part").mkdir()
    with pytest.raises(CommandError, match=r"\d bytes; but an old file cannot be deleted"):
        call_command("backup", str(tmp_path))
    assert len(backups(tmp_path)) == 1


@pytest.mark.only_on("PostgreSQL")
def test_a_database_that_is_away_is_said_by_the_line_that_tells_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", "1")
    with pytest.raises(BackupError, match=r"pg_dump failed: pg_dump: error: .*refused"):
        write_backup(tmp_path, NOW)


@pytest.mark.django_db
@pytest.mark.only_on("PostgreSQL")
def test_without_the_databases_own_programs_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match="There is no pg_dump here: install PostgreSQL's client"):
        call_command("backup", str(tmp_path))
    assert backups(tmp_path) == []


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("host", ["127.0.0.1", "db.example.org", "/run/postgresql", "::1"])
def test_the_drill_finds_its_database_wherever_it_is_with_a_password_of_any_signs(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    known = {"USER": "judge@home", "PASSWORD": "a/b:c@d+e%f", "HOST": host, "PORT": "5433"}
    for name, value in known.items():
        monkeypatch.setitem(connection.settings_dict, name, value)
    read = environ.Env.db_url_config(backups_module._url("drill"))
    assert {name: str(read[name]) for name in known} == known
    assert read["NAME"] == "drill"


@pytest.mark.only_on("PostgreSQL")
def test_the_drill_reaches_its_database_with_the_options_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = {"sslmode": "verify-full", "sslrootcert": "/etc/a b.pem", "connect_timeout": 7}
    ours = {"prepare_threshold": 3, "keepalives": 1, "options": "-c jit=off -c search_path=a"}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {**asked, **ours})
    access = backups_module._access()
    assert access["PGSSLMODE"] == "verify-full"
    assert access["PGSSLROOTCERT"] == "/etc/a b.pem"
    assert access["PGCONNECT_TIMEOUT"] == "7"
    assert "" not in access
    read = environ.Env.db_url_config(backups_module._url("drill"))
    assert read["NAME"] == "drill"
    assert read["OPTIONS"] == {**asked, "keepalives": 1, "options": ours["options"]}
