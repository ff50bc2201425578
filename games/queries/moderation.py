"""The moderators' queue: what needs somebody, since when, its history, and what they might do.

Nothing here is an order or a word of press. All of it is read with a fixed number of queries,
however much there is to do.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Prefetch, Q

from games.bans import players_free
from games.models import (
    UNFINISHED,
    Address,
    Conduct,
    Game,
    Offer,
    Phase,
    Player,
    Power,
    Seat,
    Standby,
)
from games.queries.attendance import misses_in_a_row, reliabilities
from games.queries.board import phase_title
from games.queries.ending import alive
from games.queries.gm_accounts import gm_accounts
from games.queries.reliability import Reliability
from games.queries.roles import games_nameless, games_veiled
from games.queries.seats import PLAYED
from games.queries.staff_names import staff_name
from games.queries.stalled import abandoned, lost_powers, still
from games.queries.suggestions import (
    about_abandoned,
    about_open_power,
    about_overdue,
    about_paused,
)
from games.queries.unreached import Unreachable, unreached
from games.queries.unreached_gms import UnreachedGM, gms_unreached, is_failing
from games.queries.waiting import awaited, not_in_by_phase


@dataclass(frozen=True, slots=True)
class OpenPower:
    """A power in civil disorder, or whose seat is open, since `since`.

    `player` had it last, `seat_open` says that they can still come back, `reached` that our mails
    arrive; `missed` in how many phases in a row nothing came, `found` how reliable they have been.
    `players` counts all who have played the power. `offers` wait for an answer; `fitting` more
    players could be asked. `lost` counts the powers of the game that are so.
    """

    power: Power
    since: dt.datetime
    disorder: bool
    player: Player | None
    seat_open: bool
    reached: bool
    missed: int
    found: Reliability | None
    players: int
    offers: int
    fitting: int
    due_at: dt.datetime | None
    lost: int
    suggestion: str


@dataclass(frozen=True, slots=True)
class Overdue:
    """A game that does not go on since `since`.

    It is paused without an end, or waits for `powers`, or the server is stuck. `gm` is the GM's
    account as a player, where somebody can write to them, and `gm_fails` says that mails to the GM
    come back; `abandoned` that nobody plays the game any more.
    """

    game: Game
    title: str
    since: dt.datetime
    paused: bool
    stuck: bool
    powers: tuple[str, ...]
    gm: Player | None
    gm_fails: bool
    abandoned: bool
    suggestion: str


@dataclass(frozen=True, slots=True)
class ForModerators:
    """Everything that needs a moderator, the oldest first, and who is kept out at present."""

    powers: tuple[OpenPower, ...]
    overdue: tuple[Overdue, ...]
    unreachable: tuple[Unreachable, ...]
    gms: tuple[UnreachedGM, ...]
    requests: tuple[Conduct, ...]
    barred: tuple[Player, ...]


def for_moderators(*, now: dt.datetime, viewer: User | None = None) -> ForModerators:
    """Look at what needs a moderator now, as far as the viewer may know it of games in which they
    play: of anonymous ones not who plays a power, in fog of war not who has to decide."""
    asked = Conduct.objects.filter(kind__in=Conduct.FOR_MODERATORS, settled_at=None)
    kept_out = Player.objects.filter(Q(banned_at__isnull=False) | Q(suspended_until__gt=now))
    phases = _concerned(now)
    hidden = set(games_nameless(viewer).values_list("pk", flat=True)) if viewer else set()
    named = {game: phase for game, phase in phases.items() if game not in hidden}
    unreachable = unreached(named, now)
    return ForModerators(
        powers=_Powers(named, {row.player.pk for row in unreachable}, now).rows(),
        overdue=_overdue(phases, now, viewer),
        unreachable=unreachable,
        gms=gms_unreached(now),
        requests=tuple(asked.select_related("player").order_by("at", "pk")),
        barred=tuple(kept_out.filter(merged_into=None).order_by("name", "pk")),
    )


def _concerned(now: dt.datetime) -> dict[int, Phase]:
    """The open phases of the games that the queue mentions, by the game's key."""
    failing = Address.objects.filter(failing_since__isnull=False, confirmed_at__isnull=False)
    theirs = Seat.objects.filter(until=None, player__in=failing.values("player"))
    games = (
        lost_powers().order_by().values_list("game"),
        theirs.order_by().values_list("power__game"),
    )
    keys = still(now).order_by().values_list("game").union(*games)
    phases = Phase.objects.filter(status__in=UNFINISHED, game__status__in=PLAYED, game__in=keys)
    shown = phases.defer("orders", "outcome").select_related("game__gm__failing")
    return {phase.game_id: phase for phase in shown}


