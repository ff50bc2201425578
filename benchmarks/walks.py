"""How many modules you open to follow an order, a mail and an act: `python -m benchmarks.walks`.

A walk counts the modules of ours in which a function runs, after a first walk has filled whatever a
process reads or makes only once. If you follow it with a finger, you open these and no others.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import django

from tests.plugin import ENVIRONMENT

FOLDER = tempfile.TemporaryDirectory(prefix="walks-")  # no server's database lies in memory
os.environ |= ENVIRONMENT | {
    "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
    "DATABASE_URL": f"sqlite:///{Path(FOLDER.name, 'walks.sqlite3')}",
}
django.setup()

from django.core.management import call_command  # noqa: E402

from benchmarks.structure import modules_run  # noqa: E402
from judge import Position, load_variant, read_orders  # noqa: E402
from mailer.outbound import addresses  # noqa: E402
from tests.cast import NOW  # noqa: E402
from tests.mailer.correspondence import told_cast, write  # noqa: E402


def walk(do: Callable[[str], object], first: str, then: str) -> list[str]:
    """Return the modules of ours in which a function runs while we do `then`, in their order."""
    do(first)
    return modules_run(lambda: do(then))


def main() -> None:
    call_command("migrate", verbosity=0)
    logging.disable()  # how we write a line of the log is no part of a walk
    cast = told_cast()
    start = Position.start(load_variant("standard"))
    seat = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    gm = addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    walks = {
        "an order line": (
            lambda text: read_orders(start, "France", [text]),
            "Army Paris moves to Picardy, please",
            "Army Marseilles moves to Spain, please",
        ),
        "a mail to its receipt": (
            lambda text: write("Carla", text, to=seat),
            "Army Paris moves to Picardy, please",
            "Fleet Brest moves to the English Channel, please",
        ),
        "a GM's act by mail": (
            lambda text: write("", text, to=gm, sender=cast.gm.email),
            "EXTEND 24h because of Easter",
            "EXTEND 24h because of Whitsun",
        ),
    }
    for name, (do, first, then) in walks.items():
        modules = walk(do, first, then)
        print(f"{name}: {len(modules)} modules\n    {' '.join(modules)}")


if __name__ == "__main__":
    main()
