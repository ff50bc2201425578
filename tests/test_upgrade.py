"""A database that the first release wrote goes on with today's code, and nothing in it is lost.

`first_release.json.gz` holds every row of such a database, and the game `marne` as that release
exported it. The release played them itself, by mail, with the cast and the key of these tests:

* `marne`, a year and a half old, in S1902M: orders and words stand, orders wait for a later phase,
  there is press, an absence, a broadcast that nobody was told of yet, a mail that nobody has worked
  on yet and one that its sender is asked about;
* `meuse`, which waits for orders; `sambre`, which is paused; `aisne`, which nobody has begun yet;
  and `ourcq`, which France has won, of which nobody was told yet: its position before was put there
  by hand, so that she could.

Games that were in other phases when the server stopped are made of marne's rows here (`in_phase`),
and `HALF_SENT` are mails that a worker of that release had in hand.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.apps import apps as today
from django.apps.registry import Apps
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings

from diplomacy_server.tables import migrations_to_run
from games.game_file import document
from games.models import AdvanceOrders, Attendance, Event, Game, Phase, Player, Seat
from games.queries.audit import log_faults
from games.queries.endings.ending import result_sentence
from games.queries.orders.current_orders import all_current_lines
from games.queries.players.attendance import misses_in_a_row, reliability
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.pauses import game_resume
from games.services.setup.gm_settings import settings_change
from games.services.setup.transfer import game_import
from mailer import jobs
from mailer.inbound import processing
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, sending
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, flat, write
from tests.migrated import server_of
from tests.servers import Relay
from tests.servers.process import program

pytestmark = [pytest.mark.django_db, pytest.mark.on_both, pytest.mark.long]

SAVED = json.loads(gzip.decompress(Path(__file__).with_name("first_release.json.gz").read_bytes()))
ROWS: list[dict[str, Any]] = SAVED["rows"]
Row = dict[str, Any]


def of_model(model: str, **fields: object) -> list[Row]:
    """The saved rows of a model whose fields are these."""
    return [
        row
        for row in ROWS
        if row["model"] == model and fields.items() <= {**row["fields"], "pk": row["pk"]}.items()
    ]


def in_phase(number: int, called: str, like: int, **phase: object) -> list[Row]:
    """A game of marne's players in a phase of the kind of marne's phase `like`, with `phase` in its
    row; `number` keeps its rows apart from those of other games."""

    def copied(row: Row, **fields: object) -> Row:
        return {**row, "pk": number * 1000 + row["pk"], "fields": {**row["fields"], **fields}}

    (game,) = of_model("games.game", name="marne")
    (open_one,) = of_model("games.phase", game=game["pk"], status="open")
    (source,) = of_model("games.phase", game=game["pk"], number=like)
    rows = [copied(game, name=called)]
    key = rows[0]["pk"]
    for power in of_model("games.power", game=game["pk"]):
        rows.append(copied(power, game=key))
        for seat in of_model("games.seat", power=power["pk"], until=None):
            rows.append(copied(seat, power=copied(power)["pk"]))
    position = source["fields"]["position"]
    kept = {"name": source["fields"]["name"], "position": position, **phase}
    return [*rows, copied(open_one, game=key, number=1, **kept)]


DISLODGED = {
    "phase": "F1901R",
    "units": {"Germany": ["A Burgundy"], "France": ["A Paris"], "Italy": ["A Marseilles"]},
    "centers": {"Germany": ["Munich"], "France": ["Paris"], "Italy": ["Rome"]},
    "dislodged": [{"power": "France", "unit": "A Burgundy", "retreats": ["Belgium", "Picardy"]}],
}
OTHER_PHASES = {"lys": "F1901R", "oise": "W1901A", "yser": "S1902M"}
"""Of games that retreat, that build, and whose phase is stuck."""
LEASED = of_model("mailer.outboundmail")[-1]["pk"]
HALF_SENT = {
    LEASED: {"attempts": 1, "leased_until": "2026-03-10T14:00:00Z"},
    LEASED - 1: {"attempts": 1, "last_error": "451 4.3.0 Try again later"},
    LEASED - 2: {"state": "sent", "attempts": 1, "sent_at": "2026-03-10T13:00:01Z"},
}
"""Mails of which a worker had sent one and kept one for later, and died with one in hand."""
for mail in of_model("mailer.outboundmail"):
    mail["fields"].update(HALF_SENT.get(mail["pk"], {}))
ROWS += [
    *in_phase(1, "lys", 2, name="F1901R", position=DISLODGED),
    *in_phase(2, "oise", 3),
    *in_phase(3, "yser", 4, status="stuck", attempts=3, error="LookupError"),
]
FIRST = [("games", "0001_initial"), ("mailer", "0001_initial")]
ON_THE_WAY = [("games", "0030_wishes_dated"), ("mailer", "0021_kept_for_later")]
"""Where a server may have stopped: `mailer` has what there was at that time, `games` has not."""
OF_DJANGO = ("auth", "contenttypes", "sessions", "admin")

GONE = 900_000
"""The number of a game that was made and deleted before the upgrade."""

LATER = NOW + 8 * DAY + 2 * HOUR
"""Soon after the last of these rows was written; marne's deadline is two days later."""

