"""Makes two accounts of one person one. Nothing is deleted: the other row stays, and points on."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import Q

from games import log
from games.errors import BadInput, NotAllowed
from games.events import AccountsMerged
from games.models import Application, Conduct, Game, Offer, Player, Seat
from games.queries.access.anonymity import names_shown
from games.queries.access.roles import runs
from games.queries.reports.wording import listed
from games.services.common import PLAYER_IS_TOLD, lock_game, lock_offers, reason
from games.services.moderation.seats_lost import bar_enforce, lock_games_of

FINISHED = Game.Status.FINISHED


@transaction.atomic
def players_merge(*, kept: Player, other: Player, why: str, by: str, now: dt.datetime) -> Conduct:
    """Make `other` a part of `kept`: seats, addresses, absences, applications, offers and file.

    From then on whoever writes from an address of either is `kept`, under whose name they play; a
    mute, a suspension or a ban of either holds, and what a ban takes is taken from both. The
    address of record is that of `kept`. They are told. Raises BadInput without a reason and for one
    and the same account, NotAllowed when both are in one game that is not over: then it is no merge
    but a double account. NotAllowed as well when one runs a game in fog of war that the other is
    in.

    The log of a game says so, but not of one in which nobody may know who plays: in games that name
    their players, everybody sees at that moment whose name became another's.
    """
    why = reason(why, readers=PLAYER_IS_TOLD)
    kept, other = _both(kept, other)
    lock_games_of(kept, other)
    if games := games_of_both(kept, other):
        raise NotAllowed(double_account(kept, other, games))
    _require_blind(kept, other)
    _require_blind(other, kept)
    for game in filter(names_shown, running_games(other)):
        log.record(game=lock_game(game), facts=AccountsMerged(by=by), now=now)
    Seat.objects.filter(player=other).update(player=kept)
    other.absences.update(player=kept)
    if kept.address:
        other.addresses.update(of_record=False)
    other.addresses.update(player=kept, gave_way_at=None)
    _merge_applications(kept, other, now)
    _merge_places(kept, other, now)
    other.conduct.update(player=kept)
    other.merged.update(merged_into=kept)
    other.games_made.update(maker=kept)
    _mail_resume(kept, other, why, by, now)
    _merge_rows(kept, other)
    bar_enforce(player=kept, by=by, now=now)
    text = f"{other.name} (account {other.pk}) is {kept.name} (account {kept.pk}). {why}"
    return Conduct.objects.create(player=kept, kind=Conduct.Kind.MERGED, why=text, by=by, at=now)


def games_of_both(one: Player, other: Player) -> list[Game]:
    """Return the games that are not over in which both have a seat or a place."""
    return [game for game in running_games(one) if game in running_games(other)]


def double_account(one: Player, other: Player, games: list[Game]) -> str:
    """Say that both play in the same games."""
    names, is_one = listed([game.name for game in games]), len(games) == 1
    return (
        f"{one.name} and {other.name} are both in {names}: that is a double account, and cannot be "
        f"merged while the {'game goes' if is_one else 'games go'} on. First give one of the two "
        f"seats {'' if is_one else 'in each '}to somebody else."
    )


def _require_blind(gm: Player, player: Player) -> None:
    """Make sure that nobody comes to play in a game whose whole board they see."""
    for game in running_games(player):
        if game.fog and runs(gm, game):
            raise NotAllowed(
                f"{gm.name} runs {game.name} in fog of war and sees the whole board, and "
                f"{player.name} plays in it. Merge them when it is over, or first give "
                f"{player.name}'s {'seat' if game.started_at else 'place'} to somebody else."
            )


def _both(kept: Player, other: Player) -> tuple[Player, Player]:
    """Return both rows, locked, but not their keys: somebody who holds a game of theirs, which we
    wait for next, may write a row that points at them."""
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=[kept.pk, other.pk])
    found = {row.pk: row for row in rows.order_by("pk")}
    kept, other = found[kept.pk], found[other.pk]
    if kept.pk == other.pk:
        raise BadInput("Please name two accounts: this is the same one.")
    for one in (kept, other):
        if one.merged_into is not None:
            raise BadInput(f"{one.name} is already part of {one.merged_into.name}.")
        if one.erased_at:
            raise BadInput(f"{one.name} is erased: nothing is left to merge.")
        if one.addresses_frozen_at:
            raise BadInput(f"The addresses of {one.name} are frozen: end that first.")
    return kept, other


def running_games(player: Player) -> list[Game]:
    """Return the games that are not over in which the player has a seat or a place, in the order of
    locks."""
    seated = Q(powers__seats__player=player, powers__seats__until=None)
    joined = Q(applications__player=player, applications__withdrawn_at=None, started_at=None)
    games = Game.objects.exclude(status=FINISHED).filter(seated | joined)
    return list(games.distinct().order_by("pk"))


def _merge_applications(kept: Player, other: Player, now: dt.datetime) -> None:
    """A game knows each player once: if both applied, the application that counts stays with
    `kept`."""
    mine = {one.game_id: one for one in kept.applications.all()}
    for one in other.applications.all():
        rival = mine.get(one.game_id)
        if rival is None:
            Application.objects.filter(pk=one.pk).update(player=kept)
        elif one.withdrawn_at is None and rival.withdrawn_at is not None:
            rival.preferences, rival.preferences_at = one.preferences, one.preferences_at
            rival.withdrawn_at, rival.here_at, one.withdrawn_at = None, one.here_at, now
            rival.save(update_fields=["preferences", "preferences_at", "withdrawn_at", "here_at"])
            one.save(update_fields=["withdrawn_at"])


def _merge_places(kept: Player, other: Player, now: dt.datetime) -> None:
    """For standing by, offers and observing: if both do the same, `kept` goes on and the other
    ends. Somebody who has played in a game is offered no seat in it."""
    if kept.standby.filter(until=None).exists():
        other.standby.filter(until=None).update(until=now)
    other.standby.update(player=kept)
    offered = list(kept.offers.filter(end="").values_list("power", flat=True))
    twice = other.offers.filter(power__in=offered)
    lock_offers(twice).update(end=Offer.End.WITHDRAWN, ended_at=now)
    other.offers.update(player=kept)
    played = Seat.objects.filter(player=kept).values("power__game")
    theirs = kept.offers.filter(power__game__in=played)
    lock_offers(theirs).update(end=Offer.End.WITHDRAWN, ended_at=now)
    plays = Seat.objects.filter(player=kept, until=None).values_list("power__game", flat=True)
    observed = kept.observes.filter(until=None).values_list("game", flat=True)
    other.observes.filter(until=None, game__in=[*plays, *observed]).update(until=now)
    kept.observes.filter(until=None, game__in=list(plays)).update(until=now)
    other.observes.update(player=kept)


def _mail_resume(kept: Player, other: Player, why: str, by: str, now: dt.datetime) -> None:
    """Mail to `other` goes where that of `kept` goes from now on, and is paused only if that is.

    What was kept back is summed up then. Like `conduct.mail_resume` this waits for whoever writes a
    mail to them.
    """
    if other.mail_paused_at is None:
        return
    Player.objects.select_for_update().get(pk=other.pk)
    Player.objects.filter(pk=other.pk).update(mail_paused_at=None)
    if kept.mail_paused_at is None:
        Conduct.objects.create(player=kept, kind=Conduct.Kind.MAIL_RESUMED, why=why, by=by, at=now)


def _merge_rows(kept: Player, other: Player) -> None:
    """What holds for one of them holds for the person, and for the account that is kept alone."""
    kept.user = kept.user or other.user
    kept.banned_at = kept.banned_at or other.banned_at
    kept.suspended_until = _later(kept.suspended_until, other.suspended_until)
    kept.muted_until = _later(kept.muted_until, other.muted_until)
    other.user = other.banned_at = other.suspended_until = other.muted_until = None
    other.merged_into = kept
    held = ["user", "banned_at", "suspended_until", "muted_until"]
    other.save(update_fields=[*held, "merged_into"])  # first: a user is one player
    kept.save(update_fields=held)


def _later(*ends: dt.datetime | None) -> dt.datetime | None:
    return max((one for one in ends if one), default=None)
