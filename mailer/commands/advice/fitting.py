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
from mailer.reading.patterns import says

ADVICE = (*STAYING, *KNOWING, *VOTING, *ORDERING, *PLAYING)
"""All that players say; the first that fits is the answer, so the order matters."""
LOOKS = ("LIST", "MAP", "STATUS", "RULES", "ORDERS", "HISTORY", "HELP ORDERS")
"""Commands that change nothing: whoever seems to want one has it for a yes."""
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
        "READY",
    ),
    *("RETURN", "SAME", "HOLD ALL", "Waive"),
)
"""Commands about a game that the writer plays in."""


_ASKS_KINDLY = says(
    r"\W*(?:(?:please|hi|hello|sorry|and|but)\W+)*(?:(?:can|could|would|will)"
    " you (?:(?:please|maybe|also|just) )*(?:tell|remind) (?:me|us)|tell (?:me|us)"
    "|do you (?:happen to )?know|i(?:['’]d| would) (?:like|love) to know"
    "|i (?:just )?(?:want|wanted|need) to know|(?:i(?: a|['’])?m )?(?:just )?wondering"
    r"|any idea|may i ask)\s*[,:]? (?=(?:who|whose|what|when|where|which|how|whether|if)\b)",
)
"""What people say before a question: "Could you tell me who plays Germany?"."""


def fitting(text: str, known: Sequence[Advice]) -> Advice | None:
    """The advice for a line."""
    text = _ASKS_KINDLY.sub("", text, count=1) if _ASKS_KINDLY.match(text) else text
    for one in known:
        if one.words.match(text) if one.command == "YES" else one.words.search(text):
            return one
    abroad = next(asked_abroad(text), "")
    return next((one for one in reversed(known) if one.command == abroad), None)


def advised_command(text: str) -> str:
    """The command that answers what somebody says in conversation, "" if we know none."""
    fits = fitting(text, (*ADVICE, *NEWCOMERS))
    return fits.command if fits else ""
