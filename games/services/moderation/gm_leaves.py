"""Closes the admin account of a GM who is erased as a player, and hands their games to others.

Moderators and operators keep their accounts until an operator closes them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType

from games import log
from games.events import CoGMRemoved, GMLeft
from games.models import CoGM, Game, Invitation, Player, Press
from games.queries.access.roles import co_gms_of, may_moderate, plays_in
from games.queries.access.run_by import users_of
from games.queries.access.staff_names import THE_GM
from games.services.common import lock_game
from games.services.moderation.staff import user_reached
from games.services.moderation.staff_log import entries_unname
from games.services.seating.invitations import wishes_pass_on

NOBODY_RUNS = "Nobody runs the game now; the moderators keep it alive."
CO_GM_RUNS = "Its co-GM runs the game now."
DEPUTY_RUNS = "A deputy runs the game for now; later the moderators keep it alive."


def accounts_to_close(player: Player) -> list[User]:
    """Return the accounts in the admin that go when the player is erased."""
    return [user for user in users_of(player) if not may_moderate(user)]


def lock_accounts(player: Player) -> None:
    """Lock, until the transaction ends, the accounts in the admin that `accounts_close` closes. It
    comes before any game: otherwise somebody could give one of them a game after we have looked up
    which they run."""
    keys = [user.pk for user in accounts_to_close(player)]
    list(User.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))


def games_left_by(user: User) -> list[Game]:
    """Return the games that are not over and have one of them as their GM, in the order of
    locks."""
    return list(Game.objects.filter(gm=user).exclude(status=Game.Status.FINISHED).order_by("pk"))


def heir_of(game: Game, gone: Sequence[User], now: dt.datetime) -> CoGM | None:
    """Return who runs the game when these users are gone: the first co-GM for good who does not
    play in it."""
    lasting = [row for row in co_gms_of(game, now) if row.until is None and row.user not in gone]
    return next((row for row in lasting if not plays_in(row.user, game)), None)


def deputy_of(game: Game, gone: Sequence[User], now: dt.datetime) -> CoGM | None:
    """Return who goes on running the game for some days, and does not play in it."""
    helping = [row for row in co_gms_of(game, now) if row.until and row.user not in gone]
    return next((row for row in helping if not plays_in(row.user, game)), None)


def accounts_close(*, player: Player, by: str, now: dt.datetime) -> list[str]:
    """Close the player's accounts in the admin, and give their games to others; return the
    addresses of these accounts. The caller holds the player, these accounts and their
    games."""
    users = accounts_to_close(player)
    for user in users:
        _forget_name(user)
        for game in games_left_by(user):
            _leave(lock_game(game), users, now)
        helping = user.co_gm_of.exclude(until__lte=now)
        for row in helping.exclude(game__status=Game.Status.FINISHED).order_by("game"):
            log.record(game=lock_game(row.game), facts=CoGMRemoved(user=user.pk, by=by), now=now)
        user.co_gm_of.all().delete()
    emails = [user.email for user in users if user.email]
    for user in users:
        _close(user)
    return emails


def _leave(game: Game, gone: Sequence[User], now: dt.datetime) -> None:
    heir = heir_of(game, gone, now)
    game.gm = heir.user if heir else None
    game.save(update_fields=["gm"])
    if heir:
        heir.delete()
    then = CO_GM_RUNS if heir else DEPUTY_RUNS if deputy_of(game, gone, now) else NOBODY_RUNS
    log.record(game=game, facts=GMLeft(then=then), now=now)
    if then != NOBODY_RUNS:
        wishes_pass_on(game, now)


def is_forgotten(user: User) -> bool:
    """Whether it is the closed account of somebody who was erased."""
    return user.username == _pseudonym(user) and not user.is_active


def _pseudonym(user: User) -> str:
    return f"former-{user.pk}"


def _forget_name(user: User) -> None:
    """Write "the GM" for their name on invitations and press in the games that they ran. The logs
    cannot change and keep it; moderators' press keeps theirs, which may be the same."""
    names = {user.get_full_name(), user.get_username()} - {""}
    games = Game.objects.filter(gm=user) | Game.objects.filter(co_gms__user=user)
    for game in games.distinct():
        Invitation.objects.filter(game=game, by__in=names).update(by=THE_GM)
        press = Press.objects.filter(game=game, seat=None, by_moderator=False, by__in=names)
        press.update(by=THE_GM)


def _close(user: User) -> None:
    user_reached(user=user)
    user.username = _pseudonym(user)
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = False
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    entries_unname(user)
    about = ContentType.objects.get_for_model(User)
    entries = LogEntry.objects.filter(content_type=about, object_id=str(user.pk))
    entries.update(object_repr=user.username, change_message="")