class _Powers:
    """What is known about all open powers, read with one query for each kind of fact."""

    def __init__(
        self, phases: Mapping[int, Phase], unreached: Collection[int], now: dt.datetime
    ) -> None:
        seats = Seat.objects.select_related("player").order_by("since", "pk")
        powers = lost_powers().filter(game__in=list(phases)).select_related("game__gm")
        self.phases, self.unreached, self.now = phases, unreached, now
        self.powers = [
            power
            for power in powers.prefetch_related(Prefetch("seats", seats, to_attr="tenures"))
            if power.name in alive(phases[power.game_id].position)
        ]
        last = [power.tenures[-1] for power in self.powers if power.tenures]
        self.missed = misses_in_a_row(last)
        places = Standby.objects.filter(until=None, player__in=players_free(now=now))
        waiting = list(places.select_related("player"))
        players = [*(seat.player for seat in last), *(place.player for place in waiting)]
        self.found = reliabilities(players, now=now)
        self.fit = _Standbys(self.powers, waiting, self.found)
        self.lost = Counter(power.game_id for power in self.powers)

    def rows(self) -> tuple[OpenPower, ...]:
        """One row for each power, the longest open first."""
        rows = map(self._row, self.powers)
        return tuple(sorted(rows, key=lambda row: (row.since, row.power.game_id)))

    def _row(self, power: Power) -> OpenPower:
        tenures: list[Seat] = power.tenures  # type: ignore[attr-defined]  # prefetched
        seat = tenures[-1] if tenures else None
        missed = self.missed.get(seat.pk, 0) if seat else 0
        found = self.found.get(seat.player_id) if seat else None
        offers, fitting = self.fit.offers(power), self.fit.fitting(power)
        since = [at for at in (power.open_since, power.disorder_since) if at]
        seat_open = seat is not None and seat.until is None
        reached = seat is not None and seat.player_id not in self.unreached
        return OpenPower(
            power=power,
            since=min(since),
            disorder=power.disorder_since is not None,
            player=seat.player if seat else None,
            seat_open=seat_open,
            reached=reached,
            missed=missed,
            found=found,
            players=len({tenure.player_id for tenure in tenures}),
            offers=offers,
            fitting=fitting,
            due_at=self.phases[power.game_id].due_at,
            lost=self.lost[power.game_id],
            suggestion=about_open_power(
                can_ask=seat_open and reached,
                missed=missed,
                found=found,
                offers=offers,
                fitting=fitting,
            ),
        )


class _Standbys:
    """Who stands by, and what is offered to whom."""

    def __init__(
        self,
        powers: Iterable[Power],
        places: Iterable[Standby],
        found: Mapping[int, Reliability],
    ) -> None:
        games = [power.game_id for power in powers]
        self.places = {place.player_id: place for place in places}
        self.found = found
        seats = Seat.objects.filter(player__in=list(self.places))
        self.games = set(
            seats.filter(power__game__in=games).values_list("player", "power__game").distinct()
        )
        offers = Offer.objects.filter(power__game__in=games)
        self.made = list(offers.values_list("power", "player", "end"))

    def offers(self, power: Power) -> int:
        """How many have yet to answer."""
        return sum(where == power.pk and not end for where, _, end in self.made)

    def fitting(self, power: Power) -> int:
        """How many stand by, know nothing of the game, are reliable enough and have not
        declined."""
        out = {
            player
            for where, player, end in self.made
            if where == power.pk and end in ("", Offer.End.DECLINED)
        }
        return sum(
            player not in out
            and (player, power.game_id) not in self.games
            and self.found[player].percent >= power.game.min_reliability
            for player in self.places
        )


def _overdue(
    phases: Mapping[int, Phase], now: dt.datetime, viewer: User | None
) -> tuple[Overdue, ...]:
    keys = set(still(now).values_list("pk", flat=True))
    late = [phase for phase in phases.values() if phase.pk in keys]
    missing = _awaited(late)
    veiled = games_veiled(viewer, late) if viewer else set()
    accounts = gm_accounts(phase.game.gm for phase in late)
    left = set(abandoned().values_list("pk", flat=True))
    rows = [
        _overdue_row(
            one,
            ("somebody",) if one.game_id in veiled else missing[one.pk],
            accounts.get(one.game.gm_id or 0),
            one.game_id in left,
        )
        for one in late
    ]
    return tuple(sorted(rows, key=lambda row: row.since))


def _awaited(phases: Iterable[Phase]) -> Mapping[int, tuple[str, ...]]:
    """Return for each phase, by its key, the powers that still owe orders and are waited for."""
    phases = list(phases)
    powers = awaited(Power.objects.filter(game__in=[phase.game_id for phase in phases]))
    ours = set(powers.values_list("game", "name"))
    not_in = not_in_by_phase(phases)
    return {
        phase.pk: tuple(name for name in not_in[phase.pk] if (phase.game_id, name) in ours)
        for phase in phases
    }


def _is_paused(game: Game) -> bool:
    return game.status == Game.Status.PAUSED


def _overdue_row(
    phase: Phase, powers: tuple[str, ...], account: Player | None, left: bool
) -> Overdue:
    game, paused = phase.game, _is_paused(phase.game)
    stuck = phase.overdue_at is None and not paused
    gm = staff_name(game.gm) if game.gm else ""
    asks, fails = account is not None, game.gm is not None and is_failing(game.gm)
    if left:
        about = about_abandoned(gm=gm)
    elif paused:
        about = about_paused(gm=gm, asks=asks, fails=fails)
    else:
        about = about_overdue(
            stuck=stuck, policy=game.when_missing, gm=gm, asks=asks, fails=fails, powers=powers
        )
    paused_at = game.paused_at if paused else None
    return Overdue(
        game=game,
        title=phase_title(phase.name),
        since=paused_at or phase.overdue_at or phase.due_at or phase.opened_at,
        paused=paused,
        stuck=stuck,
        powers=powers,
        gm=account,
        gm_fails=fails,
        abandoned=left,
        suggestion=about,
    )
