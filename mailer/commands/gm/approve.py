"""APPROVE, REFUSE: somebody who asked to join is let in, or not."""

from __future__ import annotations

from typing import ClassVar

from games.acts import let_in
from games.errors import BadInput, NotFound
from games.models import Game
from games.queries.wording import did_you_mean, listed
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand, split_reason


class Approve(ActCommand[let_in.Parameters]):
    name = "approve"
    aliases: ClassVar[tuple[str, ...]] = ("admit", "accept", "let in")
    usage = "APPROVE player"
    summary = "let somebody in who asked to join"
    help = (
        "Name them as the mail about them does, or write their address; the name can be left out "
        "while only one waits. They have a place then, with the powers that they wished for. "
        "STATUS says who waits.\n"
        "Example: APPROVE Hugo"
    )
    act = let_in.LetIn()
    answer = let_in.YES

    def read(self, call: Call, game: Game) -> let_in.Parameters:
        return let_in.Parameters(who=waiting_key(game, call.argument), answer=self.answer)


class Refuse(Approve):
    name = "refuse"
    aliases = ("decline", "reject")
    usage = "REFUSE player"
    summary = "do not let somebody in who asked to join"
    help = (
        "They are told that they cannot join, but not why, and cannot ask again; INVITE and their "
        "address takes that back.\n"
        "Example: REFUSE Hugo"
    )
    answer = let_in.NO


def waiting_key(game: Game, text: str) -> str:
    """The key of the wish to join that is meant. Raises BadInput, NotFound."""
    waiting = let_in.waiting(game)
    names = [player.name for player, _ in waiting.values()]
    if not text:
        if len(waiting) == 1:
            return next(iter(waiting))
        who = listed(names) or "Nobody"
        raise BadInput(f"Please say whom. These wait: {who}.")
    for key, (player, row) in waiting.items():
        if text.strip(" ,.;").lower() in (player.name.lower(), row.email):
            return key
    name, why = split_reason(text)
    if why and name.lower() in map(str.lower, names):
        raise BadInput(f"Please write the name alone, {name}: no reason is passed on.")
    raise NotFound(f"“{text}” does not wait to be let in.{did_you_mean(text, names)}")
