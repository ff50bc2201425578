"""Draws, concessions and votes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice

VOTING: Sequence[Advice] = (
    Advice(
        re.compile(r"\b(?:i|we)\b.{0,15}\b(?:concede|surrender)\b", re.IGNORECASE),
        "To let a power win, write VOTE CONCEDE TO and its name; the others have to agree. To give "
        "up your own power, write RESIGN.",
        "VOTE CONCEDE",
    ),
    Advice(
        re.compile(
            r"\b(?:withdraw|cancel|retract|revoke|take\s+back|changed\s+my\s+mind)\b.{0,15}"
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
)
