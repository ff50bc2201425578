"""The steps that many services begin with: hold the game, take the reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import connection
from django.db.models import QuerySet

from games.errors import BadInput, NotAllowed, NotFound, WrongState
from games.models import UNFINISHED, Game, Offer, Phase, Player, Power, Seat
from games.models.prepared import Given, Query
from games.queries.access.roles import runs
from games.queries.phases.phase_now import PhaseNow
from games.queries.players.seats import power_names
from games.services.secrets_in_text import without_secrets

EVERYBODY_IS_TOLD = "everybody in the game is told"
PLAYER_IS_TOLD = "the player is told"


def lock_game(game: Game) -> Game:
    """Return the game's row, locked until the transaction ends.

    Every change to a game starts with this: one order of locks means no deadlock. Raises NotFound
    once the game is deleted.
    """
    row = _LOCKED.first(game=game.pk)
    if row is None:
        raise NotFound(f"The game {game.name} is gone.")
    return row


def lock_free_games(games: Collection[int]) -> set[int]:
    """Lock those of these games that nobody else has, waiting for none; return their ids."""
    if connection.vendor == "sqlite":  # it has one writer at a time
        return set(games)
    rows = _FREE.first_of_each([{"game": one} for one in sorted(games)])
    return {game.pk for game in rows if game}


_LOCKED = Query(lambda: Game.objects.select_for_update().filter(pk=Given("game")))
_FREE = Query(
    lambda: Game.objects.select_for_update(skip_locked=True).filter(pk=Given("game")).only("pk")
)


def lock_player(player: Player) -> Player:
    """Return the player's row, locked until the transaction ends; it comes before the locks of
    their games, so there is no deadlock.

    Its key stays free for code that holds a game of theirs and writes mails that point at them.
    Giving somebody a seat or a place starts with this, so that it cannot miss a ban of the same
    moment, or the ban miss it. So does whatever writes something about them: that must not happen
    after they were erased, or after their account became part of another. Raises WrongState if they
    were, or it did.
    """
    locked = lock_player_even_if_erased(player)
    if locked.erased_at:
        raise WrongState(f"{locked.name} is erased, so this was not done.")
    if locked.merged_into_id != player.merged_into_id:
        raise WrongState(
            f"{locked.name} has just become part of another account, so this was not done. Please "
            "send it again."
        )
    return locked


def lock_player_even_if_erased(player: Player) -> Player:
    """Return the player's row, locked in the same way, even if they are erased."""
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def lock_players(players: Iterable[Player]) -> None:
    """Lock the rows of several players, in the order of locks, before any of their games."""
    keys = [player.pk for player in players]
    list(Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))


def lock_offers(offers: QuerySet[Offer]) -> QuerySet[Offer]:
    """Return those of the offers that are still open, locked until the transaction ends, in the
    order of their keys.

    Offers are locked last. Whoever takes a seat ends the offers of it to others, and the offers to
    themselves in other games, whose locks they do not hold.
    """
    still_open = offers.filter(end="").order_by("pk").select_for_update(of=("self",), no_key=True)
    return Offer.objects.filter(pk__in=list(still_open.values_list("pk", flat=True)))


FROZEN = (
    "This was not done: the moderators keep your addresses unchanged while they find out who "
    "writes in your name. Your games go on, and orders and press are taken as before. To write to "
    "the moderators, write MODERATOR on a line of its own, and your text below it."
)


def require_confirmed(player: Player, then: str = "") -> None:
    """Raise NotAllowed for a player without a confirmed address; `then` is a sentence that says
    what to do once they have confirmed it."""
    if not player.address:
        said = "Please confirm your address first: reply to the mail that asks you to."
        raise NotAllowed(f"{said} {then}".rstrip())


def require_unfrozen(player: Player) -> None:
    """Raise NotAllowed while moderators keep the player's addresses unchanged. The row has to be
    locked, so that no change gets past a freeze of the same moment."""
    if player.addresses_frozen_at:
        raise NotAllowed(FROZEN)


def seat_now(seat: Seat) -> Seat:
    """Read the tenure's row again, with its player, now that its game is locked: it may have ended
    while somebody waited for the lock. Raises NotAllowed if it has."""
    seat = Seat.objects.select_related("power__game", "player").get(pk=seat.pk)
    if seat.until is not None:
        power, game = seat.power.name, seat.power.game.name
        raise NotAllowed(f"You no longer play {power} in the game {game}.")
    return seat


def phase_now(game: Game) -> Phase:
    """Return the open phase of a game that is being played, with this row of the game."""
    phase = game.phases.get(status__in=UNFINISHED)
    phase.game = game
    return phase


def power_now(power: Power, game: Game) -> Power:
    """Read the power's row again, now that the game is locked. Raises BadInput for a power of
    another game."""
    power = Power.objects.get(pk=power.pk)
    if power.game_id != game.pk:
        raise BadInput(f"{power.name} is not a power of the game {game.name}.")
    power.game = game
    return power


def phase_and_seat_now(phase: Phase, seat: Seat, game: Game) -> tuple[Phase, Seat]:
    """Read both again, now that their game is locked. Raises BadInput where they are of different
    games, NotAllowed when the tenure has ended, DoesNotExist where there is no such row."""
    phase, seat = _PHASE.get(key=phase.pk), _SEAT.get(key=seat.pk)
    if seat.power.game_id != phase.game_id:
        raise BadInput(f"{seat.power.name} has no orders to give in the game {phase.game.name}.")
    phase.game = seat.power.game = game
    if seat.until is not None:
        raise NotAllowed(f"You no longer play {seat.power.name} in the game {phase.game.name}.")
    return phase, seat


def seen_now(phase: Phase, seat: Seat, game: Game, *, only: int | None) -> tuple[PhaseNow, Seat]:
    """Read both again, as `phase_and_seat_now` does, with what the powers have sent and said; with
    `only`, a power's key, what that power has."""
    if phase.game_id == game.pk:
        seen = PhaseNow.again(phase, game, only=only)
        mine = seen.powers.get(seat.power_id)
        if mine and mine.seat == seat.pk:
            seat.power = mine.power
            return seen, seat
    phase, seat = phase_and_seat_now(phase, seat, game)  # it says what is wrong
    return PhaseNow.of(phase, only=only), seat


_PHASE = Query(lambda: Phase.objects.filter(pk=Given("key")))
_SEAT = Query(lambda: Seat.objects.select_related("power", "player").filter(pk=Given("key")))


def reason(why: str, *, readers: str = EVERYBODY_IS_TOLD) -> str:
    """Return the reason for an act without blanks around it, and without the secrets of our reply
    addresses. Raises BadInput if there is no reason; `readers` is the half of that sentence that
    says who will read it."""
    if not (why := without_secrets(why.strip())):
        raise BadInput(f"Please say why: {readers}.")
    return why


def require_blind(game: Game, player: Player) -> None:
    """Raise NotAllowed for somebody who runs a game in fog of war, sees all of it, and wants to
    play in it."""
    if game.fog and runs(player, game):
        raise NotAllowed(
            f"The game {game.name} is played in fog of war, and those who run it see the whole "
            "board, so they cannot play in it."
        )


def power_named(game: Game, name: str) -> Power:
    """Return the game's power of that name, in upper or lower case. Raises NotFound."""
    power = game.powers.filter(name__iexact=name.strip()).first()
    if power is None:
        names = ", ".join(power_names(game))
        raise NotFound(f"There is no power “{name}” in the game {game.name}. It has: {names}.")
    return power
