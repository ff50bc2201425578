"""Seed after seed, each in a process of its own, so that none inherits what another remembers.

What stays the same in all of them is read before the first begins: modules, addresses of pages,
maps.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from atlas.scene import stage_of
from games.queries.board import variant_named
from tests import warm
from tests.simulate.machinery.copies import in_a_copy
from tests.simulate.machinery.stand_ins import fresh_database
from tests.simulate.plants.hurries import hurry
from tests.simulate.plants.plant import Plant
from tests.simulate.plants.planted import PLANTS
from tests.simulate.tables import BOARDS, HOUR, games_of
from tests.simulate.world import SeedResult, World

A_MOMENT = 0.001
"""Days."""


@dataclass
class Sum:
    """What all seeds came to."""

    seeds: int = 0
    game_years: int = 0
    phases: int = 0
    mails: int = 0
    sent: int = 0
    deaths: int = 0
    rollbacks: int = 0
    pictures: int = 0
    restored: int = 0
    erased: int = 0

    def add(self, told: SeedResult) -> None:
        self.seeds += 1
        self.game_years += told.game_years
        self.phases += told.phases
        self.mails += told.mails
        self.sent += told.sent
        self.deaths += told.deaths
        self.rollbacks += told.rollbacks
        self.pictures += told.pictures
        self.restored += told.restored
        self.erased += told.erased


def make_template(path: str) -> None:
    """Migrate a database file that every seed begins with a copy of."""
    connection.settings_dict["NAME"] = path
    call_command("migrate", verbosity=0)
    connection.close()
    connection.settings_dict["NAME"] = ":memory:"


def make_ready() -> None:
    """Read what every seed needs, and lay its boards out, once for all of them.

    Otherwise a short seed spends half of its time on that.
    """
    WSGIHandler()
    reverse("admin:index")
    for _, name, *_ in BOARDS:
        stage_of(variant_named(name))
    warm.make_ready()


def simulated(
    seed: int,
    template: str,
    *,
    days: float = 0.0,
    games: int = 0,
    plants: Sequence[str] = (),
    within: float = math.inf,
    stormy: bool = True,
) -> dict[str, SeedResult]:
    """Simulate one seed in a child of this process; 0 `games`: as many as the seed has.

    Each of the `plants` is put into a copy of the world when its hour has come, and looked for
    within so many days. 0 `days`: nothing else is to be found out, and the last copy is the end.

    Return what came of each fault by its name, and by "" what came of the seed without any. Raises
    RuntimeError when that breaks.
    """

    def play() -> dict[str, Any]:
        fresh_database(template)
        last = max((PLANTS[name].hour / 24 + A_MOMENT for name in plants), default=0.0)
        world = World(seed, days=days or last, games=games or games_of(seed), stormy=stormy)
        told: dict[str, Any] = {}

        def put(name: str, *later: str) -> None:
            told[name] = in_a_copy(lambda: asdict(_with(PLANTS[name], world, within)))
            put_at_their_hours(*later)

        def put_at_their_hours(*names: str) -> None:
            for name in names[:1]:  # a copy has no other faults before it
                world.agenda.at(
                    world.clock.beginning + HOUR * PLANTS[name].hour, partial(put, *names)
                )

        put_at_their_hours(*sorted(plants, key=lambda name: PLANTS[name].hour))
        return {"": asdict(world.play(to_rest=days > 0)), **told}

    try:
        return {name: SeedResult(**one) for name, one in in_a_copy(play).items()}
    except RuntimeError as error:
        raise RuntimeError(f"seed {seed}: {error}") from error


def _with(plant: Plant, world: World, days: float) -> SeedResult:
    """Go on with a fault, for so many days at most."""
    world.rehearsal.one_in = plant.one_in
    with plant.put():
        return world.told_after(min(days, plant.days), first=lambda: hurry(world, plant.hurries))


def many(
    seeds: Iterable[int],
    one: Callable[[int], SeedResult],
    *,
    seconds: float,
    say: Callable[[str], None],
) -> int:
    """Simulate until the time is over; return how many seeds broke a promise."""
    begun, total, broken = time.monotonic(), Sum(), []
    for seed in seeds:
        told = one(seed)
        total.add(told)
        if told.fault:
            broken.append(seed)
            say(f"BROKEN {told.fault}")
            say(f"       repeat it: make simulate SEED={seed}")
        if time.monotonic() - begun > seconds:
            break
    minutes = (time.monotonic() - begun) / 60
    years = total.game_years / minutes
    say(
        f"{total.seeds} seeds in {minutes:.1f} minutes: {total.game_years} game-years"
        f" ({years:.0f} a minute, {years * 480:,.0f} in a night of eight hours),"
        f" {total.phases} phases, {total.mails} mails in, {total.sent} mails out,"
        f" {total.deaths} deaths of workers, {total.rollbacks} rollbacks,"
        f" {total.restored} backups restored, {total.erased} players erased,"
        f" {total.pictures} pictures."
    )
    say(f"Broken: {', '.join(map(str, broken))}." if broken else "Every promise was kept.")
    return len(broken)
