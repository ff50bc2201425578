"""Deadlines for calendars: of powers for their mails, of a player, of a game.

    mailed_files(phases, powers)    for a mail to each power: what is due, what no longer is
    left_files(phase, power)        for whoever no longer plays the power
    player_calendar, game_calendar  what programs follow by its address

As long as the game's state is the same, each file is the same.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import parseaddr
from functools import lru_cache

from django.conf import settings
from django.db.models import Q, QuerySet

from games.events import (
    DeadlineCorrected,
    DeadlineMoved,
    GameFinished,
    GamePaused,
    GameResumed,
    PhaseProcessed,
    SeatResigned,
    SeatReturned,
    SeatTaken,
    SeatVacated,
)
from games.models import UNFINISHED, Application, Event, Game, Phase, Player, Seat
from games.queries import board
from games.queries.orders.current_orders import is_readable, position
from games.queries.players.seats import PLAYED
from games.queries.reports.wording import counted
from games.timing.ics import Deadline, Method, calendar_file

__all__ = [
    "CalendarFile",
    "Method",
    "calendar_key",
    "game_calendar",
    "left_files",
    "mailed_files",
    "player_calendar",
    "player_with_calendar",
]

MOVES = (
    *(DeadlineMoved, DeadlineCorrected, GamePaused, GameResumed),
    *(PhaseProcessed, GameFinished),
    *(SeatResigned, SeatVacated, SeatReturned, SeatTaken),
)
"""What may change when, whether, or for whom a phase is due. Each such change makes its calendar
entry a later version."""
KEY_LENGTH = 32


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """A file for a mail: PUBLISH puts a deadline into a calendar, CANCEL takes one out."""

    method: Method
    data: bytes


def mailed_files(
    phases: Sequence[Phase],
    powers: Iterable[str],
    changes: Mapping[int, Changes] | None = None,
) -> dict[str, tuple[CalendarFile, ...]]:
    """Return, for each power, the files about these phases that its calendar needs.

    An open phase puts its deadline in; a phase that was processed before its deadline, was undone,
    or is paused takes it out. A power gets no file about a phase in which it had nothing to decide.
    `changes` is what `changes_of` returns, if it is known.
    """
    changes = changes_of(phases) if changes is None else changes
    needed = [phase for phase in phases if _needs_word(phase, changes)]
    return {
        power: tuple(
            _file(entry) for phase in needed if (entry := _of_power(phase, power, changes))
        )
        for power in powers
    }


def left_files(phase: Phase, power: str) -> tuple[CalendarFile, ...]:
    """Return the file that takes the deadline out for somebody who no longer plays the power."""
    entry = _of_power(phase, power, changes_of([phase]))
    return (_file(replace(entry, cancelled=True)),) if entry else ()


def _needs_word(phase: Phase, changes: Mapping[int, Changes]) -> bool:
    """Say whether calendars may be wrong about the deadline, going by the latest file they got."""
    _, changed_at = changes[phase.pk]
    is_new = phase.due_at is not None and phase.due_at > changed_at
    return is_new and (phase.status in UNFINISHED or _is_off(phase))


def _file(entry: Deadline) -> CalendarFile:
    # A file has one method (RFC 5546, 3.2), so new and cancelled deadlines need two files.
    method: Method = "CANCEL" if entry.cancelled else "PUBLISH"
    return CalendarFile(method, calendar_file([entry], judge=_judge(), method=method))


def player_calendar(player: Player) -> bytes:
    """Return all deadlines of a player's games, for a program that subscribes to them."""
    seats = Seat.objects.filter(player=player, until=None, power__game__status__in=PLAYED)
    powers = dict(seats.values_list("power__game", "power__name"))
    phases = list(
        Phase.objects.filter(game__in=powers, status__in=UNFINISHED)
        .select_related("game")
        .defer("orders", "outcome")
        .order_by("due_at", "pk")
    )
    changes = changes_of(phases)
    entries = [_of_power(phase, powers[phase.game_id], changes) for phase in phases]
    placed = Q(pk__in=Application.objects.filter(player=player, withdrawn_at=None).values("game"))
    seated = Q(pk__in=Seat.objects.filter(player=player, until=None).values("power__game"))
    entries += map(_of_start, _to_start().filter(placed | seated).order_by("starts_at", "pk"))
    return calendar_file(
        [entry for entry in entries if entry], judge=_judge(), name="Diplomacy by mail"
    )


def game_calendar(game: Game) -> bytes:
    """Return when a game is due, for everybody."""
    phase = game.phases.filter(status__in=UNFINISHED).defer("orders", "outcome").first()
    entries = []
    if phase is not None and phase.due_at is not None:
        phase.game = game
        entries.append(_entry(phase, "", "The game is due.", phase.due_at, changes_of([phase])))
    entries += map(_of_start, _to_start().filter(pk=game.pk))
    return calendar_file(entries, judge=_judge(), name=f"Diplomacy: {game.name}")


