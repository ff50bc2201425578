"""Somebody who needs a person, more time or fewer mails, or wants to leave."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice
from mailer.commands.yes_and_no import ANY_YES

TO_PEOPLE = Advice(
    re.compile(
        r"\b(?:tell|ask|contact|write|speak|talk|complain|report|message|inform)\b.{0,25}"
        r"\b(?:gm|game\s*master|human|real\s+person|moderators?|admin\w*|operator)\b"
        r"|^\W*(?:dear|hi|hello)\s+(?:gm|game\s*master|moderators?|admins?)\b(?:\W+\w+){3}"
        r"|^\W*(?:(?:to|for)\s+(?:the\s+|our\s+|my\s+)?)?(?:gm|game\s*master)\W*$"
        r"|\bare\s+you\s+(?:an?\s+)?(?:ro)?(?:bot|machine|human|program|computer|ai|real)\b"
        r"|\bwho\s+runs\s+(?:this|it|the)\b"
        r"|\b(?:gm|game\s*master)\b.{0,10}\b(?:not|n['’]?t|never)\s+(?:answer|repl|write|react)"
        r"|\bdeadlines\s+(?:on|at)\b.{0,20}\b(?:instead|rather|please)\b"
        r"|\bis\s+(?:there\s+)?(?:any|some)(?:body|one)\s+(?:there|here|reading)\b",
        re.IGNORECASE,
    ),
    "A program answers you here. To reach your game master, write PRESS TO GM on a line, and your "
    "text below it; a line MODERATOR and your text below it reaches the people who look after all "
    "games.",
    "PRESS TO GM",
)
STAYING: Sequence[Advice] = (
    TO_PEOPLE,
    Advice(
        re.compile(
            r"\b(?:mistakes?|errors?|wrong|bugs?|incorrect(?:ly)?|misjudged|misread)\b.{0,25}"
            r"\b(?:results?|adjudicat\w+|last\s+(?:turn|phase|season))\b"
            r"|\b(?:results?|adjudicat\w+)\b.{0,25}"
            r"\b(?:mistakes?|errors?|wrong|bugs?|incorrect|misjudged)\b",
            re.IGNORECASE,
        ),
        "HISTORY shows every order of the last phases with the reason for its result. If you think "
        "that one is wrong, write PRESS TO GM on a line, and below it what should have happened.",
        "PRESS TO GM",
    ),
    Advice(
        re.compile(
            r"\b(?:need|want|look\w*\s+for|have|is\s+there)\b.{0,15}"
            r"\b(?:substitute|stand-?in|(?:temporary|temp)\s+(?:player|replacement))\b.{0,15}"
            r"\b(?:for|while|until|till|from|next|this)\b",
            re.IGNORECASE,
        ),
        "If you are away for some days, tell us which, so that deadlines allow for them, for "
        "example ABSENCE FROM 24 Dec TO 27 Dec; orders for later phases can be sent ahead (HELP "
        "PHASE). To ask your game master for more, write PRESS TO GM on a line, and your text "
        "below it. RESIGN gives up your power for good.",
        "ABSENCE",
    ),
    Advice(
        re.compile(
            r"\b(?:i|want\s+to|must)\s+complain\b|\bcomplaint\b|\binsult(?:s|ed|ing)?\b"
            r"|\b(?:rude|offensive|abusive|harass\w*)\b|\b(?:is|are|was|were)\s+cheating\b|\bcheats\b"
            r"|\b(?:some(?:body|one)|any(?:body|one))\s+else\s+(?:can\s+)?"
            r"(?:reads?|uses?|writes?|has|have|opens?|gets?)\b.{0,20}\b(?:my|me)\b"
            r"|\bmy\b.{0,20}\b(?:was|is|were|been|got)\s+(?:hacked|stolen|hijacked)\b",
            re.IGNORECASE,
        ),
        "The moderators look after all games and everybody in them. To write to them, put "
        "MODERATOR on a line, and your text below it; they answer by mail.",
        "MODERATOR",
    ),
    Advice(
        re.compile(
            rf"(?!.*\b(?:army|armies|fleets?)\b)\W*(?:{ANY_YES}|please\s+do)\b", re.IGNORECASE
        ),
        "To say yes to a question of ours, write YES alone on a line, in a reply to the mail that "
        "asks it.",
        "YES",
    ),
    Advice(
        re.compile(
            r"\bremind\s+me\b"
            r"|\b(?:an?|have|get|gets|send|want|need|no|more|fewer|the|stop)\s+(?:\w+\s+)?reminders?\b",
            re.IGNORECASE,
        ),
        "We remind you before a deadline if you still owe orders. To choose how long before, write "
        "one line, for example SET REMINDERS 24h 4h; SET REMINDERS OFF ends them.",
        "SET REMINDERS",
    ),
    Advice(
        re.compile(
            r"^(?!.*\bsorry\s+(?:for|about)\b|\W*no\b).*\b"
            r"(?:(?:move|push|shift|change)\s+(?:\w+\s+)?deadline|more\s+time|extend|extension|postpone|put\s+off|delay|(?:days?|hours?)\s+more"
            r"|(?:another|extra|(?<!any\s)more)\s+(?:\w+\s+)?(?:days?|hours?))\b",
            re.IGNORECASE,
        ),
        "To ask for more time, write one line: EXTEND 24h and why. Everybody reads the reason.",
        "EXTEND",
    ),
    Advice(
        re.compile(
            r"^\W*(?:quit|drop\s+out)\b(?!\s+\w+ing\b)|\b(?:i|we)\b(?!.{0,9}(?:\b(?:not|never)|n['’]t)\s+"
            r"(?:(?:want|wish|going|ready|willing|mean)\s+to\s+)?(?:resign|quit|drop|leave|give)\b).{0,20}"
            r"\b(?:resign(?!\s+(?:my|our)sel)|quit|drop\s+out|leave\s+the\s+game|give\s+up)\b"
            r"|\b(?:i|we)\s+can(?:\s*not|['’]?t)\s+play\s+(?:any\s*more|after\s+all|at\s+all)\b"
            r"|\b(?:i|we)\s+(?:do\s+not|don['’]?t|no\s+longer)\s+(?:want|wish)\s+to\s+"
            r"(?:play\s+any\s*more|go\s+on(?:\s+playing)?\W*$)|\b(?:i|we)\s+want\s+to\s+stop\s+playing\b"
            r"|\bi\b.{0,10}\bwant\s+(?:to\s+get\s+)?out\b(?!\s+of\s+(?!th))"
            r"|\b(?:take|get|count)\s+me\s+out\b|(?<!not\s)(?<!n['’]t\s)\bresign\s+me\b"
            r"|\bfind\s+(?:me\s+)?(?:an?\s+)?(?:substitute|replacement)\b|\breplace\s+me\b|\bremove\s+me\s+from\s+th\w+\s+game\b",
            re.IGNORECASE,
        ),
        "To give up your power, write RESIGN on a line of its own; we ask you once more first.",
        "RESIGN",
    ),
    Advice(
        re.compile(
            r"\b(?:take|remove|delete)\s+me\b.{0,20}\blist\b|\bunsubscribe\s+me\b"
            r"|\bstop\b.{0,10}\b(?:sending|mailing|these|all)\b"
            r"|\b(?:no\s+more|fewer|less|(?:so|too)\s+many)\s+(?:e-?)?mails?\b(?!\s+from\b)",
            re.IGNORECASE,
        ),
        "To get fewer mails, write STOP on a line of its own: the answer says what still comes, "
        "and how to end that, too.",
        "STOP",
    ),
    Advice(
        re.compile(r"\b(?:remove|delete|unregister)\s+me\b(?!\s+from)", re.IGNORECASE),
        "To leave, write STOP on a line of its own: the answer says what still comes, and how to "
        "end that, too. To have all that we know about you erased, write ERASE.",
        "STOP",
    ),
)
