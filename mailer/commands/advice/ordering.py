"""What people have sent, and change, take back or ask about: orders and absences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice

ORDERING: Sequence[Advice] = (
    Advice(
        re.compile(
            r"^\W*(?:please\s+)?leave\s+(?:(?:my|the)\s+)?(?:a|f|army|fleet)\s+(?!game\b)\w+",
            re.IGNORECASE,
        ),
        "To have a unit hold, write for example “A Paris Holds”. To keep its earlier order, "
        "write AMEND on a line of its own, and below it only the orders that are new.",
        "AMEND",
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
            r"|^\W*(?:i\s+)?forgot\b.{0,20}:|\b(?:only|just)\s+(?:one|an?|two|these?)\s+(?:\w+\s+)?changes?\b"
            r"|\bas\s+before\b.{0,5}\b(?:except|but)\b|\bkeep\b.{0,20}\borders\b.{0,5}\b(?:but|except)\b"
            r"|^\W*no\W+not\b|\btypo\s*:|^\W*(?:additionally|in\s+addition)\b"
            r"|\b(?:first|second|third|last)\s+(?:one|order|line)\b.{0,10}\b(?:wrong|mistake)\b"
            r"|^\W*swap\b|\b(?:possible|allowed|ok(?:ay)?|late)\s+to\s+change\b"
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
            r"|^\W*(?:(?:please|pls|kindly)\s+)?(?:disregard|ignore)\s*(?:[.!]|$)"
            r"|\bmail\b.{0,25}\b(?:wrong|other|another)\s+game\b"
            r"|\b(?:recall|unsend)\s+(?:the|my|that)\s+(?:(?:last|previous)\s+)?(?:e-?mail|mail|message)\b"
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
            r"\b(?:you|u)\b.{0,10}\b(?:got|get|have|received?)\b.{0,20}\b(?:orders?|moves)\b"
            r"|^\W*(?:did|have)\s+(?:you|u)\s+(?:get|got|receive[d]?)\s+(?:it|this|that|them|these|my\s+(?:e-?)?mail)\b"
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
)
