"""Reads for mails, pages and commands: they change nothing and lock nothing."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q

from games.errors import NotAllowed, NotFound
from games.models import UNFINISHED, Address, Game, Phase, Player, Power, Press, Seat
from games.models.prepared import Given, Query
from games.queries import board
from games.queries.anonymity import SOMEBODY
from games.queries.current_orders import position_seen, standing_orders
from games.queries.ending import result_sentence, rules_of_end
from games.queries.example_orders import Example, example_orders
from games.queries.musters import silent_players
from games.queries.parsing.preferences import example_list
from games.queries.phase_report import (
    PhaseReport,
    StartReport,
    next_phase,
    phase_report,
    seen_by,
    start_report,
)
from games.queries.press_words import press_words
from games.queries.roles import games_nameless, own_name
from games.queries.seats import seats_free
from games.queries.timetable import timetable
from games.queries.waiting import (
    Outstanding,
    missing_powers,
    outstanding,
    powers_not_in,
    to_confirm_text,
    waits_for_player,
)
from games.queries.wording import nearest
from games.scoring.systems import system_named

__all__ = [
    "GameSummary",
    "PhaseReport",
    "StartReport",
    "Unreachable",
    "game_by_name",
    "game_summary",
    "games_open",
    "games_running",
    "missing_powers",
    "next_phase",
    "not_followed",
    "open_phase",
    "phase_report",
    "player_by_address",
    "powers_not_in",
    "seat_of",
    "seats_of",
    "seen_by",
    "standing_orders",
    "start_report",
    "unreachable_players",
    "waits_for_player",
]


_MOST_COMPARED = 500
"""Games whose names are compared with one that is unknown."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in a few words, with nothing in it that is not public.

    `phase` is "S1901M", `phase_title` "Spring 1901 movement"; both are empty without an open phase.
    `press` says who may write to whom, `outstanding` what its open phase waits for. While it
    musters, `silent` players have until `muster_until` to say that they are here. `ending` says how
    it ended, empty before; `ends` are the sentences on how it may end and is scored, `scoring` is
    the system's title.
    """

    name: str
    status: str
    variant: str
    rules: str
    gm: str
    powers: tuple[str, ...]
    press: str
    seats_free: int
    phase: str
    phase_title: str
    due_at: dt.datetime | None
    outstanding: Outstanding
    timezone: str
    process_early: bool
    timetable: tuple[str, ...]
    ending: str
    ends: tuple[str, ...]
    scoring: str
    muster_until: dt.datetime | None
    silent: int
    fog: bool
    lets_in: bool
    """Whether the GM decides who may join."""

    @property
    def example_wishes(self) -> str:
        """A list of powers as somebody might write it who joins this game."""
        return example_list(self.powers)

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The powers that still owe an order, or have lost their player."""
        return tuple(sorted({*self.outstanding.owing, *self.outstanding.without_player}))

    @property
    def to_confirm(self) -> str:
        """What is still to come when every order is in, as `to_confirm_text` has it."""
        return to_confirm_text(self.outstanding.to_confirm)


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A player whom our mails do not reach: since when, what was said, where they go instead."""

    seat: Seat
    email: str
    since: dt.datetime
    failure: str
    reached_at: str


def games_open() -> list[Game]:
    """Return the games that still take players, by name; not those by invitation."""
    games = Game.objects.filter(status=Game.Status.FORMING).exclude(entry=Game.Entry.INVITED)
    return list(games.order_by("name"))


def games_running() -> list[Game]:
    """Return the games that are being played, paused ones included, by name."""
    running = [Game.Status.ACTIVE, Game.Status.PAUSED]
    return list(Game.objects.filter(status__in=running).order_by("name"))


def game_by_name(name: str) -> Game:
    """Return the game of that name in whatever case. Raises NotFound with the open games' names."""
    name = name.strip()
    game = Game.objects.select_related("gm").filter(name__iexact=name).first()
    if game is None:
        near = _near(name)
        instead = f"Did you mean {near}?" if near else _takes_players()
        raise NotFound(f"There is no game “{name}”. {instead}", wrote=name, near=near)
    return game


def _near(name: str) -> str:
    """Return the name of the game that may have been meant; empty when no name is much like it."""
    alike = Game.objects.filter(name__istartswith=name[:1]).order_by("-pk")
    return nearest(name, alike.values_list("name", flat=True)[:_MOST_COMPARED]) or ""


def _takes_players() -> str:
    names = ", ".join(game.name for game in games_open())
    return f"These games take players: {names}." if names else "No game takes players now."


