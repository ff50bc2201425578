"""Going back to an earlier phase. What is undone is kept: phases, order sets and events."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games import lifecycle, log
from games.errors import NotFound
from games.events import GameRolledBack
from games.models import Event, Game, OrderSet, Phase, Proposal
from games.proofs.digests import new_salt
from games.queries.endings.ending import alive
from games.queries.players.seats import PLAYED
from games.services.adjudication.opening import phase_open
from games.services.common import lock_game
from games.services.endings.ending import SET_AT_THE_END
from games.services.endings.votes import proposals_close
from games.services.moderation.seats_lost import banned_vacate, doubles_vacate

Status = Game.Status


@transaction.atomic
def game_rollback(
    *, game: Game, phase: str, keep_orders: bool = False, why: str, by: str, now: dt.datetime
) -> Event:
    """Play the game again from the start of the phase of that name ("F1902M"), and tell everybody.

    The phase opens again, with its old position and a new deadline. With `keep_orders` the orders
    that stood in it count again, else none do. A game that was over is played again, without
    players who were banned meanwhile, and players whose accounts were merged meanwhile keep one
    power each. `why` and `by` are told to the players. Raises NotFound when the game has no such
    phase, WrongState before it has started.
    """
    game = lock_game(game)
    lifecycle.require(game, *PLAYED, Status.FINISHED)
    target = _phase_named(game, phase)
    undone = game.phases.filter(number__gte=target.number).exclude(status=Phase.Status.UNDONE)
    names = list(undone.order_by("number").values_list("name", flat=True))
    undone.update(status=Phase.Status.UNDONE, remind_at=None)
    was_over = _play_again(game)
    last = game.phases.order_by("-number").values_list("number", flat=True)[0]
    again = phase_open(
        game=game,
        number=last + 1,
        state=target.position,
        now=now,
    )
    if keep_orders:
        _orders_put_back(target, again, now)
    proposals_close(game, Proposal.State.VOID, "is void, because the game goes back", now)
    event = log.record(
        game=game,
        phase=again,
        facts=GameRolledBack(
            phase=again.name,
            undone=tuple(names),
            why=why,
            by=by,
            was_over=was_over,
            orders_kept=keep_orders,
        ),
        now=now,
    )
    banned_vacate(game=game, by=by, now=now)
    doubles_vacate(game=game, living=alive(target.position), by=by, now=now)
    return event


def _orders_put_back(undone: Phase, again: Phase, now: dt.datetime) -> None:
    """Give the phase the sets that counted before, each as it came.

    The phase is not decided early because of them: as after a deadline that was moved, everybody
    has to speak again first, so the GM has time to correct what was wrong.
    """
    sets = list(undone.order_sets.filter(counts=True).order_by("pk"))
    for one in sets:
        # With the old salt the seal would reveal, even in fog, whether these are the same orders.
        one.pk, one.phase, one.salt = None, again, new_salt()
    OrderSet.objects.bulk_create(sets)
    again.extended_at = now
    again.save(update_fields=["extended_at"])


def _phase_named(game: Game, name: str) -> Phase:
    played = game.phases.exclude(status=Phase.Status.UNDONE)
    target = played.filter(name=name.strip().upper()).first()
    if target is None:
        names = ", ".join(played.order_by("number").values_list("name", flat=True))
        raise NotFound(f"The game {game.name} has no phase “{name}”. It has had: {names}.")
    return target


def _play_again(game: Game) -> bool:
    """Take back a pause or the end of the game; return whether it was over."""
    was_over = game.status == Status.FINISHED
    if game.status != Status.ACTIVE:
        lifecycle.change_status(game, Status.ACTIVE)
    game.winner, game.winners, game.ending, game.finished_at = "", [], "", None
    game.paused_at = game.resume_at = None
    game.save(update_fields=SET_AT_THE_END)
    return was_over
