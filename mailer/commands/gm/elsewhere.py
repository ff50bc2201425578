"""Lines of a game master's mail that are not commands: what to write, or where to do it instead."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.plain_words import as_command
from mailer.commands.spellings import as_one_word
from mailer.commands.which_command import (
    LONGEST_LINE,
    SHORTEST_MISSPELT,
    nearest_command,
)

_DEADLINE = re.compile(r"(?:(?:set|move)\s*(?:the\s+)?|the\s+)?deadline\b", re.I)
"""How masters of njudge move a deadline."""
_PAGE = "That is done on the game's page in the admin."
_SENTENCES: Mapping[str, str] = {
    **dict.fromkeys(
        ("rename", "delete", "settings", "look", "co-gm", "cogm", "deputy", "promote"), _PAGE
    ),
    "set": f"{_PAGE} Map, rules, press, votes and scoring never change.",
    **dict.fromkeys(
        ("signon", "master"),
        "You need not sign on, and there are no passwords: write the commands alone.",
    ),
    **dict.fromkeys(("whogame", "players"), "STATUS shows who plays."),
    **dict.fromkeys(("missing", "silent"), "STATUS shows who owes orders."),
    **dict.fromkeys(
        ("late", "grace"),
        "STATUS shows who owes orders. All have the same deadline: EXTEND moves it for everybody, "
        "and once it has passed, EXCUSE excuses what came late or not at all.",
    ),
    **dict.fromkeys(
        ("who", "whois", "inquire", "dedication", "getdedication", "reliability"),
        "STATUS shows who owes orders. The game's page in the admin shows who plays and how "
        "reliable they have been.",
    ),
    **dict.fromkeys(
        ("warn", "rebuke", "scold"),
        "WRITE TO and a power writes to its player alone. About somebody who goes too far, write "
        "MODERATOR in a mail of its own.",
    ),
    **dict.fromkeys(
        ("message", "tell"),
        "WRITE TO ALL, or WRITE TO and powers, sends the text on the lines below it.",
    ),
    **dict.fromkeys(
        ("handover", "hand", "resign", "successor", "transfer"),
        "To have another GM, add a co-GM on the game's page in the admin, and choose Hand the game "
        "over there.",
    ),
    **dict.fromkeys(
        ("export", "download", "archive", "backup"),
        "HISTORY and LOG show a game's record; whoever runs the server can export all of it.",
    ),
    **dict.fromkeys(
        ("score", "scores", "statistics", "stats"),
        "The mail at the end of a game has its scores and its centres year by year. For a "
        "tournament's table, write TABLE and its name in a mail of its own.",
    ),
    "end": "FINISH DRAW, FINISH WIN and a power, or FINISH NONE, and why, ends the game.",
    "summary": "HISTORY shows the last phase, HISTORY F1901M another, MAP the board.",
    "control": "REPLACE gives a power to a player, SETORDERS its orders for the open phase.",
    **dict.fromkeys(
        ("unstart", "form"), "A game that has started cannot go back to that; FINISH ends it."
    ),
    "ban": "DENY and an address keeps somebody out of a game that has not started; the moderators "
    "decide who may play on this server.",
    "add": "INVITE and addresses lets people join; REPLACE gives a power to a player you name. You "
    "add a co-GM or deputy on the game's page in the admin.",
    "official": "WRITE TO ALL writes to all players in your name.",
    "reveal": "Once the game is over everybody sees all of it, and not before.",
    "rollforward": "PROCESS decides the phase that is played again.",
    **dict.fromkeys(
        ("vote", "votes", "draw", "concede"),
        "STATUS shows what is voted on, and nobody learns who voted what; FINISH ends the game.",
    ),
    **dict.fromkeys(("order", "orders"), "SETORDERS gives a power's orders."),
    **dict.fromkeys(("cancel", "abort"), "FINISH NONE, and why, ends the game without a result."),
    **dict.fromkeys(
        ("remind", "nudge"),
        "REMIND alone reminds everybody who still owes orders; WRITE TO and a power writes to one "
        "of them.",
    ),
    "shorten": "A deadline becomes earlier only if you had put it off by mistake: write EXTEND "
    "TO, the right day and time, and why. PROCESS decides the phase now.",
    **dict.fromkeys(
        ("moderator", "table", "diary", "join", "create", "standby"),
        "Write that in a mail of its own, not in a reply to a game master's mail.",
    ),
}
"""By the word that begins the line."""

_SECRET = (
    "Orders and press stay secret until the phase is over: STATUS shows who has sent orders, "
    "HISTORY the last phase."
)
_DEADLINE_MOVES = (
    "To move the deadline for everybody, write EXTEND 24h because, and why; or EXTEND TO, a day "
    "and a time, and why. How long phases last is set on the game's page in the admin."
)
_NEW_PLAYER = (
    "VACATE and a power, and why, opens its seat and offers it to the standby list; REPLACE France "
    "BY, a player's name or address, and why, gives it to somebody you know."
)
_WISHES: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(rf"\b(?:{words})", re.IGNORECASE), said)
    for words, said in (
        (
            r"(?<!.)(?:(?:please|but)\s+)*(?:do\s+not|don['’]t|never)\b",
            "We do nothing that no line asks for, but the clock runs on: PAUSE and why stops it.",
        ),
        (r"what\s+did\b.*\b(?:order|write|say)\b|show\b.*\b(?:orders|press)\b", _SECRET),
        (
            r"(?:co-?gm|deputy|run\s+(?:the|this|my)\s+game|new\s+(?:gm|game\s*master)"
            r"|(?:be|being)\s+(?:the\s+)?(?:gm|game\s*master))\b|i\b.{0,15}\baway\b",
            "To have somebody else run the game, for your holidays or for good, choose Add a co-GM "
            "or deputy on the game's page in the admin. PAUSE and why stops the clock.",
        ),
        (
            r"(?:stop|close|end|finish)\s+(?:the|this)\s+game|(?:has|have)\s+won\b|\w+\s+won\b"
            r"|declare\b.*\b(?:win|draw|victory)|call\s+it\s+a\s+draw",
            "FINISH DRAW, FINISH WIN and a power, or FINISH NONE, and why, ends the game; PAUSE "
            "and why only stops its clock until RESUME.",
        ),
        (
            r"(?:deadlines?|extend|extensions?|more\s+time|(?:hours?|days?)\s+(?:more|longer|later)"
            r"|(?:turns?|phases?|rounds?)\s+\d+\s*(?:h|hours?|days?)|verl(?:ä|ae)nger\w*|frist)\b",
            _DEADLINE_MOVES,
        ),
        (
            r"(?:freeze|pausier\w*|paused?|pausa|holidays?|vacation|urlaub|stop\s+the\s+clock"
            r"|(?:re)?start\s+the\s+clock)\b",
            "PAUSE and why stops the clock until RESUME; PAUSE 7d, or PAUSE UNTIL and a day, and "
            "why, stops it for that long.",
        ),
        (
            r"(?:send|forward|mail|e-?mail|pass)\b.*\b(?:all|everybody|everyone|players)\b",
            "WRITE TO ALL, or WRITE TO and powers, sends the text on the lines below it.",
        ),
        (r"civil\s+disorder\b|cd\b", "DISORDER and a power, and why, declares civil disorder."),
        (
            r"(?:replacement|substitute|take\s*over|resigned|quit|dropped\s+out|new\s+player"
            r"|has\s+left|vanished|replace|give\s+\w+\s+to)\b",
            _NEW_PLAYER,
        ),
        (
            r"(?:go(?:ing)?\s+back\s+to|undo|redo|replay|take\s+back|rückgängig)\b",
            "ROLLBACK and a phase like F1901M, and why, plays the game again from its start; with "
            "KEEP ORDERS behind the phase, the orders that stood count again.",
        ),
        (
            r"process|adjudicat|next\s+(?:turn|phase)\b",
            "PROCESS adjudicates the open phase now, with the orders that are in.",
        ),
        (
            r"(?:\w+['’]s|change|his|her|their)\s+orders?\b",
            "Until the deadline a player can send better orders. SETORDERS and a power, and why, "
            "with the orders on the lines below, gives them in its player's place.",
        ),
        (
            r"(?:address(?:es)?|e-?mails?)\b",
            "WRITE TO and a power reaches its player; STATUS shows who plays.",
        ),
        (
            r"(?:i\s+meant|oops)\b|(?:no\W+)?sorry\b",
            "Please write the whole command again, as you mean it.",
        ),
        (r"mute\b", "The moderators decide who may write press: write MODERATOR in a new mail."),
        (
            r"(?:settings?|anonymous|press|clock)\b",
            f"{_PAGE} Map, rules, press, votes and scoring never change.",
        ),
    )
)
"""By what a line says that begins with none of these words; the first that fits."""


def _wish(text: str) -> str:
    if len(text) > LONGEST_LINE or len(text.split()) == 1:
        return ""
    return next((said for words, said in _WISHES if words.search(text)), "")


def instead_of(text: str) -> str:
    """What to say about a line that is not a command: what to write, or a question which command
    was meant; "" if we do not know."""
    text = as_command(text)
    if not text.split():
        return ""
    if _DEADLINE.match(text):
        return ". To move the deadline, write EXTEND TO, the day and the time, and why."
    word = as_one_word(text).split()[0].strip(".,:;!?")
    if said := _SENTENCES.get(word.lower()):
        return f". {said}"
    if said := _wish(text):
        return f". {said}"
    if known := WORDS.get(word.lower()):
        command = COMMANDS.get(known.command)
        return f". Write it like this: {command.usage}" if command else ""
    near = nearest_command(word, (one for one in WORDS if len(one) >= SHORTEST_MISSPELT))
    return f". Did you mean {near.upper()}?" if near and len(word) >= SHORTEST_MISSPELT else ""
