"""What our mails propose to write: which lines, to be sent back exactly so."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from mailer.commands.player import WORDS
from mailer.outbound.buttons import asked_for
from tests.simulate.tables import powers_of

WITH_A_TEXT = ("MODERATOR", "PRESS", "BROADCAST", "WHATIF", "DIARY")
"""Below these the reader has something of their own to say."""
LEADS = r"\b[Ww]rite|\b[Rr]eply|\breply with(?: the word)?|\bwith the word|\bwith one line"
"""What stands before a line that the reader may write."""
BEHIND = (
    r"(?=[.;)]|,(?! (?:how|its|the)\b)|$| or | on a line of its own\b"
    r"| to\b(?! (?:that|the) mail))"
)
"""What stands behind it; whoever is to write it to another mail, does not write it here."""
ARGUMENTS = r"[SFW]\d+[MRA]|\d+h?|[A-Z]{2,}"
MANUAL = re.compile(r"Help(?: on [\w ]+)?")
"""Tells of commands whenever they may be of use, not of what can be done now."""
REFUSED = re.compile(
    r"NOT (?:done: |understood|SENT|voted|noted)|NOT ordered, your orders could not", re.IGNORECASE
)


def proposed_in(mail: sqlite3.Row, boards: Mapping[str, str]) -> list[str]:
    """Return the texts that a mail has ready for its reader, or tells them to write; `boards` has
    by game what is played."""
    if MANUAL.fullmatch(mail["subject"]):
        return []
    ready = [text for _, text in json.loads(mail["buttons"]) if _is_whole(text)]
    ready += [button.text for button in asked_for(mail["body"])]
    return list(dict.fromkeys([*ready, *_told_to_write(mail["body"], boards)]))


def _is_whole(text: str) -> bool:
    """Whether a button leaves its reader nothing to fill in."""
    return not any(line.endswith(" ") for line in text.splitlines())


def _told_to_write(body: str, boards: Mapping[str, str]) -> Iterator[str]:
    names = [*boards, *{power for variant in boards.values() for power in powers_of(variant)}]
    words = {word.upper() for word in WORDS if word.isascii() and word.isalpha()}
    words.difference_update(WITH_A_TEXT)
    line = rf"(?:{_any_of(words)})(?: (?:{ARGUMENTS}|{_any_of(names)}))*"
    text = " ".join(body.split())
    for found in re.finditer(rf"(?:{LEADS}):? ({line}(?: or {line})*){BEHIND}", text):
        yield from found[1].split(" or ")
    yield from re.findall(rf"(?<![\w“-])({line}) on a line of its own(?! and| below)", text)


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
