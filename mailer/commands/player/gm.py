"""GM: what a game master writes by mail. Each command has a module in `mailer.commands.gm`."""

from __future__ import annotations

from collections.abc import Sequence

from games.errors import NotAllowed
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, Takes
from mailer.commands.gm import mail
from mailer.commands.receipt import NOT_UNDERSTOOD, Enclosures, Receipt, pictured_first
from mailer.identity.senders import Sender

NOT_A_GM = (
    "You are not the game master of a game here, so nothing was done about {}. To ask a game's GM "
    "for it, write PRESS TO GM and your text below it."
)


class Gm(PlayerCommand):
    name = mail.GM
    usage = "GM game command"
    summary = "for game masters: run your game"
    help = (
        "For the game master of a game. Write GM and a command, or GM and the game's name and the "
        "commands below it. In a reply to a mail that you got as the game master the commands "
        "alone are enough. We ask you to confirm what cannot be taken back, and what comes without "
        "proof.\n"
        "Example: GM EXTEND 24h because the mail server was down\n"
        "Example: GM marne HELP (shows all commands)"
    )
    takes = Takes.MAYBE
    has_body = True
    prose = True
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if sender.gm is None:
            if not call.lines:
                raise NotAllowed(NOT_A_GM.format("it"))
            return Receipt(
                title="GM and what is below it",
                text=NOT_A_GM.format("it or what is below it"),
                done=False,
                refused=f"NOT done: {call.written}",
                quotes=True,
            )
        game = mail.game_meant(call, sender.gm, arrival.now)
        done = mail.carry_out(call, sender.gm, arrival.now)
        return Receipt(
            title=f"Your commands for {game.name}",
            text="\n\n".join(f"{one.heading}:\n\n{one.text}" for one in done),
            done=all(one.done for one in done),
            subject=f"[{game.name}] {news(done, game.name)}",
            run=game,
            fault=next((one.fault for one in done if one.fault), ""),
            enclosed=Enclosures(pictured=pictured_first(done)),
        )


def news(receipts: Sequence[Receipt], game: str) -> str:
    """The outcome of the commands, for a subject: "NOT done: PAUSE (1 of 3 done)"."""
    refused = [one for one in receipts if not one.done]
    named = [one.title.removesuffix(f" in {game}") for one in refused or receipts]
    what = ", ".join(dict.fromkeys(named)).replace(NOT_UNDERSTOOD, "some lines")
    if not refused:
        return what
    done = len(receipts) - len(refused)
    return f"NOT done: {what}" + (f" ({done} of {len(receipts)} done)" if done else "")
