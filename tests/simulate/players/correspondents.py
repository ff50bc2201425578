"""Players who write as the game allows, and otherwise: grey and fake press, to everybody, to all
but one, with orders below or with addresses in the text; and others who watch, or would try out
more than they see."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping
from dataclasses import dataclass

from tests.simulate.agenda import Agenda
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.people import Player
from tests.simulate.players.writers import DOMAIN, SPARE, Draft, Letter, Writer
from tests.simulate.tables import powers_of

TRIES = (0, 4, 10)
"""How often in a seed."""
WITHIN = 25.0
"""Days in which they do."""
AT_THE_DEADLINE = 0.2
"""How often they write in the minute before a deadline or after it."""


@dataclass(frozen=True)
class Kind:
    """A way to write: the lines above and below the text, who may read it, and what they are told.

    `{to}` and `{other}` are powers, `{rest}` the lines of an order, `{secret}` where to answer.
    """

    above: str
    readers: tuple[str, ...] = ("{to}",)
    hides: bool = False
    """Readers do not learn which power wrote it."""
    shown_as: str = ""
    """Who wrote it, as its readers are told."""
    below: str = "END PRESS"


KINDS = {
    "grey": Kind("PRESS GREY TO {to}", hides=True),
    "grey to all": Kind("BROADCAST GREY", ("ALL",), hides=True, below="END BROADCAST"),
    "fake": Kind("PRESS TO {to} FAKE FROM {other}", hides=True, shown_as="{other}"),
    "fake to all": Kind("BROADCAST FAKE FROM {other}", ("ALL",), hides=True, shown_as="{other}"),
    "fake readers": Kind("PRESS TO {to} FAKE TO {to}, {other}"),
    "fake broadcast": Kind("PRESS TO {to} FAKE BROADCAST"),
    "to all": Kind("BROADCAST", ("ALL",), below="END BROADCAST"),
    "all but one": Kind("PRESS TO ALL BUT {other}", ("ALL BUT {other}",)),
    "with orders": Kind("PRESS TO {to}", below="END PRESS\n{rest}"),
    "with addresses": Kind("PRESS TO {to}\nWrite to {secret}, or to {me}."),
}
BESIDES = ("OBSERVE {game}", "OBSERVE {game}", "OBSERVE {game} OFF", "LIST {game}", "TABLE")
TRIED = "WHATIF\n{lines}\nEND"


@dataclass
class Correspondents:
    """All who write so."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    people: Mapping[str, Writer]

    def plan(self) -> None:
        """Have somebody write on some days."""
        for _ in range(self.chance.choice(TRIES)):
            self.agenda.after(self.chance.random() * WITHIN * 86400, self._something)

    def _something(self) -> None:
        draw = self.chance.random()
        if draw < 0.75:
            self.write(self.chance.choice(sorted(KINDS)))
        elif draw < 0.85:
            self._try_out()
        else:
            self._watch()

    def write(self, name: str, *, now: bool = False) -> None:
        """Have somebody who plays write so; `now`: it reaches the mailbox within seconds."""
        player, game = self._anybody()
        if player is None:
            return
        mail, situation = player.plays[game]
        others = [one for one in powers_of(player.boards[game]) if one != situation.power]
        to, other = (self.chance.sample(others, 2) if len(others) > 1 else others * 2)[:2]
        said = {
            "to": to,
            "other": other,
            "rest": "\n".join(player.ideas(situation)()[:1]),
            "secret": mail.reply_to,
            "me": player.address,
        }
        letter = self._letter(player, game, KINDS[name], said)
        left = player.time_left(game)
        if now:
            self.carrier.think([Draft(dt.timedelta(0), letter, is_prompt=True)])
        elif left and self.chance.random() < AT_THE_DEADLINE:
            around = dt.timedelta(seconds=self.chance.uniform(-60, 60))
            self.carrier.think([Draft(max(left + around, dt.timedelta(0)), letter, is_prompt=True)])
        else:
            self._send(player, letter)

    def _letter(self, player: Player, game: str, kind: Kind, said: dict[str, str]) -> Letter:
        mail, situation = player.plays[game]
        word = f"word{player.number()}x"
        lines = (kind.above, f"Of Galicia let us say {word}, and no more.", kind.below)
        text = "\n".join(lines).format(**said)
        readers = tuple(reader.format(**said) for reader in kind.readers)
        if readers[0].startswith("ALL BUT"):
            everybody = powers_of(player.boards[game])
            readers = tuple(one for one in everybody if one not in (situation.power, said["other"]))
        return player.written(
            mail,
            text,
            game=game,
            power=situation.power,
            phase=situation.phase if "{rest}" in kind.below else "",
            press_word=word,
            readers=readers,
            is_hidden=kind.hides,
            shown_as=kind.shown_as.format(**said),
        )

    def _try_out(self) -> None:
        """Have somebody try out orders for units of others that they saw."""
        player, game = self._anybody()
        if player is not None:
            mail, situation = player.plays[game]
            lines = [
                f"{power}: {unit} Holds"
                for power, units in sorted(situation.units.items())
                for unit in units[:2]
            ]
            self._send(player, player.written(mail, TRIED.format(lines="\n".join(lines))))

    def _watch(self) -> None:
        """Have somebody who may not play follow a game."""
        one = self.people[f"{self.chance.choice(SPARE).lower()}@{DOMAIN}"]
        game = self.chance.choice(sorted(one.boards))
        self._send(one, one.written(None, self.chance.choice(BESIDES).format(game=game)))

    def _anybody(self) -> tuple[Player | None, str]:
        players = [one for one in self.people.values() if isinstance(one, Player) and one.plays]
        if not players:
            return None, ""
        player = self.chance.choice(players)
        return player, self.chance.choice(sorted(player.plays))

    def _send(self, writer: Writer, letter: Letter) -> None:
        after = dt.timedelta(hours=self.chance.uniform(0, 2))
        self.carrier.think([Draft(after, letter)])
