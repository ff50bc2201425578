"""What somebody may want who does not play yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.advice.row import Advice
from mailer.reading.patterns import says

NEWCOMERS: Sequence[Advice] = (
    Advice(
        says(
            r"^(?!.*(?:like|love|want) to (?:join|play|take part)\b).*\b(?:i|we)"
            r" (?:can(?:\s*not|['’]?t)|won['’]?t|will not|(?:am|are|['’]m) unable to)"
            r" (?:join|play|take part)\b",
            r"\bgive (?:away )?my (?:seat|place)\b",
        ),
        "To give back your seat in a game that has not started, write LEAVE and the game's name.",
        "LEAVE",
    ),
    Advice(
        says(
            r"\b(?:i|we|i['’]d|let|may|can|please)\b.{0,30}\b(?:join|play|take part)\b",
            r"\b(?:sign|count) me (?:up|in)\b",
            r"\bis\b.{0,30}\bfull\s*\?",
        ),
        "To take a seat, write one line: JOIN, the game's name and the powers you would "
        "like, best first, for example JOIN marne France; Italy. LIST shows the games.",
        "JOIN",
    ),
    Advice(
        says(
            r"\bhow long\b.{0,10}\b(?:games?|it|this)\b.{0,10}\b(?:takes?|lasts?|run)\b",
            r"\bhow (?:much time|often)\b.{0,25}\b(?:day|week|need|write|play)\b",
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
