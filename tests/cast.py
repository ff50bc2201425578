"""The cast: seven players, one for each power of the standard game, and the game they play.

    Ana Austria, Ben England, Carla France, Dmitri Germany, Emma Italy, Felix Russia, Greta Turkey

Nobody else has a seat in `marne`. Hugo is registered and confirmed, but plays nowhere; the GM is a
user with the name `gm`. Time stands at NOW until a test moves it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from games.board_json import StateJson
from games.models import UNFINISHED, Event, Game, Phase, Player, Power, Seat
from games.models.prepared import TEXT, Given, Query
from games.services.accounts.players import address_confirm, player_register
from games.services.ordering.orders import orders_submit
from games.services.seating.joining import game_join
from games.services.setup.games import game_check, game_create
from tests.kept import KEPT
from tests.made import keys_of, made_once, was_made

NOBODY = AnonymousUser()
NOW = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)
"""A Monday at noon, well before the clocks change in Europe."""

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
NOWHERE = StateJson(phase="S1901M", units={}, centers={}, dislodged=[])
"""A board with nothing on it."""

POWERS = {
    "Ana": "Austria",
    "Ben": "England",
    "Carla": "France",
    "Dmitri": "Germany",
    "Emma": "Italy",
    "Felix": "Russia",
    "Greta": "Turkey",
}

PLAIN = {"early_delay": dt.timedelta(0), "takeover_time": DAY}
"""Where a test says nothing else: no time for second thoughts, and a day for substitutes."""

OPENINGS = {
    "Austria": ["A Vienna - Galicia", "A Budapest - Serbia", "F Trieste - Albania"],
    "England": ["F London - North Sea", "F Edinburgh - Norwegian Sea", "A Liverpool - Yorkshire"],
    "France": ["A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"],
    "Germany": ["A Berlin - Kiel", "A Munich - Ruhr", "F Kiel - Denmark"],
    "Italy": ["A Venice Holds", "A Rome - Apulia", "F Naples - Ionian Sea"],
    "Russia": [
        "A Moscow - Ukraine",
        "A Warsaw - Galicia",
        "F Sevastopol - Black Sea",
        "F St Petersburg(sc) - Gulf of Bothnia",
    ],
    "Turkey": ["A Constantinople - Bulgaria", "A Smyrna - Armenia", "F Ankara - Constantinople"],
}
"""Legal first orders of every power. Galicia is contested by Austria and Russia."""


# Thousands of tests ask these; to build their SQL again took longer than to run it.
_GAME = Query(lambda: Game.objects.filter(name="marne"))
_GM = Query(lambda: User.objects.filter(username="gm"))
_PLAYER = Query(lambda: Player.objects.filter(name=Given("name", TEXT)))
_PHASE = Query(lambda: Phase.objects.filter(game=Given("game"), status__in=UNFINISHED))
_SEAT = Query(
    lambda: Seat.objects.select_related("power__game", "player").filter(
        power__game=Given("game"), power__name=Given("power", TEXT), until=None
    )
)


@dataclass(frozen=True)
class Cast:
    """The game `marne` with everybody in it, by player and by power."""

    game: Game
    gm: User

    @property
    def phase(self) -> Phase:
        """The open phase, read again each time."""
        [phase] = _PHASE.all(game=self.game.pk)
        phase.game = self.game
        return phase

    def player(self, name: str) -> Player:
        """Return Ana, Ben, …"""
        return player_named(name)

    def seat(self, power: str) -> Seat:
        """Return the running tenure of Austria, England, …"""
        found = _SEAT.all(game=self.game.pk, power=power)
        if not found:
            raise Seat.DoesNotExist(power)
        [seat] = found
        return seat

    def events(self, kind: str) -> list[Event]:
        """Return what happened of one kind, oldest first."""
        return list(self.game.events.filter(kind=kind))


def player_named(name: str) -> Player:
    """Return Ana, Ben, …, whoever is registered."""
    [player] = _PLAYER.all(name=name)
    return player


@cache
def lately() -> dt.datetime:
    """When the first test of this process asked: for tests that know the machine's clock only.

    One time for all of them, so that the cast is made once.
    """
    return timezone.now()


def submit(cast: Cast, power: str, lines: Sequence[str], at: dt.datetime = NOW) -> None:
    """Send a power's orders for the open phase, as a mail would that came at this time."""
    orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=list(enumerate(lines, start=1)),
        amend=False,
        received_at=at,
        source=f"<{power}-{at:%d%H%M%S}@players.test>",
        now=at,
    )


