"""What whom may know of a game: the one rule for pages, pictures, feeds and mails.

An audience is who reads the same: one page, one picture, one feed.

* Orders, results and the board: nobody before the phase is adjudicated. Then the players and the
  GM; everybody, if the game may be observed, or once it is over. A board of which each player sees
  but a part would belong here: it is like a game that may not be observed.
* Press to everybody: the players and the GM; everybody, if the game may be observed, or once it is
  over. Other press has its own readers, and no audience.
* Who plays what: the same, but nobody learns it of an anonymous game before it is over.
* Lines that were no order: nobody but who wrote them. They may be anything.
"""

from __future__ import annotations

import enum

from django.db.models import Q, QuerySet

from games.models import Attendance, Event, Game, Phase, Player, Press, Seat
from games.queries.anonymity import names_shown
from games.queries.phase_report import PowerOrders, orders_shown

FINISHED = Game.Status.FINISHED

OBSERVED = Q(game__observers=True) | Q(game__status=FINISHED)
NAMED = Q(power__game__anonymous=False) | Q(power__game__status=FINISHED)
FOLLOWED = Q(power__game__observers=True) | Q(power__game__status=FINISHED)


class Audience(enum.Enum):
    """Who is shown something."""

    PLAYERS = "the players of the game and its GM"
    EVERYBODY = "everybody: observers, and whoever opens a page"


def shows_board(game: Game, audience: Audience) -> bool:
    """Say whether the audience may see what was adjudicated."""
    if audience is Audience.PLAYERS:
        return True
    return game.observers or game.status == FINISHED


def shows_names(game: Game, audience: Audience) -> bool:
    """Say whether the audience may know who plays which power."""
    return names_shown(game) and shows_board(game, audience)


def results_shown(phase: Phase, audience: Audience) -> tuple[PowerOrders, ...]:
    """Return the orders of a phase with their results; none before it is adjudicated."""
    if phase.status != Phase.Status.PROCESSED or not phase.outcome:
        return ()
    if not shows_board(phase.game, audience):
        return ()
    return orders_shown(phase.outcome["results"], None)


def press_shown(game: Game, audience: Audience) -> QuerySet[Press]:
    """Return the press that the whole audience may read, oldest first: what went to everybody."""
    if not shows_board(game, audience):
        return game.press.none()
    return game.press.filter(public=True).select_related("seat__power", "phase").order_by("number")


def seats_shown(player: Player | None = None) -> QuerySet[Seat]:
    """Return the tenures of which everybody may know whose they are, of one player or of all."""
    seats = Seat.objects.filter(NAMED & FOLLOWED, power__game__started_at__isnull=False)
    return seats.filter(player=player) if player else seats


def attendance_shown() -> QuerySet[Attendance]:
    """Return what everybody may know of who sent orders in time.

    Of an anonymous game nothing: a miss that shows on somebody's page the moment a power misses a
    deadline would tell who plays it.
    """
    return Attendance.objects.filter(seat__in=seats_shown())


def events_shown(audience: Audience) -> QuerySet[Event]:
    """Return what happened in games whose log the audience may read."""
    return Event.objects.filter(OBSERVED) if audience is Audience.EVERYBODY else Event.objects.all()
