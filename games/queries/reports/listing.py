"""Games for pages that list them: many at once, with few queries, and nothing secret."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.paginator import Paginator
from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When

from games.board_json import StateJson
from games.models import UNFINISHED, Game, Phase
from games.queries import board
from games.queries.access.audience import PRIVATE, Audience, shows_board
from games.queries.access.staff_names import own_name
from games.queries.endings.ending import ended_at
from games.queries.players.places import with_places
from games.queries.players.seats import BEFORE_START, PLAYED, OpenSeat, open_powers, seats_described
from games.queries.reports.timetable import pace
from games.queries.reports.what_game import particulars, starts, who_may_join

Status = Game.Status
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class PowerCentres:
    """A power and how many centres it has."""

    power: str
    centres: int


@dataclass(frozen=True, slots=True)
class FormingGame:
    """A game that has not started. `free` of its `seats` are free; if none is, it musters, or waits
    for the time at which it starts."""

    name: str
    variant: str
    variant_name: str
    seats: int
    free: int
    gm: str
    pace: str
    particulars: tuple[str, ...]
    """When it starts, if that is set, how it differs from most games, and who may join, a sentence
    for each."""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that is being played. `centres` has the strongest power first, and is empty if only
    the players may see the board."""

    name: str
    variant: str
    variant_name: str
    title: str
    due_at: dt.datetime | None
    paused: bool
    waits: bool
    centres: tuple[PowerCentres, ...]


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over; `ending` says how, `last` is the title of its last phase."""

    name: str
    variant: str
    variant_name: str
    ending: str
    last: str
    finished_at: dt.datetime | None
    centres: tuple[PowerCentres, ...]


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row]):
    """One page of a list of `total` rows."""

    rows: tuple[Row, ...]
    number: int
    pages: int
    total: int


def forming_games(number: int, size: int) -> ListPage[FormingGame]:
    """Return a page of the games looking for players or mustering, with two queries; those
    with few free seats come first, those with none last."""
    games = (
        with_places(Game.objects.filter(status__in=BEFORE_START))
        .exclude(entry=Game.Entry.INVITED)
        .select_related("gm")
        .annotate(free=F("places") - F("taken"))
        .order_by(Case(When(free=0, then=Value(1)), default=Value(0)), "free", "name")
    )
    return _page(games, number, size, lambda some: [_forming(game) for game in some])


def seats_to_take(number: int, size: int) -> ListPage[OpenSeat]:
    """Return a page of the seats that are open, by game and power, with three queries."""
    return _page(open_powers(), number, size, seats_described)


def running_games(number: int, size: int) -> ListPage[RunningGame]:
    """Return a page of the games that are played, by name, with two queries; of no private ones."""
    phases = (
        Phase.objects.filter(status__in=UNFINISHED, game__status__in=PLAYED)
        .exclude(PRIVATE)
        .select_related("game")
        .defer("orders", "outcome")
        .order_by("game__name")
    )
    return _page(phases, number, size, lambda some: [_running(phase) for phase in some])


def finished_games(number: int, size: int) -> ListPage[FinishedGame]:
    """Return a page of the games that are over, the latest first, with three queries."""
    last = Phase.objects.filter(game=OuterRef("pk")).exclude(status=Phase.Status.UNDONE)
    games = (
        Game.objects.filter(status=Status.FINISHED)
        .annotate(last=Subquery(last.order_by("-number").values("pk")[:1]))
        .order_by(F("finished_at").desc(nulls_last=True), "name")
    )
    return _page(games, number, size, _finished_rows)


def _page(
    rows: QuerySet[Any], number: int, size: int, made: Callable[[list[Any]], Sequence[Row]]
) -> ListPage[Row]:
    paginator = Paginator(rows, size)
    page = paginator.get_page(number)
    return ListPage(
        rows=tuple(made(list(page.object_list))),
        number=page.number,
        pages=paginator.num_pages,
        total=paginator.count,
    )


def _forming(game: Any) -> FormingGame:
    """A game as `with_places` returns it."""
    return FormingGame(
        name=game.name,
        variant=board.variant_named(game.variant).title,
        variant_name=game.variant,
        seats=game.places,
        free=game.free,
        gm=own_name(game.gm) if game.gm else "",
        pace=pace(game),
        particulars=(*starts(game), *particulars(game), *who_may_join(game)),
    )


def _running(phase: Phase) -> RunningGame:
    game = phase.game
    seen = shows_board(game, Audience.EVERYBODY)
    return RunningGame(
        name=game.name,
        variant=board.variant_named(game.variant).title,
        variant_name=game.variant,
        title=board.phase_title(phase.name),
        due_at=phase.due_at,
        paused=game.status == Status.PAUSED,
        waits=phase.overdue_at is not None,
        centres=centres_of(phase.position, game.variant) if seen else (),
    )


def _finished_rows(games: Sequence[Any]) -> list[FinishedGame]:
    phases = Phase.objects.defer("orders").in_bulk([game.last for game in games if game.last])
    return [_finished_game(game, phases.get(game.last)) for game in games]


def _finished_game(game: Game, last: Phase | None) -> FinishedGame:
    state = last.state_left if last else None
    return FinishedGame(
        name=game.name,
        variant=board.variant_named(game.variant).title,
        variant_name=game.variant,
        ending=ended_at(game, state),
        last=board.phase_title(last.name) if last else "",
        finished_at=game.finished_at,
        centres=centres_of(state, game.variant) if state else (),
    )


def centres_of(state: StateJson, variant: str) -> tuple[PowerCentres, ...]:
    """Return how many centres each power has in a state, the strongest first."""
    powers: Iterable[str] = board.variant_named(variant).powers
    rows = [PowerCentres(power, len(state["centers"].get(power, ()))) for power in powers]
    return tuple(sorted(rows, key=lambda row: (-row.centres, row.power)))