def game_summary(game: Game) -> GameSummary:
    """Describe the game as anybody may know it."""
    phase = open_phase(game)
    return GameSummary(
        name=game.name,
        status=game.status,
        variant=board.variant_named(game.variant).title,
        rules=game.rules if isinstance(game.rules, str) else str(game.rules.get("preset", "DATC")),
        gm=own_name(game.gm) if game.gm else "",
        powers=tuple(game.powers.order_by("name").values_list("name", flat=True)),
        press=press_words(game),
        seats_free=seats_free(game) if game.status == Game.Status.FORMING else 0,
        phase=phase.name if phase else "",
        phase_title=board.phase_title(phase.name) if phase else "",
        due_at=phase.due_at if phase else None,
        outstanding=outstanding(phase) if phase else Outstanding(),
        timezone=game.timezone,
        process_early=game.process_early,
        timetable=timetable(game),
        ending=result_sentence(game),
        ends=rules_of_end(game),
        scoring=system_named(game.scoring).title,
        muster_until=game.muster_until if game.status == Game.Status.MUSTER else None,
        silent=len(silent_players(game)) if game.status == Game.Status.MUSTER else 0,
        fog=game.fog,
        lets_in=game.entry == Game.Entry.APPROVAL,
    )


def examples_in(phase: Phase, power: Power) -> tuple[Example, ...]:
    """Return examples of the orders that the power can give in the phase."""
    return example_orders(phase.game.variant, position_seen(phase, power.name), power.name)


def open_phase(game: Game, *, seen: Phase | None = None) -> Phase | None:
    """Return the phase that is being played, a stuck one included, or None.

    `seen` is a phase that was just read, and is not read again if it is the one.
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


def players_for_gm(game: Game, reader: User | None = None) -> dict[str, str]:
    """Return who plays each power that has a player, as the GM, or who else runs it and reads this,
    may know: they may play, too."""
    user = reader or game.gm
    hidden = user is not None and game in games_nameless(user)
    return {seat.power.name: SOMEBODY if hidden else seat.player.name for seat in seats_of(game)}


def readers_of(press: Press) -> list[Seat]:
    """Return the tenures to which the press was written, by power.

    Those that ran then: whoever takes a power over is not shown what their predecessor was written.
    """
    seats = Seat.objects.select_related("power__game", "player")
    then = Q(until=None) | Q(until__gt=press.created_at)
    meant = seats.filter(then, power__game=press.game, power__name__in=press.to)
    return list(meant.filter(since__lte=press.created_at).order_by("power__name"))


def seat_of(game: Game, player: Player) -> Seat:
    """Return the player's running tenure in the game. Raises NotAllowed when they have none."""
    seats = Seat.objects.select_related("power__game", "player")
    seat = seats.filter(power__game=game, player=player, until=None).first()
    if seat is None:
        raise NotAllowed(f"You have no seat in the game {game.name}.")
    return seat


def not_followed(seat: Seat, phase: Phase) -> list[tuple[str, str]]:
    """Return the lines of the power's latest set that are not followed: (text, why)."""
    latest = phase.order_sets.filter(seat=seat).order_by("received_at", "id").last()
    lines = latest.reading if latest else []
    return [(one["text"], one["problem"] or "") for one in lines if not one["counts"]]


def player_by_address(email: str) -> Player | None:
    """Return the player who confirmed this address, in whatever case, or None."""
    confirmed = Address.objects.filter(confirmed_at__isnull=False)
    known = confirmed.select_related("player").filter(email__iexact=email.strip())
    address = next(iter(known.order_by()), None)  # there is one at most
    return address.player if address else None


def player_at(email: str) -> Player:
    """Return the player with this address, confirmed or not. Raises NotFound."""
    known = Address.objects.select_related("player").filter(email__iexact=email.strip()).first()
    if known is None:
        raise NotFound(f"No player has the address {email.strip()}.")
    return known.player


def unreachable_players(game: Game) -> list[Unreachable]:
    """Return the players whose address of record does not take our mails, by power."""
    found = []
    for seat in seats_of(game):
        record = seat.player.record
        if record is None or record.failing_since is None:
            continue
        known = seat.player.addresses.filter(confirmed_at__isnull=False)
        others = known.filter(failing_since=None).order_by("confirmed_at")
        found.append(
            Unreachable(
                seat=seat,
                email=record.email,
                since=record.failing_since,
                failure=record.failure,
                reached_at=others.values_list("email", flat=True).first() or "",
            )
        )
    return found
