"""Tells quotes, their headings, signatures and courtesies from the lines that are the writer's own.

The rules go line by line and never look further than a few lines ahead, so that no text can make
them slow. If in doubt, a line stays: the reply says what we did not understand, while an order
mistaken for a quote would be lost.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from mailer.reading import courtesies, doubts, phrases
from mailer.reading.kinds_of_line import (
    LONGEST_HEADER,
    attribution_at,
    bullet_of,
    can_sign,
    is_contact,
    is_copied_header,
    is_courtesy,
    is_farewell,
    looks_like_order,
    next_text,
)
from mailer.reading.offices import OFFICE, as_order

QUOTED = "quoted"
ATTRIBUTION = "heading of a quote"
SIGNATURE = "signature"
COURTESY = "courtesy"
FOOTER = "footer"
ORNAMENT = "only signs"
_LONGEST_CARD = 6
"""How many lines offices put below a name."""
FOR_PROGRAMS = "::"
"""The beginning of lines in our mails that are for programs: signatures, digests, a mapper's
header."""


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of the writer's own; `number` counts the lines of the text from 1.

    `bullet` is the bullet or list number before its text, which people read and orders do not need.
    """

    number: int
    text: str
    bullet: str = dataclasses.field(default="", compare=False)


@dataclasses.dataclass(frozen=True)
class Ignored:
    """A line that was left out, and why."""

    number: int
    text: str
    why: str


