"""The game that somebody would join, in the same words in lists, pages, invitations and offers of
seats."""

from __future__ import annotations

from collections.abc import Mapping

from games.models import Game
from games.queries import board
from games.queries.endings.ending import ends_by_rule, scoring_sentence
from games.queries.reports.press_words import press_sentence
from games.queries.reports.wording import local_moment
from games.settings import SETTINGS, what_differs

FOG = "In fog of war: each power sees only its own units and centres and what borders on them."
_LEFT_OUT = ("entry", "fog", "reminders", "tournament")
"""The settings that `what_differs` leaves out here: we say them elsewhere, or nobody joins or stays
away because of them."""


def particulars(game: Game) -> tuple[str, ...]:
    """Say in short sentences how the game differs from most, including the choices of its
    variant."""
    said = {
        f"A game of the tournament {game.tournament}.": bool(game.tournament),
        FOG: game.fog,
        "Anonymous: no player learns who plays what before the game is over.": game.anonymous,
        press_sentence(game): _is_other(game, "press_mode", "grey_press", "fake_press"),
        scoring_sentence(game): _is_other(game, "scoring"),
    }
    chosen = board.variant_named(game.variant).chosen
    others = (one for one, is_so in said.items() if is_so)
    return (*chosen, *_rules(game), *others, *ends_by_rule(game))


def played_as(game: Game) -> tuple[str, ...]:
    """Name the map, and say what `particulars` says."""
    return (f"The map is {board.variant_named(game.variant).title}.", *particulars(game))


def who_may_join(game: Game) -> tuple[str, ...]:
    """Say who may join a game looking for players; nothing if anybody may."""
    entries = {
        Game.Entry.APPROVAL: ("The game master lets people in.",),
        Game.Entry.INVITED: ("Only those who are invited can join.",),
    }
    return (*entries.get(Game.Entry(game.entry), ()), *_reliable(game))


def starts(game: Game, zone: str = "", *, full: bool = False) -> tuple[str, ...]:
    """Say when a game that has not started is to start, on the clocks of a zone or its own; nothing
    if it starts when its last seat is taken. For a `full` one, say nothing of free seats."""
    if game.starts_at is None or game.status != Game.Status.FORMING:
        return ()
    at = local_moment(game.starts_at, zone or game.timezone)
    return (f"The game starts {at}{'' if full else ' if all seats are taken by then'}.",)


def when_full(game: Game) -> str:
    """Say what follows once the last seat of a game looking for players is taken, within a
    sentence."""
    if game.starts_at:
        return f"the game starts {local_moment(game.starts_at, game.timezone)}"
    return "the players are asked whether they are here" if game.muster else "the game starts now"


def before_joining(game: Game) -> tuple[str, ...]:
    """Say what else somebody has to know before they join: when it starts, who may, and what
    `particulars` leaves out."""
    return (*starts(game), *who_may_join(game), *what_differs(game, but=_LEFT_OUT))


def _reliable(game: Game) -> tuple[str, ...]:
    least = game.min_reliability
    return (f"For newcomers, and for players who are {least}% reliable or more.",) if least else ()


def _rules(game: Game) -> tuple[str, ...]:
    """Say by which rules it is played, if not by those of most games."""
    preset = preset_of(game)
    by = () if preset == "DATC" else (f"By the rules of {preset}.",)
    return (*by, *other_rules(game))


def preset_of(game: Game) -> str:
    """Return the name of the rules from which the game's were made: "DATC"."""
    rules = game.rules if isinstance(game.rules, Mapping) else {"preset": game.rules}
    return str(rules.get("preset", "DATC"))


def other_rules(game: Game) -> list[str]:
    """Say which rules of the judge were chosen otherwise than the game's preset has them."""
    return [f"The rules: {choice}." for choice in board.rule_choices(game.rules)]


def _is_other(game: Game, *names: str) -> bool:
    return any(getattr(game, name) != SETTINGS[name].default for name in names)
