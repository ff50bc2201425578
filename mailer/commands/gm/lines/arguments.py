"""Reads the words after a game master's command: a power, a moment, the reason."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence

from games.errors import BadInput
from games.models import Game
from games.queries import board
from games.queries.access.anonymity import names_shown
from games.queries.lookup import seats_of
from games.queries.parsing.dates import begins_with_day
from games.queries.parsing.lengths import length_and_rest
from games.queries.parsing.moments import moment_and_rest
from games.queries.reports.wording import did_you_mean, listed
from mailer.reading.patterns import any_of, one_word, says, spaced

FEWEST_WORDS = 2
LETTERS = re.compile(r"[^\W\d_]+")
SOFTLY = one_word("but and only just sorry please pls oh well ok okay")
"""What people say before they take something back."""
CONDITION = any_of("if", "unless", "once", "as soon as", "in case", "provided")
NOT_SO = spaced(rf"not(?= {one_word('that this yet now before so if')}\b)")
NEVER_MIND = r"never\s*mind"
DO_NOT = r"do\s*(?:not|n['’]?t)"
_TAKEN_BACK = any_of(
    *(CONDITION, "until", "till", "wait", "forget", NEVER_MIND),
    *(DO_NOT, r"does\s*(?:not|n['’]?t)", "nope", r"no(?=\s*(?:[,.;!]|$))", NOT_SO),
)
TAKES_BACK = says(rf"\W*(?:{SOFTLY}\W+)*{_TAKEN_BACK}\b")
"""The beginning of a line that says when to do what stands above it, or not to do it."""
WHY = re.compile(r"\b(?:because|bc|since)\b|:\s|\s-\s", re.IGNORECASE)
NEEDLESS = re.compile(
    r"(?:(?:please|now|again|the|this|our|game|clock|deadline|phase|turn|it|more|later|longer"
    r"|everybody|everyone|from|back)\b\W*)+",
    re.IGNORECASE,
)
"""Words that may stand between a command and its reason and belong to neither."""
_BOTH_NAMES = re.compile(r"([^()]+)\(([^()]+)\)")
"""A power and its player, in either order: "Carla (France)"."""
_ALL_GAMES = says(
    r"all\W*$",
    r"(?:.*\s)?(?:all|every|each)(?: (?:of|the|my|our|other))* (?:games?|boards?|tables?)\b",
)
_BETWEEN_NAMES = re.compile(r"\s*(?:[,;&+]\s*(?:and\s+)?|\band\b)\s*", re.IGNORECASE)
_NAMES_MORE = re.compile(r"(?:and|or|from|off|of|[&+/])(?!\w)", re.IGNORECASE)
UNTIL = re.compile(r"(?:to|until|till)\b\s*", re.IGNORECASE)
_PLEASE_AFTER = says(r"(?<=\w)[\s,]+(?:please|pls)\W*$")
_AFTER_DAY = re.compile(r"[,.;!]\s+")
_BECAUSE_ITSELF = re.compile(r"\bbecause\b", re.IGNORECASE)
_WHO = one_word("i we he she it they there some many most nobody everybody everyone")
_DOES = one_word("is are am was were has have had will asked wants? needs? left lost")
_SAYS_WHY = says(rf"\b(?:{_WHO}|{_DOES})\b")
"""Words that show that a reason is a sentence, and not a time of day or another day."""
_OR_OTHERWISE = says(rf"\b{one_word('or rather better maybe perhaps mean meant instead no')}\b")
_BECAUSE = says(
    rf"(?:^|\s)(?:(?:because|bc|b/c|cuz)(?: of)?|since|for|as(?= {_WHO}\b))\b[\s:,]*",
    r"[\s,;(]*+\breason\b\s*[:=]\s*",
    r"\s*:\s+",
    r"\s+-\s+",
)
_FOR_POWER = re.compile(r"^(?:for|of|out)\s+", re.IGNORECASE)
_NAMELESS = (
    "The game is anonymous: name the power, not its player. STATUS shows who plays what, unless "
    "you play in the game yourself."
)
_OUT_OF_GAME = says(r"(?<!\s)\s++(?:out\b)?(?:\s*\b(?:from|of|off) (?:the|this|our|my) game\b)?")


def split_reason(text: str) -> tuple[str, str]:
    """The text before `because` (or a colon, or a dash between blanks), and the reason."""
    before, *rest = _BECAUSE.split(text, maxsplit=1)
    why = " ".join(rest).strip()
    if before.count("(") > before.count(")") or why.count(")") > why.count("("):
        before, why = before.removesuffix("("), why.removesuffix(")")
    return before.strip(" ,.;"), why


def is_reason(text: str) -> bool:
    """Whether the words after a command's object are its reason even without `because`: they ask
    nothing, and neither take it back nor put it off."""
    return bool(text) and "?" not in text and not TAKES_BACK.match(text)


def power_and_reason(game: Game, text: str) -> tuple[str, str]:
    """The text before `because`, and the reason.

    `because` may be missing after a power's whole name or its player's, as in "Italy nothing came".
    Words like "out of the game" after the name are skipped.
    """
    return name_and_reason(text, [one.name for one in game.powers.all()], lambda: _players(game))


def name_and_reason(
    text: str, powers: Sequence[str], others: Callable[[], Sequence[str]] = tuple
) -> tuple[str, str]:
    """The same for one of these names or, if the text begins with none of them, of those that
    `others` returns."""
    text = _FOR_POWER.sub("", text)
    named = _longest_name(text, powers) or _longest_name(text, players := others())
    rest = text[len(named) :]
    if named and (out := _OUT_OF_GAME.match(rest)):
        rest = f" {rest[out.end() :].lstrip()}".rstrip()
        text = f"{named}{rest}"
    why = rest.strip(" ,;")
    alike = powers if named in powers else players
    goes_on = _NAMES_MORE.match(why) or _longest_name(why, alike)
    is_said = _BECAUSE.match(rest) or WHY.search(rest)
    if not named or goes_on or is_said or len(LETTERS.findall(why)) < FEWEST_WORDS:
        return split_reason(text)
    return (named, why) if is_reason(why) else split_reason(text)


def name_at(game: Game, text: str) -> str:
    """The power's whole name, or its player's, at the beginning of a text; "" if there is no
    name."""
    powers = [one.name for one in game.powers.all()]
    return _longest_name(text, powers) or _longest_name(text, _players(game))


def _longest_name(text: str, names: Sequence[str]) -> str:
    """The longest of the names that begins the text; "" if none does."""
    return max((one for one in names if _begins_with(text, one)), key=len, default="")


def _begins_with(text: str, name: str) -> bool:
    return f"{text} ".casefold().startswith(tuple(f"{name}{end}".casefold() for end in " ,;"))


def means_all(text: str) -> bool:
    """Whether the text, before any reason, is about all games."""
    return bool(_ALL_GAMES.match(WHY.split(text, maxsplit=1)[0]))


def any_reason(text: str) -> str:
    """The reason of a command that takes nothing else, with or without `because`.

    Raises BadInput for other words before `because`: they may ask for something else.
    """
    before, why = split_reason(text)
    if not before or NEEDLESS.fullmatch(before):
        return why
    if why and _BECAUSE_ITSELF.search(text):
        raise BadInput(f"We cannot read “{before}”, so nothing is done yet.")
    return text.strip(" ,.;–—-")


def length_and_reason(text: str) -> tuple[dt.timedelta | None, str]:
    """The length and the reason in `24h because …`, either of them optional. Raises BadInput."""
    length, rest = length_and_rest(text)
    return length, "" if length is None else any_reason(rest)


def moment_and_reason(text: str) -> tuple[str, str]:
    """The moment after TO or UNTIL, as written, and the reason; "" and the whole text if it begins
    otherwise. Raises BadInput if nothing follows."""
    to, rest = moment_and_rest(text)
    if to:
        return to, any_reason(rest)
    begins = UNTIL.match(text)
    if begins is None:
        return "", text
    text = text[begins.end() :]
    to, why = split_reason(text)
    if day := _day_before_reason(to):
        to, why = day, text[len(day) :].strip(" ,.;!")
    if not to:
        raise BadInput("Please say until when.")
    return _PLEASE_AFTER.sub("", to), why


def _day_before_reason(text: str) -> str:
    """The day in "Monday, I am moving house"; "" where nothing else is said, or the day goes on
    after the comma or full stop: "Jan. 3, 2027", "Friday, noon UTC", "Sunday, I mean Monday"."""
    day, *after = _AFTER_DAY.split(text, maxsplit=1)
    why = " ".join(after).strip()
    goes_on = why[:1].isdigit() or begins_with_day(why) or _OR_OTHERWISE.search(why)
    return day if is_reason(why) and _SAYS_WHY.search(why) and not goes_on else ""


def names_apart(text: str) -> list[str]:
    """The names on a line: "Italy, Turkey and France"."""
    return _BETWEEN_NAMES.split(text.strip(" ,.;"))


def power_of(game: Game, text: str) -> str:
    """The power that a name means; a player's name means their power. Raises BadInput."""
    named = text.strip(" ,.;")
    if not named:
        raise BadInput("Please say which power.")
    if (both := _BOTH_NAMES.fullmatch(named)) and names_shown(game):
        player, power = (power_of(game, one) for one in both.groups())
        named = power if player == power else named
    try:
        return power_of_player(game, named) or board.power_named(game.variant, named)
    except BadInput as error:
        if powers := powers_in(game, named):
            said = (
                f"{listed(powers)} are {len(powers)} powers. Please write for each of them alone,"
            )
            raise BadInput(f"{said} in a mail of its own.") from error
        if not names_shown(game) and "Did you mean" not in str(error):
            raise BadInput(f"{error} {_NAMELESS}") from error
        if near := did_you_mean(named, _players(game)):
            raise BadInput(f"Nobody called “{named}” plays in {game.name}.{near}") from error
        raise


def _players(game: Game) -> list[str]:
    """The names of those who play; empty if nobody may know them."""
    return [one.player.name for one in seats_of(game)] if names_shown(game) else []


def powers_in(game: Game, text: str) -> list[str]:
    """The names of the powers that a text joins by “and” or commas; empty if it names only one, or
    anything else."""
    names = names_apart(text)
    try:
        return [power_of(game, name) for name in names] if len(names) > 1 else []
    except BadInput:
        return []


def power_of_player(game: Game, name: str) -> str:
    """The power that somebody of this name plays; "" if nobody does, or if the game is anonymous.

    No player has the name of a power.
    """
    if not names_shown(game):
        return ""
    played = {one.player.name.casefold(): one.power.name for one in seats_of(game)}
    return played.get(name.casefold(), "")
