"""ROLLBACK: a game goes back to an earlier phase."""

from __future__ import annotations

import re
from contextlib import suppress

from games.acts import rollback
from games.errors import BadInput
from games.models import Game, Phase
from games.queries import board
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import is_reason, split_reason

_KEEP_ORDERS = re.compile(r"[\s,]*\b(?:and\s+)?keep(?:ing)?\s+(?:the\s+)?orders\b[\s,]*", re.I)
_KEEPS = re.compile(r"\bkeep", re.IGNORECASE)
_TO = re.compile(r"(?:(?:the\s+game|back|us)\s+)*(?:back\s+)?to\s+(?:the\s+)?", re.IGNORECASE)
_LAST = re.compile(
    r"(?:the\s+)?(?:last|previous)\s+(?:turn|phase|season|round|moves?|adjudication|processing)",
    re.IGNORECASE,
)
_LONGEST_PHASE = 3
"""How many words name a phase: "Fall 1902 movement"."""


class Rollback(ActCommand[rollback.Parameters]):
    name = "rollback"
    aliases = ("undo",)
    usage = "ROLLBACK phase [KEEP ORDERS] because reason"
    summary = "play again from the start of an earlier phase"
    help = (
        "Everybody has to send new orders. With KEEP ORDERS, those that stood count again until "
        "somebody replaces them: correct those of one power with SETORDERS, then write PROCESS. "
        "We keep what is undone, and everybody is told the reason. We ask you to confirm it "
        "first.\n"
        "Example: ROLLBACK F1902M because orders of Italy and Turkey were lost\n"
        "Example: ROLLBACK F1902M KEEP ORDERS because an order of Italy was misread"
    )
    act = rollback.Rollback()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> rollback.Parameters:
        said, why = split_reason(_TO.sub("", call.argument, count=1))
        if not why and (found := _phase_and_rest(said)):
            return found
        phase, kept = _KEEP_ORDERS.subn(" ", said)
        if not phase.strip():
            raise BadInput("Say which phase to go back to, for example: ROLLBACK F1902M because …")
        named = _last(game) if _LAST.fullmatch(phase.strip()) else board.phase_named(phase)
        return rollback.Parameters(phase=named, keep_orders=bool(kept), why=why)


def _last(game: Game) -> str:
    """The name of the phase processed last. Raises BadInput before the first."""
    found = game.phases.filter(status=Phase.Status.PROCESSED).order_by("number").last()
    if found is None:
        raise BadInput("No phase has been processed, so there is nothing to go back to.")
    return found.name


def _phase_and_rest(text: str) -> rollback.Parameters | None:
    """The parts of a text that begins with a phase, perhaps KEEP ORDERS, and a reason without the
    word "because"; None for any other text, or if it mentions keeping orders further on."""
    words = text.split()
    for end in range(min(_LONGEST_PHASE, len(words) - 1), 0, -1):
        with suppress(BadInput):
            named = board.phase_named(" ".join(words[:end]).rstrip(",;"))
            rest = " ".join(words[end:])
            keeps = _KEEP_ORDERS.match(rest)
            why = rest[keeps.end() :] if keeps else rest
            if _KEEPS.search(why) or not is_reason(why):
                return None
            return rollback.Parameters(phase=named, keep_orders=bool(keeps), why=why)
    return None
