"""Wishes in everyday words: to write to a power, or to say that one is away.

We do none of it at once; the receipt says how to write it here. If the wish is clear, one word of
reply is enough: we keep the lines that we would have read with the receipt (`OutboundMail.on_yes`).
An order is never among them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.errors import GameError
from games.queries.parsing.dates import find_days
from games.queries.parsing.lengths import length_in
from games.queries.reports.wording import listed, span
from mailer.commands.advice.away import BACK, WAS_AWAY
from mailer.commands.advice.fitting import ABOUT_PLAY, ADVICE, LOOKS, advised_command, fitting
from mailer.commands.advice.newcomers import NEWCOMERS
from mailer.commands.advice.row import Advice
from mailer.commands.calls import Call
from mailer.commands.lines.rewrapping import rejoin_wrapped
from mailer.commands.receipt import Wish
from mailer.commands.wishes.letters import Others, letter_to, message
from mailer.letter import Letter, greetings
from mailer.reading.kinds_of_line import asks
from mailer.reading.patterns import says
from mailer.reading.quotes import Line
from mailer.text import you_wrote

MORE_TIME = "one line: EXTEND 24h"
"""The beginning of what to write, in our advice to somebody who needs more time."""
YOUR_QUESTION = "Your question"
"""The beginning of the subject when we answer a mail that asked for nothing to be done."""
_MOST_CLAUSES = 10
"""How many clauses of a line we look at."""
_MOST_ANSWERED = 3
"""How many commands a subject names."""
NEXT_QUESTION = re.compile(r"(?<=\?)\s++(?=\S)|(?<!\s)\s++\d[.)]\s++(?=\S)")
_WHILE = (
    r" (?:(?:next|this|on|from|until|till|between|during|for|over|the|an?|two|three|some|few) )*"
    r"(?:\d|(?:weekend|weeks?|months?|days|holidays?|christmas|easter|tomorrow|tonight"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]* \d+(?:st|nd|rd|th)?)\b)"
)
"""A time when somebody cannot order, not what: “I can't order this weekend”."""
_AWAY = says(
    r"\b(?:vacation|holidays?|away|out of (?:town|office|the office|the country)|offline"
    r"|hospital|surgery|travell?ing|absent|gone(?! (?:on|to bed)\b)|on (?:\w+ )?leave"
    r"|(?:can(?:\s*not|['’]?t)|(?:will not|won['’]?t)(?: be able to)?) (?:\w+ )?"
    r"(?:(?:send|write|give|submit) (?:\w+ )?(?:orders|moves|mails?)|order|check my (?:e-?)?mails?)"
    rf"(?={_WHILE})"
    rf"|(?:not (?:be )?(?:around|there|here)|(?:am|be|['’]m|['’]re) off(?: \w+ing)?)(?={_WHILE})"
    r"|can(?:\s*not|['’]?t) play(?! (?:after all|any\s*more|at all))|not (?:be )?available"
    "|unavailable|urlaub|verreist|vacances|vacaciones|ferie|ferias|férias|vakantie"
    r"|urlop\w*|semester|отпуск\w*|abwesen\w{1,5}|nicht da|absente?s?)\b",
)
_FOR_TIME = says(
    r"\b(?:extension|extend|postpone)\b",
    r"\b(?:more|extra) (?:time|days?|hours?)\b|\b(?:days?|hours?) (?:more|longer|later)\b",
)
"""A wish, perhaps with a reason: "An extension, because I am travelling"."""
_CALLED_OFF = re.compile(
    r"\b(?:cancel+ed|called\s+off|fell\s+through|no\s+longer\s+(?:away|travel\w*))\b"
    r"|\b(?:not|n['’]t)\s+(?:\w+\s+){0,3}(?:away|travell?ing|on\s+holiday)\s+after\s+all\b",
    re.IGNORECASE,
)
"""Words of a player who stays: "I was going to be away, but my trip was cancelled"."""
_RATHER = ("ABSENCE OFF", "RESIGN", "MAIL OFF")
"""What people who say that they are away may want instead."""
_FIRST_PERSON = re.compile(r"\b(?:i|im|we|ich|wir|je|nous|yo|ik|eu|jag|я)\b", re.IGNORECASE)
_BEFORE_AWAY = ("", "on")


def wish_in(
    letter: Letter, unread: Sequence[Line], others: Others, *, plays: bool, today: dt.date
) -> Wish | None:
    """What the unread lines of a letter wish for; None if we do not know.

    Its writer `plays` or not, with these `others`.
    """
    if letters := letter_to(letter, unread, others):
        return _with_rest(letters, rejoin_wrapped([*unread, *greetings(letter)]))
    whole = rejoin_wrapped([*unread, *greetings(letter)])
    said, own_words = list(whole), list(rejoin_wrapped(unread))
    known = _absence(said, today) or message(own_words, others.powers)
    if known:
        return _with_rest(known, whole)
    advice = _advice(said, ADVICE) or (None if plays else _advice(own_words, NEWCOMERS))
    return of_all(advice, whole)


def _with_rest(known: Wish, whole: Mapping[Line, frozenset[int]]) -> Wish | None:
    """The wish, and advice on all lines that it was not read from."""
    rest = [line for line, numbers in whole.items() if known.lines.isdisjoint(numbers)]
    return of_all(with_answers(known, rest), whole)


def of_all(wish: Wish | None, whole: Mapping[Line, frozenset[int]]) -> Wish | None:
    """The wish read from joined lines, with the numbers of all of them."""
    if wish is None:
        return None
    numbers = (parts for line, parts in whole.items() if line.number in wish.lines)
    return replace(wish, lines=wish.lines.union(*numbers))


