"""The line above press: whom it goes to, and what it claims about itself.

    PRESS TO Germany, Italy
    PRESS Germany
    PRESS GREY TO ALL BUT Turkey
    PRESS FOR Germany
    PRESS TO Germany FAKE FROM Turkey
    PRESS TO Germany FAKE TO Germany, Italy
    PRESS TO Germany FAKE BROADCAST
    PRESS FAKE FROM Turkey TO Germany

FAKE TO and FAKE BROADCAST are njudge's, FROM is DPjudge's, and AS means the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten

from games.errors import BadInput
from games.queries.board import all_power_names
from games.queries.parsing.left_out import left_out_of
from games.queries.parsing.press_audience import (
    EVERYBODY,
    GAME_MASTER,
    Audience,
    power_meant,
    read_audience,
    whole_names,
)
from games.queries.reports.wording import listed
from games.services.messages.press_allowed import Fake

_A_GREY = r"gr[ea]y|anon(?:ymous(?:ly)?)?"
_KIND = rf"(?:sure|{_A_GREY}|white)\b[\s,]*"
_NAMES = r"\S+(?:\s+\S+){0,2}"
_POWER = "|".join([*map(re.escape, sorted(all_power_names())), *GAME_MASTER, *EVERYBODY])
_BARE = rf"(?:{_POWER})(?:(?:[\s,;&+/]|\band\b)+(?:{_POWER}))*\b\W*?(?::.*)?"
"""Powers alone, for people who leave out TO; orders below them are part of the letter."""
NAMES_GO_ON = re.compile(
    rf"(?:(?:and|or|nor)\b|[,;&+])[\s,]*(?:{_POWER})(?:(?:[\s,;&+/]|\band\b)+(?:{_POWER}))*\b\W*",
    re.IGNORECASE,
)
"""A line below PRESS that only names more powers, since a mail program broke the heading."""
ARGUMENT = rf"(?:{_KIND})*(?:(?:to|fake)\b.*|(?:from|as)\s+{_NAMES}\s+to\b.*|(?:for\s+)?{_BARE})?"
"""What may follow PRESS."""
_TO_LEFT_OUT = re.compile(rf"((?:{_KIND})*)(?:for\s+)?({_BARE})", re.IGNORECASE | re.DOTALL)
BROADCAST_ARGUMENT = (
    rf"(?:to\s+)?(?:(?:everybody|everyone|all(?:\s+(?:powers|players))?)\b[\s:]*)?"
    rf"(?:(?:sure|{_A_GREY}|white)\b[\s,.!]*)*(?:(?:fake\s+)?(?:from|as)\s+{_NAMES}|fake)?"
)
"""What may follow BROADCAST."""
_TO_COLON = re.compile(r"^([^:]*\bto)\s*:", re.IGNORECASE)
_SHOWN = 60
"""Letters of a letter that are quoted to its writer."""
_FAKE = re.compile(r"\bfake\b", re.IGNORECASE)
_FROM = re.compile(
    r"(?<!\bapart\s)\b(?:from|as)\s+(.*?)(?=\b(?:to|broadcast|fake)\b|$)", re.IGNORECASE
)
_TO = re.compile(r"\bto\b", re.IGNORECASE)
_BROADCAST = re.compile(r"\bbroadcast\b", re.IGNORECASE)
_GREY = re.compile(rf"(?:{_A_GREY})\b", re.IGNORECASE)
_KIND_AFTER = re.compile(rf"\(?(?:sure|white|{_A_GREY})\)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """The line as somebody wrote it: readers, what it claims, and the text after a colon."""

    to: str
    writer: str
    shown: str
    fake: bool
    grey: bool
    text: str


def read_heading(argument: str) -> Heading:
    """Take apart what follows PRESS. `to` is empty if nobody is named."""
    if bare := _TO_LEFT_OUT.fullmatch(argument):
        argument = f"{bare[1]}to {bare[2]}"
    head, _, text = _TO_COLON.sub(r"\1 ", argument, count=1).partition(":")
    real, *others = _FAKE.split(head)
    writer, real = _without_writer(real)
    pretended, guise = _without_writer(" ".join(others))
    to, grey = _readers(real)
    shown, grey_too = ("all", False) if _BROADCAST.search(guise) else _readers(guise)
    if not to:  # PRESS FAKE FROM Turkey TO Germany
        to, shown = shown, ""
    writer, after = _names_and_words(pretended or writer)
    return Heading(
        to=to,
        writer=writer,
        shown=shown,
        fake=bool(others or writer),
        grey=grey or grey_too or bool(_GREY.search(after)),
        text=text.strip(),
    )


def read_fake(said: Heading, powers: Sequence[str], own: str) -> Fake | None:
    """Return what fake press should claim about itself, None for press that claims nothing.

    Raises BadInput for a name that means no power.
    """
    if not said.fake:
        return None
    writer = _writer(said.writer, powers) if said.writer else None
    shown = read_audience(said.shown, powers, writer or own) if said.shown else None
    return Fake(writer, shown)


def require_for_all(
    text: str, to: Audience, others: Sequence[str], people: Mapping[str, str], word: str
) -> None:
    """Raise BadInput for a letter to several of the other powers that says it is not for some of
    them; `people` are players' names with their powers, `word` the command that leaves them out."""
    readers = others if to.public else to.powers
    said, out = left_out_of(text, readers, people) if len(readers) > 1 else ("", [])
    if names := listed(out):
        rest = [one for one in readers if one not in out]
        to_rest = f"ALL BUT {names}" if to.public and len(out) <= len(rest) else listed(rest)
        quote = shorten(said, _SHOWN, placeholder="…")
        instead = f"To leave {names} out, write {word} TO {to_rest} on the line above your text. "
        raise BadInput(
            f"Your text says “{quote}”, but {names} would read it, too, so nobody has got it. "
            f"{instead if rest else ''}If they may all read it, write it in other words."
        )


def _writer(text: str, powers: Sequence[str]) -> str:
    names = [word.strip(".,!'\"()") for word in whole_names(text, powers).split()]
    if len(names) == 1 and names[0].lower() not in GAME_MASTER:
        return power_meant(names[0], powers)
    raise BadInput(f"“{text}” is not one power. Fake press is from one, like FAKE FROM {powers[0]}")


def _without_writer(text: str) -> tuple[str, str]:
    """The power after FROM or AS, and the text without it."""
    found = _FROM.search(text)
    return (found[1].strip(), _FROM.sub(" ", text, count=1)) if found else ("", text)


def _readers(text: str) -> tuple[str, bool]:
    """The readers after TO, and whether the word GREY comes before or after them."""
    found = _TO.search(text)
    kinds, to = (text[: found.start()], text[found.end() :]) if found else (text, "")
    to, after = _names_and_words(to)
    return to, bool(_GREY.search(f"{kinds} {after}"))


def _names_and_words(text: str) -> tuple[str, str]:
    """The names as they are written, and the words SURE, GREY or WHITE after them."""
    words = list(re.finditer(r"[^\s,]+", text))
    while words and _KIND_AFTER.fullmatch(words[-1][0]):
        words.pop()
    end = words[-1].end() if words else 0
    return text[:end].strip(), text[end:]
