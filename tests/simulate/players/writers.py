"""Those who write to the server: where they are, what they write, and when they send it."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from diplomacy_server.demo.reading import Mail, Situation
from tests.simulate.machinery.clock import BEGINNING

JUDGE = "judge@game.test"
DOMAIN = "players.example"
NAMES = ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta", "Hugo", "Ida")
SPARE = ("Hugo", "Ida")
CROWD = (
    *("Jonas", "Karl", "Lea", "Mia", "Nils", "Olga", "Paul", "Quinn", "Rosa", "Sven", "Tilda"),
    *("Ulla", "Vera", "Wim", "Xenia", "Yann", "Zoe", "Alma", "Bodo", "Cleo", "Doris", "Egon"),
    *("Frida", "Gustav", "Hedda", "Ivo", "Jutta"),
)
"""Those who play besides where a board is for very many (`crowds`)."""
GM = f"gm@{DOMAIN}"
CO_GM = f"cogm@{DOMAIN}"
"""Whom the GM may hand a game over to."""
GMS = (GM, CO_GM)
AS_PLAYERS = ("Max", "Moritz")
"""The names under which the two would play once they run a game no longer."""


@dataclass(frozen=True)
class Letter:
    """A mail that a person has written, as they remember it."""

    message_id: str
    writer: str
    to: str
    text: str
    subject: str = ""
    """What a page has put there that made the mail; "" for what people write."""
    made_for: int = 0
    """The key of the phase that page showed: one of that name may come again, on another board."""
    game: str = ""
    power: str = ""
    phase: str = ""
    orders: tuple[str, ...] = ()
    is_whole: bool = False
    """Its orders are a full set, plainly written: what stands afterwards is clear."""
    is_ahead: bool = False
    """It was written before its phase was open."""
    press_word: str = ""
    """A word in it that nobody but `readers` may learn."""
    readers: tuple[str, ...] = ()
    """Powers ("Italy"), "GM", "ALL", or addresses."""
    is_hidden: bool = False
    """Its readers may not learn which power wrote it."""
    shown_as: str = ""
    """The power that wrote it, as its readers are told."""
    about: Mail | None = None
    is_wrong: bool = False
    """It asks for what cannot be done, or not by its writer."""
    is_change: bool = False
    """It says in words what one unit is ordered instead."""
    is_forged: bool = False
    """Its writer is somebody else, as our mail server says, or might say."""
    is_unsigned: bool = False
    """Our mail server says nothing about its writer."""
    is_forwarded: bool = False
    """It answers a mail that its reader has forwarded to the writer."""


@dataclass(frozen=True)
class Draft:
    """A letter that is sent after some thought."""

    after: dt.timedelta
    letter: Letter
    is_prompt: bool = False
    """It reaches the judge's mailbox within a second or two."""


@dataclass
class Writer:
    """Somebody at their mail program. `length` is about how long a phase lasts."""

    address: str
    chance: random.Random
    length: dt.timedelta
    number: Callable[[], int]
    word_of: Callable[[str], Letter | None]
    """Who wrote the letter with this word in it."""
    time_left: Callable[[str], dt.timedelta | None]
    """How long it is to a game's deadline, as the last mail about it says."""
    boards: Mapping[str, str]
    """By game, the variant that is played."""
    beginning: dt.datetime = BEGINNING
    """When the seed begins."""
    lively: bool = True
    plays: dict[str, tuple[Mail, Situation]] = field(default_factory=dict)
    """By game, the last mail that asked for orders, and what for."""
    seen: set[str] = field(default_factory=set)

    def written(self, mail: Mail | None, text: str, **facts: object) -> Letter:
        """Return a letter that answers this mail, or stands alone."""
        to = mail.reply_to if mail else JUDGE
        message_id = f"<{self.number()}@{DOMAIN}>"
        return Letter(message_id, self.address, to, text, about=mail, **facts)  # type: ignore[arg-type]

    def _after(self, share: float) -> dt.timedelta:
        return self.length * self.chance.random() * share

    def _happens(self, share: float) -> bool:
        return self.chance.random() < share

    def _short(self, mail: Mail, text: str, share: float = 0.2) -> Draft:
        return Draft(self._after(share), self.written(mail, text))
