"""Ending a game: nothing is open any more, and everybody is told how it ended."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput
from games.events import GameFinished
from games.models import UNFINISHED, Event, Game, Offer, Phase, Proposal
from games.queries.endings.ending import End, alive, final_state, last_phase, sentence_of
from games.queries.players.seats import BEFORE_START, PLAYED, power_names
from games.services.common import lock_game, lock_offers
from games.services.ordering.advance_orders import orders_pass
from games.services.seating.invitations import waiting_refuse

Ending = Game.Ending
Status = Game.Status
SET_AT_THE_END = (
    *("status", "ending", "winners", "winner"),
    *("finished_at", "paused_at", "resume_at"),
)
"""What the end of a game sets, and a later rollback takes back."""


@transaction.atomic
def game_end(*, game: Game, winners: Sequence[str], why: str, by: str, now: dt.datetime) -> Event:
    """End a game as the GM decides: one winner, a draw among several, or no result at all.

    `why` and `by` are told to everybody. Raises BadInput for a power that the game does not have,
    or of which nothing is left, and for any power before the start; WrongState when the game is
    already over.
    """
    game = lock_game(game)
    lifecycle.require(game, *BEFORE_START, *PLAYED)
    if winners and not game.started_at:
        raise BadInput(f"The game {game.name} has not started yet, so nobody can win it.")
    chosen = [_power(game, name) for name in dict.fromkeys(winners)]
    waiting_refuse(game=game, now=now)
    return game_finish(
        game=game, end=End(Ending.GM, tuple(sorted(chosen))), why=why, by=by, now=now
    )


def game_finish(*, game: Game, end: End, now: dt.datetime, why: str = "", by: str = "") -> Event:
    """Make the game end that way. The caller holds its lock.

    What is open is closed: the phase, the proposals to vote on, and the offers of seats. The seats
    stay as they are.
    """
    last = last_phase(game)
    lifecycle.change_status(game, Status.FINISHED)
    game.ending, game.winners = end.how, list(end.winners)
    game.winner = end.winners[0] if len(end.winners) == 1 else ""
    game.finished_at, game.paused_at, game.resume_at = now, None, None
    game.save(update_fields=SET_AT_THE_END)
    game.phases.filter(status__in=UNFINISHED).update(
        status=Phase.Status.CLOSED, remind_at=None, all_in_at=None, retry_at=None
    )
    game.proposals.filter(state=Proposal.State.OPEN).update(
        state=Proposal.State.VOID, closed_at=now
    )
    offers = lock_offers(Offer.objects.filter(power__game=game))
    offers.update(end=Offer.End.WITHDRAWN, ended_at=now)
    orders_pass(game=game, before=None, now=now)
    return log.record(
        game=game,
        phase=last,
        facts=GameFinished(
            phase=last.name if last else None,
            how=sentence_of(end.how, end.winners, final_state(game), game),
            ending=str(end.how),
            winners=tuple(end.winners),
            why=why,
            by=by,
        ),
        now=now,
    )


def _power(game: Game, name: str) -> str:
    powers = power_names(game)
    found = next((one for one in powers if one.lower() == name.strip().lower()), None)
    if found is None:
        raise BadInput(f"There is no power “{name}” in the game {game.name}: {', '.join(powers)}.")
    state = final_state(game)
    if state is not None and found not in alive(state):
        raise BadInput(f"{found} has neither a unit nor a centre left, so it cannot win.")
    return found
