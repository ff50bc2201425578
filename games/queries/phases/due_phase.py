"""A phase that is about to be processed, and everything needed for it, read at once.

Code that processes it holds its game's lock, so nothing in it changes except through that code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery

from games.models import UNFINISHED, AdvanceOrders, Event, Game, Observer, Phase, Proposal, Seat
from games.models.prepared import Given, Query
from games.queries.audit.seals import SealedOrders, seal_all
from games.queries.phases.phase_now import PhaseNow
from games.queries.reports.calendars import MOVES


@dataclass(frozen=True)
class DuePhase:
    """The unfinished phase of a game, what was sent for it, and what else needs attention."""

    phase: Phase
    last: tuple[int, str]
    """The number and the digest of the newest entry in the game's log; 0 and "" before the
    first."""
    has_proposals: bool
    """Whether there is a proposal to vote on."""
    has_advance_orders: bool
    """Whether orders for later phases are kept."""
    has_observers: bool
    """Whether anybody observes the game."""
    has_left: bool
    """Whether somebody was replaced in the phase because they sent nothing."""
    moves: int
    """How often the deadline has changed, or whom it is for."""

    @cached_property
    def now(self) -> PhaseNow:
        """Its powers with their players, and what they have sent."""
        return PhaseNow.with_players(self.phase)

    @property
    def has_open_seats(self) -> bool:
        """Whether a seat may be taken over, so that its player's orders would close it."""
        return any(one.power.open_since for one in self.now.powers.values())

    @cached_property
    def lines(self) -> Mapping[str, tuple[str, ...]]:
        """The order lines that count, by the names of the powers that sent any."""
        sent = dict.fromkeys(one.power_id for one in self.now.book.sets if one.counts)
        powers = [self.now.powers[key].power for key in sent]
        return {power.name: self.now.book.lines(power) for power in powers}

    @cached_property
    def sealed(self) -> Mapping[str, SealedOrders]:
        """The same, under their seals."""
        powers = [one.power for one in self.now.powers.values()]
        newest = {power.name: self.now.book.newest(power) for power in powers}
        said = {name: (one.salt, one.received_at) for name, one in newest.items() if one}
        return seal_all(self.phase, self.lines, said)


def due_phase(game: Game) -> DuePhase | None:
    """Return the game's unfinished phase, None if there is no such phase. The caller holds the
    game's lock."""
    phase = _UNFINISHED.first(game=game.pk)
    if phase is None:
        return None
    phase.game = game
    read = vars(phase)
    return DuePhase(
        phase=phase,
        last=(read["last_number"] or 0, read["last_digest"] or ""),
        has_proposals=read["has_proposals"],
        has_advance_orders=read["has_advance_orders"],
        has_observers=read["has_observers"],
        has_left=read["has_left"],
        moves=read["moves"] or 0,
    )


def _unfinished_phases() -> QuerySet[Phase]:
    game = Given("game")
    last = Event.objects.filter(game=game).order_by("-number")
    moves = Event.objects.filter(phase=OuterRef("pk"), kind__in=[one.kind for one in MOVES])
    left = Seat.objects.filter(
        power__game=game, ended_because=Seat.Ended.TAKEN_OVER, until__gte=OuterRef("opened_at")
    )
    ahead = AdvanceOrders.objects.filter(seat__power__game=game, used_at=None, passed_at=None)
    return Phase.objects.filter(game=game, status__in=UNFINISHED).annotate(
        last_number=Subquery(last.values("number")[:1]),
        last_digest=Subquery(last.values("digest")[:1]),
        has_proposals=Exists(Proposal.objects.filter(game=game, state=Proposal.State.OPEN)),
        has_advance_orders=Exists(ahead),
        has_observers=Exists(Observer.objects.filter(game=game, until=None)),
        has_left=Exists(left),
        moves=Subquery(
            moves.order_by().values("phase").annotate(number=Count("pk")).values("number")
        ),
    )


_UNFINISHED = Query(_unfinished_phases)