class _Reader:
    """One walk over the lines, top to bottom; `index` is the line being looked at."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = [line.strip() for line in lines]
        self.kept: list[Line] = []
        self.ignored: list[Ignored] = []
        self.index = 0

    def read(self) -> None:
        while self.index < len(self.lines):
            self._step(self.lines[self.index])

    def _step(self, text: str) -> None:
        if not text:
            self.index += 1
        elif text.startswith((">", FOR_PROGRAMS)):
            self._ignore(QUOTED)
        elif text.startswith(phrases.SIGNED.strip()):
            self._signed_line(text.removeprefix(phrases.SIGNED.strip()).strip())
        elif self._starts_foreign_rest(text):
            self._ignore_rest()
        elif length := attribution_at(self.lines, self.index):
            for _ in range(length):
                self._ignore(ATTRIBUTION)
            if not self._quote_marks_follow():
                self._ignore_rest()
        elif phrases.SEALED.fullmatch(text):
            self._ignore_while(phrases.SEALED_HEADER)
        elif phrases.SEAL.fullmatch(text):
            self._ignore_while(phrases.IN_SEAL)
        elif phrases.SEAL_ENDS.fullmatch(text):
            self._ignore(SIGNATURE)
        elif phrases.DASHES.fullmatch(text):
            self._ignore_until_quote(SIGNATURE)
        elif phrases.ADDED.fullmatch(text[: phrases.LONGEST_RULED]):
            self._ignore(FOOTER)
        elif self._starts_footer(text):
            self._ignore_until_quote(FOOTER)
        else:
            self._own_line(text)

    def _signed_line(self, text: str) -> None:
        """A line in the place of a signature, where there may still be an order."""
        self.lines[self.index] = text
        if looks_like_order(text):
            self._own_line(text)
        elif text:
            self._ignore(SIGNATURE)
        else:
            self.index += 1

    def _starts_footer(self, text: str) -> bool:
        """Whether an office or a mailing list added the lines from here on; a list draws a line of
        signs above its own."""
        if phrases.FOOTER.match(text):
            return not self._asks_to_stop(text)
        if not phrases.LIST_FOOTER.fullmatch(text[: phrases.LONGEST_RULED]):
            return False
        below = next_text(self.lines, self.index + 1)
        return below < len(self.lines) and bool(phrases.OF_LIST.match(self.lines[below]))

    def _asks_to_stop(self, text: str) -> bool:
        """Whether a line that asks for no more mails is all its sender wants: nothing stands above
        it."""
        return not self.kept and bool(phrases.UNSUBSCRIBES.fullmatch(text))

    def _own_line(self, text: str) -> None:
        short = text[: phrases.LONGEST_RULED]
        if not (any(map(str.isalnum, short)) or self._is_sign(short)):
            self._ignore(COURTESY if courtesies.EXPRESSIVE.search(short) else ORNAMENT)
        elif phrases.SENT_FROM.fullmatch(short):
            self._ignore(SIGNATURE)
        elif is_courtesy(short) and not self._heads_others(short):
            self._ignore(COURTESY)
        elif courtesies.CLOSING.fullmatch(short):
            self._close()
        elif is_farewell(short):
            self._ignore(COURTESY)
        else:
            bullet = "" if self._goes_on_from_unit(text) else bullet_of(text)
            self.kept.append(Line(self.index + 1, as_order(text.removeprefix(bullet)), bullet))
            self.index += 1

    def _is_sign(self, text: str) -> bool:
        """Whether a line opens a comment, or closes an open one."""
        begun = (sign for sign in phrases.COMMENTS if any(sign in one.text for one in self.kept))
        return text in phrases.COMMENTS or text in map(phrases.COMMENTS.get, begun)

    def _heads_others(self, text: str) -> bool:
        """Whether a line calls the orders below it old or, if orders stand above it, says that
        those below replace them or are for another phase."""
        if doubts.HEADS_OLD.fullmatch(text) or doubts.HEADS_RANKED.fullmatch(text):
            return True
        heads_others = (doubts.HEADS_RETREATS, doubts.HEADS_LATER)
        says_so = doubts.NEW_MIND.search(text) or any(one.fullmatch(text) for one in heads_others)
        return bool(says_so) and any(looks_like_order(line.text) for line in self.kept)

    def _goes_on_from_unit(self, text: str) -> bool:
        """Whether the dash that begins a line is the sign of a move: the line above is a unit like
        "A Paris", without a bullet."""
        above = self.lines[self.index - 1] if self.index else ""
        return text[0] in "-–—" and bool(phrases.ENDS_WITH_UNIT.fullmatch(above[:100]))

    def _close(self) -> None:
        """A closing formula, and the name below it: at most three lines that can be one.

        Contact details and an office may follow. A sentence or a command below it is its writer's
        own: letters may begin with "Thanks!", too.
        """
        self._ignore(COURTESY)
        self._name()
        end = self._card_end()
        while self.index < end:
            self._ignore_unless_blank(SIGNATURE)

    def _card_end(self) -> int:
        """Where the business card below a name ends, if there is one: its last line says how to
        reach the writer, and none of it can be meant for us or for others."""
        start = end = self.index
        lines = 0
        while self.index < len(self.lines) and lines < _LONGEST_CARD and self._is_on_card():
            lines += bool(self.lines[self.index])
            self.index += 1
            if is_contact(self.lines[self.index - 1]):
                end = self.index
        self.index = start
        return end

    def _is_on_card(self) -> bool:
        text = self.lines[self.index]
        if not text:
            return True
        if self._is_foreign(text) or phrases.FOOTER.match(text):
            return False
        is_office = OFFICE.fullmatch(text[: phrases.LONGEST_RULED])
        return can_sign(text) or is_contact(text) or bool(is_office)

    def _name(self) -> None:
        """The lines below a closing formula that can be the writer's name."""
        for _ in range(3):
            if self.index >= len(self.lines):
                return
            text = self.lines[self.index]
            if text and (
                not can_sign(text) or self._is_foreign(text) or phrases.SENT_FROM.fullmatch(text)
            ):
                return
            self._ignore_unless_blank(SIGNATURE)

    def _starts_foreign_rest(self, text: str) -> bool:
        """Whether everything from here on is somebody else's, because of our marker or a copied
        header."""
        short, start = text[: phrases.LONGEST_RULED], self.index
        if phrases.MARKER.search(short) or phrases.ORIGINAL.match(short):
            return True
        if re.fullmatch(r"[_=-]{10,}", short):
            start = next_text(self.lines, start + 1)
        return is_copied_header(self.lines[start : start + LONGEST_HEADER], below=bool(self.kept))

    def _is_foreign(self, text: str) -> bool:
        """Whether somebody else's words, or their heading, begin here."""
        return self._starts_foreign_rest(text) or attribution_at(self.lines, self.index) > 0

    def _quote_marks_follow(self) -> bool:
        following = next_text(self.lines, self.index)
        return following < len(self.lines) and self.lines[following].startswith(">")

    def _ignore(self, why: str) -> None:
        self.ignored.append(Ignored(self.index + 1, self.lines[self.index], why))
        self.index += 1

    def _ignore_until_quote(self, why: str) -> None:
        """Leave out a signature, which ends where a quote begins: people answer above or below
        their quotes.

        With nothing above it, it ends at an order: some servers put such a line on top of a mail.
        """
        on_top = not self.kept
        self._ignore(why)
        while self.index < len(self.lines):
            text = self.lines[self.index]
            if text.startswith(">") or self._is_foreign(text):
                return
            if on_top and looks_like_order(text):
                return
            self._ignore_unless_blank(why)

    def _ignore_while(self, goes_on: re.Pattern[str]) -> None:
        """Leave out what a program put around the text to sign it (RFC 4880, 7)."""
        self._ignore(SIGNATURE)
        while self.index < len(self.lines) and goes_on.fullmatch(self.lines[self.index]):
            self._ignore_unless_blank(SIGNATURE)

    def _ignore_rest(self) -> None:
        while self.index < len(self.lines):
            self._ignore_unless_blank(QUOTED)

    def _ignore_unless_blank(self, why: str) -> None:
        if self.lines[self.index]:
            self._ignore(why)
        else:
            self.index += 1


def own_lines(lines: Sequence[str]) -> tuple[tuple[Line, ...], tuple[Ignored, ...]]:
    """The lines that are the sender's own, and the others with the reason for each."""
    reader = _Reader(lines)
    reader.read()
    return tuple(reader.kept), tuple(reader.ignored)
