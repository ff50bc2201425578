"""How the game stands, settings, new games, and whether somebody is ready or back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.away import BACK, WAS_AWAY
from mailer.commands.advice.row import Advice

PLAYING: Sequence[Advice] = (
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
            r"^\W*who\b(?!\s+(?:knows|(?:do|can|should|must)\s+(?:i|we)\b))|\bhow\s+many\s+(?:players|powers|people)\b|^\W*whose\s+turn\b"
            r"|^\W*(?:has|have|did)\s+(?:everybody|everyone|all(?:\s+(?:of\s+)?the\s+others)?|the\s+others)\b"
            r".{0,30}\b(?:sent|send|ordered|order|orders|moves|in|ready|done)\b"
            r"|\b(?:list|names)\s+of\s+(?:the\s+|all\s+)?players\b|\b(?:send|show|see)\b.{0,20}\bstatus\b|^\W*(?:players|roster)\W*$"
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
            r"\bwhen\b.{0,30}\b(?:deadline|due|processed|adjudicated|resolved|goe?s?\s+on|start|results?|next)\b|\btoo?\s+late\b"
            r"|\bwh(?:at|en)(?:['’]?s|\s+is)\s+the\s+(?:\w+\s+)?deadline\b|\bhow\s+(?:long|much\s+time|many\s+(?:hours|days))\b.{0,20}\b(?:have|left|until)\b",
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
            r"\b(?:new|changed?|other|another)\b.{0,15}\b(?:e-?mail|address)\b"
            r"|\b(?:use|write\s+to)\s+(?:my|this)\b.{0,20}\b(?:e-?mail|address)\b",
            re.IGNORECASE,
        ),
        "To write from another address, too, write SET ADDRESS and the address: we ask there "
        "whether it is yours. After that SET RECORD and the address has us write to it.",
        "SET ADDRESS",
    ),
    Advice(
        re.compile(
            r"\b(?:change|correct|fix|update)\s+(?:\w+\s+)?my\s+(?:\w+\s+)?name\b"
            r"|\bmy\s+name\s+is\s+(?:wrong|mis\w+|spel(?:led|t)|(?:written|actually)\b(?!\s+on))\b",
            re.IGNORECASE,
        ),
        "To change your name, write SET NAME and the new one, for example: SET NAME Ana Smith",
        "SET NAME",
    ),
    Advice(
        re.compile(
            r"\btime\s*zones?\b|\b(?:not|n['’]t|why|stop)\b\D{0,30}\b(?:utc|gmt)\b"
            r"|\b(?:utc|gmt)\b.{0,15}\binstead\b",
            re.IGNORECASE,
        ),
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
            r"|^\W*hold\s+on\b(?!\s+to\b)"
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
            r"|^\W*(?:i(?:\s+a|['’])?m\s+)?(?:done|finished|all\s+set|good\s+to\s+go)\b(?!\s+(?:with|it|for|in|by))"
            r"|\bgo\s+ahead\s+whenever\b|^\W*(?:i\s+)?(?:finali[sz]ed?|lock(?:ed)?\s+(?:it\s+)?in|rdy)\W*$"
            r"|^\W*(?:please\s+)?(?:process|adjudicate|resolve|run)\b.{0,15}\bnow\b"
            r"|^\W*(?:i\s+)?(?:pass|skip)\W*$|^\W*no\s+(?:orders?|moves)\b",
            re.IGNORECASE,
        ),
        "To say that the game need not wait for you, even if a unit has no order, write READY "
        "on a line of its own; HOLD ALL orders every unit to hold.",
        "READY",
    ),
    Advice(
        re.compile(
            r"^\W*come\s+back\b|\bmy\s+(?:seat|power|place)\s+back\b|\b(?:want|like|let\s+me|come)\b.{0,10}\bback\b(?:\s+in\b|\W*$)",
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
