"""Open seats: the standby list, and offers to those on it. The first to accept gets the seat. A
player who writes before anybody has taken their open seat keeps it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from games import lifecycle, log
from games.bans import players_free, require_free
from games.errors import BadInput, WrongState
from games.events import SeatOffered, SeatReturned
from games.models import (
    UNFINISHED,
    Address,
    Event,
    Game,
    Invitation,
    Offer,
    Phase,
    Player,
    Power,
    Seat,
    Standby,
)
from games.models.prepared import Values
from games.queries.access.accounts import accounts_of
from games.queries.access.roles import gms_ever, runs
from games.queries.lookup import open_phase
from games.queries.players.attendance import reliabilities
from games.queries.players.seats import PLAYED, is_alive, seats_taken_over
from games.services.common import lock_game, lock_offers, lock_player, power_now, require_confirmed

OFFER_LASTS = dt.timedelta(days=7)
MOST_SEATS = 20
"""How many seats somebody on the standby list may be willing to take."""
WHO_OFFERS = "the server"

End = Offer.End
Kind = Invitation.Kind


@transaction.atomic
def standby_join(*, player: Player, at_most: int = 1, now: dt.datetime) -> Standby:
    """Put the player on the list, or change how many seats of others they would play at a time.

    The seats that are open now are offered to them at once. It locks in the order of every decision
    about a player: first the player, then their games, then their place. Raises NotAllowed when
    they may take no seat or have no confirmed address, BadInput for a number that makes no sense.
    """
    if not 1 <= at_most <= MOST_SEATS:
        raise BadInput(f"Please write a number of seats from 1 to {MOST_SEATS}.")
    player = lock_player(player)
    require_confirmed(player)
    require_free(player, now=now)
    place, _ = Standby.objects.update_or_create(
        player=player,
        until=None,
        defaults={"at_most": at_most},
        create_defaults={"at_most": at_most, "since": now},
    )
    for power in _open_powers():
        offers_make(power=power, by=WHO_OFFERS, now=now, only=player)
    return place


@transaction.atomic
def standby_leave(*, player: Player, now: dt.datetime) -> None:
    """Take the player off the list, and take back what they are offered. Raises WrongState."""
    player = lock_player(player)
    if not player.standby.filter(until=None).update(until=now):
        raise WrongState("You are not on the standby list, so nothing has changed.")
    lock_offers(player.offers.all()).update(end=End.WITHDRAWN, ended_at=now)


@transaction.atomic
def seat_offer(*, game: Game, power: Power, by: str, now: dt.datetime) -> Event:
    """Offer an open seat to everybody on the standby list whom it fits and who has not declined it,
    even in a game that is not open to all, because here a person decides.

    Raises WrongState if the seat is not open, or nobody is left to whom it could be offered.
    """
    game = lock_game(game)
    lifecycle.require(game, *PLAYED)
    power = power_now(power, game)
    if power.open_since is None or not is_alive(power):
        raise WrongState(
            f"The seat of {power.name} is not open. First declare civil disorder, or take the "
            "seat from its player."
        )
    event = offers_make(power=power, by=by, now=now, uninvited=True)
    if event is None:
        raise WrongState(f"There is nobody left on the standby list to offer {power.name} to.")
    return event


def offers_make(
    *,
    power: Power,
    by: str,
    now: dt.datetime,
    only: Player | None = None,
    uninvited: bool = False,
) -> Event | None:
    """Offer the seat and record it; None when it fits nobody. The caller holds the game's lock
    (or, with `only`, offers to one player who has just come). A game by invitation
    or one whose GM lets people in offers it only to people whom it invited, unless
    `uninvited`."""
    fitting = _fitting(power, now, uninvited=uninvited)
    players = [one for one in fitting if only in (None, one)]
    if not players:
        return None
    Offer.objects.bulk_create(
        Offer(power=power, player=one, made_at=now, expires_at=now + OFFER_LASTS) for one in players
    )
    phase = open_phase(power.game)
    return log.record(
        game=power.game,
        phase=phase,
        facts=SeatOffered(
            phase=phase.name if phase else None,
            power=power.name,
            offers=len(players),
            by=by,
        ),
        now=now,
    )


@transaction.atomic
def offer_decline(*, offer: Offer, now: dt.datetime) -> None:
    """Note that the player does not want this seat. Raises WrongState when it is already over."""
    if not Offer.objects.filter(pk=offer.pk, end="").update(end=End.DECLINED, ended_at=now):
        raise WrongState("That offer is already over, so nothing has changed.")


def offers_end(*, power: Power, taken_by: Player | None = None, now: dt.datetime) -> None:
    """End the open offers of a seat: taken by one of them, withdrawn from all others.

    Whoever takes a seat is offered no other of that game any more, and none at all when they play
    as many seats of others now as they want to.
    """
    over = power.offers.all()
    if taken_by is not None:
        over = over | taken_by.offers.filter(power__game=power.game_id)
        place = taken_by.standby.filter(until=None).first()
        if place and seats_taken_over([taken_by]).count() >= place.at_most:
            over = over | taken_by.offers.all()
    locked = lock_offers(over)
    if taken_by is not None:
        locked.filter(power=power, player=taken_by).update(end=End.TAKEN, ended_at=now)
    locked.filter(end="").update(end=End.WITHDRAWN, ended_at=now)


@transaction.atomic
def offers_expire(*, now: dt.datetime) -> int:
    """End the offers that nobody answered in time; return how many. The seats stay open."""
    old = lock_offers(Offer.objects.filter(expires_at__lte=now))
    return old.update(end=End.EXPIRED, ended_at=now)


def _fitting(power: Power, now: dt.datetime, *, uninvited: bool) -> list[Player]:
    """The players on the list who may play the power, in the order in which they came."""
    if not _ON_THE_LIST.all():  # mostly; asking who fits takes as long as all the rest
        return []
    # By what counts, not by when it was made: its maker may have waited for the game, with a time
    # from before the seat was opened.
    declined = Q(end=End.DECLINED, ended_at__gte=power.open_since or now)
    told = power.offers.filter(Q(end="") | declined)
    players = (
        players_free(now=now)
        .filter(pk__in=Standby.objects.filter(until=None).values("player"))
        .exclude(seats__power__game=power.game)
        .exclude(pk__in=told.values("player"))
    )
    for gm in gms_ever(power.game):
        players = players.exclude(pk__in=accounts_of(gm))
    players = players.exclude(pk__in=_players_named_by_gm(power.game, Kind.DENIED))
    if power.game.entry != Game.Entry.OPEN and not uninvited:
        players = players.filter(pk__in=_players_named_by_gm(power.game, Kind.INVITED))
    kept = Standby.objects.filter(pk__in=_lock_places(), until=None, player__in=players)
    standing = kept.select_related("player")
    by_age = standing.order_by("since", "pk").prefetch_related("player__addresses")
    places = list(by_age)  # read once: others come and go
    waiting = [place.player for place in places]
    found = reliabilities(waiting, now=now)
    taken = Counter(seats_taken_over(waiting).values_list("player", flat=True))
    return [
        place.player
        for place in places
        if place.player.address
        and not (power.game.fog and runs(place.player, power.game))
        and taken[place.player_id] < place.at_most
        and found[place.player_id].percent >= power.game.min_reliability
    ]


def _lock_places() -> Sequence[int]:
    """Let nobody leave the standby list until the transaction ends; return the keys of its places.

    If somebody is changing a place at this moment, we leave it to them: a new place, or one for
    more seats, gets all open seats offered, and one that is given up gets none. Games whose seats
    open at the same moment share the lock, which Django has no word for; SQLite has one writer at a
    time anyway.
    """
    if connection.vendor != "postgresql":
        return list(Standby.objects.filter(until=None).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM games_standby WHERE until IS NULL FOR SHARE SKIP LOCKED")
        return [key for (key,) in cursor.fetchall()]


_ON_THE_LIST = Values(lambda: Standby.objects.filter(until=None).values_list("pk")[:1])


def _players_named_by_gm(game: Game, kind: Invitation.Kind) -> QuerySet[Address, Any]:
    """The keys of the players whom the game has invited, or keeps out."""
    emails = game.invitations.filter(kind=kind).values("email")
    confirmed = Address.objects.filter(confirmed_at__isnull=False).alias(low=Lower("email"))
    return confirmed.filter(low__in=emails).values("player")


def _open_powers() -> list[Power]:
    """The powers whose seats are open, their games locked in one order."""
    powers = Power.objects.filter(open_since__isnull=False, game__status__in=PLAYED)
    games = Game.objects.select_for_update().filter(pk__in=powers.values("game"))
    by_key = {game.pk: game for game in games.order_by("pk")}
    found = [power for power in powers.order_by("pk") if power.game_id in by_key]
    for power in found:
        power.game = by_key[power.game_id]
    return [power for power in found if is_alive(power)]


def seat_keep(*, seat: Seat, now: dt.datetime) -> Phase | None:
    """Close the seat again, because its player has written; None if it was not open.

    Returns the phase that is being played. The caller has read the seat since it holds the game's
    lock, and sees then whether all is in.
    """
    if seat.power.open_since is None:
        return None
    power = Power.objects.select_related("game").get(pk=seat.power_id)
    phase = power.game.phases.select_related("game").filter(status__in=UNFINISHED).first()
    if phase is None:
        return None
    waited = power.disorder_since is None
    seat_close(power=power, now=now)
    seat.power.open_since = seat.power.disorder_since = None
    return_record(seat=seat, phase=phase, in_time=waited, now=now)
    return phase


def seat_close(*, power: Power, taken_by: Player | None = None, now: dt.datetime) -> None:
    """Make the seat no longer open, and its power no longer in civil disorder; end the offers."""
    power.open_since = power.disorder_since = None
    power.save(update_fields=["open_since", "disorder_since"])
    offers_end(power=power, taken_by=taken_by, now=now)


def return_record(*, seat: Seat, phase: Phase, now: dt.datetime, in_time: bool = False) -> Event:
    """Record that the player of this seat is back; `in_time`: the game only waited for them."""
    return log.record(
        game=phase.game,
        phase=phase,
        facts=SeatReturned(phase=phase.name, power=seat.power.name, seat=seat.pk, in_time=in_time),
        now=now,
    )
