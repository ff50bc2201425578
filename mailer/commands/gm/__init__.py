"""What a GM can order by mail: one class for each command, listed here."""

from __future__ import annotations

from mailer.commands.calls import SIGNOFF, Takes, Word
from mailer.commands.command import words_of
from mailer.commands.gm.base import ActCommand, GmCommand
from mailer.commands.gm.clock.extend import Extend
from mailer.commands.gm.clock.finish import Finish
from mailer.commands.gm.clock.pause import Pause
from mailer.commands.gm.clock.process import Process
from mailer.commands.gm.clock.remind import Remind
from mailer.commands.gm.clock.resume import Resume
from mailer.commands.gm.clock.rollback import Rollback
from mailer.commands.gm.clock.start import Start
from mailer.commands.gm.help import Help
from mailer.commands.gm.seats.approve import Approve
from mailer.commands.gm.seats.disorder import Disorder
from mailer.commands.gm.seats.end_disorder import EndDisorder
from mailer.commands.gm.seats.excuse import Excuse
from mailer.commands.gm.seats.invite import Deny, Invite
from mailer.commands.gm.seats.offer import Offer
from mailer.commands.gm.seats.refuse import Refuse
from mailer.commands.gm.seats.remove import Remove
from mailer.commands.gm.seats.replace import Replace
from mailer.commands.gm.seats.set_orders import SetOrders
from mailer.commands.gm.seats.vacate import Vacate
from mailer.commands.gm.views.history import History, Map
from mailer.commands.gm.views.log import Log
from mailer.commands.gm.views.preview import Preview
from mailer.commands.gm.views.status import Status
from mailer.commands.gm.write import Write

__all__ = ["COMMANDS", "WORDS", "ActCommand", "GmCommand"]

_COMMANDS: tuple[GmCommand, ...] = (
    Approve(),
    Deny(),
    Disorder(),
    EndDisorder(),
    Excuse(),
    Extend(),
    Finish(),
    History(),
    Invite(),
    Log(),
    Map(),
    Offer(),
    Pause(),
    Preview(),
    Process(),
    Refuse(),
    Remind(),
    Remove(),
    Replace(),
    Resume(),
    Rollback(),
    SetOrders(),
    Start(),
    Status(),
    Vacate(),
    Write(),
)

COMMANDS: dict[str, GmCommand] = Help({one.name: one for one in _COMMANDS}).commands
"""Every command by its name."""

_SIGNOFF = Word(SIGNOFF, Takes.NOTHING)

WORDS: dict[str, Word] = {SIGNOFF: _SIGNOFF, "quit": _SIGNOFF} | words_of(COMMANDS.values())
"""Every word that begins a command of a GM, or ends the mail, in lower case."""
