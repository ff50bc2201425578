"""Who may join a game that does not take everybody: invited, let in, or kept out by its GM.

The server mails only people who are registered here. A stranger is invited by a mail of the GM's
own, with the code in it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import QuerySet

from games import lifecycle, log
from games.errors import BadInput, NotAllowed, WrongState
from games.events import JoinAsked, JoinRefused, JoinsUnanswered, PlayersInvited, PlayersLetIn
from games.models import Event, Game, Invitation, Player, Power
from games.queries.access.roles import co_gms_of
from games.queries.lookup import emails_confirmed, players_by_address
from games.queries.players.places import wishes_to_join
from games.queries.reports.wording import listed
from games.services.cleaned import clean_email
from games.services.common import lock_game

Kind = Invitation.Kind
Entry = Game.Entry
MOST = 50
"""How many addresses a game invites or keeps out."""
_CALLED_SO = re.compile(r"^(?:with\s+)?(?:the\s+)?code\W+", re.IGNORECASE)
"""What people write before a code."""
REMINDED_AFTER = dt.timedelta(days=3)
"""How long somebody who asked to join waits before the GM is reminded of them."""


@transaction.atomic
def players_invite(*, game: Game, emails: Iterable[str], by: str, now: dt.datetime) -> list[Player]:
    """Let these addresses join; return the players among them, who are told by mail.

    Raises BadInput for what is no address or too many, WrongState when the game has started.
    """
    found = _note(game, emails, Kind.INVITED, by, now)
    _let_back(game, found)
    keys = tuple(dict.fromkeys(player.pk for player in found))
    # Without any, too: else the log would tell who invites whether somebody is registered.
    log.record(game=game, facts=PlayersInvited(players=keys, by=by), now=now)
    return found


@transaction.atomic
def asker_let_in(*, game: Game, email: str, by: str, now: dt.datetime) -> None:
    """Let a player join who asked to; raises as `players_invite`."""
    found = _note(game, [email], Kind.INVITED, by, now)
    keys = tuple(player.pk for player in found)
    log.record(game=game, facts=PlayersLetIn(players=keys, by=by), now=now)


@transaction.atomic
def players_deny(*, game: Game, emails: Iterable[str], by: str, now: dt.datetime) -> list[Player]:
    """Keep these addresses out; nobody is told but those who wait for an answer. Raises as
    `players_invite`; WrongState as well when one of them has a place already."""
    asked = wishes_to_join(lock_game(game))
    found = _note(game, emails, Kind.DENIED, by, now)
    inside = [one.name for one in found if one.applications.filter(game=game, withdrawn_at=None)]
    if inside:
        who = f"{listed(inside)} already {'has a place' if len(inside) == 1 else 'have places'}"
        raise WrongState(f"{who} in {game.name}. Remove them instead: that also keeps them out.")
    denied = set(game.invitations.filter(kind=Kind.DENIED).values_list("pk", flat=True))
    for player, row in asked:
        if row.pk in denied:
            log.record(game=game, facts=JoinRefused(player=player.pk, by=by), now=now)
    return found


@transaction.atomic
def join_refuse(*, game: Game, player: Player, by: str, now: dt.datetime) -> None:
    """Say no to a player who asked to join; they are told."""
    game = lock_game(game)
    if not _requests(game, player).update(kind=Kind.DENIED, by=by, at=now):
        raise WrongState(f"{player.name} does not wait for an answer.")
    log.record(game=game, facts=JoinRefused(player=player.pk, by=by), now=now)


def keep_out(game: Game, player: Player, by: str, now: dt.datetime) -> None:
    """Let the player join no more, by any of their addresses. The caller holds the lock, and tells
    them."""
    Invitation.objects.bulk_create(
        [
            Invitation(game=game, email=email.lower(), kind=Kind.DENIED, by=by, at=now)
            for email in emails_confirmed(player)
        ],
        update_conflicts=True,
        unique_fields=["game", "email"],
        update_fields=["kind", "by", "at"],
    )


def _let_back(game: Game, players: Iterable[Player]) -> None:
    """Lift, for those who have had a place, what `keep_out` wrote for their other addresses:
    whoever invites them need not know these."""
    for player in players:
        if game.applications.filter(player=player).exists():
            denied = game.invitations.filter(kind=Kind.DENIED)
            denied.filter(email__in=emails_confirmed(player)).delete()


def wish_take_back(game: Game, player: Player, since: dt.datetime) -> bool:
    """Take back the player's wish to join; say whether they were waiting for an answer. The caller
    holds the lock. Raises WrongState if they asked after `since`."""
    _require_newest(game, player, since)
    return wish_end(game, player)


def wish_end(game: Game, player: Player) -> bool:
    """End the player's wait for an answer; say whether they were waiting. The caller holds the
    lock."""
    return bool(_requests(game, player).delete()[0])


def _require_newest(game: Game, player: Player, since: dt.datetime) -> None:
    """Raise WrongState if the player has asked to join by a mail that came after `since`."""
    for wish in _requests(game, player):
        if (wish.preferences_at or wish.at) > since:
            raise WrongState(
                f"You have asked to join {game.name} since this mail came, and "
                f"{what_stands(wish.preferences)}."
            )


def what_stands(preferences: str) -> str:
    """Say which list counts, as the end of a sentence."""
    return (
        f"that list stands: {preferences}"
        if preferences
        else "that stands, without a list of powers"
    )


def _requests(game: Game, player: Player) -> QuerySet[Invitation]:
    return game.invitations.filter(kind=Kind.ASKED, email__in=emails_confirmed(player))


def waiting_refuse(*, game: Game, now: dt.datetime) -> None:
    """Tell those who still wait for an answer that the game has started without them, or will not
    be played. The caller holds the lock."""
    for player, _ in wishes_to_join(game):
        log.record(game=game, facts=JoinRefused(player=player.pk), now=now)
    game.invitations.filter(kind=Kind.ASKED).delete()


def code_taken_off(game: Game, preferences: str) -> tuple[bool, str]:
    """Say whether the preferences begin with the game's code, and return them without it."""
    first, _, rest = _CALLED_SO.sub("", preferences.strip()).partition(" ")
    if game.code and first.strip(",;:.").lower() == game.code:
        return True, rest.strip()
    return False, preferences


