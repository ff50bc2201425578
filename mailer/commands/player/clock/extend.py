"""EXTEND: a player needs more time."""

from __future__ import annotations

import re

from games.errors import BadInput
from games.events import DeadlineMoved, ExtensionAsked
from games.models import Event
from games.queries.parsing.lengths import IN_WORDS, split_length
from games.queries.phases.corrections import moved_lately
from games.queries.reports.wording import local_moment
from games.services.clock.extensions import extension_ask, extension_like, extensions_left
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import SAID_AFTER, Call, QuestionMark, Takes
from mailer.commands.receipt import Receipt
from mailer.commands.seats import phase_title, require_not_over, seat_and_phase
from mailer.commands.texts.sentences import NO_CONDITION, zone_of
from mailer.identity.senders import Sender
from mailer.reading.patterns import says
from mailer.text import deadline

_NO_REASON = says(rf"(?:and )?({SAID_AFTER})[\s.!]*")
_CONDITION = says(
    r"(?:but )?(?:only )?(?:if|unless|provided)\b"
    r"(?! (?:at all )?(?:possible|i may|you (?:can|please|would)|(?:it|that)(?:['’]s| is)))"
)
"""The beginning of a condition; “if possible” is only polite."""
_NEEDLESS = r"(?:(?:the|this|our)\s+)?(?:deadline|phase|turn)\s+(?=by\b|for\b)"
"""What may stand between EXTEND and how long."""
_PLEASE = re.compile(r"(?:please|pls)\b[\s,.:;–-]*", re.IGNORECASE)
_BECAUSE = re.compile(r"because(?:\s+of)?\b\s*", re.IGNORECASE)


class Extend(PlayerCommand):
    name = "extend"
    usage = "EXTEND length reason"
    summary = "put off the deadline, or ask the game master to"
    help = (
        "In some games each player can put off a deadline a few times; in the others we pass your "
        "wish on to the game master. Everybody reads the reason. Once a deadline has moved, say "
        "READY again.\n"
        "Example: EXTEND 24h I am travelling until Tuesday night"
    )
    takes = Takes.SOMETHING
    asked = QuestionMark.ITSELF
    argument = re.compile(
        rf"(?:(?:{_NEEDLESS})?(?:(?:by|for)\s+)?(?:\d|{IN_WORDS}).*)?", re.IGNORECASE
    )
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, phase = seat_and_phase(sender)
        require_not_over(phase.game, "so there is no deadline to put off")
        length, why = _read_wish(call.argument, extension_like(phase.game, phase))
        lately = moved_lately(phase, arrival.now)
        event = extension_ask(seat=seat, phase=phase, length=length, why=why, now=arrival.now)
        phase.refresh_from_db()
        title = f"{seat.power.name}, {phase_title(phase)}"
        until = deadline(phase.due_at, zone_of(sender), arrival.now)
        if event.kind == ExtensionAsked.kind:
            text = (
                "We have asked the game master for more time. Until they decide, nothing changes."
            )
            return Receipt(
                title=f"More time asked for {title}",
                text=f"{text}\n{until}",
                subject=f"[{phase.game.name}] {phase_title(phase)}: more time asked for",
            )
        text = f"The deadline is put off, and everybody is told.\n{until}\n"
        text += _elsewhen(event, zone_of(sender)) + (lately and f"{lately}\n")
        text += _again(extensions_left(seat))
        return Receipt(title=f"Deadline put off for {title}", text=text)


def _elsewhen(event: Event, zone: str) -> str:
    """Why the new deadline is not the one asked for; "" if it is."""
    wished = DeadlineMoved.of(event).wished
    if wished is None:
        return ""
    asked = local_moment(wished, zone)
    return f"You asked for {asked}, but nothing is due in this game then.\n"


def _again(left: int) -> str:
    if not left:
        return "That was the last time you could do so in this game."
    return f"You can do so {'once more' if left == 1 else f'{left} more times'} in this game."


def _read_wish(text: str, like: str) -> tuple[str, str]:
    """How much more time the player asks for, and why.

    Raises BadInput if the length or the reason is missing, with an example that is `like` what they
    can ask for.
    """
    length, rest = split_length(re.sub(_NEEDLESS, "", text, count=1, flags=re.IGNORECASE))
    rest = _PLEASE.sub("", rest, count=1) if _PLEASE.match(rest) else rest
    if length and _CONDITION.match(rest):
        raise BadInput(NO_CONDITION)
    if rest.startswith("?"):
        raise BadInput(
            "You are asking, so we did nothing. If you need more time, write it without the "
            f"question mark, and why: everybody reads it. For example: EXTEND {like} I am "
            "travelling"
        )
    why = _BECAUSE.sub("", rest, count=1) if _BECAUSE.match(rest) else rest
    if length and (command := _NO_REASON.fullmatch(why)):
        raise BadInput(
            f"“{command[1]}” stands where everybody would read your reason, so neither is done. "
            f"Write why you need the time, and {command[1].upper()} on a line of its own."
        )
    if not (length and why):
        raise BadInput(
            "Please write how much more time you need, and why: everybody reads it. "
            f"For example: EXTEND {like} I am travelling"
        )
    return length, why
