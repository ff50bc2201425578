"""A GM's games, those that need them first, with a fixed number of queries however many there are.

Nothing here is an order or a word of press, and nothing that STATUS does not tell every player.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from games.events import ExtensionAsked
from games.models import UNFINISHED, Event, Game, Phase, Player, Power, Seat
from games.queries.board import phase_title
from games.queries.ending import alive
from games.queries.next_step import NextStep, Situation, next_step
from games.queries.places import with_places
from games.queries.roles import FAIR, is_account_of
from games.queries.waiting import not_in_by_phase, to_confirm_by_phase, to_confirm_text

Status = Game.Status

SHOWN = 60
"""So many games a home shows; the list has the others."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game on its GM's home."""

    game: Game
    title: str
    due_at: dt.datetime | None
    missing: tuple[str, ...]
    step: NextStep
    acts: tuple[str, ...]
    """What one would likely do and may, by the names of the acts."""


def game_cards(
    games: QuerySet[Game], *, now: dt.datetime, played: Collection[int] = ()
) -> tuple[GameCard, ...]:
    """Return these games, unless they are over, those that need somebody first.

    In games `played` by the viewer, given by their keys, only what helps nobody is offered.
    """
    rows = list(with_places(games.exclude(status=Status.FINISHED)).order_by("-pk")[:SHOWN])
    phases = _phases(rows)
    missing = not_in_by_phase(phases.values())
    guessed = to_confirm_by_phase(one for one in phases.values() if not missing[one.pk])
    adrift, asked = _adrift(phases), unanswered_wishes(phases.values())
    cards = []
    for game in rows:
        phase = phases.get(game.pk)
        owing = _waited_for(missing[phase.pk], adrift[game.pk]) if phase else ()
        at = Situation(
            status=game.status,
            title=phase_title(phase.name) if phase else "",
            due_at=phase.due_at if phase else None,
            stuck=phase is not None and phase.status == Phase.Status.STUCK,
            waits=phase is not None and phase.overdue_at is not None,
            policy=game.when_missing,
            missing=owing,
            to_confirm=to_confirm_text(guessed.get(phase.pk, ())) if phase else "",
            adrift=tuple(adrift.get(game.pk, ())),
            asked=asked.get(phase.pk, ()) if phase else (),
            resume_at=game.resume_at,
            free=max(0, game.places - game.taken),
            silent=game.silent,
        )
        step = next_step(at, now)
        acts = tuple(one for one in step.acts if game.pk not in played or one in FAIR)
        cards.append(GameCard(game, at.title, at.due_at, owing, step, acts))
    never = dt.datetime.max.replace(tzinfo=dt.UTC)
    return tuple(sorted(cards, key=lambda one: (one.step.urgency, one.due_at or never)))


def in_need(games: QuerySet[Game]) -> QuerySet[Phase]:
    """Return the open phases of those of the games that need somebody at once (`Urgency.NOW`)."""
    running = Phase.objects.filter(status__in=UNFINISHED, game__in=games)
    trouble = Q(status=Phase.Status.STUCK) | Q(overdue_at__isnull=False) | Exists(_wishes())
    return running.filter(trouble, game__status=Status.ACTIVE)


def zone_of(user: User) -> str:
    """Return the time zone of somebody of the staff: that of their player; empty without one."""
    players = Player.objects.filter(is_account_of(user)).order_by("pk")
    return players.values_list("timezone", flat=True).first() or ""


def _phases(games: Sequence[Game]) -> dict[int, Phase]:
    """The open phase of each game, by the game's key."""
    phases = Phase.objects.filter(game__in=games, status__in=UNFINISHED).defer("orders", "outcome")
    by_game = {phase.game_id: phase for phase in phases}
    for game in games:
        if game.pk in by_game:
            by_game[game.pk].game = game
    return by_game


def _adrift(phases: Mapping[int, Phase]) -> dict[int, tuple[str, ...]]:
    """The powers without anybody who answers, of which something is left, by the game's key."""
    played = Seat.objects.filter(power=OuterRef("pk"), until=None)
    lost = Power.objects.filter(~Exists(played) | Q(disorder_since__isnull=False))
    found: dict[int, list[str]] = {pk: [] for pk in phases}
    rows = lost.filter(game__in=list(phases)).order_by("name").values_list("game", "name")
    for game, name in rows:
        if name in alive(phases[game].position):
            found[game].append(name)
    return {game: tuple(names) for game, names in found.items()}


def _waited_for(missing: Iterable[str], adrift: Iterable[str]) -> tuple[str, ...]:
    lost = set(adrift)
    return tuple(name for name in missing if name not in lost)


def unanswered_wishes(phases: Iterable[Phase]) -> dict[int, tuple[str, ...]]:
    """Return the powers that have asked for more time and had no answer, by the phase's key."""
    open_phases = {phase.pk: phase for phase in phases}
    found: dict[int, list[str]] = {}
    for event in Event.objects.filter(kind=ExtensionAsked.kind, phase__in=list(open_phases)):
        phase = open_phases[event.phase_id or 0]
        if event.created_at >= (phase.extended_at or phase.opened_at):
            found.setdefault(phase.pk, []).append(ExtensionAsked.of(event).power)
    return {pk: tuple(powers) for pk, powers in found.items()}


def _wishes() -> QuerySet[Event]:
    since = Coalesce(OuterRef("extended_at"), OuterRef("opened_at"))
    return Event.objects.filter(
        kind=ExtensionAsked.kind, phase=OuterRef("pk"), created_at__gte=since
    )
