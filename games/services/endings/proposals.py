"""Proposals of a draw or a concession: making them, and taking them back.

`votes` beside this has the rules of the vote, and counts.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from games.errors import BadInput, NotAllowed, NotFound, WrongState
from games.events import VoteProposed
from games.models import Game, Proposal, Seat
from games.queries.endings.votes import open_proposals, survivors, what_of
from games.queries.reports.wording import listed
from games.services.common import phase_now
from games.services.endings.votes import (
    VoteReceipt,
    ballot_cast,
    pass_if_agreed,
    proposal_close,
    receipt_of,
    vote_cast,
    vote_record,
    voting_seat,
)

Kind = Proposal.Kind
State = Proposal.State

MOST_A_DAY = 20
A_DAY = dt.timedelta(days=1)
SOMEBODY = "somebody"
"""Who made a proposal, if the votes are secret."""


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
    game, seat = voting_seat(seat)
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
    game, seat = voting_seat(seat)
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
def proposal_withdraw(*, seat: Seat, number: int | None, now: dt.datetime) -> VoteReceipt:
    """Take back the power's own proposal; everybody is told. Raises NotFound if it has made
    none."""
    game, seat = voting_seat(seat)
    mine = game.proposals.filter(state=State.OPEN, seat=seat)
    proposal = (mine.filter(number=number) if number else mine).first()
    if proposal is None:
        raise NotFound("You have no such proposal open, so there is nothing to withdraw.")
    proposal_close(proposal, State.WITHDRAWN, "was withdrawn", now)
    return receipt_of(proposal, yes=None)


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
    _require_free_to_propose(seat, standing, now)
    proposal = Proposal.objects.create(
        game=game,
        phase=phase_now(game),
        seat=seat,
        number=game.proposals.count() + 1,
        kind=kind,
        winners=list(winners),
        created_at=now,
    )
    ballot_cast(proposal, seat, said_at, source, yes=True)
    by = SOMEBODY if game.secret_votes else seat.power.name
    vote_record(VoteProposed, proposal, now, by=by)
    pass_if_agreed(proposal, now)
    return receipt_of(proposal, yes=True)


def _require_free_to_propose(seat: Seat, standing: Sequence[Proposal], now: dt.datetime) -> None:
    """Make sure that the seat may make one more proposal. Raises WrongState while one of its own
    stands, NotAllowed after too many within a day: all powers get a mail of each, and another when
    it closes."""
    if mine := next((one for one in standing if one.seat_id == seat.pk), None):
        raise WrongState(
            f"Your proposal {mine.number}, {what_of(mine)}, is still open. To make another one, "
            f"write VOTE WITHDRAW {mine.number} first."
        )
    recent = Proposal.objects.filter(seat=seat, created_at__gt=now - A_DAY)
    if recent.count() >= MOST_A_DAY:
        raise NotAllowed(
            f"You have made {MOST_A_DAY} proposals within a day. Please wait until tomorrow before "
            "you make another."
        )
