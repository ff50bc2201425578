"""Words of the older judges (njudge, DPjudge) for things that work differently here, or that other
people do."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from games.models import Game, Player
from games.queries.access.run_by import has_run_any, names_run_by
from games.queries.reports.wording import listed
from mailer.commands import gm
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import AMEND, ORDERS, Call, QuestionMark, Takes
from mailer.commands.lines.which_command import command_of
from mailer.commands.own_settings.elsewhere import PROXIES
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender, about_another, seat_meant
from mailer.reading.quotes import Line

_FOR_GMS = (
    "That is for the game master. If you are one, reply to a mail that you got as the game master, "
    "or write GM and the game's name in front; GM HELP shows what you can do. If you are not, "
    "write to the game master: PRESS TO GM."
)
_FOR_THIS_GM = (
    "That is for the game master. You run {}: reply to a mail that you got as the game master, or "
    "write GM and the game's name in front, like GM {} {}"
)
_WITHOUT_GM = (
    "The game {} has no game master, and its players cannot do that. For the moderators, write "
    "MODERATOR on a line of its own, and your text below it."
)
_INVITE = " To invite people, forward our mail about your new game: the invitation is in it."
_PRIVATE = (
    "We give nobody's address away. The start mail and STATUS say who plays in your game, unless "
    "it is anonymous."
)
_PLAYERS = "To see who plays what, unless the game is anonymous, write STATUS and the game's name."
_HELP_ONLY = (
    "We have no files to send. RULES explains the game, MAP shows the board, HISTORY the last "
    "phase, and HELP everything you can write."
)
_ADDRESS = (
    "To be known under another address as well, write SET ADDRESS and that address: we ask there "
    "whether it is yours."
)
_RELIABILITY = (
    "STATUS shows how reliable you have been, and a game's page how its players have, unless it is "
    "anonymous. LOG shows what came in time and what did not."
)
_STORY = "HISTORY shows the last phase, HISTORY F1901M another one, MAP the board, STATUS the pace."

SENTENCES: Mapping[str, str] = {
    **dict.fromkeys(("get", "send"), _HELP_ONLY),
    **dict.fromkeys(("whois", "inquire"), _PRIVATE),
    "whogame": _PLAYERS,
    **dict.fromkeys(
        (
            "become",
            "process",
            "rollback",
            "rollforward",
            "unstart",
            "forcebegin",
            "predict",
            "preview",
            "eject",
            "promote",
            "pause",
            "suspend",
            "resume",
            "terminate",
            "activate",
            "form",
            "dummy",
            "revive",
            "official",
            "reveal",
            "control",
            "invite",
            "deny",
            "approve",
            "vacate",
            "setorders",
            "enddisorder",
            "rename",
        ),
        _FOR_GMS,
    ),
    "version": "This is neither njudge nor DPjudge. HELP shows everything that you can write here.",
    "iamalso": _ADDRESS,
    "summary": _STORY,
    "proxy": PROXIES,
    "postalpress": "We pass press on at once, not with the results: write PRESS TO and to whom.",
    **dict.fromkeys(("dedication", "getdedication"), _RELIABILITY),
}


class Legacy(PlayerCommand):
    name = "legacy"
    aliases: ClassVar[tuple[str, ...]] = tuple(SENTENCES)
    aliases_are = "These are such words"
    usage = "words of older judges"
    summary = "we say what to write here instead"
    help = "Most words of njudge and DPjudge work here, too; for the others we say what to do."
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    # "Process of elimination, I know" is no command: sentences are longer. Nor is "Send to Italy",
    # which heads a letter, nor "Invite code: k7m2p9ab", which belongs to JOIN.
    argument = re.compile(r"(?!(\S+\s+)*to\b|codes?\b)(\S+\s*){0,3}", re.IGNORECASE)

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        word = call.word.upper() or "That"
        text = SENTENCES.get(call.word, _FOR_GMS)
        if text == _FOR_GMS and (games := _games_run_by(sender, arrival.now)):
            text = _FOR_THIS_GM.format(listed(games), games[0], word)
        elif text == _FOR_GMS and (game := _game_meant(sender)) and game.gm_id is None:
            made = call.word == "invite" and game.maker == sender.player
            text = _WITHOUT_GM.format(game.name) + _INVITE * made
        refused = f"NOT done: {word}"
        return Receipt(title=f"About {word}", text=text, done=False, refused=refused)


def of_gms(calls: Iterable[Call], player: Player) -> Iterator[Call]:
    """The calls of a player's mail. If they run a game, a line that begins with a game master's
    command in capitals is no order: we answer it as a word for game masters."""
    for call in calls:
        theirs = [line for line in call.lines if call.command in (ORDERS, AMEND) and _is_gms(line)]
        if not theirs or not has_run_any(player):
            yield call
            continue
        yield from map(_of_gm, theirs)
        if orders := tuple(line for line in call.lines if line not in theirs):
            yield replace(call, lines=orders)


def _is_gms(line: Line) -> bool:
    return line.text.split()[0].isupper() and command_of(line.text, gm.WORDS) in gm.COMMANDS


def _of_gm(line: Line) -> Call:
    word, _, rest = line.text.partition(" ")
    return Call(Legacy.name, rest, line.number, word=word.strip(".,:;!?").lower())


def _game_meant(sender: Sender) -> Game | None:
    seat = seat_meant(sender)
    return seat.power.game if seat else about_another(sender)


def _games_run_by(sender: Sender, now: dt.datetime) -> list[str]:
    return names_run_by(sender.player, now) if sender.player else []
