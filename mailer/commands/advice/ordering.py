"""Orders and absences that people have sent and want to change, take back or ask about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice
from mailer.reading.patterns import any_of, says

_WHICH = any_of(
    "(?:first|second|third|last|other)(?: (?:one|order|line|option))?",
    *("former", "latter", "(?:this|that) one"),
)

ORDERING: Sequence[Advice] = (
    Advice(
        says(
            rf"^\W*(?:(?:yes|no|ok|sorry|i mean|i meant)\W+)?(?:the )?{_WHICH}(?:,? please)?\W*$",
            r"^\W*both(?: of them)?(?:,? please)?\W*$",
            r"^\W*(?:option )?[a-e1-5]\)\W*$",
        ),
        "We do not remember what we asked, so we cannot tell which order you mean. To "
        "change one and keep the others, write AMEND on a line of its own, and that order in full "
        "below it.",
        "AMEND",
    ),
    Advice(
        says(
            r"\b(?:orders?|moves|file|document|pdf|word|excel|sheet)\b.{0,20}"
            r"\b(?:attached|enclosed)\b(?! (?:below|here|in|at|to)\b)",
            r"\b(?:attached|enclosed)\b.{0,20}\b(?:orders?|moves|file|document|pdf|word|excel)\b",
        ),
        "We read the text of a mail and plain text files (.txt), and no others. Please write the "
        "orders in the mail itself, each on a line of its own: HELP ORDERS shows how.",
        "HELP ORDERS",
    ),
    Advice(
        says(
            r"^\W*(?:please )?swap (?!.*(?:\b(?:with|by|for|to)\b|:))\S+ (?:\S+ )?and\b",
            r"\b(?:swap|trade|exchange|switch) (?:their )?(?:places|positions)\b",
        ),
        "Two units can trade places only if a convoy carries one of them. Order each of them, for "
        "example “A London - Norway via convoy” and “A Norway - London”, and the fleet that "
        "convoys. To keep your other orders, write AMEND on a line of its own above them.",
        "AMEND",
    ),
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
            r"\b(?:cancel|withdraw|take\s+back|undo|delete|remove|forget)\b.{0,20}"
            r"\b(?:absence|vacation|holidays?)\b|(?<!if\s)\bmy\s+(?:absence|vacation|holidays?|trip)\s+"
            r"(?:(?:has|was|is|been|have)\s+)+(?:cancel+ed|called\s+off)\b",
            re.IGNORECASE,
        ),
        "To take back an absence, write ABSENCE OFF on a line of its own; if you have several, "
        "with the first day of the one that you mean.",
        "ABSENCE OFF",
    ),
    Advice(
        says(
            r"\b(?:same|no changes?|nothing new|unchanged)\b.{0,20}\b(?:last|previous)"
            r" (?:turn|phase|season|time|year)\b",
        ),
        "To order again what you ordered in the last movement phase, write SAME on a line of its "
        "own, and below it the orders that are new.",
        "SAME",
    ),
    Advice(
        re.compile(
            r"\bback\s+to\s+(?:my|the)\b.{0,20}\b(?:version|orders|moves|mail)\b", re.IGNORECASE
        ),
        "Your latest orders count: ORDERS on a line of its own shows them. To go back to earlier "
        "ones, send them again.",
        "ORDERS",
    ),
    Advice(
        says(
            r"\b(?:rest|others?|(?:everything|all) else)\b.{0,10}\b"
            r"(?:as before|the same|unchanged|stays?|is (?:fine|ok|okay|good))\b",
            r"\bchange (?:only )?(?:one|an|my|the)\b.{0,20}\border\b",
            r"^\W*corr?ection\b.*\w",
            r"^\W*update\s*:",
            r"\binstead\b",
            r"\b(?:how|can|may)\b.{0,20}\bchange (?:(?:\w+ )?(?:orders?|moves?)|this|that|it"
            r"|them|these)\b",
            r"\bsame\b.{0,12}\b(?:but|except)\b",
            r"\bexcept\b.{1,30}\bshould\b",
            r"^\W*on second thoughts?\b",
            r"\bchanged my mind\b",
            r"^\W*change of (?:plans?|mind)\b",
            r"\b(?:fleet|army) (?:should|must|was (?:meant|supposed))\b",
            r"\b(?:sorry|o+ps|ups|whoops)\W+(?:i )?meant\b",
            r"^\W*i meant\b(?! no\b)",
            r"^\W*(?:(?:please|pls|plz) )?(?:change|switch|replace)"
            r" (?!(?:the )?(?:my|deadline|date|time|name)).*\b(?:to|with|by)\b",
            r"^\W*(?:sorry\W+)?not\b.{1,30}\bbut\b",
            r"^\W*(?:(?:all|the) )*same\b.{0,30}\b(?:but|except)\b",
            r"^\W*(?:i )?forgot\W*:",
            r"^\W*one more\b",
            r"^\W*(?:oops|whoops|korrektur)\b\W*(?:a|f|army|fleet)\b",
            r"^\W*(?:please )?change \w+(?:\s\w+)?\s*:",
            r"\b(?:typo|mistake|error)\b.*\b(?:not|instead|should|meant|it['’]s)\b",
            r"^\W*(?:i )?forgot\b.{0,20}:",
            r"\b(?:only|just) (?:one|an?|two|these?) (?:\w+ )?changes?\b",
            r"\bas before\b.{0,5}\b(?:except|but)\b",
            r"\bkeep\b.{0,20}\borders\b.{0,5}\b(?:but|except)\b",
            r"^\W*no\W+not\b",
            r"\bmake (?:that|it) (?:a|f|army|fleet)\b",
            r"\bi (?:almost )?forgot(?: (?:this|that|it|one))?\W*$",
            r"\btypo\s*:",
            r"^\W*(?:additionally|in addition)\b",
            r"\b(?:first|second|third|last) (?:one|order|line)\b.{0,10}\b(?:wrong|mistake)\b",
            r"^\W*swap\b",
            r"\b(?:possible|allowed|ok(?:ay)?|late) to change\b",
            r"\bno,? wait\b.*\w",
            r"^\W*wait\b\W*(?:a|f|army|fleet)\b",
        ),
        "To change an order and keep the others, write AMEND on a line of its own, and the new "
        "order below it.",
        "AMEND",
    ),
    Advice(
        says(
            r"^\W*(?:please )?(?:clear|cancel|undo|revoke|ignore|forget|delete|drop|take back)"
            r" (?:(?:my|the) )?(?:orders? (?:for|of|to) )?(?:(?:my|the) )?(?:a|f|army|fleet) \w",
            r"^\W*(?:please )?(?:clear|cancel|undo|revoke|delete|drop|take back)"
            r" (?:(?:my|the) )?order (?:for|of|to) \w",
        ),
        "To change one order and keep the others, write AMEND on a line of its own, and below it "
        "what that unit is to do now, for example “A Paris Holds”. CLEAR takes back all your "
        "orders.",
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
            r"(?:build|disband)\s+\w",
            re.IGNORECASE,
        ),
        "To take back all your orders, write CLEAR on a line of its own. To change one "
        "order and keep the others, write AMEND on a line of its own, and the new order below it. "
        "New orders without AMEND replace what you sent before.",
        "CLEAR",
    ),
    Advice(
        says(
            r"^\W*(?:(?:and|so|but) )?(?:is|are|was|were|do|does)"
            r" (?:this|that|these|those|it|they|everything) (?:\w+ ){0,3}"
            r"(?:right|correct(?:ly)?|sense|readable)\s*\?\W*$",
        ),
        "This mail says how we have read your orders. To see which of them stand, write ORDERS on "
        "a line of its own.",
        "ORDERS",
    ),
    Advice(
        says(
            r"\b(?:you|u)\b.{0,10}\b(?:got|get|have|received?)\b.{0,20}\b(?:orders?|moves)\b",
            r"^\W*(?:did|have) (?:you|u) (?:get|got|receive[d]?)"
            r" (?:it|this|that|them|these|those|my (?:e-?)?mail)\b",
            r"\b(?:my|our) (?:orders?|moves)\b.{0,15}\breceived\b",
            r"\b(?:did|have|has) (?:\w+ )?(?:my|our) (?:\w+ )?(?:orders?|moves)\b.{0,15}"
            r"\b(?:arrived?|come|get|reach|go|gone)\b",
            r"(?<!here\s)\b(?:are|is|were|was) (?:all )?(?:my|our) (?:orders?|moves)\b",
            r"\bwhat['’]?s? (?:are |were |is )?(?:my|our) (?:\w+ )?(?:orders?|moves)\b",
            r"^\W*what (?:did|have|had) (?:i|we) (?:\w+ )?(?:order|send|sent|submit)\w*\W*$",
            r"\b(?:see|(?<!not\s)(?<!n['’]t\s)show|check)\b.{0,10}\b(?:my|our) (?:orders?|moves)\b",
            r"\bmy (?:orders?|moves)\b.{0,60}\b(?:ignored|lost|not counted|disregarded)\b",
            r"^\W*(?:is|are)\b.{0,40}\b(?:in|ok|okay|noted|received)\s*\?\W*$",
        ),
        "To see which of your orders stand, write ORDERS on a line of its own.",
        "ORDERS",
    ),
    Advice(
        says(
            r"^\W*(?:for|in) (?:the )?(?:spring|fall|autumn|winter)\b",
            r"^\W*(?:and )?(?:for (?:the )?)?next (?:turn|phase|season)\b",
        ),
        "Orders for a later phase go below a line with its name, for example PHASE F1901M. To "
        "read how, write HELP PHASE on a line of its own.",
        "HELP PHASE",
    ),
)
