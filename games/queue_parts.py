"""What a case of the moderators' queue is made of: the case itself, and the acts it offers."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from games.acts import GAME_ACTS, PLAYER_ACTS
from games.models import Care, Game, Player
from games.queries.staff_names import staff_name


@dataclass(frozen=True, slots=True)
class Link:
    """An act that is offered: its words, and its subject for people who only hear the words."""

    words: str
    about: str
    url: str
    act: str
    game: bool
    """Whether it is on a game, not about a player."""

    @property
    def is_dangerous(self) -> bool:
        """Whether its button is red."""
        acts = GAME_ACTS if self.game else PLAYER_ACTS
        return acts[self.act].is_dangerous


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its key, what it is, since when, what is known, a suggestion, and the acts.

    The first act is the one that is probably wanted.
    """

    key: str
    kind: str
    title: str
    url: str
    since: dt.datetime
    facts: tuple[str, ...]
    suggestion: str
    acts: tuple[Link, ...]
    player: Player | None = None
    care: Care | None = None
    closed: bool = False
    """It is for another moderator than the viewer."""

    @property
    def keeper(self) -> str:
        """Who is on it; empty for nobody."""
        by = self.care.by if self.care else None
        return staff_name(by) if by else ""

    def rests(self, now: dt.datetime) -> bool:
        """Say whether it was put off."""
        until = self.care.rests_until if self.care else None
        return until is not None and until > now


def on_game(game: Game, act: str, words: str, about: str, **query: str) -> Link:
    url = reverse("admin:games_game_act", args=[game.pk, act])
    return Link(words, about, _with(url, query), act, game=True)


def about_player(player: Player, act: str, words: str, **query: str) -> Link:
    url = reverse("admin:games_player_act", args=[player.pk, act])
    return Link(words, player.name, _with(url, query), act, game=False)


def _with(url: str, query: dict[str, str]) -> str:
    return f"{url}?{urlencode(query)}" if query else url
