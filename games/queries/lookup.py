"""Reads for mails, pages and commands: they change nothing and lock nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Upper

from games.errors import NotFound
from games.models import UNFINISHED, Address, Game, Phase, Player, Power, Press, Seat
from games.models.phase import ReadLine
from games.models.prepared import TIME, Given, Query
from games.queries.access.anonymity import SOMEBODY
from games.queries.access.audience import PRIVATE
from games.queries.access.roles import games_nameless
from games.queries.orders.current_orders import position_seen
from games.queries.orders.example_orders import Example, example_orders
from games.queries.players.seats import PLAYED


def games_open() -> QuerySet[Game]:
    """Return the games still looking for players, by name, without those by invitation."""
    games = Game.objects.filter(status=Game.Status.FORMING).exclude(entry=Game.Entry.INVITED)
    return games.order_by("name")


_SHOWN = ("game__name", "game__status", "game__resume_at")


def phases_running() -> QuerySet[Phase]:
    """Return the open phases of the games that are being played or paused, by the game's name; none
    of private games. It reads only when each is due, or goes on."""
    phases = Phase.objects.filter(status__in=UNFINISHED, game__status__in=PLAYED)
    phases = phases.exclude(PRIVATE)
    shown = phases.select_related("game").only("name", "due_at", *_SHOWN)
    return shown.order_by("game__name")


def examples_in(phase: Phase, power: Power) -> tuple[Example, ...]:
    """Return examples of the orders that the power can give in the phase."""
    return example_orders(phase.game.variant, position_seen(phase, power.name), power.name)


def open_phase(game: Game, *, seen: Phase | None = None) -> Phase | None:
    """Return the phase that is being played, a stuck one included, or None.

    `seen` is a phase that was just read; if it is the one, it is not read again.
    """
    if seen is not None and seen.game_id == game.pk and seen.status in UNFINISHED:
        return seen
    return _OPEN_PHASE.first(game=game.pk)


_OPEN_PHASE = Query(
    lambda: (
        Phase.objects.select_related("game")
        .filter(game=Given("game"), status__in=UNFINISHED)
        .order_by("number")[:1]
    )
)


def phase_at(game: Game, at: dt.datetime) -> Phase | None:
    """Return the phase that was being played then; before the first phase, the one that is open
    now."""
    return _PHASE_AT.first(game=game.pk, at=at) or open_phase(game)


_PHASE_AT = Query(
    lambda: (
        Phase.objects.select_related("game")
        .filter(game=Given("game"), opened_at__lte=Given("at", TIME))
        .order_by("-number")[:1]
    )
)


def open_phases(games: Iterable[Game]) -> dict[int, Phase]:
    """Return the phase that is being played of each game that has one, by the games' keys."""
    by_key = {game.pk: game for game in games}
    phases = Phase.objects.filter(game__in=by_key, status__in=UNFINISHED).order_by()
    found = {phase.game_id: phase for phase in phases}
    for key, phase in found.items():
        phase.game = by_key[key]
    return found


def seats_of(game: Game) -> list[Seat]:
    """Return the running tenures of the game, by power, with their players' addresses."""
    running = _SEATS.all(game=game.pk)
    addresses: dict[int, list[Address]] = {}
    for one in _ADDRESSES.all(game=game.pk) if running else ():
        addresses.setdefault(one.player_id, []).append(one)
    for seat in running:
        seat.power.game = game
        seat.player.know_addresses(addresses.get(seat.player_id, []))
    return running


_SEATS = Query(
    lambda: (
        Seat.objects.select_related("power", "player")
        .filter(power__game=Given("game"), until=None)
        .order_by("power__name")
    )
)
_ADDRESSES = Query(
    lambda: Address.objects.filter(
        player__in=Seat.objects.filter(power__game=Given("game"), until=None).values("player")
    )
)


def running_tenures(games: Iterable[Game]) -> dict[int, list[Seat]]:
    """Return the running tenures of many games by their keys, each by power, with its player."""
    found: dict[int, list[Seat]] = {game.pk: [] for game in games}
    seats = Seat.objects.select_related("power", "player").filter(power__game__in=found, until=None)
    for seat in seats.order_by("power__name"):
        found[seat.power.game_id].append(seat)
    return found


def players_for_gm(game: Game, reader: User | None = None) -> dict[str, str]:
    """Return who plays each power that has a player, as far as the reader, who runs the game, may
    know: they may play in it as well."""
    user = reader or game.gm
    hidden = user is not None and game in games_nameless(user)
    return {seat.power.name: SOMEBODY if hidden else seat.player.name for seat in seats_of(game)}


def named_for_gm(game: Game, powers: Iterable[str]) -> list[str]:
    """Write the powers, each with its player in brackets if the GM may know the name."""
    players = players_for_gm(game)
    return [
        power if players.get(power) == SOMEBODY else f"{power} ({players.get(power, 'nobody')})"
        for power in powers
    ]


def readers_of(press: Press) -> list[Seat]:
    """Return the tenures to which the press was written, by power.

    These are the tenures of that time: somebody who takes over a power is not shown letters to
    their predecessor.
    """
    seats = Seat.objects.select_related("power__game", "player")
    then = Q(until=None) | Q(until__gt=press.created_at)
    meant = seats.filter(then, power__game=press.game, power__name__in=press.to)
    return list(meant.filter(since__lte=press.created_at).order_by("power__name"))


def not_followed(seat: Seat, phase: Phase) -> list[ReadLine]:
    """Return the lines of the power's latest set that are not followed."""
    latest = phase.order_sets.filter(seat=seat).order_by("received_at", "id").last()
    lines = latest.reading if latest else []
    return [one for one in lines if not one["counts"]]


def player_by_address(email: str) -> Player | None:
    """Return the player who confirmed this address, in upper or lower case, or None."""
    confirmed = Address.objects.filter(confirmed_at__isnull=False)
    known = confirmed.select_related("player").filter(email__iexact=email.strip())
    address = next(iter(known.order_by()), None)  # there is one at most
    return address.player if address else None


def players_by_address(emails: Iterable[str]) -> dict[str, Player]:
    """Return the players who confirmed these addresses, by the address in small letters: the same
    as `player_by_address` for each, in one query."""
    # Not iexact for each: SQLite takes no thousand conditions, and a GM may paste as many.
    wanted = [Upper(Value(email.strip())) for email in emails]
    found = Address.objects.alias(upper=Upper("email")).filter(upper__in=wanted)
    found = found.filter(confirmed_at__isnull=False).select_related("player")
    return {one.email.lower(): one.player for one in found}


def emails_confirmed(player: Player) -> list[str]:
    """Return the player's confirmed addresses, in small letters like those of invitations."""
    return [one.email.lower() for one in player.addresses.all() if one.confirmed_at]


def player_at(email: str) -> Player:
    """Return the player with this address, confirmed or not. Raises NotFound."""
    known = Address.objects.select_related("player").filter(email__iexact=email.strip()).first()
    if known is None:
        raise NotFound(f"No player has the address {email.strip()}.")
    return known.player


def everyone_in(player: Player) -> list[Player]:
    """Return the player's row and those of accounts that were merged into it."""
    return [player, *_MERGED.all(into=player.pk)]


_MERGED = Query(lambda: Player.objects.filter(merged_into=Given("into")).order_by("pk"))
