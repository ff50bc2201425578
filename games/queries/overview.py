"""A game at a glance, for whoever looks after it: who plays, who is in, who is away, what is new.

Nothing here is an order or a word of press. From viewers who play in the game, some of it stays
hidden, too (`inside`).
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, Prefetch, Q

from games.models import (
    Absence,
    Attendance,
    Game,
    Phase,
    Player,
    Power,
    Proposal,
    Readiness,
    Seat,
)
from games.queries import board
from games.queries.attendance import reliabilities
from games.queries.centers import board_text
from games.queries.current_orders import position
from games.queries.log_text import SHOWN, sentence
from games.queries.lookup import open_phase
from games.queries.reliability import Reliability
from games.queries.waiting import (
    missing_powers,
    powers_not_in,
    to_confirm_by_phase,
    to_confirm_text,
)

LAST = 30
"""So many entries of the log a page shows."""
SOON = dt.timedelta(days=14)
"""An absence that begins within this time is told."""
RECENT = 4
"""For so many phases it is told how much was written in each."""

OUT = "out of the game"
DISORDER = "in civil disorder"
EMPTY = "nobody plays it"
IDLE = "nothing to decide"
NOTHING = "nothing has come"
SOME = "some orders are missing"
OWED = "orders are missing"
IN = "all orders are in"
VACANT = "orders are in, but nobody plays it"
OWING = (NOTHING, SOME, OWED, VACANT)
"""The states in which the game waits for a power before its deadline."""


@dataclass(frozen=True, slots=True)
class PowerRow:
    """A power and its player. `state` is one of OUT … IN, empty while no phase is open.

    `disorder_since` is since when it is in civil disorder, `word` READY, WAIT or empty. `late`
    counts what came after the deadline in the open phase, `missed` the phases in which nothing came
    in this tenure and that nobody excused, `found` how reliable its player has been in all games,
    None where that is nothing to know. `mails` says since when mails to the player do not
    arrive. `press` counts what the power wrote under its name in each of `Overview.press_phases`,
    `press_total` all of it.
    """

    power: str
    player: Player | None
    since: dt.datetime | None
    disorder_since: dt.datetime | None
    state: str
    word: str
    last_at: dt.datetime | None
    late: int
    missed: int
    found: Reliability | None
    away: tuple[Absence, ...]
    mails: dt.datetime | None
    press: tuple[int, ...]
    press_total: int


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the log."""

    number: int
    at: dt.datetime
    sentence: str
    digest: str


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it; `phases` are the newest first, `lines` too. `phase` is the open one.

    `grey` counts the grey press in each of `press_phases`, and at last all of it: whose it is stays
    a secret.
    """

    game: Game
    phase: Phase | None
    title: str
    rows: tuple[PowerRow, ...]
    board: str
    lines: tuple[LogLine, ...]
    events: int
    phases: tuple[Phase, ...]
    press_phases: tuple[Phase, ...]
    grey: tuple[int, ...]
    proposals: tuple[Proposal, ...]

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The powers that still owe an order."""
        return tuple(row.power for row in self.rows if row.state in OWING)

    @property
    def to_confirm(self) -> str:
        """What is still to come when every order is in, as `to_confirm_text` has it."""
        found = to_confirm_by_phase([self.phase])[self.phase.pk] if self.phase else ()
        return to_confirm_text(found)


def overview(game: Game, *, now: dt.datetime, inside: bool = True) -> Overview:
    """Look at the game. With `inside` False nothing is shown that STATUS tells nobody."""
    phase = open_phase(game)
    phases = tuple(game.phases.defer("position", "orders", "outcome").order_by("-number"))
    recent = [one for one in phases if one.status != Phase.Status.UNDONE][:RECENT]
    return Overview(
        game=game,
        phase=phase,
        title=board.phase_title(phase.name) if phase else "",
        rows=_Rows(game, phase, recent, now, inside).rows(),
        board=_board(phase, recent),
        lines=_lines(game),
        events=game.events.count(),
        phases=phases,
        press_phases=tuple(recent[::-1]),
        grey=_grey(game, recent[::-1]) if inside else (),
        proposals=_proposals(game) if inside else (),
    )


def _proposals(game: Game) -> tuple[Proposal, ...]:
    found = game.proposals.filter(state=Proposal.State.OPEN)
    return tuple(found.select_related("seat__power"))


def _board(phase: Phase | None, recent: Sequence[Phase]) -> str:
    newest = phase or next(iter(recent), None)
    if newest is None:
        return ""
    state = newest.outcome["next"] if newest.outcome else newest.position
    return board_text(board.position_of(newest.game.variant, state))


def _lines(game: Game) -> tuple[LogLine, ...]:
    newest = game.events.select_related("phase").order_by("-number")[:LAST]
    return tuple(
        LogLine(one.number, one.created_at, sentence(one), one.digest[:SHOWN]) for one in newest
    )


