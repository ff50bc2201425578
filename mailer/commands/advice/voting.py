"""Draws, concessions and votes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice
from mailer.reading.patterns import says

VOTING: Sequence[Advice] = (
    Advice(
        says(
            r"\b(?:i|we|let['’]?s)\b.{0,15}\b(?:concede|surrender)\b",
            r"\bconcede to \w+",
        ),
        "To let a power win, write VOTE CONCEDE TO and its name; the others have to agree. To give "
        "up your own power, write RESIGN.",
        "VOTE CONCEDE",
    ),
    Advice(
        re.compile(
            r"\b(?:withdraw|cancel|retract|revoke|take\s+back|forget|scrap|changed\s+my\s+mind)\b"
            r".{0,15}\b(?:draw|proposal|concession|vote)\b"
            r"|\b(?:change|switch)\s+my\s+vote\b"
            r"|\btake\s+(?:back\s+my\s+(?:yes|no)\b|my\s+(?:yes|no|vote|proposal)\s+back\b)",
            re.IGNORECASE,
        ),
        "To take back what you have proposed, write VOTE WITHDRAW on a line of its own; to change "
        "your vote, VOTE YES or VOTE NO.",
        "VOTE WITHDRAW",
    ),
    Advice(
        says(
            r"\bas an? no\b.{0,20}\bdraw\b",
            r"^(?:no|not|against|refuse|reject|decline)\b.{0,40}\bdraw\b",
            r"\bvote (?:no|against)\b",
            r"^\W*i(?: a|['’])?m against\W*$",
            r"\b(?:don['’]?t|do not|never|won['’]?t|not) (?:agree|accept|want|support)"
            r"\b.{0,20}\bdraw\b",
        ),
        "To vote no on what is proposed, write VOTE NO on a line of its own.",
        "VOTE NO",
    ),
    Advice(
        says(
            r"\b(?:agree|accept|approve|favou?r|fine|ok|okay|as an? yes)\b.{0,20}\bdraw\b",
            r"\bvote (?:yes|in favou?r|for\b.*\bdraw)\b",
        ),
        "To vote yes on what is proposed, write VOTE YES on a line of its own; VOTE DRAW proposes "
        "a draw.",
        "VOTE YES",
    ),
    Advice(
        says(
            r"\bdraw (?:between|among|amongst|with|of|for)"
            r" (?!(?:(?:the|us|of) )*(?:all|every\w*|survivors|rest|others)\b)(?=\w)",
        ),
        "To propose a draw among some powers, write VOTE DRAW and their names, for example VOTE "
        "DRAW France Italy, if the game allows that; VOTE DRAW alone is for all survivors.",
        "VOTE DRAW",
    ),
    Advice(
        re.compile(r"\b(?:draw)\b.*", re.IGNORECASE),
        "To propose a draw, write VOTE DRAW on a line of its own.",
        "VOTE DRAW",
    ),
)