def seat_fill(*, game: Game, power: Power, player: Player, now: dt.datetime) -> Seat:
    """Seat a player at a power, whoever sat there, and tell nobody."""
    power.seats.filter(until=None).update(until=now, ended_because=Seat.Ended.REPLACED)
    return Seat.objects.create(power=power, player=player, since=now)


def address_of(name: str) -> str:
    """Return "ana@players.test" for "Ana"."""
    return f"{name.lower()}@players.test"


def make_player(name: str, *, now: dt.datetime = NOW) -> Player:
    """Register and confirm a player under `address_of(name)`."""
    return address_confirm(
        address=player_register(name=name, email=address_of(name), now=now), now=now
    )


def make_gm() -> User:
    """Make the GM: a staff user without a password (hashing one takes long) or a permission."""
    return User.objects.create_user("gm", "gm@players.test", is_staff=True)


def make_cast(*, now: dt.datetime = NOW, **settings: object) -> Cast:
    """Make the players, the GM and the game `marne`, started at `now` in S1901M."""
    what = repr((now, sorted(settings.items())))
    if KEPT.untouched or _fits_beside_all(what):
        made_once(what, lambda: _started(now, settings))
    else:
        made_step_by_step(now, settings)
    return the_cast()


def the_cast() -> Cast:
    """Return the game `marne` and its GM, which were made."""
    [game], [gm] = _GAME.all(), _GM.all()
    return Cast(game, gm)


def _fits_beside_all(what: str) -> bool:
    """Whether nobody and nothing is there; or, for a cast that was made before, nothing but users
    with other keys and names."""
    tables = [model._meta.db_table for model in (User, Player, Game)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f'EXISTS (SELECT 1 FROM "{one}")' for one in tables))
        somebody, *others = cursor.fetchone()
    if not somebody or any(others):
        return not any((somebody, *others))
    alike = Q(username="gm") | Q(pk__in=keys_of(what, User)) if was_made(what) else Q()
    return not User.objects.filter(alike).exists()


def _started(now: dt.datetime, settings: Mapping[str, Any]) -> None:
    """Give `marne`, all but full, the settings, and let the last player in.

    The game starts with that. The same as `made_step_by_step` in a quarter of the time: what was
    done before is the same whatever the settings are, and is put back.
    """
    made_once(f"all but one have joined, {now}", lambda: _all_but_one_joined(now, {}))
    game = Game.objects.select_related("gm").get(name="marne")
    changed = game_check(name="second-marne", gm=game.gm, **{**PLAIN, **settings})
    changed.pk, changed.name, changed.created_at = game.pk, game.name, now
    changed.save(force_update=True)
    _last_joins(changed, now)


def made_step_by_step(now: dt.datetime, settings: Mapping[str, Any]) -> None:
    """Make the cast and its game by the services alone, whatever there is besides."""
    _last_joins(_all_but_one_joined(now, settings), now)


def _all_but_one_joined(now: dt.datetime, settings: Mapping[str, Any]) -> Game:
    game = game_create(name="marne", gm=make_gm(), now=now, **{**PLAIN, **settings})
    players = {name: make_player(name, now=now) for name in [*POWERS, "Hugo"]}
    for name in list(POWERS)[:-1]:
        game_join(game=game, player=players[name], preferences=POWERS[name], now=now)
    return game


def _last_joins(game: Game, now: dt.datetime) -> None:
    last = list(POWERS)[-1]
    player = Player.objects.get(name=last)
    game_join(game=game, player=player, preferences=POWERS[last], now=now)


@pytest.fixture
def marne(db: None) -> Cast:
    """The game `marne` in S1901M with the whole cast, started at NOW."""
    return make_cast()
