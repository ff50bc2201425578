"""What a game master says in a whole sentence, and our answer: what to write instead, or where to
do it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.lines.which_command import LONGEST_LINE
from mailer.reading.patterns import any_of, one_word, says

PAGE = "That is done on the game's page in the admin."
"""Where a game master does things that mail cannot do."""
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
_THE_GM = r"(?:gm|game\s*master)"
_PLENTY = one_word("hours? days? weeks?")
_WISHES: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (says(rf"\b{any_of(*rows)}"), said)
    for said, *rows in (
        (
            "EXCUSE and a power or player, and why, excuses what came late or not at all in a "
            "phase that is over.",
            r"(?:do not|don['’]t) (?:count|hold)\b.*\bagainst (?!the rules)\w+",
        ),
        (
            "We do nothing unless you ask for it, but the clock runs on: PAUSE and why stops it.",
            r"(?<!.)(?:(?:please|but) )*(?:do not|don['’]t|never)\b",
        ),
        (
            "VACATE and a power, and why, takes it from its player, and all read why. If somebody "
            "plays under two names or breaks other rules of this server, write MODERATOR in a mail "
            "of its own: the moderators see what you cannot.",
            *(r"cheat(?:s|ed|ing|er)?\b", r"multi-?account\w*\b", r"two (?:names|accounts)\b"),
            rf"{one_word('kick ban throw expel')} \w+",
        ),
        (
            "WRITE TO and a power warns its player alone; VACATE and a power, and why, takes "
            "the power from them. The moderators decide who may write press: write MODERATOR in a "
            "mail of its own.",
            rf"{one_word('insult harass abus offensi swear')}\w*\b",
            rf"{one_word('rude mute')}\b",
        ),
        (
            "Every game here starts from the beginning: you cannot enter a position from "
            "elsewhere. Whoever runs the server can import a game that this same program has "
            "exported.",
            rf"{one_word('enter import load input copy')} (?:(?:the|a|our|this|my|old) )*"
            rf"{one_word('position board game units')}\b",
            rf"{one_word('another other different old')} {one_word('judge server site')}\b",
        ),
        (
            "A tournament is run on the pages of its games in the admin: Change settings puts a "
            "game into it, Make a round makes the games of the next round. For the table, write "
            "TABLE and its name in a mail of its own.",
            r"tournaments?\b",
        ),
        (
            _SECRET,
            rf"what did\b.*\b{one_word('order write say')}\b",
            rf"{one_word('show see read')}\b.*\b{one_word('orders press')}\b",
        ),
        (
            "To make another game, choose New game in the admin, or write CREATE and its name in "
            "a mail of its own.",
            rf"{one_word('make create start open begin')} (?:an?|another) (?:new )?game\b",
        ),
        (
            "To have somebody else run the game, for your holidays or for good, choose Add a co-GM "
            "or deputy on the game's page in the admin. PAUSE and why stops the clock.",
            *(r"co-?gm\b", r"deputy\b", r"run (?:the|this|my) game\b"),
            rf"{one_word('resign resigning quit')} as (?:the )?{_THE_GM}\b",
            *(rf"new {_THE_GM}\b", rf"(?:be|being) (?:the )?{_THE_GM}\b"),
            r"i\b.{0,15}\b(?:away|on (?:holiday|vacation|leave))\b",
            r"(?:look(?:ing)? after|tak(?:e|ing) care of) (?:the|this|my) game\b",
        ),
        (
            "FINISH DRAW, FINISH WIN and a power, or FINISH NONE, and why, ends the game; PAUSE "
            "and why only stops its clock until RESUME.",
            f"{one_word('stop close end finish')} (?:the|this) game",
            *(r"(?:has|have) won\b", r"\w+ won\b", "call it a draw"),
            rf"declare\b.*\b{one_word('win draw victory')}",
        ),
        (
            "HISTORY says why each order went as it did. To put an order right, write ROLLBACK, "
            "the phase, KEEP ORDERS, and why; then SETORDERS for that power, and PROCESS. If you "
            "think the server broke the rules, write MODERATOR in a mail of its own.",
            rf"adjudicat\w+ (?:is|was|looks|seems) {one_word('wrong incorrect mistaken off')}\b",
            rf"{one_word('fix correct')} the {one_word('board map position results?')}\b",
            rf"{one_word('fix correct change')} (?:the )?adjudication\b",
            r"wrong(?:ly)? adjudicat\w+",
            rf"{one_word('wrong false mistaken')} {one_word('ruling decision answer')}\b",
            rf"{one_word('put set make')} {one_word('that this it things')} right\b",
            rf"my (?:\w+ )?{one_word('ruling decision answer')}\b.* {one_word('wrong mistaken')}\b",
        ),
        (
            _DEADLINE_MOVES,
            *(r"deadlines?\b", r"extend\b", r"extensions?\b", r"more time\b", r"frist\b"),
            rf"{_PLENTY} {one_word('more longer later')}\b",
            rf"more {_PLENTY}\b",
            r"\d+\s*h(?:ou)?rs? more\b",
            r"\d+\s*h more\b",
            rf"give \w+ (?:\w+ )?(?:\d+\s*(?:h|{_PLENTY})|more time)\b",
            rf"(?:extra|another|\d+ more) (?:\w+ )?(?:{_PLENTY}|time)\b",
            rf"{one_word('turns? phases? rounds?')} \d+\s*(?:h|{_PLENTY})\b",
            r"verl(?:ä|ae)nger\w*\b",
            rf"gets? (?:\w+ )?more {_PLENTY}",
            *(r"d[ée]lai\b", r"prolong\w*\b", r"prorog\w*\b", r"scadenza\b", r"plazo\b"),
        ),
        (
            "PAUSE and why stops the clock until RESUME; PAUSE 7d, or PAUSE UNTIL and a day, and "
            "why, stops it for that long.",
            rf"{one_word('freeze paused? pausa holidays? vacation urlaub')}\b",
            *(r"pausier\w*\b", r"stop the clock\b", r"(?:re)?start the clock\b"),
            rf"break\b.{{0,20}}\b{_PLENTY}\b",
        ),
        (
            "RESUME lets the clock of a paused game run again.",
            rf"(?:resume|unpause|{one_word('continue restart')} the game)\b",
        ),
        (
            "WRITE TO ALL, or WRITE TO and powers, sends the text on the lines below it.",
            rf"{one_word('send forward mail e-?mail pass')}\b.*"
            rf"\b{one_word('all everybody everyone players')}\b",
        ),
        (
            "DISORDER and a power, and why, declares civil disorder, and nobody waits for it any "
            "more. PROCESS decides the open phase now, whoever is missing.",
            *(r"civil disorder\b", r"cd\b", r"skip \w+", r"(?:without|w/o) waiting\b"),
        ),
        (
            _NEW_PLAYER,
            rf"{one_word('replacement substitute resigned quit vanished replace')}\b",
            *(r"take\s*over\b", r"dropped out\b", r"new player\b", r"has left\b"),
            r"give \w+ to\b",
            rf"in {one_word('her his their')} place\b",
        ),
        (
            "ROLLBACK and a phase like F1901M, and why, plays the game again from its start; with "
            "KEEP ORDERS after the phase, the orders that stood count again.",
            rf"{one_word('undo redo replay rückgängig')}\b",
            *(r"go(?:ing)? back to\b", r"take back\b", r"roll(?:ing)?\s*(?:\w+ ){0,3}back\b"),
        ),
        (
            "PROCESS adjudicates the open phase now, with the orders that are in.",
            *("process", "adjudicat", r"next (?:turn|phase)\b", r"force (?:the|this) \w+\b"),
            rf"{one_word('run resolve finish close')} (?:the|this)"
            rf" {one_word('turn phase season moves')}\b",
        ),
        (
            "REMIND alone reminds everybody who still owes orders; STATUS shows who they are.",
            rf"{one_word('wait(?:ing)? still missing nothing')} .*\borders? (?:from|of) \w+",
        ),
        (
            "Until the deadline a player can send better orders. SETORDERS and a power, and why, "
            "with the orders on the lines below, gives them in its player's place.",
            r"(?:\w+['’]s|change|his|her|their) orders?\b",
            rf"orders? {one_word('of for from')} \w+",
        ),
        (
            "WRITE TO and a power reaches its player; STATUS shows who plays.",
            *(r"address(?:es)?\b", r"e-?mails?\b"),
        ),
        (
            "Please write the whole command again, as you mean it.",
            *(r"i meant\b", r"oops\b", r"(?:no\W+)?sorry\b(?! (?:for|about|that|to)\b)"),
        ),
        (
            "RULES shows the rules in short: write it in a mail of its own, not in a reply to a "
            "game master's mail.",
            r"what\b.{0,40}\brules?\b",
        ),
        (
            f"{PAGE} Map, rules, press, votes and scoring never change.",
            rf"{one_word('settings? anonymous press clock')}\b",
            rf"{one_word('new change other different house')} (?:the )?rules?\b",
        ),
    )
)
"""Advice on lines that begin with none of these words; the first that fits."""


def wished_for(text: str) -> str:
    """The advice on a sentence; "" if we do not know what it is about."""
    if len(text) > LONGEST_LINE or len(text.split()) == 1:
        return ""
    return next((said for words, said in _WISHES if words.search(text)), "")
