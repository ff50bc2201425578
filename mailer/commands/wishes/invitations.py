"""The game that a mail's reader was invited to, and answers that say in plain words that they would
like to play."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db.models.functions import Lower

from games.events import PlayersInvited
from games.models import Game
from games.queries import lookup
from games.queries.parsing.game_names import is_elsewhere
from games.queries.players.places import places_of
from games.queries.players.seats import power_names
from mailer.commands.advice.newcomers import ANOTHER, NEWCOMERS
from mailer.commands.base import Arrival
from mailer.commands.lines.spoken_to import named_in
from mailer.commands.receipt import Wish
from mailer.commands.yes_and_no import begins_with_yes
from mailer.identity.senders import Proof, Sender
from mailer.models import OutboundMail
from mailer.reading.quotes import Line
from mailer.text import you_wrote

_WORD = re.compile(r"[\w-]+")
_JOINS = next(one.words for one in NEWCOMERS if one.command == "JOIN")
_RATHER_NOT = re.compile(
    r"n['’]t\b(?!\s+mind)|\b(?:never|no\s+(?:longer|time|more)|would\s+have|cannot|unable)\b"
    r"|(?<!why\s)\bnot\b(?!\s+(?:as|for|with)\b)",
    re.IGNORECASE,
)
"""Words of somebody who does not want to play: "I would not like to join verdun"."""
_BUT = re.compile(
    r"\b(?:(?:any\w*|all|everything)\s+but|(?<!why )not|except|without|other\s+than)\b",
    re.IGNORECASE,
)
"""Words before the powers that somebody does not want."""


def invited_to(arrival: Arrival, sender: Sender) -> Game | None:
    """The game of the invitation that this mail answers, unless its writer already has a place."""
    if sender.player is None or sender.proof is Proof.NONE:
        return None
    mails = OutboundMail.objects.filter(
        kind=PlayersInvited.kind, player=sender.player, message_id__in=arrival.answers
    ).select_related("event__game")
    mail = mails.order_by("-pk").first()
    game = mail.event.game if mail and mail.event else None
    return None if game in places_of(sender.player) else game


def yes_to_invitation(lines: Sequence[Line], arrival: Arrival, sender: Sender) -> Wish | None:
    """The JOIN that a line like "Yes please, I'd like Italy or Turkey" asks for in an answer to an
    invitation; None in any other mail."""
    line = next((one for one in lines if begins_with_yes(one.text)), None)
    game = invited_to(arrival, sender) if line else None
    if line is None or game is None:
        return None
    return _join(line, game)


def wish_to_join(lines: Sequence[Line]) -> Wish | None:
    """The JOIN that a line like "I would like to play in marne as France" asks for, if it names one
    game looking for players; None for any other lines, and for the page of another server."""
    wishes = (line for line in lines if _wishes(line.text))
    if (line := next(wishes, None)) is None:
        return None
    if any(map(is_elsewhere, line.text.split())):
        return None
    words = set(_WORD.findall(line.text.lower()))
    games = lookup.games_open().annotate(key=Lower("name")).filter(key__in=words)[:2]
    return _join(line, games[0]) if len(games) == 1 else None


def _wishes(text: str) -> bool:
    """Whether the writer of a line asks to play, not for somebody else, and not saying that they
    will not."""
    unwanted = _RATHER_NOT.search(text) or ANOTHER.search(text)
    return bool(_JOINS.search(text)) and not unwanted


def _join(line: Line, game: Game) -> Wish:
    """A JOIN to offer for a line that asks for it in other words."""
    script = f"JOIN {game.name} {_powers_in(line.text, game)}".strip()
    wrote = you_wrote(line.text)
    return Wish(
        script=script,
        offer=f"{wrote} Reply with the word YES, and we take it as “{script}”.",
        instead=f"{wrote} To take a seat, write: {script}",
        lines=frozenset({line.number}),
        news="NOT done yet: JOIN",
    )


def _powers_in(text: str, game: Game) -> str:
    """The powers that a sentence names, in the form that JOIN takes.

    "Or" makes them equally welcome, and "anything but" all the others.
    """
    names = power_names(game)
    liked, but, disliked = _BUT.sub("\n", text, count=1).partition("\n")
    powers = _names_in(liked, names)
    if but and not powers:
        refused = _names_in(disliked, names)
        return f"[{' or '.join(name for name in names if name not in refused)}]" if refused else ""
    equal = len(powers) > 1 and re.search(r"\bor\b", liked, re.IGNORECASE)
    return f"[{' or '.join(powers)}]" if equal else "; ".join(powers)


def _names_in(text: str, names: Sequence[str]) -> list[str]:
    found = re.findall(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text, re.IGNORECASE)
    return list(dict.fromkeys(name for one in found for name in named_in(one, names)))
