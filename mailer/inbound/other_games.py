"""A mail that went to the reply addresses of several games is for one of them: we say for which."""

from __future__ import annotations

from collections.abc import Sequence

from games.queries.seats import PLAYED
from mailer.commands.receipt import Receipt
from mailer.identity.senders import SeatHolder, Sender
from mailer.models import ReplyToken
from mailer.text import listed


def not_for(sender: Sender, tokens: Sequence[ReplyToken]) -> list[Receipt]:
    """What there is to say of the other games whose reply addresses a mail names; `tokens` are all
    that it names."""
    if not isinstance(sender, SeatHolder):
        return []
    meant = sender.seat.power.game
    seats = [row.seat for row in tokens if row.seat and row.seat.until is None]
    own = [seat.power.game for seat in seats if seat.player_id == sender.player.pk]
    games = sorted({one.name for one in own if one.status in PLAYED} - {meant.name})
    if not games:
        return []
    names = listed(games)
    text = (
        f"Your mail also went to our reply address for {names}. A mail is for one game, and this "
        f"one was for {meant.name}, so nothing was done in {names}. Please send it there by itself."
    )
    return [Receipt(f"Not for {names}", text, done=False, refused=f"NOT done: the same in {names}")]
