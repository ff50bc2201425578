"""Texts that moderators need again and again. The mail greets the player before them.

A reply goes to the moderators, and commands in it are not carried out, so no text asks for one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated

from games.acts.parameters import Ask
from games.models import Player

READY: Mapping[str, tuple[str, str]] = {
    "missed": (
        "Orders have not come for some time",
        "No orders have come from you for some time, and others wait for you. Is something wrong? "
        "If you need a break, reply and say for how long; if you would rather stop, say so, and we "
        "will find somebody to take over.",
    ),
    "bounces": (
        "Our mails do not reach an address",
        "Mails to one of your addresses come back to us. Please give us one that works: "
        "write a new mail, not a reply to this one, with the line SET ADDRESS and the address.",
    ),
    "tone": (
        "The tone of a letter",
        "A letter of yours was reported to us. Lie, threaten and betray on the board "
        "as you like; insults to the person behind a power have no place here. Please stop.",
    ),
    "double": (
        "One person, one account",
        "It looks as if you play under more than one account. Everybody here has "
        "one. If we are wrong, for example because a friend shares your computer, just say so; if "
        "not, tell us which one you want to keep.",
    ),
    "thanks": (
        "Thanks for stepping in",
        "Thank you for taking over a seat. That keeps a game alive for six others.",
    ),
}


def ready_texts(player: Player, now: dt.datetime) -> Mapping[str, str]:
    """Return the titles of the texts by their keys, an empty one first."""
    return {"": "None", **{key: title for key, (title, _) in READY.items()}}


ReadyText = Annotated[
    str,
    Ask("A ready text", "It stands first; what you write yourself follows.", choices=ready_texts),
]
"""The key of a text to begin with, "" for none."""


def text_of(key: str, own: str) -> str:
    """Return the ready text, followed by what the moderator wrote."""
    ready = READY[key][1] if key in READY else ""
    return "\n\n".join(filter(None, [ready, own.strip()]))