class _Rows:
    """What is known of all powers of a game, read with one query for each kind of fact."""

    def __init__(
        self,
        game: Game,
        phase: Phase | None,
        recent: Sequence[Phase],
        now: dt.datetime,
        inside: bool,
    ) -> None:
        running = Seat.objects.filter(until=None).select_related("player")
        powers = game.powers.prefetch_related(Prefetch("seats", running, to_attr="running"))
        self.powers = list(powers)
        seats = [seat for power in self.powers for seat in _running(power)]
        players = [seat.player_id for seat in seats]
        self.recent = recent[::-1]
        self.states = _states(self.powers, phase, inside)
        self.words = _words(phase) if inside else {}
        self.came = _came(phase) if inside else {}
        self.missed = _missed(seats)
        found = {seat.player for seat in seats} if inside else set()
        self.found = reliabilities(found, now=now)
        self.away = _away(players, now) if inside else {}
        self.mails = _mails(players) if inside else {}
        self.press = _press(game) if inside else Counter()

    def rows(self) -> tuple[PowerRow, ...]:
        """One row for each power, by name."""
        return tuple(map(self._row, self.powers))

    def _row(self, power: Power) -> PowerRow:
        seat = next(iter(_running(power)), None)
        last_at, late = self.came.get(power.pk, (None, 0))
        written = [self.press[power.pk, phase.pk] for phase in self.recent]
        return PowerRow(
            power=power.name,
            player=seat.player if seat else None,
            since=seat.since if seat else None,
            disorder_since=power.disorder_since,
            state=self.states.get(power.pk, ""),
            word=self.words.get(power.pk, ""),
            last_at=last_at,
            late=late,
            missed=self.missed[seat.pk] if seat else 0,
            found=self.found.get(seat.player_id) if seat else None,
            away=tuple(self.away.get(seat.player_id, ())) if seat else (),
            mails=self.mails.get(seat.player_id) if seat else None,
            press=tuple(written),
            press_total=sum(n for (wrote, _), n in self.press.items() if wrote == power.pk),
        )


def _running(power: Power) -> list[Seat]:
    return power.running  # type: ignore[attr-defined, no-any-return]  # prefetched under this name


def _states(powers: Iterable[Power], phase: Phase | None, inside: bool) -> dict[int, str]:
    if phase is None:
        return {}
    at = position(phase)
    deciding = set(at.powers_to_order())
    silent = dict.fromkeys(missing_powers(phase), NOTHING) if inside else {}
    owes = SOME if inside else OWED
    owing = {name: silent.get(name, owes) for name in powers_not_in(phase)}
    return {power.pk: _state(power, phase, deciding, owing) for power in powers}


def _state(power: Power, phase: Phase, deciding: set[str], owing: Mapping[str, str]) -> str:
    at, name = phase.position, power.name
    if not at["units"].get(name) and not at["centers"].get(name) and name not in deciding:
        return OUT
    if power.disorder_since:
        return DISORDER
    if name not in deciding:
        return IDLE if _running(power) else EMPTY
    return owing.get(name, IN if _running(power) else VACANT)


def _words(phase: Phase | None) -> dict[int, str]:
    if phase is None:
        return {}
    words = Readiness.objects.filter(phase=phase)
    return {power: word.upper() for power, word in words.values_list("power", "word")}


def _came(phase: Phase | None) -> dict[int, tuple[dt.datetime | None, int]]:
    """When something last came from each power, and how many sets came too late."""
    if phase is None:
        return {}
    sets = (
        phase.order_sets.order_by()
        .values("power")
        .annotate(last=Max("received_at"), late=Count("pk", Q(late=True)))
    )
    return {one["power"]: (one["last"], one["late"]) for one in sets}


def _missed(seats: Iterable[Seat]) -> Counter[int]:
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


def _mails(players: Iterable[int]) -> dict[int, dt.datetime]:
    """Since when no address of a player gets our mails: they cannot be reached."""
    everyone = Player.objects.filter(pk__in=list(players)).annotate(
        works=Count(
            "addresses", Q(addresses__confirmed_at__isnull=False) & Q(addresses__failing_since=None)
        ),
        since=Max("addresses__failing_since"),
    )
    return {one.pk: one.since for one in everyone if not one.works and one.since}


def _press(game: Game) -> Counter[tuple[int, int | None]]:
    """How many messages each power wrote under its name in each phase."""
    rows = game.press.filter(seat__isnull=False, grey=False).values_list("seat__power", "phase")
    return Counter(rows)


def _grey(game: Game, phases: Iterable[Phase]) -> tuple[int, ...]:
    """How much grey press there was in each of the phases, and in all."""
    grey = Counter(game.press.filter(grey=True).values_list("phase", flat=True))
    return (*(grey[phase.pk] for phase in phases), grey.total())
