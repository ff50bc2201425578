"""What a case of the moderators' queue is made of: the case itself, the acts that it offers, and
what its reader may know and do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.urls import reverse

from games.acts import GAME_ACTS, PLAYER_ACTS, GameAct, PlayerAct
from games.models import Care, Game, Player, Seat
from games.queries.access import conflicts, roles
from games.queries.access.staff_names import staff_name


@dataclass(frozen=True, slots=True)
class Link:
    """An act that is offered: its words, and its subject for people who only hear the words."""

    words: str
    about: str
    url: str
    act: GameAct[Any] | PlayerAct[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case of the queue."""

    key: str
    """What it is about, such as `power/7`: the same for as long as it waits."""
    kind: str
    title: str
    url: str
    """The page of its game or player."""
    since: dt.datetime
    facts: tuple[str, ...]
    """What is known, in a few words each."""
    suggestion: str = ""
    acts: tuple[Link, ...]
    """What can be done; the first is probably wanted."""
    player: Player | None = None
    care: Care | None = None
    closed: bool = False
    """It is for another moderator than the viewer."""
    game: str = ""
    """The name of the game that a letter is about; empty where it names none."""

    @property
    def keeper(self) -> str:
        """Who is on it; empty for nobody."""
        by = self.care.by if self.care else None
        return staff_name(by) if by else ""

    @property
    def alike(self) -> frozenset[str]:
        """The words that several acts share; beside these, their subjects are shown, too."""
        words = [one.words for one in self.acts]
        return frozenset(one for one in words if words.count(one) > 1)

    def rests(self, now: dt.datetime) -> bool:
        """Say whether it was put off."""
        until = self.care.rests_until if self.care else None
        return until is not None and until > now


def on_game(game: Game, act: str, words: str, about: str, **query: str) -> Link:
    """Link to the page of an act on a game, with what is already filled in there."""
    url = reverse("admin:games_game_act", args=[game.pk, act])
    return Link(words, about, _with(url, query), GAME_ACTS[act])


def about_player(player: Player, act: str, words: str, **query: str) -> Link:
    """Link to the page of an act about a player, with what is already filled in there."""
    url = reverse("admin:games_player_act", args=[player.pk, act])
    return Link(words, player.name, _with(url, query), PLAYER_ACTS[act])


def _with(url: str, query: dict[str, str]) -> str:
    return f"{url}?{urlencode(query)}" if query else url


class Viewer:
    """A moderator, with the games that they play in and the people with whom they play."""

    def __init__(self, user: User, now: dt.datetime) -> None:
        self.user, self.now = user, now
        self.games = frozenset(roles.games_played(user).values_list("pk", flat=True))
        self.fellows = frozenset(conflicts.fellows(user).values_list("pk", flat=True))

    def of_game(self, case: Case, game: Game) -> Case:
        """The case as they may see it: in a game that they play in, without what is not for
        them."""
        if game.pk not in self.games:
            return case
        refused = partial(roles.refusal, self.user, game, now=self.now, plays=True)
        on_games = (link for link in case.acts if isinstance(link.act, GameAct))
        acts = tuple(link for link in on_games if not refused(link.act.name))
        return replace(case, acts=acts) if acts else _closed_case(case, refused("replace"))

    def of_games(self, case: Case, games: Sequence[Game]) -> Case:
        """The same for a case about several games; it offers no act where they play."""
        return case if case.acts else self.of_game(case, games[0])

    def of_player(self, case: Case, player: Player) -> Case:
        """The same for a case about a player: nothing about somebody whom they play with."""
        if player.pk not in self.fellows:
            return case
        return _closed_case(case, conflicts.refusal_about(self.user, player))

    def may_write(self, player: Player | None) -> bool:
        """Whether they may write to this player: not to somebody with whom they play."""
        return player is not None and player.pk not in self.fellows


def _closed_case(case: Case, why: str) -> Case:
    """The case for somebody who may do nothing about it."""
    return replace(case, suggestion=why, acts=(), closed=True)


def seat_named(seat: Seat) -> str:
    """Write "France in marne"."""
    return f"{seat.power.name} in {seat.power.game.name}"


def reliability_text(percent: int) -> str:
    """Write "reliability 90%"."""
    return f"reliability {percent}%"
