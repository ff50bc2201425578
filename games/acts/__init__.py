"""What people do to games and about players: every act, by its name.

Each act is a module with two classes: a dataclass of what somebody has to tell it, and the act
itself, which says what it would do, and does it. Enter a new act below;
`games.queries.access.roles` says who may do it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.acts.base import Act, Done
from games.acts.co_gm import AddCoGM, RemoveCoGM
from games.acts.delete import Delete
from games.acts.disorder import Disorder
from games.acts.end import End
from games.acts.end_disorder import EndDisorder
from games.acts.excuse import Excuse
from games.acts.extend import Extend
from games.acts.extend_all import ExtendAll
from games.acts.game import GameAct
from games.acts.hand_over import HandOver
from games.acts.invite import Deny, Invite
from games.acts.let_in import LetIn
from games.acts.make_round import MakeRound
from games.acts.offer import Offer
from games.acts.pause import Pause
from games.acts.pause_all import PauseAll, ResumeAll
from games.acts.players.answer import Answer
from games.acts.players.ban import Ban
from games.acts.players.base import PlayerAct
from games.acts.players.erase import Erase
from games.acts.players.freeze_addresses import FreezeAddresses, UnfreezeAddresses
from games.acts.players.lift import Lift
from games.acts.players.merge import Merge
from games.acts.players.mute import Mute, Unmute
from games.acts.players.note import Note
from games.acts.players.pause_mail import PauseMail, ResumeMail
from games.acts.players.send_data import SendData
from games.acts.players.suspend import Suspend
from games.acts.players.write import WriteToPlayer
from games.acts.preview import Preview
from games.acts.process_now import ProcessNow
from games.acts.remind import Remind
from games.acts.remove_player import RemovePlayer
from games.acts.rename import Rename
from games.acts.replace import Replace
from games.acts.resume import Resume
from games.acts.rollback import Rollback
from games.acts.set_orders import SetOrders
from games.acts.settings import Settings
from games.acts.start import Start
from games.acts.turn_down import TurnDown
from games.acts.vacate import Vacate
from games.acts.write import Write

__all__ = ["GAME_ACTS", "PLAYER_ACTS", "Act", "Done", "GameAct", "PlayerAct"]

_ON_GAMES: tuple[GameAct[Any], ...] = (
    Start(),
    Remind(),
    Extend(),
    ExtendAll(),
    TurnDown(),
    Pause(),
    PauseAll(),
    Resume(),
    ResumeAll(),
    ProcessNow(),
    Preview(),
    SetOrders(),
    LetIn(),
    Invite(),
    Deny(),
    RemovePlayer(),
    Replace(),
    Vacate(),
    Offer(),
    Disorder(),
    EndDisorder(),
    Excuse(),
    Write(),
    Settings(),
    AddCoGM(),
    RemoveCoGM(),
    HandOver(),
    MakeRound(),
    Rename(),
    Rollback(),
    End(),
    Delete(),
)
_ABOUT_PLAYERS: tuple[PlayerAct[Any], ...] = (
    WriteToPlayer(),
    Answer(),
    Note(),
    Mute(),
    Unmute(),
    PauseMail(),
    ResumeMail(),
    FreezeAddresses(),
    UnfreezeAddresses(),
    Suspend(),
    Ban(),
    Lift(),
    Merge(),
    SendData(),
    Erase(),
)

GAME_ACTS: Mapping[str, GameAct[Any]] = {act.name: act for act in _ON_GAMES}
"""What a GM can do to a game, in the order in which a page offers it."""

PLAYER_ACTS: Mapping[str, PlayerAct[Any]] = {act.name: act for act in _ABOUT_PLAYERS}
"""What a moderator can do about a player."""
