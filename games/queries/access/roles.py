"""Who may see and do what: operators, moderators, game masters, and GMs who play.

An operator is a superuser, or somebody with the permission `games.view_open_orders`. A moderator is
in the group Moderator and looks after all games; a GM is named in `Game.gm`, and looks after their
own. The groups only decide which pages open; the functions here decide what is on them.

`conflicts` says about which players a moderator may decide, `disclosure` which of a game's secrets
each of them may see.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from games.events import GameHandedOver, rows_saying
from games.models import CoGM, Game, Phase, Player, Seat
from games.models.prepared import Given, Query
from games.queries.access.accounts import Visitor as Visitor
from games.queries.access.accounts import accounts_given, accounts_of, given_of, is_player
from games.queries.access.audience import hides_who_decides

GM = "GM"
MODERATOR = "Moderator"
OPEN_ORDERS = "games.view_open_orders"

_GAMES = ("game", "power", "seat", "application", "phase", "readiness", "event", "observer")
_PEOPLE = ("player", "address", "absence", "attendance", "conduct")

RIGHTS: Mapping[str, frozenset[str]] = {
    GM: frozenset(
        {"add_game", "change_game", *(f"view_{x}" for x in (*_GAMES, "orderset", "press"))}
    ),
    MODERATOR: frozenset(f"view_{x}" for x in (*_GAMES, *_PEOPLE)),
}
"""The permissions of the app `games` that each group has (made by the migration 0003_roles)."""

FAIR = frozenset({"start", "pause", "pause_all", "resume", "resume_all", "remind", "write"})
"""What GMs may do in a game in which they play: nothing in it helps one power more than another."""

KEEPS_ALIVE = FAIR | {
    *("extend", "extend_all", "disorder", "end_disorder", "replace", "vacate", "offer", "excuse")
}
"""What a moderator may do in any game in which they do not play."""


def is_operator(user: Visitor) -> bool:
    """Say whether they run the server, or were given permission to see open orders."""
    return user.is_active and user.has_perm(OPEN_ORDERS)


def is_moderator(user: Visitor) -> bool:
    """Say whether they are in the group of the moderators."""
    return user.is_active and MODERATOR in _groups(user)


def _groups(user: Visitor) -> frozenset[str]:
    """The names of the user's groups, kept with the user as Django keeps permissions, because one
    page asks a dozen times."""
    names: frozenset[str] | None = getattr(user, "_names_of_groups", None)
    if names is None:
        names = frozenset(user.groups.values_list("name", flat=True))
        user._names_of_groups = names  # type: ignore[union-attr]
    return names


def forget_groups(user: Visitor) -> None:
    """Read the user's groups again: they have changed."""
    vars(user).pop("_names_of_groups", None)


def is_gm_of(user: Visitor, game: Game, *, now: dt.datetime) -> bool:
    """Say whether this is their game."""
    if not user.is_active or user.pk is None:
        return False
    helped = getattr(game, "helped", True)  # some queries know that nobody runs it beside its GM
    return game.gm_id == user.pk or (helped and game.pk in _games_as_deputy(user, now))


def _games_as_deputy(user: Visitor, now: dt.datetime) -> frozenset[int]:
    """The games that the user currently runs beside their GMs, kept with the user for one page."""
    keys: frozenset[int] | None = getattr(user, "_games_deputised", None)
    if keys is None:
        keys = frozenset(_co_gms(user.pk or 0, now).values_list("game", flat=True))
        user._games_deputised = keys  # type: ignore[union-attr]
    return keys


def _co_gms(user: int | Given, now: dt.datetime | Given) -> QuerySet[CoGM]:
    lasting = Q(until=None) | Q(until__gt=now)
    return CoGM.objects.filter(lasting, user_id=user)


def masters(game: Game, now: dt.datetime) -> list[User]:
    """Return who gets mails about running the game: its GM first, then its co-GMs, and its deputies
    until their time ends.

    People without an address get none, nor do co-GMs who play in it, because the mails may reveal
    what players do not know.
    """
    found = [game.gm] if game.gm else []
    found += [row.user for row in co_gms_of(game, now) if not plays_in(row.user, game)]
    return [user for user in dict.fromkeys(found) if user.email]


def co_gms_of(game: Game, now: dt.datetime) -> list[CoGM]:
    """Return who runs the game beside its GM now, deputies included."""
    if game.ever_had_co_gms is False:
        return []
    lasting = Q(until=None) | Q(until__gt=now)
    helping = game.co_gms.filter(lasting, user__is_active=True).select_related("user")
    return list(helping.order_by("pk"))


def games_for(user: Visitor, *, now: dt.datetime) -> QuerySet[Game]:
    """Return the games that they may see: all for operators and moderators, a GM their own."""
    if is_operator(user) or is_moderator(user):
        return Game.objects.all()
    return own_games(user, now=now)


def own_games(user: Visitor, *, now: dt.datetime) -> QuerySet[Game]:
    """Return the games that are theirs to run."""
    if not user.is_active or user.pk is None:
        return Game.objects.none()
    return games_run(user.pk, now)


def games_run(user: int | Given, now: dt.datetime | Given) -> QuerySet[Game]:
    """Return the games that the user with this key runs, as their GM or beside them."""
    theirs = Game.objects.filter(gm_id=user).order_by().values_list("pk")
    shared = _co_gms(user, now).order_by().values_list("game")
    return Game.objects.filter(pk__in=theirs.union(shared))


