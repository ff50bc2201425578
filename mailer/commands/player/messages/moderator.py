"""MODERATOR: a question to the people who keep this server's games alive."""

from __future__ import annotations

import datetime as dt

from games.errors import BadInput, GameError
from games.models import Player
from games.queries.access.anonymity import names_shown
from games.services.moderation.conduct import moderators_ask
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.player.messages.press import with_stray_order
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender, seat_meant
from mailer.letter import text_of
from mailer.text import quoted_text


class Moderator(PlayerCommand):
    name = "moderator"
    usage = "MODERATOR"
    summary = "ask the moderators something, or report a problem"
    help = (
        "Write MODERATOR on a line of its own, and your text on the lines below it; END closes it. "
        "It is for what the game master of your game cannot help with: a game without a game "
        "master that stands still, a player who plays under two names, a suspension. Only the "
        "moderators read it; they answer by mail. If you reply to a mail about your game, they see "
        "which game it is, unless it is anonymous: then name it yourself if it matters. They do "
        "not see what your mail quotes, so copy any letter that you complain about into your text."
    )
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    has_body = True
    prose = True
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        text = "\n".join(filter(None, [call.argument, text_of(call.lines)]))
        if not text.strip(" .!?"):
            raise BadInput("Please write your question on the lines below MODERATOR.")
        _ask(text, sender, arrival.now)
        receipt = Receipt(
            title="Passed on to the moderators",
            text="The moderators have your letter now, and will answer by mail. It says:\n\n"
            f"{quoted_text(text)}",
            subject="Passed on to the moderators",
        )
        return with_stray_order(receipt, call, "below a line END, or in a mail without MODERATOR")


def pass_on_unanswered(call: Call, sender: Sender, why: str, now: dt.datetime) -> bool:
    """Pass on an answer to the moderators that a program may have written, with `why` as half a
    sentence, and answer nobody; return whether they have it."""
    said = f"(A program may have written this: {why}. So we have not answered it.)"
    try:
        _ask(f"{text_of(call.lines)}\n\n{said}", sender, now)
    except GameError:  # too many or too long, as a program's may be
        return False
    return True


def _ask(text: str, sender: Sender, now: dt.datetime) -> None:
    player = player_of(sender)
    whole = f"{text}{_about(sender)}{_from_where(player, sender)}"
    moderators_ask(player=player, text=whole, now=now)


def _from_where(player: Player, sender: Sender) -> str:
    """The address a letter came from, for moderators who check who has which; "" if they do not."""
    return f"\n\n(Sent from {sender.email}.)" if player.addresses_frozen_at else ""


def _about(sender: Sender) -> str:
    """Which game a letter is about, so that moderators need not ask; "" in anonymous games, because
    one of them may later take a seat there and still read the file."""
    seat = seat_meant(sender)
    if seat is None or not names_shown(seat.power.game):
        return ""
    return f"\n\n(Sent in reply to a mail about the game {seat.power.game.name}.)"
