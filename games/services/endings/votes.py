"""Votes on the end of a game: proposing a draw or a concession, voting, and what comes of it.

A proposal passes as soon as every power that has a say has voted yes. Eliminated powers, powers in
civil disorder and powers that nobody plays have no say and block nothing. Each player may change
their vote while the proposal stands: until the movement phase that is being played, or comes next,
is over. With open votes everybody is told each vote, and one no refuses a proposal at once. With
secret votes nobody is told before a proposal has passed or expired, nor who proposed it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput, NotAllowed, NotFound, WrongState
from games.events import OnProposal, VoteCast, VoteClosed, VoteProposed
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
from games.queries.reports.wording import listed
from games.services.common import lock_game, phase_now
from games.services.endings.ending import game_finish

Kind = Proposal.Kind
State = Proposal.State

MOST_A_DAY = 20
A_DAY = dt.timedelta(days=1)
SOMEBODY = "somebody"
"""Who proposed or voted, if the votes are secret."""

_ENDINGS = {Kind.DRAW: Game.Ending.DRAW, Kind.CONCESSION: Game.Ending.CONCESSION}


@dataclass(frozen=True, slots=True)
class VoteReceipt:
    """What became of a proposal or a vote: the proposal's number, what it is about, its state.

    `yes` is how the power votes now, None when it took its proposal back; `came_later` says that
    it had voted so after the mail that was worked on now.
    """

    number: int
    what: str
    state: Proposal.State
    yes: bool | None
    came_later: bool = False


@transaction.atomic
def draw_propose(
    *,
    seat: Seat,
    winners: Sequence[str],
    now: dt.datetime,
    source: str = "",
    said_at: dt.datetime | None = None,
) -> VoteReceipt:
    """Propose a draw among these powers (none named: all survivors), and vote yes.

    The same proposal again is a vote for it. Raises NotAllowed where the game has no such draws or
    the power has no say, BadInput for powers that cannot share, WrongState outside the play.
    """
    game, seat = _voting(seat)
    living = survivors(game)
    named = tuple(sorted(set(winners))) or living
    if game.draws == Game.Draws.NONE:
        raise NotAllowed(f"In the game {game.name} nobody votes on draws.")
    if gone := [power for power in named if power not in living]:
        raise BadInput(f"Nothing is left of {listed(gone)}, so it cannot share a draw.")
    if named != living and game.draws == Game.Draws.SURVIVORS:
        raise NotAllowed(
            f"In the game {game.name} a draw is always among all survivors: {listed(living)}. "
            "To propose that, write VOTE DRAW."
        )
    if len(named) < 2:
        raise BadInput(
            f"A draw is shared by two powers or more. To let {listed(named)} win, write: "
            f"VOTE CONCEDE TO {listed(named)}"
        )
    return _propose(game, seat, Kind.DRAW, named, said_at=said_at or now, now=now, source=source)


@transaction.atomic
def concession_propose(
    *,
    seat: Seat,
    winner: str,
    now: dt.datetime,
    source: str = "",
    said_at: dt.datetime | None = None,
) -> VoteReceipt:
    """Propose that the others concede the victory to one power, and vote yes.

    That power is not asked, but its no counts as any other. Raises like `draw_propose`.
    """
    game, seat = _voting(seat)
    if not game.concessions:
        raise NotAllowed(f"In the game {game.name} nobody can concede the victory by a vote.")
    if winner == seat.power.name:
        raise BadInput(f"You are {winner} yourself: only the others can concede the victory.")
    if winner not in survivors(game):
        raise BadInput(f"Nothing is left of {winner}, so it cannot win.")
    return _propose(
        game, seat, Kind.CONCESSION, (winner,), said_at=said_at or now, now=now, source=source
    )


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
    game, seat = _voting(seat)
    said_at = said_at or now
    proposal = proposal_meant(game, number, kind, said_at)
    last = ballot_of(proposal, seat)
    if last is not None and last.yes == yes:
        return _receipt(proposal, yes=yes)
    if last is not None and last.cast_at > said_at:
        return replace(_receipt(proposal, yes=last.yes), came_later=True)
    _vote(proposal, seat, said_at, source, yes=yes)
    return _count(proposal, seat, now, yes=yes)


@transaction.atomic
def proposal_withdraw(*, seat: Seat, number: int | None, now: dt.datetime) -> VoteReceipt:
    """Take one's own proposal back; everybody is told. Raises NotFound without one."""
    game, seat = _voting(seat)
    mine = game.proposals.filter(state=State.OPEN, seat=seat)
    proposal = (mine.filter(number=number) if number else mine).first()
    if proposal is None:
        raise NotFound("You have no such proposal open, so there is nothing to withdraw.")
    _close(proposal, State.WITHDRAWN, "was withdrawn", now)
    return _receipt(proposal, yes=None)


