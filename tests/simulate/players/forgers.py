"""Somebody who would like to write in another player's place: by their name on the mail, or by
answering a mail that its reader forwarded, also our question whether such a mail was theirs.

The player who is asked that says no, or nothing.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from diplomacy_server.demo.reading import Mail, Situation, read_mail
from tests.simulate.agenda import Agenda
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.players.people import ASKS_PLAYERS, NOT_MINE, Player
from tests.simulate.players.writers import JUDGE, Draft, Letter, Writer

TRIES = (0, 2, 6)
"""How often in a seed."""
WITHIN = 20.0
"""Days in which they do."""
HOWS = ("forged", "bare", "forwarded", "forwarded")
"""Our mail server says that it is forged, it says nothing, or the mail has a secret address."""
WISHES = (
    "{orders}",
    "{orders}",
    "PRESS TO {other}\nOf Galicia let us say {word}, and no more.\nEND PRESS",
    "VOTE DRAW",
    "RESIGN {game}",
    "READY",
    "CLEAR",
    "SET ADDRESS thief@elsewhere.example",
    "EXPORT",
    "ERASE",
    "EXTEND 4h my train is late",
)
YES = "YES"
PASSED_ON = 3
"""One of so many questions about such a mail is passed on to somebody who says yes to it."""


@dataclass
class Forgers:
    """All who try it."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    people: Mapping[str, Writer]
    one_in: int = PASSED_ON

    def plan(self) -> None:
        """Have somebody try it on some days."""
        for _ in range(self.chance.choice(TRIES)):
            self.agenda.after(self.chance.random() * WITHIN * 86400, self.try_it)

    def try_it(self, how: str = "", wish: str = "") -> None:
        """Write something in the place of somebody who plays."""
        players = [one for one in self.people.values() if isinstance(one, Player) and one.plays]
        if not players:
            return
        victim = self.chance.choice(players)
        mail, situation = victim.plays[self.chance.choice(sorted(victim.plays))]
        text = self._text(victim, situation, wish or self.chance.choice(WISHES))
        how = how or self.chance.choice(HOWS)
        letter = self._letter(how, victim, mail, text)
        self.carrier.think([Draft(dt.timedelta(hours=self.chance.uniform(0, 3)), letter)])

    def _text(self, victim: Player, situation: Situation, wish: str) -> str:
        powers = [power for power in sorted(situation.units) if power != situation.power]
        return wish.format(
            orders="\n".join(victim.ideas(situation)()) or "READY",
            other=(powers or ["GM"])[0],
            game=situation.game,
            word=f"word{victim.number()}x",
        )

    def _letter(self, how: str, victim: Player, mail: Mail, text: str) -> Letter:
        if how == "forwarded":
            other = self.chance.choice(self._others(victim.address))
            letter = replace(other.written(mail, text), is_forwarded=True)
        else:
            letter = replace(victim.written(mail, text), to=JUDGE, about=None, is_forged=True)
            letter = replace(letter, is_unsigned=how == "bare")
        return replace(letter, message_id=NOT_MINE + letter.message_id[1:])

    def _others(self, address: str) -> list[Player]:
        """All players but whose address this is."""
        theirs = self.carrier.seen.addresses_of(address)  # also after a merge
        players = [one for one in self.people.values() if isinstance(one, Player)]
        return [one for one in players if one.address not in theirs]

    def taken(self, taken: RelayedMail) -> None:
        """Have somebody else say yes to a question about a mail of theirs, by no draw of its
        own."""
        if NOT_MINE.encode() not in taken.raw:
            return  # hardly any mail has it, and to read one takes a while
        mail = read_mail(taken.raw)
        if NOT_MINE not in mail.references or not ASKS_PLAYERS.search(mail.subject):
            return
        chance = random.Random(mail.message_id)
        if chance.random() * self.one_in < 1:
            other = chance.choice(self._others(taken.recipient))
            letter = replace(other.written(mail, YES), is_forwarded=True)
            self.carrier.think([Draft(dt.timedelta(hours=chance.uniform(0, 2)), letter)])
