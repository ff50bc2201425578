"""A game at a glance, for whoever looks after it: who plays, who is in, who is away, what is new.

Nothing here is an order or a word of press. From viewers who play in the game, some of it stays
hidden, too (`inside`).
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Max, Prefetch, Q, QuerySet, When

from games.models import (
    UNFINISHED,
    Absence,
    Attendance,
    Event,
    Game,
    Phase,
    Player,
    Power,
    Proposal,
    Seat,
)
from games.models.phase import OF_PHASE
from games.queries import board
from games.queries.attendance import reliabilities
from games.queries.audience import hides_who_decides, is_foggy, untold_facts
from games.queries.centers import board_text
from games.queries.current_orders import position
from games.queries.log_text import SHOWN, sentence
from games.queries.next_step import Situation, Wish
from games.queries.reliability import Reliability
from games.queries.sheet import Sheet, sheet_of
from games.queries.waiting import early_at, to_confirm_text
from games.queries.wishes import unanswered_wishes

LAST = 15
"""So many entries of the log a page shows; the whole log has pages of its own."""
PHASES = 8
"""So many phases a page shows, the newest."""
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
AGAIN = "has to speak again, since the deadline moved"
IN = "all orders are in"
VACANT = "orders are in, but nobody plays it"
OWING = (NOTHING, SOME, OWED, AGAIN, VACANT)
"""The states in which the game waits for a power before its deadline."""


@dataclass(frozen=True, slots=True)
class PowerRow:
    """A power and its player. `state` is one of OUT … IN, empty while no phase is open.

    `disorder_since` is since when it is in civil disorder, `open_since` since when anybody may take
    it, `centers` and `units` what it has on the newest board; `word` READY, WAIT or empty. `late`
    counts what came after the deadline in the open phase, `missed` the phases in which nothing came
    in this tenure and that nobody excused, `found` how reliable its player has been in all games,
    None where that is nothing to know. `mails` says since when mails to the player do not
    arrive, `mail_paused` since when they get no results. `press` counts what the power wrote under
    its name in each of `Overview.press_phases`, `press_total` all of it.
    """

    power: str
    player: Player | None
    since: dt.datetime | None
    disorder_since: dt.datetime | None
    open_since: dt.datetime | None
    centers: int
    units: int
    state: str
    word: str
    last_at: dt.datetime | None
    late: int
    missed: int
    found: Reliability | None
    away: tuple[Absence, ...]
    mails: dt.datetime | None
    mail_paused: dt.datetime | None
    press: tuple[int, ...]
    press_total: int

    @property
    def is_adrift(self) -> bool:
        """Whether nobody answers for it, though something of it is left."""
        lost = self.player is None or self.disorder_since is not None
        return lost and bool(self.centers or self.units)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the log."""

    number: int
    at: dt.datetime
    sentence: str
    digest: str


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it; `phases` are the newest, the newest first, `lines` too. `phase` is the open one.

    `to_confirm` is what is still to come when every order is in, as `to_confirm_text` has it,
    `asked` has the wishes for more time that wait for an answer. `grey` counts the grey and fake
    press in each of `press_phases`, and at last all of it: whose it is stays secret.
    """

    game: Game
    phase: Phase | None
    title: str
    rows: tuple[PowerRow, ...]
    board: str
    lines: tuple[LogLine, ...]
    events: int
    phases: tuple[Phase, ...]
    phases_in_all: int
    press_phases: tuple[Phase, ...]
    grey: tuple[int, ...]
    proposals: tuple[Proposal, ...]
    to_confirm: str
    asked: tuple[Wish, ...]
    veiled: bool
    """Whom it waits for is not for the viewer, who plays in fog of war."""

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The powers that still owe an order, or a word since the deadline moved."""
        return tuple(row.power for row in self.rows if row.state in OWING)

    @property
    def situation(self) -> Situation:
        """How it stands, for what it needs next."""
        game, phase = self.game, self.phase
        adrift = {row.power for row in self.rows if row.is_adrift}
        again = tuple(row.power for row in self.rows if row.state == AGAIN)
        return Situation(
            status=game.status,
            title=self.title,
            due_at=phase.due_at if phase else None,
            stuck=phase is not None and phase.status == Phase.Status.STUCK,
            veiled=self.veiled,
            waits=phase is not None and phase.overdue_at is not None,
            policy=game.when_missing,
            missing=tuple(one for one in self.waiting_for if one not in {*adrift, *again}),
            to_speak_again=again,
            to_confirm=self.to_confirm,
            deciding=len(position(phase).powers_to_order()) if phase else 0,
            by_itself=game.process_early,
            early_at=early_at(phase) if phase and game.process_early else None,
            adrift=tuple(sorted(adrift)) if phase else (),
            asked=self.asked,
            resume_at=game.resume_at,
            clock=game.timezone,
            free=getattr(game, "places", 0) - getattr(game, "taken", 0),
            asking=getattr(game, "asking", 0),
            silent=getattr(game, "silent", 0),
        )


def overview(game: Game, *, now: dt.datetime, inside: bool = True) -> Overview:
    """Look at the game. With `inside` False nothing is shown that STATUS tells nobody."""
    phases = tuple(game.phases.defer("orders", "outcome").order_by("-number")[:PHASES])
    phase = next((one for one in phases if one.status in UNFINISHED), None)
    if phase is not None:
        phase.game = game
    recent = [one for one in phases if one.status != Phase.Status.UNDONE][:RECENT]
    state = _state_of(phase, recent) if inside or not is_foggy(game) else None
    sheet = sheet_of(phase) if phase else None
    rows = _Rows(game, sheet, recent, state, now, inside)
    lines = _lines(game, inside)
    return Overview(
        game=game,
        phase=phase,
        title=board.phase_title(phase.name) if phase else "",
        rows=rows.rows(),
        board=board_text(board.position_of(game.variant, state)) if state else "",
        lines=lines,
        events=lines[0].number if lines else 0,
        phases=phases,
        phases_in_all=phases[0].number if phases else 0,
        press_phases=tuple(recent[::-1]),
        grey=rows.grey() if inside else (),
        proposals=_proposals(game) if inside else (),
        to_confirm=to_confirm_text(sheet.to_confirm(rows.awaited)) if sheet else "",
        asked=unanswered_wishes([phase]).get(phase.pk, ()) if phase else (),
        veiled=not inside and phase is not None and hides_who_decides(phase),
    )


