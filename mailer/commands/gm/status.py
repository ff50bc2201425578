"""STATUS, LOG and HELP for a GM: what he can see of his game, and what he can write."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from games import selectors
from games.board import phase_title
from games.chronicle import entries
from games.models import Game
from games.roles import plays_in
from mailer import gm
from mailer.gm.base import GmCommand, Look
from mailer.script import Call
from mailer.verbs.sentences import deadline


class Status(Look):
    name = "status"
    aliases: ClassVar[tuple[str, ...]] = ("game", "list")
    usage = "STATUS"
    summary = "see who plays, and who still owes orders"
    help = "It shows no orders."

    def show(self, call: Call, game: Game, now: dt.datetime) -> str:
        phase = selectors.open_phase(game)
        if phase is None:
            return f"The game {game.name} is {game.get_status_display()}."
        plays = game.gm is not None and plays_in(game.gm, game)
        silent = () if plays else selectors.missing_powers(phase)
        owing = selectors.powers_not_in(phase)
        players = selectors.players_for_gm(game)
        paused = game.status == Game.Status.PAUSED
        return "\n".join(
            [
                f"{game.name}: {phase_title(phase.name)}. "
                f"{deadline(phase.due_at, game.timezone, now, paused=paused)}",
                "",
                *(
                    f"{power}: {players.get(power, 'nobody')}. {_state(power, silent, owing)}"
                    for power in selectors.game_summary(game).powers
                ),
            ]
        )


def _state(power: str, silent: tuple[str, ...], owing: tuple[str, ...]) -> str:
    if power in silent:
        return "Nothing has come yet."
    return "Orders are missing." if power in owing else "Owes nothing."


class Log(Look):
    name = "log"
    usage = "LOG"
    summary = "see every act of players, GM and server"
    help = "The same log that players get."

    def show(self, call: Call, game: Game, now: dt.datetime) -> str:
        lines = [
            f"- {one.number}. {one.at}: {one.sentence} [{one.digest}]" for one in entries(game)
        ]
        return "\n".join([f"The log of the game {game.name}:", "", *lines])


class Help(Look):
    name = "help"
    usage = "HELP [command]"
    summary = "see what a game master can write"
    help = "Write HELP and a command for what there is to know about it."

    def show(self, call: Call, game: Game, now: dt.datetime) -> str:
        word = gm.WORDS.get(call.argument.strip(" .!?").lower())
        command = gm.COMMANDS.get(word.verb) if word else None
        return explanation(command) if command else overview()


def overview() -> str:
    """Every command of a GM, one entry each."""
    return "\n".join(
        [
            "A game master can write these commands, one on a line, in a reply to a mail that he "
            "got as the game master, or anywhere else below a line GM and the game's name:",
            "",
            *(f"- {one.usage}: {one.summary}." for _, one in sorted(gm.COMMANDS.items())),
            "",
            "What cannot be taken back is asked first. To know more about one, write HELP and its "
            "first word.",
        ]
    )


def explanation(command: GmCommand) -> str:
    """One command explained."""
    summary = command.summary[:1].upper() + command.summary[1:]
    return f"Write: {command.usage}\n\n{summary}. {command.help}"
