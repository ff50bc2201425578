"""The votes as they stand: what is proposed, who has a say, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import Game, Proposal, Seat
from games.queries import board
from games.queries.ending import alive, final_state
from games.queries.wording import draw_among, listed

Kind = Proposal.Kind
State = Proposal.State


def open_proposals(game: Game) -> list[Proposal]:
    """Return the proposals that can be voted on, oldest first."""
    return proposals_by_game([game])[game.pk]


def proposals_by_game(games: Iterable[Game]) -> dict[int, list[Proposal]]:
    """Return `open_proposals` for many games by their keys."""
    found: dict[int, list[Proposal]] = {game.pk: [] for game in games}
    standing = Proposal.objects.filter(game__in=found, state=State.OPEN)
    for proposal in standing.select_related("seat__power").order_by("number"):
        found[proposal.game_id].append(proposal)
    return found


def vote_of(proposal: Proposal, seat: Seat) -> bool | None:
    """Return the seat's vote as it stands, None when it has not voted."""
    ballot = proposal.ballots.filter(seat=seat).order_by("id").last()
    return ballot.yes if ballot else None


def what_of(proposal: Proposal) -> str:
    """Say what is proposed: "a draw between Austria and France"."""
    if proposal.kind == Kind.CONCESSION:
        return f"the concession of the victory to {listed(proposal.winners)}"
    return draw_among(proposal.winners)


def stands_until(phase: str) -> str:
    """Say with which phase the proposals expire that are open in the phase of this name."""
    return board.phase_title(phase) if board.step_of(phase) == "M" else "the next movement phase"


def survivors(game: Game) -> tuple[str, ...]:
    """Return the powers that have a centre or a unit, alphabetically."""
    state = final_state(game)
    return tuple(sorted(alive(state))) if state else ()


def voters(game: Game) -> dict[str, Seat]:
    """Return the seats that have a say, by their power."""
    seats = Seat.objects.filter(
        power__game=game,
        power__name__in=survivors(game),
        power__disorder_since=None,
        until=None,
    )
    return {seat.power.name: seat for seat in seats.select_related("power", "player")}


def is_agreed(proposal: Proposal) -> bool:
    """Say whether all who have a say voted yes; whoever would win need not, but their no counts."""
    votes = {power: vote_of(proposal, seat) for power, seat in voters(proposal.game).items()}
    asked = dict(votes)
    if proposal.kind == Kind.CONCESSION:
        asked.pop(proposal.winners[0], None)
    return bool(asked) and all(asked.values()) and False not in votes.values()


def is_sound(proposal: Proposal) -> bool:
    """Say whether the proposal could be made now: nobody in it is eliminated, nobody left out."""
    living = survivors(proposal.game)
    if proposal.kind == Kind.DRAW and proposal.game.draws == Game.Draws.SURVIVORS:
        return tuple(proposal.winners) == living
    return set(proposal.winners) <= set(living)
