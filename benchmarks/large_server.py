"""A server of 5,000 games and a million mails, which PostgreSQL itself makes in some minutes.

One game is played by the services; every other is a copy of its rows with other keys, made by
`generate_series`. Import after django.setup().
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model

from games.models import (
    Address,
    Attendance,
    Event,
    Game,
    OrderSet,
    Phase,
    Player,
    Power,
    Press,
    Readiness,
    Seat,
)
from games.services.moderation.staff import gm_appoint, moderator_appoint
from mailer.models import InboundMail, Mailbox, OrderMail, OutboundMail
from tests.cast import DAY, NOW, make_cast
from tests.copies import copies
from tests.pages.playing import play, write_press

STEP = 10_000
"""How far the keys of a game's rows are from those of its next copy. Some keys are integers of four
bytes, which have to last for 200,000 games."""
TODAY = NOW + 7 * DAY
"""The moment at which we look at the pages: all deadlines are still to come."""
OF_ONE_GM = 10
"""How many games have the same GM."""
COPIED: tuple[type[Model], ...] = (
    *(User, Player, Address, Game, Power, Seat, Phase),
    *(OrderSet, Readiness, Attendance, Press, Event),
)
ONE_OF_A_KIND = {"username", "email", "name"}
"""Columns in which a copy's text differs, in tables where it has to."""
NAMED = (User, Player, Address, Game)
BODY = "England's fleet in the North Sea supports the army. " * 40
PLAYED = 5
"""How many phases of each game have been processed."""


