"""Votes on the end of a game: who votes, how votes are counted, and what comes of them.

A proposal passes as soon as every power that has a say has voted yes. Eliminated powers, powers in
civil disorder and powers that nobody plays have no say and block nothing. Each player may change
their vote while the proposal stands: until the movement phase that is being played, or comes next,
is over. With open votes everybody is told each vote, and one no refuses a proposal at once. With
secret votes nobody is told before a proposal has passed or expired, nor who proposed it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from django.db import transaction

from games import lifecycle, log
from games.errors import NotAllowed
from games.events import EXPIRED, OnProposal, VoteCast, VoteClosed
from games.models import Ballot, Event, Game, Phase, Proposal, Seat
from games.queries import board
from games.queries.endings.ending import End
from games.queries.endings.votes import (
    ballot_of,
    is_agreed,
    is_sound,
    open_proposals,
    proposal_meant,
    survivors,
    voters,
    what_of,
)
from games.queries.lookup import open_phase
from games.queries.players.seats import PLAYED
from games.services.common import lock_game
from games.services.endings.ending import game_finish

Kind = Proposal.Kind
State = Proposal.State

_ENDINGS = {Kind.DRAW: Game.Ending.DRAW, Kind.CONCESSION: Game.Ending.CONCESSION}


@dataclass(frozen=True, slots=True)
class VoteReceipt:
    """The outcome of a proposal or a vote."""

    number: int
    """The number of the proposal."""
    what: str
    """What was proposed."""
    state: Proposal.State
    yes: bool | None
    """How the power votes now; None when it took its proposal back."""
    came_later: bool = False
    """Whether it had voted so after the mail that was worked on now."""


@transaction.atomic
def vote_cast(
    *,
    seat: Seat,
    number: int | None,
    yes: bool,
    now: dt.datetime,
    source: str = "",
    said_at: dt.datetime | None = None,
    kind: Kind | None = None,
) -> VoteReceipt:
    """Vote on an open proposal, as of `said_at` (None means now); without a number, on the only one
    in this phase. A yes may have been meant for one that has been refused or withdrawn since.

    The newest vote counts: the receipt says how the power votes now. Raises NotFound when there
    was no such proposal, or none of this `kind`, BadInput when a number is needed, NotAllowed for a
    power without a say.
    """
    game, seat = voting_seat(seat)
    said_at = said_at or now
    proposal = proposal_meant(game, number, kind, said_at)
    last = ballot_of(proposal, seat)
    if last is not None and last.yes == yes:
        return receipt_of(proposal, yes=yes)
    if last is not None and last.cast_at > said_at:
        return replace(receipt_of(proposal, yes=last.yes), came_later=True)
    ballot_cast(proposal, seat, said_at, source, yes=yes)
    return _count(proposal, seat, now, yes=yes)


def votes_recount(*, game: Game, now: dt.datetime) -> Event | None:
    """Count again, because a power has lost its say. The caller holds the game's lock.

    Returns the event of the game's end if a proposal passes because of it.
    """
    for proposal in list(open_proposals(game)):
        if not is_sound(proposal):
            proposal_close(proposal, State.VOID, "is void, because the survivors have changed", now)
        elif event := pass_if_agreed(proposal, now):
            return event
    return None


def proposals_settle(*, phase: Phase, now: dt.datetime) -> None:
    """See to the open proposals after this phase was processed; the caller holds the lock.

    They expire with a movement phase. After other phases a power that has not voted may be gone.
    """
    if board.step_of(phase.name) == "M":
        proposals_close(phase.game, State.EXPIRED, EXPIRED, now)
    else:
        votes_recount(game=phase.game, now=now)


def proposals_close(game: Game, state: Proposal.State, how: str, now: dt.datetime) -> None:
    """End every open proposal, and tell everybody how. The caller holds the game's lock."""
    for proposal in list(open_proposals(game)):
        proposal_close(proposal, state, how, now)


def voting_seat(seat: Seat) -> tuple[Game, Seat]:
    """Lock the seat's game, and return both as they are now.

    Raises NotAllowed for a seat without a say, WrongState outside the play.
    """
    game = lock_game(seat.power.game)
    lifecycle.require(game, *PLAYED)
    mine = voters(game).get(seat.power.name)
    if mine is not None and mine.pk == seat.pk:
        return game, mine
    name = seat.power.name
    if name not in survivors(game):
        raise NotAllowed(f"{name} is out of the game, so it no longer has a vote.")
    if Seat.objects.filter(pk=seat.pk, until=None).exists():
        raise NotAllowed(
            f"{name} is in civil disorder in the game {game.name}, so it has no vote: write RETURN "
            "first."
        )
    raise NotAllowed(f"You no longer play {name} in the game {game.name}.")


def ballot_cast(
    proposal: Proposal, seat: Seat, said_at: dt.datetime, source: str, *, yes: bool
) -> None:
    """Keep this vote, as of `said_at`, without counting."""
    Ballot.objects.create(
        proposal=proposal, seat=seat, yes=yes, cast_at=said_at, source=source[:255]
    )


def _count(proposal: Proposal, seat: Seat, now: dt.datetime, *, yes: bool) -> VoteReceipt:
    if not proposal.game.secret_votes:
        vote = "yes" if yes else "no"
        vote_record(VoteCast, proposal, now, power=seat.power.name, vote=vote)
        if not yes:
            proposal_close(proposal, State.REFUSED, f"was refused by {seat.power.name}", now)
    pass_if_agreed(proposal, now)
    return receipt_of(proposal, yes=yes)


def pass_if_agreed(proposal: Proposal, now: dt.datetime) -> Event | None:
    """End the game when all who have a say agree."""
    if not is_agreed(proposal):
        return None
    proposal.state, proposal.closed_at = State.PASSED, now
    proposal.save(update_fields=["state", "closed_at"])
    end = End(_ENDINGS[Kind(proposal.kind)], tuple(proposal.winners))
    return game_finish(game=proposal.game, end=end, now=now)


def proposal_close(proposal: Proposal, state: Proposal.State, how: str, now: dt.datetime) -> None:
    """End a proposal that has not passed, and say `how` in the log: "has expired"."""
    proposal.state, proposal.closed_at = state, now
    proposal.save(update_fields=["state", "closed_at"])
    vote_record(VoteClosed, proposal, now, how=how)


def vote_record(kind: type[OnProposal], proposal: Proposal, now: dt.datetime, **said: str) -> None:
    """Log what happened to a proposal, in the phase that is open now."""
    game = proposal.game
    open_now = open_phase(game)
    log.record(
        game=game,
        phase=open_now,
        facts=kind(
            phase=open_now.name if open_now else None,
            number=proposal.number,
            what=what_of(proposal),
            **said,
        ),
        now=now,
    )


def receipt_of(proposal: Proposal, *, yes: bool | None) -> VoteReceipt:
    """Return the receipt of a vote on this proposal as it stands, None for no vote."""
    return VoteReceipt(proposal.number, what_of(proposal), State(proposal.state), yes)
