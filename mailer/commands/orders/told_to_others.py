"""Moves that somebody tells others, and perhaps does not order: “Hi Germany, I plan the
following:”, or “Germany proposes:”, or “Letter to Italy”, with orders below.

They came to the judge, but their writer may not want them as orders: people tell plans to deceive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.errors import BadInput
from games.models import Game
from games.queries import board
from games.queries.access.anonymity import names_shown
from games.queries.access.staff_names import own_name
from games.queries.parsing.press_audience import EVERYBODY
from games.queries.players.seats import power_of_namesake
from games.queries.reports.wording import listed
from mailer.commands.lines.spoken_to import AFTER_NAME, HELLO, powers_addressed
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint
from mailer.reading import courtesies, phrases
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

_FARTHEST = 2
"""How many lines below “my plan is:” its moves may stand."""
LONGEST_HEADING = 100
_IN_A_LETTER = (
    "This stands in what reads like a letter to {}, so we do not know whether it is also an order. "
    "If it is, send it again without the letter."
)
_PROPOSES = (
    r"(?:propos|suggest|want|ask|wrote|writes|said|says|told|tells|sent|recommend|plan|request|advis"
    r"|demand|expect|offer)\w*"
)
_OF_THEIRS = (
    r"(?!.*\b(?:i|we|as)\b)[^.!?:]{1,40}\b(?:(?:propose|suggest|recommend|advise)[sd]|wants\s+(?:me|us)"
    r"|schlägt\b.{0,20}\bvor|propone|propõe|proponuje|stelt\b.{0,20}\bvoor"
    r"|['’]s\s+(?:proposal|suggestion|offer|advice))\b[^.!?:]{0,40}:"
)
_SAYS_SO = (
    r"(?!.*\b(?:i|we|as)\b)[^.!?:,]{1,40}\b(?:wants|says|said|asks|asked|thinks|wrote)"
    r"(?: (?:me|us|this|that|you|to|do|the|following)){0,4}\s*:"
)
"""Words for what only somebody else does, whoever it is: “Ben suggests:”, “My ally wants me to do
so:”."""
_OF_SOMEBODY = (
    "You may only tell what “{}” says, so we do not follow this. To order it, send it alone."
)
_QUOTES = says(_OF_THEIRS, _SAYS_SO)
_CONCLUDES = r".*,\s*(?:so|hence|therefore|thus)(?:\s+(?:i|my|here|these)\b[^:]*)?\s*:"
"""What follows “Germany says Italy is weak, so:” is what the writer does, not Germany."""
_TELLS = r"(?:tell|told|telling|promised?|informe?d?|let|wrote\s+to|said\s+to|lied\s+to|assured?)"
_IS_PLAIN = r"(?!.*\b(?:not|never|nobody|without|orders?)\b|.*n['’]t\b)"
_PRESS_LINE = re.compile(
    r"\W*(?:please\s+)?(?:(?:an?|my|the|this|public|private|secret|open|fake|white)\s+)*"
    r"(?:press|broadcast)(?:\s+(?:release|statement)|\s+(?:to|for|from)\b.{0,80})?\W*"
    r"|\W*(?:press|broadcast)\b(?!\W*(?:is|was|are|on|off|none|no|nothing)\b).{0,40}",
    re.IGNORECASE,
)
_LETTER_LINE = re.compile(
    r"\W*(?:please\s+)?(?:(?:an?|my|the|this|short|private|secret|send|write|pass)\s+)*"
    r"(?:(?:letter|message|msg|e-?mail|mail|note|pm|dm|send|write|tell|say|forward|nachricht|brief"
    r"|mitteilung|lettre|mensaje|carta|messaggio|lettera|bericht|wiadomo\w+)\b\s*:?\s*"
    r"(?:(?:this|the\s+following|it|on)\s+)*(?:(?:to|for|an|à|a|al|alla|para|voor|do)\b\s*:?)?"
    r"|(?:to|for|an|à|para|voor)\b\s*:?|@)\s*(?P<names>[^:.!?]{1,60}?)\s*[:.,!]*",
    re.IGNORECASE,
)
_NAME = r"[^\W\d_][\w'’-]+(?:\s+(?!and\b)[^\W\d_][\w'’-]+)?"
_SAYS_NAME = re.compile(
    rf"({_NAME})(?:\s*:|\s+(?:propose|suggest|want|say|ask|write|tell|think|order)s\b[^:]{{0,40}}:)",
    re.IGNORECASE,
)
"""Words above what somebody said or wants: "Dora:", "Dora wants:"."""
_AND = rf"(?:\s*(?:[&+]|\band\b)\s*{HELLO}?|\s*,\s*{HELLO})"
_HELLO_NAME = re.compile(
    rf"{HELLO}(?!(?:all|there|every|folks|guys|team|gm|judge|server)\w*\b)"
    rf"({_NAME}(?:{_AND}{_NAME}){{0,4}}){AFTER_NAME}",
    re.IGNORECASE,
)
_MOST_GREETED = 3
_FROM = re.compile(r"\W*(?:from|von|de|da|van|od|från|fra|от)\s*:", re.IGNORECASE)
_APART = re.compile(r"(?:[\s,;&+/@]|\b(?:and|the|und|et|y|e|to)\b)+", re.IGNORECASE)
IN_A_TEXT = (
    "What comes after “{}” reads like part of a letter, so we do not take it as an order. Nobody "
    "has received the letter: to send it, write PRESS TO and the powers above it. To order this, "
    "send it again without that line."
)
IN_IT_TOO = "It stands in the same letter, so we do not follow it either."


def told_below_headings(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders below a line that heads a letter in words that are no command, each with the
    reason not to follow it."""
    heading: Piece | None = None
    why = ""
    for piece in found:
        if not piece.province and heads_letter(piece.line.text, view):
            heading, why = piece, IN_A_TEXT.format(piece.line.text)
        elif not piece.province and introduces(piece.line.text):
            heading = None
        elif heading and piece.province:
            yield heading, ""
            yield piece, why
            why = IN_IT_TOO