def time_wished(wish: Wish) -> dt.timedelta | None:
    """How much more time the writer asks for: “2 more days, please”; None if they do not say."""
    return length_in(wish.instead.partition(MORE_TIME)[0].rpartition("“")[2])


def with_length(wish: Wish, length: str) -> Wish:
    """The wish, with a length of time that the writer's game allows."""
    offer, instead = (
        text.replace(MORE_TIME, MORE_TIME.replace("24h", length))
        for text in (wish.offer, wish.instead)
    )
    return replace(wish, offer=offer, instead=instead)


def with_answers(wish: Wish, others: Sequence[Line]) -> Wish:
    """The wish, and what to write instead of other lines that we have an answer to."""
    more = _advice(others, ADVICE)
    if not more:
        return wish
    offer, instead, known = (
        one and f"{one}\n\n{more.instead}" for one in (wish.offer, wish.instead, wish.known)
    )
    return replace(wish, offer=offer, instead=instead, known=known, lines=wish.lines | more.lines)


def _absence(unread: Sequence[Line], today: dt.date) -> Wish | None:
    for line in unread:
        if _says_away(line.text):
            instead = (
                f"{you_wrote(line.text)} If you want deadlines to allow for it, write the first "
                "and the last day, for example: ABSENCE FROM 24 Dec TO 27 Dec"
            )
            days = find_days(line.text, today)
            lines, news = frozenset({line.number}), "NOT noted yet: your absence"
            if days is None:
                return Wish("", "", instead, lines, news)
            first, last = days
            return Wish(
                script=f"ABSENCE FROM {first} TO {last}",
                offer=f"{you_wrote(line.text)} Reply with the word YES, and we note that you are "
                f"away {days_away(first, last)}, so that deadlines allow for it.",
                instead=instead,
                lines=lines,
                news=news,
                known=you_wrote(line.text),
            )
    return None


def _says_away(text: str) -> bool:
    """Whether people say of themselves that they are away; "Out of office 9-13 March" counts."""
    away = _AWAY.search(text)
    by_themselves = away and (
        _FIRST_PERSON.search(text) or text[: away.start()].strip().lower() in _BEFORE_AWAY
    )
    if any(one.search(text) for one in (_FOR_TIME, BACK, WAS_AWAY, _CALLED_OFF)):
        return False
    return bool(by_themselves) and advised_command(text) not in _RATHER


def _advice(unread: Sequence[Line], known: Sequence[Advice]) -> Wish | None:
    """What to write instead of lines that we have an answer to, line by line."""
    found = [(line, said, advice) for line in unread for said, advice in _advice_for(line, known)]
    if any(advice.command != "YES" for _, _, advice in found):
        found = [one for one in found if one[2].command != "YES"]
    if not found:
        return None
    answers = {advice: [said for _, said, one in found if one == advice] for _, _, advice in found}
    commands = list(dict.fromkeys(advice.command for advice in answers))[:_MOST_ANSWERED]
    asked = all(asks(one) or one.endswith("?") for _, one, _ in found)
    said = "\n".join(_answer(*one, many=len(answers) > 1) for one in answers.items())
    script = commands[0] if len(commands) == 1 and commands[0] in LOOKS else ""
    offer = f"{said} Or reply with the word YES, and we take it as {commands[0]}."
    return Wish(
        script,
        offer,
        said,
        frozenset(line.number for line, _, _ in found),
        f"{YOUR_QUESTION}: see {listed(commands)}" if asked else f"NOT done: {', '.join(commands)}",
        about_play=all(command in ABOUT_PLAY for command in commands),
    )


def _answer(advice: Advice, said: Sequence[str], *, many: bool) -> str:
    wrote = you_wrote(*dict.fromkeys(said))
    return f"{'- ' if many else ''}{wrote} {advice.said}"


def _advice_for(line: Line, known: Sequence[Advice]) -> list[tuple[str, Advice]]:
    """The questions of a line, or its whole text, each with the advice that fits."""
    questions = NEXT_QUESTION.split(line.text)
    found = [(one, advice) for one in questions if (advice := fitting(one, known))]
    whole = fitting(line.text, known)
    return found or ([(line.text, whole)] if whole else _advice_after_commas(line, known))


def _advice_after_commas(line: Line, known: Sequence[Advice]) -> list[tuple[str, Advice]]:
    """The advice on the clauses of a line: "Oops, I meant F Brest to MAO".

    The receipt takes up each clause by itself, since a comma may separate orders.
    """
    clauses = re.split(r",\s+", line.text)[:_MOST_CLAUSES]
    return [(line.text, advice) for one in clauses[1:] if (advice := fitting(one, known))]


def corrected_command(call: Call, line: str, error: GameError) -> Wish | None:
    """The command once more, with the known name that looks most like the unknown one."""
    if not (error.near and line):
        return None
    unknown = re.compile(rf"(?<!\w){re.escape(error.wrote)}(?!\w)")
    lines = [line, *(one.text for one in call.lines)]
    at = next((at for at, text in enumerate(lines) if unknown.search(text)), None)
    if at is None:
        return None
    right = unknown.sub(lambda _: error.near, lines[at], count=1)
    return Wish(
        script="\n".join([*lines[:at], right, *lines[at + 1 :]]),
        offer=f"Reply with the word YES, and we take it as “{right}”.",
        instead=f"Then write: {right}",
    )


def days_away(first: dt.date, last: dt.date) -> str:
    """`from Thu 24 Dec 2026 to Sun 27 Dec 2026, both days included`, or `on Thu 24 Dec 2026`."""
    return span(first, last) + (", both days included" if first != last else "")
