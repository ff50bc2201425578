"""What the GM writes to players: kept with the press, and answered like it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from games import log
from games.errors import BadInput, NotAllowed, NotFound, WrongState
from games.events import PressSent
from games.models import Game, Press
from games.queries import lookup
from games.queries.access.roles import is_gm_of
from games.queries.access.staff_names import Actor
from games.queries.players.seats import BEFORE_START, power_names
from games.services.common import lock_game
from games.services.messages.press import EVERYBODY
from games.services.messages.press_allowed import LONGEST


@transaction.atomic
def gm_write(*, game: Game, to: Sequence[str], text: str, by: Actor, now: dt.datetime) -> Press:
    """Write from the GM to the powers named, or to everybody when none is; the event has them told.

    If the writer is on the staff but does not run the game, the text is a moderator's, and answers
    do not go to the GM. The game's rules of press are for powers and do not apply. The log tells
    everybody that the GM wrote, and to whom only if it went to all. Raises NotFound for a name that
    is no power, NotAllowed when nobody plays it, BadInput for a text that is empty or too long.
    Before the start, when nobody has a power yet, it goes to all who have a place; WrongState for
    anything else then.
    """
    game = lock_game(game)
    powers = _readers(game, to)
    if not text.strip():
        raise BadInput("There is no text to pass on.")
    if len(text) > LONGEST:
        raise BadInput(f"Your text has {len(text)} characters, and can have {LONGEST} at most.")
    press = Press.objects.create(
        game=game,
        phase=lookup.open_phase(game),
        number=game.press.count() + 1,
        to=powers,
        public=not to,
        circle=", ".join([*powers, "GM"]) if to else EVERYBODY,
        text=text,
        by=by.name,
        by_moderator=_is_by_moderator(by, game, now),
        created_at=now,
    )
    log.record(
        game=game,
        phase=press.phase,
        facts=PressSent(
            press=press.number,
            by=by.name,
            to="others" if to else EVERYBODY,
            sha256=log.digest([press.writer, press.circle, press.text]),
        ),
        now=now,
    )
    return press


def _is_by_moderator(by: Actor, game: Game, now: dt.datetime) -> bool:
    """Whether answers are for the moderators: the writer has an account but does not run the
    game."""
    return by.user is not None and not is_gm_of(by.user, game, now=now)


def _readers(game: Game, to: Sequence[str]) -> list[str]:
    names = power_names(game)
    if unknown := [name for name in to if name not in names]:
        raise NotFound(
            f"There is no power “{unknown[0]}” in the game {game.name}. It has: {', '.join(names)}."
        )
    if not to:
        return names
    if game.status in BEFORE_START:
        raise WrongState("Nobody has a power before the start: please write to everybody.")
    played = {seat.power.name for seat in lookup.seats_of(game)}
    if unread := [name for name in to if name not in played]:
        raise NotAllowed(
            f"Nobody plays {' or '.join(unread)} at the moment, so nobody would read it."
        )
    return sorted(set(to))