def _to_start() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.FORMING, starts_at__isnull=False)


def _of_start(game: Game) -> Deadline:
    """When a game is to start. A start that moves is another entry, and the earlier one is no
    longer in the calendar that the program follows."""
    at = game.starts_at
    assert at, "only a game with a time to start has an entry for it"
    host = _judge().rpartition("@")[2]
    return Deadline(
        uid=f"{game.name}-start-{at:%Y%m%dt%H%M}@{host}".lower(),
        sequence=0,
        cancelled=False,
        at=at,
        title=f"{game.name}: the start",
        text="The game starts if all seats are taken.",
        changed_at=game.created_at,
        address=f"{settings.SITE_URL}/games/{game.name}/",
    )


def calendar_key(player: Player) -> str:
    """Return the secret in the address of the player's calendar, until it is renewed."""
    told = f"calendar {player.pk} {player.calendar_renewals}"
    digest = hmac.new(settings.SECRET_KEY.encode(), told.encode(), hashlib.sha256).hexdigest()
    return f"{player.pk}-{digest[:KEY_LENGTH]}"


def player_with_calendar(key: str) -> Player | None:
    """Return the player whose calendar has this secret in its address, None if there is no such
    player.

    The calendar of a merged account becomes that of the person.
    """
    number, _, _ = key.partition("-")
    if not number.isdecimal() or len(number) > 18:
        return None
    player = Player.objects.select_related("merged_into").filter(pk=int(number)).first()
    if player is None or not hmac.compare_digest(calendar_key(player), key):
        return None
    return player.merged_into or player


def _of_power(phase: Phase, power: str, changes: Mapping[int, Changes]) -> Deadline | None:
    if phase.due_at is None or not is_readable(phase):
        return None
    duty = board.duty_of(position(phase), power)
    return _entry(phase, power, _sentence(duty), phase.due_at, changes) if duty.size else None


def _entry(
    phase: Phase, power: str, text: str, due_at: dt.datetime, changes: Mapping[int, Changes]
) -> Deadline:
    game, title = phase.game, board.phase_title(phase.name)
    number, changed_at = changes[phase.pk]
    judge = _judge()
    host = judge.rpartition("@")[2]
    whose = power.replace(" ", "-").lower() or "all"
    return Deadline(
        uid=f"{game.name}-{phase.name}-{phase.number}-{whose}@{host}".lower(),
        sequence=number,
        cancelled=_is_off(phase),
        at=due_at,
        title=f"{game.name}: {title}{f' ({power})' if power else ''}",
        text=text,
        changed_at=changed_at,
        address=f"{settings.SITE_URL}/games/{game.name}/",
    )


Changes = tuple[int, dt.datetime]
"""How often the deadline of a phase may have changed, and when it last did."""


def changes_of(phases: Sequence[Phase]) -> dict[int, Changes]:
    """Count what changed the deadlines of phases, with one query."""
    events = Event.objects.filter(phase__in=phases, kind__in=[one.kind for one in MOVES]).order_by(
        "pk"
    )
    found = {phase.pk: (0, phase.opened_at) for phase in phases}
    for key, at in events.values_list("phase", "created_at"):
        if key is not None:
            found[key] = (found[key][0] + 1, at)
    for phase in phases:
        if phase.status == Phase.Status.UNDONE:
            # The event of the rollback belongs to the phase that is played again.
            number, at = found[phase.pk]
            found[phase.pk] = (number + 1, at)
    return found


def _is_off(phase: Phase) -> bool:
    """Say whether nobody has to meet the deadline any more, or for now."""
    if phase.status in UNFINISHED:
        return phase.game.status != Game.Status.ACTIVE
    if phase.status == Phase.Status.PROCESSED:
        early = phase.processed_at and phase.due_at and phase.processed_at < phase.due_at
        return bool(early)
    return True


def _sentence(duty: board.Duty) -> str:
    """Say what the power has to decide."""
    if duty.step == "A" and duty.builds:
        what = f"may build {counted(duty.builds, 'unit')}"
    elif duty.step == "A":
        what = f"must disband {counted(duty.disbands, 'unit')}"
    else:
        units = counted(duty.size, "unit")
        what = f"has {units} to {'retreat' if duty.step == 'R' else 'order'}"
    return f"{duty.power} {what}. Reply to the newest mail about the game."


def _judge() -> str:
    return _bare(settings.JUDGE_ADDRESS)


@lru_cache(maxsize=4)
def _bare(address: str) -> str:
    return parseaddr(address)[1]