def _state_of(phase: Phase | None, recent: Sequence[Phase]) -> Mapping[str, Any] | None:
    """The newest board: of the open phase, or what the last one left."""
    newest = phase or next(iter(recent), None)
    if newest is None:
        return None
    state: Mapping[str, Any] = newest.outcome["next"] if newest.outcome else newest.position
    return state


def _proposals(game: Game) -> tuple[Proposal, ...]:
    found = game.proposals.filter(state=Proposal.State.OPEN)
    return tuple(found.select_related("seat__power"))


def _lines(game: Game, inside: bool) -> tuple[LogLine, ...]:
    newest = game.events.select_related("phase").defer(*OF_PHASE).order_by("-number")[:LAST]
    return tuple(_line(one, game, inside) for one in newest)


def _line(event: Event, game: Game, inside: bool) -> LogLine:
    event.game = game
    if event.phase:
        event.phase.game = game
    said = sentence(event, untold=() if inside else untold_facts(event))
    return LogLine(event.number, event.created_at, said, event.digest[:SHOWN])


class _Rows:
    """What is known of all powers of a game, read with one query for each kind of fact."""

    def __init__(
        self,
        game: Game,
        sheet: Sheet | None,
        recent: Sequence[Phase],
        state: Mapping[str, Any] | None,
        now: dt.datetime,
        inside: bool,
    ) -> None:
        running = _reached(Seat.objects.filter(until=None).select_related("player"))
        powers = game.powers.prefetch_related(Prefetch("seats", running, to_attr="running"))
        self.powers = list(powers)
        seats = [seat for power in self.powers for seat in _running(power)]
        players = [seat.player_id for seat in seats]
        self.recent = recent[::-1]
        self.board: Mapping[str, Any] = state or {"units": {}, "centers": {}}
        self.sheet, self.inside = sheet, inside
        self.states = _states(self.powers, sheet, inside)
        self.missed = _missed(seats)
        found = {seat.player for seat in seats} if inside else set()
        self.found = reliabilities(found, now=now)
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
            centers=len(self.board["centers"].get(name, ())),
            units=len(self.board["units"].get(name, ())),
            state=self.states.get(power.pk, ""),
            word=word.word.upper() if word else "",
            last_at=sheet.last_at(name) if sheet else None,
            late=sheet.late(name) if sheet else 0,
            missed=self.missed[seat.pk] if seat else 0,
            found=self.found.get(seat.player_id) if seat else None,
            away=tuple(self.away.get(seat.player_id, ())) if seat else (),
            mails=self.mails.get(seat.player_id) if seat else None,
            mail_paused=seat.player.mail_paused_at if seat and self.inside else None,
            press=tuple(written),
            press_total=sum(n for (wrote, _), n in self.press.items() if wrote == power.pk),
        )


def _running(power: Power) -> list[Seat]:
    return power.running  # type: ignore[attr-defined, no-any-return]  # prefetched under this name


def _states(powers: Iterable[Power], sheet: Sheet | None, inside: bool) -> dict[int, str]:
    if sheet is None or (not inside and hides_who_decides(sheet.phase)):
        return {}
    deciding = set(position(sheet.phase).powers_to_order())
    silent = dict.fromkeys(sheet.silent, NOTHING) if inside else {}
    owes = SOME if inside else OWED
    owing = {name: silent.get(name, owes) for name in sheet.not_in}
    owing |= dict.fromkeys(sheet.unheard, AGAIN)
    return {power.pk: _state(power, sheet.phase, deciding, owing) for power in powers}


def _state(power: Power, phase: Phase, deciding: set[str], owing: Mapping[str, str]) -> str:
    at, name = phase.position, power.name
    if not at["units"].get(name) and not at["centers"].get(name) and name not in deciding:
        return OUT
    if power.disorder_since:
        return DISORDER
    if name not in deciding:
        return IDLE if _running(power) else EMPTY
    state = owing.get(name, IN)
    return VACANT if state in (IN, AGAIN) and not _running(power) else state


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


def _reached(seats: QuerySet[Seat]) -> QuerySet[Any]:
    """The tenures with how many addresses of the player work, and since when another does not."""
    theirs = Q(player__addresses__confirmed_at__isnull=False)
    return seats.annotate(
        works=Count("player__addresses", theirs & Q(player__addresses__failing_since=None)),
        failing=Max("player__addresses__failing_since"),
    )


def _mails(seats: Iterable[Any]) -> dict[int, dt.datetime]:
    """Since when no address of a player gets our mails: they cannot be reached."""
    return {one.player_id: one.failing for one in seats if not one.works and one.failing}


def _press(game: Game) -> Counter[tuple[int | None, int | None]]:
    """How many messages each power wrote under its name in each phase; grey and fake ones as
    nobody's: a GM may play."""
    hidden = When(Q(grey=True) | ~Q(shown_writer=""), then=None)
    grey = Case(hidden, default=F("seat__power"))
    written = game.press.filter(Q(grey=True) | Q(seat__isnull=False)).order_by()
    return Counter(written.annotate(wrote=grey).values_list("wrote", "phase"))
