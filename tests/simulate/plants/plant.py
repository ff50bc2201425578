"""What a fault is that is put in on purpose, and how it is found."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from unittest import mock

from tests.simulate.checks.mails.rehearsal import ONE_IN

Patch = contextlib.AbstractContextManager[object]


@dataclass(frozen=True)
class Plant:
    """A fault, and a part of the sentence with which it is found."""

    put: Callable[[], Patch]
    found_as: str
    hour: float = 5.0
    """When it is put in, after so many hours of a seed."""
    seed: int = 1
    """A seed that finds it soon; any other does, too, given time."""
    days: float = 1.5
    """How long it is looked for, before all comes to rest."""
    in_every_run: bool = True
    """Whether `make test` shows that it is found; the others take longer."""
    hurries: str = ""
    """What happens within hours, and seldom else: an act of the moderator, a `restore`, a game that
    is made by mail (`found`, `private`), rounds of a tournament (`rounds`), one of whose games ends
    after a seat changed hands (`table`), a phase that begins again without its orders or with them
    (`undo`, `keep`), a mail in the GM's name (`forge`), or one of theirs that cannot be done
    (`mistake`), a clock that jumps (`clock`), a deadline that is taken back (`slip`), a `pause`
    with another end, a game that is handed over (`hand_over`), a seat that opens where the GM lets
    people in (`ask`), orders that all players change in words (`change`), addresses that a
    moderator freezes (`freeze`), somebody who plays and takes over (`second`), an answer to a mail
    that was forwarded (`forward`), or to our question about it (`yes_of_another`), somebody who
    gets another address (`move`), a deadline that the GM moves (`extend`) or a player (`put_off`),
    a `vote` in which one is silent, a `draw` that the GM decides, press of some kind
    (`hurries.PRESS`) or at a deadline's very minute (`at_the_end`), programs that answer all mails
    (`robots`), a mailbox that shows every mail late (`slow`), somebody's mailbox that is `full` or
    `gone`, a `disk` that is, orders that all choose on the `page`, a server that is `halt`ed over a
    deadline, a `deputy` for two hours, an operator's `look`, `settings` that change, a seat whose
    player has `left`, an `absence` of all players or one that they take back (`absence_off`),
    somebody who writes though a moderator has them `mute`, or would take a seat though one has them
    `suspend`ed, a tournament whose games are all extended, paused, or paused and resumed, in one go
    (`extend_all`, `pause_all`, `resume_all`), a clock over a change of summer time (`clock_time`),
    two accounts that are `one_person`'s, a game that is played again when it was `over`, somebody
    who asks for their `calendar` or an `export` of their data, a visitor who `read`s pages,
    somebody who votes after a ban (`ban_and_vote`) or is kept out of a game (`keep_out`), a GM who
    says YES too late (`late_yes`), two who do the `opposite`, a `second_worker` or the GM
    (`extend_meanwhile`, `pause_meanwhile`) that comes between a worker and its decision, or mails
    to many that nobody wants (`unwanted`)."""
    one_in: int = ONE_IN
    """Of so many mails one is rehearsed (rehearsal.py)."""


def instead(where: str, what: object) -> Callable[[], Patch]:
    """Put something in the place of a function while a seed is simulated."""
    return lambda: mock.patch(where, what)