def fill(games: int, mails: int) -> None:
    """Make this many games and this many mails: half came in, half went out."""
    cast = make_cast(now=NOW)
    write_press(cast)
    play(cast, PLAYED)
    gm_appoint(user=cast.gm)
    mailbox = Mailbox.objects.create(url="imap://judge@mail.test/INBOX", last_ok_poll=NOW)
    for model in COPIED:
        other = partial(name_of_each, model)
        run(copies(model, COPIED, step=STEP, number=games - 1, other=other))
    every(games)
    received(mails // 2, games, mailbox.pk)
    sent(mails // 2, games)
    make_staff()
    tables: tuple[type[Model], ...] = (*COPIED, InboundMail, OutboundMail)
    for table in tables:
        set_sequence(table)
    run("ANALYZE")


def run(sql: str, values: Iterable[Any] = ()) -> None:
    """Send one statement."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(values))


def name_of_each(model: type[Model], field: Any) -> str | None:
    """Return the SQL for a name that no two copies may share."""
    if model in NAMED and field.column in ONE_OF_A_KIND:
        return f"CASE WHEN \"{field.column}\" = '' THEN '' ELSE 'n' || n || \"{field.column}\" END"
    return None


def every(games: int) -> None:
    """Give each GM several games; let some games be over, some be late, and some have lost a
    player."""
    first = User.objects.get(username="gm").pk
    run(f"UPDATE games_game SET gm_id = %s + ((id / {STEP}) / {OF_ONE_GM}) * {STEP}", [first])
    run("UPDATE games_event SET told_at = created_at")
    later = f"(id / {STEP}) * interval '5 minutes'"
    run(f"UPDATE games_phase SET due_at = %s + {later} WHERE status = 'open'", [TODAY])
    run(f"UPDATE games_player SET created_at = created_at - (id / {STEP}) * interval '3 hours'")
    over = f"(id / {STEP}) %% 5 = 4"
    run(f"UPDATE games_game SET status = 'finished', finished_at = %s WHERE {over}", [NOW])
    phases = f"(game_id / {STEP}) %% 5 = 4 AND status = 'open'"
    run(f"UPDATE games_phase SET status = 'undone', all_in_at = NULL WHERE {phases}", [])
    some = f"(game_id / {STEP}) %% 100 = 0"
    run(f"UPDATE games_power SET disorder_since = %s WHERE name = 'Italy' AND {some}", [NOW])
    seat = f"(id / {STEP}) %% 100 = 0 AND player_id %% 100 = 5"
    run(f"UPDATE games_seat SET until = %s, ended_because = 'resigned' WHERE {seat}", [NOW])
    address = f"(id / {STEP}) %% 200 = 3 AND player_id %% 100 = 2"
    run(f"UPDATE games_address SET failing_since = %s WHERE {address}", [NOW])
    one = f"status = 'open' AND (game_id / {STEP}) %% 100 = 1"
    run(f"UPDATE games_phase SET overdue_at = %s, due_at = %s WHERE {one}", [NOW, NOW])


def received(number: int, games: int, mailbox: int) -> None:
    """Make this many mails from the players, of which the server set a handful aside."""
    player = Player.objects.order_by("pk").first()
    assert player is not None
    spread = f"%s + (n %% {games}) * {STEP}"
    run(
        "INSERT INTO mailer_inboundmail (mailbox_id, uidvalidity, uid, sha256, raw, received_at, "
        "stored_at, state, attempts, setbacks, error, note, message_id, sender, subject, "
        "player_id, proof, signed_by, processed_at) "
        "SELECT %s, 1, n, md5(n::text), convert_to('From: <' || a.email || '>' || chr(10) || "
        "chr(10) || %s, 'UTF8'), "
        f"%s - ({number} - n) * interval '1 minute', %s - ({number} - n) * interval '1 minute', "
        "CASE WHEN n %% 100000 = 7 THEN 'quarantined' ELSE 'done' END, 0, 0, '', '', "
        "'<m' || n || '@players.test>', a.email, '[marne] orders', a.player_id, 'token', '', %s "
        f"FROM generate_series(1, %s::int) AS n JOIN games_address a ON a.player_id = {spread}",
        [mailbox, BODY, TODAY, TODAY, NOW, number, player.pk],
    )
    run(
        f"INSERT INTO {OrderMail._meta.db_table} (order_set_id, mail_id) SELECT o.id, m.id FROM "
        "(SELECT id, row_number() OVER () AS n FROM games_orderset) o JOIN "
        "mailer_inboundmail m ON m.uid = o.n",
    )


def sent(number: int, games: int) -> None:
    """Make this many mails of ours: every other one tells an event, the rest answer a mail."""
    spread = f"(n %% {games}) * {STEP}"
    event, player = Event.objects.order_by("-pk").last(), Player.objects.order_by("pk").first()
    first = InboundMail.objects.order_by("pk").first()
    assert event is not None
    assert player is not None
    assert first is not None
    skipped = {
        "key": "'k' || n",
        "kind": "CASE WHEN n %% 2 = 0 THEN 'phase_processed' ELSE 'reply' END",
        "priority": "CASE WHEN n %% 2 = 0 THEN 20 ELSE 10 END",
        "recipient": "a.email",
        "player_id": "a.player_id",
        "event_id": f"CASE WHEN n %% 2 = 0 THEN {event.pk} + {spread} END",
        "answers_id": f"CASE WHEN n %% 2 = 1 THEN {first.pk} + n - 1 END",
        "message_id": "'<o' || n || '@game.test>'",
        "subject": "'[marne] results'",
        "body": "%s",
        "references": "''",
        "buttons": "'[]'::jsonb",
        "calendars": "'[]'::jsonb",
        "html": "true",
        "state": "CASE WHEN n %% 100000 = 9 THEN 'failed' ELSE 'sent' END",
        "created_at": f"%s - ({number} - n) * interval '1 minute'",
        "not_before": "%s",
        "attempts": "1",
        "sent_at": f"%s - ({number} - n) * interval '1 minute'",
        "bounced_at": "CASE WHEN n %% 5000 = 3 THEN %s END",
    }
    texts = ("reply_to", "cc", "in_reply_to", "on_yes", "pictures", "leased_by", "last_error")
    skipped |= dict.fromkeys([*texts, "bounce_digest", "bounce"], "''")
    names = ", ".join(f'"{name}"' for name in skipped)
    run(
        f"INSERT INTO mailer_outboundmail ({names}) SELECT {', '.join(skipped.values())} "
        "FROM generate_series(1, %s::int) AS n JOIN games_address a "
        f"ON a.player_id = {player.pk} + {spread}",
        [BODY, TODAY, NOW, TODAY, NOW, number],
    )


def make_staff() -> None:
    """Make a moderator and an operator; the GM is the one of the game that was played."""
    moderator_appoint(user=User.objects.create_user("moderator", "mo@players.test"))
    User.objects.create_superuser("operator", "root@players.test")


def set_sequence(model: type[Model]) -> None:
    """Have the next row get a key of its own."""
    table = model._meta.db_table
    run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
