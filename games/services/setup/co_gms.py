"""Who runs a game beside its GM, and in their place."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from games import log
from games.errors import BadInput, NotFound
from games.events import CoGMAdded, CoGMRemoved, GameHandedOver
from games.models import CoGM, Game
from games.queries.access.accounts import accounts_of
from games.queries.access.roles import masters, plays_in
from games.queries.access.staff_names import own_name
from games.services.common import lock_game
from games.services.moderation.staff import gm_appoint, user_at
from games.services.seating.invitations import wishes_pass_on

MOST = 5
"""Co-GMs and deputies that a game can have at a time."""
ANOTHER = "another game master"
"""The new GM, if they have no name that players may read."""


@transaction.atomic
def co_gm_add(
    *, game: Game, email: str, until: dt.datetime | None, by: str, now: dt.datetime
) -> CoGM:
    """Let the user at this address run the game, too; a new user has no password yet.

    Added again, they stay until the new end. Raises BadInput for what is no address, an end that is
    past, the game's own GM, an end that they have already, and when there are five already whose
    time is not over.
    """
    user = user_at(email=email)
    game = lock_game(game)
    if user.pk == game.gm_id:
        raise BadInput("That is the GM of the game.")
    if game.fog and (plays_in(user, game) or _has_place(user, game)):
        raise BadInput("They play in this game, which is in fog of war: they may not see it all.")
    if until is not None and until <= now:
        raise BadInput("A deputy's time has to end in the future.")
    lasting = game.co_gms.filter(Q(until=None) | Q(until__gt=now))
    if lasting.filter(user=user, until=until).exists():
        raise BadInput(f"They already run {game.name} {'until then' if until else 'for good'}.")
    if lasting.exclude(user=user).count() >= MOST:
        raise BadInput(f"A game can have {MOST} co-GMs.")
    gm_appoint(user=user)
    nobody = not masters(game, now)
    row, _ = CoGM.objects.update_or_create(
        game=game,
        user=user,
        defaults={"until": until},
        create_defaults={"since": now, "until": until},
    )
    log.record(game=game, facts=CoGMAdded(user=user.pk, until=until, by=by), now=now)
    if nobody:
        wishes_pass_on(game, now)
    return row


def _has_place(user: User, game: Game) -> bool:
    """Whether they wait for the game to start, and to play in it."""
    mine = game.applications.filter(player__in=accounts_of(user), withdrawn_at=None)
    return not game.started_at and mine.exists()


@transaction.atomic
def co_gm_remove(*, game: Game, key: str, by: str, now: dt.datetime) -> User:
    """Let a co-GM, given by the key of the row, run the game no longer; return them. Raises
    NotFound.

    The row stays, with its end: it says that they know what players of a game in fog may not.
    """
    game = lock_game(game)
    row = game.co_gms.filter(pk=key).first()
    if row is None or (row.until and row.until <= now):
        raise NotFound(f"There is no such co-GM of {game.name}.")
    row.until = now
    row.save(update_fields=["until"])
    log.record(game=game, facts=CoGMRemoved(user=row.user_id, by=by), now=now)
    return row.user


@transaction.atomic
def game_hand_over(*, game: Game, key: str, stays: bool, by: str, now: dt.datetime) -> User:
    """Make a co-GM, given by the key of the row, the GM; everybody is told. Returns the new GM.

    The GM before stays as a co-GM, or helps no longer; the event says that they were the GM, so
    that they cannot take over a power. Raises NotFound, and BadInput for the GM, for a deputy,
    whose time ends, and for somebody who plays in the game.
    """
    game = lock_game(game)
    row = game.co_gms.select_related("user").filter(pk=key).first()
    if row is None:
        raise NotFound(f"There is no such co-GM of {game.name}.")
    if row.user_id == game.gm_id:
        raise BadInput("They are already the GM of the game.")
    if row.until is not None:
        raise BadInput("A deputy's time ends. Make them a co-GM for good first.")
    if plays_in(row.user, game) or _has_place(row.user, game):
        raise BadInput("They play in this game, so they cannot decide what its GM decides.")
    before, heir = game.gm, row.user
    game.gm = heir
    game.save(update_fields=["gm"])
    row.delete()
    if before:
        until = None if stays else now
        CoGM.objects.update_or_create(
            game=game,
            user=before,
            defaults={"until": until},
            create_defaults={"since": now, "until": until},
        )
    key_before = before.pk if before else None
    told = GameHandedOver(to=own_name(heir) or ANOTHER, by=by, before=key_before)
    log.record(game=game, facts=told, now=now)
    return heir
