"""Letters to other powers in a mail that does not say PRESS: they greet the powers, or ask us to
tell them something.

We pass on none before its writer says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from games.queries.board import powers_in_english
from games.queries.parsing.left_out import left_out_of
from games.queries.parsing.press_audience import LEAVING_OUT
from games.queries.reports.wording import listed, nearest
from mailer.commands.advice.staying import TO_PEOPLE
from mailer.commands.lines.spoken_to import AND_POWER, HELLO, named_in, powers_addressed
from mailer.commands.receipt import Wish
from mailer.letter import Letter, prose
from mailer.reading import courtesies, phrases
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.patterns import says
from mailer.reading.quotes import Line
from mailer.text import you_wrote

NOT_SENT = "NOT SENT to "
"""The beginning of the news of a letter."""
_SHOWN = 5
"""How many lines of a letter we show to its writer."""
_WRITE_TO = r"\W*(?:please\s+)?(?:write|send|say|message|letter|mail)\s+(?:(?:this|it)\s+)?to\s+"
_EVERYBODY = ("ALL", "everybody", "everyone")
_ALL_BUT = says(
    rf"\W*(?:{HELLO}|(?:to|for|an) )?(?:all|everybody|everyone)(?: (?:powers|players|of you))?"
    rf",? \(?{LEAVING_OUT} (?=\w)",
)
"""The beginning of a letter to all but some powers: "To all but Turkey:"."""


@dataclass(frozen=True, slots=True)
class Others:
    """The people whom the writer of a letter plays with."""

    powers: Sequence[str]
    """The other powers of their game; none if they play none."""
    names: Mapping[str, str]
    """The powers of the other players, by those players' names."""


def letter_to(letter: Letter, unread: Sequence[Line], others: Others) -> Wish | None:
    """Words for other powers, from their names down to the next order or command; None if the
    letter has none."""
    powers = others.powers
    said, numbers = prose(letter), {line.number for line in unread}
    own = {line.number for line in letter.lines}
    for at, line in enumerate(said):
        is_said = line.number in numbers or line.number not in own
        heading = _misspelt_heading(line.text)
        meant = [*powers, *_EVERYBODY] if heading and powers else powers
        called = {} if heading or looks_like_order(line.text) else others.names
        # What stands after a heading is passed on in its writer's own words.
        text = heading or powers_in_english(line.text, powers)
        if is_said and (found := _addressed(text, meant, called)):
            readers, after = found
            rest = said[at:]
            ends = (
                i
                for i, one in enumerate(rest)
                if one.number in own - numbers or (i and _heads_orders(one.text))
            )
            own_words = rest[: next(ends, len(rest))]
            if after or any(one.number in numbers for one in own_words[1:]):
                below = _below(after, own_words) if heading else own_words
                to_all = [*powers] if readers == [_EVERYBODY[0]] else readers
                whole = "\n".join(one.text for one in below)
                _, out = left_out_of(whole, to_all if to_all[1:] else [], others.names)
                to = [one for one in to_all if one not in out] if out else readers
                wish = _press_wish(to, below)
                return replace(wish, lines=wish.lines | {line.number})
    return None


def _addressed(
    text: str, powers: Sequence[str], names: Mapping[str, str]
) -> tuple[list[str], str] | None:
    """The powers addressed, as in `powers_addressed`; a line to all but some speaks to the
    others."""
    but = _ALL_BUT.match(text)
    found = powers_addressed(text[but.end() :] if but else text, powers, names)
    if but and found:
        others = [one for one in powers if one not in (*found[0], *_EVERYBODY)]
        return (others, found[1]) if others else None
    return found


def _heads_orders(text: str) -> bool:
    """Whether a line announces orders, which are not for others: "My orders:"."""
    return bool(courtesies.INTRODUCTION.fullmatch(text[: phrases.LONGEST_RULED]))


def _misspelt_heading(text: str) -> str:
    """The text after a misspelt PRESS, beginning with its readers, or after a misspelt BROADCAST,
    with ALL in front; "" for other lines."""
    first, _, rest = text.strip().partition(" ")
    near = nearest(first.strip(".,:;!"), ("press", "broadcast"))
    if near and rest.strip().lower().startswith("to "):
        return rest.strip()
    is_heading = first.isupper() or first.endswith(":") or not rest
    return f"{_EVERYBODY[0]}: {rest.strip()}" if near == "broadcast" and is_heading else ""


def _below(after: str, text: Sequence[Line]) -> Sequence[Line]:
    """The text of press below its heading, and any text `after` that on its line."""
    return [*([Line(text[0].number, after)] if after else []), *text[1:]]


def _press_wish(readers: Sequence[str], text: Sequence[Line]) -> Wish:
    to = ", ".join(readers)
    named = "everybody" if to == _EVERYBODY[0] else listed(readers)
    lines = [f"{line.bullet}{line.text}" for line in text]
    shown = [f"“{line}”" for line in lines[:_SHOWN]] + (["and so on"] if lines[_SHOWN:] else [])
    stop = "" if shown[-1].endswith((".”", "!”", "?”", "…”")) else "."
    words = f"{' '.join(shown)}{stop}"
    return Wish(
        script="\n".join([f"PRESS TO {to}", *lines]),
        offer=f"This reads like a letter to {named}: {words} Reply with the word "
        f"YES, and we pass all of it on to {named}. Nobody has seen it so far.",
        instead=f"This reads like a letter to {named}. Nobody has seen it. To have it "
        f"passed on, write PRESS TO {to} on a line above it.",
        lines=frozenset(line.number for line in text),
        news=f"{NOT_SENT}{named}",
        known=f"This reads like a letter to {named}. Nobody has seen it.",
    )


def message(unread: Sequence[Line], others: Sequence[str]) -> Wish | None:
    """A line that asks us to tell a power something."""
    if not others:
        return None
    name = "|".join([*map(re.escape, (*others, *_EVERYBODY[1:])), rf"all(?=,? \(?{LEAVING_OUT} )"])
    names = rf"(?:{name})(?:{AND_POWER}(?:{name}))*"
    asks = says(
        rf"(?:^@|{_WRITE_TO}|.{{0,20}}\b(?:tell(?! (?:me|us)\b)|ask|pass|forward|inform"
        rf"|let(?=.{{3,60}}\bknow\b))"
        rf"\b.{{0,40}}?\b)({names})(?:,? \(?{LEAVING_OUT} ({names}))?\b",
    )
    for line in unread:
        if TO_PEOPLE.words.search(line.text):
            continue
        if match := asks.match(line.text):
            named, left_out = (
                named_in(one or "", (*others, *_EVERYBODY)) for one in match.groups()
            )
            heading = f"PRESS TO {', '.join(named)}"
            if not set(named) <= set(others):
                but = f" but {listed(left_out)}" if left_out else ""
                heading = f"PRESS TO ALL BUT {', '.join(left_out)}" if left_out else "BROADCAST"
                named = [f"{_EVERYBODY[1]}{but}"]
            return Wish(
                script="",
                offer="",
                instead=f"{you_wrote(line.text)} Nobody else has read it. If the game has such "
                f"press, write {heading} on a line, and your text below it.",
                lines=frozenset({line.number}),
                news=f"{NOT_SENT}{listed(named)}",
            )
    return None
