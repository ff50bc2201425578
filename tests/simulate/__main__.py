"""Simulate seed after seed; print the seed of each that broke a promise, and exit 1 then."""

from __future__ import annotations

import argparse
import atexit
import itertools
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.memory import in_memory

if TYPE_CHECKING:
    from tests.simulate.world import SeedResult

SPACE = 200 * 2**20
"""Bytes for the files of a run."""
CALM = 4
"""Every so many seeds nothing breaks: games last, and come to what storms prevent."""
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
    "DATABASE_URL": "sqlite:///simulated",  # in memory: `begin`
    "SECRET_KEY": "simulated: long enough for the system checks to be content",
    "IMAP_URL": "imap://judge@mail.test/INBOX",
    "EMAIL_URL": "smtp://mail.test",
    "JUDGE_ADDRESS": "judge@game.test",
    "OPERATOR_ADDRESSES": "operator@players.example",
    "TRUSTED_AUTHSERV_ID": "mx.game.test",
    "SITE_URL": "http://game.test",
    "ALLOWED_HOSTS": "game.test",
    # The people of a simulation write more in a day than any provider lets through.
    "MAILS_PER_HOUR": "100000",
    "STRANGERS_PER_HOUR": "100000",
    "REFUSALS_PER_DAY": "100000",
    "LOG_LEVEL": "CRITICAL",
    # Not as long as anybody keeps mail, but so that a seed sees it emptied.
    "MAIL_DAYS": "12",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulate", description=__doc__)
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--first", type=int, default=1, help="the first seed: 1")
    parser.add_argument("--minutes", type=float, default=60.0, help="of real time: 60")
    parser.add_argument("--days", type=float, default=60.0, help="of simulated time a seed: 60")
    parser.add_argument("--games", type=int, default=0, help="at once: 1 to 3, by the seed")
    parser.add_argument("--plant", default="", help="a fault that is to be found (planted.py)")
    given = parser.parse_args()
    folder = begin()
    from tests.simulate.run import make_ready, make_template, many, simulated

    template = str(folder / "template.sqlite3")
    make_template(template)
    make_ready()

    def one(seed: int) -> SeedResult:
        facts = {"games": given.games, "stormy": is_stormy(seed)}
        if name := given.plant:
            return simulated(seed, template, plants=[name], within=given.days, **facts)[name]
        return simulated(seed, template, days=given.days, **facts)[""]

    seeds = iter([given.seed]) if given.seed is not None else itertools.count(given.first)
    return 1 if many(seeds, one, seconds=given.minutes * 60, say=partial(print, flush=True)) else 0


def is_stormy(seed: int) -> bool:
    """Say whether things break in this seed."""
    return seed % CALM != CALM - 1


def begin(module: str = "tests.simulate") -> Path:
    """Start Django on a database in memory; return a folder for this run.

    `module` is what to start again when this Python would order its sets by chance.
    """
    if not os.environ.get("PYTHONHASHSEED", "").isdecimal():
        # The order of a set's elements is drawn anew in each process, unless it is told not to; by
        # another number it is another one, which must not matter.
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", module, *sys.argv[1:]])
    import django

    folder = Path(tempfile.mkdtemp(prefix="simulate-", dir=in_memory(SPACE)))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.update(ENVIRONMENT, VAR_DIR=str(folder))
    django.setup()
    from django.db import connection

    # No server may do so (check): each of its processes would have a database of its own.
    connection.settings_dict["NAME"] = ":memory:"
    return folder


if __name__ == "__main__":
    sys.exit(main())
