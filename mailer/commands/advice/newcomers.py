"""What somebody may want who does not play yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice

NEWCOMERS: Sequence[Advice] = (
    Advice(
        re.compile(
            r"^(?!.*(?:like|love|want)\s+to\s+(?:join|play|take\s+part)\b).*\b(?:i|we)\s+(?:can(?:\s*not|['’]?t)|won['’]?t|will\s+not|(?:am|are|['’]m)\s+unable\s+to)\s+"
            r"(?:join|play|take\s+part)\b|\bgive\s+(?:away\s+)?my\s+(?:seat|place)\b",
            re.IGNORECASE,
        ),
        "To give back your seat in a game that has not started, write LEAVE and the game's name.",
        "LEAVE",
    ),
    Advice(
        re.compile(
            r"\b(?:i|we|i['’]d|let|may|can|please)\b.{0,30}\b(?:join|play|take\s+part)\b"
            r"|\b(?:sign|count)\s+me\s+(?:up|in)\b|\bis\b.{0,30}\bfull\s*\?",
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
