"""Each power of a game in a line: who plays it, whether its orders are in, what its player is like.

Nothing here is an order or a word of press. Viewers who play in the game see less (`inside` False).
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Max, Prefetch, Q, QuerySet, When

from games.board_json import StateJson
from games.models import Absence, Attendance, Game, Phase, Player, Power, Seat
from games.queries.access.audience import hides_who_decides
from games.queries.orders.current_orders import deciding
from games.queries.phases.sheet import Sheet
from games.queries.players.attendance import reliabilities
from games.queries.players.reliability import Reliability

SOON = dt.timedelta(days=14)
"""An absence that begins within this time is mentioned."""

OUT = "out of the game"
DISORDER = "in civil disorder"
EMPTY = "nobody plays it"
IDLE = "nothing to decide"
NOTHING = "nothing has come"
SOME = "some orders are missing"
OWED = "orders are missing"
AGAIN = "has to speak again, since the deadline moved"
IN = "all orders are in"
VACANT = "orders are in, but nobody plays it"
OWING = (NOTHING, SOME, OWED, AGAIN, VACANT)
"""The states in which the game waits for a power before its deadline."""


@dataclass(frozen=True, slots=True)
class PowerRow:
    """A power and its player."""

    power: str
    player: Player | None
    since: dt.datetime | None
    """When the player took the seat."""
    disorder_since: dt.datetime | None
    """Since when it is in civil disorder."""
    open_since: dt.datetime | None
    """Since when anybody may take it."""
    centers: int
    """How many it has on the newest board."""
    units: int
    state: str
    """One of OUT … VACANT, empty while no phase is open."""
    word: str
    """READY, WAIT or empty."""
    last_at: dt.datetime | None
    """When we last heard from the player in the open phase."""
    late: int
    """How much came after the deadline in the open phase."""
    missed: int
    """In how many phases of this tenure nothing came, and nobody excused it."""
    found: Reliability | None
    """How reliable the player has been in all games; None where nobody plays, or the viewer may not
    know it."""
    away: tuple[Absence, ...]
    mails: dt.datetime | None
    """Since when mails to the player do not arrive."""
    mail_paused: dt.datetime | None
    """Since when they get no results."""
    press: tuple[int, ...]
    """How much the power wrote under its name in each of `Overview.press_phases`."""
    press_total: int

    @property
    def is_adrift(self) -> bool:
        """Whether nobody answers for it, although something of it is left."""
        lost = self.player is None or self.disorder_since is not None
        return lost and bool(self.centers or self.units)


class PowerRows:
    """What is known of all powers of a game, read with one query for each kind of fact."""

    def __init__(
        self,
        game: Game,
        sheet: Sheet | None,
        recent: Sequence[Phase],
        state: StateJson | None,
        now: dt.datetime,
        *,
        inside: bool,
        known: QuerySet[Attendance] | None = None,
    ) -> None:
        running = _with_reach(Seat.objects.filter(until=None).select_related("player"))
        powers = game.powers.prefetch_related(Prefetch("seats", running, to_attr="running"))
        self.powers = list(powers)
        seats = [seat for power in self.powers for seat in _running(power)]
        players = [seat.player_id for seat in seats]
        self.recent = recent[::-1]
        self.units = state["units"] if state else {}
        self.centers = state["centers"] if state else {}
        self.sheet, self.inside = sheet, inside
        self.states = _states(self.powers, sheet, inside=inside)
        self.missed = _misses(seats)
        found = {seat.player for seat in seats} if inside else set()
        self.found = reliabilities(found, now=now, known=known)
        self.away = _away(players, now) if inside else {}
        self.mails = _mails(seats) if inside else {}
        self.press = _press(game) if inside else Counter()

    @property
    def awaited(self) -> set[str]:
        """The powers with a player who is waited for."""
        return {one.name for one in self.powers if _running(one) and not one.disorder_since}

    def rows(self) -> tuple[PowerRow, ...]:
        """One row for each power, by name."""
        return tuple(map(self._row, self.powers))

    def grey(self) -> tuple[int, ...]:
        """How much grey press there was in each of the phases, and in all."""
        numbers = [self.press[None, phase.pk] for phase in self.recent]
        return (*numbers, sum(n for (wrote, _), n in self.press.items() if wrote is None))

    def _row(self, power: Power) -> PowerRow:
        seat, name = next(iter(_running(power)), None), power.name
        sheet = self.sheet if self.inside else None
        word = sheet.words.get(name) if sheet else None
        written = [self.press[power.pk, phase.pk] for phase in self.recent]
        return PowerRow(
            power=name,
            player=seat.player if seat else None,
            since=seat.since if seat else None,
            disorder_since=power.disorder_since,
            open_since=power.open_since,
            centers=len(self.centers.get(name, ())),
            units=len(self.units.get(name, ())),
            state=self.states.get(power.pk, ""),
            word=word.word.upper() if word else "",
            last_at=_in_tenure(sheet.last_at(name), seat) if sheet else None,
            late=sheet.late(name) if sheet else 0,
            missed=self.missed[seat.pk] if seat else 0,
            found=self.found.get(seat.player_id) if seat else None,
            away=tuple(self.away.get(seat.player_id, ())) if seat else (),
            mails=self.mails.get(seat.player_id) if seat else None,
            mail_paused=seat.player.mail_paused_at if seat and self.inside else None,
            press=tuple(written),
            press_total=sum(n for (wrote, _), n in self.press.items() if wrote == power.pk),
        )


def _in_tenure(at: dt.datetime | None, seat: Seat | None) -> dt.datetime | None:
    """Return the time, or None if it was before the power's player took the seat: it says when they
    were last heard from."""
    return None if at and seat and at < seat.since else at


def _running(power: Power) -> list[Seat]:
    return power.running  # type: ignore[attr-defined, no-any-return]  # prefetched under this name


def _states(powers: Iterable[Power], sheet: Sheet | None, *, inside: bool) -> dict[int, str]:
    if sheet is None or (not inside and hides_who_decides(sheet.phase)):
        return {}
    to_order = set(deciding(sheet.phase))
    silent = dict.fromkeys(sheet.silent, NOTHING) if inside else {}
    owes = SOME if inside else OWED
    owing = {name: silent.get(name, owes) for name in sheet.not_in}
    owing |= dict.fromkeys(sheet.unheard, AGAIN)
    return {power.pk: _state(power, sheet.phase, to_order, owing) for power in powers}


def _state(power: Power, phase: Phase, to_order: set[str], owing: Mapping[str, str]) -> str:
    at, name = phase.position, power.name
    if not at["units"].get(name) and not at["centers"].get(name) and name not in to_order:
        return OUT
    if power.disorder_since:
        return DISORDER
    if name not in to_order:
        return IDLE if _running(power) else EMPTY
    state = owing.get(name, IN)
    return VACANT if state in (IN, AGAIN) and not _running(power) else state


def _misses(seats: Iterable[Seat]) -> Counter[int]:
    rows = Attendance.objects.filter(
        seat__in=list(seats), came=Attendance.Came.MISSED, excused_at=None
    ).exclude(phase__status=Phase.Status.UNDONE)
    return Counter(rows.values_list("seat", flat=True))


def _away(players: Iterable[int], now: dt.datetime) -> dict[int, list[Absence]]:
    by_player: dict[int, list[Absence]] = {}
    near = Absence.objects.filter(
        player__in=list(players),
        withdrawn_at=None,
        last__gte=now.date(),
        first__lte=(now + SOON).date(),
    )
    for absence in near.order_by("first"):
        by_player.setdefault(absence.player_id, []).append(absence)
    return by_player


def _with_reach(seats: QuerySet[Seat]) -> QuerySet[Any]:
    """The tenures with how many addresses of the player work, and since when another does not."""
    theirs = Q(player__addresses__confirmed_at__isnull=False)
    return seats.annotate(
        works=Count("player__addresses", theirs & Q(player__addresses__failing_since=None)),
        failing=Max("player__addresses__failing_since"),
    )


def _mails(seats: Iterable[Any]) -> dict[int, dt.datetime]:
    """The times since which no address of these players gets our mails."""
    return {one.player_id: one.failing for one in seats if not one.works and one.failing}


def _press(game: Game) -> Counter[tuple[int | None, int | None]]:
    """How many messages each power wrote under its name in each phase; grey and fake ones as
    nobody's: a GM may play."""
    hidden = When(Q(grey=True) | ~Q(shown_writer=""), then=None)
    grey = Case(hidden, default=F("seat__power"))
    written = game.press.filter(Q(grey=True) | Q(seat__isnull=False)).order_by()
    return Counter(written.annotate(wrote=grey).values_list("wrote", "phase"))
