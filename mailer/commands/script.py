"""A letter as the commands in it, from top to bottom; lines that are not commands are its
orders."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.queries.board import reads_as_order
from mailer.commands.calls import AMEND, CLEAR, HOLD, ORDERS, READY, SAME, SIGNOFF, STOP, Call, Word
from mailer.commands.lines.around_orders import in_plain_words
from mailer.commands.lines.corrections import corrected, correcting
from mailer.commands.lines.if_blocks import in_block
from mailer.commands.lines.joining import join_broken_lines
from mailer.commands.lines.splitting import MOST_BROKEN, split_lines
from mailer.commands.lines.which_command import LONGEST_LINE, command_in, word_of
from mailer.letter import Letter, between, greetings
from mailer.reading import courtesies, doubts
from mailer.reading.kinds_of_line import without_farewell
from mailer.reading.quotes import Line

LONGEST_ORDERS = 2001
"""How many letters of a line of orders we read. A line cut short might say something else, so the
judge refuses one as long as this."""
_END = re.compile(r"end(?!\s*if\b)\W*\w*\W*", re.IGNORECASE)
# A text may end on the line of its last words or of its heading.
_ENDS_WITH = r"(?:\s+end\W{0,3}(?:press|broadcast|write)|%s\s+(?P<bare>(?-i:END)))[^\w?]*"
_AFTER_SENTENCE = "(?<=[.!?…)\u2600-\u27bf\U0001f000-\U0001faff])"
_END_AFTER_WORDS = re.compile(rf"(.*\S){_ENDS_WITH % _AFTER_SENTENCE}", re.IGNORECASE)
_END_AFTER_HEADING = re.compile(rf"([^:]*:\s*\S.*?){_ENDS_WITH % ''}", re.IGNORECASE)
_MEANS_AN_END = re.compile(  # "This is THE END", "how to END PRESS": END is a word of the text
    r".*\b(?:the|an?|to|i|we|they|not|never|will|['’]ll|shall|must|should|would|can|could|may|might"
    r"|writes?|or)",
    re.IGNORECASE,
)


def read_script(letter: Letter, words: Mapping[str, Word]) -> tuple[Call, ...]:
    """The calls of a letter in their order; `words` are the words that begin a command.

    All order lines make one call, at the place of the first. A line AMEND anywhere makes it an
    amendment, and CLEAR takes the orders above it. A line ORDERS introduces orders; without any it
    asks for the current ones.

    Nothing is read below SIGNOFF, whose call holds the lines there. STOP at the beginning of a
    letter asks for fewer mails, further down it is a SIGNOFF.
    """
    return read_lines(letter.lines, greetings(letter), words)


def read_lines(
    own: Sequence[Line], greeted: Sequence[Line], words: Mapping[str, Word]
) -> tuple[Call, ...]:
    """The calls in some lines of a letter, of which `greeted` belong to texts for people only."""
    reading = _Reading(own, greeted, words)
    at = 0
    while at < len(reading.lines):
        at = reading.read(at)
    return reading.all_calls()


class _Reading:
    """Lines that become calls, one after another."""

    def __init__(
        self, own: Sequence[Line], greeted: Sequence[Line], words: Mapping[str, Word]
    ) -> None:
        self.words = words
        self._texts = {line.number: line.text.strip() for line in own}
        self.lines = list(split_lines(join_broken_lines(own, words), words))
        self._greeted = tuple(greeted)
        self._for_people = [*own, *greeted]
        self._calls: list[Call] = []
        self._orders: list[Line] = []
        self._orders_command = ORDERS
        self._amended: list[Line] = []
        self._for_all: dict[Line, str] = {}
        """The lines HOLD ALL and SAME: beside orders each is one more, for all other units."""
        self._first: Line | None = None
        """Where the orders begin that precede the calls from `_place` on."""
        self._place = 0

    def read(self, at: int) -> int:
        """Read the line there; return where the next one is."""
        line = self.lines[at]
        word, argument = command_in(line.text, self.words)
        if word is None and (meant := correcting(line.text, self.words, is_first=not self._calls)):
            self._correct(line, *meant)
        elif word is None:
            self._begin_orders(line)
            self._orders.append(_capped(line, thanks=len(self._orders) < MOST_BROKEN))
        elif word.takes_body(argument):
            return self._read_body(at, word, argument)
        elif word.command in (SIGNOFF, STOP):
            self._end(line, word, argument, self.lines[at + 1 :])
            return len(self.lines)
        elif word.command in (ORDERS, AMEND):
            self._read_heading(line, word, argument)
        elif word.command in (HOLD, SAME):
            self._begin_orders(line)
            line = Line(line.number, word.command) if word.command == SAME else line
            self._orders.append(line)
            self._for_all[line] = word.command
        elif word.command == READY and self._orders and in_block(self.lines, at):
            self._orders.append(line)  # otherwise it would say that its condition does not matter
        else:
            above = self._orders_taken() if word.command == CLEAR and not argument else ()
            written = word_of(line.text)
            self._calls.append(Call(word.command, argument, line.number, above, word=written))
        return at + 1

    def _correct(self, line: Line, word: Word, argument: str, said: str) -> None:
        """Take a command in place of the one that it corrects."""
        at = corrected(self._calls, word.command)
        if at is not None:
            del self._calls[at]
            self._place -= at < self._place
        self._calls.append(Call(word.command, argument, line.number, word=word_of(said)))

    def all_calls(self) -> tuple[Call, ...]:
        """All calls that were read, with the orders in their place."""
        calls = [*self._calls]
        if self._first is not None:
            calls.insert(self._place, self._orders_call(self._first.number))
        return tuple(calls)

    def _orders_call(self, number: int) -> Call:
        for_all = {*self._for_all.values()}
        if len(for_all) == 1 and self._for_all.keys() >= {*self._orders}:
            (command,) = for_all
            word = word_of(self._orders[0].text)
            return Call(command, "all" if command == HOLD else "", number, word=word)
        command = ORDERS if self._for_all else self._orders_command  # nothing is left to amend
        heads = len(self._orders) > 1 and courtesies.FINAL_ORDERS.fullmatch(self._orders[0].text)
        amended, orders = tuple(self._amended), tuple(self._orders[bool(heads) :])
        elsewhere = {line for call in self._calls for line in call.lines}
        greeted = tuple(line for line in self._greeted if line not in elsewhere)
        return Call(command, "", number, orders, greeted=greeted, amended=amended)

    def _begin_orders(self, line: Line) -> None:
        if self._first is None:
            self._first, self._place = line, len(self._calls)

    def _orders_taken(self) -> tuple[Line, ...]:
        """Take the orders so far for a CLEAR: from now on they belong to it."""
        above = tuple(self._orders)
        if above:
            self._orders, self._orders_command, self._first, self._for_all = [], ORDERS, None, {}
            self._amended = []
        return above

    def _read_heading(self, line: Line, word: Word, argument: str) -> None:
        """Read a line ORDERS or AMEND; the first order may follow on it."""
        self._begin_orders(line)
        if word.command == AMEND:
            self._orders_command = AMEND
            self._amended.append(line)
        if self._orders and line.text.endswith(":"):
            self._orders.append(_capped(line))  # "One change:" tells which of two orders is meant
        elif argument:
            is_heading = argument.lower().startswith(("for ", "of "))  # "Orders for France"
            self._orders.append(_capped(line if is_heading else Line(line.number, argument)))

    def _read_body(self, at: int, word: Word, argument: str) -> int:
        lines, number = self.lines, self.lines[at].number
        if word.prose and (whole := _before_end(_END_AFTER_HEADING, argument)):
            self._calls.append(Call(word.command, whole, number))
            return at + 1
        closed = _body_end(lines, at + 1, self.words)
        body, last = tuple(lines[at + 1 : closed]), lines[closed : closed + 1]
        closing = [words for line in last if (words := _before_end(_END_AFTER_WORDS, line.text))]
        if word.prose:
            below = self._ends_at(lines[at])
            body = between(self._for_people, below, last[0].number if last else None)
        body += tuple(replace(last[0], text=words) for words in closing)
        is_end = bool(closing or (last and _END.fullmatch(last[0].text)))
        self._calls.append(Call(word.command, argument, number, body, ended=is_end))
        return closed + is_end

    def _ends_at(self, whole: Line) -> int:
        """The number of the last of the lines that were put together to this one."""
        number, rest = whole.number, whole.text
        while (text := self._texts.get(number)) and rest.startswith(text):
            rest, number = rest[len(text) :].lstrip(), number + 1
        return max(number - 1, whole.number)

    def _end(self, line: Line, word: Word, argument: str, unread: Sequence[Line]) -> None:
        """Stop reading at a line: STOP if it begins the letter, otherwise SIGNOFF."""
        if word.command == STOP and not self._calls and self._first is None:
            self._calls.append(Call(STOP, argument, line.number, tuple(unread)))
        elif unread:
            self._calls.append(Call(SIGNOFF, "", line.number, tuple(unread)))


def _body_end(lines: Sequence[Line], start: int, words: Mapping[str, Word]) -> int:
    """The index of the line that closes the body which begins at `start`.

    END closes it, also after its last words, and so do SIGNOFF and the next command with a body: a
    letter to one power must not go to another because its writer forgot END.
    """
    for index in range(start, len(lines)):
        word, _ = command_in(lines[index].text, words)
        text = lines[index].text
        ends = _END.fullmatch(text) or _before_end(_END_AFTER_WORDS, text)
        if ends or (word is not None and (word.has_body or word.command in (SIGNOFF, STOP))):
            return index
    return len(lines)


def _before_end(pattern: re.Pattern[str], text: str) -> str:
    """The words before END on a line; empty if it does not end so, or if END belongs to the
    text."""
    match = pattern.fullmatch(text)
    if match is None or _MEANS_AN_END.fullmatch(match[1]):
        return ""
    shouted = match[1].partition(":")[2]
    if match["bare"] and shouted.isupper() and shouted[-1].isalpha():
        return ""
    return match[1]


def _capped(line: Line, *, thanks: bool = True) -> Line:
    """An order line, cut to the length we read, and without words to people at its end.

    With `thanks` we look for thanks there, too, which takes long.
    """
    whole = line.text[:LONGEST_ORDERS]
    begin, end = whole[:-LONGEST_LINE], whole[-LONGEST_LINE:]
    text = begin + without_farewell(end)
    order = begin + courtesies.THANKS_AFTER.sub("", text[len(begin) :]) if thanks else text
    order = order if begin else doubts.without_no_matter(courtesies.THANKS_BEFORE.sub("", order, 1))
    plain = order if begin or not thanks else in_plain_words(order)
    meant = (one for one in dict.fromkeys((plain, order)) if one != text and reads_as_order(one))
    return replace(line, text=next(meant, text))
