"""Keeps advertisements out of answers to mails that do not prove who wrote them.

Their From line may be forged, to have us send its owner a text, or a link to a false page, with our
name under it. A stranger reads nothing of what the mail said. A player reads what we did not
understand, since the mail may be theirs, but shortened, and in a form that no mail program turns
into a link.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from itertools import takewhile

from django.conf import settings

from mailer.commands.receipt import Receipt
from mailer.letter import Letter
from mailer.reading.mime import AN_ATTACHMENT, ATTACHMENT

LONGEST = 60
"""How many characters of a line we repeat."""
_LINK = re.compile(r"://|\bwww\.|@|\w[.。．｡]\w{2}", re.IGNORECASE)
_JOINT = re.compile(r"([.。．｡:@])(?=\S)")
_AROUND = "“”‘’\"'.,:;()?!"


def without_quotes(letter: Letter) -> Letter:
    """The letter without the parts that an answer repeats: subject, other lines, names of files."""
    left_out = dict.fromkeys(
        AN_ATTACHMENT if one.startswith(ATTACHMENT) else one for one in letter.left_out
    )
    return dataclasses.replace(letter, subject="", ignored=(), left_out=tuple(left_out))


def harmless(letter: Letter, receipts: Sequence[Receipt]) -> tuple[Letter, list[Receipt]]:
    """The letter and its receipts, with everything that an answer repeats shortened and free of
    links.

    We do not repeat the subject of the mail.
    """
    own = [line.text for line in letter.lines]
    said, long = "\n".join(own), [text for text in own if len(text) > LONGEST]
    ignored = tuple(
        dataclasses.replace(one, text=_without_links(one.text, one.text)) for one in letter.ignored
    )
    left_out = tuple(_without_links(one, one) for one in letter.left_out)
    told = dataclasses.replace(letter, subject="", ignored=ignored, left_out=left_out)
    return told, [_tame(one, said, long) for one in receipts]


def _tame(receipt: Receipt, said: str, long: Sequence[str]) -> Receipt:
    """A receipt that is safe to send to somebody who may have written none of what it repeats."""
    text = receipt.text
    for line in long:
        text = _shorten(text, line)
    return dataclasses.replace(
        receipt,
        title=_without_links(receipt.title, said),
        text=_without_links(text, said),
        subject=_without_links(receipt.subject, said),
    )


def _shorten(text: str, line: str) -> str:
    """The text with a long line cut, or all of it but the command in front."""
    return _cut_after_beginning(_cut_after_beginning(text, line), line.partition(" ")[2].strip())


def _cut_after_beginning(text: str, words: str) -> str:
    """The text with any of these words cut after their beginning."""
    begin, more = words[:LONGEST], words[LONGEST:]
    at = text.find(begin) if more else -1
    while at >= 0:
        at += LONGEST
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(text[at:], more, strict=False))
        text = f"{text[:at]}…{text[at + sum(1 for _ in alike) :]}"
        at = text.find(begin, at)
    return text


def _without_links(text: str, said: str) -> str:
    """The text with a blank at each joint of anything in the mail that looks like an address on the
    net, unless it is our own."""
    low = said.lower()
    return re.sub(r"\S+", lambda word: _dead(word.group(), low), text)


def _dead(word: str, said: str) -> str:
    core = word.strip(_AROUND)
    if core == settings.JUDGE_ADDRESS or not _LINK.search(word) or core.lower() not in said:
        return word
    return _JOINT.sub(r"\1 ", word)
