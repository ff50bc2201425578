"""Games in a few words, with nothing that is not public."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import prefetch_related_objects

from games.models import Game, Phase, Power
from games.queries import board
from games.queries.access.staff_names import own_name
from games.queries.endings.ending import result_sentence, rules_of_end, scoring_of
from games.queries.lookup import open_phases
from games.queries.orders.waiting import Outstanding, outstanding_by_phase, to_confirm_text
from games.queries.players.places import with_places
from games.queries.players.seats import BEFORE_START
from games.queries.reports.press_words import press_sentence
from games.queries.reports.timetable import timetable
from games.queries.reports.what_game import preset_of

Status = Game.Status


class Places(NamedTuple):
    """The places of a game that has not started: how many there are, how many are taken, and how
    many of their players have not said that they are here. All zero for any other game."""

    places: int = 0
    taken: int = 0
    silent: int = 0


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in a few words."""

    name: str
    status: str
    variant: str
    rules: str
    gm: str
    powers: tuple[str, ...]
    press: str
    """Who may write to whom, in a sentence."""
    seats_free: int
    phase: str
    """Its open phase, such as "S1901M"; empty if it has none."""
    phase_title: str
    """Its title, "Spring 1901 movement"; empty without an open phase."""
    due_at: dt.datetime | None
    resume_at: dt.datetime | None
    outstanding: Outstanding
    """What its open phase waits for."""
    timezone: str
    process_early: bool
    timetable: tuple[str, ...]
    ending: str
    """How it ended; empty before."""
    ends: tuple[str, ...]
    """How it may end and is scored, a sentence for each."""
    scoring: str
    """The title of its scoring system."""
    muster_until: dt.datetime | None
    """Until when its players can say that they are here, while it musters."""
    starts_at: dt.datetime | None
    """When it is to start, if that is set and it has not."""
    silent: int
    """How many of them have not said so."""
    fog: bool
    lets_in: bool
    """Whether the GM decides who may join."""
    invites: bool
    """Whether only those join who are invited."""
    chosen: tuple[str, ...]
    """Where it differs from its variant by choice, a sentence for each."""

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The powers that still owe an order, or have lost their player."""
        return self.outstanding.waiting_for

    @property
    def to_confirm(self) -> str:
        """What is still to come when every order is in, as `to_confirm_text` has it."""
        return to_confirm_text(self.outstanding.to_confirm)


def game_summary(game: Game) -> GameSummary:
    """Describe the game as anybody may know it."""
    return game_summaries([game], open_phases([game]))[game.pk]


def game_summaries(games: Sequence[Game], phases: Mapping[int, Phase]) -> dict[int, GameSummary]:
    """Describe many games by their keys, with half a dozen statements, and one more for each that
    is over. `phases` are those that are being played, by the games' keys."""
    prefetch_related_objects(games, "gm")
    names = _power_names(games)
    places = _places(games)
    awaited = outstanding_by_phase(phases.values())
    return {
        game.pk: _summary(
            game,
            powers=tuple(names[game.pk]),
            phase=(phase := phases.get(game.pk)),
            outstanding=awaited[phase.pk] if phase else Outstanding(),
            places=places.get(game.pk, Places()),
        )
        for game in games
    }


def _power_names(games: Sequence[Game]) -> dict[int, list[str]]:
    names: dict[int, list[str]] = {game.pk: [] for game in games}
    powers = Power.objects.filter(game__in=names).order_by("name")
    for game, name in powers.values_list("game", "name"):
        names[game].append(name)
    return names


def _places(games: Sequence[Game]) -> dict[int, Places]:
    early = [game.pk for game in games if game.status in BEFORE_START]
    if not early:
        return {}
    counted = with_places(Game.objects.filter(pk__in=early)).values_list("pk", *Places._fields)
    return {key: Places(*numbers) for key, *numbers in counted}


def _summary(
    game: Game,
    *,
    powers: tuple[str, ...],
    phase: Phase | None,
    outstanding: Outstanding,
    places: Places,
) -> GameSummary:
    return GameSummary(
        name=game.name,
        status=game.status,
        variant=(variant := board.variant_played(game.variant)).title,
        rules=preset_of(game),
        gm=own_name(game.gm) if game.gm else "",
        powers=powers,
        press=press_sentence(game),
        seats_free=places.places - places.taken if game.status == Status.FORMING else 0,
        phase=phase.name if phase else "",
        phase_title=board.phase_title(phase.name) if phase else "",
        due_at=phase.due_at if phase else None,
        resume_at=game.resume_at,
        outstanding=outstanding,
        timezone=game.timezone,
        process_early=game.process_early,
        timetable=timetable(game),
        ending=result_sentence(game),
        ends=rules_of_end(game),
        scoring=scoring_of(game),
        starts_at=game.starts_at if game.status == Status.FORMING else None,
        muster_until=game.muster_until if game.status == Status.MUSTER else None,
        silent=places.silent if game.status == Status.MUSTER else 0,
        fog=game.fog,
        lets_in=game.entry == Game.Entry.APPROVAL,
        invites=game.entry == Game.Entry.INVITED,
        chosen=variant.chosen,
    )
