"""Several words that ask for one thing: “off the board”, “no move”."""

from __future__ import annotations

from collections.abc import Sequence

from judge.text.separators import Token
from judge.text.vocabulary import ALL_WORDS, EVERYBODY, LETTERS, OFF_THE_BOARD, VERBS

_OFF = ["off", "the", "board"]
_IDLE = (
    *("no move", "no moves", "no movement", "nothing", "does nothing", "do nothing"),
    *("does not move", "doesnt move", "will not move", "wont move"),
    *("is not moving", "not moving", "keep still", "keeps still"),
)
"""What people say of a unit that holds; a longer phrase follows the one that it ends with."""
_IDLE_ALONE = ("does not move", "doesnt move", "is not moving", "keeps still")
"""The phrases that also say it of a place without a letter: "Livonia doesn't move"."""
_IDLE_TOGETHER = (
    *("do not move", "dont move", "will not move", "wont move"),
    *("keep still", "keeps still"),
)
"""The same, of all other units. "A Par don't move" asks somebody else, who may not agree."""
_NOBODY_MOVES = {
    (*said.split(), *told.split())
    for said in ("nobody", "no one", "nothing", "none of my units")
    for told in ("moves", "else moves")
} | {("no", "other", "unit", "moves"), ("no", "other", "units", "move")}
"""The phrases that say it of all units without another order."""
_PARTED = tuple(tuple(said.split()) for said in _IDLE)
_PARTED_ALONE = frozenset(tuple(said.split()) for said in _IDLE_ALONE)
_PARTED_TOGETHER = tuple(tuple(said.split()) for said in _IDLE_TOGETHER)
IDLE_ENDS = frozenset(said[-1] for said in _PARTED)
_GIVING = frozenset(("give", "gives", "giving", "makes", "offers", "lends", "provides"))
_GIVEN = frozenset(("support", "supports", "help", "aid", "assistance"))
"""“Gives support to”, as people write who think in another language."""
_ITS = frozenset(("its", "his", "her", "their", "a", "full", "all"))
_FALLING = frozenset(("fall", "falls", "falling", "pull", "pulls", "pulling"))
"""“Falls back to”, in one word a retreat."""
_RETIRING = frozenset(("retire", "retires", "retiring"))
"""“Retires to”, which alone would be a disband."""
_FOLLOWING = frozenset(("follow", "follows", "following"))
"""“Follows into”, which says no more than the second word."""
_GOALS = frozenset(("to", "into", "in", "on", "onto"))
SAYING = _GIVING | _RETIRING | _FOLLOWING | {"board", "back"}
"""Every other group has one of these words."""
_FEWEST = 3
"""A letter, a place, and what the unit does."""
_SAID_OF_OTHERS = VERBS.keys() - {"-"}


def in_one_word(piece: list[Token]) -> list[Token]:
    """Return the tokens of a piece, each of these groups as one word. Anything else that begins
    with “off” means something else, and “no move” is a hold only at the end of a unit's order."""
    return _with_hold(_with_support(_with_move(_with_off(piece))))


def _with_support(piece: list[Token]) -> list[Token]:
    for at in range(1, len(piece) - 2):
        word, first, _ = piece[at]
        end = at + 1 + (piece[at + 1][0] in _ITS)
        given = [one for one, _, _ in piece[end : end + 2]]
        if word in _GIVING and given[0] in _GIVEN and given[1:] in (["to"], ["for"]):
            return [*piece[:at], ("supports", first, piece[end][2]), *piece[end + 2 :]]
    return piece


def _with_move(piece: list[Token]) -> list[Token]:
    for at in range(1, len(piece) - 1):
        (word, first, _), (after, _, last) = piece[at : at + 2]
        if word in _FALLING and after == "back":
            return [*piece[:at], ("retreats", first, last), *piece[at + 2 :]]
        if word in _RETIRING and after in _GOALS:
            return [*piece[:at], ("retreats", first, last), *piece[at + 2 :]]
        if word in _FOLLOWING and after in _GOALS:
            return [*piece[:at], ("to", first, last), *piece[at + 2 :]]
    return piece


def _with_off(piece: list[Token]) -> list[Token]:
    words = [word for word, _, _ in piece]
    for at in range(len(piece) - 2):
        if words[at : at + 3] == _OFF:
            off = (OFF_THE_BOARD, piece[at][1], piece[at + 2][2])
            return [*piece[:at], off, *piece[at + 3 :]]
    return piece


def _with_hold(piece: list[Token]) -> list[Token]:
    words = tuple(word for word, _, _ in piece)
    if words in _NOBODY_MOVES:
        return [("all", *piece[0][1:]), ("hold", piece[1][1], piece[-1][2])]
    said = _said_at_end(words, _PARTED)
    before = words[: len(words) - len(said)]
    has_letter = len(before) >= _FEWEST - 1 and before[0] in LETTERS
    if not said or not (has_letter or (before and said in _PARTED_ALONE)):
        said = _said_at_end(words, _PARTED_TOGETHER)
        before = words[: len(words) - len(said)]
        if not said or EVERYBODY.isdisjoint(before) or not ALL_WORDS.issuperset(before):
            return piece
    if not _SAID_OF_OTHERS.isdisjoint(before):
        return piece
    return [*piece[: len(before)], ("holds", piece[len(before)][1], piece[-1][2])]


def _said_at_end(words: tuple[str, ...], known: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the longest of these groups with which the words end; () if none is there."""
    return max((one for one in known if words[-len(one) :] == one), key=len, default=())