GIVEN_ANEW = {("auth.user", "groups")}
"""What the upgrade changes in these rows: who is the GM of a game, is one in the admin, too."""


@pytest.fixture(scope="module", autouse=True)
def upgraded(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Made]:
    """A database of the first release, filled, then migrated; each test sees it again.

    It is migrated as on a server that stopped on the way, and had even one app migrated alone.
    What is given is what a new database is made of, which runs none of these migrations.
    """
    with django_db_blocker.unblock():
        new = Made.here()
        with another_database(tmp_path_factory.mktemp("upgrade")):
            executor = MigrationExecutor(connection)
            executor.loader = MigrationLoader(connection, replace_migrations=False)
            others = [node for node in executor.loader.graph.leaf_nodes() if node[0] in OF_DJANGO]
            executor.migrate([*FIRST, *others])
            load(executor.loader.project_state([*FIRST, *others]).apps)
            state = MigrationExecutor(connection).migrate(ON_THE_WAY)
            make_and_delete(state.apps.get_model("games.game"))
            call_command("migrate", "contenttypes", verbosity=0)
            call_command("migrate", verbosity=0)
            yield new


@dataclass(frozen=True)
class Made:
    """What migrations make a database of, in whatever order: a column may stand before another."""

    schema: list[str]
    """Its statements in SQL; the columns and constraints of each table are sorted."""
    rights: dict[str, list[str]]
    """The permissions of each group."""

    @classmethod
    def here(cls) -> Made:
        rights = {
            group.name: sorted(group.permissions.values_list("codename", flat=True))
            for group in Group.objects.all()
        }
        return cls(sorted(map(in_order, statements())), rights)


