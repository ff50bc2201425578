"""The current votes: what is proposed, who has a say, and whether they agree."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from games.errors import BadInput, NotFound
from games.models import Ballot, Game, Power, Proposal, Seat
from games.models.prepared import Given, Query
from games.queries import board
from games.queries.endings.ending import alive, final_state
from games.queries.reports.wording import draw_among, listed

Kind = Proposal.Kind
State = Proposal.State


def open_proposals(game: Game) -> list[Proposal]:
    """Return the proposals that can be voted on, oldest first."""
    return _OPEN.all(game=game.pk)


_OPEN = Query(
    lambda: (
        Proposal.objects.select_related("seat__power")
        .filter(game=Given("game"), state=State.OPEN)
        .order_by("number")
    )
)


def proposals_by_game(games: Iterable[Game]) -> dict[int, list[Proposal]]:
    """Return `open_proposals` for many games by their keys."""
    found: dict[int, list[Proposal]] = {game.pk: [] for game in games}
    standing = Proposal.objects.filter(game__in=found, state=State.OPEN)
    for proposal in standing.select_related("seat__power").order_by("number"):
        found[proposal.game_id].append(proposal)
    return found


def vote_of(proposal: Proposal, seat: Seat) -> bool | None:
    """Return the seat's current vote, None if it has not voted."""
    ballot = ballot_of(proposal, seat)
    return ballot.yes if ballot else None


def votes_by_seat(proposal: Proposal) -> dict[int, bool]:
    """Return the current vote of each seat that has voted, by the seat's key."""
    return dict(proposal.ballots.order_by("id").values_list("seat", "yes"))


def ballot_of(proposal: Proposal, seat: Seat) -> Ballot | None:
    """Return the seat's current vote, with the time when it was cast."""
    return _BALLOT.first(proposal=proposal.pk, seat=seat.pk)


_BALLOT = Query(
    lambda: Ballot.objects.filter(proposal=Given("proposal"), seat=Given("seat")).order_by("-id")
)


def proposal_meant(
    game: Game, number: int | None, kind: Kind | None, said_at: dt.datetime
) -> Proposal:
    """Return the open proposal that somebody meant who wrote at `said_at`: the one with this
    number, or the only one of the kind; None: of any kind.

    Raises NotFound when there is no such proposal, BadInput when it is not clear which they meant.
    """
    standing = open_proposals(game)
    if not standing:
        raise NotFound(f"There is no proposal to vote on in the game {game.name}.")
    known = "; ".join(f"{one.number} is {what_of(one)}" for one in standing)
    of_kind = [one for one in standing if kind in (None, one.kind)]
    if kind is not None and not of_kind:
        raise NotFound(
            f"No {kind.label} is proposed in the game {game.name}. These are open: {known}."
        )
    if number is None:
        return _only_one(game, of_kind, kind, said_at, known)
    found = next((one for one in of_kind if one.number == number), None)
    if found is None:
        raise NotFound(f"There is no open proposal {number}. These are open: {known}.")
    return found


def _only_one(
    game: Game, standing: Sequence[Proposal], kind: Kind | None, said_at: dt.datetime, known: str
) -> Proposal:
    """The only proposal that there was in this phase. They cannot have meant a later one."""
    earlier = game.proposals.filter(phase=standing[0].phase).exclude(state=State.OPEN)
    if kind is not None:
        earlier = earlier.filter(kind=kind)
    if len(standing) > 1 or earlier.exists() or standing[0].created_at > said_at:
        raise BadInput(f"Please write the number of the proposal: {known}.")
    return standing[0]


def what_of(proposal: Proposal) -> str:
    """Say what is proposed: "a draw between Austria and France"."""
    if proposal.kind == Kind.CONCESSION:
        return f"a concession to {listed(proposal.winners)}"
    return draw_among(proposal.winners)


def stands_until(phase: str) -> str:
    """Name the phase with which the proposals that are open in this one expire."""
    return board.phase_title(phase) if board.step_of(phase) == "M" else "the next movement phase"


def survivors(game: Game) -> tuple[str, ...]:
    """Return the powers that have a centre or a unit, alphabetically."""
    state = final_state(game)
    return tuple(sorted(alive(state))) if state else ()


def voters(game: Game) -> dict[str, Seat]:
    """Return the seats that have a say, by their power."""
    remain = survivors(game)
    seats = _IN_ORDER.all(game=game.pk) if remain else ()
    return {seat.power.name: seat for seat in seats if seat.power.name in remain}


_IN_ORDER = Query(
    lambda: Seat.objects.select_related("power", "player").filter(
        power__game=Given("game"), power__disorder_since=None, until=None
    )
)


def is_agreed(proposal: Proposal) -> bool:
    """Say whether all who have a say voted yes; the power that would win need not, but its no
    counts."""
    cast = votes_by_seat(proposal)
    votes = {power: cast.get(seat.pk) for power, seat in voters(proposal.game).items()}
    asked = dict(votes)
    if proposal.kind == Kind.CONCESSION:
        asked.pop(proposal.winners[0], None)
    return bool(asked) and all(asked.values()) and False not in votes.values()


def concedes_to(proposal: Proposal, power: Power) -> bool:
    """Say whether the others would concede the victory to the power by the proposal."""
    return proposal.kind == Kind.CONCESSION and proposal.winners == [power.name]


def is_sound(proposal: Proposal) -> bool:
    """Say whether the proposal could be made now: nobody in it is eliminated, nobody left out."""
    living = survivors(proposal.game)
    if proposal.kind == Kind.DRAW and proposal.game.draws == Game.Draws.SURVIVORS:
        return tuple(proposal.winners) == living
    return set(proposal.winners) <= set(living)
