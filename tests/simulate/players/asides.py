"""What players write besides orders, press and votes for a draw: the rarer commands, each now and
then, as lines of a mail and what is to be remembered of it."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from diplomacy_server.demo.reading import Situation

MOVEMENT = re.compile(r"(Spring|Fall) (\d+) movement")
RARELY = 0.02
AWAY = 60
"""Absences begin within so many days of the beginning."""


@dataclass(frozen=True)
class Aside:
    """The text of a mail, and what its writer remembers of it (fields of a Letter)."""

    text: str
    facts: Mapping[str, object] = field(default_factory=dict)
    later: bool = False
    """It is written in a phase or two."""


@dataclass(frozen=True)
class Habits:
    """What a player may come to write in a phase."""

    situation: Situation
    chance: random.Random
    number: Callable[[], int]
    powers: Sequence[str]
    orders: Callable[[], Sequence[str]]
    """Orders that the player thinks of now."""
    beginning: dt.datetime
    """When the seed begins."""

    def asides(self) -> Iterator[Aside]:
        """Yield what the player writes this time, mostly nothing."""
        for aside in (
            self._all_hold,
            self._the_same,
            self._advance_orders,
            self._away,
            self._note,
            self._try_out,
            self._concede,
            self._wish,
            self._quiet,
            self._forget_me,
        ):
            if self.chance.random() < RARELY:
                yield from aside()

    def _all_hold(self) -> Iterator[Aside]:
        yield Aside("HOLD ALL", self._of())

    def _the_same(self) -> Iterator[Aside]:
        yield Aside("SAME", self._of())

    def _advance_orders(self) -> Iterator[Aside]:
        """Orders for the movement phase after this one, perhaps on a condition."""
        if not (match := MOVEMENT.fullmatch(self.situation.phase)):
            return
        season, year = match[1], int(match[2])
        phase = f"Fall {year}" if season == "Spring" else f"Spring {year + 1}"
        lines = self.chance.choice(
            [
                ["HOLD ALL"],
                ["SAME"],
                [*self.orders()],
                [f"IF I OWN {self._centre()}", *self.orders(), "ELSE", "HOLD ALL", "ENDIF"],
            ]
        )
        text = "\n".join([f"PHASE {phase} movement", *lines, "END"])
        yield Aside(text, {**self._of(), "phase": f"{phase} movement", "is_ahead": True})
        if self.chance.random() < 0.2:
            yield Aside("CLEAR AHEAD")

    def _away(self) -> Iterator[Aside]:
        first = (self.beginning + dt.timedelta(days=self.chance.randrange(AWAY))).date()
        last = first + dt.timedelta(days=self.chance.randrange(4))
        yield Aside(f"ABSENCE FROM {first} TO {last}")
        if self.chance.random() < 0.3:
            yield Aside(f"ABSENCE OFF {first}")

    def _note(self) -> Iterator[Aside]:
        """A note in the player's diary, which nobody else reads."""
        word = f"word{self.number()}x"
        text = f"DIARY RECORD\nI trust nobody, {word}.\nEND DIARY"
        yield Aside(text, {"game": self.situation.game, "press_word": word})
        yield Aside("DIARY LIST")

    def _try_out(self) -> Iterator[Aside]:
        yield Aside("\n".join(["WHATIF", *self.orders(), "END"]))

    def _concede(self) -> Iterator[Aside]:
        yield Aside(f"VOTE CONCEDE TO {self.chance.choice(self.powers)}")

    def _wish(self) -> Iterator[Aside]:
        yield Aside(
            self.chance.choice(
                [
                    "PROOF",
                    "LOG",
                    "LIST",
                    "RULES",
                    "ORDERS",
                    "PHASE",
                    "SET",
                    "SET TIMEZONE Europe/Berlin",
                    "SET REMINDERS 12h 1h",
                    "SET MAP OFF",
                    "SET HTML OFF",
                    "VOTE WITHDRAW",
                    "VOTE",
                    "STANDBY",
                    "STOP",
                    "MODERATOR\nWhat becomes of a player who plays twice?\nEND",
                ]
            )
        )

    def _quiet(self) -> Iterator[Aside]:
        """No mail for a while."""
        yield Aside("MAIL OFF")
        yield Aside("MAIL ON", later=True)

    def _forget_me(self) -> Iterator[Aside]:
        yield Aside("ERASE")
        if self.chance.random() < 0.5:
            yield Aside("ERASE OFF", later=True)

    def _centre(self) -> str:
        mine = self.situation.centres.get(self.situation.power, ())
        return self.chance.choice(mine) if mine else "Belgium"

    def _of(self) -> dict[str, object]:
        now = self.situation
        return {"game": now.game, "power": now.power, "phase": now.phase}