def let_in(game: Game, player: Player, *, knows_code: bool) -> bool:
    """Say whether the player may join as far as invitations go. Raises NotAllowed for somebody whom
    the GM keeps out, or who needs an invitation, has none, and has never had a place."""
    said = _kinds_of_invitation(game, player)
    _require_not_kept_out(game, said)
    if game.entry == Entry.OPEN or Kind.INVITED in said or knows_code:
        return True
    if game.entry == Entry.INVITED:
        if game.applications.filter(player=player).exists():  # they had the code once
            return True
        raise NotAllowed(
            f"The game {game.name} is by invitation only, and your line does not have its code. "
            f"Write it right after the name: JOIN {game.name} and the code. If you do not have "
            "it, ask whoever told you about the game."
        )
    return False


def require_not_kept_out(game: Game, player: Player) -> None:
    """Raise NotAllowed for somebody whom the GM keeps out: whoever tells them how to join asks
    this first."""
    _require_not_kept_out(game, _kinds_of_invitation(game, player))


def _require_not_kept_out(game: Game, said: Collection[str]) -> None:
    if Kind.DENIED in said:
        raise NotAllowed(f"The GM of {game.name} does not let you join it. LIST has other games.")


def _kinds_of_invitation(game: Game, player: Player) -> set[str]:
    """What the game says about the player's addresses."""
    return {one.kind for one in game.invitations.filter(email__in=emails_confirmed(player))}


def let_take(power: Power, player: Player, *, knows_code: bool) -> bool:
    """Say whether the player may take a seat of a game that has started, or its GM has to let them
    in first. Raises NotAllowed if the GM keeps them out and, in a game by invitation, if they have
    no invitation, code or offer."""
    game = power.game
    said = _kinds_of_invitation(game, player)
    if Kind.DENIED in said:
        raise NotAllowed(
            f"The GM of {game.name} does not let you play in it. LIST has other games."
        )
    if game.entry == Entry.OPEN or Kind.INVITED in said or knows_code:
        return True
    if power.offers.filter(player=player, end="").exists():
        return True
    if game.entry == Entry.APPROVAL:
        return False
    raise NotAllowed(
        f"The game {game.name} is by invitation only, and your line does not have its code. "
        f"Write it right after the power: TAKEOVER {game.name} {power.name} and the code. If you "
        "do not have it, ask whoever told you about the game."
    )


