"""Reading a game back from its JSON document (`games.game_file`)."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.db.models import Q

from games.bans import why_barred
from games.errors import BadInput
from games.game_file import LEFT_BEHIND, Document, from_plain
from games.models import (
    UNFINISHED,
    Absence,
    Address,
    AdvanceOrders,
    Application,
    Attendance,
    Ballot,
    CoGM,
    DiaryEntry,
    Event,
    Game,
    Invitation,
    Observer,
    OrderSet,
    Phase,
    Player,
    Power,
    Press,
    Proposal,
    Readiness,
    Seat,
)
from games.queries import board
from games.queries.audit.log_faults import faults
from games.queries.checking.record import GAME_FORMAT, why_unreadable
from games.queries.parsing.start_times import start_moment
from games.queries.players.seats import PLAYED
from games.services.accounts.players import is_claimed
from games.services.cleaned import clean_email, clean_name
from games.services.moderation.recalled_bans import BY, ban_recall
from games.services.moderation.seats_lost import banned_vacate
from games.services.seating.joining import player_withdraw
from games.services.setup.games import check_ends, check_times
from games.timing.zones import known_zones

UNREADABLE = (
    LookupError,
    TypeError,
    AttributeError,
    ValueError,
    OverflowError,
    ValidationError,
    DatabaseError,
)
"""What goes wrong with a document that export_game did not write."""


@transaction.atomic
def game_import(*, document: Any) -> Game:
    """Make the game of the document: all of it, or nothing.

    A player known here under one of their addresses is that player; the others are made. If no user
    has the GM's address, the game has no GM; the same holds for co-GMs. Raises BadInput if the
    document is of another format, lacks something, or was changed after its log was written, and if
    there is already a game of that name.
    """
    if not isinstance(document, dict) or document.get("format") != GAME_FORMAT:
        raise BadInput(
            f"This is not a game that export_game wrote: its format is not “{GAME_FORMAT}”."
        )
    try:
        game = _Import(document).run()
        _require_one_open_phase(game)
        found = list(faults(game))
    except UNREADABLE as error:
        raise BadInput(f"The document cannot be read back: {why_unreadable(error)}.") from error
    if found:
        raise BadInput(f"The document was changed after the game was played. {found[0]}")
    return game


@transaction.atomic
def game_receive(*, document: Any, now: dt.datetime) -> tuple[Game, list[Player]]:
    """Import a game as `game_import`, and let bans and suspensions of this server hold in it.

    Returns it with the players who may not play here: banned ones lose their seats, suspended ones
    their places in a game that has not started.
    """
    game = game_import(document=document)
    theirs = Q(applications__game=game) | Q(seats__power__game=game)
    keys = set(Player.objects.filter(theirs).values_list("pk", flat=True))
    list(Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
    for address in Address.objects.filter(player__in=keys, confirmed_at__isnull=False):
        ban_recall(address=address, now=now)
    players = Player.objects.filter(pk__in=keys).order_by("pk")
    kept_out = [one for one in players if why_barred(one, now=now)]
    for player in kept_out:
        player_withdraw(game=game, player=player, why="", by=BY, now=now)
    if game.status in PLAYED:
        banned_vacate(game=game, by=BY, now=now)
    game.refresh_from_db()
    return game, kept_out


class _Import:
    """Turns a document into rows, first those that others point at."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def run(self) -> Game:
        """Make all rows. Whatever older documents lack is empty in them."""
        self.game = self._make_game(self.document["game"])
        powers = map(self._make_power, self.document["powers"])
        self.powers = {power.name: power for power in powers}
        self.players = {one["key"]: _player(one) for one in self.document["players"]}
        _require_different(self.players.values())
        self._name_maker()
        self.seats = {one["key"]: self._make_seat(one) for one in self.document["seats"]}
        self._make_people_around()
        self.phases = {one["number"]: self._make_phase(one) for one in self.document["phases"]}
        self._make_words()
        return self.game

    def _name_maker(self) -> None:
        made = self.document["game"].get("maker")
        if made and made["player"] is not None:
            self.game.maker = self.players[made["player"]]
            self.game.save(update_fields=["maker"])

    def _make_people_around(self) -> None:
        """Make those who want or may have a seat, watch the game, or help to run it."""
        game = self.game
        for one in self.document["applications"]:
            player = self.players[one["player"]]
            Application.objects.create(game=game, player=player, **from_plain(Application, one))
        for one in self.document.get("observers", ()):
            player = self.players[one["player"]]
            Observer.objects.create(game=game, player=player, **from_plain(Observer, one))
        for one in self.document.get("invitations", ()):
            Invitation.objects.create(game=game, **from_plain(Invitation, one))
        for one in self.document.get("co_gms", ()):
            if user := _user_at(one["user"]):
                CoGM.objects.create(game=game, user=user, **from_plain(CoGM, one))

    def _make_words(self) -> None:
        """Make the press, votes and log."""
        for one in self.document["press"]:
            about = {"game": self.game, "phase": self._phase_of(one), "seat": self._seat_of(one)}
            Press.objects.create(**about, **from_plain(Press, one))
        for one in self.document.get("proposals", ()):
            self._make_proposal(one)
        for one in self.document["events"]:
            phase = self._phase_of(one)
            Event.objects.create(game=self.game, phase=phase, **from_plain(Event, one))

    def _phase_of(self, values: Document) -> Phase | None:
        """Return the phase that a row names by its number, None for what was in no phase."""
        return self.phases[values["phase"]] if values["phase"] is not None else None

    def _seat_of(self, values: Document) -> Seat | None:
        """Return the seat that a row names by its key, None for what the GM wrote."""
        return self.seats[values["seat"]] if values["seat"] is not None else None

    def _make_game(self, values: Document) -> Game:
        if Game.objects.filter(name__iexact=values["name"]).exists():
            raise BadInput(f"There is already a game {values['name']} here.")
        game = Game(
            gm=_user_at(values["gm"]), **{**_settings_of_old(values), **from_plain(Game, values)}
        )
        board.variant_named(game.variant)
        board.rulebook_of(game.rules)
        check_times(game)
        check_ends(game)
        if game.starts_at != start_moment(game.start, game.timezone):
            raise BadInput("The time of its start is not the one that its settings say.")
        game.save()
        return game

    def _make_power(self, values: Document | str) -> Power:
        """In the first version a power was only its name."""
        plain = {"name": values} if isinstance(values, str) else values
        return Power.objects.create(game=self.game, **from_plain(Power, plain))

    def _make_seat(self, values: Document) -> Seat:
        seat = Seat.objects.create(
            power=self.powers[values["power"]],
            player=self.players[values["player"]],
            **from_plain(Seat, values),
        )
        for one in values["orders_ahead"]:
            AdvanceOrders.objects.create(seat=seat, **from_plain(AdvanceOrders, one))
        for one in values.get("diary", ()):
            DiaryEntry.objects.create(seat=seat, **from_plain(DiaryEntry, one))
        return seat

    def _make_proposal(self, values: Document) -> None:
        proposal = Proposal.objects.create(
            game=self.game,
            phase=self.phases[values["phase"]],
            seat=self.seats[values["seat"]],
            **from_plain(Proposal, values),
        )
        for one in values["ballots"]:
            Ballot.objects.create(
                proposal=proposal, seat=self.seats[one["seat"]], **from_plain(Ballot, one)
            )

    def _make_phase(self, values: Document) -> Phase:
        phase = Phase.objects.create(game=self.game, **from_plain(Phase, values))
        for one in values["order_sets"]:
            OrderSet.objects.create(
                phase=phase,
                power=self.powers[one["power"]],
                seat=self._seat_of(one),
                **from_plain(OrderSet, one),
            )
        for one in values["readiness"]:
            Readiness.objects.create(
                phase=phase, power=self.powers[one["power"]], **from_plain(Readiness, one)
            )
        for one in values.get("attendance", ()):
            Attendance.objects.create(
                phase=phase, seat=self.seats[one["seat"]], **from_plain(Attendance, one)
            )
        return phase


