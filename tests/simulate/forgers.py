"""Somebody who would like to write in another player's place: by their name on the mail, or by
answering a mail that its reader forwarded.

The player who is asked then whether the mail was theirs says no, or nothing.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from diplomacy_server.demo.reading import Mail, Situation
from tests.simulate.agenda import Agenda
from tests.simulate.carrier import Carrier
from tests.simulate.people import NOT_MINE, Player
from tests.simulate.writers import JUDGE, Draft, Letter, Writer

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


@dataclass
class Forgers:
    """All who try it."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    people: Mapping[str, Writer]

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
            theirs = self.carrier.seen.addresses_of(victim.address)  # also after a merge
            others = [one for one in self.people.values() if one.address not in theirs]
            other = self.chance.choice([one for one in others if isinstance(one, Player)])
            letter = replace(other.written(mail, text), is_forwarded=True)
        else:
            letter = replace(victim.written(mail, text), to=JUDGE, about=None, is_forged=True)
            letter = replace(letter, is_unsigned=how == "bare")
        return replace(letter, message_id=NOT_MINE + letter.message_id[1:])
