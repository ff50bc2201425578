"""The words orders are made of, other than names: what each of them asks for."""

from __future__ import annotations

from typing import Literal

Action = Literal["hold", "move", "support", "convoy", "build", "disband", "waive"]

LETTERS: dict[str, Literal["A", "F"]] = {
    "a": "A", "army": "A", "armies": "A", "troops": "A",
    "f": "F", "fleet": "F", "flt": "F", "fleets": "F", "navy": "F",
}  # fmt: skip
"""Words for the kind of a unit."""

_WORDS: dict[Action, str] = {
    "hold": "h hold holds holding held stand stands standing stay stays staying remain remains defend defends",
    "move": (
        "- m mv to into onto move moves moving attack attacks attacking go goes going advance advances "
        "retreat retreats retreating sail sails sailing march marches marching invade invades enter "
        "enters toward towards withdraw withdraws"
    ),
    "support": "s sup supp support supports supporting supported sups supps help helps assist assists suport suports supprt",
    "convoy": (
        "c conv convoy convoys convoying convoyed transport transports transporting ferry ferries "
        "ferrying carry carries carrying convey conveys convoi"
    ),
    "build": "b build builds building raise raises recruit",
    "disband": "d disband disbands disbanding disbanded remove removes removing r destroy destroys debuild retire",
    "waive": "w waive waives waived wave decline declines pass skip",
}

VERBS: dict[str, Action] = {word: action for action, words in _WORDS.items() for word in words.split()}
"""What an order word asks for. "-" stands for every arrow and dash."""

FIRST_VERBS: dict[str, Action] = {
    word: action
    for word, action in VERBS.items()
    if len(word) > 2 and word != "into" or word in ("b", "d", "r", "w")
}
"""Verbs that may stand before their unit ("Build A Paris", "Hold A Paris")."""

BY_CONVOY = frozenset(("via", "by", "using", "with", "through", "vc", "convoyed"))
"""Words that begin "by convoy"."""

SEA_WORDS = frozenset(("convoy", "sea", "c", "convoys", "convoyed", "fleet", "boat", "water"))
"""Words that end "by convoy"."""

FILLERS = frozenset(
    "the an in at from of my our your his its their unit for on located stationed based and order orders "
    "move moves moving attack attacks advance advances going with to".split()
)
"""Words that may stand before a name or a unit and mean nothing there."""

ARTICLES = frozenset("the an in at from of my our your his its their unit for on located stationed based".split())
"""As FILLERS, where a verb would still mean something."""

COURTESIES = frozenset("please pls plz thanks thank thx cheers ok okay will shall should must order orders also then and finally".split())
"""Words around an order that do not change it."""

LINKS = frozenset(("and", "&", "+"))
"""Words between two units or two orders."""

EXPECTING = frozenset(VERBS) | frozenset(LETTERS)
"""Words after which an order cannot end: what follows in brackets is no note."""
