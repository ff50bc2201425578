"""What a GM can order by mail: each command is a module, entered here."""

from __future__ import annotations

from mailer.commands.calls import SIGNOFF, Takes, Word
from mailer.commands.command import words_of
from mailer.commands.gm.approve import Approve, Refuse
from mailer.commands.gm.base import ActCommand, GmCommand
from mailer.commands.gm.disorder import Disorder
from mailer.commands.gm.end_disorder import EndDisorder
from mailer.commands.gm.excuse import Excuse
from mailer.commands.gm.extend import Extend
from mailer.commands.gm.finish import Finish
from mailer.commands.gm.help import Help
from mailer.commands.gm.history import History, Map
from mailer.commands.gm.invite import Deny, Invite
from mailer.commands.gm.log import Log
from mailer.commands.gm.offer import Offer
from mailer.commands.gm.pause import Pause
from mailer.commands.gm.preview import Preview
from mailer.commands.gm.process import Process
from mailer.commands.gm.remind import Remind
from mailer.commands.gm.replace import Replace
from mailer.commands.gm.resume import Resume
from mailer.commands.gm.rollback import Rollback
from mailer.commands.gm.set_orders import SetOrders
from mailer.commands.gm.start import Start
from mailer.commands.gm.status import Status
from mailer.commands.gm.vacate import Vacate
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
