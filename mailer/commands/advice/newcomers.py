"""What people want who do not play yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice
from mailer.reading.patterns import one_word, says

_MOST_ANSWERED = 3
SOMEBODY = one_word(
    "friend mate buddy colleague neighbou?r brother sister son daughter wife husband partner"
    " boyfriend girlfriend father mother dad mum mom cousin uncle aunt"
)
"""People whom players know and want to bring along."""
_ONESELF = (
    r"\b(?<!and\s)(?:(?:can|could|may|let|shall) (?:i|me)|i(?:['’]d| would)? (?:like|love|want) to"
    r"|(?:sign|put|count) me) (?:join|play|take part|up|in|down)\b"
)
ANOTHER = says(
    rf"^(?!.*{_ONESELF}).*\bmy (?:\w+ )?{SOMEBODY}\b.{{0,60}}"
    r"\b(?:joins?|plays?|take part|sign|register)\b",
    r"\b(?:sign|register|put) (?:him|her|them) (?:up|in|down|for)\b",
)
"""Words that ask for a seat for somebody else."""
THEIR_OWN = (
    "Everybody joins from their own address, so please have them write to us themselves: REGISTER "
    "and their name on one line, and JOIN and the game's name on the line below."
)
LEAVES = "To give back your seat in a game that has not started, write LEAVE and the game's name."
NEWCOMERS: Sequence[Advice] = (
    Advice(
        says(
            r"^(?!.*(?:like|love|want) to (?:join|play|take part)\b).*\b(?:i|we)"
            r" (?:can(?:\s*not|['’]?t)|won['’]?t|will not|(?:am|are|['’]m) unable to)"
            r" (?:join|play|take part)\b",
            r"^(?!.*(?:\bnot|\bnever|n['’]t)\b.{0,14}\bgive\b).*"
            r"\bgive (?:away |up |back )?my (?:seat|place|spot)\b",
        ),
        LEAVES,
        "LEAVE",
    ),
    Advice(
        says(
            r"\b(?:i(?:['’]d| would)? (?:like|love|want|wish) to|(?:can|could|may) i|let me)"
            r" (?:just |please )?(?:watch|observe|follow)\b",
            r"\b(?:watch|observe|follow)\b.{0,40}\bgames?\b",
            r"\b(?:spectat(?:e|or|ing)|as an observer)\b",
        ),
        "To watch a game, write OBSERVE and its name: you get its results.",
        "OBSERVE",
    ),
    Advice(ANOTHER, THEIR_OWN, "REGISTER"),
    Advice(
        says(
            r"\b(?:waiting|stand-?by|substitutes?|reserve) list\b",
            r"\b(?:i|me)\b.{0,12}\breplace (?:some|any)(?:body|one)\b",
            r"\bas an? (?:substitute|stand-?in|replacement)\b",
            r"\b(?:jump|step) in\b",
            r"\btak(?:e|ing) ?over\b",
        ),
        "To hear from us when a seat becomes free, write STANDBY on a line of its own. LIST shows "
        "those that are free now, and TAKEOVER, the game's name and the power takes one.",
        "STANDBY",
    ),
    Advice(
        says(
            r"\b(?:i|we|i['’]d|let|may|can|please)\b.{0,30}\b(?:join|play|take part)\b",
            r"\b(?:sign|count|put) me (?:up|in|down)\b",
            r"\bis\b.{0,30}\bfull\s*\?",
        ),
        "To take a seat, write one line: JOIN, the game's name and the powers you would "
        "like, best first, for example JOIN marne France; Italy. LIST shows the games, and RULES "
        "how Diplomacy is played.",
        "JOIN",
    ),
    Advice(
        says(
            r"\bhow long\b.{0,10}\b(?:games?|it|this)\b.{0,10}\b(?:takes?|lasts?|run)\b",
            r"\bhow (?:much time|often)\b.{0,25}\b(?:day|week|need|write|play)\b",
        ),
        "Most games last for months: you order every few days, and write to the others as much as "
        "you like. LIST shows the pace of each game.",
        "LIST",
    ),
    Advice(
        re.compile(r"\b(?:beginners?|newbies?|novices?|first\s+game)\b", re.IGNORECASE),
        "For your first game, take one on the standard map with days between deadlines. LIST shows "
        "what there is, and RULES the rules in short.",
        "LIST",
    ),
)

STRANGERS: Sequence[Advice] = (
    Advice(
        says(r"^\W*line [12]\s*:"),
        "Please send both lines once more without “Line 1:” and “Line 2:”, which only number them "
        "in the invitation.",
        "REGISTER",
    ),
    Advice(
        says(
            r"\b(?:watch(?:ing)?|observe|observing|spectat\w+)\b.{0,40}\bgames?\b",
            r"\bfollow(?:ing)? (?:(?:a|the|this|your|some) )?(?:\w+ )?games?\b",
            r"\b(?:regarder|zuschauen|guardare|oglądać|observar|toekijken)\b",
        ),
        "To watch a game, register as shown below. Once your address is confirmed, write OBSERVE "
        "and the game's name: you get its results.",
        "OBSERVE",
    ),
    Advice(
        says(
            r"\btak(?:e|ing) ?over\b(?!.{0,30}\baccount\b)",
            r"\breplace\b.{0,20}\b(?:player|somebody|someone)\b",
        ),
        "To take over a seat that has become free, register as shown below. LIST shows such seats, "
        "and how to ask for one.",
        "LIST",
    ),
    Advice(
        says(
            r"\b(?:talk|speak|write) (?:to|with) (?:the|an?) (?:person|human|admin|people|owner)",
            r"\b(?:who|people|person)\b.{0,15}\b(?:in charge|responsible|behind this)\b",
            r"\bwho (?:are you|(?:runs|is running) (?:this|it))\b",
            r"\b(?:an|the|your|server|site) (?:operator|administrator|owner)\b",
            r"\b(?:complain|complaint|insult|harass|threaten)\w*\b",
            r"\bmy (?:son|daughter|child)\b(?! and (?:i|me)\b)|\b(?:mother|father|parents?) of\b",
            r"\bparents['’]? (?:permission|consent)\b|\bi(?: a|['’])?m (?:only )?(?:\d|1[0-7])\b"
            r"(?! (?:days|hours|minutes|weeks|months))|\b(?:\d|1[0-7]) years? old\b",
            r"\b(?:gdpr|dsgvo|rgpd|personal data)\b|\bdata\b.{0,30}\babout me\b",
            r"\b(?:do|does|will|when|how long)\b.{0,30}\b(?:delete|erase|keep|store)\b.{0,20}"
            r"\bdata\b",
        ),
        "To reach the people who run this server, register as shown below. Once your address is "
        "confirmed, write MODERATOR on a line of its own, and your text below it.",
        "MODERATOR",
    ),
    Advice(
        says(
            r"\b(?:how|where|what|can|could|may|do|like|love|wants?|wish|interested|willing|hoping)\b"
            r".{0,40}\b(?:join(?:ing)?|play(?:ing)?|tak(?:e|ing) part|sign(?:ing)? up|register"
            r"|get(?:ting)? (?:started|in(?! touch))|participate|enter)\b",
            r"\b(?:sign|count|put) me (?:up|in|down)\b",
            r"\b(?:mitspielen|mitmachen|anmelden|s['’]inscrire|m['’]inscrire|participer|inscribirme"
            r"|participar|apuntarme|iscrivermi|partecipare|meedoen|zagra[ćc]|zarejestrowa[ćc])\b",
            r"\bje (?:voudrais|veux|souhaite)\b.{0,30}\bjouer\b",
            r"\b(?:puedo|quiero|quisiera) jugar\b",
            r"\bich (?:möchte|will|würde)\b.{0,30}\bspielen\b|\b(?:vorrei|voglio|posso) giocare\b",
            r"\b(?:comment|cómo|come)\b.{0,20}\b(?:jouer|jugar|juega|giocare)\b",
        ),
        "To join a game, register as shown below. If you add a line JOIN and the game's name, with "
        "the powers you would like, best first, it waits until your address is confirmed.",
        "REGISTER",
    ),
    Advice(
        says(
            r"\b(?:is|are) there\b.{0,30}\b(?:games?|seats?|places?|spots?|room)\b",
            r"\b(?:any|which|what|new|next|open|free)\b.{0,20}\bgames?\b.{0,30}\b(?:open|free|starts?"
            r"|starting|available|running|going|planned|join|play(?:ed|ers?)?|looking)\b",
            r"\b(?:open|new|free|any) (?:games?|seats?|slots?|places?|spots?)\b",
            r"\bgame\b.{0,30}\b(?:open|full)\b",
            r"\b(?:seat|place|spot|room)s? (?:free|open|left|available|for (?:me|one))\b",
        ),
        "To see which games are looking for players, write LIST on a line of its own. You need "
        "not register for that.",
        "LIST",
    ),
    Advice(
        says(
            r"\brules?\b|\b(?:regeln|règles|reglas|regole|regels)\b",
            r"\bhow (?:do|does|to)\b.{0,20}\b(?:play|works?)\b",
            r"\bnever played\b",
        ),
        "To read the rules in short, write RULES on a line of its own. You need not register for "
        "that.",
        "RULES",
    ),
    Advice(
        says(
            r"\b(?:costs?|fees?|prices?|(?<!in.)charges?|pay(?:ing)?|payment|subscription|for free"
            r"|free of|(?:is|it) (?:it |all |this |completely )?free|kostet|kostenlos|gratis"
            r"|gratuite?|payer)\b",
            r"\bhow much\b(?! time)",
        ),
        "Nothing here asks for money.",
        "HELP",
    ),
    *NEWCOMERS[-2:],
)
"""What people ask before they register; our answers stand above the welcome."""


def for_strangers(lines: Sequence[str]) -> list[str]:
    """Our answers to what strangers ask, at most three."""
    found = [one.said for one in STRANGERS if any(one.words.search(text) for text in lines)]
    return found[:_MOST_ANSWERED]
