"""Preference lists for the powers, and who gets which (Diplomacy Player's Technical Guide, I).

A list ranks powers; powers in brackets, or joined by "or", are liked equally:

France; [Germany, Italy or Austria]; [England or Russia]; Turkey

`random` asks for a random power, which is not the same as an empty list. Players who ask for it get
a power before the lists are read; players who list nothing get what is left over. Those who know
njudge may write initials as well: `F[GIA]ER`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.errors import BadInput
from games.queries import board
from games.queries.parsing.press_audience import NO_INITIALS
from games.queries.reports.wording import did_you_mean, listed, nearest

RANDOM = "random"
_ANYTHING = {"", "*", "any", "none", "no preference", "no preferences"}
_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_PIECES = re.compile(r"\[[^\[\]]*\]|[^\[\]]+")
_WORDS = re.compile(r"[,;/=&+\s]+")
_RANKS = re.compile(r"\s*[;>\n]\s*")


@dataclass(frozen=True, slots=True)
class Preferences:
    """A list that was read: ranks of powers from best to worst, or a wish for a random power."""

    ranks: tuple[tuple[str, ...], ...] = ()
    random: bool = False

    def __str__(self) -> str:
        """Write the list so that it reads back as the same list; empty for an empty list."""
        if self.random:
            return RANDOM
        return "; ".join(_rank_text(rank) for rank in self.ranks)


def read_preferences(text: str, powers: Sequence[str]) -> Preferences:
    """Read a preference list over `powers`. A power named twice counts where it comes first.

    Raises BadInput with a sentence that names the word that was not understood.
    """
    wish = text.strip().strip(".").lower()
    if wish in _ANYTHING:
        return Preferences()
    if wish in {RANDOM, "random power"}:
        return Preferences(random=True)
    seen: set[str] = set()
    ranks = []
    for group in _groups(text, powers):
        rank = tuple(power for power in dict.fromkeys(group) if power not in seen)
        seen.update(rank)
        if rank:
            ranks.append(rank)
    return Preferences(tuple(ranks))


def assign_powers(
    wishes: Mapping[int, Preferences], powers: Sequence[str], rng: random.Random
) -> dict[int, str]:
    """Give each player (by id) a power, by the rules of the Guide's chapter I.

    `powers` are the powers still to be given, at least one for each player.
    """
    left = list(powers)
    given: dict[int, str] = {}

    def give(player: int, choices: Sequence[str]) -> None:
        given[player] = rng.choice(choices)
        left.remove(given[player])

    players = sorted(wishes)
    rng.shuffle(players)
    for player in players:
        if wishes[player].random:
            give(player, left)
    for player in players:
        choices = _top_choices(wishes[player], left)
        if player not in given and choices:
            give(player, choices)
    for player in players:
        if player not in given:
            give(player, left)
    return given


def _top_choices(wish: Preferences, left: Sequence[str]) -> tuple[str, ...]:
    for rank in wish.ranks:
        free = tuple(power for power in rank if power in left)
        if free:
            return free
    return ()


def example_list(powers: Sequence[str]) -> str:
    """Return a list as somebody might write it in a game of these powers."""
    first, *equal = powers[:3]
    return "; ".join([first, *([_rank_text(tuple(equal))] if equal else [])])


def _rank_text(rank: tuple[str, ...]) -> str:
    if len(rank) == 1:
        return rank[0]
    return f"[{', '.join(rank[:-1])} or {rank[-1]}]"


def _groups(text: str, powers: Sequence[str]) -> list[list[str]]:
    if re.search(r"[\[\]]", _BRACKETED.sub("", text)):
        raise BadInput(
            f"A bracket is missing in the list “{text.strip()}”. Write equal choices like this: "
            f"{example_list(powers)}."
        )
    groups: list[list[str]] = []
    for piece in _PIECES.findall(text):
        if piece.startswith("["):
            groups.append(_powers_in(piece[1:-1], powers))
        else:
            groups.extend(_plain_groups(piece, powers, ranked=";" in text))
    return groups


def _plain_groups(piece: str, powers: Sequence[str], *, ranked: bool) -> list[list[str]]:
    """Read what is outside brackets. "or" makes its neighbours equal: everything in the same rank
    if semicolons separate ranks, otherwise what is between two commas."""
    groups: list[list[str]] = []
    for rank in _RANKS.split(piece):
        parts = [rank] if ranked and _has_or(rank) else rank.split(",")
        for part in parts:
            names = _powers_in(part, powers)
            groups.extend([names] if _has_or(part) else [[name] for name in names])
    return groups


def _has_or(text: str) -> bool:
    return re.search(r"\bor\b|[/=]", text, re.IGNORECASE) is not None


def _powers_in(text: str, powers: Sequence[str]) -> list[str]:
    written = board.powers_in_english(text, powers)
    words = [word.strip(".:\"'()“”") for word in _WORDS.split(written)]
    words = [word for word in words if word and word.lower() not in {"or", "and", "then"}]
    names: list[str] = []
    while words:
        power, length = _power_of_words(words, powers)
        names.extend([power] if power else _powers_of_word(words[0], powers))
        words = words[length:]
    return names


def _power_of_words(words: Sequence[str], powers: Sequence[str]) -> tuple[str, int]:
    """Read a name of several words at the beginning: "st petersburg" or "st pete" is St Petersburg.

    Returns the power and how many words it took; without a power, one word.
    """
    for length in range(max(len(power.split()) for power in powers), 1, -1):
        written = " ".join(words[:length]).lower()
        meant = [power for power in powers if power.lower().startswith(written)]
        if " " in written and len(meant) == 1:
            return meant[0], min(length, len(words))
    return "", 1


def _powers_of_word(word: str, powers: Sequence[str]) -> list[str]:
    """Read one word: a power's name or its beginning, or several initials run together."""
    begins = word.lower()
    matches = [power for power in powers if power.lower().startswith(begins)]
    if len(matches) == 1:
        return matches
    exact = [power for power in matches if power.lower() == begins]
    if exact:
        return exact
    if len(matches) > 1:
        raise BadInput(f"“{word}” may be {' or '.join(matches)}. Please write the name in full.")
    initials = [[power for power in powers if power.lower().startswith(one)] for one in begins]
    if all(len(found) == 1 for found in initials) and word not in NO_INITIALS:
        return [found[0] for found in initials]
    raise BadInput(
        f"There is no power “{word}” in this game.{did_you_mean(word, powers)} The powers are "
        f"{listed(powers)}; write for example: {example_list(powers)}. Or write: random.",
        wrote=word,
        near=nearest(word, powers) or "",
    )