def votes_recount(*, game: Game, now: dt.datetime) -> Event | None:
    """Count again, because a power has lost its say. The caller holds the game's lock.

    Returns the event of the game's end when a proposal passes by it.
    """
    for proposal in list(open_proposals(game)):
        if not is_sound(proposal):
            _close(proposal, State.EXPIRED, "is void, because the survivors are others now", now)
        elif event := _pass_if_agreed(proposal, now):
            return event
    return None


def proposals_settle(*, phase: Phase, now: dt.datetime) -> None:
    """See to the open proposals after this phase was processed; the caller holds the lock.

    With a movement phase they expire. Others may remove a power that has not voted.
    """
    if board.step_of(phase.name) == "M":
        proposals_close(game=phase.game, how="has expired", now=now)
    else:
        votes_recount(game=phase.game, now=now)


def proposals_close(*, game: Game, how: str, now: dt.datetime) -> None:
    """Let every open proposal expire, and tell everybody so. The caller holds the game's lock."""
    for proposal in list(open_proposals(game)):
        _close(proposal, State.EXPIRED, how, now)


def _voting(seat: Seat) -> tuple[Game, Seat]:
    """Lock the seat's game and see that it is played and the seat has a say."""
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


def _propose(
    game: Game,
    seat: Seat,
    kind: Proposal.Kind,
    winners: Sequence[str],
    *,
    said_at: dt.datetime,
    now: dt.datetime,
    source: str,
) -> VoteReceipt:
    """Propose this end of the game and vote for it, or only vote if it stands proposed already."""
    standing = open_proposals(game)
    for one in standing:
        if one.kind == kind and one.winners == list(winners):
            return vote_cast(
                seat=seat, number=one.number, yes=True, now=now, source=source, said_at=said_at
            )
    if mine := next((one for one in standing if one.seat_id == seat.pk), None):
        raise WrongState(
            f"Your proposal {mine.number}, {what_of(mine)}, is still open. To make another one, "
            f"write VOTE WITHDRAW {mine.number} first."
        )
    recent = Proposal.objects.filter(seat=seat, created_at__gt=now - A_DAY)
    if recent.count() >= MOST_A_DAY:  # all powers get a mail of each, and another when it closes
        raise NotAllowed(
            f"You have made {MOST_A_DAY} proposals within a day. Please wait until tomorrow before "
            "you make another."
        )
    proposal = Proposal.objects.create(
        game=game,
        phase=phase_now(game),
        seat=seat,
        number=game.proposals.count() + 1,
        kind=kind,
        winners=list(winners),
        created_at=now,
    )
    _vote(proposal, seat, said_at, source, yes=True)
    by = SOMEBODY if game.secret_votes else seat.power.name
    _record(VoteProposed, proposal, now, by=by)
    _pass_if_agreed(proposal, now)
    return _receipt(proposal, yes=True)


def _vote(proposal: Proposal, seat: Seat, said_at: dt.datetime, source: str, *, yes: bool) -> None:
    Ballot.objects.create(
        proposal=proposal, seat=seat, yes=yes, cast_at=said_at, source=source[:255]
    )


def _count(proposal: Proposal, seat: Seat, now: dt.datetime, *, yes: bool) -> VoteReceipt:
    if not proposal.game.secret_votes:
        vote = "yes" if yes else "no"
        _record(VoteCast, proposal, now, power=seat.power.name, vote=vote)
        if not yes:
            _close(proposal, State.REFUSED, f"was refused by {seat.power.name}", now)
    _pass_if_agreed(proposal, now)
    return _receipt(proposal, yes=yes)


def _pass_if_agreed(proposal: Proposal, now: dt.datetime) -> Event | None:
    """End the game when all who have a say agree."""
    if not is_agreed(proposal):
        return None
    proposal.state, proposal.closed_at = State.PASSED, now
    proposal.save(update_fields=["state", "closed_at"])
    end = End(_ENDINGS[Kind(proposal.kind)], tuple(proposal.winners))
    return game_finish(game=proposal.game, end=end, now=now)


def _close(proposal: Proposal, state: Proposal.State, how: str, now: dt.datetime) -> None:
    proposal.state, proposal.closed_at = state, now
    proposal.save(update_fields=["state", "closed_at"])
    _record(VoteClosed, proposal, now, how=how)


def _record(kind: type[OnProposal], proposal: Proposal, now: dt.datetime, **said: str) -> None:
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


def _receipt(proposal: Proposal, *, yes: bool | None) -> VoteReceipt:
    return VoteReceipt(proposal.number, what_of(proposal), State(proposal.state), yes)
