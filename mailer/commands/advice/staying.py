"""People who need to talk to somebody, need more time, want fewer mails or want to leave."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.newcomers import LEAVES, SOMEBODY
from mailer.commands.advice.row import Advice
from mailer.commands.yes_and_no import ANY_YES
from mailer.reading.patterns import says

TO_PEOPLE = Advice(
    says(
        r"\b(?:tell|ask|contact|write|speak|talk|complain|report|message|inform)\b.{0,25}\b"
        r"(?:gm|game\s*master|human|real person|moderators?|admin\w*|operator)\b",
        r"^\W*(?:dear|hi|hello) (?:gm|game\s*master|moderators?|admins?)\b(?:\W+\w+){3}",
        r"^\W*(?:(?:to|for) (?:the |our |my )?)?(?:gm|game\s*master)\W*$",
        r"^\W*[pd]m (?:(?:to|for) )?(?:the |our |my )?(?:gm|game\s*master)\b",
        r"\b(?:can|could|would|will) (?:the |our )?(?:gm|game\s*master|moderators?)\b",
        r"\bare you (?:an? )?(?:ro)?(?:bot|machine|human|program|computer|ai|real)\b",
        r"\bwho runs (?:this|it|the)\b",
        r"\b(?:gm|game\s*master)\b.{0,10}\b(?:not|n['’]?t|never) (?:answer|repl|write|react)",
        r"\bdeadlines (?:on|at)\b.{0,20}\b(?:instead|rather|please)\b",
        r"\bis (?:there )?(?:any|some)(?:body|one) (?:there|here|reading)\b",
    ),
    "A program answers you here. To reach your game master, write PRESS TO GM on a line, and your "
    "text below it; a line MODERATOR and your text below it reaches the people who look after all "
    "games.",
    "PRESS TO GM",
)
STAYING: Sequence[Advice] = (
    TO_PEOPLE,
    Advice(
        says(
            rf"\bmy (?:\w+ )?{SOMEBODY} (?:\w+ )?(?:plays?|playing|is)\b.{{0,30}}"
            r"\b(?:same|this|our|the) game\b",
            r"\b(?:from|share|in) (?:the same|one) (?:house(?:hold)?|computer|ip|network)\b",
        ),
        "That is for the people who look after all games: put MODERATOR on a line, and your text "
        "below it; they answer by mail. PRESS TO GM reaches your game master in the same way.",
        "MODERATOR",
    ),
    Advice(
        says(
            r"\b(?:mistakes?|errors?|wrong|bugs?|incorrect(?:ly)?|misjudged|misread)"
            r"\b.{0,25}\b(?:results?|adjudicat\w+|last (?:turn|phase|season))\b",
            r"\b(?:results?|adjudicat\w+)\b.{0,25}\b(?:mistakes?|errors?|wrong|bugs?|incorrect"
            r"|misjudged)\b",
        ),
        "HISTORY shows every order of the last phases with the reason for its result. If you think "
        "that one is wrong, write PRESS TO GM on a line, and below it what should have happened.",
        "PRESS TO GM",
    ),
    Advice(
        says(
            r"\b(?:need|want|look\w* for|have|is there)\b.{0,15}"
            r"\b(?:substitute|stand-?in|(?:temporary|temp) (?:player|replacement))\b.{0,15}"
            r"\b(?:for|while|until|till|from|next|this)\b",
            rf"\bmy (?:\w+ )?{SOMEBODY}\b.{{0,20}}\b(?:plays?|orders?|writes?|stands? in)\b"
            r".{0,10}\bfor me\b",
        ),
        "If you will be away for a few days, tell us which, so that deadlines allow for them, for "
        "example ABSENCE FROM 24 Dec TO 27 Dec; you can send orders for later phases ahead (HELP "
        "PHASE). To ask your game master for more, write PRESS TO GM on a line, and your text "
        "below it. RESIGN gives up your power for good.",
        "ABSENCE",
    ),
    Advice(
        says(
            r"\b(?:i|want to|must) complain\b",
            r"\breport(?:ing)? (?:an?|another|some|this|that|the|one) (?:\w+ )?"
            r"(?:player|user|person|cheat\w*)\b",
            r"\b(?:(?:is|are|be) the same|one and the same) (?:person|player)\b",
            r"\bmulti-?account\w*\b",
            r"\bcomplaint\b",
            r"\binsult(?:s|ed|ing)?\b",
            r"\b(?:rude|offensive|abusive|harass\w*)\b",
            r"\b(?:is|are|was|were) cheating\b",
            r"\bcheats\b",
            r"^\W*(?:please |(?:can|could) you )?(?:kick|ban|expel|mute) \w+",
            r"\b(?:some(?:body|one)|any(?:body|one))"
            r" else (?:can )?(?:reads?|uses?|writes?|has|have|opens?|gets?)\b.{0,20}\b"
            r"(?:my|me)\b",
            r"\bmy\b.{0,20}\b(?:was|is|were|been|got) (?:hacked|stolen|hijacked)\b",
        ),
        "The moderators look after all games and everybody in them. To write to them, put "
        "MODERATOR on a line, and your text below it; they answer by mail. A game master can take "
        "a power from its player: PRESS TO GM on a line, and your text below it, reaches yours.",
        "MODERATOR",
    ),
    Advice(
        re.compile(
            rf"(?!.*\b(?:army|armies|fleets?)\b)\W*"
            r"(?!si\s+(?!por\b|per\b|gra[cz]ia|please\b|thank)\w)"  # "Si vis pacem": an if
            rf"(?:(?:{ANY_YES}|please\s+do(?!\s+(?!it\b|so\b|that\b)\w))\b"
            r"|i(?:\s+(?:agree|accept|approve)|(?:\s+a|['’])?m\s+in)\W*$)",
            re.IGNORECASE,
        ),
        "To say yes to a question of ours, write YES alone on a line, in a reply to the mail that "
        "asks it.",
        "YES",
    ),
    Advice(
        says(r"^\W*i (?:decline|refuse|disagree|object)\W*$"),
        "To say no to a question of ours, write NO alone on a line, in a reply to the mail that "
        "asks it.",
        "NO",
    ),
    Advice(
        says(
            r"\bremind me\b",
            r"\b(?:an?|have|get|gets|send|want|need|no|more|fewer|the|stop)"
            r" (?:\w+ )?reminders?\b",
        ),
        "We remind you before a deadline if you still owe orders. To choose how long before, write "
        "one line, for example SET REMINDERS 24h 4h; SET REMINDERS OFF ends them.",
        "SET REMINDERS",
    ),
    Advice(
        says(
            r"\b(?:can|could|may) (?:i|we) have (?:time )?(?:until|till)\b|\bi need until\b",
            r"^(?!.*\bsorry (?:for|about)\b|\W*no\b|\W*(?:thanks|thank you) for\b).*\b"
            r"(?:(?:move|push|shift|change|hold) (?:\w+ )?deadline|more time|extend|extension"
            r"|(?:day|days|hours?)['’]?s? (?:of )?grace"
            "|postpone|put off|delay|(?:days?|hours?) more"
            r"|(?:another|extra|(?<!any\s)more) (?:\w+ )?(?:days?|hours?))\b",
        ),
        "To ask for more time, write one line: EXTEND 24h and why. Everybody reads the reason.",
        "EXTEND",
    ),
    Advice(
        says(
            r"\b(?:hand|give|pass|turn|transfer)\b.{0,30}\bto (?:my|an?) (?:\w+ )?"
            rf"{SOMEBODY}\b",
            rf"\bmy (?:\w+ )?{SOMEBODY}\b.{{0,40}}\btake over\b.{{0,10}}\bmy\b",
        ),
        "You cannot hand your power on to somebody you know, but your game master can: write PRESS "
        "TO GM on a line, and below it who should have it. RESIGN opens your seat to anybody.",
        "PRESS TO GM",
    ),
    Advice(
        says(
            r"\b(?:quit|drop out|leave|withdraw)\b.{0,40}\bbefore (?:it|the game)"
            r" (?:starts|begins)\b",
        ),
        LEAVES,
        "LEAVE",
    ),
    Advice(
        says(
            r"^\W*(?:quit|drop out)\b(?! \w+ing\b)",
            r"^(?!.*\bconcede\b).*?\b(?:i|we)\b(?!.{0,9}(?:\b(?:not|never)|n['’]t)"
            " (?:(?:want|wish|going|ready|willing|mean) to )?(?:resign|quit|drop|leave|give)"
            r"\b).{0,20}\b(?:resign(?! (?:my|our)sel)|quit|drop out|leave the game"
            r"|give (?:back my (?:seat|power|place)|my (?:seat|power|place) back)"
            r"|give up(?! (?:my|the|an?|one|on|in|all|both)\b(?! (?:power|seat|game|country))))\b",
            r"\b(?:i|we) can(?:\s*not|['’]?t) play (?:any\s*more|after all|at all)\b",
            r"\b(?:i|we) (?:do not|don['’]?t|no longer) (?:want|wish)"
            r" to (?:play any\s*more|go on(?: playing)?\W*$)",
            r"\b(?:i|we) want to stop playing\b",
            r"\bi\b.{0,10}\bwant (?:to get )?out\b(?! of (?!th))",
            r"\b(?:take|get|count) me out\b",
            r"^(?!.*\b(?:if|unless)\b).*\b(?:i|we)(?:['’]ll)? (?:(?:will|must|have|need|want|to) )*"
            r"(?:bow out|withdraw from the game)\b",
            r"(?<!not\s)(?<!n['’]t\s)\bresign me\b",
            r"\bfind (?:me )?(?:an? )?(?:substitute|replacement)\b",
            r"\breplace me\b",
            r"\bremove me from th\w+ game\b",
        ),
        "To give up your power, write RESIGN on a line of its own; we ask you once more first.",
        "RESIGN",
    ),
    Advice(
        says(
            r"\b(?:stop|pause|hold|no)\b.{0,25}\b(?:e-?)?mails?\b.{0,20}"
            r"\b(?:while|until|till|during|for (?:an?|the|two|some|\d+)|as long as)\b",
        ),
        "MAIL OFF on a line of its own pauses all our mails, and MAIL ON starts them again. Your "
        "games go on meanwhile: so that deadlines allow for it, tell us when you are away, for "
        "example ABSENCE FROM 24 Dec TO 27 Dec.",
        "MAIL OFF",
    ),
    Advice(
        says(
            r"(?:\b(?:not|cannot|no longer|never)|n['’]t)\b.{0,20}\b(?:step in|stand by|as an?"
            r" (?:substitute|stand-?in|replacement))\b(?!.*\?)",
            r"\b(?:off|from|leave)\b.{0,12}\bstandby\b",
        ),
        "To stop our offers of seats, write STANDBY OFF on a line of its own.",
        "STANDBY OFF",
    ),
    Advice(
        says(
            r"(?:\bstop (?:\w+ )?(?:watching|observing)|(?:\bnot|n['’]t) (?:want|like|wish) to"
            r" (?:watch|observe)|\bno longer (?:want to )?(?:watch|observe))\b.{0,30}\bgames?\b",
            r"^\W*(?:please )?stop (?:watching|observing)\b",
        ),
        "To stop watching a game, write OBSERVE, its name and OFF.",
        "OBSERVE",
    ),
    Advice(
        says(
            r"\b(?:take|remove|delete) me\b.{0,20}\blist\b",
            r"\bunsubscribe me\b",
            r"\bstop\b.{0,10}\b(?:sending|mailing|e-?mailing|these|all)\b",
            r"\bstop (?:always )?writing (?:to )?me\b",
            r"\b(?:two|double) (?:e-?)?mails\b.{0,20}\b(?:each|every|one)\b",
            r"\b(?:no more|fewer|less|(?:so|too) many) (?:e-?)?mails?\b(?! from\b)",
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
