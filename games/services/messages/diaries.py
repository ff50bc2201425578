"""Diaries: notes that players keep with a game, which nobody else reads before its end."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet

from games import lifecycle
from games.errors import BadInput, NotAllowed, NotFound
from games.models import DiaryEntry, Game, Player, Power, Seat
from games.queries import lookup
from games.queries.players.seats import PLAYED
from games.services.common import lock_game, seat_now

Kept = Game.Diaries

MOST = 500
"""Notes in the diary of a seat."""
LONGEST = 20_000
"""Characters of a note."""


@transaction.atomic
def diary_write(*, seat: Seat, text: str, now: dt.datetime) -> DiaryEntry:
    """Keep a note of the player of `seat`; nobody is told, and the log says nothing of it.

    Raises NotAllowed when the game has no diaries or the diary is full, WrongState when it is not
    being played, BadInput for no text and a too long one.
    """
    game = lock_game(seat.power.game)
    require_diaries(game)
    lifecycle.require(game, *PLAYED)
    seat = seat_now(seat)
    if not text.strip():
        raise BadInput("There is no text to keep. Write it below the line DIARY RECORD.")
    if len(text) > LONGEST:
        raise BadInput(f"Your note has {len(text)} characters, and can have {LONGEST} at most.")
    written = diary_of(game, seat.player)
    if written.count() >= MOST:
        raise NotAllowed(f"Your diary has {MOST} notes. Delete one first: DIARY DELETE 1")
    last = written.last()
    phase = lookup.open_phase(game)
    return DiaryEntry.objects.create(
        seat=seat,
        number=last.number + 1 if last else 1,
        phase_name=phase.name if phase else "",
        text=text,
        created_at=now,
    )


@transaction.atomic
def diary_delete(*, game: Game, player: Player, number: int) -> None:
    """Delete one of the player's own notes. Raises NotFound, and NotAllowed without diaries."""
    require_diaries(game)
    diary_note(game, player, number).delete()


def diary_note(game: Game, player: Player, number: int) -> DiaryEntry:
    """Return one of the player's own notes. Raises NotFound."""
    found = diary_of(game, player).filter(number=number).first()
    if found is None:
        raise NotFound(f"There is no note {number} in your diary of the game {game.name}.")
    return found


def diary_of(game: Game, player: Player) -> QuerySet[DiaryEntry]:
    """Return what the player wrote down in the game, in all their tenures, oldest first."""
    mine = DiaryEntry.objects.filter(seat__power__game=game, seat__player=player)
    return mine.select_related("seat__power").order_by("number", "pk")


def diary_revealed(game: Game, power: Power) -> QuerySet[DiaryEntry]:
    """Return the notes of all who played the power, for anybody.

    Raises NotAllowed before the end, and where diaries stay with their writers.
    """
    require_diaries(game)
    if game.diaries != Kept.REVEALED:
        raise NotAllowed(f"In the game {game.name} nobody reads the diary of another.")
    if game.status != Game.Status.FINISHED:
        raise NotAllowed(
            f"Nobody reads the diary of another before the end. When the game {game.name} is over, "
            "everybody can."
        )
    theirs = DiaryEntry.objects.filter(seat__power=power)
    return theirs.select_related("seat__power").order_by("created_at", "pk")


def diary_shown(game: Game) -> str:
    """Return a power whose diary everybody can read now, "" if there is no such power."""
    if game.diaries != Kept.REVEALED or game.status != Game.Status.FINISHED:
        return ""
    kept = DiaryEntry.objects.filter(seat__power__game=game).order_by("seat__power__name")
    return kept.values_list("seat__power__name", flat=True).first() or ""


def require_diaries(game: Game) -> None:
    """Raise NotAllowed if the game has no diaries."""
    if game.diaries == Kept.NONE:
        raise NotAllowed(f"The game {game.name} has no diaries, so nothing was kept.")
