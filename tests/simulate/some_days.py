"""Whatever happens on some days of a seed: how often is drawn, and when."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tests.simulate.agenda import Agenda

DAY = 86400.0


@dataclass
class OnSomeDays(ABC):
    """Something that `happens` as often as one of `TRIES` says, within so many days."""

    TRIES: ClassVar[Sequence[int]]
    """How often in a seed."""
    WITHIN: ClassVar[float]
    """Days."""

    chance: random.Random
    agenda: Agenda

    def plan(self) -> None:
        """Have it happen on some days."""
        for _ in range(self.chance.choice(self.TRIES)):
            self.agenda.after(self.chance.random() * self.WITHIN * DAY, self.happen)

    @abstractmethod
    def happen(self) -> None:
        """Do it once, at this hour."""
