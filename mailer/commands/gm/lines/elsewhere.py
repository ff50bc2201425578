"""Tells a game master what to write instead of a line that is not a command, or where to do it."""

from __future__ import annotations

from collections.abc import Mapping

from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.lines.plain_words import as_command
from mailer.commands.gm.lines.sentences import PAGE, wished_for
from mailer.commands.lines.spellings import as_one_word
from mailer.commands.lines.which_command import SHORTEST_MISSPELT, nearest_command
from mailer.reading.patterns import says

_DEADLINE = says(r"(?:(?:set|move)\s*(?:the )?|the )?deadline\b")
"""How njudge's game masters move a deadline."""
_TAKES_TIME_BACK = says(
    r"(?:cancel|undo|revoke|take back|shorten) (?:(?:the|my|this|that|last) )*"
    r"(?:extension|extra time|deadline)\b",
)
_ENDS_PAUSE = says(r"(?:cancel|undo|revoke|end|stop|lift) (?:(?:the|my|this) )*pause\b")
_SET_GRACE = says(r"^set\s*(?:the )?grace\b")
"""Words that give late players time after the deadline."""
_SENTENCES: Mapping[str, str] = {
    word: said
    for words, said in (
        ("rename delete settings look co-gm cogm deputy promote", PAGE),
        ("set", f"{PAGE} Map, rules, press, votes and scoring never change."),
        (
            "signon master",
            "You need not sign on, and there are no passwords: write the commands alone.",
        ),
        ("whogame players", "STATUS shows who plays."),
        ("missing silent", "STATUS shows who owes orders."),
        (
            "late grace",
            "STATUS shows who owes orders. All have the same deadline: EXTEND moves it for "
            "everybody, and once it has passed, EXCUSE excuses what came late or not at all.",
        ),
        (
            "who whois inquire dedication getdedication reliability",
            "STATUS shows who owes orders. The game's page in the admin shows who plays and how "
            "reliable they have been.",
        ),
        (
            "warn rebuke scold",
            "WRITE TO and a power writes to its player alone. About somebody who goes too far, "
            "write MODERATOR in a mail of its own.",
        ),
        (
            "message tell",
            "WRITE TO ALL, or WRITE TO and powers, sends the text on the lines below it.",
        ),
        (
            "handover hand resign successor transfer",
            "To have another GM, add a co-GM on the game's page in the admin, and choose Hand "
            "the game over there.",
        ),
        (
            "export download archive backup",
            "HISTORY and LOG show a game's record; whoever runs the server can export all of it.",
        ),
        (
            "score scores statistics stats",
            "The mail at the end of a game has its scores and its centres year by year. For a "
            "tournament's table, write TABLE and its name in a mail of its own.",
        ),
        ("end", "FINISH DRAW, FINISH WIN and a power, or FINISH NONE, and why, ends the game."),
        ("summary", "HISTORY shows the last phase, HISTORY F1901M another, MAP the board."),
        ("control", "REPLACE gives a power to a player, SETORDERS its orders for the open phase."),
        ("unstart form", "A game that has started cannot go back to that; FINISH ends it."),
        (
            "ban expel",
            "VACATE and a power, and why, takes it from its player. DENY and an address keeps "
            "somebody out of a game that has not started; the moderators decide who may play on "
            "this server.",
        ),
        (
            "add",
            "INVITE and addresses lets people join; REPLACE gives a power to a player you name. "
            "You add a co-GM or deputy on the game's page in the admin.",
        ),
        ("official", "WRITE TO ALL writes to all players in your name."),
        ("reveal", "Nobody sees all of the game before it is over; then everybody does."),
        ("rollforward", "PROCESS decides the phase that is played again."),
        (
            "vote votes draw concede",
            "STATUS shows what is voted on, and nobody learns who voted what; FINISH ends the "
            "game.",
        ),
        ("order orders", "SETORDERS gives a power's orders."),
        ("cancel abort", "FINISH NONE, and why, ends the game without a result."),
        (
            "remind nudge",
            "REMIND alone reminds everybody who still owes orders; WRITE TO and a power writes "
            "to one of them.",
        ),
        (
            "shorten",
            "You can make a deadline earlier only if you had put it off by mistake: write EXTEND "
            "TO, the right day and time, and why. PROCESS decides the phase now.",
        ),
        (
            "moderator table diary join create standby",
            "Write that in a mail of its own, not in a reply to a game master's mail.",
        ),
    )
    for word in words.split()
}
"""By the word that begins the line."""


def instead_of(text: str) -> str:
    """Say what to write instead of a line that is not a command, or ask which command was meant; ""
    if we do not know."""
    text = as_command(text)
    if not text.split():
        return ""
    if _ENDS_PAUSE.match(text):
        return ". RESUME lets the clock of a paused game run again."
    if _DEADLINE.match(text) or _TAKES_TIME_BACK.match(text):
        return ". To move the deadline, write EXTEND TO, the day and the time, and why."
    word = as_one_word(_SET_GRACE.sub("grace ", text, count=1)).split()[0].strip(".,:;!?")
    if said := _SENTENCES.get(word.lower()):
        return f". {said}"
    if said := wished_for(text):
        return f". {said}"
    if known := WORDS.get(word.lower()):
        command = COMMANDS.get(known.command)
        return f". Write it like this: {command.usage}" if command else ""
    near = nearest_command(word, (one for one in WORDS if len(one) >= SHORTEST_MISSPELT))
    return f". Did you mean {near.upper()}?" if near and len(word) >= SHORTEST_MISSPELT else ""
