"""Who may know what about a game: the one rule for pages, pictures, feeds and mails.

An audience is a group of people who read the same: one page, one picture, one feed.

* Orders, results and the board, with what a power has and who has to retreat or build: nobody
  before the phase is adjudicated. Then the players and the GM; everybody, if the game may be
  observed, or once it is over.
* In fog of war each player sees a part of them (`games.queries.access.sight`), the GM everything,
  and nobody else anything before the game is over. That goes, too, for players who are eliminated
  and have no sight left, and for everybody who has played in it, may observe other games, or was
  offered a seat.
* Press to everybody: the players and the GM; everybody, if the game may be observed, or once it is
  over. Other press has its own readers, and no audience.
* Who plays what: the same, but nobody learns it of an anonymous game before it is over.
* Lines that were no order: only whoever wrote them. They may be anything.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from django.db.models import Q, QuerySet

from games.board_json import ResultJson, StateJson
from games.events import MissExcused, OrdersSet, SeatOffered, SeatOpened, SeatReturned
from games.models import Attendance, Event, Game, Phase, Player, Press, Seat
from games.models.phase import OF_PHASE
from games.queries.access import sight
from games.queries.access.anonymity import names_shown
from games.queries.orders.order_lines import PowerOrders, orders_shown, with_unbuilt

FINISHED = Game.Status.FINISHED

OBSERVED = Q(game__observers=True, game__fog=False) | Q(game__status=FINISHED)
NAMED = Q(power__game__anonymous=False) | Q(power__game__status=FINISHED)
FOLLOWED = Q(power__game__observers=True, power__game__fog=False) | Q(power__game__status=FINISHED)
PRIVATE = Q(game__entry=Game.Entry.INVITED, game__observers=False)
"""Games that nobody joins or watches uninvited: no list has them before they are over."""


class Audience(enum.Enum):
    """Somebody to whom something is shown."""

    PLAYERS = "the players of the game and its GM"
    EVERYBODY = "everybody: observers, and whoever opens a page"


def is_foggy(game: Game) -> bool:
    """Say whether each power sees only a part of the board, until the game is over."""
    return game.fog and game.status != FINISHED


def shows_board(game: Game, audience: Audience) -> bool:
    """Say whether the audience may see what was adjudicated; in fog, as far as each of them can
    see."""
    if audience is Audience.PLAYERS:
        return True
    return is_public(game) or game.status == FINISHED


def is_public(game: Game) -> bool:
    """Say whether everybody may see the board from the start, not only once the game is over."""
    return game.observers and not game.fog


def hides_who_decides(phase: Phase) -> bool:
    """Say whether nobody may know which other powers have a decision in the phase: in fog that
    would reveal who has a dislodged unit, units to build, or centres and no unit left."""
    if not is_foggy(phase.game):
        return False
    return not phase.name.endswith("M") or _some_have_no_unit(phase)


def _some_have_no_unit(phase: Phase) -> bool:
    """Say whether a power that owns centres has no unit to order. Lists leave the boards in the
    database, so those of their game are then read at once."""
    if "position" in vars(phase):
        return _lacks_a_unit(phase.position)
    known: dict[int, bool] = vars(phase.game).setdefault("_some_have_no_unit", {})
    if phase.pk not in known:
        boards = phase.game.phases.filter(name__endswith="M").values_list("pk", "position")
        known.update((pk, _lacks_a_unit(position)) for pk, position in boards)
    return known[phase.pk]


def _lacks_a_unit(state: StateJson) -> bool:
    return any(has and not state["units"].get(power) for power, has in state["centers"].items())


_OF_THE_BOARD = frozenset({"position_sha256", "orders_sha256", "outcome_sha256", "result_sha256"})
_WHO_DECIDES = frozenset({"missing", "powers", "unaware", "seals", "keeps_open"})
_SAY_WHO_DECIDES = frozenset({OrdersSet.kind, MissExcused.kind, SeatOpened.kind, SeatOffered.kind})
"""Events that happen only, or like an offer mostly, to a power with a decision in the phase."""


def untold_facts(event: Event) -> frozenset[str]:
    """Return the facts of an event that its game's players may not read before the game is over.

    In fog of war these are who had to decide about retreats or builds, and the digests of boards
    and results, against which somebody could test a guess.
    """
    if not is_foggy(event.game):
        return frozenset()
    if event.phase is not None:
        event.phase.game = event.game  # its row may not have been read
    if event.phase is None or not hides_who_decides(event.phase):
        return _OF_THE_BOARD
    whose = {"power", "seat"} if _says_who_decides(event) else frozenset()
    return _OF_THE_BOARD | _WHO_DECIDES | whose


def _says_who_decides(event: Event) -> bool:
    """Say whether the event happens only to a power with a decision. A player who is back in time
    had one: the game waited for their orders."""
    if event.kind == SeatReturned.kind:
        return SeatReturned.of(event).in_time
    return event.kind in _SAY_WHO_DECIDES


def viewer_of(game: Game, power: str) -> str | None:
    """Return the power, if its player sees a board of their own; None if all see the same."""
    return power if is_foggy(game) else None


def state_shown(game: Game, state: StateJson, viewer: str | None) -> StateJson:
    """Return what the player of a power may know of a state; None: what the GM may."""
    if viewer is None or not is_foggy(game):
        return state
    return sight.state_seen(game.variant, state, viewer)


def shows_names(game: Game, audience: Audience) -> bool:
    """Say whether the audience may know who plays which power."""
    return names_shown(game) and shows_board(game, audience)


def results_shown(phase: Phase, audience: Audience) -> tuple[PowerOrders, ...]:
    """Return the orders of a phase with their results, or none before it is adjudicated."""
    if phase.status != Phase.Status.PROCESSED or not phase.outcome:
        return ()
    if not shows_board(phase.game, audience):
        return ()
    return with_unbuilt(orders_shown(phase.outcome["results"], None), phase)


def outcome_shown(phase: Phase, viewer: str | None) -> Sequence[ResultJson]:
    """Return the results of a processed phase that the player of a power may read; None: the GM."""
    assert phase.outcome is not None, "only a processed phase has results"
    results = phase.outcome["results"]
    if viewer is None or not is_foggy(phase.game):
        return results
    variant, after = phase.game.variant, phase.outcome["next"]
    return sight.results_seen(variant, results, phase.position, after, viewer)


def press_shown(game: Game, audience: Audience) -> QuerySet[Press]:
    """Return the press that the whole audience may read, oldest first: what was written to
    everybody."""
    if not shows_board(game, audience):
        return game.press.none()
    public = game.press.filter(public=True).select_related("seat__power", "phase")
    return public.defer(*OF_PHASE).order_by("number")


def seats_shown(player: Player | None = None) -> QuerySet[Seat]:
    """Return the tenures whose players everybody may know, of one player or of all."""
    seats = Seat.objects.filter(NAMED & FOLLOWED, power__game__started_at__isnull=False)
    return seats.filter(player=player) if player else seats


def attendance_shown() -> QuerySet[Attendance]:
    """Return what everybody may know of who sent orders in time.

    Nothing about an anonymous game: if a miss appeared on somebody's page as soon as a power missed
    a deadline, it would reveal who plays it.
    """
    return Attendance.objects.filter(seat__in=seats_shown())


def events_shown() -> QuerySet[Event]:
    """Return what happened in games whose logs everybody may read."""
    return Event.objects.filter(OBSERVED)
