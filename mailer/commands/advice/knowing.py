"""What people want to know: the board, the rules, what happens, what we keep about them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice

_POWER = r"(?:austria|england|france|germany|italy|russia|turkey)"
KNOWING: Sequence[Advice] = (
    Advice(
        re.compile(
            rf"\b(?:have|play|be|get|take)\s+(?:as\s+)?{_POWER}\s+instead\b(?:\s+of\s+{_POWER})?\W*$"
            rf"|^\W*(?:can|could|may)\s+i\s+(?:please\s+)?(?:be|have|play(?:\s+as)?)\s+{_POWER}(?:\s+please)?\W*$"
            r"|\b(?:change|switch|swap|choose|pick|trade)\s+(?:(?:my|our)\s+)?(?:powers?|country|countries|nations?)\b"
            r"|\b(?:play|have|be|want|get|like)\s+an?(?:other|\s+different)\s+(?:power|country|nation)\b",
            re.IGNORECASE,
        ),
        "Powers are given out when a game starts, by the list behind each player's JOIN; until "
        "then, JOIN, the game's name and a new list changes yours. Once it has started, everybody "
        "keeps their power. HELP JOIN on a line of its own explains it.",
        "HELP JOIN",
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
            r"|^\W*can\s+(?:two|2|several)\s+(?:armies|fleets|units)\b"
            r"|^\W*(?:can|could|may|does|do)\s+(?:an?|any|the|all)\s+(?:\w+\s+)?(?:army|armies|fleets?|units?|convoys?|supports?)\b"
            r"[^:>→–—]*\?\W*$|^\W*(?:can|could|may)\s+(?:i|we)\s+(?:also\s+|even\s+)?(?:convoy|support|retreat|build)\b[^:>→–—]{0,40}\?\W*$",
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
            r"\b(?:how\s+(?:to|do\s+(?:i|we|you)|can\s+(?:i|we))|whom?\s+(?:do|can|should|must)\s+(?:i|we))\b.{0,20}"
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
)
