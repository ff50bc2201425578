"""Fills an empty database for benchmarks.load; its last line says what the players are to write."""

from __future__ import annotations

import argparse
import datetime as dt
import json
from functools import partial

import django
from django.core.management import call_command
from django.db.models import Model

django.setup()

from benchmarks.large_server import COPIED, STEP, name_of_each, received, run, sent, set_sequence  # noqa: E402
from games.models import OrderSet, Phase  # noqa: E402
from mailer.models import InboundMail, Mailbox, OutboundMail  # noqa: E402
from tests.cast import NOW, POWERS, Cast, make_cast, submit  # noqa: E402
from tests.copies import copies  # noqa: E402
from tests.pages.playing import play, write_press  # noqa: E402

PLAYED = 4
"""How many phases of each game have been processed; the next one is a movement phase."""
FAR = dt.timedelta(days=3650)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--running", type=int, required=True)
    options.add_argument("--finished", type=int, required=True)
    options.add_argument("--mails", type=int, required=True)
    given = options.parse_args()
    call_command("migrate", verbosity=0)
    orders = fill(given.running, given.finished, given.mails)
    print(json.dumps({"orders": orders}))


def fill(running: int, finished: int, mails: int) -> dict[str, list[str]]:
    """Make this many games, all copies of one that was played; return its newest orders by
    power."""
    cast = make_cast(now=NOW, process_early=False)
    write_press(cast)
    now = play(cast, PLAYED)
    orders = ordered(cast, now)
    mailbox = Mailbox.objects.create(url="imap://judge@mail.test/INBOX", last_ok_poll=NOW)
    games = running + finished
    for model in COPIED:
        other = partial(name_of_each, model)
        run(copies(model, COPIED, step=STEP, number=games - 1, other=other))
    settle(running)
    if mails:
        received(mails // 2, games, mailbox.pk)
        sent(mails // 2, games)
    tables: tuple[type[Model], ...] = (*COPIED, InboundMail, OutboundMail)
    for table in tables:
        set_sequence(table)
    run("VACUUM ANALYZE")  # making block range sums counts as reading a table whole
    return orders


def ordered(cast: Cast, now: dt.datetime) -> dict[str, list[str]]:
    """Give every power that has something to order its orders for the open phase."""
    assert cast.phase.name.endswith("M"), cast.phase.name
    found = {}
    for power in POWERS.values():
        units = cast.phase.position["units"].get(power, [])
        if lines := [f"{unit} H" for unit in units]:
            submit(cast, power, lines, now)
            found[power] = lines
    assert OrderSet.objects.filter(phase=cast.phase).exists()
    return found


def settle(running: int) -> None:
    """Let the first games go on, with a deadline far in the future, and end all others."""
    run("UPDATE games_event SET told_at = created_at")
    run("UPDATE games_game SET reminders = 'off'")
    over = f"(id / {STEP}) >= {running}"
    run(f"UPDATE games_game SET status = 'finished', finished_at = %s WHERE {over}", [NOW])
    phases = f"(game_id / {STEP}) >= {running} AND status = 'open'"
    run(f"UPDATE games_phase SET status = 'undone', all_in_at = NULL WHERE {phases}")
    run("UPDATE games_phase SET due_at = %s WHERE status = 'open'", [NOW + FAR])
    assert Phase.objects.filter(status="open").count() == running


if __name__ == "__main__":
    main()
