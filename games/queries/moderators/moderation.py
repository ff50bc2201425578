"""The moderators' queue: what needs somebody, since when, its history, and what they might do.

Nothing here is an order or a word of press. All of it is read with a fixed number of queries,
however much there is to do.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from games.bans import players_free
from games.models import (
    UNFINISHED,
    Address,
    Attendance,
    Conduct,
    Offer,
    Phase,
    Player,
    Power,
    Seat,
    Standby,
)
from games.queries.access.disclosure import attendance_told
from games.queries.access.roles import Visitor, games_nameless
from games.queries.endings.ending import alive
from games.queries.moderators.overdue import Overdue, overdue
from games.queries.moderators.stalled import lost_powers, still
from games.queries.moderators.suggestions import about_open_power
from games.queries.moderators.unreached import Unreachable, unreachable_players
from games.queries.moderators.unreached_gms import UnreachedGM, gms_unreached
from games.queries.players.attendance import misses_in_a_row, reliabilities
from games.queries.players.reliability import Reliability
from games.queries.players.seats import PLAYED


@dataclass(frozen=True, slots=True)
class OpenPower:
    """A power in civil disorder, or whose seat is open."""

    power: Power
    since: dt.datetime
    disorder: bool
    player: Player | None
    """Who had it last."""
    seat_open: bool
    """Whether they can still come back."""
    reached: bool
    """Whether our mails reach them."""
    missed: int
    """In how many phases in a row nothing came from them."""
    found: Reliability | None
    """How reliable they have been."""
    players: int
    """How many have played the power so far."""
    offers: int
    """How many offers of it wait for an answer."""
    fitting: int
    """How many more players could be asked."""
    due_at: dt.datetime | None
    lost: int
    """How many powers of the game are without a player."""
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


def for_moderators(*, now: dt.datetime, viewer: Visitor) -> ForModerators:
    """Look at what needs a moderator now, as far as the viewer may know it of games in which they
    play: of anonymous ones not who plays a power, in fog of war not who has to decide."""
    asked = Conduct.objects.filter(kind__in=Conduct.FOR_MODERATORS, settled_at=None)
    kept_out = Player.objects.filter(Q(banned_at__isnull=False) | Q(suspended_until__gt=now))
    phases = _phases_mentioned(now)
    hidden = set(games_nameless(viewer).values_list("pk", flat=True))
    named = {game: phase for game, phase in phases.items() if game not in hidden}
    known = attendance_told([viewer])
    unreachable = unreachable_players(named, now, known)
    return ForModerators(
        powers=_Powers(named, {row.player.pk for row in unreachable}, now, known).rows(),
        overdue=overdue(phases, now, viewer),
        unreachable=unreachable,
        gms=gms_unreached(now),
        requests=tuple(asked.select_related("player").order_by("at", "pk")),
        barred=tuple(kept_out.filter(merged_into=None).order_by("name", "pk")),
    )


def _phases_mentioned(now: dt.datetime) -> dict[int, Phase]:
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
        self,
        phases: Mapping[int, Phase],
        unreached: Collection[int],
        now: dt.datetime,
        known: QuerySet[Attendance],
    ) -> None:
        tenures = Seat.objects.select_related("player").order_by("since", "pk")
        powers = lost_powers().filter(game__in=list(phases)).select_related("game__gm")
        self.phases, self.unreached, self.now = phases, unreached, now
        self.powers = [
            power
            for power in powers.prefetch_related(Prefetch("seats", tenures))
            if power.name in alive(phases[power.game_id].position)
        ]
        last = [seats[-1] for power in self.powers if (seats := list(power.seats.all()))]
        self.missed = misses_in_a_row(last)
        places = Standby.objects.filter(until=None, player__in=players_free(now=now))
        waiting = list(places.select_related("player"))
        players = [*(seat.player for seat in last), *(place.player for place in waiting)]
        self.found = reliabilities(players, now=now, known=known)
        self.fit = _Standbys(self.powers, waiting, self.found)
        self.lost = Counter(power.game_id for power in self.powers)

    def rows(self) -> tuple[OpenPower, ...]:
        """One row for each power, the longest open first."""
        rows = map(self._row, self.powers)
        return tuple(sorted(rows, key=lambda row: (row.since, row.power.game_id)))

    def _row(self, power: Power) -> OpenPower:
        *_, seat = [None, *power.seats.all()]  # prefetched, the first first
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
            players=len({tenure.player_id for tenure in power.seats.all()}),
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
