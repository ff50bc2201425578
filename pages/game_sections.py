"""The sections of a game's page: its open phase, its phases, its seats, its centres, its rules."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from games.models import Game, Phase, Player, Power, Seat
from games.queries import board
from games.queries.access.audience import Audience, attendance_shown, shows_names
from games.queries.access.staff_names import own_name
from games.queries.endings.ending import rules_of_end
from games.queries.orders.waiting import Outstanding, outstanding, to_confirm_text
from games.queries.players.attendance import reliabilities
from games.queries.players.places import free_places
from games.queries.players.reliability import Reliability
from games.queries.players.seats import PLAYED, powers_shown
from games.queries.reports.end_report import Score, scores_of
from games.queries.reports.press_words import press_sentence
from games.queries.reports.timetable import timetable
from games.queries.reports.what_game import particulars, preset_of, who_may_join
from games.queries.reports.wording import listed
from games.queries.variants import VariantText, variant_text
from pages.chart import Chart, chart_of
from pages.mailto import mail_with
from pages.story import Stop, Story


@dataclass(frozen=True)
class Clock:
    """The open phase, when it is due, and whom it waits for, as STATUS tells everybody."""

    phase: Phase
    title: str
    is_past: bool
    """Whether the deadline has passed."""
    is_paused: bool
    waiting_for: str
    to_confirm: str
    is_unreadable: bool


@dataclass(frozen=True)
class Slider:
    """The phases that a reader can go to, and which of them the page shows."""

    stops: Sequence[Stop]
    here: int

    @property
    def before(self) -> Stop | None:
        """The phase before the one that the page shows."""
        return self.stops[self.here - 1] if self.here else None

    @property
    def after(self) -> Stop | None:
        """The phase after it."""
        return self.stops[self.here + 1] if self.here < self.last else None

    @property
    def last(self) -> int:
        """Where the last phase is."""
        return len(self.stops) - 1


@dataclass(frozen=True)
class SeatRow:
    """A power and its player, as everybody may know them."""

    power: str
    player: Player | None
    before: tuple[Player, ...]
    """Its earlier players, the first of them first."""
    found: Reliability | None
    is_open: bool
    disorder: bool
    takeover: str
    """A link to a mail that takes over the power; empty unless everybody may."""


@dataclass(frozen=True)
class Seats:
    """Who plays what, as everybody may know it."""

    rows: Sequence[SeatRow]
    named: bool
    """Whether the players' names are no secret."""

    @property
    def tell_anything(self) -> bool:
        """Whether there is more to say than which powers there are."""
        return any(row.disorder or row.is_open or row.player for row in self.rows)


@dataclass(frozen=True)
class Joining:
    """How to get into a game that looks for players."""

    free: int
    seats: int
    who_may: Sequence[str]
    mail: str
    """A link to a mail that joins."""


@dataclass(frozen=True)
class Scores:
    """What the end of the game is worth to each power, the best first."""

    rows: Sequence[Score]

    @property
    def any_out(self) -> bool:
        """Whether a power was eliminated."""
        return any(score.out for score in self.rows)


@dataclass(frozen=True)
class Centres:
    """How many centres each power had at the end of each year."""

    chart: Chart
    powers: Sequence[str]
    years: Sequence[tuple[str, Sequence[int]]]
    """The title of each year, and the numbers in the order of the powers."""


@dataclass(frozen=True)
class Agreed:
    """What was agreed for a game, in words."""

    about: VariantText
    particulars: Sequence[str]
    preset: str
    gm: str
    press: str
    pace: Sequence[str]
    ends: Sequence[str]


def clock_of(story: Story, now: dt.datetime) -> Clock | None:
    """Return the clock of a game; None unless a phase is open."""
    phase = story.now
    if phase is None:
        return None
    awaited = outstanding(phase) if story.open else Outstanding()
    return Clock(
        phase=phase,
        title=board.phase_title(phase.name),
        is_past=bool(phase.due_at and phase.due_at <= now),
        is_paused=story.game.status == Game.Status.PAUSED,
        waiting_for=listed(awaited.waiting_for),
        to_confirm=to_confirm_text(awaited.to_confirm),
        is_unreadable=awaited.unreadable,
    )


def slider_of(story: Story, phase: Phase) -> Slider:
    """Return the slider that stands at this phase."""
    stops = story.stops
    return Slider(stops, next(at for at, stop in enumerate(stops) if stop.name == phase.name))


def centres_of(story: Story) -> Centres | None:
    """Return the centres over the years; None before the first year is over."""
    chart = chart_of(story.years, story.game.variant)
    if chart is None:
        return None
    powers = board.variant_named(story.game.variant).powers
    years = [(y.title, [y.centers.get(power, 0) for power in powers]) for y in story.years]
    return Centres(chart, powers, years)


def scores_at_end(story: Story) -> Scores | None:
    """Return the scores of a game that is over; None for any other."""
    if story.game.status != Game.Status.FINISHED:
        return None
    return Scores(scores_of(story.game, story.years))


def joining_of(game: Game) -> Joining | None:
    """Return how to join a game; None unless it looks for players."""
    if game.status != Game.Status.FORMING:
        return None
    return Joining(
        free=free_places(game),
        seats=len(board.variant_named(game.variant).powers),
        who_may=who_may_join(game),
        mail=mail_with(f"JOIN {game.name}"),
    )


def agreed_for(game: Game) -> Agreed:
    """Return what was agreed for a game."""
    return Agreed(
        about=variant_text(game.variant),
        particulars=particulars(game),
        preset=preset_of(game),
        gm=own_name(game.gm) if game.gm else "",
        press=press_sentence(game),
        pace=timetable(game),
        ends=rules_of_end(game),
    )


def seats_of(game: Game, now: dt.datetime) -> Seats:
    """Return the seats of a game, with how reliable their players have been until now."""
    tenures = Seat.objects.select_related("player").order_by("since", "pk")
    powers = list(powers_shown(game).prefetch_related(Prefetch("seats", tenures)))
    named = shows_names(game, Audience.EVERYBODY)
    players = [seat.player for power in powers for seat in _running(power)] if named else []
    found = reliabilities(players, now=now, known=attendance_shown()) if players else {}
    return Seats([_row(game, power, found, named=named) for power in powers], named)


def _row(game: Game, power: Power, found: dict[int, Reliability], *, named: bool) -> SeatRow:
    player = next((seat.player for seat in _running(power)), None) if named else None
    is_open: bool = vars(power)["is_open"]
    for_all = game.entry != Game.Entry.INVITED
    return SeatRow(
        power=power.name,
        player=player,
        before=_before(power, player) if named else (),
        found=found.get(player.pk) if player else None,
        is_open=is_open,
        disorder=power.disorder_since is not None and game.status in PLAYED,
        takeover=mail_with(f"TAKEOVER {game.name} {power.name}") if is_open and for_all else "",
    )


def _running(power: Power) -> list[Seat]:
    return [seat for seat in power.seats.all() if seat.until is None]


def _before(power: Power, player: Player | None) -> tuple[Player, ...]:
    """Return the earlier players of the power."""
    earlier = dict.fromkeys(seat.player for seat in power.seats.all() if seat.until is not None)
    return tuple(one for one in earlier if one != player)
