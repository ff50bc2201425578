"""Who sits where, and which seats are open."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from games.board_json import StateJson
from games.models import UNFINISHED, Game, Phase, Player, Power, Seat
from games.models.prepared import Given, Query
from games.queries import board
from games.queries.access.audience import Audience, shows_board
from games.queries.endings.ending import alive, final_state
from games.queries.reports.what_game import played_as
from games.queries.reports.wording import counted

BEFORE_START = frozenset({Game.Status.FORMING, Game.Status.MUSTER})
PLAYED = frozenset({Game.Status.ACTIVE, Game.Status.PAUSED})


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """An open seat, as far as somebody who thinks of taking it may know."""

    game: str
    power: str
    holds: str
    """What the power has, "3 centres and 2 units"; empty where only players see the board."""
    phase_title: str
    due_at: dt.datetime | None
    waits: bool
    """Whether the game does not go on before somebody orders for it."""
    paused: bool
    """Whether the game's clock stands still."""
    about: tuple[str, ...]
    """What game it is: `games.queries.reports.what_game.played_as`."""


def power_names(game: Game) -> list[str]:
    """Return the names of the game's powers, alphabetically."""
    return [power.name for power in _NAMES.all(game=game.pk)]


_NAMES = Query(lambda: Power.objects.filter(game=Given("game")).order_by("name").only("name"))


def power_of_namesake(name: str, game: Game) -> str:
    """Return the power whose player people may call so, by the whole name or its first word; "" for
    none and several."""
    called = Q(player__name__iexact=name) | Q(player__name__istartswith=f"{name} ")
    seats = Seat.objects.filter(called, power__game=game, until=None)
    found = list(seats.values_list("power__name", flat=True)[:2])
    return found[0] if len(found) == 1 else ""


def powers_by_name(game: Game) -> dict[str, str]:
    """Return the powers by what people may call their players: the whole name, or its first word,
    where only one player has it."""
    seats = Seat.objects.filter(power__game=game, until=None).order_by("power__name")
    rows = list(seats.values_list("player__name", "power__name"))
    called = [(name, power) for whole, power in rows for name in {whole, *whole.split()[:1]}]
    heads = Counter(name.casefold() for name, _ in called)
    return {name: power for name, power in called if heads[name.casefold()] == 1}


def has_seat(game: Game, player: Player) -> bool:
    """Say whether the player plays a power of the game now."""
    return Seat.objects.filter(power__game=game, player=player, until=None).exists()


def seats_free(game: Game) -> int:
    """Return how many players a forming game still needs."""
    seated = Seat.objects.filter(power__game=game, until=None)
    applied = game.applications.filter(withdrawn_at=None)
    waiting = applied.exclude(player__in=seated.values("player"))
    return game.powers.count() - seated.count() - waiting.count()


def open_seats(game: Game, *, for_all: bool = False) -> list[OpenSeat]:
    """Return the open seats of the game, by power, with two queries; `for_all`: those that
    everybody may know of."""
    powers = _open_powers().filter(game=game)
    return seats_described(powers.exclude(_HIDDEN) if for_all else powers)


def open_powers() -> QuerySet[Power]:
    """Return the powers whose seats anybody may take, by game and name; so none of games by
    invitation, and no hidden ones. Some may be eliminated."""
    return _open_powers().exclude(_HIDDEN).exclude(game__entry=Game.Entry.INVITED)


def powers_shown(game: Game) -> QuerySet[Power]:
    """Return the powers of the game by name; `is_open` says of each whether everybody may know that
    its seat is open."""
    is_open = ExpressionWrapper(_IS_OPEN & ~_HIDDEN, output_field=BooleanField())
    return game.powers.annotate(is_open=is_open).order_by("name")


_HELD = Exists(Seat.objects.filter(power=OuterRef("pk"), until=None))
_IS_OPEN = Q(open_since__isnull=False, game__status__in=PLAYED)
_HIDDEN = Q(_HELD, game__fog=True, disorder_since=None)
"""Open seats that the game offers only to players on the standby list: their players are late, and
in fog of war nobody may know who has to retreat or build."""


def _open_powers() -> QuerySet[Power]:
    powers = Power.objects.filter(_IS_OPEN)
    return powers.select_related("game").order_by("game__name", "name")


def seats_described(powers: Iterable[Power]) -> list[OpenSeat]:
    """Return the open seats of those of the powers that are not eliminated."""
    ordered = list(powers)
    games = {power.game_id for power in ordered}
    phases = Phase.objects.filter(game__in=games, status__in=UNFINISHED).defer("orders", "outcome")
    now = {phase.game_id: phase for phase in phases}
    return [
        _description(power, phase)
        for power in ordered
        if power.name in alive((phase := now[power.game_id]).position)
    ]


def is_alive(power: Power) -> bool:
    """Say whether anything is left of the power; before the start that is true."""
    state = final_state(power.game)
    return state is None or power.name in alive(state)


def running_seat(power: Power) -> Seat | None:
    """Return the tenure that goes on, or None when nobody plays the power."""
    return power.seats.select_related("player").filter(until=None).first()


def last_seat(power: Power) -> Seat | None:
    """Return the latest tenure, ended or not."""
    return power.seats.select_related("player").order_by("since", "pk").last()


def seats_taken_over(players: Collection[Player]) -> QuerySet[Seat]:
    """Return the running seats that these players have taken over from others."""
    earlier = Seat.objects.filter(power=OuterRef("power"), since__lt=OuterRef("since"))
    running = Seat.objects.filter(player__in=players, until=None, power__game__status__in=PLAYED)
    return running.filter(Exists(earlier.exclude(player=OuterRef("player"))))


def _holdings(power: str, state: StateJson) -> str:
    centers, units = (len(one.get(power, ())) for one in (state["centers"], state["units"]))
    return f"{counted(centers, 'centre')} and {counted(units, 'unit')}"


def _description(power: Power, phase: Phase) -> OpenSeat:
    seen = shows_board(power.game, Audience.EVERYBODY)
    return OpenSeat(
        game=power.game.name,
        power=power.name,
        holds=_holdings(power.name, phase.position) if seen else "",
        phase_title=board.phase_title(phase.name),
        due_at=phase.due_at,
        waits=phase.overdue_at is not None,
        paused=power.game.status == Game.Status.PAUSED,
        about=played_as(power.game),
    )