def ask_to_join(
    game: Game, player: Player, preferences: str, since: dt.datetime, now: dt.datetime
) -> None:
    """Note that the player would like to join, by a mail that came at `since`, and tell the GM,
    once. The caller holds the lock. Raises WrongState if a newer one asks for it, and while nobody
    runs the game."""
    _require_newest(game, player, since)
    if game.gm is None and not co_gms_of(game, now):
        raise WrongState(
            f"In the game {game.name} the game master lets people in, and it has none at the "
            "moment. To ask the moderators for one, write MODERATOR and the name of the game. LIST "
            "has other games."
        )
    email = emails_confirmed(player)[0]
    wish = {"kind": Kind.ASKED, "preferences": preferences, "preferences_at": since}
    _, made = game.invitations.update_or_create(
        email=email, defaults=wish, create_defaults={**wish, "at": now}
    )
    if made:
        log.record(game=game, facts=JoinAsked(player=player.pk), now=now)


def games_with_unanswered(*, now: dt.datetime) -> list[int]:
    """Return the ids of the forming games whose GM is to be reminded of who asked to join."""
    late = _requests_unanswered(now).filter(game__status=Game.Status.FORMING)
    return list(late.order_by("game").values_list("game", flat=True).distinct())


@transaction.atomic
def gm_remind(*, game_id: int, now: dt.datetime) -> Event | None:
    """Remind the game's GM, once for each, of the players who have waited too long for an answer.

    Returns the event that names them, or None when there are none, or somebody else is at the game.
    """
    rows = Game.objects.select_for_update(skip_locked=True)
    game = rows.filter(pk=game_id, status=Game.Status.FORMING).first()
    if game is None:
        return None
    late = {row.pk for row in _requests_unanswered(now).filter(game=game)}
    players = tuple(player.pk for player, row in wishes_to_join(game) if row.pk in late)
    game.invitations.filter(pk__in=late).update(reminded_at=now)
    if not players:
        return None
    return log.record(game=game, facts=JoinsUnanswered(players=players), now=now)


def wishes_pass_on(game: Game, now: dt.datetime) -> None:
    """Tell whoever newly runs the game of all who are waiting to be let in. The caller holds the
    lock."""
    players = tuple(player.pk for player, _ in wishes_to_join(game))
    if players and game.status == Game.Status.FORMING:
        game.invitations.filter(kind=Kind.ASKED).update(reminded_at=now)
        log.record(game=game, facts=JoinsUnanswered(players=players), now=now)


def _requests_unanswered(now: dt.datetime) -> QuerySet[Invitation]:
    """The requests to join of which we remind the GM."""
    return Invitation.objects.filter(
        kind=Kind.ASKED, reminded_at=None, at__lte=now - REMINDED_AFTER
    )


def _note(game: Game, emails: Iterable[str], kind: Kind, by: str, now: dt.datetime) -> list[Player]:
    game = lock_game(game)
    lifecycle.require(game, Game.Status.FORMING)
    clean = list(dict.fromkeys(clean_email(email).lower() for email in emails))
    if not clean:
        raise BadInput("Please write at least one address.")
    new = set(clean) - set(game.invitations.values_list("email", flat=True))
    if new and game.invitations.exclude(kind=Kind.ASKED).count() + len(new) > MOST:
        raise BadInput(f"A game can invite and keep out {MOST} addresses in all.")
    Invitation.objects.bulk_create(
        [Invitation(game=game, email=email, kind=kind, by=by, at=now) for email in clean],
        update_conflicts=True,
        unique_fields=["game", "email"],
        update_fields=["kind", "by", "at"],
    )
    players = players_by_address(clean)
    return [players[email] for email in clean if email in players]