def _user_at(email: str | None) -> User | None:
    return User.objects.filter(email__iexact=email).first() if email else None


def _require_different(players: Iterable[Player]) -> None:
    for player, number in Counter(players).items():
        if number > 1:
            raise BadInput(
                f"{number} players of the game are one and the same here: {player.name}."
            )


def _require_one_open_phase(game: Game) -> None:
    played = game.status in PLAYED
    if game.phases.filter(status__in=UNFINISHED).count() != int(played):
        wanted = "one open phase" if played else "no open phase"
        raise BadInput(f"A game that is {game.get_status_display()} has {wanted}.")


def _settings_of_old(values: Document) -> Document:
    """What holds in a game that began before these settings existed, as after an upgrade."""
    running = values.get("status") in PLAYED
    agreed = {"disorder_after": 0, "observers": False, "takeover_time": dt.timedelta(days=1)}
    return agreed if running else {}


def _player(values: Document) -> Player:
    name = clean_name(values["name"])
    addresses = [one for one in values["addresses"] if one["confirmed_at"]]
    emails = [clean_email(one["email"]) for one in addresses]  # others may be somebody else's
    if values["timezone"] not in known_zones():
        raise BadInput(f"There is no time zone “{values['timezone']}”.")
    for email in emails:
        known = Address.objects.select_related("player").filter(email__iexact=email).first()
        if known and is_claimed(known):
            known.delete()  # or whoever claims it would get the seat of its owner
        elif known:
            return known.player
    kept = {key: one for key, one in from_plain(Player, values).items() if key not in LEFT_BEHIND}
    player = Player.objects.create(**{**kept, "name": name})
    for one in addresses:
        Address.objects.create(player=player, **from_plain(Address, one))
    for one in values.get("absences", ()):  # older documents have none
        Absence.objects.create(player=player, **from_plain(Absence, one))
    return player
