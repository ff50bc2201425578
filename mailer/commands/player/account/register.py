"""REGISTER: an address becomes a player's, once they have confirmed it."""

from __future__ import annotations

import re

from games.errors import WrongState
from games.services.accounts.players import player_register
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, Takes
from mailer.commands.receipt import Claim, Receipt
from mailer.identity.senders import Sender

_BEFORE = re.compile(
    r"(?:(?:please|me|myself|as|(?:my\s+)?name(?:\s+is)?|i\s+am|i['’]m)(?!\w)[\s,:]*)+",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?<![\s,])[\s,]+please\W*$", re.IGNORECASE)


_PLACEHOLDER = "your name"
"""What invitations have in place of the name; some people send it unchanged."""


_NO_NAME = re.compile(
    r"(?:to|and|for)(?:\s+(?:join|play|be|the|a|this|game)\b.*)?\W*", re.IGNORECASE
)
"""A wish without a name: "Register to join marne"."""


def name_in(text: str) -> str:
    """The name to register: of "me as Ana Smith, please", the middle."""
    if text.strip(" .!").lower() == _PLACEHOLDER:
        return ""
    name = _AFTER.sub("", _BEFORE.sub("", text.strip(), count=1) if _BEFORE.match(text) else text)
    return "" if _NO_NAME.fullmatch(name.strip()) else name


class Register(PlayerCommand):
    name = "register"
    aliases = ("signup",)
    usage = "REGISTER your name"
    summary = "become a player under the address you write from"
    help = (
        "Write REGISTER and the name you want to be known by. We answer with a question; as soon "
        "as you reply to it, the address is yours and you can join games."
    )
    takes = Takes.MAYBE
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if sender.player is not None:
            raise WrongState(
                f"You are already registered, as {sender.player.name}. Write LIST to see the "
                "games you can join."
            )
        address = player_register(name=name_in(call.argument), email=sender.email, now=arrival.now)
        return Receipt(
            title="Please confirm your address",
            text=(
                f"Somebody, most likely you, has registered as {address.player.name} under the "
                f"address {address.email}, to play Diplomacy by mail.\n"
                "\n"
                "If that is right, just reply to this mail; an empty reply will do. If it is "
                "not, do nothing: without a reply nothing happens, and you will not hear from "
                "us again."
            ),
            subject="Please confirm your address",
            claim=Claim(address),
        )