def plays_in(user: Visitor, game: Game) -> bool:
    """Say whether they hold a seat of the game, as a linked player or under their own address."""
    return bool(_HELD.all(**given_of(user), game=game.pk))


def _seats_held() -> QuerySet[Seat]:
    """The seats of one game that are held by the accounts of a user (`accounts_of`)."""
    accounts = accounts_given()
    seats = Seat.objects.filter(player__in=accounts, power__game=Given("game"), until=None)
    return seats.only("pk")


# Every page of a game, every act and every mail to a GM asks it.
_HELD = Query(_seats_held)


def plays_among(user: User, seats: Iterable[Seat]) -> bool:
    """Do as `plays_in` does, from the game's running seats, read with their players' addresses."""
    return any(one.player.user_id == user.pk or one.player.is_at(user.email) for one in seats)


def plays_in_any(user: Visitor, games: Collection[Game]) -> bool:
    """Say whether they hold a seat of one of the games."""
    held = Seat.objects.filter(player__in=accounts_of(user), until=None)
    return bool(games) and held.filter(power__game__in=list(games)).exists()


def is_run_by(users: QuerySet[User]) -> Q:
    """Return a condition on games: one of these users is the GM, or has ever helped to run it."""
    helped = CoGM.objects.filter(user__in=users).values("game")
    return Q(gm__in=users) | Q(pk__in=helped)


def games_played(user: Visitor) -> QuerySet[Game]:
    """Return the games that are not over in which they hold a seat."""
    return games_played_by(accounts_of(user))


def games_played_by(accounts: QuerySet[Any, Any]) -> QuerySet[Game]:
    """Return the games that are not over in which one of these accounts holds a seat."""
    held = Seat.objects.filter(player__in=accounts, until=None)
    return Game.objects.filter(pk__in=held.values("power__game")).exclude(
        status=Game.Status.FINISHED
    )


def runs(player: Player, game: Game) -> bool:
    """Say whether the player is the GM of the game, or one who runs it beside its GM."""
    users = [*([game.gm] if game.gm else []), *(one.user for one in game.co_gms.all())]
    return any(is_player(one, player) for one in users)


def gms_ever(game: Game) -> list[User]:
    """Return the GM of the game, and those who were before they handed it over."""
    handed = rows_saying(game.events.all(), GameHandedOver)
    before = [key for event in handed if (key := GameHandedOver.of(event).before)]
    # In a game that came from another server, the key may be somebody else's here.
    helped = game.co_gms.filter(user__in=before).values("user") if before else ()
    return list(User.objects.filter(Q(pk=game.gm_id) | Q(pk__in=helped)).order_by("pk"))


def games_nameless(user: Visitor) -> QuerySet[Game]:
    """Return the games in which they must not learn who plays what: anonymous games in which they
    play."""
    return games_nameless_to(accounts_of(user))


def games_nameless_to(accounts: QuerySet[Any, Any]) -> QuerySet[Game]:
    """Return the same for somebody who has these accounts."""
    return games_played_by(accounts).filter(anonymous=True)


def games_veiled(user: Visitor, phases: Iterable[Phase]) -> set[int]:
    """Return the keys of the games of these phases in which the user may not know who decides: they
    play in them, in fog of war."""
    games = {phase.game_id for phase in phases if hides_who_decides(phase)}
    if not games:
        return set()
    return set(games_played(user).filter(pk__in=games).values_list("pk", flat=True))


def may_moderate(user: Visitor) -> bool:
    """Say whether the moderators' pages are for them."""
    return is_operator(user) or is_moderator(user)


def refusal(
    user: Visitor, game: Game, act: str, *, now: dt.datetime, plays: bool | None = None
) -> str:
    """Return why they may not do this to the game, "" if they may.

    `act` is the name of one of `games.acts`, like "extend" or "process_now"; `plays` says whether
    they play in it, if the caller has already asked.
    """
    responsible = is_operator(user) or is_gm_of(user, game, now=now)
    if not responsible and not is_moderator(user):
        return f"You are not the GM of the game {game.name}."
    if plays_in(user, game) if plays is None else plays:
        if responsible and act in FAIR:
            return ""
        return (
            f"You play in the game {game.name} yourself, so this is not for you to do. "
            "Ask a moderator, or whoever runs the server."
        )
    if not responsible and act not in KEEPS_ALIVE:
        return f"Moderators do not do this: it is for the GM of the game {game.name}."
    if act == "make_round" and not _may_make_games_of(user, game):
        return f"Only the GM of the game {game.name} can make more games like it."
    if act == "hand_over" and not (is_operator(user) or game.gm_id == user.pk):
        return f"Only the GM of the game {game.name} can hand it over."
    over = game.status == Game.Status.FINISHED
    if act == "preview" and not over and not may_preview(user, game, now):
        return f"You may not see the orders of the game {game.name} before the deadline."
    return ""


def _may_make_games_of(user: Visitor, game: Game) -> bool:
    """Say whether they may make games for this game's GM: only an operator may for somebody
    else."""
    return user.has_perm("games.add_game") and (is_operator(user) or game.gm_id == user.pk)


def may_preview(user: Visitor, game: Game, now: dt.datetime) -> bool:
    """Say whether they may ask for the orders of an open phase, if they do not play in the game: an
    operator may, and the GM if the game was made so."""
    sees = is_gm_of(user, game, now=now) and game.gm_sees == Game.GMSees.ORDERS
    return sees or is_operator(user)
