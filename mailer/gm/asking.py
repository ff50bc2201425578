"""Which commands of a GM are done at once, and which are asked back first.

Done at once is what does not last, and comes by a reply to a mail that only the GM got, or from an
address for which its domain stands up. All else waits: a question says what would happen, and
goes to the GM's own address.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from games.acts.game import stamp
from games.errors import GameError
from games.models import Game
from games.services.common import locked
from mailer.gm.base import Look
from mailer.gm.errands import Errand, Outcome, carried_out, errands_of, foreseen, game_meant
from mailer.identity import Proof, Sender
from mailer.models import ReplyToken
from mailer.script import Call

MIXED = (
    "This has to be confirmed first. Please send it in a mail of its own, without commands that "
    "are not for the game master."
)
NOTHING = "There is no command in your mail. HELP shows what a game master can write."
STRAY = "Nothing was done about these lines. HELP shows what a game master can write."


def game_of(call: Call, sender: Sender) -> Game:
    """The game that the commands are for. Raises GameError."""
    return sender.as_gm or _meant(call, sender)[0]


def outcomes(call: Call, sender: Sender, now: dt.datetime) -> list[Outcome]:
    """What became of each command; those that have to be asked back are refused here."""
    errands, stray = _errands(call, sender)
    sure = sender.proof is Proof.CONFIRMED
    late = [one for one in errands if not sure and needs_question(one, sender)]
    done = carried_out([one for one in errands if one not in late], now)
    refused = [
        replace(one, lines=(MIXED,), done=False) if one.done else one for one in foreseen(late, now)
    ]
    unread = [Outcome("Not understood", (STRAY, "", *_quoted(stray)), done=False)] if stray else []
    return [*done, *refused, *unread] or [Outcome("Nothing to do", (NOTHING,), done=False)]


def to_ask(calls: Sequence[Call], sender: Sender, now: dt.datetime) -> list[Outcome]:
    """What a mail would bring that has to be asked back; empty when nothing has to be.

    A mail with other commands besides is not asked about as a whole: see MIXED.
    """
    if sender.user is None or sender.held or [call.verb for call in calls] != ["gm"]:
        return []
    try:
        errands, _ = _errands(calls[0], sender)
    except GameError:
        return []
    if not any(needs_question(one, sender) for one in errands):
        return []
    expected = foreseen(errands, now)
    return expected if any(one.done for one in expected) else []


def named(calls: Sequence[Call], sender: Sender) -> list[str]:
    """The commands of a mail that is held, by their names: nothing of what stands behind them."""
    if [call.verb for call in calls] != ["gm"]:
        return []
    errands, _ = _errands(calls[0], sender)
    return [f"the command {one.command.name.upper()}" for one in errands]


def needs_question(one: Errand, sender: Sender) -> bool:
    """Whether this has to be asked back before it is done."""
    if isinstance(one.command, Look):
        return False
    to_gm = sender.as_gm == one.game and sender.proof is Proof.TOKEN
    return one.grave or not (to_gm or sender.proof is Proof.AUTHENTICATED)


def _errands(call: Call, sender: Sender) -> tuple[list[Errand], list[str]]:
    assert sender.user, "only a game master's mail has such errands"
    game, first = (sender.as_gm, call.argument) if sender.as_gm else _meant(call, sender)
    return errands_of(call, game, first, sender.user)


def _meant(call: Call, sender: Sender) -> tuple[Game, str]:
    assert sender.user, "only a game master's mail has such errands"
    return game_meant(call, sender.user, sender.subject)


def _quoted(lines: Sequence[str]) -> list[str]:
    return [f'- You wrote "{text}"' for text in lines[:5]]


def stamp_of(game: Game) -> str:
    """A digest of how the game stands: who plays, which phase is open and until when."""
    return stamp(game)


def is_stale(asked: ReplyToken) -> bool:
    """Whether the game stands otherwise than when its GM was asked: another phase, or deadline.

    The game's row is locked from here on, so that it stays as it is.
    """
    assert asked.game, "a game master's token belongs to a game"
    return stamp_of(locked(asked.game)) != asked.stamp
