"""The game master: pauses, extends, seats, sets, takes back, by answering what they are mailed."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from diplomacy_server.demo.reading import Mail, read_board
from tests.simulate.players.people import ASKS
from tests.simulate.players.writers import NAMES, Draft, Writer
from tests.simulate.tables import powers_of

RESULTS = re.compile(r"(\w+) (\d+) (movement|retreats|adjustments): results")
WOULD_PLAY = re.compile(r"\] (\w+) would play (\w.*)")
TAKES_BACK = 0.15
"""How often a GM goes back after a result: far too often for players of flesh and blood."""
GOES_BACK = 3
"""So many phases at most."""
FORGED = "<forged-"
"""How the Message-ID of a mail begins that they have not written."""
WRONG = 24
"""Of 256 results so many have the GM write something that cannot be done."""
MISTAKES = (
    "EXTEND because it rains",
    "EXTEND TO 1 January 2020 because it rains",
    "EXTEND 24h",
    "PAUSE UNTIL 30 February because we go on holiday",
    "ROLLBACK S1850M because orders were misread",
    "ROLLBACK because orders were misread",
    "REPLACE Atlantis BY ana@players.example because it was agreed",
    "REPLACE {} BY nobody@players.example because it was agreed",
    "REPLACE {} because it was agreed",
    "VACATE Nobody because nothing came",
)
OVER = re.compile(r"\] The game is over")
PLAYS_ON = 64
"""Of 256 games that end so many are played again from one of their last phases."""
KEEPS = 0.4
"""How often the orders that stood count again then."""
MEDDLES = 0.12
"""How often a GM does something to a power after a result."""


@dataclass
class GameMaster(Writer):
    """Whoever runs all games of a seed."""

    played: dict[str, list[str]] = field(default_factory=dict)
    """By game, the phases whose results have come, as commands name them."""
    plays_on: int = PLAYS_ON
    confirms_within: float = 0.02
    """By which share of a phase: a game that has gone on is another question."""

    def read(self, mail: Mail) -> Iterator[Draft]:
        """Yield what the GM writes after this mail. The same mail twice is answered once."""
        if mail.message_id in self.seen or not mail.reply_to.startswith("judge"):
            return
        self.seen.add(mail.message_id)
        if ASKS.search(mail.subject):
            if FORGED in mail.references:
                return  # it asks about a mail that the GM has not written
            yield self._short(mail, "YES", self.confirms_within)
        elif over := RESULTS.search(mail.subject):
            self.played.setdefault(mail.game, []).append(_name(*over.groups()))
            yield from self._acts(mail)
            yield from self._mistakes(mail)
        elif OVER.search(mail.subject):
            yield from self._plays_on(mail)
        elif asks := WOULD_PLAY.search(mail.subject):
            if self._happens(0.7):
                who, power = asks.groups()
                yield self._short(mail, f"REPLACE {power} BY {who} because a seat was open")
        elif mail.game and "asks for more time" in mail.subject:
            yield self._short(mail, "EXTEND 12h because a player asked")
        elif mail.game and "is waiting" in mail.subject:
            word = self.chance.choice(["PROCESS", "EXTEND 12h because somebody is missing"])
            yield self._short(mail, word)

    def _acts(self, mail: Mail) -> Iterator[Draft]:
        if self._happens(0.05):
            yield self._short(mail, "EXTEND 24h because it rains", 0.9)
        if self._happens(0.04):
            yield self._short(mail, "PAUSE because we go on holiday", 0.9)
            yield Draft(self.length + self._after(1), self.written(mail, "RESUME"))
        if self._happens(0.1):
            word = self.chance.choice(["STATUS", "REMIND", "LOG", "EXCUSE ALL because I say so"])
            yield self._short(mail, word, 0.9)
        if self._happens(TAKES_BACK):
            again = self.chance.choice(self.played[mail.game][-GOES_BACK:])
            keep = " KEEP ORDERS" if self._happens(KEEPS) else ""
            yield self._short(mail, f"ROLLBACK {again}{keep} because orders were misread", 0.9)
        if self._happens(MEDDLES):
            yield from self._meddles(mail)
        if self._happens(0.05):
            yield self._writes(mail)

    def _plays_on(self, mail: Mail) -> Iterator[Draft]:
        """Yield that a game goes back though it is over, by no draw of its own."""
        drawn, played = bytes.fromhex(mail.message_id[1:5]), self.played.get(mail.game)
        if played and drawn[0] < self.plays_on:
            again = played[-1 - drawn[1] % min(GOES_BACK, len(played))]
            keep = " KEEP ORDERS" if drawn[1] >= 128 else ""
            text = f"GM {mail.game}\nROLLBACK {again}{keep} because we ended it too early"
            hours = dt.timedelta(hours=1 + drawn[1] / 8)
            yield Draft(hours, self.written(None, text, game=mail.game))

    def _mistakes(self, mail: Mail) -> Iterator[Draft]:
        """Yield what cannot be done as it is written, by no draw of its own."""
        drawn = bytes.fromhex(mail.message_id[1:5])
        if drawn[0] < WRONG:
            power = powers_of(self.boards[mail.game])[0]
            text = MISTAKES[drawn[1] % len(MISTAKES)].format(power)
            letter = self.written(mail, text, game=mail.game, is_wrong=True)
            yield Draft(dt.timedelta(hours=1), letter)

    def _meddles(self, mail: Mail) -> Iterator[Draft]:
        power = self.chance.choice(powers_of(self.boards[mail.game]))
        units = read_board(mail.flowing)[1].get(power, ())
        holds = "\n".join(f"{unit} Holds" for unit in units)
        by = self.chance.choice(NAMES)
        text = self.chance.choice(
            [
                f"VACATE {power} because nothing came",
                f"REPLACE {power} BY {by} because it was agreed",
                f"DISORDER {power} because nothing came",
                f"ENDDISORDER {power} because they are back",
                f"OFFER {power}",
                f"SETORDERS {power} because their provider is down\n{holds}\nEND",
                f"SETORDERS {power} because their provider is down\n{holds}\nEND",
                "PREVIEW because I was asked",
            ]
        )
        yield self._short(mail, text, 0.9)

    def _writes(self, mail: Mail) -> Draft:
        word = f"word{self.number()}x"
        powers = powers_of(self.boards[mail.game])
        readers = ("ALL",) if self._happens(0.5) else (self.chance.choice(powers),)
        text = f"WRITE TO {readers[0]}\nDear players, {word} is all I say.\nEND"
        letter = self.written(mail, text, game=mail.game, press_word=word, readers=readers)
        return Draft(self._after(0.9), letter)


def _name(season: str, year: str, step: str) -> str:
    """Return S1901M for Spring 1901 movement."""
    return f"{season[0]}{year}{step[0].upper()}"
