"""Finds the advice that fits what somebody says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mailer.commands.advice.abroad import asked_abroad
from mailer.commands.advice.knowing import KNOWING
from mailer.commands.advice.newcomers import NEWCOMERS
from mailer.commands.advice.ordering import ORDERING
from mailer.commands.advice.other_players import OTHER_PLAYERS
from mailer.commands.advice.playing import PLAYING
from mailer.commands.advice.row import Advice
from mailer.commands.advice.sent_orders import SENT_ORDERS
from mailer.commands.advice.staying import STAYING
from mailer.commands.advice.voting import VOTING
from mailer.reading.patterns import says

ADVICE = (
    *OTHER_PLAYERS,
    *SENT_ORDERS,
    *STAYING,
    *KNOWING,
    *VOTING,
    *ORDERING,
    *PLAYING,
)
"""All that players say. Order matters: the first row that fits gives the answer."""
LOOKS = ("LIST", "MAP", "STATUS", "RULES", "ORDERS", "HISTORY", "HELP ORDERS")
"""Commands that change nothing: anybody who seems to want one can have it with a YES."""
ABOUT_PLAY = (
    *("YES", "EXTEND", "RESIGN", "VOTE DRAW", "VOTE NO", "VOTE YES", "VOTE CONCEDE", "AMEND"),
    *("VOTE WITHDRAW", "PRESS", "PRESS TO GM", "WAIT"),
    *(
        "CLEAR",
        "ORDERS",
        "STATUS",
        "MAP",
        "RULES",
        "HELP ORDERS",
        "HELP JOIN",
        "HELP PHASE",
        "HELP WHATIF",
        "READY",
    ),
    *("RETURN", "SAME", "HOLD ALL", "Waive"),
)
"""Commands that only make sense in a game the writer plays in."""


_ASKS_KINDLY = says(
    r"\W*(?:(?:please|hi|hello|sorry|and|but)\W+)*(?:(?:can|could|would|will)"
    " you (?:(?:please|maybe|also|just) )*(?:tell|remind) (?:me|us)|tell (?:me|us)"
    "|do you (?:happen to )?know|i(?:['’]d| would) (?:like|love) to know"
    "|i (?:just )?(?:want|wanted|need) to know|(?:i(?: a|['’])?m )?(?:just )?wondering"
    r"|any idea|may i ask)\s*[,:]? (?=(?:who|whose|what|when|where|which|how|whether|if)\b)",
)
"""What people say before a question: "Could you tell me who plays Germany?"."""


def fitting(text: str, known: Sequence[Advice]) -> Advice | None:
    """The first advice that fits a line."""
    text = _what_is_asked(text)
    for one in known:
        if one.words.match(text) if one.command == "YES" else one.words.search(text):
            return one
    abroad = next(asked_abroad(text), "")
    return next((one for one in reversed(known) if one.command == abroad), None)


def _what_is_asked(text: str) -> str:
    return _ASKS_KINDLY.sub("", text, count=1) if _ASKS_KINDLY.match(text) else text


def advised_command(text: str) -> str:
    """The command that answers a remark, "" if we know of none."""
    fits = fitting(text, (*ADVICE, *NEWCOMERS))
    return fits.command if fits else ""


def is_advised(command: str, text: str) -> bool:
    """Whether this is the command that answers a remark.

    The command's own advice is tried first: few lines fit it, and trying all the advice on every
    order line took a tenth of the mail's time.
    """
    asked = _what_is_asked(text)
    may_be = any(one.words.search(asked) for one in _advice_to(command))
    return (may_be or command in asked_abroad(asked)) and advised_command(text) == command


@cache
def _advice_to(command: str) -> Sequence[Advice]:
    return [one for one in (*ADVICE, *NEWCOMERS) if one.command == command]