def heads_letter(text: str, view: Viewpoint) -> bool:
    """Whether a line only says for which other powers the text below it is."""
    if len(text) > LONGEST_HEADING:
        return False
    if _PRESS_LINE.fullmatch(text):
        return True
    match = _LETTER_LINE.fullmatch(text)
    named = [one for one in _APART.split(match["names"]) if one] if match else []
    return bool(named) and all(_is_reader(name, view) for name in named)


def _is_reader(name: str, view: Viewpoint) -> bool:
    if name.lower() in EVERYBODY:
        return True
    try:
        return board.power_named(view.position.variant.name, name) != view.power
    except BadInput:
        return False


def heads_words_of_others(text: str) -> bool:
    """Whether a line says that somebody else wants what stands below: “Ben says:”."""
    return len(text) <= LONGEST_HEADING and _QUOTES.fullmatch(text) is not None


def told_by_others(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders right below words like "Germany proposes:" or "Tell Germany that I will:", each
    with the reason not to follow it."""
    names = "|".join(map(re.escape, [*_others(view), "he", "she", "they", "you", "ally", "allies"]))
    readers = "|".join(map(re.escape, _others(view)))
    told = says(
        rf"{_IS_PLAIN}[^.!?]{{0,20}}\b{_TELLS} (?:{readers})\b[^.!?]{{0,40}}:",
        rf"(?!.*\b(?:and i|we|here)\b|{_CONCLUDES})[^.!?]{{0,30}}\b(?:{names})"
        rf"\b.{{0,30}}\b{_PROPOSES}[^.!?:]{{0,40}}:",
        _OF_THEIRS,
        rf"(?!\W*{re.escape(view.power)}\b|{_CONCLUDES}){_SAYS_SO}",
    )
    for piece in found:
        text = piece.line.text
        if piece.province:
            continue
        if _is_said_by(text, [view.power], view):
            if text.endswith(":") and text.count(" ") <= 1:
                yield piece, ""  # "Carla:" above her own orders
            continue
        if told.fullmatch(_in_english(text, view)) or _is_said_by(text, _others(view), view):
            for below in _right_below(piece.line, found):
                yield below, _OF_SOMEBODY.format(piece.line.text)


def _is_said_by(text: str, powers: Sequence[str], view: Viewpoint) -> bool:
    """Whether a line names a player of one of these powers as the speaker of the lines below."""
    match = _SAYS_NAME.fullmatch(text[:LONGEST_HEADING])
    named = view.greeted.get(match[1], ()) if match else ()
    return bool(named) and {*named} <= {*powers}


def told_by_sender(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders below "From: Germany", "To: France", copied from somebody else's mail.

    The header alone, without a reason, if its player wrote it above their own orders.
    """
    header = [piece for piece in found if phrases.HEADER_LINE.fullmatch(piece.line.text)]
    writers = [piece for piece in header if _FROM.match(piece.line.text)]
    if len(header) < 2 or not writers:
        return
    yield from ((piece, "") for piece in header)
    writer = writers[0].line.text
    if not _is_own(writer.partition(":")[2].strip(), view):
        for piece in found:
            if piece.province and piece.at > writers[0].at:
                yield piece, _OF_SOMEBODY.format(writer)


def _is_own(name: str, view: Viewpoint) -> bool:
    try:
        return board.power_named(view.position.variant.name, name) == view.power
    except BadInput:
        return name.lower() in ("me", "myself")


def told_to_others(
    found: Sequence[Piece], greeted: Sequence[Line], view: Viewpoint
) -> Iterator[Reason]:
    """The orders right below a colon in a letter to another power, each with the reason not to
    follow it.

    `greeted` are the greetings of the mail, which are not among its lines.
    """
    readers: list[str] = []
    before = Line(0, "")
    for line in _prose(found, greeted):
        spoken = spoken_in(line.text, view)
        if spoken:
            is_letter = spoken[0] != [view.power] and _is_letter(line.text, spoken[1])
            readers = spoken[0] if is_letter else []
        elif _is_over(before, line, found):
            readers = []
        if readers and line.text.endswith(":") and not _heads_own(line.text, spoken):
            why = _IN_A_LETTER.format(listed(readers))
            for piece in _right_below(line, found):
                yield piece, why
                why = IN_IT_TOO
        before = line


def _prose(found: Sequence[Piece], greeted: Sequence[Line]) -> list[Line]:
    """The lines that are not orders, from top to bottom."""
    texts = [piece.line for piece in found if not piece.province]
    return sorted([*texts, *greeted], key=lambda line: line.number)


def _is_over(before: Line, line: Line, found: Sequence[Piece]) -> bool:
    """Whether a letter ends between two lines: at an order, or at a gap below its greeting's
    own."""
    numbers = [piece.line.number for piece in found if piece.province]
    if any(before.number < number < line.number for number in numbers):
        return True
    return line.number > before.number + 1 and not before.text.endswith(",")


def speaks_to_others(text: str, view: Viewpoint) -> bool:
    """Whether a line speaks to another power: "Hi Germany,"."""
    return spoken_in(text, view) is not None


def spoken_in(text: str, view: Viewpoint) -> tuple[list[str], str] | None:
    """The powers to whom a line speaks, by themselves or by their players' names, and what it says
    after naming them; None if it speaks to nobody."""
    for name, powers in view.greeted.items():
        pattern = rf"{HELLO}{re.escape(name)}{AFTER_NAME}"
        if match := re.match(pattern, text[:LONGEST_HEADING], re.IGNORECASE):
            return [*powers], text[match.end() :].strip()
    return powers_addressed(_in_english(text, view), _others(view))


def with_greeted(view: Viewpoint, lines: Sequence[Line], game: Game) -> Viewpoint:
    """The viewpoint, with the players whom the lines greet or quote by name.

    Not in anonymous games, and not names that somebody who runs the game has.
    """
    texts = [line.text[:LONGEST_HEADING] for line in lines]
    found = (_HELLO_NAME.match(text) or _SAYS_NAME.fullmatch(text) for text in texts)
    said = dict.fromkeys(str(match[1]) for match in found if match)
    if not (said and names_shown(game)):
        return view
    known = {name: _powers_greeted(name, view, game) for name in [*said][:_MOST_GREETED]}
    return replace(view, greeted={name: powers for name, powers in known.items() if powers})


def _powers_greeted(names: str, view: Viewpoint, game: Game) -> Sequence[str]:
    """The powers of the players in "Dora" or "Dora and Emma"; none if one of them is no other
    player of the game, or shares a name with somebody who runs the game."""
    staff = [game.gm, *(row.user for row in game.co_gms.select_related("user"))]
    theirs = [own_name(user).lower().split() for user in staff if user]
    powers = []
    for name in re.split(_AND, names, flags=re.IGNORECASE):
        words = name.lower().split()
        is_staff = any(words == one[: len(words)] for one in theirs)
        power = "" if is_staff else power_of_namesake(name, game)
        if not power or (power == view.power and words != names.lower().split()):
            return ()
        powers.append(power)
    return powers


def _in_english(text: str, view: Viewpoint) -> str:
    """The text with our names for the powers: "England" for "Britain"."""
    return board.powers_in_english(text, view.position.variant.powers)


def _others(view: Viewpoint) -> list[str]:
    return [name for name in view.position.variant.powers if name != view.power]


def _is_letter(text: str, after: str) -> bool:
    """Whether a line speaks to somebody; "Germany:" is the heading of a power's orders."""
    return bool(after) or not text.endswith(":")


def _heads_own(text: str, spoken: object) -> bool:
    """Whether a line ends by announcing the writer's orders; after speaking to another power it
    takes a sentence of its own: "Hi Germany, sorry for the delay. My orders:"."""
    *before, last = re.split(r"[.!?]+\s+", text)
    return introduces(last if before else text) and (bool(before) or not spoken)


def introduces(text: str) -> bool:
    """Whether a line only says that orders follow: "My orders:"."""
    return bool(courtesies.INTRODUCTION.fullmatch(text[: phrases.LONGEST_RULED]))


def _right_below(line: Line, found: Sequence[Piece]) -> Iterator[Piece]:
    """The orders below a line, down to the next gap."""
    last = line.number + _FARTHEST - 1
    for piece in found:
        if piece.line.number <= line.number:
            continue
        if not piece.province or piece.line.number > last + 1:
            return
        yield piece
        last = piece.line.number
