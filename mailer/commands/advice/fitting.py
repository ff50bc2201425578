"""Finds the advice that fits what somebody says."""

from __future__ import annotations

from collections.abc import Sequence

from mailer.commands.advice.abroad import asked_abroad
from mailer.commands.advice.knowing import KNOWING
from mailer.commands.advice.newcomers import NEWCOMERS
from mailer.commands.advice.ordering import ORDERING
from mailer.commands.advice.playing import PLAYING
from mailer.commands.advice.row import Advice
from mailer.commands.advice.staying import STAYING
from mailer.commands.advice.voting import VOTING

ADVICE = (*STAYING, *KNOWING, *VOTING, *ORDERING, *PLAYING)
"""All that players say; the first that fits is the answer, so the order matters."""
LOOKS = ("LIST", "MAP", "STATUS", "RULES", "ORDERS", "HISTORY", "HELP ORDERS")
"""Commands that change nothing: whoever seems to want one has it for a yes."""
ABOUT_PLAY = (
    *("YES", "EXTEND", "RESIGN", "VOTE DRAW", "VOTE NO", "VOTE YES", "VOTE CONCEDE", "AMEND"),
    *("VOTE WITHDRAW", "PRESS", "PRESS TO GM", "WAIT"),
    *("CLEAR", "ORDERS", "STATUS", "MAP", "RULES", "HELP ORDERS", "HELP PHASE", "READY"),
    *("RETURN", "SAME", "HOLD ALL", "Waive"),
)
"""Commands about a game that the writer plays in."""


def fitting(text: str, known: Sequence[Advice]) -> Advice | None:
    """The advice for a line."""
    for one in known:
        if one.words.match(text) if one.command == "YES" else one.words.search(text):
            return one
    abroad = next(asked_abroad(text), "")
    return next((one for one in reversed(known) if one.command == abroad), None)


def advised_command(text: str) -> str:
    """The command that answers what somebody says in conversation, "" if we know none."""
    fits = fitting(text, (*ADVICE, *NEWCOMERS))
    return fits.command if fits else ""
