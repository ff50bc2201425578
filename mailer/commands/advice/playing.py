"""How the game stands, its settings, new games, and whether somebody is ready or back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.away import BACK, WAS_AWAY
from mailer.commands.advice.knowing import NEW_ADDRESS
from mailer.commands.advice.row import Advice
from mailer.reading.patterns import says

_START = r"^\W*(?:please )?(?:start|begin)"
_GAME = "(?:the|this|our|my) game"
_I_WANT_TO = r"(?:(?:please|i|i['’]d|would|want|like|to) ){0,5}"
PLAYING: Sequence[Advice] = (
    Advice(
        says(
            rf"(?:\b(?:i|we)\b.{{0,9}}|^\W*(?:sorry\W+)?){WAS_AWAY.pattern}(?! in the\b)",
            r"\bam i (?:still )?(?:in|playing|part)\b(?:\W*$|.{0,12}\bgame\b)",
            r"\bstill have (?:my|a) seat\b",
        ),
        "To see how the game stands and whether you still have your seat, write STATUS on a line "
        "of its own. If the seat is open, RETURN and the game's name brings you back to it.",
        "STATUS",
    ),
    Advice(
        says(
            r"^\W*who\b(?! (?:knows|(?:do|can|should|must) (?:i|we)\b))",
            r"\bhow many (?:players|powers|people)\b",
            r"^\W*whose turn\b",
            r"^\W*(?:which|what) (?:players|powers|people)\b.{0,12}"
            r"\b(?:owe|miss|late|sent|order)\w*",
            r"^\W*(?:has|have|did) (?:everybody|everyone"
            r"|all(?: (?:of )?the others)?|the others)\b.{0,30}\b(?:sent|send|ordered|order"
            r"|orders|moves|in|ready|done)\b",
            r"\b(?:list|names) of (?:the |all )?players\b",
            r"\b(?:send|show|see)\b.{0,20}\bstatus\b",
            r"^\W*(?:players|roster)\W*$",
            r"\b(?:which|what) (?:power|country) (?:am i|do i|i (?:am|play))\b",
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
        says(
            rf"{_START}(?: {_GAME}| [\w-]+(?= (?:at|on)\b))?(?: (?:it|at|on|this|next|coming))*"
            r" (?:\d|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b"
            r"|(?:today|tonight|tomorrow)\b)(?!.*\s[-–—>→])",
            rf"{_START} {_GAME}(?: now)?\W*$",
            rf"\b(?:can|could|may) (?:i|we|you) (?:please )?(?:start|begin) {_GAME}\b",
        ),
        "The game master sets when a game starts; in a game without one, the player who made it "
        "does, with CREATE, its name, START and the time, for example CREATE marne START Sunday "
        "19:00. To ask the game master, write PRESS TO GM on a line, and your text below it. "
        "STATUS shows whether the game has started.",
        "CREATE",
    ),
    Advice(
        re.compile(r"^\W*master(?:\s+[\w-]+){1,2}\W*$", re.IGNORECASE),
        "You need not sign on as the game master: write GM, the game's name and the command.",
        "GM",
    ),
    Advice(
        says(
            r"\bwhen\b.{0,30}\b(?:deadline|due|processed|adjudicated|resolved|goe?s? on|start"
            r"|results?|next)\b",
            r"\btoo? late\b",
            r"\bwh(?:at|en)(?:['’]?s| is) the (?:\w+ )?deadline\b",
            r"\bhow (?:long|much time|many (?:hours|days))\b.{0,20}\b(?:have|left|until)\b",
        ),
        "To see how the game stands, and its deadline, write STATUS on a line of its own.",
        "STATUS",
    ),
    Advice(
        says(
            r"\b(?<!my\s)(?:old|lost|missed|last)\b.{0,15}\b(?:mails?|results?)\b",
            r"\bresults of\b",
            r"\bwhat (?:are|were) the (?:\w+ )?results\b",
            r"\bwhat(?: has)? happened\b",
            r"\b(?:see|read|show|get)\b.{0,15}\b(?:game )?log\b",
            r"\bwhat did (?!you\b)\w+ (?:do|order|play|move)\b.{0,15}\b(?:last|previous|in)\b",
            r"\b(?:see|show|know|tell me) what (?!you\b|i\b|we\b)\w+ (?:has |have )?ordered\b",
            r"\bsend\b.{0,40}\bagain\b",
            r"^(?!.*\bi\b.{0,10}\bresen[dt]\b).*\b(?:please|can you|could you) re-?send\b",
        ),
        "To see what happened, write HISTORY, or HISTORY F1901M for a phase; MAP shows the board.",
        "HISTORY",
    ),
    Advice(
        says(
            r"\b(?:new|changed?|other|another)\b.{0,15}\b(?:e-?mail|address)\b",
            r"\b(?:use|write to) (?:my|this)\b.{0,20}\b(?:e-?mail|address)\b",
        ),
        NEW_ADDRESS,
        "SET ADDRESS",
    ),
    Advice(
        says(
            r"\b(?:change|correct|fix|update) (?:\w+ )?my (?:\w+ )?name\b",
            r"\b(?:play|write|appear) under (?:another|a different|some other) name\b",
            r"\bmy (?:sur|last |first )?name is"
            r" (?:wrong|mis\w+|spel(?:led|t)|(?:written|actually)\b(?! on))\b",
        ),
        "To change your name, write SET NAME and the new one, for example: SET NAME Ana Smith",
        "SET NAME",
    ),
    Advice(
        says(
            r"\btime\s*zones?\b",
            r"\b(?:in|to|into) (?:my|our) (?:own |local )?time\b",
            r"\blocal time\b",
            r"\b(?:my|your) (?:local )?time or (?:my|yours?|ours)\b",
            r"\b(?:show|give|tell|send|want|have)\b.{0,25}\b(?:times?|deadlines?|them)"
            r" in (?:\w+ ){1,2}time\b",
            r"\b(?:not|n['’]t|why|stop)\b\D{0,30}\b(?:utc|gmt)\b",
            r"\b(?:utc|gmt)\b.{0,15}\binstead\b",
        ),
        "To see your time zone, write SET on a line of its own; to change it, write for example "
        "SET TIMEZONE Europe/Berlin.",
        "SET TIMEZONE",
    ),
    Advice(
        says(
            r"\b(?:turn|switch)\b.{0,15}\boff\b",
            r"\b(?:no|without|stop) (?:the )?(?:pictures?|images?|maps?|html)\b",
        ),
        "SET MAP OFF leaves the maps out of our mails, SET HTML OFF sends them as plain text, and "
        "SET REMINDERS OFF ends reminders. SET shows how yours are set.",
        "SET",
    ),
    Advice(
        says(
            r"^\W*(?:i(?: a|['’])?m )?(?:not|un)[\s-]*ready\b",
            r"^\W*hold on\b(?! to\b)",
            r"^(?!.*\b(?:no need|need\s*n[o'’]|not|don['’]t)\b).*\bwait for me\b",
            r"\bnot (?:ready |finished |done )?yet\W*$",
            r"^\W*(?:please )?un[\s-]*(?:finali[sz]e|lock|submit)\b",
            r"\b(?:do\s*not|don['’]?t|never) (?:process|adjudicate|decide|run|go on|resolve)\b",
            r"\b(?:process|submit|enter|adjudicate|run)\b.{0,30}\bnot (?:before|earlier)\b",
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
        says(
            r"\b(?:create|start|make|open|host|set up)\b.{0,10}\b(?:an?|my|our|new)"
            r"\b.{0,15}\b(?:game|gunboat)\b",
            r"\b(?:live|real[\s-]*time) games?\b",
            r"\b(?:of us|friends|family|colleagues|office|club|class)\b.{0,50}\bplay\b"
            r".{0,25}\bgame\b",
        ),
        "To make a game, write CREATE, a name for it and how you want to play, for example: "
        "CREATE marne weekly; CREATE marne evening makes one with phases of minutes. HELP CREATE "
        "explains it.",
        "CREATE",
    ),
    Advice(
        says(
            r"\b(?:delete|cancel|undo|remove|take back)\b.{0,12}\b(?:my|the|this)"
            r" (?:new )?game\b",
        ),
        "To take back a game that you made, as long as nobody has joined, write CREATE, its name "
        "and OFF, for example: CREATE marne OFF",
        "CREATE OFF",
    ),
    Advice(
        re.compile(
            r"\b(?:list|which|what|see|show|any|open|available|do\s+you\s+have|are\s+there)\b"
            r".{0,30}\bgames\b|\b(?:two|several|more)\s+games\s+at\s+(?:once|the\s+same\s+time)\b",
            re.IGNORECASE,
        ),
        "To see the games, write LIST on a line of its own.",
        "LIST",
    ),
    Advice(
        says(
            r"^\W*(?:i(?: a|['’])?m|we(?: a|['’])?re) (?:all )?ready\W*$",
            r"^\W*(?:i(?: a|['’])?m )?(?:all )?done\W*$",
            r"^\W*that['’]?s all\W*$",
            r"\b(?:no need|need\s*(?:not|n['’]t)|do not|don['’]t)\b.{0,15}\bwait for me\b",
            r"\b(?:mark|put|set|count) me\b.{0,10}\bready\b",
            r"\bstop waiting\b",
            r"^\W*(?:i(?: a|['’])?m )?(?:done|finished|all set|good to go)\b"
            "(?! (?:with|it|for|in|by))",
            r"\bgo ahead whenever\b",
            rf"^\W*{_I_WANT_TO}(?:(?:save|submit|confirm) (?:and|&) )?"
            r"(?:finali[sz]ed?|submit(?:ted)?|lock(?:ed)?|ready|rdy)(?: in)?"
            r"(?: (?:my|the|these|this|all|it|orders|moves|them))*"
            r"(?: in)?(?: (?:please|now))?\W*$",
            r"^\W*\[?[x✓✔]\]?\W+(?:ready|finali[sz]ed?|submitted|locked)\W*$",
            r"^\W*(?:please )?(?:process|adjudicate|resolve|run)\b.{0,15}\bnow\b",
            r"^\W*(?:i )?(?:pass|skip)\W*$",
            r"^\W*no (?:orders?|moves)\b",
        ),
        "To say that the game need not wait for you, even if a unit has no order, write READY "
        "on a line of its own; HOLD ALL orders every unit to hold.",
        "READY",
    ),
    Advice(
        says(
            r"^\W*come back\b",
            r"(?<!give\s)(?<!hand\s)\bmy (?:seat|power|place) back\b",
            r"\b(?:want|like|let me|come)\b.{0,10}\bback\b(?: in\b|\W*$)",
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
        says(
            r"\bbuild (?:nothing|none)\b",
            r"\b(?:i|we|please|to)(?:['’]ll| will| want to)? waive\b",
            r"(?:\b(?:not|never|dont|wont)|n['’]t)\b.{0,20}\bbuild any",
            r"\bnothing to build\b",
            r"\bno new units?\b",
            r"^(?!.*\?)\W*(?:no|skip|save) (?:(?:my|the|any|all) )*builds?\b"
            r"(?! (?:an? )?(?:a|f|army|fleet)\b)",
        ),
        "To give up a build, write Waive on a line of its own.",
        "Waive",
    ),
)
