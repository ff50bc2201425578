"""What people say in their own words, and which command does it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mailer.commands.advice_abroad import asked_abroad
from mailer.commands.yes_and_no import ANY_YES


class Advice(NamedTuple):
    """Words that somebody may write, our answer to them, and the command that it names."""

    words: re.Pattern[str]
    said: str
    command: str


NEWCOMERS: Sequence[Advice] = (
    Advice(
        re.compile(
            r"\b(?:i|we|i['’]d|let|may|can|please)\b.{0,30}\b(?:join|play|take\s+part)\b",
            re.IGNORECASE,
        ),
        "To take a seat, write one line: JOIN, the game's name and the powers you would "
        "like, best first, for example JOIN marne France; Italy. LIST shows the games.",
        "JOIN",
    ),
    Advice(
        re.compile(
            r"\bhow\s+long\b.{0,10}\b(?:games?|it|this)\b.{0,10}\b(?:takes?|lasts?|run)\b"
            r"|\bhow\s+(?:much\s+time|often)\b.{0,25}\b(?:day|week|need|write|play)\b",
            re.IGNORECASE,
        ),
        "Most games last for months: you order every few days, and write to the others as much as "
        "you like. LIST shows the pace of each game.",
        "LIST",
    ),
    Advice(
        re.compile(r"\b(?:beginners?|newbies?|novices?|first\s+game)\b", re.IGNORECASE),
        "For a first game take one on the standard map with days between its deadlines. LIST shows "
        "what there is, and RULES the rules in short.",
        "LIST",
    ),
)
"""What somebody may want who does not play yet."""
_BACK_FROM = r"from\s+(?!\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)"
BACK = re.compile(
    r"\b(?:i(?:\s+a|['’])?m|we(?:\s+a|['’])?re)\s+(?:\w+\s+)?back\b"
    rf"(?:\s+{_BACK_FROM}|\s+(?:home|again|now|at\s+home|in\s+the\s+game)\b|\W*$)"
    rf"|^\W*(?:just\s+|finally\s+)?back\s+{_BACK_FROM}",
    re.IGNORECASE,
)
"""What somebody says who was away: "I am back from hospital"."""
WAS_AWAY = re.compile(
    r"\b(?:was|were|been|being)\s+(?:(?!going\b|to\b|hoping\b|planning\b)\w+\s+){0,2}"
    r"(?:away|absent|offline|gone|abroad|in\s+hospital|travell?ing|on\s+(?:vacation|holidays?|leave))\b",
    re.IGNORECASE,
)
"""What somebody says who missed something: "Sorry, I was away for three weeks"."""
TO_PEOPLE = Advice(
    re.compile(
        r"\b(?:tell|ask|contact|write|speak|talk|complain|report|message|inform)\b.{0,25}"
        r"\b(?:gm|game\s*master|human|real\s+person|moderators?|admin\w*|operator)\b"
        r"|^\W*(?:dear|hi|hello)\s+(?:gm|game\s*master|moderators?|admins?)\b(?:\W+\w+){3}"
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
ADVICE: Sequence[Advice] = (
    TO_PEOPLE,
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
            r"^\W*(?:quit|drop\s+out)\b|\b(?:i|we)\b.{0,20}\b(?:resign|quit|drop\s+out|leave\s+the\s+game|give\s+up)\b"
            r"|\b(?:i|we)\s+can(?:\s*not|['’]?t)\s+play\s+(?:any\s*more|after\s+all|at\s+all)\b"
            r"|\b(?:i|we)\s+(?:do\s+not|don['’]?t|no\s+longer)\s+(?:want|wish)\s+to\s+"
            r"(?:play\s+any\s*more|go\s+on(?:\s+playing)?\W*$)|\b(?:i|we)\s+want\s+to\s+stop\s+playing\b"
            r"|\bi\b.{0,10}\bwant\s+(?:to\s+get\s+)?out\b(?!\s+of\s+(?!th))"
            r"|\b(?:take|get|count)\s+me\s+out\b|\bresign\s+me\b"
            r"|\bfind\s+(?:me\s+)?(?:an?\s+)?(?:substitute|replacement)\b|\breplace\s+me\b|\bremove\s+me\s+from\s+th\w+\s+game\b",
            re.IGNORECASE,
        ),
        "To give up your power, write RESIGN on a line of its own; we ask you once more first.",
        "RESIGN",
    ),
    Advice(
        re.compile(
            r"\b(?:take|remove|delete)\s+me\b.{0,20}\blist\b"
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
    Advice(
        re.compile(
            r"\bwho\b.{0,12}\b(?:win(?:s|ning)?|ahead|leading|leads|first)\b|\bhow\b.{0,10}\bam\s+i\s+doing\b",
            re.IGNORECASE,
        ),
        "Nobody has won until the game is over. To see how many centres each power has, write MAP "
        "on a line of its own.",
        "MAP",
    ),
    Advice(
        re.compile(
            r"\bwhat\b.{0,15}\bhappens?\b.{0,15}\b(?:if|when)\b.{0,15}\b(?:i|we)\b.{0,15}"
            r"\b(?:not|n['’]?t|late|miss|forget|never)\b"
            r"|\bif\s+(?:i|we)\s+(?:miss|forget)\b.{0,25}\?",
            re.IGNORECASE,
        ),
        "If no orders of yours have come by the deadline, your units hold, those that must retreat "
        "are disbanded, and builds are lost; in some games everybody waits for you first. STATUS "
        "on a line of its own shows the deadline.",
        "STATUS",
    ),
    Advice(
        re.compile(
            r"\b(?:replay|rewatch|time[\s-]*lapse|animation)\b"
            r"|\b(?:watch|see)\b.{0,25}\b(?:whole|entire)\s+game\b"
            r"|\b(?:web\s*(?:site|page)|browser|click|online|app)\b.*\?"
            r"|\b(?:is|are)\s+there\b.{0,15}\b(?:app|web\s*(?:site|page))\b",
            re.IGNORECASE,
        ),
        "Orders come by mail alone. To look at the game in a browser, phase by phase, write STATUS "
        "on a line of its own: the answer has the address of the game's page, unless only its "
        "players may see the board.",
        "STATUS",
    ),
    Advice(
        re.compile(
            r"\b(?:picture|image|map|board)\b.{0,20}\b(?:where|missing|not\s+see|read)\b"
            r"|\b(?:where|read|no|not|n['’]?t)\b.{0,15}\b(?:picture|image|map|board)s?\b.{0,20}$"
            r"(?<!off)(?<!off\.)",
            re.IGNORECASE,
        ),
        "To read who has which units and centres, write MAP on a line of its own: the answer has "
        "the board as text, and as a picture where your mail program shows pictures.",
        "MAP",
    ),
    Advice(
        re.compile(
            r"\bwhat\b.{0,15}\b(?:is|are|does|mean|means|meaning)\b.{0,20}"
            r"\b(?:support|convoy|retreat|bounce|stand-?off|dislodge|disband|cut)\w*\b"
            r"|\bhow\s+(?:do|does)\b.{0,12}\b(?:supports?|convoys?|retreats?)\b.{0,10}\bwork"
            r"|\bwhat\s+happens?\s+(?:if|when)\b.{0,15}\b(?:army|armies|fleets?|units?)\b"
            r"|^\W*can\s+(?:two|2|several)\s+(?:armies|fleets|units)\b",
            re.IGNORECASE,
        ),
        "RULES on a line of its own explains moves, supports, convoys and retreats in short; HELP "
        "ORDERS shows how they are written.",
        "RULES",
    ),
    Advice(
        re.compile(
            r"\b(?:what|which)\s+(?:units?|pieces|armies|fleets|cent(?:re|er)s)\s+(?:do|have)\s+i\b"
            r"|\b(?:where|what|which)\s+(?:is|are)\s+(?:my\s+(?:units?|pieces|arm(?:y|ies)|fleets?)"
            r"|the\s+(?:map|board))\b|\b(?:see|send|show|text)\b.{0,20}\b(?:map|board)\b",
            re.IGNORECASE,
        ),
        "To read who has which units and centres, write MAP on a line of its own.",
        "MAP",
    ),
    Advice(
        re.compile(
            r"\bhow\s+(?:to|do\s+(?:i|we|you))\b(?!.{0,20}\b(?:take\s+back|cancel|undo|withdraw|change)\b)"
            r".{0,20}\b(?:order|move|build|retreat|support|convoy)"
            r"|\bnever\s+played\b|\bwhat\s+(?:do|should|must|can)\s+(?:i|we)\s+(?:do|write|send)\b"
            r"|\bwhat\s+(?:do\s+i\s+have|do\s+i\s+need|have\s+i(?:\s+got)?|am\s+i\s+supposed)\s+to\s+(?:do|write|send)\b"
            r"|^\W*what\s+now\b|\bi\b.{0,6}\bforg[oe]t(?:ten)?\s+how\b|\bwhat\s+does\s+\W?[shc]\W?\s+mean\b",
            re.IGNORECASE,
        ),
        "To see how orders are written, write HELP ORDERS on a line of its own; HELP alone shows "
        "everything else you can write, and RULES the rules in short.",
        "HELP ORDERS",
    ),
    Advice(
        re.compile(
            r"\bhow\s+(?:to|do\s+(?:i|we|you)|can\s+(?:i|we))\b.{0,20}"
            r"\b(?:write|talk|speak|send|message|negotiate|press)\b",
            re.IGNORECASE,
        ),
        "To write to another power, write PRESS TO and its name on a line, and your text below it. "
        "HELP PRESS explains it.",
        "PRESS",
    ),
    Advice(
        re.compile(
            r"\b(?:let|whatever)\s+the\s+rules\b|\byou\s+(?:choose|decide|pick)\b", re.IGNORECASE
        ),
        "The rules decide for every unit that you have not ordered by the deadline. If nobody has "
        "to wait until then, write READY on a line of its own.",
        "READY",
    ),
    Advice(
        re.compile(
            r"\b(?:the|what|which)\b.{0,10}\brules\b"
            r"|\bhow\s+many\s+(?:\w+\s+)?(?:cent(?:er|re)s?|scs?)\b.{0,20}\bwin\b",
            re.IGNORECASE,
        ),
        "To read the rules in short, write RULES on a line of its own.",
        "RULES",
    ),
    Advice(
        re.compile(
            r"\b(?:copy|all)\s+of\s+my\s+(?:personal\s+)?data\b"
            r"|\b(?:what|which)\b.{0,30}\b(?:data|information|details|know|store|keep)\b.{0,25}\babout\s+me\b",
            re.IGNORECASE,
        ),
        "To get everything we keep about you, write EXPORT on a line of its own.",
        "EXPORT",
    ),
    Advice(
        re.compile(
            r"\b(?:delete|erase|remove)\s+(?:all\s+)?(?:of\s+)?my\s+(?:personal\s+)?(?:data|account)\b",
            re.IGNORECASE,
        ),
        "To be forgotten, write ERASE on a line of its own: the moderators see to it.",
        "ERASE",
    ),
    Advice(
        re.compile(r"\b(?:i|we)\b.{0,15}\b(?:concede|surrender)\b", re.IGNORECASE),
        "To let a power win, write VOTE CONCEDE TO and its name; the others have to agree. To give "
        "up your own power, write RESIGN.",
        "VOTE CONCEDE",
    ),
    Advice(
        re.compile(
            r"\b(?:withdraw|cancel|retract|revoke|take\s+back)\b.{0,15}"
            r"\b(?:draw|proposal|concession|vote)\b",
            re.IGNORECASE,
        ),
        "To take back what you have proposed, write VOTE WITHDRAW on a line of its own; to change "
        "your vote, VOTE YES or VOTE NO.",
        "VOTE WITHDRAW",
    ),
    Advice(
        re.compile(
            r"\bas\s+an?\s+no\b.{0,20}\bdraw\b|^(?:no|not|against|refuse|reject|decline)\b.{0,40}\bdraw\b|\bvote\s+(?:no|against)\b"
            r"|^\W*i(?:\s+a|['’])?m\s+against\W*$"
            r"|\b(?:don['’]?t|do\s+not|never|won['’]?t|not)\s+(?:agree|accept|want|support)\b.{0,20}\bdraw\b",
            re.IGNORECASE,
        ),
        "To vote no on what is proposed, write VOTE NO on a line of its own.",
        "VOTE NO",
    ),
    Advice(
        re.compile(
            r"\b(?:agree|accept|favou?r|fine|ok|okay|as\s+an?\s+yes)\b.{0,20}\bdraw\b|\bvote\s+(?:yes|in\s+favou?r|for\b.*\bdraw)\b",
            re.IGNORECASE,
        ),
        "To vote yes on what is proposed, write VOTE YES on a line of its own; VOTE DRAW proposes "
        "a draw.",
        "VOTE YES",
    ),
    Advice(
        re.compile(r"\b(?:draw)\b.*", re.IGNORECASE),
        "To propose a draw, write VOTE DRAW on a line of its own.",
        "VOTE DRAW",
    ),
    Advice(
        re.compile(
            r"\b(?:cancel|withdraw|take\s+back|undo|delete|remove)\b.{0,20}"
            r"\b(?:absence|vacation|holidays?)\b",
            re.IGNORECASE,
        ),
        "To take back an absence, write ABSENCE OFF on a line of its own; if you have several, "
        "with the first day of the one that you mean.",
        "ABSENCE OFF",
    ),
    Advice(
        re.compile(
            r"\b(?:same|no\s+changes?|nothing\s+new|unchanged)\b.{0,20}\b(?:last|previous)\s+(?:turn|phase|season|time|year)\b",
            re.IGNORECASE,
        ),
        "To order again what you ordered in the last movement phase, write SAME on a line of its "
        "own, and below it the orders that are new.",
        "SAME",
    ),
    Advice(
        re.compile(
            r"\bback\s+to\s+(?:my|the)\b.{0,20}\b(?:version|orders|moves|mail)\b", re.IGNORECASE
        ),
        "Your latest orders count. To go back to earlier ones, send them again.",
        "ORDERS",
    ),
    Advice(
        re.compile(
            r"\b(?:rest|others?|(?:everything|all)\s+else)\b.{0,10}\b(?:as\s+before|the\s+same|unchanged|stays?|is\s+(?:fine|ok|okay|good))\b"
            r"|\bchange\s+(?:only\s+)?(?:one|an|my|the)\b.{0,20}\border\b"
            r"|^\W*corr?ection\b.*\w|^\W*update\s*:|\binstead\b"
            r"|\b(?:how|can|may)\b.{0,20}\bchange\s+(?:(?:\w+\s+)?(?:orders?|moves?)|this|that|it|them|these)\b"
            r"|\bsame\b.{0,12}\b(?:but|except)\b|\bexcept\b.{1,30}\bshould\b"
            r"|^\W*on\s+second\s+thoughts?\b|\bchanged\s+my\s+mind\b|^\W*change\s+of\s+(?:plans?|mind)\b"
            r"|\b(?:fleet|army)\s+(?:should|must|was\s+(?:meant|supposed))\b"
            r"|\b(?:sorry|o+ps|ups|whoops)\W+(?:i\s+)?meant\b|^\W*i\s+meant\b(?!\s+no\b)"
            r"|^\W*(?:(?:please|pls|plz)\s+)?(?:change|switch|replace)\s+(?!(?:the\s+)?(?:my|deadline|date|time|name)).*\b(?:to|with|by)\b"
            r"|^\W*(?:sorry\W+)?not\b.{1,30}\bbut\b|^\W*(?:(?:all|the)\s+)*same\b.{0,30}\b(?:but|except)\b"
            r"|^\W*(?:i\s+)?forgot\W*:|^\W*one\s+more\b|^\W*(?:oops|whoops|korrektur)\b\W*(?:a|f|army|fleet)\b"
            r"|^\W*(?:please\s+)?change\s+\w+(?:\s\w+)?\s*:"
            r"|\b(?:typo|mistake|error)\b.*\b(?:not|instead|should|meant|it['’]s)\b"
            r"|\bno,?\s+wait\b.*\w|^\W*wait\b\W*(?:a|f|army|fleet)\b",
            re.IGNORECASE,
        ),
        "To change an order and keep the others, write AMEND on a line of its own, and the new "
        "order below it.",
        "AMEND",
    ),
    Advice(
        re.compile(
            r"(?<!not )(?<!n['’]t )\b"
            r"(?:ignore|disregard|forget|take\s+back|undo|delete|scrap|cancel|withdraw|revoke)\b"
            r".{0,25}\b(?:orders?|moves?|everything|(?:last|previous|earlier|first)\s+(?:e-?mail|mail|message))\b"
            r"|^\W*(?:clear|cancel|undo|revoke)\s+"
            r"(?:(?:my|the)\s+)?(?!game|mails?|seat|account)[a-z]{3,}\W*$"
            r"|\bmail\b.{0,25}\b(?:wrong|other|another)\s+game\b"
            r"|^\W*(?:please\s+)?(?:cancel|undo|revoke|ignore|forget)\s+(?:(?:my|the)\s+)?"
            r"(?:a|f|army|fleet|build|disband)\s+\w",
            re.IGNORECASE,
        ),
        "To take back all your orders, write CLEAR on a line of its own. To change one "
        "order and keep the others, write AMEND on a line of its own, and the new order below it. "
        "New orders without AMEND replace what you sent before.",
        "CLEAR",
    ),
    Advice(
        re.compile(
            r"^\W*(?:(?:and|so|but)\s+)?(?:is|are|was|were|do|does)\s+(?:this|that|these|those|it|they|everything)\s+"
            r"(?:\w+\s+){0,3}(?:right|correct(?:ly)?|sense|readable)\s*\?\W*$",
            re.IGNORECASE,
        ),
        "This mail says how we have read your orders. To see which of them stand, write ORDERS on "
        "a line of its own.",
        "ORDERS",
    ),
    Advice(
        re.compile(
            r"\byou\b.{0,10}\b(?:got|get|have|received?)\b.{0,20}\b(?:orders?|moves)\b"
            r"|^\W*(?:did|have)\s+you\s+(?:get|got|receive[d]?)\s+(?:it|this|that|them|these|my\s+(?:e-?)?mail)\b"
            r"|\b(?:my|our)\s+(?:orders?|moves)\b.{0,15}\breceived\b"
            r"|(?<!here\s)\b(?:are|is|were|was)\s+(?:all\s+)?(?:my|our)\s+(?:orders?|moves)\b"
            r"|\bwhat['’]?s?\s+(?:are\s+|were\s+|is\s+)?(?:my|our)\s+(?:\w+\s+)?(?:orders?|moves)\b"
            r"|\b(?:see|show|check)\b.{0,10}\b(?:my|our)\s+(?:orders?|moves)\b"
            r"|^\W*(?:is|are)\b.{0,40}\b(?:in|ok|okay|noted|received)\s*\?\W*$",
            re.IGNORECASE,
        ),
        "To see which of your orders stand, write ORDERS on a line of its own.",
        "ORDERS",
    ),
    Advice(
        re.compile(
            r"^\W*(?:for|in)\s+(?:the\s+)?(?:spring|fall|autumn|winter)\b"
            r"|^\W*(?:for\s+(?:the\s+)?)?next\s+(?:turn|phase|season)\b",
            re.IGNORECASE,
        ),
        "Orders for a later phase stand below a line with its name, for example PHASE F1901M. To "
        "read how, write HELP PHASE on a line of its own.",
        "HELP PHASE",
    ),
    Advice(
        re.compile(
            rf"(?:\b(?:i|we)\b.{{0,9}}|^\W*(?:sorry\W+)?){WAS_AWAY.pattern}(?!\s+in\s+the\b)"
            r"|\bam\s+i\s+(?:still\s+)?(?:in|playing|part)\b(?:\W*$|.{0,12}\bgame\b)"
            r"|\bstill\s+have\s+(?:my|a)\s+seat\b",
            re.IGNORECASE,
        ),
        "To see how the game stands and whether you still have your seat, write STATUS on a line "
        "of its own. If the seat is open, RETURN and the game's name brings you back to it.",
        "STATUS",
    ),
    Advice(
        re.compile(
            r"^\W*who\b(?!\s+knows)|\b(?:send|show|see)\b.{0,20}\bstatus\b|^\W*(?:players|roster)\W*$"
            r"|\b(?:which|what)\s+(?:power|country)\s+(?:am\s+i|do\s+i|i\s+(?:am|play))\b",
            re.IGNORECASE,
        ),
        "To see who plays what, and whom the game waits for, write STATUS on a line of its own.",
        "STATUS",
    ),
    Advice(
        re.compile(r"^\W*(?:please\s+)?(?:show|list|review)\b.{0,10}\borders\W*$", re.IGNORECASE),
        "To see which of your orders stand, write ORDERS on a line of its own.",
        "ORDERS",
    ),
    Advice(
        re.compile(r"^\W*master(?:\s+[\w-]+){1,2}\W*$", re.IGNORECASE),
        "You need not sign on as the game master: write GM, the game's name and the command.",
        "GM",
    ),
    Advice(
        re.compile(
            r"\bwhen\b.{0,30}\b(?:deadline|due|goe?s?\s+on|start|results?|next)\b|\btoo?\s+late\b"
            r"|\bwh(?:at|en)(?:['’]?s|\s+is)\s+the\s+(?:\w+\s+)?deadline\b|\bhow\s+(?:long|much\s+time)\b.{0,20}\b(?:have|left|until)\b",
            re.IGNORECASE,
        ),
        "To see how the game stands, and its deadline, write STATUS on a line of its own.",
        "STATUS",
    ),
    Advice(
        re.compile(
            r"\b(?<!my\s)(?:old|lost|missed|last)\b.{0,15}\b(?:mails?|results?)\b|\bresults\s+of\b|\bwhat\s+(?:are|were)\s+the\s+(?:\w+\s+)?results\b|\bwhat(?:\s+has)?\s+happened\b|\bsend\b.{0,40}\bagain\b",
            re.IGNORECASE,
        ),
        "To see what happened, write HISTORY, or HISTORY F1901M for a phase; MAP shows the board.",
        "HISTORY",
    ),
    Advice(
        re.compile(
            r"\b(?:new|changed?|other|another)\b.{0,15}\b(?:e-?mail|address)\b", re.IGNORECASE
        ),
        "To write from another address, too, write SET ADDRESS and the address: we ask there "
        "whether it is yours. After that SET RECORD and the address has us write to it.",
        "SET ADDRESS",
    ),
    Advice(
        re.compile(
            r"\b(?:change|correct|fix|update)\s+(?:\w+\s+)?my\s+(?:\w+\s+)?name\b"
            r"|\bmy\s+name\s+is\s+(?:wrong|mis\w+)\b",
            re.IGNORECASE,
        ),
        "To change your name, write SET NAME and the new one, for example: SET NAME Ana Smith",
        "SET NAME",
    ),
    Advice(
        re.compile(r"\btime\s*zones?\b", re.IGNORECASE),
        "To see your time zone, write SET on a line of its own; to change it, write for example "
        "SET TIMEZONE Europe/Berlin.",
        "SET TIMEZONE",
    ),
    Advice(
        re.compile(
            r"\b(?:turn|switch)\b.{0,15}\boff\b|\b(?:no|without|stop)\s+(?:the\s+)?"
            r"(?:pictures?|images?|maps?|html)\b",
            re.IGNORECASE,
        ),
        "SET MAP OFF leaves the maps out of our mails, SET HTML OFF sends them as plain text, and "
        "SET REMINDERS OFF ends reminders. SET shows how yours are set.",
        "SET",
    ),
    Advice(
        re.compile(
            r"^\W*(?:i(?:\s+a|['’])?m\s+)?(?:not|un)[\s-]*ready\b"
            r"|^(?!.*\b(?:no\s+need|need\s*n[o'’]|not|don['’]t)\b).*\bwait\s+for\s+me\b"
            r"|\bnot\s+(?:ready\s+|finished\s+|done\s+)?yet\W*$"
            r"|\b(?:do\s*not|don['’]?t|never)\s+(?:process|adjudicate|decide|run|go\s+on|resolve)\b"
            r"|\b(?:process|submit|enter|adjudicate|run)\b.{0,30}\bnot\s+(?:before|earlier)\b",
            re.IGNORECASE,
        ),
        "To keep the phase open until its deadline, write WAIT on a line of its own.",
        "WAIT",
    ),
    Advice(
        re.compile(r"\bneed\s+(?:some\s+)?help\W*$", re.IGNORECASE),
        "HELP on a line of its own shows everything you can write.",
        "HELP",
    ),
    Advice(
        re.compile(
            r"\b(?:create|start|make|open|host|set\s+up)\b.{0,10}\b(?:an?|my|our|new)\b.{0,15}\bgame\b",
            re.IGNORECASE,
        ),
        "To make a game, write CREATE, a name for it and how you want to play, for example: "
        "CREATE marne weekly. HELP CREATE explains it.",
        "CREATE",
    ),
    Advice(
        re.compile(
            r"\b(?:delete|cancel|undo|remove|take\s+back)\b.{0,12}\b(?:my|the|this)\s+(?:new\s+)?game\b",
            re.IGNORECASE,
        ),
        "To take back a game that you made, as long as nobody has joined, write CREATE, its name "
        "and OFF, for example: CREATE marne OFF",
        "CREATE OFF",
    ),
    Advice(
        re.compile(
            r"\b(?:list|which|what|see|show|any|open|available)\b.{0,30}\bgames\b", re.IGNORECASE
        ),
        "To see the games, write LIST on a line of its own.",
        "LIST",
    ),
    Advice(
        re.compile(
            r"^\W*(?:i(?:\s+a|['’])?m|we(?:\s+a|['’])?re)\s+(?:all\s+)?ready\W*$"
            r"|^\W*(?:i(?:\s+a|['’])?m\s+)?(?:all\s+)?done\W*$|^\W*that['’]?s\s+all\W*$"
            r"|\b(?:no\s+need|need\s*(?:not|n['’]t)|do\s+not|don['’]t)\b.{0,15}\bwait\s+for\s+me\b"
            r"|\b(?:mark|put|set|count)\s+me\b.{0,10}\bready\b|\bstop\s+waiting\b"
            r"|^\W*(?:i\s+)?(?:pass|skip)\W*$|^\W*no\s+(?:orders?|moves)\b",
            re.IGNORECASE,
        ),
        "To say that the game need not wait for you, even if a unit has no order, write READY "
        "on a line of its own; HOLD ALL orders every unit to hold.",
        "READY",
    ),
    Advice(
        re.compile(
            r"^\W*come\s+back\b|\b(?:want|like|let\s+me|come)\b.{0,10}\bback\b(?:\s+in\b|\W*$)",
            re.IGNORECASE,
        ),
        "To come back to your seat while it is open, write RETURN and the game's name.",
        "RETURN",
    ),
    Advice(
        BACK,
        "To end an absence early, write ABSENCE OFF on a line of its own. If you had to leave your "
        "seat, and it is still open, RETURN and the game's name brings you back to it.",
        "RETURN",
    ),
    Advice(
        re.compile(
            r"^\W*(?:i|we)\s+(?:\w+\s+){0,2}hold(?:ing)?(?:\s+(?:this|for|all|every).{0,30})?\W*$",
            re.IGNORECASE,
        ),
        "To order all your units to hold, write HOLD ALL on a line of its own.",
        "HOLD ALL",
    ),
    Advice(
        re.compile(
            r"\bbuild\s+(?:nothing|none)\b|\bnothing\s+to\s+build\b|\bno\s+new\s+units?\b",
            re.IGNORECASE,
        ),
        "To leave a build out, write Waive on a line of its own.",
        "Waive",
    ),
)
LOOKS = ("LIST", "MAP", "STATUS", "RULES", "ORDERS", "HISTORY", "HELP ORDERS")
"""Commands that change nothing: whoever seems to want one has it for a yes."""
ABOUT_PLAY = (
    *("YES", "EXTEND", "RESIGN", "VOTE DRAW", "VOTE NO", "VOTE YES", "VOTE CONCEDE", "AMEND"),
    *("VOTE WITHDRAW", "PRESS", "PRESS TO GM", "WAIT"),
    *(
        "CLEAR",
        "ORDERS",
        "STATUS",
        "MAP",
        "RULES",
        "HELP ORDERS",
        "HELP PHASE",
        "READY",
        "RETURN",
        "SAME",
        "HOLD ALL",
        "Waive",
    ),
)
"""Commands about a game that the writer plays in."""


def fitting(text: str, known: Sequence[Advice]) -> Advice | None:
    """The advice for a line."""
    for one in known:
        if one.words.match(text) if one.command == "YES" else one.words.search(text):
            return one
    abroad = next(asked_abroad(text), "")
    return next((one for one in reversed(known) if one.command == abroad), None)


def advised_command(text: str) -> str:
    """The command that answers what somebody says in conversation, "" if we know none."""
    fits = fitting(text, (*ADVICE, *NEWCOMERS))
    return fits.command if fits else ""