def statements() -> list[str]:
    """All that makes the tables of the database that is connected."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            return [sql for (sql,) in cursor.fetchall()]
    of = connection.settings_dict
    place = ["-h", of["HOST"], "-p", str(of["PORT"]), "-U", of["USER"], of["NAME"]]
    argv = [program("pg_dump", "postgresql"), "--schema-only", "--no-owner", *place]
    said = subprocess.run(
        argv,
        env={**os.environ, "PGPASSWORD": of["PASSWORD"]},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    told = (line for line in said.splitlines() if not line.startswith(("--", "\\")))
    return "\n".join(told).split(";\n")


def in_order(statement: str) -> str:
    """A statement with what stands between the brackets of a CREATE TABLE sorted."""
    words = " ".join(statement.split())
    if not words.startswith("CREATE TABLE"):
        return words
    head, _, inner = words.partition("(")
    parts, depth = [""], 0
    for sign in inner.removesuffix(")"):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return f"{head}({', '.join(sorted(part.strip() for part in parts))})"


@contextmanager
def another_database(folder: Path) -> Iterator[None]:
    """An empty database in place of that of the other tests: to migrate theirs back to the first
    release would take as long as all else here."""
    name = connection.settings_dict["NAME"]
    connection.close()
    if connection.vendor == "sqlite":
        with in_database(str(folder / "first.sqlite3")):
            yield
        return
    with psycopg.connect(server_of(connection), autocommit=True) as server:
        server.execute(f'drop database if exists "{name}_first"')
        server.execute(f'create database "{name}_first"')
        with in_database(f"{name}_first"):
            yield
        server.execute(f'drop database "{name}_first"')


@contextmanager
def in_database(name: str) -> Iterator[None]:
    before = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def load(apps: Apps) -> None:
    """Write the rows as the models of that time know them."""
    with transaction.atomic():
        for row in ROWS:
            model = apps.get_model(row["model"])
            fields = {name: model._meta.get_field(name) for name in row["fields"]}
            values = {
                field.attname: plain(field, row["fields"][name])
                for name, field in fields.items()
                if not field.many_to_many
            }
            model._base_manager.bulk_create([model(pk=row["pk"], **values)])
    tables = [apps.get_model(name) for name in {row["model"] for row in ROWS}]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)


def make_and_delete(model: Any) -> None:
    """Have a game made that its GM deletes before it begins."""
    game = model.objects.order_by("pk").last()
    game.pk, game.name = GONE, "somme"
    game.save(force_insert=True)
    game.delete()


def plain(field: Any, value: object) -> object:
    """A value as it stands in the saved rows, as the field has it in Python."""
    if isinstance(field, models.JSONField | models.ForeignKey):
        return value
    found = field.to_python(value)
    return bytes(found) if isinstance(field, models.BinaryField) else found


@pytest.fixture
def marne() -> Cast:
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))


def old_mail(name: str, kind: str) -> OutboundMail:
    """The newest mail of this kind about marne that the first release wrote to a player."""
    mails = OutboundMail.objects.filter(recipient=address_of(name), kind=kind)
    return mails.filter(subject__contains="[marne]").order_by("-pk")[0]


def reply(name: str, text: str, *, at: dt.datetime = LATER, kind: str = "phase_processed") -> str:
    """Answer that mail; return what the player reads then."""
    mail = write(name, text, to=old_mail(name, kind).reply_to, received_at=at)
    return flat(answer_to(mail).body)


def at_seat(cast: Cast, name: str, text: str, at: dt.datetime) -> str:
    """Write to the newest reply address; return what the player reads then."""
    to = addresses.seat_address(seat=cast.seat(POWERS[name]), phase=cast.phase, now=at)
    return flat(answer_to(write(name, text, to=to, received_at=at)).body)


def play(cast: Cast) -> dt.datetime:
    """Process the open phase at its deadline; return when that was."""
    phase = cast.phase
    assert phase.due_at is not None
    assert phase_process(game_id=cast.game.pk, now=phase.due_at) is not None
    cast.game.refresh_from_db()
    return phase.due_at


# --- Nothing is lost ------------------------------------------------------------------------


RENAMED = {"games.ordersahead": "games.advanceorders"}
"""Classes that are called something else today; their tables are not."""


def model_of_today(name: str) -> type[models.Model]:
    return today.get_model(RENAMED.get(name, name))


def test_every_row_is_there_and_says_what_it_said() -> None:
    found: Counter[str] = Counter()
    for row in ROWS:
        kept = model_of_today(row["model"])._base_manager.get(pk=row["pk"])
        for name, value in row["fields"].items():
            if (row["model"], name) in GIVEN_ANEW or name == "user_permissions":
                continue
            field: Any = kept._meta.get_field(name)
            now = getattr(kept, field.attname)
            now = bytes(now) if isinstance(field, models.BinaryField) else now
            assert now == plain(field, value), f"{kept}: {name}"
        found[row["model"]] += 1
    assert found["games.game"] == 5 + len(OTHER_PHASES)
    assert all(model_of_today(name)._base_manager.count() == n for name, n in found.items())


@pytest.mark.only_on("SQLite")
def test_no_number_is_given_out_twice_though_tables_are_made_anew() -> None:
    """Reply addresses are made of numbers: one of a deleted game must not come to mean another."""
    game = Game.objects.get(name="marne")
    game.pk, game.name = None, "somme"  # type: ignore[assignment]
    game.save(force_insert=True)
    assert game.pk == GONE + 1


def test_a_new_database_is_made_as_one_that_was_migrated_step_by_step(upgraded: Made) -> None:
    """New ones run only the migrations that stand for all (games/migrations/0001_squashed_…)."""
    stepwise = Made.here()
    assert sum(sql.startswith("CREATE TABLE") for sql in stepwise.schema) > 40
    assert stepwise.schema == upgraded.schema
    assert stepwise.rights == upgraded.rights
    assert len(upgraded.rights) == 2


def test_a_server_that_stopped_on_the_way_has_run_all() -> None:
    assert migrations_to_run(connection) == 0
    applied = MigrationLoader(connection).applied_migrations
    squashed = {(app, name) for app, name in applied if "_squashed_" in name}
    assert {app for app, _ in squashed} == {"games", "mailer"}


def test_the_logs_of_all_games_are_whole_and_stay_so(marne: Cast) -> None:
    for game in Game.objects.exclude(name__in=["ourcq", *OTHER_PHASES]):
        assert list(log_faults.faults(game)) == []
    put_there = log_faults.faults(Game.objects.get(name="ourcq"))
    assert list(put_there) == ["Fall 1901 movement: the game never came to its position."]
    play(marne)
    assert list(log_faults.faults(marne.game)) == []


def test_every_reply_address_in_a_mail_sent_before_still_opens() -> None:
    mails = OutboundMail.objects.filter(reply_to__contains="+")
    assert mails.count() > 100
    assert all(addresses.find([mail.reply_to]) for mail in mails)
    assert not addresses.were_made_with_another_key()


def test_a_reply_to_old_results_orders_in_the_open_phase(marne: Cast) -> None:
    said = reply("Greta", "A Smyrna - Armenia")
    assert " of 5: A Smyrna - Armenia" in said
    assert "These orders stand now for Turkey in Spring 1902 movement" in said


def test_an_answer_to_old_press_is_passed_on_to_its_writer(marne: Cast) -> None:
    assert "Passed on to Turkey" in reply("Felix", "Peace it is.", kind="press_sent")


def test_mails_that_waited_are_worked_on_after_the_upgrade(marne: Cast) -> None:
    mail = InboundMail.objects.get(state="new")
    processing.process_mail(mail_id=mail.pk, now=LATER)
    assert " of 5: A Berlin - Prussia" in flat(answer_to(mail).body)
    held = InboundMail.objects.get(state="held", player__name="Ben")
    write("Ben", "YES", to=answer_to(held).reply_to, received_at=LATER)
    held.refresh_from_db()
    assert held.state == "done"
    lines = marne.phase.order_sets.filter(power__name="England", counts=True)
    assert lines.get().received_at == held.received_at


def test_orders_sent_ahead_before_are_used_when_their_phase_opens(marne: Cast) -> None:
    while marne.phase.name != "F1902M":
        play(marne)
    assert AdvanceOrders.objects.get(phase_name="F1902M").used_at is not None
    assert all_current_lines(marne.phase)["France"] == ("A Belgium - Holland",)


def test_what_nobody_was_told_of_is_told(marne: Cast) -> None:
    OutboundMail.objects.update(state="sent")
    jobs.tell(LATER)
    assert not Event.objects.filter(told_at=None).exists()
    bodies = [flat(mail.body) for mail in OutboundMail.objects.filter(state="queued")]
    assert sum("This is not told yet." in body for body in bodies) == len(POWERS)
    assert sum("France has won" in body for body in bodies) == len(POWERS) + 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("STATUS", "Spring 1902 movement"),
        ("LOG", "Austria wrote to everybody"),
        ("HISTORY", "Winter 1901"),
        ("MAP", "Holland"),
        ("LIST", "aisne"),
        ("HELP", "TAKEOVER"),
    ],
)
def test_what_is_asked_about_old_games_is_answered(line: str, expected: str, marne: Cast) -> None:
    assert expected.lower() in reply("Greta", line).lower()


# --- Games go on as they were agreed on -----------------------------------------------------


def test_games_that_run_keep_their_rules_and_others_get_the_new_ones() -> None:
    rules = {game.name: (game.disorder_after, game.observers) for game in Game.objects.all()}
    kept, new = (0, False), (2, True)
    running = dict.fromkeys(["marne", "meuse", "sambre", *OTHER_PHASES], kept)
    assert rules == {**running, "aisne": new, "ourcq": new}


def test_games_of_before_keep_their_times() -> None:
    """They process at once when all orders are in, and a substitute has a day."""
    times = Game.objects.values_list("early_delay", "takeover_time")
    assert set(times) == {(dt.timedelta(0), DAY)}


def test_nothing_new_happens_by_itself_to_a_game_that_runs(marne: Cast) -> None:
    for _ in range(6):
        submit(marne, "France", ["A Paris H"], at=marne.phase.opened_at)
        play(marne)
    later = Event.objects.filter(game=marne.game, created_at__gte=LATER)
    assert set(later.values_list("kind", flat=True)) == {"phase_processed"}
    assert not marne.game.powers.exclude(disorder_since=None, open_since=None).exists()


def test_phases_of_before_count_for_nobodys_reliability(marne: Cast) -> None:
    italy = marne.seat("Italy")
    assert not reliability(italy.player, now=LATER).is_known
    assert misses_in_a_row([italy])[italy.pk] == 0
    at = play(marne)
    assert misses_in_a_row([italy])[italy.pk] == 1
    assert reliability(italy.player, now=at).missed == 1
    assert Attendance.objects.filter(seat=italy).count() == 1


def test_a_gm_can_let_seats_of_the_missing_be_taken_over_and_somebody_takes_one(
    marne: Cast,
) -> None:
    settings_change(
        game=marne.game, changes={"disorder_after": 2}, why="New rules.", by="gm", now=LATER
    )
    missing = {"Russia", "Italy"}
    while not marne.game.powers.filter(name="Italy", disorder_since__isnull=False).exists():
        at = play(marne)
        assert marne.phase.number < 12
        for name, power in POWERS.items():
            if power not in missing:
                at_seat(marne, name, "READY", at + HOUR)
    hugo = Player.objects.get(name="Hugo").addresses.get()
    to = addresses.player_address(address=hugo, now=at)
    said = answer_to(write("Hugo", "TAKEOVER marne Italy", to=to, received_at=at + HOUR))
    assert "you now play Italy" in flat(said.body)
    assert marne.seat("Italy").player.name == "Hugo"
    assert Seat.objects.get(power__game=marne.game, player__name="Emma").ended_because
    assert list(log_faults.faults(marne.game)) == []


def test_the_players_can_vote_for_a_draw_and_read_the_whole_story(marne: Cast) -> None:
    reply("Greta", "VOTE DRAW")
    for name in set(POWERS) - {"Greta"}:
        reply(name, "VOTE YES")
    game = Game.objects.get(name="marne")
    assert (game.status, game.ending) == ("finished", "draw")
    assert game.winners == sorted(POWERS.values())
    jobs.tell(LATER)
    assert not Event.objects.filter(told_at=None).exists()
    story = OutboundMail.objects.get(kind="game_finished", recipient=address_of("Emma"))
    assert "The players have agreed on a draw" in flat(story.body)


def test_a_game_can_go_back_to_a_phase_of_before(marne: Cast) -> None:
    game_rollback(game=marne.game, phase="F1901M", why="A mistake.", by="gm", now=LATER)
    assert marne.phase.name == "F1901M"
    play(marne)
    assert list(log_faults.faults(marne.game)) == []


def test_a_game_that_waits_goes_on_when_the_orders_are_in(marne: Cast) -> None:
    waiting = Cast(Game.objects.get(name="meuse"), marne.gm)
    assert jobs.seats(LATER) == 0
    for name in POWERS:
        at_seat(waiting, name, "READY", LATER)
    assert phase_process(game_id=waiting.game.pk, now=LATER + DAY) is not None
    assert waiting.phase.name == "F1901M"


def test_a_game_that_waits_in_vain_opens_the_seats_of_the_late_and_tells_them() -> None:
    overdue_at = Phase.objects.get(game__name="meuse").overdue_at
    assert overdue_at is not None
    assert jobs.seats(overdue_at + 2 * DAY) == len(POWERS)
    jobs.tell(overdue_at + 2 * DAY)
    told = OutboundMail.objects.filter(kind="seat_opened").values_list("recipient", flat=True)
    assert {address_of(name) for name in POWERS} <= set(told)


def test_a_paused_game_can_be_resumed(marne: Cast) -> None:
    resting = Cast(Game.objects.get(name="sambre"), marne.gm)
    game_resume(game=resting.game, by="gm", now=LATER)
    assert resting.phase.due_at is not None
    play(resting)
    assert resting.phase.name == "F1901M"


def test_a_game_that_is_over_says_who_won_it() -> None:
    assert result_sentence(Game.objects.get(name="ourcq")) == "France has won with 18 centres"


def test_a_game_that_was_not_full_starts_when_it_is(marne: Cast) -> None:
    for name in set(POWERS) - {"Carla"}:
        reply(name, "JOIN aisne")
    game = Game.objects.get(name="aisne")
    assert game.status == Game.Status.ACTIVE
    assert game.phases.get().status == Phase.Status.OPEN


ORDERED = {
    "lys": ("Carla", "A Bur - Pic", "A Burgundy - Picardy", "W1901A"),
    "oise": ("Dmitri", "Build A Ber", "Build A Berlin", "S1902M"),
    "yser": ("Carla", "A Par - Gas", "A Paris - Gascony", "F1902M"),
}
"""Who orders what in these games, how it is read, and which phase comes next."""


@pytest.mark.parametrize("name", ORDERED)
def test_a_game_goes_on_from_whatever_phase_it_was_in(name: str, marne: Cast) -> None:
    player, text, read, after = ORDERED[name]
    cast = Cast(Game.objects.get(name=name), marne.gm)
    assert cast.phase.name == OTHER_PHASES[name]
    assert read in at_seat(cast, player, text, LATER)
    assert phase_process_now(game_id=cast.game.pk, now=LATER) is not None
    assert cast.phase.name == after


def test_a_mail_that_was_being_sent_goes_out_and_one_that_was_sent_does_not_again(
    smtp: Relay, settings: Settings
) -> None:
    settings.EMAIL_URL = smtp.url
    OutboundMail.objects.exclude(pk__in=HALF_SENT).delete()
    smtp.accepted.clear()
    assert sending.drain(now=LATER) == 2
    taken = {one.message_id for one in smtp.accepted}
    waited = OutboundMail.objects.filter(pk__in=[LEASED, LEASED - 1])
    assert taken == set(waited.values_list("message_id", flat=True))
    assert {mail.state for mail in OutboundMail.objects.all()} == {"sent"}


# --- Around the games -----------------------------------------------------------------------


def test_who_was_a_gm_finds_their_games_in_the_admin(marne: Cast, client: Client) -> None:
    client.force_login(marne.gm)
    page = client.get("/admin/games/game/").content.decode()
    assert all(name in page for name in ("marne", "meuse", "sambre", "aisne", "ourcq"))
    assert client.get(f"/admin/games/game/{marne.game.pk}/change/").status_code == 200


def test_a_game_that_the_first_release_exported_can_be_imported(marne: Cast) -> None:
    saved = SAVED["marne"]
    saved = {**saved, "game": {**saved["game"], "name": "aube"}}
    game = game_import(document=saved)
    assert list(log_faults.faults(game)) == []
    copy = Cast(game, marne.gm)
    assert copy.phase.name == "S1902M"
    assert (game.disorder_after, game.observers) == (0, False)
    later = document(game)
    assert later["game"]["name"] == "aube"
    play(copy)
    assert copy.phase.number == later["phases"][-1]["number"] + 1
