"""Storms of kills with calms between them; and the calm at the end, until all is done."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.chaos.facts import Calm
from tests.chaos.schedule import Blow, blows
from tests.chaos.world import World

RECOVERY_SECONDS = 60.0
"""So long after a recovery everything that was due is to be done."""
CALM_SECONDS = RECOVERY_SECONDS + 10
STORM_SECONDS = 360.0
"""How long storms last, about: there are as many as fit in."""
SETTLE_SECONDS = 240.0
LAST_ROUNDS_SECONDS = 120.0
LAST_PAUSE_SECONDS = 5.0

Say = Callable[[str], None]


@dataclass
class History:
    """What happened: who was killed, who ended by itself, what the relay did wrong, when it was
    calm."""

    kills: list[str] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)
    relay_faults: list[str] = field(default_factory=list)
    calms: list[Calm] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass
class Weather:
    """Strikes a world by a seed, and writes down what it did."""

    world: World
    seed: int
    say: Say
    history: History = field(default_factory=History)

    def blow(self, seconds: float) -> None:
        """Storm and calm in turns for about so long, beginning with a storm, ending before the
        last calm: see `settle`."""
        count = max(1, round(seconds / (STORM_SECONDS + CALM_SECONDS)))
        length = (seconds - (count - 1) * CALM_SECONDS) / count
        coming = blows(random.Random(self.seed))
        for number in range(count):
            if number:
                self._calm()
            self.say(f"storm {number + 1} of {count}, {length:.0f} s")
            self._storm(coming, time.monotonic() + length)

    def settle(self, settled: Callable[[], bool]) -> None:
        """The last calm: nothing new is written, and what is under way comes to an end."""
        if not self.world.players_write():
            self.history.faults.append("the players ended before their time: see players.log")
        self.world.stop_file.touch()
        recovered = self._recover()
        end = time.monotonic() + SETTLE_SECONDS
        while not settled() and time.monotonic() < end:
            self._watch(0.5)
        self._check_web()
        self.history.calms.append(Calm(recovered, time.time()))
        self.world.shut_down()
        self._last_rounds(settled)

    def _last_rounds(self, settled: Callable[[], bool]) -> None:
        """Finish by hand what became due while the workers ended.

        The games go on meanwhile, so a relay that puts mails off would never be done with them.
        """
        self.world.heal_relay()
        end = time.monotonic() + LAST_ROUNDS_SECONDS
        while not settled() and time.monotonic() < end:
            self.world.manage("tick")
            time.sleep(LAST_PAUSE_SECONDS)

    def _storm(self, coming: Iterator[Blow], end: float) -> None:
        while time.monotonic() < end:
            blow = next(coming)
            self._watch(blow.gap)
            hit = [victim for victim in blow.victims if self.world.strike(victim)]
            time.sleep(blow.down)
            for victim in hit:
                self.world.start_again(victim)
            if not hit:  # the child that was meant has not started yet
                continue
            self.history.kills += hit
            self.say(f"kill {len(self.history.kills)}: {', '.join(hit)}, {blow.down:.1f} s")

    def _calm(self) -> None:
        recovered = self._recover()
        self._watch(CALM_SECONDS - (time.time() - recovered))
        self._check_web()
        self.history.calms.append(Calm(recovered, time.time()))

    def _recover(self) -> float:
        """Wait until the servers answer; when that was. Our own programs start meanwhile."""
        self.world.wait_for_servers()
        self.say("calm")
        return time.time()

    def _check_web(self) -> None:
        if not self.world.web_answers():
            self.history.faults.append("the web did not answer at the end of a calm")

    def _watch(self, seconds: float) -> None:
        """Let the time pass, and start again what ends by itself."""
        end = time.monotonic() + seconds
        while True:
            for ending in self.world.look_after():
                self.history.endings.append(ending)
                self.say(ending)
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, 0.25))
